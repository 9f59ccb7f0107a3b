r"""Two-sided bounds of a Lebesgue function on boxes inside its pieces.

On a piece (see `Pieces`) the Lebesgue function is N/Q with

.. math:: N=az+by+\sum_i|w_i|\varphi_i,\quad Q=az+by+\sum_i\sigma_i|w_i|\varphi_i=az+by+A-B,\qquad
          \varphi_i=\frac{yz}{e_i+y}\ \text{or}\ \frac{yz}{e_i+z},

where A collects the terms with :math:`\sigma_i=1` and B those with -1. Every :math:`\varphi_i` is concave:
on a gap of length g its second derivative is :math:`-2e_i(g+e_i)/(e_i+y)^3`, beyond the ends
:math:`-2e_i/(e_i+y)^3`. Hence on a box N and B lie below their tangents at the middle and A above its chord, and

.. math:: \frac NQ\le\max_{\text{both ends}}\frac{\text{tangent of }N}{az+by+\text{chord of }A-\text{tangent of }B},

a quotient of linear functions, which is monotone while its denominator is positive. The excess is
quadratic in the width of the box. Since :math:`(N'Q-NQ')'=N''Q-NQ''=-2BA''+2(az+by+A)B''`, a box on which
:math:`B|A''|<(az+by+A)|B''|` holds has at most one critical point, a maximum.

For polynomial interpolation :math:`1/Q=R=\prod_i(e_i+y)\cdot\prod_i(e_i+z)`; N is concave and log R too, so the
logarithm of NR lies below its tangent.

**Rounding.** Let the distances have relative errors at most :math:`\epsilon`, the weights :math:`\omega`, and let u
be the unit roundoff; positions t in a piece are multiples of 2**-49, so that t and 1-t are exact. A term of N is
made of y and z (2 roundings each), of :math:`1/(e+y)` (4), a product with the weight, at most m additions in any order
and 4 more operations: no more than m+16 roundings of non-negative quantities, with at most 3 distances and one
weight among its factors. So it carries a relative error of at most :math:`k/(1-k)`,
:math:`k=3\epsilon+\omega+(m+16)u`; a term of N' or N'' has no more than 8 distances and m+32 roundings. All bounds
below use

.. math:: \kappa=1.02\,(8\epsilon+\omega+(m+40)u)

for absolute errors relative to the sums of moduli of terms: N for N, Q, A and B, and
:math:`M=a+b+2(z+y)\sum|w_i|/(e_i+\cdot)\ge|N'|` for the slopes (for :math:`yz/(e+y)^2\le z/(e+y)`). What is left
of 40u, and the factor 1.02 (:math:`\kappa<0.01`), pay for the few operations that combine them. A value computed
as N/Q is therefore off by no more than about :math:`\kappa(1+\Lambda)` of itself.

**Range.** Lengths are at most 1 and weights are from 2**-900 to about 1. An underflow is an error, but for
the products inside scalar products, where none is reported: each loses up to 2**-1075 there, all of them no more than
m 2**-1075 times 1, y, z or yz, whereas already az+by, and a+b in M, are 2**-900 times as much or more, so that
:math:`u\kappa` times N and M covers it. (In `has_single_peak` small numbers that are added to the sums cover it.)
What overflows makes a bound infinite, or no number, which the search takes for infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .differences import UNIT_ROUNDOFF
from .hull_pieces import Pieces
from .scaled_floats import ScaledFloats, scaled_product

__all__ = ["LEAST_SIZE", "Boxes", "PolynomialBounds", "QuotientBounds", "rounding_constant"]

FloatArray = npt.NDArray[np.float64]
Array = npt.NDArray[Any]
# weights for polynomial interpolation that are smaller, relative to the largest one, are raised to this size
LEAST_SIZE = 2.0**-900
_DOT = "...m,...m->..."
# far above m 2**-1075, and far below any sum that matters
_TINY, _SMALL = 2.0**-1000, 2.0**-950
# how closely a maximum that was found is boxed in before it is bounded again
_NEAR = 2.0**-18


def rounding_constant(count: int, distance_error: float, size_error: float) -> float:
    r"""Return :math:`\kappa=1.02(8\epsilon+\omega+(m+40)u)`; raise `ValueError` where the analysis ends."""
    kappa = 1.02 * (8 * distance_error + size_error + (count + 40) * UNIT_ROUNDOFF)
    if not kappa < 0.01:
        raise ValueError("nodes are too close or too many for doubles; use ball(bits)")
    return kappa


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes of relative positions in pieces.

    Attributes
    ----------
    start, stop : numpy.ndarray
        Ends, dyadic numbers from 0 to 1.
    at_start, at_stop : numpy.ndarray
        Values of A at the ends.
    """

    start: FloatArray
    stop: FloatArray
    at_start: FloatArray
    at_stop: FloatArray

    @property
    def middle(self) -> FloatArray:
        """The middles."""
        centre: FloatArray = (self.start + self.stop) / 2
        return centre

    def __getitem__(self, index: Any) -> Boxes:
        return Boxes(self.start[index], self.stop[index], self.at_start[index], self.at_stop[index])


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a look at boxes tells.

    Attributes
    ----------
    lower, upper : numpy.ndarray
        Of the supremum over each box; infinite above if the denominator was not seen to be positive.
    at_middle : numpy.ndarray
        A at the middles.
    is_pole : numpy.ndarray of bool
        Whether the denominator is negative somewhere.
    """

    lower: FloatArray
    upper: FloatArray
    at_middle: FloatArray
    is_pole: npt.NDArray[np.bool_]


def _exponential_from_above(x: FloatArray) -> FloatArray:
    """Return upper bounds of exp(x) for x >= 0, by the rational operations alone; infinite beyond 16."""
    # exp(t) <= 1 + t + t^2 for t <= 1, raised to the 16th power by 4 squarings; 100 roundings at most
    part = np.minimum(x / 16, 1.0)
    power = 1 + part + part * part
    for _ in range(4):
        power *= power
    return np.where(x <= 16, power * (1 + 128 * UNIT_ROUNDOFF), np.inf)


def places(p: Pieces, t: Array) -> tuple[Array, Array]:
    """Return y and z at relative positions."""
    return p.y + t * p.length, np.where(p.inner > 0, p.z + (1 - t) * p.length, 1)


def reciprocals(p: Pieces, y: Array, z: Array) -> Array:
    """Return the reciprocal distances of all nodes (of the touched ones something finite)."""
    spread: Array = np.where(p.near, y[..., None], z[..., None])
    spread += p.distance
    return np.divide(1.0, spread, out=spread)


@dataclass(frozen=True, slots=True)
class QuotientBounds:
    """Bounds of N/Q for weights of any kind.

    Parameters
    ----------
    kappa : float
        The rounding constant.
    """

    kappa: float

    def positive_part(self, p: Pieces, t: FloatArray) -> FloatArray:
        """Return A at relative positions."""
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        total: FloatArray = y * z * np.einsum(_DOT, r, p.size * (p.sign > 0))
        return total

    def look(self, p: Pieces, boxes: Boxes) -> Bounds:
        """Return bounds on boxes, one of each piece."""
        t = boxes.middle
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        signed = p.size * p.sign
        side = np.where(p.near, 1.0, -1.0)
        s_all, s_signed = np.einsum(_DOT, r, p.size), np.einsum(_DOT, r, signed)
        r *= r
        r *= side
        q_all, q_signed = np.einsum(_DOT, r, p.size), np.einsum(_DOT, r, signed)
        yz, turn = y * z, z - p.inner * y
        half = (boxes.stop - boxes.start) / 2 * p.length
        linear = p.a * z + p.b * y
        n, n_slope = linear + yz * s_all, p.b - p.inner * p.a + turn * s_all - yz * q_all
        minus, plus = s_all - s_signed, s_all + s_signed
        b, b_slope = yz * minus / 2, (turn * minus - yz * (q_all - q_signed)) / 2
        slack = self.kappa * (n + half * (p.a + p.b + 2 * (z + y) * s_all))
        upper = np.zeros(n.shape)
        for sign, a_end in ((-1.0, boxes.at_start), (1.0, boxes.at_stop)):
            n_up = n + sign * half * n_slope + slack
            end = linear + sign * half * (p.b - p.inner * p.a)
            q_low = end + a_end - (b + sign * half * b_slope) - slack - self.kappa * n_up
            ratio = np.divide(n_up, q_low, out=np.full(n.shape, np.inf), where=q_low > 0)
            upper = np.maximum(upper, ratio)
        # without negative terms N = Q, exactly
        upper = np.where(((p.sign >= 0) | (p.size == 0)).all(axis=-1), 1.0, upper * (1 + 8 * UNIT_ROUNDOFF))
        q = linear + yz * s_signed
        lower = np.where(q > 0, n * (1 - self.kappa) / (np.abs(q) + self.kappa * n), 0.0)
        return Bounds(lower * (1 - 8 * UNIT_ROUNDOFF), upper, yz * plus / 2, q + self.kappa * n < 0)

    def has_single_peak(self, p: Pieces, boxes: Boxes) -> npt.NDArray[np.bool_]:
        """Return whether N'Q - NQ' was seen to decrease on a box on which Q is positive."""
        (y0, z0), (y1, z1) = ends = [places(p, t) for t in (boxes.start, boxes.stop)]
        r0, r1 = (reciprocals(p, y, z) for y, z in ends)
        plus, minus = p.size * (p.sign > 0), p.size * (p.sign < 0)
        gap = (p.y + p.z + p.length)[..., None]
        bend = p.distance * np.where(p.inner[..., None] > 0, p.distance + gap, 1.0)
        most, least = np.where(p.near, r0, r1), np.where(p.near, r1, r0)
        a_bend = np.einsum(_DOT, plus, bend * (most * most * most)) + _TINY
        b_bend = np.einsum(_DOT, minus, bend * (least * least * least))
        keep = np.minimum(
            p.a * z0 + p.b * y0 + y0 * z0 * np.einsum(_DOT, r0, plus),
            p.a * z1 + p.b * y1 + y1 * z1 * np.einsum(_DOT, r1, plus),
        )
        b_most = self._b_most(p, boxes, minus)
        decreases = b_most * a_bend * (1 + 4 * self.kappa) < keep * b_bend * (1 - 4 * self.kappa)
        result: npt.NDArray[np.bool_] = decreases & (b_bend > _SMALL)
        return result

    def _b_most(self, p: Pieces, boxes: Boxes, minus: FloatArray) -> FloatArray:
        y, z = places(p, boxes.middle)
        r = reciprocals(p, y, z)
        s = np.einsum(_DOT, r, minus) + _SMALL
        q = np.einsum(_DOT, r * r, minus * np.where(p.near, 1.0, -1.0))
        half = (boxes.stop - boxes.start) / 2 * p.length
        b, slope = y * z * s, (z - p.inner * y) * s - y * z * q
        most: FloatArray = b + half * np.abs(slope) + self.kappa * (b + half * 2 * (z + y) * s)
        return most

    def cap(self, p: Pieces, start: FloatArray, stop: FloatArray, place: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the maxima over boxes with a single peak, which is near a known place."""
        t = np.round(place * 2.0**40) / 2.0**40
        low, high = np.maximum(start, t - _NEAR), np.minimum(stop, t + _NEAR)
        seen = self.look(p, Boxes(low, high, self.positive_part(p, low), self.positive_part(p, high)))
        inside = ((low == start) | (self._slope_sign(p, low) > 0)) & ((high == stop) | (self._slope_sign(p, high) < 0))
        return seen.lower, np.where(inside, seen.upper, np.inf)

    def _slope_sign(self, p: Pieces, t: FloatArray) -> npt.NDArray[np.int64]:
        """Return the sign of N'Q - NQ' where it is certain, else 0."""
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        signed, squares = p.size * p.sign, r * r * np.where(p.near, 1.0, -1.0)
        yz, turn, tilt = y * z, z - p.inner * y, p.b - p.inner * p.a
        s, s_signed = np.einsum(_DOT, r, p.size), np.einsum(_DOT, r, signed)
        linear = p.a * z + p.b * y
        n, q = linear + yz * s, linear + yz * s_signed
        n_slope = tilt + turn * s - yz * np.einsum(_DOT, squares, p.size)
        q_slope = tilt + turn * s_signed - yz * np.einsum(_DOT, squares, signed)
        slope = n_slope * q - n * q_slope
        # |N'|, |Q'| <= M and |Q| <= N, each with an error of at most kappa M or kappa N
        doubt = 5 * self.kappa * n * (p.a + p.b + 2 * (z + y) * s)
        return np.where(np.abs(slope) > doubt, np.sign(slope), 0).astype(np.int64)

    def climb(self, p: Pieces, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the function, and N'Q - NQ' with its derivative, at relative positions (floats, no bounds)."""
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        squares = r * r
        cubes = squares * r
        squares *= np.where(p.near, 1.0, -1.0)
        yz, turn, tilt = y * z, z - p.inner * y, p.b - p.inner * p.a
        jets = []
        for w in (p.size, p.size * p.sign):
            s1, s2, s3 = np.einsum(_DOT, r, w), np.einsum(_DOT, squares, w), np.einsum(_DOT, cubes, w)
            bend = 2 * (yz * s3 - turn * s2 - p.inner * s1)
            jets.append((p.a * z + p.b * y + yz * s1, tilt + turn * s1 - yz * s2, bend))
        (n, n1, n2), (q, q1, q2) = jets
        return n / q, (n1 * q - n * q1) * p.length, (n2 * q - n * q2) * p.length**2


@dataclass(frozen=True, slots=True)
class PolynomialBounds:
    """Bounds of the Lebesgue function of polynomial interpolation, whose logarithm is concave on every piece.

    Parameters
    ----------
    kappa : float
        The rounding constant.
    distance_error : float
        Bound on the relative errors of the distances.
    """

    kappa: float
    distance_error: float

    def positive_part(self, p: Pieces, t: FloatArray) -> FloatArray:
        """Return zeros: A is not needed here."""
        return np.zeros(t.shape)

    def look(self, p: Pieces, boxes: Boxes) -> Bounds:
        """Return bounds on boxes, one of each piece."""
        half = (boxes.stop - boxes.start) / 2
        lower, upper = self._tangent(p, boxes.middle, half)
        return Bounds(lower, upper, np.zeros(half.shape), np.zeros(half.shape, dtype=bool))

    def cap(self, p: Pieces, start: FloatArray, stop: FloatArray, place: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the maxima over boxes, which are near a known place."""
        t = np.round(place * 2.0**40) / 2.0**40
        return self._tangent(p, t, np.maximum(t - start, stop - t))

    def middle_exponent(self, p: Pieces) -> int:
        """Return the power of 2 that the largest value at the middles of pieces has."""
        y, z = places(p, np.full(p.length.shape, 0.5))
        s = np.einsum(_DOT, reciprocals(p, y, z), p.size)
        value = ScaledFloats.of(p.a * z + p.b * y + y * z * s) * self._product(p, y, z, p.size > 0)
        return int((value.exponent + p.exponent).max())

    def _tangent(self, p: Pieces, t: FloatArray, reach: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the value at positions, and upper bounds of all values up to a distance from them."""
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        others = p.size > 0
        product = self._product(p, y, z, others)
        s = np.einsum(_DOT, r, p.size)
        side = np.where(p.near, 1.0, -1.0) * others
        steepness = np.einsum(_DOT, r, side)
        q = np.einsum(_DOT, r * r, p.size * side)
        yz = y * z
        n = p.a * z + p.b * y + yz * s
        n_slope = p.b - p.inner * p.a + (z - p.inner * y) * s - yz * q
        nearness = np.einsum(_DOT, r, others.astype(float))
        moduli = (p.a + p.b + 2 * (z + y) * s) / n + nearness
        rise = reach * p.length * (np.abs(n_slope / n + steepness) + 4 * self.kappa * moduli)
        growth = _exponential_from_above(rise)
        value = (ScaledFloats.of(n) * product).times_power(p.exponent)
        spread = 2 * self.kappa + 1.02 * others.sum(axis=-1) * (self.distance_error + 6 * UNIT_ROUNDOFF)
        # below 2**-1000 no digits matter: the largest value is about 1 or larger; and where the smallest weights may
        # have been raised by more than rounding errors, the value is an upper bound only
        raised = z + p.inner * y + yz * nearness > n * (UNIT_ROUNDOFF / LEAST_SIZE)
        vague = (value < 2.0**-1000) | raised
        return np.where(vague, 0, value) * (1 - spread), np.maximum(value, 2.0**-1000) * growth * (1 + spread)

    def _product(self, p: Pieces, y: FloatArray, z: FloatArray, others: npt.NDArray[np.bool_]) -> ScaledFloats:
        return scaled_product(np.where(others, np.where(p.near, y[..., None], z[..., None]) + p.distance, 1.0))

    def has_single_peak(self, p: Pieces, boxes: Boxes) -> npt.NDArray[np.bool_]:
        """Return ``True``: a concave logarithm has one."""
        return np.ones(boxes.start.shape, dtype=bool)

    def climb(self, p: Pieces, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the function, and the first two derivatives of its logarithm (floats, no bounds)."""
        y, z = places(p, t)
        r = reciprocals(p, y, z)
        others = p.size > 0
        side = np.where(p.near, 1.0, -1.0)
        squares = r * r
        s1, s2 = np.einsum(_DOT, r, p.size), np.einsum(_DOT, squares * side, p.size)
        s3 = np.einsum(_DOT, squares * r, p.size)
        yz, turn = y * z, z - p.inner * y
        n = p.a * z + p.b * y + yz * s1
        n1 = p.b - p.inner * p.a + turn * s1 - yz * s2
        n2 = 2 * (yz * s3 - turn * s2 - p.inner * s1)
        first = n1 / n + np.einsum(_DOT, r, side * others)
        second = n2 / n - (n1 / n) ** 2 - np.einsum(_DOT, squares, others.astype(float))
        value = (ScaledFloats.of(n) * self._product(p, y, z, others)).times_power(p.exponent)
        return value, first * p.length, second * p.length**2
