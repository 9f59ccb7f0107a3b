from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from codedtheory.executor import ACK, Message, acknowledge, compute, log, now, send, wait
from codedtheory.executor.message import Arrivals


def message(source: int, step: int | None = None, value: Any = None) -> Message:
    return Message(source, "", step, 0, value)


@pytest.mark.parametrize(
    ("given", "nodes"),
    [
        (3, (3,)),
        (np.int64(3), (3,)),
        ([2, 1], (2, 1)),
        (range(2), (0, 1)),
        ((5,), (5,)),
        (np.array([4, 2]), (4, 2)),
        ({7}, (7,)),
        ([], ()),
        ((i for i in (1, 2)), (1, 2)),
    ],
)
def test_nodes_are_given_as_one_or_several(given: Any, nodes: tuple[int, ...]) -> None:
    found = send(given).targets
    assert found == nodes
    assert all(type(node) is int for node in found)


def test_nodes_of_waits_are_given_in_the_same_way() -> None:
    assert wait(np.int64(3)).sources == (3,)
    assert wait([2, 1]).sources == (2, 1)


@pytest.mark.parametrize("given", [1.5, "12", [1.5], None])
def test_what_names_no_nodes(given: Any) -> None:
    with pytest.raises(TypeError, match="to must be a node or several, by their numbers, received"):
        send(given)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: compute(max, cost="1"), "cost must be a number, received '1'"),
        (lambda: compute(max, cost=True), "cost must be a number, received True"),
        (lambda: wait(timeout="1"), "timeout must be a number, received '1'"),
        (lambda: wait(deadline="1"), "deadline must be a number, received '1'"),
        (lambda: wait(count=1.5), "count must be an integer, received 1.5"),
        (lambda: wait(count=True), "count must be an integer, received True"),
        (lambda: wait("ab"), "sources must be a node or several, by their numbers, received 'ab'"),
        (lambda: wait(tag=["a"]), "tag must be a string, received \\['a'\\]"),
        (lambda: send(1, tag=3), "tag must be a string, received 3"),
        (lambda: send(1, bits=1.5), "bits must be an integer, received 1.5"),
        (lambda: acknowledge(3), "messages must be what a wait returned, or messages of it, received 3"),
    ],
)
def test_arguments_of_a_wrong_kind(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_waiting_for_everybody() -> None:
    effect = wait()
    assert effect.sources is None
    assert (effect.step, effect.tag, effect.count, effect.until) == (None, "", None, None)
    assert (effect.timeout, effect.deadline) == (None, None)


@pytest.mark.parametrize("make", [lambda step: compute(max, step=step), lambda step: send(0, step=step)])
@pytest.mark.parametrize("step", [None, 0, 7, 2**63 - 1])
def test_steps(make: Any, step: int | None) -> None:
    assert make(step).step == step


@pytest.mark.parametrize("effect", [lambda **k: compute(max, **k), lambda **k: send(0, **k), wait, log])
def test_steps_that_are_none(effect: Any) -> None:
    assert type(effect(step=np.int32(4)).step) is int
    for step in (1.0, "1", True):
        with pytest.raises(TypeError, match="step must be an integer"):
            effect(step=step)
    for step in (-1, 2**63):
        with pytest.raises(ValueError, match=f"step must lie between.*{step}"):
            effect(step=step)


@pytest.mark.parametrize("cost", [-1.0, math.inf, math.nan])
def test_costs_that_are_none(cost: float) -> None:
    with pytest.raises(ValueError, match="cost"):
        compute(max, cost=cost)


def test_computations() -> None:
    effect = compute(divmod, 7, 2, cost=0)
    assert effect.function(*effect.args) == (3, 1)
    assert effect.cost == 0
    with pytest.raises(TypeError, match="function must be callable"):
        compute(5)  # type: ignore[arg-type]


def test_sizes() -> None:
    assert send(0, bits=np.int64(5)).bits == 5
    assert send(0).bits is None
    with pytest.raises(ValueError, match="bits"):
        send(0, bits=-1)
    with pytest.raises(TypeError):
        send(0, bits=1.5)  # type: ignore[arg-type]


def test_the_tag_of_acknowledgements_is_kept_for_them() -> None:
    with pytest.raises(ValueError, match="yield acknowledge"):
        send(0, tag=ACK)
    assert wait(tag=ACK).tag == ACK


@pytest.mark.parametrize("timeout", [-0.1, math.nan])
def test_timeouts_that_are_none(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout"):
        wait(timeout=timeout)


def test_limits_in_time() -> None:
    assert wait(timeout=0).timeout == 0
    assert wait(deadline=-1.0).deadline == -1.0
    with pytest.raises(ValueError, match="deadline"):
        wait(deadline=math.nan)


def test_conditions_of_waits() -> None:
    assert wait(count=np.int64(2)).count == 2
    with pytest.raises(TypeError):
        wait(count=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="until must be a predicate"):
        wait(until=3)  # type: ignore[arg-type]


def test_acknowledging() -> None:
    first, second = message(1), message(2)
    assert acknowledge(first).messages == (first,)
    assert acknowledge([second, first]).messages == (second, first)
    assert acknowledge(Arrivals([second, first])).messages == (first, second)
    assert acknowledge([]).messages == ()
    with pytest.raises(TypeError, match="what a wait returned"):
        acknowledge([1])  # type: ignore[list-item]


def test_logs_and_looks() -> None:
    assert log(step=1, tag=2, values=3).values == {"tag": 2, "values": 3}
    assert type(now()).__name__ == "Now"


def test_arrivals() -> None:
    taken = [message(3, value="c"), message(1, value="a")]
    arrivals = Arrivals(taken, late=(message(2, value="b"),), lost=frozenset({4}), complete=False)
    assert arrivals.order == (3, 1)
    assert arrivals.sources == (1, 3)
    assert list(arrivals) == [1, 3]
    assert arrivals.values() == ["a", "c"]
    assert arrivals[3] == "c"
    assert 1 in arrivals
    assert 2 not in arrivals
    assert len(arrivals) == 2
    assert repr(arrivals) == "Arrivals(sources=[1, 3], order=[3, 1], late=1, lost=[4], complete=False)"
    with pytest.raises(KeyError, match="no message from node 2; there are some from"):
        arrivals[2]
    with pytest.raises(ValueError, match="returned 2"):
        _ = arrivals.only
    with pytest.raises(ValueError, match="returned 0"):
        _ = Arrivals([]).only
    assert Arrivals(taken[:1]).only is taken[0]
    assert Arrivals(taken[:1]).order == (3,)


def test_a_copy_of_a_message_is_its_own() -> None:
    original = Message(1, "tag", 2, 3, [4], 5, True, 6, 7.0)
    copy = original.copy()
    assert [getattr(copy, name) for name in Message.__slots__] == [
        getattr(original, name) for name in Message.__slots__
    ]
    copy.arrived = 8.0
    assert original.arrived == 7.0
    assert repr(original) == "Message(source=1, tag='tag', step=2, number=3)"
