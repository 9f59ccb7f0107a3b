"""What arbitrary linear encodings determine, against Lagrange codes, repetition and values at random data."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, modular, rank
from codedtheory.coding import LagrangeCode, lagrange_threshold, repetition_threshold
from codedtheory.coding.linear_encodings import determines, linear_encoding_threshold


@pytest.mark.parametrize(("K", "degree", "workers"), [(2, 1, 4), (2, 2, 4), (2, 3, 5), (3, 1, 5), (3, 2, 6)])
def test_lagrange_codes_have_their_threshold(K: int, degree: int, workers: int) -> None:
    code = LagrangeCode(K, workers, arithmetic=modular(13))
    rows = [[entry.value for entry in row] for row in code.encoding_matrix()]
    assert linear_encoding_threshold(rows, degree, modular(13)) == lagrange_threshold(K, degree)


@pytest.mark.parametrize(("K", "workers"), [(1, 3), (2, 4), (2, 5), (3, 4), (3, 7)])
def test_repetition_has_its_threshold_for_every_degree(K: int, workers: int) -> None:
    rows = np.eye(K, dtype=int)[np.arange(workers) % K].tolist()
    for degree in (1, 2, 4):
        assert linear_encoding_threshold(rows, degree) == repetition_threshold(workers, K)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_spans_agree_with_values_at_random_data(degree: int) -> None:
    # a sum that is no combination of the answers as a form is none on enough data sets either
    p = 101
    rng = np.random.default_rng(7)
    X = rng.integers(0, p, size=(2, degree, 40))
    rows = [(1, 0), (0, 1), (1, 1), (1, 2), (3, 1)]
    for size in range(1, 5):
        for chosen in combinations(rows, size):
            for b in ((1, 0), (1, 1), (2, 5)):
                answers = [[int(v) % p for v in np.prod(r[0] * X[0] + r[1] * X[1], axis=0)] for r in chosen]
                wanted = [int(b[0] * x + b[1] * y) % p for x, y in zip(np.prod(X[0], 0), np.prod(X[1], 0), strict=True)]
                field = modular(p)
                by_values = rank(field.array(answers)) == rank(field.array([*answers, wanted]))
                assert determines(chosen, b, degree, field) == by_values


def test_too_few_workers_have_no_threshold() -> None:
    assert linear_encoding_threshold([[1, 0], [1, 1]], degree=2) is None
    assert linear_encoding_threshold([[1, 0], [1, 1]], degree=1) == 2
    assert determines([], [0, 0], 1, EXACT)
    assert not determines([], [1, 0], 1, EXACT)
