"""What a run tells on the terminal while it lasts: steps done, their rate, the time left and the nodes lost."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, TextIO

from codedtheory.durations import duration_text

__all__ = ["RunProgress"]

_REFRESH = 0.1
# the rate is that of the last looks, so that the time left follows a run that slows down
_LOOKS = 100


class RunProgress:
    """Follows a run with a line on ``stream`` if that is a terminal; the line disappears at the end.

    Parameters
    ----------
    stream : text file or None
    steps : int or None
        How many steps there are to do, if that is known.
    """

    def __init__(self, stream: TextIO | None = None, steps: int | None = None) -> None:
        self._stream = stream
        self._steps = steps
        self._bar: Any = None
        self._task: Any = None
        self._next = 0.0
        self._looks: deque[tuple[float, int]] = deque(maxlen=_LOOKS)

    def start(self) -> None:
        """Begin."""
        if self._stream is None or not self._stream.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        columns = (SpinnerColumn() if self._steps is None else BarColumn(), TextColumn("{task.fields[text]}"))
        # refreshed by update, not by a thread that would compete with the run
        console = Console(file=self._stream)
        self._bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
        self._task = self._bar.add_task("", total=self._steps, text="")
        self._bar.start()
        self._looks.append((time.monotonic(), 0))

    def update(self, step: int, lost: int = 0) -> None:
        """Note that ``step`` steps are done and ``lost`` nodes are lost; cheap enough to be called at every step."""
        if self._bar is None:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _REFRESH
        self._looks.append((now, step))
        self._bar.update(self._task, completed=step, text=progress_text(step, self._steps, self.rate(), lost))
        self._bar.refresh()

    def rate(self) -> float:
        """Return the steps per second of late, 0 before two looks at them."""
        if len(self._looks) < 2:
            return 0.0
        (since, before), (now, after) = self._looks[0], self._looks[-1]
        return (after - before) / (now - since) if now > since else 0.0

    def stop(self) -> None:
        """End; the line disappears."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def progress_text(step: int, steps: int | None, rate: float, lost: int) -> str:
    """Return how far a run is, in words.

    Examples
    --------
    >>> progress_text(250, 1000, 12.5, 1)
    '250 of 1000 steps, 12.5 steps/s, 60 s left, 1 node lost'
    >>> progress_text(3, None, 0.0, 0)
    '3 steps'
    """
    parts = [f"{step} steps" if steps is None else f"{step} of {steps} steps"]
    if rate > 0:
        parts.append(f"{rate:.3g} steps/s" if rate < 1000 else f"{rate:.0f} steps/s")
        if steps is not None:
            parts.append(f"{duration_text(max(steps - step, 0) / rate)} left")
    if lost:
        parts.append("1 node lost" if lost == 1 else f"{lost} nodes lost")
    return ", ".join(parts)
