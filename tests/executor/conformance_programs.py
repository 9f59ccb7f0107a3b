"""Programs and systems of the conformance suite, where processes and MPI ranks can import them."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.executor import (
    ACK,
    LostWorkersError,
    Node,
    Program,
    System,
    acknowledge,
    complete,
    compute,
    log,
    now,
    ring,
    send,
    star,
    wait,
)
from tests.executor.conformance_scenes import AGES, Run, seen, values_from

# -- values ---------------------------------------------------------------------------------------------------------


def sent_values() -> list[Any]:
    matrix = np.arange(12.0).reshape(3, 4)
    record = np.zeros(3, [("weight", "f8"), ("label", "i2"), ("name", "U3")])
    record["weight"] = [0.5, np.nan, -np.inf]
    record["name"] = ["a", "bc", "def"]
    return [
        None,
        0,
        -(2**200),
        True,
        1.5,
        float("nan"),
        2j,
        "Grüße",
        b"\x00\xff",
        np.float32(0.1),
        np.zeros(0),
        np.zeros((0, 3), np.int8),
        np.array(2.5),
        np.arange(5, dtype=np.int16),
        np.arange(3, dtype=">f8"),
        np.array([True, False]),
        np.array(["ab", "c"]),
        np.array(["2020-01-01"], "M8[D]"),
        record,
        record["weight"],
        matrix[:, ::2],
        matrix.T,
        np.asfortranarray(matrix),
        matrix[::-1],
        np.broadcast_to(np.arange(3.0), (2, 3)),
        np.arange(100_000.0),
        [1, [2.0, "three"], (4, None)],
        {"model": np.arange(3.0), 5: [np.eye(2)[:, 1], matrix.T]},
        (np.arange(4), {"nested": (np.zeros(0), 1)}),
        [],
        {},
        {1, 2},
        slice(1, 2),
        np.array([1, None, "x"], dtype=object),
    ]


def described(value: Any) -> Any:
    """What can be told of a value: two with the same description are the same to a program."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype.hasobject else value.tobytes()
        return ("array", value.dtype.str, value.dtype.names, value.shape, content)
    if isinstance(value, list | tuple):
        return (type(value).__name__, [described(item) for item in value])
    if isinstance(value, dict):
        return ("dict", [(key, described(item)) for key, item in value.items()])
    return (type(value).__name__, repr(value))


def _layout(array: np.ndarray[Any, Any]) -> tuple[bool, bool]:
    return array.flags.c_contiguous, array.flags.f_contiguous


def layouts(node: Node, *arguments: Any) -> Run:
    """Tell how arrays lie in memory that are arguments, and that arrive in a message."""
    yield send(1 - node.id, arguments, step=0)
    received = (yield wait(step=0)).only.value
    yield send(1 - node.id, arguments[-1], step=1)
    alone = (yield wait(step=1)).only.value
    return [[_layout(array) for array in arrays_in(value)] for value in (arguments, received, [alone])]


def arrays_in(value: Any) -> list[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        return [] if value.dtype.hasobject else [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [array for item in value for array in arrays_in(item)] if isinstance(value, list | tuple) else []


def values_source(node: Node) -> Run:
    for step, value in enumerate(sent_values()):
        yield send(node.targets, value, step=step)
    changing = np.arange(4.0)
    long = np.arange(50_000.0)
    shared = [1, 2]
    yield send(node.targets, changing, step=0, tag="changed")
    yield send(node.targets, long, step=1, tag="changed")
    yield send(node.targets, shared, step=2, tag="changed")
    yield send(node.targets, {"inside": changing}, step=3, tag="changed")
    changing[:] = -1
    long[:] = -1
    shared.append(3)
    back = yield wait(tag="back")
    return back.values()


def values_target(node: Node) -> Run:
    found = []
    writable = 0
    for step in range(len(sent_values())):
        value = (yield wait(0, step=step)).only.value
        found.append(described(value))
        writable += sum(array.flags.writeable for array in arrays_in(value))
    changed = yield from values_from(0, 4, "changed")
    as_sent = [changed[0].tolist(), float(changed[1].sum()), list(changed[2]), changed[3]["inside"].tolist()]
    # a list is the receiver's own: the other receiver must not see what this one does to it
    changed[2].append(node.id)
    try:
        changed[0][0] = 7.0
    except ValueError:
        writable -= 100
    yield send(0, changed[0], tag="back")
    return found, writable, as_sent


def values() -> System:
    return System([Program(values_source), Program(values_target), Program(values_target)], star(2))


def argument_changer(node: Node, array: np.ndarray[Any, Any], inside: dict[str, Any]) -> Run:
    yield from ()
    try:
        array[0] = node.id
    except ValueError:
        return inside["array"].flags.writeable
    return "the argument was changed"


# -- backpressure ---------------------------------------------------------------------------------------------------


def pusher(node: Node, messages: int) -> Run:
    for i in range(messages):
        yield send([1, 2], i, step=i)
    return "sent"


def puller(node: Node, messages: int) -> Run:
    return (yield from values_from(0, messages))


def backpressure(capacity: int, messages: int) -> System:
    programs = [Program(pusher, messages), Program(puller, messages), Program(puller, messages)]
    return System(programs, [(0, 1), (0, 2)], capacity=capacity)


def held_pusher(node: Node) -> Run:
    """Sends four messages and then says so in a slot, which is never full."""
    for i in range(4):
        yield send(1, i)
    yield send(1, "all sent", slot=True, tag="slot")


def held_puller(node: Node, patience: float) -> Run:
    """Takes nothing while it looks whether all has been sent."""
    early = yield wait(0, tag="slot", timeout=patience)
    values = yield from values_from(0, 4)
    end = early if len(early) else (yield wait(0, tag="slot"))
    return len(early), values, end.only.value


def held(capacity: int, patience: float) -> System:
    return System([Program(held_pusher), Program(held_puller, patience)], [(0, 1)], capacity=capacity)


def late_in_full_queue_source(node: Node) -> Run:
    for step in range(5):
        yield send(1, step, step=step)


def late_in_full_queue_target(node: Node) -> Run:
    answers = yield wait(0, step=4)
    return seen(answers)


def late_in_full_queue() -> System:
    """Late messages make room, or the one that is waited for could never come."""
    return System([Program(late_in_full_queue_source), Program(late_in_full_queue_target)], [(0, 1)], capacity=1)


# -- NOTIFY-ACK -----------------------------------------------------------------------------------------------------

DIGRAPHS: dict[str, tuple[int, tuple[tuple[int, int], ...]]] = {
    "ring": (4, ring(4)),
    "path": (4, ((0, 1), (1, 2), (2, 3))),
    "complete": (3, complete(3)),
    "random": (5, ((0, 2), (0, 4), (1, 0), (2, 1), (2, 3), (2, 4), (3, 0), (4, 1))),
}


def first_model(node: int) -> np.ndarray[Any, Any]:
    return np.sin(1.0 + np.arange(3) * (node + 1))


def local_update(model: np.ndarray[Any, Any], node: int, k: int) -> np.ndarray[Any, Any]:
    return model - 0.1 * (model - np.cos(np.arange(3) + node)) / np.sqrt(k)


def notify_ack(node: Node, rounds: int) -> Run:
    """The protocol of ASAP: data with its NOTIFY into a slot, reduce, ACK; sends before it waits."""
    model = first_model(node.id)
    used, replaced, acknowledged = [], 0, []
    for k in range(1, rounds + 1):
        update = yield compute(local_update, model, node.id, k, step=k)
        if k > 1:
            acknowledged.append((yield wait(tag=ACK, step=k - 1)).sources)
        yield log(step=k, sent_at=(yield now()))
        yield send(node.targets, update, step=k, slot=True)
        notes = yield wait(node.sources)
        used.append(tuple(message.step for message in notes.messages))
        replaced += sum(message.replaced for message in notes.messages)
        model = (update + sum(notes.values())) / (1 + len(node.sources))
        yield log(step=k, reduced_at=(yield now()), model=model)
        yield acknowledge(notes)
    return model, used, replaced, acknowledged


def notify_ack_system(graph: str, rounds: int) -> System:
    nodes, edges = DIGRAPHS[graph]
    return System([Program(notify_ack, rounds)] * nodes, edges)


def bulk_synchronous(graph: str, rounds: int) -> list[list[np.ndarray[Any, Any]]]:
    """The models of every node after each round, computed without any messages."""
    nodes, edges = DIGRAPHS[graph]
    models = [first_model(node) for node in range(nodes)]
    history = []
    for k in range(1, rounds + 1):
        updates = [local_update(models[node], node, k) for node in range(nodes)]
        models = []
        for node in range(nodes):
            sources = [source for source, target in sorted(edges) if target == node]
            models.append((updates[node] + sum(updates[source] for source in sources)) / (1 + len(sources)))
        history.append(models)
    return history


def notify_only(node: Node, rounds: int) -> Run:
    """Without ACKs; node 1 lets node 0 send everything before it reads."""
    if node.id == 0:
        for k in range(1, rounds + 1):
            yield send(1, k, step=k, slot=True)
        yield send(1, tag="done")
        return None
    yield wait(0, tag="done")
    newest = (yield wait(0)).only
    return newest.step, newest.replaced


def notify_only_system(rounds: int) -> System:
    return System([Program(notify_only, rounds)] * 2, [(0, 1)])


def waits_before_it_sends(node: Node) -> Run:
    yield wait(step=1)
    yield send(node.targets, step=1)


def deadlock() -> System:
    return System([Program(waits_before_it_sends)] * 3, ring(3))


# -- trajectories ---------------------------------------------------------------------------------------------------


def gradient_at(block: np.ndarray[Any, Any], model: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return block.T @ (block @ model - block.sum(axis=1))


def k_of_n_master(node: Node, k: int, steps: int, size: int) -> Run:
    model = np.zeros(size)
    orders = []
    for step in range(steps):
        yield send(node.targets, model, step=step, slot=True)
        answers = yield wait(node.sources, step=step, count=k)
        orders.append(answers.order)
        model = model - 0.05 * sum(answers.values()) / k
        yield log(step=step, norm=float(np.linalg.norm(model)), model=model)
    return model, orders


def k_of_n_worker(node: Node, block: np.ndarray[Any, Any]) -> Run:
    while True:
        task = (yield wait(0)).only
        gradient = yield compute(gradient_at, block, task.value, step=task.step)
        yield send(0, gradient, step=task.step)


def k_of_n(k: int, n: int, steps: int, size: int = 5) -> System:
    blocks = np.random.default_rng(5).normal(size=(n, 7, size))
    workers = [Program(k_of_n_worker, block, daemon=True) for block in blocks]
    return System([Program(k_of_n_master, k, steps, size), *workers], star(n))


def impatient(node: Node, rounds: int, patience: float) -> Run:
    """Whatever comes in time, with random numbers and the time itself in the model: all that a replay must repeat."""
    model = node.random.normal(size=4)
    trace = []
    for k in range(rounds):
        update = yield compute(np.tanh, model, step=k)
        yield send(node.targets, update, step=k, slot=k % 2 == 0)
        arrivals = yield wait(step=k, timeout=patience)
        time = yield now()
        trace.append((arrivals.order, arrivals.complete, tuple(m.step for m in arrivals.late), arrivals.time, time))
        late = sum(message.value.sum() for message in arrivals.late)
        model = update + sum(arrivals.values()) / 4 + 0.01 * late + time * node.random.normal(size=4)
        yield log(step=k, model=model)
    return model, trace


def impatient_system(rounds: int, patience: float) -> System:
    return System([Program(impatient, rounds, patience)] * 3, complete(3))


# -- lost nodes -----------------------------------------------------------------------------------------------------


def worker_that_names_its_step(node: Node, where: str) -> Run:
    """Names its step in the computation, in the message, or in a log after it, so that faults strike there."""
    while True:
        task = (yield wait(0)).only
        yield send(0, task.step, tag="alive")
        value = yield compute(abs, -task.step, step=task.step if where == "compute" else None)
        yield send(0, value, step=task.step)
        if where == "log":
            yield log(step=task.step + 1, done=task.step)


def collecting_master(
    node: Node, steps: int, count: int | None, doomed: tuple[int, ...] = (), last: int = 0, patience: float = AGES
) -> Run:
    """Asks for answers; and does not end before those who are doomed have met their fate, after ``last`` tasks."""
    orders = []
    for step in range(steps):
        yield send(node.targets, step, step=step)
        answers = yield wait(step=step, count=count)
        orders.append(tuple(sorted(answers.order)))
    for source in doomed:
        for _ in range(last):
            yield wait(source, tag="alive")
        # a crash ends this wait, of what hangs nobody hears
        yield wait(source, tag="never", timeout=patience)
    return orders


def faulty(steps: int, count: int | None, where: str = "compute", workers: int = 3, **fates: Any) -> System:
    programs = [Program(worker_that_names_its_step, where, daemon=True)] * workers
    return System([Program(collecting_master, steps, count, **fates), *programs], star(workers))


def catching_master(node: Node) -> Run:
    """Wants all answers; when that cannot be, takes those that came."""
    yield send(node.targets, 0, step=0)
    yield wait(step=0)
    yield send([target for target in node.targets if target != 2], 1, step=1)
    yield wait([1, 3], step=1)
    # the answers to this are here before node 2 dies of its own task
    yield send([1, 3], 2, step=2)
    yield send(2, 2, step=2)
    try:
        yield wait(step=2)
    except LostWorkersError as error:
        rest = [source for source in node.sources if source not in error.lost]
        answers = yield wait(rest, step=2)
        return error.lost, sorted(node.lost), answers.sources, answers.values()


def caught_loss() -> System:
    workers = [Program(worker_that_names_its_step, "compute", daemon=True)] * 3
    return System([Program(catching_master), *workers], star(3))


def last_words_reader(node: Node) -> Run:
    """Reads what a node said before it died, after it knows of the death."""
    yield send(1, 0, step=0)
    try:
        yield wait(1, tag="never")
    except LostWorkersError as error:
        words = yield wait(1, step=0)
        return error.lost, words.only.value


def last_words() -> System:
    return System([Program(last_words_reader), Program(worker_that_names_its_step, "log", daemon=True)], star(1))


def early_return_reader(node: Node) -> Run:
    """Has a time limit, and is not held to it, as nothing more can come."""
    yield send(node.targets, 0, step=0)
    answers = yield wait(step=0, timeout=AGES)
    end = yield now()
    return seen(answers), sorted(answers.lost), end < AGES / 2


def early_return() -> System:
    workers = [Program(worker_that_names_its_step, "log", daemon=True)] * 2
    return System([Program(early_return_reader), *workers], star(2))


def says_one_thing(node: Node) -> Run:
    yield send(0, "only this", step=0)
    return "said"


def wants_two(node: Node, timeout: float | None) -> Run:
    first = yield wait(1, step=0)
    second = yield wait(1, step=1, timeout=timeout)
    end = yield now()
    return first.only.value, seen(second), end < AGES / 2


def wants_too_much(timeout: float | None) -> System:
    return System([Program(wants_two, timeout), Program(says_one_thing)], [(1, 0)])


def tolerant_master(node: Node, steps: int, timeout: float) -> Run:
    orders = []
    for step in range(steps):
        yield send(node.targets, step, step=step)
        answers = yield wait(step=step, timeout=timeout if step == 1 else None)
        orders.append((tuple(sorted(answers.order)), answers.complete))
    return orders


def dropping(steps: int, timeout: float) -> System:
    workers = [Program(worker_that_names_its_step, "compute", daemon=True)] * 2
    return System([Program(tolerant_master, steps, timeout), *workers], star(2))


def talker(node: Node, messages: int) -> Run:
    for step in range(messages):
        yield send(0, step, step=step)


def listener(node: Node) -> Run:
    """Hears what came of the messages of a node when it knows that no more will."""
    heard = []
    yield wait(1, tag="never", timeout=AGES)
    while True:
        message = yield wait(1, timeout=0)
        if not len(message):
            return heard
        heard.append(message.only.step)


def random_drops(messages: int) -> System:
    return System([Program(listener), Program(talker, messages)], [(1, 0)])


def timing_master(node: Node) -> Run:
    times = []
    for step in range(2):
        begin = yield now()
        yield send(1, step=step)
        answer = yield wait(1, step=step)
        times.append(answer.only.arrived - begin)
    return times


def slow_answers() -> System:
    return System([Program(timing_master), Program(answering, daemon=True)], star(1))


def answering(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        yield send(0, step=task.step)


# -- ends -----------------------------------------------------------------------------------------------------------


def returns(node: Node, value: Any) -> Run:
    yield log(step=0, value=1.0)
    return value


def serves_forever(node: Node) -> Run:
    while True:
        yield wait(0)


def ends() -> System:
    programs = [
        Program(returns, "zero"),
        Program(returns, np.array([1.0, np.nan])),
        Program(serves_forever, daemon=True),
    ]
    return System(programs, star(2))


def divides_by_zero(a: float) -> float:
    return a / 0


def failing_worker(node: Node, how: str) -> Run:
    task = (yield wait(0)).only
    if how == "compute":
        yield compute(divides_by_zero, 1.0, step=task.step)
    elif how == "program":
        yield log(step=task.step, about_to=1)
        raise RuntimeError("no more")
    elif how == "nonsense":
        yield [send(0)]
    elif how == "exit":
        raise SystemExit(3)
    elif how == "edge":
        yield send(2, step=task.step)


def failing(how: str) -> System:
    programs = [
        Program(collecting_master, 9, None),
        Program(failing_worker, how, daemon=how == "compute"),
        Program(answering, daemon=True),
    ]
    return System(programs, star(2))


def nan_worker(node: Node) -> Run:
    yield wait(0)
    yield send(0, np.array([np.nan, np.inf]), step=0)


def nan_master(node: Node) -> Run:
    yield send(1, step=0)
    value = (yield wait(1, step=0)).only.value
    yield log(step=0, loss=float(value[0]), value=value)
    return value


def nan() -> System:
    return System([Program(nan_master), Program(nan_worker)], star(1))


def alone(node: Node) -> Run:
    first = yield now()
    total = yield compute(sum, [1, 2, 3], step=0)
    nothing = yield wait()
    yield send([])
    yield wait(count=0, timeout=0)
    yield log(step=0, total=total, random=node.random.random())
    return total, len(nothing), node.sources, node.targets, (yield now()) >= first


def single() -> System:
    return System([Program(alone)], [])


def streams_forever(node: Node) -> Run:
    value = 0
    while True:
        value = yield compute(max, value, value + 1)
        yield send(0, value, slot=True)


def takes_newest(node: Node, steps: int) -> Run:
    newest = []
    for _ in range(steps):
        newest.append(seen((yield wait())))
    return newest
