"""The worst of many survivor sets."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

__all__ = ["WorstCase"]


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The largest value of a quantity over all sets of surviving workers.

    Attributes
    ----------
    value : number
        Float, exact number or ball.
    survivors : tuple of int
        Worker numbers of a set that attains it.
    stragglers : tuple of int
        The other workers.
    """

    value: Any
    survivors: tuple[int, ...]
    stragglers: tuple[int, ...]

    @property
    def sets(self) -> int:
        """How many sets the worst one was taken from."""
        return comb(len(self.survivors) + len(self.stragglers), len(self.stragglers))

    @classmethod
    def of(cls, value: Any, survivors: Any, workers: int) -> WorstCase:
        """Return the worst case of a set of survivors among workers 0 ... workers - 1."""
        kept = tuple(sorted(int(i) for i in survivors))
        return cls(value, kept, tuple(i for i in range(workers) if i not in kept))
