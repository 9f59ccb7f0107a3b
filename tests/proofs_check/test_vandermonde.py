"""Twins and pins of the claims about the conditioning of Vandermonde matrices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import pi, sin, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import EXACT, cyclotomic
from codedtheory.claims import Claim, sweep
from codedtheory.claims.angles import sine
from codedtheory.claims.symbols import nonnegative
from codedtheory.interpolation import chebyshev_second, equispaced, roots_of_unity
from codedtheory.interpolation.chebyshev_submatrices import worst_chebyshev_submatrix_condition
from codedtheory.interpolation.unit_circle_embeddings import rotation_vandermonde
from codedtheory.interpolation.vandermonde import chebyshev_vandermonde, vandermonde, vandermonde_inverse
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.vandermonde"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("vdm.gautschi")
def nodes_from_0_to_1(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.equispaced", lambda n: equispaced(n, 0, 1))
    return claim


@teeth.twin("vdm.gautschi.chebyshev")
def chebyshev_points_of_the_second_kind(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_first", chebyshev_second)
    return claim


@teeth.twin("vdm.lower")
@teeth.twin("vdm.lower.symmetric")
@teeth.twin("vdm.lower.reciprocal")
def norm_of_the_inverse_alone(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, arithmetic: max(abs(vandermonde_inverse(nodes, arithmetic)).sum(axis=0))  # noqa: E731
    patch.setattr(f"{MODULE}.vandermonde_condition", corrupt)
    return claim


@teeth.twin("vdm.lower.beckermann")
def nodes_on_the_unit_circle(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any, arithmetic: Any) -> Any:
        return vandermonde(roots_of_unity(len(nodes)), arithmetic=cyclotomic(len(nodes)))

    patch.setattr(f"{MODULE}.vandermonde", corrupt)
    return claim


@teeth.twin("vdm.lower.beckermann.pair")
def nodes_0_and_1(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.vandermonde", lambda _, arithmetic: vandermonde([0, 1], arithmetic=arithmetic))
    return claim


@teeth.twin("vdm.lower.beckermann.misread")
@teeth.twin("vdm.lower.beckermann.violated")
def one_node_more_than_n(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_second", lambda n: chebyshev_second(n + 1))
    return claim


@teeth.twin("vdm.unit")
@teeth.twin("vdm.circulant.one")
def transposes_for_adjoints(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._conjugate", lambda matrix: matrix)
    return claim


@teeth.twin("vdm.unit.half")
def every_second_row(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.roots_of_unity", lambda n: SimpleNamespace(take=lambda _: roots_of_unity(n // 2)))
    return claim


@teeth.twin("vdm.chebT")
@teeth.twin("vdm.chebT.finer")
def one_more_is_lost_than_counted(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, *rest: worst_chebyshev_submatrix_condition(n, min(s + 1, n - 1), *rest)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_chebyshev_submatrix_condition", corrupt)
    return claim


@teeth.twin("vdm.chebT.sharp")
def one_less_is_lost_than_counted(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, s, *rest: worst_chebyshev_submatrix_condition(n, s - 1, *rest)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_chebyshev_submatrix_condition", corrupt)
    return claim


@teeth.twin("vdm.chebT.complement")
def first_column_is_too_long(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, normalised, arithmetic: chebyshev_vandermonde(nodes, arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.chebyshev_vandermonde", corrupt)
    return claim


@teeth.twin("vdm.chebT.one")
def sines_for_cosines(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.cosine", sine)
    return claim


@teeth.twin("vdm.chebT.one")
def fewer_than_two_points(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-symbol for symbol in nonnegative(names)))
    return claim


@teeth.twin("vdm.circulant", effort="default")
def workers_at_whole_numbers(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.rotation_vandermonde", lambda n, survivors, _: vandermonde(survivors, arithmetic=EXACT))
    return claim


@teeth.twin("vdm.circulant.rotation")
def rotations_backwards(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, survivors, field: rotation_vandermonde(n, [-i % n for i in survivors], field)  # noqa: E731
    patch.setattr(f"{MODULE}.rotation_vandermonde", corrupt)
    return claim


@teeth.twin("vdm.circulant.sharp")
def nodes_on_half_the_circle(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any, degree: int, arithmetic: Any) -> Any:
        return vandermonde(roots_of_unity(2 * len(nodes)).take(range(len(nodes))), degree, arithmetic)

    patch.setattr(f"{MODULE}.vandermonde", corrupt)
    return claim


@teeth.twin("vdm.circulant.permutation")
def numbers_that_are_not_prime(claim: Claim, patch: Any) -> Claim:
    return replace(claim, domain=sweep("2 <= n <= 4", "1 <= k <= n", "F in subsets(n, k)"))


# -- left-hand sides, from elsewhere --------------------------------------------------------------------


def condition_by_fractions(nodes: list[Fraction]) -> Fraction:
    """Largest sum of a power over the nodes times the largest sum of moduli of Lagrange coefficients."""
    sums = [sum(abs(x) ** j for x in nodes) for j in range(len(nodes))]
    inverse = []
    for x in nodes:
        coefficients = [Fraction(1)]
        for y in nodes:
            if y != x:
                shifted = [Fraction(0), *coefficients]
                coefficients = [(a - y * b) / (x - y) for a, b in zip(shifted, [*coefficients, 0], strict=True)]
        inverse.append(sum(map(abs, coefficients)))
    return max(sums) * max(inverse)


@teeth.pin("vdm.gautschi", n=5)
def five_equispaced_nodes() -> Fraction:
    return condition_by_fractions([Fraction(i, 2) for i in range(-2, 3)])


@teeth.pin("vdm.gautschi.chebyshev", n=3)
def three_chebyshev_points() -> int:
    """Column of 0: 1 - x^2/(3/4); three nodes: 3 (1 + 4/3)."""
    return 7


@teeth.pin("vdm.lower", n=4, S=(0, 2, 5, 8))
def four_positive_nodes() -> Fraction:
    return condition_by_fractions([Fraction(i, 3) for i in (1, 3, 6, 9)])


@teeth.pin("vdm.lower.symmetric", n=3, S=(3,))
def minus_one_zero_one() -> int:
    return 36


@teeth.pin("vdm.lower.reciprocal", n=4)
def four_reciprocals() -> Fraction:
    return condition_by_fractions([Fraction(1, j) for j in (1, 2, 3, 4)])


@teeth.pin("vdm.lower.beckermann", n=2, S=(1, 4, 7))
@teeth.pin("vdm.lower.beckermann.misread", n=3)
@teeth.pin("vdm.lower.beckermann.violated", n=3)
def spectral_condition_of_minus_one_zero_one() -> float:
    """The squares of the singular values are 2 and the roots of x^2 - 5x + 2."""
    return sqrt((5 + sqrt(17)) / (5 - sqrt(17)))


@teeth.pin("vdm.lower.beckermann.pair", i=0, j=0)
def two_ones() -> int:
    return 2


@teeth.pin("vdm.unit", comparison=5, n=4)
def sum_of_four_ones() -> int:
    return 4


@teeth.pin("vdm.unit.half", m=2)
def block_of_ones_and_i() -> float:
    """Of ((1, 1), (1, i)): the squares of the singular values are 2 + root 2 and 2 - root 2."""
    return sqrt((2 + sqrt(2)) / (2 - sqrt(2)))


@teeth.pin("vdm.chebT", n=3, s=1, normalised=0)
def three_points_the_largest_lost() -> float:
    """Of ((1, 0), (1, -cos 30)): sum of squares 11/4, determinant cos 30."""
    return (11 / 4) ** 2 / (3 / 4)


@teeth.pin("vdm.chebT.sharp", n=2, s=1, normalised=0)
def three_points_over_nine() -> float:
    return (11 / 4) / sqrt(3 / 4) / 9


@teeth.pin("vdm.chebT.finer", n=3, s=1, normalised=0)
def three_points() -> float:
    return (11 / 4) / sqrt(3 / 4)


@teeth.pin("vdm.chebT.complement", n=2, s=1, S=(0,))
def one_over_root_two_squared() -> Fraction:
    return Fraction(1, 2)


@teeth.pin("vdm.chebT.complement", comparison=1, n=2, s=1, S=(0,))
def its_inverse_squared() -> int:
    return 2


@teeth.pin("vdm.chebT.one")
def cosine_beside_a_right_angle() -> Any:
    (T,) = sympy.symbols("T", seq=True)
    return sympy.I * (1 / T - T) / 2


@teeth.pin("vdm.circulant", m=1, s=1, S=(0,))
def root_of_three() -> float:
    return sqrt(3)


@teeth.pin("vdm.circulant.rotation", n=4, k=2, F=(0, 1))
def two_unit_entries() -> int:
    return 2


@teeth.pin("vdm.circulant.one", n=5, lost=2)
def rank_of_an_outer_product() -> int:
    return 1


@teeth.pin("vdm.circulant.one", comparison=1, n=5, lost=2)
def four_survivors() -> int:
    return 4


@teeth.pin("vdm.circulant.sharp", n=7, s=2, S=(0, 6))
def two_neighbours_lost() -> float:
    """The lost block has singular values root(2 +- 2 cos(pi/7))/root 7."""
    return sqrt(7) / (2 * sin(pi / 14))


@teeth.pin("vdm.circulant.permutation", n=3, k=2, F=(0, 1))
def rank_of_six_by_six() -> int:
    P = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    return int(np.linalg.matrix_rank(np.block([[np.eye(3), np.eye(3)], [np.eye(3), P]])))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_five_chebyshev_points_lie_above_the_lower_bound():
    from codedtheory.arithmetic import ball, condition_number
    from codedtheory.interpolation import chebyshev_first
    from codedtheory.interpolation.vandermonde_bounds import beckermann_bound

    value = condition_number(vandermonde(chebyshev_first(5), arithmetic=ball(80)), 2)
    assert abs(value - Fraction("19.648")) < Fraction(1, 2000)
    assert abs(beckermann_bound(5, ball(80)) - Fraction("8.899")) < Fraction(1, 2000)
