"""Twins and pins of the claims about rates under stale gradients."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import Ball, Rational
from codedtheory.claims import Claim
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import (
    SavingCeiling,
    averaged_ages,
    averaged_saving_ceiling,
    constant_age,
    constant_saving_ceiling,
    mode_rate,
    step_saving,
)
from proofs_check import delayed_rates
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.delayed_rates"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("delay.speedup")
def ages_from_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._ages", lambda s: (s + 1) * (s + 2) / 2)
    return claim


@teeth.twin("delay.speedup.crossing")
def constant_age_instead(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.averaged_ages", constant_age)
    return claim


@teeth.twin("delay.ceiling")
def grid_instead_of_the_double_root(claim: Claim, patch: Any) -> Claim:
    def on_a_grid(s: int) -> SavingCeiling:
        a = max((Fraction(k, 100) for k in range(1, 40)), key=lambda a: step_saving(averaged_ages(s), a).mid.fraction)
        exact = averaged_saving_ceiling(s)
        return SavingCeiling(exact.a, exact.rate, step_saving(averaged_ages(s), a))

    patch.setattr(f"{MODULE}.averaged_saving_ceiling", on_a_grid)
    return claim


@teeth.twin("delay.ceiling.largest")
def a_real_root_before_it_meets_the_other(claim: Claim, patch: Any) -> Claim:
    def at_one_tenth(s: int) -> SavingCeiling:
        ages = averaged_ages(s)
        return SavingCeiling(Ball(Rational(1, 10), 128), mode_rate(ages, "1/10"), step_saving(ages, "1/10"))

    patch.setattr(f"{MODULE}.averaged_saving_ceiling", at_one_tenth)
    return claim


@teeth.twin("delay.ceiling.largest")
def logarithms_exchanged(claim: Claim, patch: Any) -> Claim:
    original = delayed_rates._slope
    patch.setattr(f"{MODULE}._slope", lambda s, c: original(s, 1 / c))
    return claim


def margin_of_the_other_sign(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._margin", lambda r, x: r * (1 - r) * x / ((1 - r) * ((1 - r) ** 2 - 2 * r * x)))
    return claim


teeth.twin("delay.ceiling.outwards")(margin_of_the_other_sign)
teeth.twin("delay.ceiling.constant.largest")(margin_of_the_other_sign)


@teeth.twin("delay.ceiling.double")
def delay_one_longer(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.constant_age", lambda tau: constant_age(tau + 1))
    return claim


@teeth.twin("delay.ceiling.constant")
def ceiling_for_averaged_ages(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.constant_saving_ceiling", averaged_saving_ceiling)
    return claim


@teeth.twin("delay.ceiling.limit")
def limits_exchanged(claim: Claim, patch: Any) -> Claim:
    averaged, constant = delayed_rates.averaged_saving_limit, delayed_rates.constant_saving_limit
    patch.setattr(f"{MODULE}.averaged_saving_limit", constant)
    patch.setattr(f"{MODULE}.constant_saving_limit", averaged)
    return claim


def step_for_the_largest_curvature_alone(claim: Claim, patch: Any) -> Claim:
    # 1/L, that of fresh gradients
    patch.setattr(f"{MODULE}._iag_step", lambda K, Q: Rational(9 * (K + 1), 5 * Q))
    return claim


teeth.twin("delay.iag")(step_for_the_largest_curvature_alone)
teeth.twin("delay.iag.cycle")(step_for_the_largest_curvature_alone)


@teeth.twin("delay.iag.cycle")
def ascent(claim: Claim, patch: Any) -> Claim:
    original = delayed_rates._cycle
    patch.setattr(f"{MODULE}._cycle", lambda curvatures, step: original(curvatures, -step))
    return claim


@teeth.twin("delay.iag.proximal")
def gradients_not_averaged(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.averaged_ages", lambda s: (Rational(8),) * (s + 1))
    return claim


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("delay.speedup", comparison=1)
def nothing_to_add() -> int:
    return 0


@teeth.pin("delay.speedup", comparison=6)
def second_order_of_the_logarithm() -> Any:
    # log(1 - a - (s/2)a^2) = -a - (s/2)a^2 - a^2/2
    s = nonnegative("s")[0]
    return -(s + 1) / 2


def largest_root(weights: list[float], a: float) -> float:
    polynomial = np.array([1.0, -1.0] + [0.0] * (len(weights) - 1))
    polynomial[1:] += a * np.array(weights)
    return float(max(abs(np.roots(polynomial))))


@teeth.pin("delay.speedup.crossing", comparison=1, k=200, s=2)
def faster_at_three_tenths() -> int:
    return int(largest_root([1 / 3] * 3, 0.3) < 0.7)


@teeth.pin("delay.speedup.crossing", within=1e-6, k=1, s=1)
def one_half() -> float:
    # roots of 2 a^2 - 5 a + 2: squared modulus a/2 against (1 - a)^2
    return 0.5


@teeth.pin("delay.ceiling", within=1e-9, s=1)
def first_ceiling() -> float:
    return 100 * (1 - math.log(1 - (6 - 4 * math.sqrt(2))) / math.log(math.sqrt(2) - 1))


@teeth.pin("delay.ceiling", comparison=2, within=1e-9, s=2)
def rate_at_the_second_ceiling() -> float:
    z = sympy.Symbol("z")
    return float(next(r for r in sympy.Poly(z**4 + z**3 - 4 * z + 2).nroots(n=15) if r.is_real and 0 < r < 0.9))


@teeth.pin("delay.ceiling.largest", comparison=4, within=1e-12, s=1)
def slope_of_two_ages() -> float:
    # 1 - g = (1 - z + 2 z^2)/(1 + z): the slope is c + 2 z + (c - 4) z^2 + (2 c - 2) z^3
    return math.log(1 - (6 - 4 * math.sqrt(2))) / math.log(math.sqrt(2) - 1) - 4


@teeth.pin("delay.ceiling.outwards", comparison=1)
def geometric_series_on_a_circle() -> Any:
    r, x = sympy.symbols("r x")
    return 1 / (1 - r) - (1 - r + r * x) / (1 - 2 * r * (1 - x) + r**2)


@teeth.pin("delay.ceiling.constant.largest", comparison=4)
def margin_at_the_double_root() -> Any:
    t, x = positive("tau x")
    # r = t/(t + 1): r/(1 - r) = t and 1 - r = 1/(t + 1)
    real_part = (t * (t + 1) * (1 - x) - t**2) / ((t + 1) ** 2 - 2 * t * (t + 1) * (1 - x) + t**2)
    return sympy.cancel(t - real_part)


@teeth.pin("delay.ceiling.double", tau=3)
def a_root() -> int:
    return 0


@teeth.pin("delay.ceiling.constant", within=1e-9, tau=2)
def ceiling_of_delay_two() -> float:
    return 100 * (1 - math.log(1 - 4 / 27) / math.log(2 / 3))


@teeth.pin("delay.ceiling.limit", within=1e-9, s=1)
def limit_by_iteration() -> float:
    y = 1.5
    for _ in range(200):
        y = 2 * (1 - math.exp(-y))
    return 100 * (1 - y / (math.exp(y) - 1))


@teeth.pin("delay.ceiling.limit", comparison=5, within=1e-9, s=1)
def constant_delay_of_one() -> float:
    return 1 - math.log(0.75) / math.log(0.5)


@teeth.pin("delay.iag", within=1e-9, K=2, j=4, Q=2)
def radius_at_the_recalled_step() -> float:
    mu, L, K = 0.5, 1.0, 2
    return largest_root([1 / 3] * 3, L * 8 * mu / (25 * K * L * (mu + L)))


@teeth.pin("delay.iag.cycle", within=1e-9, K=1, heavy=2)
def cycle_by_simulation() -> float:
    step, x = 8 / (50 * 2.5), np.eye(3)  # rows: iterate and the points at which both gradients were evaluated
    for j in range(2):
        x[1 + j] = x[0]
        x[0] = x[0] - step * (1 * x[1] + 4 * x[2]) / 2
    return float(max(abs(np.linalg.eigvals(x))))


@teeth.pin("delay.iag.proximal", within=1e-9, K=1, j=0, Q=1)
def radius_at_the_proximal_step() -> float:
    return largest_root([0.5, 0.5], 16 * (math.sqrt(49 / 48) - 1))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_no_step_of_a_grid_saves_more_than_the_ceilings() -> None:
    for s in (1, 2, 4):
        ceilings = (averaged_ages(s), averaged_saving_ceiling(s)), (constant_age(s), constant_saving_ceiling(s))
        for ages, ceiling in ceilings:
            for a in (Fraction(k, 61) for k in range(1, 61)):
                if mode_rate(ages, a) < 1:
                    assert step_saving(ages, a) <= ceiling.saving


def test_the_slope_of_three_ages_is_that_of_its_function() -> None:
    z, c = sympy.symbols("z c")
    P, Q = 1 + z + z**2, 1 + z + z**2 - 3 * z**2 * (1 - z)
    expected = sympy.Poly(sympy.cancel(z * P * Q * sympy.diff(c * sympy.log(z) - sympy.log(Q / P), z)), z)
    assert sympy.Poly(delayed_rates._slope(2, c)[::-1], z) == expected
