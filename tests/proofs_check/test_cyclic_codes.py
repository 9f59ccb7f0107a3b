"""Twins and pins of the claims about the amplification of cyclic codes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, cos, pi, prod, sin
from types import SimpleNamespace
from typing import Any

import numpy as np
import sympy

from codedtheory.claims import Claim, sweep
from codedtheory.claims.angles import cosine, sine
from codedtheory.coding import (
    MinNorm,
    circle_amplification,
    cyclic_mds,
    polynomial_cyclic,
    worst_circle_amplification,
    worst_line_amplification,
)
from proofs_check import cyclic_codes
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.cyclic_codes"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("gc.poly.symmetry")
@teeth.twin("gc.poly.integers")
def nodes_in_another_order(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any, s: int) -> Any:
        return worst_line_amplification([*list(nodes)[::2], *list(nodes)[1::2]], s)

    patch.setattr(f"{MODULE}.worst_line_amplification", corrupt)
    return claim


@teeth.twin("gc.poly.symmetry.circle")
@teeth.twin("gc.poly.s1.enumerated")
def every_other_root_of_unity(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, s: int, _: int, field: Any) -> Any:
        return worst_circle_amplification(n, s, 2 if n % 2 else 1 if n < 8 else 3, field)

    patch.setattr(f"{MODULE}.worst_circle_amplification", corrupt)
    return claim


@teeth.twin("gc.poly.symmetry.order")
def natural_order_only(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, _, field: worst_circle_amplification(n, s, 1, field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_circle_amplification", corrupt)
    return claim


@teeth.twin("gc.poly.integers")
def windows_do_not_wrap_around(claim: Claim, patch: Any) -> Claim:
    """One more straggler than the code is made for."""
    patch.setattr(f"{MODULE}.worst_line_amplification", lambda nodes, s: worst_line_amplification(nodes, max(s - 1, 0)))
    return claim


@teeth.twin("gc.poly.s1")
def angles_are_twice_as_large(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.sine", lambda turn: sine(turn**2))
    return claim


@teeth.twin("gc.poly.s1")
def straggler_may_be_one_of_the_two(claim: Claim, patch: Any) -> Claim:
    g, r = sympy.symbols("g r", nonnegative=True)
    patch.setattr(f"{MODULE}.nonnegative", lambda _: (g, -r))
    return claim


@teeth.twin("gc.cyclic.real")
def root_one_is_allowed(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._root_sets", lambda n, s: combinations(range(n), s))
    return claim


@teeth.twin("gc.cyclic.real")
def runs_of_another_length(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, first=None: cyclic_mds(n, s - 1, first=first)  # noqa: E731
    patch.setattr(f"{MODULE}.cyclic_mds", corrupt)
    return claim


@teeth.twin("gc.nodestep")
def steps_that_are_not_coprime(claim: Claim, patch: Any) -> Claim:
    """The code of a step with a factor in common with n repeats nodes; here it loses a root."""
    patch.setattr(f"{MODULE}.cyclic_mds", lambda n, s, b, first: cyclic_mds(n, s - 1, b, first))
    return claim


@teeth.twin("gc.nodestep.best")
def steps_are_exchanged(claim: Claim, patch: Any) -> Claim:
    other = {1: 4, 2: 1, 4: 2}
    corrupt = lambda n, s, b, field: worst_circle_amplification(n, s, other[b], field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_circle_amplification", corrupt)
    return claim


@teeth.twin("gc.nodestep")
def steps_are_ignored(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, _, field: worst_circle_amplification(n, s, 1, field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_circle_amplification", corrupt)
    return claim


@teeth.twin("gc.nodestep.gain", effort="default")
def natural_order_against_itself(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, _, field: worst_circle_amplification(n, s, 1, field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_circle_amplification", corrupt)
    return replace(claim, domain=sweep("9 <= n <= 9", "3 <= s <= 3"))


@teeth.twin("gc.cyclic.growth")
def stragglers_are_spread_out(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, lost: Any, step: int, field: Any) -> Any:
        return circle_amplification(n, [n // len(lost) * k for k in lost], step, field)

    patch.setattr(f"{MODULE}.circle_amplification", corrupt)
    return claim


@teeth.twin("gc.cyclic.growth.one")
def roots_of_unity_instead_of_random_codes(claim: Claim, patch: Any) -> Claim:
    worst = polynomial_cyclic(np.exp(2j * np.pi * 9 * np.arange(20) / 20), 1).worst_amplification(MinNorm(), 1)
    code = SimpleNamespace(worst_amplification=lambda decoder, s: worst)
    patch.setattr(f"{MODULE}.cyclic_repetition", lambda n, s, rng: code)
    return claim


@teeth.twin("gc.cyclic.growth.doubles")
def another_order_of_the_nodes(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.cyclic_mds", lambda n, s, first: cyclic_mds(n, s, 29, first))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def amplification(nodes: Any, s: int) -> Any:
    """Over all straggler sets and partitions, from the definition of the weights."""
    n = len(nodes)
    worst = 0
    for R in combinations(range(n), n - s):
        for j in range(n):
            roots = [nodes[(j + k) % n] for k in range(1, n - s)]
            terms = (
                prod(nodes[i] - root for root in roots)
                / prod((nodes[i] - nodes[k] for k in R if k != i), start=Fraction(1))
                for i in R
            )
            worst = max(worst, sum(map(abs, terms)))
    return worst


def roots(n: int, step: int = 1) -> list[complex]:
    return [complex(cos(2 * pi * step * k / n), sin(2 * pi * step * k / n)) for k in range(n)]


@teeth.pin("gc.poly.symmetry", n=5, s=1, X=(0, 1, 4, 6, 8))
def one_straggler_at_uneven_nodes() -> Fraction:
    return amplification([Fraction(x) for x in (0, 1, 4, 6, 8)], 1)


@teeth.pin("gc.poly.symmetry.circle", n=6, s=2, within=1e-12)
def table_value_without_rounding() -> float:
    return amplification([complex(x) for x in roots(6)], 2)


@teeth.pin("gc.poly.symmetry.order", n=5, s=1, b=2, within=1e-12)
def golden_ratio() -> float:
    return (1 + 5**0.5) / 2


@teeth.pin("gc.poly.integers", n=8, s=3)
def a_central_delannoy_like_number() -> int:
    paths = {(0, 0): 1}
    for i in range(4):
        for j in range(5):
            if i or j:
                paths[i, j] = sum(paths.get(before, 0) for before in ((i - 1, j), (i, j - 1), (i - 1, j - 1)))
    return paths[3, 4]


@teeth.pin("gc.poly.integers", n=5, s=2)
def integer_nodes_by_definition() -> Fraction:
    return amplification([Fraction(x) for x in range(5)], 2)


@teeth.pin("gc.poly.s1", comparison=3)
def sum_of_two_chords_over_one() -> Any:
    P, A = sympy.symbols("P A")
    return sine(P) / (sine(A) * cosine(A) * 2) + sine(P * A**2) / sine(A**2)


@teeth.pin("gc.poly.s1.enumerated", n=6)
def table_of_integer_nodes() -> int:
    return 9


@teeth.pin("gc.poly.s1.enumerated", n=7, comparison=1, within=1e-12)
def table_value_at_seven_roots() -> float:
    return amplification(roots(7), 1)


@teeth.pin("gc.cyclic.real", n=6, s=2, comparison=0)
def minors_of_conjugate_pairs_vanish() -> int:
    # rows 0 and 3 of (w^ik) for K = {k, 6 - k}
    return int(any(abs(w**3 - 1) > 1e-9 and abs(w**6 - 1) < 1e-9 and abs(w**3 - w**-3) > 1e-9 for w in roots(6)))


@teeth.pin("gc.cyclic.real", n=6, s=3, comparison=1)
def runs_closed_under_negation() -> int:
    return sum({(6 - k) % 6 for k in range(m, m + 3)} == set(range(m, m + 3)) for m in range(1, 4))


@teeth.pin("gc.nodestep", n=7, s=2, within=1e-12)
def best_step_by_definition() -> float:
    return min(amplification(roots(7, b), 2) for b in (1, 2, 3))


@teeth.pin("gc.nodestep.gain", n=8, s=3, within=1e-9)
def gain_of_the_table() -> float:
    return amplification(roots(8), 3) / amplification(roots(8, 3), 3)


@teeth.pin("gc.nodestep.best", s=1, within=5e-4)
def published_table() -> float:
    return 1.532


@teeth.pin("gc.cyclic.growth", s=4, ratio=2, within=1e-9)
def contiguous_stragglers_by_definition() -> float:
    nodes, lost = roots(8), range(4)
    R = range(4, 8)
    totals = []
    for j in range(8):
        numerators = [prod(abs(nodes[i] - nodes[(j + k) % 8]) for k in range(1, 4)) for i in R]
        denominators = [prod(abs(nodes[i] - nodes[k]) for k in R if k != i) for i in R]
        totals.append(sum(a / b for a, b in zip(numerators, denominators, strict=True)))
    assert len(lost) + len(R) == 8
    return max(totals)


@teeth.pin("gc.cyclic.growth", s=10, ratio=2, within=2e-2)
def table_of_growth() -> float:
    return 1.3e4


@teeth.pin("gc.cyclic.growth.one", within=0.05, sample=0)
def nearly_all_random_codes() -> float:
    """Amplification of one straggler by partial sums S: (|S_j| + |S_(j-1)|)/|h_j|."""
    rng = np.random.default_rng(7)
    exceeding = 0
    for _ in range(400):
        h = rng.standard_normal(20)
        h[-1] = -h[:-1].sum()
        worst = 0.0
        for lost in range(20):
            turned = np.roll(h, -lost - 1)[:-1]
            sums = np.cumsum(turned)
            worst = max(worst, float(((np.abs(sums) + np.abs(sums - turned)) / np.abs(turned)).max()))
        exceeding += worst > 1 / np.tan(np.pi / 40)
    return exceeding / 400


@teeth.pin("gc.cyclic.growth.doubles", within=0.2)
def residual_by_least_squares() -> float:
    coefficients = np.poly(np.exp(2j * np.pi * np.arange(1, 31) / 60))[::-1]
    matrix = np.array(
        [[coefficients[(j - i) % 60] if (j - i) % 60 <= 30 else 0 for j in range(60)] for i in range(30, 60)]
    )
    weights = np.linalg.lstsq(matrix.T, np.ones(60), rcond=None)[0]
    return float(np.abs(weights @ matrix - 1).max())


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_delannoy_numbers_are_binomial_sums() -> None:
    assert sum(comb(3, k) * comb(4, k) * 2**k for k in range(4)) == a_central_delannoy_like_number()


def test_no_root_set_is_forgotten() -> None:
    assert len(list(cyclic_codes._root_sets(7, 3))) == comb(6, 3)
