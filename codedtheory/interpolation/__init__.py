"""Barycentric rational interpolation: nodes, weights, interpolants, Lebesgue constants."""

from .node_families import chebyshev_first, chebyshev_second, equispaced, roots_of_unity
from .node_files import read_nodes
from .nodes import Nodes, nodes_from

__all__ = [
    "Nodes",
    "chebyshev_first",
    "chebyshev_second",
    "equispaced",
    "nodes_from",
    "read_nodes",
    "roots_of_unity",
]
