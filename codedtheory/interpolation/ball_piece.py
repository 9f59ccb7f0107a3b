"""One piece of a Lebesgue function in ball arithmetic: values, bounds on boxes, enclosed maxima."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import Ball, PrecisionError, Rational, ball

__all__ = ["BallPiece", "Jet"]

Objects = npt.NDArray[Any]
_HALF = Rational(1, 2)


@dataclass(frozen=True, slots=True)
class Jet:
    """N and Q of a Lebesgue function N/Q at one point, with their first two derivatives in the piece.

    Attributes
    ----------
    n, q, minus : tuple of three Ball
        N, Q and the part B of the terms that enter Q with a minus sign.
    """

    n: tuple[Ball, Ball, Ball]
    q: tuple[Ball, Ball, Ball]
    minus: tuple[Ball, Ball, Ball]

    @property
    def value(self) -> Ball:
        """N/Q."""
        quotient: Ball = self.n[0] / self.q[0]
        return quotient

    @property
    def slope(self) -> Ball:
        """N'Q - NQ'."""
        result: Ball = self.n[1] * self.q[0] - self.n[0] * self.q[1]
        return result

    @property
    def curvature(self) -> Ball:
        """N''Q - NQ'', the derivative of the slope."""
        result: Ball = self.n[2] * self.q[0] - self.n[0] * self.q[2]
        return result


class BallPiece:
    """A piece of a Lebesgue function between (or beyond) neighbouring nodes.

    The formulas are those of `codedtheory.interpolation.piece_bounds`, without rounding constants.

    Parameters
    ----------
    distance : numpy.ndarray of Ball
        Distances of the nodes that the piece does not touch from the touched one on their side.
    near : numpy.ndarray of bool
        Whether that is the first touched node (or the only one).
    size : numpy.ndarray of Ball
        Moduli of the weights.
    plus : numpy.ndarray of bool
        Whether a node enters the denominator with the sign of the touched ones.
    touched : tuple of Ball or int
        Moduli of the weights of the touched nodes; (a, 0) beyond the ends.
    alternate : bool
        Whether the touched nodes have weights of opposite signs. Otherwise there is a pole between them, and only
        `jet` makes sense.
    y, z : Ball or int
        Distances from the touched nodes at the ends of the piece (z = 1 beyond the ends).
    length : Ball
    inner : bool
        Whether the piece lies between two nodes.
    polynomial : bool
        Whether the weights are those of polynomial interpolation.
    bits : int
        Working precision.
    """

    def __init__(
        self,
        distance: Objects,
        near: npt.NDArray[np.bool_],
        size: Objects,
        plus: npt.NDArray[np.bool_],
        touched: tuple[Any, Any],
        alternate: bool,
        y: Any,
        z: Any,
        length: Any,
        inner: bool,
        polynomial: bool,
        bits: int,
    ) -> None:
        number = ball(bits).number
        self.near, self.plus, self.inner, self.polynomial, self.bits = near, plus, inner, polynomial, bits
        self.distance, self.size = distance, size
        self.a, self.b, self.alternate = number(touched[0]), number(touched[1]), alternate
        self.y, self.z, self.length = number(y), number(z), number(length)

    def _places(self, t: Any) -> tuple[Ball, Ball]:
        y = self.y + self.length * t
        return y, self.z + self.length * (1 - t) if self.inner else self.z

    def _spread(self, y: Ball, z: Ball) -> Objects:
        """Return the distances of the nodes from a point."""
        spread = self.distance.copy()
        spread[self.near] += y
        spread[~self.near] += z
        return spread

    def _reciprocals(self, y: Ball, z: Ball) -> Objects:
        return np.asarray(1 / self._spread(y, z), dtype=object)

    def jet(self, t: Any) -> Jet:
        """Return N, Q and B with two derivatives with respect to the relative position t."""
        y, z = self._places(t)
        r = self._reciprocals(y, z)
        first = self.size * r
        second = first * r
        third = second * r
        second = np.where(self.near, second, -second)
        yz, turn, scale = y * z, z - y if self.inner else z, self.length
        parts = []
        for which in (self.plus, ~self.plus):
            s1, s2, s3 = (self._sum(terms[which]) for terms in (first, second, third))
            bend = yz * s3 - turn * s2
            parts.append(
                (yz * s1, (turn * s1 - yz * s2) * scale, 2 * (bend - s1 if self.inner else bend) * scale * scale)
            )
        plus, minus = parts
        n, q = self._linear(y, z, self.b), self._linear(y, z, self.b if self.alternate else -self.b)
        return Jet(
            (n[0] + plus[0] + minus[0], n[1] + plus[1] + minus[1], plus[2] + minus[2]),
            (q[0] + plus[0] - minus[0], q[1] + plus[1] - minus[1], plus[2] - minus[2]),
            minus,
        )

    def _linear(self, y: Ball, z: Ball, b: Ball) -> tuple[Ball, Ball]:
        """Return the terms of the touched nodes, and their derivative."""
        return self.a * z + b * y, (b - self.a if self.inner else b) * self.length

    def _sum(self, terms: Objects) -> Ball:
        return terms.sum() if len(terms) else Ball(0, self.bits)

    # -- weights of any kind -------------------------------------------------------------------------

    def look(self, start: Rational, stop: Rational) -> tuple[Ball, Rational | None]:
        """Return a value in a box and an upper bound over it (``None``: unbounded, for all that was seen).

        Raises
        ------
        ValueError
            If the denominator is negative in the box.
        """
        middle, half = (start + stop) * _HALF, (stop - start) * _HALF
        at = self.jet(middle)
        if (at.q[0] < 0) is True:
            raise ValueError(
                "the Lebesgue function is unbounded: the interpolant has a pole in the interval; "
                "take weights of alternating signs, or a smaller interval"
            )
        if (at.q[0] > 0) is not True:
            raise PrecisionError("the denominator of the interpolant may be 0; raise the precision (ball bits)")
        if self.plus.all():
            return Ball(1, self.bits), Rational(1)
        most = None
        for t, sign in ((start, -1), (stop, 1)):
            y, z = self._places(t)
            rise = self._sum((self.size * self._reciprocals(y, z))[self.plus]) * y * z
            n = at.n[0] + at.n[1] * (sign * half)
            q = self.a * z + self.b * y + rise - at.minus[0] - at.minus[1] * (sign * half)
            if (q > 0) is not True:
                return at.value, None
            bound = (n / q).upper
            most = bound if most is None or bound > most else most
        return at.value, most

    def has_single_peak(self, start: Rational, stop: Rational) -> bool:
        """Return whether N'Q - NQ' was seen to decrease on the box (on which Q is known to be positive)."""
        at = self.jet((start + stop) * _HALF)
        ends = [self._places(t) for t in (start, stop)]
        r0, r1 = (self._reciprocals(y, z) for y, z in ends)
        bend = self.size * self.distance
        if self.inner:
            bend = bend * (self.distance + (self.y + self.z + self.length))
        most, least = np.where(self.near, r0, r1), np.where(self.near, r1, r0)
        a_bend = self._sum((bend * most**3)[self.plus])
        b_bend = self._sum((bend * least**3)[~self.plus])
        b_most = at.minus[0] + abs(at.minus[1]) * ((stop - start) * _HALF)
        keeps = []
        for (y, z), r in zip(ends, (r0, r1), strict=True):
            keeps.append(self.a * z + self.b * y + y * z * self._sum((self.size * r)[self.plus]))
        return all((b_most * a_bend < keep * b_bend) is True for keep in keeps)

    def summit(self, start: Rational, stop: Rational, guess: Rational, bits: int) -> tuple[Rational, Rational]:
        """Return bounds of the maximum over a box on which N'Q - NQ' decreases and Q is positive.

        With :math:`G=N'Q-NQ'`, :math:`(N/Q)'=G/Q^2`. On a bracket around the maximum |G| is largest at an end, so that
        N/Q exceeds its value inside by no more than the width times that largest value over the least square of Q.
        """
        cut = not self.inner or start > 0 or stop < 1 or not (self.y.is_exact and self.z.is_exact)
        if cut:
            for end, rising in ((stop, True), (start, False)):
                at = self.jet(end)
                if (at.slope >= 0 if rising else at.slope <= 0) is True:
                    return at.value.lower, at.value.upper
        t, reach = self._climbed(start, stop, guess, bits)
        while True:
            low, high = max(start, t - reach), min(stop, t + reach)
            at_low, at_high = self.jet(low), self.jet(high)
            if (low == start or (at_low.slope >= 0) is True) and (high == stop or (at_high.slope <= 0) is True):
                break
            reach *= 64
        value = self.jet(t).value
        steepest = max(abs(at_low.slope).upper, abs(at_high.slope).upper)
        least = self.jet(Ball.between(low, high, self.bits)).q[0].lower
        if least <= 0:
            raise PrecisionError("a maximum was not enclosed; raise the precision (ball bits)", enclosure=value)
        return value.lower, value.upper + (high - low) * steepest / (least * least)

    def _climbed(self, start: Rational, stop: Rational, guess: Rational, bits: int) -> tuple[Rational, Rational]:
        """Return a place near the maximum, and how closely to bracket it for a value with so many bits."""
        t, low, high = min(max(guess, start), stop), start, stop
        for _ in range(4 * bits):
            at = self.jet(t)
            slope, curvature = at.slope.mid, at.curvature.mid
            low, high = (t, high) if slope > 0 else (low, t)
            target = t - slope / curvature if curvature < 0 else low - 1
            if not low <= target <= high:
                target = (low + high) / 2
            target = min(max(self._rounded(target), start), stop)
            moved, t = abs(target - t), target
            # the denominator is about N divided by the value, and may change by a small part of itself only
            reach = self._room(t) / 2 ** (bits // 2 + 8 + math.ceil(at.value.upper).bit_length())
            if 16 * moved < reach:
                break
        return t, reach

    def _room(self, t: Rational) -> Rational:
        """Return the distance from the nearer end of the piece, the scale on which the function changes."""
        return min(t, 1 - t) if 0 < t < 1 else Rational(1)

    def _rounded(self, t: Rational) -> Rational:
        return Rational(math.floor(t * 2**self.bits), 2**self.bits)

    # -- polynomial interpolation --------------------------------------------------------------------

    def polynomial_summit(self, guess: Rational, bits: int) -> tuple[Rational, Rational]:
        """Return bounds of the maximum over the piece, on which the logarithm of the function is concave.

        A concave function lies below its tangents, so the maximum exceeds the value at a point by no more than the
        factor exp(sd), with the slope s of the logarithm there and the distance d of the end towards which it rises.
        """
        t, low, high = guess, Rational(0), Rational(1)
        for _ in range(4 * bits):
            value, first, second = self._logarithmic(t)
            if abs(first).upper < Rational(1, 2 ** (bits + 4)):
                break
            slope = first.mid
            low, high = (t, high) if slope > 0 else (low, t)
            target = t - slope / second.mid if second.mid else low - 1
            if not low <= target <= high:
                target = (low + high) / 2
            target = self._rounded(target)
            if target == t:
                break
            t = target
        if (t == 1 and (first >= 0) is True) or (t == 0 and (first <= 0) is True):
            return value.lower, value.upper
        ahead = 1 - t if (first >= 0) is True else t if (first <= 0) is True else max(t, 1 - t)
        growth = (abs(first) * ahead).exp()
        return value.lower, (value * growth).upper

    def _logarithmic(self, t: Any) -> tuple[Ball, Ball, Ball]:
        """Return the function, and the first two derivatives of its logarithm."""
        y, z = self._places(t)
        r = self._reciprocals(y, z)
        at = self.jet(t)
        product = self._spread(y, z)
        value = at.n[0] * (product.prod() if len(product) else 1)
        relative = at.n[1] / at.n[0]
        steep = self._sum(np.where(self.near, r, -r)) * self.length
        return value, relative + steep, at.n[2] / at.n[0] - relative**2 - self._sum(r * r) * self.length**2
