"""Largest and smallest of several numbers, of whatever kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .balls import Ball
from .complex_balls import ComplexBall
from .one_sided import LowerBound, UpperBound

__all__ = ["maximum", "minimum"]


def maximum(values: Iterable[Any]) -> Any:
    """Return the largest value; for balls, an enclosure of the largest of the true numbers.

    The choice of one of several overlapping balls would depend on their order; this function
    returns the ball of the maximum instead.

    Parameters
    ----------
    values : iterable of real numbers
        Not empty; floats do not mix with rigorous numbers, and one-sided bounds need one side.

    Returns
    -------
    number
        Of the kind that was given.

    Raises
    ------
    ValueError
        If there are no values, or one is NaN.

    Examples
    --------
    >>> maximum([Ball.between(0, 2, bits=53), Ball.between(1, 3, bits=53)])
    Ball([2.00 +/- 1.01], bits=53)
    """
    return _extremum(values, 1)


def minimum(values: Iterable[Any]) -> Any:
    """Return the smallest value; for balls, an enclosure of the smallest of the true numbers.

    Parameters
    ----------
    values : iterable of real numbers
        As for `maximum`.

    Returns
    -------
    number
        Of the kind that was given.

    Raises
    ------
    ValueError
        If there are no values, or one is NaN.

    Examples
    --------
    >>> from codedtheory.arithmetic import Rational
    >>> minimum([Rational(1, 3), Rational(1, 2)])
    Rational(1, 3)
    """
    return _extremum(values, -1)


def _extremum(values: Iterable[Any], side: int) -> Any:
    items = list(values.ravel()) if isinstance(values, np.ndarray) else list(values)
    if not items:
        raise ValueError("values must not be empty")
    best = items[0]
    _check(best)
    for item in items[1:]:
        _check(item)
        best = _pick(best, item, side)
    return best


def _check(item: Any) -> None:
    if isinstance(item, (LowerBound, UpperBound)):
        return _check(item.value)
    if isinstance(item, (bool, np.bool_)):
        raise TypeError(f"values must be numbers, got {item!r}")
    if isinstance(item, ComplexBall):
        raise TypeError("complex balls have no order; take maxima of abs")
    if (isinstance(item, (float, np.floating)) or hasattr(item, "_mpf_")) and item != item:
        raise ValueError("values must not contain NaN")
    if isinstance(item, Ball) and not item.is_finite:
        raise ValueError("values must not contain a ball that is not finite; raise the precision (ball bits)")
    return None


def _pick(a: Any, b: Any, side: int) -> Any:
    for kind in (LowerBound, UpperBound):
        if isinstance(a, kind) or isinstance(b, kind):
            return kind(_pick(_inside(a, kind), _inside(b, kind), side))
    if isinstance(a, Ball) or isinstance(b, Ball):
        ball_a, ball_b = (a, a._partner(b, "maximum")) if isinstance(a, Ball) else (b._partner(a, "maximum"), b)
        bits = max(ball_a.bits, ball_b.bits)
        return Ball._at(bits, lambda: ball_a._x.max(ball_b._x) if side > 0 else ball_a._x.min(ball_b._x))
    return (a if a >= b else b) if side > 0 else (a if a <= b else b)


def _inside(x: Any, kind: type) -> Any:
    if isinstance(x, kind):
        return x.value  # type: ignore[attr-defined]
    if isinstance(x, (LowerBound, UpperBound)):
        raise TypeError("lower and upper bounds do not mix in one maximum or minimum")
    return x
