"""Repetition codes: placements, random cyclic codes and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Rational
from codedtheory.coding import (
    MinAmplification,
    MinNorm,
    code_from_parity,
    cyclic_repetition,
    fractional_repetition,
    plain_cyclic,
)


def test_fractional_repetition_decodes_with_zeros_and_ones():
    code = fractional_repetition(6, 2)
    groups = [["1", "1", "1", "0", "0", "0"]] * 3 + [["0", "0", "0", "1", "1", "1"]] * 3
    assert code.matrix.astype(str).tolist() == groups
    assert code.worst_amplification(MinNorm(), 2).value == 1


@pytest.mark.parametrize(("n", "s"), [(5, 1), (6, 3), (7, 2)])
def test_fractional_repetition_needs_groups(n, s):
    with pytest.raises(ValueError, match="use cyclic_repetition"):
        fractional_repetition(n, s)


@pytest.mark.parametrize("make", [fractional_repetition, plain_cyclic])
def test_extreme_numbers_of_stragglers(make):
    assert np.array_equal(make(4, 0).matrix, EXACT.array(np.eye(4, dtype=int)))
    assert bool(np.all(make(4, 3).matrix == 1))
    assert make(1, 0).n == 1
    for n, s in [(0, 0), (3, 3), (3, -1)]:
        with pytest.raises(ValueError, match="must be"):
            make(n, s)
    with pytest.raises(TypeError, match="integer"):
        make(3.0, 1)


def test_plain_windows():
    windows = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    assert bool(np.all(plain_cyclic(4, 1).matrix == EXACT.array(windows)))


def test_plain_windows_that_tile_have_amplification_one():
    for s in (1, 2, 3, 5):
        code = plain_cyclic(12, s)
        assert code.tolerates(s).holds
        assert code.worst_amplification(MinAmplification(), s).value == 1


@pytest.mark.parametrize("variant", ["gaussian", "orthonormal", "rational", "dyadic"])
@pytest.mark.parametrize(("n", "s"), [(1, 0), (2, 1), (4, 0), (5, 2), (5, 4)])
def test_random_cyclic_codes(variant, n, s):
    code = cyclic_repetition(n, s, np.random.default_rng(5), variant)
    assert code.is_exact is (variant in ("rational", "dyadic"))
    assert (code.n, code.stragglers) == (n, s)
    for i in range(n):
        assert code.matrix[i, i] == 1
        assert all((j - i) % n <= s for j in np.flatnonzero(code.matrix[i]))
    if code.is_exact:
        assert code.tolerates(s).holds
    else:
        assert code.tolerates(s).worst_residual < 1e-9
    if s == n - 1:
        deviation = np.abs(code.approximate().matrix - 1).max()
        assert deviation == 0 if code.is_exact else deviation < 1e-9


def test_a_seed_fixes_the_code():
    assert cyclic_repetition(6, 2, np.random.default_rng(1)) == cyclic_repetition(6, 2, np.random.default_rng(1))
    assert cyclic_repetition(6, 2, np.random.default_rng(1)) != cyclic_repetition(6, 2, np.random.default_rng(2))


def test_rows_are_orthogonal_to_the_parity_matrix():
    H = [[1, 2, -4, 0, 1], [Fraction(1, 3), 0, 1, -1, Fraction(-1, 3)]]
    code = code_from_parity(H)
    assert bool(np.all(code.matrix @ EXACT.array(H).T == 0))
    floating = code_from_parity(np.array(H, dtype=float))
    assert np.allclose(floating.matrix, code.approximate().matrix)


def test_rank_is_n_minus_s():
    code = cyclic_repetition(7, 3, np.random.default_rng(2), "rational")
    assert code.decoding_space.dimension == 3


def test_parity_matrices_that_do_not_fit():
    with pytest.raises(ValueError, match="sum to 0"):
        code_from_parity([[1, 1, 1]])
    with pytest.raises(ValueError, match="sum to 0"):
        code_from_parity(np.array([[0.5, 0.5, -0.9]]))
    with pytest.raises(ValueError, match=r"columns \[1\] are dependent"):
        code_from_parity([[1, 0, -1]])
    with pytest.raises(ValueError, match="dependent"):
        code_from_parity(np.array([[1.0, 0.0, -1.0]]))
    with pytest.raises(ValueError, match="below the number of workers"):
        code_from_parity([[1, -1], [1, -1]])


def test_bad_arguments_of_random_codes():
    rng = np.random.default_rng(0)
    with pytest.raises(TypeError, match="default_rng"):
        cyclic_repetition(4, 1, 0)
    with pytest.raises(ValueError, match="variant"):
        cyclic_repetition(4, 1, rng, "uniform")
    with pytest.raises(ValueError, match="below n"):
        cyclic_repetition(4, 4, rng)


def test_small_integer_parity_matrices_are_often_singular():
    rng = np.random.default_rng(11)
    singular = 0
    for _ in range(300):
        H = rng.choice([-1, 1], size=(2, 6))
        H[:, 5] = -H[:, :5].sum(axis=1)
        blocks = [[(i + 1) % 6, (i + 2) % 6] for i in range(6)]
        singular += any(H[0, a] * H[1, b] == H[0, b] * H[1, a] for a, b in blocks)
        refused = False
        try:
            code_from_parity(H)
        except ValueError:
            refused = True
        assert refused == any(H[0, a] * H[1, b] == H[0, b] * H[1, a] for a, b in blocks)
    assert singular > 270  # about 97 in 100


def test_three_workers_cannot_have_amplification_one():
    for seed in range(5):
        code = cyclic_repetition(3, 1, np.random.default_rng(seed), "rational")
        assert code.worst_amplification(MinNorm(), 1).value > Rational(1)
        assert all(code.decodable(pair) for pair in combinations(range(3), 2))
