"""Twins and pins of the claims about Floater-Hormann interpolants with powers of their blending functions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy

from codedtheory.claims import Claim
from codedtheory.interpolation.powered_blending import blending_powers, powered_cardinals
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.powered_interpolants"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def first_powers(claim: Claim, patch: Any) -> Claim:
    """Take the blending functions themselves instead of their powers."""
    patch.setattr(f"{MODULE}.powered_cardinals", lambda x, nodes, d, gamma: powered_cardinals(x, nodes, d, 1))
    patch.setattr(f"{MODULE}.blending_powers", lambda x, nodes, d, gamma: blending_powers(x, nodes, d, 1))
    return claim


teeth.twin("leb.themistoclakis.zero")(first_powers)
teeth.twin("leb.themistoclakis.pairs")(first_powers)
teeth.twin("leb.themistoclakis.pairs.grid", effort="default")(first_powers)


@teeth.twin("leb.themistoclakis")
def every_window_one_node_longer(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.factorial", lambda m: math.factorial(m + 1))
    return claim


@teeth.twin("leb.themistoclakis")
def gap_longer_than_h(claim: Claim, patch: Any) -> Claim:
    e, f = sympy.symbols("e f", positive=True)
    (j,) = sympy.symbols("j", seq=True, nonnegative=True)
    patch.setattr(f"{MODULE}.nonnegative", lambda names: (-(e + f) / 2, j) if names == "u j" else (j, 0 * j))
    return claim


@teeth.twin("leb.themistoclakis.zero")
def second_node_heavier(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance - 2 * tail)
    return claim


@teeth.twin("leb.themistoclakis.pairs")
def pairs_with_smaller_gaps(claim: Claim, patch: Any) -> Claim:
    u, v, s = sympy.symbols("u v s", nonnegative=True)
    c = sympy.Symbol("c", positive=True)
    patch.setattr(f"{MODULE}.nonnegative", lambda _: (u, -c * v / (1 + v), s))
    return claim


@teeth.twin("leb.themistoclakis.family")
def powers_of_the_polynomials_too(claim: Claim, patch: Any) -> Claim:
    def corrupt(x: Any, nodes: Any, d: int, gamma: int) -> list[Any]:
        return [value**gamma * (1 + d) for value in powered_cardinals(x, nodes, d, 1)]

    patch.setattr(f"{MODULE}.powered_cardinals", corrupt)
    return claim


@teeth.twin("leb.themistoclakis.family")
def signs_by_window_for_even_powers(claim: Claim, patch: Any) -> Claim:
    def corrupt(x: Any, nodes: Any, d: int, gamma: int) -> list[Any]:
        return [(-1) ** i * value for i, value in enumerate(blending_powers(x, nodes, d, gamma))]

    patch.setattr(f"{MODULE}.blending_powers", corrupt)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("leb.themistoclakis", comparison=2, d=1, gamma=2)
def pair_beside_over_pair_across() -> Any:
    # 1/(a1 (a1 a2)) over 1/(e a1)^2
    e, a2 = sympy.symbols("e a2", positive=True)
    return e**2 / a2


@teeth.pin("leb.themistoclakis.zero", comparison=0, gamma=2)
def one_node_alone() -> int:
    return 1


@teeth.pin("leb.themistoclakis.zero", comparison=0, gamma=3)
def tail_of_cubes() -> Any:
    f, b = sympy.symbols("f b", positive=True)
    s = sympy.Symbol("s", nonnegative=True)
    return 1 / f**3 - 1 / ((f**3 + b) * (1 + s))


@teeth.pin("leb.themistoclakis.pairs", comparison=0)
def a_pair_by_hand() -> Any:
    a, c = sympy.symbols("a c", positive=True)
    g = c + sympy.Symbol("v", nonnegative=True)
    b = a + g
    return (b / g + a / g) / (a * b) ** 2


@teeth.pin("leb.themistoclakis.pairs.grid", n=2, k=0, j=4)
def three_nodes_in_the_first_middle() -> Fraction:
    # pairs (0, 1) and (1, 2) with weights 16 and 16/9; at 1/2 the second line is 3/2 f1 - 1/2 f2
    first, second = Fraction(9, 10), Fraction(1, 10)
    return first / 2 + abs(first / 2 + second * Fraction(3, 2)) + second / 2


@teeth.pin("leb.themistoclakis.family", comparison=0, d=0, gamma=2)
def constants() -> int:
    return 1


@teeth.pin("leb.themistoclakis.family", comparison=1, d=1, gamma=2)
def the_identity() -> Any:
    return sympy.Symbol("x")


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
