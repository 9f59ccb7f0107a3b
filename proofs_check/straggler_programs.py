"""Programs of the claims about runs, in a module where the processes of a run find them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor import (
    ACK,
    Arrivals,
    DeadlockError,
    DelayLaw,
    Node,
    Program,
    RunRecord,
    StragglerModel,
    System,
    acknowledge,
    compute,
    now,
    send,
    star,
    wait,
)
from codedtheory.executor.delay_stream import DelayStream

__all__ = [
    "InTurn",
    "Rounds",
    "answer_times",
    "batches",
    "bulk_synchronous",
    "fastest_first",
    "gathering",
    "gradient_step",
    "neighbourly",
    "reducing",
]

Effects = Generator[Any, Any, Any]
Vector = NDArray[np.float64]
Edges = Iterable[tuple[int, int]]


def gathering(workers: int, steps: int) -> System:
    """Return a master that asks all workers in every step and waits for all of them."""
    return System([Program(ask, steps, workers), *[Program(answer, daemon=True)] * workers], star(workers))


def fastest_first(workers: int, steps: int, awaited: int) -> System:
    """Return a master that goes on with the fastest answers, while slow workers first finish what they were asked."""
    return System([Program(ask, steps, awaited), *[Program(answer, daemon=True)] * workers], star(workers))


def batches(workers: int, updates: int, batch: int) -> System:
    """Return a master that updates after a number of results, from whichever of the workers, who never wait."""
    programs = [Program(collect, updates, batch), *[Program(produce, daemon=True)] * workers]
    return System(programs, star(workers))


def neighbourly(edges: Edges, rounds: int) -> System:
    """Return nodes that wait for their in-neighbours in every round."""
    pairs = list(edges)
    return System([Program(compute_and_exchange, rounds)] * (1 + max(map(max, pairs))), pairs)


def reducing(edges: Edges, rounds: int, costs: Iterable[float] = (), acknowledged: bool = True) -> System:
    """Return nodes that average models with their in-neighbours, by NOTIFY-ACK or NOTIFY alone; cost 1 by default."""
    pairs = list(edges)
    nodes = range(1 + max(map(max, pairs)))
    work = list(costs) or [1.0] * len(nodes)
    program = reduce_acknowledged if acknowledged else reduce_notified
    return System([Program(program, rounds, work[node]) for node in nodes], pairs)


def answer_times(record: RunRecord) -> Vector:
    """Return how long after the end of the step before the first, second, ... answer came: a row for every step."""
    waits = record.waits()
    arrived = np.array([[arrival.arrived for arrival in wait.taken] for wait in waits])
    ends = np.array([0.0, *(wait.time for wait in waits[:-1])])
    times: Vector = arrived - ends[:, np.newaxis]
    return times


@dataclass(frozen=True)
class InTurn(StragglerModel):
    """Delays whose law is another one from step to step."""

    laws: tuple[DelayLaw, ...]

    @property
    def mean_delay(self) -> float:
        """The mean over the laws, in seconds."""
        return sum(law.mean_delay for law in self.laws) / len(self.laws)

    def described(self) -> dict[str, Any]:
        """Return the laws, for the manifest of a run."""
        return {"model": "InTurn", "laws": [law.described() for law in self.laws]}

    def _stream(self, node: int, seed: int) -> DelayStream:
        return _StreamsInTurn([law.stream(node, seed) for law in self.laws])


class _StreamsInTurn:
    def __init__(self, streams: list[DelayStream]) -> None:
        self._streams = streams

    def row(self, step: int) -> tuple[float, float]:
        return self._streams[step % len(self._streams)].row(step)


# -- master and workers ---------------------------------------------------------------------------------


def ask(node: Node, steps: int, awaited: int) -> Effects:
    """Ask all workers in every step, and wait for some of them."""
    for step in range(steps):
        yield send(node.targets, step=step)
        yield wait(step=step, count=awaited)


def answer(node: Node) -> Effects:
    """Answer whatever is asked, one after the other."""
    while True:
        task = (yield wait(0)).only
        yield compute(nothing, cost=0, step=task.step)
        yield send(0, step=task.step)


def collect(node: Node, updates: int, batch: int) -> Effects:
    """Wait for the results of one update after the other, and return the times of the updates."""
    times = []
    for _ in range(updates):
        for _ in range(batch):
            arrivals = yield wait(count=1)
        times.append(arrivals.time)
    return times


def produce(node: Node) -> Effects:
    """Compute without a break."""
    for step in count():
        yield compute(nothing, cost=0, step=step)
        yield send(0, step=step)


def nothing() -> None:
    """Compute nothing: what remains of the computation is its delay."""


# -- nodes that wait for their neighbours ---------------------------------------------------------------


class Rounds(NamedTuple):
    """What a node of `reducing` saw: its models, when it sent and reduced, and which messages it used."""

    models: list[Vector]
    sent: list[float]
    reduced: list[float]
    used: list[list[int]]

    def reduce(self, own: Vector, received: Arrivals) -> Vector:
        """Average the node's own model with those that it received, and note what it used and when."""
        model: Vector = (own + sum(received.values())) / (1 + len(received))
        self.models.append(model)
        self.reduced.append(received.time)
        self.used.append([message.step or 0 for message in received.messages])
        return model


def compute_and_exchange(node: Node, rounds: int) -> Effects:
    """Compute, tell the out-neighbours, wait for the in-neighbours; return when the last round ended."""
    arrivals: Arrivals
    for step in range(rounds):
        yield compute(nothing, cost=0, step=step)
        yield send(node.targets, step=step)
        arrivals = yield wait(node.sources, step=step)
    return arrivals.time


def reduce_acknowledged(node: Node, rounds: int, cost: float) -> Effects:
    """Average with the in-neighbours in every round; send again when all out-neighbours have used the last message."""
    model, seen = initial_model(node.id), Rounds([], [], [], [])
    for step in range(rounds):
        stepped = yield compute(gradient_step, model, node.id, cost=cost, step=step)
        if step > 0:
            yield wait(node.targets, tag=ACK, step=step - 1)
        seen.sent.append((yield now()))
        yield send(node.targets, stepped, step=step, slot=True)
        received = yield wait(node.sources)
        model = seen.reduce(stepped, received)
        yield acknowledge(received)
    return seen


def reduce_notified(node: Node, rounds: int, cost: float) -> Effects:
    """Do the same without acknowledgements, until the rounds are over or an in-neighbour has ended."""
    model, seen = initial_model(node.id), Rounds([], [], [], [])
    for step in range(rounds):
        stepped = yield compute(gradient_step, model, node.id, cost=cost, step=step)
        seen.sent.append((yield now()))
        yield send(node.targets, stepped, step=step, slot=True)
        try:
            received = yield wait(node.sources)
        except DeadlockError:
            break
        model = seen.reduce(stepped, received)
    return seen


def initial_model(node: int) -> Vector:
    """Return where a node begins."""
    return np.array([1.0, -1.0, 0.5]) * (node + 1) / 3


def gradient_step(model: Vector, node: int) -> Vector:
    """Return the model after a step along the gradient of a function that only this node knows."""
    return model - 0.1 * (np.sin(model) + node / 7)


def bulk_synchronous(edges: Edges, rounds: int) -> list[list[Vector]]:
    """Return the models that `reducing` would have with a barrier after every round, by node and round."""
    pairs = sorted(edges)
    nodes = range(1 + max(map(max, pairs)))
    sources = [[i for i, j in pairs if j == node] for node in nodes]
    models = [initial_model(node) for node in nodes]
    history: list[list[Vector]] = [[] for _ in nodes]
    for _ in range(rounds):
        stepped = [gradient_step(model, node) for node, model in enumerate(models)]
        models = [(stepped[i] + sum(stepped[j] for j in sources[i])) / (1 + len(sources[i])) for i in nodes]
        for node, model in enumerate(models):
            history[node].append(model)
    return history
