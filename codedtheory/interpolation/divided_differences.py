"""Divided differences, of numbers and of SymPy expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["divided_difference"]


def divided_difference(points: Sequence[Any], values: Sequence[Any]) -> Any:
    r"""Return :math:`f[x_0,\dots,x_m]=\sum_i f(x_i)\prod_{j\ne i}(x_i-x_j)^{-1}`.

    Parameters
    ----------
    points : sequence of numbers or SymPy expressions
        Distinct.
    values : sequence of numbers or SymPy expressions
        The values of f at the points.

    Returns
    -------
    number or sympy.Expr
        For a smooth f a value of :math:`f^{(m)}/m!` in the hull of the points.

    Examples
    --------
    >>> from fractions import Fraction
    >>> points = [Fraction(0), Fraction(1), Fraction(3)]
    >>> divided_difference(points, [x**2 for x in points])
    Fraction(1, 1)
    """
    if len(points) != len(values):
        raise ValueError(f"values must be as many as the {len(points)} points, got {len(values)}")
    total: Any = 0
    for i, (point, value) in enumerate(zip(points, values, strict=True)):
        term = value
        for j, other in enumerate(points):
            if j != i:
                term = term / (point - other)
        total = total + term
    return total
