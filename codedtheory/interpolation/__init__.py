"""Barycentric rational interpolation: nodes, weights, interpolants, Lebesgue constants."""

from .applicable_bounds import NamedBound, applicable_bounds
from .bacc_error_bounds import bacc_error_bound, bacc_error_factor
from .bacc_lebesgue_bounds import bacc_lebesgue_bound
from .berrut_lebesgue_bounds import (
    berrut_equispaced_asymptote,
    berrut_equispaced_lower_bound,
    berrut_equispaced_upper_bound,
    floater_hormann_equispaced_lower_bound,
    floater_hormann_equispaced_upper_bound,
    quasi_equispaced_upper_bound,
    well_spaced_upper_bound,
)
from .chebyshev_geometry import (
    SurvivorGeometry,
    gap_bound,
    published_adjacent_ratio,
    spacing_bound,
    worst_adjacent_ratio,
    worst_gap,
    worst_mesh_ratio,
    worst_survivor_geometry,
)
from .chebyshev_submatrices import worst_chebyshev_submatrix_condition
from .denominator import (
    chebyshev_denominator_bound_off_hull,
    denominator_bound_hull,
    denominator_bound_off_hull,
    denominator_bounds_by_gap,
    denominator_reciprocal,
    largest_denominator_reciprocal,
)
from .error_bounds import berrut_pointwise_error_bound, error_bound
from .geometry import (
    WellSpacing,
    adjacent_ratio,
    gap_lengths,
    max_gap,
    mesh_ratio,
    min_gap,
    quasi_uniformity,
    well_spaced_constants,
)
from .interpolant import BarycentricInterpolant
from .lebesgue import lebesgue_constant
from .lebesgue_function import lebesgue_function
from .node_families import chebyshev_first, chebyshev_second, equispaced, roots_of_unity
from .node_files import read_nodes
from .nodes import Nodes, nodes_from
from .peano import ErrorConstants, error_constants_at, peano_kernel
from .polynomial_lebesgue_bounds import (
    chebyshev_first_lower_bound,
    chebyshev_first_upper_bound,
    polynomial_equispaced_asymptote,
    polynomial_equispaced_lower_bound,
    polynomial_equispaced_upper_bound,
    polynomial_lower_bound,
)
from .stability import (
    PointConditions,
    barycentric_rounding_bound,
    berrut_rounding_bound,
    higham_condition,
    modified_lagrange_rounding_bound,
)
from .summary import InterpolationSummary, Quantity, summarize
from .vandermonde import chebyshev_vandermonde, vandermonde, vandermonde_condition, vandermonde_inverse
from .vandermonde_bounds import (
    beckermann_bound,
    chebyshev_first_vandermonde_growth,
    chebyshev_submatrix_growth,
    equispaced_vandermonde_growth,
    gautschi_inglese_bound,
)
from .weight_rules import WeightRule, weight_rule
from .weights import Weights, berrut_weights, floater_hormann_weights, lagrange_weights, weights_for
from .worst_case import WorstCase
from .worst_error import worst_error_constants, worst_error_over_stragglers, worst_linear_error_over_stragglers
from .worst_lebesgue import worst_lebesgue_constant

__all__ = [
    "BarycentricInterpolant",
    "ErrorConstants",
    "InterpolationSummary",
    "NamedBound",
    "Nodes",
    "PointConditions",
    "Quantity",
    "SurvivorGeometry",
    "WeightRule",
    "Weights",
    "WellSpacing",
    "WorstCase",
    "adjacent_ratio",
    "applicable_bounds",
    "bacc_error_bound",
    "bacc_error_factor",
    "bacc_lebesgue_bound",
    "barycentric_rounding_bound",
    "beckermann_bound",
    "berrut_equispaced_asymptote",
    "berrut_equispaced_lower_bound",
    "berrut_equispaced_upper_bound",
    "berrut_pointwise_error_bound",
    "berrut_rounding_bound",
    "berrut_weights",
    "chebyshev_denominator_bound_off_hull",
    "chebyshev_first",
    "chebyshev_first_lower_bound",
    "chebyshev_first_upper_bound",
    "chebyshev_first_vandermonde_growth",
    "chebyshev_second",
    "chebyshev_submatrix_growth",
    "chebyshev_vandermonde",
    "denominator_bound_hull",
    "denominator_bound_off_hull",
    "denominator_bounds_by_gap",
    "denominator_reciprocal",
    "equispaced",
    "equispaced_vandermonde_growth",
    "error_bound",
    "error_constants_at",
    "floater_hormann_equispaced_lower_bound",
    "floater_hormann_equispaced_upper_bound",
    "floater_hormann_weights",
    "gap_bound",
    "gap_lengths",
    "gautschi_inglese_bound",
    "higham_condition",
    "lagrange_weights",
    "largest_denominator_reciprocal",
    "lebesgue_constant",
    "lebesgue_function",
    "max_gap",
    "mesh_ratio",
    "min_gap",
    "modified_lagrange_rounding_bound",
    "nodes_from",
    "peano_kernel",
    "polynomial_equispaced_asymptote",
    "polynomial_equispaced_lower_bound",
    "polynomial_equispaced_upper_bound",
    "polynomial_lower_bound",
    "published_adjacent_ratio",
    "quasi_equispaced_upper_bound",
    "quasi_uniformity",
    "read_nodes",
    "roots_of_unity",
    "spacing_bound",
    "summarize",
    "vandermonde",
    "vandermonde_condition",
    "vandermonde_inverse",
    "weight_rule",
    "weights_for",
    "well_spaced_constants",
    "well_spaced_upper_bound",
    "worst_adjacent_ratio",
    "worst_chebyshev_submatrix_condition",
    "worst_error_constants",
    "worst_error_over_stragglers",
    "worst_gap",
    "worst_lebesgue_constant",
    "worst_linear_error_over_stragglers",
    "worst_mesh_ratio",
    "worst_survivor_geometry",
]
