"""Interval enclosures of a function of one variable together with its derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .outward import Intervals

__all__ = ["Tangent", "absolute_integral", "share", "stack"]

FloatArray = npt.NDArray[np.float64]


class Tangent:
    """Values and derivatives, with respect to one variable, over an array of boxes (forward differentiation).

    Where the function is only Lipschitz, `slope` encloses its generalised gradient, which is all that the
    mean value theorem needs.

    Parameters
    ----------
    value, slope : Intervals
        Of equal shape.
    """

    __slots__ = ("slope", "value")
    __array_ufunc__ = None

    def __init__(self, value: Intervals, slope: Intervals) -> None:
        self.value = value
        self.slope = slope

    @classmethod
    def of(cls, x: Any) -> Tangent:
        """Return a constant with its derivative 0."""
        if isinstance(x, Tangent):
            return x
        value = Intervals.of(x)
        return cls(value, Intervals.of(np.zeros(value.shape)))

    def __getitem__(self, index: Any) -> Tangent:
        return Tangent(self.value[index], self.slope[index])

    def __neg__(self) -> Tangent:
        return Tangent(-self.value, -self.slope)

    def __add__(self, other: Any) -> Tangent:
        if isinstance(other, Tangent):
            return Tangent(self.value + other.value, self.slope + other.slope)
        return Tangent(self.value + other, self.slope)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Tangent:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Tangent:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Tangent:
        if isinstance(other, Tangent):
            return Tangent(self.value * other.value, self.slope * other.value + self.value * other.slope)
        return Tangent(self.value * other, self.slope * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Tangent:
        if isinstance(other, Tangent):
            quotient = self.value / other.value
            return Tangent(quotient, (self.slope - quotient * other.slope) / other.value)
        return Tangent(self.value / other, self.slope / other)

    def __rtruediv__(self, other: Any) -> Tangent:
        quotient = other / self.value
        return Tangent(quotient, -(quotient * self.slope) / self.value)

    def sum(self, axis: int = 0) -> Tangent:
        """Return the sum along an axis."""
        return Tangent(self.value.sum(axis), self.slope.sum(axis))


def stack(rows: list[Any]) -> Any:
    """Return rows of equal shape, all float arrays, `Intervals` or `Tangent`, as one array."""
    if isinstance(rows[0], Tangent):
        return Tangent(stack([row.value for row in rows]), stack([row.slope for row in rows]))
    if isinstance(rows[0], Intervals):
        return Intervals(np.stack([row.lo for row in rows]), np.stack([row.hi for row in rows]))
    return np.stack(rows)


def share(u: Any, e: Any) -> Any:
    """Return u/(e + u) for u >= 0 and e > 0, which is increasing in u.

    Parameters
    ----------
    u : numpy.ndarray, Intervals or Tangent
    e : numpy.ndarray or Intervals

    Returns
    -------
    numpy.ndarray, Intervals or Tangent
        Of the kind of `u`; tighter than the quotient of two intervals that depend on each other.

    Examples
    --------
    >>> share(np.array([0.0, 1.0]), np.array([2.0, 3.0]))
    array([0.  , 0.25])
    """
    if isinstance(u, Tangent):
        ratio = share(u.value, e)
        whole = u.value + e
        return Tangent(ratio, u.slope * (e / (whole * whole)))
    if isinstance(u, Intervals):
        far = Intervals.of(e)
        least, most = Intervals.of(u.lo), Intervals.of(u.hi)
        lower = least / (least + Intervals.of(far.hi))
        upper = most / (most + Intervals.of(far.lo))
        return Intervals(lower.lo, upper.hi)
    return u / (e + u)


def absolute_integral(p: Any, q: Any) -> Any:
    r"""Return :math:`\int_0^1|p+(q-p)\tau|\,d\tau`, the mean modulus of a linear function.

    It is :math:`(|p|+|q|)/2` if the end values have one sign and :math:`(p^2+q^2)/(2(|p|+|q|))`
    otherwise, a norm of (p, q): convex, hence largest in a corner of a box, and Lipschitz with constant
    1/2 in either argument.

    Parameters
    ----------
    p, q : numpy.ndarray, Intervals or Tangent

    Returns
    -------
    numpy.ndarray, Intervals or Tangent

    Examples
    --------
    >>> absolute_integral(np.array([1.0, 1.0]), np.array([3.0, -1.0]))
    array([2. , 0.5])
    """
    if isinstance(p, Tangent):
        value = absolute_integral(p.value, q.value)
        slope = _pull(p.value, q.value) * p.slope + _pull(q.value, p.value) * q.slope
        return Tangent(value, slope)
    if isinstance(p, Intervals):
        return _absolute_integral_over_boxes(p, q)
    a, b = np.abs(p), np.abs(q)
    total = a + b
    crossing = np.divide(a * b, total, out=np.zeros_like(total), where=p * q < 0)
    result: FloatArray = total / 2 - crossing
    return result


def _absolute_integral_over_boxes(p: Intervals, q: Intervals) -> Intervals:
    upper = _at_points(p.lo, q.lo).hi
    for x, y in ((p.lo, q.hi), (p.hi, q.lo), (p.hi, q.hi)):
        upper = np.maximum(upper, _at_points(x, y).hi)
    x, y = 0.5 * p.lo + 0.5 * p.hi, 0.5 * q.lo + 0.5 * q.hi
    # the centre need not be exact: the whole width, twice the largest distance, covers its rounding
    reach = (Intervals.of(p.width()) + Intervals.of(q.width())) * 0.5
    lower = (_at_points(x, y) - reach).at_least(0.0).lo
    return Intervals(lower, upper)


def _at_points(p: FloatArray, q: FloatArray) -> Intervals:
    a, b = Intervals.of(np.abs(p)), Intervals.of(np.abs(q))
    total = a + b
    half = total * 0.5
    opposite = (np.sign(p) * np.sign(q)) < 0
    divisor = Intervals(np.where(opposite, total.lo, 1.0), np.where(opposite, total.hi, 1.0))
    crossing = a * (b / divisor)
    return Intervals(
        np.where(opposite, (half - crossing).lo, half.lo),
        np.where(opposite, (half - crossing).hi, half.hi),
    )


def _pull(p: Intervals, q: Intervals) -> Intervals:
    """Return the derivative of `absolute_integral` in p, which increases in p and in q."""
    return Intervals(_pull_at_points(p.lo, q.lo, -0.5).lo, _pull_at_points(p.hi, q.hi, 0.5).hi)


def _pull_at_points(p: FloatArray, q: FloatArray, at_zero: float) -> Intervals:
    a, b = Intervals.of(np.abs(p)), Intervals.of(np.abs(q))
    sign_p, sign_q = np.sign(p), np.sign(q)
    opposite = sign_p * sign_q < 0
    total = a + b
    divisor = Intervals(np.where(opposite, total.lo, 1.0), np.where(opposite, total.hi, 1.0))
    far = b / divisor
    tilt = (0.5 - far * far) * sign_p
    # on an axis the derivative is that of the side of the other value; in the corner it is any of [-1/2, 1/2]
    plain = np.where(sign_p != 0, 0.5 * sign_p, np.where(sign_q != 0, 0.5 * sign_q, at_zero))
    return Intervals(np.where(opposite, tilt.lo, plain), np.where(opposite, tilt.hi, plain))
