"""Programs of the self-test, where every process and every rank can import them."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.effects import acknowledge, compute, log, now, send, wait
from codedtheory.executor.errors import LostWorkersError
from codedtheory.executor.message import ACK
from codedtheory.executor.system import Node, Program, System, ring, star

__all__ = ["arrays", "averages", "averaging", "bereaved", "deadlines", "echo", "fingerprint", "flood", "neighbours"]

Run = Generator[Any, Any, Any]


def averaging(nodes: int, k: int, steps: int) -> System:
    """Return a system whose master moves to the average of the k fastest of its workers' answers."""
    workers = [Program(_residual_worker, np.linspace(i, i + 1, 6), daemon=True) for i in range(nodes - 1)]
    return System([Program(_averaging_master, k, steps), *workers], star(nodes - 1))


def bereaved(nodes: int, steps: int) -> System:
    """Return a system whose master waits for all of its workers, and for those that are left when one is lost."""
    workers = [Program(_residual_worker, np.linspace(i, i + 1, 6), daemon=True) for i in range(nodes - 1)]
    return System([Program(_bereaved_master, steps), *workers], star(nodes - 1))


def neighbours(nodes: int, rounds: int) -> System:
    """Return a directed ring that averages in rounds: a slot is written again only when it was acknowledged."""
    return System([Program(_ring_member, rounds) for _ in range(nodes)], ring(nodes))


def averages(nodes: int, rounds: int) -> list[float]:
    """Return what the members of the ring must have after so many rounds."""
    values = [float(node) for node in range(nodes)]
    for _ in range(rounds):
        values = [(values[node] + values[node - 1]) / 2 for node in range(nodes)]
    return values


def arrays() -> list[Any]:
    """Return values of all kinds: empty, large, with gaps, records, text."""
    return [
        np.zeros((0, 3)),
        _numbers(512),
        _numbers(512)[::3, ::-2],
        np.asfortranarray(_numbers(200)),
        np.array([(1, 0.5), (2, np.nan)], dtype=[("n", "i4"), ("x", "f8")]),
        {"name": "both", "parts": (_numbers(50), np.arange(4, dtype=np.int8)), "none": None},
    ]


def echo(nodes: int) -> System:
    """Return a system in which every node returns the fingerprints of what node 0 has sent to it."""
    return System([Program(_array_source), *[Program(_array_sink) for _ in range(nodes - 1)]], star(nodes - 1))


def deadlines(nodes: int, seconds: float) -> System:
    """Return a system whose master waits for workers that answer too late, and then for their answers."""
    workers = [Program(_silent_worker, daemon=True) for _ in range(nodes - 1)]
    return System([Program(_impatient_master, seconds), *workers], star(nodes - 1))


def flood(nodes: int, messages: int, capacity: int) -> System:
    """Return a system whose workers send more at once than the queues hold."""
    workers = [Program(_flooding_worker, messages) for _ in range(nodes - 1)]
    return System([Program(_collecting_master, messages), *workers], star(nodes - 1), capacity=capacity)


def fingerprint(value: Any) -> str:
    """Return a text that tells apart what differs in type, shape or any bit.

    Examples
    --------
    >>> fingerprint(np.zeros(3)) == fingerprint(np.zeros((3, 1)))
    False
    """
    if isinstance(value, np.ndarray):
        digest = hashlib.sha256(value.tobytes()).hexdigest()
        return f"{value.dtype.descr} {value.shape} {digest}"
    if isinstance(value, dict):
        return str({key: fingerprint(item) for key, item in value.items()})
    if isinstance(value, tuple):
        return str([fingerprint(item) for item in value])
    return repr(value)


def _numbers(rows: int) -> NDArray[np.float64]:
    return np.random.default_rng(5).normal(size=(rows, 1024))


def _averaging_master(node: Node, k: int, steps: int) -> Run:
    estimate = np.zeros(6)
    for step in range(steps):
        yield send(node.targets, estimate, step=step, slot=True)
        answers = yield wait(step=step, count=k)
        estimate = estimate + sum(answers.values()) / k
        yield log(step=step, estimate=estimate)
    return estimate


def _residual_worker(node: Node, block: NDArray[np.float64]) -> Run:
    while True:
        task = (yield wait(0)).only
        answer = yield compute(np.subtract, block, task.value, cost=1.0, step=task.step)
        yield send(0, answer + 0.01 * node.random.normal(size=6), step=task.step)


def _bereaved_master(node: Node, steps: int) -> Run:
    counts = []
    for step in range(steps):
        yield send([worker for worker in node.targets if worker not in node.lost], np.zeros(6), step=step)
        try:
            answers = yield wait(step=step)
        except LostWorkersError as loss:
            answers = yield wait(step=step, count=len(node.sources) - len(loss.lost))
        counts.append(len(answers))
    return counts


def _ring_member(node: Node, rounds: int) -> Run:
    value = float(node.id)
    replaced = 0
    for k in range(rounds):
        yield send(node.targets, value, step=k, slot=True)
        arrivals = yield wait(step=k)
        replaced += arrivals.only.replaced
        value = (value + arrivals.only.value) / 2
        yield acknowledge(arrivals)
        yield wait(step=k, tag=ACK)
    return value, replaced


def _array_source(node: Node) -> Run:
    for step, value in enumerate(arrays()):
        yield send(node.targets, value, step=step)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            # the receivers see it as it was
            value += 1
    return None


def _array_sink(node: Node) -> Run:
    seen = []
    for step in range(len(arrays())):
        value = (yield wait(0, step=step)).only.value
        seen.append(fingerprint(value))
        if isinstance(value, np.ndarray) and value.flags.writeable:
            seen.append("writeable")
    return seen


def _impatient_master(node: Node, seconds: float) -> Run:
    begin = yield now()
    early = yield wait(step=0, timeout=seconds)
    end = yield now()
    yield send(node.targets, step=0)
    late = yield wait(step=0)
    return len(early), early.complete, end - begin, len(late)


def _silent_worker(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        yield send(0, step=task.step)


def _flooding_worker(node: Node, messages: int) -> Run:
    for number in range(messages):
        yield send(0, number)
    return messages


def _collecting_master(node: Node, messages: int) -> Run:
    seen = []
    for _ in range(messages):
        seen.append((yield wait()).values())
    return seen
