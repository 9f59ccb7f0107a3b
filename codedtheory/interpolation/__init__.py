"""Barycentric rational interpolation: nodes, weights, interpolants, Lebesgue constants."""

from .interpolant import BarycentricInterpolant
from .lebesgue import lebesgue_constant
from .lebesgue_function import lebesgue_function
from .node_families import chebyshev_first, chebyshev_second, equispaced, roots_of_unity
from .node_files import read_nodes
from .nodes import Nodes, nodes_from
from .summary import InterpolationSummary, Quantity, summarize
from .weight_rules import WeightRule, weight_rule
from .weights import Weights, berrut_weights, floater_hormann_weights, lagrange_weights, weights_for
from .worst_case import WorstCase
from .worst_lebesgue import worst_lebesgue_constant

__all__ = [
    "BarycentricInterpolant",
    "InterpolationSummary",
    "Nodes",
    "Quantity",
    "WeightRule",
    "Weights",
    "WorstCase",
    "berrut_weights",
    "chebyshev_first",
    "chebyshev_second",
    "equispaced",
    "floater_hormann_weights",
    "lagrange_weights",
    "lebesgue_constant",
    "lebesgue_function",
    "nodes_from",
    "read_nodes",
    "roots_of_unity",
    "summarize",
    "weight_rule",
    "weights_for",
    "worst_lebesgue_constant",
]
