from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from codedtheory.arithmetic import PrecisionError, Rational, approximate, ball
from codedtheory.coding.encoder_derivatives import encoder_derivative_norms


def encoder(X: list[Any], points: list[Any]) -> tuple[Any, Any]:
    """Berrut's interpolant written out, as an expression in z."""
    z = sympy.Symbol("z")
    weights = [(-1) ** j / (z - point) for j, point in enumerate(points)]
    return sympy.together(sum(w * x for w, x in zip(weights, X, strict=True)) / sum(weights)), z


@pytest.mark.parametrize(
    ("X", "points"),
    [
        ([1, -1, 1], ["1/2", "0", "-1/2"]),
        ([2, "1/3", -1, 4], ["9/10", "1/5", "-1/7", "-1/2"]),
        ([0, 1], ["1", "-1/3"]),
    ],
)
def test_encloses_the_extrema_of_the_symbolic_derivatives(X: list[Any], points: list[Any]) -> None:
    u, z = encoder([sympy.Rational(x) for x in X], [sympy.Rational(p) for p in points])
    norms = encoder_derivative_norms([Fraction(x) for x in X], [Fraction(p) for p in points], tolerance="1e-3")
    for order, norm in ((1, norms.first), (2, norms.second)):
        derivative = sympy.diff(u, z, order)
        turning = sympy.Poly(sympy.fraction(sympy.together(sympy.diff(derivative, z)))[0], z)
        places = [-1, 1, *(r for r in sympy.real_roots(turning) if -1 < r < 1)]
        largest = max(abs(sympy.N(derivative.subs(z, place), 30)) for place in places)
        assert norm[()].lower.fraction <= Fraction(str(largest)) + Fraction(1, 10**20)
        assert norm[()].upper.fraction >= Fraction(str(largest)) - Fraction(1, 10**20)
        assert norm[()].upper - norm[()].lower <= Rational(1, 100) * max(norm[()].upper, Rational(4))


def test_chebyshev_points_agree_with_differences_on_a_grid() -> None:
    X, points = np.array([1.0, -1.0, -1.0, 1.0, -1.0]), np.cos((2 * np.arange(5) + 1) * np.pi / 10)
    z = np.cos((np.arange(200_000) + 0.3) / 200_000 * np.pi)
    terms = (-1.0) ** np.arange(5) / (z[:, None] - points)
    u = (terms * X).sum(axis=1) / terms.sum(axis=1)
    slope = np.abs(np.gradient(u, z, edge_order=2)[2:-2]).max()
    first = encoder_derivative_norms(X, tolerance="1e-3").first[()]
    assert abs(approximate(first) - slope) < 2e-3 * slope


def test_each_coordinate_has_its_own_norms() -> None:
    X = np.array([[1, 1], [-1, 1], [1, 1]])
    norms = encoder_derivative_norms(X)
    assert norms.first.shape == (2,)
    assert norms.first[1].contains(0)
    assert norms.first[0].overlaps(encoder_derivative_norms([1, -1, 1]).first[()])


def test_a_constant_and_a_single_block_do_not_vary() -> None:
    assert encoder_derivative_norms([5]).first[()].contains(0)
    assert bool(encoder_derivative_norms([5]).second[()] < Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"tolerance": "0"}, "between 0 and 1"),
        ({"X": np.zeros((0, 2))}, "at least one block"),
        ({"data_points": [0, 1, 2]}, "2 points"),
    ],
)
def test_refuses_bad_arguments(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encoder_derivative_norms(**({"X": [1, -1]} | keywords))


def test_refuses_floats_as_arithmetic_and_numbers_too_small() -> None:
    from codedtheory.arithmetic import FLOAT

    with pytest.raises(ValueError, match="ball"):
        encoder_derivative_norms([1, -1], arithmetic=FLOAT)
    with pytest.raises(PrecisionError, match="scale X"):
        encoder_derivative_norms([1e-300, -1e-300, 1e-300], arithmetic=ball(53))
