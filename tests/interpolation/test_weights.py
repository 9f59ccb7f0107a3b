"""Barycentric weights: formulas, signs by rank, and 2,000 nodes without overflow."""

import pickle
from fractions import Fraction
from math import comb, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Ball, PrecisionError, Rational, ball, decimal, modular
from codedtheory.interpolation import (
    berrut_weights,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    floater_hormann_weights,
    lagrange_weights,
    nodes_from,
    roots_of_unity,
    weight_rule,
    weights_for,
)
from codedtheory.interpolation.differences import difference_error, differences
from codedtheory.interpolation.float_weights import subset_weights, weight_error

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=40)
sorted_nodes = st.sets(fractions, min_size=2, max_size=8).map(sorted)


def formula(x, d):
    """The definition, in fractions: sum over the windows of d + 1 nodes that contain x_k."""
    n = len(x) - 1
    return [
        (-1) ** (k + d)
        * sum(
            prod((1 / abs(x[k] - x[j]) for j in range(i, i + d + 1) if j != k), start=Fraction(1))
            for i in range(max(0, k - d), min(k, n - d) + 1)
        )
        for k in range(n + 1)
    ]


@given(sorted_nodes, st.data())
def test_floater_hormann_weights_are_those_of_the_definition(values, data):
    d = data.draw(st.integers(0, len(values) - 1))
    for x in (values, values[::-1]):
        weights = floater_hormann_weights(x, d)
        assert [w.fraction for w in weights.over(EXACT)] == formula(x, d)
        assert weights.signs.tolist() == [1 if w > 0 else -1 for w in formula(x, d)]


@given(sorted_nodes)
def test_special_cases_of_floater_hormann(values):
    n = len(values) - 1
    assert floater_hormann_weights(values, 0).over(EXACT).tolist() == berrut_weights(n + 1).over(EXACT).tolist()
    top, lagrange = floater_hormann_weights(values, n).over(EXACT), lagrange_weights(values).over(EXACT)
    assert [abs(w) for w in top] == [abs(w) for w in lagrange]
    assert len({a / b for a, b in zip(top, lagrange, strict=True)}) == 1


@pytest.mark.parametrize(
    ("d", "expected"),
    [(0, [1] * 7), (1, [1, 2, 2, 2, 2, 2, 1]), (2, [1, 3, 4, 4, 4, 3, 1]), (3, [1, 4, 7, 8, 7, 4, 1])],
)
def test_integer_weights_of_equidistant_nodes(d, expected):
    weights = floater_hormann_weights(equispaced(7), d).over(EXACT)
    assert [abs(w / weights[0]) for w in weights] == expected


def test_second_berrut_form_is_polynomial_interpolation_on_chebyshev_points():
    weights = lagrange_weights(chebyshev_second(9)).over(ball(128))
    ratios = [a / b for a, b in zip(weights, berrut_weights(9, half_ends=True).over(ball(128)), strict=True)]
    assert all(r.overlaps(ratios[0]) for r in ratios)


@given(sorted_nodes)
def test_lagrange_weights_are_reciprocal_products_with_their_signs(values):
    for x in (values, values[::-1]):
        weights = lagrange_weights(x)
        expected = [1 / prod(a - b for b in x if b != a) for a in x]
        assert [w.fraction for w in weights.over(EXACT)] == expected
        assert weights.signs.tolist() == [1 if w > 0 else -1 for w in expected]


@pytest.mark.parametrize(
    "nodes", [chebyshev_first(40), chebyshev_second(41), equispaced(33), nodes_from([0.1, 0.2, 0.7, 0.75, 3.0])]
)
@pytest.mark.parametrize("rule", ["berrut", "berrut-half", "lagrange", 1, 2, 4])
def test_doubles_keep_the_promised_relative_error(nodes, rule):
    weights, over = weights_for(nodes, rule), decimal(60)
    true = [abs(w) for w in weights.over(over)]
    bound = weight_error(weights.rule, len(nodes), difference_error(nodes))
    assert bound < 2e-14
    for computed, w in zip(np.abs(np.asarray(weights)), true, strict=True):
        assert abs(over.number(float(computed)) * max(true) / w - 1) <= bound
    for computed, w in zip(weights.log_magnitudes, true, strict=True):
        assert abs(computed - float(over.log(w))) <= bound + 1e-13


def test_two_thousand_equispaced_nodes_spread_over_six_hundred_decades():
    weights = lagrange_weights(equispaced(2000))
    logs = weights.log_magnitudes
    assert np.isfinite(logs).all()
    assert np.ptp(logs) / log(10) == pytest.approx(600.01, abs=0.01)
    k = np.arange(2000)
    expected = [log(comb(1999, int(i))) for i in k[::111]]
    assert np.abs(logs[::111] - logs[0] - expected).max() < 1e-9
    assert (weights.signs == (-1) ** (k + 1)).all()
    with pytest.raises(
        ValueError, match=r"weights\[\d+\] is smaller .*use ball\(bits\), or .signs and .log_magnitudes"
    ):
        np.asarray(weights)


def test_two_thousand_nodes_blend():
    logs = floater_hormann_weights(equispaced(2000), 3).log_magnitudes
    assert np.exp(logs - logs[0])[[0, 1, 2, 3, 1000, -2, -1]] == pytest.approx([1, 4, 7, 8, 8, 4, 1], rel=1e-12)


def test_many_subsets_get_the_weights_of_each():
    nodes = chebyshev_second(9)
    sets = np.array([[0, 1, 2, 5, 8], [0, 3, 4, 6, 7], [2, 3, 4, 5, 6]])
    distance = np.abs(differences(nodes))
    for rule in ("berrut", "berrut-half", "lagrange", 1, 2, 4):
        many = subset_weights(weight_rule(rule), distance, sets).log()
        for row, kept in zip(many, sets, strict=True):
            assert row == pytest.approx(weights_for(nodes.take(kept), rule).log_magnitudes, abs=1e-13)


def test_survivors_get_signs_by_rank():
    for weights in (berrut_weights(6), floater_hormann_weights(chebyshev_second(6), 1), lagrange_weights(range(6))):
        left = weights.for_survivors([0, 2, 3, 5])
        assert abs(np.diff(left.signs)).tolist() == [2, 2, 2]
        assert len(left) == 4
    half = berrut_weights(6, half_ends=True).for_survivors([1, 2, 4])
    assert np.asarray(half).tolist() == [0.5, -1.0, 0.5]
    with pytest.raises(ValueError, match="give a rule"):
        weights_for(nodes_from([0, 1, 2]), [1, -1, 1]).for_survivors([0, 1])
    with pytest.raises(ValueError, match="different numbers from 0 to 5"):
        berrut_weights(6).for_survivors([1, 1])


def test_finite_fields_take_distances_of_representatives():
    assert floater_hormann_weights(range(4), 1).over(modular(5)).tolist() == [4, 2, 3, 1]
    with pytest.raises(ValueError, match="-1/5 has no value modulo 5"):
        lagrange_weights([0, 5]).over(modular(5))


def test_roots_of_unity_are_their_own_weights():
    x = np.asarray(roots_of_unity(5))
    assert lagrange_weights(roots_of_unity(5)).over(FLOAT) == pytest.approx(x)


@pytest.mark.parametrize(
    "weights",
    [
        berrut_weights(4, True),
        floater_hormann_weights(chebyshev_first(5), 2),
        weights_for(nodes_from([0, 1]), [2, "-1/3"]),
    ],
)
def test_pickles(weights):
    again = pickle.loads(pickle.dumps(weights))  # noqa: S301
    assert again == weights
    assert again.describe() == weights.describe()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: berrut_weights(0), ValueError, "count must be at least 1, got 0"),
        (lambda: berrut_weights(2.0), TypeError, "count must be an integer"),
        (lambda: floater_hormann_weights([0, 1], 2), ValueError, "d must be at most n = 1 for 2 nodes, got 2"),
        (lambda: floater_hormann_weights([0, 1], -1), ValueError, "d must be at least 0"),
        (lambda: floater_hormann_weights([0, 1], "1"), TypeError, "d must be an integer"),
        (lambda: weights_for(nodes_from([0, 1]), "berut"), ValueError, "must be 'berrut'.*got 'berut'"),
        (lambda: weights_for(nodes_from([0, 1]), [1.0]), ValueError, "as many as the 2 nodes, got 1"),
        (lambda: weights_for(nodes_from([0, 1]), [1, 0]), ValueError, r"weights\[1\] is; drop the node"),
        (lambda: weights_for(nodes_from([0, 1]), [1.0, np.nan]), ValueError, r"weights\[1\]: nan is not finite"),
        (
            lambda: weights_for(nodes_from([0, 1]), [1, Ball.between(-1, 1, 53)]),
            PrecisionError,
            r"weights\[1\] may be 0",
        ),
        (lambda: weight_rule(1.5), TypeError, "int d"),
        (lambda: lagrange_weights(roots_of_unity(4)).signs, ValueError, "real nodes are needed"),
        (lambda: weights_for(nodes_from([0, 1]), berrut_weights(3)), ValueError, "as many as the 2 nodes, got 3"),
    ],
)
def test_bad_weights_are_refused(make, error, message):
    with pytest.raises(error, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_given_weights_stay_what_they_are():
    weights = weights_for(nodes_from([0, 1]), [0.1, -0.2])
    assert weights.over(EXACT).tolist() == [Rational(Fraction(0.1)), Rational(Fraction(-0.2))]
    assert np.asarray(weights).tolist() == [0.5, -1.0]
