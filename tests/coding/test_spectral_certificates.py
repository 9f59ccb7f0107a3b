"""Error certificates against every straggler set of small codes."""

from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pytest

from codedtheory.arithmetic import Ball, Rational, ball, eigenvalues, maximum
from codedtheory.coding.approximate_codes import bibd_code, expander_code, graph_code
from codedtheory.coding.coefficient_bounds import worst_relaxed_error
from codedtheory.coding.coefficients import decoded_coefficients, squared_error
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.one_step import OneStepDecoder, design_weight
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic
from codedtheory.coding.spectral_certificates import (
    block_design_error,
    covering_lower_bound,
    cyclic_error_bound,
    expander_error_bound,
    graph_error_bound,
    spectral_error_bound,
    squared_second_singular_value,
)

PETERSEN = networkx.petersen_graph()
PLACEMENTS = [
    plain_cyclic(6, 2),
    plain_cyclic(7, 1),
    fractional_repetition(6, 1),
    bibd_code(7, [0, 1, 3]),
    graph_code(networkx.complete_graph(4)),
    graph_code(networkx.cycle_graph(5)),
]


def errors(code, s, decoder):
    for lost in combinations(range(code.n), s):
        survivors = [i for i in range(code.n) if i not in lost]
        yield squared_error(decoded_coefficients(code, survivors, decoder))


@pytest.mark.parametrize("code", PLACEMENTS, ids=lambda code: code.name)
def test_no_straggler_set_exceeds_the_spectral_bound(code):
    for s in range(1, min(code.n, 5)):
        bound = spectral_error_bound(code, s)
        assert all(error <= bound for error in errors(code, s, OneStepDecoder()))
        assert all(error <= bound for error in errors(code, s, LeastSquaresDecoder()))


@pytest.mark.parametrize("code", PLACEMENTS, ids=lambda code: code.name)
def test_squared_second_singular_value_is_the_second_eigenvalue(code):
    gram = code.matrix.T @ code.matrix if code.partitions <= code.n else code.matrix @ code.matrix.T
    spectrum = [value for value, count in eigenvalues(gram, bits=100) for _ in range(count)]
    assert spectrum[1].overlaps(squared_second_singular_value(code))


@pytest.mark.parametrize(("n", "s"), [(n, s) for n in range(2, 13) for s in range(1, n)])
def test_cyclic_certificate_is_never_below_the_worst_error(n, s):
    assert worst_relaxed_error(n, s) <= cyclic_error_bound(n, s)
    if n <= 8:
        assert spectral_error_bound(plain_cyclic(n, s), s) == cyclic_error_bound(n, s)


def test_adversaries_are_bounded_below_by_whole_partitions():
    for code in PLACEMENTS:
        for s in range(1, min(code.n, 5)):
            assert max(errors(code, s, LeastSquaresDecoder())) >= covering_lower_bound(s, code.replication)


@pytest.mark.parametrize("graph", [PETERSEN, networkx.complete_graph(5), networkx.cycle_graph(6)])
def test_expander_codes(graph):
    code = expander_code(graph)
    adjacency = networkx.to_numpy_array(graph, dtype=int)
    d, n = int(adjacency[0].sum()), len(adjacency)
    for s in (1, 2, 3):
        bound = expander_error_bound(adjacency, s)
        decoder = OneStepDecoder(Rational(n, n - s))
        assert all(error <= bound for error in errors(code, s, decoder))
        spectrum = [value for value, count in eigenvalues(adjacency) for _ in range(count)]
        radius = maximum([abs(value) for value in spectrum[1:]])
        assert (radius * radius * Rational(n * s, (n - s) * d * d)).overlaps(bound)


def test_block_designs_attain_the_spectral_bound():
    code = bibd_code(7, [0, 1, 3])
    for s in (1, 2, 3):
        assert set(errors(code, s, OneStepDecoder())) == {spectral_error_bound(code, s)}


def test_irrational_bounds_of_other_graphs_are_enclosed():
    graph = networkx.dodecahedral_graph()  # lambda is the square root of 5
    bound = expander_error_bound(networkx.to_numpy_array(graph, dtype=int), 1)
    assert isinstance(bound, Ball)
    assert bound.rad < Rational(1, 10**30)
    assert (bound * 9 * 19 / 20).contains(5)
    assert all(error <= bound for error in errors(expander_code(graph), 1, OneStepDecoder(Rational(20, 19))))


def test_a_bipartite_expander_bound_says_nothing():
    adjacency = networkx.to_numpy_array(networkx.cycle_graph(6), dtype=int)
    assert expander_error_bound(adjacency, 2) == Rational(6 * 2, 4)


def test_graph_codes_of_the_petersen_graph():
    # eigenvalues 3, 1, -2: the gap is 2
    code = graph_code(PETERSEN)
    for s in (1, 2, 3):
        bound = 10 * graph_error_bound(3, Rational(2), Fraction(s, 15))
        assert bound == 4 * Fraction(15 * s, (15 - s) * 9)  # sigma_2^2 = d + lambda_2 = 4
        assert spectral_error_bound(code, s) == bound
    two_lost = 10 * graph_error_bound(3, Rational(2), Fraction(2, 15))
    assert all(error <= two_lost for error in errors(code, 2, LeastSquaresDecoder()))


@pytest.mark.parametrize(
    ("n", "difference_set", "pairwise"), [(7, [0, 1, 3], 1), (7, [0, 1, 2, 4], 2), (13, [0, 1, 3, 9], 1)]
)
def test_symmetric_designs_lose_the_same_for_every_set(n, difference_set, pairwise):
    code, load = bibd_code(n, difference_set), len(difference_set)
    for s in range(min(n, 4)):
        weight = design_weight(load, pairwise, n - s)
        expected = block_design_error(n, load, pairwise, s)
        assert set(errors(code, s, OneStepDecoder(weight))) == {expected}
        assert set(errors(code, s, LeastSquaresDecoder())) == {expected}


def test_bad_input():
    with pytest.raises(ValueError, match="equal loads"):
        squared_second_singular_value(GradientCode([[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1]]))
    with pytest.raises(ValueError, match="symmetric design"):
        block_design_error(7, 3, 2, 1)
    with pytest.raises(ValueError, match="regular graph"):
        expander_error_bound(networkx.to_numpy_array(networkx.path_graph(3), dtype=int), 1)
    with pytest.raises(ValueError, match="symmetric square"):
        expander_error_bound(np.array([[0, 1], [0, 1]]), 1)
    with pytest.raises(ValueError, match="below 1"):
        graph_error_bound(3, Rational(1), 1)
    assert graph_error_bound(3, ball(64).number("1/2"), 0) == 0
