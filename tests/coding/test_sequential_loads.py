"""Loads of sequential gradient coding: chunk sizes, limits and the released formulas."""

from fractions import Fraction
from itertools import pairwise
from math import ceil

import pytest

from codedtheory.coding.sequential_loads import gradient_coding_load, multiplexed_load, selective_repetition_load

MODELS = [
    (n, burst, window, limit)
    for n in range(1, 7)
    for window in range(2, 6)
    for burst in range(1, window)
    for limit in range(n + 1)
]


@pytest.mark.parametrize("n", range(1, 7))
def test_multiplexed_formula_and_chunks(n):
    for _, B, W, lam in (model for model in MODELS if model[0] == n):
        found = multiplexed_load(n, B, W, lam)
        if lam < n:
            expected = Fraction((lam + 1) * (W - 1 + B), n * (B + (W - 1) * (lam + 1)))
        else:
            expected = Fraction(W - 1 + B, n * (W - 1))
        assert found.load == expected
        assert found.delay == W - 2 + B
        assert found.uncoded_chunks * found.uncoded_size + found.coded_chunks * found.coded_size == 1
        # one mini-task a round: W - 1 + B of them are under way at a time, each as large as an uncoded chunk
        assert found.load == (W - 1 + B) * found.uncoded_size


def test_the_second_formula_is_the_limit_of_the_first():
    n, B, W = 5, 2, 4
    limit = multiplexed_load(n, B, W, n).load
    first = [Fraction((lam + 1) * (W - 1 + B), n * (B + (W - 1) * (lam + 1))) for lam in (10**k for k in range(1, 9))]
    gaps = [limit - value for value in first]
    assert all(0 < later < earlier for earlier, later in pairwise(gaps))
    assert gaps[-1] < Fraction(1, 10**8)


def test_selective_repetition():
    for n, B, W, lam in MODELS:
        if (W - 1) % B:
            with pytest.raises(ValueError, match="divide"):
                selective_repetition_load(n, B, W, lam)
            continue
        s = ceil(Fraction(B * lam, W - 1 + B))
        if s >= n:
            with pytest.raises(ValueError, match="needs a code"):
                selective_repetition_load(n, B, W, lam)
            continue
        found = selective_repetition_load(n, B, W, lam)
        assert (found.load, found.delay, found.stragglers) == (Fraction(s + 1, n), B, s)


def test_spreading_over_rounds_never_costs_more_than_plain_coding():
    for n, B, W, lam in MODELS:
        if lam < n:
            assert multiplexed_load(n, B, W, lam).load <= gradient_coding_load(n, lam).load


def test_bad_models():
    with pytest.raises(ValueError, match="exceed the data"):
        gradient_coding_load(4, 4)
    with pytest.raises(ValueError, match="no round would be safe"):
        multiplexed_load(4, 3, 3, 1)
    with pytest.raises(ValueError, match="limit must be at most 4"):
        multiplexed_load(4, 1, 3, 5)
    with pytest.raises(ValueError, match="window must be at least 2"):
        multiplexed_load(4, 1, 1, 1)
