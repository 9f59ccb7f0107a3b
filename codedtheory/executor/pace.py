"""Pace: how long the computations of a node last."""

from __future__ import annotations

from codedtheory.executor.conditions import Conditions

__all__ = ["Pace"]


class Pace:
    """The end of a node's computations under the conditions of a run.

    With slowdown and delay from the straggler model's row for the step (1 and 0 without a step), a computation lasts
    slowdown · work + delay, where work is cost · unit / speed, or the time that it took if no unit is given.
    """

    __slots__ = ("_row", "_unit")

    def __init__(self, conditions: Conditions, node: int) -> None:
        self._unit = None if conditions.unit is None else conditions.unit / conditions.speeds.get(node, 1.0)
        self._row = conditions.stragglers.stream(node, conditions.seed).row

    def end(self, start: float, elapsed: float, cost: float, step: int | None) -> float:
        """Return when a computation ends that began at ``start`` and took ``elapsed`` seconds of real time."""
        work = elapsed if self._unit is None else cost * self._unit
        if step is None:
            return start + work
        slowdown, delay = self._row(step)
        return start + slowdown * work + delay
