"""Recorders: what a node tells of its run, kept in memory or written as it goes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.event_lines import (
    Arrived,
    check_note,
    end_line,
    log_line,
    look_line,
    note_line,
    plain,
    restored,
    wait_line,
)
from codedtheory.executor.event_table import Events, EventTable
from codedtheory.executor.events import End, LogEntry, Note
from codedtheory.executor.logged_values import sorted_out

__all__ = ["FileRecorder", "MemoryRecorder", "Recorder"]

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
# lines that a program which never waits for anybody may keep to itself
_LINES = 256


class Recorder(Protocol):
    """Takes what a node tells; times are in seconds since the run began."""

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

    def logged(self, node: int, time: float, step: int | None, values: Mapping[str, Any]) -> None:
        """Record numbers and arrays that a program logged."""

    def looked(self, node: int, time: float) -> None:
        """Record that a program asked what time it is."""

    def noted(self, node: int, kind: str, time: float, /, **details: Any) -> None:
        """Record something else, such as a fault or a lost node."""

    def ended(self, node: int, time: float, status: str, step: int | None, totals: Mapping[str, Any]) -> None:
        """Record that a program finished, was closed, failed, was lost or hung."""

    def flush(self) -> None:
        """Bring to safety what was recorded."""


class MemoryRecorder:
    """Keeps the events of a run in memory; it can be pickled and sent to where a record is made of it."""

    __slots__ = ("_table", "looked", "waited")

    def __init__(self) -> None:
        self._use(EventTable())

    def _use(self, table: EventTable) -> None:
        self._table = table
        self.waited = table.add_wait
        self.looked = table.add_look

    def logged(self, node: int, time: float, step: int | None, values: Mapping[str, Any]) -> None:
        """Record numbers and arrays that a program logged; arrays are copied."""
        numbers, arrays = sorted_out(values)
        copies = {name: array.copy() for name, array in arrays.items()}
        for copy in copies.values():
            copy.flags.writeable = False
        self._table.add(LogEntry(node, float(time), step, numbers, copies))

    def noted(self, node: int, kind: str, time: float, /, **details: Any) -> None:
        """Record something else, such as a fault or a lost node."""
        check_note(kind, details)
        self._table.add(Note(node, float(time), kind, restored(plain(details, kind))))

    def ended(self, node: int, time: float, status: str, step: int | None, totals: Mapping[str, Any]) -> None:
        """Record that a program finished, was closed, failed, was lost or hung."""
        self._table.add(End(node, float(time), status, step, restored(plain(totals, "totals"))))

    def flush(self) -> None:
        """Do nothing: memory is as safe as it gets."""

    def events(self) -> Events:
        """Return what was recorded so far."""
        return self._table.events()

    def __getstate__(self) -> EventTable:
        return self._table

    def __setstate__(self, table: EventTable) -> None:
        self._use(table)


class FileRecorder:
    """Writes the events of one process into a record directory, as ``events-<name>.jsonl`` and ``arrays/*.npy``.

    What was flushed survives the death of the process; only whole lines are written.

    Parameters
    ----------
    directory : path
        The directory of the record, which exists.
    name : str
        The name of this process, which no other one in the directory has.

    Raises
    ------
    ValueError
        If the directory already holds events under this name.
    """

    __slots__ = ("_buffer", "_descriptor", "_directory", "_pieces")

    def __init__(self, directory: str | os.PathLike[str], name: str) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"name must consist of letters, digits and _.-, received {name!r}")
        self._directory = Path(directory)
        self._pieces: dict[int, int] = {}
        path = self._directory / f"events-{name}.jsonl"
        try:
            self._descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except FileExistsError:
            raise ValueError(
                f"directory {os.fspath(directory)!r} already holds the events of {name!r}; give another directory"
            ) from None
        # where the next line goes, and the lines that are not written; replaced as one, so that an interrupt
        # between any two instructions neither loses nor doubles a line
        self._buffer: tuple[int, list[str]] = (0, [])

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
        self._add(wait_line(node, time, since, step, tag, taken, late, lost, complete))

    def logged(self, node: int, time: float, step: int | None, values: Mapping[str, Any]) -> None:
        """Record numbers and arrays that a program logged; arrays are written at once."""
        numbers, arrays = sorted_out(values)
        pieces = {name: self._write_piece(node, array) for name, array in arrays.items()}
        self._add(log_line(node, time, step, numbers, pieces))

    def looked(self, node: int, time: float) -> None:
        """Record that a program asked what time it is."""
        self._add(look_line(node, time))

    def noted(self, node: int, kind: str, time: float, /, **details: Any) -> None:
        """Record something else, such as a fault or a lost node."""
        self._add(note_line(node, kind, time, details))

    def ended(self, node: int, time: float, status: str, step: int | None, totals: Mapping[str, Any]) -> None:
        """Record that a program finished, was closed, failed, was lost or hung."""
        self._add(end_line(node, time, status, step, totals))

    def flush(self) -> None:
        """Write what was recorded."""
        offset, lines = self._buffer
        if not lines:
            return
        data = "".join(lines).encode("ascii")
        # at its place, not at the end: a flush that was interrupted is repeated without harm
        written = _write_at(self._descriptor, data, offset)
        while written < len(data):
            written += _write_at(self._descriptor, data[written:], offset + written)
        self._buffer = (offset + len(data), [])

    def close(self) -> None:
        """Write what was recorded and close the file."""
        if self._descriptor >= 0:
            try:
                self.flush()
            finally:
                descriptor, self._descriptor = self._descriptor, -1
                os.close(descriptor)

    def _add(self, line: str) -> None:
        lines = self._buffer[1]
        lines.append(line)
        if len(lines) >= _LINES:
            self.flush()

    def _write_piece(self, node: int, array: NDArray[Any]) -> str:
        number = self._pieces.get(node, 0)
        self._pieces[node] = number + 1
        piece = f"arrays/{node:03d}-{number:05d}.npy"
        path = self._directory / piece
        if number == 0:
            path.parent.mkdir(exist_ok=True)
        with path.open("xb") as file:
            np.lib.format.write_array(file, array, allow_pickle=False)
        return piece


def _write_at(descriptor: int, data: bytes, offset: int) -> int:
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, data, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.write(descriptor, data)
