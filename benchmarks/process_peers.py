"""What one would write by hand with `multiprocessing`; it imports nothing that a worker of it does not need."""

from __future__ import annotations

import multiprocessing
import struct
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

__all__ = ["bare_start", "least_disturbed", "pickled_epoch", "raw_epoch"]

_HEAD = struct.Struct("<q")


def least_disturbed(times: Sequence[float]) -> float:
    """Return the time that a tenth of all are below."""
    return float(np.percentile(times, 10))


def _pickling_master(workers: list[Connection], result: Connection, size: int, warmup: int, epochs: int) -> None:
    vector = np.zeros(size)
    times = []
    for epoch in range(warmup + epochs):
        start = time.perf_counter()
        for worker in workers:
            worker.send((epoch, vector))
        answers = [worker.recv() for worker in workers]
        times.append(time.perf_counter() - start)
        assert answers[-1][0] == epoch
    result.send(least_disturbed(times[warmup:]))
    for worker in workers:
        worker.send(None)


def _pickling_worker(master: Connection) -> None:
    while (task := master.recv()) is not None:
        epoch, vector = task
        master.send((epoch, vector))


def _raw_master(workers: list[Connection], result: Connection, size: int, warmup: int, epochs: int) -> None:
    vector = np.zeros(size)
    times = []
    for epoch in range(warmup + epochs):
        start = time.perf_counter()
        task = _HEAD.pack(epoch) + vector.tobytes()
        for worker in workers:
            worker.send_bytes(task)
        answers = [_unpacked(worker.recv_bytes()) for worker in workers]
        times.append(time.perf_counter() - start)
        assert answers[-1][0] == epoch
    result.send(least_disturbed(times[warmup:]))
    for worker in workers:
        worker.send_bytes(b"")


def _raw_worker(master: Connection) -> None:
    while task := master.recv_bytes():
        epoch, vector = _unpacked(task)
        master.send_bytes(_HEAD.pack(epoch) + vector.tobytes())


def _unpacked(task: bytes) -> tuple[int, Any]:
    return _HEAD.unpack_from(task)[0], np.frombuffer(task, offset=_HEAD.size)


def _epoch(master: Callable[..., None], worker: Callable[..., None], workers: int, *settings: int) -> float:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    pipes = [context.Pipe() for _ in range(workers)]
    processes = [context.Process(target=worker, args=(theirs,)) for _, theirs in pipes]
    processes.append(context.Process(target=master, args=([ours for ours, _ in pipes], there, *settings)))
    for process in processes:
        process.start()
    seconds: float = here.recv()
    for process in processes:
        process.join()
    return seconds


def pickled_epoch(workers: int, size: int, warmup: int, epochs: int) -> float:
    """Return the time of an epoch whose vectors are pickled through pipes, with the master in a process too."""
    return _epoch(_pickling_master, _pickling_worker, workers, size, warmup, epochs)


def raw_epoch(workers: int, size: int, warmup: int, epochs: int) -> float:
    """Return the time of an epoch whose vectors are sent as bytes, with the master in a process too."""
    return _epoch(_raw_master, _raw_worker, workers, size, warmup, epochs)


def _answer(master: Connection) -> None:
    master.send(float(np.zeros(1)[0]))


def bare_start(workers: int) -> float:
    """Return the time in which processes with NumPy start and answer."""
    context = multiprocessing.get_context("spawn")
    start = time.monotonic()
    pipes = [context.Pipe() for _ in range(workers)]
    processes = [context.Process(target=_answer, args=(theirs,)) for _, theirs in pipes]
    for process in processes:
        process.start()
    for ours, _ in pipes:
        ours.recv()
    seconds = time.monotonic() - start
    for process in processes:
        process.join()
    return seconds
