"""Poles on the line, against factored polynomials and against SymPy's own root counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import sympy

from codedtheory.arithmetic import EXACT, cyclotomic
from codedtheory.interpolation import chebyshev_second
from codedtheory.interpolation.poles import count_real_poles, denominator_polynomial

x = sympy.Symbol("x")


def by_sympy(nodes: tuple[int, ...], weights: tuple[int, ...]) -> sympy.Poly:
    total = sympy.Integer(0)
    for i, w in enumerate(weights):
        total += w * sympy.prod([x - t for j, t in enumerate(nodes) if j != i])
    return sympy.Poly(sympy.expand(total), x)


@pytest.mark.parametrize("nodes", list(combinations(range(5), 3)))
def test_against_sympy(nodes: tuple[int, ...]) -> None:
    for weights in product((-2, 1, 3), repeat=3):
        polynomial = by_sympy(nodes, weights)
        found = denominator_polynomial(nodes, list(weights))
        expected = polynomial.all_coeffs()[::-1]
        assert [c.fraction for c in found[: len(expected)]] == [Fraction(int(c)) for c in expected]
        assert all(c == 0 for c in found[len(expected) :])
        assert count_real_poles(nodes, list(weights)) == len(polynomial.sqf_part().real_roots())


def test_three_nodes_of_the_second_form_have_one_pole_outside() -> None:
    nodes = [-1, Fraction(9, 10), 1]
    assert count_real_poles(nodes, "berrut-half") == 1
    assert count_real_poles(nodes, "berrut-half", 1, Fraction(10, 9)) == 1
    assert count_real_poles(nodes, "berrut-half", -1, 1) == 0


def test_own_signs_after_a_loss() -> None:
    # node 1 of 1, 0, -1 lost: 2x/(x**2 - 1)
    survivors = chebyshev_second(3).without([1])
    assert denominator_polynomial(survivors, [1, 1]).tolist() == [0, 2]
    assert count_real_poles(survivors, [1, 1]) == 1


def test_chebyshev_denominator_over_a_cyclotomic_field() -> None:
    # N = 4: (4 + x U_3)/8 with U_3 = 8x**3 - 4x
    found = denominator_polynomial(chebyshev_second(5), arithmetic=cyclotomic(8))
    assert found.tolist() == [Fraction(1, 2), 0, Fraction(-1, 2), 0, 1]


def test_decreasing_nodes_change_the_sign_only() -> None:
    up, down = denominator_polynomial([0, 1, 3, 7]), denominator_polynomial([7, 3, 1, 0])
    assert np.array_equal(up, -down)


def test_irrational_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"use cyclotomic\(8\) or ball\(bits\)"):
        count_real_poles(chebyshev_second(5))
    assert denominator_polynomial([3], arithmetic=EXACT).tolist() == [1]
