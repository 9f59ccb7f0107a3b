"""Amplification of single survivor sets and of the worst one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import Ball, Rational
from codedtheory.coding import (
    GradientCode,
    MinAmplification,
    MinNorm,
    cyclic_mds,
    cyclic_repetition,
    plain_cyclic,
    polynomial_cyclic,
)


def brute_force(code, s):
    matrix = code.approximate().matrix
    worst = 0.0
    for survivors in combinations(range(code.n), code.n - s):
        rows = matrix[list(survivors)]
        weights = np.linalg.lstsq(rows.T, np.ones(code.partitions), rcond=None)[0]
        worst = max(worst, float(np.abs(weights[:, None] * rows).sum(axis=0).max()))
    return worst


@pytest.mark.parametrize(
    ("n", "s", "worst"),
    [(6, 1, 9), (6, 2, 25), (8, 3, 129), (12, 1, 21), (12, 2, 181), (12, 3, 833), (12, 8, 833), (12, 11, 1)],
)
def test_integer_nodes(n, s, worst):
    assert polynomial_cyclic(range(n), s).worst_amplification(MinNorm(), s).value == worst


@pytest.mark.parametrize(("n", "s", "worst"), [(6, 1, 13.9), (6, 2, 41.8), (8, 3, 330), (12, 1, 57.7)])
def test_chebyshev_nodes(n, s, worst):
    nodes = np.cos((2 * np.arange(n) + 1) * np.pi / (2 * n))
    assert polynomial_cyclic(nodes, s).worst_amplification(MinNorm(), s).value == pytest.approx(worst, rel=5e-3)


@pytest.mark.parametrize("code", [cyclic_mds(6, 2), cyclic_mds(6, 3), cyclic_mds(7, 2), plain_cyclic(8, 3)])
def test_orbits_lose_nothing(code):
    s = code.stragglers
    found = code.worst_amplification(MinNorm(), s)
    assert found.examined < found.sets
    value = found.value.mid if isinstance(found.value, Ball) else found.value
    assert float(Ball(value, 60).mid.fraction) == pytest.approx(brute_force(code, s), rel=1e-9)
    again = GradientCode(code.matrix, symmetry=()).worst_amplification(MinNorm(), s)
    assert again.examined == again.sets == found.sets
    assert again.value.overlaps(found.value) if isinstance(found.value, Ball) else again.value == found.value


def test_the_extremal_set_attains_the_value():
    code = cyclic_repetition(7, 2, np.random.default_rng(0), "rational")
    found = code.worst_amplification(MinNorm(), 2)
    survivors = [w for w in range(7) if w not in found.stragglers]
    assert code.amplification(MinNorm(), survivors) == found.value
    values = [code.amplification(MinNorm(), set(range(7)) - set(lost)) for lost in combinations(range(7), 2)]
    assert max(values) == found.value


def test_scaling_rows_changes_nothing():
    code = cyclic_repetition(6, 2, np.random.default_rng(0), "rational")
    scaled = GradientCode(code.matrix * np.array([Rational(k + 1, 3) for k in range(6)])[:, None])
    assert scaled.worst_amplification(MinNorm(), 2).value == code.worst_amplification(MinNorm(), 2).value


def test_exact_decoding_amplifies_at_least_by_one():
    assert plain_cyclic(12, 3).worst_amplification(MinNorm(), 3).value >= 1
    assert plain_cyclic(12, 3).worst_amplification(MinAmplification(), 3).value == 1


def test_random_codes_amplify_by_a_lot():
    worst = [
        cyclic_repetition(6, 1, np.random.default_rng(seed)).worst_amplification(MinNorm(), 1).value
        for seed in range(20)
    ]
    # heavy tails: the median of 20 seeds is 23.2 in one run, the maximum 2.2e3
    assert 5 < np.median(worst) < 100


def test_balls_narrow_with_the_precision():
    code = cyclic_mds(5, 1)
    coarse = code.worst_amplification(MinNorm(), 1, bits=64).value
    fine = code.worst_amplification(MinNorm(), 1, bits=256).value
    assert fine.rad * 2**100 < coarse.rad
    assert coarse.overlaps(fine)


def test_decoders_without_claim_of_symmetry_see_every_set():
    class Plain:
        name = "plain"

        def weights(self, code, survivors):
            return MinNorm().weights(code, survivors)

    assert plain_cyclic(8, 3).worst_amplification(Plain(), 2).examined == 28


def test_what_is_refused():
    with pytest.raises(ValueError, match="do not decode"):
        plain_cyclic(5, 1).worst_amplification(MinNorm(), 1)
    with pytest.raises(ValueError, match="more than limit=10"):
        plain_cyclic(8, 3).worst_amplification(MinNorm(), 3, limit=10)
