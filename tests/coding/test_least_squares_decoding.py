"""Least-squares weights against elimination over fractions, in doubles and over a cyclotomic field."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, approximate, null_space
from codedtheory.coding.coefficient_moments import debiasing_factor
from codedtheory.coding.coefficients import decoded_coefficients, squared_error
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic

entries = st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=5)


def projection_of_ones(rows):
    """Gram-Schmidt over fractions: nothing in common with normal equations."""
    basis = []
    for row in rows:
        rest = [Fraction(x) for x in row]
        for q in basis:
            factor = sum(a * b for a, b in zip(rest, q, strict=True)) / sum(a * a for a in q)
            rest = [a - factor * b for a, b in zip(rest, q, strict=True)]
        if any(rest):
            basis.append(rest)
    result = [Fraction(0)] * len(rows[0])
    for q in basis:
        factor = sum(q) / sum(a * a for a in q)
        result = [a + factor * b for a, b in zip(result, q, strict=True)]
    return result


@given(entries)
def test_coefficients_are_the_projection_of_ones(rows):
    code = GradientCode(rows)
    survivors = range(len(rows))
    weights = LeastSquaresDecoder().weights(code, survivors)
    alpha = decoded_coefficients(code, survivors, LeastSquaresDecoder())
    assert list(alpha) == projection_of_ones(rows)
    assert squared_error(alpha) == code.partitions - sum(alpha)
    # the smallest weights are orthogonal to everything that decodes to nothing
    assert all(sum(w * x for w, x in zip(weights, kernel, strict=True)) == 0 for kernel in null_space(code.matrix.T).T)


@given(entries)
def test_doubles_agree_with_rationals(rows):
    exact = LeastSquaresDecoder().weights(GradientCode(rows), range(len(rows)))
    double = LeastSquaresDecoder().weights(GradientCode(np.array(rows, dtype=float)), range(len(rows)))
    assert np.allclose(double, approximate(exact), rtol=0, atol=1e-9)


def test_cyclotomic_codes():
    i = Algebraic(4, [0, 1])
    code = GradientCode([[Algebraic(4, [1]), i], [i, Algebraic(4, [2])]])
    alpha = decoded_coefficients(code, [0], LeastSquaresDecoder())
    # projection of (1, 1) on (1, i): the inner product with the conjugate is 1 - i
    assert list(alpha) == [(1 - i) / 2, (1 - i) * i / 2]
    assert list(decoded_coefficients(code, [0, 1], LeastSquaresDecoder())) == [1, 1]


@pytest.mark.parametrize(("n", "s"), [(3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_dividing_by_the_factor_removes_the_bias(n, s):
    code = plain_cyclic(n, s)
    factor = debiasing_factor(code, s)
    sets = list(combinations(range(n), n - s))
    total = [Fraction(0)] * n
    for survivors in sets:
        alpha = decoded_coefficients(code, survivors, LeastSquaresDecoder(factor))
        total = [t + a.fraction for t, a in zip(total, alpha, strict=True)]
    assert total == [len(sets)] * n


def test_no_divisor_debiases_uneven_partitions():
    with pytest.raises(ValueError, match="same mean coefficient"):
        debiasing_factor(GradientCode([[1, 1, 0], [1, 0, 0], [0, 0, 1]]), 1)


def test_absent_groups_get_nothing():
    alpha = decoded_coefficients(fractional_repetition(4, 1), [2], LeastSquaresDecoder())
    assert list(alpha) == [0, 0, 1, 1]


def test_name_and_bad_divisor():
    assert LeastSquaresDecoder().name == "least squares"
    assert LeastSquaresDecoder(Fraction(8, 9)).name == "least squares / (8/9)"
    with pytest.raises(ValueError, match="divisor must be positive"):
        LeastSquaresDecoder(0).weights(plain_cyclic(3, 1), [0, 1])
