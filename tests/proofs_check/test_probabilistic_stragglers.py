"""Twins and pins of the claims about workers that are lost independently of each other."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import ball
from codedtheory.claims import Claim
from codedtheory.coding import BerrutCode
from proofs_check import probabilistic_stragglers as catalogue
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.probabilistic_stragglers"
teeth = Teeth(MODULE)
mean_square_bound, mean_spline_bound = catalogue._mean_square_bound, catalogue._mean_spline_bound
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("probstrag.rate")
def worker_at_the_data_point(claim: Claim, patch: Any) -> Claim:
    """Take a multiple of 4 for N, so that the worker nearest to cos(pi/4) sits there and 1/(1/b + 1/c) is 0."""

    def corrupt(N: int) -> Any:
        M, balls = N + 2, ball(128)
        data_point = balls.cos_pi(Fraction(1, 4))
        near, far = (abs(balls.cos_pi(Fraction(i, M)) - data_point) for i in (M // 4, M // 4 + 1))
        return near * far / (near + far)

    patch.setattr(f"{MODULE}._least_error", corrupt)
    patch.setattr(f"{MODULE}.LowerBound", lambda error: error)
    return claim


@teeth.twin("probstrag.rate.lower")
def tails_do_not_alternate(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance + tail)
    return claim


@teeth.twin("probstrag.rate.lower.values")
def decoder_with_halved_ends(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.BerrutCode", partial(BerrutCode, blending="half-ends"))
    return claim


@teeth.twin("probstrag.rate.swapped")
def survivors_and_lost_exchanged(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._mean_square_bound", lambda N, p: mean_square_bound(N, 1 - p))
    patch.setattr(f"{MODULE}.UpperBound", lambda error: error)
    return claim


@teeth.twin("probstrag.rate.splines")
def kept_with_the_probability_of_loss(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._mean_spline_bound", lambda N, p: mean_spline_bound(N, 1 - p))
    patch.setattr(f"{MODULE}.UpperBound", lambda error: error)
    return claim


@teeth.twin("probstrag.rate.simulated")
def answers_in_order_of_arrival(claim: Claim, patch: Any) -> Claim:
    def errors(N: int, p: Fraction, draws: int, rng: np.random.Generator) -> Any:
        survivors = rng.random((200, N + 1)) >= float(p)
        return np.array([simulated_error(N, alive, rng.permutation(alive.sum())) for alive in survivors])

    patch.setattr(f"{MODULE}._simulated_errors", errors)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def simulated_error(N: int, alive: Any, order: Any = slice(None)) -> float:
    alpha, X = np.cos((2 * np.arange(5) + 1) * np.pi / 10), np.array([-0.9, 0.3, -0.2, 0.8, 0.1])
    z = np.cos(np.arange(N + 1) * np.pi / N)

    def interpolate(nodes: Any, signs: Any, values: Any, points: Any) -> Any:
        terms = signs / np.subtract.outer(points, nodes)
        return terms @ values / terms.sum(axis=1)

    u = interpolate(alpha, (-1.0) ** np.arange(5), X, z)
    signs = (-1.0) ** np.arange(alive.sum())
    decoded = interpolate(z[alive], signs, (u * np.sin(u))[alive][order], alpha)
    return float(((decoded - X * np.sin(X)) ** 2).mean())


@teeth.pin("probstrag.rate", within=1e-18, k=2, p=TENTH)
def square_by_numpy() -> float:
    a = np.pi / 204
    return float((np.cos(a) * np.tan(a / 2)) ** 2 / 4)


@teeth.pin("probstrag.rate.lower", comparison=5)
def distances_of_the_two_workers() -> Any:
    # 1/(1/b + 1/c) for b, c = r s -/+ r(1 - c)
    r, c, s = sympy.symbols("r c s")
    return r * (s**2 - (1 - c) ** 2) / (2 * s)


@teeth.pin("probstrag.rate.lower.values", comparison=0, within=1e-12, N=2, m=3, S=(0, 1, 2))
def three_nodes_in_closed_form() -> float:
    # 1/D = x(1 - x^2)/(1 + x^2) at x = cos(pi/4)
    return np.sqrt(0.5) / 3


@teeth.pin("probstrag.rate.swapped", within=1e-12, m=1, p=HALF)
def six_gaps_by_all_nearest_survivors() -> float:
    z, x = np.cos(np.arange(7) * np.pi / 6), np.sqrt(0.5)
    total = 0.0
    for alive in product((False, True), repeat=7):
        tails = []
        for side in ([1, 0], [2, 3, 4, 5, 6]):
            first = next((k for k, i in enumerate(side) if alive[i]), None)
            if first is not None:
                e = [abs(z[i] - x) for i in side[first : first + 2]]
                tails.append(1 / e[0] - (1 / e[1] if len(e) > 1 else 0))
        total += sum(tails) ** -2 / 2**7 if tails else 0
    return total


@teeth.pin("probstrag.rate.splines", N=9, p=TENTH)
def nine_gaps_by_all_sets_of_survivors() -> Fraction:
    total = Fraction(0)
    for alive in product((False, True), repeat=10):
        probability = TENTH ** alive.count(False) * (1 - TENTH) ** alive.count(True)
        left, right = [i for i in range(5) if alive[i]], [i for i in range(5, 10) if alive[i]]
        if left and right:
            total += probability * Fraction(right[0] - left[-1], 9) ** 3 / 48
        # both sides lost is counted twice, as a bound may
        total += probability * ((not left) + (not right)) / 3
    return total


@teeth.pin("probstrag.rate.simulated", comparison=0, p=TENTH, N=33, rng=np.random.default_rng(5))
def share_by_single_sets() -> float:
    alive = np.random.default_rng(5).random((1500, 34)) >= 0.1
    return float(np.mean([simulated_error(33, row) >= 1 / (20 * 33**2) for row in alive]))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
