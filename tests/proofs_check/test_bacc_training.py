"""Twins and pins of the claims about training with Berrut approximated coded computing."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from math import comb
from typing import Any

from codedtheory.claims import Claim, sweep
from codedtheory.coding import expected_step_time
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.bacc_training"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("bacc.train.load")
def repetition_waits_for_one_more(claim: Claim, patch: Any) -> Claim:
    def corrupt(scheme: str, W: int, s: int, t: Any, mean: Any) -> Any:
        return expected_step_time(scheme, W, max(s - (scheme == "repetition"), 0), t, mean)

    patch.setattr(f"{MODULE}.expected_step_time", corrupt)
    return claim


@teeth.twin("bacc.train.load.wait")
def one_worker_never_replies(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.comb", lambda W, i: comb(W - 1, i))
    return claim


@teeth.twin("bacc.train.bias")
def constant_gradients(claim: Claim, patch: Any) -> Claim:
    from proofs_check.bacc_training import _decoded_gradients

    patch.setattr(f"{MODULE}._decoded_gradients", lambda W, s, _: _decoded_gradients(W, s, lambda x, y: 0 * x + 2))
    return claim


@teeth.twin("bacc.train.bias.affine")
def odd_number_of_replies(claim: Claim, patch: Any) -> Claim:
    return dataclasses.replace(claim, domain=sweep("2 <= W <= 4", "0 <= s < W", where="(W - s) % 2 == 1"))


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("bacc.train.load", comparison=2, W=3, s=2, t=1, mean=1)
def wait_for_the_last_two() -> Fraction:
    return Fraction(1) + Fraction(1, 2)


@teeth.pin("bacc.train.load.wait", W=3, s=1)
def second_of_three_replies() -> Fraction:
    return Fraction(1, 3) + Fraction(1, 2)


@teeth.pin("bacc.train.bias", W=2, s=1)
def single_replies_by_hand() -> Fraction:
    # x = 3/2 -+ a and y = 1/2 +- a with a^2 = 1/2: the means of x^2 and of xy
    return (Fraction(9, 4) + Fraction(1, 2)) - (Fraction(3, 4) - Fraction(1, 2))


@teeth.pin("bacc.train.bias.affine", W=4, s=2)
def mean_of_both_gradients() -> Fraction:
    return Fraction((3 * 1 - 1 + 2) + (3 * 2 - 0 + 2), 2)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
