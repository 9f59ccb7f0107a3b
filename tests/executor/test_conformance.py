"""What every executor must do. Nothing here depends on how fast the machine is: order is forced by messages."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from codedtheory.executor import (
    Conditions,
    Crash,
    DeadlockError,
    Drop,
    ExecutorError,
    Exponential,
    Hang,
    LostWorkersError,
    Program,
    ProgramError,
    ReplayError,
    RunRecord,
    SlowLink,
    SlowSet,
    System,
    WaitTimeoutError,
    complete,
    star,
)
from tests.executor import conformance_programs as programs
from tests.executor import conformance_scenes as scenes
from tests.executor.backends import Backend, VirtualBackend
from tests.executor.conformance_scenes import expected

# delays of a few milliseconds: enough to mix the order where time is real
JITTER = Exponential(0.003)


def jitter(seed: int = 3, **others: Any) -> Conditions:
    return Conditions(seed=seed, unit=0.0, stragglers=JITTER, **others)


# -- waits ----------------------------------------------------------------------------------------------------------

NOTHING = expected([], [], complete=False)
EXPECTED: dict[str, Any] = {
    "order_on_an_edge": ([0, 1, 2, 3, 4], True),
    "oldest_whatever_its_step": [3, 1, 2],
    "tags_apart": ("b", "a"),
    "later_steps_stay": [expected([1], [i]) for i in range(3)],
    "without_a_step": (expected([1], ["seven"]), expected([1], ["none"])),
    "late_answers": (expected([2], ["new"], [(1, 0, "old")]), True),
    "late_while_waiting": expected([1], ["new"], [(1, 0, "old 0"), (1, 1, "old 1")]),
    "late_of_others_stay": (expected([2], ["new"]), expected([1], ["old"])),
    "late_after_the_prefix_stay": (expected([2], ["new"]), expected([], [], [(1, 0, "old")], complete=False)),
    "shortest_prefix": (expected([3, 1], [1, 3]), expected([2], [2], complete=False)),
    "one_for_each_source": (expected([1, 2], ["a", "c"]), expected([1], ["b"])),
    "decodable_set": expected([1, 2, 3], [1, 2, 3]),
    "decodable_early": (expected([3, 2], [2, 3]), expected([1], [1], complete=False)),
    "predicate_and_count": (expected([1, 2], [1, 2]), expected([3, 2, 1], [1, 2, 3])),
    "predicate_of_nothing": (expected([], []), expected([1], [1])),
    "count_of_nothing": (expected([], []), expected([], []), expected([1], [1])),
    "sources_named_twice": expected([1], [1]),
    "timeout_of_nothing": (NOTHING, True, True),
    "timeout_of_some": expected([2], [2], complete=False),
    "timeout_not_needed": (expected([1], [1]), True),
    "deadline": (expected([1], [1], complete=False), True),
    "deadline_in_the_past": (expected([1], [1], complete=False), expected([1], ["more"])),
    "look": (expected([3], [3], complete=False), NOTHING),
    "slot_overwrites": ([3, 1], [3, 1], True),
    "slot_taken_before_the_next": [(0, 0), (1, 0), (2, 0)],
    "slots_of_tags_apart": [("a", 0), ("b", 0)],
    "slot_beside_queue": (["C", "b", "d"], True),
    "queue_keeps_all": sum(range(300)),
    "acknowledgement": ((2, 5, None), [(2, 4, None)]),
    "numbers": (1, True),
    "unknown_source": "node 0 waits for [9], from which it has no edge; it can wait for [1, 2, 3]",
    "count_out_of_range": [
        f"count must lie between 0 and 2, the number of sources, received {count}" for count in (3, -1)
    ],
    "no_such_edge": "node 0 sends to [0], to which it has no edge; its targets are [1, 2, 3]",
    "not_an_effect": "a program must yield effects such as send(...) and wait(...), received 5; "
    "another generator is run with 'yield from'",
    "failing_predicate": ("until failed for [1]: KeyError: 'broken'", expected([1], [1])),
    "failing_computation": (3, 1),
    "time_passes": (True, True),
}


@pytest.mark.parametrize("scene", [scene.__name__ for scene in scenes.SCENES])
def test_scene(backend: Backend, scene: str) -> None:
    result = backend.once(scenes.scenes).results[0][scene]
    if scene == "not_picklable":
        assert "<lambda>" in result
        assert "pickle" in result or "cannot send" in result
    else:
        assert result == EXPECTED[scene]


def test_the_record_holds_the_same_on_every_backend(backend: Backend, virtual: VirtualBackend) -> None:
    record, reference = backend.once(scenes.scenes), virtual.once(scenes.scenes)
    waits = {"here": record, "virtual": reference}
    found = {
        name: [
            (wait.step, wait.tag, wait.order, _names(wait.taken), _names(wait.late), wait.lost, wait.complete)
            for node in range(4)
            for wait in item.waits(node)
        ]
        for name, item in waits.items()
    }
    assert found["here"] == found["virtual"]
    assert record.bits == reference.bits
    assert record.messages == reference.messages
    assert (
        record.overwrites
        == reference.overwrites
        == {
            (1, 0, "slot_overwrites"): 3,
            (2, 0, "slot_overwrites"): 1,
            (1, 0, "slot_beside_queue"): 1,
        }
    )
    assert record.statuses == {0: "finished", 1: "closed", 2: "closed", 3: "closed"}
    assert record.status == "finished"
    assert record.lost == ()


def test_the_record_tells_late_answers(backend: Backend) -> None:
    record = backend.once(scenes.scenes)
    late = [
        (arrival.source, arrival.step)
        for wait in record.waits(0)
        if wait.tag == "late_while_waiting"
        for arrival in wait.late
    ]
    assert late == [(1, 0), (1, 1)]
    assert {(arrival.source, arrival.step) for arrival in record.late(0)} >= {(1, 0), (1, 1)}
    assert sorted(record.staleness(0))[-2:] == [1, 2] or 2 in record.staleness(0)


def test_times_of_waits_do_not_run_backwards(backend: Backend) -> None:
    record = backend.once(scenes.scenes)
    for node in range(4):
        last = 0.0
        for wait in record.waits(node):
            assert last <= wait.since <= wait.time <= record.seconds
            assert all(arrival.arrived <= wait.time for arrival in (*wait.taken, *wait.late))
            last = wait.time


def _names(arrivals: Any) -> list[tuple[int, int | None, int]]:
    return [(arrival.source, arrival.step, arrival.number) for arrival in arrivals]


# -- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("node", [1, 2])
def test_values_arrive_as_they_were_sent(backend: Backend, node: int) -> None:
    found, writable, as_sent = backend.once(programs.values).results[node]
    for value, there in zip(programs.sent_values(), found, strict=True):
        assert there == programs.described(value)
    # every array read-only, and writing to one an error
    assert writable == -100
    assert as_sent == [[0.0, 1.0, 2.0, 3.0], float(np.arange(50_000.0).sum()), [1, 2], [0.0, 1.0, 2.0, 3.0]]


def test_an_array_can_be_sent_on(backend: Backend) -> None:
    for value in backend.once(programs.values).results[0]:
        np.testing.assert_array_equal(value, np.arange(4.0))


def test_arguments_arrive_read_only(backend: Backend) -> None:
    array, inside = np.zeros(3), {"array": np.ones(2)}
    system = System([Program(programs.argument_changer, array, inside)] * 2, complete(2))
    assert backend.run(system).results == {0: False, 1: False}
    assert array.flags.writeable
    assert inside["array"].flags.writeable


def test_arrays_lie_in_memory_as_everywhere(backend: Backend) -> None:
    # or sums would not be the same bit for bit
    array = np.arange(24.0).reshape(4, 6)
    arguments = (array[:, ::2], [array[::-1]], array[::2].T, array.T)
    in_c_order, in_fortran_order = (True, False), (False, True)
    arrived = [*[in_c_order] * 3, in_fortran_order]
    system = System([Program(programs.layouts, *arguments)] * 2, complete(2))
    assert backend.run(system).results == {node: [arrived, arrived, [in_c_order]] for node in range(2)}


# -- backpressure ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [1, 3])
def test_full_queues_lose_nothing_and_keep_the_order(backend: Backend, capacity: int) -> None:
    record = backend.run(programs.backpressure(capacity, 40))
    assert record.results == {0: "sent", 1: list(range(40)), 2: list(range(40))}
    assert record.messages == {(0, 1): 40, (0, 2): 40}
    assert sum(record.dropped.values()) == 0


@pytest.mark.parametrize("capacity", [1, 3])
def test_a_full_queue_holds_the_sender(backend: Backend, capacity: int) -> None:
    result = backend.run(programs.held(capacity, patience=0.2)).results[1]
    assert result == (0, [0, 1, 2, 3], "all sent")


def test_a_queue_with_room_does_not_hold_the_sender(backend: Backend) -> None:
    result = backend.run(programs.held(4, patience=programs.AGES)).results[1]
    assert result == (1, [0, 1, 2, 3], "all sent")


def test_late_messages_leave_the_queue(backend: Backend) -> None:
    result = backend.run(programs.late_in_full_queue()).results[1]
    assert result == expected([0], [4], [(0, step, step) for step in range(4)])


# -- NOTIFY-ACK -----------------------------------------------------------------------------------------------------

ROUNDS = 12


@pytest.mark.parametrize("graph", programs.DIGRAPHS)
def test_notify_ack(backend: Backend, graph: str) -> None:
    nodes, edges = programs.DIGRAPHS[graph]
    record = backend.run(programs.notify_ack_system(graph, ROUNDS), jitter())
    history = programs.bulk_synchronous(graph, ROUNDS)
    for node in range(nodes):
        sources = tuple(source for source, target in edges if target == node)
        targets = tuple(target for source, target in edges if source == node)
        model, used, replaced, acknowledged = record.results[node]
        # reduce k uses exactly the messages of round k: at that moment every source has sent k times or more
        assert used == [(k,) * len(sources) for k in range(1, ROUNDS + 1)]
        # send k+1 comes after reduce k of all targets, so no source is ahead by more than one
        assert acknowledged == [tuple(sorted(targets))] * (ROUNDS - 1)
        assert replaced == 0
        np.testing.assert_array_equal(model, history[-1][node])
        steps, models = record.logged("model", node)
        assert steps.tolist() == list(range(1, ROUNDS + 1))
        np.testing.assert_array_equal(models, [models[node] for models in history])
    assert sum(record.overwrites.values()) == 0
    _assert_skew(record, edges)


def _assert_skew(record: RunRecord, edges: tuple[tuple[int, int], ...]) -> None:
    """r_j <= s_i <= r_j + 1 on every edge, by the times of the record, which all nodes take from one clock."""
    for source, target in edges:
        _, sent = record.logged("sent_at", source)
        _, reduced = record.logged("reduced_at", target)
        assert np.all(sent <= reduced)
        assert np.all(reduced[:-1] <= sent[1:])


def test_notify_without_ack_overwrites(backend: Backend) -> None:
    record = backend.run(programs.notify_only_system(9))
    assert record.results == {0: None, 1: (9, 8)}
    assert record.overwrites == {(0, 1, ""): 8}


def test_waiting_before_sending_is_a_deadlock(backend: Backend) -> None:
    kind = DeadlockError if backend.clock == "virtual" else WaitTimeoutError
    with pytest.raises(kind) as caught:
        backend.run(programs.deadlock(), patience=0.5)
    assert isinstance(caught.value.record, RunRecord)
    assert caught.value.record.status == "failed"
    assert "of step 1" in str(caught.value)
    if backend.clock == "virtual":
        assert "in a circle: 0 waits for 2 waits for 1 waits for 0" in str(caught.value)


# -- trajectories ---------------------------------------------------------------------------------------------------


def _assert_same_trajectory(one: RunRecord, other: RunRecord, nodes: int, names: tuple[str, ...]) -> None:
    for node in range(nodes):
        assert [_facts(wait) for wait in one.waits(node)] == [_facts(wait) for wait in other.waits(node)]
    for name, node in ((name, node) for name in names for node in range(nodes)):
        try:
            steps, values = one.logged(name, node)
        except ValueError:
            with pytest.raises(ValueError, match="logged"):
                other.logged(name, node)
            continue
        np.testing.assert_array_equal(other.logged(name, node)[0], steps)
        np.testing.assert_array_equal(other.logged(name, node)[1], values)
    assert programs.described(dict(one.results)) == programs.described(dict(other.results))


def _facts(wait: Any) -> Any:
    return (wait.step, wait.tag, wait.taken, wait.late, wait.lost, wait.complete)


@pytest.mark.parametrize("k", [1, 3])
def test_arrivals_of_the_virtual_clock_are_forced(backend: Backend, virtual: VirtualBackend, k: int) -> None:
    system = programs.k_of_n(k, 4, 15)
    conditions = Conditions(seed=k, stragglers=Exponential(1.0))
    first = virtual.run(system, conditions)
    assert len(set(first.results[0][1])) > 1
    again = backend.replay(first, system)
    _assert_same_trajectory(first, again, 1, ("norm", "model"))


def test_arrivals_of_the_backend_are_replayed(backend: Backend, virtual: VirtualBackend) -> None:
    system = programs.k_of_n(2, 4, 15)
    first = backend.run(system, jitter())
    again = virtual.replay(first, system)
    _assert_same_trajectory(first, again, 1, ("norm", "model"))


def test_times_and_random_numbers_are_replayed(backend: Backend, virtual: VirtualBackend) -> None:
    system = programs.impatient_system(8, patience=0.004)
    conditions = Conditions(seed=11, unit=0.0, stragglers=Exponential(0.004))
    first = backend.run(system, conditions)
    _assert_same_trajectory(first, virtual.replay(first, system), 3, ("model",))
    planned = virtual.run(system, conditions)
    assert not all(complete for _, complete, *_ in planned.results[0][1])
    _assert_same_trajectory(planned, backend.replay(planned, system), 3, ("model",))


def test_a_saved_record_is_replayed(backend: Backend, virtual: VirtualBackend, tmp_path: Any) -> None:
    system = programs.k_of_n(2, 3, 6)
    first = backend.run(system, jitter(), record=tmp_path / "run")
    loaded = RunRecord.load(tmp_path / "run")
    again = virtual.replay(loaded, system)
    _assert_same_trajectory(first, again, 1, ("norm", "model"))


def test_lost_workers_are_replayed(backend: Backend, virtual: VirtualBackend) -> None:
    system = programs.caught_loss()
    first = virtual.run(system, Conditions(faults=(Crash(2, 2),)))
    again = backend.replay(first, system)
    assert again.results[0] == first.results[0]
    other = backend.run(system, Conditions(faults=(Crash(2, 2),)))
    assert virtual.replay(other, system).results[0] == other.results[0]


def test_a_record_that_does_not_fit(backend: Backend, virtual: VirtualBackend) -> None:
    record = virtual.run(programs.k_of_n(2, 3, 3))
    with pytest.raises(ReplayError, match="4 nodes"):
        backend.replay(record, programs.k_of_n(2, 2, 3))
    with pytest.raises(ReplayError, match=r"the record does not fit the programs: node \d waits for step"):
        backend.replay(virtual.run(scenes.scenes()), programs.k_of_n(2, 3, 3))


# -- lost nodes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["compute", "send", "log"])
def test_k_of_n_goes_on_without_a_crashed_worker(backend: Backend, where: str) -> None:
    record = backend.run(programs.faulty(6, 2, where, doomed=(2,)), Conditions(faults=(Crash(2, 3),)))
    orders = record.results[0]
    assert len(orders) == 6
    assert all(len(order) == 2 for order in orders)
    assert all(2 not in order for order in orders[3:])
    assert record.lost == (2,)
    assert record.statuses == {0: "finished", 1: "closed", 2: "lost", 3: "closed"}
    assert [note.details["kind"] for note in record.notes("fault")] == ["crash"]
    answered = {arrival.step for wait in record.waits(0) for arrival in wait.taken if arrival.source == 2}
    assert max(answered, default=-1) <= 2


def test_an_impossible_wait_names_the_lost(backend: Backend) -> None:
    with pytest.raises(LostWorkersError, match="node 0 waits for 3 messages of step 2 from 1, 2, 3") as caught:
        backend.run(programs.faulty(6, None), Conditions(faults=(Crash(2, 2),)))
    assert caught.value.lost == (2,)
    assert "lost: 2" in str(caught.value)
    record = caught.value.record
    assert isinstance(record, RunRecord)
    assert record.status == "failed"
    assert record.lost == (2,)
    assert record.statuses[0] == "failed"
    assert [wait.step for wait in record.waits(0)] == [0, 1]


def test_several_lost_workers_are_named(backend: Backend) -> None:
    with pytest.raises(LostWorkersError) as caught:
        backend.run(programs.faulty(6, 2), Conditions(faults=(Crash(1, 1), Crash(3, 1))))
    assert caught.value.lost == (1, 3)


def test_a_program_can_go_on_after_a_loss(backend: Backend) -> None:
    record = backend.run(programs.caught_loss(), Conditions(faults=(Crash(2, 2),)))
    assert record.results[0] == ((2,), [2], (1, 3), [2, 2])


def test_last_words_are_heard(backend: Backend) -> None:
    record = backend.run(programs.last_words(), Conditions(faults=(Crash(1, 1),)))
    assert record.results[0] == ((1,), 0)
    # also by the record
    assert record.messages == {(0, 1): 1, (1, 0): 2}
    assert record.bits == {(0, 1): 64, (1, 0): 2 * 64}


def test_a_wait_ends_when_nothing_more_can_come(backend: Backend) -> None:
    begin = time.monotonic()
    record = backend.run(programs.early_return(), Conditions(faults=(Crash(1, 0),)))
    assert record.results[0] == (expected([2], [0], complete=False), [1], True)
    assert time.monotonic() - begin < programs.AGES / 2


def test_finished_nodes_send_no_more(backend: Backend) -> None:
    record = backend.run(programs.wants_too_much(programs.AGES))
    assert record.results == {0: ("only this", expected([], [], complete=False), True), 1: "said"}
    with pytest.raises(DeadlockError, match=r"node 0 waits for 1 messages of step 1 from 1.*finished: 1"):
        backend.run(programs.wants_too_much(None))


def test_every_node_that_must_finish_is_lost(backend: Backend) -> None:
    with pytest.raises(LostWorkersError) as caught:
        backend.run(programs.faulty(6, 2), Conditions(faults=(Crash(0, 3),)))
    assert caught.value.lost == (0,)


def test_k_of_n_goes_on_without_a_hung_worker(backend: Backend) -> None:
    system = programs.faulty(6, 2, doomed=(2,), last=4, patience=0.5)
    record = backend.run(system, Conditions(faults=(Hang(2, 3),)))
    assert all(2 not in order for order in record.results[0][3:])
    assert record.statuses[2] == "hung"
    assert record.lost == ()
    assert [note.details["kind"] for note in record.notes("fault")] == ["hang"]


def test_a_hung_worker_that_is_needed(backend: Backend) -> None:
    kind = DeadlockError if backend.clock == "virtual" else WaitTimeoutError
    with pytest.raises(kind, match=r"node 0 .*step 2"):
        backend.run(programs.faulty(6, None), Conditions(faults=(Hang(2, 2),)), patience=1.0)


def test_a_dropped_message(backend: Backend) -> None:
    conditions = Conditions(unit=0.0, faults=(Drop(2, 0, step=1),))
    record = backend.run(programs.dropping(3, 0.5), conditions)
    orders = record.results[0]
    assert [complete for _, complete in orders] == [True, False, True]
    assert 2 not in orders[1][0]
    assert record.dropped[2, 0] == 1
    assert record.messages[2, 0] == 6


def test_random_drops_are_those_of_the_seed(backend: Backend, virtual: VirtualBackend) -> None:
    conditions = Conditions(seed=4, faults=(Drop(1, 0, probability=0.5),))
    record = backend.run(programs.random_drops(60), conditions)
    heard = record.results[0]
    assert heard == virtual.once(programs.random_drops, 60, conditions=conditions).results[0]
    assert 10 < len(heard) < 50
    assert record.dropped[1, 0] == 60 - len(heard)


def test_a_slow_link(backend: Backend) -> None:
    times = backend.run(programs.slow_answers(), Conditions(faults=(SlowLink(1, 0, 0.1, first_step=1),))).results[0]
    assert times[1] >= 0.1
    if backend.clock == "virtual":
        assert times == [0.0, 0.1]


def test_slow_workers_come_later(backend: Backend) -> None:
    conditions = Conditions(unit=0.001, stragglers=SlowSet((1,), slowdown=1.0, delay=0.4))
    record = backend.run(programs.faulty(2, 2), conditions)
    assert record.results[0][0] == (2, 3)


# -- ends -----------------------------------------------------------------------------------------------------------


def test_results_and_daemons(backend: Backend) -> None:
    record = backend.run(programs.ends())
    assert record.results.keys() == {0, 1}
    assert record.results[0] == "zero"
    np.testing.assert_array_equal(record.results[1], [1.0, np.nan])
    assert record.statuses == {0: "finished", 1: "finished", 2: "closed"}
    assert record.manifest["backend"] == backend.name
    assert record.manifest["clock"] == backend.clock


@pytest.mark.parametrize(
    ("how", "step", "told"),
    [
        ("compute", 0, ("ZeroDivisionError: float division by zero", "in divides_by_zero", "in failing_worker")),
        ("program", 0, ("RuntimeError: no more", "in failing_worker")),
        (
            "nonsense",
            None,
            ("TypeError: a program must yield effects such as send(...) and wait(...), received [Send",),
        ),
        ("exit", None, ("SystemExit: 3",)),
        ("edge", 0, ("ValueError: node 1 sends to [2], to which it has no edge; its targets are [0]",)),
    ],
)
def test_a_failing_program(backend: Backend, how: str, step: int | None, told: tuple[str, ...]) -> None:
    with pytest.raises(ProgramError) as caught:
        backend.run(programs.failing(how))
    error = caught.value
    assert (error.node, error.step) == (1, step)
    assert str(error).startswith("node 1, step 0: " if step == 0 else "node 1: ")
    for words in told:
        assert words in str(error)
    # the traceback begins in the program
    assert "trampoline.py" not in error.details.splitlines()[1]
    assert isinstance(error.record, RunRecord)
    assert error.record.status == "failed"
    assert error.record.statuses[1] == "failed"


def test_nan_is_a_value_like_others(backend: Backend) -> None:
    record = backend.run(programs.nan())
    np.testing.assert_array_equal(record.results[0], [np.nan, np.inf])
    assert np.isnan(record.logged("loss")[1][0])


def test_one_node(backend: Backend) -> None:
    record = backend.run(programs.single(), Conditions(seed=9))
    assert record.results[0] == (6, 0, (), (), True)
    assert record.logged("total")[1].tolist() == [6]
    expected_random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(9, spawn_key=(0, 0, 0)))).random()
    assert record.logged("random")[1].tolist() == [expected_random]


def test_conditions_that_do_not_fit_are_refused(backend: Backend) -> None:
    with pytest.raises(ValueError, match="Crash"):
        backend.run(programs.single(), Conditions(faults=(Crash(1),)))


def test_errors_tell_where_the_record_is(backend: Backend, tmp_path: Any) -> None:
    with pytest.raises(ExecutorError) as caught:
        backend.run(programs.failing("program"), record=tmp_path / "run")
    assert str(tmp_path / "run") in str(caught.value)
    assert RunRecord.load(tmp_path / "run").status == "failed"


def test_a_program_that_never_waits_is_replayed(backend: Backend, virtual: VirtualBackend) -> None:
    """A replay takes no time to compute, so such a daemon must let the others go on."""
    workers = [Program(programs.streams_forever, daemon=True)] * 2
    system = System([Program(programs.takes_newest, 5), *workers], star(2))
    first = backend.run(system, Conditions(unit=0.001))
    again = virtual.replay(first, system)
    assert again.results[0] == first.results[0]
    assert backend.replay(virtual.run(system), system).results[0] == virtual.run(system).results[0]
