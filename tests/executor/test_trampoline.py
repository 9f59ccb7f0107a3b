from __future__ import annotations

import math
from asyncio import CancelledError
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from codedtheory.executor import (
    ACK,
    Conditions,
    Crash,
    DeadlockError,
    Drop,
    Hang,
    LostWorkersError,
    Message,
    Node,
    Program,
    ProgramError,
    SlowSet,
    System,
    acknowledge,
    complete,
    compute,
    log,
    now,
    send,
    wait,
)
from codedtheory.executor.events import End, LogEntry, Note, WaitEvent
from codedtheory.executor.recorder import MemoryRecorder
from codedtheory.executor.trampoline import Trampoline

Run = Any


class FakePort:
    """A port whose clock and queues a test sets."""

    retry = 0.25

    def __init__(self) -> None:
        self.time = 0.0
        self.sent: list[tuple[tuple[int, ...], Message]] = []
        self.full: set[int] = set()
        self.freed: list[int] = []
        self.crashed = False
        self.log: list[str] = []

    def now(self) -> float:
        return self.time

    def has_room(self, peer: int) -> bool:
        return peer not in self.full

    def send(self, peers: Sequence[int], message: Message) -> None:
        self.sent.append((tuple(peers), message))
        self.log.append("send")

    def taken(self, message: Message) -> None:
        self.freed.append(message.number)

    def crash(self) -> None:
        self.crashed = True


class FlushRecorder(MemoryRecorder):
    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self.log = log

    def flush(self) -> None:
        self.log.append("flush")


class Stage:
    """Node 0 of a complete graph of four nodes, with everything around it in the hands of the test."""

    def __init__(
        self,
        program: Callable[..., Run],
        *args: Any,
        conditions: Conditions | None = None,
        capacity: int | None = None,
        daemon: bool = False,
    ) -> None:
        others = Program(silent)
        system = System(
            [Program(program, *args, daemon=daemon), others, others, others], complete(4), capacity=capacity
        )
        self.port = FakePort()
        self.recorder = FlushRecorder(self.port.log)
        conditions = conditions or Conditions(unit=1.0)
        self.trampoline = Trampoline(system, 0, conditions, self.port, self.recorder)
        self._numbers = 0

    def advance(self, due: bool = False) -> float:
        return self.trampoline.advance(due)

    def arrives(self, source: int, step: int | None = None, **others: Any) -> bool:
        tag = others.pop("tag", "")
        number = self._numbers
        self._numbers += 1
        message = Message(source, tag, step, number, others.pop("value", None), arrived=self.port.time, **others)
        may_go_on = self.trampoline.deliver(message)
        if may_go_on:
            self.trampoline.advance()
        return may_go_on

    def loses(self, peer: int, finished: bool = False) -> bool:
        may_go_on = self.trampoline.lose(peer, finished)
        if may_go_on:
            self.trampoline.advance()
        return may_go_on

    @property
    def result(self) -> Any:
        assert self.trampoline.status == "finished", self.trampoline.failure
        return self.trampoline.result

    def events(self, kind: type) -> list[Any]:
        return [event for event in self.recorder.events().of(0) if isinstance(event, kind)]


def silent(node: Node) -> Run:
    yield from ()


def one_wait(node: Node, options: dict[str, Any]) -> Run:
    arrivals = yield wait(**options)
    return arrivals.order, arrivals.complete, len(arrivals.late), sorted(arrivals.lost)


# -- running --------------------------------------------------------------------------------------------------------


def test_a_program_without_effects() -> None:
    stage = Stage(silent)
    assert not stage.trampoline.ended
    assert stage.advance() == math.inf
    assert stage.trampoline.ended
    assert stage.result is None
    assert stage.advance() == math.inf
    assert stage.advance(due=True) == math.inf
    assert not stage.arrives(1)
    assert not stage.loses(1)


def test_a_computation_takes_its_time() -> None:
    def program(node: Node) -> Run:
        return (yield compute(pow, 2, 5, cost=3.0, step=1))

    stage = Stage(program, conditions=Conditions(unit=0.5, stragglers=SlowSet((0,), slowdown=2.0, delay=0.25)))
    stage.port.time = 1.0
    assert stage.advance() == 4.25
    assert stage.advance() == 4.25
    assert stage.trampoline.state == "node 0 is computing"
    # messages do not end it
    assert not stage.arrives(1)
    stage.port.time = 4.25
    stage.advance(due=True)
    assert stage.result == 32


def test_a_computation_that_lasts_longer_than_it_should() -> None:
    def slow() -> None:
        stage.port.time += 5.0

    def program(node: Node) -> Run:
        yield compute(slow, cost=2.0)
        yield compute(slow, cost=9.0)

    stage = Stage(program)
    # the first is over at 5 instead of 2, the second lasts from 5 to 14
    assert stage.advance() == 14.0
    stage.advance(due=True)
    assert stage.events(End)[0].totals["overruns"] == 1


@pytest.mark.parametrize(
    ("error", "headline"),
    [
        (GeneratorExit(), "node 0, step 3: GeneratorExit"),
        (CancelledError("by asyncio"), "node 0, step 3: asyncio.exceptions.CancelledError: by asyncio"),
        (SystemExit(2), "node 0, step 3: SystemExit: 2"),
        (ValueError("first\nsecond"), "node 0, step 3: ValueError: first"),
        (ExceptionGroup("two", [ValueError(1), KeyError(2)]), "node 0, step 3: ExceptionGroup: two (2 sub-exceptions)"),
    ],
)
def test_whatever_a_program_raises_is_its_failure(error: BaseException, headline: str) -> None:
    error.add_note("a note")

    def program(node: Node) -> Run:
        yield log(step=3)
        raise error

    stage = Stage(program)
    stage.advance()
    failure = stage.trampoline.failure
    assert isinstance(failure, ProgramError)
    assert str(failure).splitlines()[0] == headline
    assert "a note" in str(failure)


@pytest.mark.parametrize("look", [now, lambda: wait(timeout=0.0, count=1)])
def test_a_program_that_looks_for_ever_while_no_time_passes(look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codedtheory.executor.trampoline._LOOKS", 50)

    def program(node: Node, rounds: int, idle: int) -> Run:
        for step in range(rounds):
            yield compute(int, cost=0.0, step=step)
            for _ in range(idle):
                yield look()
        return "done"

    def run(*arguments: int) -> Stage:
        stage = Stage(program, *arguments)
        while stage.trampoline.status == "running":
            stage.advance(due=True)
        return stage

    assert run(5, 50).result == "done"
    failure = run(1, 51).trampoline.failure
    assert isinstance(failure, DeadlockError)
    assert "node 0 looks at the clock or for messages again and again, but no time passes at 0 s" in str(failure)


def test_an_interrupt_is_none_of_a_program() -> None:
    def program(node: Node) -> Run:
        yield now()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Stage(program).advance()


def test_errors_of_computations_come_to_the_program() -> None:
    def leave() -> None:
        raise SystemExit(2)

    def program(node: Node) -> Run:
        caught = []
        for function in (lambda: 1 / 0, leave):
            try:
                yield compute(function)
            except Exception as error:
                caught.append(type(error).__name__)
        return caught

    stage = Stage(program)
    stage.advance()
    assert stage.result == ["ZeroDivisionError", "RuntimeError"]


def test_what_a_program_may_not_yield() -> None:
    def program(node: Node) -> Run:
        caught = []
        for nonsense in (None, 5, [send(1)], silent(node), send):
            try:
                yield nonsense
            except TypeError as error:
                caught.append("must yield effects" in str(error))
        return caught

    stage = Stage(program)
    stage.advance()
    assert stage.result == [True] * 5


def test_a_failure_keeps_the_traceback_of_the_program() -> None:
    def program(node: Node) -> Run:
        yield log(step=4)
        raise KeyError("gone")

    stage = Stage(program)
    stage.advance()
    failure = stage.trampoline.failure
    assert stage.trampoline.status == "failed"
    assert isinstance(failure, ProgramError)
    assert (failure.node, failure.step) == (0, 4)
    assert failure.details.splitlines()[1].endswith("in program")
    assert str(failure).startswith("node 0, step 4: KeyError: 'gone'")


def test_interrupts_pass() -> None:
    def program(node: Node) -> Run:
        yield from ()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Stage(program).advance()


def test_closing() -> None:
    cleaned = []

    def program(node: Node) -> Run:
        try:
            yield wait()
        finally:
            cleaned.append(node.id)

    stage = Stage(program)
    stage.advance()
    stage.trampoline.close()
    stage.trampoline.close()
    assert cleaned == [0]
    assert stage.trampoline.status == "closed"
    assert [end.status for end in stage.events(End)] == ["closed"]


def test_closing_a_program_that_will_not_end() -> None:
    def program(node: Node) -> Run:
        while True:
            try:
                yield wait()
            except GeneratorExit:
                yield wait()

    stage = Stage(program)
    stage.advance()
    stage.trampoline.close()
    assert stage.trampoline.status == "failed"
    assert "GeneratorExit" in str(stage.trampoline.failure)
    # so that it is not complained about when it is collected
    stage.trampoline._generator.close()


# -- waiting --------------------------------------------------------------------------------------------------------


def test_a_wait_ends_with_its_last_message() -> None:
    stage = Stage(one_wait, {"step": 2, "count": 2})
    assert stage.advance() == math.inf
    assert not stage.arrives(3, 2)
    assert not stage.arrives(3, 2)
    assert not stage.arrives(1, 1)
    assert not stage.arrives(1, 2, tag="other")
    assert stage.trampoline.state == "node 0 waits for 2 messages of step 2 from 1, 2, 3; has 1, missing: 1, 2"
    assert stage.trampoline.waits_for() == (1, 2)
    stage.port.time = 7.0
    assert stage.arrives(2, 2)
    assert stage.result == ((3, 2), True, 1, [])
    event = stage.events(WaitEvent)[0]
    assert (event.since, event.time, event.order, [late.source for late in event.late]) == (0.0, 7.0, (3, 2), [1])
    # the second message of node 3 and the other tag still take room
    assert stage.port.freed == [0, 2, 4]


def test_a_time_limit() -> None:
    stage = Stage(one_wait, {"timeout": 2.0, "deadline": 1.5})
    assert stage.advance() == 1.5
    stage.arrives(1)
    assert stage.advance() == 1.5
    stage.port.time = 1.5
    stage.advance(due=True)
    assert stage.result == ((1,), False, 0, [])


def test_the_earlier_of_two_limits_counts() -> None:
    assert Stage(one_wait, {"timeout": 2.0, "deadline": 9.0}).advance() == 2.0
    assert Stage(one_wait, {"deadline": -1.0}).advance() == -1.0


def test_a_wait_that_lost_nodes_make_impossible() -> None:
    stage = Stage(one_wait, {"count": 2, "step": 1})
    stage.advance()
    assert not stage.loses(1)
    assert stage.loses(2)
    failure = stage.trampoline.failure
    assert isinstance(failure, LostWorkersError)
    assert failure.lost == (1, 2)
    assert str(failure) == (
        "node 0 waits for 2 messages of step 1 from 1, 2, 3, which the 1 that are left cannot give; lost: 1, 2"
    )
    assert [note.kind for note in stage.events(Note)] == ["neighbour lost", "neighbour lost", "unreachable"]


def test_finished_nodes_are_no_lost_ones() -> None:
    stage = Stage(one_wait, {"count": 2})
    stage.advance()
    stage.loses(1, finished=True)
    stage.loses(3, finished=True)
    assert isinstance(stage.trampoline.failure, DeadlockError)
    assert "finished: 1, 3" in str(stage.trampoline.failure)


def test_what_lost_nodes_have_sent_counts() -> None:
    stage = Stage(one_wait, {})
    stage.arrives(1)
    stage.loses(1)
    stage.advance()
    stage.arrives(2)
    stage.loses(2)
    assert stage.arrives(3)
    assert stage.result == ((1, 2, 3), True, 0, [1, 2])


def test_with_a_limit_a_wait_is_over_when_nothing_can_come() -> None:
    stage = Stage(one_wait, {"timeout": 9.0})
    stage.advance()
    stage.arrives(2)
    assert not stage.loses(1)
    assert stage.loses(3, finished=True)
    assert stage.result == ((2,), False, 0, [1])


def test_a_daemon_with_an_impossible_wait_waits_to_be_closed() -> None:
    stage = Stage(one_wait, {}, daemon=True)
    stage.advance()
    for peer in (1, 2, 3):
        assert not stage.loses(peer)
    assert stage.trampoline.status == "running"


def test_a_predicate_that_nobody_can_satisfy() -> None:
    stage = Stage(one_wait, {"until": lambda arrived: 7 in arrived})
    stage.advance()
    for peer in (1, 2):
        assert not stage.arrives(peer)
    assert stage.arrives(3)
    assert isinstance(stage.trampoline.failure, DeadlockError)


def test_a_wait_that_failed_has_taken_nothing() -> None:
    def program(node: Node) -> Run:
        yield wait(tag="first")
        try:
            yield wait(step=2)
        except LostWorkersError as error:
            answers = yield wait([1, 2], step=2)
            return error.lost, answers.order, [late.step for late in answers.late]

    stage = Stage(program, capacity=2)
    stage.advance()
    stage.arrives(1, 1)
    stage.arrives(2, 2)
    for peer in (1, 2, 3):
        stage.arrives(peer, tag="first")
    stage.arrives(1, 2)
    assert stage.loses(3)
    assert stage.result == ((3,), (2, 1), [1])
    # each has made room once
    assert sorted(stage.port.freed) == [0, 1, 2, 3, 4, 5]
    assert stage.events(End)[0].totals["late"] == 1


@pytest.mark.parametrize("early", [True, False])
def test_a_predicate_that_fails(early: bool) -> None:
    def broken(arrived: frozenset[int]) -> bool:
        raise RuntimeError("broken")

    def program(node: Node) -> Run:
        try:
            yield wait(until=broken)
        except ValueError as error:
            told = str(error)
        return told, (yield wait(count=1)).order

    stage = Stage(program)
    if early:
        stage.arrives(2)
    stage.advance()
    if not early:
        assert stage.trampoline.failure is None
    stage.arrives(3)
    text, order = stage.result
    # with count 0 the predicate is asked before anything has come
    assert text == "until failed for []: RuntimeError: broken"
    assert order == ((2,) if early else (3,))


def test_what_cannot_be_waited_for() -> None:
    def program(node: Node) -> Run:
        told = []
        for options in ({"sources": 0}, {"sources": [1, 9]}, {"count": 4}, {"count": -1}, {"sources": (), "count": 1}):
            try:
                yield wait(**options)
            except ValueError as error:
                told.append(str(error).split(",")[0])
        return told

    stage = Stage(program)
    stage.advance()
    assert stage.result == [
        "node 0 waits for [0]",
        "node 0 waits for [9]",
        "count must lie between 0 and 3",
        "count must lie between 0 and 3",
        "count must lie between 0 and 0",
    ]


def test_lost_neighbours_are_known_after_a_wait() -> None:
    def program(node: Node) -> Run:
        before = node.lost
        yield wait(1)
        return before, node.lost

    stage = Stage(program)
    stage.advance()
    stage.loses(3)
    stage.arrives(1)
    assert stage.result == (frozenset(), frozenset({3}))


def test_news_after_the_end_is_not_recorded() -> None:
    stage = Stage(silent)
    stage.advance()
    stage.loses(2)
    assert stage.events(Note) == []


# -- sending --------------------------------------------------------------------------------------------------------


def test_messages_are_numbered_and_counted() -> None:
    def program(node: Node) -> Run:
        yield send([2, 1], 1.5, step=3, tag="t")
        yield send(3, None, bits=7, slot=True)

    stage = Stage(program)
    stage.advance()
    (first_peers, first), (second_peers, second) = stage.port.sent
    assert (first_peers, first.source, first.tag, first.step, first.number) == ((2, 1), 0, "t", 3, 0)
    assert (first.value, first.bits, first.slot) == (1.5, 64, False)
    assert (second_peers, second.number, second.bits, second.slot) == ((3,), 1, 7, True)
    assert sorted(stage.events(End)[0].totals["edges"]) == [[1, 1, 64, 0], [2, 1, 64, 0], [3, 1, 7, 0]]


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ((1, 9), "node 0 sends to [9], to which it has no edge; its targets are [1, 2, 3]"),
        ((0,), "node 0 sends to [0], to which"),
        ((1, 2, 1), "node 0 sends to [1, 2, 1], which names a node twice"),
        ((1.0,), "nodes must be given by their numbers, received 1.0"),
    ],
)
def test_where_nothing_can_be_sent(targets: tuple[int, ...], words: str) -> None:
    def program(node: Node) -> Run:
        for _ in range(2):
            try:
                yield send(targets)
            except (TypeError, ValueError) as error:
                told = str(error)
        return told

    stage = Stage(program)
    stage.advance()
    assert stage.result.startswith(words)
    assert stage.port.sent == []


def test_many_groups_of_targets() -> None:
    def program(node: Node) -> Run:
        for i in range(1000):
            yield send([1 + i % 3, 1 + (i + 1 + i // 3 % 2) % 3])
        return "sent"

    stage = Stage(program)
    stage.advance()
    assert stage.result == "sent"
    assert len(stage.port.sent) == 1000


def test_a_full_queue_holds_the_program() -> None:
    def program(node: Node) -> Run:
        yield send([1, 2, 3], "value")
        yield send(2, "slot", slot=True)

    stage = Stage(program, capacity=1)
    stage.port.full = {2, 3}
    stage.port.time = 1.0
    assert stage.advance() == 1.25
    assert stage.trampoline.held
    assert stage.trampoline.state == "node 0 waits for room in its queue to 2, 3"
    assert stage.trampoline.waits_for() == (2, 3)
    stage.port.full = {2}
    assert stage.advance() == 1.25
    # who is gone needs no room
    assert stage.loses(2)
    assert stage.trampoline.ended
    assert [peers for peers, _ in stage.port.sent] == [(1,), (3,)]
    assert len({message.number for _, message in stage.port.sent}) == 1


def test_nothing_is_sent_to_who_is_gone() -> None:
    def program(node: Node) -> Run:
        yield wait(1)
        yield send([1, 2, 3], "value")

    stage = Stage(program)
    stage.advance()
    stage.loses(3, finished=True)
    stage.arrives(1)
    assert [peers for peers, _ in stage.port.sent] == [(1, 2)]
    assert [3, 1, 40, 1] in stage.events(End)[0].totals["edges"]


def test_dropped_messages() -> None:
    def program(node: Node) -> Run:
        for step in range(3):
            yield send([1, 2], step, step=step)

    stage = Stage(program, conditions=Conditions(faults=(Drop(0, 1, step=1),)))
    stage.advance()
    assert [(peers, message.value) for peers, message in stage.port.sent] == [((1, 2), 0), ((2,), 1), ((1, 2), 2)]


def test_a_drop_does_not_change_what_happens_to_others() -> None:
    def program(node: Node, both: bool) -> Run:
        for step in range(40):
            yield send([1, 2] if both else 1, step)

    def arrived(both: bool, peer: int) -> list[int]:
        faults = (Drop(0, 1, probability=0.5), Drop(0, 2, probability=0.5))
        stage = Stage(program, both, conditions=Conditions(seed=1, faults=faults))
        stage.advance()
        return [message.value for peers, message in stage.port.sent if peer in peers]

    assert arrived(True, 1) == arrived(False, 1)
    assert 8 < len(arrived(True, 1)) < 32
    assert arrived(True, 1) != arrived(True, 2)


def test_acknowledgements() -> None:
    def program(node: Node) -> Run:
        first = yield wait(step=1)
        second = yield wait(3, step=2)
        yield acknowledge([*first.messages, second.only])
        yield acknowledge(second.only)

    stage = Stage(program)
    stage.advance()
    for peer in (2, 3, 1):
        stage.arrives(peer, 1)
    stage.arrives(3, 2)
    assert [(peers, message.tag, message.step, message.value) for peers, message in stage.port.sent] == [
        ((1, 2, 3), ACK, 1, None),
        ((3,), ACK, 2, None),
        ((3,), ACK, 2, None),
    ]


def test_acknowledging_several_messages_of_one_node_and_step() -> None:
    def program(node: Node) -> Run:
        yield acknowledge([Message(1, "", 4, 0, None), Message(2, "", 4, 0, None), Message(1, "", 4, 1, None)])

    stage = Stage(program)
    stage.advance()
    assert [(tuple(peers), message.step, message.number) for peers, message in stage.port.sent] == [
        ((1, 2), 4, 0),
        ((1,), 4, 1),
    ]


def test_acknowledging_what_came_over_no_edge() -> None:
    def program(node: Node) -> Run:
        try:
            yield acknowledge(Message(9, "", 0, 0, None))
        except ValueError as error:
            return str(error)

    stage = Stage(program)
    stage.advance()
    assert "came over no edge" in stage.result


# -- the record -----------------------------------------------------------------------------------------------------


def test_the_record_is_safe_before_what_depends_on_it_leaves() -> None:
    def program(node: Node) -> Run:
        yield send(1)
        yield wait(1)
        yield send(1)
        yield send(2)
        yield now()
        yield send(1)

    stage = Stage(program)
    stage.advance()
    stage.arrives(1)
    assert stage.port.log == ["send", "flush", "send", "send", "flush", "send", "flush"]


def test_times_and_logs() -> None:
    def program(node: Node) -> Run:
        time = yield now()
        yield log(step=2, loss=0.5)
        return time

    stage = Stage(program)
    stage.port.time = 3.5
    stage.advance()
    assert stage.result == 3.5
    entry = stage.events(LogEntry)[0]
    assert (entry.time, entry.step, entry.values) == (3.5, 2, {"loss": 0.5})
    assert stage.trampoline.step == 2


def test_what_cannot_be_logged() -> None:
    def program(node: Node) -> Run:
        try:
            yield log(text="no")
        except TypeError as error:
            return str(error)

    stage = Stage(program)
    stage.advance()
    assert "numbers and NumPy arrays" in stage.result


# -- faults ---------------------------------------------------------------------------------------------------------


def effects_of_a_step(node: Node, kind: str) -> Run:
    yield send(1, step=2)
    if kind == "compute":
        yield compute(max, 1, 2, step=3)
    elif kind == "send":
        yield send(1, step=3)
    elif kind == "wait":
        yield wait(step=3)
    elif kind == "log":
        yield log(step=5, value=1)
    elif kind == "acknowledge":
        yield acknowledge(Message(1, "", 3, 0, None))


@pytest.mark.parametrize("kind", ["compute", "send", "wait", "log", "acknowledge"])
@pytest.mark.parametrize("fault", [Crash(0, 3), Hang(0, 3)])
def test_faults_strike_at_the_first_effect_of_their_step(kind: str, fault: Crash | Hang) -> None:
    stage = Stage(effects_of_a_step, kind, conditions=Conditions(faults=(fault,)))
    assert stage.advance() == math.inf
    assert stage.trampoline.status == ("lost" if isinstance(fault, Crash) else "hung")
    assert stage.port.crashed is isinstance(fault, Crash)
    assert len(stage.port.sent) == 1
    assert stage.events(LogEntry) == []
    assert stage.events(WaitEvent) == []
    assert [type(event) for event in stage.recorder.events().of(0)] == [Note, End]
    assert not stage.arrives(1, 3)


def test_cleanup_of_a_program_that_crashes_does_no_harm() -> None:
    def program(node: Node) -> Run:
        try:
            yield log(step=1)
        finally:
            raise RuntimeError("in the cleanup")

    stage = Stage(program, conditions=Conditions(faults=(Crash(0),)))
    stage.advance()
    assert stage.trampoline.status == "lost"
    assert stage.trampoline.failure is None


class Stopped(BaseException):
    pass


def test_a_port_that_stops_the_program_where_it_ends() -> None:
    def program(node: Node) -> Run:
        yield wait(1)

    stage = Stage(program)
    stage.advance()

    def stop() -> float:
        stage.port.now = lambda: 1.0  # type: ignore[method-assign]
        raise Stopped

    stage.port.now = stop  # type: ignore[method-assign]
    with pytest.raises(Stopped):
        stage.trampoline.close()
    stage.trampoline.close()
    assert [end.status for end in stage.events(End)] == ["closed"]
