"""Recorders that keep the events of some nodes only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from codedtheory.executor.event_lines import Arrived
from codedtheory.executor.recorder import Recorder

__all__ = ["Watched"]


class Watched:
    """Passes on what certain nodes tell, and of all others only what happened to them and how they ended.

    Parameters
    ----------
    recorder : Recorder
    nodes : collection of int
        The nodes whose waits, logs and looks at the clock are recorded. The record of a run that was watched in part
        can not be replayed.
    """

    __slots__ = ("_nodes", "_recorder", "ended", "flush", "noted")

    def __init__(self, recorder: Recorder, nodes: Collection[int]) -> None:
        self._recorder = recorder
        self._nodes = frozenset(nodes)
        self.noted = recorder.noted
        self.ended = recorder.ended
        self.flush = recorder.flush

    def waited(
        self,
        node: int,
        time: float,
        since: float,
        step: int | None,
        tag: str,
        taken: Sequence[Arrived],
        late: Sequence[Arrived],
        lost: Sequence[int],
        complete: bool,
    ) -> None:
        """Record a wait of a watched node."""
        if node in self._nodes:
            self._recorder.waited(node, time, since, step, tag, taken, late, lost, complete)

    def logged(self, node: int, time: float, step: int | None, values: Mapping[str, Any]) -> None:
        """Record what a watched node logged."""
        if node in self._nodes:
            self._recorder.logged(node, time, step, values)

    def looked(self, node: int, time: float) -> None:
        """Record that a watched node asked what time it is."""
        if node in self._nodes:
            self._recorder.looked(node, time)
