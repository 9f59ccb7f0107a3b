from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.interpolation.gap_frame import GapFrame
from codedtheory.interpolation.node_sets import NodeSets
from codedtheory.interpolation.outward import Intervals, exact_arithmetic_flags
from codedtheory.interpolation.tangents import Tangent

from .brute_force import kernel_integral, reciprocal

node_lists = st.lists(st.integers(-64, 64), min_size=1, max_size=8, unique=True).map(sorted)
sixteenths = st.integers(1, 15).map(lambda k: k / 16)


def frame_of(nodes, gap, magnitudes=None, rigorous=False):
    """Return the frame of one gap, with the outer gaps reaching 3 beyond the nodes."""
    points = np.array([nodes[0] - 3, *nodes, nodes[-1] + 3], dtype=float)
    distance = np.abs(points[:, None] - points[None, :])
    sets = np.arange(1, len(nodes) + 1)[None, :]
    sizes = np.ones(sets.shape) if magnitudes is None else np.array([magnitudes])
    family = NodeSets(Intervals.of(distance) if rigorous else distance, sets, sizes)
    return GapFrame(family, np.array([0]), np.array([gap]), (0, len(nodes) + 1))


def position(nodes, gap, t):
    t = Fraction(t)
    if gap < 0:
        return nodes[0] - 3 * t
    if gap == len(nodes) - 1:
        return nodes[-1] + 3 * t
    return nodes[gap] + t * (nodes[gap + 1] - nodes[gap])


@given(node_lists, sixteenths, st.data())
def test_values_against_fractions(nodes, t, data):
    gap = data.draw(st.integers(-1, len(nodes) - 1))
    x = position(nodes, gap, t)
    frame = frame_of(nodes, gap)
    at = np.array([t])
    assert frame.reciprocal(at)[0] == pytest.approx(float(reciprocal(x, nodes)), rel=1e-12, abs=0)
    assert frame.kernel(at)[0] == pytest.approx(float(kernel_integral(x, nodes)), rel=1e-10, abs=1e-14)


@given(node_lists, sixteenths, st.data())
def test_intervals_contain_the_exact_values(nodes, t, data):
    gap = data.draw(st.integers(-1, len(nodes) - 1))
    x = position(nodes, gap, t)
    width = data.draw(st.sampled_from([0.0, 1 / 64, 1 / 16]))
    frame = frame_of(nodes, gap, rigorous=True)
    with exact_arithmetic_flags():
        box = Tangent(Intervals(np.array([t - width]), np.array([t + width])), Intervals.of(np.array([1.0])))
        enclosures = (frame.reciprocal(box).value, frame.kernel(box).value)
    for enclosure, value in zip(enclosures, (reciprocal(x, nodes), kernel_integral(x, nodes)), strict=True):
        assert Fraction(enclosure.lo[0]) <= value <= Fraction(enclosure.hi[0])
        if width == 0:
            assert enclosure.width()[0] <= 1e-12 * (1 + float(value))


@given(node_lists, sixteenths, sixteenths, st.data())
def test_slopes_enclose_difference_quotients(nodes, s, t, data):
    if s == t:
        return
    gap = data.draw(st.integers(-1, len(nodes) - 1))
    frame = frame_of(nodes, gap, rigorous=True)
    with exact_arithmetic_flags():
        box = Tangent(Intervals(np.array([min(s, t)]), np.array([max(s, t)])), Intervals.of(np.array([1.0])))
        slopes = (frame.reciprocal(box).slope, frame.kernel(box).slope)
    for slope, function in zip(slopes, (reciprocal, kernel_integral), strict=True):
        rise = function(position(nodes, gap, s), nodes) - function(position(nodes, gap, t), nodes)
        quotient = rise / (Fraction(s) - Fraction(t))
        assert slope.lo[0] == -np.inf or Fraction(slope.lo[0]) <= quotient
        assert slope.hi[0] == np.inf or quotient <= Fraction(slope.hi[0])


@given(st.lists(st.integers(-64, 64), min_size=2, max_size=7, unique=True).map(sorted), sixteenths, st.data())
def test_other_weights(nodes, t, data):
    sizes = data.draw(st.lists(st.integers(1, 8), min_size=len(nodes), max_size=len(nodes)))
    weights = [(-1) ** i * size for i, size in enumerate(sizes)]
    gap = data.draw(st.integers(0, len(nodes) - 2))
    x = position(nodes, gap, t)
    if sum(Fraction(w) / (x - z) for w, z in zip(weights, nodes, strict=True)) == 0:
        return
    frame = frame_of(nodes, gap, [float(size) for size in sizes], rigorous=True)
    with exact_arithmetic_flags():
        enclosures = (frame.reciprocal(Intervals.of(np.array([t]))), frame.kernel(Intervals.of(np.array([t]))))
    # a denominator of the other sign belongs to a pole in the gap, where the functions are not modulus but signed
    values = (reciprocal(x, nodes, weights), kernel_integral(x, nodes, weights))
    for enclosure, value in zip(enclosures, values, strict=True):
        assert Fraction(enclosure.lo[0]) <= value <= Fraction(enclosure.hi[0]) or (
            Fraction(enclosure.lo[0]) <= -value <= Fraction(enclosure.hi[0])
        )


@pytest.mark.parametrize("gap", [-1, 0, 1, 2])
def test_the_functions_vanish_at_the_nodes(gap):
    frame = frame_of([0, 1, 5], gap)
    ends = (np.array([0.0]), np.array([1.0])) if 0 <= gap < 2 else (np.array([0.0]),)
    for end in ends:
        assert frame.reciprocal(end)[0] == 0
        assert frame.kernel(end)[0] == pytest.approx(0, abs=1e-15)


def test_a_pole_in_the_gap_is_infinite_in_floats():
    # halved ends let the denominator of -1, 9/10, 1 vanish at 10/9
    frame = frame_of([-1, 0.9, 1], 2, [0.5, 1.0, 0.5])
    behind = np.array([(10 / 9 - 1) / 3 * 2])
    assert frame.reciprocal(behind)[0] == np.inf
    assert frame.kernel(behind)[0] == np.inf
