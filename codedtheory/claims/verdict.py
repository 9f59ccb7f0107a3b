"""Verdicts: what a check of one claim found, computed from its tally and its domain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, overload

__all__ = ["Verdict", "Verdicts"]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check.

    Attributes
    ----------
    id, module, title, statement, source, wording, expected, hypotheses, corrected_by
        The claim.
    verdict : {"holds", "fails", "undecided", "error"}
    evidence : str or None
        How the weakest number that decided is known; None where no number was compared.
    coverage : {"universal", "exhaustive", "sampled"}
    scope : str
        The instances in words.
    instances, total : int
        How many instances were walked, and of how many.
    tightness : float or None
        Largest ratio of the bounded side to its bound, rounded to four digits but never across 1.
    worst : dict or None
        The instance that attains it.
    counterexample : dict or None
        The first instance in the order of the domain that violates the claim; of a symbolic relation the values of the
        symbols.
    sides : pair of str or None
        The two sides at the counterexample, exactly.
    detail : str
        What failed; what would decide an undecided claim; the exception of an error.
    seconds : float
        Computing time, summed over processes.
    reproduce : str
        One line of Python that shows the counterexample, or checks again.
    """

    id: str
    module: str
    title: str
    statement: str
    source: str
    wording: str
    expected: Literal["holds", "fails"]
    hypotheses: str | None
    corrected_by: str | None
    verdict: Literal["holds", "fails", "undecided", "error"]
    evidence: str | None
    coverage: Literal["universal", "exhaustive", "sampled"]
    scope: str
    instances: int
    total: int
    tightness: float | None
    worst: dict[str, str] | None
    counterexample: dict[str, str] | None
    sides: tuple[str, str] | None
    detail: str
    seconds: float
    reproduce: str

    @property
    def as_expected(self) -> bool:
        """Tell whether the verdict is the expected one."""
        return self.verdict == self.expected

    @property
    def summary(self) -> str:
        """Verdict, evidence and coverage in one line, such as ``holds · exact · exhaustive 2≤N≤11 (10)``."""
        verdict: str = self.verdict
        if self.instances < self.total:
            verdict += f" ({self.instances} of {self.total} done)"
        # what a proof for all parameters assumes is told by `hypotheses`, which can be long
        coverage: str = self.coverage
        if coverage != "universal":
            coverage = " ".join(part for part in (coverage, self.scope) if part) + f" ({self.total})"
        return " · ".join(part for part in (verdict, self.evidence, coverage) if part)

    def __str__(self) -> str:
        from codedtheory.claims.report import verdict_text

        return verdict_text(self)

    def _repr_html_(self) -> str:
        from codedtheory.claims.html_report import html_table

        return html_table([self])


class Verdicts(list[Verdict]):
    """A list of verdicts that shows itself as a table."""

    @property
    def as_expected(self) -> bool:
        """Tell whether every verdict is the expected one."""
        return all(verdict.as_expected for verdict in self)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Verdicts: ...
    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Verdicts(found) if isinstance(index, slice) else found

    def __str__(self) -> str:
        from codedtheory.claims.report import table_text

        return table_text(self)

    def _repr_html_(self) -> str:
        from codedtheory.claims.html_report import html_table

        return html_table(self)
