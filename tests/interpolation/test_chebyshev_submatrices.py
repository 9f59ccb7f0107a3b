import math
from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Rational, approximate, ball, complex_ball, condition_number
from codedtheory.interpolation.chebyshev_submatrices import (
    _condition_bounds,
    worst_chebyshev_submatrix_condition,
)
from codedtheory.interpolation.node_families import chebyshev_first
from codedtheory.interpolation.vandermonde import chebyshev_vandermonde


@pytest.mark.parametrize(("m", "s"), [(4, 1), (6, 2), (7, 3), (5, 4), (5, 0)])
@pytest.mark.parametrize("p", ["fro", 1, "inf"])
def test_certified_worst_is_the_largest_of_all(m, s, p):
    entries = chebyshev_vandermonde(chebyshev_first(m), m - s - 1, arithmetic=ball(100))
    every = {lost: condition_number(np.delete(entries, lost, axis=0), p) for lost in combinations(range(m), s)}
    worst = worst_chebyshev_submatrix_condition(m, s, p, arithmetic=ball(100))
    assert worst.value.overlaps(every[worst.stragglers])
    assert all((value <= worst.value) is not False for value in every.values())
    assert worst.value.rad < worst.value.mid * Rational("1e-20")
    floats = worst_chebyshev_submatrix_condition(m, s, p)
    assert floats.value == pytest.approx(approximate(worst.value), rel=1e-10)
    assert floats.stragglers == worst.stragglers
    assert sorted(worst.survivors + worst.stragglers) == list(range(m))


def test_spectral_condition_in_floats():
    worst = worst_chebyshev_submatrix_condition(7, 2, 2)
    kept = chebyshev_vandermonde(chebyshev_first(7), 4)[list(worst.survivors)]
    assert worst.value == pytest.approx(np.linalg.cond(kept, 2), rel=1e-12)
    assert worst.value <= worst_chebyshev_submatrix_condition(7, 2, "fro").value


def test_all_points_with_orthogonal_columns_are_perfectly_conditioned():
    assert worst_chebyshev_submatrix_condition(9, 0, 2, normalised=True).value == pytest.approx(1, rel=1e-13)
    assert worst_chebyshev_submatrix_condition(9, 0, normalised=True, arithmetic=ball(80)).value.contains(9)


@pytest.mark.parametrize(("s", "slope"), [(1, 2.01), (2, 4.06), (3, 6.24)])
def test_measured_growth_of_the_frobenius_condition(s, slope):
    sizes = {1: (40, 56), 2: (32, 44), 3: (20, 26)}[s]
    low, high = (worst_chebyshev_submatrix_condition(m, s).value for m in sizes)
    assert math.log(high / low) / math.log(sizes[1] / sizes[0]) == pytest.approx(slope, abs=0.1)


def test_the_worst_loss_is_that_of_points_at_one_end():
    for m, s in ((6, 1), (8, 2), (9, 3)):
        assert worst_chebyshev_submatrix_condition(m, s).stragglers == tuple(range(s))


def test_bounds_hold_for_every_matrix_in_the_box():
    rng = np.random.default_rng(3)
    centre = rng.normal(size=(40, 4, 4))
    radius = 1e-9 * rng.uniform(size=centre.shape)
    inside = centre + radius * rng.uniform(-1, 1, centre.shape)
    for p in ("fro", 1, "inf"):
        lower, upper = _condition_bounds(centre - radius, centre + radius, p)
        order = "fro" if p == "fro" else (np.inf if p == "inf" else 1)
        conditions = np.array([np.linalg.cond(a, order) for a in inside])
        good = conditions < 1e4
        assert good.sum() > 30
        assert np.all(lower[good] <= conditions[good] * (1 + 1e-11))
        assert np.all(upper[good] >= conditions[good] * (1 - 1e-11))
        assert np.all(upper[good] <= lower[good] * (1 + 1e-3))


def test_bad_input():
    with pytest.raises(ValueError, match="p must be"):
        worst_chebyshev_submatrix_condition(5, 1, 3)
    with pytest.raises(ValueError, match="FLOAT for p = 2"):
        worst_chebyshev_submatrix_condition(5, 1, 2, arithmetic=ball(64))
    for arithmetic in (EXACT, complex_ball(64)):
        with pytest.raises(ValueError, match="FLOAT or ball"):
            worst_chebyshev_submatrix_condition(5, 1, arithmetic=arithmetic)
    with pytest.raises(ValueError, match="must survive"):
        worst_chebyshev_submatrix_condition(5, 5)
