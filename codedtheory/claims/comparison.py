"""Comparisons: what the body of a claim returns, decided to holds, fails or undecided as soon as they are made."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, ComplexBall, LowerBound, Modular, Rational, Undecided, UpperBound
from codedtheory.claims.bounds import Bounds, bounds_of, exact_text, require_finite, upper_ratio
from codedtheory.claims.evidence import Evidence, is_mpmath, is_symbolic, joint_evidence

__all__ = [
    "Comparison",
    "Outcome",
    "at_least",
    "at_most",
    "close",
    "equal",
    "greater_than",
    "less_than",
    "not_equal",
]

_ROUNDING = Fraction(1, 2**26)


class Outcome(StrEnum):
    """What a comparison found."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Comparison:
    """Two numbers, the relation claimed between them, and what was found; made by `at_most` and its companions.

    Attributes
    ----------
    relation : str
        Name of the function that made it.
    lhs, rhs : number
        The two sides as they were given.
    label : str
        Which of several comparisons this is.
    outcome : Outcome
        Holds, fails or undecided.
    evidence : Evidence
        How the weakest of the numbers is known.
    detail : str
        For an undecided comparison the knob to turn, for a symbolic one how it was decided.
    hypotheses : tuple of str
        What a symbolic decision assumes.
    witness : mapping of str to str
        The values of the symbols at which a symbolic relation fails.
    ratio : Fraction or None
        For an inequality an upper value of the bounded side over the bound.
    """

    relation: str
    lhs: Any
    rhs: Any
    label: str
    outcome: Outcome
    evidence: Evidence
    detail: str = ""
    hypotheses: tuple[str, ...] = ()
    witness: Mapping[str, str] = field(default_factory=dict)
    ratio: Fraction | None = None
    sides: tuple[str, str] | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("a comparison has no truth value; return it from the claim, or look at its outcome")

    @property
    def sides_text(self) -> tuple[str, str]:
        """Both sides as exact text; of a symbolic relation that fails, their values at the witness."""
        return self.sides or (exact_text(self.lhs), exact_text(self.rhs))

    def __str__(self) -> str:
        lhs, rhs = self.sides_text
        label = f" ({self.label})" if self.label else ""
        return f"{lhs} {_SIGNS[self.relation]} {rhs}{label}: {self.outcome} · {self.evidence}"


_SIGNS = {
    "at_most": "≤",
    "at_least": "≥",
    "less_than": "<",
    "greater_than": ">",
    "equal": "=",
    "not_equal": "≠",
    "close": "≈",
}


def at_most(lhs: Any, rhs: Any, label: str = "") -> Comparison:
    """Claim that lhs ≤ rhs.

    Parameters
    ----------
    lhs, rhs : number
        int, Fraction, numbers of `codedtheory.arithmetic`, floats, SymPy expressions, `SampleMean` or `Measured`.
        The weaker of the two decides the evidence. SymPy expressions are compared over all values of their symbols,
        which must be declared ``nonnegative`` or ``positive``: the difference must have only non-negative coefficients.
        Where a parameter starts elsewhere, substitute (``N = 2 + m`` with ``m`` non-negative).
    label : str, optional
        Tells several comparisons of one instance apart.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        For what is not a real number.
    ValueError
        For a number that is not finite.

    Examples
    --------
    >>> print(at_most(Fraction(1, 3), 1))
    1/3 ≤ 1: holds · exact
    >>> print(at_most(0.1 + 0.2, 0.3))
    0.30000000000000004 ≤ 0.3: undecided · numeric
    """
    return _inequality("at_most", lhs, rhs, label)


def at_least(lhs: Any, rhs: Any, label: str = "") -> Comparison:
    """Claim that lhs ≥ rhs; see `at_most`.

    Examples
    --------
    >>> print(at_least(2, 3))
    2 ≥ 3: fails · exact
    """
    return _inequality("at_least", lhs, rhs, label)


def less_than(lhs: Any, rhs: Any, label: str = "") -> Comparison:
    """Claim that lhs < rhs; see `at_most`.

    Examples
    --------
    >>> print(less_than(3, 3))
    3 < 3: fails · exact
    """
    return _inequality("less_than", lhs, rhs, label)


def greater_than(lhs: Any, rhs: Any, label: str = "") -> Comparison:
    """Claim that lhs > rhs; see `at_most`.

    Examples
    --------
    >>> print(greater_than(4, 3))
    4 > 3: holds · exact
    """
    return _inequality("greater_than", lhs, rhs, label)


def equal(lhs: Any, rhs: Any, label: str = "", *, modulo: Sequence[Any] = ()) -> Comparison:
    """Claim that lhs = rhs.

    Exact numbers decide. Balls can refute an equality, never prove it. Floats are refused: see `close`. SymPy
    expressions are equal if the numerator of their difference is the zero polynomial, after reduction by the
    polynomials ``modulo`` that vanish by hypothesis, such as ``c**2 + s**2 - 1`` for a cosine and a sine.

    Parameters
    ----------
    lhs, rhs : number
    label : str, optional
    modulo : sequence of SymPy polynomials, optional

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        For floats and for what is not a number.

    Examples
    --------
    >>> print(equal(Fraction(2, 6), Fraction(1, 3)))
    1/3 = 1/3: holds · exact
    """
    return _equality("equal", lhs, rhs, label, modulo)


def not_equal(lhs: Any, rhs: Any, label: str = "", *, modulo: Sequence[Any] = ()) -> Comparison:
    """Claim that lhs ≠ rhs; see `equal`. Floats that differ by more than rounding count as different.

    Examples
    --------
    >>> print(not_equal(1, 2))
    1 ≠ 2: holds · exact
    """
    return _equality("not_equal", lhs, rhs, label, modulo)


def close(lhs: Any, rhs: Any, tolerance: Any, label: str = "") -> Comparison:
    """Claim that abs(lhs - rhs) ≤ tolerance.

    Parameters
    ----------
    lhs, rhs : number
        Real or complex.
    tolerance : int, Fraction, str or float
        At least 0; a string is a decimal or a fraction, such as ``"1e-9"``.
    label : str, optional

    Returns
    -------
    Comparison

    Examples
    --------
    >>> print(close(0.1 + 0.2, 0.3, 1e-12))
    0.30000000000000004 ≈ 0.3: holds · numeric
    """
    allowed = Fraction(tolerance) if isinstance(tolerance, str) else tolerance
    limit = bounds_of(allowed)
    if limit.lower is None or limit.lower < 0:
        raise ValueError(f"tolerance must be at least 0, received {tolerance!r}")
    evidence = joint_evidence(lhs, rhs, allowed)
    if is_symbolic(lhs) or is_symbolic(rhs):
        raise TypeError("close does not compare SymPy expressions; use equal, or substitute numbers")
    require_finite(lhs)
    require_finite(rhs)
    distance, scale = _distance(lhs, rhs)
    outcome, _ = _ordered(distance, limit, strict=False)
    if outcome == Outcome.FAILS and _rounding_explains(evidence, distance, limit, scale):
        outcome = Outcome.UNDECIDED
    detail = _knob(evidence, (lhs, rhs), "close") if outcome == Outcome.UNDECIDED else ""
    return Comparison("close", lhs, rhs, label, outcome, evidence, detail)


def _inequality(relation: str, lhs: Any, rhs: Any, label: str) -> Comparison:
    evidence = joint_evidence(lhs, rhs)
    if is_symbolic(lhs) or is_symbolic(rhs):
        from codedtheory.claims.symbolic import decide

        return decide(relation, lhs, rhs, label, evidence)
    left, right = bounds_of(lhs), bounds_of(rhs)
    small, large = (left, right) if relation in ("at_most", "less_than") else (right, left)
    outcome, violation = _ordered(small, large, strict=relation in ("less_than", "greater_than"))
    ratio = upper_ratio(left, right) if small is left else upper_ratio(right, left)
    if violation and _rounding_explains(evidence, small, large, None):
        outcome = Outcome.UNDECIDED
    detail = _knob(evidence, (lhs, rhs), relation) if outcome == Outcome.UNDECIDED else ""
    return Comparison(relation, lhs, rhs, label, outcome, evidence, detail, ratio=ratio)


def _equality(relation: str, lhs: Any, rhs: Any, label: str, modulo: Sequence[Any]) -> Comparison:
    evidence = joint_evidence(lhs, rhs)
    if is_symbolic(lhs) or is_symbolic(rhs):
        from codedtheory.claims.symbolic import decide

        return decide(relation, lhs, rhs, label, evidence, modulo)
    if modulo:
        raise TypeError("modulo= reduces SymPy expressions only; leave it out for numbers")
    require_finite(lhs)
    require_finite(rhs)
    floating = [side for side in (lhs, rhs) if _is_floating(side)]
    if relation == "equal" and floating:
        raise TypeError(
            f"equal does not compare floating point numbers, received {floating[0]!r}; use close(lhs, rhs, tolerance)"
        )
    same = _same(lhs, rhs, evidence)
    if relation == "equal":
        found = {True: Outcome.HOLDS, False: Outcome.FAILS, None: Outcome.UNDECIDED}
    else:
        found = {True: Outcome.FAILS, False: Outcome.HOLDS, None: Outcome.UNDECIDED}
    outcome = found[same]
    detail = _knob(evidence, (lhs, rhs), relation) if outcome == Outcome.UNDECIDED else ""
    return Comparison(relation, lhs, rhs, label, outcome, evidence, detail)


def _same(lhs: Any, rhs: Any, evidence: Evidence) -> bool | None:
    """Decide whether two numbers are one; None where that is open, which for floats includes agreement."""
    if evidence == Evidence.EXACT and not _one_sided(lhs, rhs):
        return bool(lhs == rhs)
    if any(isinstance(side, ComplexBall | Modular) or _is_complex_algebraic(side) for side in (lhs, rhs)):
        answer = lhs == rhs
        return None if isinstance(answer, Undecided) else bool(answer)
    if evidence >= Evidence.NUMERIC and any(_is_complex_float(side) for side in (lhs, rhs)):
        distance, scale = _distance(lhs, rhs)
        return None if _rounding_explains(evidence, distance, Bounds(0, 0), scale) else False
    left, right = bounds_of(lhs), bounds_of(rhs)
    for low, high in ((left, right), (right, left)):
        if low.upper is not None and high.lower is not None and low.upper < high.lower:
            return None if _rounding_explains(evidence, high, low, None) else False
    return True if left.is_point and right.is_point and evidence < Evidence.NUMERIC else None


def _ordered(small: Bounds, large: Bounds, strict: bool) -> tuple[Outcome, bool]:
    """Decide small ≤ large (small < large if strict) from the ends; the flag tells a violation."""
    holds, violated = (operator.lt, operator.ge) if strict else (operator.le, operator.gt)
    if small.upper is not None and large.lower is not None and holds(small.upper, large.lower):
        return Outcome.HOLDS, False
    if small.lower is not None and large.upper is not None and violated(small.lower, large.upper):
        return Outcome.FAILS, True
    return Outcome.UNDECIDED, False


def _rounding_explains(evidence: Evidence, small: Bounds, large: Bounds, scale: Any | None) -> bool:
    """Tell whether floats in the comparison violate small ≤ large so little that their rounding may be the reason."""
    if evidence < Evidence.NUMERIC or small.lower is None or large.upper is None:
        return False
    size = max(abs(small.lower), abs(large.upper)) if scale is None else scale
    return bool(small.lower - large.upper <= size * _ROUNDING)


def _distance(lhs: Any, rhs: Any) -> tuple[Bounds, Any]:
    """Enclose abs(lhs - rhs); also return the size of the two, against which rounding is judged."""
    if any(_is_complex_float(side) for side in (lhs, rhs)):
        parts = [_exact_parts(side) for side in (lhs, rhs)]
        square = sum(((one - other) ** 2 for one, other in zip(*parts, strict=True)), Fraction(0))
        scale = max(abs(part) for pair in parts for part in pair)
        length = Ball(square, 128).sqrt()
        return Bounds(length.lower, length.upper), bounds_of(scale).lower
    if any(isinstance(side, ComplexBall) or _is_complex_algebraic(side) for side in (lhs, rhs)):
        complex_length = abs(ComplexBall(lhs, 128) - rhs if isinstance(lhs, Algebraic) else lhs - rhs)
        return bounds_of(complex_length), None
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


def _is_floating(value: Any) -> bool:
    if hasattr(value, "value") and not isinstance(value, Modular):
        return _is_floating(value.value)
    return isinstance(value, float | np.floating | complex | np.complexfloating) or is_mpmath(value)


def _is_complex_float(value: Any) -> bool:
    return isinstance(value, complex | np.complexfloating) or (is_mpmath(value) and hasattr(value, "_mpc_"))


def _is_complex_algebraic(value: Any) -> bool:
    return isinstance(value, Algebraic) and not value.is_real


def _one_sided(*values: Any) -> bool:
    return any(isinstance(value, LowerBound | UpperBound) for value in values)


def _knob(evidence: Evidence, sides: tuple[Any, Any], relation: str) -> str:
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
