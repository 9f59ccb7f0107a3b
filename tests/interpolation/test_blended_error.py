"""Error constants of Floater-Hormann interpolants, against the interpolant of the extremal monomial."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Rational, approximate, ball
from codedtheory.interpolation import chebyshev_second
from codedtheory.interpolation.blended_error import (
    blended_error_at,
    largest_blended_reciprocal,
    worst_blended_error,
)

POINTS = [Fraction(1, 2), Fraction(-3, 2), Fraction(17, 3), Fraction(9, 4)]


def fh_weights(nodes: tuple[int, ...], d: int) -> list[Fraction]:
    """The weights by their definition, with the standard library only."""
    n = len(nodes) - 1
    result = []
    for k in range(n + 1):
        windows = [i for i in range(n - d + 1) if k - d <= i <= k]
        total = sum(
            Fraction(1, math.prod(abs(nodes[k] - nodes[j]) for j in range(i, i + d + 1) if j != k)) for i in windows
        )
        result.append((-1) ** (k + d) * total)
    return result


def error_of_power(power: int, x: Fraction, nodes: tuple[int, ...], d: int) -> Fraction:
    terms = [w / (x - t) for w, t in zip(fh_weights(nodes, d), nodes, strict=True)]
    r = sum(term * t**power for term, t in zip(terms, nodes, strict=True)) / sum(terms)
    return abs(x**power - r) / math.factorial(power)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_extremal_monomials_attain_the_constants(n: int) -> None:
    for nodes in combinations(range(6), n + 1):
        for d in range(n + 1):
            for x in POINTS:
                found = blended_error_at(x, nodes, d, EXACT)
                if (n - d) % 2:
                    assert (found.lower, found.upper) == (0, error_of_power(d + 2, x, nodes, d))
                else:
                    assert found.lower == error_of_power(d + 1, x, nodes, d)


def test_other_functions_stay_below() -> None:
    nodes, d = (0, 1, 3, 4, 7, 8), 2
    for x in POINTS:
        ends = [*nodes, x]
        # |f'''' | of x**5 is 120 |x| and at most 120 * 8 on the hull and at x
        terms = [w / (x - t) for w, t in zip(fh_weights(nodes, d), nodes, strict=True)]
        r = sum(term * t**5 for term, t in zip(terms, nodes, strict=True)) / sum(terms)
        assert abs(x**5 - r) <= blended_error_at(x, nodes, d, EXACT).upper * 120 * max(abs(t) for t in ends)


def test_worst_error_of_the_line_through_two_nodes() -> None:
    worst = worst_blended_error([-1, 1], 0, arithmetic=ball(64))
    assert worst.lower == 0
    assert worst.upper.contains(Rational(1, 2))


def test_polynomial_interpolation_is_the_case_d_equal_to_n() -> None:
    # max |x(x**2 - 1)| = 2/(3 sqrt 3)
    found = largest_blended_reciprocal([-1, 0, 1], 2, arithmetic=ball(64), tolerance="1e-10")
    assert abs(approximate(found) - 2 / 27**0.5) < 1e-9


@pytest.mark.parametrize("d", [0, 1, 2, 3])
def test_float_search_and_enclosure_agree_with_a_fine_grid(d: int) -> None:
    nodes = chebyshev_second(8).without([2])
    doubles = np.asarray(nodes)[::-1]
    grid = np.linspace(-1, 1, 20001)[1:-1]
    values = [blended_error_at(float(x), nodes, d).upper for x in grid[::40]]
    estimate = worst_blended_error(nodes, d).upper
    enclosure = worst_blended_error(nodes, d, arithmetic=ball(64), tolerance="1e-6").upper
    assert max(values) <= estimate * (1 + 1e-12)
    assert estimate <= 1.2 * max(values)
    assert abs(approximate(enclosure) / estimate - 1) < 1e-6
    assert doubles[0] == -1


def test_order_of_the_nodes_does_not_matter() -> None:
    up, down = (blended_error_at(Fraction(1, 2), nodes, 1, EXACT) for nodes in ([0, 1, 3, 4], [4, 3, 1, 0]))
    assert up == down
