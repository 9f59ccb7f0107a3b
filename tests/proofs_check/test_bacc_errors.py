"""Twins and pins of the proofs of the error bounds of Berrut approximated coded computing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

from codedtheory.claims import Claim
from codedtheory.claims.angles import sine
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.bacc_errors"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def whole_angles(claim: Claim, patch: Any) -> Claim:
    """Take gaps of Chebyshev points as sines of whole instead of half angles."""
    patch.setattr(f"{MODULE}.sine", lambda turn: sine(turn**2))
    return claim


teeth.twin("bacc.error.sharp2.proof")(whole_angles)
teeth.twin("bacc.error.mono.proof")(whole_angles)


@teeth.twin("bacc.error.mono.proof")
def second_form(claim: Claim, patch: Any) -> Claim:
    # the nearest node would have half the weight of the others
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance - 2 * tail)
    return claim


@teeth.twin("bacc.error.mono.proof")
def only_the_shorter_neighbour(claim: Claim, patch: Any) -> Claim:
    calls = []

    def corrupt(distance: Any, gap: Any) -> Any:
        calls.append(gap)
        return 0 if len(calls) % 2 == 0 else 1 / distance - 1 / (distance + gap)

    patch.setattr(f"{MODULE}._two_terms", corrupt)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("bacc.error.sharp2.proof", comparison=4)
def beyond_two_nodes() -> Any:
    # e(e + g)/g for the distance e = 2S and the gap g = 2d
    S, d = sympy.symbols("S d", positive=True)
    return 2 * S * (2 * S + 2 * d) / (2 * d)


@teeth.pin("bacc.error.mono.proof", comparison=0)
def pair_of_reciprocals() -> Any:
    x, a, b = sympy.symbols("x x_i x_j")
    return (a - b) / ((x - a) * (x - b))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


@pytest.mark.parametrize("N", [5, 9, 13, 24, 41])
def test_random_survivors_respect_what_is_proved(N: int) -> None:
    """The proved bound min(2, 2(s + 2)sin((s + 1)a)) holds for the sharp constants at random points."""
    rng = np.random.default_rng(N)
    for _ in range(200):
        s = int(rng.integers(0, N))
        start = rng.integers(0, N + 2 - s)
        lost = np.arange(start, start + s) if rng.random() < 0.5 else rng.choice(N + 1, s, replace=False)
        z = np.cos(np.pi * np.setdiff1d(np.arange(N + 1), lost) / N)
        n = len(z) - 1
        x = np.cos(np.pi * rng.random(40))
        x = x[np.abs(x[:, None] - z).min(axis=1) > 1e-9]
        reciprocal = 1 / np.abs(((-1.0) ** np.arange(n + 1) / (x[:, None] - z)).sum(axis=1))
        constant = reciprocal * -np.diff(z)[::2].sum() / 2 if n % 2 else reciprocal
        assert constant.max() <= min(2, 2 * (s + 2) * np.sin((s + 1) * np.pi / 2 / N))
