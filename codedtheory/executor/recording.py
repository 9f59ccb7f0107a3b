"""Recording: where the record of a run goes while it runs, and how it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.errors import ExecutorError
from codedtheory.executor.manifest import Clock, RunStatus, begin_manifest, completed, end_manifest, new_manifest
from codedtheory.executor.record import RunRecord
from codedtheory.executor.record_files import pack_record
from codedtheory.executor.recorder import FileRecorder, MemoryRecorder, Recorder
from codedtheory.executor.shared_recorder import EventSegment
from codedtheory.executor.system import System
from codedtheory.executor.watched import Watched

__all__ = ["Interrupted", "Recording", "open_recorder"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run; `record` holds what was recorded, `saved` says where, if anywhere."""

    def __init__(self, record: RunRecord, saved: str | None) -> None:
        where = f"; the record is in {saved}" if saved else ""
        super().__init__(f"interrupted{where}")
        self.record = record
        self.saved = saved


class Recording:
    """The record of one run while it is made.

    Parameters
    ----------
    target : path or None
        The directory of the record; None if it is only wanted in memory.
    system : System
    conditions : Conditions
    backend : str
    clock : "virtual" or "wall"
    watch : collection of int, optional
        The nodes whose events are recorded; all by default.
    blas_threads : int, optional
        The threads of linear algebra on the nodes.
    replayed : RunRecord, optional
        The record that is replayed; the manifest tells of it.

    Attributes
    ----------
    directory : Path or None
        Where recorders of other processes write, if the record is not only wanted in memory.
    """

    def __init__(
        self,
        target: str | os.PathLike[str] | None,
        system: System,
        conditions: Conditions,
        *,
        backend: str,
        clock: Clock,
        watch: Collection[int] | None = None,
        blas_threads: int | None = None,
        replayed: RunRecord | None = None,
    ) -> None:
        about: dict[str, Any] = {
            "backend": backend,
            "clock": clock,
            "seed": conditions.seed,
            "blas_threads": blas_threads,
            "parameters": {
                "conditions": conditions.described(),
                "system": system.described(),
                "watch": None if watch is None else sorted(watch),
                **({} if replayed is None else {"replayed": _origin(replayed)}),
            },
        }
        self._watch = watch
        self._memory: list[MemoryRecorder | EventSegment] = []
        self._files: list[FileRecorder] = []
        self.directory = None if target is None else Path(target)
        self._manifest = new_manifest(**about) if target is None else begin_manifest(target, **about)
        self._began = time.monotonic()

    @property
    def saved(self) -> str | None:
        """Where the record remains."""
        return None if self.directory is None else os.fspath(self.directory)

    def recorder(self, name: str) -> Recorder:
        """Return a recorder for this process."""
        if self.directory is None:
            memory = MemoryRecorder()
            self._memory.append(memory)
            return memory if self._watch is None else Watched(memory, self._watch)
        file = FileRecorder(self.directory, name)
        self._files.append(file)
        return file if self._watch is None else Watched(file, self._watch)

    def add(self, recorders: Sequence[MemoryRecorder | EventSegment]) -> None:
        """Add what other processes record in memory, or have recorded."""
        self._memory.extend(recorders)

    def run(self, body: Callable[[], Mapping[int, Any]], now: Callable[[], float] | None = None) -> RunRecord:
        """Run a body that returns the results of the programs, and return the record, however it ends.

        Raises
        ------
        ExecutorError
            What the body raised, with the record.
        Interrupted
            If the body was interrupted.
        """
        try:
            results = body()
        except ExecutorError as error:
            error.saved = self.saved
            error.record, problem = self._end("failed", {}, now)
            if problem is not None:
                error.add_note(problem)
            raise
        except KeyboardInterrupt:
            record, problem = self._end("interrupted", {}, now)
            interrupted = Interrupted(record, self.saved)
            if problem is not None:
                interrupted.add_note(problem)
            raise interrupted from None
        except BaseException:
            self._end("failed", {}, now)
            raise
        record, problem = self._end("finished", results, now)
        if problem is None:
            return record
        failure = ExecutorError(f"the run finished, but {problem}")
        failure.record, failure.saved = record, self.saved
        raise failure

    def _end(
        self, status: RunStatus, results: Mapping[int, Any], now: Callable[[], float] | None
    ) -> tuple[RunRecord, str | None]:
        """Complete the record; return it, and what is wrong with it if it could not be written or read."""
        manifest = completed(
            self._manifest, status=status, seconds=time.monotonic() - self._began if now is None else now()
        )
        try:
            if self.directory is None:
                return RunRecord.of(self._memory, manifest, results), None
            with ExitStack() as stack:
                for file in self._files:
                    stack.callback(file.close)
            end_manifest(self.directory, status=status, seconds=manifest["seconds"])
            pack_record(self.directory)
            return RunRecord.load(self.directory, results), None
        except (OSError, ValueError) as error:
            # what the programs returned is not in files
            return RunRecord.of([], manifest, results), f"its record is not complete: {error}"


def _origin(record: RunRecord) -> dict[str, Any]:
    """Return what the manifest of a replay says of the run whose arrivals and times it has."""
    manifest = record.manifest
    names = ("backend", "clock", "started", "host", "status", "seconds")
    return {
        **{name: manifest.get(name) for name in names},
        "conditions": manifest["parameters"].get("conditions"),
    }


def open_recorder(directory: str | os.PathLike[str], name: str, watch: Collection[int] | None) -> Recorder:
    """Return the recorder of another process for the directory of a `Recording`."""
    file = FileRecorder(directory, name)
    return file if watch is None else Watched(file, watch)
