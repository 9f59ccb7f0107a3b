import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    Ball,
    ComplexBall,
    PrecisionError,
    approximate,
    ball,
    complex_ball,
    cyclotomic,
    decimal,
    eigenvalues,
    modular,
    singular_values,
    working_precision,
)
from tests.arithmetic import fraction_matrices
from tests.arithmetic.strategies import algebraic_numbers, matrices, rectangular_matrices, square_matrices


def cycle(n):
    return [[int((i - j) % n in (1, n - 1)) for j in range(n)] for i in range(n)]


def hypercube(d):
    return [[int((i ^ j).bit_count() == 1) for j in range(2**d)] for i in range(2**d)]


def circulant(row):
    n = len(row)
    return np.array([[row[(j - i) % n] for j in range(n)] for i in range(n)], dtype=object)


@pytest.mark.parametrize("n", [3, 4, 5, 8, 12, 17])
def test_cycles(n):
    found = eigenvalues(cycle(n))
    expected = [(k, 1 if 2 * k in (0, n) else 2) for k in range(n // 2 + 1)]
    assert [m for _, m in found] == [m for _, m in expected]
    for (value, _), (k, _) in zip(found, expected, strict=True):
        assert type(value) is Ball
        assert value.contains(2 * cyclotomic(n).cos_pi(Fraction(2 * k, n)))
        assert value.rad <= Fraction(1, 2**126) * abs(value.mid)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_hypercubes(d):
    found = eigenvalues(hypercube(d))
    assert [(value.mid, m) for value, m in found] == [(d - 2 * i, math.comb(d, i)) for i in range(d + 1)]
    assert all(value.is_exact for value, _ in found)


def test_petersen_graph():
    pairs = [(i, j) for i in range(5) for j in range(i)]
    A = [[int(not set(p) & set(q)) for q in pairs] for p in pairs]
    assert [(value.mid, m) for value, m in eigenvalues(A)] == [(3, 1), (1, 5), (-2, 4)]


def test_circulants_have_the_values_of_their_polynomial():
    row = [Fraction(1, 2), 3, -1, 0, Fraction(2, 3), 7]
    roots = [complex_ball(200).root_of_unity(Fraction(k, 6)) for k in range(6)]
    expected = [sum((c * w**j for j, c in enumerate(row)), ComplexBall(0, 200)) for w in roots]
    found = [complex_ball(200).number(value) for value, m in eigenvalues(circulant(row)) for _ in range(m)]
    assert len(found) == 6
    for value in expected:
        assert sum((value == x) is not False for x in found) == 1


def test_symmetric_circulant_of_32_nodes_has_its_multiplicities():
    A = circulant([0, 1, 1, 0, 1] + [0] * 23 + [1, 0, 1, 1])
    found = eigenvalues(A)
    assert sum(m for _, m in found) == 32
    assert found[0][0] == 6
    assert found[0][1] == 1
    values = sorted(2 * (math.cos(x) + math.cos(2 * x) + math.cos(4 * x)) for x in np.arange(32) * math.pi / 16)
    np.testing.assert_allclose([approximate(v) for v, m in found for _ in range(m)], values[::-1], atol=1e-13)


def test_a_doubly_stochastic_matrix_keeps_its_exact_one():
    W = [[Fraction(x, 3) + Fraction(int(i == j), 3) for j, x in enumerate(row)] for i, row in enumerate(cycle(6))]
    (top, multiplicity), *_ = eigenvalues(W)
    assert (top == 1) is True
    assert multiplicity == 1
    disconnected = np.kron(np.eye(2, dtype=int).astype(object), np.array(W, dtype=object))
    assert (eigenvalues(disconnected)[0][0] == 1) is True
    assert eigenvalues(disconnected)[0][1] == 2


@given(square_matrices(st.integers(-5, 5)))
def test_traces_and_determinants(A):
    found = [(complex_ball(200).number(value), m) for value, m in eigenvalues(A, bits=200)]
    assert sum(m for _, m in found) == len(A)
    total, product = ComplexBall(0, 200), ComplexBall(1, 200)
    for value, m in found:
        total, product = total + m * value, product * value**m
    assert total.contains(sum(A[i][i] for i in range(len(A))))
    assert product.contains(fraction_matrices.determinant(A))


@given(square_matrices(st.integers(-5, 5)))
def test_symmetric_matrices_have_real_balls_in_descending_order(M):
    A = [[M[i][j] + M[j][i] for j in range(len(M))] for i in range(len(M))]
    values = [value for value, _ in eigenvalues(A)]
    assert all(type(value) is Ball for value in values)
    assert all((a > b) is True for a, b in pairwise(values))


def test_eigenvalues_that_differ_by_less_than_the_bits_are_told_apart():
    tiny = Fraction(1, 10**60)
    A = [[1, tiny], [tiny, 1]]
    (high, _), (low, _) = eigenvalues(A, bits=32)
    assert (high > low) is True
    assert high.contains(1 + tiny)
    assert not high.contains(1)
    with pytest.raises(PrecisionError, match="raise max_bits") as caught:
        eigenvalues(A, bits=32, max_bits=64)
    assert len(caught.value.enclosure) == 2


def test_a_defective_eigenvalue_has_its_algebraic_multiplicity():
    found = eigenvalues([[2, 1, 0], [0, 2, 1], [0, 0, 2]])
    assert [(value.mid, m) for value, m in found] == [(2, 3)]


def test_complex_pairs_come_after_the_real_ones():
    shift = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    one, *pair = eigenvalues(shift)
    assert (one[0] == 1) is True
    assert [type(value) for value, _ in pair] == [ComplexBall, ComplexBall]
    assert all((value**3).contains(1) for value, _ in pair)


@given(square_matrices(algebraic_numbers(st.just(8)), largest=3))
def test_hermitian_matrices_over_a_cyclotomic_field(M):
    A = np.array(M, dtype=object)
    A = A + np.conjugate(A).T
    found = eigenvalues(A, bits=64)
    assert all(type(value) is Ball for value, _ in found)
    trace = complex_ball(300).number(sum(A[i, i] for i in range(len(A)))).real
    total = sum((m * value for value, m in found), Ball(0, 64))
    assert total.overlaps(trace)


def test_multiplicities_over_a_cyclotomic_field():
    # diag(z, z, z, 1 - z, 3) in a skew basis
    field = cyclotomic(7)
    z = field.root_of_unity(Fraction(1, 7))
    P = field.array([[1, 2, 0, 1, 1], [0, 1, 3, 0, 1], [0, 0, 1, 1, 0], [0, 0, 0, 1, 2], [0, 0, 0, 0, 1]])
    from codedtheory.arithmetic import inverse

    A = P @ np.diag([z, z, z, 1 - z, 3 + 0 * z]) @ inverse(P)
    found = eigenvalues(A, bits=100)
    assert [(m, type(value)) for value, m in found] == [(1, Ball), (1, ComplexBall), (3, ComplexBall)]
    assert (found[0][0] == 3) is True
    assert found[1][0].contains(complex_ball(300).number(1 - z))
    assert found[2][0].contains(complex_ball(300).number(z))


def test_discrete_fourier_matrix():
    field = cyclotomic(8)
    F = np.array([[field.root_of_unity(Fraction(i * j, 8)) for j in range(8)] for i in range(8)], dtype=object)
    root = 2 * field.cos_pi("1/4") * 2
    expected = {root: 3, -root: 2, root * field.root_of_unity(Fraction(1, 4)): 2}
    found = eigenvalues(F)
    assert sum(m for _, m in found) == 8
    for number, multiplicity in expected.items():
        fine = complex_ball(400).number(number)
        assert [m for value, m in found if (complex_ball(400).number(value) == fine) is not False] == [multiplicity]


def test_simple_eigenvalues_of_balls():
    exact = [[Fraction(1, 3), 1, 2], [1, Fraction(5, 7), 0], [2, 0, -1]]
    found = eigenvalues(ball(100).array(exact))
    for (enclosed, m), (fine, _) in zip(found, eigenvalues(exact, bits=300), strict=True):
        assert type(enclosed) is Ball
        assert m == 1
        assert enclosed.contains(fine)
        assert enclosed.rad < Fraction(1, 2**85)
    rotated = eigenvalues(ball(100).array([[0, -1], ["1/3", 0]]))
    assert [type(value) for value, _ in rotated] == [ComplexBall, ComplexBall]


@pytest.mark.parametrize("n", [4, 16, 32])
def test_multiple_eigenvalues_of_balls_are_not_proved(n):
    with pytest.raises(PrecisionError, match="balls prove none to be multiple") as caught:
        eigenvalues(ball(64).array(cycle(n)), max_bits=128)
    assert len(caught.value.enclosure) == n
    found = eigenvalues(cycle(n))
    assert all(any((x == value) is not False for x in caught.value.enclosure) for value, _ in found)


@given(rectangular_matrices(st.integers(-4, 4)))
def test_singular_values_square_to_the_invariants(A):
    values = singular_values(A)
    rows, columns = len(A), len(A[0])
    assert len(values) == min(rows, columns)
    assert sum((s * s for s in values), Ball(0, 128)).contains(sum(x * x for row in A for x in row))
    assert sum(s.is_exact and s.mid == 0 for s in values) == min(rows, columns) - fraction_matrices.rank(A)
    np.testing.assert_allclose(approximate(values), np.linalg.svd(np.array(A, dtype=float))[1], atol=1e-6)
    transposed = singular_values([list(column) for column in zip(*A, strict=True)])
    assert all(a.overlaps(b) for a, b in zip(values, transposed, strict=True))


@given(matrices(3, 2, algebraic_numbers(st.just(12))))
def test_singular_values_over_a_cyclotomic_field(M):
    A = np.array(M, dtype=object)
    values = singular_values(A, bits=80)
    size = sum((x * x.conjugate() for x in A.flat), cyclotomic(12).number(0))
    assert sum((s * s for s in values), Ball(0, 80)).overlaps(Ball(size, 300))
    coarse = singular_values(complex_ball(60).array(A))
    assert all(a.overlaps(b) for a, b in zip(values, coarse, strict=True))


def test_singular_values_of_an_ill_conditioned_matrix_of_balls():
    A = fraction_matrices.vandermonde(12)
    exact, enclosed = singular_values(A, bits=300), singular_values(ball(120).array(A))
    assert all(x.contains(y) for x, y in zip(enclosed, exact, strict=True))
    assert all(x.rad < Fraction(1, 2**100) for x in enclosed)
    coarse = singular_values(ball(30).array(A))
    assert all(x.contains(y) for x, y in zip(coarse, exact, strict=True))
    assert coarse[-1].lower > -Fraction(1, 2**50)


def test_floats_and_decimals_give_no_integer_multiplicity():
    for A in (np.array(cycle(4), dtype=float), decimal(30).array(cycle(4))):
        found = eigenvalues(A)
        np.testing.assert_allclose([float(v) for v, _ in found], [2, 0, 0, -2], atol=1e-14)
        assert all(m == 1 and not isinstance(m, int) for _, m in found)
        np.testing.assert_allclose([float(s) for s in singular_values(A)], [2, 2, 0, 0], atol=1e-14)
    turned = eigenvalues(np.array([[0.0, -1.0, 0], [1.0, 0.0, 0], [0, 0, 3]]))
    assert [m for _, m in turned] == [1.0] * 3
    assert turned[0][0] == 3
    assert {v for v, _ in turned[1:]} == {1j, -1j}
    assert len(eigenvalues(decimal(30).array([[0, -1], [1, 0]]))) == 2


def test_prime_fields_have_no_spectrum():
    with pytest.raises(TypeError, match="eigenvalues"):
        eigenvalues(modular(7).array([[1, 0], [0, 1]]))
    with pytest.raises(TypeError, match="singular values"):
        singular_values(modular(7).array([[1, 0], [0, 1]]))


@pytest.mark.parametrize("options", [{"bits": 0}, {"bits": 200, "max_bits": 100}, {"bits": 1.5}])
def test_bits_are_checked(options):
    with pytest.raises(ValueError, match="bits must be"):
        eigenvalues([[1]], **options)


def test_the_precision_of_the_process_is_kept():
    before = working_precision()
    eigenvalues(cycle(5), bits=300)
    singular_values(ball(300).array(cycle(5)))
    with pytest.raises(PrecisionError):
        eigenvalues(ball(300).array(cycle(5)), max_bits=300)
    assert working_precision() == before
