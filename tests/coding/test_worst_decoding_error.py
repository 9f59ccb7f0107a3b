"""The worst least-squares error: structure, orbits, doubles and local search against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import LowerBound, Rational, approximate
from codedtheory.coding import (
    DecodingErrors,
    GradientCode,
    cyclic_mds,
    cyclic_repetition,
    decoding_error,
    expander_code,
    forecast_decoding_error,
    fractional_repetition,
    plain_cyclic,
    worst_decoding_error,
)


def least_squares(matrix, survivors):
    rows = matrix[list(survivors)]
    weights = np.linalg.lstsq(rows.T, np.ones(rows.shape[1]), rcond=None)[0]
    return float((np.abs(weights @ rows - 1) ** 2).sum())


@st.composite
def codes(draw):
    n, p = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    if draw(st.booleans()):
        row = [draw(st.integers(-2, 2)) for _ in range(n)]
        return GradientCode([[row[(j - i) % n] for j in range(n)] for i in range(n)])
    return GradientCode([[draw(st.integers(-1, 2)) for _ in range(p)] for _ in range(n)])


@settings(max_examples=60)
@given(codes(), st.data())
def test_value_mean_and_set_agree_with_enumeration(code, data):
    s = data.draw(st.integers(0, code.n - 1))
    matrix = code.approximate().matrix
    errors = {}
    for lost in combinations(range(code.n), s):
        survivors = [w for w in range(code.n) if w not in lost]
        errors[lost] = decoding_error(code, survivors)
        assert approximate(errors[lost]) == pytest.approx(least_squares(matrix, survivors), abs=1e-8)
        assert decoding_error(code.approximate(), survivors) == pytest.approx(approximate(errors[lost]), abs=1e-6)
    found = worst_decoding_error(code, s)
    assert found.value == max(errors.values()) == errors[found.stragglers]
    assert found.mean == sum(errors.values(), Rational(0)) / len(errors)
    assert found.sets == comb(code.n, s)


def test_exact_orbits_against_all_sets():
    found = worst_decoding_error(plain_cyclic(20, 2), 5)
    assert found.value == Fraction(25, 8)
    assert (found.sets, found.examined) == (15504, 406)
    errors = DecodingErrors(plain_cyclic(20, 2))
    sets = np.array(list(combinations(range(20), 5)))
    every = errors.floating(sets)
    assert every.max() == pytest.approx(25 / 8, rel=1e-12)
    assert every.mean() == pytest.approx(approximate(found.mean), rel=1e-12)


# the mean coefficient of the least-squares decoder on plain windows
MEAN_COEFFICIENT = {
    (3, 1): Fraction(8, 9),
    (4, 1): 1,
    (4, 2): Fraction(9, 10),
    (5, 1): Fraction(24, 25),
    (5, 2): Fraction(243, 260),
    (6, 2): 1,
    (6, 3): Fraction(139, 150),
    (8, 2): Fraction(38313, 39200),
    (8, 5): Fraction(3888, 4165),
}


@pytest.mark.parametrize(("n", "s"), MEAN_COEFFICIENT)
def test_mean_errors_of_plain_windows(n, s):
    # the error is n minus the sum of the coefficients, which have the same mean
    assert worst_decoding_error(plain_cyclic(n, s), s).mean == n * (1 - MEAN_COEFFICIENT[n, s])


def test_singular_gram_matrices_in_doubles():
    code = plain_cyclic(12, 3)
    errors = DecodingErrors(code)
    sets = np.array(list(combinations(range(12), 5)))[::40]
    exact = [approximate(errors.exact(tuple(int(w) for w in row))) for row in sets]
    assert np.allclose(errors.floating(sets), exact, atol=1e-9)


def test_complex_codes_have_real_exact_errors():
    code = cyclic_mds(5, 1)
    found = worst_decoding_error(code, 2)
    lost = set(found.stragglers)
    survivors = [w for w in range(5) if w not in lost]
    assert approximate(found.value) == pytest.approx(least_squares(code.approximate().matrix, survivors), abs=1e-9)
    every = [least_squares(code.approximate().matrix, r) for r in combinations(range(5), 3)]
    assert approximate(found.value) == pytest.approx(max(every), abs=1e-9)
    floating = worst_decoding_error(code.approximate(), 2)
    assert floating.value == pytest.approx(max(every), abs=1e-9)


@pytest.mark.parametrize(("n", "s", "lost"), [(12, 3, 3), (12, 3, 7), (60, 5, 30)])
def test_repetition_loses_whole_groups(n, s, lost):
    code = fractional_repetition(n, s)
    found = worst_decoding_error(code, lost)
    assert found.value == (lost // (s + 1)) * (s + 1)
    assert found.mean == Fraction(n * comb(n - s - 1, lost - s - 1), comb(n, lost)) if lost > s else found.mean == 0
    assert decoding_error(code, set(range(n)) - set(found.stragglers)) == found.value


def test_groups_of_different_size_are_a_knapsack():
    rows = [[1, 0, 0, 0]] * 3 + [[0, 1, 1, 0]] * 2 + [[0, 0, 0, 5]] * 2
    code = GradientCode(rows)
    values = [decoding_error(code, set(range(7)) - set(lost)) for lost in combinations(range(7), 4)]
    found = worst_decoding_error(code, 4)
    assert found.value == max(values) == 3
    assert found.mean == sum(values, Rational(0)) / 35
    assert found.examined == 1


def test_lower_bound_of_any_code_with_d_copies():
    networkx = pytest.importorskip("networkx")
    code = expander_code(networkx.petersen_graph())
    for s in range(1, 7):
        assert worst_decoding_error(code, s).value >= s // 3


def test_many_orbits_are_chosen_in_doubles_and_give_a_lower_bound():
    code = plain_cyclic(12, 4)
    exact = worst_decoding_error(code, 5)
    bound = worst_decoding_error(code, 5, exact_orbits=10)
    assert isinstance(bound.value, LowerBound)
    assert bound.value.value == exact.value
    assert bound.mean == pytest.approx(approximate(exact.mean), rel=1e-10)
    assert "doubles" in bound.method


def test_local_search_is_a_lower_bound():
    code = plain_cyclic(12, 4)
    exact = worst_decoding_error(code, 5)
    found = worst_decoding_error(code, 5, np.random.default_rng(0), limit=100)
    assert isinstance(found.value, LowerBound)
    assert found.value.value <= exact.value
    assert found.mean is None
    assert (found.value <= exact.value - 1) is False
    floating = cyclic_repetition(14, 3, np.random.default_rng(0))
    best = worst_decoding_error(floating, 5)
    searched = worst_decoding_error(floating, 5, np.random.default_rng(0), limit=100, restarts=5)
    assert isinstance(searched.value.value, float)
    assert searched.value.value <= best.value * (1 + 1e-9)


def test_local_search_without_stragglers():
    code = cyclic_repetition(5, 2, np.random.default_rng(0))
    assert worst_decoding_error(code, 0, np.random.default_rng(0), limit=1).value == pytest.approx(0, abs=1e-9)


def test_forecasts_tell_what_will_be_done():
    plan = forecast_decoding_error(plain_cyclic(24, 4), 6)
    assert (plan.sets, plan.instances, plan.method) == (134596, 2920, "exact orbits")
    assert 0 < plan.seconds < 60
    assert forecast_decoding_error(plain_cyclic(24, 4).approximate(), 6).method == "orbits in doubles"
    assert forecast_decoding_error(plain_cyclic(40, 6), 12).method == "local search"
    assert forecast_decoding_error(fractional_repetition(60, 5), 30).method == "structure"


def test_what_is_refused():
    with pytest.raises(ValueError, match="pass rng"):
        worst_decoding_error(plain_cyclic(40, 6), 12)
    with pytest.raises(ValueError, match="stragglers must be below"):
        worst_decoding_error(plain_cyclic(4, 1), 4)
    with pytest.raises(ValueError, match="restarts must be at least 1"):
        worst_decoding_error(plain_cyclic(12, 4), 5, np.random.default_rng(0), limit=1, restarts=0)


def test_ill_conditioned_doubles_keep_the_error_of_a_decodable_set():
    # The Gram matrix of this code has eigenvalues down to 1e-13 of the largest; each set decodes nevertheless.
    code = cyclic_repetition(24, 5, np.random.default_rng(0))
    sets = np.array([[0, 9, 12, 17, 18], [2, 7, 14, 19, 20], [0, 1, 2, 3, 4]])
    assert DecodingErrors(code).floating(sets).max() < 1e-9
    assert DecodingErrors(code).residual(sets).max() < 1e-15
    assert decoding_error(code, sorted(set(range(24)) - {0, 9, 12, 17, 18})) < 1e-15
    assert worst_decoding_error(cyclic_repetition(12, 3, np.random.default_rng(0)), 3).value < 1e-15


def test_residuals_of_complex_doubles_and_of_nobody():
    code = cyclic_mds(7, 2).approximate()
    sets = np.array(list(combinations(range(7), 3)))
    expected = [least_squares(code.matrix, sorted(set(range(7)) - set(lost))) for lost in sets.tolist()]
    assert DecodingErrors(code).residual(sets) == pytest.approx(expected, abs=1e-12)
    assert DecodingErrors(code).floating(sets) == pytest.approx(expected, abs=1e-9)
    everyone = np.arange(7)[None, :]
    assert DecodingErrors(code).residual(everyone) == DecodingErrors(code).floating(everyone) == [7.0]
