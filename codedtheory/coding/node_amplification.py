"""Amplification of polynomial codes, read off the distances of their nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import Any

import numpy as np

from codedtheory.arithmetic import Arithmetic, maximum

from .cyclic_mds_codes import distinct_nodes
from .survivors import checked_count, checked_stragglers

__all__ = ["circle_amplification", "worst_circle_amplification", "worst_line_amplification"]

Distances = np.ndarray[Any, Any]


def worst_line_amplification(nodes: Any, s: int) -> Any:
    r"""Return the largest amplification of `polynomial_cyclic` at real nodes, over all sets of s stragglers.

    Partition j is on the workers :math:`W_j`; with the survivors :math:`T=W_j\setminus S` among them and the
    stragglers :math:`U=S\setminus W_j` outside, of which there is one less, its amplification is

    .. math:: A_j(S)=\sum_{i\in T}\frac{\prod_{u\in U}|x_i-x_u|}{\prod_{l\in T,\,l\ne i}|x_i-x_l|}.

    Parameters
    ----------
    nodes : array_like, shape (n,)
        Distinct real numbers, of any kind and in any order.
    s : int
        Stragglers, below n.

    Returns
    -------
    number
        Of the kind of the nodes.

    Notes
    -----
    All other factors of :math:`a_iB_{ij}=\prod_{l\notin W_j}(x_i-x_l)\prod_{l\in R,\,l\ne i}(x_i-x_l)^{-1}` cancel.

    Examples
    --------
    >>> str(worst_line_amplification(range(6), 1))
    '9'
    """
    x = distinct_nodes(nodes)
    distances = np.abs(np.subtract.outer(x, x))
    return _largest(distances, checked_stragglers(s, x.size), range(x.size))


def worst_circle_amplification(n: int, s: int, step: int, arithmetic: Arithmetic) -> Any:
    r"""Return the largest amplification of `polynomial_cyclic` at the nodes :math:`e^{2\pi\mathrm ibi/n}` of step b.

    Parameters
    ----------
    n : int
        Workers.
    s : int
        Stragglers, below n.
    step : int
        b, coprime to n.
    arithmetic : Arithmetic
        ``cyclotomic(4 * n)`` for the exact value, balls for an enclosure.

    Returns
    -------
    number

    Notes
    -----
    The distances :math:`2\sin(\pi k/n)` are real, and all partitions are alike. See `worst_line_amplification`.

    Examples
    --------
    >>> from codedtheory.arithmetic import cyclotomic
    >>> field = cyclotomic(20)
    >>> worst_circle_amplification(5, 1, 2, field) == 2 * field.cos_pi(Fraction(1, 5))      # the golden ratio
    True
    """
    distances = _chords(n, step, arithmetic)
    return _largest(distances, checked_stragglers(s, n), [0])


def circle_amplification(n: int, stragglers: Iterable[int], step: int, arithmetic: Arithmetic) -> Any:
    r"""Return the amplification of one straggler set for the nodes of `worst_circle_amplification`.

    Parameters
    ----------
    n : int
        Workers.
    stragglers : iterable of int
        Distinct workers, fewer than n. Their number is the s of the code.
    step : int
        b, coprime to n.
    arithmetic : Arithmetic

    Returns
    -------
    number

    Examples
    --------
    >>> from codedtheory.arithmetic import ball
    >>> circle_amplification(6, [0, 1], 1, ball(64)) > 6
    True
    """
    distances = _chords(n, step, arithmetic)
    lost = sorted({checked_count("stragglers", worker, least=0, most=n - 1) for worker in stragglers})
    s = checked_stragglers(len(lost), n)
    found = []
    for j in range(n):
        window = {(j - k) % n for k in range(s + 1)}
        inside, outside = sorted(window.difference(lost)), [u for u in lost if u not in window]
        found.append(_amplification(distances, inside, _weights(distances, inside), outside))
    return maximum(found)


def _chords(n: int, step: int, arithmetic: Arithmetic) -> Distances:
    workers = checked_count("n", n, least=1)
    if gcd(checked_count("step", step, least=1), workers) != 1:
        raise ValueError(f"step must be coprime to n = {workers}, got {step}")
    lengths = [arithmetic.sin_pi(Fraction(k, workers)) * 2 for k in range(workers)]
    distances = arithmetic.zeros((workers, workers))
    for i, k in np.ndindex(distances.shape):
        distances[i, k] = lengths[step * (i - k) % workers]
    return distances


def _largest(distances: Distances, s: int, partitions: Iterable[int]) -> Any:
    n = len(distances)
    found = []
    for j in partitions:
        window = [(j - k) % n for k in range(s + 1)]
        others = [i for i in range(n) if i not in set(window)]
        for count in range(1, min(s + 1, n - s) + 1):
            for inside in combinations(window, count):
                weights = _weights(distances, inside)
                found += [
                    _amplification(distances, inside, weights, outside) for outside in combinations(others, count - 1)
                ]
    return maximum(found)


def _weights(distances: Distances, inside: Sequence[int]) -> list[Any]:
    one = distances[0, 0] + 1
    return [one / _product((distances[i, k] for k in inside if k != i), one) for i in inside]


def _amplification(distances: Distances, inside: Sequence[int], weights: list[Any], outside: Sequence[int]) -> Any:
    return sum(_product((distances[i, u] for u in outside), weight) for i, weight in zip(inside, weights, strict=True))


def _product(factors: Iterable[Any], start: Any) -> Any:
    for factor in factors:
        start = start * factor
    return start
