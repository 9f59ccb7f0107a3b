"""One interpolation point, exactly described: a cosine, a root of unity, or a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ..arithmetic import (
    FLOAT,
    Algebraic,
    Arithmetic,
    Ball,
    ComplexBall,
    Modular,
    PrecisionError,
    Rational,
    approximate,
    ball,
    exactly,
)

__all__ = ["Cosine", "RootOfUnity", "as_point", "order", "over", "same", "two_doubles"]

_FINE = 192
_RATIONAL_COSINES = {
    Fraction(0): Rational(1),
    Fraction(1, 3): Rational(1, 2),
    Fraction(1, 2): Rational(0),
    Fraction(2, 3): Rational(-1, 2),
    Fraction(1): Rational(-1),
}


@dataclass(frozen=True, slots=True)
class Cosine:
    r"""The number :math:`\cos(\pi q)` with a rational q from 0 to 1, kept as its angle.

    Parameters
    ----------
    q : Fraction
        Angle in half turns, 0 <= q <= 1.
    """

    q: Fraction

    @property
    def rational(self) -> Rational | None:
        """The value if it is rational (Niven: only 0, 1/2 and 1 up to sign), else ``None``."""
        return _RATIONAL_COSINES.get(self.q)

    @property
    def conductor(self) -> int:
        """The n for which the root of unity of this angle, hence the cosine, lies in cyclotomic(n)."""
        return 1 if self.rational is not None else (self.q / 2).denominator

    def algebraic(self) -> Algebraic:
        """Return the value in the cyclotomic field of its conductor."""
        return Algebraic.cos_pi(self.q, self.conductor)

    def __str__(self) -> str:
        return f"cos({self.q} pi)"


@dataclass(frozen=True, slots=True)
class RootOfUnity:
    r"""The complex number :math:`e^{2\pi iq}` with a rational 0 <= q < 1, kept as its angle.

    Parameters
    ----------
    q : Fraction
        Angle in turns.
    """

    q: Fraction

    def __str__(self) -> str:
        return f"exp(2 pi i {self.q})"


def as_point(x: Any) -> Any:
    """Return the exact point that a number describes: a double is taken as it is, a numeral as written.

    Raises
    ------
    ValueError
        If it is not finite, not real or not a number.
    """
    if isinstance(x, (Rational, Cosine, RootOfUnity, Modular)):
        return x
    if isinstance(x, Algebraic):
        if not x.is_real:
            raise ValueError(f"{x} is not real; complex nodes come from roots_of_unity(n)")
        return x.rational if x.is_rational else x
    if isinstance(x, Ball):
        if not x.is_finite:
            raise ValueError("the ball is not finite; raise its precision (ball bits)")
        return x.mid if x.is_exact else x
    if isinstance(x, (float, np.floating)):
        if not math.isfinite(x):
            raise ValueError(f"{float(x)} is not finite; remove it")
        return exactly(x)
    if isinstance(x, (complex, np.complexfloating)):
        raise ValueError(f"{x} is complex; complex nodes come from roots_of_unity(n)")
    if hasattr(x, "_mpf_"):
        sign, mantissa, exponent, size = x._mpf_
        if size == 0 and exponent:
            raise ValueError(f"{x} is not finite; remove it")
        return Rational(Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * (-1) ** int(sign))
    if isinstance(x, (bool, np.bool_, ComplexBall)):
        raise ValueError(f"{x!r} is not a real number")
    try:
        return Rational(x)
    except TypeError as error:
        raise ValueError(f"{x!r} of type {type(x).__name__} is not a real number") from error


def over(point: Any, arithmetic: Arithmetic) -> Any:
    """Return the value of a point over an arithmetic (for floats, the nearest double)."""
    if isinstance(point, Cosine):
        if arithmetic is FLOAT:
            return two_doubles(point)[0]
        return arithmetic.cos_pi(point.q) if point.rational is None else arithmetic.number(point.rational)
    if isinstance(point, RootOfUnity):
        if arithmetic is FLOAT:
            angle = 2 * point.q
            return complex(FLOAT.cos_pi(angle), FLOAT.sin_pi(angle))
        turn = getattr(arithmetic, "root_of_unity", None)
        if turn is None:
            raise ValueError(f"{point} is not in {arithmetic.name}; use cyclotomic(n) or complex_ball(bits)")
        return turn(point.q)
    try:
        return arithmetic.number(point)
    except TypeError as error:
        raise ValueError(f"{point} is known only as a {type(point).__name__}; use ball(bits)") from error


def order(a: Any, b: Any) -> int:
    """Return the sign of a - b for two real points, decided exactly.

    Raises
    ------
    PrecisionError
        If balls overlap.
    """
    if isinstance(a, Cosine) and isinstance(b, Cosine):
        return (a.q < b.q) - (a.q > b.q)
    a, b = _number(a), _number(b)
    if isinstance(a, Rational) and isinstance(b, Rational):
        return int(a > b) - int(a < b)
    if isinstance(a, Ball) or isinstance(b, Ball):
        above = a > b
        if above is True:
            return 1
        if (a < b) is True:
            return -1
        raise PrecisionError(f"the order of {a} and {b} is undecided; raise the precision (ball bits)")
    difference = a - b
    if not difference:
        return 0
    near = Ball(a, _FINE) - Ball(b, _FINE)
    if (near > 0) is True:
        return 1
    return -1 if (near < 0) is True else int(difference.sign())


def same(a: Any, b: Any) -> bool:
    """Whether two points are the same number (balls: the same midpoint and radius)."""
    if isinstance(a, Ball) or isinstance(b, Ball):
        return isinstance(a, Ball) and isinstance(b, Ball) and a.mid == b.mid and a.rad == b.rad
    if type(a) is type(b) and not isinstance(a, Algebraic):
        return bool(a == b)
    if isinstance(a, (RootOfUnity, Modular)) or isinstance(b, (RootOfUnity, Modular)):
        return False
    return order(a, b) == 0


def _number(point: Any) -> Any:
    if isinstance(point, Cosine):
        return point.algebraic() if point.rational is None else point.rational
    return point


def two_doubles(point: Any) -> tuple[float, float, float]:
    r"""Return a real point as an unevaluated sum of two doubles.

    Returns
    -------
    high, low, error : float
        ``high`` is the double nearest to the point and :math:`|x-high-low|\le error`.
    """
    if isinstance(point, Cosine):
        if point.q > Fraction(1, 2):
            high, low, error = two_doubles(Cosine(1 - point.q))
            return -high, -low, error
        return _cosine_two_doubles(point.q)
    if isinstance(point, (Modular, RootOfUnity)):
        raise ValueError(f"{point} is not a real number")
    if isinstance(point, Rational):
        return _split(point, Rational(0))
    fine = Ball(point, max(_FINE, point.bits if isinstance(point, Ball) else 0))
    return _split(fine.mid, fine.rad)


@lru_cache(maxsize=1 << 16)
def _cosine_two_doubles(q: Fraction) -> tuple[float, float, float]:
    exact = _RATIONAL_COSINES.get(q)
    if exact is not None:
        return _split(exact, Rational(0))
    value = ball(_FINE).cos_pi(q)
    return _split(value.mid, value.rad)


def _split(middle: Rational, radius: Rational) -> tuple[float, float, float]:
    high = float(approximate(middle))
    if not math.isfinite(high):
        raise ValueError(f"{middle} is too large for a double; use ball(bits)")
    rest = middle - exactly(high)
    low = float(approximate(rest))
    missing = abs(rest - exactly(low)) + radius
    # the nearest double may lie below the number it stands for: one step up
    return high, low, math.nextafter(float(approximate(missing)), math.inf) if missing else 0.0
