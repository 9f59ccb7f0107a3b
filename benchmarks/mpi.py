"""The MPI executor against the loops that one writes with mpi4py."""

from __future__ import annotations

import importlib.util
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .contest import Contest

RANKS = 4
BATCHES = 5
# side: epochs before those that count, and those
EPOCHS = {"executor": (100, 1000), "testsome": (100, 1000), "waitsome": (5, 50)}
ROOT = Path(__file__).parents[1]


def _mpiexec() -> str | None:
    beside = Path(sys.executable).parent / "mpiexec"
    return str(beside) if beside.exists() else shutil.which("mpiexec")


def _epoch(mpiexec: str, side: str) -> float:
    ranks = [mpiexec, "-n", str(RANKS), sys.executable, "-m", "benchmarks.mpi_ranks"]
    arguments = [side, *map(str, EPOCHS[side])]
    output = subprocess.run([*ranks, *arguments], check=True, capture_output=True, text=True, timeout=300, cwd=ROOT)
    return float(output.stdout)


def contests() -> Iterator[Contest | str]:
    """Yield the contests of this module."""
    mpiexec = _mpiexec()
    if mpiexec is None or importlib.util.find_spec("mpi4py") is None:
        yield "mpiexec or mpi4py is not installed: pip install 'codedtheory[mpi]'"
        return
    times: dict[str, list[float]] = {side: [] for side in EPOCHS}
    for _ in range(BATCHES):
        for side in EPOCHS:
            times[side].append(_epoch(mpiexec, side))
    ours, yielding, waiting = (statistics.median(times[side]) for side in EPOCHS)
    job = f"epoch of {RANKS - 1} ranks: 100 doubles to all and back, every wait recorded"
    remark = f"median of {BATCHES} jobs in turn of the least disturbed epochs"
    yield Contest(job, "Isend, Irecv, and Testsome with sched_yield by hand", ours, yielding, 2, True, remark)
    yield Contest(job, "Isend, Irecv and Waitsome by hand", ours, waiting, 2, True, remark)
