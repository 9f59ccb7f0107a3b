"""Worst decoding errors and tolerances of gradient codes against loops over all straggler sets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb

import flint
import numpy as np

from codedtheory.arithmetic import approximate
from codedtheory.coding import (
    GradientCode,
    cyclic_repetition,
    plain_cyclic,
    tolerates,
    worst_decoding_error,
)
from codedtheory.coding.decoding_error import DecodingErrors
from codedtheory.coding.straggler_orbits import straggler_sets

from .contest import Contest, seconds

WORKERS, STRAGGLERS, COPIES = 24, 6, 5
SAMPLED_SETS = 2_000
TOLERANCE_WORKERS, TOLERANCE_STRAGGLERS = 20, 4
SAMPLED_RANKS = 300


def _lstsq_loop(matrix: np.ndarray, sets: list[tuple[int, ...]]) -> float:
    ones, worst = np.ones(len(matrix)), 0.0
    everyone = np.arange(len(matrix))
    for lost in sets:
        rows = matrix[np.setdiff1d(everyone, lost)]
        weights = np.linalg.lstsq(rows.T, ones, rcond=None)[0]
        worst = max(worst, float(np.sum((rows.T @ weights - ones) ** 2)))
    return worst


def _gram_batches(matrix: np.ndarray) -> float:
    gram, right = matrix @ matrix.T, matrix.sum(axis=1)
    everyone, worst = np.arange(len(matrix)), 0.0
    for sets in straggler_sets(len(matrix), STRAGGLERS):
        kept = np.ones((len(sets), len(matrix)), dtype=bool)
        np.put_along_axis(kept, sets, False, axis=1)
        left = np.broadcast_to(everyone, kept.shape)[kept].reshape(len(sets), -1)
        solved = np.linalg.solve(gram[left[:, :, None], left[:, None, :]], right[left][..., None])[..., 0]
        worst = max(worst, float((len(matrix) - np.einsum("ij,ij->i", right[left], solved)).max()))
    return worst


def _worst_errors() -> Iterator[Contest]:
    code = plain_cyclic(WORKERS, COPIES - 1)
    matrix = approximate(code.matrix)
    total = comb(WORKERS, STRAGGLERS)
    every = total // SAMPLED_SETS
    sample = list(islice(combinations(range(WORKERS), STRAGGLERS), 0, None, every))
    theirs = seconds(lambda: _lstsq_loop(matrix, sample), repeats=3) / len(sample) * total
    doubles = GradientCode(matrix, symmetry=())
    by_hand = f"numpy.linalg.lstsq per set, extrapolated from {len(sample)} sets"
    job = f"largest least-squares error, all {total} sets of {STRAGGLERS} of {WORKERS} workers"

    def brute_force() -> float:
        errors = DecodingErrors(doubles)
        return max(float(errors.floating(sets).max()) for sets in straggler_sets(WORKERS, STRAGGLERS))

    found = brute_force()
    ours = seconds(brute_force, repeats=3)
    yield Contest(f"{job}, every set in doubles", by_hand, ours, theirs, target=80, remark=f"worst {found:.10g}")

    def with_orbits() -> object:
        return worst_decoding_error(GradientCode(matrix), STRAGGLERS)

    fast = seconds(with_orbits, repeats=3)
    yield Contest(f"{job}, up to symmetry, symmetry and orbits found anew", by_hand, fast, theirs, target=400)

    def exactly() -> object:
        return worst_decoding_error(GradientCode(code.matrix), STRAGGLERS)

    exact = worst_decoding_error(code, STRAGGLERS)
    rational = seconds(exactly, repeats=3)
    yield Contest(
        f"{job}, exact rational answer up to symmetry",
        "every set in doubles by batched solves with the survivors' Gram matrices (NumPy)",
        rational,
        seconds(lambda: _gram_batches(matrix), repeats=2),
        target=1,
        at_most=True,
        remark=f"worst {exact.value} over {exact.examined} representatives; {rational / ours:.1f}x the time of the "
        "library's own sweep in doubles",
    )


def _tolerance() -> Iterator[Contest]:
    code = cyclic_repetition(TOLERANCE_WORKERS, TOLERANCE_STRAGGLERS, np.random.default_rng(0), "rational")
    rows = [[flint.fmpq(x.numerator, x.denominator) for x in row] for row in code.matrix]
    ones = [flint.fmpq(1)] * TOLERANCE_WORKERS
    total = comb(TOLERANCE_WORKERS, TOLERANCE_STRAGGLERS)
    every = total // SAMPLED_RANKS
    sample = list(islice(combinations(range(TOLERANCE_WORKERS), TOLERANCE_STRAGGLERS), 0, None, every))

    def two_ranks() -> bool:
        return all(
            flint.fmpq_mat(left).rank() == flint.fmpq_mat([*left, ones]).rank()
            for lost in sample
            for left in [[row for i, row in enumerate(rows) if i not in lost]]
        )

    theirs = seconds(two_ranks, repeats=2) / len(sample) * total

    def ours() -> object:
        return tolerates(GradientCode(code.matrix), TOLERANCE_STRAGGLERS)

    yield Contest(
        f"proof that a rational {TOLERANCE_WORKERS}x{TOLERANCE_WORKERS} code tolerates any {TOLERANCE_STRAGGLERS}",
        f"two FLINT ranks per straggler set, extrapolated from {len(sample)} sets",
        seconds(ours, repeats=3),
        theirs,
        target=5,
        remark=str(ours()),
    )


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    yield from _worst_errors()
    yield from _tolerance()
