"""Twins and pins of the claims about coded polynomial aggregation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.claims import Claim, sweep
from codedtheory.coding import aggregation_weights
from codedtheory.coding.responder_polynomials import real_responder_polynomial, responder_polynomials
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.polynomial_aggregation"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def responders_of_the_mean(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.real_responder_polynomial", lambda B, d, w: real_responder_polynomial(B, d))
    return claim


teeth.twin("cpa.min")(responders_of_the_mean)
teeth.twin("cpa.min.weights")(responders_of_the_mean)


def signs_dropped(claim: Claim, patch: Any) -> Claim:
    def positive(B: Any, d: int, count: int, w: list[int]) -> Any:
        return responder_polynomials(B, d, count, [abs(x) for x in w])

    patch.setattr(f"{MODULE}.responder_polynomials", positive)
    return claim


teeth.twin("cpa.min.real")(signs_dropped)
teeth.twin("cpa.min.real.odd")(signs_dropped)


@teeth.twin("cpa.min.field")
def equal_weights(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.aggregation_weights", lambda a, B, d, w, field: aggregation_weights(a, B, d, None, field))
    return claim


@teeth.twin("cpa.min.schemes")
def bilinear_maps_only(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("2 <= K <= 4", "2 <= d <= 2"))


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("cpa.min", comparison=3, K=2, d=1, B=(0, 1), h=1, H=(1,))
def value_at_zero_of_the_centre_of_gravity() -> Fraction:
    # weights 1 and 2 at 0 and 1: the responder sits at 2/3
    return Fraction(-2, 3)


@teeth.pin("cpa.min", comparison=0, K=3, d=3, B=(0, 1, 2), h=0, H=())
def multiples_of_a_cubic() -> int:
    # degree at most 4
    return 2


@teeth.pin("cpa.min.weights", comparison=2, K=2, d=2, B=(0, 1), h=1, H=(0,))
def two_real_responders() -> int:
    # x(x - 1) + c B with small c has two real zeros next to 0 and 1
    c = 1e-3
    return int(np.isreal(np.roots([1, -1 + c, -c])).sum())


@teeth.pin("cpa.min.real", comparison=1, w=2)
def no_real_square_root_of_minus_seven() -> int:
    return int(np.isreal(np.roots([1, 0, 7])).sum())


@teeth.pin("cpa.min.real.odd", comparison=4)
def one_real_zero_of_the_cubic() -> int:
    return int(np.isreal(np.roots([1, 0, 2, 0])).sum())


@teeth.pin("cpa.min.field", p=11)
def two_and_its_opposite_modulo_eleven() -> int:
    # (x - 2)(x + 2) = x^2 + 7 modulo 11
    return int(-4 % 11 == 7)


@teeth.pin("cpa.min.schemes", comparison=1, K=3, d=1)
def one_worker_with_the_sum() -> int:
    return 1


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
