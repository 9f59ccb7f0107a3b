"""Rounded messages, against the error of single survivor sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.coding import (
    GradientCode,
    MinNorm,
    cyclic_mds,
    cyclic_repetition,
    fractional_repetition,
    message_error,
    plain_cyclic,
    worst_message_error,
)


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_worst_is_the_largest_over_all_survivor_sets(kind):
    code = cyclic_repetition(6, 2, np.random.default_rng(4))
    single = [
        message_error(code, MinNorm(), survivors, kind, np.random.default_rng(5), 16)
        for survivors in combinations(range(6), 4)
    ]
    found = worst_message_error(code, 2, kind, np.random.default_rng(5), 16)
    assert found == pytest.approx(max(single), rel=1e-4)


def test_overflow_is_infinite_and_exact_codes_are_rounded():
    code = cyclic_repetition(6, 2, np.random.default_rng(4))
    huge = type(code)(code.matrix * 1e6)
    assert worst_message_error(huge, 2, np.float16, np.random.default_rng(5)) == float("inf")
    assert worst_message_error(plain_cyclic(6, 1), 1, np.float64, np.random.default_rng(5)) < 1e-12


def test_bad_input():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="floating type"):
        worst_message_error(plain_cyclic(4, 1), 1, np.int32, rng)
    with pytest.raises(ValueError, match="code must be real"):
        worst_message_error(cyclic_mds(5, 1), 1, np.float16, rng)
    with pytest.raises(ValueError, match=r"floating type such as numpy\.float16, got 'binary16'"):
        worst_message_error(plain_cyclic(4, 1), 1, "binary16", rng)
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, got 0"):
        message_error(plain_cyclic(4, 1), MinNorm(), [0, 2], np.float16, 0)


@pytest.mark.parametrize(("s", "single", "half"), [(1, 3.8e-7, 3.2e-3), (2, 8.7e-6, 0.076), (3, 8e-5, 0.72)])
def test_low_precision_messages_of_random_cyclic_codes(s, single, half):
    errors = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        code = cyclic_repetition(12, s, rng)
        sets = [[w for w in range(12) if w not in lost] for lost in combinations(range(12), s)]
        errors.append(
            [max(message_error(code, MinNorm(), r, kind, rng, 64) for r in sets) for kind in (np.float32, np.float16)]
        )
    medians = np.median(errors, axis=0)
    # the reference medians are of ten other seeds of a heavy-tailed distribution
    assert single / 5 < medians[0] < 5 * single
    assert half / 5 < medians[1] < 5 * half


def test_message_errors():
    code = fractional_repetition(4, 1)
    rng = np.random.default_rng(0)
    assert message_error(code, MinNorm(), [0, 2], np.float64, rng) < 1e-15
    assert message_error(cyclic_mds(5, 1), MinNorm(), range(4), np.float32, rng) < 1e-5
    large = GradientCode(np.array([[1e6]]))
    assert message_error(large, MinNorm(), [0], np.float16, rng) == float("inf")
    with pytest.raises(ValueError, match="floating type"):
        message_error(code, MinNorm(), [0, 2], np.int8, rng)
    with pytest.raises(ValueError, match="dimension must be at least 1"):
        message_error(code, MinNorm(), [0, 2], np.float32, rng, dimension=0)
