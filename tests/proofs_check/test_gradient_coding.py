"""Twins and pins of the claims about exact gradient coding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import gcd
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import null_space
from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import (
    DividedDifference,
    GradientCode,
    OneStepDecoder,
    decoded_coefficients,
    generalised_repetition,
    plain_cyclic,
    polynomial_cyclic,
    reduced_communication_weights,
)
from codedtheory.coding.placement import received_copies
from proofs_check.small_matrices import numbered_code
from tests.arithmetic.fraction_matrices import determinant, rank
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.gradient_coding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("gc.span")
def columns_instead_of_rows(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.null_space", lambda rows: null_space(rows.T))
    return claim


@teeth.twin("gc.span")
@teeth.twin("gc.lower")
def only_the_last_workers_straggle(claim: Claim, patch: Any) -> Claim:
    def corrupt(code: GradientCode, *_: Any) -> int:
        return max((s for s in range(code.n) if code.decodable(range(code.n - s))), default=-1)

    patch.setattr(GradientCode, "max_tolerated", corrupt)
    return claim


@teeth.twin("gc.span.rank")
def one_more_root(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.polynomial_cyclic", lambda nodes, s: polynomial_cyclic(nodes, max(s - 1, 0)))
    return claim


@teeth.twin("gc.lower.row")
def balanced_loads(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.generalised_repetition", lambda n, s: polynomial_cyclic(range(n), s))
    return claim


@teeth.twin("gc.frs")
def all_messages_of_a_group_are_added(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.FirstOfGroupDecoder", lambda: OneStepDecoder(1))
    return claim


@teeth.twin("gc.poly.exact")
def roots_of_the_other_sign(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._factor", lambda x, root: x + root)
    return claim


@teeth.twin("gc.poly.exact.enumerated")
def the_straggler_s_factor_is_kept(claim: Claim, patch: Any) -> Claim:
    class Corrupt(DividedDifference):
        def weights(self, code: GradientCode, survivors: Any) -> Any:
            everyone = super().weights(code, survivors)
            lost = [x for i, x in enumerate(self.nodes) if i not in survivors]
            return (
                np.array([a / (self.nodes[i] - lost[0]) for a, i in zip(everyone, survivors, strict=True)])
                if lost
                else everyone
            )

    patch.setattr(f"{MODULE}.DividedDifference", Corrupt)
    return claim


@teeth.twin("gc.gcd")
def only_class_zero_is_looked_at(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, c: int, survivors: Any) -> int | None:
        return 0 if set(range(0, n, gcd(n, c))) <= set(survivors) else None

    patch.setattr(f"{MODULE}.free_residue_class", corrupt)
    return claim


@teeth.twin("gc.gcd.kernel")
def windows_one_longer(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.plain_cyclic", lambda n, s: plain_cyclic(n, (s + 1) % n))
    return claim


@teeth.twin("gc.gcd.guaranteed")
def windows_do_not_wrap_around(claim: Claim, patch: Any) -> Claim:
    patch.setattr(
        f"{MODULE}.plain_cyclic",
        lambda n, s: GradientCode(np.triu(plain_cyclic(n, s).approximate().matrix.astype(int))),
    )
    return claim


@teeth.twin("gc.tile")
def every_message_gets_the_same_weight(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.ResidueClassDecoder", OneStepDecoder)
    return claim


@teeth.twin("gc.largecoeff")
def plain_sums_are_not_tried(claim: Claim, patch: Any) -> Claim:
    patch.setattr(GradientCode, "tolerates", lambda code, s: False)
    return claim


@teeth.twin("gc.largecoeff.three")
def amplifications_may_be_negative(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-4 * symbol for symbol in nonnegative(names)))
    return claim


@teeth.twin("gc.largecoeff.known")
def windows_that_tile_are_among_them(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("4 <= n <= 6", "1 <= s <= 1"))


@teeth.twin("yeabbe.tradeoff")
def parts_in_reverse_order(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.reduced_communication_weights", lambda *given: reduced_communication_weights(*given)[::-1])
    return claim


@teeth.twin("yeabbe.tradeoff")
def holders_do_not_straggle(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.received_copies", lambda code, R: received_copies(code, range(code.n)))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def number_of(rows: list[list[int]], base: int) -> int:
    digits = {0: 0, 1: 1, -1: 2}
    return sum(digits[entry] * base**k for k, entry in enumerate(entry for row in rows for entry in row))


@teeth.pin("gc.span", comparison=4, n=2, entries=3, number=number_of([[1, 1], [1, -1]], 3))
def a_difference_does_not_determine_a_sum() -> int:
    gradients = list(product(range(-2, 3), repeat=2))
    return int(all(sum(g) == sum(h) for g in gradients for h in gradients if g[0] - g[1] == h[0] - h[1]))


@teeth.pin("gc.span", comparison=3, n=2, entries=3, number=number_of([[1, 1], [1, -1]], 3))
def a_sum_determines_itself() -> int:
    return 1


@teeth.pin("gc.span.rank", n=3, s=1)
def rank_of_the_example() -> int:
    return rank([[-1, -2, 0], [0, -1, 1], [1, 0, 2]])


@teeth.pin("gc.span.rank", comparison=1, n=6, s=1)
def rank_of_three_groups() -> int:
    return rank([[int(i // 2 == j // 2) for j in range(6)] for i in range(6)])


@teeth.pin("gc.lower", comparison=1, n=3, entries=2, number=number_of([[1, 1, 0], [1, 1, 1], [0, 0, 1]], 2))
def entries_of_a_code_for_one_straggler() -> int:
    return 6


@teeth.pin("gc.lower.row", comparison=1, n=3, s=1)
def the_worker_that_holds_the_last_partition_only() -> int:
    return 1


@teeth.pin("gc.frs", comparison=2, n=6, s=2)
@teeth.pin("gc.tile", comparison=3, n=6, s=2)
def exact_sums_with_weights_zero_and_one() -> int:
    groups = {frozenset({0, 1, 2}), frozenset({3, 4, 5})}
    windows = [frozenset((i + k) % 6 for k in range(3)) for i in range(6)]
    for lost in combinations(range(6), 2):
        assert all(group - set(lost) for group in groups)
        assert any({i, i + 3}.isdisjoint(lost) and windows[i] | windows[i + 3] == set(range(6)) for i in range(3))
    return 1


@teeth.pin("gc.poly.exact", comparison=4)
def one_factor_more() -> Any:
    x, r, t, w, p = sympy.symbols("x_i x_r t w p")
    return w * p * (1 + (r - t) / (x - r))


@teeth.pin("gc.poly.exact.enumerated", n=2, s=0, X=(2, 5), turn=1)
def divided_difference_of_two_nodes() -> int:
    # p_0 = x - 5 and p_1 = x - 2, whose divided differences are 1
    weights = (Fraction(1, 2 - 5), Fraction(1, 5 - 2))
    return max(abs(sum(a * (x - root) for a, x in zip(weights, (2, 5), strict=True)) - 1) for root in (5, 2))


def decodable_by_ranks(n: int, c: int, lost: tuple[int, ...]) -> int:
    windows = [[int((j - i) % n < c) for j in range(n)] for i in range(n) if i not in lost]
    return int(rank([*windows, [1] * n]) == rank(windows))


@teeth.pin("gc.gcd", n=4, c=2, comparison=2)
def one_straggler_and_two_classes() -> int:
    return decodable_by_ranks(4, 2, (0,))


@teeth.pin("gc.gcd", n=4, c=3, comparison=2)
def one_straggler_and_one_class() -> int:
    return decodable_by_ranks(4, 3, (0,))


@teeth.pin("gc.gcd.kernel", n=6, c=4)
def rank_of_windows_of_four() -> int:
    return rank([[int((j - i) % 6 < 4) for j in range(6)] for i in range(6)])


@teeth.pin("gc.gcd.guaranteed", n=6, c=4)
def tolerance_by_ranks() -> int:
    return max(s for s in range(6) if all(decodable_by_ranks(6, 4, lost) for lost in combinations(range(6), s)))


@teeth.pin("gc.largecoeff", n=4, s=1)
def two_opposite_windows_tile_the_circle() -> int:
    windows = [{i, (i + 1) % 4} for i in range(4)]
    assert all(windows[i] | windows[i + 2] == {0, 1, 2, 3} for i in range(2))
    return 1


@teeth.pin("gc.largecoeff.three", comparison=1)
def second_pattern() -> Any:
    b = sympy.symbols("b_0")
    return (1 + (1 - b) * b / (b - 1)) / (1 - b)


@teeth.pin("gc.largecoeff.known", n=5, s=1, within=1e-9)
def golden_ratio() -> float:
    return (1 + 5**0.5) / 2


@teeth.pin("gc.largecoeff.known", n=6, s=3)
def a_run_from_the_second_exponent() -> Fraction:
    # (x - w^2)(x - w^3)(x - w^4) = (x + 1)(x^2 + x + 1)
    circulant = [[(1, 2, 2, 1, 0, 0)[(j - i) % 6] for j in range(6)] for i in range(6)]
    worst = Fraction(0)
    for R in combinations(range(6), 3):
        columns = next(c for c in combinations(range(6), 3) if determinant([[circulant[i][j] for j in c] for i in R]))
        block = [[circulant[i][j] for j in columns] for i in R]
        a = [
            determinant([[1] * 3 if k == row else block[k] for k in range(3)]) / determinant(block) for row in range(3)
        ]
        alpha = [[x * circulant[i][j] for x, i in zip(a, R, strict=True)] for j in range(6)]
        assert all(sum(terms) == 1 for terms in alpha)
        worst = max(worst, *(sum(map(abs, terms)) for terms in alpha))
    return worst


@teeth.pin("yeabbe.tradeoff", n=5, s=1, m=2, d=2)
def messages_that_are_left() -> int:
    windows = [{i, (i + 1) % 5} for i in range(5)]
    return min(sum(0 in windows[i] for i in range(5) if i != lost) for lost in range(5))


@teeth.pin("yeabbe.tradeoff", n=5, s=1, m=2, d=3)
def copies() -> int:
    return 3


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_numbered_codes_are_all_different() -> None:
    seen = {tuple(numbered_code(2, 3, number).matrix.astype(str).ravel()) for number in range(81)}
    assert len(seen) == 81


def test_a_residue_class_decodes_only_if_it_is_free() -> None:
    assert gcd(6, 4) == 2
    assert bool(np.all(decoded_coefficients(plain_cyclic(6, 3), [0, 2, 4], OneStepDecoder(Fraction(1, 2))) == 1))
    assert generalised_repetition(3, 1).tolerates(1).holds
