"""Events of a node in shared memory without a name: they outlive the node's process, and nothing outlives the run."""

from __future__ import annotations

import io
import mmap
import os
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.event_lines import Arrived, end_line, log_line, note_line, parsed
from codedtheory.executor.event_table import Events, EventTable, packed_look, packed_wait
from codedtheory.executor.events import LogEntry
from codedtheory.executor.logged_values import sorted_out
from codedtheory.executor.memory_space import check_space
from codedtheory.executor.shared_memory import check_descriptor

__all__ = ["EventSegment", "SharedRecorder"]

# A segment begins with its length in use, so that what a process was just writing when it died does not count.
_USED = struct.Struct("<q")
# then follow entries, each with its kind and length
_ENTRY = struct.Struct("<Bq")
_TAG, _ROW, _LINE, _ARRAY = range(4)
# pages that are not used take no memory
_SIZE = 1 << 20
_pack_used = _USED.pack_into
_pack_entry = _ENTRY.pack


class EventSegment:
    """The segment of one node as the process that supervises it sees it.

    Examples
    --------
    >>> with EventSegment() as segment:
    ...     recorder = SharedRecorder(os.dup(segment.descriptor))
    ...     recorder.logged(0, 1.5, 3, {"loss": 0.25})
    ...     recorder.close()
    ...     [event.values for event in segment.events()]
    [{'loss': 0.25}]
    """

    __slots__ = ("descriptor",)

    def __init__(self) -> None:
        try:
            self.descriptor = _growing_file()
        except OSError as error:
            raise check_descriptor(error) from error
        try:
            os.ftruncate(self.descriptor, _SIZE)
            # mapping the file would take another descriptor
            os.pwrite(self.descriptor, _USED.pack(_USED.size), 0)
        except BaseException:
            os.close(self.descriptor)
            raise

    def events(self) -> Events:
        """Return what the node has recorded, whether it is still there or not."""
        size = os.fstat(self.descriptor).st_size
        with mmap.mmap(self.descriptor, size, access=mmap.ACCESS_READ) as memory:
            return _events_in(memory)

    def __enter__(self) -> EventSegment:
        return self

    def __exit__(self, *of: object) -> None:
        os.close(self.descriptor)


class SharedRecorder:
    """Writes the events of one process into an `EventSegment`; what was recorded is safe at once.

    Parameters
    ----------
    descriptor : int
        Of the segment; it belongs to the recorder now.
    """

    __slots__ = ("_descriptor", "_memory", "_pieces", "_size", "_tags", "_used")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size
        self._memory = mmap.mmap(descriptor, self._size)
        (self._used,) = _USED.unpack_from(self._memory)
        self._tags: dict[str, int] = {}
        self._pieces = 0

    def waited(
        self,
        node: int,
        time: float,
        since: float,
        step: int | None,
        tag: str,
        taken: Sequence[Arrived],
        late: Sequence[Arrived],
        lost: Sequence[int],
        complete: bool,
    ) -> None:
        """Record a wait that ended, with its messages in the order of arrival."""
        number = self._tags.get(tag)
        if number is None:
            number = self._tags[tag] = len(self._tags)
            self._add(_TAG, tag.encode(errors="surrogatepass"))
        self._add(_ROW, packed_wait(node, time, since, step, number, taken, late, lost, complete))

    def looked(self, node: int, time: float) -> None:
        """Record that a program asked what time it is."""
        self._add(_ROW, packed_look(node, time))

    def logged(self, node: int, time: float, step: int | None, values: Mapping[str, Any]) -> None:
        """Record numbers and arrays that a program logged."""
        numbers, arrays = sorted_out(values)
        pieces = {}
        for name, array in arrays.items():
            file = io.BytesIO()
            np.lib.format.write_array(file, array, allow_pickle=False)
            self._add(_ARRAY, file.getbuffer())
            pieces[name] = str(self._pieces)
            self._pieces += 1
        self._add(_LINE, log_line(node, time, step, numbers, pieces).encode())

    def noted(self, node: int, kind: str, time: float, /, **details: Any) -> None:
        """Record something else, such as a fault or a lost node."""
        self._add(_LINE, note_line(node, kind, time, details).encode())

    def ended(self, node: int, time: float, status: str, step: int | None, totals: Mapping[str, Any]) -> None:
        """Record that a program finished, was closed, failed, was lost or hung."""
        self._add(_LINE, end_line(node, time, status, step, totals).encode())

    def flush(self) -> None:
        """Do nothing: memory that others share is safe."""

    def close(self) -> None:
        """Close the segment; what was recorded stays for whoever holds it too."""
        self._memory.close()
        os.close(self._descriptor)

    def _add(self, kind: int, payload: bytes | memoryview) -> None:
        start = self._used
        end = start + _ENTRY.size + len(payload)
        if end > self._size:
            self._grow(end)
        memory = self._memory
        memory[start : start + _ENTRY.size] = _pack_entry(kind, len(payload))
        memory[start + _ENTRY.size : end] = payload
        self._used = end
        _pack_used(memory, 0, end)

    def _grow(self, least: int) -> None:
        size = max(2 * self._size, least)
        check_space(size - self._size, "the record of a node, which is kept in memory,")
        try:
            os.ftruncate(self._descriptor, size)
            memory = mmap.mmap(self._descriptor, size)
        except OSError as error:
            raise check_descriptor(error) from error
        self._memory.close()
        self._memory, self._size = memory, size


def _growing_file() -> int:
    """Return the descriptor of a file without a name, in memory if the system lets such files grow."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("codedtheory-record", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _events_in(memory: mmap.mmap) -> Events:
    table = EventTable()
    tags: list[str] = []
    arrays: list[NDArray[Any]] = []
    for kind, payload in _entries(memory):
        if kind == _ROW:
            table.add_packed(payload, tags)
        elif kind == _TAG:
            tags.append(payload.decode(errors="surrogatepass"))
        elif kind == _ARRAY:
            array = np.lib.format.read_array(io.BytesIO(payload), allow_pickle=False)
            array.flags.writeable = False
            arrays.append(array)
        else:
            event = parsed(payload)
            if isinstance(event, LogEntry):
                found = {name: arrays[int(piece)] for name, piece in event.arrays.items()}
                event = LogEntry(event.node, event.time, event.step, event.values, found)
            table.add(event)
    return table.events()


def _entries(memory: mmap.mmap) -> Iterator[tuple[int, bytes]]:
    (used,) = _USED.unpack_from(memory)
    place = _USED.size
    while place < used:
        kind, length = _ENTRY.unpack_from(memory, place)
        place += _ENTRY.size
        yield kind, memory[place : place + length]
        place += length
