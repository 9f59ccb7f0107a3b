"""Approximate gradient codes: from graphs, block designs and coin tosses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Rational
from codedtheory.arithmetic.number import is_integer

from .gradient_code import GradientCode
from .survivors import checked_count, checked_generator

__all__ = ["bernoulli_code", "bibd_code", "expander_code", "graph_code"]


def expander_code(graph: Any) -> GradientCode:
    r"""Return the code :math:`B=\frac1d\,\mathrm{Adj}` of a d-regular graph (Raviv et al. 2018, arXiv:1707.03858).

    Parameters
    ----------
    graph : networkx graph
        Undirected, also with parallel edges and loops; a loop counts twice, as in the degree. The workers are the
        vertices in the order of the graph.

    Returns
    -------
    GradientCode
        Exact.

    Raises
    ------
    ValueError
        If the vertices have different degrees, or degree 0.

    Examples
    --------
    >>> import networkx
    >>> expander_code(networkx.cycle_graph(5))
    GradientCode(expander_code(2-regular, 5 vertices), n=5, load=2/5, EXACT)
    """
    adjacency = _adjacency(graph)
    sums = sorted({int(x) for x in adjacency.sum(axis=1)})
    if len(sums) > 1 or sums[0] == 0:
        raise ValueError(f"graph must be regular of positive degree, got degrees {sums}; add loops or edges")
    matrix = np.array([[Rational(int(x), sums[0]) for x in row] for row in adjacency], dtype=object)
    return GradientCode(matrix, name=f"expander_code({sums[0]}-regular, {len(adjacency)} vertices)")


def graph_code(graph: Any) -> GradientCode:
    """Return the code whose data are the vertices of a graph and whose workers are its edges.

    Each worker holds the two ends of its edge and sends their sum (Glasgow & Wootters 2021, arXiv:2006.09638).

    Parameters
    ----------
    graph : networkx graph
        Undirected, without loops; parallel edges are workers of their own. Workers are the edges and partitions the
        vertices, in the order of the graph.

    Returns
    -------
    GradientCode
        With entries 0 and 1, exact; it has as many rows as the graph has edges.

    Raises
    ------
    ValueError
        If there is no edge, or one is a loop.

    Examples
    --------
    >>> import networkx
    >>> graph_code(networkx.complete_graph(4))
    GradientCode(graph_code(4 vertices, 6 edges), n=6, partitions=4, load=1/2, EXACT)
    """
    _undirected(graph)
    position = {vertex: k for k, vertex in enumerate(graph.nodes)}
    edges = [(position[u], position[v]) for u, v in graph.edges()]
    if not edges:
        raise ValueError("graph must have edges, which are the workers; got none")
    matrix = np.zeros((len(edges), len(position)), dtype=np.int64)
    for k, (u, v) in enumerate(edges):
        if u == v:
            raise ValueError(f"graph must have no loops, got one at vertex {list(graph.nodes)[u]!r}; remove it")
        matrix[k, [u, v]] = 1
    return GradientCode(matrix, name=f"graph_code({len(position)} vertices, {len(edges)} edges)")


def bibd_code(n: int, design: Sequence[Any]) -> GradientCode:
    r"""Return the 0/1 code of a symmetric block design.

    Parameters
    ----------
    n : int
        Workers and partitions.
    design : sequence of int, or of n blocks
        A difference set modulo n, whose translates are the blocks; or the n blocks themselves, worker i holding the
        partitions of block i.

    Returns
    -------
    GradientCode
        With entries 0 and 1, exact. Each worker holds L partitions, and each two of them share :math:`\lambda`.

    Raises
    ------
    ValueError
        If the blocks have different sizes, or two of them share another number of partitions than the first two.

    Notes
    -----
    Equal block sizes and equal intersections of n different blocks on n points make the design symmetric: each
    partition is on L workers and each two partitions on :math:`\lambda` common ones (Ryser's theorem).

    Examples
    --------
    >>> bibd_code(7, [0, 1, 3])
    GradientCode(bibd_code(7, 3, 1), n=7, load=3/7, EXACT)
    """
    points = checked_count("n", n, least=2)
    if not isinstance(design, Iterable):
        raise TypeError(f"design must be a difference set or {points} blocks, got {design!r}; see the examples")
    items = list(design)
    if all(is_integer(x) for x in items):
        blocks: list[Iterable[int]] = [[(int(x) + i) % points for x in items] for i in range(points)]
    else:
        blocks = [list(block) for block in items]
    if len(blocks) != points:
        raise ValueError(f"design must have n = {points} blocks, got {len(blocks)}")
    matrix = np.zeros((points, points), dtype=np.int64)
    for i, block in enumerate(blocks):
        members = list(block)
        if not all(is_integer(x) and 0 <= x < points for x in members) or len(set(members)) != len(members):
            raise ValueError(f"block {i} must hold distinct partitions in 0..{points - 1}, got {members}")
        matrix[i, members] = 1
    shared = matrix @ matrix.T
    size, common = int(shared[0, 0]), int(shared[0, 1])
    expected = np.where(np.eye(points, dtype=bool), size, common)
    if not np.array_equal(shared, expected):
        i, j = (int(k) for k in np.argwhere(shared != expected)[0])
        what = f"block {i} has size {shared[i, i]}" if i == j else f"blocks {i} and {j} share {shared[i, j]} partitions"
        raise ValueError(f"design must have equal block sizes and intersections, got {size} and {common}, but {what}")
    if size <= common:
        raise ValueError(f"design must have different, non-empty blocks, got size {size}, intersection {common}")
    return GradientCode(matrix, name=f"bibd_code({points}, {size}, {common})")


def bernoulli_code(n: int, load: Any, rng: np.random.Generator) -> GradientCode:
    """Return the code that gives each partition to each worker with the same probability, independently.

    Charles, Papailiopoulos & Ellenberg 2017, arXiv:1711.06771.

    Parameters
    ----------
    n : int
        Workers and partitions.
    load : float or Fraction
        The probability, which is the expected fraction of the partitions that a worker holds; ``0 < load <= 1``.
    rng : numpy.random.Generator

    Returns
    -------
    GradientCode
        With entries 0 and 1, exact.

    Examples
    --------
    >>> bernoulli_code(6, Fraction(1, 2), np.random.default_rng(0)).partitions
    6
    """
    points = checked_count("n", n, least=1)
    if isinstance(load, Rational):
        load = load.fraction
    if not isinstance(load, (int, float, Fraction, np.floating)) or not 0 < load <= 1:
        raise ValueError(f"load must be a fraction of the data, 0 < load <= 1, got {load!r}")
    checked_generator(rng)
    matrix = (rng.random((points, points)) < float(load)).astype(np.int64)
    return GradientCode(matrix, name=f"bernoulli_code({points}, {load})")


def _undirected(graph: Any) -> None:
    if not hasattr(graph, "is_directed") or not hasattr(graph, "edges"):
        raise TypeError(f"graph must be a networkx graph, got {type(graph).__name__}")
    if graph.is_directed():
        raise ValueError("graph must be undirected, got a directed one; use graph.to_undirected()")


def _adjacency(graph: Any) -> np.ndarray[Any, Any]:
    _undirected(graph)
    if not len(graph):
        raise ValueError("graph must have vertices, got none")
    position = {vertex: k for k, vertex in enumerate(graph.nodes)}
    adjacency = np.zeros((len(position), len(position)), dtype=np.int64)
    for u, v in graph.edges():
        i, j = position[u], position[v]
        adjacency[i, j] += 1
        adjacency[j, i] += 1
    return adjacency
