"""Nodes are what they are called: exact points, sorted, and evaluated over any arithmetic."""

import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Ball, PrecisionError, Rational, ball, cyclotomic, decimal, modular
from codedtheory.interpolation import (
    Nodes,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    nodes_from,
    roots_of_unity,
)
from codedtheory.interpolation.differences import difference_error, differences
from codedtheory.interpolation.points import order

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=40)
sorted_nodes = st.sets(fractions, min_size=2, max_size=9).map(sorted)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 21])
def test_chebyshev_points_are_the_zeros_of_their_polynomials(n):
    x = chebyshev_first(n).over(cyclotomic(4 * n))
    before, value = 1, x
    for _ in range(n - 1):
        before, value = value, 2 * x * value - before
    assert all(v == 0 for v in value)
    y = chebyshev_second(n + 1).over(cyclotomic(2 * n))
    before, value = 1, y
    for _ in range(n - 1):
        before, value = value, 2 * y * value - before
    assert all(v == (-1) ** j for j, v in enumerate(value))


def test_doubles_of_chebyshev_points_are_the_nearest_ones_and_symmetric():
    x = np.asarray(chebyshev_second(7))
    assert x.tolist() == [1.0, float(np.sqrt(3) / 2), 0.5, 0.0, -0.5, float(-np.sqrt(3) / 2), -1.0]
    many = np.asarray(chebyshev_first(1001))
    assert (many == -many[::-1]).all()
    assert (np.diff(many) < 0).all()


@given(st.integers(1, 60), st.integers(2, 60))
def test_order_of_chebyshev_points_of_both_kinds_is_decided_on_angles(n, m):
    first, second = chebyshev_first(n), chebyshev_second(m)
    for j, x in enumerate(first.points):
        below, is_node = second.position(x)
        angle = Fraction(2 * j + 1, 2 * n) * (m - 1)
        assert is_node == (angle.denominator == 1)
        assert below == m - 1 - int(angle)


def test_chebyshev_and_rational_points_are_compared_exactly():
    nodes = chebyshev_second(7)
    assert nodes.position("1/2") == (4, True)
    assert nodes.position("0.86602540378443864676372317075293618") == (5, False)
    assert nodes.position("0.86602540378443864676372317075293619") == (6, False)
    assert nodes == chebyshev_second(7)
    assert chebyshev_second(3) == nodes_from([1, 0, -1])
    assert hash(chebyshev_second(3)) == hash(nodes_from([1, 0, -1]))
    assert nodes != chebyshev_second(8)


@given(sorted_nodes)
def test_given_numbers_stay_exact(values):
    nodes = nodes_from(values)
    assert [x.fraction for x in nodes.over(EXACT)] == values
    assert [x.contains(v) for x, v in zip(nodes.over(ball(64)), values, strict=True)] == [True] * len(values)
    assert nodes_from(nodes) is nodes
    assert nodes_from(values[::-1]) == nodes_from([str(v) for v in values[::-1]])
    assert not nodes_from(values[::-1]).is_increasing


def test_floats_are_the_doubles_they_are():
    nodes = nodes_from(np.array([0.0, 0.1]))
    assert nodes.over(EXACT)[1] == Fraction(0.1)
    assert nodes.over(EXACT)[1] != Fraction(1, 10)
    assert nodes_from(["0", "0.1"]).over(EXACT)[1] == Fraction(1, 10)
    assert "doubles" in nodes.describe()


def test_nodes_go_over_every_arithmetic_they_fit_in():
    nodes = chebyshev_first(3)
    assert nodes.over(cyclotomic(12))[0] ** 2 == Rational(3, 4)
    assert nodes.over(ball(80))[0].rad < Rational(1, 2**78)
    assert str(nodes.over(decimal(30))[0]).startswith("0.8660254037844386467637231707")
    assert nodes.over(FLOAT).dtype == float
    assert equispaced(3, 0, 1).over(modular(7)).tolist() == [0, 4, 1]
    roots = roots_of_unity(5)
    assert roots.over(cyclotomic(5))[1] ** 5 == 1
    assert abs(np.asarray(roots).sum()) < 1e-15


def test_parts_of_a_family():
    nodes = chebyshev_second(9)
    left = nodes.without([3, 1])
    assert len(left) == 7
    assert np.asarray(left).tolist() == np.delete(np.asarray(nodes), [1, 3]).tolist()
    assert left.take([1, 2]) == nodes.take([2, 4])
    assert left.take([1, 2]).describe() == "nodes 2, 4 of the 9 Chebyshev points of the second kind"
    assert nodes.is_symmetric
    assert not left.is_symmetric
    assert nodes.without([1, 7]).is_symmetric
    assert equispaced(4, 0, "7/3").is_symmetric
    assert not nodes_from([0, 1, 3]).is_symmetric


@pytest.mark.parametrize(
    "nodes",
    [
        chebyshev_second(6).without([2]),
        equispaced(4),
        roots_of_unity(3),
        nodes_from([0.1, 0.2]),
        nodes_from([Ball("1/3", 60), 1]),
    ],
)
def test_pickles(nodes):
    again = pickle.loads(pickle.dumps(nodes))  # noqa: S301
    assert again == nodes
    assert again.describe() == nodes.describe()
    assert isinstance(again, Nodes)


@given(sorted_nodes)
def test_differences_of_rationals_have_the_promised_relative_error(values):
    nodes = nodes_from(values)
    bound = Fraction(difference_error(nodes))
    assert bound < Fraction(1, 2**50)
    for i, row in enumerate(differences(nodes)):
        for j, difference in enumerate(row):
            true = values[i] - values[j]
            assert abs(Fraction(float(difference)) - true) <= bound * abs(true)


def nodes_that_vanish_in_doubles():
    """Return two nodes whose difference is rounded to 0, though both are sums of two doubles exactly."""
    high = 1 + Fraction(1, 2**52) + Fraction(1, 2**53)
    return [high - Fraction(1, 2**106), high]


def test_different_nodes_without_a_difference_in_doubles_are_too_close():
    nodes = nodes_from([0, *nodes_that_vanish_in_doubles(), 2])
    assert differences(nodes)[1, 2] == 0
    with pytest.raises(ValueError, match="too close for doubles"):
        difference_error(nodes)
    apart = nodes_from([0, *nodes_that_vanish_in_doubles()[1:], 2])
    assert difference_error(apart, apart) < 2.0**-50


@pytest.mark.parametrize("nodes", [chebyshev_first(200), chebyshev_second(41)])
def test_differences_of_chebyshev_points_have_the_promised_relative_error(nodes):
    bound = Fraction(difference_error(nodes))
    assert bound < Fraction(1, 2**51)
    x = [v.mid.fraction for v in nodes.over(ball(400))]
    computed = differences(nodes)
    for i, j in pairwise(range(len(nodes))):
        true = x[i] - x[j]
        assert abs(Fraction(float(computed[i, j])) - true) <= bound * abs(true) * (1 + Fraction(1, 2**100))


def test_rounded_chebyshev_points_lose_what_two_doubles_keep():
    nodes = chebyshev_first(500)
    x = np.asarray(nodes)
    true = [v.mid.fraction for v in nodes.take([0, 1]).over(ball(400))]
    exact = true[0] - true[1]
    assert abs(Fraction(float(x[0] - x[1])) / exact - 1) > Fraction(1, 10**14)
    assert abs(Fraction(float(differences(nodes)[0, 1])) / exact - 1) < Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nodes_from([0, 2, 1]), r"nodes\[1\] and nodes\[2\] \(2, 1\) break the order; sort them"),
        (lambda: nodes_from([0.0, 0.5, 0.5]), r"nodes\[1\] and nodes\[2\] are both 0.5; drop one"),
        (lambda: nodes_from([3, 3]), r"nodes\[0\] and nodes\[1\] are both 3; drop one"),
        (lambda: nodes_from([1.0, float("nan")]), r"nodes\[1\]: nan is not finite; remove it"),
        (lambda: nodes_from([float("-inf"), 1.0]), r"nodes\[0\]: -inf is not finite"),
        (lambda: nodes_from([]), "must not be empty"),
        (lambda: nodes_from(np.zeros((2, 2))), r"one-dimensional.*\(2, 2\)"),
        (lambda: nodes_from(["1", "one"]), r"nodes\[1\]: 'one' is not a rational number"),
        (lambda: nodes_from([1j, 2]), r"nodes\[0\].*roots_of_unity"),
        (lambda: nodes_from([True, 2]), r"nodes\[0\]: True is not a real number"),
        (lambda: chebyshev_first(5).over(EXACT), r"irrational.*use cyclotomic\(20\) or ball\(bits\)"),
        (lambda: roots_of_unity(3).over(ball(53)), r"use cyclotomic\(n\) or complex_ball"),
        (lambda: nodes_from([Ball("1/3", 60), 1]).over(EXACT), r"use ball\(bits\)"),
        (lambda: chebyshev_second(1), r"at least 2.*use chebyshev_first\(1\)"),
        (lambda: chebyshev_first(0), "n must be at least 1, got 0"),
        (lambda: equispaced(1), "a == b for n = 1"),
        (lambda: equispaced(3, 1, 1), "a != b"),
        (lambda: chebyshev_first(4).take([1, 1]), r"must not repeat a node, got \(1, 1\)"),
        (lambda: chebyshev_first(4).take([0, 3, 1]), r"must be sorted.*use sorted"),
        (lambda: chebyshev_first(4).take([4]), "from 0 to 3, got 4"),
        (lambda: chebyshev_first(2).without([0, 1]), "leave at least one"),
        (lambda: roots_of_unity(4).position(0), "real nodes are needed"),
    ],
)
def test_bad_nodes_are_refused_with_a_remedy(make, message):
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: nodes_from(3),
        lambda: nodes_from([0.5, "1"]),
        lambda: equispaced(3, 0.0, 1),
        lambda: chebyshev_first(2.5),
    ],
)
def test_wrong_kinds_are_refused(make):
    with pytest.raises(TypeError):
        make()


def test_overlapping_balls_have_no_order():
    with pytest.raises(PrecisionError, match="raise the precision"):
        nodes_from([Ball.between(0, 1, 53), Ball("1/2", 53)])


def test_order_of_close_algebraic_numbers_is_decided():
    a, b = chebyshev_first(7).points[2], chebyshev_second(9).points[3]
    exact = a.algebraic() - b.algebraic()
    assert order(a, b) == (1 if exact > 0 else -1)
