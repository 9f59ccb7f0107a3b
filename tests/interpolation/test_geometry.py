from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Ball, Rational, approximate, ball, cyclotomic
from codedtheory.interpolation.geometry import (
    adjacent_ratio,
    gap_lengths,
    max_gap,
    mesh_ratio,
    min_gap,
    quasi_uniformity,
    well_spaced_constants,
)
from codedtheory.interpolation.node_families import chebyshev_second, equispaced, roots_of_unity

MEASURES = (max_gap, min_gap, quasi_uniformity, mesh_ratio, adjacent_ratio)
node_lists = st.lists(st.integers(-200, 200), min_size=2, max_size=9, unique=True).map(sorted)


def brute_spacing(x):
    """Return the smallest C by the definition, in fractions."""
    x = [Fraction(v) for v in x]
    n = len(x) - 1
    best = Fraction(0)
    for k in range(n):
        for j in range(n + 1):
            if j <= k:
                best = max(best, (k + 1 - j) * (x[k + 1] - x[k]) / (x[k + 1] - x[j]))
            else:
                best = max(best, (j - k) * (x[k + 1] - x[k]) / (x[j] - x[k]))
    return best


def brute_ratios(x):
    gaps = [Fraction(b - a) for a, b in pairwise(x)]
    n = len(gaps)
    R = max((max(gaps[k] / gaps[k - 1], gaps[k - 1] / gaps[k]) for k in range(1, n)), default=Fraction(1))
    beta = max((min(gaps[i] / gaps[i - 1], gaps[i] / gaps[i + 1]) for i in range(1, n - 1)), default=Fraction(0))
    return R, beta


@given(node_lists)
def test_constants_by_their_definition(x):
    R, beta = brute_ratios(x)
    assert adjacent_ratio(x, EXACT) == R
    assert mesh_ratio(x, EXACT) == beta
    assert well_spaced_constants(x, EXACT) == (R, brute_spacing(x))
    assert beta <= R


@given(node_lists)
def test_floats_balls_and_exact_numbers_agree(x):
    for measure in (*MEASURES, lambda n, a: well_spaced_constants(n, a).C):
        exact = measure(x, EXACT)
        assert measure(x, FLOAT) == pytest.approx(approximate(exact), rel=1e-15)
        enclosure = measure(x, ball(64))
        assert isinstance(enclosure, Ball)
        assert enclosure.contains(exact)
        assert enclosure.rad <= Rational(1, 2**50) * (1 + exact)


@given(node_lists, st.integers(-50, 50), st.integers(1, 9))
def test_ratios_ignore_shift_scale_and_direction(x, shift, scale):
    moved = [v * scale + shift for v in x]
    for measure in (quasi_uniformity, mesh_ratio, adjacent_ratio, well_spaced_constants):
        assert measure(moved, EXACT) == measure(x, EXACT)
        assert measure(x[::-1], EXACT) == measure(x, EXACT)
        assert measure([-v for v in x], EXACT) == measure(x, EXACT)
    for measure in (max_gap, min_gap):
        assert measure(moved, EXACT) == scale * measure(x, EXACT)


def test_equispaced_nodes_have_constants_1():
    nodes = equispaced(11)
    assert well_spaced_constants(nodes, EXACT) == (1, 1)
    assert quasi_uniformity(nodes, EXACT) == mesh_ratio(nodes, EXACT) == 1
    assert max_gap(nodes, EXACT) == Fraction(1, 5)


def test_chebyshev_nodes_are_the_cosines_and_not_their_doubles():
    nodes = chebyshev_second(6)
    golden = cyclotomic(10).cos_pi("1/5") * 2
    assert adjacent_ratio(nodes, cyclotomic(10)) == golden * golden
    assert max_gap(nodes, cyclotomic(10)) == 1 / golden
    assert mesh_ratio(nodes, cyclotomic(10)) == 2 / golden


def test_small_sets():
    assert mesh_ratio([0, 1, 5]) == 0
    assert mesh_ratio([0, 1, 5], EXACT) == 0
    assert adjacent_ratio([0, 1]) == 1
    assert well_spaced_constants([4.0]) == (1, 1)
    assert gap_lengths([1.0, 0.5]).tolist() == [0.5]


def test_float_gaps_do_not_cancel_at_chebyshev_points():
    nodes = chebyshev_second(1001)
    naive = np.abs(np.diff(np.asarray(nodes)))[0]
    exact = approximate(2 * ball(128).sin_pi(Fraction(1, 2000)) ** 2)
    assert gap_lengths(nodes)[0] == pytest.approx(exact, rel=1e-15)
    assert abs(naive - exact) > 1e-13 * exact


@pytest.mark.parametrize("measure", [max_gap, min_gap, quasi_uniformity])
def test_a_gap_has_two_ends(measure):
    with pytest.raises(ValueError, match="nodes must be at least 2, got 1"):
        measure([1.0])


@pytest.mark.parametrize("measure", MEASURES)
def test_unusable_nodes_are_refused(measure):
    with pytest.raises(ValueError, match="real nodes"):
        measure(roots_of_unity(5))
    with pytest.raises(ValueError, match="distinct"):
        measure([0.0, 1.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="irrational"):
        measure(chebyshev_second(6), EXACT)
