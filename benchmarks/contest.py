"""A contest: one job done by this library and by what one would use instead, in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Contest", "seconds"]


@dataclass(frozen=True)
class Contest:
    """What was compared, how the times relate, and what was aimed at.

    Attributes
    ----------
    job : str
        What both sides did.
    peer : str
        What one would use instead, with its version where that matters.
    ours, theirs : float
        Seconds.
    target : float
        The ratio that is aimed at.
    at_most : bool
        Whether the target bounds ours/theirs from above; otherwise it bounds theirs/ours from below.
    remark : str
        Accuracy, sample sizes, and whatever else a reader needs to trust the ratio.
    """

    job: str
    peer: str
    ours: float
    theirs: float
    target: float
    at_most: bool = False
    remark: str = ""

    @property
    def ratio(self) -> float:
        """Ours over theirs where that is bounded, theirs over ours where a speed-up is aimed at."""
        return self.ours / self.theirs if self.at_most else self.theirs / self.ours

    @property
    def met(self) -> bool:
        """Whether the measured ratio meets its target."""
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


def seconds(job: Callable[[], object], repeats: int = 5) -> float:
    """Return the shortest of several times of a job; the shortest is the least disturbed one."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)
