"""The executor with a virtual clock."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TextIO

from codedtheory.blas_threads import limited_blas_threads
from codedtheory.executor.conditions import Conditions, check_run
from codedtheory.executor.executor import Executor
from codedtheory.executor.record import RunRecord
from codedtheory.executor.recording import Recording
from codedtheory.executor.replay import Script
from codedtheory.executor.run_progress import RunProgress
from codedtheory.executor.system import System

__all__ = ["VirtualExecutor"]


class VirtualExecutor(Executor):
    """Runs programs on a simulated clock, thousands of nodes in this process, the same for the same seed.

    A computation is done at once and takes the time that the conditions say; a message arrives when its link says. What
    happens at the same time happens in the order in which it was caused.

    Parameters
    ----------
    progress : text stream, optional
        Where progress is shown if it is a terminal; standard error by default.

    Examples
    --------
    >>> from codedtheory.executor import Conditions, Program, System, compute, send, star, wait
    >>> def master(node):
    ...     answers = yield wait(count=2, step=0)
    ...     return answers.order
    >>> def worker(node):
    ...     square = yield compute(pow, node.id, 2, step=0)
    ...     yield send(0, square, step=0)
    >>> system = System([Program(master)] + 3 * [Program(worker)], star(3))
    >>> record = VirtualExecutor().run(system, Conditions(speeds={1: 0.5}))
    >>> record.results[0], record.seconds
    ((2, 3), 2.0)
    """

    def __init__(self, *, progress: TextIO | None = None) -> None:
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
        # the nodes of other executors import this module, but have no use for a simulated clock
        from codedtheory.executor.virtual_run import VirtualRun

        check_run(system, conditions, watch)
        if conditions.unit is None:
            conditions = replace(conditions, unit=1.0)
        with limited_blas_threads(1):
            recording = Recording(
                target,
                system,
                conditions,
                backend="virtual",
                clock="virtual",
                watch=watch,
                blas_threads=1,
                replayed=recorded,
            )
            run = VirtualRun(system, conditions, recording.recorder("virtual"), scripts)
            progress = RunProgress(self._stream or sys.stderr, steps)

            def body() -> dict[int, Any]:
                progress.start()
                try:
                    run.run(progress.update)
                finally:
                    progress.stop()
                return {node.node.id: node.result for node in run.nodes if node.status == "finished"}

            return recording.run(body, lambda: float(run.env.now))
