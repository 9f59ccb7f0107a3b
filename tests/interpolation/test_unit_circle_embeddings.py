from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import FLOAT, Rational, approximate, ball, cyclotomic, rank
from codedtheory.interpolation.unit_circle_embeddings import permutation_vandermonde, rotation_vandermonde


def complex_vandermonde(n, survivors, frequency=1):
    return np.exp(2j * np.pi * frequency * np.outer(survivors, np.arange(len(survivors))) / n)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_rotation_embedding_has_the_singular_values_of_the_complex_matrix(n):
    for k in range(1, n + 1):
        for survivors in combinations(range(n), k):
            real = np.linalg.svd(rotation_vandermonde(n, survivors), compute_uv=False)
            complex_ = np.linalg.svd(complex_vandermonde(n, survivors), compute_uv=False)
            assert real == pytest.approx(np.repeat(complex_, 2), abs=1e-12)


@pytest.mark.parametrize(("n", "survivors"), [(3, (0, 2)), (5, (0, 1, 4))])
def test_circulant_embedding_splits_into_frequencies(n, survivors):
    whole = approximate(permutation_vandermonde(n, survivors))
    parts = [np.linalg.svd(complex_vandermonde(n, survivors, f), compute_uv=False) for f in range(n)]
    assert np.linalg.svd(whole, compute_uv=False) == pytest.approx(np.sort(np.concatenate(parts))[::-1], abs=1e-12)


def test_rotations_in_each_arithmetic():
    exact = rotation_vandermonde(6, (1, 2), cyclotomic(24))
    balls = rotation_vandermonde(6, (1, 2), ball(80))
    floats = rotation_vandermonde(6, (1, 2), FLOAT)
    assert exact[0, 2] == Rational("1/2")
    assert exact[2, 2] == Rational("-1/2")
    assert all(b.contains(e) for b, e in zip(balls.ravel(), exact.ravel(), strict=True))
    assert floats[0, 3] == pytest.approx(-np.sqrt(3) / 2, rel=1e-15)


def test_a_composite_order_loses_more_than_one_frequency():
    assert rank(permutation_vandermonde(3, (0, 2))) == 2 * 2 + 1
    assert rank(permutation_vandermonde(4, (0, 2))) == 2 * 3


@pytest.mark.parametrize("function", [rotation_vandermonde, permutation_vandermonde])
def test_bad_workers(function):
    with pytest.raises(TypeError, match=r"workers must be an integer, got 3\.0"):
        function(3.0, [0])
    with pytest.raises(ValueError, match="workers must be at least 1, got 0"):
        function(0, [0])
    for survivors in ([], [0, 0], [3], [-1]):
        with pytest.raises(ValueError, match="survivors must be different numbers from 0 to 2"):
            function(3, survivors)
