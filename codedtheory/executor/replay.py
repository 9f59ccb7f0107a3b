"""Replay: waits that end as a record says, whatever the order of arrival is now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codedtheory.executor.errors import ReplayError
from codedtheory.executor.events import Arrival, ClockLook, Event, Note, WaitEvent
from codedtheory.executor.message import Message
from codedtheory.executor.system import System

if TYPE_CHECKING:
    from codedtheory.executor.record import RunRecord

__all__ = ["UNREACHABLE", "Found", "Script", "scripts_of"]

# the kind of note that says that a wait was given up, as the nodes that were left could not end it
UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Found:
    """How a wait ended in the record, with the messages of the replay; ``unreachable`` says why it was given up."""

    time: float
    since: float
    taken: tuple[Message, ...] = ()
    late: tuple[Message, ...] = ()
    lost: frozenset[int] = frozenset()
    complete: bool = True
    unreachable: str | None = None


class Script:
    """What one node recorded: how its waits ended and what time it saw.

    Parameters
    ----------
    node : int
    events : iterable of Event
        The node's events in the order in which they were recorded; only waits, looks at the clock, notes of the kind
        ``UNREACHABLE`` and its crash or hang matter.

    Attributes
    ----------
    exhausted : bool
        Whether the program has gone on to where the record ends.
    fault : Note or None
        The crash or hang that stopped the node.
    """

    def __init__(self, node: int, events: Iterable[Event]) -> None:
        several = tuple(events)
        self._node = node
        self._events = [event for event in several if _matters(event)]
        faults = [event for event in several if isinstance(event, Note) and event.kind == "fault"]
        self.fault = next((fault for fault in faults if "step" in fault.details), None)
        self._next = 0
        self._stored: dict[tuple[int, int], Message] = {}
        self._event: Event | None = None
        self._wanted: set[tuple[int, int]] = set()
        self.exhausted = False

    def deliver(self, message: Message) -> bool:
        """Store a message; return whether it was the last that the wait which has begun asks for."""
        key = (message.source, message.number)
        self._stored[key] = message
        if key not in self._wanted:
            return False
        self._wanted.discard(key)
        return not self._wanted

    def begin(self, step: int | None, tag: str) -> None:
        """Begin the next wait of the program, which must be that of the record."""
        self._event, self._wanted = self._pop(), set()
        event = self._event
        if isinstance(event, WaitEvent):
            if (event.step, event.tag) != (step, tag):
                raise self._misfit(f"waits for step {step}, tag {tag!r}")
            keys = {(arrival.source, arrival.number) for arrival in (*event.taken, *event.late)}
            self._wanted = keys.difference(self._stored)
        elif isinstance(event, ClockLook):
            raise self._misfit(f"waits for step {step}, tag {tag!r}")

    def found(self) -> Found | None:
        """Return how the wait that has begun ends, or None if messages that it needs are still to come."""
        event = self._event
        if self._wanted or event is None:
            return None
        self._event = None
        if isinstance(event, WaitEvent):
            taken = tuple(map(self._take, event.taken))
            late = tuple(map(self._take, event.late))
            return Found(event.time, event.since, taken, late, frozenset(event.lost), event.complete)
        assert isinstance(event, Note)
        lost, text = frozenset(event.details["lost"]), event.details["error"]
        return Found(event.time, event.time, lost=lost, unreachable=text)

    def look(self) -> float | None:
        """Return the time that the program saw, None if the record ends before."""
        self._event = self._pop()
        if self._event is None:
            return None
        if not isinstance(self._event, ClockLook):
            raise self._misfit("asks for the time")
        return self._event.time

    def _take(self, arrival: Arrival) -> Message:
        message = self._stored.pop((arrival.source, arrival.number))
        if message.step != arrival.step:
            raise ReplayError(
                f"the record does not fit the programs: node {arrival.source} sends step {message.step} as message "
                f"{arrival.number}, which is of step {arrival.step} in the record of node {self._node}"
            )
        message.arrived = arrival.arrived
        return message

    def _pop(self) -> Event | None:
        if self._next == len(self._events):
            self.exhausted = True
            return None
        self._next += 1
        return self._events[self._next - 1]

    def _misfit(self, doing: str) -> ReplayError:
        event = self._event
        if isinstance(event, WaitEvent):
            recorded = f"a wait for step {event.step}, tag {event.tag!r}"
        else:
            recorded = "a look at the clock" if isinstance(event, ClockLook) else "a wait that was given up"
        return ReplayError(
            f"the record does not fit the programs: node {self._node} {doing}, where the record has {recorded}"
        )


def _matters(event: Event) -> bool:
    return isinstance(event, WaitEvent | ClockLook) or (isinstance(event, Note) and event.kind == UNREACHABLE)


def scripts_of(record: RunRecord, system: System) -> dict[int, Script]:
    """Return the scripts of all nodes of a record.

    Raises
    ------
    ReplayError
        If the record is of another system, or not of all nodes.
    """
    if not hasattr(record, "replayed"):
        raise TypeError(f"recorded must be a RunRecord, received {record!r}; read one: RunRecord.load(directory)")
    manifest = record.manifest
    parameters = manifest["parameters"]
    if "system" not in parameters or "seed" not in manifest:
        raise ReplayError("the record does not tell of which system it is; replay what an executor recorded")
    recorded = parameters["system"]
    if recorded["nodes"] != len(system):
        raise ReplayError(f"the record is of {recorded['nodes']} nodes, the system has {len(system)}")
    if parameters.get("watch") is not None:
        raise ReplayError(
            f"the record has the waits of the nodes {parameters['watch']} only; record a run without watch"
        )
    return {node: Script(node, record.replayed(node)) for node in range(len(system))}
