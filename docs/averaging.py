"""k-of-n averaging: the same programs on a virtual clock, on processes, and on MPI ranks."""

import sys

import numpy as np

from codedtheory.executor import (
    Conditions, MPIExecutor, ProcessExecutor, Program, SlowSet, System, VirtualExecutor, compute, log, send, star, wait,
)  # fmt: skip


def master(node, k, steps):
    """Send the current estimate, and move it to the average of the k fastest answers."""
    estimate = np.zeros(3)
    for step in range(steps):
        yield send(node.targets, estimate, step=step, slot=True)
        answers = yield wait(step=step, count=k)
        estimate = estimate + sum(answers.values()) / k
        yield log(step=step, estimate=estimate, late=len(answers.late))
    return estimate


def residual(block, estimate, step):
    """Return how far the estimate is from the mean of a third of the block."""
    return block[step % 3 :: 3].mean(axis=0) - estimate


def worker(node, block):
    """Answer the newest estimate, for ever."""
    while True:
        task = (yield wait(0)).only
        answer = yield compute(residual, block, task.value, task.step, cost=1.0, step=task.step)
        yield send(0, answer, step=task.step)


if __name__ == "__main__":
    executors = {"virtual": VirtualExecutor, "processes": ProcessExecutor, "mpi": MPIExecutor}
    executor = executors[sys.argv[1] if len(sys.argv) > 1 else "virtual"]()
    blocks = np.random.default_rng(7).normal(loc=[1, 2, 3], size=(6, 30, 3))
    system = System(
        [Program(master, k=4, steps=10), *(Program(worker, block, daemon=True) for block in blocks)], star(6)
    )
    record = executor.run(system, Conditions(seed=1, unit=0.02, stragglers=SlowSet([2, 5], slowdown=100)), steps=10)
    print(*(float(x).hex() for x in record.results[0]))
    print(record, file=sys.stderr)
