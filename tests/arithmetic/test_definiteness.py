from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    Ball,
    Undecided,
    ball,
    complex_ball,
    cyclotomic,
    decimal,
    is_positive_semidefinite,
    modular,
)
from tests.arithmetic import fraction_matrices
from tests.arithmetic.strategies import algebraic_numbers, square_matrices


def principal_minors_say_so(A):
    n = len(A)
    subsets = [[i for i in range(n) if mask >> i & 1] for mask in range(1, 2**n)]
    return all(fraction_matrices.determinant([[A[i][j] for j in rows] for i in rows]) >= 0 for rows in subsets)


@given(square_matrices(st.integers(-3, 3)))
def test_exact_answers_are_those_of_all_principal_minors(M):
    A = [[M[i][j] + M[j][i] for j in range(len(M))] for i in range(len(M))]
    assert is_positive_semidefinite(A) is principal_minors_say_so(A)


@given(square_matrices(st.integers(-3, 3)), st.integers(0, 1))
def test_gram_matrices_are_semidefinite_and_stop_to_be_below(M, deficit):
    G = np.array(M, dtype=object)
    G = G.T @ G
    assert is_positive_semidefinite(G)
    assert not is_positive_semidefinite(G - (1 + np.trace(G)) * np.eye(len(G), dtype=int))


@given(square_matrices(algebraic_numbers(st.just(5)), largest=3))
def test_hermitian_gram_matrices_over_a_cyclotomic_field(M):
    G = np.array(M, dtype=object)
    G = np.conjugate(G).T @ G
    assert is_positive_semidefinite(G)
    if any(x != 0 for x in G.flat):
        assert not is_positive_semidefinite(-G)


@given(square_matrices(st.integers(-3, 3)))
def test_balls_answer_only_what_is_true(M):
    A = [[M[i][j] + M[j][i] for j in range(len(M))] for i in range(len(M))]
    answer = is_positive_semidefinite(ball(80).array(A))
    assert isinstance(answer, Undecided) or answer is principal_minors_say_so(A)
    if fraction_matrices.determinant(A) != 0:
        assert answer is is_positive_semidefinite(A)
        assert is_positive_semidefinite(complex_ball(80).array(A)) is answer


def test_the_zero_boundary_is_left_open_by_balls_and_decided_by_cyclotomics():
    # the smallest eigenvalue of the cycle of length 5 plus 2 cos(pi / 5) is exactly 0
    cycle = np.array([[int((i - j) % 5 in (1, 4)) for j in range(5)] for i in range(5)], dtype=object)
    shift = 2 * cyclotomic(5).cos_pi("1/5")
    identity = np.eye(5, dtype=int).astype(object)
    assert is_positive_semidefinite(cycle + shift * identity) is True
    assert is_positive_semidefinite(cycle + (shift - Fraction(1, 10**50)) * identity) is False
    enclosed = ball(200).array(cycle + shift * identity)
    assert isinstance(is_positive_semidefinite(enclosed), Undecided)
    assert is_positive_semidefinite(enclosed + ball(200).array(identity) * Fraction(1, 10**50)) is True
    assert is_positive_semidefinite(enclosed - ball(200).array(identity) * Fraction(1, 10**50)) is False


def test_an_ill_conditioned_matrix_is_proved_definite_by_balls():
    hilbert = [[Fraction(1, i + j + 1) for j in range(30)] for i in range(30)]
    assert is_positive_semidefinite(hilbert) is True
    assert is_positive_semidefinite(ball(200).array(hilbert)) is True
    assert isinstance(is_positive_semidefinite(ball(53).array(hilbert)), Undecided)
    hilbert[29][29] -= Fraction(1, 10**30)
    assert is_positive_semidefinite(hilbert) is False
    assert is_positive_semidefinite(ball(200).array(hilbert)) is False


def test_indefinite_with_a_zero_diagonal():
    assert is_positive_semidefinite([[0, 1], [1, 0]]) is False
    assert is_positive_semidefinite(ball(53).array([[0, 1], [1, 0]])) is False
    assert is_positive_semidefinite(ball(53).array([[0, 1], [1, 5]])) is False


def test_wide_balls_are_left_open():
    wide = Ball.between(-1, 3, 53)
    assert isinstance(is_positive_semidefinite([[wide, 0], [0, 1]]), Undecided)


@pytest.mark.parametrize("A", [np.eye(2), decimal(20).array([[1, 0], [0, 1]]), modular(7).array([[1, 0], [0, 1]])])
def test_numbers_that_cannot_prove_it_are_refused(A):
    with pytest.raises(TypeError):
        is_positive_semidefinite(A)


def test_the_refusal_of_floats_names_the_door():
    with pytest.raises(TypeError, match=r"exactly\(A\)"):
        is_positive_semidefinite(np.eye(2))


@pytest.mark.parametrize("arithmetic", [cyclotomic(5), ball(53), complex_ball(53)])
def test_asymmetric_matrices_are_refused(arithmetic):
    with pytest.raises(ValueError, match="symmetric"):
        is_positive_semidefinite(arithmetic.array([[1, 2], [0, 1]]))
    with pytest.raises(ValueError, match="symmetric"):
        is_positive_semidefinite([[1, 2], [0, 1]])
