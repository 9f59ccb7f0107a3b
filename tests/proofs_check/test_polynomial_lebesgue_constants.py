"""Twins and pins of the claims about Lebesgue constants of polynomial interpolation."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy

from codedtheory.claims import Claim
from codedtheory.interpolation import chebyshev_first, equispaced, lebesgue_constant, lebesgue_function
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.polynomial_lebesgue_constants"
teeth = Teeth(MODULE)


def largest_on_a_grid(nodes: list[float], a: float, b: float, points: int = 4000) -> float:
    """The largest Lebesgue function by the product formula at many points of [a, b], in floats."""
    worst = 0.0
    for k in range(points + 1):
        x = a + k * (b - a) / points
        total = 0.0
        for i, t in enumerate(nodes):
            total += abs(math.prod((x - s) / (t - s) for j, s in enumerate(nodes) if j != i))
        worst = max(worst, total)
    return worst


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("leb.poly")
def berrut_instead_of_polynomials(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, _, x: SymbolicInterpolant(nodes, "berrut", x)  # noqa: E731
    patch.setattr(f"{MODULE}.SymbolicInterpolant", corrupt)
    return claim


@teeth.twin("leb.poly")
def less_than_one_gap(claim: Claim, patch: Any) -> Claim:
    """Let the number of gaps be 1 - k."""
    nonnegative = lambda names: [-symbol for symbol in sympy.symbols(names, seq=True, nonnegative=True)]  # noqa: E731
    patch.setattr(f"{MODULE}.nonnegative", nonnegative)
    return claim


def rational_interpolants(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, _, interval=None, arithmetic=None: lebesgue_constant(  # noqa: E731
        nodes, "berrut", interval, arithmetic
    )
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


teeth.twin("leb.poly.equidistant")(rational_interpolants)
teeth.twin("leb.poly.asymptotic")(rational_interpolants)
teeth.twin("leb.poly.cheb1")(rational_interpolants)
teeth.twin("leb.poly.cheb1.end")(rational_interpolants)
teeth.twin("leb.poly.cheb2")(rational_interpolants)
teeth.twin("leb.poly.cheb2.previous")(rational_interpolants)


@teeth.twin("leb.poly.asymptotic")
def one_node_less(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.equispaced", lambda count: equispaced(count - 1))
    return claim


@teeth.twin("leb.poly.asymptotic.shifted")
def as_many_nodes_as_meant(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.equispaced", lambda count: equispaced(count - 1))
    return claim


@teeth.twin("leb.poly.cheb1")
def hull_instead_of_interval(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, weights, interval, arithmetic: lebesgue_constant(nodes, weights, None, arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.poly.cheb1.end")
def middle_instead_of_end(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.lebesgue_function", lambda x, *rest: lebesgue_function(x - 1, *rest))
    return claim


@teeth.twin("leb.poly.cheb2")
def hull_of_the_first_kind(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, weights, interval=None, arithmetic=None: lebesgue_constant(  # noqa: E731
        nodes, weights, None, arithmetic
    )
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.poly.any")
def only_the_ends(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, weights, arithmetic: lebesgue_constant(nodes[:: len(nodes) - 1], weights, None, arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.poly.any.sharp")
def one_point_less(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_first", lambda count: chebyshev_first(count - 1))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("leb.poly", comparison=3)
def second_cardinal_function_of_three_nodes() -> Any:
    # (x - 0)(x - 2)/((1 - 0)(1 - 2)) at 1/2
    return Fraction(1, 2) * Fraction(3, 2)


@teeth.pin("leb.poly.equidistant", within=1e-4, n=20)
def published_constant() -> float:
    return 1.0987e4


@teeth.pin("leb.poly.equidistant", n=2)
def parabola_through_three_nodes() -> Fraction:
    # nodes -1, 0, 1: the sum is 1 + x - x**2 on (0, 1)
    x = Fraction(1, 2)
    return x * (x + 1) / 2 + (1 - x**2) + x * (1 - x) / 2


@teeth.pin("leb.poly.asymptotic", comparison=1, within=2e-4, n=20)
def published_asymptote_with_gamma() -> float:
    return 1.0987e4 / 1.0796e4 - 1


@teeth.pin("leb.poly.asymptotic.shifted", within=1e-9, n=2)
def ratio_by_hand() -> float:
    return 1.25 * 2 * math.e * math.log(2) / 4 - 1


@teeth.pin("leb.poly.cheb1", within=1e-13, n=2)
def five_thirds() -> float:
    return 5 / 3


@teeth.pin("leb.poly.cheb1", within=5e-5, n=10)
def published_constant_of_eleven_points() -> float:
    return 2.4894


@teeth.pin("leb.poly.cheb1.end", within=1e-12, n=5)
def value_at_the_end() -> float:
    nodes = [math.cos((2 * i + 1) * math.pi / 12) for i in range(6)]
    return largest_on_a_grid(nodes, 1, 1, points=1)


@teeth.pin("leb.poly.cheb2", within=5e-5, n=10)
def published_constant_of_the_second_kind() -> float:
    return 2.4210


@teeth.pin("leb.poly.cheb2.previous", within=1e-5, n=4)
def five_points_on_a_grid() -> float:
    return largest_on_a_grid([math.cos(i * math.pi / 4) for i in range(5)], -1, 1)


@teeth.pin("leb.poly.cheb2.previous", comparison=1, n=3)
def four_points_at_zero() -> Fraction:
    # nodes 1, 1/2, -1/2, -1 by the product formula
    nodes = [Fraction(1), Fraction(1, 2), -Fraction(1, 2), Fraction(-1)]
    total = Fraction(0)
    for i, t in enumerate(nodes):
        total += abs(math.prod((0 - s) / (t - s) for j, s in enumerate(nodes) if j != i))
    return total


@teeth.pin("leb.poly.any", within=1e-6, n=3, S=(0, 2, 4))
def nodes_0_1_3_5_on_a_grid() -> float:
    return largest_on_a_grid([0, 1, 3, 5], 0, 5)


@teeth.pin("leb.poly.any.sharp", n=2)
def three_stretched_points() -> Fraction:
    return Fraction(5, 4)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
