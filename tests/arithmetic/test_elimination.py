from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    LowerBound,
    Modular,
    PrecisionError,
    Rational,
    approximate,
    ball,
    complex_ball,
    cyclotomic,
    decimal,
    determinant,
    exactly,
    inverse,
    modular,
    null_space,
    rank,
    solve,
    working_precision,
)
from tests.arithmetic import fraction_matrices
from tests.arithmetic.strategies import algebraic_numbers, matrices, rectangular_matrices, square_matrices

integers_mod_7 = st.builds(Modular, st.integers(0, 6), st.just(7))
cyclotomics = algebraic_numbers(st.just(5))
exact_entries = pytest.mark.parametrize(
    "entries", [st.integers(-4, 4), cyclotomics, integers_mod_7], ids=["integers", "cyclotomic", "modular"]
)


def objects(A):
    return np.array(A, dtype=object)


@given(square_matrices())
def test_determinant_is_the_sum_over_permutations(A):
    assert determinant(A) == fraction_matrices.determinant(A)


@given(rectangular_matrices(entries=st.integers(-2, 2)))
def test_rank_is_that_of_elimination_by_hand(A):
    assert rank(A) == fraction_matrices.rank(A)


@exact_entries
@given(data=st.data())
def test_solutions_solve(entries, data):
    A = objects(data.draw(square_matrices(entries)))
    b = objects(data.draw(st.lists(entries, min_size=len(A), max_size=len(A))))
    if determinant(A) == 0:
        with pytest.raises(ValueError, match="A is singular"):
            solve(A, b)
    else:
        assert (A @ solve(A, b) == b).all()


@exact_entries
@given(data=st.data())
def test_inverses_are_inverse(entries, data):
    A = objects(data.draw(square_matrices(entries)))
    assume(determinant(A) != 0)
    assert (A @ inverse(A) == np.eye(len(A), dtype=int)).all()
    assert (inverse(A) == solve(A, np.eye(len(A), dtype=int))).all()


@exact_entries
@given(data=st.data())
def test_determinants_multiply(entries, data):
    n = data.draw(st.integers(1, 4))
    A, B = (objects(data.draw(matrices(n, n, entries))) for _ in range(2))
    assert determinant(A @ B) == determinant(A) * determinant(B)
    assert determinant(A.T) == determinant(A)


@exact_entries
@given(data=st.data())
def test_rank_and_nullity_add_up(entries, data):
    A = objects(data.draw(rectangular_matrices(entries)))
    basis = null_space(A)
    assert type(rank(A)) is int
    assert rank(A) + basis.shape[1] == A.shape[1]
    assert not (A @ basis).any()
    assert basis.shape[1] == 0 or rank(basis) == basis.shape[1]


@given(square_matrices(), st.sampled_from([20, 53, 200]))
def test_balls_contain_the_exact_results(A, bits):
    assume(determinant(A) != 0)
    B = ball(bits).array(A)
    assert determinant(B).contains(determinant(A))
    try:
        enclosed = inverse(B)
    except PrecisionError:
        assert bits < 200
    else:
        exact = inverse(A)
        assert all(x.contains(y) for x, y in zip(enclosed.flat, exact.flat, strict=True))
        assert rank(B) == len(A)


@given(square_matrices(cyclotomics, largest=3))
def test_complex_balls_contain_the_exact_results(A):
    assume(determinant(A) != 0)
    B = complex_ball(150).array(objects(A))
    enclosed, exact = inverse(B), inverse(A)
    assert all(x.contains(complex_ball(400).number(y)) for x, y in zip(enclosed.flat, exact.flat, strict=True))
    assert determinant(B).contains(complex_ball(400).number(determinant(A)))


def test_modular_results_are_the_rational_ones_reduced():
    A = [[Fraction(1, 2), 2, 3], [4, 5, 6], [7, 8, 10]]
    p = 10007
    assert (inverse(modular(p).array(A)) == modular(p).array(inverse(A))).all()
    assert rank(modular(3).array([[1, 1], [1, 4]])) == 1
    assert rank([[1, 1], [1, 4]]) == 2


def test_an_ill_conditioned_system_is_solved_by_balls():
    A = fraction_matrices.vandermonde(40)
    b = [Fraction(1, i + 1) for i in range(40)]
    exact, enclosed = solve(A, b), solve(ball(250).array(A), ball(250).array(b))
    assert all(x.contains(y) for x, y in zip(enclosed, exact, strict=True))
    assert all(x.rad < Fraction(1, 10**22) * (1 + abs(y)) for x, y in zip(enclosed, exact, strict=True))
    with pytest.raises(PrecisionError, match=r"may be singular at ball\(60\); raise the precision \(ball bits\)"):
        solve(ball(60).array(A), ball(60).array(b))


def test_chebyshev_vandermonde_determinant():
    # prod_{i<j} (x_j - x_i) over the second-kind points cos(k pi / 6)
    x = np.array([cyclotomic(12).cos_pi(Fraction(k, 6)) for k in range(7)], dtype=object)
    product = Rational(1)
    for j in range(7):
        for i in range(j):
            product = product * (x[j] - x[i])
    assert determinant(np.vander(x, increasing=True)) == product


def test_balls_never_prove_a_rank_that_is_not_full():
    B = ball(200).array([["1/3", "1/3", "1/3"], ["1/3", "1/3", "1/3"], [0, 0, 1]])
    with pytest.raises(PrecisionError, match="not provable with balls") as caught:
        rank(B)
    assert isinstance(caught.value.enclosure, LowerBound)
    assert caught.value.enclosure.value == 2
    with pytest.raises(PrecisionError):
        null_space(B)
    with pytest.raises(PrecisionError):
        inverse(ball(200).array([[1, 1], [1, 1]]))


def test_full_rank_of_balls_is_certified():
    tall = ball(64).array([["1/3", 1], ["2/3", 1], [1, 1]])
    assert rank(tall) == rank(tall.T) == 2
    assert null_space(tall).shape == (2, 0)
    basis = null_space(tall.T)
    assert basis.shape == (3, 1)
    assert all(x.contains(0) for x in (tall.T @ basis).flat)
    complex_tall = complex_ball(64).array(tall)
    assert rank(complex_tall) == 2
    assert null_space(complex_tall.T).shape == (3, 1)


def test_the_rank_of_floats_is_no_integer_and_its_tolerance_is_visible():
    A = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]])
    assert type(rank(A)) is float
    assert rank(A) == 1.0
    assert rank(exactly(A)) == 2
    numbers = decimal(40).array([["1/3", 1], [1, 3]])
    assert rank(numbers) == 1
    assert not isinstance(rank(numbers), int)


def test_floats_and_decimals_agree_with_the_exact_results():
    A = [[2, 1, 1], [1, 3, 2], [1, 0, 0]]
    exact = approximate(inverse(A))
    np.testing.assert_allclose(inverse(np.array(A, dtype=float)), exact, atol=1e-14)
    np.testing.assert_allclose(approximate(inverse(decimal(30).array(A))), exact, atol=1e-16)
    assert determinant(np.array(A, dtype=float)) == pytest.approx(-1)
    assert float(determinant(decimal(30).array(A))) == pytest.approx(-1)
    wide = np.array([[1.0, 2.0, 3.0]])
    for basis in (null_space(wide), approximate(null_space(decimal(30).array([[1, 2, 3]])))):
        assert basis.shape == (3, 2)
        np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-14)
        np.testing.assert_allclose(wide @ basis, 0, atol=1e-14)
    assert null_space(np.eye(3)).shape == (3, 0)


def test_right_hand_sides_keep_their_shape():
    assert solve([[2]], [4]).shape == (1,)
    assert solve([[2]], [[4, 6]]).tolist() == [[2, 3]]
    assert solve(np.array([[2.0]]), [[4, 6]]).tolist() == [[2.0, 3.0]]


def test_integers_of_any_width_stay_exact():
    A = np.array([[2**60 + 1, 1], [1, 1]], dtype=np.int64)
    b = np.array([2**63 + 5, 1], dtype=np.uint64)
    x = solve(A, b)
    assert (A.astype(object) @ x == b.astype(object)).all()
    assert determinant(A) == 2**60


@pytest.mark.parametrize(
    ("A", "message"),
    [
        ([1, 2], "at least one row"),
        ([], "at least one row"),
        ([[1, 2], [3]], "rectangular"),
        (np.array([[np.nan, 1], [1, 1]]), "finite"),
        ([[1, 2, 3], [4, 5, 6]], "square"),
    ],
)
def test_shapes_that_make_no_sense_are_refused(A, message):
    with pytest.raises(ValueError, match=message):
        determinant(A)


def test_singular_matrices_are_refused_by_every_arithmetic():
    A = [[1, 2], [2, 4]]
    for arithmetic in (modular(7), cyclotomic(5), decimal(20)):
        with pytest.raises(ValueError, match="A is singular"):
            inverse(arithmetic.array(A))
    with pytest.raises(ValueError, match="A is singular"):
        inverse(np.array(A, dtype=float))
    with pytest.raises(ValueError, match="A is singular"):
        solve(A, [1, 1])


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="b must have 2 rows"):
        solve([[1, 2], [3, 4]], [1, 2, 3])


def test_the_precision_of_the_process_is_kept():
    before = working_precision()
    B = ball(300).array([[2, 1], [1, 3]])
    solve(B, B)
    rank(B)
    with pytest.raises(PrecisionError):
        inverse(ball(300).array([[1, 1], [1, 1]]))
    assert working_precision() == before
