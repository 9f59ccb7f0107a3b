"""Tolerance of straggler sets: proofs and refutations against elimination over fractions, set by set."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, PrecisionError, Rational
from codedtheory.coding import (
    GradientCode,
    code_from_parity,
    cyclic_mds,
    cyclic_repetition,
    decodable,
    fractional_repetition,
    max_tolerated,
    plain_cyclic,
    polynomial_cyclic,
    tolerates,
)
from codedtheory.coding.modular_filter import ModularImage, full_row_rank

P = 2**31 - 1  # the first prime of the filter


def rank_over_fractions(rows):
    rows, rank = [list(map(Fraction, row)) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


def first_violating(matrix, s):
    n = len(matrix)
    for lost in combinations(range(n), s):
        rows = [matrix[i] for i in range(n) if i not in lost]
        ones = [[1] * len(matrix[0])]
        if rank_over_fractions(rows) != rank_over_fractions(rows + ones):
            return lost
    return None


def assert_witnessed(code, found):
    survivors = [i for i in range(code.n) if i not in found.violating]
    for i in survivors:
        assert sum(x * v for x, v in zip(code.matrix[i], found.witness, strict=True)) == 0
    assert sum(found.witness[1:], found.witness[0]) != 0


small = st.fractions(min_value=-2, max_value=2, max_denominator=2)


@st.composite
def matrices(draw):
    n = draw(st.integers(1, 5))
    p = draw(st.integers(1, 5))
    kind = draw(st.sampled_from(["any", "circulant", "low rank", "twins"]))
    if kind == "any":
        return [[draw(small) for _ in range(p)] for _ in range(n)]
    if kind == "circulant":
        row = [draw(st.integers(-1, 2)) for _ in range(n)]
        return [[row[(j - i) % n] for j in range(n)] for i in range(n)]
    basis = [[1] * p] + [[draw(st.integers(-1, 1)) for _ in range(p)] for _ in range(2)]
    if kind == "twins":
        return [[draw(st.sampled_from([1, -1, 2])) * x for x in draw(st.sampled_from(basis))] for _ in range(n)]
    rows = [[draw(st.integers(-2, 2)) for _ in basis] for _ in range(n)]
    return [[sum(c * b[j] for c, b in zip(row, basis, strict=True)) for j in range(p)] for row in rows]


@settings(max_examples=120)
@given(matrices())
def test_every_answer_agrees_with_brute_force(matrix):
    code = GradientCode(matrix)
    best = -1
    for s in range(code.n):
        found = tolerates(code, s)
        violating = first_violating(matrix, s)
        assert found.violating == violating
        assert found.holds is (violating is None)
        if violating is None:
            best = s
        else:
            assert_witnessed(code, found)
    assert max_tolerated(code) == best


def test_three_workers_in_the_smallest_example():
    code = GradientCode([["1/2", 1, 0], [0, 1, -1], ["1/2", 0, 1]])
    assert code.max_tolerated() == 1
    assert tolerates(code, 2).violating == (0, 1)


def test_independent_columns_of_the_parity_matrix_are_not_enough():
    parity = [[-2, 3, -2, 1, 0, 0], [1, -1, -1, 0, 1, 0], [-1, 3, -3, 0, 0, 1]]
    for columns in combinations(range(6), 3):
        assert rank_over_fractions([[row[j] for j in columns] for row in parity]) == 3
    code = code_from_parity(parity)
    found = code.tolerates(3)
    assert found.holds is False
    assert found.violating == (1, 3, 5)  # the survivors 0, 2, 4 have rank 2
    assert rank_over_fractions([[x.fraction for x in code.matrix[i]] for i in (0, 2, 4)]) == 2
    assert_witnessed(code, found)
    assert [lost for lost in combinations(range(6), 3) if not code.decodable(set(range(6)) - set(lost))] == [(1, 3, 5)]


def test_rows_may_have_fewer_than_s_plus_1_entries():
    code = GradientCode([[1, 1, 1], [1, 1, 1], [0, 0, 1]])
    assert np.count_nonzero(code.matrix[2]) == 1
    assert code.tolerates(1).holds
    assert np.count_nonzero(code.matrix) >= 3 * 2  # only the total is bounded


def test_a_partition_on_s_workers_is_lost_without_enumeration():
    code = GradientCode(np.eye(40, dtype=int) + np.eye(40, k=1, dtype=int) + np.eye(40, k=2, dtype=int))
    found = code.tolerates(20)
    assert found.holds is False
    assert found.examined == 1
    assert "not the first" in found.method
    assert_witnessed(code, found)


def test_exact_random_codes_are_proved_and_floating_ones_are_not():
    rng = np.random.default_rng(7)
    for variant in ("rational", "dyadic"):
        found = cyclic_repetition(12, 3, rng, variant).tolerates(3)
        assert found.holds is True
        assert found.sets == 220
    floating = cyclic_repetition(12, 3, rng).tolerates(3)
    assert floating.holds is None
    assert 0 < floating.worst_residual < 1e-8
    assert len(floating.worst_set) == 3
    assert "numeric" in repr(floating)
    with pytest.raises(PrecisionError, match="floats prove no tolerance"):
        bool(floating)


def test_doubles_as_they_are_decode_no_set_exactly():
    code = cyclic_repetition(12, 3, np.random.default_rng(7)).exactly()
    assert not any(code.decodable(set(range(12)) - set(lost)) for lost in combinations(range(12), 3))


def test_floating_residuals_find_the_bad_set():
    found = plain_cyclic(6, 1).approximate().tolerates(2)
    assert found.worst_residual > 0.1
    assert found.examined < found.sets


@pytest.mark.parametrize("n", range(1, 8))
def test_polynomial_and_cyclic_mds_codes_tolerate_s(n):
    for s in range(n):
        assert polynomial_cyclic([Fraction(k * k + k, 2) for k in range(n)], s).tolerates(s).holds
        code = cyclic_mds(n, s)
        assert code.max_tolerated() == s
        assert code.tolerates(s).examined <= code.tolerates(s).sets


@pytest.mark.parametrize(("n", "s"), [(4, 1), (6, 2), (12, 3)])
def test_fractional_repetition_tolerates_exactly_s(n, s):
    code = fractional_repetition(n, s)
    assert code.max_tolerated() == s
    assert code.tolerates(s + 1).violating == tuple(range(s + 1))


def test_large_groups_of_twins_need_no_enumeration():
    found = fractional_repetition(60, 14).tolerates(14)
    assert found.holds
    assert found.sets == 17345898649800
    assert found.examined == 1


@pytest.mark.parametrize("n", range(2, 9))
def test_plain_windows_decode_iff_a_residue_class_is_free(n):
    for s in range(n):
        code = plain_cyclic(n, s)
        g = int(np.gcd(n, s + 1))
        assert code.max_tolerated() == g - 1
        for size in range(1, n):
            for lost in combinations(range(n), size):
                free = len({w % g for w in lost}) < g
                assert code.decodable([w for w in range(n) if w not in lost]) is free


def test_decodable_of_floats_is_numeric():
    code = plain_cyclic(4, 1).approximate()
    assert decodable(code, [0, 2])
    assert not decodable(code, [0, 1])


def test_nothing_decodes_without_ones_in_the_row_space():
    code = GradientCode([[1, 0], [2, 0]])
    assert code.max_tolerated() == -1
    assert code.tolerates(0).violating == ()
    assert_witnessed(code, code.tolerates(1))


def test_a_prime_that_divides_the_minors_fools_nobody():
    # one direction of weights is (p, p, -1), which is (0, 0, -1) modulo p
    code = GradientCode([[1, 0], [0, 1], [P, P]])
    assert first_violating([[1, 0], [0, 1], [P, P]], 1) is None
    assert code.tolerates(1).holds
    # modulo p the weights (p, 1) of all workers vanish on worker 0, over the rationals they do not
    code = GradientCode([[Fraction(1, P), 0], [0, 1]])
    assert code.tolerates(1).violating == (0,)
    assert not code.decodable([1])


def test_ranks_can_only_fall_in_the_image():
    image = ModularImage(np.array([[Rational(P), Rational(1)], [Rational(0), Rational(1)]], dtype=object))
    assert image.modulus == P
    rows = np.array([[0, 1]])
    assert full_row_rank(image.residues, image.modulus, rows, np.arange(2)).tolist() == [False]
    other = ModularImage(np.array([[Rational(1, P), Rational(1)]], dtype=object))
    assert other.modulus != P


def test_the_image_of_a_root_of_unity_is_one():
    for n in (3, 5, 8, 12):
        image = ModularImage(np.array([[Algebraic(n, [0, 1])]], dtype=object))
        root = int(image.residues[0, 0])
        powers = [pow(root, k, image.modulus) for k in range(1, n + 1)]
        assert powers.index(1) == n - 1


def test_much_faster_than_two_ranks_per_set():
    flint = pytest.importorskip("flint")
    code = cyclic_repetition(20, 4, np.random.default_rng(0), "rational")
    rows = [[flint.fmpq(x.numerator, x.denominator) for x in row] for row in code.matrix]
    start = time.process_time()
    for lost in list(combinations(range(20), 4))[::50]:
        survivors = [rows[i] for i in range(20) if i not in lost]
        assert flint.fmpq_mat(survivors).rank() == flint.fmpq_mat([*survivors, [flint.fmpq(1)] * 20]).rank()
    ranks = (time.process_time() - start) * 50
    start = time.process_time()
    assert code.tolerates(4).holds
    assert (time.process_time() - start) * 5 < ranks


def test_too_many_sets_are_refused_before_they_are_walked():
    with pytest.raises(ValueError, match="more than limit=1000"):
        plain_cyclic(20, 9).tolerates(9, limit=1000)
    with pytest.raises(ValueError, match="limit"):
        plain_cyclic(40, 19).approximate().tolerates(19)


def test_bad_arguments():
    with pytest.raises(ValueError, match="stragglers must be below"):
        plain_cyclic(3, 1).tolerates(3)
    with pytest.raises(TypeError, match="integer"):
        plain_cyclic(3, 1).tolerates(1.0)
    with pytest.raises(ValueError, match=r"exactly\(\)"):
        plain_cyclic(3, 1).approximate().max_tolerated()
