"""The pieces that a run is cut into: of about equal work, claims taking turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from codedtheory.claims.catalogue import Entry
from codedtheory.claims.domain import Effort

__all__ = ["Piece", "Plan", "plan"]

_PIECES_PER_JOB = 8
# pricing an instance takes microseconds, so that of a huge domain no instance is priced
_MOST_PRICED = 200_000


@dataclass(frozen=True)
class Piece:
    """The instances numbered ``start`` to ``stop - 1`` of one claim, and the work they are."""

    claim: int
    start: int
    stop: int
    work: int

    @property
    def count(self) -> int:
        """Number of instances."""
        return self.stop - self.start


@dataclass(frozen=True)
class Plan:
    """All pieces of a run in the order they are handed out.

    Attributes
    ----------
    totals : list of int
        Number of instances of each claim.
    pieces : list of Piece
    problems : dict of int to str
        Why a claim has no pieces: its domain cannot be walked.
    """

    totals: list[int] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    problems: dict[int, str] = field(default_factory=dict)

    @property
    def work(self) -> int:
        """Total work."""
        return sum(piece.work for piece in self.pieces)


def plan(entries: Sequence[Entry], effort: Effort, jobs: int) -> Plan:
    """Cut the claims into pieces for ``jobs`` processes."""
    made = Plan()
    lists: list[list[Piece]] = []
    for number, entry in enumerate(entries):
        try:
            made.totals.append(entry.claim.count(effort))
            lists.append(list(_cut(number, entry, effort, jobs * _PIECES_PER_JOB)))
        except Exception as error:
            del made.totals[number:]
            made.totals.append(0)
            made.problems[number] = f"{type(error).__name__}: {error}"
    in_turns = chain.from_iterable(zip_longest(*lists))
    made.pieces.extend(piece for piece in in_turns if piece is not None)
    return made


def _cut(number: int, entry: Entry, effort: Effort, count: int) -> Iterator[Piece]:
    total = entry.claim.count(effort)
    if entry.claim.cost is None or total > _MOST_PRICED:
        size = max(1, -(-total // count))
        for start in range(0, total, size):
            stop = min(start + size, total)
            yield Piece(number, start, stop, stop - start)
        return
    works = [entry.claim.work(parameters) for parameters in entry.claim.instances(effort)]
    share = max(1, -(-sum(works) // count))
    start = gathered = 0
    for position, work in enumerate(works):
        gathered += work
        if gathered >= share or position == len(works) - 1:
            yield Piece(number, start, position + 1, gathered)
            start, gathered = position + 1, 0
