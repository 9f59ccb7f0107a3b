"""How numbers decide a relation: by exact ends of what they may be, and never by less than rounding."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, ComplexBall, LowerBound, Modular, Rational, Undecided, UpperBound
from codedtheory.claims.bounds import Bounds, bounds_of
from codedtheory.claims.evidence import Evidence, is_mpmath
from codedtheory.claims.statistical import SampleMean

__all__ = ["Outcome", "distance", "is_floating", "knob", "ordered", "rounding_explains", "same"]

_ROUNDING = Fraction(1, 2**26)


class Outcome(StrEnum):
    """What a comparison found."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


def same(lhs: Any, rhs: Any, evidence: Evidence) -> bool | None:
    """Decide whether two numbers are one; None where that is open, which for floats includes agreement."""
    if evidence == Evidence.EXACT and not _one_sided(lhs, rhs):
        return bool(lhs == rhs)
    if any(isinstance(side, ComplexBall | Modular) or _is_complex_algebraic(side) for side in (lhs, rhs)):
        answer = lhs == rhs
        return None if isinstance(answer, Undecided) else bool(answer)
    if evidence >= Evidence.NUMERIC and any(_is_complex_float(side) for side in (lhs, rhs)):
        gap, scale = distance(lhs, rhs)
        return None if rounding_explains(evidence, gap, Bounds(0, 0), scale) else False
    left, right = bounds_of(lhs), bounds_of(rhs)
    for low, high in ((left, right), (right, left)):
        if low.upper is not None and high.lower is not None and low.upper < high.lower:
            return None if rounding_explains(evidence, high, low, None) else False
    # counts that were measured are exact, a mean of samples never is
    exact = evidence < Evidence.NUMERIC or (evidence == Evidence.MEASURED and not any(map(_may_be_rounded, (lhs, rhs))))
    return True if left.is_point and right.is_point and exact else None


def ordered(small: Bounds, large: Bounds, strict: bool) -> tuple[Outcome, bool]:
    """Decide small ≤ large (small < large if strict) from the ends; the flag tells a violation."""
    holds, violated = (operator.lt, operator.ge) if strict else (operator.le, operator.gt)
    if small.upper is not None and large.lower is not None and holds(small.upper, large.lower):
        return Outcome.HOLDS, False
    if small.lower is not None and large.upper is not None and violated(small.lower, large.upper):
        return Outcome.FAILS, True
    return Outcome.UNDECIDED, False


def rounding_explains(evidence: Evidence, small: Bounds, large: Bounds, scale: Any | None) -> bool:
    """Tell whether floats in the comparison violate small ≤ large so little that their rounding may be the reason."""
    if evidence < Evidence.NUMERIC or small.lower is None or large.upper is None:
        return False
    size = max(abs(small.lower), abs(large.upper)) if scale is None else scale
    return bool(small.lower - large.upper <= size * _ROUNDING)


def distance(lhs: Any, rhs: Any) -> tuple[Bounds, Any]:
    """Enclose abs(lhs - rhs); also return the size of the two, against which rounding is judged."""
    if any(_is_complex_float(side) for side in (lhs, rhs)):
        parts = [_exact_parts(side) for side in (lhs, rhs)]
        square = sum(((one - other) ** 2 for one, other in zip(*parts, strict=True)), Fraction(0))
        scale = max(abs(part) for pair in parts for part in pair)
        length = Ball(square, 128).sqrt()
        return Bounds(length.lower, length.upper), bounds_of(scale).lower
    if any(isinstance(side, ComplexBall) or _is_complex_algebraic(side) for side in (lhs, rhs)):
        left_ball = lhs if isinstance(lhs, ComplexBall) else ComplexBall(lhs, 128)
        return bounds_of(abs(left_ball - rhs)), None
    left, right = bounds_of(lhs), bounds_of(rhs)
    ends = (left.lower, left.upper, right.lower, right.upper)
    if any(end is None for end in ends):
        gaps = ((left.lower, right.upper), (right.lower, left.upper))
        known = [above - below for above, below in gaps if above is not None and below is not None]
        return Bounds(max([Rational(0), *known]), None), None
    low, high = left.lower - right.upper, left.upper - right.lower  # type: ignore[operator]
    nearest = low if low > 0 else (-high if high < 0 else low * 0)
    return Bounds(nearest, max(abs(low), abs(high))), max(abs(end) for end in ends if end is not None)


def _exact_parts(value: Any) -> tuple[Fraction, Fraction]:
    if isinstance(value, complex | np.complexfloating):
        return Fraction(float(value.real)), Fraction(float(value.imag))
    if is_mpmath(value) and hasattr(value, "_mpc_"):
        return bounds_of(value.real).lower.fraction, bounds_of(value.imag).lower.fraction  # type: ignore[union-attr]
    ends = bounds_of(value)
    if ends.lower is None or not ends.is_point or isinstance(value, Algebraic):
        raise TypeError(f"cannot compare a complex float with {value!r}; use complex balls on both sides")
    fraction: Fraction = ends.lower.fraction
    return fraction, Fraction(0)


def is_floating(value: Any) -> bool:
    """Tell whether a number, or what a bound or a measurement holds, is a float."""
    if hasattr(value, "value") and not isinstance(value, Modular):
        return is_floating(value.value)
    return isinstance(value, float | np.floating | complex | np.complexfloating) or is_mpmath(value)


def _may_be_rounded(value: Any) -> bool:
    return is_floating(value) or isinstance(value, SampleMean)


def _is_complex_float(value: Any) -> bool:
    return isinstance(value, complex | np.complexfloating) or (is_mpmath(value) and hasattr(value, "_mpc_"))


def _is_complex_algebraic(value: Any) -> bool:
    return isinstance(value, Algebraic) and not value.is_real


def _one_sided(*values: Any) -> bool:
    return any(isinstance(value, LowerBound | UpperBound) for value in values)


def knob(evidence: Evidence, sides: tuple[Any, Any], relation: str) -> str:
    """Say what would decide an undecided comparison."""
    balls = [side for side in sides if isinstance(side, Ball | ComplexBall)]
    knobs: Sequence[tuple[bool, Callable[[], str]]] = (
        (_one_sided(*sides), lambda: "a one-sided bound settles only one direction; bound the quantity from the other"),
        (evidence == Evidence.STATISTICAL, lambda: "the confidence interval meets the bound; draw more samples"),
        (evidence == Evidence.MEASURED, lambda: "within rounding; measure more runs, or compare exact counts"),
        (evidence == Evidence.NUMERIC, lambda: "rounding could explain it; compute with balls or exact numbers"),
        (relation in ("equal", "not_equal"), lambda: "overlapping balls never prove equality; compare exact numbers"),
    )
    for applies, text in knobs:
        if applies:
            return text()
    return f"the enclosures overlap; raise the precision (bits, now {max(ball.bits for ball in balls)})"
