from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor import Message
from codedtheory.executor.waiting import Inbox, Waiting


def message(source: int, step: int | None = None, slot: bool = False, arrived: float = 0.0, tag: str = "") -> Message:
    return Message(source, tag, step, 0, None, slot=slot, arrived=arrived)


def test_messages_are_kept_in_order_by_tag() -> None:
    inbox = Inbox()
    first, second, other = message(1), message(1), message(1, tag="other")
    for item in (first, other, second):
        inbox.add(item)
    assert inbox.of("") == [first, second]
    assert inbox.of("other") == [other]
    assert inbox.of("none") == []


def test_slots() -> None:
    inbox = Inbox()
    old, queued, newer, others = message(1, slot=True), message(1), message(1, slot=True), message(2, slot=True)
    for item in (old, queued, others, newer):
        inbox.add(item)
    assert inbox.of("") == [queued, others, newer]
    assert newer.replaced == 1
    newest = message(1, slot=True)
    inbox.add(newest)
    assert newest.replaced == 2
    assert inbox.overwrites == {(1, ""): 2}


def test_overwrites_on_the_way_count() -> None:
    inbox = Inbox()
    arrived = message(1, slot=True)
    arrived.replaced = 3
    inbox.note_overwrites(arrived, arrived.replaced)
    inbox.add(arrived)
    newer = message(1, slot=True)
    inbox.add(newer)
    assert newer.replaced == 4
    assert inbox.overwrites == {(1, ""): 4}


def test_put_back() -> None:
    inbox = Inbox()
    kept = message(3, arrived=2.0)
    inbox.add(kept)
    early, late = message(1, arrived=1.0), message(2, arrived=3.0)
    inbox.put_back("", [early, late])
    assert inbox.of("") == [early, kept, late]


def test_put_back_into_a_slot_that_was_filled() -> None:
    inbox = Inbox()
    newer = message(1, slot=True, arrived=2.0)
    inbox.add(newer)
    inbox.put_back("", [message(1, slot=True, arrived=1.0), queued := message(1, arrived=1.5)])
    assert inbox.of("") == [queued, newer]
    assert newer.replaced == 1
    assert inbox.overwrites == {(1, ""): 1}


def waiting(count: int = 2, step: int | None = 5, until: object = None) -> Waiting:
    return Waiting(frozenset({1, 2, 3}), step, "", count, until)  # type: ignore[arg-type]


def test_what_belongs_to_a_wait() -> None:
    begun = waiting()
    assert begun.offer(message(1, 5)) is True
    assert begun.offer(message(1, 5)) is None
    assert begun.offer(message(2, 4)) is False
    assert begun.offer(message(1, 3)) is False
    assert begun.offer(message(2, 6)) is None
    assert begun.offer(message(2, None)) is None
    assert begun.offer(message(9, 5)) is None
    assert begun.offer(message(9, 4)) is None
    assert list(begun.taken) == [1]
    assert [late.source for late in begun.late] == [2, 1]


def test_without_a_step_everything_belongs() -> None:
    begun = waiting(step=None)
    assert begun.offer(message(2, 7)) is True
    assert begun.offer(message(1, None)) is True
    assert begun.offer(message(3, 0)) is True
    assert list(begun.taken) == [2, 1, 3]
    assert begun.late == []


def test_conditions() -> None:
    assert not waiting().met(frozenset({1}))
    assert waiting().met(frozenset({1, 3}))
    assert waiting(count=0).met(frozenset())
    both = waiting(until=lambda arrived: 3 in arrived)
    assert not both.met(frozenset({1, 2}))
    assert not both.met(frozenset({3}))
    assert both.met(frozenset({2, 3}))


def test_who_may_still_send() -> None:
    begun = waiting()
    begun.offer(message(1, 5))
    gone = frozenset({1, 2})
    assert begun.missing(frozenset()) == {2, 3}
    assert begun.missing(gone) == {3}
    assert begun.reachable(gone) == {1, 3}


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(3, 7)), max_size=30), st.integers(1, 3))
def test_a_wait_takes_at_most_one_of_each_and_loses_nothing(sent: list[tuple[int, int]], count: int) -> None:
    begun = waiting(count=count)
    kept = []
    for source, step in sent:
        item = message(source, step)
        if begun.offer(item) is None:
            kept.append(item)
    assert len(begun.taken) + len(begun.late) + len(kept) == len(sent)
    assert {source for source, step in sent if step == 5 and source <= 3} == set(begun.taken)
    assert all(item.step == 5 for item in begun.taken.values())
    assert sorted((late.source, late.step) for late in begun.late) == sorted(
        (source, step) for source, step in sent if step < 5 and source <= 3
    )
