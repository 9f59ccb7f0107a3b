"""Codes across workers: what each one computes, and what is known once enough of them have answered."""

from .aggregation import aggregation_weights, minimum_responses
from .ambiguous_data import ambiguous_data
from .amplification import WorstAmplification, amplification, worst_amplification
from .approximate_codes import bernoulli_code, bibd_code, expander_code, graph_code
from .berrut_code import BerrutCode
from .code_summary import CodeSummary, DecoderSummary, summarize_code
from .coded_labels import coded_labels, decided_classes, one_hot, sigmoid_cross_entropy
from .coefficient_bounds import DECODERS, closed_form_coefficients, coefficient_bounds, worst_relaxed_error
from .coefficient_moments import coefficient_moments, debiasing_factor
from .coefficient_statistics import CoefficientStatistics, coefficient_statistics
from .coefficients import decoded_coefficients, squared_error
from .collisions import chebyshev_collision_count
from .covariance import (
    coefficient_variance,
    one_step_covariance,
    one_step_covariance_norm,
    squared_window_gain,
)
from .cyclic_mds_codes import DividedDifference, cyclic_mds, polynomial_cyclic
from .decoding import Decoded, Decoder, decode
from .decoding_error import DecodingErrors, decoding_error
from .decoding_space import DecodingSpace
from .disjoint_sets import DisjointSetDecoder, circular_greedy, maximum_disjoint_set
from .exact_decoding import MinAmplification, MinNorm
from .first_of_group import FirstOfGroupDecoder, expected_repetition_error, probability_of_presence
from .generalised_repetition import CompleteClassDecoder, generalised_repetition
from .gradient_code import GradientCode
from .gradient_coding_time import coding_is_slower, coding_threshold, gradient_coding_step_time, scaled_delay_threshold
from .graph_decoding import GraphDecoder, optimal_vertex_coefficients
from .hybrid_repetition import HybridGroupDecoder, grouped_greedy, hybrid_repetition
from .lagrange_code import LagrangeCode
from .least_squares_decoding import LeastSquaresDecoder
from .matrix_files import read_code, read_matrix
from .message_precision import message_error, worst_message_error
from .min_amplification import OptimalWeights, min_amplification
from .node_amplification import circle_amplification, worst_circle_amplification, worst_line_amplification
from .one_step import OneStepDecoder, design_weight, expected_one_step_error
from .parity_windows import has_singular_window, integer_parities
from .pipelined_ages import copy_ages, fresh_partitions, message_ages, slot_age, slot_partition
from .recovery import BerrutRecovery
from .reduced_communication import (
    reduced_communication_code,
    reduced_communication_target,
    reduced_communication_weights,
)
from .relaxed_decoding import InverseMultiplicityDecoder, RelaxedDecoder
from .repetition_codes import code_from_parity, cyclic_repetition, fractional_repetition, plain_cyclic
from .residue_class import ResidueClassDecoder, free_residue_class, residue_class_tolerance
from .sequential_loads import SequentialLoad, gradient_coding_load, multiplexed_load, selective_repetition_load
from .spectral_certificates import (
    block_design_error,
    covering_lower_bound,
    cyclic_error_bound,
    expander_error_bound,
    graph_error_bound,
    spectral_error_bound,
    squared_second_singular_value,
)
from .stale_gradients import (
    averaged_ages,
    averaged_delay_stability,
    bracket_change,
    characteristic_polynomial,
    constant_age,
    constant_delay_stability,
    is_faster_than_descent,
    is_stable,
    mode_rate,
    speed_up_crossing,
    stationary_variance,
)
from .step_saving import (
    SavingCeiling,
    averaged_saving_ceiling,
    averaged_saving_limit,
    constant_saving_ceiling,
    constant_saving_limit,
    step_saving,
)
from .step_time import expected_step_time, harmonic_number
from .straggler_orbits import orbit_count, orbit_representatives, straggler_sets
from .symmetric_norm import symmetric_norm
from .thresholds import exact_threshold, lagrange_threshold, repetition_threshold
from .tolerance import Tolerance, decodable, max_tolerated, tolerates
from .worker_symmetry import WorkerSymmetry
from .worst_decoding_error import ErrorForecast, WorstError, forecast_decoding_error, worst_decoding_error
from .wrong_answers import surplus_residual, wrong_workers

__all__ = [
    "DECODERS",
    "BerrutCode",
    "BerrutRecovery",
    "CodeSummary",
    "CoefficientStatistics",
    "CompleteClassDecoder",
    "Decoded",
    "Decoder",
    "DecoderSummary",
    "DecodingErrors",
    "DecodingSpace",
    "DisjointSetDecoder",
    "DividedDifference",
    "ErrorForecast",
    "FirstOfGroupDecoder",
    "GradientCode",
    "GraphDecoder",
    "HybridGroupDecoder",
    "InverseMultiplicityDecoder",
    "LagrangeCode",
    "LeastSquaresDecoder",
    "MinAmplification",
    "MinNorm",
    "OneStepDecoder",
    "OptimalWeights",
    "RelaxedDecoder",
    "ResidueClassDecoder",
    "SavingCeiling",
    "SequentialLoad",
    "Tolerance",
    "WorkerSymmetry",
    "WorstAmplification",
    "WorstError",
    "aggregation_weights",
    "ambiguous_data",
    "amplification",
    "averaged_ages",
    "averaged_delay_stability",
    "averaged_saving_ceiling",
    "averaged_saving_limit",
    "bernoulli_code",
    "bibd_code",
    "block_design_error",
    "bracket_change",
    "characteristic_polynomial",
    "chebyshev_collision_count",
    "circle_amplification",
    "circular_greedy",
    "closed_form_coefficients",
    "code_from_parity",
    "coded_labels",
    "coding_is_slower",
    "coding_threshold",
    "coefficient_bounds",
    "coefficient_moments",
    "coefficient_statistics",
    "coefficient_variance",
    "constant_age",
    "constant_delay_stability",
    "constant_saving_ceiling",
    "constant_saving_limit",
    "copy_ages",
    "covering_lower_bound",
    "cyclic_error_bound",
    "cyclic_mds",
    "cyclic_repetition",
    "debiasing_factor",
    "decided_classes",
    "decodable",
    "decode",
    "decoded_coefficients",
    "decoding_error",
    "design_weight",
    "exact_threshold",
    "expander_code",
    "expander_error_bound",
    "expected_one_step_error",
    "expected_repetition_error",
    "expected_step_time",
    "forecast_decoding_error",
    "fractional_repetition",
    "free_residue_class",
    "fresh_partitions",
    "generalised_repetition",
    "gradient_coding_load",
    "gradient_coding_step_time",
    "graph_code",
    "graph_error_bound",
    "grouped_greedy",
    "harmonic_number",
    "has_singular_window",
    "hybrid_repetition",
    "integer_parities",
    "is_faster_than_descent",
    "is_stable",
    "lagrange_threshold",
    "max_tolerated",
    "maximum_disjoint_set",
    "message_ages",
    "message_error",
    "min_amplification",
    "minimum_responses",
    "mode_rate",
    "multiplexed_load",
    "one_hot",
    "one_step_covariance",
    "one_step_covariance_norm",
    "optimal_vertex_coefficients",
    "orbit_count",
    "orbit_representatives",
    "plain_cyclic",
    "polynomial_cyclic",
    "probability_of_presence",
    "read_code",
    "read_matrix",
    "reduced_communication_code",
    "reduced_communication_target",
    "reduced_communication_weights",
    "repetition_threshold",
    "residue_class_tolerance",
    "scaled_delay_threshold",
    "selective_repetition_load",
    "sigmoid_cross_entropy",
    "slot_age",
    "slot_partition",
    "spectral_error_bound",
    "speed_up_crossing",
    "squared_error",
    "squared_second_singular_value",
    "squared_window_gain",
    "stationary_variance",
    "step_saving",
    "straggler_sets",
    "summarize_code",
    "surplus_residual",
    "symmetric_norm",
    "tolerates",
    "worst_amplification",
    "worst_circle_amplification",
    "worst_decoding_error",
    "worst_line_amplification",
    "worst_message_error",
    "worst_relaxed_error",
    "wrong_workers",
]
