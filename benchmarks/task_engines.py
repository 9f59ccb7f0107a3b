"""The same epochs with Dask and Ray, where these are installed: `pip install 'dask[distributed]' ray`."""

from __future__ import annotations

import importlib.util
import logging
import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .process_peers import least_disturbed

__all__ = ["ENGINES", "Engine", "installed"]


class Engine:
    """Epochs of some workers.

    Parameters
    ----------
    answer : callable
        Sends a vector to all workers, who send it back.
    read : callable
        Gives an array to all workers, who answer with its last number.
    """

    def __init__(self, answer: Callable[[Any], list[Any]], read: Callable[[Any], list[Any]]) -> None:
        self._answer = answer
        self._read = read

    def answering(self, size: int, warmup: int, epochs: int) -> float:
        """Return the time of an epoch with vectors."""
        vector = np.zeros(size)
        return _epoch(lambda: self._answer(vector), warmup, epochs)

    def broadcasting(self, size: int, warmup: int, epochs: int) -> float:
        """Return the time of an epoch with arrays that the workers only read."""
        array = np.zeros(size)

        def epoch() -> None:
            # a new array each time, or the engine would know it already
            array[-1] += 1
            assert self._read(array)[0] == array[-1]

        return _epoch(epoch, warmup, epochs)


def _epoch(job: Callable[[], object], warmup: int, epochs: int) -> float:
    times = []
    for _ in range(warmup + epochs):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return least_disturbed(times[warmup:])


def _echo(vector: Any) -> Any:
    return vector


def _last(array: Any) -> float:
    return float(array[-1])


@contextmanager
def _dask(workers: int) -> Iterator[Engine]:
    from distributed import Client, LocalCluster

    settings = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": logging.ERROR}
    with LocalCluster(n_workers=workers, **settings) as cluster, Client(cluster) as client:
        names = list(client.scheduler_info(n_workers=-1)["workers"])

        def run(function: Callable[..., Any], value: Any) -> list[Any]:
            futures = [client.submit(function, value, workers=name, pure=False) for name in names]
            return list(client.gather(futures))

        def read(array: Any) -> list[Any]:
            return run(_last, client.scatter(array, broadcast=True, hash=False))

        yield Engine(lambda vector: run(_echo, vector), read)


@contextmanager
def _ray(workers: int) -> Iterator[Engine]:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    class Worker:
        def echo(self, vector: Any) -> Any:
            return _echo(vector)

        def last(self, array: Any) -> float:
            return _last(array)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        actors = [ray.remote(Worker).remote() for _ in range(workers)]

        def read(array: Any) -> list[Any]:
            stored = ray.put(array)
            return list(ray.get([actor.last.remote(stored) for actor in actors]))

        yield Engine(lambda vector: list(ray.get([actor.echo.remote(vector) for actor in actors])), read)
    finally:
        ray.shutdown()


# by the module that must be there
ENGINES = {"distributed": ("Dask", _dask), "ray": ("Ray", _ray)}


def installed(module: str) -> bool:
    """Whether an engine can be imported."""
    return importlib.util.find_spec(module) is not None
