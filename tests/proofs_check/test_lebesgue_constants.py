"""Twins and pins of the claims about Lebesgue constants of Berrut's and Floater and Hormann's interpolants."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Claim
from codedtheory.interpolation import chebyshev_second, lebesgue_constant
from codedtheory.interpolation.geometry import adjacent_ratio, mesh_ratio, quasi_uniformity, well_spaced_constants
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.lebesgue_constants"
teeth = Teeth(MODULE)


def largest_on_a_grid(nodes: Any, weights: Any = None, points: int = 20000) -> float:
    """The largest Lebesgue function of alternating weights at many points of the hull, in floats."""
    sizes = weights or [1] * len(nodes)
    width = (nodes[-1] - nodes[0]) / points
    worst = 1.0
    for k in range(1, points):
        x = nodes[0] + k * width
        if x in nodes:
            continue
        terms = [(-1) ** i * w / (x - t) for i, (w, t) in enumerate(zip(sizes, nodes, strict=True))]
        worst = max(worst, sum(map(abs, terms)) / abs(sum(terms)))
    return worst


# -- corrupted twins ------------------------------------------------------------------------------------


def second_form(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, weights="berrut", x=None: SymbolicInterpolant(nodes, "berrut-half", x)  # noqa: E731
    patch.setattr(f"{MODULE}.SymbolicInterpolant", corrupt)
    return claim


def heavier_second_node(claim: Claim, patch: Any) -> Claim:
    """Give the tail beyond the nearest node twice its weight, as if the nearest were an end of the second form."""
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance - 2 * tail)
    return claim


def chebyshev_nodes(claim: Claim, patch: Any) -> Claim:
    """Take nodes with one hole instead of equidistant ones."""
    patch.setattr(f"{MODULE}.equispaced", lambda count: chebyshev_second(count + 1).without([count // 2 + 1]))
    return claim


teeth.twin("leb.berrut.eq")(second_form)
teeth.twin("leb.berrut.eq")(heavier_second_node)
teeth.twin("leb.berrut.eq.improved")(second_form)
teeth.twin("leb.berrut.eq.improved")(heavier_second_node)
teeth.twin("leb.fh.quasi.sharp")(second_form)
teeth.twin("leb.fh.quasi.sharp")(heavier_second_node)
teeth.twin("leb.wellspaced")(second_form)
teeth.twin("leb.wellspaced")(heavier_second_node)
teeth.twin("leb.wellspaced.sharp")(second_form)
teeth.twin("leb.wellspaced.sharp")(heavier_second_node)
teeth.twin("leb.berrut.eq.enclosed")(chebyshev_nodes)
teeth.twin("leb.berrut.eq.asymptotic")(chebyshev_nodes)


@teeth.twin("leb.berrut.eq.parity")
def the_second_form_instead(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, arithmetic: lebesgue_constant(nodes, "berrut-half", arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.fh.eq")
@teeth.twin("leb.fh.quasi")
def windows_with_one_node_more(claim: Claim, patch: Any) -> Claim:
    def corrupt(nearest: Any, h: Any, count: int) -> Any:
        return math.prod(nearest + j * h for j in range(1, count + 2))

    patch.setattr(f"{MODULE}._distances", corrupt)
    return claim


@teeth.twin("leb.fh.eq")
@teeth.twin("leb.fh.quasi")
def weights_that_skip_a_window(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.factorial", lambda m: math.factorial(m) if m else 2)
    return claim


@teeth.twin("leb.fh.eq.enclosed")
def polynomials_instead(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, d, arithmetic: lebesgue_constant(nodes, "lagrange", arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.fh.quasi.grid")
def beyond_the_hull(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any, weights: Any, arithmetic: Any) -> Any:
        return lebesgue_constant(nodes, weights, (-2 * len(nodes), nodes[-1] + 2 * len(nodes)), arithmetic)

    patch.setattr(f"{MODULE}.lebesgue_constant", corrupt)
    return claim


@teeth.twin("leb.fh.quasi.grid")
def mesh_ratio_instead_of_quasi_uniformity(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.quasi_uniformity", lambda nodes, arithmetic: 1 + 0 * mesh_ratio(nodes, arithmetic))
    patch.setattr(f"{MODULE}._from_zero", lambda S: [0, *(4**s + s for s in S)])
    return claim


@teeth.twin("leb.wellspaced.sharp.grid")
def ratios_of_the_wrong_kind(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, arithmetic: (1 + mesh_ratio(nodes, arithmetic), EXACT.number(1))  # noqa: E731
    patch.setattr(f"{MODULE}.well_spaced_constants", corrupt)
    patch.setattr(f"{MODULE}._from_zero", lambda S: [0, *((s + 1) ** 4 for s in S)])
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("leb.berrut.eq", comparison=0)
def both_terms_of_two_nodes() -> Any:
    h = sympy.Symbol("h", positive=True)
    return 2 / h


@teeth.pin("leb.berrut.eq", comparison=3)
def denominator_of_three_nodes() -> Any:
    # nodes -3h, -h, h: 1/h - 1/(3h) from the left, 1/h from the right
    h = sympy.Symbol("h", positive=True)
    return 5 / (3 * h)


@teeth.pin("leb.berrut.eq.improved", comparison=1)
def three_nodes_with_one_beyond() -> Any:
    e, f, a = sympy.symbols("e0 h0 h1", positive=True)
    return e + f + e * f / (f + a)


@teeth.pin("leb.berrut.eq.enclosed", within=1e-15, n=2)
def root_of_two() -> float:
    return math.sqrt(2)


@teeth.pin("leb.berrut.eq.enclosed", within=5e-5, n=100)
def published_constant_of_a_hundred_gaps() -> float:
    return 3.7472


@teeth.pin("leb.berrut.eq.enclosed", within=1e-6, n=5)
def six_nodes_on_a_grid() -> float:
    return largest_on_a_grid(list(range(6)))


@teeth.pin("leb.berrut.eq.asymptotic", within=1e-4, n=10)
def published_difference() -> float:
    return 2.3508 - 2 / math.pi * (math.log(22) + 0.5772156649)


@teeth.pin("leb.berrut.eq.parity", within=5e-5, n=5)
def published_constant_of_five_gaps() -> float:
    return 2.1644


@teeth.pin("leb.fh.eq", comparison=0, d=2)
def sum_of_a_row_of_pascals_triangle() -> Any:
    e, f = sympy.symbols("e f", positive=True)
    return (Fraction(1, 2) + 1 + Fraction(1, 2)) / (e + f) ** 2


@teeth.pin("leb.fh.eq.enclosed", within=1e-6, d=2, n=7)
def weights_1_3_4_on_a_grid() -> float:
    return largest_on_a_grid(list(range(8)), [1, 3, 4, 4, 4, 4, 3, 1])


@teeth.pin("leb.fh.quasi", comparison=-2, d=2)
def window_of_three_nodes() -> Any:
    # x between the last two, the first at most e + h away, h = e + f + u
    e, f = sympy.symbols("e f", positive=True)
    return 2 * e + f + sympy.Symbol("u", nonnegative=True)


@teeth.pin("leb.fh.quasi.sharp", comparison=1)
def the_same_numerator() -> Any:
    return three_nodes_with_one_beyond()


@teeth.pin("leb.fh.quasi.grid", within=1e-6, n=3, S=(0, 2, 3), d=0)
def gaps_1_2_1_on_a_grid() -> float:
    # also the value (x = 2) of 1/2 + 1 + 1 + 1/2 over 1/2 - 1 - 1 + 1/2
    return max(3.0, largest_on_a_grid([0, 1, 3, 4]))


@teeth.pin("leb.wellspaced", comparison=4)
def a_node_beyond_the_gap() -> Any:
    e, f = sympy.symbols("e f", positive=True)
    return e * f / (e + sympy.Symbol("b", nonnegative=True))


@teeth.pin("leb.wellspaced.sharp", comparison=4)
def the_same_node_beyond_the_gap() -> Any:
    return a_node_beyond_the_gap()


@teeth.pin("leb.wellspaced.sharp.grid", within=1e-6, n=3, S=(0, 1, 2))
def four_equidistant_nodes() -> float:
    # in the middle: 2/(1/2) + 2/(3/2) over 2/(1/2) - 2/(3/2)
    return (4 + 4 / 3) / (4 - 4 / 3)


def test_constants_of_the_twins_differ() -> None:
    nodes = [0, 1, 16, 81]
    assert quasi_uniformity(nodes, EXACT) == 65
    assert adjacent_ratio(nodes, EXACT) == 15
    assert well_spaced_constants(nodes, EXACT).C > 1


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
