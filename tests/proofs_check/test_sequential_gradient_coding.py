"""Twins and pins of the claims about sequential gradient coding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import integers, nonnegative, positive
from codedtheory.coding import multiplexed_load, selective_repetition_load
from codedtheory.coding.bursty_stragglers import bursty_patterns
from codedtheory.coding.sequential_schedules import fewest_repeated_results
from proofs_check import sequential_gradient_coding
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.sequential_gradient_coding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def coded_chunks_forgotten(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._multiplexed", lambda n, B, V, r: r * (V + B) / (n * V * r))
    return claim


teeth.twin("sgc.loads")(coded_chunks_forgotten)
teeth.twin("sgc.loads.numbers")(coded_chunks_forgotten)


@teeth.twin("sgc.loads.saving")
def window_and_burst_exchanged(claim: Claim, patch: Any) -> Claim:
    original = sequential_gradient_coding._multiplexed
    patch.setattr(f"{MODULE}._multiplexed", lambda n, B, V, r: original(n, V, B, r))
    return claim


@teeth.twin("sgc.loads.numbers")
def limit_counted_from_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.multiplexed_load", lambda n, B, W, limit: multiplexed_load(n, B, W, max(limit - 1, 0)))
    return claim


@teeth.twin("sgc.loads.multiplexed")
def one_straggler_more_than_the_model_allows(claim: Claim, patch: Any) -> Claim:
    def looser(n: int, rounds: int, burst: int, window: int, limit: int) -> Any:
        return bursty_patterns(n, rounds, burst, window, min(limit + 1, n))

    patch.setattr(f"{MODULE}.bursty_patterns", looser)
    return claim


@teeth.twin("sgc.loads.multiplexed")
def longer_bursts(claim: Claim, patch: Any) -> Claim:
    def longer(n: int, rounds: int, burst: int, window: int, limit: int) -> Any:
        return bursty_patterns(n, rounds, min(burst + 1, window - 1), window, limit)

    patch.setattr(f"{MODULE}.bursty_patterns", longer)
    return claim


def everyone_retries(claim: Claim, patch: Any) -> Claim:
    def eager(n: int, s: int, burst: int, window: int, limit: int) -> int:
        return fewest_repeated_results(n, s, burst, window, limit, everyone_retries=True)

    patch.setattr(f"{MODULE}.fewest_repeated_results", eager)
    return claim


teeth.twin("sgc.loads.selective")(everyone_retries)


@teeth.twin("sgc.loads.selective")
def limit_rounded_down(claim: Claim, patch: Any) -> Claim:
    def smaller(n: int, B: int, W: int, limit: int) -> Any:
        load = selective_repetition_load(n, B, W, limit)
        return replace(load, stragglers=B * limit // (W - 1 + B))

    patch.setattr(f"{MODULE}.selective_repetition_load", smaller)
    return claim


@teeth.twin("sgc.loads.selective.everyone")
def as_many_as_needed(claim: Claim, patch: Any) -> Claim:
    def counted(n: int, s: int, burst: int, window: int, limit: int, everyone_retries: bool) -> int:
        return fewest_repeated_results(n, s, burst, window, limit)

    patch.setattr(f"{MODULE}.fewest_repeated_results", counted)
    return claim


@teeth.twin("sgc.baseline")
def rule_with_equality(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._accepts", lambda stragglers, s, strict: stragglers <= s)
    return claim


@teeth.twin("sgc.baseline.strict")
def corrected_rule(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._accepts", lambda stragglers, s, strict: stragglers <= s)
    return replace(claim, domain=sweep("1 <= n <= 4", "1 <= s < n", "0 <= m < n", "S in subsets(n, m)"))


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("sgc.loads", comparison=1)
def load_as_stated() -> Any:
    n, B, V, r = integers("n B V r")
    return r * (V + B) / (n * (B + V * r))


@teeth.pin("sgc.loads.saving", comparison=1)
def saving_as_a_fraction() -> Any:
    (n, B, V), (k,) = positive("n B V"), nonnegative("k")
    return (1 + k) / n * (1 - (V + B) / (B + V * (1 + k)))


@teeth.pin("sgc.loads.numbers", n=4, W=3, B=2, limit=2)
def three_eighths() -> Fraction:
    # eight chunks of 3/32 and eight of 1/32; four tasks of 3/32 a round
    return 4 * Fraction(3, 32)


@teeth.pin("sgc.loads.numbers", comparison=5, n=8, W=2, B=1, limit=4)
def repeated_load() -> Fraction:
    return Fraction(3, 8)


@teeth.pin("sgc.loads.multiplexed", comparison=1, n=3, W=3, B=1, limit=1)
def two_of_three_contribute() -> int:
    fewest = 3
    for pattern in product([set(), {0}, {1}, {2}], repeat=3):
        rounds = list(pattern)
        if len(set().union(*rounds)) <= 1 and not any(rounds[i] & rounds[k] for i, k in combinations(range(3), 2)):
            fewest = min(fewest, sum(w not in rounds[0] | rounds[1] | rounds[2] for w in range(3)))
    return fewest


@teeth.pin("sgc.loads.selective", n=3, W=2, B=1, limit=2)
def two_results_of_three() -> int:
    return 2


@teeth.pin("sgc.loads.selective.everyone", n=2, W=2, B=1, limit=2)
def both_retry_and_are_lost() -> int:
    # lost in rounds 1 and 3: both retry job 1 in round 2, nobody computes job 2 before round 3
    return 0


@teeth.pin("sgc.baseline", n=5, s=3)
def tolerance_of_five() -> int:
    return 3


@teeth.pin("sgc.baseline", comparison=2, n=4, s=1)
def nothing_tolerated() -> int:
    return 0


@teeth.pin("sgc.baseline.strict", n=3, s=1, m=1, S=(2,))
def refused() -> int:
    return 0


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
