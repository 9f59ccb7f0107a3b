from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.executor import (
    Conditions,
    Crash,
    DeadlockError,
    Exponential,
    Hang,
    Link,
    LostWorkersError,
    Node,
    Pareto,
    Program,
    ProgramError,
    RunRecord,
    SlowLink,
    SlowSet,
    System,
    VirtualExecutor,
    complete,
    compute,
    log,
    now,
    ring,
    send,
    star,
    wait,
)
from codedtheory.executor.recorder import MemoryRecorder
from codedtheory.executor.virtual_run import VirtualRun
from tests.executor import conformance_programs as programs

Run = Any


def run(system: System, conditions: Conditions | None = None, **options: Any) -> RunRecord:
    return VirtualExecutor().run(system, conditions, **options)


# -- time -----------------------------------------------------------------------------------------------------------


def times_of(node: Node, count: int) -> Run:
    times = []
    for step in range(count):
        yield compute(int, cost=2.0, step=step)
        times.append((yield now()))
    return times


def test_computations_take_the_time_of_the_conditions() -> None:
    system = System([Program(times_of, 3)] * 3, [])
    conditions = Conditions(unit=0.5, speeds={1: 4.0}, stragglers=SlowSet((2,), slowdown=3.0, delay=1.0))
    record = run(system, conditions)
    assert record.results == {0: [1.0, 2.0, 3.0], 1: [0.25, 0.5, 0.75], 2: [4.0, 8.0, 12.0]}
    assert record.seconds == 12.0


def test_a_unit_is_a_second_by_default() -> None:
    assert run(System([Program(times_of, 1)], [])).seconds == 2.0


def test_stragglers_are_those_of_the_model() -> None:
    conditions = Conditions(seed=5, unit=0.0, stragglers=Pareto(0.1, 2.5))
    record = run(System([Program(times_of, 4)] * 2, []), conditions)
    for node in range(2):
        row = conditions.stragglers.stream(node, 5).row
        expected = np.cumsum([row(step)[1] for step in range(4)])
        np.testing.assert_allclose(record.results[node], expected, rtol=1e-14)


def pings(node: Node, count: int) -> Run:
    if node.id == 1:
        for step in range(count):
            yield wait(0, step=step)
            yield send(0, step=step)
        return None
    times = []
    for step in range(count):
        yield send(1, b"12345678", step=step)
        yield wait(1, step=step)
        times.append((yield now()))
    return times


def test_latency_and_bandwidth() -> None:
    links = {(0, 1): Link(latency=1.0, bandwidth=32.0), (1, 0): Link(latency=0.25)}
    conditions = Conditions(links=links, faults=(SlowLink(1, 0, 0.5, first_step=1),))
    record = run(System([Program(pings, 2)] * 2, ring(2)), conditions)
    assert record.results[0] == [3.25, 7.0]


def burst(node: Node) -> Run:
    if node.id == 0:
        for i in range(3):
            yield send(1, i, bits=10)
        return None
    times = []
    for _ in range(3):
        times.append((yield wait(0)).only.arrived)
    return times


def test_messages_queue_on_a_link() -> None:
    record = run(System([Program(burst)] * 2, [(0, 1)]), Conditions(links=Link(latency=1.0, bandwidth=10.0)))
    assert record.results[1] == [2.0, 3.0, 4.0]
    assert record.bits == {(0, 1): 30}


def dies_far_away(node: Node) -> Run:
    if node.id == 1:
        yield compute(int, step=0)
        yield log(step=1)
    try:
        yield wait(1)
    except LostWorkersError:
        return (yield now())


def test_bad_news_take_as_long_as_a_message() -> None:
    system = System([Program(dies_far_away), Program(dies_far_away, daemon=True)], ring(2))
    record = run(system, Conditions(faults=(Crash(1, 1),), links=Link(latency=3.0)))
    assert record.results[0] == 4.0


def simultaneous(node: Node) -> Run:
    if node.id:
        yield compute(int)
        yield send(0)
        return None
    return (yield wait(count=2)).order


def test_what_happens_at_the_same_time_happens_in_the_order_of_its_causes() -> None:
    record = run(System([Program(simultaneous)] * 5, star(4)))
    assert record.results[0] == (1, 2)
    assert record.seconds == 1.0


@pytest.mark.parametrize("graph", programs.DIGRAPHS)
def test_notify_ack_keeps_its_timetable(graph: str) -> None:
    """The recursion of times of sends and reduces, which the protocol follows with any computing times and links."""
    rounds = 30
    nodes, edges = programs.DIGRAPHS[graph]
    stream = np.random.default_rng(7)
    latency = {edge: float(stream.exponential()) for edge in edges}
    for i, j in edges:
        latency.setdefault((j, i), float(stream.exponential()))
    links = {edge: Link(latency=value) for edge, value in latency.items()}
    conditions = Conditions(seed=3, unit=0.25, stragglers=Exponential(1.0), links=links)
    record = run(programs.notify_ack_system(graph, rounds), conditions)
    rows = [conditions.stragglers.stream(node, 3).row for node in range(nodes)]
    reduced = [0.0] * nodes
    both = {(i, j) for i, j in edges}
    for k in range(1, rounds + 1):
        sent = []
        for i in range(nodes):
            slowdown, delay = rows[i](k)
            ready = [reduced[i] + slowdown * 0.25 + delay]
            if k > 1:
                ready += [reduced[j] + latency[j, i] for i_, j in edges if i_ == i]
            sent.append(max(ready))
        reduced = [max([sent[i]] + [sent[j] + latency[j, i] for j, i_ in both if i_ == i]) for i in range(nodes)]
        for i in range(nodes):
            assert record.logged("sent_at", i)[1][k - 1] == pytest.approx(sent[i], rel=1e-12)
            assert record.logged("reduced_at", i)[1][k - 1] == pytest.approx(reduced[i], rel=1e-12)


def test_a_slow_node_slows_those_before_it() -> None:
    """On the path 0 -> 1 -> 2 -> 3 acknowledgements carry the pace of the last node back to the first."""
    conditions = Conditions(unit=1.0, speeds={3: 0.2})
    record = run(programs.notify_ack_system("path", 40), conditions)
    for node in range(4):
        times = record.logged("reduced_at", node)[1]
        assert times[-1] - times[-2] == pytest.approx(5.0)
    # the skew of a directed path is its length: the first is ahead by as many rounds
    sent = [record.logged("sent_at", node)[1] for node in range(4)]
    ahead = max(int(np.sum(sent[0] <= time)) - int(np.sum(sent[3] <= time)) for time in sent[0])
    assert ahead == 3


# -- the same for the same seed -------------------------------------------------------------------------------------


def events(record: RunRecord, nodes: int) -> Any:
    return [record.waits(node) for node in range(nodes)]


def test_runs_are_those_of_their_seed() -> None:
    system = programs.impatient_system(10, patience=0.8)

    def conditions(seed: int) -> Conditions:
        return Conditions(seed=seed, unit=0.1, stragglers=Exponential(0.7), links=Link(latency=0.05))

    first, again, other = (run(system, conditions(seed)) for seed in (1, 1, 2))
    assert events(first, 3) == events(again, 3)
    assert programs.described(dict(first.results)) == programs.described(dict(again.results))
    assert first.seconds == again.seconds
    assert events(first, 3) != events(other, 3)
    assert programs.described(dict(first.results)) != programs.described(dict(other.results))


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6), st.data())
def test_k_of_n_takes_the_fastest(seed: int, n: int, data: st.DataObject) -> None:
    """With fresh workers in each step the answers are the k smallest delays, in their order."""
    k = data.draw(st.integers(1, n))
    conditions = Conditions(seed=seed, unit=0.0, stragglers=Exponential(1.0))
    record = run(programs.faulty(1, k, workers=n), conditions)
    delays = {node: conditions.stragglers.stream(node, seed).row(0)[1] for node in range(1, n + 1)}
    fastest = sorted(delays, key=lambda node: delays[node])[:k]
    assert record.waits(step=0)[0].order == tuple(fastest)
    assert record.waits(step=0)[0].time == pytest.approx(delays[fastest[-1]])


def test_an_order_of_events_that_does_not_depend_on_the_schedule() -> None:
    """What comes next anyway skips the schedule; the order must be the same as if nothing did."""

    class Scheduled(VirtualRun):
        def later(self, delay: float, function: Any, argument: Any) -> None:
            from codedtheory.executor.virtual_run import _Call

            _Call(self.env, delay, function, argument)

    system = System([Program(programs.impatient, 8, 1.0)] * 4, complete(4))
    for unit in (0.0, 1.0):
        conditions = Conditions(seed=4, unit=unit, stragglers=Exponential(0.5) if unit else SlowSet((1,), slowdown=2.0))
        recorders = [MemoryRecorder(), MemoryRecorder()]
        for kind, recorder in zip((VirtualRun, Scheduled), recorders, strict=True):
            kind(system, conditions, recorder).run()
        found = [list(recorder.events().of(node)) for recorder in recorders for node in range(4)]
        assert [str(item) for item in found[:4]] == [str(item) for item in found[4:]]


# -- ends -----------------------------------------------------------------------------------------------------------


def test_a_deadlock_shows_who_waits_for_whom() -> None:
    with pytest.raises(DeadlockError) as caught:
        run(programs.deadlock())
    assert str(caught.value) == (
        "deadlock: nothing is under way, and\n"
        "  node 0 waits for 1 messages of step 1 from 2; has 0, missing: 2\n"
        "  node 1 waits for 1 messages of step 1 from 0; has 0, missing: 0\n"
        "  node 2 waits for 1 messages of step 1 from 1; has 0, missing: 1\n"
        "  in a circle: 0 waits for 2 waits for 1 waits for 0"
    )


def test_a_deadlock_of_many_nodes_is_shown_in_part() -> None:
    with pytest.raises(DeadlockError, match="and 80 more"):
        run(System([Program(programs.waits_before_it_sends)] * 100, ring(100)))


def test_a_deadlock_behind_a_hung_node() -> None:
    with pytest.raises(DeadlockError, match="node 2 is hung"):
        run(programs.faulty(3, None), Conditions(faults=(Hang(2, 1),)))


def fills_before_it_takes(node: Node) -> Run:
    for _ in range(2):
        yield send(node.targets)
    yield wait()


def test_a_deadlock_of_full_queues() -> None:
    with pytest.raises(DeadlockError, match="node 1 waits for room in its queue to 0"):
        run(System([Program(fills_before_it_takes)] * 2, ring(2), capacity=1))
    run(System([Program(fills_before_it_takes)] * 2, ring(2), capacity=2))


def raises_when_closed(node: Node) -> Run:
    try:
        yield wait()
    finally:
        raise ValueError("in the cleanup")


def test_a_daemon_that_fails_when_it_is_closed() -> None:
    with pytest.raises(ProgramError, match="ValueError: in the cleanup"):
        run(System([Program(programs.returns, 1), Program(raises_when_closed, daemon=True)], [(0, 1)]))


def interrupts(node: Node) -> Run:
    yield log(step=1, loss=2.0)
    raise KeyboardInterrupt


def test_an_interrupt_saves_the_record(tmp_path: Any) -> None:
    with pytest.raises(KeyboardInterrupt, match="the record is in"):
        run(System([Program(interrupts)], []), record=tmp_path / "run")
    record = RunRecord.load(tmp_path / "run")
    assert record.status == "interrupted"
    assert record.logged("loss")[1].tolist() == [2.0]


def test_a_record_in_a_directory_is_the_one_in_memory(tmp_path: Any) -> None:
    system = programs.k_of_n(2, 3, 5)
    conditions = Conditions(seed=8, stragglers=Exponential(1.0))
    memory, files = run(system, conditions), run(system, conditions, record=tmp_path / "run")
    assert events(memory, 4) == events(files, 4) == events(RunRecord.load(tmp_path / "run"), 4)
    np.testing.assert_array_equal(memory.logged("model")[1], files.logged("model")[1])
    assert memory.bits == files.bits
    assert memory.path is None
    assert files.path == str(tmp_path / "run")


def test_only_watched_nodes_are_recorded() -> None:
    record = run(programs.k_of_n(2, 3, 5), watch=[0])
    assert len(record.waits(0)) == 5
    assert record.waits(1) == ()
    assert record.statuses == {0: "finished", 1: "closed", 2: "closed", 3: "closed"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal() -> None:
    terminal = Terminal()
    VirtualExecutor(progress=terminal).run(System([Program(unnamed_steps)] * 2, ring(2)), steps=3)
    assert terminal.getvalue() != ""


def unnamed_steps(node: Node) -> Run:
    for _ in range(3000):
        yield send(node.targets)
        yield wait()


def test_an_import_without_the_simulation() -> None:
    code = "import sys, codedtheory.executor; print([m for m in ('simpy', 'networkx', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_two_hundred_workers() -> None:
    record = run(programs.k_of_n(150, 200, 10), Conditions(seed=1, stragglers=Exponential(1.0)), watch=[0])
    assert [len(wait.taken) for wait in record.waits()] == [150] * 10
