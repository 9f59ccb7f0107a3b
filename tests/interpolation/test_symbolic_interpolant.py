"""Symbolic interpolants agree with numbers, with the library's weights and with themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy

from codedtheory.arithmetic import EXACT
from codedtheory.interpolation import weights_for
from codedtheory.interpolation.nodes import nodes_from
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant, nodes_around_zero

NODES = [Fraction(-1), Fraction(1, 3), Fraction(2), Fraction(7, 2)]


@pytest.mark.parametrize("rule", ["berrut", "berrut-half", "lagrange", 0, 1, 2, 3])
def test_substituting_numbers_gives_the_weights_of_numbers(rule: object) -> None:
    r = SymbolicInterpolant(4, rule)
    numbers = {s: sympy.Rational(x.numerator, x.denominator) for s, x in zip(r.nodes, NODES, strict=True)}
    expected = weights_for(nodes_from(NODES), rule).over(EXACT)
    found = [sympy.sympify(w).subs(numbers) for w in r.weights]
    assert [Fraction(int(w.p), int(w.q)) for w in found] == [w.fraction for w in expected]


def test_value_by_hand() -> None:
    r = SymbolicInterpolant([0, 1, 3], [1, -1, 2], x=sympy.Integer(2))
    terms = [Fraction(1, 2), Fraction(-1, 1), Fraction(2, -1)]
    data = [5, 7, 11]
    expected = sum(t * f for t, f in zip(terms, data, strict=True)) / sum(terms)
    assert r.numerator(data) / r.denominator == sympy.Rational(expected.numerator, expected.denominator)


def test_polynomial_weights_reproduce_a_parabola_of_three_nodes() -> None:
    r = SymbolicInterpolant(3, "lagrange")
    assert sympy.cancel(r.of(lambda t: t**2 - t) - (r.x**2 - r.x)) == 0


def test_cleared_is_the_sum_times_the_node_polynomial() -> None:
    r = SymbolicInterpolant(3, 1)
    assert sympy.cancel(r.cleared() - r.denominator * r.node_polynomial) == 0
    assert sympy.cancel(r.cleared(lambda t: t**2) - r.numerator(r.nodes**2) * r.node_polynomial) == 0
    assert sympy.denom(sympy.together(SymbolicInterpolant(3).cleared())) == 1


def test_the_limit_at_a_node_is_the_datum() -> None:
    r = SymbolicInterpolant(3, sympy.symbols("w0:3"))
    assert [sympy.cancel(r.at_node(i)) for i in range(3)] == list(r.values)


def test_floats_stay_visible() -> None:
    # a Float in an expression makes the evidence numeric, so it must not turn into a fraction
    assert SymbolicInterpolant([0, 0.5]).nodes[1].has(sympy.Float)


@pytest.mark.parametrize(("left", "right"), [(0, 2), (2, 0), (2, 3)])
def test_nodes_around_zero_are_sorted_on_the_right_sides(left: int, right: int) -> None:
    nodes = nodes_around_zero(left, right)
    assert all((b - a).is_positive for a, b in pairwise(nodes))
    assert all(x.is_negative for x in nodes[:left])
    assert all(x.is_positive for x in nodes[left:])


def test_wrong_numbers_of_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="weights must be as many as the 3 nodes, got 2"):
        SymbolicInterpolant(3, [1, -1])
    with pytest.raises(ValueError, match="d must be at most n = 2"):
        SymbolicInterpolant(3, 3)


def test_values_may_be_given_as_an_array() -> None:
    r = SymbolicInterpolant([0, 1], x=sympy.Integer(3))
    assert r.numerator(np.array([2, 4])) / r.denominator == 8
