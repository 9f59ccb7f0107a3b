"""Sums from few answers: least numbers found by searching all worker points of small fields."""

from itertools import combinations, product

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, FLOAT, Rational, cyclotomic, modular, rank
from codedtheory.coding import LagrangeCode
from codedtheory.coding.aggregation import aggregation_weights, minimum_responses
from codedtheory.interpolation import chebyshev_first


def rank_says(responders, data_points, degree, b, field):
    """Whether the functional depends on the evaluations, by two ranks."""
    powers = range(degree * (len(data_points) - 1) + 1)
    rows = [[field.number(a) ** k for k in powers] for a in responders]
    row = [sum(field.number(w) * field.number(x) ** k for w, x in zip(b, data_points, strict=True)) for k in powers]
    return rank(field.array([*rows, row])) == rank(field.array(rows))


@pytest.mark.parametrize(
    ("K", "degree", "p", "b"),
    [
        (2, 1, 7, (1, 2)),
        (3, 1, 11, (1, 3, 2)),
        (4, 1, 13, (1, 2, 4, 3)),
        (2, 2, 11, (1, 3)),
        (3, 2, 17, (1, 3, 2)),
        (2, 3, 13, (2, 5)),
    ],
)
def test_least_number_of_answers_by_search(K, degree, p, b):
    field = modular(p)
    least = minimum_responses(K, degree)
    data_points = list(range(K))
    others = range(K, p)

    def found(m):
        return any(
            aggregation_weights(list(points), data_points, degree, b, field) is not None
            for points in combinations(others, m)
        )

    assert found(least)
    if least > 1:
        assert not found(least - 1)


@pytest.mark.parametrize(("p", "square"), [(11, True), (13, False), (17, False), (23, True), (29, True), (31, False)])
def test_weights_of_mixed_signs_need_a_root(p, square):
    # two answers for four blocks are at the zeros of x^2 + 7, which is irreducible over the reals as well
    assert square == any(x * x % p == -7 % p for x in range(p))
    field, data_points = modular(p), field_points(p)
    b = ["-1/2", 1, 1, "-1/2"]
    others = [a for a in range(p) if a not in data_points]
    found = [
        points
        for points in combinations(others, minimum_responses(4, 1))
        if aggregation_weights(list(points), data_points, 1, b, field) is not None
    ]
    assert len(found) == square


def field_points(p):
    return [x % p for x in (-3, -1, 1, 3)]


@pytest.mark.parametrize("degree", [1, 2])
def test_weights_exist_iff_the_rank_stays(degree):
    field = modular(7)
    for m in (1, 2, 3):
        for points in combinations(range(2, 7), m):
            for b in product((1, 3), repeat=2):
                weights = aggregation_weights(list(points), [0, 1], degree, b, field)
                assert (weights is not None) == rank_says(points, [0, 1], degree, b, field)


def test_weights_give_the_sum():
    # K = 3, d = 2: four answers instead of five, at points with A(beta_j) w_j prod(beta_j - beta_k) constant
    field = modular(17)
    data_points, b = [0, 1, 2], (1, 3, 2)
    points = next(
        c for c in combinations(range(3, 17), 3) if aggregation_weights(list(c), data_points, 2, b, field) is not None
    )
    weights = aggregation_weights(list(points), data_points, 2, b, field)
    code = LagrangeCode(3, 3, data_points=data_points, worker_points=list(points), arithmetic=field)
    X = np.random.default_rng(3).integers(0, 17, size=(3, 2))
    shares = code.encode(X)
    answers = (shares[:, 0] * shares[:, 1] + 4 * shares[:, 0]) % 17
    true = (X[:, 0] * X[:, 1] + 4 * X[:, 0]) @ np.array(b) % 17
    assert weights @ field.array(answers) == true


def test_enough_answers_for_all_values_are_enough():
    weights = aggregation_weights([-3, -2, 2, 3, 4, 5], [-1, 0, 1], 2, ["1/2", 1, "-1/3"], EXACT)
    assert weights[5] == 0
    for k in range(5):
        target = Rational(1, 2) * Rational(-1) ** k + (1 if k == 0 else 0) - Rational(1, 3)
        assert sum(w * Rational(a) ** k for w, a in zip(weights, (-3, -2, 2, 3, 4, 5), strict=True)) == target


def test_the_mean_over_chebyshev_points_is_a_gauss_rule():
    # the mean over 2m Chebyshev points is that over m, up to degree 2m - 1
    weights = aggregation_weights(chebyshev_first(2), chebyshev_first(4), 1, arithmetic=cyclotomic(16))
    assert weights.tolist() == [Rational(1, 2), Rational(1, 2)]
    assert minimum_responses(4, 1) == 2


def test_ranks_need_exact_arithmetic():
    with pytest.raises(ValueError, match="arithmetic must be exact, got FLOAT"):
        aggregation_weights([0.0], [-1.0, 1.0], 1, arithmetic=FLOAT)
