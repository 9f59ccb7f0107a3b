"""What a long run tells on the terminal: a forecast of its length, then instances done and time left."""

from __future__ import annotations

import time
from statistics import median
from typing import Any, TextIO

from codedtheory.claims.plan import Plan
from codedtheory.durations import duration_text

__all__ = ["Progress"]

_FIRST_LOOK = 3.0
_LAST_LOOK = 15.0
# of the claims; those begun first may be the longest
_BEGUN = 0.25
_WORTH_A_FORECAST = 20.0


class Progress:
    """Follows a run; writes to ``stream`` a forecast if the run is long, and a bar if that is a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._bar: Any = None
        self._task: Any = None
        self._announced = False

    def start(self, plan: Plan, jobs: int) -> None:
        """Begin with a plan for ``jobs`` processes."""
        self._jobs = jobs
        self._began = time.monotonic()
        count = len(plan.totals)
        self._work_left = [sum(piece.work for piece in plan.pieces if piece.claim == i) for i in range(count)]
        self._work_all = list(self._work_left)
        self._rates: list[float | None] = [None] * count
        self._instances = sum(plan.totals)
        self._work = plan.work
        self._claims = sum(work > 0 for work in self._work_all)
        if self._stream is not None and self._stream.isatty():
            self._open_bar()

    def advance(self, claim: int, instances: int, work: int, seconds: float) -> None:
        """Note that instances of a claim were walked."""
        self._work_left[claim] -= work
        # the quickest piece: the first ones also pay for imports and tables
        rate, known = seconds / max(work, 1), self._rates[claim]
        self._rates[claim] = rate if known is None else min(rate, known)
        self._forecast()
        if self._bar is not None:
            left = duration_text(self.seconds_left()) if self._knows_enough() else "?"
            self._bar.update(self._task, advance=instances, left=left)

    def stop(self) -> None:
        """End; the bar disappears."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def seconds_left(self) -> float:
        """Return the expected time to the end: claims not begun are taken to be as long as the median of the others."""
        known = [rate * work for rate, work in zip(self._rates, self._work_all, strict=True) if rate is not None]
        typical = median(known) if known else 0.0
        left = sum(
            typical if rate is None else rate * work
            for rate, work in zip(self._rates, self._work_left, strict=True)
            if work
        )
        return left / self._jobs

    def _forecast(self) -> None:
        if self._announced or self._stream is None or not self._knows_enough():
            return
        self._announced = True
        left = self.seconds_left()
        if left >= _WORTH_A_FORECAST:
            work = "" if self._work == self._instances else f" ({self._work:.3g} units of work)"
            processes = "1 process" if self._jobs == 1 else f"{self._jobs} processes"
            line = f"{self._instances} instances{work}, about {duration_text(left)} with {processes}"
            print(line, file=self._stream, flush=True)

    def _knows_enough(self) -> bool:
        elapsed = time.monotonic() - self._began
        begun = sum(rate is not None for rate in self._rates)
        return elapsed >= _LAST_LOOK or (elapsed >= _FIRST_LOOK and begun >= _BEGUN * self._claims)

    def _open_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("instances, {task.fields[left]} left"))
        self._bar = Bar(*columns, console=Console(file=self._stream), transient=True)
        self._task = self._bar.add_task("", total=self._instances, left="?")
        self._bar.start()
