"""What is known about a real number: exact ends below and above it, either of which may be missing."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, ComplexBall, LowerBound, Rational, UpperBound, decimal_interval
from codedtheory.claims.evidence import evidence_of, is_mpmath
from codedtheory.claims.measured import Measured
from codedtheory.claims.statistical import SampleMean

__all__ = ["Bounds", "bounds_of", "exact_text", "require_finite", "upper_ratio"]

_RATIO_BITS = (128, 512, 2048)


class Bounds(NamedTuple):
    """Exact real ends (Rational or Algebraic) of what a number may be; None where an end is not known."""

    lower: Any | None
    upper: Any | None

    @property
    def is_point(self) -> bool:
        """Tell whether the number is known exactly."""
        return self.lower is not None and self.upper is not None and bool(self.lower == self.upper)


def bounds_of(value: Any) -> Bounds:
    """Return the exact ends of a real number of any kind.

    Raises
    ------
    TypeError
        If the number is not real.
    ValueError
        If it is not finite.
    """
    evidence_of(value)
    require_finite(value)
    if isinstance(value, LowerBound):
        return Bounds(bounds_of(value.value).lower, None)
    if isinstance(value, UpperBound):
        return Bounds(None, bounds_of(value.value).upper)
    if isinstance(value, Ball):
        return Bounds(value.lower, value.upper)
    if isinstance(value, SampleMean):
        mean, half_width = Fraction(value.mean), Fraction(value.half_width)
        return Bounds(Rational(mean - half_width), Rational(mean + half_width))
    if isinstance(value, Measured):
        return bounds_of(value.value)
    point = _point(value)
    return Bounds(point, point)


def _point(value: Any) -> Any:
    if isinstance(value, int | np.integer):
        return Rational(int(value))
    if isinstance(value, Fraction | Rational):
        return Rational(value)
    if isinstance(value, Algebraic) and value.is_real:
        return value
    if isinstance(value, float | np.floating):
        return Rational(Fraction(*value.as_integer_ratio()))
    if is_mpmath(value) and hasattr(value, "_mpf_"):
        from mpmath.libmp import to_rational

        return Rational(Fraction(*(int(part) for part in to_rational(value._mpf_))))
    raise TypeError(f"{type(value).__name__} {value} has no order; compare its absolute value or its real part")


def require_finite(value: Any) -> None:
    """Raise a ``ValueError`` for a NaN, an infinity or a ball without finite radius."""
    if isinstance(value, LowerBound | UpperBound | Measured):
        return require_finite(value.value)
    if isinstance(value, SampleMean):
        finite = math.isfinite(value.mean) and math.isfinite(value.half_width)
    elif isinstance(value, float | np.floating | complex | np.complexfloating):
        finite = bool(np.isfinite(value))
    elif is_mpmath(value):
        import mpmath

        finite = bool(mpmath.isfinite(value))
    else:
        finite = not isinstance(value, Ball | ComplexBall) or value.is_finite
    if not finite:
        raise ValueError(f"a number that is not finite cannot be compared, received {value}")
    return None


def upper_ratio(numerator: Bounds, denominator: Bounds) -> Fraction | None:
    """Return an upper value of numerator / denominator, never across 1.

    None where the denominator may be 0 or less, and where the numerator is 0: a sign has no slack.
    """
    above, below = numerator.upper, denominator.lower
    if above is None or below is None or not below > 0 or (numerator.is_point and above == 0):
        return None
    if isinstance(above, Rational) and isinstance(below, Rational):
        return above.fraction / below.fraction
    if above == below:
        return Fraction(1)
    crosses = bool(above > below)
    for bits in _RATIO_BITS:
        divisor = Ball(below, bits)
        if not divisor.lower > 0:
            continue
        quotient: Fraction = (Ball(above, bits) / divisor).upper.fraction
        if crosses or quotient < 1:
            return quotient
    return None


def exact_text(value: Any) -> str:
    """Return a number as text that loses nothing: ``7/3``, a decimal interval around a ball, the shortest double."""
    if isinstance(value, LowerBound):
        return f"≥ {exact_text(value.value)}"
    if isinstance(value, UpperBound):
        return f"≤ {exact_text(value.value)}"
    if isinstance(value, Ball) and value.is_finite:
        return exact_text(value.mid) if value.is_exact else "[{}, {}]".format(*decimal_interval(value))
    if isinstance(value, np.integer | int):
        return _integer_text(int(value))
    if isinstance(value, Fraction | Rational):
        top, bottom = _integer_text(value.numerator), _integer_text(value.denominator)
        return top if bottom == "1" else f"{top}/{bottom}"
    if isinstance(value, float | np.floating):
        return repr(float(value))
    return str(value)


def _integer_text(number: int) -> str:
    try:
        return str(number)
    except ValueError:  # Python prints at most a few thousand decimals
        return hex(number)
