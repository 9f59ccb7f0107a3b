"""Geometry of real nodes: gaps, ratios of gaps, and the constants of well spaced nodes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, maximum, minimum

from .nodes import Nodes, nodes_from

__all__ = [
    "WellSpacing",
    "adjacent_ratio",
    "gap_lengths",
    "max_gap",
    "mesh_ratio",
    "min_gap",
    "quasi_uniformity",
    "well_spaced_constants",
]

Array = npt.NDArray[Any]


class WellSpacing(NamedTuple):
    """The smallest constants for which nodes are well spaced.

    Attributes
    ----------
    R : number
        Largest ratio of adjacent gaps.
    C : number
        Largest scaled share of a gap in the distance across it.
    """

    R: Any
    C: Any


def gap_lengths(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Array:
    """Return the gaps between neighbouring nodes, from the smallest node on.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes, in either direction.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    numpy.ndarray
        Shape (n,) for n + 1 nodes, positive numbers of the arithmetic.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> gap_lengths([0, 1, 3], EXACT).tolist()
    [Rational(1, 1), Rational(2, 1)]
    """
    return _gaps(_real(nodes, 2), arithmetic)


def max_gap(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    """Return h, the largest gap between neighbouring nodes.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> max_gap([0, 1, 3], EXACT)
    Rational(2, 1)
    """
    return _largest(gap_lengths(nodes, arithmetic))


def min_gap(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    """Return the smallest gap between neighbouring nodes.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> min_gap([0, 1, 3], EXACT)
    Rational(1, 1)
    """
    gaps = gap_lengths(nodes, arithmetic)
    return float(gaps.min()) if gaps.dtype != object else minimum(gaps)


def quasi_uniformity(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return :math:`h/h_*`, the largest gap over the smallest.

    Nodes are quasi-equidistant with constant M if this quotient is at most M.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        At least 1.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> quasi_uniformity([0, 1, 3], EXACT)
    Rational(2, 1)
    """
    return max_gap(nodes, arithmetic) / min_gap(nodes, arithmetic)


def mesh_ratio(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the mesh ratio of Floater and Hormann, a maximum of minima.

    .. math:: \beta=\max_{1\le i\le n-2}\min\{g_i/g_{i-1},\,g_i/g_{i+1}\}

    for the gaps :math:`g_0,\dots,g_{n-1}`, and 0 if there are fewer than three. It never exceeds
    `adjacent_ratio`, the maximum of maxima.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number

    References
    ----------
    M. S. Floater, K. Hormann, Numer. Math. 107:315-331 (2007).

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> mesh_ratio([0, 1, 3, 7], EXACT), adjacent_ratio([0, 1, 3, 7], EXACT)
    (Rational(1, 2), Rational(2, 1))
    """
    real = _real(nodes, 1)
    if len(real) < 4:
        return arithmetic.number(0)
    return _largest(mesh_ratios(_gaps(real, arithmetic)))


def adjacent_ratio(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the largest ratio of adjacent gaps, a maximum of maxima.

    .. math:: R=\max_k\max\{g_k/g_{k-1},\,g_{k-1}/g_k\}

    for the gaps :math:`g_0,\dots,g_{n-1}`, and 1 if there are fewer than two.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        At least 1.

    References
    ----------
    L. Bos, S. De Marchi, K. Hormann, J. Sidon, Bounding the Lebesgue constant of Berrut's rational
    interpolant at general nodes, J. Approx. Theory 169:7-22 (2013).

    Examples
    --------
    >>> float(round(adjacent_ratio([0.0, 1.0, 4.0, 6.0]), 12))
    3.0
    """
    real = _real(nodes, 1)
    if len(real) < 3:
        return arithmetic.number(1)
    return _largest(adjacent_ratios(_gaps(real, arithmetic)))


def well_spaced_constants(nodes: Any, arithmetic: Arithmetic = FLOAT) -> WellSpacing:
    r"""Return the smallest R and C for which the nodes are well spaced.

    R is `adjacent_ratio`; C is the smallest number with

    .. math:: \frac{x_{k+1}-x_k}{x_{k+1}-x_j}\le\frac C{k+1-j}\ (0\le j\le k),\qquad
              \frac{x_{k+1}-x_k}{x_j-x_k}\le\frac C{j-k}\ (k+1\le j\le n)

    for all k. Equidistant nodes have R = C = 1. A single node has no gap; both constants are 1 then.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    WellSpacing
        Both at least 1.

    References
    ----------
    L. Bos, S. De Marchi, K. Hormann, J. Sidon, J. Approx. Theory 169:7-22 (2013).

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> well_spaced_constants([0, 1, 3], EXACT)
    WellSpacing(R=Rational(2, 1), C=Rational(4, 3))
    """
    real = _real(nodes, 1)
    if len(real) < 2:
        return WellSpacing(arithmetic.number(1), arithmetic.number(1))
    count = len(real)
    if arithmetic is FLOAT:
        high, low = (_increasing(real, part) for part in real.two_doubles()[:2])
        distance = np.abs((high[None, :] - high[:, None]) + (low[None, :] - low[:, None]))
    else:
        x = _increasing(real, real.over(arithmetic))
        distance = arithmetic.zeros((count, count))
        for i in range(count):
            distance[i, i + 1 :] = x[i + 1 :] - x[i]
            distance[i + 1 :, i] = distance[i, i + 1 :]
    return WellSpacing(adjacent_ratio(real, arithmetic), _largest(spacing_quotients(distance)))


def mesh_ratios(gaps: Array) -> Array:
    """Return min(g_i/g_(i-1), g_i/g_(i+1)) for every gap that has two neighbours, along the last axis."""
    middle, before, after = gaps[..., 1:-1], gaps[..., :-2], gaps[..., 2:]
    return _elementwise(middle / before, middle / after, smaller=True)


def adjacent_ratios(gaps: Array) -> Array:
    """Return the ratio, at least 1, of every pair of adjacent gaps, along the last axis."""
    return _elementwise(gaps[..., 1:] / gaps[..., :-1], gaps[..., :-1] / gaps[..., 1:], smaller=False)


def spacing_quotients(distance: Array) -> Array:
    """Return all quotients whose maximum is C, from distances of shape (..., n + 1, n + 1)."""
    count = distance.shape[-1]
    k = np.arange(count - 1)
    gap = distance[..., k, k + 1]
    quotients = []
    for j in range(count):
        left = k[k >= j]
        right = k[k + 1 <= j]
        quotients.append((left + 1 - j) * gap[..., left] / distance[..., left + 1, j])
        quotients.append((j - right) * gap[..., right] / distance[..., j, right])
    return np.concatenate(quotients, axis=-1)


def _elementwise(a: Array, b: Array, smaller: bool) -> Array:
    if a.dtype != object:
        return np.minimum(a, b) if smaller else np.maximum(a, b)
    pick = minimum if smaller else maximum
    result = np.empty(a.shape, dtype=object)
    for index in np.ndindex(*a.shape):
        result[index] = pick((a[index], b[index]))
    return result


def _largest(values: Array) -> Any:
    return float(values.max()) if values.dtype != object else maximum(values)


def _real(nodes: Any, fewest: int) -> Nodes:
    result = nodes_from(nodes)
    result.require_ordered()
    if len(result) < fewest:
        raise ValueError(f"nodes must be at least {fewest}, got {len(result)}; a gap has two ends")
    return result


def _increasing(nodes: Nodes, values: Array) -> Array:
    return values if nodes.is_increasing else values[::-1]


def _gaps(nodes: Nodes, arithmetic: Arithmetic) -> Array:
    if arithmetic is FLOAT:
        high, low = (_increasing(nodes, part) for part in nodes.two_doubles()[:2])
        return np.asarray((high[1:] - high[:-1]) + (low[1:] - low[:-1]))
    x = _increasing(nodes, nodes.over(arithmetic))
    return np.asarray(x[1:] - x[:-1])
