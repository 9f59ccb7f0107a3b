"""Small rational points at which a symbolic relation is evaluated exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import sympy

__all__ = ["first_point", "point_off_zero", "points", "values"]

_MOST_POINTS = 3000
# Pythagorean fractions are among them, to meet c**2 + s**2 = 1.
_SMALL = tuple(
    sympy.Rational(numerator, denominator)
    for numerator, denominator in (
        *((0, 1), (1, 1), (2, 1), (1, 2), (3, 1), (-1, 1), (3, 2), (1, 3), (2, 3), (4, 1), (5, 1), (1, 10), (10, 1)),
        *((-2, 1), (-1, 2), (3, 5), (4, 5), (5, 13), (12, 13), (7, 1), (100, 1), (1, 100), (-3, 1), (-10, 1)),
        *((-3, 5), (-4, 5)),
    )
)


def values(symbol: Any, count: int) -> list[Any]:
    """Return rational numbers that satisfy the assumptions of a symbol, small ones first, ``count`` if possible."""
    larger = (sympy.Integer(k) for n in range(1, 10 * count + 2) for k in (n, -n))
    found = dict.fromkeys(value for value in (*_SMALL, *larger) if _allowed(symbol, value))
    return list(found)[:count]


def points(symbols: Sequence[Any]) -> Iterator[dict[Any, Any]]:
    """Iterate over points with small coordinates, at most a few thousand, the smaller first."""
    if not symbols:
        yield {}
        return
    each = max(2, int(_MOST_POINTS ** (1 / len(symbols))))
    lists = [values(symbol, min(each, len(_SMALL))) for symbol in symbols]
    indices = sorted(product(*(range(len(found)) for found in lists)), key=lambda index: (sum(index), index))
    for index in indices[:_MOST_POINTS]:
        yield {symbol: found[i] for symbol, found, i in zip(symbols, lists, index, strict=True)}


def first_point(
    symbols: Sequence[Any], test: Callable[[dict[Any, Any]], bool], relations: Sequence[Any] = ()
) -> dict[Any, Any] | None:
    """Return the first point that satisfies the relations exactly and passes the test."""
    for point in points(symbols):
        if all(relation.subs(point) == 0 for relation in relations) and test(point):
            return point
    return None


def point_off_zero(polynomial: Any | None, symbols: Sequence[Any]) -> dict[Any, Any] | None:
    """Return values of the symbols at which a non-zero polynomial in them is not zero.

    One coordinate after the other is fixed so that what is left is not the zero polynomial; a polynomial of degree d in
    a variable has at most d values of it that make it zero, so d + 1 candidates suffice.
    """
    if polynomial is None or not all(symbol in symbols for symbol in polynomial.gens):
        return None
    point = {symbol: values(symbol, 1)[0] for symbol in symbols}
    rest = polynomial
    for symbol in polynomial.gens:
        for value in values(symbol, polynomial.degree(symbol) + 1):
            reduced = rest.eval({symbol: value}) if len(rest.gens) > 1 else rest.eval(value)
            if reduced != 0 and not getattr(reduced, "is_zero", False):
                point[symbol], rest = value, reduced
                break
        else:
            return None
    return point


def _allowed(symbol: Any, value: Any) -> bool:
    return all(
        getattr(value, f"is_{name}", None) in (None, truth)
        for name, truth in getattr(symbol, "assumptions0", {}).items()
    )
