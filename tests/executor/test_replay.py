from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codedtheory.executor import (
    Conditions,
    Crash,
    Exponential,
    Hang,
    LostWorkersError,
    Message,
    Node,
    Program,
    ReplayError,
    RunRecord,
    System,
    VirtualExecutor,
    complete,
    compute,
    log,
    now,
    send,
    star,
    wait,
)
from codedtheory.executor.events import Arrival, ClockLook, Event, LogEntry, Note, WaitEvent
from codedtheory.executor.recorder import MemoryRecorder
from codedtheory.executor.replay import UNREACHABLE, Script, scripts_of
from tests.executor import conformance_programs as programs

Run = Any


def waited(
    *taken: tuple[int, int], late: tuple[tuple[int, int], ...] = (), step: int | None = 4, tag: str = ""
) -> Event:
    arrivals = [tuple(Arrival(source, 4, number, 0.5 + number) for source, number in group) for group in (taken, late)]
    return WaitEvent(0, 9.0, 8.0, step, tag, *arrivals, (3,), True)


def message(source: int, number: int) -> Message:
    return Message(source, "", 4, number, f"{source}/{number}")


def test_a_wait_takes_what_it_took_in_the_order_of_the_record() -> None:
    script = Script(0, [waited((2, 0), (1, 5), late=((1, 3),))])
    assert not script.deliver(message(1, 5))
    script.begin(4, "")
    assert script.found() is None
    assert not script.deliver(message(1, 3))
    assert not script.deliver(message(2, 1))
    assert script.deliver(message(2, 0))
    found = script.found()
    assert found is not None
    assert [taken.value for taken in found.taken] == ["2/0", "1/5"]
    assert [taken.arrived for taken in found.taken] == [0.5, 5.5]
    assert [late.value for late in found.late] == ["1/3"]
    assert (found.time, found.lost, found.complete, found.unreachable) == (9.0, {3}, True, None)
    assert not script.exhausted


def test_a_wait_that_took_nothing() -> None:
    script = Script(0, [waited()])
    script.begin(4, "")
    found = script.found()
    assert found is not None
    assert found.taken == ()


def test_a_wait_that_was_given_up() -> None:
    script = Script(0, [Note(0, 2.0, UNREACHABLE, {"lost": [1, 2], "error": "why"})])
    script.begin(4, "anything")
    found = script.found()
    assert found is not None
    assert found.unreachable == "why"
    assert found.lost == {1, 2}


def test_looks_at_the_clock() -> None:
    script = Script(0, [ClockLook(0, 1.5)])
    assert script.look() == 1.5
    assert script.look() is None
    assert script.exhausted


def test_only_what_matters_is_replayed() -> None:
    others = [LogEntry(0, 0.0, 1, {}, {}), Note(0, 0.0, "fault", {})]
    script = Script(0, [*others, ClockLook(0, 1.5), *others])
    assert script.look() == 1.5
    script.begin(None, "")
    assert script.exhausted


@pytest.mark.parametrize(
    ("event", "step", "tag", "words"),
    [
        (waited(), 5, "", "node 0 waits for step 5, tag '', where the record has a wait for step 4, tag ''"),
        (waited(tag="a"), 4, "b", "tag 'b', where the record has a wait for step 4, tag 'a'"),
        (ClockLook(0, 1.0), None, "", "where the record has a look at the clock"),
    ],
)
def test_waits_that_do_not_fit(event: Event, step: int | None, tag: str, words: str) -> None:
    script = Script(0, [event])
    with pytest.raises(ReplayError, match=words):
        script.begin(step, tag)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (waited(), "asks for the time, where the record has a wait"),
        (Note(0, 1.0, UNREACHABLE, {"lost": [], "error": ""}), "given up"),
    ],
)
def test_looks_that_do_not_fit(event: Event, words: str) -> None:
    with pytest.raises(ReplayError, match=words):
        Script(0, [event]).look()


def test_messages_that_do_not_fit() -> None:
    script = Script(0, [waited((1, 0), step=5)])
    script.begin(5, "")
    assert script.deliver(Message(1, "", 7, 0, None))
    with pytest.raises(
        ReplayError, match="node 1 sends step 7 as message 0, which is of step 4 in the record of node 0"
    ):
        script.found()


# -- whole runs -----------------------------------------------------------------------------------------------------


def test_records_of_other_systems() -> None:
    record = VirtualExecutor().run(programs.k_of_n(2, 3, 2))
    assert sorted(scripts_of(record, programs.k_of_n(2, 3, 2))) == [0, 1, 2, 3]
    with pytest.raises(ReplayError, match="record is of 4 nodes, the system has 3"):
        scripts_of(record, programs.k_of_n(2, 2, 2))
    watched = VirtualExecutor().run(programs.k_of_n(2, 3, 2), watch=[0])
    with pytest.raises(ReplayError, match=r"nodes \[0\] only; record a run without watch"):
        scripts_of(watched, programs.k_of_n(2, 3, 2))


def _push(node: Node, steps: int) -> Run:
    for step in range(steps):
        square = yield compute(pow, step, 2, step=step)
        yield log(step=step, square=square)
        yield send(0, square, step=step)
    return "done"


def _gather(node: Node, steps: int) -> Run:
    told = []
    for step in range(steps):
        try:
            told.append((yield wait(step=step)).order)
        except LostWorkersError as error:
            told.append(str(error))
    return told


@pytest.mark.parametrize("fault", [Crash, Hang])
def test_a_node_that_a_fault_stopped_goes_no_further(fault: Any) -> None:
    system = System([Program(_gather, 3), Program(_push, 6), Program(_push, 6, daemon=True)], star(2))
    first = VirtualExecutor().run(system, Conditions(faults=(fault(2, 3),)))
    for _ in range(2):
        again = VirtualExecutor().replay(first, system)
        assert again.logged("square", 2)[0].tolist() == [0, 1, 2]
        assert again.results == first.results
        assert [note.details for note in again.notes("fault")] == [note.details for note in first.notes("fault")]
        first = again


def test_a_replay_tells_what_the_program_was_told_of_lost_nodes() -> None:
    system = System([Program(_gather, 4), *(Program(_push, 4) for _ in range(3))], star(3))
    first = VirtualExecutor().run(system, Conditions(faults=(Crash(1, 1), Crash(3, 2))))
    again = VirtualExecutor().replay(first, system)
    assert again.results[0] == first.results[0]
    assert "lost: 1" in again.results[0][1]
    assert again.lost == first.lost == (1, 3)


def test_the_record_of_a_replay_says_of_what() -> None:
    system = programs.k_of_n(2, 3, 2)
    first = VirtualExecutor().run(system, Conditions(seed=2, unit=0.5))
    again = VirtualExecutor().replay(first, system)
    origin = again.manifest["parameters"]["replayed"]
    assert origin["backend"] == "virtual"
    assert origin["conditions"] == first.manifest["parameters"]["conditions"]
    assert (origin["started"], origin["seconds"]) == (first.manifest["started"], first.seconds)
    assert "replay of" in str(again)
    assert "replay of" not in str(first)


def test_a_record_that_no_executor_made() -> None:
    with pytest.raises(TypeError, match="recorded must be a RunRecord, received 'runs/a'; read one"):
        VirtualExecutor().replay("runs/a", programs.k_of_n(2, 3, 2))  # type: ignore[arg-type]
    with pytest.raises(ReplayError, match="replay what an executor recorded"):
        scripts_of(RunRecord.of(MemoryRecorder(), {}), programs.k_of_n(2, 3, 2))


def test_a_replay_is_no_slower_for_slow_computations() -> None:
    system = programs.k_of_n(2, 3, 5)
    first = VirtualExecutor().run(system, Conditions(seed=2, stragglers=Exponential(1.0)))
    again = VirtualExecutor().replay(first, system)
    assert first.seconds > 0
    assert again.seconds == 0
    np.testing.assert_array_equal(first.logged("model")[1], again.logged("model")[1])
    # the times of waits are those of the record
    assert [wait.time for wait in again.waits()] == [wait.time for wait in first.waits()]


def test_a_replay_can_be_replayed() -> None:
    system = programs.impatient_system(6, patience=1.0)
    conditions = Conditions(seed=6, stragglers=Exponential(0.8))
    first = VirtualExecutor().run(system, conditions)
    again = VirtualExecutor().replay(first, system)
    third = VirtualExecutor().replay(again, system)
    for node in range(3):
        assert programs.described(third.results[node]) == programs.described(first.results[node])
        assert third.waits(node) == first.waits(node)


def test_queues_of_a_replay_are_never_full() -> None:
    system = programs.backpressure(1, 12)
    first = VirtualExecutor().run(system)
    assert VirtualExecutor().replay(first, system).results == first.results


@pytest.mark.parametrize("where", ["compute", "send", "log"])
def test_a_crash_is_replayed_as_silence(where: str) -> None:
    system = programs.faulty(6, 2, where)
    first = VirtualExecutor().run(system, Conditions(seed=3, stragglers=Exponential(1.0), faults=(Crash(2, 3),)))
    again = VirtualExecutor().replay(first, system)
    assert again.results[0] == first.results[0]
    assert again.waits() == first.waits()


def test_an_unfinished_run_is_replayed_as_far_as_it_came() -> None:
    system = programs.faulty(6, None)
    with pytest.raises(Exception, match="lost: 2") as caught:
        VirtualExecutor().run(system, Conditions(faults=(Crash(2, 2),)))
    first: Any = caught.value.record  # type: ignore[attr-defined]
    # the program fails again, at the same place
    with pytest.raises(Exception, match="lost: 2") as caught:
        VirtualExecutor().replay(first, system)
    assert caught.value.record.waits() == first.waits()  # type: ignore[attr-defined]


def changed(node: Node, sends: int) -> Run:
    if node.id == 1:
        for i in range(sends):
            yield send(0, i)
        return
    for _ in range(2):
        arrivals = yield wait(1)
        yield log(value=arrivals.only.value)


def test_a_program_that_sends_less_than_it_did() -> None:
    first = VirtualExecutor().run(System([Program(changed, 2)] * 2, [(1, 0)]))
    with pytest.raises(ReplayError, match="does not fit the programs: nothing is under way"):
        VirtualExecutor().replay(first, System([Program(changed, 1)] * 2, [(1, 0)]))


def busy(node: Node) -> Run:
    value = 0
    while True:
        value = yield compute(max, value, value + 1)
        yield send(0, value, slot=True)


def samples(node: Node) -> Run:
    total = 0.0
    for _ in range(5):
        yield wait(timeout=2.5)
        total += yield now()
        newest = yield wait(timeout=0)
        total += sum(newest.values())
    return total


def test_a_daemon_that_never_waits_lets_the_others_replay() -> None:
    system = System([Program(samples), *[Program(busy, daemon=True)] * 2], star(2))
    first = VirtualExecutor().run(system, Conditions(speeds={1: 0.7}))
    again = VirtualExecutor().replay(first, system)
    assert again.results[0] == first.results[0]


def gossip(node: Node, rounds: int) -> Run:
    value = float(node.id)
    for step in range(rounds):
        peer = int(node.random.choice(node.targets))
        yield send(peer, value, step=step)
        yield compute(abs, 0, step=step)
        heard = yield wait(timeout=float(node.random.random()))
        value = (value + sum(heard.values())) / (1 + len(heard))
    return value


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_are_replayed(seed: int) -> None:
    system = System([Program(gossip, 12)] * 5, complete(5))
    first = VirtualExecutor().run(system, Conditions(seed=seed, stragglers=Exponential(0.5)))
    again = VirtualExecutor().replay(first, system)
    assert again.results == first.results
    assert all(again.waits(node) == first.waits(node) for node in range(5))
