"""Twins and pins of the claims about Lebesgue constants of Berrut approximated coded computing."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import sympy
from scipy.optimize import minimize_scalar

from codedtheory.arithmetic import LowerBound
from codedtheory.claims import Claim
from codedtheory.claims.symbols import nonnegative
from codedtheory.interpolation import chebyshev_second, lebesgue_constant, worst_lebesgue_constant
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from codedtheory.interpolation.worst_case import WorstCase
from tests.proofs_check.teeth import Teeth
from tests.proofs_check.unfaithful_signs import close_to_a_pole

MODULE = "proofs_check.bacc_lebesgue"
teeth = Teeth(MODULE)


def replace_worst(claim: Claim, patch: Any, corrupt: Any) -> Claim:
    """Let the claim enclose another quantity than the worst constant of N + 1 workers."""
    patch.setattr(f"{MODULE}._worst", corrupt)
    return claim


def enclosed(N: int, s: int, interval: tuple[int, int] | None = None) -> Any:
    from proofs_check.bacc_lebesgue import BALLS

    return worst_lebesgue_constant(N + 1, s, interval=interval, arithmetic=BALLS).value


# -- corrupted twins ------------------------------------------------------------------------------------


def signs_of_the_workers(claim: Claim, patch: Any) -> Claim:
    """Let weights keep the sign of the worker, so that lost workers leave poles."""

    def corrupt(workers: int, stragglers: int, interval: Any, arithmetic: Any) -> WorstCase:
        if stragglers == 0 or stragglers == workers - 1:
            return worst_lebesgue_constant(workers, stragglers, interval=interval, arithmetic=arithmetic)
        nodes, weights, point = close_to_a_pole(workers, stragglers)
        terms = np.array(weights) / (arithmetic.number(point) - nodes.over(arithmetic))
        return WorstCase(LowerBound(abs(terms).sum() / abs(terms.sum())), (), ())

    patch.setattr(f"{MODULE}.worst_lebesgue_constant", corrupt)
    return claim


def points_far_away(claim: Claim, patch: Any) -> Claim:
    """Decode far outside [-1, 1]."""
    return replace_worst(claim, patch, lambda N, s, _=None: enclosed(N, s, (-99, 99)))


def one_worker_more(claim: Claim, patch: Any) -> Claim:
    """Count workers from 1, so that the parity of N - s is the other one."""
    return replace_worst(claim, patch, lambda N, s: enclosed(N + 1, s))


teeth.twin("bacc.leb")(signs_of_the_workers)
teeth.twin("bacc.leb.sharp")(signs_of_the_workers)
teeth.twin("bacc.leb.interval")(points_far_away)
teeth.twin("bacc.leb.sharp.interval")(points_far_away)
teeth.twin("bacc.leb.parity")(one_worker_more)


@teeth.twin("bacc.leb.proof")
def survivors_badly_spaced(claim: Claim, patch: Any) -> Claim:
    def corrupt(names: str) -> Any:
        symbols = nonnegative(names)
        if "C" not in names.split():
            return symbols
        R, C, L, u, _ = symbols
        return R, C, L, u, -C / 2

    patch.setattr(f"{MODULE}.nonnegative", corrupt)
    return claim


@teeth.twin("bacc.leb.offhull")
def only_the_hull(claim: Claim, patch: Any) -> Claim:
    return replace_worst(claim, patch, lambda N, s, _: enclosed(N, s))


@teeth.twin("bacc.leb.offhull.two")
def signs_do_not_alternate(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda nodes, x: SymbolicInterpolant(nodes, [1, 1], x))
    return claim


@teeth.twin("bacc.leb.parity.hole")
def compared_with_an_odd_hole(claim: Claim, patch: Any) -> Claim:
    # one worker survives on one side of the hole
    return replace_worst(claim, patch, lambda N, s: lebesgue_constant(chebyshev_second(N + 1).without(range(1, s + 1))))


def only_holes_next_to_the_end(claim: Claim, patch: Any) -> Claim:
    """Look only at holes that keep two workers at one end."""

    def corrupt(N: int, s: int) -> Any:
        arithmetic = claim.body.__globals__["BALLS"]
        return lebesgue_constant(chebyshev_second(N + 1).without(range(2, s + 2)), arithmetic=arithmetic)

    return replace_worst(claim, patch, corrupt)


teeth.twin("bacc.leb.parity.gap")(only_holes_next_to_the_end)
teeth.twin("bacc.leb.parity.second")(only_holes_next_to_the_end)


# -- pinned left-hand sides -----------------------------------------------------------------------------


def lebesgue_by_search(kept: list[int], N: int) -> float:
    """Return the Lebesgue constant by a local search in floats from many points in each gap."""
    z = np.cos(np.pi * np.array(kept) / N)

    def minus(x: float) -> float:
        terms = 1 / (x - z)
        return float(-np.abs(terms).sum() / abs(((-1.0) ** np.arange(len(z)) * terms).sum()))

    best = 1.0
    for b, a in pairwise(z):
        for part in range(4):
            left, right = a + (b - a) * part / 4, a + (b - a) * (part + 1) / 4
            found = minimize_scalar(minus, bounds=(left, right), method="bounded", options={"xatol": 1e-10})
            best = max(best, -found.fun)
    return best


@teeth.pin("bacc.leb", within=1e-4, N=6, s=1)
def published_value_for_seven_workers() -> float:
    return 5.1078


@teeth.pin("bacc.leb.interval", N=2, s=1)
def two_of_three_survivors() -> int:
    # nodes 1 and 0 at -1: (1/2 + 1)/(1 - 1/2)
    return 3


@teeth.pin("bacc.leb.proof", comparison=0)
def well_spaced_bound() -> Any:
    R, C, L = sympy.symbols("R C L", nonnegative=True)
    return 1 + C * L + R / 2 + R * C * L / 2


@teeth.pin("bacc.leb.sharp", within=1e-11, N=2, s=0)
def three_nodes_in_closed_form() -> float:
    return math.sqrt(2)


@teeth.pin("bacc.leb.sharp", within=1e-4, N=10, s=1)
def published_value_for_eleven_workers() -> float:
    return 4.9283


@teeth.pin("bacc.leb.sharp.interval", within=1e-6, N=5, s=2)
def gap_in_the_middle() -> float:
    return lebesgue_by_search([0, 1, 4, 5], 5)


@teeth.pin("bacc.leb.offhull", within=1e-10, N=4, s=3)
def closed_form_for_two_survivors() -> float:
    c = math.cos(math.pi / 4)
    return (3 + c) / (1 - c)


@teeth.pin("bacc.leb.offhull.two", comparison=1)
def two_nodes_at_minus_one() -> Any:
    c = sympy.Symbol("c")
    return (sympy.Rational(1, 2) + 1 / (1 + c)) / (1 / (1 + c) - sympy.Rational(1, 2))


@teeth.pin("bacc.leb.parity", within=1e-4, N=7, s=0)
def published_value_for_eight_workers() -> float:
    return 2.7704


@teeth.pin("bacc.leb.parity.gap", within=2e-4, N=4, s=1)
def difference_of_published_values() -> float:
    return 5.1078 - 4.0411


@teeth.pin("bacc.leb.parity.hole", within=1e-6, N=6, s=1, S=(3,))
def odd_hole_is_mild() -> float:
    return lebesgue_by_search([0, 1, 2, 4, 5, 6], 6)


@teeth.pin("bacc.leb.parity.second", within=1e-6, N=8, s=1)
def third_worker_lost() -> float:
    return lebesgue_by_search([0, 1, 3, 4, 5, 6, 7, 8], 8)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
