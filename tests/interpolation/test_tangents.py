from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.interpolation.outward import Intervals, exact_arithmetic_flags
from codedtheory.interpolation.tangents import Tangent, absolute_integral, share

quarters = st.integers(-40, 40).map(lambda k: k / 8)
positions = st.integers(0, 8).map(lambda k: k / 8)


def exact_mean_modulus(p, q):
    p, q = Fraction(p), Fraction(q)
    if p * q >= 0:
        return (abs(p) + abs(q)) / 2
    crossing = p / (p - q)
    return crossing * abs(p) / 2 + (1 - crossing) * abs(q) / 2


@given(quarters, quarters)
def test_mean_modulus_of_a_linear_function(p, q):
    value = absolute_integral(np.array([p]), np.array([q]))[0]
    assert abs(Fraction(value) - exact_mean_modulus(p, q)) <= Fraction(1, 2**48)


@given(quarters, quarters, quarters, quarters, positions, positions)
def test_mean_modulus_over_boxes(a, b, c, d, s, t):
    p, q = (Intervals(np.array([min(u, v)]), np.array([max(u, v)])) for u, v in ((a, b), (c, d)))
    with exact_arithmetic_flags():
        box = absolute_integral(p, q)
    x = Fraction(p.lo[0]) * Fraction(1 - s) + Fraction(p.hi[0]) * Fraction(s)
    y = Fraction(q.lo[0]) * Fraction(1 - t) + Fraction(q.hi[0]) * Fraction(t)
    assert Fraction(box.lo[0]) <= exact_mean_modulus(x, y) <= Fraction(box.hi[0])


@given(quarters, quarters, quarters, quarters)
def test_mean_modulus_is_sharp_at_points(p, q, r, s):
    point = absolute_integral(Intervals.of(np.array([p])), Intervals.of(np.array([q])))
    assert point.hi[0] - point.lo[0] <= 1e-14 * (1 + abs(p) + abs(q))


@given(quarters, quarters, quarters, quarters, positions, positions)
def test_slope_encloses_every_difference_quotient(p0, p1, q0, q1, s, t):
    """The mean value theorem is what the slopes are for: f(s) - f(t) lies in slope * (s - t)."""
    with exact_arithmetic_flags():
        unit = Tangent(Intervals(np.array([0.0]), np.array([1.0])), Intervals.of(np.array([1.0])))
        enclosed = absolute_integral(unit * p1 + p0, unit * q1 + q0).slope
    start, end = Fraction(s), Fraction(t)
    difference = exact_mean_modulus(p0 + p1 * start, q0 + q1 * start) - exact_mean_modulus(p0 + p1 * end, q0 + q1 * end)
    if start != end:
        quotient = difference / (start - end)
        assert Fraction(enclosed.lo[0]) <= quotient <= Fraction(enclosed.hi[0])


@given(st.integers(0, 16), st.integers(0, 16), st.integers(1, 20))
def test_share_and_its_slope(a, b, e):
    low, high = sorted((a / 4, b / 4))
    u = Intervals(np.array([low]), np.array([high]))
    with exact_arithmetic_flags():
        ratio = share(Tangent(u, Intervals.of(np.array([1.0]))), np.array([float(e)]))
    for x in (Fraction(low), Fraction(high), (Fraction(low) + Fraction(high)) / 2):
        assert Fraction(ratio.value.lo[0]) <= x / (e + x) <= Fraction(ratio.value.hi[0])
        assert Fraction(ratio.slope.lo[0]) <= Fraction(e) / (e + x) ** 2 <= Fraction(ratio.slope.hi[0])


def test_quotients_and_products_of_tangents():
    t = Tangent(Intervals.of(np.array([2.0])), Intervals.of(np.array([1.0])))
    with exact_arithmetic_flags():
        results = {
            (1 / t): (Fraction(1, 2), Fraction(-1, 4)),
            (t * t * t): (8, 12),
            ((1 - t) / (t + 1)): (Fraction(-1, 3), Fraction(-2, 9)),
        }
    for result, (value, slope) in results.items():
        assert Fraction(result.value.lo[0]) <= value <= Fraction(result.value.hi[0])
        assert Fraction(result.slope.lo[0]) <= slope <= Fraction(result.slope.hi[0])
        assert result.value.width()[0] < 1e-14
        assert result.slope.width()[0] < 1e-14 * (1 + abs(slope))
