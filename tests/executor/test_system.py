from __future__ import annotations

import functools
import pickle
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from codedtheory.executor import Node, Program, System, complete, ring, star
from tests.executor import conformance_programs as programs


def idle(node: Node, *args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
    yield from ()
    return args, kwargs


def one(node: Node, block: Any, *, rate: float) -> Generator[Any, Any, Any]:
    yield from ()


def result_of(program: Program) -> Any:
    with pytest.raises(StopIteration) as stop:
        next(program(Node(0, (), (), 0)))
    return stop.value.value


def test_programs_are_generator_functions() -> None:
    for function in (len, lambda node: None, 5, idle(Node(0, (), (), 0))):
        with pytest.raises(TypeError, match="generator function"):
            Program(function)  # type: ignore[arg-type]
    assert Program(functools.partial(idle, extra=1)).name.startswith("functools.partial")


@pytest.mark.parametrize(("args", "kwargs"), [((), {"rate": 1}), ((1, 2), {"rate": 1}), ((1,), {}), ((1,), {"rat": 1})])
def test_arguments_that_a_program_does_not_take(args: Any, kwargs: Any) -> None:
    with pytest.raises(TypeError, match=r"one\(node, ...\) does not take these arguments"):
        Program(one, *args, **kwargs)


def test_arguments_arrive() -> None:
    text = ["as it is"]
    assert result_of(Program(idle, 1, text, name=2)) == ((1, text), {"name": 2})
    assert result_of(Program(idle, text))[0][0] is text


def test_arrays_arrive_read_only() -> None:
    array = np.zeros(3)
    (plain, nested), _ = result_of(Program(idle, array, {"a": [array, (array, 1)]}))
    for found in (plain, nested["a"][0], nested["a"][1][0]):
        assert np.shares_memory(found, array)
        with pytest.raises(ValueError, match="read-only"):
            found[0] = 1
    array[0] = 5
    assert plain[0] == 5


def test_programs_can_be_pickled() -> None:
    program = pickle.loads(pickle.dumps(Program(idle, np.arange(3), daemon=True)))  # noqa: S301
    assert program.function is idle
    assert program.daemon
    assert repr(program) == "Program(idle, daemon=True)"


def test_edges() -> None:
    system = System([Program(idle)] * 4, [(2, 1), (0, 1), (0, 1), (1, 3), [3, 0], np.array([1, 0])])
    assert system.edges == ((0, 1), (1, 0), (1, 3), (2, 1), (3, 0))
    assert system.sources == ((1, 3), (0, 2), (), (1,))
    assert system.targets == ((1,), (0, 3), (1,), (0,))
    assert system.neighbours(0) == (1, 3)
    assert system.neighbours(2) == (1,)
    assert len(system) == 4
    assert repr(system) == "System(4 nodes, 5 edges)"


@pytest.mark.parametrize(
    ("edge", "error", "words"),
    [
        ((0, 2), ValueError, "nodes 0 to 1"),
        ((-1, 0), ValueError, "nodes 0 to 1"),
        ((1, 1), ValueError, "two nodes"),
        ((0, 1, 0), TypeError, "pairs"),
        (3, TypeError, "pairs"),
        ((0.5, 1), TypeError, "integers"),
        (("a", 1), TypeError, "pairs"),
    ],
)
def test_what_is_no_edge(edge: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        System([Program(idle)] * 2, [edge])


@pytest.mark.parametrize("capacity", [0, -1, 1.5, True, "1"])
def test_what_is_no_capacity(capacity: Any) -> None:
    with pytest.raises(ValueError, match="capacity"):
        System([Program(idle)] * 2, ring(2), capacity=capacity)


@pytest.mark.parametrize("name", ["programs", "edges"])
def test_what_must_be_several(name: str) -> None:
    arguments: dict[str, Any] = {"programs": [], "edges": [], name: 3}
    with pytest.raises(TypeError, match=f"{name} must be several, such as a list, received 3"):
        System(**arguments)


def test_somebody_must_finish() -> None:
    for programs_ in ([], [Program(idle, daemon=True)]):
        with pytest.raises(ValueError, match="not a daemon"):
            System(programs_, [])
    with pytest.raises(TypeError, match="wrap it"):
        System([idle], [])  # type: ignore[list-item]


def test_what_a_manifest_says() -> None:
    system = programs.k_of_n(2, 3, 1)
    assert system.described() == {
        "nodes": 4,
        "edges": 6,
        "capacity": None,
        "programs": ["k_of_n_master"] + ["k_of_n_worker"] * 3,
        "daemons": [1, 2, 3],
        "arguments": [{"k": 2, "steps": 1, "size": 5}, *[{"block": "float64 array (7, 5)"}] * 3],
    }


def test_what_a_manifest_says_of_arguments() -> None:
    def program(node: Node, *several: Any, **named: Any) -> Any:
        yield from ()

    def many(node: Node, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        yield from ()

    assert Program(many, np.float32(0.5), True, None, "x" * 81, 2**70).described() == {
        "a": 0.5,
        "b": True,
        "c": None,
        "d": "str",
        "e": "int",
    }
    assert Program(program, 1, x=2).described() == {"several": "tuple", "named": "dict"}


def test_graphs() -> None:
    assert star(1) == ((0, 1), (1, 0))
    assert ring(2) == ((0, 1), (1, 0))
    assert complete(3) == ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    for make, least in ((star, 1), (ring, 2), (complete, 2)):
        for count in (least - 1, 2.0, True):
            with pytest.raises(ValueError, match=f"at least {least}"):
                make(count)  # type: ignore[arg-type]


def test_random_numbers_of_a_node() -> None:
    def draw(number: int, seed: int) -> float:
        return float(Node(number, (), (), seed).random.random())

    assert draw(0, 1) == draw(0, 1)
    assert len({draw(node, seed) for node in range(4) for seed in range(4)}) == 16
    node = Node(2, (), (), 5)
    assert node.random is node.random
    assert repr(node) == "Node(2)"
