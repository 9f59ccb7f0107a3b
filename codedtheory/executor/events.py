"""Events of a run, as its record gives them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["Arrival", "ClockLook", "End", "Event", "LogEntry", "Note", "WaitEvent"]


class Arrival(NamedTuple):
    """A message that a wait took: with its source, its number tells it apart from all others."""

    source: int
    step: int | None
    number: int
    arrived: float


@dataclass(frozen=True, slots=True)
class WaitEvent:
    """A wait that ended.

    Attributes
    ----------
    node : int
        The node that waited.
    time, since : float
        When the wait ended and when it began, in seconds since the run began.
    step : int or None
        The step that was waited for.
    tag : str
        The kind of messages that was waited for.
    taken, late : tuple of Arrival
        The messages that counted, in the order of arrival, and those of earlier steps.
    lost : tuple of int
        The sources that were lost when the wait ended.
    complete : bool
        Whether the condition was met.
    """

    node: int
    time: float
    since: float
    step: int | None
    tag: str
    taken: tuple[Arrival, ...]
    late: tuple[Arrival, ...]
    lost: tuple[int, ...]
    complete: bool

    @property
    def order(self) -> tuple[int, ...]:
        """The sources in the order of arrival."""
        return tuple([arrival.source for arrival in self.taken])


@dataclass(frozen=True, slots=True)
class ClockLook:
    """A program asked what time it was."""

    node: int
    time: float


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What a program logged: its numbers, and its arrays or the names of the pieces that hold them."""

    node: int
    time: float
    step: int | None
    values: Mapping[str, Any]
    arrays: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    """Something else that happened to a node, such as a fault."""

    node: int
    time: float
    kind: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class End:
    """A program ended: finished, closed, failed, lost or hung."""

    node: int
    time: float
    status: str
    step: int | None
    totals: Mapping[str, Any]


Event = WaitEvent | ClockLook | LogEntry | Note | End
