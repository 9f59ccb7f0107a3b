"""The second form on survivors of Chebyshev points, against brute force and closed forms."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import FLOAT, PrecisionError, Rational, approximate, ball
from codedtheory.interpolation.second_form import largest_second_form_reciprocal


def test_two_neighbours_by_hand() -> None:
    # nodes 1 and 0, weights 1/2 and -1/2: D(-1) = -1/4 + 1/2
    assert largest_second_form_reciprocal(3, 1).contains(Rational(4))


@pytest.mark.parametrize(("workers", "stragglers"), [(5, 1), (6, 2), (7, 3)])
def test_against_a_grid(workers: int, stragglers: int) -> None:
    z = np.cos(np.pi * np.arange(workers) / (workers - 1))
    x = np.linspace(-1, 1, 4001)[1:-1] + 1e-7
    largest = 0.0
    for survivors in combinations(range(workers), workers - stragglers):
        signs = (-1.0) ** np.arange(len(survivors))
        signs[[0, -1]] /= 2
        denominator = (signs / (x[:, None] - z[list(survivors)])).sum(axis=1)
        largest = max(largest, float(np.abs(1 / denominator).max()))
    enclosed = largest_second_form_reciprocal(workers, stragglers, ball(64), "1e-6")
    assert largest <= approximate(enclosed.upper)
    assert approximate(enclosed) <= largest * 1.02


def test_a_pole_is_reported() -> None:
    with pytest.raises(PrecisionError, match="pole"):
        largest_second_form_reciprocal(11, 8, tolerance="1e-2")


def test_floats_enclose_nothing() -> None:
    with pytest.raises(ValueError, match=r"arithmetic must be ball\(bits\)"):
        largest_second_form_reciprocal(5, 1, FLOAT)
    with pytest.raises(ValueError, match="at least 2 must survive"):
        largest_second_form_reciprocal(5, 4)
