"""Upper bounds of the interpolation error in terms of derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic

from .denominator import denominator_reciprocal
from .gap_domain import interval_ends
from .geometry import gap_lengths, max_gap, mesh_ratio
from .nodes import nodes_from

__all__ = ["berrut_pointwise_error_bound", "checked_derivatives", "error_bound"]


def error_bound(
    nodes: Any, d: int, derivatives: Mapping[int, Any], interval: Any = None, arithmetic: Arithmetic = FLOAT
) -> Any:
    r"""Return the error bound of Floater and Hormann on the hull of the nodes.

    With n + 1 nodes, h the largest gap and b - a the length of the hull, for :math:`d\ge1`

    .. math:: \|f-r\|\le h^{d+1}\Big[(b-a)\frac{\|f^{(d+2)}\|}{d+2}+[n-d\text{ even}]\frac{\|f^{(d+1)}\|}{d+1}\Big]

    and for d = 0, Berrut's weights, with the mesh ratio :math:`\beta`

    .. math:: \|f-r\|\le h(1+\beta)\Big[(b-a)\frac{\|f''\|}2+[n\text{ even}]\,\|f'\|\Big].

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    d : int
        Blending degree, 0 <= d <= n.
    derivatives : mapping of int to number
        Bounds of the derivatives' norms on the hull, by order: d + 2, and d + 1 if n - d is even.
    interval : pair of numbers, optional
        Where the bound is wanted; it must lie in the hull.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        An upper bound.

    Raises
    ------
    ValueError
        If the interval leaves the hull, where the statement is false, or a derivative is missing.

    Notes
    -----
    M. S. Floater, K. Hormann, Numer. Math. 107:315-331 (2007); :math:`f\in C^{d+2}`. For d = 0 no factor
    below 1/2 can be gained for all nodes: -1, -e, e, 1 come close to it as e tends to 0.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> error_bound([0, 1, 2, 3], 1, {2: 2, 3: 6}, arithmetic=EXACT)       # x**3 and n - d even
    Rational(7, 1)
    """
    known = nodes_from(nodes)
    known.require_ordered()
    n = len(known) - 1
    if isinstance(d, (bool, np.bool_)) or not hasattr(d, "__index__"):
        raise TypeError(f"d must be an integer, got {d!r}")
    if n < 1 or not 0 <= d <= n:
        raise ValueError(f"d must be from 0 to n = {n} and nodes at least 2, got d = {d} and {n + 1} nodes")
    if interval is not None:
        _require_in_hull(known, interval)
    needed = (d + 2,) if (n - d) % 2 else (d + 2, d + 1)
    norms = checked_derivatives(derivatives, needed, arithmetic)
    h = max_gap(known, arithmetic)
    x = known.over(arithmetic)
    length = abs(x[-1] - x[0])
    bracket = length * norms[d + 2] / (d + 2)
    if (n - d) % 2 == 0:
        bracket = bracket + norms[d + 1] / (d + 1)
    if d == 0:
        return arithmetic.number(h * (1 + mesh_ratio(known, arithmetic)) * bracket)
    return arithmetic.number(h ** (d + 1) * bracket)


def berrut_pointwise_error_bound(
    x: Any, nodes: Any, derivatives: Mapping[int, Any], arithmetic: Arithmetic = FLOAT
) -> Any:
    r"""Return an upper bound of the error of Berrut's interpolant at any point, in the hull or not.

    .. math:: |f(x)-r(x)|\le\frac1{|D(x)|}\Big[\tfrac12\|f''\|\sum_{i\text{ even},\,i<n}g_i+[n\text{ even}]\,\|f'\|\Big]

    Parameters
    ----------
    x : number or array_like
    nodes : Nodes or array_like
        Real nodes; gaps are numbered from the smallest node on.
    derivatives : mapping of int to number
        Bounds of the derivatives' norms, by order (2, and 1 if n is even), on the smallest interval around
        the nodes and x.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number or numpy.ndarray
        Attained for two nodes.

    Notes
    -----
    :math:`f-r=D^{-1}\sum_iw_if[x_i,x]`, and two neighbouring terms make
    :math:`(x_{i+1}-x_i)f[x_i,x_{i+1},x]`.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> berrut_pointwise_error_bound(2, [-1, 1], {2: 2}, EXACT)             # x**2 - r(x) = x**2 - 1 = 3
    Rational(3, 1)
    """
    known = nodes_from(nodes)
    known.require_ordered()
    n = len(known) - 1
    norms = checked_derivatives(derivatives, (2,) if n % 2 else (1, 2), arithmetic)
    bracket = arithmetic.number(0)
    if n:
        gaps = gap_lengths(known, arithmetic)
        for gap in gaps[: n - n % 2 : 2] if n % 2 == 0 else gaps[::2]:
            bracket = bracket + gap
    bracket = bracket * norms[2] / 2
    if n % 2 == 0:
        bracket = bracket + norms[1]
    return denominator_reciprocal(x, known, arithmetic=arithmetic) * bracket


def checked_derivatives(
    derivatives: Mapping[int, Any], orders: tuple[int, ...], arithmetic: Arithmetic
) -> dict[int, Any]:
    """Return the norms of the derivatives of the given orders as numbers, or raise."""
    if not isinstance(derivatives, Mapping):
        raise TypeError(f"derivatives must be a mapping such as {{{orders[0]}: norm}}, got {derivatives!r}")
    norms = {}
    for order in orders:
        if order not in derivatives:
            raise ValueError(f"derivatives must hold a bound for order {order}, got orders {sorted(derivatives)}")
        norm = arithmetic.number(derivatives[order])
        if (norm < 0) is True:
            raise ValueError(f"derivatives[{order}] must be a norm, not negative, got {derivatives[order]}")
        norms[order] = norm
    return norms


def _require_in_hull(nodes: Any, interval: Any) -> None:
    a, b = interval_ends(interval)
    below_a, a_is_node = nodes.position(a)
    below_b, b_is_node = nodes.position(b)
    if (below_a == 0 and not a_is_node) or (below_b == len(nodes) and not b_is_node):
        raise ValueError(
            f"interval must lie in the hull of the nodes, got {interval}; the bound fails outside, "
            "use berrut_pointwise_error_bound"
        )
