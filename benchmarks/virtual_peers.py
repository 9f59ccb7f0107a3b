"""The averaging of `executor_programs` as one would write it with SimPy alone: generators and stores."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import simpy

__all__ = ["averaging_with_stores"]

Process = Generator[Any, Any, Any]


def averaging_with_stores(workers: int, size: int, k: int, steps: int, seed: int) -> float:
    """Return when the last step ended, on the simulated clock."""
    env = simpy.Environment()
    queues = [simpy.Store(env) for _ in range(workers)]
    answers = simpy.Store(env)
    streams = [np.random.default_rng([seed, node]) for node in range(workers)]

    def master() -> Process:
        model = np.zeros(size)
        for step in range(steps):
            task = model.copy()
            for queue in queues:
                queue.put((step, task))
            arrived: dict[int, Any] = {}
            while len(arrived) < k:
                node, of, gradient = yield answers.get()
                if of == step:
                    arrived[node] = gradient
            model = model - sum(arrived[node] for node in sorted(arrived)) / k
        return model

    def worker(node: int) -> Process:
        delays = iter(streams[node].exponential(1.0, steps).tolist())
        while True:
            step, task = yield queues[node].get()
            gradient = np.subtract(task, node + 1)
            yield env.timeout(1.0 + next(delays))
            answers.put((node, step, gradient.copy()))

    for node in range(workers):
        env.process(worker(node))
    env.run(env.process(master()))
    return float(env.now)
