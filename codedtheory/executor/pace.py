"""Pace: how long the computations of a node last."""

from __future__ import annotations

from codedtheory.executor.conditions import Conditions

__all__ = ["Pace"]


class Pace:
    """The end of a node's computations under the conditions of a run.

    With slowdown and delay from the straggler model's row for the step (1 and 0 without a step), a computation lasts
    slowdown · work + delay, where work is cost · unit / speed, or the time that it took / speed if no unit is given.
    """

    __slots__ = ("_row", "_speed", "_unit")

    def __init__(self, conditions: Conditions, node: int) -> None:
        self._speed = conditions.speeds.get(node, 1.0)
        self._unit = None if conditions.unit is None else conditions.unit / self._speed
        self._row = conditions.stragglers.stream(node, conditions.seed).row

    def end(self, start: float, finish: float, cost: float, step: int | None) -> float:
        """Return when a computation ends that took from ``start`` to ``finish`` in real time."""
        slowdown, delay = (1.0, 0.0) if step is None else self._row(step)
        if self._unit is None:
            # from the finish, as a rounding error would make the computation seem to last too long
            return finish + (slowdown / self._speed - 1.0) * (finish - start) + delay
        return start + slowdown * (cost * self._unit) + delay
