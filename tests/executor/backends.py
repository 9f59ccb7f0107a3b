"""The three executors behind one interface, for tests that must hold on each."""

from __future__ import annotations

import importlib
import importlib.util
import multiprocessing
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from codedtheory.executor import Conditions, ExecutorError, RunRecord, System, VirtualExecutor

__all__ = ["BACKENDS", "Backend", "MPIBackend", "ProcessBackend", "VirtualBackend"]

ROOT = Path(__file__).parents[2]
# the largest system of the conformance suite
RANKS = 5
# seconds after which a run has certainly gone wrong
LIMIT = 120


class Backend:
    """Runs systems; an error of the run is raised as it is in the executor."""

    name: str
    clock: str

    def __init__(self) -> None:
        self._kept: dict[object, RunRecord | ExecutorError] = {}

    def run(self, system: System, conditions: Conditions | None = None, **options: Any) -> RunRecord:
        """Run a system; ``patience`` is an option of the executor, others are those of its method."""
        raise NotImplementedError

    def replay(self, recorded: RunRecord, system: System) -> RunRecord:
        raise NotImplementedError

    def once(self, make: Callable[..., System], *args: Any, conditions: Conditions | None = None) -> RunRecord:
        """Run a system once for all tests that look at it."""
        key = (make, args, repr(conditions))
        if key not in self._kept:
            try:
                self._kept[key] = self.run(make(*args), conditions)
            except ExecutorError as error:
                self._kept[key] = error
        kept = self._kept[key]
        if isinstance(kept, ExecutorError):
            raise kept
        return kept

    def close(self) -> None:
        pass


class VirtualBackend(Backend):
    name = "virtual"
    clock = "virtual"

    def run(
        self, system: System, conditions: Conditions | None = None, patience: float | None = None, **options: Any
    ) -> RunRecord:
        return VirtualExecutor().run(system, conditions, **options)

    def replay(self, recorded: RunRecord, system: System) -> RunRecord:
        return VirtualExecutor().replay(recorded, system)


class ProcessBackend(Backend):
    """Starts its processes from a server that has imported what they need: in a tenth of the time."""

    name = "processes"
    clock = "wall"

    def __init__(self) -> None:
        super().__init__()
        self._module = _module("process_executor")
        multiprocessing.set_forkserver_preload(
            ["numpy", "codedtheory.executor.process_worker", "tests.executor.conformance_programs"]
        )

    def _executor(self, patience: float | None) -> Any:
        options = {} if patience is None else {"patience": patience}
        return self._module.ProcessExecutor(start_method="forkserver", **options)

    def run(
        self, system: System, conditions: Conditions | None = None, patience: float | None = None, **options: Any
    ) -> RunRecord:
        return self._executor(patience).run(system, conditions, **options)

    def replay(self, recorded: RunRecord, system: System) -> RunRecord:
        return self._executor(None).replay(recorded, system)

    def close(self) -> None:
        # other tests count processes
        multiprocessing.set_forkserver_preload(["__main__"])
        forkserver._forkserver._stop()  # type: ignore[attr-defined]


class MPIBackend(Backend):
    """One job of several ranks that serves all tests; requests and answers are files."""

    name = "mpi"
    clock = "wall"

    def __init__(self, directory: Path) -> None:
        super().__init__()
        _module("mpi_executor")
        if importlib.util.find_spec("mpi4py") is None:
            pytest.skip("mpi4py is not installed")
        self._mpiexec = Path(sys.executable).parent / "mpiexec"
        if not self._mpiexec.exists():
            pytest.skip(f"no mpiexec beside {sys.executable}")
        self._directory = directory
        self._job: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._requests = 0
        self._first = 0

    def run(
        self, system: System, conditions: Conditions | None = None, patience: float | None = None, **options: Any
    ) -> RunRecord:
        return self._ask("run", system, conditions, patience, options)

    def replay(self, recorded: RunRecord, system: System) -> RunRecord:
        saved = self._directory / f"recorded-{self._requests}"
        recorded.save(saved)
        return self._ask("replay", system, saved, None, {})

    def close(self) -> None:
        if self._job is not None:
            (self._directory / f"request-{self._requests}").write_bytes(pickle.dumps(None))
            try:
                self._job.wait(20)
            except subprocess.TimeoutExpired:
                self._kill()
            self._job = None

    def _ask(self, *request: Any) -> RunRecord:
        job = self._started()
        number = self._requests
        self._requests += 1
        path = self._directory / f"request-{number}"
        part = path.with_suffix(".part")
        part.write_bytes(pickle.dumps(request))
        part.rename(path)
        try:
            line = self._lines.get(timeout=LIMIT)
        except queue.Empty:
            self._kill()
            pytest.fail(f"no answer of the MPI job within {LIMIT} s")
        if line != f"answer {number}":
            output = [line]
            while not output[-1].startswith("ended"):
                output.append(self._lines.get(timeout=LIMIT))
            job.wait()
            self._job = None
            pytest.fail("the MPI job ended:\n" + "\n".join(output))
        answer = (self._directory / f"answer-{number}").read_bytes()
        saved, results, error = pickle.loads(answer)  # noqa: S301 - written by the job that was started here
        record = None if saved is None else RunRecord.load(saved, results)
        if error is not None:
            if isinstance(error, ExecutorError):
                error.record = record
            raise error
        assert record is not None
        return record

    def _started(self) -> subprocess.Popen[str]:
        if self._job is None:
            command = [str(self._mpiexec), "-n", str(RANKS), sys.executable, "-m", "tests.executor.mpi_driver"]
            self._first = self._requests
            self._lines = queue.Queue()
            self._job = subprocess.Popen(
                [*command, str(self._directory), str(self._first)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            threading.Thread(target=_read, args=(self._job, self._lines), daemon=True).start()
        return self._job

    def _kill(self) -> None:
        if self._job is not None:
            self._job.send_signal(signal.SIGTERM)
            try:
                self._job.wait(10)
            except subprocess.TimeoutExpired:
                self._job.kill()
                self._job.wait()
            self._job = None


def _read(job: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert job.stdout is not None
    with job.stdout:
        for line in job.stdout:
            lines.put(line.rstrip("\n"))
    lines.put(f"ended with {job.wait()}")


def _module(name: str) -> Any:
    full = f"codedtheory.executor.{name}"
    if importlib.util.find_spec(full) is None:
        pytest.skip(f"{full} does not exist yet")
    return importlib.import_module(full)


BACKENDS = ("virtual", "processes", "mpi")
