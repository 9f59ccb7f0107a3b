"""Buffers in shared memory: a sender copies a value once, and all readers look at that one copy.

Every sender owns a `BufferPool`. A pool is made of segments (see `shared_memory`), a segment of blocks of one size, and
a block holds one message. In front of its blocks a segment has one byte, a flag, for each block and reader. The sender
sets the flags of the readers that it addresses to 1; each reader sets its own back to 0 when the last array that looks
at the block dies. A block is free when all its flags are 0. So nobody ever waits for anybody, no lock exists that a
killed process could hold, and of a dead reader the sender clears the flags itself (`BufferPool.reader_gone`).

A reader maps a segment once, on a notice that carries its descriptor, and forgets it on another. It maps the segment
writable, for its flags, and hands out arrays that are read-only and cannot be made writable: two mappings would take
twice as many descriptors (Python keeps one for each), and descriptors are what runs out first.

Segments of many blocks keep descriptors few when a program keeps many messages: each new segment of a size doubles the
number of its blocks. Pages that were never written take no memory.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.channel import Frame
from codedtheory.executor.shared_memory import attach_segment, create_segment

__all__ = ["NOTICE", "PLACE", "BufferPool", "BufferViews"]

# the first byte of every notice; frames of other kinds must begin with another byte
NOTICE = 0
# where a message lies: number of the segment, index of the block, offset of its first byte
PLACE = struct.Struct("<IIQ")

_ATTACH = struct.Struct("<BBIQII")  # NOTICE, 1, number of the segment, its size, readers, index of this reader
_DETACH = struct.Struct("<BBI")  # NOTICE, 0, number of the segment
_PAGE = mmap.ALLOCATIONGRANULARITY
_SMALLEST = 1 << 14
_FIRST_SEGMENT = 1 << 18
_LARGEST_SEGMENT = 1 << 28
# sending a large message copies so much that looking for idle segments costs nothing
_LARGE = 1 << 20
_IDLE = 64


class BufferPool:
    """The buffers of one sender.

    Parameters
    ----------
    readers : int
        How many there are; a reader is named by its index among them.

    Examples
    --------
    >>> pool = BufferPool(2)
    >>> memory, offset, place = pool.take(100_000, [0, 1])
    >>> memory[offset : offset + 5] = b"hello"
    >>> [(frame, descriptors)] = pool.notices(1)
    >>> views = BufferViews()
    >>> views.notice(frame, [os.dup(descriptor) for descriptor in descriptors])
    >>> array = views.view(place, (5,), np.dtype("S1"))
    >>> array.tolist(), array.flags.writeable, pool.in_use
    ([b'h', b'e', b'l', b'l', b'o'], False, 1)
    >>> del array
    >>> pool.in_use
    1
    >>> pool.reader_gone(0)
    >>> pool.in_use
    0
    >>> pool.close()
    """

    def __init__(self, readers: int) -> None:
        self._readers = readers
        self._classes: dict[int, list[_Segment]] = {}
        self._segments: dict[int, _Segment] = {}
        self._notices: list[list[Frame]] = [[] for _ in range(readers)]
        self._gone: set[int] = set()
        self._made = 0
        self._taken = 0

    @property
    def in_use(self) -> int:
        """How many blocks some reader still looks at, or has not yet received."""
        return sum([segment.count - len(segment.idle()) for segment in self._segments.values()])

    @property
    def reserved(self) -> int:
        """The bytes of all segments, of which those that were written take memory."""
        return sum([len(segment.memory) for segment in self._segments.values()])

    def take(self, size: int, readers: Sequence[int]) -> tuple[mmap.mmap, int, bytes]:
        """Take a free block for a message to some readers.

        Before the message is sent to a reader, what `notices` returns for it must be.

        Parameters
        ----------
        size : int
            Bytes, at least 1.
        readers : sequence of int
            Those that will read it; those that are gone are left out.

        Returns
        -------
        memory : mmap.mmap
            Where to write.
        offset : int
            Of the first byte, a multiple of the page size.
        place : bytes
            Tells readers where it lies (`BufferViews.view`).

        Raises
        ------
        OSError
            When there is no memory or no descriptor for another block.
        """
        if self._gone:
            readers = [reader for reader in readers if reader not in self._gone]
        self._taken += 1
        if size >= _LARGE:
            self._drop_idle(self._taken - _IDLE)
        block = _block_size(size)
        segments = self._classes.setdefault(block, [])
        segment = _with_free_block(segments) or self._new_segment(block, size)
        index = segment.free.pop()
        segment.used = self._taken
        memory = segment.memory
        flag = index * self._readers
        for reader in readers:
            memory[flag + reader] = 1
        if not segment.known.issuperset(readers):
            self._introduce(segment, readers)
        offset = segment.start + index * block
        return memory, offset, PLACE.pack(segment.number, index, offset)

    def withdraw(self, place: bytes, readers: Sequence[int]) -> None:
        """Clear the flags of readers that will never receive the message at ``place``."""
        number, index, _ = PLACE.unpack(place)
        segment = self._segments.get(number)
        if segment is not None:
            for reader in readers:
                segment.memory[index * self._readers + reader] = 0

    def notices(self, reader: int) -> Sequence[Frame]:
        """Return the frames, with descriptors, to be sent to a reader before its next message; each is returned once.

        The descriptors belong to the pool; send them before the next call of `take` or `trim`.
        """
        waiting = self._notices[reader]
        if not waiting:
            return ()
        self._notices[reader] = []
        return waiting

    def reader_gone(self, reader: int) -> None:
        """Give back whatever a reader holds: it is dead, or will never look at its messages again."""
        self._gone.add(reader)
        self._notices[reader] = []
        for segment in self._segments.values():
            segment.flags[:, reader] = 0

    def trim(self) -> None:
        """Drop the segments that nobody looks at; readers learn it by `notices`."""
        self._drop_idle(self._taken)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Drop everything; what readers look at stays as long as they do."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()
        self._classes.clear()
        self._notices = [[] for _ in range(self._readers)]

    def _new_segment(self, block: int, size: int) -> _Segment:
        self._drop_idle(self._taken - _IDLE)
        present = sum([segment.count for segment in self._classes[block]])
        count = max(1, min(max(present, _FIRST_SEGMENT // block), _LARGEST_SEGMENT // block))
        held = sum([len(segment.memory) for segment in self._segments.values()])
        purpose = f"a message of {size} bytes (messages that are not yet read or still kept have {held})"
        try:
            segment = _Segment(self._made, block, count, self._readers, purpose)
        except OSError:
            if count == 1:
                raise
            segment = _Segment(self._made, block, 1, self._readers, purpose)
        self._made += 1
        self._classes[block].append(segment)
        self._segments[segment.number] = segment
        return segment

    def _introduce(self, segment: _Segment, readers: Sequence[int]) -> None:
        for reader in readers:
            if reader not in segment.known:
                segment.known.add(reader)
                frame = _ATTACH.pack(NOTICE, 1, segment.number, len(segment.memory), self._readers, reader)
                self._notices[reader].append((frame, (segment.descriptor,)))

    def _part(self, segment: _Segment, reader: int) -> None:
        unsent = [notice for notice in self._notices[reader] if notice[1] == (segment.descriptor,)]
        if unsent:
            self._notices[reader].remove(unsent[0])
        else:
            self._notices[reader].append((_DETACH.pack(NOTICE, 0, segment.number), ()))

    def _drop_idle(self, last_used: int) -> None:
        idle = [segment for segment in self._segments.values() if segment.used <= last_used]
        for segment in idle:
            if len(segment.idle()) < segment.count:
                continue
            for reader in segment.known - self._gone:
                self._part(segment, reader)
            self._classes[segment.block].remove(segment)
            del self._segments[segment.number]
            segment.close()


class BufferViews:
    """What one reader sees of one sender's pool."""

    def __init__(self) -> None:
        self._segments: dict[int, tuple[mmap.mmap, NDArray[np.uint8], int, int]] = {}

    def notice(self, frame: bytes, descriptors: Sequence[int] = ()) -> None:
        """Take a notice, a frame whose first byte is `NOTICE`: map a segment, or forget it.

        Parameters
        ----------
        frame : bytes
            From `BufferPool.notices`.
        descriptors : sequence of int
            Those that came with it; they are closed.

        Raises
        ------
        OSError
            When there is no descriptor for another segment.
        """
        if not frame[1]:
            self._segments.pop(_DETACH.unpack(frame)[2], None)
            return
        _, _, number, size, readers, reader = _ATTACH.unpack(frame)
        [descriptor] = descriptors
        memory = attach_segment(descriptor, size, writable=True)
        # not the memoryview itself: an array made of it looks at the writable memory behind it
        data = np.frombuffer(memoryview(memory).toreadonly(), np.uint8).view(_Mapped)
        self._segments[number] = (memory, data, readers, reader)

    def view(self, place: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return the message at ``place`` as a read-only array in C order.

        The block is given back when the last array or memoryview that looks at it dies.
        """
        number, index, offset = PLACE.unpack(place)
        memory, data, readers, reader = self._segments[number]
        lease = _Lease(shape, dtype, data, offset)
        lease.place = (memory, index * readers + reader)
        return lease.view(np.ndarray)


# Arrays shorten their chain of bases along bases of their own type. What is derived from a plain view of a lease keeps
# the lease, and what is derived from a lease does too, because the three are of different types.
class _Mapped(np.ndarray[Any, Any]):
    pass


class _Lease(np.ndarray[Any, Any]):
    place: tuple[mmap.mmap, int] | None = None

    def __del__(self) -> None:
        if self.place is not None:
            memory, flag = self.place
            memory[flag] = 0


class _Segment:
    __slots__ = ("block", "count", "descriptor", "flags", "free", "known", "memory", "number", "start", "used")

    def __init__(self, number: int, block: int, count: int, readers: int, purpose: str) -> None:
        self.number = number
        self.block = block
        self.count = count
        self.start = -(-max(1, count * readers) // _PAGE) * _PAGE
        segment = create_segment(self.start + count * block, purpose)
        self.descriptor = segment.descriptor
        self.memory = segment.memory
        self.flags: NDArray[np.uint8] = np.ndarray((count, readers), np.uint8, segment.memory)
        self.free = list(range(count - 1, -1, -1))
        self.known: set[int] = set()
        self.used = 0

    def idle(self) -> list[int]:
        """Return the blocks whose flags are all zero, the first one last."""
        return list(map(int, np.flatnonzero(~self.flags.any(axis=1))[::-1]))

    def close(self) -> None:
        os.close(self.descriptor)


def _with_free_block(segments: list[_Segment]) -> _Segment | None:
    for segment in segments:
        if segment.free:
            return segment
    found = None
    for segment in segments:
        segment.free = segment.idle()
        if segment.free and found is None:
            found = segment
    return found


def _block_size(size: int) -> int:
    # four sizes between each power of two and the next, all of them whole pages
    size = max(size, _SMALLEST)
    step = max(_PAGE, 1 << (size.bit_length() - 3))
    return -(-size // step) * step
