"""The data of all programs, placed in shared memory once and read where it lies.

Arrays that several programs share are stored once, also when one is a part of another (a data set in the master, its
blocks in the workers). A process that loads its program maps the segment; its arrays are read-only views of it.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codedtheory.executor.pickling import FAILURES, Copies, dump, load, unpicklable
from codedtheory.executor.shared_memory import attach_segment, create_segment

__all__ = ["SharedPrograms", "attach_data", "load_program", "place_programs"]

# shorter arrays travel with the program
_SHORTEST_SHARED = 1 << 12
_ALIGNMENT = 64


@dataclass(frozen=True, slots=True)
class SharedPrograms:
    """Programs ready for other processes.

    Attributes
    ----------
    pickled : tuple of bytes
        Each program, without its large arrays, for `load_program`.
    size : int
        Bytes of the large arrays of all programs; 0 if there are none.
    descriptor : int or None
        Their segment, for `attach_data`; None if there are none. It belongs to this object until `close`.
    """

    pickled: tuple[bytes, ...]
    size: int
    descriptor: int | None

    def close(self) -> None:
        """Close the descriptor; the data stays as long as a process has it mapped or holds a descriptor."""
        if self.descriptor is not None:
            os.close(self.descriptor)


def place_programs(programs: Sequence[Any], names: Sequence[str]) -> SharedPrograms:
    """Pickle programs and place their large arrays in one shared segment.

    Parameters
    ----------
    programs : sequence
        Anything that can be pickled: functions of modules with their arguments.
    names : sequence of str
        What errors call them, as ``"program of node 3 (worker)"``.

    Raises
    ------
    TypeError
        For a program that cannot be pickled, named, with the remedy.
    OSError
        When memory does not suffice, with needed and available bytes.

    Examples
    --------
    >>> data = np.ones((1000, 10))
    >>> placed = place_programs([(np.sum, data), (np.mean, data[500:])], ["first", "second"])
    >>> placed.size
    80000
    >>> memory = attach_data(os.dup(placed.descriptor), placed.size)
    >>> function, block = load_program(placed.pickled[1], memory)
    >>> float(function(block)), block.shape, block.flags.writeable
    (1.0, (500, 10), False)
    >>> placed.close()
    """
    copies: Copies = {}
    dumped = []
    for program, name in zip(programs, names, strict=True):
        try:
            dumped.append(dump(program, copies))
        except FAILURES as error:
            raise unpicklable(name, error) from error
    large = {_extent(buffer): buffer for _, buffers in dumped for buffer in buffers if len(buffer) >= _SHORTEST_SHARED}
    offsets, size = _layout(sorted(large))
    pickled = []
    for stream, buffers in dumped:
        parts = [(offsets.get(_extent(buffer)) or bytes(buffer)) for buffer in buffers]
        pickled.append(pickle.dumps((stream, parts), 5))
    descriptor = _store(large, offsets, size) if size else None
    return SharedPrograms(tuple(pickled), size, descriptor)


def attach_data(descriptor: int, size: int) -> memoryview:
    """Map the segment of `SharedPrograms` for reading, and close the descriptor."""
    return memoryview(attach_segment(descriptor, size))


def load_program(pickled: bytes, data: memoryview | None = None) -> Any:
    """Return a program as it was placed.

    Parameters
    ----------
    pickled : bytes
        From `SharedPrograms`.
    data : memoryview, optional
        From `attach_data`, if there is any.
    """
    stream, parts = load(pickled, ())
    buffers: list[bytes | memoryview] = []
    for part in parts:
        if isinstance(part, bytes):
            buffers.append(part)
        elif data is None:
            raise ValueError("data must be given for a program with large arrays, received None")
        else:
            offset, size = part
            buffers.append(data[offset : offset + size])
    return load(stream, buffers)


# address and length: what it takes for two arrays to be the same memory
def _extent(buffer: memoryview) -> tuple[int, int]:
    address: int = np.frombuffer(buffer, np.uint8).__array_interface__["data"][0] if len(buffer) else 0
    return address, len(buffer)


def _layout(extents: Sequence[tuple[int, int]]) -> tuple[dict[tuple[int, int], tuple[int, int]], int]:
    """Return where each extent is stored, as offset and length, and the size of all; what overlaps stays together."""
    placed: dict[tuple[int, int], tuple[int, int]] = {}
    end = 0  # of what is stored so far
    shift = last = 0  # offset less address, and the last address, of the region that grows
    for address, size in extents:
        if address >= last:
            end = -(-end // _ALIGNMENT) * _ALIGNMENT
            shift = end - address
        last = max(last, address + size)
        placed[address, size] = (address + shift, size)
        end = last + shift
    return placed, end


def _store(large: dict[tuple[int, int], memoryview], offsets: dict[tuple[int, int], tuple[int, int]], size: int) -> int:
    segment = create_segment(size, "the data of the programs")
    stored = 0
    for extent in sorted(large):
        offset, length = offsets[extent]
        if offset + length > stored:
            segment.memory[offset : offset + length] = large[extent]
            stored = offset + length
    return segment.descriptor
