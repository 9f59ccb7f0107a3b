"""The reciprocal of Berrut's denominator: values, suprema and bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, maximum

from .gap_frame import GapFrame
from .gap_suprema import largest_over_gaps
from .geometry import gap_lengths
from .node_sets import checked_workers
from .nodes import Nodes, nodes_from
from .points import as_point
from .weights import weights_for

__all__ = [
    "chebyshev_denominator_bound_off_hull",
    "denominator_bound_hull",
    "denominator_bound_off_hull",
    "denominator_bounds_by_gap",
    "denominator_reciprocal",
    "largest_denominator_reciprocal",
]

Array = npt.NDArray[Any]


def denominator_reciprocal(x: Any, nodes: Any, weights: Any = "berrut", arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return :math:`1/|D(x)|`, :math:`D(x)=\sum_iw_i/(x-x_i)`, which is 0 at the nodes.

    For Berrut's weights this is the factor by which the interpolant misses x itself (n even), and the
    pointwise factor of every error bound.

    Parameters
    ----------
    x : number or array_like
        Points, anywhere on the line.
    nodes : Nodes or array_like
        Real nodes.
    weights : {"berrut", "berrut-half"}, Weights or array_like
        Only the ratio to the first weight matters if they are not Berrut's; they are taken as
        ``weights.over(arithmetic)`` gives them.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number or numpy.ndarray
        Of the shape of `x`.

    Raises
    ------
    PrecisionError
        If balls cannot tell x from a node.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> denominator_reciprocal("1/2", [-1, 0, 1], arithmetic=EXACT)
    Rational(3, 10)
    """
    known = nodes_from(nodes)
    known.require_ordered()
    w = weights_for(known, weights).over(arithmetic)
    if arithmetic is FLOAT:
        values = _float_reciprocal(arithmetic.array(x), known, w)
        return float(values) if values.ndim == 0 else values
    points = arithmetic.array(x)
    z = known.over(arithmetic)
    result = np.empty(points.shape, dtype=object)
    for index, point in np.ndenumerate(points):
        result[index] = _reciprocal_at(point, z, w, arithmetic)
    return result[()] if result.ndim == 0 else result


def _float_reciprocal(x: npt.NDArray[np.float64], nodes: Nodes, w: Array) -> npt.NDArray[np.float64]:
    high, low, _ = nodes.two_doubles()
    difference = (x[..., None] - high) - low
    at_node = difference == 0
    with np.errstate(divide="ignore"):
        total = np.abs((w / np.where(at_node, 1.0, difference)).sum(axis=-1))
        return np.where(at_node.any(axis=-1), 0.0, 1.0 / total)


def _reciprocal_at(x: Any, nodes: Array, weights: Array, arithmetic: Arithmetic) -> Any:
    total = arithmetic.number(0)
    for node, weight in zip(nodes, weights, strict=True):
        difference = x - node
        if difference == 0:
            return arithmetic.number(0)
        total = total + weight / difference
    return abs(1 / total)


def largest_denominator_reciprocal(
    nodes: Any,
    interval: Any = None,
    half_ends: bool = False,
    arithmetic: Arithmetic = FLOAT,
    tolerance: str | Fraction = "1e-9",
) -> Any:
    r"""Return :math:`\sup_x1/|D(x)|` for Berrut's weights.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    interval : pair of numbers, optional
        Where x runs; by default the hull of the nodes.
    half_ends : bool, default False
        Whether the first and the last weight are halved.
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates the supremum (to about 1e-12, from below), ``ball(bits)`` encloses it.
    tolerance : str or Fraction, default "1e-9"
        Relative width of the enclosure, at least 1e-12.

    Returns
    -------
    float or Ball
        For n even the exact worst error of the interpolant of f(x) = x.

    Raises
    ------
    PrecisionError
        If there is a pole on the interval (possible for halved ends outside the hull), or it can't be excluded.

    Examples
    --------
    >>> round(largest_denominator_reciprocal([-1, 0, 1]), 6)
    0.300283
    """
    known = nodes_from(nodes)
    known.require_ordered()
    weights = "berrut-half" if half_ends else "berrut"
    return largest_over_gaps(known, weights, interval, GapFrame.reciprocal, arithmetic, tolerance)


def denominator_bounds_by_gap(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Array:
    r"""Return an upper bound of :math:`1/|D|` on each gap, for Berrut's weights.

    .. math:: \frac1{|D(x)|}\le\frac{g_k}4\Big(1+\frac{\rho_k}2\Big)\text{ in an interior gap},\qquad
              \rho_k=\max\{g_k/g_{k-1},g_k/g_{k+1}\},\qquad \frac1{|D(x)|}\le g_k\text{ in an end gap}

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    numpy.ndarray
        Shape (n,), from the smallest node on.

    Notes
    -----
    With v = t(1 - t) for the relative position t, the four nodes around the gap give
    :math:`g_kv|D|\ge1-v(1+2/\rho)/(v+1/\rho+1/\rho^2)\ge2/(\rho+2)`, worst at v = 1/4. Attained in the limit of
    large ratios.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> denominator_bounds_by_gap([0, 1, 3, 4], EXACT).tolist()
    [Rational(1, 1), Rational(1, 1), Rational(1, 1)]
    """
    gaps = gap_lengths(nodes, arithmetic)
    bounds = gaps.copy()
    for k in range(1, len(gaps) - 1):
        ratio = maximum((gaps[k] / gaps[k - 1], gaps[k] / gaps[k + 1]))
        bounds[k] = gaps[k] * (2 + ratio) / 8
    return bounds


def denominator_bound_hull(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    """Return an upper bound of 1/abs(D) on the hull of the nodes, for Berrut's weights.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        The largest of `denominator_bounds_by_gap`.

    Examples
    --------
    >>> denominator_bound_hull([0.0, 1.0, 3.0, 4.0])
    1.0
    """
    bounds = denominator_bounds_by_gap(nodes, arithmetic)
    return float(bounds.max()) if bounds.dtype != object else maximum(bounds)


def denominator_bound_off_hull(x: Any, nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of :math:`1/|D(x)|` outside the hull, for Berrut's weights.

    .. math:: \frac1{|D(x)|}\le\frac{(x-x_n)(x-x_{n-1})}{x_n-x_{n-1}}\quad(x>x_n)

    and its mirror image for :math:`x<x_0`: two terms of an alternating sum that decreases.

    Parameters
    ----------
    x : number
        A point outside the hull; a float is taken as it is.
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        Attained for two nodes.

    Raises
    ------
    ValueError
        If x lies in the hull.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> denominator_bound_off_hull(2, [-1, 0, 1], EXACT)
    Rational(2, 1)
    """
    known = nodes_from(nodes)
    if len(known) < 2:
        raise ValueError(f"nodes must be at least 2, got {len(known)}")
    below, is_node = known.position(x)
    if is_node or 0 < below < len(known):
        raise ValueError(f"x must lie outside the hull of the nodes, got {x}; use denominator_bounds_by_gap inside")
    point = arithmetic.number(as_point(x))
    z = known.over(arithmetic)
    if not known.is_increasing:
        z = z[::-1]
    near, next_to_near = (z[0], z[1]) if below == 0 else (z[-1], z[-2])
    return abs(point - near) * abs(point - next_to_near) / abs(near - next_to_near)


def chebyshev_denominator_bound_off_hull(workers: int, lost_at_end: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of :math:`1/|D|` on [-1, 1] beyond the survivors' hull, for Berrut's weights.

    .. math:: \frac1{|D(x)|}\le2\sin^2(ma)\Big(1+\frac{\sin^2(ma)}{\sin((2m+1)a)\sin a}\Big),\qquad a=\frac\pi{2N}

    if m workers in a row are lost at an end of the N + 1 Chebyshev points of the second kind, and the next
    two survive; it also holds if the second of them is lost.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1.
    lost_at_end : int
        0 <= m <= N - 1.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * N)`` and balls make it rigorous.

    Returns
    -------
    number
        At most :math:`2(1+m^2)\sin((m+1)a)`.

    Examples
    --------
    >>> round(chebyshev_denominator_bound_off_hull(3, 1), 6)     # N = 2: 1 + cos(pi/2), plus the square part
    2.0
    """
    workers, lost = checked_workers(workers, lost_at_end, 2)
    a = Fraction(1, 2 * (workers - 1))
    reach = arithmetic.sin_pi(lost * a)
    square = reach * reach
    return 2 * square * (1 + square / (arithmetic.sin_pi((2 * lost + 1) * a) * arithmetic.sin_pi(a)))
