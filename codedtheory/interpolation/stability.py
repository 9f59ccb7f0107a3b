"""Rounding errors of barycentric formulas: condition numbers and error bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic

from .nodes import nodes_from
from .weights import weights_for

__all__ = [
    "PointConditions",
    "barycentric_rounding_bound",
    "berrut_rounding_bound",
    "higham_condition",
    "modified_lagrange_rounding_bound",
]


class PointConditions(NamedTuple):
    r"""Condition numbers of interpolation at a point.

    Attributes
    ----------
    of_data : number
        :math:`\mathrm{cond}(x,n,f)=\sum_i|\ell_i(x)f_i|/|r(x)|`; infinite (floats) if r(x) = 0.
    of_one : number
        :math:`\mathrm{cond}(x,n,1)=\sum_i|\ell_i(x)|`, the Lebesgue function.
    """

    of_data: Any
    of_one: Any


def higham_condition(
    x: Any, nodes: Any, values: Any, weights: Any = "lagrange", arithmetic: Arithmetic = FLOAT
) -> PointConditions:
    r"""Return the condition numbers that govern the rounding errors of barycentric formulas at a point.

    Parameters
    ----------
    x : number
    nodes : Nodes or array_like
        Real nodes.
    values : array_like
        Data at the nodes.
    weights : {"lagrange", "berrut", "berrut-half"}, int, Weights or array_like, default "lagrange"
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    PointConditions
        Both at least 1.

    Raises
    ------
    ZeroDivisionError
        If the interpolant vanishes at x, over exact arithmetics.

    Notes
    -----
    N. J. Higham, The numerical stability of barycentric Lagrange interpolation, IMA J. Numer. Anal.
    24:547-556 (2004).

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> higham_condition("1/2", [-1, 0, 1], [1, 0, 1], arithmetic=EXACT)
    PointConditions(of_data=Rational(2, 1), of_one=Rational(5, 4))
    """
    known = nodes_from(nodes)
    known.require_ordered()
    data = arithmetic.array(values)
    if data.shape != (len(known),):
        raise ValueError(f"values must be one for each of the {len(known)} nodes, got shape {data.shape}")
    point, z = arithmetic.number(x), known.over(arithmetic)
    described = weights_for(known, weights)
    differences = point - z
    for index, difference in enumerate(differences):
        if difference == 0:
            return PointConditions(_ratio(abs(data[index]), abs(data[index]), arithmetic), arithmetic.number(1))
    terms = described.over(arithmetic) / differences
    total, sizes = abs(terms.sum()), np.abs(terms)
    return PointConditions(
        _ratio((sizes * np.abs(data)).sum(), abs((terms * data).sum()), arithmetic),
        arithmetic.number(sizes.sum() / total),
    )


def modified_lagrange_rounding_bound(count: int, of_data: Any, u: Any) -> Any:
    r"""Return the first-order bound of the relative error of the first (modified Lagrange) form.

    .. math:: \frac{|\hat p(x)-p(x)|}{|p(x)|}\le(5n+5)\,u\,\mathrm{cond}(x,n,f)+O(u^2)

    Parameters
    ----------
    count : int
        Number of nodes, n + 1.
    of_data : number
        cond(x, n, f), see `higham_condition`.
    u : number
        Unit roundoff, 2**-53 for doubles.

    Returns
    -------
    number
        An upper bound up to terms of second order in u: the form is backward stable.

    Notes
    -----
    N. J. Higham, IMA J. Numer. Anal. 24:547-556 (2004).

    Examples
    --------
    >>> modified_lagrange_rounding_bound(3, 2, 2.0**-53) / 2.0**-53
    30.0
    """
    n = _gaps(count)
    return (5 * n + 5) * u * of_data


def barycentric_rounding_bound(count: int, of_data: Any, of_one: Any, u: Any) -> Any:
    r"""Return the first-order bound of the relative error of the second (barycentric) form.

    .. math:: \frac{|\hat p(x)-p(x)|}{|p(x)|}\le(3n+4)\,u\,\mathrm{cond}(x,n,f)+(3n+2)\,u\,\mathrm{cond}(x,n,1)+O(u^2)

    Parameters
    ----------
    count : int
        Number of nodes, n + 1.
    of_data, of_one : number
        cond(x, n, f) and cond(x, n, 1), see `higham_condition`.
    u : number
        Unit roundoff, 2**-53 for doubles.

    Returns
    -------
    number
        An upper bound up to terms of second order in u, for weights of polynomial interpolation that are
        computed in the same precision.

    Notes
    -----
    N. J. Higham, IMA J. Numer. Anal. 24:547-556 (2004).

    Examples
    --------
    >>> barycentric_rounding_bound(3, 2, 1, 2.0**-53) / 2.0**-53
    28.0
    """
    n = _gaps(count)
    return (3 * n + 4) * u * of_data + (3 * n + 2) * u * of_one


def berrut_rounding_bound(count: int, of_data: Any, of_one: Any, u: Any, first_order: bool = False) -> Any:
    r"""Return a bound of the relative rounding error of Berrut's interpolant, summed term by term.

    .. math:: \frac{|\hat r-r|}{|r|}\le\frac{\gamma_{n+3}\kappa+\gamma_{n+2}\mu+u(1+\gamma_{n+3}\kappa)}
              {1-\gamma_{n+2}\mu},\qquad\gamma_m=\frac{mu}{1-mu},

    with :math:`\kappa=\sum|\ell_if_i|/|r|` and :math:`\mu=\sum|\ell_i|`; to first order
    :math:`(n+4)u\kappa+(n+2)u\mu`.

    Parameters
    ----------
    count : int
        Number of nodes, n + 1.
    of_data, of_one : number
        The condition numbers of `higham_condition` for the weights ``"berrut"``.
    u : number
        Unit roundoff, 2**-53 for doubles.
    first_order : bool, default False
        Whether to return the first-order form, which leaves out terms of order u**2.

    Returns
    -------
    number
        An upper bound for nodes, data and x that are floats, weights 1 and -1 and no underflow.

    Raises
    ------
    ValueError
        If u is so large that the denominator may lose all its digits.

    Notes
    -----
    Each term of the numerator sees at most n + 3 roundings (a difference, a quotient, a product, n
    additions), each of the denominator n + 2, and the last division is one more
    (:math:`\gamma_m` as in N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1).

    Examples
    --------
    >>> berrut_rounding_bound(2, 1, 1, 2.0**-53, first_order=True) / 2.0**-53
    8.0
    """
    n = _gaps(count)
    if first_order:
        return (n + 4) * u * of_data + (n + 2) * u * of_one
    if (n + 3) * u >= 1:
        raise ValueError(f"u must be below 1/{n + 3} for {count} nodes, got {u}")
    numerator = (n + 3) * u / (1 - (n + 3) * u) * of_data
    denominator = (n + 2) * u / (1 - (n + 2) * u) * of_one
    if denominator >= 1:
        raise ValueError(f"u must be smaller for a condition number of {of_one}, got {u}; the denominator may vanish")
    return (numerator + denominator + u * (1 + numerator)) / (1 - denominator)


def _gaps(count: Any) -> int:
    if isinstance(count, (bool, np.bool_)) or not hasattr(count, "__index__"):
        raise TypeError(f"count must be an integer, got {count!r}")
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}")
    return int(count) - 1


def _ratio(size: Any, result: Any, arithmetic: Arithmetic) -> Any:
    if arithmetic is FLOAT and result == 0:
        return np.inf if size else 1.0
    return arithmetic.number(size / result)
