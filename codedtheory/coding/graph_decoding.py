"""Optimal decoding of graph codes in linear time: workers are edges, partitions are vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import arithmetic_of

from .placement import PlacedCode, require_plain_sums, supports
from .survivors import checked_count, checked_survivors

__all__ = ["GraphDecoder", "optimal_vertex_coefficients"]

Edge = tuple[int, int]


def optimal_vertex_coefficients(vertices: int, edges: Sequence[Edge]) -> list[Fraction]:
    r"""Return the optimal coefficients :math:`\alpha^\star` of the vertices of a surviving graph.

    On every surviving edge :math:`\alpha_u+\alpha_v=2`. A component with an odd cycle has
    :math:`\alpha\equiv1`; a bipartite one with sides of sizes p and q has :math:`\frac{2q}{p+q}` on the side of
    size p and :math:`\frac{2p}{p+q}` on the other; an isolated vertex has 0.

    Parameters
    ----------
    vertices : int
    edges : sequence of (int, int)
        The workers that answered.

    Returns
    -------
    list of Fraction, length vertices

    Notes
    -----
    Glasgow and Wootters (2020), arXiv 2006.09638. Time linear in vertices and edges.

    Examples
    --------
    >>> [str(alpha) for alpha in optimal_vertex_coefficients(4, [(0, 1), (1, 2)])]
    ['2/3', '4/3', '2/3', '0']
    """
    vertices = checked_count("vertices", vertices, least=0)
    for u, v in edges:
        if not (0 <= u < vertices and 0 <= v < vertices and u != v):
            raise ValueError(f"edges must join two different vertices in 0..{vertices - 1}, got {(u, v)}")
    result = [Fraction(0)] * vertices
    for component in _components(vertices, list(enumerate(edges))):
        for v, alpha in component.coefficients().items():
            result[v] = alpha
    return result


@dataclass(frozen=True, slots=True)
class GraphDecoder:
    r"""Optimal weights for a graph code: a spanning forest and one odd cycle per component carry them.

    The coefficients are those of least squares; the weights are other ones, found in linear time. All but
    the edges of a spanning forest get weight 0, except for one edge that closes an odd cycle in each component
    that has one.

    Examples
    --------
    >>> import networkx
    >>> from codedtheory.coding import graph_code
    >>> [str(w) for w in GraphDecoder().weights(graph_code(networkx.cycle_graph(3)), [0, 1, 2])]
    ['1/2', '1/2', '1/2']
    """

    name: ClassVar[str] = "graph"
    equivariant: ClassVar[bool] = False  # the coefficients are, the weights are not

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return optimal weights for the surviving edges.

        Parameters
        ----------
        code : PlacedCode
            Plain sums of two partitions per worker.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If a worker does not hold exactly two partitions.
        """
        require_plain_sums(code)
        received = checked_survivors(survivors, code.matrix.shape[0])
        held = supports(code)
        edges: list[tuple[int, Edge]] = []
        for position, worker in enumerate(received):
            ends = sorted(held[worker])
            if len(ends) != 2:
                raise ValueError(f"code must give every worker two partitions, got {ends} for worker {worker}")
            edges.append((position, (ends[0], ends[1])))
        weights = [Fraction(0)] * len(received)
        for component in _components(code.matrix.shape[1], edges):
            component.distribute(weights)
        return arithmetic_of(code.matrix).array(weights)


@dataclass(slots=True)
class _Component:
    order: list[int]  # vertices from the root outwards
    sign: dict[int, int]  # +1 on the root's side, -1 on the other
    parent: dict[int, tuple[int, int]]  # vertex -> (parent, edge label)
    odd: tuple[int, Edge] | None  # an edge within one side

    def coefficients(self) -> dict[int, Fraction]:
        if self.odd:
            return dict.fromkeys(self.order, Fraction(1))
        excess = Fraction(sum(self.sign[v] for v in self.order), len(self.order))
        by_side = {side: 1 - side * excess for side in (1, -1)}
        return {v: by_side[self.sign[v]] for v in self.order}

    def distribute(self, weights: list[Fraction]) -> None:
        """Write weights of the edges whose sums at the vertices are the coefficients."""
        missing = self.coefficients()
        if self.odd:
            label, (u, v) = self.odd
            # the sums on the two sides differ by twice the weight of an edge within one side
            imbalance = sum((self.sign[w] * missing[w] for w in self.order), Fraction(0))
            weights[label] = imbalance / (2 * self.sign[u])
            missing[u] -= weights[label]
            missing[v] -= weights[label]
        for v in reversed(self.order[1:]):
            up, label = self.parent[v]
            weights[label] = missing[v]
            missing[up] -= missing[v]


def _components(vertices: int, edges: list[tuple[int, Edge]]) -> list[_Component]:
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(vertices)]
    for label, (u, v) in edges:
        neighbours[u].append((v, label))
        neighbours[v].append((u, label))
    sign: dict[int, int] = {}
    found = []
    for root in range(vertices):
        if root in sign:
            continue
        sign[root] = 1
        component = _Component([root], sign, {}, None)
        for u in component.order:  # grows while it is walked
            for v, label in neighbours[u]:
                if v not in sign:
                    sign[v] = -sign[u]
                    component.parent[v] = (u, label)
                    component.order.append(v)
                elif sign[v] == sign[u] and component.odd is None:
                    component.odd = (label, (u, v))
        found.append(component)
    return found
