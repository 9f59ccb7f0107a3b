"""The port of a node that runs on an MPI rank."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.buffers import PLACE
from codedtheory.executor.drive import Gone
from codedtheory.executor.encoding import decode, encode
from codedtheory.executor.envelope import open_envelope, pack_envelope
from codedtheory.executor.message import ACK, Message
from codedtheory.executor.mpi_channel import CREDIT, FINISHED, LOST, MESSAGE, SLOTS_READ, RunChannel
from codedtheory.executor.mpi_transport import Frame
from codedtheory.executor.patience import Patience
from codedtheory.executor.trampoline import Trampoline

__all__ = ["Closed", "MPIPort"]

# Slot messages on their way on an edge, by weight; those that come after wait at their sender, where the newest
# overwrites. The receiver tells what it has read in parts of less than half, so that a long one always fits.
_AHEAD = 16
_LONG_WEIGHT = 8
_TELL = 8

# how often a program that never waits is made to look at what has come, in seconds
_LOOK = 0.01
# a held message is tried again after so long at the latest, as other news may be due then
_HELD = 0.001

_NOWHERE = bytes(PLACE.size)


class Closed(BaseException):
    """The executor wants a node to end whose program does not wait."""


@dataclass(slots=True)
class _Pending:
    """A slot message that waits until its receiver has read those before it."""

    message: Message
    encoded: bytes
    bodies: Sequence[memoryview]
    replaced: int


@dataclass(slots=True, eq=False)
class _Link:
    """What a node has to do with one neighbour.

    Attributes
    ----------
    queued : int
        Messages in the queue to it.
    ahead : int
        Weight of the slot messages that it has not told to have read.
    read : int
        Weight of its slot messages that were read and not told.
    """

    peer: int
    queued: int = 0
    ahead: int = 0
    read: int = 0
    pending: dict[str, _Pending] = field(default_factory=dict)


class _Memory:
    """Stands for the pool of buffers of `encode` and `decode`: a long value is one piece of memory."""

    __slots__ = ("bodies", "received")

    def __init__(self) -> None:
        self.bodies: Sequence[memoryview] = ()
        self.received: Sequence[memoryview] = ()

    def take(self, size: int, readers: Sequence[int]) -> tuple[memoryview, int, bytes]:
        memory = np.empty(size, np.uint8).data
        self.bodies = (memory,)
        return memory, 0, _NOWHERE

    def view(self, place: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        return np.ndarray(shape, dtype, self.received[0].toreadonly())


class MPIPort:
    """The port of one node.

    Parameters
    ----------
    channel : RunChannel
    neighbours : sequence of int
    capacity : int or None
        Of the queues.
    replays : bool
        Whether waits end as recorded, so that every message is needed.
    patience : float
        Seconds that a program may wait without a deadline.

    Attributes
    ----------
    watch : callable or None
        Called with the time now and then.
    """

    def __init__(
        self, channel: RunChannel, neighbours: Sequence[int], capacity: int | None, replays: bool, patience: float
    ) -> None:
        self.retry = 0.0
        self.watch: Callable[[float], None] | None = None
        self._channel = channel
        self._links = {peer: _Link(peer) for peer in neighbours}
        self._limit = math.inf if capacity is None or replays else capacity
        self._bounded = self._limit < math.inf
        self._replays = replays
        self._seconds = patience
        self._trampoline: Trampoline | None = None
        self._patience: Patience | None = None
        self._memory: Any = _Memory()
        self._backlog: list[Message | Gone] = []
        self._has_room = False
        self._interrupted = False
        self._began = time.monotonic()
        self._next_look = math.inf

    @property
    def closing(self) -> bool:
        """Whether the executor wants the node to end."""
        return self._channel.closing

    @closing.setter
    def closing(self, closing: bool) -> None:
        self._channel.closing = closing

    def begin(self, trampoline: Trampoline) -> None:
        """Start the clock."""
        self._trampoline = trampoline
        self._patience = Patience(trampoline, self._seconds)
        assert self._channel.began is not None
        self._began = self._channel.began
        self._next_look = _LOOK

    def now(self) -> float:
        """Return the seconds since the run began; where a program does not wait, this keeps messages moving."""
        now = time.monotonic() - self._began
        if now > self._next_look:
            self._look_aside(now)
        return now

    def has_room(self, peer: int) -> bool:
        """Whether the queue of the edge to ``peer`` takes another message."""
        link = self._links[peer]
        if link.queued >= self._limit:
            self._receive_aside()
        return link.queued < self._limit

    def taken(self, message: Message) -> None:
        """Note that the program took a message."""
        if self._bounded and not message.slot and message.tag != ACK:
            self._channel.send((message.source,), CREDIT)

    def send(self, peers: Sequence[int], message: Message) -> None:
        """Hand over a message with its value as it is now."""
        memory = self._memory
        encoded = encode(message.value, memory)
        bodies = memory.bodies
        memory.bodies = ()
        if message.slot:
            envelope = pack_envelope(message)
            for peer in peers:
                self._put_in_slot(self._links[peer], message, envelope, encoded, bodies)
            return
        self._channel.send(peers, MESSAGE, pack_envelope(message) + encoded, bodies)
        if self._bounded and message.tag != ACK:
            for peer in peers:
                self._links[peer].queued += 1

    def crash(self) -> None:
        """Fall silent; the neighbours are told, as those of a process that died would notice."""
        self._channel.send(tuple(self._links), LOST)

    def say_farewell(self) -> None:
        """Tell the neighbours that nothing more will come."""
        for link in self._links.values():
            for waiting in link.pending.values():
                self._send_slot(link, waiting)
            link.pending.clear()
        self._channel.send(tuple(self._links), FINISHED)

    def pump(self, until: float) -> Sequence[Message | Gone]:
        """Move messages both ways; see `RealPort`."""
        trampoline, patience, channel = self._trampoline, self._patience, self._channel
        assert trampoline is not None
        assert patience is not None
        held = bool(trampoline.held)
        self._has_room = False
        if self._backlog:
            events, self._backlog = self._backlog, []
            return events
        while True:
            frames = channel.receive()
            if frames:
                events = self._read(frames)
                if events or (held and self._has_room):
                    return events
            if channel.closing:
                return ()
            now = time.monotonic() - self._began
            if held:
                until = max(until, now + _HELD)
                held = False
                patience.check(now, until)
            if now >= until:
                return ()
            if now > self._next_look:
                self._look(now)
                patience.check(now, until)
            if not frames:
                channel.pause(until - now)

    def absorb(self) -> bool:
        """Read what comes and drop it; return whether anything came."""
        frames = self._channel.receive()
        self._read(frames)
        now = time.monotonic() - self._began
        if now > self._next_look:
            self._look(now)
        return bool(frames)

    # -- sending -----------------------------------------------------------------------------------------------

    def _put_in_slot(
        self, link: _Link, message: Message, envelope: bytes, encoded: bytes, bodies: Sequence[memoryview]
    ) -> None:
        weight = _LONG_WEIGHT if bodies else 1
        if link.ahead + weight > _AHEAD or link.pending:
            self._receive_aside()
            while self._replays and link.ahead + weight > _AHEAD:
                # every message of a replay is needed, and whoever reads it does not wait for this node
                self._look_aside(time.monotonic() - self._began)
                self._channel.pause()
        if link.ahead + weight <= _AHEAD and not link.pending:
            link.ahead += weight
            self._channel.send((link.peer,), MESSAGE, envelope + encoded, bodies)
            return
        old = link.pending.pop(message.tag, None)
        link.pending[message.tag] = _Pending(message, encoded, bodies, 0 if old is None else 1 + old.replaced)

    def _send_slot(self, link: _Link, waiting: _Pending) -> None:
        link.ahead += _LONG_WEIGHT if waiting.bodies else 1
        envelope = pack_envelope(waiting.message, waiting.replaced)
        self._channel.send((link.peer,), MESSAGE, envelope + waiting.encoded, waiting.bodies)

    def _push_slots(self, link: _Link) -> None:
        for tag, waiting in list(link.pending.items()):
            if link.ahead + (_LONG_WEIGHT if waiting.bodies else 1) > _AHEAD:
                return
            del link.pending[tag]
            self._send_slot(link, waiting)

    # -- receiving ---------------------------------------------------------------------------------------------

    def _read(self, frames: Sequence[Frame]) -> list[Message | Gone]:
        events: list[Message | Gone] = []
        slots: dict[tuple[int, str], Message] = {}
        for frame in frames:
            kind, source = frame.kind, frame.source
            if kind == MESSAGE:
                message, start = open_envelope(source, frame.data, frame.start)
                self._memory.received = frame.bodies
                message.value = decode(frame.data, self._memory, start)
                if message.slot:
                    self._tell_read(self._links[source], _LONG_WEIGHT if frame.bodies else 1)
                    if not self._replays:
                        # as if all of them had arrived before the node looked
                        old = slots.get((source, message.tag))
                        if old is not None:
                            message.replaced += 1 + old.replaced
                            events.remove(old)
                        slots[source, message.tag] = message
                events.append(message)
            elif kind == SLOTS_READ:
                link = self._links[source]
                link.ahead -= frame.data[frame.start]
                if link.pending:
                    self._push_slots(link)
            elif kind == CREDIT:
                self._links[source].queued -= 1
                self._has_room = True
            else:
                self._links[source].pending.clear()
                events.append(Gone(source, finished=kind == FINISHED))
        return events

    def _tell_read(self, link: _Link, weight: int) -> None:
        link.read += weight
        if link.read >= _TELL:
            self._channel.send((link.peer,), SLOTS_READ, bytes([link.read]))
            link.read = 0

    def _receive_aside(self) -> None:
        self._backlog += self._read(self._channel.receive())

    def _look_aside(self, now: float) -> None:
        """Look at what has come while the program does not wait; it is told at its next wait."""
        self._receive_aside()
        self._look(now)
        if self._channel.closing and not self._interrupted:
            self._interrupted = True
            raise Closed

    def _look(self, now: float) -> None:
        self._next_look = now + _LOOK
        if self.watch is not None:
            self.watch(now)
