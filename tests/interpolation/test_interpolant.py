"""Barycentric interpolants: exact identities over the rationals, over fields without order, and in floats."""

import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    EXACT,
    FLOAT,
    Ball,
    PrecisionError,
    Rational,
    ball,
    complex_ball,
    cyclotomic,
    decimal,
    exactly,
    modular,
)
from codedtheory.interpolation import (
    BarycentricInterpolant,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    lebesgue_constant,
    lebesgue_function,
    nodes_from,
    roots_of_unity,
)

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=40)
sorted_nodes = st.sets(fractions, min_size=2, max_size=8).map(sorted)
nonzero = fractions.filter(bool)


def signed(values):
    return [abs(w) * (-1) ** i for i, w in enumerate(values)]


@given(sorted_nodes, st.data())
def test_cardinal_functions_sum_to_1_for_all_weights(values, data):
    weights = data.draw(st.lists(nonzero, min_size=len(values), max_size=len(values)))
    interpolant = BarycentricInterpolant(values, weights)
    x = data.draw(fractions)
    if x in values or interpolant.denominator(x):
        assert interpolant.cardinal_matrix([x], EXACT).sum() == 1
        assert interpolant(x, [7] * len(values)) == 7


@given(sorted_nodes, fractions, st.data())
def test_polynomials_up_to_degree_d_are_reproduced(values, x, data):
    n = len(values) - 1
    d = data.draw(st.integers(0, n))
    interpolant = BarycentricInterpolant(values, d)
    for degree in range(d + 1 + ((n - d) % 2)):
        assert interpolant(x, [v**degree for v in values]) == x**degree


@given(sorted_nodes, fractions)
def test_what_berrut_does_to_a_line(values, x):
    n = len(values) - 1
    interpolant = BarycentricInterpolant(values, "berrut")
    error = x - interpolant(x, values)
    if x in values or n % 2:
        assert error == 0
    else:
        assert error == 1 / interpolant.denominator(x)


@given(sorted_nodes, fractions, st.sampled_from(["berrut", "berrut-half", "lagrange", 1]))
def test_mirroring_scaling_and_shifting(values, x, rule):
    interpolant = BarycentricInterpolant(values, rule)
    try:
        row = interpolant.cardinal_matrix([x], EXACT)[0].tolist()
    except ValueError:  # a pole of the second form off the hull
        return
    mirrored = BarycentricInterpolant([-v for v in values], rule).cardinal_matrix([-x], EXACT)[0].tolist()
    reversed_ = BarycentricInterpolant(values[::-1], rule).cardinal_matrix([x], EXACT)[0].tolist()
    moved = BarycentricInterpolant([3 * v + 2 for v in values], rule).cardinal_matrix([3 * x + 2], EXACT)[0].tolist()
    assert row == mirrored == reversed_[::-1] == moved


@given(sorted_nodes)
def test_values_at_nodes_are_the_values(values):
    data = np.array([[Fraction(i, 7), Fraction(i * i)] for i in range(len(values))], dtype=object)
    interpolant = BarycentricInterpolant(values, "berrut")
    assert (interpolant(np.array(values, dtype=object), data) == data).all()


def test_values_at_chebyshev_nodes_are_the_values_in_every_arithmetic():
    nodes = chebyshev_second(9)
    interpolant = BarycentricInterpolant(nodes, "berrut")
    floats = np.cos(np.arange(9.0))
    assert interpolant(np.asarray(nodes), floats).tolist() == floats.tolist()
    assert interpolant(chebyshev_second(5), floats).tolist() == floats[::2].tolist()
    balls = ball(64).array([Fraction(i, 3) for i in range(9)])
    found = interpolant(chebyshev_second(5), balls)
    assert [f.mid for f in found] == [b.mid for b in balls[::2]]
    field = cyclotomic(16)
    assert interpolant(field.cos_pi("3/8"), field.array(range(9))) == 3


def test_collisions_of_both_kinds_of_chebyshev_points_are_found_exactly():
    # cos((2j+1)pi/2K) = cos(i pi/N) for gcd(K, N) of them if 2 divides N more often than K
    for count, workers, expected in ((3, 6, 3), (2, 4, 2), (4, 4, 0), (6, 4, 2), (5, 10, 5)):
        matrix = BarycentricInterpolant(chebyshev_second(workers + 1)).cardinal_matrix(chebyshev_first(count))
        assert sum(row.tolist().count(1.0) == 1 and row.tolist().count(0.0) == workers for row in matrix) == expected


def test_near_a_node_nothing_is_lost():
    nodes = chebyshev_second(9)
    interpolant = BarycentricInterpolant(nodes, "lagrange")
    x = np.nextafter(np.asarray(nodes)[1], [-1, 1])
    assert interpolant(x, np.asarray(nodes)) == pytest.approx(x, abs=4.5e-16)
    tiny = nodes_from([0.0, 1.0, 2.0])
    assert BarycentricInterpolant(tiny, "lagrange")(5e-324, [0.0, 1.0, 4.0]) < 1e-322


def test_trailing_shapes():
    interpolant = BarycentricInterpolant(equispaced(4), "lagrange")
    x = np.linspace(-2, 2, 6).reshape(2, 3)
    nodes = np.asarray(equispaced(4))
    data = np.stack([nodes**k for k in range(4)], axis=1).reshape(4, 2, 2)
    result = interpolant(x, data)
    assert result.shape == (2, 3, 2, 2)
    assert result.reshape(2, 3, 4) == pytest.approx(np.stack([x**k for k in range(4)], axis=-1))
    assert isinstance(interpolant(0.25, data[:, 0, 0]), float)
    assert interpolant(np.empty((0, 2)), data).shape == (0, 2, 2, 2)


def test_arithmetics_do_not_mix():
    interpolant = BarycentricInterpolant([0, 1, 2], "berrut")
    assert interpolant(Fraction(1, 2), [1, 2, 3]) == Fraction(6, 5)
    assert isinstance(interpolant(0.5, [1, 2, 3]), float)
    assert isinstance(interpolant(Ball("0.5", 60), [1, 2, 3]), Ball)
    assert interpolant(0.5, np.array([1j, 2j, 3j])) == pytest.approx(1.2j)
    with pytest.raises(TypeError):
        interpolant(Rational(1, 2), [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"use cyclotomic\(8\)"):
        BarycentricInterpolant(chebyshev_second(5))(Fraction(1, 3), range(5))
    over = decimal(40)
    assert abs(interpolant(over.number("0.5"), over.array([1, 2, 3])) - over.number("1.2")) < 1e-38


def test_polynomials_through_roots_of_unity():
    nodes = roots_of_unity(5)
    interpolant = BarycentricInterpolant(nodes, "lagrange")
    z = np.asarray(nodes)
    x = 0.3 + 0.2j
    assert interpolant(x, z**3) == pytest.approx(x**3)
    field = cyclotomic(5)
    assert interpolant(field.number("1/2"), nodes.over(field) ** 4) == Fraction(1, 16)
    enclosed = interpolant(complex_ball(80).number("1/2"), nodes.over(complex_ball(80)) ** 4)
    assert enclosed.real.contains(Fraction(1, 16))


def test_lagrange_interpolation_in_a_prime_field():
    field = modular(31)
    x = [2, 7, 11, 30]
    interpolant = BarycentricInterpolant(x, "lagrange")
    for t in range(31):
        assert interpolant(field.number(t), field.array([v**3 + v for v in x])) == field.number(t**3 + t)


@pytest.mark.parametrize(
    ("nodes", "p", "d", "zeros"),
    [
        (range(3), 5, 0, [3, 4]),
        (range(4), 5, 1, [4]),
        ([0, 1, 2, 4, 5], 7, 2, [3]),
        (range(5), 11, 2, [7, 8]),
        (range(6), 31, 1, [10, 16, 20, 26]),
        (range(6), 101, 0, [7, 16, 90, 99]),
        (range(5), 31, 0, []),
    ],
)
def test_denominators_vanish_in_finite_fields(nodes, p, d, zeros):
    interpolant = BarycentricInterpolant(nodes, d)
    others = [t for t in range(p) if t not in list(nodes)]
    assert [t for t in others if not interpolant.denominator(t, modular(p))] == zeros


@given(sorted_nodes, st.integers(0, 3))
def test_no_poles_on_the_line(values, d):
    assert BarycentricInterpolant(values, min(d, len(values) - 1)).poles() == 0
    assert BarycentricInterpolant(values, "berrut-half").poles(values[0], values[-1]) == 0


@given(sorted_nodes, st.data())
def test_a_pole_between_neighbours_of_equal_sign(values, data):
    weights = data.draw(st.lists(nonzero.map(abs), min_size=len(values), max_size=len(values)))
    interpolant = BarycentricInterpolant(values, weights)
    for a, b in pairwise(values):
        assert interpolant.poles(a, b) >= 1
    assert interpolant.poles() == len(values) - 1


@pytest.mark.parametrize(
    ("lost", "inside", "nearby"),
    [((3,), 1, 1), ((1,), 1, 1), ((2,), 1, 2), ((2, 4), 2, 4), ((2, 3), 0, 0), ((0,), 0, 0)],
)
def test_signs_of_the_lost_set_make_poles_at_chebyshev_points(lost, inside, nearby):
    nodes = chebyshev_second(7)
    kept = [i for i in range(7) if i not in lost]
    wrong = BarycentricInterpolant(nodes.take(kept), [(-1) ** i for i in kept])
    assert wrong.poles(-1, 1) == inside
    assert wrong.poles(-3, 3) == nearby
    assert BarycentricInterpolant(nodes.take(kept), "berrut").poles(-3, 3) == 0


def test_poles_at_the_ends_belong_to_the_interval():
    second = BarycentricInterpolant(["-1", "0.9", "1"], "berrut-half")
    pole = Fraction(10, 9)
    assert [second.poles(1, pole), second.poles(pole, 2), second.poles(1, pole - Fraction(1, 10**9))] == [1, 1, 0]
    assert second.poles(exactly(1.0), 2) == second.poles(1.0, 2.0) == 1


def test_balls_and_rationals_count_the_same_poles():
    values = [Fraction(-1), Fraction(-1, 3), Fraction(1, 7), Fraction(1, 2), Fraction(1)]
    weights = [1, 2, -1, -1, 3]
    enclosed = nodes_from([Ball(v, 200) + Ball.between("-1e-40", "1e-40", 200) for v in values])
    for interval in (("-1.01", "1.01"), (-5, 5), ("-0.9", "0.3"), (2, 3)):
        exact = BarycentricInterpolant(values, weights).poles(*interval)
        assert BarycentricInterpolant(enclosed, weights).poles(*interval) == exact


def test_a_double_pole_is_not_counted_by_balls():
    # the denominator 1/(x+1) - 2/x + 9/(x-1), cleared, is 2 (2x + 1)^2
    nodes = [Ball(v, 100) + Ball.between("-1e-25", "1e-25", 100) for v in (-1, 0, 1)]
    with pytest.raises(PrecisionError, match="poles were not counted"):
        BarycentricInterpolant(nodes, [1, -2, 9]).poles(-5, 5)
    assert BarycentricInterpolant([-1, 0, 1], [1, -2, 9]).poles(-5, 5) == 1


def test_lebesgue_function_values():
    assert lebesgue_function(Fraction(1, 2), [-1, 0, 1]) == Fraction(7, 5)
    assert lebesgue_function([Fraction(0), Fraction(2)], [-1, 0, 1]).tolist() == [1, Fraction(11, 5)]
    x = np.linspace(-1, 1, 41)
    for rule in ("berrut", "lagrange", 2):
        nodes = chebyshev_first(8)
        values = lebesgue_function(x, nodes, rule)
        matrix = BarycentricInterpolant(nodes, rule).cardinal_matrix(x)
        assert values == pytest.approx(np.abs(matrix).sum(axis=1), rel=1e-12)
        enclosed = lebesgue_function(ball(100).array([exactly(v) for v in x]), nodes, rule)
        assert all(abs(e - exactly(v)) < Rational(1, 10**13) for e, v in zip(enclosed, values, strict=True))
        assert values.max() <= lebesgue_constant(nodes, rule, (-1, 1)) * (1 + 1e-14)


def test_lebesgue_function_of_polynomials_has_no_cancellation():
    nodes = equispaced(60)
    true = lebesgue_function(ball(200).number("0.5"), nodes, "lagrange").mid
    assert abs(exactly(lebesgue_function(0.5, nodes, "lagrange")) / true - 1) < Rational(1, 10**14)


def test_pickle():
    interpolant = BarycentricInterpolant(chebyshev_second(5).without([1]), 1)
    again = pickle.loads(pickle.dumps(interpolant))  # noqa: S301
    assert again.nodes == interpolant.nodes
    assert again(0.3, range(4)) == interpolant(0.3, range(4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r(0.5, [1.0, 2.0]), r"values must have 3 rows, one a node, got shape \(2,\)"),
        (lambda r: r(np.nan, [1.0, 2.0, 3.0]), "x must be finite"),
        (lambda r: r([0.0, np.inf], [1.0, 2.0, 3.0]), r"x\[1\] is inf"),
        (lambda r: r.denominator(1), r"x\[0\] is nodes\[1\]"),
        (lambda r: r.poles(1, 0), "pair"),
        (lambda r: r.poles(1), "both be given"),
        (lambda r: r.cardinal_matrix(0.5), "one-dimensional"),
        (lambda r: BarycentricInterpolant([-1, 1], [1, 1])(0, [0, 1]), r"pole at x\[0\]"),
        (lambda r: lebesgue_function(0, [-1, 1], [1, 1]), r"pole at x\[0\]"),
        (lambda r: BarycentricInterpolant(chebyshev_first(4)).poles(), "a and b must be given"),
        (
            lambda r: BarycentricInterpolant(chebyshev_first(4))(ball(53).cos_pi("1/8"), range(4)),
            "may be a node; give x",
        ),
    ],
)
def test_bad_calls_are_refused(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call(BarycentricInterpolant([0, 1, 2], "berrut"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("over", [FLOAT, ball(64), decimal(30), cyclotomic(48)], ids=str)
def test_points_that_are_nodes_are_known_in_every_arithmetic(over):
    matrix = BarycentricInterpolant(chebyshev_second(5)).cardinal_matrix(chebyshev_first(3), over)
    assert [bool(entry == int(i == 2)) for i, entry in enumerate(matrix[1])] == [True] * 5


@pytest.mark.parametrize("over", [FLOAT, complex_ball(64), cyclotomic(8)], ids=str)
def test_points_on_the_circle_that_are_nodes_are_known(over):
    matrix = BarycentricInterpolant(roots_of_unity(4), "lagrange").cardinal_matrix(roots_of_unity(8), over)
    for row, i in ((0, 0), (2, 1), (4, 2), (6, 3)):
        assert [bool(entry == int(k == i)) for k, entry in enumerate(matrix[row])] == [True] * 4


def test_different_integers_may_be_one_element_of_a_field():
    matrix = BarycentricInterpolant([0, 1, 2], "lagrange").cardinal_matrix(nodes_from([5, 3]), modular(5))
    assert [bool(entry == one) for entry, one in zip(matrix[0], (1, 0, 0), strict=True)] == [True] * 3
