"""Twins and pins of the claims about Lagrange coded computing."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import sympy

from codedtheory.claims import Claim, sweep
from codedtheory.coding import LagrangeCode, ambiguous_data
from codedtheory.coding.linear_encodings import linear_encoding_threshold
from proofs_check import lagrange
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.lagrange"
teeth = Teeth(MODULE)
codes_of_losing = lagrange._codes_of_losing
nonnegative = lagrange.nonnegative


class OneDegreeShort(LagrangeCode):
    def decoding_matrix(self, survivors: Any, degree: int, arithmetic: Any = None) -> Any:
        return super().decoding_matrix(survivors, max(1, degree - 1), arithmetic)


class Trusting(LagrangeCode):
    def decode(self, results: Any, survivors: Any, degree: int, errors: int = 0) -> Any:
        return self.decoding_matrix(survivors, degree) @ results


class OneMask(LagrangeCode):
    def encoding_matrix(self, arithmetic: Any = None) -> Any:
        matrix = super().encoding_matrix(arithmetic)
        matrix[:, self.data_blocks :] = matrix[:, [self.data_blocks]]
        return matrix


class EvenlySpacedOnly(LagrangeCode):
    def worst_condition_number(self, degree: int, p: Any = "inf", arithmetic: Any = None) -> Any:
        wanted = self.recovery_threshold(degree)
        evenly = [round(i * (self.workers - 1) / (wanted - 1)) for i in range(wanted)]
        return SimpleNamespace(value=self.condition_number(evenly, degree, p, arithmetic))


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("lcc.threshold")
def polynomial_of_lower_degree(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LagrangeCode", OneDegreeShort)
    return claim


@teeth.twin("lcc.threshold.repetition")
def fewer_workers_than_required(claim: Claim, patch: Any) -> Claim:
    def shifted(names: str) -> tuple[Any, ...]:
        m, *others = nonnegative(names)
        return (m - 2, *others)

    patch.setattr(f"{MODULE}.nonnegative", shifted)
    return claim


@teeth.twin("lcc.threshold.converse")
def maps_of_one_degree_less(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.linear_encoding_threshold", lambda E, d, field: linear_encoding_threshold(E, d - 1, field))
    return replace(claim, domain=sweep("2 <= K <= 2", "2 <= d <= 3", "2 <= N <= 4", p=(2, 3)))


@teeth.twin("lcc.tradeoff")
def liars_are_believed(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LagrangeCode", Trusting)
    return claim


@teeth.twin("lcc.tradeoff.tight")
def one_answer_tells_the_data_apart(claim: Claim, patch: Any) -> Claim:
    def of_fewer(code: LagrangeCode, F: Any, d: int) -> Any:
        return ambiguous_data(code, F[1:] or F, d)

    patch.setattr(f"{MODULE}.ambiguous_data", of_fewer)
    return claim


@teeth.twin("lcc.tradeoff.privacy")
def all_masks_alike(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LagrangeCode", OneMask)
    return claim


@teeth.twin("lcc.tradeoff.converse")
def enough_workers(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("2 <= K <= 3", "1 <= d <= 3", "2 * K <= N <= 9", where="N >= d * K - 1"))


@teeth.twin("lcc.real")
def nothing_lost(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._codes_of_losing", lambda K, d, s: codes_of_losing(K, d, 0))
    return claim


@teeth.twin("lcc.real.few")
def many_lost(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._codes_of_losing", lambda K, d, s: codes_of_losing(K, d, 12))
    return claim


@teeth.twin("lcc.real.condition")
def survivors_evenly_spaced(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LagrangeCode", EvenlySpacedOnly)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("lcc.threshold", comparison=8, K=3, d=1, N=4, F=(0, 2, 3))
def square_of_the_third_data_point() -> int:
    return 2**2


@teeth.pin("lcc.threshold", comparison=8, K=2, d=2, N=4, F=(0, 1, 3))
def product_over_the_two_answers() -> int:
    # data points 0 and 1, workers 1 and 3 at 3 and 5: f(X_1) = (0 - 3)(0 - 5)
    return 15


@teeth.pin("lcc.threshold.repetition", comparison=0)
def repetition_with_q_and_r() -> Any:
    m, r, u, v = sympy.symbols("m r u v", nonnegative=True)
    q, K = 1 + v + m, 2 + u
    return (q * K + r) - q + 1


@teeth.pin("lcc.threshold.converse", K=2, d=2, N=3, p=3)
def three_points_of_a_conic() -> int:
    # two points of the conic span e_1^2 and e_2^2 only if they are these, and three workers have a third pair
    return 3


@teeth.pin("lcc.tradeoff", comparison=1, K=2, T=1, d=2, S=1, A=1, D=(3,), E=(1,))
def value_of_the_second_block() -> int:
    return 2 * 5


@teeth.pin("lcc.tradeoff.tight", comparison=1, K=2, T=0, d=2, A=1, F=(0, 1, 2, 4))
def answers_that_are_not_zero() -> int:
    return 1


@teeth.pin("lcc.tradeoff.privacy", comparison=3, K=2, T=1, N=3, F=(0, 2))
def one_mask_two_workers() -> int:
    return 2


@teeth.pin("lcc.tradeoff.converse", K=2, d=3, N=4)
def two_copies_each_of_two_blocks() -> int:
    return 3 * (2 - 1) + 1 + 1


@teeth.pin("lcc.real", within=1e-13, K=4, d=2)
def berrut_by_mpmath() -> float:
    K, W, lost = 4, 19, 12
    with mpmath.workdps(30):
        alpha = [mpmath.cos((2 * j + 1) * mpmath.pi / (2 * K)) for j in range(K)]
        z = [mpmath.cos(i * mpmath.pi / (W - 1)) for i in range(W - lost)]

        def cardinal(nodes: list[Any], x: Any) -> list[Any]:
            terms = [(-1) ** i / (x - t) for i, t in enumerate(nodes)]
            return [t / mpmath.fsum(terms) for t in terms]

        y = [mpmath.fdot(cardinal(alpha, t), alpha) ** 2 for t in z]
        rows = [cardinal(z, a) for a in alpha]
        error = max(abs(mpmath.fdot(row, y) - a**2) for row, a in zip(rows, alpha, strict=True))
        rounding = max(mpmath.fsum(abs(c * v) for c, v in zip(row, y, strict=True)) for row in rows)
        return float(error + rounding / 2**24)


@teeth.pin("lcc.real.few", within=1e-19, K=4, d=2, s=1)
def lagrange_by_products() -> float:
    alpha = np.cos((2 * np.arange(4) + 1) * np.pi / 8)
    a = np.cos(np.arange(8) * np.pi / 7)[:7]
    rows = [[np.prod((x - np.delete(a, i)) / (a[i] - np.delete(a, i))) for i in range(7)] for x in alpha]
    return float(max(np.abs(rows) @ a**2)) / 2**24


@teeth.pin("lcc.real.condition", within=1e-12, K=2, d=2, s=2)
def all_triples_of_five() -> float:
    alpha = [np.cos(np.pi / 4), -np.cos(np.pi / 4)]
    z = np.cos(np.arange(5) * np.pi / 4)
    sums = [
        sum(abs(np.prod([(x - z[k]) / (z[i] - z[k]) for k in F if k != i])) for i in F)
        for F in combinations(range(5), 3)
        for x in alpha
    ]
    return float(max(sums))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
