"""Minimum-norm and minimum-amplification weights, with certificates checked over fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, approximate
from codedtheory.coding import (
    GradientCode,
    MinAmplification,
    MinNorm,
    cyclic_mds,
    cyclic_repetition,
    graph_code,
    min_amplification,
    plain_cyclic,
    polynomial_cyclic,
)

entries = st.one_of(st.integers(0, 1), st.fractions(min_value=-3, max_value=3, max_denominator=3))


@st.composite
def decodable_cases(draw):
    n, p = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    rows = [[draw(entries) for _ in range(p)] for _ in range(n)]
    # a combination of the rows is made to be 1
    total = [sum(column) for column in zip(*rows, strict=True)]
    rows.append([1 - x for x in total])
    survivors = draw(st.permutations(range(n + 1)))[: draw(st.integers(1, n + 1))]
    code = GradientCode(rows)
    assume(code.decodable(survivors))
    return code, list(survivors)


def fractions(array):
    return [[x.fraction for x in row] for row in array]


def amplification_over_fractions(rows, weights):
    return max(sum(abs(a * row[j]) for a, row in zip(weights, rows, strict=True)) for j in range(len(rows[0])))


@settings(max_examples=60)
@given(decodable_cases())
def test_exact_weights_decode_and_are_orthogonal_to_all_changes(case):
    code, survivors = case
    weights = MinNorm().weights(code, survivors)
    received = code.matrix[survivors]
    assert bool(np.all(weights @ received == 1))
    expected = np.linalg.lstsq(approximate(received).T, np.ones(code.partitions), rcond=None)[0]
    assert np.allclose(approximate(weights), expected, atol=1e-7)


@settings(max_examples=60)
@given(decodable_cases())
def test_the_dual_solution_proves_the_smallest_amplification(case):
    code, survivors = case
    best = min_amplification(code, survivors)
    rows = fractions(code.matrix[survivors])
    weights = [a.fraction for a in best.weights]
    shares, prices = [u.fraction for u in best.shares], [y.fraction for y in best.prices]
    columns = range(code.partitions)
    assert all(sum(a * row[j] for a, row in zip(weights, rows, strict=True)) == 1 for j in columns)
    assert amplification_over_fractions(rows, weights) == best.amplification.fraction
    assert min(shares) >= 0
    assert sum(shares) == 1
    for row in rows:
        assert abs(sum(row[j] * prices[j] for j in columns)) <= sum(abs(row[j]) * shares[j] for j in columns)
    assert sum(prices) == best.amplification.fraction
    assert code.amplification(MinNorm(), survivors) >= best.amplification
    floating = code.approximate().amplification(MinAmplification(), survivors)
    assert floating == pytest.approx(approximate(best.amplification), abs=1e-6)


def test_unique_weights_need_no_choice():
    code = cyclic_repetition(7, 2, np.random.default_rng(8), "rational")
    for lost in combinations(range(7), 2):
        survivors = [w for w in range(7) if w not in lost]
        assert bool(np.all(MinNorm().weights(code, survivors) == MinAmplification().weights(code, survivors)))


def test_order_of_the_survivors_is_kept():
    code = cyclic_repetition(5, 2, np.random.default_rng(8), "rational")
    for decoder in (MinNorm(), MinAmplification()):
        forward, backward = decoder.weights(code, [0, 1, 4, 3]), decoder.weights(code, [3, 4, 1, 0])
        assert forward.tolist() == backward.tolist()[::-1]


def test_fewer_stragglers_leave_room_for_smaller_amplification():
    code = cyclic_repetition(12, 4, np.random.default_rng(1), "rational")
    survivors = range(1, 12)
    assert code.amplification(MinAmplification(), survivors) < code.amplification(MinNorm(), survivors)


def test_real_algebraic_codes_are_certified_in_their_field():
    code = cyclic_mds(7, 2)
    assert code.arithmetic.name == "cyclotomic(7)"
    best = min_amplification(code, range(1, 7))
    assert bool(best.prices.sum() == best.amplification)
    assert bool(np.all(best.weights @ code.matrix[1:] == 1))


def test_complex_weights_are_only_taken_where_unique():
    code = cyclic_mds(5, 1)
    assert bool(np.all(MinAmplification().weights(code, [0, 1, 2, 3]) == MinNorm().weights(code, [0, 1, 2, 3])))
    for kind in (code, code.approximate()):
        with pytest.raises(ValueError, match="no linear programme"):
            MinAmplification().weights(kind, range(5))
        weights = MinNorm().weights(kind, range(5))
        assert np.allclose((GradientCode(kind.matrix).approximate().matrix.T @ _doubles(weights)), 1)
    assert np.allclose(MinNorm().weights(code.approximate(), range(5)), _doubles(MinNorm().weights(code, range(5))))


def _doubles(weights):
    return GradientCode(weights[None, :]).approximate().matrix[0]


def test_gaussian_rationals_decode_exactly():
    i = Algebraic(4, [0, 1])
    code = GradientCode([[1, i], [1, 1], [2, 1 + i]])
    weights = MinNorm().weights(code, [0, 1, 2])
    assert bool(np.all(weights @ code.matrix == 1))
    assert weights.tolist() == [code.matrix[0, 0] * 0 + x for x in _gaussian_projection(code)]


def _gaussian_projection(code):
    # all weights are (-t, 1-t, t); the smallest norm has t = 1/3
    assert bool(np.all(code.matrix[2] == code.matrix[0] + code.matrix[1]))
    return [Fraction(-1, 3), Fraction(2, 3), Fraction(1, 3)]


@pytest.mark.parametrize("decoder", [MinNorm(), MinAmplification()])
def test_undecodable_survivors_are_refused(decoder):
    code = plain_cyclic(4, 1)
    with pytest.raises(ValueError, match=r"without workers \(2, 3\) do not decode"):
        decoder.weights(code, [0, 1])
    with pytest.raises(ValueError, match=r"do not decode within max_residual=1e-06 \(residual"):
        decoder.weights(code.approximate(), [0, 1])
    for survivors, message in [([], "must not be empty"), ([0, 0], "distinct"), ([4], r"0\.\.3")]:
        with pytest.raises(ValueError, match=message):
            decoder.weights(code, survivors)


def test_a_residual_is_a_matter_of_choice_for_floats_only():
    code = plain_cyclic(4, 1)
    assert MinNorm(max_residual=2.0).weights(code.approximate(), [0, 1]).shape == (2,)
    with pytest.raises(ValueError, match="do not decode exactly"):
        MinNorm(max_residual=2.0).weights(code, [0, 1])


def test_certificates_need_exact_codes():
    with pytest.raises(ValueError, match="needs an exact code"):
        min_amplification(plain_cyclic(4, 1).approximate(), [0, 2])


def test_floating_weights_without_unique_solution():
    code = cyclic_repetition(30, 8, np.random.default_rng(3))
    survivors = range(4, 30)
    smallest = code.amplification(MinAmplification(), survivors)
    assert smallest < code.amplification(MinNorm(), survivors)
    weights = MinAmplification().weights(code, survivors)
    assert np.abs(weights @ code.matrix[4:] - 1).max() < 1e-6


def test_integer_nodes_spread_over_many_magnitudes():
    code = polynomial_cyclic(range(30), 12)
    best = min_amplification(code, range(5, 30))
    assert bool(np.all(best.weights @ code.matrix[5:] == 1))
    assert best.prices.sum() == best.amplification < code.amplification(MinNorm(), range(5, 30))


def test_graph_codes_are_decoded_over_components_with_odd_cycles():
    networkx = pytest.importorskip("networkx")
    code = graph_code(networkx.complete_graph(4))
    assert min_amplification(code, range(6)).amplification == 1
