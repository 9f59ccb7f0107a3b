"""Twins and pins of the claims about Floater-Hormann interpolants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Claim
from codedtheory.interpolation import berrut_weights, floater_hormann_weights, nodes_from
from codedtheory.interpolation.poles import count_real_poles
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.floater_hormann"
teeth = Teeth(MODULE)


def lower_degree(claim: Claim, patch: Any) -> Claim:
    """Two nodes get the weights of degree 0 instead of 1; more nodes would only take longer to refute."""

    def corrupt(nodes: Any, d: Any) -> SymbolicInterpolant:
        count = nodes if isinstance(nodes, int) else len(nodes)
        return SymbolicInterpolant(nodes, 0 if d == 1 and count == 2 else d)

    patch.setattr(f"{MODULE}.SymbolicInterpolant", corrupt)
    return claim


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("fh.nopole")
def windows_do_not_alternate(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance + tail)
    return claim


teeth.twin("fh.nopole")(lower_degree)
teeth.twin("fh.nopole.degree")(lower_degree)


@teeth.twin("fh.special")
def first_form_instead_of_second(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, rule: SymbolicInterpolant(nodes, "berrut" if rule == "berrut-half" else rule)  # noqa: E731
    patch.setattr(f"{MODULE}.SymbolicInterpolant", corrupt)
    return claim


@teeth.twin("fh.nopole.grid")
def weights_kept_after_the_loss(claim: Claim, patch: Any) -> Claim:
    def stale(S: tuple[int, ...], d: int) -> int:
        whole = floater_hormann_weights(range(9), d).over(EXACT)
        return count_real_poles(S, list(whole[list(S)]))

    patch.setattr(f"{MODULE}.count_real_poles", stale)
    return claim


@teeth.twin("fh.nopole.moments")
def berrut_instead(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.floater_hormann_weights", lambda S, d: berrut_weights(len(S)))
    return claim


@teeth.twin("fh.special.equidistant")
def nodes_at_squares(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.equispaced", lambda count, a, b: nodes_from([k * k for k in range(count)]))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("fh.nopole", comparison=2)
def tail_with_one_more_window() -> Any:
    e, g = sympy.symbols("e g", positive=True)
    s = sympy.Symbol("s", nonnegative=True)
    return (g + s * (e + g)) / (e * (e + g) * (1 + s))


@teeth.pin("fh.nopole", comparison=14)
def three_nodes_of_degree_one() -> Any:
    # windows {0, 1} and {1, 2}: 1/((x - x0)(x - x1)) - 1/((x - x1)(x - x2)), times all three factors
    x0, x2 = sympy.symbols("x0 x2")
    return x0 - x2


@teeth.pin("fh.nopole.grid", n=3, d=1, S=(0, 1, 2, 3))
def roots_in_floats() -> int:
    # weights 1, 2, 2, 1 of the second form on 0 ... 3
    signed = [1, -2, 2, -1]
    total = sum(w * np.poly([t for t in range(4) if t != k]) for k, w in enumerate(signed))
    roots = np.roots(np.trim_zeros(total, "f"))
    return int(np.sum(np.abs(roots.imag) < 1e-9))


@teeth.pin("fh.nopole.degree", comparison=3)
def constant_on_one_node() -> int:
    return 0


@teeth.pin("fh.nopole.degree", comparison=4)
def line_on_one_node() -> Any:
    x, x0 = sympy.symbols("x x0")
    return x - x0


@teeth.pin("fh.nopole.moments", n=3, d=1, S=(0, 1, 3, 4), m=1)
def first_moment() -> Fraction:
    gaps = [Fraction(1), Fraction(2), Fraction(1)]
    weights = [-1 / gaps[0], 1 / gaps[0] + 1 / gaps[1], -(1 / gaps[1] + 1 / gaps[2]), 1 / gaps[2]]
    return sum((w * x for w, x in zip(weights, (0, 1, 3, 4), strict=True)), Fraction(0))


@teeth.pin("fh.special", comparison=0, n=1)
def first_weight_of_berrut() -> int:
    return -1


@teeth.pin("fh.special.equidistant", d=2, n=5, k=3)
def published_weight() -> int:
    # 1, 3, 4, 4, 3, 1 with alternating signs, from +
    return -4


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
