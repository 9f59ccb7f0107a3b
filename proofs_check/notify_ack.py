"""NOTIFY-ACK of ASAP on real runs: nobody runs ahead, nothing is overwritten, no iterate differs from lock step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from codedtheory.claims import Comparison, Measured, at_least, at_most, claim, close, derived, equal, samples, sweep
from codedtheory.executor import Conditions, Exponential, Link, RunRecord, VirtualExecutor
from codedtheory.executor.process_executor import ProcessExecutor
from proofs_check.straggler_programs import Rounds, bulk_synchronous, reducing

Edge = tuple[int, int]

GRAPHS: dict[str, tuple[Edge, ...]] = {
    "path": ((0, 1), (1, 2)),
    "star": ((0, 1), (2, 0)),
    "fork": ((0, 1), (0, 2)),
    "join": ((0, 2), (1, 2)),
    "triangle": ((0, 1), (0, 2), (1, 2)),
    "ring": ((0, 1), (1, 2), (2, 0)),
    "two rings": ((0, 1), (1, 0), (1, 2), (2, 1)),
}
COUNTERS = r"s_i, r_i \text{ the numbers of sends and reduces of node } i: \quad "
PROTOCOL = (
    "a node computes, waits for the acknowledgements of its last messages, sends, waits for a message of each "
    "in-neighbour, averages and acknowledges"
)
SKEW = derived("send s_i + 1 needs r_j >= s_i, reduce r_j + 1 needs s_i >= r_j + 1")
SERIAL = derived("every edge is a channel with one place: no timing changes what is read")


@claim(
    "asap.notifyack.invariant",
    statement=COUNTERS + r"r_j\le s_i\le r_j+1 \text{ on every edge } i\to j,\ r_i\le s_i\le r_i+1,\quad "
    r"|s_i-s_j|\le\operatorname{dist}(i,j),\quad \text{no message is overwritten}",
    source=SKEW,
    over=samples(20, "3 <= n <= 8", quick_count=6, full_count=400),
    hypotheses=PROTOCOL,
    method="Random connected digraphs, 30 rounds, exponential delays, one node 20 times slower; on the virtual clock.",
)
def asap_notifyack_invariant(n: int, rng: np.random.Generator) -> Iterator[Comparison]:
    """Under NOTIFY-ACK no node runs ahead of a neighbour by more than a round, and nothing is overwritten."""
    edges, slow = random_digraph(n, rng), int(rng.integers(n))
    conditions = Conditions(int(rng.integers(2**63)), speeds={slow: 0.05}, stragglers=Exponential(1.0))
    record = VirtualExecutor().run(reducing(edges, rounds=30), conditions, watch=())
    yield from invariants(record, edges, rounds=30)


@claim(
    "asap.notifyack.skew",
    statement=COUNTERS + r"\max_{i,t}(s_i-s_{n-1})=n-1 \text{ on the path } 0\to1\to\dots\to n-1,\ "
    r"\lfloor n/2\rfloor \text{ on the ring}",
    source=derived("the invariant, attained where node n - 1 is far slower than the others"),
    over=sweep("3 <= n <= 12", default="n <= 8", quick="n <= 5", graph=("path", "ring")),
    hypotheses=PROTOCOL,
    method="3n rounds on the virtual clock; node n - 1 is 100 times slower.",
)
def asap_notifyack_skew(n: int, graph: str) -> Comparison:
    """A node can be as many rounds ahead of another as it is edges away."""
    edges = [*pairwise(range(n)), *([(n - 1, 0)] if graph == "ring" else [])]
    record = VirtualExecutor().run(reducing(edges, 3 * n, [1.0] * (n - 1) + [100.0]), watch=())
    skew = max(lead(record, i, n - 1) for i in range(n))
    return close(Measured.of(skew, record), n // 2 if graph == "ring" else n - 1, 0)


@claim(
    "asap.notifyack.serial",
    statement=r"\text{the } k\text{-th reduce uses the } k\text{-th message of each in-neighbour, and the iterates are "
    r"those of bulk-synchronous rounds, bit for bit}",
    source=SERIAL,
    over=samples(20, "3 <= n <= 8", quick_count=6, full_count=400),
    hypotheses=PROTOCOL + "; equal gradients, sums in the order of the nodes",
    method="Random connected digraphs, 30 rounds, exponential delays, one node 20 times slower; on the virtual clock.",
)
def asap_notifyack_serial(n: int, rng: np.random.Generator) -> Iterator[Comparison]:
    """Under NOTIFY-ACK the iterates are those of bulk-synchronous execution, whatever the timing."""
    edges, slow = random_digraph(n, rng), int(rng.integers(n))
    conditions = Conditions(int(rng.integers(2**63)), speeds={slow: 0.05}, stragglers=Exponential(1.0))
    record = VirtualExecutor().run(reducing(edges, rounds=30), conditions, watch=())
    yield from serial(record, edges, rounds=30)


@claim(
    "asap.notifyack.measured",
    statement=COUNTERS
    + r"r_j\le s_i\le r_j+1 \text{ on every edge } i\to j,\ \text{no message is overwritten, and the "
    r"iterates are those of bulk-synchronous rounds, bit for bit}",
    source=derived("asap.notifyack.invariant and asap.notifyack.serial, where time is real"),
    over=samples(1, full_count=5),
    hypotheses=PROTOCOL + "; the processes share a clock that never runs backwards",
    method="40 rounds of 4 processes with exponential delays of mean 1 ms.",
)
def asap_notifyack_measured(rng: np.random.Generator) -> Iterator[Comparison]:
    """On processes NOTIFY-ACK keeps its invariants, and the iterates are those of bulk-synchronous execution."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)]
    conditions = Conditions(int(rng.integers(2**63)), unit=0.0, stragglers=Exponential(0.001))
    record = ProcessExecutor().run(reducing(edges, rounds=40), conditions)
    yield from invariants(record, edges, rounds=40)
    yield from serial(record, edges, rounds=40)


@claim(
    "asap.notifyack.rate",
    statement=r"\text{constant compute times } a, b, c,\ \text{latency } L:\quad \text{the period of every node is the "
    r"maximum cycle mean of the event graph; without latency that is } \max(a,b,c)",
    source=derived("the counters of two nodes differ by a bounded number, so that all have one rate"),
    over=sweep(
        "1 <= a <= 3",
        "1 <= b <= 5",
        "0 <= L <= 2",
        default=("a == 1", "b <= 2"),
        quick=("b == 1", "L <= 1"),
        c=(1, 5),
        graph=tuple(GRAPHS),
    ),
    hypotheses=PROTOCOL + "; weakly connected digraphs of 3 nodes",
    method="Time of 6 rounds after 30, exact in binary. Cycles of the event graph: delay over number of tokens.",
)
def asap_notifyack_rate(a: int, b: int, c: int, L: int, graph: str) -> Iterator[Comparison]:
    """Under NOTIFY-ACK one slow node slows all nodes down, also those before it."""
    costs, edges = (a, b, c), GRAPHS[graph]
    record = VirtualExecutor().run(reducing(edges, 36, costs), Conditions(links=Link(latency=L)), watch=())
    expected = maximum_cycle_mean(edges, costs, L)
    if L == 0:
        yield equal(expected, max(costs), "without latency")
    for node, rounds in record.results.items():
        yield close(Measured.of(period(rounds, over=6), record), expected, 0, f"node {node}")


@claim(
    "asap.notify.rate",
    statement=r"\text{NOTIFY alone, constant compute times } a, b, c: \quad "
    r"\text{the period of a node is the largest compute time of it and of those it hears of}",
    source=derived("a node waits for a new message of each in-neighbour, and for nobody else"),
    over=sweep(
        "1 <= a <= 3",
        "1 <= b <= 3",
        default=("a <= 2", "b <= 2"),
        quick="a == 1",
        c=(1, 5),
        graph=tuple(GRAPHS),
    ),
    hypotheses="digraphs of 3 nodes; no latency",
    method="Time of the last 6 of the rounds before the first node is done with 60, exact in binary.",
)
def asap_notify_rate(a: int, b: int, c: int, graph: str) -> Iterator[Comparison]:
    """Without acknowledgements a slow node slows down only those that hear of it."""
    costs, edges = (a, b, c), GRAPHS[graph]
    record = VirtualExecutor().run(reducing(edges, 60, costs, acknowledged=False), watch=())
    end = min(rounds.reduced[-1] for rounds in record.results.values())
    for node, rounds in record.results.items():
        before = rounds._replace(reduced=[time for time in rounds.reduced if time <= end])
        expected = max(costs[i] for i in ancestors(edges, node))
        yield close(Measured.of(period(before, over=6), record), expected, 0, f"node {node}")


@claim(
    "asap.notify.overwrite",
    statement=COUNTERS + r"\text{NOTIFY alone: messages are overwritten before use on the path } 0\to1, "
    r"\text{ and } s_0-s_1 \text{ grows without bound}",
    source=derived("node 0 waits for nobody"),
    over=sweep("2 <= c <= 9", "20 <= R <= 60", where="R % 20 == 0", quick="c <= 4"),
    hypotheses="node 1 takes c times as long as node 0, which does R rounds",
    method="Runs on the virtual clock.",
)
def asap_notify_overwrite(c: int, R: int) -> Iterator[Comparison]:
    """Without acknowledgements messages are overwritten, and a fast node runs away."""
    record = VirtualExecutor().run(reducing([(0, 1)], R, (1, c), acknowledged=False), watch=())
    yield at_least(Measured.of(overwritten(record), record), R - R // c - 2, "overwritten")
    yield at_least(Measured.of(lead(record, 0, 1), record), R - R // c - 1, "lead")


@claim(
    "asap.notify.overwrite.connected",
    statement=COUNTERS
    + r"\text{NOTIFY alone on the ring } 0\to1\to\dots\to0: \quad s_j-s_i\le\operatorname{dist}(i\to j),"
    r"\text{ and messages are overwritten before use}",
    source=derived("reduce r_j + 1 needs a new message of each in-neighbour, so that s_j <= s_i + 1 on an edge i -> j"),
    over=samples(5, "3 <= n <= 8", quick_count=2, full_count=50),
    method="200 rounds on the virtual clock, exponential delays of 5 times the compute time; all pairs of nodes.",
)
def asap_notify_overwrite_connected(n: int, rng: np.random.Generator) -> Iterator[Comparison]:
    """On a ring nobody runs away without acknowledgements, but messages are still overwritten."""
    edges = [(i, (i + 1) % n) for i in range(n)]
    conditions = Conditions(int(rng.integers(2**63)), stragglers=Exponential(5.0))
    record = VirtualExecutor().run(reducing(edges, 200, acknowledged=False), conditions, watch=())
    yield at_least(Measured.of(overwritten(record), record), 1, "overwritten")
    for ahead in range(n):
        for behind in set(range(n)) - {ahead}:
            distance = (ahead - behind) % n
            yield at_most(Measured.of(lead(record, ahead, behind), record), distance, f"{ahead} before {behind}")


# -- what is counted on a run ---------------------------------------------------------------------------


def invariants(record: RunRecord, edges: Sequence[Edge], rounds: int) -> Iterator[Comparison]:
    """Compare the counters of a run of NOTIFY-ACK at all times."""
    nodes: Mapping[int, Rounds] = record.results
    fewest = min(len(node.reduced) for node in nodes.values())
    yield at_least(Measured.of(fewest, record), rounds, "reduces of each node")
    pairs = [*edges, *((i, i) for i in nodes)]
    broken = sum(out_of_turn(nodes[i].sent, nodes[j].reduced) for i, j in pairs)
    yield at_most(Measured.of(broken, record), 0, "sends and reduces that are not in turn")
    yield at_most(Measured.of(overwritten(record), record), 0, "overwritten")
    for (i, j), distance in undirected_distances(edges).items():
        yield at_most(Measured.of(lead(record, i, j), record), distance, f"{i} before {j}")


def serial(record: RunRecord, edges: Sequence[Edge], rounds: int) -> Iterator[Comparison]:
    """Compare messages and models of a run with those of bulk-synchronous rounds."""
    expected = bulk_synchronous(edges, rounds)
    nodes: Mapping[int, Rounds] = record.results
    other = sum(step != k for node in nodes.values() for k, steps in enumerate(node.used) for step in steps)
    yield at_most(Measured.of(other, record), 0, "messages of another round")
    differ = sum(
        np.asarray(nodes[i].models).tobytes() != np.asarray(models).tobytes() for i, models in enumerate(expected)
    )
    yield at_most(Measured.of(differ, record), 0, "nodes with other models")


def out_of_turn(sent: Sequence[float], reduced: Sequence[float]) -> int:
    """Count sends and reduces that break r ≤ s ≤ r + 1: sent and reduced in turn, beginning with a send."""
    early = sum(used < given for given, used in zip(sent, reduced, strict=False))
    return early + sum(given < used for given, used in zip(sent[1:], reduced, strict=False))


def overwritten(record: RunRecord) -> int:
    """Return how many messages were overwritten before they were used."""
    return sum(record.overwrites.values())


def lead(record: RunRecord, ahead: int, behind: int) -> int:
    """Return the largest number of sends by which a node was ahead of another; at one time both count as sent."""
    sent, others = record.results[ahead].sent, record.results[behind].sent
    return int(np.max(np.arange(1, len(sent) + 1) - np.searchsorted(others, sent, side="right")))


def period(rounds: Rounds, over: int) -> Fraction:
    """Return the mean time of the last rounds of a node, exactly."""
    return (Fraction(rounds.reduced[-1]) - Fraction(rounds.reduced[-1 - over])) / over


# -- graphs ---------------------------------------------------------------------------------------------


def maximum_cycle_mean(edges: Sequence[Edge], costs: Sequence[int], latency: int) -> Fraction:
    """Return the largest delay per token of the cycles of sends and reduces."""
    import networkx

    events = networkx.DiGraph()
    for i, cost in enumerate(costs):
        events.add_edge(("reduce", i), ("send", i), delay=cost, tokens=1)
        events.add_edge(("send", i), ("reduce", i), delay=0, tokens=0)
    for i, j in edges:
        events.add_edge(("send", i), ("reduce", j), delay=latency, tokens=0)
        events.add_edge(("reduce", j), ("send", i), delay=latency, tokens=1)
    cycles = networkx.simple_cycles(events)
    return max(Fraction(*(_total(events, cycle, key) for key in ("delay", "tokens"))) for cycle in cycles)


def _total(graph: Any, cycle: Sequence[Any], key: str) -> int:
    return sum(graph.edges[one, other][key] for one, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def ancestors(edges: Sequence[Edge], node: int) -> set[int]:
    """Return a node and all from which a path leads to it."""
    found = {node}
    while more := {i for i, j in edges if j in found} - found:
        found |= more
    return found


def undirected_distances(edges: Sequence[Edge]) -> dict[Edge, int]:
    """Return the distances between all pairs of different nodes, the direction of edges left aside."""
    import networkx

    lengths = networkx.all_pairs_shortest_path_length(networkx.Graph(edges))
    return {(i, j): distance for i, reached in lengths for j, distance in reached.items() if i != j}


def random_digraph(n: int, rng: np.random.Generator) -> list[Edge]:
    """Return a weakly connected digraph: a random tree and some more edges, in random directions."""
    pairs = [(int(rng.integers(i)), i) for i in range(1, n)]
    pairs += [(int(i), int(j)) for i, j in rng.integers(n, size=(n // 2, 2)) if i != j]
    return sorted({pair if rng.random() < 0.5 else pair[::-1] for pair in pairs})
