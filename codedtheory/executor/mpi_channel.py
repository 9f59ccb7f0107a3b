"""What the ranks of one run tell each other: news of the run, and frames between neighbours."""

from __future__ import annotations

import math
import pickle
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from codedtheory.executor.mpi_transport import Frame, Transport
from codedtheory.executor.pickling import dump, load

__all__ = [
    "BEGIN",
    "CLOSE",
    "CREDIT",
    "ENDED",
    "FINAL",
    "FINISHED",
    "LAST",
    "LEAVE",
    "LOST",
    "MESSAGE",
    "READY",
    "SLOTS_READ",
    "START",
    "Packed",
    "RunChannel",
    "pack",
    "unpack",
]

# between neighbours
MESSAGE, CREDIT, SLOTS_READ, FINISHED, LOST, LAST = range(6)
# from rank 0, which supervises
START, BEGIN, CLOSE, LEAVE = range(6, 10)
# to rank 0
READY, ENDED, FINAL = range(10, 13)

_TIME = struct.Struct("<d")

# arrays of at least this many bytes travel as they are
_LONG = 1 << 14
# so many bodies fit into a frame
_MOST_BODIES = 250


@dataclass(frozen=True, slots=True)
class Packed:
    """A pickled value: a short text for the frame, and the memory of its long arrays."""

    payload: bytes
    bodies: list[memoryview]


def pack(value: Any) -> Packed:
    """Pickle a value; the memory of its arrays must stay as it is until it was sent.

    Raises
    ------
    Exception
        Whatever pickling raises; `unpicklable` makes it readable.
    """
    stream, buffers = dump(value)
    bodies: list[memoryview] = []
    parts: list[bytes | None] = []
    for buffer in buffers:
        if len(buffer) >= _LONG and len(bodies) < _MOST_BODIES:
            bodies.append(buffer)
            parts.append(None)
        else:
            parts.append(bytes(buffer))
    return Packed(pickle.dumps((stream, parts), 5), bodies)


def unpack(payload: bytes | memoryview, bodies: Sequence[memoryview], *, writable: bool = False) -> Any:
    """Return a value that was packed; its arrays are read-only unless they shall be the caller's own.

    Examples
    --------
    >>> import numpy as np
    >>> packed = pack({"short": np.zeros(2), "long": np.ones(5000)})
    >>> len(packed.bodies)
    1
    >>> value = unpack(packed.payload, packed.bodies)
    >>> value["short"], float(value["long"].sum()), value["long"].flags.writeable
    (array([0., 0.]), 5000.0, False)
    """
    stream, parts = load(payload, ())
    left = iter(bodies)
    buffers: list[Any] = []
    for part in parts:
        if part is None:
            body = next(left)
            buffers.append(body if writable else body.toreadonly())
        else:
            buffers.append(bytearray(part) if writable else part)
    return load(stream, buffers)


class RunChannel:
    """The frames of one run, as one rank sends and sees them.

    Parameters
    ----------
    transport : Transport
    run : int
        Its number; frames of other runs are dropped.
    neighbours : sequence of int
    hear : callable
        Called with frames for the supervisor, on rank 0.

    Attributes
    ----------
    began : float or None
        When the run began, on this rank's monotonic clock, if it has.
    closing : bool
        Whether the supervisor has told the ranks to end.
    """

    def __init__(
        self, transport: Transport, run: int, neighbours: Sequence[int], hear: Callable[[Frame], None] | None = None
    ) -> None:
        self.transport = transport
        self.run = run
        self.began: float | None = None
        self.closing = False
        self.pause = transport.pause
        self._neighbours = tuple(neighbours)
        self._hear = hear
        self._lasts: set[int] = set()
        self._early: list[Frame] = []

    def send(self, targets: Sequence[int], kind: int, payload: bytes = b"", bodies: Sequence[memoryview] = ()) -> None:
        """Send a frame."""
        self.transport.send(targets, kind, self.run, payload, bodies)

    def receive(self) -> list[Frame]:
        """Return what has come from neighbours; news of the run are noted."""
        frames = self.transport.receive()
        if self._early:
            frames, self._early = self._early + frames, []
        for frame in frames:
            if frame.kind >= LAST or frame.run != self.run:
                return [frame for frame in frames if self._is_for_node(frame)]
        return frames

    def begin(self, targets: Sequence[int]) -> None:
        """Begin the run, as the supervisor."""
        self.began = time.monotonic()
        self.send(targets, BEGIN, _TIME.pack(self.began))

    @property
    def _told(self) -> bool:
        return self.began is not None

    def wait_for_begin(self) -> bool:
        """Wait until the run begins, or ends before; return whether it begins."""
        early: list[Frame] = []
        while not (self._told or self.closing):
            # neighbours may begin earlier
            frames = self.receive()
            early += frames
            if not (frames or self._told):
                self.pause()
        self._early = early
        return self._told

    def wait(self, over: Callable[[], bool], seconds: float = math.inf) -> bool:
        """Drop what comes from neighbours until something is over; return false if it takes too long."""
        end = time.monotonic() + seconds
        while not over():
            if not self.receive():
                if time.monotonic() > end:
                    return False
                self.pause()
        return True

    def leave(self, seconds: float = math.inf) -> bool:
        """End the run on this rank: tell the neighbours, and take all that they sent; false if it takes too long."""
        self.send(self._neighbours, LAST)
        return self.wait(lambda: self.transport.quiet and self._lasts.issuperset(self._neighbours), seconds)

    def _is_for_node(self, frame: Frame) -> bool:
        if frame.run != self.run:
            return False
        kind = frame.kind
        if kind < LAST:
            return True
        if kind == LAST:
            self._lasts.add(frame.source)
        elif kind == BEGIN:
            # on another machine the clock is another one, so there the run begins with this news
            near = self.transport.beside_rank_0
            self.began = _TIME.unpack(frame.payload)[0] if near else time.monotonic()
        elif kind == CLOSE:
            self.closing = True
        elif self._hear is not None:
            self._hear(frame)
        return False
