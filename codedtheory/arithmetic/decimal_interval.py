"""A ball as two decimal numerals, rounded outwards, so that what is printed is still true."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from .balls import Ball

__all__ = ["decimal_interval"]


def decimal_interval(ball: Ball, digits: int = 30) -> tuple[str, str]:
    """Return decimal numerals below and above every number of a ball.

    Parameters
    ----------
    ball : Ball
        Finite.
    digits : int, default 30
        The most significant digits to write; fewer where the ball is too wide for more to mean anything.

    Returns
    -------
    tuple of str
        Lower and upper numeral; equal only if the ball is a number with that few digits.

    Examples
    --------
    >>> decimal_interval(Ball("1/3", bits=64), digits=12)
    ('0.333333333333', '0.333333333334')
    """
    lower, upper = ball.lower.fraction, ball.upper.fraction
    if lower != upper:
        size, width = max(abs(lower), abs(upper)), upper - lower
        known = math.log10(size.numerator) - math.log10(size.denominator)
        known -= math.log10(width.numerator) - math.log10(width.denominator)
        digits = int(min(digits, max(4, known + 2)))
    low = Context(prec=digits, rounding=ROUND_FLOOR).divide(Decimal(lower.numerator), Decimal(lower.denominator))
    high = Context(prec=digits, rounding=ROUND_CEILING).divide(Decimal(upper.numerator), Decimal(upper.denominator))
    return str(low), str(high)
