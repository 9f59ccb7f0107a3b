"""The executor that runs every node on an MPI rank."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Collection, Mapping
from types import TracebackType
from typing import Any, TextIO

from codedtheory.blas_threads import limited_blas_threads, one_blas_thread
from codedtheory.executor.conditions import Conditions, check_run
from codedtheory.executor.executor import Executor
from codedtheory.executor.held_interrupts import HeldInterrupts
from codedtheory.executor.mpi_channel import LEAVE, Packed, pack
from codedtheory.executor.mpi_rank import Assignment, serve
from codedtheory.executor.mpi_supervisor import Supervisor
from codedtheory.executor.mpi_transport import Transport
from codedtheory.executor.pickling import FAILURES, unpicklable
from codedtheory.executor.record import RunRecord
from codedtheory.executor.recording import Interrupted, Recording
from codedtheory.executor.replay import Script
from codedtheory.executor.run_progress import RunProgress
from codedtheory.executor.system import System
from codedtheory.mpi_world import open_world

__all__ = ["MPIExecutor"]


class MPIExecutor(Executor):
    """Runs each program on an MPI rank of its own, in real time: node i on rank i.

    Every rank executes the same script up to the executor, ``mpiexec -n 13 python my_programs.py``. Rank 0 goes on with
    it; all others stay in the constructor, where they run the nodes that they are given, and leave the interpreter when
    rank 0 ends or closes the executor. So it is best made before data are read that only rank 0 needs.

    Ranks share the fate of the job: where one dies, MPI ends all, and a record that is being written to a directory
    ends with what was written. Crash and Hang are acted. The directory must be the same for all ranks (on several
    machines: a shared file system). Nothing can stop a computation: the end of a run waits for those under way.
    Ctrl-C on MPICH's ``mpiexec`` reaches rank 0, which ends the run and saves the record; a second one kills the job.
    Times are those of one clock on each machine, and agree between machines up to the time that a message takes.

    Parameters
    ----------
    patience : float, default 600
        The longest wait without a deadline, in seconds, of programs that are not daemons.
    progress : text stream, optional
        Where progress is shown if it is a terminal; standard error by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks, by default all. Those but the first leave by ``SystemExit``, too. Ranks other than all can have one
        executor at a time.

    Attributes
    ----------
    ranks : int
        How many there are.

    Raises
    ------
    ImportError
        If there is no mpi4py.
    """

    def __init__(self, *, patience: float = 600.0, progress: TextIO | None = None, comm: Any = None) -> None:
        if not patience > 0:
            raise ValueError(f"patience must be a positive number of seconds, received {patience!r}")
        self._patience = patience
        self._stream = progress
        self._crew = _crew_of_all() if comm is None else _crew_of(comm)
        self.ranks = self._crew.transport.size

    def close(self) -> None:
        """Let the other ranks leave; no further run is possible, of this executor or another one of the same ranks."""
        self._crew.dismiss()

    def __enter__(self) -> MPIExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(
        self,
        system: System,
        conditions: Conditions,
        scripts: Mapping[int, Script] | None,
        target: str | os.PathLike[str] | None,
        steps: int | None,
        watch: Collection[int] | None,
        recorded: RunRecord | None = None,
    ) -> RunRecord:
        check_run(system, conditions, watch)
        self._crew.check(len(system))
        packed = _packed(system, conditions)
        # the environment for the libraries that the programs load, the limit for those that are there
        with HeldInterrupts() as interrupts, one_blas_thread(), limited_blas_threads():
            recording = Recording(
                target,
                system,
                conditions,
                backend="mpi",
                clock="wall",
                watch=watch,
                blas_threads=1,
                replayed=recorded,
            )
            directory = None if recording.directory is None else os.path.abspath(recording.directory)
            progress = RunProgress(self._stream or sys.stderr, steps)

            def look(step: int, lost: int) -> None:
                interrupts.let_through(lambda: None)
                progress.update(step, lost)

            supervisor = Supervisor(
                self._crew.transport,
                self._crew.next_run(),
                [
                    Assignment(
                        node=node,
                        nodes=len(system),
                        name=_name(system, node),
                        packed=packed[node].payload,
                        pairs=(
                            *[(node, target) for target in system.targets[node]],
                            *[(source, node) for source in system.sources[node]],
                        ),
                        capacity=system.capacity,
                        directory=directory,
                        watch=watch,
                        script=None if scripts is None else scripts[node],
                        patience=self._patience,
                    )
                    for node in range(len(system))
                ],
                [each.bodies for each in packed],
                [program.daemon for program in system.programs],
                patience=self._patience,
                look=look,
            )

            def body() -> dict[int, Any]:
                progress.start()
                self._crew.clean = False
                try:
                    return supervisor.run()
                finally:
                    self._crew.clean = supervisor.clean
                    progress.stop()
                    recording.add(supervisor.recorded)

            result = recording.run(body, lambda: supervisor.seconds)
            if interrupts.pending:
                raise Interrupted(result, recording.saved)
            return result


class _Crew:
    """The ranks of a communicator, as rank 0 sees them; the others stay in the constructor.

    Attributes
    ----------
    clean : bool
        Whether no rank is in a run.
    """

    def __init__(self, comm: Any) -> None:
        self.clean = True
        self._comm = comm.Dup()
        self.transport = Transport(self._comm)
        self._runs = 0
        self._dismissed = False
        if self.transport.rank > 0:
            _serve_and_leave(self.transport, self._comm)
        atexit.register(self.dismiss)

    def next_run(self) -> int:
        """Return the number of the next run."""
        self._runs += 1
        return self._runs

    def check(self, nodes: int) -> None:
        """Refuse a system that needs more ranks than there are."""
        if self._dismissed:
            raise ValueError("the executor was closed and its ranks have left; close it after the last run")
        if not self.clean:
            raise ValueError("no further run is possible: the ranks have not come back from the last one")
        ranks = self.transport.size
        if nodes > ranks:
            started = "1 rank" if ranks == 1 else f"{ranks} ranks"
            remedy = " (the mpiexec of the MPI that mpi4py uses)" if ranks == 1 else ""
            raise ValueError(
                f"the system has {nodes} nodes, mpiexec started {started}; start it with mpiexec -n {nodes}{remedy}"
            )

    def dismiss(self) -> None:
        """Let the ranks leave."""
        if self._dismissed:
            return
        self._dismissed = True
        atexit.unregister(self.dismiss)
        if not self.clean:
            # ranks that compute for ever would keep the job
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            self._comm.Abort(1)
        self.transport.send(range(1, self.transport.size), LEAVE, self._runs)
        while not self.transport.quiet:
            self.transport.pause()
        self._comm.Free()


_crew: _Crew | None = None


def _crew_of_all() -> _Crew:
    # every executor of a script has the same ranks, which stay in the constructor of the first
    global _crew
    if _crew is None:
        try:
            world = open_world()
        except ValueError as error:
            raise ImportError(str(error)) from error
        _crew = _Crew(world)
    return _crew


def _crew_of(comm: Any) -> _Crew:
    from mpi4py import MPI

    return _crew_of_all() if comm == MPI.COMM_WORLD else _Crew(comm)


def _serve_and_leave(transport: Transport, comm: Any) -> None:
    import signal
    import traceback

    # rank 0 decides what an interrupt ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        serve(transport)
    except BaseException:
        # the others would wait for this rank for ever
        traceback.print_exc()
        sys.stderr.flush()
        comm.Abort(1)
    comm.Free()
    raise SystemExit(0)


def _name(system: System, node: int) -> str:
    return f"program of node {node} ({system.programs[node].name})"


def _packed(system: System, conditions: Conditions) -> list[Packed]:
    """Return program and conditions for every node.

    Raises
    ------
    TypeError
        For a program that cannot be pickled.
    """
    try:
        pack(conditions)
    except FAILURES as error:
        raise unpicklable("conditions", error) from error
    packed = []
    for node, program in enumerate(system.programs):
        try:
            packed.append(pack((program, conditions)))
        except FAILURES as error:
            raise unpicklable(_name(system, node), error) from error
    return packed
