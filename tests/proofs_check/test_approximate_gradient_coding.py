"""Twins and pins of the claims about approximate gradient coding against any stragglers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import sympy

from codedtheory.claims import Claim
from codedtheory.coding import (
    LeastSquaresDecoder,
    OneStepDecoder,
    bibd_code,
    coefficient_statistics,
    decoding_error,
    plain_cyclic,
    worst_decoding_error,
)
from proofs_check.small_matrices import circulant_code
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.approximate_gradient_coding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("agc.proj")
def distances_from_zero(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._error", lambda alpha: alpha**2)
    return claim


@teeth.twin("agc.proj.enumerated")
def one_step_weights(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LeastSquaresDecoder", lambda: OneStepDecoder(1))
    return claim


@teeth.twin("agc.spectral")
@teeth.twin("agc.raviv")
@teeth.twin("agc.raviv.graphs")
def two_more_straggle_than_the_bound_knows(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda code, s, decoder: coefficient_statistics(code, min(s + 2, code.n - 1), decoder)  # noqa: E731
    patch.setattr(f"{MODULE}.coefficient_statistics", corrupt)
    return claim


@teeth.twin("agc.spectral")
def weights_of_the_full_set(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.OneStepDecoder", lambda: OneStepDecoder(1))
    return claim


@teeth.twin("agc.spectral.proof")
def no_rescaling_by_what_has_arrived(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._one_step_weight", lambda m, r, d: 1 / d)
    return claim


@teeth.twin("agc.raviv.bipartite")
def one_more_edge_at_each_vertex(claim: Claim, patch: Any) -> Claim:
    """A loop makes the graph aperiodic."""
    from codedtheory.coding import expander_error_bound

    corrupt = lambda adjacency, s: expander_error_bound(adjacency + np.eye(len(adjacency), dtype=int), s)  # noqa: E731
    patch.setattr(f"{MODULE}.expander_error_bound", corrupt)
    return claim


@teeth.twin("agc.raviv.lower")
def only_the_last_workers_straggle(claim: Claim, patch: Any) -> Claim:
    class Found:
        def __init__(self, code: Any, s: int) -> None:
            self.value = decoding_error(code, range(code.n - s))

    patch.setattr(f"{MODULE}.worst_decoding_error", Found)
    return claim


@teeth.twin("agc.graph.adv")
def one_more_edge_is_lost_than_the_bound_knows(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.combinations", lambda edges, count: combinations(edges, max(count - 1, 1)))
    return claim


@teeth.twin("agc.graph.structure")
def the_first_edge_is_lost(claim: Claim, patch: Any) -> Claim:
    from codedtheory.coding import optimal_vertex_coefficients

    corrupt = lambda n, kept: optimal_vertex_coefficients(n, kept[1:])  # noqa: E731
    patch.setattr(f"{MODULE}.optimal_vertex_coefficients", corrupt)
    return claim


@teeth.twin("agc.bibd")
def points_of_a_block_are_counted_twice(claim: Claim, patch: Any) -> Claim:
    """The Gram matrix with L instead of L - lambda in its diagonal part."""
    patch.setattr(f"{MODULE}._gram", lambda L, shared: (L, shared))
    return claim


@teeth.twin("agc.bibd.enumerated")
def cyclic_windows_instead_of_a_design(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.bibd_code", lambda n, blocks: plain_cyclic(n, len(blocks) - 1))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def least_squares_error(rows: list[list[int]]) -> float:
    matrix = np.array(rows, dtype=float)
    ones = np.ones(matrix.shape[1])
    weights = np.linalg.lstsq(matrix.T, ones, rcond=None)[0]
    return float(((weights @ matrix - ones) ** 2).sum())


@teeth.pin("agc.proj", comparison=1)
def distance_of_another_vector() -> Any:
    beta = sympy.Symbol("beta")
    return beta**2 - 2 * beta + 1


@teeth.pin("agc.proj.enumerated", n=2, entries=2, number=7, comparison=4)
def projection_on_one_row() -> Fraction:
    # number 7 is ((1, 1), (1, 0)); survivors (1,) leave the row (1, 0)
    return Fraction(1)


@teeth.pin("agc.spectral", n=5, d=2, D=(0, 1), s=2)
def contiguous_stragglers_on_windows_of_two() -> Fraction:
    worst = Fraction(0)
    for lost in combinations(range(5), 2):
        copies = [sum((j - i) % 5 < 2 for i in range(5) if i not in lost) for j in range(5)]
        worst = max(worst, sum((Fraction(5, 6) * m - 1) ** 2 for m in copies))
    return worst


@teeth.pin("agc.spectral.proof", comparison=1)
def squared_norm() -> Any:
    r, d = sympy.symbols("r d", positive=True)
    s = sympy.Symbol("s", nonnegative=True)
    return s**2 / (r * d**2) + s / d**2


@teeth.pin("agc.raviv", n=5, k=1, D=(0,), s=1)
def cycle_without_one_worker() -> Fraction:
    # both neighbours of the lost worker get 5/8, the other three 5/4
    return 2 * Fraction(3, 8) ** 2 + 3 * Fraction(1, 4) ** 2


@teeth.pin("agc.raviv.graphs", s=1, graph="Petersen")
def petersen_graph_without_one_worker() -> Fraction:
    # three neighbours get (10/9)(2/3), the other seven 10/9
    return 3 * (Fraction(20, 27) - 1) ** 2 + 7 * Fraction(1, 9) ** 2


@teeth.pin("agc.raviv.bipartite", m=2, k=1, D=(0,), s=1)
def error_without_coding() -> Fraction:
    return 3 * (Fraction(4, 3) - 1) ** 2 + 1


@teeth.pin("agc.raviv.lower", n=3, d=1, number=5, s=2)
def two_partitions_are_erased() -> Fraction:
    # number 5: partitions 0, 1, 2 on the workers 2, 1, 0
    return Fraction(2)


@teeth.pin("agc.graph.adv", n=3, k=1, D=(0,), comparison=1)
def path_that_is_left_of_a_triangle() -> Fraction:
    return (2 * Fraction(1, 3) ** 2 + Fraction(1, 3) ** 2) / 3


@teeth.pin("agc.graph.structure", n=3, edges=3, comparison=0)
def centre_of_a_path() -> Fraction:
    # edges 0-1 and 0-2: coefficients 4/3 at 0 and 2/3 at the ends
    return Fraction(4, 3)


@teeth.pin("agc.bibd", comparison=0)
def normal_equations() -> Any:
    return sympy.Symbol("L", positive=True)


@teeth.pin("agc.bibd.enumerated", n=7, s=2, within=1e-12)
def fano_plane_with_two_stragglers() -> float:
    rows = [[int((j - i) % 7 in (0, 1, 3)) for j in range(7)] for i in range(7)]
    assert abs(least_squares_error(rows[2:]) - 4 / 7) < 1e-12
    return least_squares_error([rows[i] for i in (0, 1, 2, 4, 6)])


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_designs_are_the_difference_sets_of_the_library() -> None:
    from proofs_check.approximate_gradient_coding import DIFFERENCE_SETS

    for n, blocks in DIFFERENCE_SETS.items():
        assert bibd_code(n, blocks) == circulant_code(n, blocks)


def test_least_squares_is_at_least_as_good_as_one_step() -> None:
    code = plain_cyclic(7, 2)
    assert worst_decoding_error(code, 2).value <= coefficient_statistics(code, 2, OneStepDecoder()).worst_squared_error
    assert LeastSquaresDecoder().weights(code, [0, 3]).size == 2
