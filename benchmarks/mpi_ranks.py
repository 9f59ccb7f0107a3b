"""One side of the MPI contest: ``mpiexec -n 4 python -m benchmarks.mpi_ranks SIDE WARMUP EPOCHS`` prints its time."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np

from .process_peers import least_disturbed

SIZE = 100


def by_hand(warmup: int, epochs: int, yielding: bool) -> float:
    """Return the time of an epoch of the usual loop; the master never waits for a message to be sent."""
    from mpi4py import MPI

    from codedtheory.mpi_world import open_world

    world = open_world()
    if world.Get_rank():
        _work(world, yielding)
        return 0.0
    workers = range(1, world.Get_size())
    vector = np.zeros(SIZE)
    tasks = [np.empty(SIZE) for _ in workers]
    answers = [np.empty(SIZE) for _ in workers]
    times = []
    for epoch in range(warmup + epochs):
        start = time.perf_counter()
        receipts = [world.Irecv(answers[i], source=worker, tag=epoch) for i, worker in enumerate(workers)]
        sends = []
        for i, worker in enumerate(workers):
            tasks[i][:] = vector
            sends.append(world.Isend(tasks[i], dest=worker, tag=epoch))
        arrived = 0
        while arrived < len(receipts):
            done = MPI.Request.Testsome(receipts) if yielding else MPI.Request.Waitsome(receipts)
            arrived += len(done or ())
            if yielding and not done:
                os.sched_yield()
        MPI.Request.Waitall(sends)
        times.append(time.perf_counter() - start)
    for worker in workers:
        world.Send(np.empty(0), dest=worker)
    return least_disturbed(times[warmup:])


def _work(world: Any, yielding: bool) -> None:
    from mpi4py import MPI

    task = np.empty(SIZE)
    status = MPI.Status()
    while True:
        receipt = world.Irecv(task, source=0, tag=MPI.ANY_TAG)
        if yielding:
            while not receipt.Test(status):
                os.sched_yield()
        else:
            receipt.Wait(status)
        if not status.Get_count(MPI.DOUBLE):
            return
        world.Send(task, dest=0, tag=status.Get_tag())


def ours(warmup: int, epochs: int) -> float:
    """Return the time of an epoch of the MPI executor."""
    from mpi4py import MPI

    from codedtheory.executor.mpi_executor import MPIExecutor

    from .executor_programs import answering

    with MPIExecutor() as executor:
        system = answering(MPI.COMM_WORLD.Get_size() - 1, SIZE, warmup, epochs)
        return float(executor.run(system).results[0])


def main() -> None:
    """Print the time of an epoch on rank 0."""
    side, warmup, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seconds = ours(warmup, epochs) if side == "executor" else by_hand(warmup, epochs, side == "testsome")
    if seconds:
        sys.stdout.write(f"{seconds!r}\n")


if __name__ == "__main__":
    main()
