"""Comparisons: what the body of a claim returns, decided to holds, fails or undecided as soon as they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from typing import Any, NoReturn

from codedtheory.claims.bounds import bounds_of, exact_text, require_finite, upper_ratio
from codedtheory.claims.decision import Outcome, distance, is_floating, knob, ordered, rounding_explains, same
from codedtheory.claims.evidence import Evidence, is_symbolic, joint_evidence

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


# what only the functions that decide a comparison pass on, so that nobody else can state an outcome
DECIDED = object()


@dataclass(frozen=True)
class Comparison:
    """Two numbers, the relation claimed between them, and what was found; made by `at_most` and its companions only.

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
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        if made is not DECIDED:
            raise TypeError("an outcome is decided, not stated; make comparisons with at_most, equal and the like")

    def labelled(self, label: str) -> Comparison:
        """Return the same comparison under another label."""
        return replace(self, label=label, made=DECIDED)

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
    lhs, rhs = _float_constants(lhs, rhs)
    limit = bounds_of(allowed)
    if limit.lower is None or limit.lower < 0:
        raise ValueError(f"tolerance must be at least 0, received {tolerance!r}")
    evidence = joint_evidence(lhs, rhs, allowed)
    if is_symbolic(lhs) or is_symbolic(rhs):
        raise TypeError("close does not compare SymPy expressions; use equal, or substitute numbers")
    require_finite(lhs)
    require_finite(rhs)
    gap, scale = distance(lhs, rhs)
    outcome, _ = ordered(gap, limit, strict=False)
    if outcome == Outcome.FAILS and rounding_explains(evidence, gap, limit, scale):
        outcome = Outcome.UNDECIDED
    detail = knob(evidence, (lhs, rhs), "close") if outcome == Outcome.UNDECIDED else ""
    return Comparison("close", lhs, rhs, label, outcome, evidence, detail, made=DECIDED)


def _inequality(relation: str, lhs: Any, rhs: Any, label: str) -> Comparison:
    lhs, rhs = _float_constants(lhs, rhs)
    evidence = joint_evidence(lhs, rhs)
    if is_symbolic(lhs) or is_symbolic(rhs):
        from codedtheory.claims.symbolic import decide

        return decide(relation, lhs, rhs, label, evidence)
    left, right = bounds_of(lhs), bounds_of(rhs)
    small, large = (left, right) if relation in ("at_most", "less_than") else (right, left)
    outcome, violation = ordered(small, large, strict=relation in ("less_than", "greater_than"))
    ratio = upper_ratio(left, right) if small is left else upper_ratio(right, left)
    if violation and rounding_explains(evidence, small, large, None):
        outcome = Outcome.UNDECIDED
    detail = knob(evidence, (lhs, rhs), relation) if outcome == Outcome.UNDECIDED else ""
    return Comparison(relation, lhs, rhs, label, outcome, evidence, detail, ratio=ratio, made=DECIDED)


def _equality(relation: str, lhs: Any, rhs: Any, label: str, modulo: Sequence[Any]) -> Comparison:
    lhs, rhs = _float_constants(lhs, rhs)
    evidence = joint_evidence(lhs, rhs)
    if is_symbolic(lhs) or is_symbolic(rhs):
        from codedtheory.claims.symbolic import decide

        return decide(relation, lhs, rhs, label, evidence, modulo)
    if modulo:
        raise TypeError("modulo= reduces SymPy expressions only; leave it out for numbers")
    require_finite(lhs)
    require_finite(rhs)
    floating = [side for side in (lhs, rhs) if is_floating(side)]
    if relation == "equal" and floating:
        raise TypeError(
            f"equal does not compare floating point numbers, received {floating[0]!r}; use close(lhs, rhs, tolerance)"
        )
    agree = same(lhs, rhs, evidence)
    if relation == "equal":
        found = {True: Outcome.HOLDS, False: Outcome.FAILS, None: Outcome.UNDECIDED}
    else:
        found = {True: Outcome.FAILS, False: Outcome.HOLDS, None: Outcome.UNDECIDED}
    outcome = found[agree]
    detail = knob(evidence, (lhs, rhs), relation) if outcome == Outcome.UNDECIDED else ""
    return Comparison(relation, lhs, rhs, label, outcome, evidence, detail, made=DECIDED)


def _float_constants(*sides: Any) -> tuple[Any, ...]:
    """Turn SymPy constants into floats where a float takes part anyway, so that the two can be compared as floats."""
    if joint_evidence(*sides) < Evidence.NUMERIC:
        return sides
    return tuple(
        (complex(side) if side.is_real is False else float(side))
        if is_symbolic(side) and not side.free_symbols
        else side
        for side in sides
    )
