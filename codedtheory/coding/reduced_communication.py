"""Gradient codes whose messages are shorter than a gradient: more copies of the data for less communication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from codedtheory.arithmetic import solve

from .cyclic_mds_codes import distinct_nodes
from .survivors import checked_count, checked_survivors

__all__ = ["reduced_communication_code", "reduced_communication_target", "reduced_communication_weights"]


def reduced_communication_code(nodes: Any, s: int, parts: int) -> np.ndarray[Any, Any]:
    r"""Return the matrix of a code that tolerates any s of n stragglers with messages of length l/m.

    Every gradient of length l is cut into m parts. Partition j is on the s + m workers :math:`W_j=\{j-s-m+1,\dots,j\}`,
    and worker i sends :math:`\sum_j\sum_{u<m}B_{i,jm+u}\,g_{j,u}` with

    .. math:: B_{i,jm+u}=p_j(x_i)\,h_{m-1-u}(x_i,x_l:l\notin W_j),\qquad p_j(x)=\prod_{l\notin W_j}(x-x_l),

    where :math:`h_k` is the complete homogeneous symmetric polynomial of degree k.

    Parameters
    ----------
    nodes : array_like, shape (n,)
        Distinct rational or algebraic numbers.
    s : int
        Stragglers.
    parts : int
        m; s + m is at most n.

    Returns
    -------
    numpy.ndarray of object, shape (n, n m)
        With m = 1 the matrix of `polynomial_cyclic`.

    Raises
    ------
    ValueError
        If two nodes are equal, or s + m exceeds n.

    Notes
    -----
    Ye and Abbe (2018), arXiv:1802.03475, build such codes recursively. Here column (j, u) is the remainder-free part
    of :math:`x^{n-s-1-u}` over :math:`p_j`: it is :math:`x^{n-s-1-u}` minus its interpolant at the nodes outside
    :math:`W_j`, whose degree is below n - s - m. So the m leading coefficients of a polynomial of degree n - s - 1,
    which any n - s values determine, are the parts of the sum.

    Examples
    --------
    >>> reduced_communication_code([0, 1, 2], 1, 2)[:, :2].astype(str).tolist()      # x and 1: no node is left out
    [['0', '1'], ['1', '1'], ['2', '1']]
    """
    x, s, parts = _checked(nodes, s, parts)
    n = x.size
    one = x[0] * 0 + 1
    matrix = np.empty((n, n * parts), dtype=object)
    for j in range(n):
        roots = [x[(j + k) % n] for k in range(1, n - s - parts + 1)]
        for i in range(n):
            value = np.multiply.reduce(np.array([x[i] - root for root in roots], dtype=object), initial=one)
            homogeneous = _complete_homogeneous([x[i], *roots], parts - 1)
            for u in range(parts):
                matrix[i, j * parts + u] = value * homogeneous[parts - 1 - u]
    return matrix


def reduced_communication_weights(nodes: Any, s: int, parts: int, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
    r"""Return the weights with which n - s messages give the m parts of the sum of all gradients.

    Parameters
    ----------
    nodes : array_like, shape (n,)
        Those of the code.
    s, parts : int
        Those of the code.
    survivors : sequence of int
        Exactly n - s workers.

    Returns
    -------
    numpy.ndarray of object, shape (parts, n - s)
        Row u takes the coefficient of :math:`x^{n-s-1-u}` from the values at the survivors' nodes.

    Examples
    --------
    >>> reduced_communication_weights([0, 1, 2], 1, 2, [0, 2]).astype(str).tolist()
    [['-1/2', '1/2'], ['1', '0']]
    """
    x, s, parts = _checked(nodes, s, parts)
    arrived = list(checked_survivors(survivors, x.size))
    degree = x.size - s
    if len(arrived) != degree:
        raise ValueError(f"survivors must be n-s = {degree}, got {len(arrived)}; pass that many")
    powers = np.array([[x[i] ** k for i in arrived] for k in range(degree)], dtype=object)
    wanted = np.full((degree, parts), x[0] * 0, dtype=object)
    for u in range(parts):
        wanted[degree - 1 - u, u] = x[0] * 0 + 1
    weights: np.ndarray[Any, Any] = solve(powers, wanted).T
    return weights


def reduced_communication_target(n: int, parts: int) -> np.ndarray[Any, Any]:
    r"""Return what is to be decoded: row u adds part u of all gradients.

    Parameters
    ----------
    n, parts : int

    Returns
    -------
    numpy.ndarray of int, shape (parts, n * parts)

    Examples
    --------
    >>> reduced_communication_target(2, 2).tolist()
    [[1, 0, 1, 0], [0, 1, 0, 1]]
    """
    n, parts = checked_count("n", n, least=1), checked_count("parts", parts, least=1)
    return np.tile(np.eye(parts, dtype=np.int64), n)


def _checked(nodes: Any, s: int, parts: int) -> tuple[np.ndarray[Any, Any], int, int]:
    x = distinct_nodes(nodes)
    s, parts = checked_count("s", s, least=0), checked_count("parts", parts, least=1)
    if s + parts > x.size:
        raise ValueError(
            f"s + parts must be at most the number of nodes ({x.size}), got {s} + {parts}; use fewer parts"
        )
    return x, s, parts


def _complete_homogeneous(values: Sequence[Any], degree: int) -> list[Any]:
    """Return the complete homogeneous symmetric polynomials of degrees 0 to `degree`."""
    found = [values[0] * 0 + 1] + [values[0] * 0] * degree
    for value in values:
        for k in range(1, degree + 1):
            found[k] = found[k] + value * found[k - 1]
    return found
