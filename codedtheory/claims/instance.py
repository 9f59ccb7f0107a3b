"""One instance of a claim: its body called, its comparisons condensed, its exceptions caught."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from codedtheory.arithmetic import LowerBound, PrecisionError, UpperBound, working_precision
from codedtheory.arithmetic.precision import precision
from codedtheory.claims.claim import Claim
from codedtheory.claims.comparison import Comparison
from codedtheory.claims.decision import Outcome
from codedtheory.claims.domain import Effort, Samples
from codedtheory.claims.statistical import SampleMean
from codedtheory.claims.tally import Finding, Status

__all__ = ["evaluate", "parameters_text", "walk"]


def walk(claim: Claim, effort: Effort, start: int, stop: int) -> Iterator[Finding]:
    """Evaluate the instances numbered ``start`` to ``stop - 1`` in order."""
    for number, parameters in enumerate(claim.instances(effort, start, stop), start):
        yield evaluate(claim, number, parameters)


def evaluate(claim: Claim, number: int, parameters: dict[str, Any]) -> Finding:
    """Evaluate one instance.

    A `PrecisionError` makes it undecided; any other exception an error, and so does a body that leaves the working
    precision changed, since every later ball would have that precision. It is restored for the instances that follow.
    """
    shown = parameters_text(parameters)
    if isinstance(claim.domain, Samples):
        shown["sample"] = str(number)
    expected = working_precision()
    with precision(expected):
        try:
            found = _condensed(number, shown, claim.compare(**parameters))
        except PrecisionError as error:
            found = Finding(number, "undecided", shown, detail=_one_line(str(error)))
        except (Exception, SystemExit) as error:
            found = Finding(number, "error", shown, detail=_raised(error, claim))
        left = working_precision()
    if left != expected:
        detail = f"the body left the working precision at {left} bits, found {expected}"
        return Finding(number, "error", shown, detail=detail)
    return found


def parameters_text(parameters: dict[str, Any]) -> dict[str, str]:
    """Return the parameters of an instance as exact strings."""
    return {name: str(value) for name, value in parameters.items() if name != "rng"}


def _condensed(number: int, shown: dict[str, str], comparisons: Sequence[Comparison]) -> Finding:
    ratios = [comparison.ratio for comparison in comparisons if comparison.ratio is not None]
    ratio = max(ratios).as_integer_ratio() if ratios else None
    hypotheses = tuple(dict.fromkeys(text for comparison in comparisons for text in comparison.hypotheses))
    missed = _error_probability(comparisons).as_integer_ratio()
    weakest = int(max(comparison.evidence for comparison in comparisons))
    for outcome in (Outcome.FAILS, Outcome.UNDECIDED):
        for comparison in comparisons:
            if comparison.outcome == outcome:
                status: Status = "fails" if outcome == Outcome.FAILS else "undecided"
                evidence = int(comparison.evidence) if outcome == Outcome.FAILS else weakest
                return Finding(
                    number,
                    status,
                    {**shown, **comparison.witness},
                    evidence,
                    ratio,
                    _described(comparison),
                    comparison.sides_text,
                    hypotheses,
                    missed,
                )
    return Finding(number, "holds", shown, weakest, ratio, hypotheses=hypotheses, error_probability=missed)


def _described(comparison: Comparison) -> str:
    lhs, rhs = comparison.sides_text
    label = f"{comparison.label}: " if comparison.label else ""
    text = f"{label}{comparison.relation} with lhs = {lhs}, rhs = {rhs}"
    return f"{text}; {comparison.detail}" if comparison.detail else text


def _error_probability(comparisons: Sequence[Comparison]) -> Fraction:
    sides = (
        side.value if isinstance(side, LowerBound | UpperBound) else side
        for comparison in comparisons
        for side in (comparison.lhs, comparison.rhs)
    )
    return sum((Fraction(side.error_probability) for side in sides if isinstance(side, SampleMean)), Fraction(0))


def _raised(error: BaseException, claim: Claim) -> str:
    """Return the exception and the line of the claim's file that it came through, or the claim's own."""
    code = claim.body.__code__
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == code.co_filename] or [code.co_firstlineno]
    return f"{type(error).__name__}: {_one_line(str(error))} ({Path(code.co_filename).name}:{lines[-1]})"


def _one_line(text: str) -> str:
    return " ".join(text.split())
