"""Twins and pins of the claims about the convergence of pipelined gradient coding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import sympy

from codedtheory.arithmetic import Rational
from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import averaged_ages, plain_cyclic, stationary_variance
from codedtheory.coding.pipelined_descent import pipelined_iterates
from proofs_check import pipelined_convergence
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.pipelined_convergence"
teeth = Teeth(MODULE)


def alphas(n: int, s: int, lost: tuple[int, ...]) -> list[Fraction]:
    """Return the relaxed coefficients by counting copies."""
    weight = Fraction(n, (n - s) * (s + 1))
    return [weight * sum((j - i) % n <= s for i in range(n) if i not in lost) for j in range(n)]


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("pgc.linear")
def ages_from_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._ages", lambda s: (s + 1) * (s + 2) / 2)
    return claim


def staleness_that_helps(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._staleness", lambda eta, L, s: -(eta**2) * L**2 * s / 2)
    return claim


teeth.twin("pgc.linear")(staleness_that_helps)


def steps_twice_as_long(claim: Claim, patch: Any) -> Claim:
    def longer(gradients: Any, s: int, stragglers: Any, start: Any, step: Any, *options: Any) -> Any:
        return pipelined_iterates(gradients, s, stragglers, start, 2 * step, *options)

    patch.setattr(f"{MODULE}.pipelined_iterates", longer)
    return claim


teeth.twin("pgc.linear.runs")(steps_twice_as_long)
teeth.twin("pgc.cr.floor")(steps_twice_as_long)
teeth.twin("pgc.geometric")(steps_twice_as_long)


@teeth.twin("pgc.persistent")
def stragglers_move_on(claim: Claim, patch: Any) -> Claim:
    def rotating(gradients: Any, s: int, stragglers: Any, start: Any, step: Any) -> Any:
        n = len(gradients)
        moved = [[(w + t) % n for w in lost] for t, lost in enumerate(stragglers)]
        return pipelined_iterates(gradients, s, moved, start, step)

    patch.setattr(f"{MODULE}.pipelined_iterates", rotating)
    return claim


def only_two_workers(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("1 <= n <= 2", "0 <= s < n", "S in subsets(n, s)"))


teeth.twin("pgc.persistent.unbiased")(only_two_workers)
teeth.twin("pgc.geometric.exact")(only_two_workers)


@teeth.twin("pgc.geometric.exact")
def equal_minimisers(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._parabolas", lambda n: pipelined_convergence._gradients([7] * n, [1] * n))
    patch.setattr(f"{MODULE}._mean_square", lambda n: Fraction(7))
    return claim


@teeth.twin("pgc.cr.floor")
def different_curvatures(claim: Claim, patch: Any) -> Claim:
    original = pipelined_convergence._gradients
    patch.setattr(f"{MODULE}._gradients", lambda b, h: original(b, [1 + j for j in range(len(h))]))
    return claim


@teeth.twin("pgc.cr.floor.noise")
def worker_zero_always_straggles(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.combinations", lambda pool, s: [c for c in combinations(pool, s) if not s or c[0] == 0])
    return claim


@teeth.twin("pgc.cr.floor.variance")
def sign_of_the_older_age(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._floor_of_one", lambda a: (2 - a) / (2 * a * (2 + a)))
    return claim


@teeth.twin("pgc.cr.floor.impulse")
def constant_age(claim: Claim, patch: Any) -> Claim:
    def older(s: int) -> tuple[Rational, ...]:
        return (*(Rational(0),) * s, Rational(1))

    patch.setattr(f"{MODULE}.averaged_ages", older)
    return claim


@teeth.twin("pgc.vs.issgd.variance")
def two_copies_for_the_scheme_without(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.plain_cyclic", lambda n, s: plain_cyclic(n, max(s, 1)))
    return claim


@teeth.twin("pgc.geometric.iff")
def two_windows_in_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.gcd", lambda n, c: 1)
    return claim


@teeth.twin("pgc.geometric.periodic")
def signs_of_period_four(claim: Claim, patch: Any) -> Claim:
    def reordered(gradients: Any, s: int, stragglers: Any, start: Any, step: Any) -> Any:
        return pipelined_iterates([gradients[j] for j in (0, 2, 1, 3)], s, stragglers, start, step)

    patch.setattr(f"{MODULE}.pipelined_iterates", reordered)
    return claim


@teeth.twin("pgc.geometric.tile")
def relaxed_instead_of_residue_class(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.ResidueClassDecoder", pipelined_convergence.RelaxedDecoder)
    return claim


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("pgc.linear", comparison=2)
def shrinkage_squared() -> Any:
    mu, (g, k) = positive("mu")[0], nonnegative("g k")
    eta = 2 / ((2 * mu + g) * (1 + k))
    return (1 - eta * mu) ** 2


@teeth.pin("pgc.linear", comparison=5)
def mean_age() -> Any:
    return positive("s")[0] / 2


@teeth.pin("pgc.linear.runs", n=2, s=1, heavy=0, share="1/2", placement="fractional")
def one_step_of_two() -> Fraction:
    # h = 1, step = min(1, 2)/2, all gradients evaluated at the start
    return (1 - Fraction(1, 2)) ** 3


@teeth.pin("pgc.linear.runs", comparison=1, n=2, s=0, heavy=2, share="9/10", placement="cyclic")
def two_steps_of_gradient_descent() -> Fraction:
    return (1 - Fraction(9, 10) * Fraction(2, 5) * 2) ** 2


@teeth.pin("pgc.persistent", comparison=6, n=3, s=1, S=(0,))
def published_limit() -> Fraction:
    return Fraction(1, 4) * 0 + Fraction(1, 4) * 1 + Fraction(1, 2) * 4


@teeth.pin("pgc.persistent.unbiased", n=4, s=2, S=(1, 2))
def weighted_mean() -> Fraction:
    return sum(a * j * j for j, a in enumerate(alphas(4, 2, (1, 2)))) / 4


@teeth.pin("pgc.cr.floor", n=2, s=0, S=(), T=(), a="1/2")
def an_eighth_is_left() -> Any:
    x, b0, b1 = arbitrary("x b0 b1")
    return (x - (b0 + b1) / 2) / 8


@teeth.pin("pgc.cr.floor.noise", comparison=1, n=3, s=1)
def variance_of_three() -> Fraction:
    g = [Fraction(5, 3) - j * j for j in range(3)]
    noise = [sum((a - 1) * x for a, x in zip(alphas(3, 1, (lost,)), g, strict=True)) / 3 for lost in range(3)]
    return sum(xi * xi for xi in noise) / 3


@teeth.pin("pgc.cr.floor.variance")
def geometric_series() -> Any:
    a = arbitrary("a")[0]
    return 1 / (1 - (1 - a) ** 2)


@teeth.pin("pgc.cr.floor.impulse", s=0, k=5)
def half_powers() -> Fraction:
    # a = 1/2: squares 1, 1/4, 1/16, ...
    return (1 - Fraction(1, 4) ** 60) / (1 - Fraction(1, 4))


@teeth.pin("pgc.cr.floor.impulse", comparison=2, s=1, k=5)
def variance_of_two_ages() -> Fraction:
    a = Fraction(1, 4)
    return (2 + a) / (2 * a * (2 - a))


@teeth.pin("pgc.vs.issgd.variance", n=12, s=3)
def ratio_for_twelve() -> Fraction:
    # indicator of an answer over its mean, against the tabulated variance of relaxed decoding
    return (Fraction(comb(12, 3), comb(11, 3)) - 1) / Fraction(2, 33)


@teeth.pin("pgc.geometric", comparison=1, n=3, s=1, t=2, share="1")
def second_moment_of_two_steps() -> Fraction:
    # from the minimiser: e_1 = -eta xi_0, e_2 = e_1 - (eta/2)(e_1 + 0) - eta xi_1
    g = [Fraction(5, 3) - j * j for j in range(3)]
    xi = [sum((a - 1) * x for a, x in zip(alphas(3, 1, (lost,)), g, strict=True)) / 3 for lost in range(3)]
    eta = Fraction(1, 2)
    ends = [-eta * first * (1 - eta / 2) - eta * second for first, second in product(xi, xi)]
    return sum(e * e for e in ends) / 9


@teeth.pin("pgc.geometric.exact", n=3, s=1, S=(0,))
def one_step_from_the_minimiser() -> Fraction:
    x = Fraction(5, 3)
    return x - Fraction(1, 6) * sum(a * (x - j * j) for j, a in enumerate(alphas(3, 1, (0,))))


@teeth.pin("pgc.geometric.iff", n=6, s=3)
def rank_of_a_window() -> int:
    return int(sympy.Matrix([[int((j - i) % 6 < 4) for j in range(6)] for i in range(6)]).rank())


@teeth.pin("pgc.geometric.iff", comparison=2, n=8, s=3)
def periodic_sequences() -> int:
    return 3


@teeth.pin("pgc.geometric.periodic", S=(0,), T=(3,))
def stays_at_zero() -> int:
    return 0


@teeth.pin("pgc.geometric.tile", n=6, s=2, S=(1, 4))
def mean_of_squares() -> Fraction:
    return Fraction(0 + 1 + 4 + 9 + 16 + 25, 6)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_neighbourhoods_shrink_in_proportion_to_the_step() -> None:
    radius = [eta**2 * stationary_variance(averaged_ages(2), eta) for eta in (Rational(1, 100), Rational(1, 200))]
    assert Rational("1.99") < radius[0] / radius[1] < Rational("2.05")
