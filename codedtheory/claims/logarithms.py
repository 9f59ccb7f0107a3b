r"""Logarithms in proofs that hold for every n: sums of reciprocals between logarithms.

All of them rest on two facts, which a claim that uses these proofs names among its hypotheses:
:math:`\ln(1+y)\le y` for :math:`y>-1` and :math:`\ln\frac{1+y}{1-y}\ge2y` for :math:`0\le y<1`.
"""

from __future__ import annotations

from fractions import Fraction

from codedtheory.claims.comparison import Comparison, at_least, at_most, equal
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import nonnegative, positive

__all__ = ["LOGARITHM", "half_harmonic_above", "harmonic_below_double", "later_harmonic_below"]

LOGARITHM = "ln(1+y) ≤ y for y > -1 and ln((1+y)/(1-y)) ≥ 2y for 0 ≤ y < 1"


def harmonic_below_double() -> list[Comparison]:
    r"""Return the proof, by induction on m, of :math:`1+\frac12+\dots+\frac1m\le\ln(2m+1)`.

    Returns
    -------
    list of Comparison
        In the step :math:`\ln(2m-1)=H+s`, and :math:`\ln(2m+1)-\ln(2m-1)=2y+d` with :math:`y=\frac1{2m}`.

    Examples
    --------
    >>> for line in harmonic_below_double():
    ...     print(line.label, line.outcome)
    base, ln 3, y = 1/2 holds
    step, (2m + 1)/(2m - 1) holds
    step, one term more holds
    """
    (m,), (H, s, d) = positive("m"), nonnegative("H s d")
    y = 1 / (2 * m)
    return induction(
        base=at_most(1, 1 + d, "ln 3, y = 1/2"),
        step=[
            equal((1 + y) / (1 - y), (2 * m + 1) / (2 * m - 1), "(2m + 1)/(2m - 1)"),
            at_most(H + 1 / m, (H + s) + (2 * y + d), "one term more"),
        ],
    )


def later_harmonic_below() -> list[Comparison]:
    r"""Return the proof, by induction on m, of :math:`\frac12+\frac13+\dots+\frac1m\le\ln m`.

    Returns
    -------
    list of Comparison
        In the step :math:`\ln m=H+s` and :math:`\ln\frac m{m+1}=\ln(1-y)=-(y+d)` with :math:`y=\frac1{m+1}`.

    Examples
    --------
    >>> [str(line.outcome) for line in later_harmonic_below()]
    ['holds', 'holds', 'holds']
    """
    (m,), (H, s, d) = positive("m"), nonnegative("H s d")
    y = 1 / (m + 1)
    return induction(
        base=at_most(Fraction(1, 2), Fraction(1, 2) + d, "ln 2, y = 1/2"),
        step=[
            equal(1 - y, m / (m + 1), "m/(m + 1)"),
            at_most(H + 1 / (m + 1), (H + s) + (y + d), "one term more"),
        ],
    )


def half_harmonic_above() -> list[Comparison]:
    r"""Return the proof, by induction on b, of :math:`\sum_{k=a}^b\frac1{k-1/2}\ge\ln\frac{b+1/2}{a-1/2}`.

    Returns
    -------
    list of Comparison
        In the step the sum so far is its logarithm and s, and
        :math:`\ln\frac{b+1/2}{b-1/2}=\ln(1+y)=y-d` with :math:`y=\frac1{b-1/2}`. For a = 1 it is
        :math:`1+\frac13+\dots+\frac1{2b-1}\ge\frac12\ln(2b+1)`, doubled.

    Examples
    --------
    >>> [str(line.outcome) for line in half_harmonic_above()]
    ['holds', 'holds', 'holds']
    """
    (b,), (L, s, d) = positive("b"), nonnegative("L s d")
    y = 2 / (2 * b - 1)
    return induction(
        base=at_least(y, y - d, "one term"),
        step=[
            equal(1 + y, (2 * b + 1) / (2 * b - 1), "(b + 1/2)/(b - 1/2)"),
            at_least((L + s) + y, L + (y - d), "one term more"),
        ],
    )
