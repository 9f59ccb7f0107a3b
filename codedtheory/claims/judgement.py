"""From what was walked to a verdict: a violation is recomputed before it is believed, a gap is never a proof."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Literal

from codedtheory.claims.catalogue import Entry
from codedtheory.claims.domain import Effort, Samples, Single
from codedtheory.claims.evidence import Coverage, Evidence
from codedtheory.claims.instance import evaluate
from codedtheory.claims.tally import Finding, Tally
from codedtheory.claims.verdict import Verdict

__all__ = ["judge", "rounded_off_one"]

_LARGEST = Fraction(sys.float_info.max)
_Verdict = Literal["holds", "fails", "undecided", "error"]


def judge(entry: Entry, effort: Effort, tally: Tally, total: int, problem: str = "") -> Verdict:
    """Return the verdict on a claim.

    Parameters
    ----------
    entry : Entry
        The claim and where it was found.
    effort : {"quick", "default", "full"}
    tally : Tally
        What the walked instances gave.
    total : int
        The number of instances of the domain.
    problem : str, optional
        Why the claim could not be walked, if it could not.
    """
    claim = entry.claim
    verdict, detail, finding = _decided(entry, effort, tally, total, problem)
    sampled = isinstance(claim.domain, Samples)
    evidence = _evidence(verdict, finding, tally, sampled)
    coverage = _coverage(evidence, claim.domain, sampled)
    failed = finding if verdict == "fails" else None
    assumed = _grouped(tally.hypotheses)
    hypotheses = "; ".join(part for part in (claim.hypotheses, assumed) if part) or None
    scope = assumed if coverage == Coverage.UNIVERSAL else claim.domain.scope(effort)
    if tally.error_probability and verdict in ("holds", "fails"):
        missed = f"confidence intervals miss with probability at most {float(tally.error_probability):.2g}"
        detail = "; ".join(part for part in (detail, missed) if part)
    return Verdict(
        id=claim.id,
        module=entry.module,
        title=claim.title,
        statement=claim.statement,
        source=str(claim.source),
        wording=claim.source.wording,
        expected=claim.expected,
        hypotheses=hypotheses,
        corrected_by=claim.corrected_by,
        verdict=verdict,
        evidence=None if evidence is None else str(evidence),
        coverage=coverage.value,
        scope=scope,
        instances=tally.done,
        total=total,
        tightness=_tightness(tally.tightest),
        worst=tally.tightest.parameters if tally.tightest else None,
        counterexample=failed.parameters if failed else None,
        sides=failed.sides if failed else None,
        detail=detail,
        seconds=round(tally.seconds, 3),
        reproduce=entry.reproduce(finding, effort),
    )


def _decided(
    entry: Entry, effort: Effort, tally: Tally, total: int, problem: str
) -> tuple[_Verdict, str, Finding | None]:
    unfinished = tally.done < total
    if problem:
        return "error", problem, None
    if total == 0:
        return "error", f"the domain has no instance at {effort} effort; a check of nothing proves nothing", None
    if error := tally.first.get("error"):
        return "error", f"{_at(error)}{error.detail}{_more(tally.counts['error'], total, 'raise')}", error
    if failure := tally.first.get("fails"):
        again = evaluate(entry.claim, failure.number, entry.claim.instance(effort, failure.number))
        # a measurement never gives the same number twice, so that it must fail again, but not by as much
        repeated = failure.evidence == Evidence.MEASURED or again.sides == failure.sides
        if (again.status, again.parameters) != ("fails", failure.parameters) or not repeated:
            told = f"{again.status} {again.detail}".strip()
            return "error", f"{_at(failure)}the violation was not confirmed when recomputed alone: {told}", failure
        detail = f"{_at(failure)}{failure.detail}{_more(tally.counts['fails'], total, 'violate it')}"
        if failure.evidence == Evidence.NUMERIC:
            detail += "; in floating point only"
        if unfinished:
            detail += f"; {tally.done} of {total} instances done, so perhaps not the smallest"
        return "fails", detail, failure
    if unfinished:
        return "undecided", f"{tally.done} of {total} done; let the sweep finish", tally.first.get("undecided")
    if undecided := tally.first.get("undecided"):
        more = _more(tally.counts["undecided"], total, "are undecided")
        return "undecided", f"{_at(undecided)}{undecided.detail}{more}", undecided
    return "holds", "", None


def _evidence(verdict: _Verdict, finding: Finding | None, tally: Tally, sampled: bool) -> Evidence | None:
    found = finding.evidence if verdict == "fails" and finding else tally.evidence
    if found is None or verdict == "error":
        return None
    return max(Evidence(found), Evidence.STATISTICAL) if sampled else Evidence(found)


def _coverage(evidence: Evidence | None, domain: object, sampled: bool) -> Coverage:
    if sampled:
        return Coverage.SAMPLED
    if isinstance(domain, Single) and evidence == Evidence.SYMBOLIC:
        return Coverage.UNIVERSAL
    return Coverage.EXHAUSTIVE


def _at(finding: Finding) -> str:
    where = ", ".join(f"{name}={value}" for name, value in finding.parameters.items())
    return f"{where}: " if where else ""


def _more(count: int, total: int, what: str) -> str:
    return f"; {count} of {total} instances {what}" if total > 1 else ""


def _grouped(hypotheses: Iterable[str]) -> str:
    """Join hypotheses such as "x positive", symbols of one kind together: ``a, b arbitrary; x positive; a - b ≠ 0``."""
    symbols: dict[str, list[str]] = {}
    conditions = []
    for text in hypotheses:
        name, _, assumption = text.partition(" ")
        if text.endswith(("= 0", "≠ 0")):
            conditions.append(text)
        else:
            symbols.setdefault(assumption, []).append(name)
    return "; ".join([*(f"{', '.join(names)} {kind}" for kind, names in symbols.items()), *conditions])


def _tightness(finding: Finding | None) -> float | None:
    return None if finding is None or finding.ratio is None else rounded_off_one(Fraction(*finding.ratio))


def rounded_off_one(ratio: Fraction) -> float:
    """Round to four digits, or as many as keep the result on its side of 1.

    Examples
    --------
    >>> rounded_off_one(Fraction(123456, 100000)), rounded_off_one(Fraction(999999, 1000000))
    (1.235, 0.999999)
    """
    ratio = max(-_LARGEST, min(ratio, _LARGEST))
    for digits in range(4, 18):
        divide = Context(prec=digits, rounding=ROUND_HALF_EVEN).divide
        quotient = Fraction(divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
        rounded = float(max(-_LARGEST, min(quotient, _LARGEST)))
        if (rounded > 1, rounded < 1) == (ratio > 1, ratio < 1):
            return rounded
    return 1 - 2.0**-53 if ratio < 1 else 1 + 2.0**-52
