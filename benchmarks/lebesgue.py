"""Lebesgue constants against a golden-section search per set, and against a grid evaluated with SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import scipy
from scipy.interpolate import FloaterHormannInterpolator

from codedtheory.arithmetic import approximate, ball
from codedtheory.interpolation import (
    berrut_weights,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    lebesgue_constant,
    worst_lebesgue_constant,
)

from .contest import Contest, seconds

WORKERS, STRAGGLERS = 20, 4
NODES, PER_GAP = 1000, 200
SAMPLED_SETS, SAMPLED_GAPS = 200, 9
BALLS = ball(128)


def _golden_section(x: np.ndarray) -> float:
    """Search all gaps of one node set at once, 60 steps, with NumPy."""
    signs = (-1.0) ** np.arange(len(x))

    def value(points: np.ndarray) -> np.ndarray:
        terms = 1 / (points[:, None] - x)
        return np.abs(terms).sum(axis=1) / np.abs((signs * terms).sum(axis=1))

    ratio = (np.sqrt(5) - 1) / 2
    low, high = x[:-1] + 1e-9 * np.diff(x), x[1:] - 1e-9 * np.diff(x)
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = value(a), value(b)
    for _ in range(60):
        left = at_a > at_b
        high, low = np.where(left, b, high), np.where(left, low, a)
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        fresh = value(np.where(left, a, b))
        at_a, at_b = np.where(left, fresh, at_b), np.where(left, at_a, fresh)
    return float(np.maximum(at_a, at_b).max())


def _worst_over_sets() -> Iterator[Contest]:
    sets = list(combinations(range(WORKERS), WORKERS - STRAGGLERS))
    sample = [sets[i] for i in np.linspace(0, len(sets) - 1, SAMPLED_SETS).astype(int)]
    for family in (chebyshev_first, chebyshev_second):
        nodes = family(WORKERS)
        increasing = np.sort(np.asarray(nodes))
        # the first call pays for tables that later ones share
        worst = worst_lebesgue_constant(nodes, STRAGGLERS)
        ours = seconds(lambda nodes=nodes: worst_lebesgue_constant(nodes, STRAGGLERS))
        theirs = seconds(lambda x=increasing: [_golden_section(x[list(s)]) for s in sample], repeats=3)
        again = _golden_section(np.sort(np.asarray(nodes)[list(worst.survivors)]))
        job = f"worst Lebesgue constant of {family.__name__}({WORKERS}), all {len(sets)} survivor sets"
        yield Contest(
            job,
            f"a golden-section search per set (NumPy over the gaps), extrapolated from {SAMPLED_SETS} sets",
            ours,
            theirs * len(sets) / len(sample),
            target=40,
            remark=f"worst value {worst.value:.12g}; golden section at that set {again:.12g}",
        )
        certified = worst_lebesgue_constant(nodes, STRAGGLERS, arithmetic=BALLS)
        yield Contest(
            f"{job}, certified",
            "the float sweep above",
            seconds(lambda nodes=nodes: worst_lebesgue_constant(nodes, STRAGGLERS, arithmetic=BALLS)),
            ours,
            target=3,
            at_most=True,
            remark=f"enclosure {certified.value}",
        )


def _against_scipy() -> Iterator[Contest]:
    nodes = equispaced(NODES)
    x = np.asarray(nodes)
    ours = seconds(lambda: lebesgue_constant(nodes, berrut_weights(NODES)), repeats=3)
    cardinal = FloaterHormannInterpolator(x, np.eye(NODES), d=0)
    offsets = np.linspace(0, 1, PER_GAP + 2)[1:-1]

    def grid(gap: int) -> float:
        return float(np.abs(cardinal(x[gap] + (x[gap + 1] - x[gap]) * offsets)).sum(axis=1).max())

    gaps = [NODES // 2 - 1, *np.linspace(0, NODES - 2, SAMPLED_GAPS - 1).astype(int)]
    theirs = seconds(lambda: [grid(gap) for gap in gaps], repeats=2) / len(gaps) * (NODES - 1)
    exact = lebesgue_constant(nodes, berrut_weights(NODES), arithmetic=ball(80))
    middle = range(NODES // 2 - 6, NODES // 2 + 5)
    reference = approximate(exact)
    our_error = abs(lebesgue_constant(nodes, berrut_weights(NODES)) / reference - 1)
    their_error = abs(max(grid(gap) for gap in middle) / reference - 1)
    yield Contest(
        f"Lebesgue constant of {NODES} equispaced Berrut nodes",
        f"{PER_GAP} points a gap, SciPy {scipy.__version__} FloaterHormannInterpolator(d=0), "
        f"extrapolated from {len(gaps)} gaps",
        ours,
        theirs,
        target=10,
        remark=f"relative error {our_error:.1e} against {their_error:.1e}, measured against {exact}",
    )


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    yield from _worst_over_sets()
    yield from _against_scipy()
