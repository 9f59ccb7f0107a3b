"""Twins and pins of the claims about relaxed decoding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import sympy

from codedtheory.claims import Claim, sweep
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import (
    LeastSquaresDecoder,
    coefficient_bounds,
    cyclic_error_bound,
    plain_cyclic,
    squared_window_gain,
)
from proofs_check import relaxed_decoding
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.relaxed_decoding"
teeth = Teeth(MODULE)


def copies(n: int, s: int, lost: tuple[int, ...]) -> list[int]:
    """Count the received copies of each partition."""
    return [sum((j - i) % n <= s for i in range(n) if i not in lost) for j in range(n)]


def alphas(n: int, s: int) -> list[list[Fraction]]:
    """Return the relaxed coefficients for all straggler sets."""
    weight = Fraction(n, (n - s) * (s + 1))
    return [[weight * m for m in copies(n, s, lost)] for lost in combinations(range(n), s)]


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("pgc.mean")
def no_rescaling(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._weight", lambda n, s: 1 / (s + 1))
    return claim


@teeth.twin("pgc.mean.sets")
def worker_zero_always_straggles(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.combinations", lambda pool, s: [c for c in combinations(pool, s) if not s or c[0] == 0])
    return claim


@teeth.twin("pgc.max")
def one_answer_fewer(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._counts", lambda v, w, z: (z, z + v, z + w))
    return claim


def other_decoder(name: str) -> Any:
    def corrupt(claim: Claim, patch: Any) -> Claim:
        patch.setattr(f"{MODULE}.coefficient_bounds", lambda n, s, decoder: coefficient_bounds(n, s, name))
        return claim

    corrupt.__name__ = name.replace(" ", "_")
    return corrupt


teeth.twin("pgc.max.sets")(other_decoder("inverse multiplicity"))
teeth.twin("pgc.var.sets")(other_decoder("inverse multiplicity"))
teeth.twin("pgc.worst")(other_decoder("inverse multiplicity"))


@teeth.twin("pgc.max.naive")
def few_stragglers(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("1 <= n <= 6", "0 <= s < n", where="n >= 2 * s + 1"))


@teeth.twin("pgc.var")
def independent_answers(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._both_answer", lambda n, s: ((n - s) / n) ** 2)
    return claim


@teeth.twin("pgc.worst")
def a_gap_between_the_stragglers(claim: Claim, patch: Any) -> Claim:
    original = relaxed_decoding._coefficients

    def with_gap(n: int, s: int, S: tuple[int, ...]) -> Any:
        return original(n, s, (*range(s - 1), s) if 0 < s < n else S)

    patch.setattr(f"{MODULE}._coefficients", with_gap)
    return claim


@teeth.twin("pgc.worst.contiguous")
def squares_one_too_far(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._squares_below", lambda c: c * (c + 1) * (2 * c + 1) / 6)
    return claim


@teeth.twin("pgc.worst.symmetrisation")
def overlaps_that_grow_with_the_distance(claim: Claim, patch: Any) -> Claim:
    original = relaxed_decoding._overlap
    patch.setattr(f"{MODULE}._overlap", lambda one, other, near, far: original(one, other, far, near))
    return claim


@teeth.twin("pgc.worst.symmetrisation")
def everyone_reflected(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._moved", lambda pair: pair[::-1])
    return claim


@teeth.twin("pgc.worst.symmetrisation")
def ranges_in_the_other_order(claim: Claim, patch: Any) -> Claim:
    original = relaxed_decoding._rises
    patch.setattr(f"{MODULE}._rises", lambda b, a, h: [pair[::-1] for pair in original(b, a, h)])
    return claim


@teeth.twin("pgc.certificate")
def second_frequency(claim: Claim, patch: Any) -> Claim:
    def bound(n: int, s: int) -> Any:
        return squared_window_gain(n, s + 1, 2 % n) * Fraction(n * s, (n - s) * (s + 1) ** 2)

    patch.setattr(f"{MODULE}.cyclic_error_bound", bound)
    return claim


@teeth.twin("pgc.certificate.sets")
def certificate_for_fewer_stragglers(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.cyclic_error_bound", lambda n, s: cyclic_error_bound(n, max(s - 1, 0)))
    return claim


@teeth.twin("pgc.certificate.closed")
def window_without_its_last_partition(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.plain_cyclic", lambda n, s: plain_cyclic(n, max(s - 1, 0)))
    return claim


@teeth.twin("pgc.notunique")
def least_squares_not_debiased(claim: Claim, patch: Any) -> Claim:
    def biased(n: int, s: int, decoder: str) -> Any:
        return coefficient_bounds(n, s, decoder.removeprefix("debiased "))

    patch.setattr(f"{MODULE}.coefficient_bounds", biased)
    return claim


@teeth.twin("pgc.notunique.sum")
def least_squares_weights(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.InverseMultiplicityDecoder", LeastSquaresDecoder)
    return claim


# -- left-hand sides known from elsewhere ---------------------------------------------------------------


@teeth.pin("pgc.mean")
def sum_of_coefficients() -> Any:
    s, k = nonnegative("s k")
    return s + 1 + k


@teeth.pin("pgc.mean.sets", comparison=6, n=4, s=2)
def mean_over_six_sets() -> Fraction:
    found = alphas(4, 2)
    return sum(alpha[0] for alpha in found) / len(found)


@teeth.pin("pgc.mean.sets", comparison=1, n=3, s=1)
def three_quarters_twice() -> Fraction:
    return Fraction(3, 2) + Fraction(3, 4) + Fraction(3, 4)


@teeth.pin("pgc.max", comparison=1)
def coefficient_by_counts() -> Any:
    v, w, z = nonnegative("v w z")
    return (1 + z) * (1 + 2 * z + v + w) / ((1 + z + v) * (1 + z + w))


@teeth.pin("pgc.max.sets", comparison=1, n=11, s=5)
def largest_of_eleven() -> Fraction:
    return Fraction(11, 6)


@teeth.pin("pgc.max.sets", comparison=2, n=8, s=2)
def smallest_of_eight() -> Fraction:
    return Fraction(4, 9)


@teeth.pin("pgc.max.naive", n=4, s=3)
def one_answer_of_four() -> Fraction:
    return max(map(max, alphas(4, 3)))


@teeth.pin("pgc.var")
def hypergeometric_variance() -> Any:
    s, k = nonnegative("s k")
    n = s + 1 + k
    # n draws: variance r (c/n)(1 - c/n)(n - r)/(n - 1) of the number of copies among r answers
    r, c = n - s, s + 1
    return (n / (r * c)) ** 2 * r * (c / n) * (1 - c / n) * (n - r) / (n - 1)


@teeth.pin("pgc.var.sets", n=7, s=3)
def variance_by_hand() -> Fraction:
    found = [alpha[0] for alpha in alphas(7, 3)]
    return sum((a - 1) ** 2 for a in found) / comb(7, 3)


@teeth.pin("pgc.worst", n=8, s=3)
def worst_of_all_sets() -> Fraction:
    return max(sum((a - 1) ** 2 for a in alpha) for alpha in alphas(8, 3))


@teeth.pin("pgc.worst", comparison=1, n=12, s=3)
def published_worst() -> Fraction:
    return Fraction(16, 9)


@teeth.pin("pgc.worst.contiguous", comparison=4)
def length_of_the_profile() -> Any:
    k, e = nonnegative("k e")
    return (k + 1) + (k + 1 + e) - 1


@teeth.pin("pgc.worst.contiguous", comparison=6)
def error_of_a_profile() -> Any:
    k, e = nonnegative("k e")
    i = sympy.Symbol("i", integer=True)
    short, long = k + 1, k + 1 + e
    n = short + long - 1
    squares = 2 * sympy.summation(i**2, (i, 1, k)) + (e + 1) * short**2
    return (n / (short * long)) ** 2 * squares - n


@teeth.pin("pgc.worst.symmetrisation")
def same_side() -> Any:
    return nonnegative("q")[0]


@teeth.pin("pgc.certificate", n=5, s=2)
def worst_of_five() -> Fraction:
    return max(sum((a - 1) ** 2 for a in alpha) for alpha in alphas(5, 2))


@teeth.pin("pgc.certificate.sets", n=6, s=3, S=(0, 2, 4))
def alternating_stragglers() -> Fraction:
    weight = Fraction(6, 12)
    return sum((weight * m - 1) ** 2 for m in copies(6, 3, (0, 2, 4)))


@teeth.pin("pgc.certificate.closed", n=6, s=1)
def certificate_of_a_hexagon() -> Fraction:
    return 3 * Fraction(6, 5 * 4)  # 4 cos(pi/6)^2 = 3


@teeth.pin("pgc.notunique", comparison=1, n=5, s=2)
def largest_by_worker_weights() -> Fraction:
    return Fraction(5, 3)


@teeth.pin("pgc.notunique", comparison=3, n=6, s=3)
def largest_by_least_squares() -> Fraction:
    return Fraction(210, 139)


@teeth.pin("pgc.notunique", comparison=4, n=8, s=2)
def variance_of_least_squares() -> Fraction:
    return Fraction(887, 38313)


@teeth.pin("pgc.notunique.sum", n=5, s=2, S=(1, 2))
def weights_by_hand() -> Fraction:
    found = copies(5, 2, (1, 2))
    return 3 * sum(sum(Fraction(1, found[(i + k) % 5]) for k in range(3)) / 3 for i in (0, 3, 4))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_symmetrised_sets_are_no_more_even() -> None:
    """The moves of the symbolic proof, carried out on every set of up to eight workers."""
    for n in range(2, 9):
        for size in range(1, n):
            for received in map(set, combinations(range(n), size)):
                for axis in range(2 * n):
                    moved = symmetrised(received, n, axis)
                    assert len(moved) == size
                    for c in range(2, n) if n < 7 else (n // 2,):
                        assert evenness(moved, n, c) >= evenness(received, n, c)


def test_moves_end_at_an_arc() -> None:
    """The choice of axes of the symbolic proof, carried out on every set of up to nine workers."""
    for n in range(2, 10):
        for size in range(1, n):
            arc = set(range(size))
            for received in map(set, combinations(range(n), size)):
                for _ in range(size):
                    if received == arc:
                        break
                    y, x = min(arc - received), min(received - arc)
                    axis = x + y if 0 < (y - x) % (2 * n) < n else x + y + n
                    moved = symmetrised(received, n, axis)
                    assert len(moved & arc) > len(received & arc)
                    received = moved
                assert received == arc


def symmetrised(received: set[int], n: int, axis: int) -> set[int]:
    """Move lone members of the pairs {i, axis - i} to the half that follows axis/2 on the circle."""
    near = {i for i in range(n) if 0 < (2 * i - axis) % (2 * n) < n}
    return {mirror(i, n, axis) if i not in near and mirror(i, n, axis) in near - received else i for i in received}


def mirror(i: int, n: int, axis: int) -> int:
    return (axis - i) % n


def evenness(received: set[int], n: int, c: int) -> int:
    return sum(sum((j - i) % n < c for i in received) ** 2 for j in range(n))
