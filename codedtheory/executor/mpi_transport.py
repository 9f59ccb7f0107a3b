"""Frames between MPI ranks: short ones whole, the memory of long values in messages of their own, in order."""

from __future__ import annotations

import math
import os
import struct
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["Frame", "Transport"]

# kind, number of bodies, number of the run; then the sizes of the bodies, then the payload
_HEAD = struct.Struct("<BBI")
_FRAMES, _BODIES = 1, 2
_MOST_BODIES = 255
# frames that are taken at a time, so that a sender that never pauses does not keep its receiver
_BATCH = 64
_SHORT = 1 << 16

# A rank that waits looks so often without a break if it has a core of its own; then, for some rounds, it offers its
# core to others before each look; then it takes naps that grow.
_SPINS = 500
_YIELDS = 20
_LIVELY = 12
_SHORTEST_NAP = 2e-5
_LONGEST_NAP = 1e-3
_GROWTH = 1.2


# nearly all frames have none
_NO_BODIES: list[memoryview] = []
_NO_REQUESTS: list[Any] = []


class Frame:
    """What came from another rank.

    Attributes
    ----------
    source : int
    kind : int
    run : int
    data : bytes
        Its payload begins at ``start``.
    start : int
    bodies : list of memoryview
        The memory that came with it.
    """

    __slots__ = ("_requests", "bodies", "data", "kind", "run", "source", "start")

    def __init__(self, source: int, data: bytes) -> None:
        self.source = source
        self.data = data
        self.kind, count, self.run = _HEAD.unpack_from(data)
        self.start = _HEAD.size + 8 * count
        self.bodies: list[memoryview] = _NO_BODIES
        self._requests: list[Any] = _NO_REQUESTS

    @property
    def payload(self) -> memoryview:
        """The payload."""
        return memoryview(self.data)[self.start :]

    def expect_bodies(self, receive: Callable[[memoryview, int, int], Any]) -> None:
        """Begin to receive the bodies."""
        count = (self.start - _HEAD.size) // 8
        sizes = struct.unpack_from(f"<{count}Q", self.data, _HEAD.size)
        self.bodies = [np.empty(size, np.uint8).data for size in sizes]
        self._requests = [receive(body, self.source, _BODIES) for body in self.bodies]

    def complete(self) -> bool:
        """Whether all of it has come."""
        requests = self._requests
        while requests and requests[-1].Test():
            requests.pop()
        return not requests


class Transport:
    """Sends frames to the ranks of a communicator and receives theirs; those of one rank come in their order.

    Nothing here waits. Frames move while their sender and their receiver call `receive`, the short ones also without.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        Nobody else may use it. All of its ranks must make their transport at the same time.

    Attributes
    ----------
    rank, size : int
    beside_rank_0 : bool
        Whether this rank is on the machine of rank 0, with the same monotonic clock.
    """

    def __init__(self, comm: Any) -> None:
        from mpi4py import MPI

        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self._comm = comm
        self._any = MPI.ANY_SOURCE
        self._status = MPI.Status()
        self._test_some = MPI.Request.Testsome
        self._buffer = bytearray(_SHORT)
        self._view = memoryview(self._buffer)
        # what is sent must live until it is
        self._outgoing: list[Any] = []
        self._sent: list[Any] = []
        self._behind: dict[int, deque[Frame]] = {}
        here = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.beside_rank_0 = bool(here.allreduce(self.rank, MPI.MIN) == 0)
        self._spins = _SPINS if here.Get_size() <= _cores(here) else 0
        here.Free()
        self._idle = 0
        self._nap = _SHORTEST_NAP

    def send(
        self, targets: Sequence[int], kind: int, run: int, payload: bytes = b"", bodies: Sequence[memoryview] = ()
    ) -> None:
        """Send a frame; the memory of ``bodies`` must stay as it is until it was sent."""
        if bodies:
            if len(bodies) > _MOST_BODIES:
                raise ValueError(f"bodies must be at most {_MOST_BODIES}, received {len(bodies)}")
            sizes = struct.pack(f"<{len(bodies)}Q", *map(len, bodies))
            frame = _HEAD.pack(kind, len(bodies), run) + sizes + payload
        else:
            frame = _HEAD.pack(kind, 0, run) + payload
        isend = self._comm.Isend
        for target in targets:
            request = isend(frame, target, _FRAMES)
            if not request.Test():
                self._outgoing.append(request)
                self._sent.append(frame)
            for body in bodies:
                self._outgoing.append(isend(body, target, _BODIES))
                self._sent.append(body)

    def receive(self) -> list[Frame]:
        """Return the frames that have come."""
        frames: list[Frame] = []
        if self._outgoing:
            self._forget_sent()
        comm, status = self._comm, self._status
        for _ in range(_BATCH):
            message = comm.Improbe(self._any, _FRAMES, status)
            if message is None:
                break
            size = status.count
            if size > len(self._buffer):
                self._buffer = bytearray(size)
                self._view = memoryview(self._buffer)
            message.Recv(self._buffer)
            frame = Frame(status.source, bytes(self._view[:size]))
            if frame.start > _HEAD.size:
                self._expect_bodies(frame)
            elif self._behind and frame.source in self._behind:
                self._behind[frame.source].append(frame)
            else:
                frames.append(frame)
        if self._behind:
            self._complete_bodies(frames)
        if frames:
            self._idle = 0
            self._nap = _SHORTEST_NAP
        return frames

    def pause(self, longest: float = math.inf) -> None:
        """Wait a little before the next look: longer and longer, up to a millisecond or ``longest`` seconds."""
        self._idle += 1
        if self._idle > _LIVELY:
            time.sleep(max(0.0, min(self._nap, longest)))
            self._nap = min(self._nap * _GROWTH, _LONGEST_NAP)
            return
        probe, source, offer = self._comm.Iprobe, self._any, self._idle > 1 or not self._spins
        for _ in range(_YIELDS if offer else self._spins):
            if offer:
                os.sched_yield()
            if probe(source, _FRAMES):
                return

    @property
    def quiet(self) -> bool:
        """Whether all that was sent is gone, and nothing that came is incomplete."""
        if self._outgoing:
            self._forget_sent()
        return not self._outgoing and not self._behind

    def _forget_sent(self) -> None:
        done = self._test_some(self._outgoing)
        if done:
            gone = set(done)
            self._outgoing = [request for i, request in enumerate(self._outgoing) if i not in gone]
            self._sent = [sent for i, sent in enumerate(self._sent) if i not in gone]

    def _expect_bodies(self, frame: Frame) -> None:
        frame.expect_bodies(self._comm.Irecv)
        self._behind.setdefault(frame.source, deque()).append(frame)

    def _complete_bodies(self, frames: list[Frame]) -> None:
        for source, waiting in list(self._behind.items()):
            while waiting and waiting[0].complete():
                frames.append(waiting.popleft())
            if not waiting:
                del self._behind[source]


def _cores(here: Any) -> int:
    """Return how many cores the ranks of a machine may use together."""
    if hasattr(os, "sched_getaffinity"):
        return len(frozenset().union(*here.allgather(os.sched_getaffinity(0))))
    return os.cpu_count() or 1
