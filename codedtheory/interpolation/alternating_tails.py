"""Alternating sums of reciprocal distances: what the nodes on one side of a point add to Berrut's denominator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["alternating_tail", "any_tail", "longer_tail"]


def alternating_tail(distances: Iterable[Any]) -> Any:
    r"""Return :math:`T=\frac1{e_0}-\frac1{e_1}+\frac1{e_2}-\dots` for the distances of the nodes on one side.

    In the gap between the nodes k and k + 1 of a sorted set, Berrut's denominator is
    :math:`(-1)^k` times the sum of the tails of both sides.

    Parameters
    ----------
    distances : iterable of numbers or SymPy expressions
        Positive, from the nearest node on.

    Returns
    -------
    number or sympy.Expr
        0 for no node.

    Examples
    --------
    >>> from fractions import Fraction
    >>> alternating_tail([Fraction(1), Fraction(2), Fraction(4)])
    Fraction(3, 4)
    """
    total: Any = 0
    for distance in reversed(list(distances)):
        total = longer_tail(distance, total)
    return total


def longer_tail(distance: Any, tail: Any) -> Any:
    """Return the tail with one more node, nearer than the others: 1/distance - tail.

    Examples
    --------
    >>> from fractions import Fraction
    >>> longer_tail(Fraction(1, 2), Fraction(1, 3))
    Fraction(5, 3)
    """
    return 1 / distance - tail


def any_tail(distance: Any, share: Any) -> Any:
    r"""Return an arbitrary value of a tail whose nearest node has the given distance.

    Tails lie in :math:`(0,1/e]`, e the distance of the nearest node. As the share runs over the
    non-negative numbers, :math:`\frac1{e(1+\text{share})}` runs over this interval: a symbol for the share
    stands for any number of nodes, at any distances.

    Parameters
    ----------
    distance : number or SymPy expression
        Positive.
    share : number or SymPy expression
        Non-negative.

    Returns
    -------
    number or sympy.Expr

    Examples
    --------
    >>> from fractions import Fraction
    >>> any_tail(Fraction(2), Fraction(0)), any_tail(Fraction(2), Fraction(3))
    (Fraction(1, 2), Fraction(1, 8))
    """
    return 1 / (distance * (1 + share))
