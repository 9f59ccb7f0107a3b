from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    EXACT,
    FLOAT,
    Ball,
    PrecisionError,
    Rational,
    approximate,
    ball,
    complex_ball,
    cyclotomic,
)
from codedtheory.interpolation.denominator import (
    chebyshev_denominator_bound_off_hull,
    denominator_bound_hull,
    denominator_bound_off_hull,
    denominator_bounds_by_gap,
    denominator_reciprocal,
    largest_denominator_reciprocal,
)
from codedtheory.interpolation.geometry import adjacent_ratio, gap_lengths, max_gap, mesh_ratio
from codedtheory.interpolation.node_families import chebyshev_second, equispaced

from .brute_force import interpolant, reciprocal

node_lists = st.lists(st.integers(-30, 30), min_size=2, max_size=7, unique=True).map(sorted)
points = st.fractions(-40, 40, max_denominator=60)


@given(node_lists, points)
def test_values_by_the_definition(nodes, x):
    exact = reciprocal(x, nodes)
    assert denominator_reciprocal(x, nodes, arithmetic=EXACT) == exact
    assert denominator_reciprocal(x, nodes[::-1], arithmetic=EXACT) == exact
    assert denominator_reciprocal(float(x), nodes) == pytest.approx(
        float(reciprocal(Fraction(float(x)), nodes)), rel=1e-11, abs=1e-300
    )


@given(node_lists, points)
def test_it_is_the_error_for_x_on_an_odd_number_of_nodes(nodes, x):
    error = abs(x - interpolant(x, nodes, nodes))
    if len(nodes) % 2:
        assert error == denominator_reciprocal(x, nodes, arithmetic=EXACT)
    else:
        assert error == 0


@given(node_lists, st.fractions(0, 1, max_denominator=50), st.data())
def test_bounds_by_gap(nodes, t, data):
    k = data.draw(st.integers(0, len(nodes) - 2))
    x = nodes[k] + t * (nodes[k + 1] - nodes[k])
    value = denominator_reciprocal(x, nodes, arithmetic=EXACT)
    assert value <= denominator_bounds_by_gap(nodes, EXACT)[k]
    assert value <= denominator_bound_hull(nodes, EXACT)
    # the classical lemma behind the error bound for d = 0
    assert value <= max_gap(nodes, EXACT) * (1 + mesh_ratio(nodes, EXACT))
    assert denominator_bound_hull(nodes, EXACT) <= max_gap(nodes, EXACT) * (2 + adjacent_ratio(nodes, EXACT)) / 2


@given(node_lists, st.fractions(Fraction(1, 50), 30, max_denominator=50), st.booleans())
def test_bound_off_the_hull(nodes, distance, right):
    x = nodes[-1] + distance if right else nodes[0] - distance
    value = denominator_reciprocal(x, nodes, arithmetic=EXACT)
    bound = denominator_bound_off_hull(x, nodes, EXACT)
    assert value <= bound
    if len(nodes) == 2:
        assert value == bound
    assert denominator_bound_off_hull(x, nodes[::-1], EXACT) == bound


def test_interior_bound_is_attained_in_the_limit():
    nodes = [-(10**6), -1, 1, 10**6]
    wide = [-1 - Rational(1, 10**6), -1, 1, 1 + Rational(1, 10**6)]
    for x in (nodes, wide):
        ratio = denominator_reciprocal(0, x, arithmetic=EXACT) / denominator_bounds_by_gap(x, EXACT)[1]
        assert Rational("0.999") < ratio <= 1


@settings(max_examples=25)
@given(node_lists)
def test_supremum_in_floats_and_balls(nodes):
    enclosure = largest_denominator_reciprocal(nodes, arithmetic=ball(64))
    estimate = largest_denominator_reciprocal(nodes)
    assert isinstance(enclosure, Ball)
    assert enclosure.rad <= enclosure.mid * Rational("1e-9")
    assert estimate == pytest.approx(approximate(enclosure), rel=1e-9)
    assert enclosure.lower <= denominator_bound_hull(nodes, EXACT)
    gaps = gap_lengths(nodes, EXACT)
    for k in range(len(nodes) - 1):
        for j in range(1, 8):
            x = Rational(nodes[k]) + gaps[k] * Rational(j, 8)
            assert denominator_reciprocal(x, nodes, arithmetic=EXACT) <= enclosure.upper


def test_closed_form_of_three_nodes():
    """1/|D| = x(1 - x**2)/(1 + x**2), largest where x**2 = sqrt(5) - 2."""
    square = ball(128).sqrt(5) - 2
    exact = square.sqrt() * (1 - square) / (1 + square)
    assert largest_denominator_reciprocal([-1, 0, 1], arithmetic=ball(64), tolerance="1e-12").overlaps(exact)
    assert largest_denominator_reciprocal([-1, 0, 1]) == pytest.approx(0.300283, abs=5e-7)


def test_closed_form_on_chebyshev_points():
    """D (x**2 - 1) = N/U + x or N/U + 1 with U = sin(N t)/sin(t), x = cos(t)."""
    for N in (5, 6, 9):
        bits = ball(128)
        for q in ("1/7", "3/11", "9/13"):
            x, sine = bits.cos_pi(q), bits.sin_pi(q)
            U = bits.sin_pi(N * Fraction(q)) / sine
            expected = abs((x * x - 1) / (N / U + (x if N % 2 == 0 else 1)))
            value = denominator_reciprocal(x, chebyshev_second(N + 1), arithmetic=bits)
            assert value.overlaps(expected)
            assert value.rad < Rational("1e-30")


@pytest.mark.parametrize("N", [4, 6, 10])
def test_rate_1_over_N_without_stragglers(N):
    """sup 1/|D| is at least cos(a)/(N + tan(a)), a = pi/(2N)."""
    bits = ball(64)
    cosine, sine = bits.cos_pi(f"1/{2 * N}"), bits.sin_pi(f"1/{2 * N}")
    assert largest_denominator_reciprocal(chebyshev_second(N + 1), arithmetic=bits) >= cosine / (N + sine / cosine)


def test_interval_reaching_beyond_the_hull():
    nodes = [-1, 0, 1, 3]
    inside = largest_denominator_reciprocal(nodes, arithmetic=ball(64))
    for interval in ((-1, 4), ("-3/2", "7/2"), (4, 5), (-4, -3)):
        enclosure = largest_denominator_reciprocal(nodes, interval, arithmetic=ball(64))
        values = [denominator_reciprocal(end, nodes, arithmetic=EXACT) for end in interval]
        # outside the hull the function grows monotonically
        expected = max(*values, inside.mid if interval[0] in (-1, "-3/2") else Rational(0))
        assert abs(enclosure - expected) < Rational("1e-8")
        assert largest_denominator_reciprocal(nodes, interval) == pytest.approx(approximate(expected), rel=1e-9)


def test_interval_within_one_gap():
    nodes = [0, 1, 3, 4]
    enclosure = largest_denominator_reciprocal(nodes, ("11/10", "13/10"), arithmetic=ball(64))
    assert abs(enclosure - denominator_reciprocal("13/10", nodes, arithmetic=EXACT)) < Rational("1e-9")
    whole = largest_denominator_reciprocal(nodes, ("11/10", 2), arithmetic=ball(64))
    assert abs(whole - denominator_reciprocal(2, nodes, arithmetic=EXACT)) < Rational("1e-9")


@pytest.mark.parametrize("N", [2, 3, 5, 8])
def test_chebyshev_bound_off_the_hull(N):
    bits = ball(80)
    for m in range(1, N):
        bound = chebyshev_denominator_bound_off_hull(N + 1, m, bits)
        survivors = chebyshev_second(N + 1).without(range(m))
        value = denominator_reciprocal(1, survivors, arithmetic=bits)
        assert (value <= bound) is not False
        assert bound <= 2 * (1 + m * m) * bits.sin_pi(Fraction(m + 1, 2 * N)) + Rational("1e-20")
        if m == N - 1:
            assert value.overlaps(bound)
        assert (bound >= chebyshev_denominator_bound_off_hull(N + 1, m - 1, bits)) is True


def test_halved_ends():
    nodes = chebyshev_second(9)
    polynomial = largest_denominator_reciprocal(nodes, half_ends=True, arithmetic=ball(64))
    # D = N/((x**2 - 1) U) then, and (1 - x**2)|U| = |sin(N t) sin(t)| is at most 1, attained at t = pi/2 +- a
    assert polynomial <= Rational(1, 8) + Rational("1e-9")
    assert denominator_reciprocal("1/2", [0, 1], "berrut-half", EXACT) == Rational(1, 2)
    assert largest_denominator_reciprocal([0, 1], half_ends=True) == pytest.approx(0.5, rel=1e-15)


def test_a_pole_on_the_interval_is_not_bounded():
    nodes = ["-1", "9/10", "1"]
    with pytest.raises(PrecisionError, match="pole"):
        largest_denominator_reciprocal(nodes, (-1, "6/5"), half_ends=True, arithmetic=ball(64))
    assert largest_denominator_reciprocal(nodes, (-1, "6/5"), half_ends=True) > 1e6
    assert largest_denominator_reciprocal(nodes, half_ends=True, arithmetic=ball(64)) < 1


def test_arrays_and_nodes_themselves():
    nodes = equispaced(5)
    x = np.linspace(-2, 2, 17)
    values = denominator_reciprocal(x, nodes)
    assert values.shape == (17,)
    assert values[np.isin(x, np.asarray(nodes))].tolist() == [0] * 5
    exact = denominator_reciprocal([Fraction(k, 4) for k in range(-8, 9)], nodes, arithmetic=EXACT)
    assert values == pytest.approx(approximate(exact), rel=1e-13)
    golden = chebyshev_second(6)
    assert denominator_reciprocal(cyclotomic(10).cos_pi("1/5"), golden, arithmetic=cyclotomic(10)) == 0
    with pytest.raises(PrecisionError):
        denominator_reciprocal(ball(64).cos_pi("1/5"), golden, arithmetic=ball(64))


def test_bad_input():
    with pytest.raises(ValueError, match="x must lie outside the hull"):
        denominator_bound_off_hull(0, [-1, 1])
    with pytest.raises(ValueError, match="nodes must be at least 2"):
        denominator_bound_off_hull(0, [1])
    with pytest.raises(ValueError, match=r"interval must be \(a, b\) with a < b"):
        largest_denominator_reciprocal([0, 1], (1, 0))
    with pytest.raises(ValueError, match="interval must be a pair"):
        largest_denominator_reciprocal([0, 1], 3)
    with pytest.raises(TypeError, match="tolerance must be exact"):
        largest_denominator_reciprocal([0, 1], tolerance=1e-9)
    with pytest.raises(ValueError, match="tolerance must be from 1e-12 to 1"):
        largest_denominator_reciprocal([0, 1], tolerance="1e-13")
    for arithmetic in (EXACT, complex_ball(64)):
        with pytest.raises(ValueError, match="FLOAT or ball"):
            largest_denominator_reciprocal([0, 1], arithmetic=arithmetic)
    assert largest_denominator_reciprocal([5.0]) == 0
    assert largest_denominator_reciprocal([5.0], (0, 7), arithmetic=FLOAT) == pytest.approx(5, rel=1e-15)
