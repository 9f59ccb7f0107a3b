"""Records of runs: what happened, as queries and as a table; in memory or from files."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.event_lines import plain, restored
from codedtheory.executor.event_table import Events, merged
from codedtheory.executor.events import Arrival, ClockLook, End, LogEntry, Note, WaitEvent
from codedtheory.executor.record_files import (
    Pieces,
    check_unused,
    read_events,
    read_manifest,
    write_events,
    write_manifest,
)
from codedtheory.executor.record_text import record_text
from codedtheory.executor.recorder import MemoryRecorder

__all__ = ["Arrival", "ClockLook", "Note", "RunRecord", "WaitEvent"]

Edge = tuple[int, int]


class HoldsEvents(Protocol):
    """A recorder in memory, or what one has left."""

    def events(self) -> Events:
        """Return what was recorded."""


class RunRecord:
    """What happened in a run.

    Executors make it; `RunRecord.load` reads one that was saved. Nobody can change it.

    Parameters
    ----------
    manifest : mapping
        What the run began and ended with; see `new_manifest` and `completed`.
    events : Events
        What its nodes recorded.
    results : mapping of int to object
        What its programs returned; that is not saved.
    path : path, optional
        The directory that holds the record.

    Examples
    --------
    >>> recorder = MemoryRecorder()
    >>> recorder.waited(0, 1.5, 0.5, 7, "", [Arrival(2, 7, 0, 1.0), Arrival(1, 7, 0, 1.25)], [], [], True)
    >>> recorder.logged(0, 1.5, 7, {"loss": 0.25})
    >>> record = RunRecord.of(recorder, {"backend": "virtual", "status": "finished"})
    >>> record.waits()[0].order, record.step_times(), record.logged("loss")
    ((2, 1), array([1.5]), (array([7]), array([0.25])))
    """

    __slots__ = ("_ends", "_events", "_manifest", "_path", "_pieces", "_results", "_truncated")

    def __init__(
        self,
        manifest: Mapping[str, Any],
        events: Events,
        *,
        results: Mapping[int, Any] | None = None,
        path: str | os.PathLike[str] | None = None,
        pieces: Pieces | None = None,
        truncated: bool = False,
    ) -> None:
        self._manifest = copy.deepcopy(dict(manifest))
        self._manifest["parameters"] = restored(self._manifest.get("parameters", {}))
        self._events = events
        self._results = dict(results or {})
        self._path = None if path is None else os.fspath(path)
        self._pieces = pieces
        self._truncated = truncated
        self._ends = _last_words(event for event in events.others if isinstance(event, End))

    @classmethod
    def of(
        cls,
        recorders: MemoryRecorder | Sequence[HoldsEvents],
        manifest: Mapping[str, Any],
        results: Mapping[int, Any] | None = None,
    ) -> RunRecord:
        """Return the record that recorders of one run hold together."""
        several = [recorders] if isinstance(recorders, MemoryRecorder) else recorders
        return cls(manifest, merged([recorder.events() for recorder in several]), results=results)

    @classmethod
    def load(cls, directory: str | os.PathLike[str], results: Mapping[int, Any] | None = None) -> RunRecord:
        """Read a record from its directory, packed or as a crash left it.

        Lines and arrays that were cut off are left out, and `truncated` is true then. Nothing is unpickled.

        Raises
        ------
        ValueError
            If there is no record, or it is damaged otherwise.
        """
        path = Path(directory)
        manifest = read_manifest(path)
        if manifest.get("format") != 1:
            raise ValueError(f"record {os.fspath(directory)!r} has the format {manifest.get('format')!r}, not 1")
        packed_cut = manifest.pop("truncated", False)
        pieces = Pieces(path)
        events, cut = read_events(path, pieces)
        truncated = bool(packed_cut or cut or pieces.unfinished)
        return cls(manifest, events, results=results, path=directory, pieces=pieces, truncated=truncated)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write the record to a directory; results are not saved.

        Raises
        ------
        ValueError
            If ``directory`` is a file or already holds a record.
        """
        path = check_unused(directory)
        path.mkdir(parents=True, exist_ok=True)
        with self._reading() as read:
            write_events(path, self._events, read)
        flag = {"truncated": True} if self._truncated else {}
        write_manifest(path, {**plain(self._manifest, "manifest"), **flag})

    @property
    def manifest(self) -> dict[str, Any]:
        """A copy of the manifest."""
        return copy.deepcopy(self._manifest)

    @property
    def path(self) -> str | None:
        """The directory that holds the record, None if it is in memory only."""
        return self._path

    @property
    def truncated(self) -> bool:
        """Whether something was cut off when the record was written."""
        return self._truncated

    @property
    def status(self) -> str:
        """Whether the run finished, was interrupted or failed; unfinished if nobody was left to tell."""
        return str(self._manifest.get("status", "unfinished"))

    @property
    def seconds(self) -> float:
        """How long the run took on its clock; if it is unfinished, the time of the last event."""
        seconds = restored(self._manifest.get("seconds"))
        return self._events.end_time() if seconds is None else float(seconds)

    @property
    def results(self) -> Mapping[int, Any]:
        """What the programs returned, by node; empty for a record that was loaded."""
        return MappingProxyType(self._results)

    @property
    def statuses(self) -> Mapping[int, str]:
        """How the program of each node ended: finished, closed, failed, lost or hung."""
        return MappingProxyType({node: self._ends[node].status for node in sorted(self._ends)})

    @property
    def lost(self) -> tuple[int, ...]:
        """The nodes that were lost, as they, their neighbours or the executor told."""
        told = {node for node, end in self._ends.items() if end.status == "lost"}
        told.update(note.node for note in self.notes("lost"))
        # in a replay nobody crashes again
        told.update(note.node for note in self.notes("fault") if note.details.get("kind") == "crash")
        told.update(note.details["neighbour"] for note in self.notes("neighbour lost"))
        return tuple(sorted(told))

    def waits(self, node: int = 0, step: int | None = None) -> tuple[WaitEvent, ...]:
        """Return the waits of a node, those of one step or all, in their order."""
        return self._events.waits(node, step)

    def replayed(self, node: int) -> tuple[WaitEvent | ClockLook | Note, ...]:
        """Return what a program cannot compute for itself: the waits, looks at the clock and notes of a node."""
        return tuple(event for event in self._events.of(node) if isinstance(event, WaitEvent | ClockLook | Note))

    def steps(self, node: int = 0) -> tuple[int, ...]:
        """Return the steps that a node waited for, in the order in which it first did."""
        return tuple(self._ends_of_steps(node))

    def step_times(self, node: int = 0) -> NDArray[np.float64]:
        """Return the seconds from the last wait of the step before, or the begin of the run, to that of each step."""
        return np.diff(list(self._ends_of_steps(node).values()), prepend=0.0)

    def late(self, node: int = 0) -> tuple[Arrival, ...]:
        """Return the messages of earlier steps that the waits of a node found."""
        return self._events.late(node)

    def staleness(self, node: int = 0) -> NDArray[np.int64]:
        """Return by how many steps each message was older than the wait that found it, if it was."""
        return self._events.staleness(node)

    def logged(self, name: str, node: int = 0) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Return steps and values of what a node logged under a name.

        A log without a step has the step -1. Arrays are stacked if they have one shape; otherwise the values are an
        array of arrays.

        Raises
        ------
        ValueError
            If the node logged nothing under this name.
        """
        entries = [event for event in self._events.others if isinstance(event, LogEntry) and event.node == node]
        with self._reading() as read:
            found = [
                (entry.step, entry.values[name] if name in entry.values else read(entry.arrays[name]))
                for entry in entries
                if name in entry.values or name in entry.arrays
            ]
        if not found:
            names = sorted({key for entry in entries for key in (*entry.values, *entry.arrays)})
            raise ValueError(f"name {name!r} was not logged by node {node}; it logged {', '.join(names) or 'nothing'}")
        steps = np.array([-1 if step is None else step for step, _ in found], np.int64)
        values = [value for _, value in found]
        if len({np.shape(value) for value in values}) == 1:
            return steps, np.array(values)
        ragged = np.empty(len(values), object)
        ragged[:] = values
        return steps, ragged

    def notes(self, kind: str | None = None) -> tuple[Note, ...]:
        """Return what else happened, such as faults: of one kind, or all."""
        notes = (event for event in self._events.others if isinstance(event, Note))
        return tuple(note for note in notes if kind is None or note.kind == kind)

    @property
    def messages(self) -> Mapping[Edge, int]:
        """How many messages went over each edge, as far as their sources lived to tell."""
        return self._per_edge(1)

    @property
    def bits(self) -> Mapping[Edge, int]:
        """How many bits went over each edge, as far as their sources lived to tell."""
        return self._per_edge(2)

    @property
    def dropped(self) -> Mapping[Edge, int]:
        """How many messages each edge dropped, as far as their sources lived to tell."""
        return self._per_edge(3)

    @property
    def overwrites(self) -> Mapping[tuple[int, int, str], int]:
        """How many messages were overwritten before they were taken, by source, target and tag."""
        counts: dict[tuple[int, int, str], int] = {}
        for node, end in self._ends.items():
            for source, tag, count in end.totals.get("overwrites", ()):
                counts[source, node, tag] = count
        return MappingProxyType(counts)

    @property
    def overruns(self) -> Mapping[int, int]:
        """How many computations of each node took longer than the pace of the run gave them."""
        ends = sorted(self._ends.items())
        return MappingProxyType({node: end.totals["overruns"] for node, end in ends if end.totals.get("overruns")})

    def summary(self) -> str:
        """Return a table of at most 100 columns."""
        return record_text(self)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        where = "" if self.path is None else f", path={self.path!r}"
        return f"RunRecord(backend={self._manifest.get('backend')!r}, status={self.status!r}{where})"

    @contextmanager
    def _reading(self) -> Iterator[Callable[[Any], NDArray[Any]]]:
        if self._pieces is None:
            yield np.asarray
        else:
            with self._pieces.opened() as read:
                yield read

    def _ends_of_steps(self, node: int) -> dict[int, float]:
        steps, times = self._events.wait_steps(node)
        return dict(zip(steps.tolist(), times.tolist(), strict=True))

    def _per_edge(self, column: int) -> Mapping[Edge, int]:
        counts = {
            (node, row[0]): row[column] for node, end in self._ends.items() for row in end.totals.get("edges", ())
        }
        return MappingProxyType(counts)


def _last_words(ends: Iterable[End]) -> dict[int, End]:
    """Return the end of each node; of a lost one its own account, if it could give one, not only that of others."""
    last: dict[int, End] = {}
    for end in ends:
        known = last.get(end.node)
        if known is None or known.status != end.status or not known.totals.get("edges"):
            last[end.node] = end
    return last
