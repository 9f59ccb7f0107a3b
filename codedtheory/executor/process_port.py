"""The port of a node that runs in a process of its own: sockets for frames, shared memory for what is long."""

from __future__ import annotations

import math
import select
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from codedtheory.executor.buffers import NOTICE, BufferPool, BufferViews
from codedtheory.executor.channel import Channel
from codedtheory.executor.drive import Gone
from codedtheory.executor.encoding import decode, encode, lies_in_block, withdraw
from codedtheory.executor.envelope import open_envelope, pack_envelope
from codedtheory.executor.message import ACK, Message
from codedtheory.executor.patience import Patience
from codedtheory.executor.process_status import SharedStatus
from codedtheory.executor.trampoline import Trampoline

__all__ = ["Edges", "ProcessPort"]

# kinds of frames between nodes; notices of buffers are frames too
_MESSAGE, _FINISHED, _SILENT = range(NOTICE + 1, NOTICE + 4)
_MESSAGE_PREFIX = bytes([_MESSAGE])
_FAREWELLS = {True: bytes([_FINISHED]), False: bytes([_SILENT])}

# how often a full queue is looked at again: its reader writes a counter and sends nothing
_RETRY = 0.0005
# poll counts in milliseconds; what is left of a time below is slept
_POLL_UNIT = 0.001
_LONGEST_POLL = 1 << 30
# a program to which messages keep coming is asked for its patience once in so many times only
_UNWATCHED = 64
# slot messages on their way at a time; of those that come after, the newest stays behind and overwrites the others.
# The more there are, the longer a reader may look away and still find the newest; long ones take memory, though.
_SLOTS_AHEAD = 64
_LONG_SLOTS_AHEAD = 2
_SLOT_BYTES_AHEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of one node, with their places in the shared status.

    Attributes
    ----------
    outgoing, incoming : mapping of int to int
        By neighbour.
    """

    outgoing: Mapping[int, int]
    incoming: Mapping[int, int]


@dataclass(slots=True)
class _Pending:
    """A slot message that waits until its receiver has read those before it."""

    message: Message
    encoded: bytes
    replaced: int


@dataclass(slots=True, eq=False)
class _Link:
    """What a node has to do with one neighbour."""

    peer: int
    reader: int
    channel: Channel
    views: BufferViews = field(default_factory=BufferViews)
    readers: tuple[int, ...] = ()
    sent: int = 0
    slots_sent: int = 0
    pending: dict[str, _Pending] = field(default_factory=dict)
    writing: bool = False
    told: bool = False

    def __post_init__(self) -> None:
        self.readers = (self.reader,)


class ProcessPort:
    """The port of one node.

    Parameters
    ----------
    node : int
    control : Channel
        To the supervising process; a frame or its end tells the node to end.
    channels : mapping of int to Channel
        To the neighbours.
    edges : Edges
    status : SharedStatus
    capacity : int or None
        Of the queues.
    replays : bool
        Whether the run is a replay, in which slots are queues: what they held counts, not when.

    Attributes
    ----------
    closing : bool
        Whether the executor wants the node to end.
    orphaned : bool
        Whether the supervising process is gone.
    """

    def __init__(
        self,
        node: int,
        control: Channel,
        channels: Mapping[int, Channel],
        edges: Edges,
        status: SharedStatus,
        capacity: int | None,
        replays: bool,
    ) -> None:
        self.retry = _RETRY
        self.closing = False
        self.orphaned = False
        self._node = node
        self._control = control
        self._edges = edges
        self._status = status
        self._taken = status.taken
        self._slots_read = status.slots_read
        self._capacity = math.inf if capacity is None else capacity
        self._bounded = capacity is not None
        self._replays = replays
        self._trampoline: Trampoline | None = None
        self._patience: Patience | None = None
        self._longest_poll: int | None = None
        self._pumps = 0
        self._told_step: int | None = None
        self._began = time.monotonic()
        self._pool = BufferPool(len(channels))
        self._links = {peer: _Link(peer, i, channel) for i, (peer, channel) in enumerate(channels.items())}
        self._by_descriptor = {link.channel.fileno(): link for link in self._links.values()}
        self._withheld: set[int] = set()
        self._turn = 0
        self._poller = select.poll()
        self._poller.register(control.fileno(), select.POLLIN)
        for descriptor in self._by_descriptor:
            self._poller.register(descriptor, select.POLLIN)

    def serve(self, trampoline: Trampoline, patience: float) -> None:
        """Belong to a node, whose program may wait for ``patience`` seconds without a deadline."""
        self._trampoline = trampoline
        if not trampoline.daemon:
            self._patience = Patience(trampoline, patience)
            self._longest_poll = int(min(1000 * patience, _LONGEST_POLL)) + 1

    def begin(self, began: float) -> None:
        """Set the clock: ``began`` is the time of the run's beginning on the system's monotonic clock."""
        self._began = began

    def now(self) -> float:
        """Return the seconds since the run began."""
        return time.monotonic() - self._began

    def has_room(self, peer: int) -> bool:
        """Whether the queue of the edge to ``peer`` takes another message."""
        return self._links[peer].sent - self._taken[self._edges.outgoing[peer]] < self._capacity

    def taken(self, message: Message) -> None:
        """Note that the program took a message."""
        if self._bounded and not message.slot and message.tag != ACK:
            self._taken[self._edges.incoming[message.source]] += 1

    def send(self, peers: Sequence[int], message: Message) -> None:
        """Send a message, or keep what does not fit until the next `pump`."""
        pool = self._pool
        if len(peers) == 1:
            links = [self._links[peers[0]]]
            readers: Sequence[int] = links[0].readers
        else:
            links = [self._links[peer] for peer in peers]
            readers = [link.reader for link in links]
        encoded = encode(message.value, pool, readers)
        if message.slot and not self._replays:
            for link in links:
                self._introduce(link)
                self._put_in_slot(link, message, encoded)
            return
        frame = _MESSAGE_PREFIX + pack_envelope(message) + encoded
        for link in links:
            channel = link.channel
            for notice, descriptors in pool.notices(link.reader):
                channel.send(notice, descriptors)
            channel.send(frame)
            link.sent += 1
            if channel.pending and not link.writing:
                self._write_later(link)

    def crash(self) -> None:
        """Send what can be sent at once and die."""
        import os
        import signal

        for link in self._links.values():
            link.channel.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    def pump(self, until: float) -> Sequence[Message | Gone]:
        """Move messages both ways; see `RealPort`."""
        trampoline, patience = self._trampoline, self._patience
        if trampoline is not None and trampoline.step is not self._told_step:
            self._told_step = trampoline.step
            self._status.set_step(self._node, trampoline.step)
        if patience is not None:
            self._pumps += 1
            if until < math.inf or not self._pumps % _UNWATCHED:
                patience.check(self.now(), until)
        if self._replays:
            events = self._wait_for_readers()
            if events:
                return events
        while not self.closing:
            if self._withheld:
                self._push_slots()
            simple = until == math.inf and not self._withheld
            ready = self._poller.poll(self._longest_poll if simple else self._timeout(until))
            if ready:
                events = self._handle(ready)
                if events:
                    return events
            elif until < math.inf:
                if until <= self.now():
                    break
            elif patience is not None:
                patience.check(self.now(), until)
        return ()

    def settle(self, finished: bool) -> None:
        """Stay until everything that was sent is on its way, or the executor wants the node to end.

        Parameters
        ----------
        finished : bool
            Whether the neighbours are told that nothing more will come; otherwise they are left to wait.
        """
        while self._withheld and not self.closing:
            self._push_slots()
            self._move()
        for link in self._by_descriptor.values():
            link.channel.send(_FAREWELLS[finished])
            if link.channel.pending and not link.writing:
                self._write_later(link)
        while not self.closing and (self._control.pending or self._writes()):
            self._move()

    def stay(self, patience: float) -> None:
        """Do nothing until the executor wants the node to end, or for ``patience`` seconds."""
        for descriptor in self._by_descriptor:
            self._poller.unregister(descriptor)
        self._by_descriptor.clear()
        end = time.monotonic() + patience
        while not self.closing and (left := end - time.monotonic()) > 0:
            self._watch_control()
            if self._poller.poll(int(min(1000 * left + 1, _LONGEST_POLL))):
                self._hear_control()
        if self.closing:
            # a neighbour that has not heard yet that the run is over would take this node for lost
            for link in self._links.values():
                link.channel.send(_FAREWELLS[False])

    def _writes(self) -> bool:
        return any(link.writing for link in self._by_descriptor.values())

    def _wait_for_readers(self) -> list[Message | Gone]:
        """Hold back a replayed program that sends faster than others read: no time passes for it."""
        events: list[Message | Gone] = []
        while self._writes() and not self.closing:
            events += self._handle(self._poller.poll())
        return events

    # -- sending -----------------------------------------------------------------------------------------------

    def _introduce(self, link: _Link) -> None:
        for notice, descriptors in self._pool.notices(link.reader):
            link.channel.send(notice, descriptors)
        if link.channel.pending and not link.writing:
            self._write_later(link)

    def _put_in_slot(self, link: _Link, message: Message, encoded: bytes) -> None:
        old = link.pending.pop(message.tag, None)
        if old is not None:
            withdraw(old.encoded, self._pool, [link.reader])
        replaced = 0 if old is None else 1 + old.replaced
        if not self._send_slot(link, message, encoded, replaced):
            link.pending[message.tag] = _Pending(message, encoded, replaced)
            self._withheld.add(link.peer)

    def _send_slot(self, link: _Link, message: Message, encoded: bytes, replaced: int) -> bool:
        fitting = _SLOT_BYTES_AHEAD // len(encoded) if not lies_in_block(encoded) else 0
        ahead = min(max(fitting, _LONG_SLOTS_AHEAD), _SLOTS_AHEAD)
        if link.slots_sent - self._slots_read[self._edges.outgoing[link.peer]] >= ahead:
            return False
        link.slots_sent += 1
        link.channel.send(_MESSAGE_PREFIX + pack_envelope(message, replaced) + encoded)
        if link.channel.pending and not link.writing:
            self._write_later(link)
        return True

    def _push_slots(self) -> None:
        for peer in list(self._withheld):
            link = self._links[peer]
            for tag, waiting in list(link.pending.items()):
                if not self._send_slot(link, waiting.message, waiting.encoded, waiting.replaced):
                    break
                del link.pending[tag]
            if not link.pending:
                self._withheld.discard(peer)

    def _write_later(self, link: _Link) -> None:
        link.writing = True
        self._poller.modify(link.channel.fileno(), select.POLLIN | select.POLLOUT)

    # -- receiving ---------------------------------------------------------------------------------------------

    def _handle(self, ready: list[tuple[int, int]]) -> list[Message | Gone]:
        if len(ready) > 1:
            # those that are ready at the same time take turns in being first
            self._turn += 1
            first = self._turn % len(ready)
            ready = ready[first:] + ready[:first]
        events: list[Message | Gone] = []
        slots: dict[tuple[int, str], Message] = {}
        for descriptor, mask in ready:
            link = self._by_descriptor.get(descriptor)
            if link is None:
                self._hear_control()
                continue
            if mask & select.POLLOUT and link.channel.flush():
                link.writing = False
                self._poller.modify(descriptor, select.POLLIN)
            if mask != select.POLLOUT:
                self._receive(link, events, slots)
        return events

    def _receive(self, link: _Link, events: list[Message | Gone], slots: dict[tuple[int, str], Message]) -> None:
        channel, peer, views = link.channel, link.peer, link.views
        for frame, descriptors in channel.receive():
            kind = frame[0]
            if kind == _MESSAGE:
                message, start = open_envelope(peer, frame, 1)
                message.value = decode(frame, views, start)
                if message.slot and not self._replays:
                    self._slots_read[self._edges.incoming[link.peer]] += 1
                    old = slots.get((link.peer, message.tag))
                    if old is not None:
                        message.replaced += 1 + old.replaced
                        events.remove(old)
                    slots[link.peer, message.tag] = message
                events.append(message)
            elif kind == NOTICE:
                views.notice(frame, descriptors)
            else:
                link.told = True
                if kind == _FINISHED:
                    events.append(Gone(link.peer, finished=True))
        if channel.closed:
            self._part(link)
            if not link.told:
                events.append(Gone(link.peer, finished=False))

    def _part(self, link: _Link) -> None:
        descriptor = link.channel.fileno()
        self._poller.unregister(descriptor)
        del self._by_descriptor[descriptor]
        link.channel.close()
        link.writing = False
        link.pending.clear()
        self._withheld.discard(link.peer)
        self._pool.reader_gone(link.reader)

    def _hear_control(self) -> None:
        self._control.flush()
        if self._control.receive() or self._control.closed:
            self.closing = True
            self.orphaned = self._control.closed

    def _move(self) -> None:
        """Wait until something moves; what comes in is dropped."""
        self._watch_control()
        self._handle(self._poller.poll(self._timeout(math.inf)))

    def _watch_control(self) -> None:
        mask = select.POLLIN | select.POLLOUT if self._control.pending else select.POLLIN
        self._poller.modify(self._control.fileno(), mask)

    # -- time --------------------------------------------------------------------------------------------------

    def _timeout(self, until: float) -> int | None:
        """Return the milliseconds to wait for; the part of them that poll cannot wait for is slept here."""
        if until == math.inf and not self._withheld:
            return self._longest_poll
        left = until - self.now()
        if self._withheld and left > _RETRY:
            left = _RETRY
        if left <= 0:
            return 0
        if left < _POLL_UNIT:
            time.sleep(left)
            return 0
        return int(min(1000 * left, _LONGEST_POLL))
