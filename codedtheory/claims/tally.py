"""What walking some instances of a claim found, as plain data that crosses process borders exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = ["Finding", "Status", "Tally", "merged"]

Status = Literal["holds", "fails", "undecided", "error"]


@dataclass(frozen=True)
class Finding:
    """What one instance gave; exact numbers are text or integers.

    Attributes
    ----------
    number : int
        Position of the instance in its domain.
    status : str
        Holds, fails, undecided or error.
    parameters : dict of str to str
        The parameters, of a symbolic relation that fails also the witness.
    evidence : int or None
        Value of `Evidence`; None where the body raised before it compared.
    ratio : pair of int, or None
        Numerator and denominator of the largest bounded side over its bound.
    detail : str
        What failed, what stayed open, or the exception.
    sides : pair of str
        Both sides of the comparison that failed.
    hypotheses : tuple of str
        What symbolic decisions assume.
    error_probability : pair of int
        Numerator and denominator of the probability that a confidence interval misses.
    """

    number: int
    status: Status
    parameters: dict[str, str]
    evidence: int | None = None
    ratio: tuple[int, int] | None = None
    detail: str = ""
    sides: tuple[str, str] = ("", "")
    hypotheses: tuple[str, ...] = ()
    error_probability: tuple[int, int] = (0, 1)


class Tally:
    """Counts over instances, with the first instance of each kind and the tightest one."""

    def __init__(self) -> None:
        self.counts: dict[Status, int] = {"holds": 0, "fails": 0, "undecided": 0, "error": 0}
        self.first: dict[Status, Finding] = {}
        self.evidence: int | None = None
        self.tightest: Finding | None = None
        self.hypotheses: dict[str, None] = {}
        self.error_probability = Fraction(0)
        self.seconds = 0.0

    @property
    def done(self) -> int:
        """Number of instances walked."""
        return sum(self.counts.values())

    def add(self, finding: Finding) -> None:
        """Count one instance."""
        self.counts[finding.status] += 1
        self._note(finding)
        self._note_evidence(finding.evidence)
        if finding.ratio is not None:
            self._note_ratio(finding)
        self.hypotheses |= dict.fromkeys(finding.hypotheses)
        self.error_probability += Fraction(*finding.error_probability)

    def include(self, other: Tally) -> None:
        """Add what another tally of the same claim counted."""
        for status, count in other.counts.items():
            self.counts[status] += count
        for finding in other.first.values():
            self._note(finding)
        self._note_evidence(other.evidence)
        if other.tightest is not None:
            self._note_ratio(other.tightest)
        self.hypotheses |= other.hypotheses
        self.error_probability += other.error_probability
        self.seconds += other.seconds

    def _note(self, finding: Finding) -> None:
        known = self.first.get(finding.status)
        if known is None or finding.number < known.number:
            self.first[finding.status] = finding

    def _note_evidence(self, evidence: int | None) -> None:
        if evidence is not None:
            self.evidence = evidence if self.evidence is None else max(self.evidence, evidence)

    def _note_ratio(self, finding: Finding) -> None:
        if self.tightest is None or _rank(finding) > _rank(self.tightest):
            self.tightest = finding


def _rank(finding: Finding) -> tuple[Fraction, int]:
    assert finding.ratio is not None
    return Fraction(*finding.ratio), -finding.number


def merged(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies of one claim."""
    total = Tally()
    for tally in tallies:
        total.include(tally)
    return total
