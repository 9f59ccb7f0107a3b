"""Twins and pins of the claims about ignoring stragglers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import sympy

from codedtheory.claims import Claim, sweep
from codedtheory.coding import (
    DisjointSetDecoder,
    LeastSquaresDecoder,
    OneStepDecoder,
    circular_greedy,
    fractional_repetition,
    grouped_greedy,
    maximum_disjoint_set,
    plain_cyclic,
)
from proofs_check import ignore_stragglers
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.ignore_stragglers"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("issgd.unbiased")
def the_sum_is_divided_by_n(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._factor", lambda n, received: n / n)
    return claim


@teeth.twin("issgd.uniform")
@teeth.twin("issgd.persistent")
def messages_are_not_rescaled(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.OneStepDecoder", lambda: OneStepDecoder(1))
    return claim


@teeth.twin("isgc.maxset")
def walks_start_at_the_first_worker_only(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, c: int, received: Any) -> tuple[int, ...]:
        chain = [received[0]]
        for worker in received[1:]:
            if worker - chain[-1] >= c and n + received[0] - worker >= c:
                chain.append(worker)
        return tuple(chain)

    patch.setattr(f"{MODULE}.circular_greedy", corrupt)
    return claim


@teeth.twin("isgc.maxset")
def distances_do_not_wrap_around(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.circular_greedy", lambda n, c, received: circular_greedy(2 * n, c, received))
    return claim


@teeth.twin("isgc.exact")
def one_straggler_too_many(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("2 <= n <= 6", "1 <= c < n", "c <= s <= c", where="n % c == 0"))


@teeth.twin("isgc.hr")
def conflicts_inside_groups_only(claim: Claim, patch: Any) -> Claim:
    def corrupt(held: Any, g: int, received: Any) -> tuple[int, ...]:
        size = len(held) // g
        return tuple(next(i for i in received if i // size == q) for q in sorted({i // size for i in received}))

    patch.setattr(f"{MODULE}.grouped_greedy", corrupt)
    return claim


@teeth.twin("isgc.hr.maximum")
@teeth.twin("isgc.hr.conflicting")
def conflicts_pair_by_pair(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.grouped_greedy", lambda held, g, received: maximum_disjoint_set(held, received))
    return claim


@teeth.twin("isgc.hr.corrected")
def the_released_decoder(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.maximum_disjoint_set", lambda held, received: grouped_greedy(held, 1, received))
    return claim


@teeth.twin("isgc.fraction")
def windows_instead_of_groups(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.fractional_repetition", plain_cyclic)
    return claim


@teeth.twin("isgc.leastsquares")
def one_step_instead_of_least_squares(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LeastSquaresDecoder", OneStepDecoder)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("issgd.unbiased", comparison=0)
def bias() -> Any:
    n, r = sympy.symbols("n r", positive=True)
    return n * sympy.Symbol("d") / r


@teeth.pin("issgd.uniform", comparison=0, n=4, s=1)
def mean_of_three_in_four() -> Fraction:
    return Fraction(4, 3) * Fraction(3, 4)


@teeth.pin("issgd.uniform", comparison=7, n=4, s=1)
def bias_of_the_worker_lost_twice() -> Fraction:
    laws = [{0, 1, 2}, {0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}]
    return Fraction(4, 3) * Fraction(sum(3 in R for R in laws), 5) - 1


@teeth.pin("issgd.persistent", comparison=1, n=4, s=2, S=(0, 3))
def sum_of_the_coefficients() -> Fraction:
    return 2 * Fraction(4, 2)


@teeth.pin("isgc.maxset", comparison=2 * 15, n=5, c=2)
def two_of_three_received() -> int:
    # the sixteenth set is (0, 1, 2): windows {0, 1}, {1, 2}, {2, 3}
    R = [R for count in range(1, 6) for R in combinations(range(5), count)][15]
    windows = {i: {i, (i + 1) % 5} for i in R}
    return max(
        k for k in (1, 2, 3) if any(len(set().union(*(windows[i] for i in T))) == 2 * k for T in combinations(R, k))
    )


@teeth.pin("isgc.exact", comparison=0, n=4, c=2, s=1)
def opposite_windows_recover_everything() -> int:
    return 4 - len({1, 2} | {3, 0})


@teeth.pin("isgc.hr", comparison=0, n=6, g=2, c=2, inside=1)
def one_worker_recovers_its_partitions() -> int:
    # worker 0 holds the partition before it in its group and its own
    return len({2, 0})


@teeth.pin("isgc.hr.maximum", comparison=5, n=4, g=1, c=2, inside=0)
def the_pair_that_the_released_decoder_misses() -> int:
    # sets number 0..3 are single workers, 4 is (0, 1), 5 is (0, 2); a group takes one worker only
    return 1


@teeth.pin("isgc.hr.conflicting", g=2, c=2, comparison=5)
def opposite_windows() -> int:
    return len({0, 1} | {2, 3}) // 2


@teeth.pin("isgc.hr.corrected", comparison=5, n=4, g=1, c=2, inside=0)
def opposite_windows_share_nothing() -> int:
    return 2 if not {0, 1} & {2, 3} else 1


@teeth.pin("isgc.fraction", n=6, c=2, w=2)
def two_of_six_received() -> Fraction:
    recovered = [2 * len({i // 2 for i in R}) for R in combinations(range(6), 2)]
    return Fraction(sum(recovered), 6 * len(recovered))


@teeth.pin("isgc.leastsquares", comparison=0, n=3, c=2)
def one_window_of_three() -> Fraction:
    # rescaled: the partitions of worker 0 get 3/2, the other 0
    return 2 * Fraction(1, 2) ** 2 + 1


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_the_number_of_cases_up_to_ten_workers() -> None:
    assert sum(n * (2**n - 1) for n in range(2, 11)) == 18378
    assert sum(comb(4, k) for k in range(1, 5)) == len(list(ignore_stragglers._received_sets(4)))


def test_repetition_recovers_by_groups() -> None:
    alpha = DisjointSetDecoder().weights(fractional_repetition(4, 1), [0, 1])
    assert np.count_nonzero(alpha) == 1
    assert LeastSquaresDecoder().weights(fractional_repetition(4, 1), [0, 1]).sum() == 1
