"""Arguments out of range are refused in one line that names them, not by what breaks later or not at all."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import ball
from codedtheory.coding import (
    BerrutCode,
    DividedDifference,
    LeastSquaresDecoder,
    bibd_code,
    block_design_error,
    circle_amplification,
    coefficient_bounds,
    copy_ages,
    cyclic_mds,
    design_weight,
    expander_error_bound,
    expected_one_step_error,
    expected_repetition_error,
    fresh_partitions,
    has_singular_window,
    is_faster_than_descent,
    optimal_vertex_coefficients,
    orbit_count,
    plain_cyclic,
    polynomial_cyclic,
    probability_of_presence,
    reduced_communication_target,
    residue_class_tolerance,
    slot_age,
    slot_partition,
    squared_window_gain,
)
from codedtheory.coding.bursty_stragglers import bursty_patterns
from codedtheory.coding.pipelined_descent import pipelined_iterates
from codedtheory.coding.sequential_schedules import fewest_repeated_results

CODE = plain_cyclic(6, 2)
THREE = [lambda x: x] * 3


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: polynomial_cyclic(5, 1), TypeError, "nodes must be a sequence of numbers, got 5"),
        (lambda: polynomial_cyclic([0.0, float("nan")], 1), ValueError, "nodes: matrix must be finite, got nan"),
        (lambda: cyclic_mds(6, 2, "bset"), ValueError, "step must be 'best' or a number coprime to n = 6, got 'bset'"),
        (lambda: CODE.decodable(3), TypeError, "survivors must be a sequence of workers, got 3"),
        (lambda: squared_window_gain(6, 2.5), TypeError, "c must be an integer, got 2.5"),
        (lambda: squared_window_gain(6, 2, 0.5), TypeError, "frequency must be an integer, got 0.5"),
        (lambda: expander_error_bound([[0, 1.5], [1.5, 0]], 1), ValueError, "adjacency must count edges .* got 1.5"),
        (lambda: expander_error_bound([[0, -1], [-1, 0]], 1), ValueError, "adjacency must count edges .* got -1"),
        (lambda: expander_error_bound("abc", 1), ValueError, "adjacency must be a symmetric square matrix"),
        (lambda: block_design_error(7, 3.0, 1, 1), TypeError, "load must be an integer, got 3.0"),
        (lambda: design_weight("a", 1, 2), TypeError, "load must be an integer, got 'a'"),
        (lambda: expected_one_step_error(5.5, 2, 1), TypeError, "n must be an integer, got 5.5"),
        (lambda: expected_repetition_error(4, 2.0, 1), TypeError, "copies must be an integer, got 2.0"),
        (lambda: probability_of_presence(4, 2, received=2.5), TypeError, "received must be an integer, got 2.5"),
        (lambda: residue_class_tolerance(6, 2.5), TypeError, "c must be an integer, got 2.5"),
        (lambda: LeastSquaresDecoder("a").weights(CODE, [0]), ValueError, "'a' is not a rational number"),
        (lambda: LeastSquaresDecoder(0.5).weights(CODE, [0]), TypeError, "0.5 of type float is not an exact"),
        (
            lambda: optimal_vertex_coefficients(2, [(0, 2)]),
            ValueError,
            "edges must join two different vertices in 0..1",
        ),
        (lambda: optimal_vertex_coefficients(2, [(1, 1)]), ValueError, r"vertices in 0..1, got \(1, 1\)"),
        (
            lambda: DividedDifference((0, 1, 2), "x").weights(polynomial_cyclic([0, 1, 2], 1), [0, 1]),
            TypeError,
            "stragglers must be an integer, got 'x'",
        ),
        (lambda: reduced_communication_target(2, 0), ValueError, "parts must be at least 1, got 0"),
        (lambda: circle_amplification(6, [0, 9], 1, ball(64)), ValueError, "stragglers must be at most 5, got 9"),
        (lambda: has_singular_window(np.zeros((2, 2))), ValueError, r"parities must be integers of shape"),
        (lambda: slot_age(0.5, 0, 3), TypeError, "slot must be an integer, got 0.5"),
        (lambda: slot_partition(9, 0, 5, 2), ValueError, "worker must be at most 4, got 9"),
        (lambda: slot_partition(0, 5, 5, 2), ValueError, "slot must be at most 1, got 5"),
        (lambda: copy_ages(7, 0, 5, 1), ValueError, "partition must be at most 4, got 7"),
        (lambda: fresh_partitions(1, 5, -1), ValueError, "s must be at least 0, got -1"),
        (
            lambda: pipelined_iterates(THREE, 1, [[5]], 1, Fraction(1)),
            ValueError,
            "stragglers must be at most 2, got 5",
        ),
        (lambda: pipelined_iterates([], 0, [[]], 1, Fraction(1)), ValueError, "number of gradients must be at least 1"),
        (lambda: is_faster_than_descent([], 1), ValueError, "age_weights must not be empty"),
        (lambda: fewest_repeated_results(3, 1, 0, 2, 1), ValueError, "burst must be at least 1, got 0"),
        (lambda: fewest_repeated_results(3, 5, 1, 2, 1), ValueError, "stragglers must be below the number of workers"),
        (lambda: next(bursty_patterns(3, 1, 1, 2, 4)), ValueError, "limit must be at most 3, got 4"),
        (lambda: bibd_code(7, 5), TypeError, "design must be a difference set or 7 blocks, got 5"),
        (lambda: orbit_count(5, -1), ValueError, "stragglers must be at least 0, got -1"),
        (lambda: BerrutCode(4, 11).encode(5), TypeError, "X must be 4 blocks, got 5"),
        (lambda: CODE.amplification("relaxed", [0]), TypeError, "decoder must be one such as MinNorm"),
        (lambda: coefficient_bounds(6, 2, 5), TypeError, "decoder must be one of relaxed, .*or a decoder, got 5"),
    ],
)
def test_the_argument_is_named(call, kind, message):
    with pytest.raises(kind, match=message) as raised:
        call()
    assert "\n" not in str(raised.value)
