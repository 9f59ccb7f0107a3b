"""Twins and pins of the claims about interpolation errors and denominators."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import sympy

from codedtheory.claims import Claim, sweep
from codedtheory.interpolation.blended_error import worst_blended_error
from codedtheory.interpolation.denominator import denominator_reciprocal
from codedtheory.interpolation.geometry import gap_lengths
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.interpolation_errors"
teeth = Teeth(MODULE)


def second_form(claim: Claim, patch: Any) -> Claim:
    """Halve the end weights of the interpolant."""
    corrupt = lambda nodes, weights=None, x=None: SymbolicInterpolant(nodes, "berrut-half", x)  # noqa: E731
    patch.setattr(f"{MODULE}.SymbolicInterpolant", corrupt)
    return claim


def beyond_the_hull(claim: Claim, patch: Any) -> Claim:
    """Let x leave the hull of integer nodes by twice their number."""

    def corrupt(nodes: Any, d: int, **options: Any) -> Any:
        return worst_blended_error(nodes, d, (-2 * len(nodes), nodes[-1] + 2 * len(nodes)), **options)

    patch.setattr(f"{MODULE}.worst_blended_error", corrupt)
    return claim


def heavier_second_node(claim: Claim, patch: Any) -> Claim:
    """Give the tail beyond the nearest node twice its weight, as if the nearest were an end of the second form."""
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance - 2 * tail)
    return claim


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("fh.error.d")
def gap_longer_than_h(claim: Claim, patch: Any) -> Claim:
    e, f = sympy.symbols("e f", positive=True)
    patch.setattr(f"{MODULE}.nonnegative", lambda _: (-(e + f) / 2,))
    return claim


@teeth.twin("fh.error.d.improved")
def every_window_instead_of_every_other(claim: Claim, patch: Any) -> Claim:
    def corrupt(d: int, times: int) -> tuple[Any, Any]:
        gaps = sympy.symbols(f"g0:{3 * d + 4}", positive=True)
        return sum(sum(gaps[i : i + d + 1]) for i in range(len(gaps) - d)), times * sum(gaps)

    patch.setattr(f"{MODULE}._spans", corrupt)
    return claim


teeth.twin("fh.error.d.worst")(beyond_the_hull)
teeth.twin("fh.error.0.worst")(beyond_the_hull)
teeth.twin("fh.error.0")(heavier_second_node)
teeth.twin("berrut.den.sharp")(heavier_second_node)
teeth.twin("berrut.den.offhull")(heavier_second_node)
teeth.twin("fh.error.representation")(second_form)
teeth.twin("fh.error.0")(second_form)
teeth.twin("berrut.error.pointwise")(second_form)
teeth.twin("berrut.den.sharp.attained")(second_form)


def equidistant_nodes(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._clustered", lambda M: [-3 * M, -M, M, 3 * M])
    return claim


teeth.twin("fh.error.0.half")(equidistant_nodes)
teeth.twin("fh.error.0.quarter")(equidistant_nodes)


@teeth.twin("fh.error.0.quarter.cheb2")
def whole_interval_instead_of_hull(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, d, **options: worst_blended_error(nodes, d, (-1, 1), **options)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_blended_error", corrupt)
    return claim


@teeth.twin("fh.error.0.quarter.cheb2.all")
def first_four_survivors(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._ends_and_middle", lambda N: (0, 1, 2, 3))
    return claim


@teeth.twin("berrut.error.pointwise.peano")
def kernel_of_the_second_form(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda x, S, arithmetic: error_constants_at(x, S, "berrut-half", arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.error_constants_at", corrupt)
    return dataclasses.replace(claim, domain=sweep("3 <= n <= 3", "S in subsets(5, n + 1)", "0 <= j <= 3"))


@teeth.twin("berrut.den.sharp.grid")
def smaller_ratio_instead_of_larger(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any, arithmetic: Any) -> Any:
        gaps = gap_lengths(nodes, arithmetic)
        bounds = gaps.copy()
        for k in range(1, len(gaps) - 1):
            bounds[k] = gaps[k] * (2 + min(gaps[k] / gaps[k - 1], gaps[k] / gaps[k + 1])) / 8
        return bounds

    patch.setattr(f"{MODULE}.denominator_bounds_by_gap", corrupt)
    patch.setattr(f"{MODULE}._from_zero", lambda S: [0, *((s + 1) ** 3 for s in S)])
    return claim


@teeth.twin("berrut.den.offhull.cheb2")
def more_lost_at_the_end_than_in_all(claim: Claim, patch: Any) -> Claim:
    return dataclasses.replace(claim, domain=sweep("2 <= N <= 9", "1 <= m < N", "0 <= s < m"))


@teeth.twin("berrut.den.offhull.cheb2.attained")
def other_end_of_the_interval(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda x, survivors, arithmetic: denominator_reciprocal(-x, survivors, arithmetic=arithmetic)  # noqa: E731
    patch.setattr(f"{MODULE}.denominator_reciprocal", corrupt)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("fh.error.d", comparison=0, d=1)
def window_of_two_nodes() -> Any:
    e, f = sympy.symbols("e f", positive=True)
    return e * f


@teeth.pin("fh.error.d.improved", comparison=1, d=3)
def window_of_four_nodes_without_the_nearest() -> Any:
    # one node to the left, three to the right at f, f + h, f + 2h
    e, f = sympy.symbols("e f", positive=True)
    h = e + f + sympy.Symbol("u", nonnegative=True)
    return (f + h) * (f + 2 * h)


@teeth.pin("fh.error.d.worst", within=1e-4, n=2, d=1, S=(0, 1))
def largest_error_of_a_cubic() -> float:
    # nodes 0, 1, 2 with weights 1, -2, 1 and n - d odd: x**3 is the worst function
    def error(x: Any) -> Any:
        terms = [1 / x, -2 / (x - 1), 1 / (x - 2)]
        return -abs(x**3 - (terms[1] + 8 * terms[2]) / sum(terms)) / 6

    return float(-min(error(mpmath.mpf(k) / 20000) for k in range(1, 40000) if k != 20000))


@teeth.pin("fh.error.representation", comparison=0, n=1, d=0)
def denominator_of_two_nodes() -> Any:
    x, x0, x1 = sympy.symbols("x x0 x1")
    return (x0 - x1) / ((x - x0) * (x - x1))


@teeth.pin("fh.error.0", comparison=1)
def reciprocal_of_two_terms() -> Any:
    e, a = sympy.symbols("e a", positive=True)
    return e * (e + a) / a


@teeth.pin("fh.error.0.worst", within=1e-3, n=1, S=(0,))
def straight_line_through_0_and_1() -> float:
    return 1 / 8


@teeth.pin("fh.error.0.half", comparison=0)
def ratio_at_the_chosen_point() -> Any:
    m = 2 + sympy.Symbol("k", nonnegative=True)
    M, f = m**4, m**3
    e = M - 1 - f
    denominator = 1 / e + 1 / f - 1 / (f + 2) + 1 / (f + 1 + M)
    return (M - 1) / denominator / (M * (M + 1))


@teeth.pin("fh.error.0.quarter", within=5e-3, M=10)
def published_ratio() -> float:
    # 0.234 of the bound M(M + 1) for nodes -1, -1/10, 1/10, 1
    return 0.234 * 10 * 11


@teeth.pin("fh.error.0.quarter.cheb2", within=1e-2, N=5, n=3, S=(0, 1, 4, 5))
def published_peano_constant() -> float:
    return 0.404508


@teeth.pin("fh.error.0.quarter.cheb2.all", within=1e-3, N=19)
def error_of_a_parabola_in_floats() -> float:
    c = math.sin(math.pi / 38)
    nodes = (-1, -c, c, 1)
    worst = 0.0
    for k in range(1, 20000):
        x = -1 + k * (1 - c) / 20000
        terms = [(-1) ** i / (x - t) for i, t in enumerate(nodes)]
        worst = max(worst, abs(x**2 - sum(w * t**2 for w, t in zip(terms, nodes, strict=True)) / sum(terms)) / 2)
    return worst


@teeth.pin("berrut.error.pointwise", comparison=6)
def parabola_on_two_nodes() -> Any:
    x, x0, x1 = sympy.symbols("x x0 x1")
    return x**2 * (x0 - x1) - x0**2 * (x - x1) + x1**2 * (x - x0)


@teeth.pin("berrut.error.pointwise.peano", n=3, S=(0, 1, 3, 4), j=1)
def kernel_by_quadrature() -> Fraction:
    nodes, x = (0, 1, 3, 4), Fraction(4, 3)
    terms = [(-1) ** i / (x - t) for i, t in enumerate(nodes)]
    cardinals = [term / sum(terms) for term in terms]

    def kernel(t: Fraction) -> Fraction:
        return max(x - t, 0) - sum(c * max(node - t, 0) for c, node in zip(cardinals, nodes, strict=True))

    knots = sorted({Fraction(t) for t in nodes} | {x})
    # the kernel is linear between knots and, as the midpoints show, keeps its sign
    assert len({kernel((a + b) / 2) > 0 for a, b in pairwise(knots)}) == 1
    return abs(sum((kernel(a) + kernel(b)) / 2 * (b - a) for a, b in pairwise(knots)))


@teeth.pin("berrut.den.sharp", comparison=2)
def inner_gap_with_equal_neighbours() -> Any:
    e, c = sympy.symbols("e c", positive=True)
    v = sympy.Symbol("v", nonnegative=True)
    g = 2 * e + v
    return 1 / (c * g / (e * (e + c * g)) + c * g / ((e + v) * (e + v + c * g)))


@teeth.pin("berrut.den.sharp.attained", comparison=0)
def four_nodes_by_hand() -> Any:
    # 2/(1/2 g) - 2/((1/2 + c)g)
    g, c = sympy.symbols("g c", positive=True)
    return g * (1 + 2 * c) / (8 * c)


@teeth.pin("berrut.den.sharp.grid", within=2e-3, n=4, S=(0, 1, 2, 3), k=1)
def second_gap_of_five() -> float:
    # nodes 0 ... 4, gap (1, 2), over a fine grid
    points = [1 + k / 5000 for k in range(1, 5000)]
    return max(1 / abs(sum((-1) ** i / (x - i) for i in range(5))) for x in points)


@teeth.pin("berrut.den.offhull", comparison=1)
def two_nodes_beyond() -> Any:
    e, a = sympy.symbols("e a", positive=True)
    return e + e**2 / a


@teeth.pin("berrut.den.offhull.cheb2", within=1e-12, N=4, m=1, s=1)
def bound_in_floats() -> float:
    # e(e + g)/g with e = 1 - cos(pi/4) and g = cos(pi/4) - cos(pi/2)
    near, far = math.cos(math.pi / 4), math.cos(math.pi / 2)
    return (1 - near) * (1 - far) / (near - far)


@teeth.pin("berrut.den.offhull.cheb2.attained", N=3, m=1)
def survivors_one_and_two() -> Fraction:
    # nodes 1/2 and -1/2
    return 1 / abs(1 / (1 - Fraction(1, 2)) - 1 / (1 + Fraction(1, 2)))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
