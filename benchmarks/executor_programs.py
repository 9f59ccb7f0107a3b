"""Programs of the executor's contests, where processes and MPI ranks can import them."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import numpy as np

from codedtheory.executor import Node, Program, System, compute, send, star, wait

from .process_peers import least_disturbed

__all__ = ["answering", "averaging", "broadcasting", "first_answer"]

Run = Generator[Any, Any, Any]


def _master(node: Node, size: int, warmup: int, epochs: int) -> Run:
    vector = np.zeros(size)
    times = []
    for epoch in range(warmup + epochs):
        start = time.perf_counter()
        yield send(node.targets, vector, step=epoch)
        yield wait(step=epoch)
        times.append(time.perf_counter() - start)
    return least_disturbed(times[warmup:])


def _echo(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        yield send(0, task.value, step=task.step)


def answering(workers: int, size: int, warmup: int, epochs: int) -> System:
    """Node 0 sends a vector to all, and all send it back; the result of node 0 is the time of an epoch."""
    master = Program(_master, size, warmup, epochs)
    return System([master, *[Program(_echo, daemon=True)] * workers], star(workers))


def _broadcaster(node: Node, size: int, warmup: int, epochs: int) -> Run:
    array, copy = np.zeros(size), np.zeros(size)
    times, copies = [], []
    for epoch in range(warmup + epochs):
        array[-1] = epoch
        start = time.perf_counter()
        yield send(node.targets, array, step=epoch)
        answers = yield wait(step=epoch)
        middle = time.perf_counter()
        np.copyto(copy, array)
        end = time.perf_counter()
        assert answers.values() == [epoch] * len(node.targets)
        if epoch >= warmup:
            times.append(middle - start)
            copies.append(end - middle)
    return least_disturbed(times), least_disturbed(copies)


def _reader(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        last = float(task.value[-1])
        step = task.step
        # whoever keeps a message keeps its place in the sender's memory
        del task
        yield send(0, last, step=step)


def broadcasting(workers: int, size: int, warmup: int, epochs: int) -> System:
    """Node 0 sends an array to all, who answer with its last number; its result: times of an epoch and of a copy."""
    master = Program(_broadcaster, size, warmup, epochs)
    return System([master, *[Program(_reader, daemon=True)] * workers], star(workers))


def _first(node: Node) -> Run:
    yield wait()
    return time.monotonic()


def _ready(node: Node) -> Run:
    yield send(0, float(np.zeros(1)[0]))


def first_answer(workers: int) -> System:
    """All send a number to node 0, whose result is when it has them, on the system's monotonic clock."""
    return System([Program(_first), *[Program(_ready)] * workers], star(workers))


def _average(node: Node, size: int, k: int, steps: int) -> Run:
    model = np.zeros(size)
    for step in range(steps):
        yield send(node.targets, model, step=step)
        answers = yield wait(step=step, count=k)
        model = model - sum(answers.values()) / k
    return model


def _gradient(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        gradient = yield compute(np.subtract, task.value, node.id, step=task.step)
        yield send(0, gradient, step=task.step)


def averaging(workers: int, size: int, k: int, steps: int) -> System:
    """Node 0 averages the answers of the first k workers in each step."""
    return System([Program(_average, size, k, steps), *[Program(_gradient, daemon=True)] * workers], star(workers))
