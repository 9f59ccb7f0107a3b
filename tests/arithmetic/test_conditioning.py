import time
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    Algebraic,
    Ball,
    PrecisionError,
    Rational,
    approximate,
    ball,
    complex_ball,
    condition_number,
    cyclotomic,
    decimal,
    determinant,
    inverse,
    modular,
    norm,
    singular_values,
    working_precision,
)
from tests.arithmetic import fraction_matrices
from tests.arithmetic.strategies import algebraic_numbers, rectangular_matrices, square_matrices

NORMS = (1, 2, "inf", "fro")


def relative_radius(x):
    return x.rad / abs(x.mid)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(20, "4.398405041e16"), (30, "3.913748702e25"), (40, "3.672262616e34"), (60, "3.495185590e52")],
)
def test_spectral_condition_of_vandermonde_matrices(n, expected):
    value = condition_number(fraction_matrices.vandermonde(n), bits=64)
    assert abs(value.mid / Rational(expected) - 1) < Fraction(5, 10**10)
    assert relative_radius(value) < Fraction(1, 2**62)


def test_the_condition_contains_the_quotient_of_singular_values():
    A = fraction_matrices.vandermonde(20)
    values = singular_values(A, bits=200)
    quotient = values[0] / values[-1]
    assert condition_number(A, bits=100).contains(quotient)
    assert condition_number(ball(300).array(A)).overlaps(quotient)


def test_certified_conditions_are_faster_than_what_mpmath_computes():
    A = fraction_matrices.vandermonde(40)
    start = time.perf_counter()
    certified = condition_number(A, bits=64)
    ours = time.perf_counter() - start
    context = mpmath.mp.clone()
    context.dps = 55
    matrix = context.matrix([[context.mpf(x.numerator) / x.denominator for x in row] for row in A])
    start = time.perf_counter()
    computed = context.svd_r(matrix, compute_uv=False)
    theirs = time.perf_counter() - start
    assert ours < theirs
    assert abs(Fraction(str(computed[0] / computed[39])) / certified.mid - 1) < Fraction(1, 10**15)


def test_row_sum_condition_is_exact_beyond_sixteen_digits():
    A = fraction_matrices.vandermonde(12)
    exact = condition_number(A, "inf")
    assert type(exact) is Rational
    largest = [max(sum(abs(x) for x in row) for row in M) for M in (A, inverse(A).tolist())]
    assert exact == largest[0] * largest[1]
    assert condition_number(ball(200).array(A), "inf").contains(exact)


@given(rectangular_matrices())
def test_norms_by_definition(A):
    assert norm(A, 1) == max(sum(abs(x) for x in column) for column in zip(*A, strict=True))
    assert norm(A, "inf") == max(sum(abs(x) for x in row) for row in A)
    squares = sum(x * x for row in A for x in row)
    assert (norm(A, "fro", bits=200) ** 2).contains(squares)
    two = norm(A, 2)
    assert two.overlaps(singular_values(A, bits=200)[0])
    assert (two <= norm(A, "fro")) is not False
    assert squares == 0 or relative_radius(two) < Fraction(1, 2**126)
    enclosed = ball(90).array(A)
    assert norm(enclosed, 1).contains(norm(A, 1))
    assert all(norm(enclosed, p).overlaps(norm(A, p, bits=300)) for p in (2, "fro"))


@given(square_matrices(algebraic_numbers(st.just(8)), largest=3))
def test_norms_and_conditions_over_a_cyclotomic_field(A):
    assume(determinant(A) != 0)
    enclosed = complex_ball(200).array(np.array(A, dtype=object))
    for p in NORMS:
        assert norm(enclosed, p).overlaps(Ball(norm(A, p, bits=70), 200))
        value = Ball(condition_number(A, p, bits=70), 70)
        assert relative_radius(value) < Fraction(1, 2**68)
        assert condition_number(enclosed, p).overlaps(value)
        assert (value >= 1) is not False


def test_real_sums_over_a_cyclotomic_field_are_exact():
    x = cyclotomic(8).cos_pi("1/4")
    A = np.array([[x, -1], [1, x]], dtype=object)
    assert type(norm(A, 1)) is Algebraic
    assert norm(A, 1) == 1 + x
    assert condition_number(A, 1) == (1 + x) * (1 + x) / Fraction(3, 2)


def test_repeated_largest_singular_values_do_no_harm():
    rotation = [[Fraction(3, 5), Fraction(-4, 5)], [Fraction(4, 5), Fraction(3, 5)]]
    assert norm(rotation, 2).contains(1)
    assert relative_radius(norm(rotation, 2, bits=300)) < Fraction(1, 2**298)
    doubled = np.kron(np.eye(3, dtype=int).astype(object), np.array([[1, 1], [0, 1]], dtype=object))
    golden = 2 * cyclotomic(5).cos_pi("1/5")
    assert norm(doubled, 2).contains(golden)
    assert condition_number(doubled, 2).contains(golden * golden)
    nearly = [[1, 0], [0, 1 - Fraction(1, 10**30)]]
    assert norm(nearly, 2, bits=200).contains(1)
    assert relative_radius(norm(nearly, 2, bits=200)) < Fraction(1, 2**198)


def test_zero_matrix():
    assert [norm([[0, 0], [0, 0]], p) == 0 for p in NORMS] == [True] * 4


def test_rectangular_matrices_have_a_spectral_condition():
    A = [row[:5] for row in fraction_matrices.vandermonde(9)]
    values = singular_values(A, bits=200)
    for M in (A, np.array(A, dtype=object).T, ball(120).array(A), ball(120).array(A).T):
        assert condition_number(M, 2).overlaps(values[0] / values[-1])
    assert float(condition_number(decimal(40).array(A))) == pytest.approx(approximate(values[0] / values[-1]))
    with pytest.raises(ValueError, match="must be square for p = 1"):
        condition_number(A, 1)


def test_chebyshev_points_of_the_first_kind_have_a_condition_of_the_root_of_two():
    # the Chebyshev-Vandermonde matrix on the zeros of T_n has A^T A = n diag(1, 1/2, ..., 1/2)
    n = 9
    field = cyclotomic(4 * n)
    A = np.array([[field.cos_pi(Fraction(j * (2 * i + 1), 2 * n)) for j in range(n)] for i in range(n)], dtype=object)
    value = condition_number(A, 2, bits=150)
    assert value.contains(2 * cyclotomic(8).cos_pi("1/4"))
    assert relative_radius(value) < Fraction(1, 2**148)


def test_a_matrix_of_balls_that_is_too_ill_conditioned_for_its_bits():
    with pytest.raises(PrecisionError, match="may be singular"):
        condition_number(ball(60).array(fraction_matrices.vandermonde(40)))


def test_singular_matrices_have_no_condition():
    for p in NORMS:
        with pytest.raises(ValueError, match="A is singular"):
            condition_number([[1, 2], [2, 4]], p)
    with pytest.raises(ValueError, match="A is singular"):
        condition_number(np.array([[1.0, 2.0], [2.0, 4.0]]), 1)
    with pytest.raises(ValueError, match="A is singular"):
        condition_number(np.zeros((2, 2)), 2)
    with pytest.raises(ValueError, match="A is singular"):
        condition_number([[1, 1], [2, 2], [3, 3]], 2)


def test_floats_and_decimals():
    A = fraction_matrices.vandermonde(6)
    for p in NORMS:
        exact = approximate(condition_number(A, p))
        computed = condition_number(np.array(A, dtype=float), p)
        assert type(computed) is float
        assert computed == pytest.approx(exact, rel=1e-9)
        assert float(condition_number(decimal(40).array(A), p)) == pytest.approx(exact)
        assert norm(np.array(A, dtype=float), p) == pytest.approx(approximate(norm(A, p)))
        assert float(norm(decimal(40).array(A), p)) == pytest.approx(approximate(norm(A, p)))


@pytest.mark.parametrize("p", [0, 3, -1, "nuc", None, np.inf])
def test_other_norms_are_refused(p):
    with pytest.raises(ValueError, match="p must be 1, 2, 'inf' or 'fro'"):
        norm([[1]], p)


def test_prime_fields_have_no_norms():
    with pytest.raises(TypeError, match="norms"):
        norm(modular(7).array([[1]]), 1)
    with pytest.raises(TypeError, match="condition numbers"):
        condition_number(modular(7).array([[1]]), 1)


def test_the_precision_of_the_process_is_kept():
    before = working_precision()
    condition_number(fraction_matrices.vandermonde(5), 2)
    norm(ball(300).array([[1, 2], [3, 4]]), 2)
    with pytest.raises(PrecisionError):
        condition_number(ball(300).array([[1, 1], [1, 1]]), 2)
    assert working_precision() == before
