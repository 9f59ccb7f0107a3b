"""Twins and pins of the claims about errors and coefficients on average."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, cos, pi, sin
from types import SimpleNamespace
from typing import Any

import sympy

from codedtheory.arithmetic import ball
from codedtheory.claims import Claim, Comparison, equal, sweep
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import (
    GradientCode,
    LeastSquaresDecoder,
    OneStepDecoder,
    coefficient_moments,
    one_step_covariance,
    plain_cyclic,
)
from proofs_check.small_matrices import circulant_code, numbered_placement
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.average_decoding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("agc.onestep")
@teeth.twin("agc.cov")
def workers_are_received_independently(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._received", lambda n, r: (r / n, (r / n) ** 2))
    return claim


@teeth.twin("agc.onestep.enumerated")
@teeth.twin("agc.cov.enumerated")
def least_squares_instead_of_one_step(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.OneStepDecoder", LeastSquaresDecoder)
    return claim


@teeth.twin("agc.onestep.distinct")
def one_copy_is_missing(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, offsets: Any) -> GradientCode:
        matrix = circulant_code(n, offsets).matrix.copy()
        matrix[0, 0] = matrix[0, 0] * 0
        return GradientCode(matrix)

    patch.setattr(f"{MODULE}.circulant_code", corrupt)
    return claim


@teeth.twin("agc.frc")
def windows_instead_of_groups(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.fractional_repetition", plain_cyclic)
    return claim


@teeth.twin("agc.frc")
def one_step_instead_of_optimal(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.LeastSquaresDecoder", OneStepDecoder)
    return claim


@teeth.twin("agc.erasurehead")
def rescaled_by_what_has_arrived(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.FirstOfGroupDecoder", OneStepDecoder)
    return claim


@teeth.twin("agc.cov.norm")
def one_straggler_more(claim: Claim, patch: Any) -> Claim:
    from codedtheory.coding import coefficient_bounds

    corrupt = lambda n, s, *rest: coefficient_bounds(n, min(s + 1, n - 1), *rest)  # noqa: E731
    patch.setattr(f"{MODULE}.coefficient_bounds", lambda n, s, decoder, *rest: corrupt(n, s, decoder))
    return claim


@teeth.twin("agc.cov.norm.order")
def sines_above_their_multiples(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-symbol / 2 for symbol in nonnegative(names)))
    return claim


@teeth.twin("agc.cov.norm.frequency")
def windows_of_every_second_worker(claim: Claim, patch: Any) -> Claim:
    field = SimpleNamespace(sin_pi=lambda q: ball(64).sin_pi(2 * q))
    patch.setattr(f"{MODULE}.ball", lambda bits: field)
    return replace(claim, domain=sweep("5 <= n <= 9", "2 <= c <= n // 2", where="n % 2 == 1"))


@teeth.twin("agc.cov")
def holders_are_counted_twice(claim: Claim, patch: Any) -> Claim:
    def body() -> Iterator[Comparison]:
        n, r, c, o = sympy.symbols("n r c o", positive=True)
        one, two = r / n, r * (r - 1) / (n * (n - 1))
        covariance = (n / (r * c)) ** 2 * (o * one + c**2 * two) - 1
        yield equal(covariance, (n - r) * (n * o - c**2) / ((n - 1) * r * c**2), "covariance")

    return replace(claim, body=body)


# -- pinned left-hand sides -----------------------------------------------------------------------------


def copies(n: int, held: Any, lost: tuple[int, ...]) -> int:
    return sum(i not in lost for i in held)


@teeth.pin("agc.onestep", comparison=1)
def error_of_all_placements() -> Any:
    n, r, c = sympy.symbols("n r c", positive=True)
    return n * (n - c) * (n - r) / ((n - 1) * r * c)


@teeth.pin("agc.onestep.enumerated", comparison=1, n=5, c=2, H=(0, 3), s=2)
def hypergeometric_variance() -> Fraction:
    alpha = [Fraction(5, 6) * copies(5, (0, 3), lost) for lost in combinations(range(5), 2)]
    return sum(a * a for a in alpha) / len(alpha) - (sum(alpha) / len(alpha)) ** 2


@teeth.pin("agc.onestep.distinct", comparison=5, n=6, c=2, D=(0, 1))
def variance_of_distinct_partitions() -> Fraction:
    # two stragglers lose a partition iff they are neighbours
    lost = [int((b - a) % 6 in (1, 5)) for a, b in combinations(range(6), 2)]
    return Fraction(sum(lost), 15) * (1 - Fraction(sum(lost), 15))


@teeth.pin("agc.frc", k=4, c=2, r=2)
def two_groups_of_two() -> Fraction:
    errors = [sum(2 for group in ((0, 1), (2, 3)) if not set(group) & set(R)) for R in combinations(range(4), 2)]
    return Fraction(sum(errors), len(errors))


@teeth.pin("agc.erasurehead", comparison=0, n=6, c=2, s=3)
def group_is_present() -> Fraction:
    return 1 - Fraction(comb(4, 3), comb(6, 3))


@teeth.pin("agc.cov", comparison=1)
def variance() -> Any:
    n, r, c = sympy.symbols("n r c", positive=True)
    return (n - r) * (n - c) / ((n - 1) * r * c)


@teeth.pin("agc.cov.enumerated", n=4, c=2, H=(0, 1), K=(1, 3), s=1)
def covariance_by_counting() -> Fraction:
    pairs = [(copies(4, (0, 1), (lost,)), copies(4, (1, 3), (lost,))) for lost in range(4)]
    return Fraction(4, 6) ** 2 * Fraction(sum(a * b for a, b in pairs), 4) - 1


@teeth.pin("agc.cov.norm", n=8, s=1, within=1e-12)
def norm_on_windows_of_two() -> float:
    return 8 / (7 * 7 * 4) * (sin(pi / 4) / sin(pi / 8)) ** 2


@teeth.pin("agc.cov.norm", comparison=1, n=6, s=2)
def norm_in_groups() -> Fraction:
    return Fraction(2 * 6, 5 * 4)


@teeth.pin("agc.cov.norm.order", comparison=0)
def one_multiple() -> Any:
    B = sympy.Symbol("B")
    return (B - 1 / B) / (2 * sympy.I)


@teeth.pin("agc.cov.norm.frequency", n=7, c=3, within=1e-12)
def largest_other_gain() -> float:
    return max(abs(sin(pi * k * 3 / 7) / sin(pi * k / 7)) for k in (2, 3))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_covariance_norms_of_twelve_workers() -> None:
    windows = [12 * s / (11 * (12 - s) * (s + 1) ** 2) * (sin(pi * (s + 1) / 12) / sin(pi / 12)) ** 2 for s in (1, 2)]
    assert [round(x, 4) for x in windows] == [0.0925, 0.1809]
    assert abs(cos(pi / 12) ** 2 * 12 / 121 - windows[0]) < 1e-12
    assert [round(12 * s / (11 * (12 - s)), 4) for s in (1, 2)] == [0.0992, 0.2182]


def test_covariance_is_enumerated_for_uneven_overlaps() -> None:
    code = numbered_placement(5, [(0, 1), (0, 1), (2, 4)])
    assert (coefficient_moments(code, 2, OneStepDecoder()).covariance == one_step_covariance(code, 2)).all()
