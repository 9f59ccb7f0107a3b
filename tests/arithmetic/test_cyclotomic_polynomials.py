from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, cyclotomic, determinant
from codedtheory.arithmetic.cyclotomic_polynomials import characteristic_polynomial, square_free_split
from tests.arithmetic.strategies import algebraic_numbers, square_matrices

fields = st.sampled_from([3, 5, 8, 12])


def product(f, g):
    result = [0] * (len(f) + len(g) - 1)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            result[i + j] = result[i + j] + a * b
    return result


@given(fields.flatmap(lambda n: square_matrices(algebraic_numbers(st.just(n)), largest=3)))
def test_matrices_satisfy_their_characteristic_polynomial(M):
    A = np.array(M, dtype=object)
    coefficients, scale = characteristic_polynomial(A)
    identity = np.eye(len(A), dtype=int).astype(object)
    value = 0 * identity
    for c in reversed(coefficients):
        value = A * scale @ value + c * identity
    assert not value.any()
    assert coefficients[-1] == 1
    assert coefficients[-2] == -scale * sum(A[i, i] for i in range(len(A)))
    assert coefficients[0] == (-scale) ** len(A) * determinant(A)


def test_large_coefficients_need_several_primes():
    n, z = 6, cyclotomic(7).root_of_unity("1/7")
    entry = z * 10**40 + 1
    A = cyclotomic(7).array(np.diag([entry] * n))
    A[np.triu_indices(n, 1)] = z
    coefficients, scale = characteristic_polynomial(A)
    assert scale == 1
    assert coefficients == [comb(n, k) * (-entry) ** (n - k) for k in range(n + 1)]


roots = st.lists(st.integers(-3, 3), min_size=2, max_size=4)


@given(fields, st.lists(roots, min_size=1, max_size=4))
def test_factors_are_found_with_their_multiplicities(n, coordinates):
    numbers = [Algebraic(n, c) for c in coordinates]
    f = [Algebraic(n, [1])]
    for k, x in enumerate(numbers):
        for _ in range(k + 1):
            f = product(f, [-x, 1])
    distinct = {}
    for k, x in enumerate(numbers):
        distinct[x] = distinct.get(x, 0) + k + 1
    found = square_free_split(f)
    assert sorted(m for _, m in found) == sorted(set(distinct.values()))
    for g, m in found:
        expected = [Algebraic(n, [1])]
        for x in (x for x, count in distinct.items() if count == m):
            expected = product(expected, [-x, 1])
        assert g == expected


@pytest.mark.parametrize("n", [5, 16])
def test_conjugate_roots_outside_the_field_stay_together(n):
    # x^2 - zeta has no root in the field
    z = cyclotomic(n).root_of_unity(Fraction(1, n)) if n % 2 == 0 else cyclotomic(n).number(2)
    quadratic = [-z, 0 * z, 1 + 0 * z]
    assert square_free_split(product(quadratic, product(quadratic, [z, 1]))) == [([z, 1], 1), (quadratic, 2)]
