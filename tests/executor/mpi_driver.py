"""What the ranks of the job behind the conformance suite do.

It is started as ``mpiexec -n 5 python -m tests.executor.mpi_driver DIRECTORY 0``.
Request k is the file request-k with a pickled (method, system, conditions or record, patience, options); all ranks read
it, those with a node run it, and rank 0 writes answer-k. Ranks sleep between requests.
"""

from __future__ import annotations

import pickle
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from codedtheory.executor.mpi_executor import MPIExecutor
from mpi4py import MPI

from codedtheory.executor import ExecutorError, RunRecord

PAUSE = 0.005


def serve(directory: Path, first: int) -> None:
    world = MPI.COMM_WORLD
    number = first
    while True:
        path = directory / f"request-{number}"
        while not path.exists():
            time.sleep(PAUSE)
        request = pickle.loads(path.read_bytes())  # noqa: S301 - written by the test
        if request is None:
            return
        method, system, conditions, patience, options = request
        if world.rank < len(system):
            group = world.group.Incl(range(len(system)))
            nodes = world.Create_group(group)
            answer = attempt(nodes, method, system, conditions, patience, options, directory / f"record-{number}")
            if world.rank == 0:
                (directory / f"answer-{number}").write_bytes(pickle.dumps(answer))
                sys.stdout.write(f"answer {number}\n")
                sys.stdout.flush()
            nodes.Free()
        number += 1


def attempt(
    nodes: Any, method: str, system: Any, conditions: Any, patience: float | None, options: Any, saved: Path
) -> Any:
    """Return where the record is, the results, and the error; None for what there is not."""
    executor = MPIExecutor(nodes, **({} if patience is None else {"patience": patience}))
    error: BaseException | None = None
    try:
        if method == "run":
            record = executor.run(system, conditions, **options)
        else:
            record = executor.replay(RunRecord.load(conditions), system)
    except ExecutorError as failure:
        error, record = failure, failure.record
        failure.record = None
    except Exception as failure:
        traceback.print_exc()
        error, record = failure, None
    if nodes.rank != 0:
        return None
    if record is not None:
        record.save(saved)
    return (saved, dict(record.results), error) if record is not None else (None, None, error)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
