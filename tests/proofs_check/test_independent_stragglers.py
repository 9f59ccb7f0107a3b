"""Twins and pins of the claims about independently lost workers and random placements."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import Rational
from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import (
    LeastSquaresDecoder,
    OneStepDecoder,
    bernoulli_code,
    decoded_coefficients,
    generalised_repetition,
    plain_cyclic,
)
from proofs_check import independent_stragglers
from proofs_check.small_matrices import numbered_code
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.independent_stragglers"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("agc.lower")
@teeth.twin("agc.bgc.mean")
def what_must_not_be_negative_is(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-symbol for symbol in nonnegative(names)))
    return claim


@teeth.twin("agc.lower.optimal")
def lost_partitions_are_made_up(claim: Claim, patch: Any) -> Claim:
    """Coefficients that nobody sent count as 1."""

    def corrupt(code: Any, survivors: Any, decoder: Any) -> Any:
        alpha = decoded_coefficients(code, survivors, decoder)
        return np.array([a if a != 0 else a + 1 for a in alpha], dtype=object)

    patch.setattr(f"{MODULE}.decoded_coefficients", corrupt)
    return claim


@teeth.twin("agc.lower.adversarial")
def residue_classes_instead_of_groups(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.fractional_repetition", plain_cyclic)
    patch.setattr(f"{MODULE}.FirstOfGroupDecoder", LeastSquaresDecoder)
    return claim


@teeth.twin("agc.bgc")
def weight_as_if_all_had_answered(claim: Claim, patch: Any) -> Claim:
    """With half of the load in the weight the coefficients are twice too large."""
    patch.setattr(f"{MODULE}.OneStepDecoder", lambda weight: OneStepDecoder(2 * weight))
    return claim


@teeth.twin("agc.bgc.mean.enumerated")
def zeros_and_ones_are_exchanged(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.numbered_code", lambda k, base, x: numbered_code(k, base, base ** (k * k) - 1 - x))
    return claim


@teeth.twin("agc.sgc")
def losses_are_not_made_up_for(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._weight", lambda d, p: 1 / d)
    return claim


@teeth.twin("agc.sgc.enumerated")
def weights_know_nothing_of_the_loss(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda weight: OneStepDecoder(Fraction(1, round(1 / weight)))  # noqa: E731
    patch.setattr(f"{MODULE}.OneStepDecoder", corrupt)
    return replace(claim, domain=sweep(n=(4,), p=(Fraction(1, 10),)))


@teeth.twin("agc.wls")
def one_copy_less(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s: generalised_repetition(n, max(s - 1, 0))  # noqa: E731
    patch.setattr(f"{MODULE}.fractional_repetition", corrupt)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("agc.lower", comparison=1)
def middle_terms() -> Any:
    X = sympy.Symbol("X")
    d = sympy.Symbol("d", positive=True)
    return X**2 / d


@teeth.pin("agc.lower.optimal", comparison=1, n=4, d=2, p=Fraction(1, 10))
def a_group_of_two_is_lost() -> Fraction:
    return Fraction(1, 100)


@teeth.pin("agc.lower.optimal", n=3, d=2, p=Fraction(1, 2))
def windows_of_two_on_a_triangle() -> Fraction:
    # by the graph: one edge lost leaves a path (2/3, 4/3, 2/3), two leave an edge, three nothing
    errors = [Fraction(0)]
    errors += [Fraction(1, 9), Fraction(1, 9), Fraction(1, 9)]
    errors += [Fraction(0), Fraction(0), Fraction(1), Fraction(1)]
    return sum(errors, Fraction(0)) / 8


@teeth.pin("agc.lower.adversarial", n=6, d=2, s=5)
def two_groups_and_a_half() -> int:
    groups = ((0, 1), (2, 3), (4, 5))
    return max(sum(2 for g in groups if set(g) <= set(lost)) for lost in combinations(range(6), 5))


@teeth.pin("agc.bgc", within=0.05, sample=0)
def random_sums_of_coin_tosses() -> float:
    rng = np.random.default_rng(5)
    alpha = rng.binomial(16, 3 / 20, size=(2000, 20)) * (20 / (16 * 3))
    return float((((alpha - 1) ** 2).sum(axis=1) <= 2 * 20**2 / (16 * 3)).mean())


@teeth.pin("agc.bgc.mean", comparison=1)
def binomial_variance() -> Any:
    r, c = sympy.symbols("r c", positive=True)
    m = sympy.Symbol("m", nonnegative=True)
    return (c + m) * m / (r * c)


@teeth.pin("agc.bgc.mean.enumerated", k=2, c=1, r=2)
def sixteen_placements() -> Fraction:
    total = Fraction(0)
    for a, b, c, d in product((0, 1), repeat=4):
        total += Fraction((a + c - 1) ** 2 + (b + d - 1) ** 2, 16)
    return total


@teeth.pin("agc.sgc", comparison=1)
def variance_of_equal_weights() -> Any:
    p, d = sympy.symbols("p d_i")
    return p / (d * (1 - p))


@teeth.pin("agc.sgc.enumerated", comparison=2, n=4, p=Fraction(1, 2))
def covariance_by_counting() -> Fraction:
    # comparison 2 is the mean of point 1; points 0 and 1 are on the workers 0, 1 and 0, 2, each with weight 1
    return sum((Fraction(kept[0] + kept[2]) for kept in product((0, 1), repeat=4)), Fraction(0)) / 16


@teeth.pin("agc.sgc.enumerated", comparison=3, n=4, p=Fraction(1, 2))
def covariance_of_two_points() -> Fraction:
    products = [(kept[0] + kept[1] - 1) * (kept[0] + kept[2] - 1) for kept in product((0, 1), repeat=4)]
    return Fraction(sum(products), 16)


@teeth.pin("agc.wls", comparison=1, n=4, d=2, s=3)
def groups_that_are_lost() -> Fraction:
    return Fraction(sum(sum(2 for g in ((0, 1), (2, 3)) if i not in g) for i in range(4)), 16)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_probabilities_of_losses_add_up() -> None:
    means, products = independent_stragglers._independent_losses(plain_cyclic(3, 0), OneStepDecoder(1), Fraction(1, 4))
    assert [str(mean) for mean in means] == ["3/4"] * 3
    assert products[0, 1] == Rational(1, 16)


def test_bernoulli_codes_have_the_stated_load() -> None:
    loads = [np.count_nonzero(bernoulli_code(20, Fraction(3, 20), np.random.default_rng(k)).matrix) for k in range(50)]
    assert abs(np.mean(loads) - 60) < 4
