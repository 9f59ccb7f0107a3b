"""Rounded messages, against the error of single survivor sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.coding import MinNorm, cyclic_mds, cyclic_repetition, message_error, plain_cyclic
from codedtheory.coding.message_precision import worst_message_error


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
