"""What rank 0 of the job behind the conformance suite does; the other ranks serve its executors.

It is started as ``mpiexec -n 5 python -m tests.executor.mpi_driver DIRECTORY 0``. Request k is the file request-k with
a pickled (method, system, conditions or record, patience, options); the answer goes to answer-k and is told in a line.
"""

from __future__ import annotations

import pickle
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from codedtheory.executor import ExecutorError, RunRecord
from codedtheory.executor.mpi_executor import MPIExecutor

PAUSE = 0.005


def serve(directory: Path, number: int) -> None:
    # all ranks but the first stay in here
    MPIExecutor()
    while True:
        path = directory / f"request-{number}"
        while not path.exists():
            time.sleep(PAUSE)
        request = pickle.loads(path.read_bytes())  # noqa: S301 - written by the test
        if request is None:
            return
        answer = attempt(directory / f"record-{number}", *request)
        (directory / f"answer-{number}").write_bytes(pickle.dumps(answer))
        sys.stdout.write(f"answer {number}\n")
        sys.stdout.flush()
        number += 1


def attempt(saved: Path, method: str, system: Any, conditions: Any, patience: float | None, options: Any) -> Any:
    """Return where the record is, the results, and the error; None for what there is not."""
    error: BaseException | None = None
    record: Any = None
    try:
        executor = MPIExecutor() if patience is None else MPIExecutor(patience=patience)
        if method == "run":
            record = executor.run(system, conditions, **options)
        else:
            record = executor.replay(RunRecord.load(conditions), system)
    except ExecutorError as failure:
        error, record = failure, failure.record
        failure.record = None
    except Exception as failure:
        failure.add_note("".join(traceback.format_exception(failure)))
        error = failure
    if record is None:
        return None, None, error
    record.save(saved)
    return saved, dict(record.results), error


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
