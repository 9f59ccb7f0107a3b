"""Balls in decimal, for reading: what is printed contains the ball, and is no numeral to be read back."""

from __future__ import annotations

from fractions import Fraction

import flint

from .precision import precision

__all__ = ["str_ball"]


def str_ball(x: flint.arb) -> str:
    """Return midpoint and radius in decimal; the radius is rounded up and covers the rounding of the midpoint.

    An exact ball is printed as its number if 20 digits suffice, and with an ellipsis otherwise.
    """
    if not x.is_finite():
        return "[not finite]"
    with precision(64):
        if x.is_exact():
            return _str_exact(x)
        digits = 3 if x.mid().is_zero() else int(max(3, min(60, x.rel_accuracy_bits() * 0.30103 + 2)))
        return str(x.str(digits, more=True))


def _str_exact(x: flint.arb) -> str:
    mantissa, exponent = (int(part) for part in x.man_exp())
    if x.is_zero() or (exponent >= 0 and mantissa.bit_length() + exponent < 200):
        return str(mantissa << exponent)
    text = str(x.str(20, radius=False))
    if abs(exponent) < 200 and Fraction(text) == Fraction(mantissa) * Fraction(2) ** exponent:
        return text.rstrip("0") if "e" not in text else text
    return f"{text}…"
