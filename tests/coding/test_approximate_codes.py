"""Codes from graphs, designs and coin tosses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import Rational
from codedtheory.coding import bernoulli_code, bibd_code, expander_code, graph_code, worst_decoding_error

networkx = pytest.importorskip("networkx")


def test_expander_codes_divide_by_the_degree():
    code = expander_code(networkx.petersen_graph())
    assert set(code.matrix.ravel()) == {Rational(0), Rational(1, 3)}
    assert bool(np.all(code.matrix.sum(axis=0) == 1))
    assert bool(np.all(code.matrix == code.matrix.T))


def test_loops_count_twice_as_in_the_degree():
    code = expander_code(networkx.margulis_gabber_galil_graph(3))
    assert "8-regular" in code.name
    assert bool(np.all(code.matrix.sum(axis=1) == 1))


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (networkx.path_graph(3), ValueError, r"regular of positive degree, got degrees \[1, 2\]"),
        (networkx.empty_graph(3), ValueError, "regular of positive degree"),
        (networkx.empty_graph(0), ValueError, "must have vertices"),
        (networkx.DiGraph([(0, 1), (1, 0)]), ValueError, "undirected"),
        ("graph", TypeError, "networkx graph, got str"),
    ],
)
def test_graphs_that_are_no_expander_codes(graph, error, message):
    with pytest.raises(error, match=message):
        expander_code(graph)


def test_graph_codes_have_a_worker_for_each_edge():
    graph = networkx.MultiGraph([("a", "b"), ("b", "c"), ("a", "b")])
    code = graph_code(graph)
    assert (code.n, code.partitions) == (3, 3)
    assert bool(np.all(code.matrix.sum(axis=1) == 2))
    assert sorted(int(str(x)) for x in code.matrix.sum(axis=0)) == [1, 2, 3]


def test_graphs_without_edges_or_with_loops_are_no_graph_codes():
    with pytest.raises(ValueError, match="must have edges"):
        graph_code(networkx.empty_graph(2))
    with pytest.raises(ValueError, match="loop"):
        graph_code(networkx.Graph([("x", "x")]))


def test_an_odd_cycle_decodes_and_a_path_does_not():
    triangle = graph_code(networkx.complete_graph(3))
    assert triangle.decodable([0, 1, 2])
    assert not triangle.decodable([0, 1])


@pytest.mark.parametrize(
    ("n", "design", "size", "common"), [(7, [0, 1, 3], 3, 1), (13, [0, 1, 3, 9], 4, 1), (11, [1, 3, 4, 5, 9], 5, 2)]
)
def test_difference_sets(n, design, size, common):
    code = bibd_code(n, design)
    shared = code.matrix @ code.matrix.T
    assert shared[0, 0] == size
    assert shared[0, 1] == common
    assert bool(np.all(code.matrix.T @ code.matrix == shared))
    for s in range(1, 5):
        expected = n - Fraction((n - s) * size**2, size + common * (n - s - 1))
        worst = worst_decoding_error(code, s)
        assert worst.value == worst.mean == expected


def test_blocks_in_any_order():
    blocks = [[(x + i) % 7 for x in (0, 1, 3)] for i in (3, 0, 6, 1, 5, 2, 4)]
    assert bibd_code(7, blocks).load == Fraction(3, 7)


@pytest.mark.parametrize(
    ("n", "design", "message"),
    [
        (7, [0, 1, 2], "share 1 partitions"),
        (7, [[0, 1, 3]], "7 blocks, got 1"),
        (3, [[0, 1], [0], [1, 2]], "block 1 has size 1"),
        (3, [[0, 1], [1, 5], [0, 2]], r"in 0\.\.2"),
        (3, [[0, 0], [1, 1], [2, 2]], "distinct"),
        (3, [[0, 1], [0, 1], [0, 1]], "different, non-empty"),
        (3, [[], [], []], "different, non-empty"),
    ],
)
def test_what_is_no_symmetric_design(n, design, message):
    with pytest.raises(ValueError, match=message):
        bibd_code(n, design)


def test_coin_tosses_have_the_load_on_average():
    rng = np.random.default_rng(4)
    ones = sum(np.count_nonzero(bernoulli_code(40, Fraction(1, 5), rng).matrix) for _ in range(10))
    # 16000 tosses: 5 standard deviations are 253
    assert abs(ones - 3200) < 253
    assert bool(np.all(bernoulli_code(5, 1, rng).matrix == 1))


def test_bad_loads():
    rng = np.random.default_rng(0)
    for load in (0, 1.5, float("nan"), "1/2"):
        with pytest.raises(ValueError, match="0 < load <= 1"):
            bernoulli_code(4, load, rng)
    with pytest.raises(TypeError, match="default_rng"):
        bernoulli_code(4, 0.5, 1)
