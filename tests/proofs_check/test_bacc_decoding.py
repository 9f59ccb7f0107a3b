"""Twins and pins of the claims about decoding in Berrut approximated coded computing."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy
from scipy.interpolate import FloaterHormannInterpolator

from codedtheory.claims import Claim, sweep
from codedtheory.claims.angles import cosine
from codedtheory.coding import BerrutCode
from codedtheory.coding.encoder_derivatives import encoder_derivative_norms
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.bacc_decoding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("bacc.error.Kdep", effort="default")
def blocks_sorted(claim: Claim, patch: Any) -> Claim:
    # one change of sign, mostly far from the ends, where data points are not close to each other
    def corrupt(X: Any, tolerance: str) -> Any:
        return encoder_derivative_norms(np.sort(X, axis=0), tolerance=tolerance)

    patch.setattr(f"{MODULE}.encoder_derivative_norms", corrupt)
    return claim


def quarter_turns(claim: Claim, patch: Any) -> Claim:
    """Take cosines for sines."""
    patch.setattr(f"{MODULE}.sine", cosine)
    return claim


teeth.twin("bacc.error.Kdep.order")(quarter_turns)
teeth.twin("bacc.alt.halfend")(quarter_turns)


@teeth.twin("bacc.error.Kdep.two")
def equal_signs(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count: SymbolicInterpolant([-1, 1], [1] * count))
    return claim


@teeth.twin("bacc.exact")
def signs_do_not_alternate(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count: SymbolicInterpolant(count, [1] * count))
    return claim


@teeth.twin("bacc.exact.codes")
def ends_halved(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.BerrutCode", partial(BerrutCode, blending="half-ends"))
    return claim


def smooth_activation(claim: Claim, patch: Any) -> Claim:
    """Square the positive and the negative part alike, so that the gradient is a polynomial."""
    for name in ("relu_gradient", "pooling_gradient"):
        patch.setattr(f"{MODULE}.{name}", lambda z, y: (z * z - y) * 2 * z)
    return claim


teeth.twin("bacc.smooth")(smooth_activation)
teeth.twin("bacc.smooth.jump")(smooth_activation)


@teeth.twin("bacc.alt.halfend.xsinx")
def ends_never_halved(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda K, W, blending, arithmetic: BerrutCode(K, W, arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.BerrutCode", corrupt)
    return claim


@teeth.twin("bacc.alt.fh")
def degree_ignored(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda K, W, blending, arithmetic: BerrutCode(K, W, arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.BerrutCode", corrupt)
    return claim


@teeth.twin("bacc.alt.fh.uniform")
def many_workers_only(claim: Claim, patch: Any) -> Claim:
    return dataclasses.replace(claim, domain=sweep("17 <= N <= 18", "1 <= s <= 1"))


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("bacc.error.Kdep", within=2e-2, K=3)
def mean_slope_on_a_grid() -> float:
    alpha, z = np.cos(np.array([1, 3, 5]) * np.pi / 6), np.cos((np.arange(20_000) + 0.3) / 20_000 * np.pi)
    terms = (-1.0) ** np.arange(3) / (z[:, None] - alpha)
    slopes = []
    for X in product((1, -1), repeat=3):
        u = (terms * np.array(X)).sum(axis=1) / terms.sum(axis=1)
        slopes.append(np.abs(np.gradient(u, z)[2:-2]).max())
    return float(np.mean(slopes))


@teeth.pin("bacc.error.Kdep.order", comparison=0)
def first_two_points() -> Any:
    H = sympy.Symbol("H")
    b = H**2
    return 2 / ((b + 1 / b) / 2 - (b**3 + 1 / b**3) / 2)


@teeth.pin("bacc.error.Kdep.two", comparison=1)
def curvature_by_hand() -> Any:
    x, p, q, c2, c3, c4 = sympy.symbols("x p q c2 c3 c4")
    u = p * x + q
    return p**2 * (2 * c2 + 6 * c3 * u + 12 * c4 * u**2)


@teeth.pin("bacc.exact", comparison=3)
def running_sum_of_signs() -> Any:
    return (1 - sympy.Symbol("e")) / 2


@teeth.pin("bacc.exact.codes", N=2, s=0, F=(0, 1, 2))
def line_on_three_workers() -> Fraction:
    # f(u(z)) = 19/2 - 9z/sqrt(2), and z - r(z) = z(z^2 - 1)/(z^2 + 1) = -sqrt(2)/6 at z = 1/sqrt(2)
    return Fraction(19, 2) - Fraction(9, 2) - 9 * Fraction(1, 6)


@teeth.pin("bacc.smooth", comparison=0)
def minus_the_label() -> Any:
    return -sympy.Symbol("y", positive=True)


@teeth.pin("bacc.smooth.jump", N=2, s=1, F=(0, 2))
def line_through_zeros() -> Fraction:
    # the gradient is 0 at 1 and at -1, and epsilon - 1 at epsilon
    return 1 - Fraction(1, 2**40)


@teeth.pin("bacc.alt.halfend", comparison=0)
def error_of_plain_weights() -> Any:
    N, U, x, p, f, first, last, e = sympy.symbols("N U x p f f_1 f_-1 e")
    above = 2 * N * p + U * ((x + 1) * first + e * (x - 1) * last)
    return f - above / (2 * N + U * ((x + 1) + e * (x - 1)))


@teeth.pin("bacc.alt.halfend.xsinx", within=1e-12, N=3)
def four_nodes_by_hand() -> float:
    # at 0 the terms are -1, 2, 2, -1; at cos(pi/6) the weights are +-1/(x - z)
    x, z = math.cos(math.pi / 6), np.array([1, 0.5, -0.5, -1])
    terms = np.array([1, -1, 1, -1]) / (x - z)
    elsewhere = abs((terms * z * np.sin(z)).sum() / terms.sum() - x * math.sin(x))
    return max(math.sin(1) - math.sin(0.5), float(elsewhere))


def worst_error_by_scipy(N: int, s: int, d: int) -> float:
    """Return the largest decoding error over all survivor sets, encoder and decoder written out."""
    X, alpha = np.array([-0.9, 0.3, -0.2, 0.8, 0.1]), np.cos(np.arange(1, 10, 2) * np.pi / 10)
    z = np.cos(np.pi * np.arange(N + 1) / N)
    if N % 2 == 0:
        z[N // 2] = alpha[2] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (-1.0) ** np.arange(5) / (z[:, None] - alpha)
        u = (terms * X).sum(axis=1) / terms.sum(axis=1)
    u[np.isnan(u)] = X[2]
    errors = []
    for kept in combinations(range(N + 1), N + 1 - s):
        r = FloaterHormannInterpolator(z[list(kept)], (u * np.sin(u))[list(kept)], d=d)
        errors.append(np.abs(r(alpha) - X * np.sin(X)).max())
    return float(max(errors))


@teeth.pin("bacc.alt.fh", within=1e-10, N=17, s=1)
def blended_decoder_by_scipy() -> float:
    return worst_error_by_scipy(17, 1, 3)


@teeth.pin("bacc.alt.fh.uniform", within=1e-10, N=6, s=2)
def blended_decoder_with_few_workers() -> float:
    return worst_error_by_scipy(6, 2, 3)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
