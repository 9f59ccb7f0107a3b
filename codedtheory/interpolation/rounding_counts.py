r"""How many rounding errors a formula collects, and what they amount to.

In the standard model of floating-point arithmetic every operation returns its result times
:math:`1+\delta`, :math:`|\delta|\le u`, unless it overflows or underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["RoundingCount", "accumulated_error", "quotient_error"]


@dataclass(frozen=True)
class RoundingCount:
    r"""A number in a formula, known only by its rounding errors.

    It stands for a sum of terms, each of which carries at most `roundings` factors :math:`(1+\delta)^{\pm1}`.
    Running a formula on such numbers counts its rounding errors. Python's integers in the formula are exact, and to
    multiply by 1 or -1 costs nothing.

    Attributes
    ----------
    roundings : int

    Examples
    --------
    >>> a, b, c = (RoundingCount() for _ in range(3))
    >>> (a - b) * (a - c) + b
    RoundingCount(roundings=4)
    """

    roundings: int = 0

    def __add__(self, other: RoundingCount) -> RoundingCount:
        return RoundingCount(max(self.roundings, other.roundings) + 1)

    __sub__ = __add__

    def __mul__(self, other: RoundingCount) -> RoundingCount:
        return RoundingCount(self.roundings + other.roundings + 1)

    __truediv__ = __mul__

    def __rtruediv__(self, other: int) -> RoundingCount:
        return RoundingCount(self.roundings + 1)


def accumulated_error(roundings: Any, u: Any) -> Any:
    r"""Return :math:`\gamma_k=\frac{ku}{1-ku}`, which bounds :math:`\big|\prod_{i=1}^k(1+\delta_i)^{\pm1}-1\big|`.

    Parameters
    ----------
    roundings : int or SymPy expression
        The number k of factors, ku < 1.
    u : number or SymPy expression
        Unit roundoff.

    Returns
    -------
    number or SymPy expression

    Notes
    -----
    N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), lemma 3.1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> accumulated_error(2, Fraction(1, 10))
    Fraction(1, 4)
    """
    return roundings * u / (1 - roundings * u)


def quotient_error(above: Any, below: Any, of_data: Any, of_one: Any, u: Any) -> Any:
    r"""Return a bound of the relative error of a quotient of two sums.

    .. math:: \frac{\gamma_a\kappa+\gamma_b\mu+u(1+\gamma_a\kappa)}{1-\gamma_b\mu}

    Parameters
    ----------
    above, below : int or SymPy expression
        The numbers a and b of rounding errors on the terms of the two sums.
    of_data, of_one : number or SymPy expression
        :math:`\kappa` and :math:`\mu`: the sums of the moduli of their terms, over the moduli of the sums.
    u : number or SymPy expression
        Unit roundoff.

    Returns
    -------
    number or SymPy expression

    Raises
    ------
    ValueError
        If the denominator may have no correct digit.

    Examples
    --------
    >>> from fractions import Fraction
    >>> quotient_error(1, 1, 1, 1, Fraction(1, 11))
    Fraction(1, 3)
    """
    numerator, denominator = accumulated_error(above, u) * of_data, accumulated_error(below, u) * of_one
    if (denominator >= 1) is True:
        raise ValueError(f"u must be smaller for a condition number of {of_one}, got {u}; the denominator may vanish")
    return (numerator + denominator + u * (1 + numerator)) / (1 - denominator)
