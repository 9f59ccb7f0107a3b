"""The two doors between doubles and rigorous numbers, both of which have to be opened by name."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from .algebraic import Algebraic
from .balls import Ball
from .modular import Modular
from .number import is_integer
from .rational import Rational

__all__ = ["approximate", "exactly"]


def exactly(x: Any) -> Any:
    """Return the exact rational that a double is: the one door from floats to proofs.

    ``exactly(0.1)`` is the double nearest to 1/10, not 1/10; what is proved with it is proved for
    that double.

    Parameters
    ----------
    x : float, numpy floating point number, or array_like of them (integers allowed)

    Returns
    -------
    Rational or numpy.ndarray of object
        A `Rational`, or an array of the same shape.

    Raises
    ------
    ValueError
        For a NaN or an infinity.
    TypeError
        For anything but floats and integers.

    Examples
    --------
    >>> exactly(0.5)
    Rational(1, 2)
    >>> exactly(0.1) == Rational("0.1")
    False
    """
    if isinstance(x, (list, tuple, np.ndarray)):
        values = np.asarray(x)
        result = np.empty(values.shape, dtype=object)
        for index, value in np.ndenumerate(values):
            result[index] = exactly(value)
        return result
    if is_integer(x):
        return Rational(int(x))
    if isinstance(x, (float, np.floating)):
        if not math.isfinite(x):
            raise ValueError(f"x must be finite, got {x!r}")
        numerator, denominator = x.as_integer_ratio()
        return Rational(int(numerator), int(denominator))
    raise TypeError(f"exactly takes floats, got {x!r} of type {type(x).__name__}")


def approximate(x: Any) -> Any:
    """Return the double nearest to a real number (for a ball: to its midpoint), for printing and plots.

    Parameters
    ----------
    x : real number or array_like of real numbers

    Returns
    -------
    float or numpy.ndarray of float64
        Its evidence is that of any float: none.

    Examples
    --------
    >>> approximate(Rational(1, 3))
    0.3333333333333333
    """
    if isinstance(x, (list, tuple, np.ndarray)):
        values = np.asarray(x)
        if values.dtype != object:
            return values.astype(float)
        return np.array([approximate(v) for v in values.ravel()], dtype=float).reshape(values.shape)
    if isinstance(x, Rational):
        return _nearest(x.fraction)
    if isinstance(x, Algebraic):
        return _nearest(Ball(x, 128).mid.fraction)
    if isinstance(x, Ball):
        return _nearest(x.mid.fraction) if x.is_finite else math.nan
    if isinstance(x, Modular):
        raise TypeError(f"{x} is not a real number")
    if hasattr(x, "_one_sided"):
        return approximate(x.value)
    try:
        return float(x)
    except TypeError:
        raise TypeError(f"{x!r} of type {type(x).__name__} is not a real number") from None


def _nearest(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
