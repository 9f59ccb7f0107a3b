"""Codes with short messages: every survivor set decodes, and the entries follow from polynomial division."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from codedtheory.coding import polynomial_cyclic
from codedtheory.coding.reduced_communication import (
    reduced_communication_code,
    reduced_communication_target,
    reduced_communication_weights,
)

NODES = (Fraction(-1, 2), 3, 1, Fraction(5, 3), 0)


@pytest.mark.parametrize(("s", "m"), [(s, m) for s in range(5) for m in range(1, 6 - s)])
def test_every_survivor_set_gives_all_parts_of_the_sum(s, m):
    n = len(NODES)
    code = reduced_communication_code(NODES, s, m)
    held = (code.reshape(n, n, m) != 0).any(axis=2)
    assert all((j - i) % n < s + m for i, j in np.argwhere(held))
    for survivors in combinations(range(n), n - s):
        decoded = reduced_communication_weights(NODES, s, m, survivors) @ code[list(survivors)]
        assert np.all(decoded == reduced_communication_target(n, m))


def test_entries_against_polynomial_division():
    n, s, m = 5, 1, 2
    code = reduced_communication_code(NODES, s, m)
    for j in range(n):
        roots = [float(NODES[(j + k) % n]) for k in range(1, n - s - m + 1)]
        for u in range(m):
            power = np.zeros(n - s - u)
            power[0] = 1.0
            quotient, _ = np.polydiv(power, np.poly(roots))
            for i in range(n):
                expected = np.polyval(np.polymul(quotient, np.poly(roots)), float(NODES[i]))
                assert float(code[i, j * m + u].fraction) == pytest.approx(expected, abs=1e-12)


def test_one_part_is_the_polynomial_code():
    assert np.all(reduced_communication_code(NODES, 2, 1) == polynomial_cyclic(NODES, 2).matrix)


def test_bad_input():
    with pytest.raises(ValueError, match="s \\+ parts must be at most"):
        reduced_communication_code([0, 1, 2], 2, 2)
    with pytest.raises(ValueError, match="survivors must be n-s = 2, got 3"):
        reduced_communication_weights([0, 1, 2], 1, 1, [0, 1, 2])
    with pytest.raises(ValueError, match="distinct"):
        reduced_communication_code([0, 0, 2], 0, 1)
