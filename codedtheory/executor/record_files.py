"""Files of a record: events as JSON lines, arrays as numbered pieces, packed at a clean end, readable before it."""

from __future__ import annotations

import json
import math
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.event_lines import event_line, parsed
from codedtheory.executor.event_table import Events, EventTable, merged, record_order
from codedtheory.executor.events import LogEntry

__all__ = [
    "MANIFEST",
    "Pieces",
    "check_unused",
    "pack_record",
    "read_events",
    "read_manifest",
    "replacing",
    "write_events",
    "write_manifest",
]

MANIFEST = "manifest.json"
_EVENTS = "events.jsonl"
_ARRAYS = "arrays.npz"
_PARTS = "events-*.jsonl"
_PIECE = re.compile(r"arrays/(\d{3,}-\d{5,})\.npy")
# how every line begins; for lines from elsewhere the JSON is parsed
_BEGINNING = re.compile(rb'\{"event":"[^"\\]*","node":(-?\d+),"time":(-?[\d.e+-]+),')


def check_unused(directory: str | os.PathLike[str]) -> Path:
    """Return the path of a directory, which need not exist, that a record can be written to.

    Raises
    ------
    ValueError
        If it is a file, or already holds a record.
    """
    path = Path(directory)
    if path.exists() and not path.is_dir():
        raise ValueError(f"record {os.fspath(directory)!r} is a file; give the name of a directory")
    if any((path / name).exists() for name in (MANIFEST, _EVENTS, _ARRAYS, "arrays")) or any(path.glob(_PARTS)):
        raise ValueError(f"record {os.fspath(directory)!r} already holds a record; give another directory")
    return path


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name when it is whole, and leaves nothing behind if it never is."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_manifest(directory: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a record."""
    with replacing(directory / MANIFEST) as file:
        file.write((json.dumps(manifest, indent=2, allow_nan=False) + "\n").encode("ascii"))


def read_manifest(directory: Path) -> dict[str, Any]:
    """Return the manifest of a record.

    Raises
    ------
    ValueError
        If there is none, or it is damaged.
    """
    try:
        manifest = json.loads((directory / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{os.fspath(directory)!r} holds no record: there is no {MANIFEST} in it") from None
    except ValueError as error:
        raise ValueError(f"{os.fspath(directory / MANIFEST)!r} is damaged: {error}") from None
    if not isinstance(manifest, dict):
        raise ValueError(f"{os.fspath(directory / MANIFEST)!r} is damaged: it is not an object")
    return manifest


class Pieces:
    """The arrays of a record directory, by the names that its events give them.

    Attributes
    ----------
    unfinished : bool
        Whether a piece was cut off.

    Raises
    ------
    ValueError
        If a piece holds pickled objects: they are never read.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._packed = _names_in(directory / _ARRAYS)
        self._whole: set[str] = set()
        self.unfinished = False
        for path in sorted((directory / "arrays").glob("*.npy")):
            if path.stem not in self._packed:
                if _is_whole(path):
                    self._whole.add(path.stem)
                else:
                    self.unfinished = True

    def __contains__(self, piece: object) -> bool:
        match = _PIECE.fullmatch(piece) if isinstance(piece, str) else None
        return match is not None and (match[1] in self._packed or match[1] in self._whole)

    @property
    def loose(self) -> list[Path]:
        """The pieces that are not packed, without those that were cut off."""
        return [self._directory / "arrays" / f"{name}.npy" for name in sorted(self._whole)]

    @contextmanager
    def opened(self) -> Iterator[Callable[[Any], NDArray[Any]]]:
        """Give a function that reads a piece.

        Raises
        ------
        ValueError
            If a piece is missing, damaged or pickled.
        """
        path = self._directory / _ARRAYS
        archive = np.load(path, allow_pickle=False) if path.exists() else None

        def read(piece: Any) -> NDArray[Any]:
            match = _PIECE.fullmatch(piece)
            name = match[1] if match else ""
            try:
                if archive is not None and name in archive:
                    array = archive[name]
                else:
                    array = np.load(self._directory / "arrays" / f"{name}.npy", allow_pickle=False)
            except (OSError, ValueError, zipfile.BadZipFile) as error:
                raise ValueError(f"{piece!r} of the record {os.fspath(self._directory)!r}: {error}") from None
            return np.asarray(array)

        try:
            yield read
        finally:
            if archive is not None:
                archive.close()


def read_events(directory: Path, pieces: Pieces) -> tuple[Events, bool]:
    """Return the events of a record in their order, and whether something was cut off."""
    truncated = False
    tables = []
    for path in _event_files(directory):
        lines, cut = _whole_lines(path)
        truncated |= cut
        table = EventTable()
        for number, line in enumerate(lines, 1):
            try:
                event = parsed(line)
            except ValueError as error:
                raise ValueError(f"{os.fspath(path)!r}, line {number}, is damaged: {error}") from None
            if isinstance(event, LogEntry) and event.arrays:
                there = {name: piece for name, piece in event.arrays.items() if piece in pieces}
                truncated |= len(there) < len(event.arrays)
                event = LogEntry(event.node, event.time, event.step, event.values, there)
            table.add(event)
        tables.append(table.events())
    return merged(tables), truncated


def pack_record(directory: str | os.PathLike[str]) -> None:
    """Merge the parts of a record into ``events.jsonl``, its pieces into ``arrays.npz``, and remove them.

    A crash in between loses nothing; what was cut off before is left out, and the manifest says so.
    """
    path = Path(directory)
    pieces = Pieces(path)
    lines, truncated = _merged_lines(path)
    if (truncated or pieces.unfinished) and not (manifest := read_manifest(path)).get("truncated"):
        write_manifest(path, {**manifest, "truncated": True})
    if pieces.loose and not (path / _ARRAYS).exists():
        with replacing(path / _ARRAYS) as file, zipfile.ZipFile(file, "w", strict_timestamps=False) as archive:
            for piece in pieces.loose:
                archive.write(piece, piece.name)
    if not (path / _EVENTS).exists():
        with replacing(path / _EVENTS) as file:
            file.writelines(lines)
    for part in path.glob(_PARTS):
        part.unlink()
    for piece in (path / "arrays").glob("*.npy"):
        piece.unlink()
    if (path / "arrays").is_dir():
        (path / "arrays").rmdir()


def write_events(directory: Path, events: Events, read: Callable[[Any], NDArray[Any]]) -> None:
    """Write events in the order of a record, packed; ``read`` gives the arrays that their logs name."""
    counts: dict[int, int] = {}
    with ExitStack() as stack:
        archive = None
        if any(isinstance(event, LogEntry) and event.arrays for event in events.others):
            archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(replacing(directory / _ARRAYS)), "w"))
        file = stack.enter_context(replacing(directory / _EVENTS))
        for event in events.in_record_order():
            if isinstance(event, LogEntry) and archive is not None:
                names = {}
                for name, array in event.arrays.items():
                    number = counts.get(event.node, 0)
                    counts[event.node] = number + 1
                    piece = f"{event.node:03d}-{number:05d}"
                    with archive.open(f"{piece}.npy", "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, read(array), allow_pickle=False)
                    names[name] = f"arrays/{piece}.npy"
                event = LogEntry(event.node, event.time, event.step, event.values, names)
            file.write(event_line(event).encode("ascii"))


def _event_files(directory: Path) -> list[Path]:
    merged_file = directory / _EVENTS
    return [merged_file] if merged_file.exists() else sorted(directory.glob(_PARTS))


def _whole_lines(path: Path) -> tuple[list[bytes], bool]:
    *lines, last = path.read_bytes().split(b"\n")
    if not last:
        return lines, False
    try:
        json.loads(last)
    except ValueError:
        return lines, True
    return [*lines, last], False


def _merged_lines(directory: Path) -> tuple[list[bytes], bool]:
    parts = [_whole_lines(path) for path in _event_files(directory)]
    lines = [line for whole, _ in parts for line in whole]
    keys = np.array([_key(line) for line in lines], [("node", "<i8"), ("time", "<f8")])
    numbers = np.repeat(np.arange(len(parts)), [len(whole) for whole, _ in parts])
    order = record_order(keys["node"], keys["time"], numbers)
    return [lines[i] + b"\n" for i in order.tolist()], any(cut for _, cut in parts)


def _key(line: bytes) -> tuple[int, float]:
    match = _BEGINNING.match(line)
    if match:
        return int(match[1]), float(match[2])
    event = parsed(line)
    return event.node, event.time


def _names_in(path: Path) -> set[str]:
    if not path.exists():
        return set()
    try:
        with zipfile.ZipFile(path) as archive:
            return {name.removesuffix(".npy") for name in archive.namelist()}
    except zipfile.BadZipFile as error:
        raise ValueError(f"{os.fspath(path)!r} is damaged: {error}") from None


def _is_whole(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, dtype = read(file)
            left = os.fstat(file.fileno()).st_size - file.tell()
    except ValueError:
        return False
    if dtype.hasobject:
        raise ValueError(f"{os.fspath(path)!r} holds pickled objects, which no record does; they are not read")
    return left >= math.prod(shape) * dtype.itemsize
