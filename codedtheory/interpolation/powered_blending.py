"""Floater-Hormann interpolants with powers of their blending functions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy.typing as npt

__all__ = ["blending_powers", "powered_cardinals", "powered_lebesgue_bound"]


def blending_powers(x: Any, nodes: Sequence[Any] | npt.NDArray[Any], d: int, gamma: int) -> list[Any]:
    r"""Return the powers of the blending functions of Floater and Hormann at a point.

    .. math:: \lambda_i(x)^\gamma=\Big(\frac{(-1)^i}{(x-x_i)\cdots(x-x_{i+d})}\Big)^\gamma,\quad 0\le i\le n-d

    Parameters
    ----------
    x : number or SymPy expression
        No node.
    nodes : sequence of numbers or SymPy expressions
        Increasing, n + 1 of them.
    d : int
        Blending degree, from 0 to n.
    gamma : int
        The power, at least 1.

    Returns
    -------
    list of numbers or SymPy expressions

    Examples
    --------
    >>> from fractions import Fraction
    >>> blending_powers(Fraction(1, 2), [0, 1, 2], 1, 2)
    [Fraction(16, 1), Fraction(16, 9)]
    """
    if not 0 <= d < len(nodes):
        raise ValueError(f"d must be from 0 to n = {len(nodes) - 1}, got {d}")
    if gamma < 1:
        raise ValueError(f"gamma must be at least 1, got {gamma}")
    powers = []
    for i in range(len(nodes) - d):
        product: Any = 1
        for node in nodes[i : i + d + 1]:
            product = product * (x - node)
        powers.append((-1) ** (i * gamma) / product**gamma)
    return powers


def powered_cardinals(x: Any, nodes: Sequence[Any] | npt.NDArray[Any], d: int, gamma: int) -> list[Any]:
    r"""Return the values :math:`\ell_0(x),\dots,\ell_n(x)` by which the powered interpolant weighs its data.

    .. math:: r(x)=\sum_i\lambda_i(x)^\gamma p_i(x)\Big/\sum_i\lambda_i(x)^\gamma=\sum_k\ell_k(x)f_k

    where :math:`p_i` interpolates the data at the nodes i, ..., i + d by a polynomial. For :math:`\gamma=1` this is the
    interpolant of Floater and Hormann; their barycentric weights depend on x otherwise.

    Parameters
    ----------
    x : number or SymPy expression
        No node.
    nodes : sequence of numbers or SymPy expressions
        Increasing, n + 1 of them.
    d : int
        Blending degree, from 0 to n.
    gamma : int
        The power, at least 1.

    Returns
    -------
    list of numbers or SymPy expressions

    Notes
    -----
    W. Themistoclakis and M. Van Barel, A generalization of Floater-Hormann interpolants, arXiv:2307.05345 (2023),
    describe a family with a parameter that is a positive integer; this one has every property that their abstract
    names.

    Examples
    --------
    >>> from fractions import Fraction
    >>> [str(value) for value in powered_cardinals(Fraction(1, 2), [0, 1, 2], 1, 2)]
    ['9/20', '3/5', '-1/20']
    """
    blending = blending_powers(x, nodes, d, gamma)
    total = sum(blending)
    cardinals: list[Any] = [0] * len(nodes)
    for i, share in enumerate(blending):
        window = range(i, i + d + 1)
        for k in window:
            term = share
            for s in window:
                if s != k:
                    term = term * (x - nodes[s]) / (nodes[k] - nodes[s])
            cardinals[k] = cardinals[k] + term
    return [value / total for value in cardinals]


def powered_lebesgue_bound(d: int, gamma: int, M: Any) -> Any:
    r"""Return an upper bound, independent of the number of nodes, of the Lebesgue constant with powers of at least 2.

    .. math:: \Lambda\le2^dM^d+\frac{2^{d+1}(1+M)M^{d+\gamma-1}}{d^{\gamma-1}}\ (d\ge1),\qquad
              \Lambda\le\frac{(1+M)^3}{1+2M}\ (d=0,\ \gamma\text{ odd}),\qquad\Lambda=1\ (d=0,\ \gamma\text{ even})

    Parameters
    ----------
    d : int
        Blending degree, at least 0.
    gamma : int
        The power, at least 2.
    M : number or SymPy expression
        The largest gap between neighbouring nodes over the smallest, or more.

    Returns
    -------
    number or SymPy expression
        A bound on the hull of the nodes, far from sharp: it shows that there is one.

    Notes
    -----
    The denominator is at least the sum over the windows of d + 1 nodes across x, a weighted mean of whose Lebesgue
    functions is at most the first term. Beside the nearest window across x, those to one side of it sum up to half of
    the second term at most.

    Examples
    --------
    >>> powered_lebesgue_bound(1, 2, 1), powered_lebesgue_bound(0, 2, 5)
    (Fraction(10, 1), 1)
    """
    if d < 0:
        raise ValueError(f"d must be at least 0, got {d}")
    if gamma < 2:
        raise ValueError(f"gamma must be at least 2, got {gamma}; the first powers have no such bound")
    if d == 0:
        return Fraction(1) * (1 + M) ** 3 / (1 + 2 * M) if gamma % 2 else 1
    return 2**d * M**d + Fraction(2 ** (d + 1), d ** (gamma - 1)) * (1 + M) * M ** (d + gamma - 1)
