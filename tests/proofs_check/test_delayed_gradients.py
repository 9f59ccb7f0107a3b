"""Twins and pins of the claims about the stability of stale gradients."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import Rational
from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import averaged_delay_stability, characteristic_polynomial, constant_delay_stability
from proofs_check import delayed_gradients
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.delayed_gradients"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def ascent(claim: Claim, patch: Any) -> Claim:
    original = delayed_gradients._start
    patch.setattr(f"{MODULE}._start", lambda sum_of_weights: original(-sum_of_weights))
    return claim


teeth.twin("delay.const")(ascent)
teeth.twin("delay.avg")(ascent)


@teeth.twin("delay.avg")
def weights_that_sum_to_the_number_of_ages(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._averaged_equation", lambda z, w, a, m: m * (z - 2 + 1 / z) + a * m * (1 - w))
    return claim


@teeth.twin("delay.const.bracket")
def delay_counted_from_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.constant_delay_stability", lambda tau: constant_delay_stability(tau + 1))
    return claim


def one_age_too_many(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.averaged_ages", lambda s: (Rational(1, s + 2),) * (s + 2))
    return claim


teeth.twin("delay.avg.bracket")(one_age_too_many)
teeth.twin("delay.avg.grid")(one_age_too_many)


@teeth.twin("delay.avg.grid")
def step_not_divided_by_the_number_of_ages(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.averaged_ages", lambda s: (Rational(1),) * (s + 1))
    return claim


@teeth.twin("delay.avg.mean")
def fresh_gradients_only(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("0 <= tau < 1"))


@teeth.twin("delay.ratio")
def unbounded_square_of_pi(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._square_of_pi", lambda g: 10 * (1 + g))
    return claim


@teeth.twin("delay.ratio.enclosed")
def oldest_age_one_less(claim: Claim, patch: Any) -> Claim:
    original = constant_delay_stability
    patch.setattr(f"{MODULE}.constant_delay_stability", lambda s, balls: original(max(s - 1, 0), balls))
    return claim


@teeth.twin("delay.published")
def delay_forgotten(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._published_step", lambda tau: Rational(3, 10))
    return claim


@teeth.twin("delay.published.slack")
def earlier_step(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._published_step", lambda tau: Rational(1, 10 * tau))
    return claim


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("delay.const", comparison=4)
def quotient_of_conjugates() -> Any:
    return -arbitrary("z")[0]


@teeth.pin("delay.const", comparison=11)
def speed_by_implicit_differentiation() -> Any:
    # z^t (z - 1) = -a gives dz/da (t z^(t-1)(z - 1) + z^t) = -1; divide by z and use z^t = -a/(z - 1)
    (a, x), (t,), r = positive("a x"), nonnegative("t"), sympy.Symbol("r", real=True)
    z = 1 / (1 - x - sympy.I * r)
    power = -a / (z - 1)
    return -1 / (z * (t * power * (z - 1) / z + power))


@teeth.pin("delay.avg", comparison=4)
def one_age() -> Any:
    return 1 - 1 / arbitrary("z")[0]


@teeth.pin("delay.avg", comparison=13)
def slope_at_a_crossing() -> Any:
    (a, m), (z,) = positive("a m"), arbitrary("z")
    # derivative of m(z - 2 + 1/z) + a(1 - z^-m), times z, where z^-m = -1
    return m * (1 - 1 / z**2) * z - a * m


def spectral_radius(weights: list[float], a: float) -> float:
    companion = np.zeros((len(weights), len(weights)))
    companion[0] = [-a * w for w in weights]
    companion[0, 0] += 1
    companion[1:, :-1] = np.eye(len(weights) - 1)
    return float(max(abs(np.linalg.eigvals(companion))))


def numerical_limit(weights: list[float]) -> float:
    low, high = 1e-6, 3.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if spectral_radius(weights, middle) < 1 else (low, middle)
    return low


@teeth.pin("delay.const.bracket", within=1e-8, tau=3)
def limit_for_delay_three() -> float:
    return numerical_limit([0, 0, 0, 1])


@teeth.pin("delay.const.bracket", within=1e-6, tau=4)
def tabulated_constant() -> float:
    return 0.347296


@teeth.pin("delay.avg.bracket", within=1e-8, s=5)
def limit_for_six_ages() -> float:
    return numerical_limit([1 / 6] * 6)


@teeth.pin("delay.avg.bracket", within=1e-6, s=4)
def tabulated_averaged() -> float:
    return 0.954915


@teeth.pin("delay.avg.grid", s=3, k=28)
def just_inside() -> int:
    return int(spectral_radius([0.25] * 4, 28 / 24) < 1)


@teeth.pin("delay.avg.grid", s=3, k=29)
def just_outside() -> int:
    return int(spectral_radius([0.25] * 4, 29 / 24) < 1)


@teeth.pin("delay.avg.mean", tau=1)
def three_ages() -> Fraction:
    return Fraction(3, 2)


@teeth.pin("delay.ratio")
def angles_for_sines() -> Any:
    (p,), (s,) = positive("p"), nonnegative("s")
    return (p**2 / (2 * (s + 1))) / (p / (2 * s + 1))


@teeth.pin("delay.ratio.enclosed", within=1e-12, s=7)
def ratio_in_doubles() -> float:
    return 16 * math.sin(math.pi / 16) ** 2 / (2 * math.sin(math.pi / 30))


@teeth.pin("delay.ratio.enclosed", within=5e-4, s=3)
def tabulated_ratio() -> float:
    return 2.633


@teeth.pin("delay.published", comparison=1, tau=5)
def published_step_is_stable() -> int:
    return int(spectral_radius([0] * 5 + [1], 3 / 50) < 1)


@teeth.pin("delay.published.slack", tau=1)
def four_times() -> int:
    return 4


@teeth.pin("delay.published.slack", within=1e-12, tau=3)
def slack_in_doubles() -> float:
    return 2 * math.sin(math.pi / 14) * 10


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_a_root_on_the_circle_is_not_stable() -> None:
    limit = averaged_delay_stability(2)
    assert [str(c) for c in characteristic_polynomial(["1/3"] * 3, limit)] == ["1/2", "1/2", "-1/2", "1"]
    assert abs(spectral_radius([1 / 3] * 3, 1.5) - 1) < 1e-12
