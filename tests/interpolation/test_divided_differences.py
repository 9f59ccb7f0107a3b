"""Divided differences, against the recursion and against derivatives of monomials."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from codedtheory.interpolation.divided_differences import divided_difference

POINTS = [Fraction(-1), Fraction(1, 2), Fraction(2), Fraction(5)]


def recursively(points: list[Fraction], values: list[Fraction]) -> Fraction:
    if len(points) == 1:
        return values[0]
    upper, lower = recursively(points[1:], values[1:]), recursively(points[:-1], values[:-1])
    return (upper - lower) / (points[-1] - points[0])


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_recursion_in_any_order(order: tuple[int, ...]) -> None:
    points = [POINTS[i] for i in order]
    values = [x**5 - 3 * x for x in points]
    assert divided_difference(points, values) == recursively(points, values)


def test_monomials() -> None:
    assert divided_difference(POINTS, [x**3 for x in POINTS]) == 1
    assert divided_difference(POINTS, [x**2 for x in POINTS]) == 0
    assert divided_difference(POINTS, [x**4 for x in POINTS]) == sum(POINTS)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="as many as the 4 points, got 3"):
        divided_difference(POINTS, [1, 2, 3])
