"""Singular windows of integer parity matrices, against fractions and against Algorithm 2."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, determinant
from codedtheory.coding import code_from_parity
from codedtheory.coding.parity_windows import has_singular_window, integer_parities


def test_all_matrices_are_listed_once():
    found = {tuple(map(tuple, H.tolist())) for H in integer_parities(3, 2, [0, 1])}
    expected = set()
    for a, b, c, d in product((0, 1), repeat=4):
        expected.add(((a, b, -a - b), (c, d, -c - d)))
    assert found == expected


@pytest.mark.parametrize(("n", "s"), [(4, 1), (5, 2), (5, 3), (6, 4)])
def test_windows_against_exact_determinants_and_algorithm_2(n, s):
    rng = np.random.default_rng(n * s)
    parities = integer_parities(n, s, range(-3, 4), rng, 60)
    for H, singular in zip(parities, has_singular_window(parities), strict=True):
        exact = EXACT.array(H)
        windows = [[(start + k) % n for k in range(s)] for start in range(n)]
        assert singular == any(determinant(exact[:, window]) == 0 for window in windows)
        if singular:
            with pytest.raises(ValueError, match="are dependent"):
                code_from_parity(exact)
        else:
            assert np.all(code_from_parity(exact).matrix @ exact.T == 0)


def test_bad_input():
    with pytest.raises(ValueError, match="1 to 1000000, got"):
        integer_parities(9, 3, [0, 1, 2])
    with pytest.raises(ValueError, match="s must be at most 2"):
        integer_parities(3, 3, [0, 1])
    with pytest.raises(ValueError, match="may overflow"):
        has_singular_window(np.full((1, 4, 5), 10**5))
