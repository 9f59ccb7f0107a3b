"""Barycentric weights in doubles of unlimited range, of one node set or of many subsets at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .differences import UNIT_ROUNDOFF, differences
from .nodes import Nodes
from .scaled_floats import ScaledFloats, scaled_product
from .weight_rules import WeightRule

__all__ = ["scaled_weights", "subset_weights", "weight_error"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]
# distances between nodes of given ranks: shape (sets, ...) for rank arrays that broadcast to (...)
Distances = Callable[[IndexArray, IndexArray], FloatArray]
_ROWS = 256


def scaled_weights(rule: WeightRule, count: int, nodes: Nodes | None) -> ScaledFloats:
    """Return the moduli of the weights of real nodes, shape (count,)."""
    if nodes is None:
        return _berrut(rule, count)
    nodes.require_ordered()
    if rule.kind == "lagrange":
        return _lagrange(nodes)
    high, low, _ = nodes.two_doubles()

    def distance(i: IndexArray, j: IndexArray) -> FloatArray:
        gap: FloatArray = np.abs((high[i] - high[j]) + (low[i] - low[j]))
        return gap[None]

    return _floater_hormann(distance, 1, count, rule.d)[0]


def subset_weights(rule: WeightRule, distance: FloatArray, sets: IndexArray) -> ScaledFloats:
    """Return the moduli of the weights of many equally large subsets of nodes.

    Parameters
    ----------
    rule : WeightRule
    distance : numpy.ndarray, shape (n, n)
        Distances of all nodes.
    sets : numpy.ndarray of int, shape (sets, m)
        Sorted indices of the nodes of each subset.

    Returns
    -------
    ScaledFloats, shape (sets, m)
    """
    m = sets.shape[1]
    if not rule.needs_nodes:
        single = _berrut(rule, m)
        shape = sets.shape
        return ScaledFloats(np.broadcast_to(single.mantissa, shape), np.broadcast_to(single.exponent, shape))
    if rule.kind == "lagrange":
        gaps = distance[sets[:, :, None], sets[:, None, :]]
        gaps[:, np.arange(m), np.arange(m)] = 1.0
        return scaled_product(gaps).reciprocal()

    def pairs(i: IndexArray, j: IndexArray) -> FloatArray:
        return distance[sets[:, i], sets[:, j]]

    return _floater_hormann(pairs, len(sets), m, rule.d)


def _berrut(rule: WeightRule, count: int) -> ScaledFloats:
    sizes = np.ones(count)
    if rule.kind == "berrut-half":
        sizes[[0, -1]] = 0.5
    return ScaledFloats.of(sizes)


def _lagrange(nodes: Nodes) -> ScaledFloats:
    count = len(nodes)
    mantissa = np.empty(count)
    exponent = np.empty(count, dtype=np.int64)
    for start in range(0, count, _ROWS):
        rows = np.arange(start, min(start + _ROWS, count))
        gaps = np.abs(differences(nodes.take(rows), nodes))
        gaps[np.arange(len(rows)), rows] = 1.0
        product = scaled_product(gaps)
        mantissa[rows], exponent[rows] = product.mantissa, product.exponent
    return ScaledFloats(mantissa, exponent).reciprocal()


def _floater_hormann(distance: Distances, sets: int, count: int, d: int) -> ScaledFloats:
    windows = count - d
    shape = (sets, count)
    total = ScaledFloats(np.zeros(shape), np.full(shape, -(2**40), dtype=np.int64))
    if windows < d + 1:
        ranks = np.arange(d + 1)
        for i in range(windows):
            block = distance(i + ranks[:, None], i + ranks[None, :])
            block[:, ranks, ranks] = 1.0
            _accumulate(total, slice(i, i + d + 1), scaled_product(block).reciprocal())
        return total
    first = np.arange(windows)
    for own in range(d + 1):
        factors = np.ones((sets, windows, max(d, 1)))
        for place, j in enumerate(j for j in range(d + 1) if j != own):
            factors[:, :, place] = distance(first + own, first + j)
        _accumulate(total, slice(own, own + windows), scaled_product(factors).reciprocal())
    return total


def _accumulate(total: ScaledFloats, where: slice, terms: ScaledFloats) -> None:
    changed = total[:, where] + terms
    total.mantissa[:, where], total.exponent[:, where] = changed.mantissa, changed.exponent


def weight_error(rule: WeightRule, count: int, distance_error: float) -> float:
    r"""Return a bound on the relative errors of weights, scaled by one division to a maximum of 1.

    Notes
    -----
    A product of m distances, each with relative error at most e, and its reciprocal suffer m roundings; the sum of
    the d + 1 positive products of a Floater-Hormann weight suffers d + 1 more, and the scaling one. With k
    factors :math:`1+\theta_i`, :math:`|\theta_i|\le t`, the product is within :math:`kt/(1-kt)` of 1. (Aligning
    two summands by a power of two is exact unless it moves one below 2**-200 of the other, where the error is
    covered by one rounding more.)
    """
    if not rule.needs_nodes:
        return 0.0
    factors = count - 1 if rule.kind == "lagrange" else rule.d
    amount = factors * distance_error + (factors + 2 * rule.d + 6) * UNIT_ROUNDOFF
    return float(amount / (1 - 2 * amount))
