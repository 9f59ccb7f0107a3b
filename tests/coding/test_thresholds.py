"""Recovery thresholds against brute force over placements, and the data that one answer fewer can't tell apart."""

from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, modular
from codedtheory.coding import LagrangeCode
from codedtheory.coding.ambiguous_data import ambiguous_data
from codedtheory.coding.thresholds import exact_threshold, lagrange_threshold, repetition_threshold


def brute_force_repetition(N, K):
    """Smallest m such that any m workers hold every block, when worker i holds block i mod K."""
    for m in range(1, N + 1):
        if all({i % K for i in alive} == set(range(K)) for alive in combinations(range(N), m)):
            return m
    raise AssertionError


@pytest.mark.parametrize("N", range(1, 9))
def test_repetition_against_brute_force(N):
    for K in range(1, N + 1):
        assert repetition_threshold(N, K) == brute_force_repetition(N, K)


def test_lagrange_wins_exactly_when_there_are_enough_workers():
    for K in range(2, 12):
        for d in range(1, 8):
            for N in range(K, 90):
                threshold, scheme = exact_threshold(N, K, d)
                assert (scheme == "lagrange") == (d * K <= N + 1)
                assert threshold == min(d * (K - 1) + 1, N - N // K + 1)


def test_converse_needs_many_workers():
    # K = 2, d = 3, N = 4: one straggler is tolerated although (K-1) d + S + 1 = 5
    assert exact_threshold(4, 2, 3) == (3, "repetition")
    with pytest.raises(ValueError, match="workers must be at least 4 for degree 3 and 0 errors, got 3"):
        LagrangeCode(2, 3, arithmetic=EXACT).recovery_threshold(3)


def product(blocks):
    return np.prod(blocks, axis=1)


@pytest.mark.parametrize(("K", "T", "d"), [(2, 0, 1), (3, 0, 2), (2, 1, 2), (2, 0, 3), (1, 2, 2)])
@pytest.mark.parametrize("arithmetic", [modular(23), EXACT])
def test_one_answer_fewer_leaves_two_data_sets(K, T, d, arithmetic):
    threshold = lagrange_threshold(K, d, T)
    code = LagrangeCode(K, threshold + 1, privacy=T, arithmetic=arithmetic)
    assert code.recovery_threshold(d) == threshold
    for alive in combinations(range(threshold + 1), threshold - 1):
        blocks = ambiguous_data(code, alive, d)
        shares = code.encode(blocks[:K], masks=blocks[K:] if T else None)
        assert (product(shares[list(alive)]) == 0).all()
        assert (product(blocks[:K]) != 0).all()
        # with one more answer the two data sets differ
        more = next(i for i in range(threshold + 1) if i not in alive)
        assert product(shares[[more]])[0] != 0


def test_ambiguous_data_of_fewer_answers_and_of_systematic_workers():
    code = LagrangeCode(3, 6, arithmetic=modular(7))
    assert code.collisions() == [(0, 0), (1, 1), (2, 2)]
    X = ambiguous_data(code, [0, 4], degree=2)
    values = X[:, 0] * X[:, 1]
    assert (values != 0).tolist() == [False, True, True]
    with pytest.raises(ValueError, match="hold every block in the clear"):
        ambiguous_data(code, [0, 1, 2], degree=2)
    with pytest.raises(ValueError, match="survivors must be fewer than 5"):
        ambiguous_data(code, range(5), degree=2)
    with pytest.raises(ValueError, match="code must be over an exact arithmetic, got FLOAT"):
        ambiguous_data(LagrangeCode(2, 4), [0], degree=2)


def test_too_few_workers_for_repetition():
    with pytest.raises(ValueError, match=r"workers must be at least data_blocks \(3\), got 2"):
        repetition_threshold(2, 3)
