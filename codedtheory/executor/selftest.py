"""Self-test of the executors on the machine at hand: ``python -m codedtheory.executor.selftest``.

Alone it tests the virtual clock and the processes of this machine; under ``mpiexec -n 4`` it tests the ranks. It writes
a line for each check, and the exit status is 0 if all passed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from codedtheory.executor import selftest_programs as programs
from codedtheory.executor.conditions import Conditions
from codedtheory.executor.delay_laws import Exponential
from codedtheory.executor.errors import LostWorkersError
from codedtheory.executor.faults import Crash
from codedtheory.executor.virtual_executor import VirtualExecutor

__all__ = ["CHECKS", "main"]

_NODES = 4
_LONGEST = 200
# a wait that takes longer has gone wrong
_PATIENCE = 60.0
# what the launchers of the usual MPI libraries tell the ranks
_RANK_VARIABLES = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")


def averaging_is_replayed(executor: Any, nodes: int) -> None:
    """Replay k-of-n averaging, planned on the virtual clock, to the same bits, and a real run on that clock."""
    system = programs.averaging(nodes, max(1, nodes - 2), 20)
    conditions = Conditions(seed=3, unit=0.0, stragglers=Exponential(0.002))
    planned = VirtualExecutor().run(system, conditions)
    _expect_same(executor.replay(planned, system).results[0], planned.results[0])
    real = executor.run(system, conditions)
    _expect_same(VirtualExecutor().replay(real, system).results[0], real.results[0])


def acknowledged_slots_keep_all(executor: Any, nodes: int) -> None:
    """Average on a ring with NOTIFY-ACK: nothing is overwritten, and everybody has what the rounds give."""
    results = executor.run(programs.neighbours(nodes, 30)).results
    expected = [(value, 0) for value in programs.averages(nodes, 30)]
    _expect([results[node] for node in range(nodes)], expected)


def a_crash_is_noticed(executor: Any, nodes: int) -> None:
    """Lose a worker: the others go on if they suffice, and otherwise it is named."""
    conditions = Conditions(faults=(Crash(nodes - 1, 3),))
    record = executor.run(programs.bereaved(nodes, 6), conditions)
    _expect((record.results[0], record.lost), ([nodes - 1] * 3 + [nodes - 2] * 3, (nodes - 1,)))
    try:
        executor.run(programs.averaging(nodes, nodes - 1, 6), conditions)
    except LostWorkersError as error:
        _expect(error.lost, (nodes - 1,))
    else:
        raise ValueError("a run that needs a lost worker has finished")


def arrays_arrive_as_sent(executor: Any, nodes: int) -> None:
    """Send arrays, which arrive read-only and as they were: empty, large, with gaps, records, in other objects."""
    results = executor.run(programs.echo(nodes)).results
    expected = [programs.fingerprint(value) for value in programs.arrays()]
    for node in range(1, nodes):
        _expect(results[node], expected)


def deadlines_end_waits(executor: Any, nodes: int) -> None:
    """Wait with a time limit, which ends the wait."""
    early, complete, seconds, late = executor.run(programs.deadlines(nodes, 0.05)).results[0]
    _expect((early, complete, late), (0, False, nodes - 1))
    if not 0.05 <= seconds < 5:
        raise ValueError(f"a wait of 0.05 s took {seconds:.3g} s")


def full_queues_hold_senders(executor: Any, nodes: int) -> None:
    """Fill queues of two messages, which hold those who send more, and keep the order."""
    results = executor.run(programs.flood(nodes, 40, capacity=2)).results
    _expect(results[0], [[number] * (nodes - 1) for number in range(40)])


CHECKS: tuple[Callable[[Any, int], None], ...] = (
    averaging_is_replayed,
    acknowledged_slots_keep_all,
    a_crash_is_noticed,
    arrays_arrive_as_sent,
    deadlines_end_waits,
    full_queues_hold_senders,
)


def main() -> int:
    """Run the checks; return the exit status."""
    begin = time.perf_counter()
    failed = total = 0
    for name, executor, nodes in _executors():
        for check in CHECKS:
            total += 1
            failed += not _passes(name, check, executor, nodes)
    outcome = f"{failed} of {total} checks failed" if failed else f"{total} checks passed"
    _write(f"{outcome} in {time.perf_counter() - begin:.1f} s")
    return 1 if failed else 0


def _executors() -> list[tuple[str, Any, int]]:
    if any(name in os.environ for name in _RANK_VARIABLES):
        from codedtheory.executor.mpi_executor import MPIExecutor

        executor = MPIExecutor(patience=_PATIENCE)
        if executor.ranks < 2:
            raise SystemExit(
                "one rank alone has nobody to talk to; start it with mpiexec -n 4 (of the MPI that mpi4py uses)"
            )
        return [(f"{executor.ranks} MPI ranks", executor, executor.ranks)]
    from codedtheory.executor.process_executor import ProcessExecutor

    return [
        ("virtual clock", VirtualExecutor(), _NODES),
        (f"{_NODES} processes", ProcessExecutor(patience=_PATIENCE), _NODES),
    ]


def _passes(name: str, check: Callable[[Any, int], None], executor: Any, nodes: int) -> bool:
    begin = time.perf_counter()
    outcome = "ok"
    try:
        check(executor, nodes)
    except Exception as error:
        outcome = f"FAILED: {type(error).__name__}: {error}"
    _write(f"{name}: {check.__name__.replace('_', ' ')}: {outcome} ({time.perf_counter() - begin:.2f} s)")
    return outcome == "ok"


def _expect(value: Any, expected: Any) -> None:
    if value != expected:
        raise ValueError(f"{_shortened(value)} instead of {_shortened(expected)}")


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _expect_same(value: Any, expected: Any) -> None:
    if value.tobytes() != expected.tobytes():
        raise ValueError(f"differs from the expected estimate by up to {np.abs(value - expected).max():.2g}")


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
