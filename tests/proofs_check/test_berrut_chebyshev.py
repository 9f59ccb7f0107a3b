"""Twins and pins of the claims about Berrut's interpolants on Chebyshev points of the second kind."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.claims import Claim
from codedtheory.interpolation import berrut_weights, chebyshev_second
from codedtheory.interpolation.poles import denominator_polynomial
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.berrut_chebyshev"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("berrut.second.cheb2")
def ends_reduced_to_a_quarter(claim: Claim, patch: Any) -> Claim:
    class Quarter:
        def __init__(self, count: int, half_ends: bool) -> None:
            self.count = count

        def over(self, arithmetic: Any) -> Any:
            weights = berrut_weights(self.count).over(arithmetic)
            weights[[0, -1]] = weights[[0, -1]] / 4
            return weights

    patch.setattr(f"{MODULE}.berrut_weights", Quarter)
    return claim


@teeth.twin("berrut.second.cheb2.all")
def first_form_instead_of_second(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.berrut_weights", lambda count, half_ends: berrut_weights(count))
    return claim


@teeth.twin("berrut.cheb2.closed")
def endpoint_missing(claim: Claim, patch: Any) -> Claim:
    # the convention cos(i pi/N), i = 0 ... N - 1, of some programs
    def without_minus_one(theta: Any, N: Any) -> Any:
        return (sympy.cos(theta) - 1) * sympy.sin(N * theta) / sympy.sin(theta)

    patch.setattr(f"{MODULE}._node_polynomial", without_minus_one)
    return claim


def swap_parities(claim: Claim, patch: Any) -> Claim:
    from proofs_check.berrut_chebyshev import closed_form

    patch.setattr(f"{MODULE}.closed_form", lambda N, U, x, even: closed_form(N, U, x, not even))
    return claim


teeth.twin("berrut.cheb2.closed")(swap_parities)
teeth.twin("berrut.cheb2.rate")(swap_parities)
teeth.twin("berrut.cheb2.rate.order.proof")(swap_parities)


@teeth.twin("berrut.cheb2.rate.order.proof")
def negative_values_next_to_the_ends(claim: Claim, patch: Any) -> Claim:
    """Let sin t be below 2/N where U is negative."""

    def corrupt(names: str) -> Any:
        symbols = sympy.symbols(names, seq=True, nonnegative=True)
        size = sympy.Symbol("N", positive=True)
        return [-1 / size / (1 + symbol) if symbol.name == "u" else symbol for symbol in symbols]

    patch.setattr(f"{MODULE}.nonnegative", corrupt)
    return claim


@teeth.twin("berrut.cheb2.closed.polynomial")
def ends_halved(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, arithmetic: denominator_polynomial(nodes, "berrut-half", arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.denominator_polynomial", corrupt)
    return claim


@teeth.twin("berrut.cheb2.closed.salzer")
def ends_not_halved(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.berrut_weights", lambda count, half_ends: berrut_weights(count))
    return claim


@teeth.twin("berrut.cheb2.rate.values")
def second_form_is_exact(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.berrut_weights", lambda count: berrut_weights(count, half_ends=True))
    return claim


@teeth.twin("berrut.cheb2.rate.order")
def middle_worker_lost(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_second", lambda count: chebyshev_second(count).without([count // 2]))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("berrut.second.cheb2", comparison=1, N=2, s=1)
def neighbours_at_the_far_end() -> Fraction:
    # survivors 1 and 0: D(-1) = (1/2)/(-2) - (1/2)/(-1)
    return Fraction(1, 2) / -2 - Fraction(1, 2) / -1


@teeth.pin("berrut.second.cheb2", comparison=0, N=3, s=2)
def smallest_value_at_one() -> float:
    z = [math.cos(math.pi * i / 3) for i in range(4)]
    return min(0.5 / (1 - z[i]) - 0.5 / (1 - z[j]) for i, j in [(1, 2), (1, 3), (2, 3)])


@teeth.pin("berrut.second.cheb2.all", N=10, S=(4, 5, 8))
def pole_exactly_at_one() -> int:
    # 1 - cos 72 deg = (5 - sqrt 5)/4 and 1 - cos 144 deg = (5 + sqrt 5)/4
    root = sympy.sqrt(5)
    return int(sympy.nsimplify(sympy.radsimp(2 / (5 - root) - 1 + 2 / (5 + root))))


@teeth.pin("berrut.cheb2.closed", comparison=0)
def weight_of_an_inner_node() -> Any:
    N, e = sympy.Symbol("N", positive=True, integer=True), sympy.Symbol("e")
    return N / (N * e)


@teeth.pin("berrut.cheb2.closed", comparison=6)
def closed_form_for_even_numbers() -> Any:
    N, U, x = sympy.Symbol("N", positive=True, integer=True), sympy.Symbol("U"), sympy.Symbol("x")
    return (N + x * U) / ((x**2 - 1) * U)


@teeth.pin("berrut.cheb2.closed.polynomial", N=2, k=2)
def three_nodes_by_hand() -> Fraction:
    # nodes 1, 0, -1: D times x(x**2 - 1) is x**2 + 1
    return Fraction(1)


@teeth.pin("berrut.cheb2.closed.polynomial", within=1e-12, N=5, k=2)
def six_nodes_in_floats() -> float:
    z = np.cos(np.pi * np.arange(6) / 5)
    total = sum((-1) ** i * np.poly(np.delete(z, i)) for i in range(6))
    return float(total[::-1][2])


@teeth.pin("berrut.cheb2.closed.salzer", N=2, i=0)
def weight_of_the_end_of_three() -> Fraction:
    return 1 / (Fraction(1 - 0) * Fraction(1 + 1))


@teeth.pin("berrut.cheb2.rate", comparison=1)
def reciprocal_at_its_worst() -> Any:
    m, k = sympy.symbols("m k", nonnegative=True)
    return (1 + k) / ((2 + m) * (1 + k) - 1)


@teeth.pin("berrut.cheb2.rate.values", N=3)
def parabola_on_four_nodes() -> Fraction:
    # nodes 1, 1/2, -1/2, -1: terms at 0 are -1, 2, 2, -1
    terms, nodes = [-1, 2, 2, -1], [Fraction(1), Fraction(1, 2), Fraction(-1, 2), Fraction(-1)]
    return abs(sum(t * z**2 for t, z in zip(terms, nodes, strict=True)) / sum(terms))


@teeth.pin("berrut.cheb2.rate.values", within=1e-12, N=4)
def line_on_five_nodes_in_floats() -> float:
    z, x = np.cos(np.pi * np.arange(5) / 4), math.sin(math.pi / 8)
    terms = (-1.0) ** np.arange(5) / (x - z)
    return float(abs(x - (terms * z).sum() / terms.sum()))


@teeth.pin("berrut.cheb2.rate.order.proof", comparison=0)
def reciprocal_of_both_summands() -> Any:
    N, U, x = sympy.symbols("N U x")
    return 1 / (N / U / (x**2 - 1) + 1 / (x - 1) / 2 + 1 / (x + 1) / 2)


@teeth.pin("berrut.cheb2.rate.order", within=1e-2, N=2)
def published_value_for_three_nodes() -> float:
    return 0.300283


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
