"""The loop that drives one node where time is real: in a process or on an MPI rank."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Protocol

from codedtheory.executor.links import LinkClock
from codedtheory.executor.message import Message
from codedtheory.executor.port import Port
from codedtheory.executor.recorder import Recorder
from codedtheory.executor.trampoline import Trampoline

__all__ = ["Gone", "RealPort", "drive"]


class Gone:
    """The news that a neighbour is lost or has finished; it comes after all of the neighbour's messages."""

    __slots__ = ("finished", "source")

    def __init__(self, source: int, finished: bool) -> None:
        self.source = source
        self.finished = finished


class RealPort(Port, Protocol):
    """A port whose node waits for messages itself.

    Attributes
    ----------
    closing : bool
        Whether the executor wants the node to end.
    """

    closing: bool

    def pump(self, until: float) -> Sequence[Message | Gone]:
        """Move messages both ways, and return those that arrived, in their order.

        Returns at once if there are any, otherwise when some have arrived, when the time ``until`` has come (it may be
        past, or inf), or when the node is to end.
        """
        ...


def drive(trampoline: Trampoline, port: RealPort, recorder: Recorder, clocks: Mapping[int, LinkClock]) -> None:
    """Run the program of a node to its end, or until the executor closes it.

    Parameters
    ----------
    trampoline : Trampoline
    port : RealPort
    recorder : Recorder
        Flushed before the node waits.
    clocks : mapping of int to LinkClock
        The clocks of the edges to this node, by source, on which messages take longer than they do by themselves.
    """
    held = _Held(clocks)
    due = False
    while not trampoline.ended:
        wake = trampoline.advance(due)
        may_go_on: bool = bool(trampoline.ended)
        while not may_go_on:
            recorder.flush()
            may_go_on = _hear(trampoline, port, held, wake)
            if port.closing:
                trampoline.close()
                return
            due = port.now() >= wake
            may_go_on |= due


class _Held:
    """Messages that have arrived before the clocks of their edges let them."""

    __slots__ = ("clocks", "count", "queue")

    def __init__(self, clocks: Mapping[int, LinkClock]) -> None:
        self.clocks = clocks
        self.count = 0
        self.queue: list[tuple[float, int, Message | Gone]] = []

    def hold(self, event: Message | Gone, clock: LinkClock, now: float) -> None:
        """Hold a message until its time."""
        bits, step = (event.bits, event.step) if isinstance(event, Message) else (0, None)
        self.count += 1
        heapq.heappush(self.queue, (clock.arrival(now, bits, step), self.count, event))


# a function of its own: its variables keep no message, and with it memory of its sender, while the program runs
def _hear(trampoline: Trampoline, port: RealPort, held: _Held, wake: float) -> bool:
    """Wait for news and tell them; return whether the program may go on."""
    queue, clocks = held.queue, held.clocks
    events = port.pump(min(wake, queue[0][0]) if queue else wake)
    if port.closing:
        return False
    now = port.now()
    may_go_on = False
    for event in events:
        clock = clocks.get(event.source) if clocks else None
        if clock is None:
            may_go_on |= _tell(trampoline, event, now)
        else:
            held.hold(event, clock, now)
    while queue and queue[0][0] <= now:
        may_go_on |= _tell(trampoline, heapq.heappop(queue)[2], now)
    return may_go_on


def _tell(trampoline: Trampoline, event: Message | Gone, now: float) -> bool:
    if isinstance(event, Gone):
        return trampoline.lose(event.source, event.finished)
    event.arrived = now
    return trampoline.deliver(event)
