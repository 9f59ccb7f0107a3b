"""Which arithmetic the numbers at hand belong to."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from .algebraic import Algebraic
from .balls import Ball
from .complex_balls import ComplexBall
from .modular import Modular
from .number import RigorousNumber, is_integer, reject
from .rational import Rational
from .systems import EXACT, FLOAT, Arithmetic, ball, complex_ball, cyclotomic, decimal, modular

__all__ = ["arithmetic_of"]


def arithmetic_of(values: Any) -> Arithmetic:
    """Return the arithmetic that numbers, or the entries of an array, belong to.

    Parameters
    ----------
    values : number or array_like
        Integers and fractions count as exact, unless floats are among them.

    Returns
    -------
    Arithmetic
        The smallest one that holds all entries; among balls, the one of the largest precision.

    Raises
    ------
    TypeError
        If floats and rigorous numbers are mixed, or an entry is no number.

    Examples
    --------
    >>> arithmetic_of([1, Fraction(1, 2)]), arithmetic_of([0.5, 1]), arithmetic_of([Ball(1, 99), 2])
    (EXACT, FLOAT, ball(99))
    """
    array = np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)
    if array.dtype != object:
        if array.dtype.kind in "iu":
            return EXACT
        if array.dtype.kind == "f":
            return FLOAT
        raise TypeError(f"values of type {array.dtype} are not numbers of an arithmetic")
    items = array.ravel().tolist()
    if {type(x) for x in items} <= {int, Fraction, Rational}:
        return EXACT
    rigorous = [x for x in items if isinstance(x, RigorousNumber)]
    floats = [x for x in items if isinstance(x, (float, np.floating)) or hasattr(x, "_mpf_")]
    for x in items:
        if not (is_integer(x) or isinstance(x, (Fraction, RigorousNumber, float, np.floating)) or hasattr(x, "_mpf_")):
            raise TypeError(f"{x!r} of type {type(x).__name__} is not a number of an arithmetic")
    if rigorous and floats:
        reject(rigorous[0], floats[0], "an array")
    if floats:
        big = [x for x in floats if hasattr(x, "_mpf_")]
        return decimal(max(x.context.dps for x in big)) if big else FLOAT
    return _smallest(rigorous)


def _smallest(items: list[RigorousNumber]) -> Arithmetic:
    moduli = {x.modulus for x in items if isinstance(x, Modular)}
    if moduli:
        if len(moduli) > 1 or not all(isinstance(x, (Modular, Rational)) for x in items):
            raise TypeError("elements of a prime field mix with integers and rationals only")
        return modular(moduli.pop())
    top = max((x.tower for x in items), default=0)
    if top >= Ball.tower:
        bits = max(x.bits for x in items if isinstance(x, (Ball, ComplexBall)))
        return complex_ball(bits) if top == ComplexBall.tower else ball(bits)
    if top == Algebraic.tower:
        return cyclotomic(math.lcm(*(x.conductor for x in items if isinstance(x, Algebraic))))
    return EXACT
