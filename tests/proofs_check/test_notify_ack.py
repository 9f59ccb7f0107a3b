"""Twins and pins of the claims about NOTIFY-ACK on runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from codedtheory.claims import Claim
from codedtheory.executor import Arrivals, Exponential, VirtualExecutor
from proofs_check import notify_ack as catalogue
from proofs_check.straggler_programs import Rounds, bulk_synchronous, gradient_step, initial_model, reducing
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.notify_ack"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("asap.notifyack.invariant")
@teeth.twin("asap.notifyack.skew")
@teeth.twin("asap.notifyack.serial")
def nobody_waits_for_acknowledgements(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.reducing", partial(reducing, acknowledged=False))
    return claim


@teeth.twin("asap.notifyack.serial")
def sums_in_the_order_of_arrival(claim: Claim, patch: Any) -> Claim:
    def reduce(self: Rounds, own: Any, received: Arrivals) -> Any:
        model = (own + sum(received[i] for i in received.order)) / (1 + len(received))
        self.models.append(model)
        self.reduced.append(received.time)
        self.used.append([message.step or 0 for message in received.messages])
        return model

    patch.setattr("proofs_check.straggler_programs.Rounds.reduce", reduce)
    return claim


@teeth.twin("asap.notifyack.measured")
def nobody_waits_for_acknowledgements_on_processes(claim: Claim, patch: Any) -> Claim:
    # on the virtual clock, so that the violation is the same when it is looked at again
    patch.setattr(f"{MODULE}.ProcessExecutor", VirtualExecutor)
    patch.setattr(f"{MODULE}.reducing", partial(reducing, acknowledged=False))
    return claim


@teeth.twin("asap.notifyack.rate")
def fast_nodes_do_not_wait(claim: Claim, patch: Any) -> Claim:
    def corrupt(edges: Any, rounds: int, costs: Sequence[float]) -> Any:
        return reducing(edges, 3 * rounds, costs, acknowledged=False)

    patch.setattr(f"{MODULE}.reducing", corrupt)
    return claim


@teeth.twin("asap.notify.rate")
@teeth.twin("asap.notify.overwrite")
@teeth.twin("asap.notify.overwrite.connected")
def acknowledged_after_all(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.reducing", lambda *given, acknowledged: reducing(*given, acknowledged=True))
    return claim


@teeth.twin("asap.notify.overwrite.connected")
def ring_cut_open(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.reducing", lambda edges, *given, **options: reducing(edges[:-1], *given, **options))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def times_by_recursion(edges: Any, n: int, rounds: int, work: Any) -> tuple[Any, Any]:
    """Return when the nodes send and reduce, with work(i, k) the time of a computation and no latency."""
    sent, reduced = np.zeros((rounds, n)), np.zeros((rounds, n))
    for k in range(rounds):
        for i in range(n):
            before = [reduced[k - 1, j] for a, j in edges if a == i] if k else []
            sent[k, i] = max([(reduced[k - 1, i] if k else 0.0) + work(i, k), *before])
        for i in range(n):
            reduced[k, i] = max([sent[k, i], *(sent[k, j] for j, b in edges if b == i)])
    return sent, reduced


@teeth.pin("asap.notifyack.invariant", comparison=3, n=6, rng=np.random.default_rng(3))
def lead_of_the_first_pair_by_recursion() -> int:
    rng = np.random.default_rng(3)
    edges, slow, seed = catalogue.random_digraph(6, rng), int(rng.integers(6)), int(rng.integers(2**63))
    streams = [Exponential(1.0).stream(node, seed) for node in range(6)]
    sent, _ = times_by_recursion(edges, 6, 30, lambda i, k: (20.0 if i == slow else 1.0) + streams[i].row(k)[1])
    one, other = next(iter(catalogue.undirected_distances(edges)))
    return max(k + 1 - sum(time <= sent[k, one] + 1e-9 for time in sent[:, other]) for k in range(30))


@teeth.pin("asap.notifyack.skew", n=8, graph="path")
def seven_on_a_path_of_eight() -> int:
    return 7


@teeth.pin("asap.notifyack.skew", n=8, graph="ring")
def four_on_a_ring_of_eight() -> int:
    return 4


@teeth.pin("asap.notifyack.serial", comparison=1, n=5, rng=np.random.default_rng(3))
@teeth.pin("asap.notifyack.measured", comparison=1, rng=np.random.default_rng(3))
def none() -> int:
    return 0


@teeth.pin("asap.notifyack.rate", comparison=1, a=1, b=1, c=5, L=0, graph="path")
def upstream_node_at_the_pace_of_the_slow_one() -> int:
    return 5


@teeth.pin("asap.notifyack.rate", comparison=2, a=1, b=2, c=1, L=2, graph="ring")
def ring_with_latency_by_recursion() -> Fraction:
    # three computations and three messages make three rounds, but a message and its acknowledgement take 4
    return Fraction(4)


@teeth.pin("asap.notify.rate", comparison=0, a=1, b=1, c=5, graph="path")
def upstream_node_at_its_own_pace() -> int:
    return 1


@teeth.pin("asap.notify.rate", comparison=2, a=1, b=1, c=5, graph="path")
def slow_node_at_its_own_pace() -> int:
    return 5


@teeth.pin("asap.notify.overwrite", comparison=0, c=5, R=20)
def all_but_those_used_at_five_ten_fifteen_twenty_and_the_last() -> int:
    # at 5, 10, 15 and 20 node 1 takes what node 0 sent then or a second before, and at 25 what is left
    return 20 - 5


@teeth.pin("asap.notify.overwrite.connected", comparison=1, n=4, rng=np.random.default_rng(3))
def lead_on_a_ring_by_recursion() -> int:
    seed = int(np.random.default_rng(3).integers(2**63))
    streams = [Exponential(5.0).stream(node, seed) for node in range(4)]
    sent = asynchronous_ring(4, 200, lambda i, k: 1.0 + streams[i].row(k)[1])
    return max(k + 1 - sum(time <= t for time in sent[1]) for k, t in enumerate(sent[0]))


def asynchronous_ring(n: int, rounds: int, work: Any) -> list[list[float]]:
    """Return the times of the sends where a node reduces as soon as its predecessor has sent since the last time."""
    sent: list[list[float]] = [[] for _ in range(n)]
    looked, ready = [-1.0] * n, [work(i, 0) for i in range(n)]
    waiting: set[int] = set()
    while True:
        moves = [i for i in range(n) if i not in waiting and len(sent[i]) < rounds]
        if not moves:
            return sent
        i = min(moves, key=ready.__getitem__)
        now = ready[i]
        sent[i].append(now)
        waiting.add(i)
        for j in (i, (i + 1) % n):
            news = sent[(j - 1) % n]
            if j in waiting and news and news[-1] > looked[j]:
                looked[j] = now
                waiting.discard(j)
                ready[j] = now + work(j, len(sent[j]))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


# -- what is counted ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "reduced", "count"),
    [
        ([1.0, 3.0], [2.0, 4.0], 0),
        ([1.0, 1.0], [1.0, 1.0], 0),
        ([1.0, 3.0], [0.5, 4.0], 1),
        ([1.0, 3.0], [3.5, 4.0], 1),
    ],
)
def test_sends_and_reduces_out_of_turn_are_counted(sent: list[float], reduced: list[float], count: int) -> None:
    assert catalogue.out_of_turn(sent, reduced) == count


def test_a_lead_counts_sends_at_one_time_on_both_sides() -> None:
    seen = {node: Rounds([], sent, [], []) for node, sent in enumerate(([1.0, 2.0, 3.0], [2.0, 9.0, 9.5]))}
    record = type("Record", (), {"results": seen})()
    assert catalogue.lead(record, 0, 1) == 2
    assert catalogue.lead(record, 1, 0) == 0


@pytest.mark.parametrize("graph", sorted(catalogue.GRAPHS))
@pytest.mark.parametrize("latency", [0, 1])
def test_the_largest_cycle_mean_is_the_period_of_the_recursion(graph: str, latency: int) -> None:
    edges, costs, rounds = catalogue.GRAPHS[graph], (1, 2, 4), 60
    sent, reduced = np.zeros((rounds, 3)), np.zeros((rounds, 3))
    for k in range(rounds):
        for i in range(3):
            used = [reduced[k - 1, j] + latency for a, j in edges if a == i] if k else []
            sent[k, i] = max([(reduced[k - 1, i] if k else 0.0) + costs[i], *used])
        for i in range(3):
            reduced[k, i] = max([sent[k, i], *(sent[k, j] + latency for j, b in edges if b == i)])
    assert catalogue.maximum_cycle_mean(edges, costs, latency) == Fraction(reduced[-1, 0] - reduced[-13, 0]) / 12


def test_bulk_synchronous_rounds_average_after_a_step() -> None:
    (model,) = bulk_synchronous([(0, 1)], 1)[1]
    own, other = (gradient_step(initial_model(node), node) for node in (1, 0))
    assert np.array_equal(model, (own + other) / 2)


@pytest.mark.parametrize("seed", range(3))
def test_random_digraphs_are_connected(seed: int) -> None:
    edges = catalogue.random_digraph(7, np.random.default_rng(seed))
    assert len(catalogue.undirected_distances(edges)) == 7 * 6
    assert len(set(edges)) == len(edges)


def test_ancestors_follow_edges_backwards() -> None:
    assert catalogue.ancestors([(0, 1), (1, 2), (3, 2), (2, 4)], 2) == {0, 1, 2, 3}
