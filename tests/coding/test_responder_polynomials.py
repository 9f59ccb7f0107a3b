"""Polynomials that vanish at the responders, against ranks over all sets of responders of a small field."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, modular, rank
from codedtheory.arithmetic.rational_polynomials import count_real_roots
from codedtheory.coding import aggregation_weights
from codedtheory.coding.responder_polynomials import real_responder_polynomial, responder_polynomials


def from_zeros(zeros, field):
    coefficients = [field.number(1)]
    for zero in zeros:
        shifted = [field.number(0), *coefficients]
        coefficients = [
            above - zero * below for above, below in zip(shifted, [*coefficients, field.number(0)], strict=True)
        ]
    return field.array(coefficients)


@pytest.mark.parametrize(("data_points", "degree"), [([0, 1], 1), ([0, 1, 3], 1), ([0, 2], 2), ([0, 1, 3], 2)])
@pytest.mark.parametrize("b", [(1, 1, 1), (2, 5, 3)])
def test_responders_suffice_iff_their_polynomial_is_in_the_space(data_points, degree, b):
    field = modular(11)
    weights = b[: len(data_points)]
    others = [a for a in range(11) if a not in data_points]
    for m in range(1, min(4, degree * (len(data_points) - 1)) + 1):
        space = responder_polynomials(data_points, degree, m, weights, field)
        for responders in combinations(others, m):
            polynomial = from_zeros(responders, field)[:, None]
            inside = space.shape[1] > 0 and rank(np.concatenate([space, polynomial], axis=1)) == space.shape[1]
            assert inside == (aggregation_weights(responders, data_points, degree, weights, field) is not None)


def test_gauss_points_of_the_mean():
    # the mean of cubics on -3, -1, 1, 3 is that of their values at the two square roots of 5
    assert responder_polynomials([-3, -1, 1, 3], 1, 2).ravel().tolist() == [-5, 0, 1]
    assert real_responder_polynomial([-3, -1, 1, 3], 1).tolist() == [-5, 0, 1]
    assert responder_polynomials([-3, -1, 1, 3], 1, 2, ["-1/2", 1, 1, "-1/2"]).ravel().tolist() == [7, 0, 1]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_real_responders_annihilate_the_sum(degree):
    data_points, b = [0, 1, 3, 4], (2, 1, 1, 5)
    polynomial = real_responder_polynomial(data_points, degree, b)
    m = len(polynomial) - 1
    assert count_real_roots(list(polynomial)) == m
    for k in range(degree * 3 - m + 1):
        values = [sum(c * x**i for i, c in enumerate(polynomial)) * x**k for x in data_points]
        assert EXACT.array(b) @ EXACT.array(values) == 0


def test_mixed_signs():
    assert len(real_responder_polynomial([-3, -1, 1, 3], 2, [-1, 2, 2, -1])) == 5
    with pytest.raises(ValueError, match="no 2 real responders were found"):
        real_responder_polynomial([-3, -1, 1, 3], 1, [-1, 2, 2, -1])


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"count must be at most d\(K-1\) = 2, got 3"):
        responder_polynomials([0, 1], 2, 3)
    with pytest.raises(ValueError, match="b must have no zero"):
        real_responder_polynomial([0, 1], 2, [0, 1])
