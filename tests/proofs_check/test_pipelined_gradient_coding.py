"""Twins and pins of the claims about pipelined gradient coding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import sympy

from codedtheory.claims import Claim, check, sweep
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import (
    constant_age,
    copy_ages,
    fresh_partitions,
    gradient_coding_step_time,
    message_ages,
    slot_age,
)
from codedtheory.coding.pipelined_descent import pipelined_iterates
from proofs_check import pipelined_gradient_coding
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.pipelined_gradient_coding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def placements_exchanged(claim: Claim, patch: Any) -> Claim:
    def exchanged(original: Any) -> Any:
        def corrupt(*arguments: Any) -> Any:
            *rest, n, s, placement = arguments
            other = "fractional" if placement == "cyclic" and n % (s + 1) == 0 else "cyclic"
            return original(*rest, n, s, other)

        return corrupt

    patch.setattr(f"{MODULE}.copy_ages", exchanged(copy_ages))
    patch.setattr(f"{MODULE}.fresh_partitions", exchanged(fresh_partitions))
    return claim


teeth.twin("pgc.ages")(placements_exchanged)
teeth.twin("pgc.ages.fractional")(placements_exchanged)


@teeth.twin("pgc.ages.slots")
def slots_in_reverse(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.slot_age", lambda slot, step, copies: slot_age(copies - 1 - slot, step, copies))
    return claim


def two_slots_a_step(claim: Claim, patch: Any) -> Claim:
    # also the slot of the next step is evaluated now
    def fresher(worker: int, step: int, n: int, s: int, placement: str = "cyclic") -> dict[int, int]:
        ages = message_ages(worker, step, n, s, placement)
        return {j: 0 if age == s else age for j, age in ages.items()}

    patch.setattr(f"{MODULE}.message_ages", fresher)
    return claim


teeth.twin("pgc.msgages")(two_slots_a_step)
teeth.twin("pgc.msgages.mean")(two_slots_a_step)
teeth.twin("pgc.recursion")(two_slots_a_step)


@teeth.twin("pgc.recursion")
def worker_zero_always_straggles(claim: Claim, patch: Any) -> Claim:
    def without_zero(pool: Any, size: int) -> Any:
        return [c for c in combinations(pool, size) if size == len(pool) or 0 not in c]

    patch.setattr(f"{MODULE}.combinations", without_zero)
    return claim


@teeth.twin("pgc.recursion.run")
def worker_zero_straggles_now(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.combinations", lambda pool, s: [c for c in combinations(pool, s) if not s or c[0] == 0])
    return claim


@teeth.twin("pgc.recursion.fractional")
def first_function_steeper(claim: Claim, patch: Any) -> Claim:
    def steeper(gradients: Any, *arguments: Any, **options: Any) -> Any:
        return pipelined_iterates([lambda x: 2 * gradients[0](x), *gradients[1:]], *arguments, **options)

    patch.setattr(f"{MODULE}.pipelined_iterates", steeper)
    return claim


@teeth.twin("pgc.fr.iag")
def cyclic_placement_with_relaxed_decoding(claim: Claim, patch: Any) -> Claim:
    def cyclic(gradients: Any, s: int, stragglers: Any, start: Any, step: Any, placement: str) -> Any:
        return pipelined_iterates(gradients, s, stragglers, start, step)

    patch.setattr(f"{MODULE}.pipelined_iterates", cyclic)
    return claim


teeth.twin("pgc.fr.iag.anyone")(cyclic_placement_with_relaxed_decoding)


@teeth.twin("pgc.tile")
def relaxed_instead_of_residue_class(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.ResidueClassDecoder", pipelined_gradient_coding.RelaxedDecoder)
    return claim


def waiting_for_one_more(claim: Claim, patch: Any) -> Claim:
    original = pipelined_gradient_coding._mean_arrival
    patch.setattr(f"{MODULE}._mean_arrival", lambda n, m: original(n, min(m + 1, n)))
    return claim


teeth.twin("pgc.steptime")(waiting_for_one_more)
teeth.twin("gc.paradox")(waiting_for_one_more)
teeth.twin("gc.paradox.scaled")(waiting_for_one_more)


@teeth.twin("gc.paradox.difference")
def everyone_is_awaited(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._awaited", lambda theta, everyone, others: theta * everyone)
    return claim


@teeth.twin("gc.paradox.always")
def no_delays(claim: Claim, patch: Any) -> Claim:
    def without(scheme: str, n: int, s: int, tc: Fraction, mean: int) -> Any:
        return gradient_coding_step_time(scheme, n, s, tc, 0)

    patch.setattr(f"{MODULE}.gradient_coding_step_time", without)
    return claim


@teeth.twin("pgc.steps")
def one_age_fewer(claim: Claim, patch: Any) -> Claim:
    original = pipelined_gradient_coding.averaged_saving_ceiling
    patch.setattr(f"{MODULE}.averaged_saving_ceiling", lambda s: original(max(s - 1, 1)))
    return claim


@teeth.twin("pgc.steps.conditioned")
def oldest_age_only(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.averaged_ages", constant_age)
    return claim


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("pgc.ages", comparison=1, n=5, s=2, j=3, t=1)
def ages_of_three_copies() -> int:
    return len({0, 1, 2})


@teeth.pin("pgc.ages.fractional", comparison=2, n=12, s=3, j=5, t=2)
def three_groups() -> int:
    return len({2, 6, 10})


@teeth.pin("pgc.ages.slots", s=2, t=4, i=0)
def evaluated_at_step_three() -> int:
    return 4 - 3


@teeth.pin("pgc.msgages", comparison=2, n=6, s=3, r=2, t=1)
def mean_of_four_ages() -> Fraction:
    return Fraction(0 + 1 + 2 + 3, 4)


@teeth.pin("pgc.msgages.mean", comparison=1, n=4, s=2, S=(0, 3))
def mean_of_three_ages() -> Fraction:
    return Fraction(1)


@teeth.pin("pgc.recursion", n=2, s=1, t=0)
def mean_over_two_workers() -> Any:
    g = {(j, d): sympy.Symbol(f"g_{j}_{d}") for j in range(2) for d in range(2)}
    # worker r sends its own partition fresh and the other one of age 1; losing either leaves weight 2/(1 * 2) = 1
    return ((g[0, 0] + g[1, 1]) + (g[1, 0] + g[0, 1])) / 2


def averaged_ages_run(gradients: Any, s: int, steps: int) -> list[Fraction]:
    x = [Fraction(1, 2)]
    for t in range(steps):
        ages = [sum(g(x[max(t - d, 0)]) for g in gradients) / Fraction(len(gradients)) for d in range(s + 1)]
        x.append(x[-1] - Fraction(1, 8) * sum(ages) / (s + 1))
    return x


@teeth.pin("pgc.recursion.run", n=3, s=1, S=(0,), t=0)
def first_step_is_a_gradient_step() -> Fraction:
    gradients = [lambda x, j=j: x * x + j * x - j * j for j in range(3)]
    return averaged_ages_run(gradients, 1, 1)[1]


@teeth.pin("pgc.recursion.fractional", comparison=4, n=4, s=1, S=(2,))
def fifth_iterate() -> Fraction:
    return averaged_ages_run([lambda x: x * x + x - 1], 1, 5)[5]


@teeth.pin("pgc.fr.iag", comparison=2, n=2, S=(1,))
def second_iterate() -> Fraction:
    x0 = Fraction(1, 2)
    first = [x0 * x0, x0 * x0 + x0 - 1]
    x1 = x0 - Fraction(1, 16) * sum(first)
    return x1 - Fraction(1, 16) * (first[0] + x1 * x1 + x1 - 1)


@teeth.pin("pgc.fr.iag.anyone", n=2, s=0, S=(), T=())
def plain_gradient_descent() -> Fraction:
    x = Fraction(1, 2)
    for _ in range(4):
        x = x - Fraction(1, 16) * (x * x + x * x + x - 1)
    return x


@teeth.pin("pgc.tile", comparison=2, n=6, s=2, S=(0, 1))
def amplification_of_a_tiling() -> int:
    return 1


@teeth.pin("pgc.steptime", n=12, s=3, tc="1", mean="1")
def published_order_statistic() -> Fraction:
    return 1 + sum((Fraction(1, k) for k in range(4, 13)), Fraction(0))


@teeth.pin("gc.paradox", comparison=1, n=12, s=3, k=15)
def slower_beyond_eleven_eighteenths() -> int:
    return int(Fraction(15, 24) > Fraction(11, 18))


@teeth.pin("gc.paradox", comparison=3, within=1e-12, n=4, s=3, k=0)
def third_threshold() -> Fraction:
    return Fraction(11, 18)


@teeth.pin("gc.paradox.difference", comparison=3)
def loads_and_delays_s_plus_one_fold() -> Any:
    (t, theta), (s, h, k) = positive("t theta"), nonnegative("s h k")
    return s * t + s * theta * h - (s + 1) * theta * k


@teeth.pin("gc.paradox.scaled", n=2, s=1, k=12)
def two_workers() -> int:
    # coded 2(1/2 + 1/2) against 1/2 + 3/2
    return int(2 > 2)


@teeth.pin("gc.paradox.always", n=3, s=1, k=6)
def coded_step_of_three() -> Fraction:
    return 2 * Fraction(1, 2) + Fraction(1, 3) + Fraction(1, 2)


@teeth.pin("pgc.steps", within=1e-9, s=1)
def ceiling_of_two_ages() -> float:
    return float(100 * (1 - np.log(4 * np.sqrt(2) - 5) / np.log(np.sqrt(2) - 1)))


@teeth.pin("pgc.steps.conditioned", within=1e-9, s=1)
def saving_in_doubles() -> float:
    a = 1 / 500
    rate = max(abs(np.roots([1, a / 2 - 1, a / 2])))
    return float(100 * (1 - np.log1p(-a) / np.log(rate)))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_coding_is_slower_where_computing_dominates() -> None:
    claim = teeth.claims["gc.paradox.always"]
    dominated = replace(claim, domain=sweep("2 <= n <= 4", "1 <= s < n", "13 <= k <= 24"))
    assert check(dominated).verdict == "holds"
