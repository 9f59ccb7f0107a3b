"""Splines against SciPy's, and worst errors against functions that attain them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_smoothing_spline

from codedtheory.arithmetic import EXACT, FLOAT, Rational, approximate, ball
from codedtheory.interpolation.smoothing_spline import spline_weights, worst_squared_errors

NODES = [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(3, 4), Fraction(1)]
POINTS = [Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)]
FLOATS = np.array([float(t) for t in NODES])


def test_interpolating_spline_against_scipy() -> None:
    y = np.sin(3 * FLOATS)
    expected = CubicSpline(FLOATS, y, bc_type="natural")([float(t) for t in POINTS])
    np.testing.assert_allclose(approximate(spline_weights(NODES, POINTS)) @ y, expected, rtol=1e-13)
    np.testing.assert_allclose(spline_weights(FLOATS, [0.1, 1 / 3, 0.9], arithmetic=FLOAT) @ y, expected, rtol=1e-12)


def test_smoothing_spline_against_scipy() -> None:
    y = np.cos(7 * FLOATS)
    expected = make_smoothing_spline(FLOATS, y, lam=0.01)([float(t) for t in POINTS])
    np.testing.assert_allclose(approximate(spline_weights(NODES, POINTS, "1/100")) @ y, expected, rtol=1e-12)


def test_splines_are_linear_beyond_the_nodes() -> None:
    near, far = spline_weights(NODES, [1, 2, 3])[[0, 2]], spline_weights(NODES, [2])[0]
    assert ((near[0] + near[1]) / 2 == far).all()


def test_worst_error_is_attained_by_its_representer() -> None:
    # f(s) = sum_a e_a |t_a - s|^3 / 12 is the worst f: its error over the square root of its energy
    c = spline_weights(NODES, POINTS[1:2], "1/50")
    (worst,) = worst_squared_errors(NODES, POINTS[1:2], c)
    places = [*NODES, POINTS[1]]
    e = [*(-w for w in c[0]), Rational(1)]

    def f(s: Fraction) -> Rational:
        return sum((a * abs(p - s) ** 3 for a, p in zip(e, places, strict=True)), Rational(0)) / 12

    error = f(POINTS[1]) - sum((w * f(t) for w, t in zip(c[0], NODES, strict=True)), Rational(0))
    # f'' is the broken line sum_a e_a |t_a - s| / 2, and Simpson's rule is exact on the squares of its pieces
    knots = sorted(places)

    def bent(s: Fraction) -> Rational:
        return sum((a * abs(p - s) for a, p in zip(e, places, strict=True)), Rational(0)) / 2

    energy = sum(
        ((b - a) * (bent(a) ** 2 + 4 * bent((a + b) / 2) ** 2 + bent(b) ** 2) / 6 for a, b in pairwise(knots)),
        Rational(0),
    )
    assert error == worst == energy


def test_the_interpolating_spline_is_the_best() -> None:
    (best,) = worst_squared_errors(NODES, POINTS[:1], spline_weights(NODES, POINTS[:1]))
    line = [[Fraction(1, 2), Fraction(1, 2), 0, 0, 0]]
    assert worst_squared_errors(NODES, POINTS[:1], line)[0] > best
    assert worst_squared_errors(NODES, POINTS[:1], spline_weights(NODES, POINTS[:1], 1))[0] > best


def test_balls_enclose() -> None:
    exact = worst_squared_errors(NODES, POINTS, spline_weights(NODES, POINTS))
    numbers = ball(128)
    enclosed = worst_squared_errors(NODES, POINTS, spline_weights(NODES, POINTS, arithmetic=numbers), numbers)
    assert all(b.contains(q) for b, q in zip(enclosed, exact, strict=True))


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="nodes must be at least 2, got 1"):
        spline_weights([0], [1])
    with pytest.raises(ValueError, match="weights must reproduce lines, those of point 0"):
        worst_squared_errors([0, 1], [Fraction(1, 2)], EXACT.array([[1, 0]]))
