"""Scenes of waits: node 0 says who sends what, and knows that it is there before it goes on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any

from codedtheory.executor import (
    ACK,
    Arrivals,
    Node,
    Program,
    System,
    acknowledge,
    compute,
    now,
    send,
    star,
    wait,
)

Run = Generator[Any, Any, Any]

# long enough that nothing which is not there comes, short enough to be waited for
MOMENT = 0.03
# far longer than any test may take
AGES = 300.0


def seen(arrivals: Arrivals) -> dict[str, Any]:
    """What a program can see of a wait, as far as it does not depend on the time."""
    return {
        "order": arrivals.order,
        "values": arrivals.values(),
        "late": [(message.source, message.step, message.value) for message in arrivals.late],
        "complete": arrivals.complete,
    }


def expected(
    order: Iterable[int], values: Iterable[Any], late: Iterable[Any] = (), complete: bool = True
) -> dict[str, Any]:
    return {"order": tuple(order), "values": list(values), "late": list(late), "complete": complete}


def speaker(node: Node) -> Run:
    """Sends to node 0 what it is told to, then a mark: on an edge nothing overtakes, so all is there when that is."""
    while True:
        told = (yield wait(0, tag="say")).only
        if told.step is not None:
            yield acknowledge(told)
        for words in told.value:
            yield send(0, **words)
        yield send(0, tag="mark")


def say(speaker: int, *words: Mapping[str, Any], step: int | None = None) -> Run:
    yield send(speaker, [dict(word) for word in words], tag="say", step=step)
    yield wait(speaker, tag="mark")


def nothing_left(tag: str) -> Run:
    rest = yield wait(tag=tag, timeout=0)
    return len(rest) == 0


def values_from(source: int, count: int, tag: str = "") -> Run:
    values = []
    for _ in range(count):
        message = (yield wait(source, tag=tag)).only
        values.append(message.value)
    return values


def order_on_an_edge(tag: str) -> Run:
    yield from say(1, *({"value": i, "tag": tag} for i in range(5)))
    values = yield from values_from(1, 5, tag)
    return values, (yield from nothing_left(tag))


def oldest_whatever_its_step(tag: str) -> Run:
    yield from say(1, *({"value": i, "tag": tag, "step": i} for i in (3, 1, 2)))
    return (yield from values_from(1, 3, tag))


def tags_apart(tag: str) -> Run:
    other = tag + " other"
    yield from say(1, {"value": "a", "tag": tag}, {"value": "b", "tag": other})
    second = yield wait(1, tag=other)
    first = yield wait(1, tag=tag)
    return second.only.value, first.only.value


def later_steps_stay(tag: str) -> Run:
    yield from say(1, *({"value": i, "tag": tag, "step": i} for i in (2, 0, 1)))
    taken = []
    for i in range(3):
        taken.append(seen((yield wait(1, tag=tag, step=i))))
    return taken


def without_a_step(tag: str) -> Run:
    yield from say(1, {"value": "none", "tag": tag}, {"value": "seven", "tag": tag, "step": 7})
    seven = yield wait(1, tag=tag, step=7)
    none = yield wait(1, tag=tag)
    return seen(seven), seen(none)


def late_answers(tag: str) -> Run:
    yield from say(1, {"value": "old", "tag": tag, "step": 0})
    yield from say(2, {"value": "new", "tag": tag, "step": 1})
    answers = yield wait([1, 2], tag=tag, step=1, count=1)
    return seen(answers), (yield from nothing_left(tag))


def late_while_waiting(tag: str) -> Run:
    old = [{"value": f"old {i}", "tag": tag, "step": i} for i in range(2)]
    yield send(1, [*old, {"value": "new", "tag": tag, "step": 2}], tag="say")
    answers = yield wait([1, 2], tag=tag, step=2, count=1)
    yield wait(1, tag="mark")
    return seen(answers)


def late_of_others_stay(tag: str) -> Run:
    yield from say(1, {"value": "old", "tag": tag, "step": 0})
    yield from say(2, {"value": "new", "tag": tag, "step": 1})
    new = yield wait(2, tag=tag, step=1)
    old = yield wait(1, tag=tag, step=0)
    return seen(new), seen(old)


def late_after_the_prefix_stay(tag: str) -> Run:
    yield from say(2, {"value": "new", "tag": tag, "step": 1})
    yield from say(1, {"value": "old", "tag": tag, "step": 0})
    first = yield wait([1, 2], tag=tag, step=1, count=1)
    second = yield wait([1, 2], tag=tag, step=1, timeout=0)
    return seen(first), seen(second)


def shortest_prefix(tag: str) -> Run:
    for source in (3, 1, 2):
        yield from say(source, {"value": source, "tag": tag})
    first = yield wait(tag=tag, count=2)
    rest = yield wait(tag=tag, timeout=0)
    return seen(first), seen(rest)


def one_for_each_source(tag: str) -> Run:
    yield from say(1, {"value": "a", "tag": tag}, {"value": "b", "tag": tag})
    yield from say(2, {"value": "c", "tag": tag})
    both = yield wait([1, 2], tag=tag, count=2)
    rest = yield wait(1, tag=tag)
    return seen(both), seen(rest)


def _has_1_and_3_or_2_and_3(arrived: frozenset[int]) -> bool:
    return 3 in arrived and bool(arrived & {1, 2})


def decodable_set(tag: str) -> Run:
    for source in (1, 2, 3):
        yield from say(source, {"value": source, "tag": tag})
    return seen((yield wait(tag=tag, until=_has_1_and_3_or_2_and_3)))


def decodable_early(tag: str) -> Run:
    for source in (3, 2, 1):
        yield from say(source, {"value": source, "tag": tag})
    early = yield wait(tag=tag, until=_has_1_and_3_or_2_and_3)
    rest = yield wait(tag=tag, timeout=0)
    return seen(early), seen(rest)


def _has_1(arrived: frozenset[int]) -> bool:
    return 1 in arrived


def predicate_and_count(tag: str) -> Run:
    for source in (1, 2, 3):
        yield from say(source, {"value": source, "tag": tag})
    both = yield wait(tag=tag, until=_has_1, count=2)
    yield wait(3, tag=tag)
    for source in (3, 2, 1):
        yield from say(source, {"value": source, "tag": tag})
    late = yield wait(tag=tag, until=_has_1, count=2)
    return seen(both), seen(late)


def predicate_of_nothing(tag: str) -> Run:
    yield from say(1, {"value": 1, "tag": tag})
    nothing = yield wait(tag=tag, until=frozenset().issubset)
    rest = yield wait(tag=tag, count=1)
    return seen(nothing), seen(rest)


def count_of_nothing(tag: str) -> Run:
    yield from say(1, {"value": 1, "tag": tag})
    nothing = yield wait(tag=tag, count=0)
    nobody = yield wait([], tag=tag)
    rest = yield wait(1, tag=tag)
    return seen(nothing), seen(nobody), seen(rest)


def sources_named_twice(tag: str) -> Run:
    yield from say(1, {"value": 1, "tag": tag})
    return seen((yield wait([1, 1], tag=tag)))


def timeout_of_nothing(tag: str) -> Run:
    begin = yield now()
    nothing = yield wait(1, tag=tag, timeout=MOMENT)
    end = yield now()
    return seen(nothing), end - begin >= MOMENT, nothing.time - begin >= MOMENT


def timeout_of_some(tag: str) -> Run:
    yield from say(2, {"value": 2, "tag": tag})
    some = yield wait(tag=tag, timeout=MOMENT)
    return seen(some)


def timeout_not_needed(tag: str) -> Run:
    yield send(1, [{"value": 1, "tag": tag}], tag="say")
    one = yield wait(1, tag=tag, timeout=AGES)
    yield wait(1, tag="mark")
    return seen(one), one.time < AGES / 2


def deadline(tag: str) -> Run:
    begin = yield now()
    yield from say(1, {"value": 1, "tag": tag})
    some = yield wait([1, 2], tag=tag, deadline=begin + MOMENT)
    end = yield now()
    return seen(some), end >= begin + MOMENT


def deadline_in_the_past(tag: str) -> Run:
    yield from say(1, {"value": 1, "tag": tag}, {"value": "more", "tag": tag})
    some = yield wait([1, 2], tag=tag, deadline=0.0)
    rest = yield wait(1, tag=tag, deadline=0.0)
    return seen(some), seen(rest)


def look(tag: str) -> Run:
    yield from say(3, {"value": 3, "tag": tag})
    there = yield wait(tag=tag, timeout=0)
    nothing = yield wait(tag=tag, timeout=0)
    return seen(there), seen(nothing)


def slot_overwrites(tag: str) -> Run:
    yield from say(1, *({"value": i, "tag": tag, "slot": True, "step": i} for i in range(4)))
    yield from say(2, *({"value": i, "tag": tag, "slot": True} for i in range(2)))
    newest = yield wait([1, 2], tag=tag)
    return newest.values(), [message.replaced for message in newest.messages], (yield from nothing_left(tag))


def slot_taken_before_the_next(tag: str) -> Run:
    taken = []
    for i in range(3):
        yield from say(1, {"value": i, "tag": tag, "slot": True})
        message = (yield wait(1, tag=tag)).only
        taken.append((message.value, message.replaced))
    return taken


def slots_of_tags_apart(tag: str) -> Run:
    other = tag + " other"
    yield from say(1, {"value": "a", "tag": tag, "slot": True}, {"value": "b", "tag": other, "slot": True})
    first = yield wait(1, tag=tag)
    second = yield wait(1, tag=other)
    return [(arrivals.only.value, arrivals.only.replaced) for arrivals in (first, second)]


def slot_beside_queue(tag: str) -> Run:
    words = [{"value": value, "tag": tag, "slot": value.isupper()} for value in ("A", "b", "C", "d")]
    yield from say(1, *words)
    values = yield from values_from(1, 3, tag)
    return sorted(values), (yield from nothing_left(tag))


def queue_keeps_all(tag: str) -> Run:
    yield from say(1, *({"value": i, "tag": tag} for i in range(300)))
    return sum((yield from values_from(1, 300, tag)))


def acknowledgement(tag: str) -> Run:
    yield from say(2, step=4)
    yield from say(2, step=5)
    five = yield wait(2, tag=ACK, step=5)
    message = five.only
    return (message.source, message.step, message.value), seen(five)["late"]


def numbers(tag: str) -> Run:
    yield from say(1, {"value": 0, "tag": tag}, {"value": 1, "tag": tag})
    first = (yield wait(1, tag=tag)).only
    second = (yield wait(1, tag=tag)).only
    return second.number - first.number, first.arrived <= second.arrived


def unknown_source(tag: str) -> Run:
    try:
        yield wait([1, 9], tag=tag)
    except ValueError as error:
        return str(error)


def count_out_of_range(tag: str) -> Run:
    told = []
    for count in (3, -1):
        try:
            yield wait([1, 2], tag=tag, count=count)
        except ValueError as error:
            told.append(str(error))
    return told


def no_such_edge(tag: str) -> Run:
    try:
        yield send([1, 0], tag=tag)
    except ValueError as error:
        return str(error)


def not_an_effect(tag: str) -> Run:
    try:
        yield 5
    except TypeError as error:
        return str(error)


def not_picklable(tag: str) -> Run:
    try:
        yield send(1, lambda: 0, tag=tag)
    except TypeError as error:
        return str(error)


def _fails(arrived: frozenset[int]) -> bool:
    raise KeyError("broken")


def failing_predicate(tag: str) -> Run:
    yield from say(1, {"value": 1, "tag": tag})
    try:
        yield wait([1, 2], tag=tag, until=_fails, count=1)
    except ValueError as error:
        told = str(error)
    return told, seen((yield wait(1, tag=tag)))


def failing_computation(tag: str) -> Run:
    try:
        yield compute(divmod, 1, 0)
    except ZeroDivisionError:
        return (yield compute(divmod, 7, 2))


def time_passes(tag: str) -> Run:
    first = yield now()
    yield wait(1, tag=tag, timeout=MOMENT)
    second = yield now()
    return 0 <= first < second, second - first >= MOMENT


SCENES: tuple[Callable[[str], Run], ...] = (
    order_on_an_edge,
    oldest_whatever_its_step,
    tags_apart,
    later_steps_stay,
    without_a_step,
    late_answers,
    late_while_waiting,
    late_of_others_stay,
    late_after_the_prefix_stay,
    shortest_prefix,
    one_for_each_source,
    decodable_set,
    decodable_early,
    predicate_and_count,
    predicate_of_nothing,
    count_of_nothing,
    sources_named_twice,
    timeout_of_nothing,
    timeout_of_some,
    timeout_not_needed,
    deadline,
    deadline_in_the_past,
    look,
    slot_overwrites,
    slot_taken_before_the_next,
    slots_of_tags_apart,
    slot_beside_queue,
    queue_keeps_all,
    acknowledgement,
    numbers,
    unknown_source,
    count_out_of_range,
    no_such_edge,
    not_an_effect,
    not_picklable,
    failing_predicate,
    failing_computation,
    time_passes,
)


def conductor(node: Node) -> Run:
    """Plays all scenes, each under a tag of its own; one that fails does not stop the others."""
    results = {}
    for scene in SCENES:
        try:
            results[scene.__name__] = yield from scene(scene.__name__)
        except Exception as error:
            results[scene.__name__] = f"{type(error).__name__}: {error}"
    return results


def scenes() -> System:
    return System([Program(conductor), *[Program(speaker, daemon=True)] * 3], star(3))
