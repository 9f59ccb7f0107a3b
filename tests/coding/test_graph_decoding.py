"""The linear-time decoder of graph codes against least squares on random and exhaustive small graphs."""

from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.coding.approximate_codes import graph_code
from codedtheory.coding.coefficients import decoded_coefficients
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.graph_decoding import GraphDecoder, optimal_vertex_coefficients
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.repetition_codes import plain_cyclic


def code_of(vertices, edges):
    matrix = np.zeros((len(edges), vertices), dtype=int)
    for worker, ends in enumerate(edges):
        matrix[worker, list(ends)] = 1
    return GradientCode(matrix)


def test_every_graph_on_four_vertices():
    pairs = list(combinations(range(4), 2))
    for size in range(1, len(pairs) + 1):
        for edges in combinations(pairs, size):
            code = code_of(4, edges)
            best = list(decoded_coefficients(code, range(size), LeastSquaresDecoder()))
            assert optimal_vertex_coefficients(4, edges) == best
            assert list(decoded_coefficients(code, range(size), GraphDecoder())) == best


def edge_lists(vertices):
    vertex = st.integers(0, vertices - 1)
    return st.lists(st.tuples(vertex, vertex).filter(lambda ends: ends[0] != ends[1]), min_size=1)


@given(st.data())
def test_multigraphs(data):
    vertices = data.draw(st.integers(2, 8))
    edges = data.draw(edge_lists(vertices))
    code = code_of(vertices, edges)
    alpha = optimal_vertex_coefficients(vertices, edges)
    assert all(alpha[u] + alpha[v] == 2 for u, v in edges)
    assert list(decoded_coefficients(code, range(len(edges)), GraphDecoder())) == alpha
    assert list(decoded_coefficients(code, range(len(edges)), LeastSquaresDecoder())) == alpha


def test_losing_edges_of_the_complete_bipartite_graph():
    code = graph_code(networkx.complete_bipartite_graph(2, 3))
    for lost in combinations(range(6), 2):
        survivors = [e for e in range(6) if e not in lost]
        assert list(decoded_coefficients(code, survivors, GraphDecoder())) == list(
            decoded_coefficients(code, survivors, LeastSquaresDecoder())
        )


def test_a_star_and_an_isolated_vertex():
    alpha = optimal_vertex_coefficients(5, [(0, 1), (0, 2), (0, 3)])
    assert alpha == [Fraction(3, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 0]


def test_at_most_one_edge_beyond_a_forest_is_used():
    code = graph_code(networkx.complete_graph(7))
    weights = GraphDecoder().weights(code, range(code.n))
    assert sum(bool(w) for w in weights) <= 7


def test_a_long_path_is_decoded_fast():
    n = 20_000
    alpha = optimal_vertex_coefficients(n, [(k, k + 1) for k in range(n - 1)])
    assert set(alpha) == {1}


def test_workers_with_other_loads_are_refused():
    with pytest.raises(ValueError, match="two partitions"):
        GraphDecoder().weights(plain_cyclic(5, 2), [0, 1])
