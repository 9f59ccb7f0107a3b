"""Twins and pins of the claims about the error bounds of Berrut approximated coded computing."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import LowerBound
from codedtheory.claims import Claim, Comparison, at_most, sweep
from codedtheory.interpolation import worst_error as library
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.worst_case import WorstCase
from tests.proofs_check.teeth import Teeth
from tests.proofs_check.unfaithful_signs import close_to_a_pole

MODULE = "proofs_check.bacc"
teeth = Teeth(MODULE)


def signs_of_the_workers(claim: Claim, patch: Any) -> Claim:
    """Let weights keep the sign of the worker, so that lost workers leave poles."""

    def corrupt(name: str, constant: str) -> Any:
        def worst(workers: int, stragglers: int, domain: Any, arithmetic: Any, tolerance: str) -> WorstCase:
            if stragglers == 0:
                return getattr(library, name)(workers, stragglers, domain, arithmetic, tolerance)  # type: ignore[no-any-return]
            nodes, weights, point = close_to_a_pole(workers, stragglers)
            value = getattr(error_constants_at(point, nodes, weights, arithmetic), constant)
            return WorstCase(LowerBound(value), (), ())

        return worst

    for name, constant in (("worst_error_over_stragglers", "second"), ("worst_linear_error_over_stragglers", "first")):
        patch.setattr(f"{MODULE}.{name}", corrupt(name, constant))
    return claim


def points_inside_the_hull(claim: Claim, patch: Any) -> Claim:
    """Decode between the two outermost survivors instead of beyond them."""

    def corrupt(x: int, nodes: Any, arithmetic: Any) -> Any:
        z = nodes.over(arithmetic)
        ends = z[:2] if x == 1 else z[-2:]
        return error_constants_at((ends[0] + ends[1]) / 2, nodes, arithmetic=arithmetic)

    patch.setattr(f"{MODULE}.error_constants_at", corrupt)
    return claim


# -- corrupted twins ------------------------------------------------------------------------------------

for bound in ("odd", "even", "sharp1", "sharp2", "sharp2.hull", "mono"):
    teeth.twin(f"bacc.error.{bound}")(signs_of_the_workers)
for reading in ("fh", "fh.four", "fh.length"):
    teeth.twin(f"bacc.error.offhull.{reading}")(points_inside_the_hull)


@teeth.twin("bacc.error.odd")
def parity_forgotten(claim: Claim, patch: Any) -> Claim:
    # for f(x) = x the bound without the slope is 0
    def body(N: int, s: int) -> Comparison:
        worst = library.worst_linear_error_over_stragglers(
            N + 1, s, "interval", claim.body.__globals__["BALLS"], "1e-2"
        )
        return at_most(worst.value, 0)

    domain = sweep("2 <= N <= 4", "0 <= s < N", where="(N - s) % 2 == 0")
    return dataclasses.replace(claim, body=body, domain=domain)


# -- pinned left-hand sides -----------------------------------------------------------------------------


def largest_error(kept: list[int], N: int, x: float) -> float:
    """Return half the sum of every other gap over the denominator, in floats."""
    z = np.cos(np.pi * np.array(kept) / N)
    gaps = -np.diff(z)[::2].sum()
    return float(gaps / 2 / abs(((-1.0) ** np.arange(len(z)) / (x - z)).sum()))


@teeth.pin("bacc.error.odd", within=5e-3, N=7, s=2)
def published_value_for_eight_workers() -> float:
    return 0.298347


@teeth.pin("bacc.error.odd", within=1e-2, N=3, s=2)
def two_survivors_at_one_end() -> float:
    # e(e + g)/2 at the other end, with e + g = 2 and e = 1 + cos(pi/3)
    return 1.5


@teeth.pin("bacc.error.even", comparison=1, within=5e-3, N=4, s=0)
def published_value_for_a_line() -> float:
    return 0.2577


@teeth.pin("bacc.error.even", comparison=1, within=2e-2, N=4, s=2)
def published_value_for_a_line_off_the_hull() -> float:
    return 1.0938


@teeth.pin("bacc.error.sharp1", within=1e-2, N=5, s=2)
def published_value_for_six_workers() -> float:
    return 0.549553


@teeth.pin("bacc.error.sharp2", within=1e-2, N=6, s=3)
def published_value_for_seven_workers() -> float:
    return 0.858505


@teeth.pin("bacc.error.sharp2.hull", within=5e-3, N=5, s=2)
def published_value_on_the_hull() -> float:
    return 0.404508


@teeth.pin("bacc.error.mono", within=1e-2, N=4, s=3)
def two_survivors_of_five() -> float:
    return 1 + math.cos(math.pi / 4)


@teeth.pin("bacc.error.offhull.fh", comparison=1, N=2, s=1, F=(0, 1))
def parabola_beyond_two_nodes() -> Fraction:
    # the line through (1, 1/2) and (0, 0) against x^2/2 at -1
    return Fraction(1, 2) - Fraction(-1, 2)


@teeth.pin("bacc.error.offhull.fh.four", comparison=1, N=6, s=3, F=(0, 1, 2, 3))
def parabola_beyond_four_nodes() -> float:
    return largest_error([0, 1, 2, 3], 6, -1.0)


@teeth.pin("bacc.error.offhull.fh.length", comparison=1, N=7, s=4, F=(0, 1, 2, 3))
def parabola_beyond_four_nodes_of_eight() -> float:
    return largest_error([0, 1, 2, 3], 7, -1.0)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
