from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, Rational, approximate, ball, complex_ball, condition_number, cyclotomic
from codedtheory.interpolation.node_families import chebyshev_first, equispaced, roots_of_unity
from codedtheory.interpolation.vandermonde import (
    chebyshev_vandermonde,
    vandermonde,
    vandermonde_condition,
    vandermonde_inverse,
)

node_lists = st.lists(st.fractions(-3, 3, max_denominator=12), min_size=1, max_size=7, unique=True).map(sorted)


@given(node_lists, st.integers(0, 8))
def test_entries_are_powers(nodes, degree):
    matrix = vandermonde(nodes, degree, EXACT)
    assert matrix.shape == (len(nodes), degree + 1)
    for i, x in enumerate(nodes):
        for j in range(degree + 1):
            assert matrix[i, j] == x**j
    floats = vandermonde([float(x) for x in nodes], degree)
    assert floats == pytest.approx(approximate(matrix), rel=1e-12)


@given(node_lists)
def test_inverse_is_exact(nodes):
    product = vandermonde_inverse(nodes, EXACT).T @ vandermonde(nodes, arithmetic=EXACT).T
    assert all(product[i, j] == int(i == j) for i in range(len(nodes)) for j in range(len(nodes)))


@given(node_lists)
def test_condition_is_that_of_the_matrix(nodes):
    matrix = vandermonde(nodes, arithmetic=EXACT)
    for p in (1, "inf"):
        exact = vandermonde_condition(nodes, p, EXACT)
        assert exact == condition_number(matrix, p)
        assert vandermonde_condition(nodes, p, ball(100)).contains(exact)
        if exact < 10**6:
            assert vandermonde_condition([float(x) for x in nodes], p) == pytest.approx(approximate(exact), rel=1e-7)


@given(node_lists, st.integers(0, 8))
def test_chebyshev_polynomials(nodes, degree):
    matrix = chebyshev_vandermonde(nodes, degree, arithmetic=EXACT)
    for i, x in enumerate(nodes):
        before, last = Fraction(1), x
        for j in range(degree + 1):
            assert matrix[i, j] == before
            before, last = last, 2 * x * last - before
    if degree:
        assert chebyshev_vandermonde(nodes, degree, arithmetic=EXACT).shape == (len(nodes), degree + 1)


@pytest.mark.parametrize("count", [1, 4, 7])
def test_columns_are_orthogonal_on_all_chebyshev_points(count):
    field = cyclotomic(8 * count)
    matrix = chebyshev_vandermonde(chebyshev_first(count), normalised=True, arithmetic=field)
    gram = matrix.T @ matrix
    assert all(gram[i, j] == (Rational(count, 2) if i == j else 0) for i in range(count) for j in range(count))


def test_entries_at_chebyshev_points_do_not_lose_precision_with_the_degree():
    entries = chebyshev_vandermonde(chebyshev_first(40), arithmetic=ball(64))
    assert all(isinstance(v, Ball) and v.rad < Rational(1, 2**60) for v in entries.ravel())


def test_equispaced_21():
    printed = condition_number(vandermonde(equispaced(21)), 2)
    assert printed == pytest.approx(8.3138e8, rel=5e-5)
    exact = vandermonde(equispaced(21), arithmetic=EXACT)
    assert abs(condition_number(exact, 2) / Rational("831380000") - 1) < Rational("0.00005")


def test_roots_of_unity_are_perfectly_conditioned():
    assert np.linalg.cond(vandermonde(roots_of_unity(9))) == pytest.approx(1, rel=1e-13)
    assert condition_number(vandermonde(roots_of_unity(9), arithmetic=cyclotomic(9)), 2).contains(1)
    V = vandermonde(roots_of_unity(5), arithmetic=cyclotomic(5))
    conjugated = np.array([[v.conjugate() for v in row] for row in V.T], dtype=object)
    gram = conjugated @ V
    assert all(gram[i, j] == (5 if i == j else 0) for i in range(5) for j in range(5))
    enclosed = vandermonde(roots_of_unity(3), arithmetic=complex_ball(64))
    assert enclosed.shape == (3, 3)


def test_the_leading_half_of_the_fourier_matrix_is_badly_conditioned():
    half = vandermonde(roots_of_unity(32))[:16, :16]
    assert np.linalg.cond(half) > 1e6


def test_bad_input():
    with pytest.raises(ValueError, match="degree must be at least 0"):
        vandermonde([0, 1], -1)
    with pytest.raises(TypeError, match="degree must be an integer"):
        chebyshev_vandermonde([0, 1], 1.5)
    with pytest.raises(ValueError, match="p must be 1 or 'inf', got 2"):
        vandermonde_condition([0, 1], 2)
    with pytest.raises(ValueError, match="real nodes"):
        vandermonde_condition(roots_of_unity(4))
