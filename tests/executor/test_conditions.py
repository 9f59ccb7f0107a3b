from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from codedtheory.executor import (
    Conditions,
    Crash,
    Drop,
    Exponential,
    Hang,
    Link,
    Program,
    SlowLink,
    SlowSet,
    System,
    ring,
    star,
)
from codedtheory.executor.conditions import check_run
from codedtheory.executor.pace import Pace
from tests.executor.conformance_programs import serves_forever

EVERYTHING = Conditions(
    seed=3,
    unit=0.5,
    speeds={1: 2.0},
    stragglers=Exponential(1.0),
    links={(0, 1): Link(latency=1.0)},
    faults=(Crash(1, 2), Hang(2), SlowLink(0, 1, 0.5), Drop(2, 0, step=1)),
)


SYSTEM = System([Program(serves_forever)] * 3, star(2))


def system() -> System:
    return SYSTEM


def test_conditions_can_be_pickled_and_described() -> None:
    assert pickle.loads(pickle.dumps(EVERYTHING)) == EVERYTHING  # noqa: S301
    described = EVERYTHING.described()
    assert json.loads(json.dumps(described)) == described
    assert described["speeds"] == {"1": 2.0}
    assert described["links"] == {"0->1": {"kind": "Link", "latency": 1.0, "bandwidth": float("inf")}}
    assert described["faults"][0] == {"kind": "Crash", "node": 1, "step": 2}
    assert Conditions().described()["links"] == {"kind": "Link", "latency": 0.0, "bandwidth": float("inf")}


def test_conditions_are_their_own() -> None:
    speeds, faults = {1: 1.0}, [Crash(1)]
    conditions = Conditions(speeds=speeds, faults=faults)  # type: ignore[arg-type]
    speeds[1] = 5.0
    faults.clear()
    assert conditions.speeds == {1: 1.0}
    assert conditions.faults == (Crash(1),)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 1.5}, ValueError, "seed"),
        ({"seed": True}, ValueError, "seed"),
        ({"unit": -0.1}, ValueError, "unit"),
        ({"unit": float("inf")}, ValueError, "unit"),
        ({"speeds": {0: 0.0}}, ValueError, "speeds must be positive"),
        ({"speeds": {0: float("nan")}}, ValueError, "speeds must be positive"),
        ({"stragglers": 3}, TypeError, "stragglers"),
        ({"links": 3}, TypeError, "links"),
        ({"links": {(0, 1): 3}}, TypeError, "links"),
        ({"faults": (3,)}, TypeError, "faults"),
    ],
)
def test_what_is_no_condition(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Conditions(**given)


def test_conditions_that_fit() -> None:
    EVERYTHING.check(system())
    # acknowledgements go against the edges
    one_way = System([Program(serves_forever)] * 2, [(0, 1)])
    Conditions(faults=(Drop(1, 0),), links={(1, 0): Link()}).check(one_way)
    # in a ring every node works, node 0 too
    Conditions(stragglers=SlowSet((0,), slowdown=2.0)).check(System([Program(serves_forever)] * 3, ring(3)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"speeds": {3: 1.0}}, "speeds names node 3; the system has nodes 0 to 2"),
        ({"links": {(1, 2): Link()}}, r"links names \(1, 2\), which is not an edge"),
        ({"faults": (Crash(3),)}, r"Crash\(node=3, step=0\) names a node that the system lacks"),
        ({"faults": (Hang(7),)}, "Hang"),
        ({"faults": (Drop(1, 2),)}, "names an edge that the system lacks"),
        ({"faults": (SlowLink(2, 1, 1.0),)}, "names an edge that the system lacks"),
        ({"stragglers": SlowSet((5,), slowdown=2.0)}, "SlowSet names node 5"),
    ],
)
def test_conditions_that_do_not_fit(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Conditions(**given).check(system())


def test_the_first_fault_counts() -> None:
    conditions = Conditions(faults=(Crash(1, 5), Crash(1, 2), Hang(1, 3), Crash(2, 9)))
    assert conditions.of_node(Crash, 1) == 2
    assert conditions.of_node(Hang, 1) == 3
    assert conditions.of_node(Crash, 0) is None


def test_drops_of_a_node() -> None:
    conditions = Conditions(faults=(Drop(1, 0), Drop(1, 0, step=2), Drop(1, 2), Drop(0, 1)))
    assert conditions.drops_of(1) == {0: [Drop(1, 0), Drop(1, 0, step=2)], 2: [Drop(1, 2)]}
    assert conditions.drops_of(2) == {}


def test_only_links_that_take_time_have_a_clock() -> None:
    assert Conditions().link_clock(0, 1) is None
    assert EVERYTHING.link_clock(1, 0) is None
    clock = EVERYTHING.link_clock(0, 1)
    assert clock is not None
    assert clock.arrival(0.0, 1, None) == 1.5
    everywhere = Conditions(links=Link(latency=2.0)).link_clock(1, 0)
    assert everywhere is not None
    assert everywhere.arrival(0.0, 1, None) == 2.0


def test_pace() -> None:
    conditions = Conditions(unit=0.5, speeds={1: 2.0}, stragglers=SlowSet((1,), slowdown=3.0, delay=0.25))
    slow, fast = Pace(conditions, 1), Pace(conditions, 2)
    assert slow.end(10.0, 109.0, 4.0, None) == 11.0
    assert slow.end(10.0, 109.0, 4.0, 0) == 13.25
    assert fast.end(10.0, 109.0, 4.0, 0) == 12.0


def test_pace_without_a_unit() -> None:
    pace = Pace(Conditions(stragglers=SlowSet((1,), slowdown=3.0, delay=0.25)), 1)
    assert pace.end(1.0, 1.5, 4.0, None) == 1.5
    assert pace.end(1.0, 1.5, 4.0, 2) == 2.75
    half = Pace(Conditions(speeds={1: 0.5}, stragglers=SlowSet((1,), slowdown=3.0, delay=0.25)), 1)
    assert half.end(1.0, 1.5, 4.0, None) == 2.0
    assert half.end(1.0, 1.5, 4.0, 2) == 4.25
    # a node cannot be faster than it is, so that the computation is over later than it should be
    assert Pace(Conditions(speeds={1: 2.0}), 1).end(1.0, 1.5, 4.0, None) == 1.25


def test_no_computation_lasts_too_long_without_a_unit() -> None:
    pace = Pace(Conditions(), 1)
    # 0.1 + (0.7 - 0.1) is less than 0.7
    assert pace.end(0.1, 0.7, 1.0, 3) == 0.7


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"unit": "1"}, "unit must be a number, received '1'"),
        ({"unit": True}, "unit must be a number, received True"),
        ({"speeds": [1.0]}, r"speeds must map nodes to speeds, such as \{1: 0.5\}, received \[1.0\]"),
        ({"speeds": {1: "2"}}, "speeds must be a number, received '2'"),
        ({"stragglers": SlowSet}, "stragglers must be a straggler model, received <class"),
        ({"faults": Crash(1)}, r"faults must be a tuple of faults, received Crash\(node=1, step=0\)"),
    ],
)
def test_conditions_of_a_wrong_kind(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Conditions(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((SYSTEM, {"seed": 1}, None), TypeError, "conditions must be Conditions or None, received {'seed': 1}"),
        (([], Conditions(), None), TypeError, r"system must be a System, received \[\]; make one"),
        ((SYSTEM, Conditions(), 0), TypeError, r"watch must be a collection of nodes, such as \[0\], received 0"),
        ((SYSTEM, Conditions(), ["0"]), ValueError, "watch names node '0'; the system has nodes 0 to"),
        ((SYSTEM, Conditions(), [99]), ValueError, "watch names node 99; the system has nodes 0 to"),
    ],
)
def test_what_an_executor_is_given_must_fit(arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        check_run(*arguments)
    check_run(SYSTEM, Conditions(), [0, 1])
