"""What pooled workers see: every share vector equally often, whatever the data, counted exhaustively."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from codedtheory.arithmetic import determinant, modular
from codedtheory.coding import LagrangeCode


def share_counts(code, p, data, workers):
    counts = Counter()
    for masks in product(range(p), repeat=code.privacy):
        shares = code.encode(np.array(data), masks=np.array(masks))
        counts[tuple(int(shares[i]) for i in workers)] += 1
    return counts


@pytest.mark.parametrize(
    ("K", "N", "T", "p"),
    # in the second and fourth the field is so small that masks share the points of workers
    [(2, 3, 1, 7), (2, 3, 1, 5), (1, 3, 2, 7), (1, 4, 2, 5)],
)
def test_shares_of_few_workers_are_uniform_for_all_data(K, N, T, p):
    code = LagrangeCode(K, N, privacy=T, arithmetic=modular(p))
    for workers in combinations(range(N), T):
        for data in product(range(p), repeat=K):
            counts = share_counts(code, p, data, workers)
            assert len(counts) == p**T
            assert set(counts.values()) == {1}


def test_one_worker_more_learns_something():
    code = LagrangeCode(1, 3, privacy=1, arithmetic=modular(5))
    seen = [set(share_counts(code, 5, [x], (0, 1))) for x in range(5)]
    assert all(len(a & b) == 0 for a, b in combinations(seen, 2))


def test_the_masks_of_any_few_workers_are_invertible_off_the_data_points_only():
    p = 7
    field = modular(p)
    for data_points in combinations(range(p), 4):
        others = [a for a in range(p) if a not in data_points[:2]]
        code = LagrangeCode(
            2, len(others), privacy=2, data_points=list(data_points), worker_points=others, arithmetic=field
        )
        columns = code.encoding_matrix()[:, 2:]
        for pair in combinations(range(len(others)), 2):
            assert determinant(columns[list(pair)]) != 0


def test_masks_come_from_the_generator_alone():
    code = LagrangeCode(2, 4, privacy=2, arithmetic=modular(2**61 - 1))
    X = np.array([1, 2])
    first, again = (code.encode(X, rng=np.random.default_rng(5)) for _ in range(2))
    assert (first == again).all()
    assert (first != code.encode(X, rng=np.random.default_rng(6))).all()
