"""Arrays of float intervals, rounded outwards: rigorous enclosures at nearly the speed of NumPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import Ball, Rational, ball

__all__ = ["Intervals", "exact_arithmetic_flags"]

FloatArray = npt.NDArray[np.float64]

# One rounding to nearest moves a normal number x by at most |x|/2**53. Subtracting |x|/2**52 and rounding
# again goes at least one representable number down, hence past the true value: x - |x|/2**52 lies at or
# below the neighbour of x, and rounding is monotone. Zero stays zero, which is right, because
# `exact_arithmetic_flags` turns the only inexact zero (underflow) into an error.
_ULP = 2.0**-52


def exact_arithmetic_flags() -> np.errstate:
    """Return the context in which `Intervals` are computed: an underflow raises `FloatingPointError`."""
    return np.errstate(under="raise", over="ignore", invalid="ignore", divide="ignore")


def _down(x: FloatArray) -> FloatArray:
    return np.fmax(x - np.abs(x) * _ULP, -np.inf)


def _up(x: FloatArray) -> FloatArray:
    return np.fmin(x + np.abs(x) * _ULP, np.inf)


class Intervals:
    """An array of intervals [lo, hi] of doubles; arrays and scalars of floats mean themselves exactly.

    All operations must run inside `exact_arithmetic_flags`. A value that is not known at all (division by
    an interval around 0, overflow) is the whole line.

    Parameters
    ----------
    lo, hi : numpy.ndarray of float64
        Ends, of equal shape.

    Examples
    --------
    >>> with exact_arithmetic_flags():
    ...     third = Intervals.of(np.array([1.0])) / 3.0
    >>> bool(third.lo[0] < third.hi[0]), third.width().max() < 1e-15
    (True, np.True_)
    """

    __slots__ = ("hi", "lo")
    __array_ufunc__ = None  # arrays on the left leave the operation to this class

    def __init__(self, lo: FloatArray, hi: FloatArray) -> None:
        self.lo = lo
        self.hi = hi

    @classmethod
    def of(cls, x: Any) -> Intervals:
        """Return floats as intervals of width 0."""
        if isinstance(x, Intervals):
            return x
        values = np.asarray(x, dtype=float)
        return cls(values, values)

    @classmethod
    def enclosing(cls, values: npt.NDArray[Any]) -> Intervals:
        """Return the tightest intervals of doubles around numbers (rationals, algebraic numbers, balls, floats)."""
        if values.dtype != object:
            return cls.of(values)
        lo = np.empty(values.shape)
        hi = np.empty(values.shape)
        for index, value in np.ndenumerate(values):
            lo[index], hi[index] = _ends(value)
        return cls(lo, hi)

    def __getitem__(self, index: Any) -> Intervals:
        return Intervals(self.lo[index], self.hi[index])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.lo.shape

    def width(self) -> FloatArray:
        """Return hi - lo, rounded up."""
        return _up(self.hi - self.lo)

    def intersect(self, other: Intervals) -> Intervals:
        """Return the intersection of two enclosures of the same quantity."""
        return Intervals(np.maximum(self.lo, other.lo), np.minimum(self.hi, other.hi))

    def at_least(self, floor: float) -> Intervals:
        """Return the enclosure of a quantity that is known to be at least `floor`."""
        return Intervals(np.maximum(self.lo, floor), np.maximum(self.hi, floor))

    def __neg__(self) -> Intervals:
        return Intervals(-self.hi, -self.lo)

    def __add__(self, other: Any) -> Intervals:
        if _is_higher(other):
            return NotImplemented
        b = Intervals.of(other)
        return Intervals(_down(self.lo + b.lo), _up(self.hi + b.hi))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Intervals:
        if _is_higher(other):
            return NotImplemented
        b = Intervals.of(other)
        return Intervals(_down(self.lo - b.hi), _up(self.hi - b.lo))

    def __rsub__(self, other: Any) -> Intervals:
        return Intervals.of(other) - self

    def __mul__(self, other: Any) -> Intervals:
        if _is_higher(other):
            return NotImplemented
        b = Intervals.of(other)
        if bool(np.all(self.lo >= 0)):
            return _scaled(self, b)
        if bool(np.all(b.lo >= 0)):
            return _scaled(b, self)
        corners = (self.lo * b.lo, self.lo * b.hi, self.hi * b.lo, self.hi * b.hi)
        low = np.minimum(np.minimum(corners[0], corners[1]), np.minimum(corners[2], corners[3]))
        high = np.maximum(np.maximum(corners[0], corners[1]), np.maximum(corners[2], corners[3]))
        return Intervals(_down(low), _up(high))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Intervals:
        if _is_higher(other):
            return NotImplemented
        b = Intervals.of(other)
        around_zero = (b.lo <= 0) & (b.hi >= 0)
        inverse = Intervals(_down(1 / b.hi), _up(1 / b.lo))
        if bool(np.any(around_zero)):
            inverse = Intervals(np.where(around_zero, -np.inf, inverse.lo), np.where(around_zero, np.inf, inverse.hi))
        return self * inverse

    def __rtruediv__(self, other: Any) -> Intervals:
        return Intervals.of(other) / self

    def sum(self, axis: int = 0) -> Intervals:
        """Return the sum along an axis, term by term so that every rounding is accounted for."""
        lo = np.moveaxis(self.lo, axis, 0)
        hi = np.moveaxis(self.hi, axis, 0)
        total = Intervals(np.zeros(lo.shape[1:]), np.zeros(lo.shape[1:]))
        for low, high in zip(lo, hi, strict=True):
            total = total + Intervals(low, high)
        return total

    def __repr__(self) -> str:
        return f"Intervals({self.lo!r}, {self.hi!r})"


def _is_higher(other: Any) -> bool:
    """Whether the other operand carries derivatives and has to do the operation."""
    return hasattr(other, "slope")


def _scaled(a: Intervals, b: Intervals) -> Intervals:
    """Return the product for a >= 0, which needs two products instead of four."""
    low = np.where(b.lo >= 0, a.lo, a.hi) * b.lo
    high = np.where(b.hi >= 0, a.hi, a.lo) * b.hi
    return Intervals(_down(low), _up(high))


def _ends(value: Any) -> tuple[float, float]:
    if isinstance(value, (float, np.floating)):
        return float(value), float(value)
    if isinstance(value, Ball):
        return _below(value.lower.fraction), -_below(-value.upper.fraction)
    if isinstance(value, (int, Fraction, Rational)):
        exact = value.fraction if isinstance(value, Rational) else Fraction(value)
        return _below(exact), -_below(-exact)
    return _ends(ball(128).number(value))


def _below(x: Fraction) -> float:
    nearest = float(x)
    return nearest if Fraction(nearest) <= x else float(np.nextafter(nearest, -np.inf))
