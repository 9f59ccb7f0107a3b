"""The executor that runs every node in a process of this machine."""

from __future__ import annotations

import math
import multiprocessing
import os
import sys
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from typing import Any, TextIO

from codedtheory.executor.conditions import Conditions, check_run
from codedtheory.executor.executor import Executor
from codedtheory.executor.held_interrupts import HeldInterrupts
from codedtheory.executor.process_control import UNGUARDED, Assignment
from codedtheory.executor.process_limits import checked_limits
from codedtheory.executor.process_port import Edges
from codedtheory.executor.process_status import SharedStatus
from codedtheory.executor.record import RunRecord
from codedtheory.executor.recording import Interrupted, Recording
from codedtheory.executor.replay import Script
from codedtheory.executor.run_progress import RunProgress
from codedtheory.executor.shared_arguments import SharedPrograms, place_programs
from codedtheory.executor.shared_recorder import EventSegment
from codedtheory.executor.system import System

__all__ = ["ProcessExecutor"]

_METHODS = ("spawn", "forkserver")
# a process that is forked from a server is sent its descriptors in one message, and Linux allows 253 in it; four are
# for multiprocessing, one for the supervisor
_FORKSERVER_NEIGHBOURS = 248


class ProcessExecutor(Executor):
    """Runs each program in an operating-system process of its own, in real time.

    Arrays travel through shared memory, everything else through sockets between neighbours. A process that dies is a
    lost node; the others go on as their waits allow. Scripts need the usual ``if __name__ == "__main__":``.

    Parameters
    ----------
    start_method : "spawn" or "forkserver", default "spawn"
    blas_threads : int, default 1
        Threads of linear algebra in each process.
    patience : float, default 600
        The longest wait without a deadline, in seconds, of programs that are not daemons.
    grace : float, default 0.5
        Seconds that processes have to end, when the run is over, before they are killed.
    progress : text stream, optional
        Where progress is shown if it is a terminal; standard error by default.
    """

    def __init__(
        self,
        *,
        start_method: str = "spawn",
        blas_threads: int = 1,
        patience: float = 600.0,
        grace: float = 0.5,
        progress: TextIO | None = None,
    ) -> None:
        if start_method == "fork":
            raise ValueError(
                "start_method must be 'spawn' or 'forkserver', received 'fork': a forked process can hang in locks "
                "that threads of linear algebra held, and would keep their settings"
            )
        if start_method not in _METHODS:
            raise ValueError(f"start_method must be 'spawn' or 'forkserver', received {start_method!r}")
        if isinstance(blas_threads, bool) or not isinstance(blas_threads, int) or blas_threads < 1:
            raise ValueError(f"blas_threads must be a positive integer, received {blas_threads!r}")
        if not patience > 0:
            raise ValueError(f"patience must be a positive number of seconds, received {patience!r}")
        if not 0 <= grace < math.inf:
            raise ValueError(f"grace must be a finite number of seconds, at least 0, received {grace!r}")
        self._start_method = start_method
        self._blas_threads = blas_threads
        self._patience = patience
        self._grace = grace
        self._stream = progress

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
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            # a process that is forked from a server turns SystemExit into another exit code
            os._exit(UNGUARDED)
        if multiprocessing.current_process().daemon:
            raise RuntimeError(
                "ProcessExecutor cannot run in a daemonic process, such as those of multiprocessing.Pool, which may "
                "have no children; use concurrent.futures.ProcessPoolExecutor or VirtualExecutor"
            )
        check_run(system, conditions, watch)
        most = max(len(system.neighbours(node)) for node in range(len(system)))
        if self._start_method == "forkserver" and most > _FORKSERVER_NEIGHBOURS:
            raise ValueError(
                f"start_method must be 'spawn' for a node with {most} neighbours, received 'forkserver', whose "
                f"processes can be handed {_FORKSERVER_NEIGHBOURS} connections"
            )
        names = [f"program of node {i} ({program.name})" for i, program in enumerate(system.programs)]
        with HeldInterrupts() as interrupts, checked_limits(system), ExitStack() as stack:
            placed = place_programs([*system.programs, conditions], [*names, "conditions"])
            try:
                status, segment = SharedStatus.create(len(system), len(system.edges))
                try:
                    recording = Recording(
                        target,
                        system,
                        conditions,
                        backend="processes",
                        clock="wall",
                        watch=watch,
                        blas_threads=self._blas_threads,
                        replayed=recorded,
                    )
                    # a record that is only wanted in memory stays there
                    records = [stack.enter_context(EventSegment()) for _ in system.programs if target is None]
                    recording.add(records)
                    assignments = self._assignments(system, placed, names, recording, scripts, watch)
                    stream = self._stream or sys.stderr
                    progress = RunProgress(stream, steps)
                    shared = [segment.descriptor, *([] if placed.descriptor is None else [placed.descriptor])]
                    own = [[events.descriptor] for events in records] or [[]] * len(system)
                    seconds = 0.0

                    def body() -> dict[int, Any]:
                        nonlocal seconds
                        # not at the top: the processes import this module too, with the package
                        from codedtheory.executor.process_children import Children

                        children = Children(
                            assignments,
                            [program.daemon for program in system.programs],
                            interrupts,
                            recording.recorder("parent"),
                            patience=self._patience,
                            grace=self._grace,
                        )
                        try:
                            children.start(
                                self._start_method,
                                self._blas_threads,
                                [[*shared, *descriptors] for descriptors in own],
                                main=any(b"__main__" in program for program in placed.pickled),
                            )
                            progress.start()
                            look = (
                                (lambda lost: progress.update(status.step(0) or 0, lost)) if stream.isatty() else None
                            )
                            children.run(look)
                        finally:
                            seconds = children.now()
                            children.stop(status.step)
                            progress.stop()
                        children.raise_failure()
                        return dict(sorted(children.results.items()))

                    result = recording.run(body, lambda: seconds)
                finally:
                    status.release()
                    segment.memory.close()
                    segment.close()
            finally:
                placed.close()
            if interrupts.pending:
                raise Interrupted(result, recording.saved)
            return result

    def _assignments(
        self,
        system: System,
        placed: SharedPrograms,
        names: list[str],
        recording: Recording,
        scripts: Mapping[int, Script] | None,
        watch: Collection[int] | None,
    ) -> list[Assignment]:
        places = {edge: place for place, edge in enumerate(system.edges)}
        return [
            Assignment(
                node=node,
                nodes=len(system),
                name=names[node],
                program=placed.pickled[node],
                conditions=placed.pickled[-1],
                data_size=placed.size,
                pairs=(
                    *[(node, target) for target in system.targets[node]],
                    *[(source, node) for source in system.sources[node]],
                ),
                edges=Edges(
                    {target: places[node, target] for target in system.targets[node]},
                    {source: places[source, node] for source in system.sources[node]},
                ),
                all_edges=len(system.edges),
                capacity=system.capacity,
                directory=recording.saved,
                watch=watch,
                script=None if scripts is None else scripts[node],
                blas_threads=self._blas_threads,
                patience=self._patience,
            )
            for node in range(len(system))
        ]
