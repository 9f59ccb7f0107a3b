"""Twins and pins of the claims about rounding errors of barycentric formulas."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import approximate
from codedtheory.claims import Claim, sweep
from codedtheory.interpolation import chebyshev_second, equispaced
from codedtheory.interpolation.powered_blending import blending_powers
from codedtheory.interpolation.rounded_forms import (
    BarycentricSums,
    barycentric_sums,
    plain_lagrange_weights,
    second_form,
)
from codedtheory.interpolation.rounding_counts import RoundingCount, accumulated_error
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.floating_point"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def roundings_of_the_other_sum_too(claim: Claim, patch: Any) -> Claim:
    """Charge both sums with the roundings of either."""
    patch.setattr(f"{MODULE}.quotient_error", lambda a, b, kappa, mu, u: accumulated_error(a + b + 2, u) * (kappa + mu))
    return claim


def roundings_add_without_feedback(claim: Claim, patch: Any) -> Claim:
    """Bound products of k roundings by ku."""
    patch.setattr(f"{MODULE}.accumulated_error", lambda k, u: k * u)
    return claim


teeth.twin("stab.higham")(roundings_of_the_other_sum_too)
teeth.twin("stab.higham")(roundings_add_without_feedback)
teeth.twin("stab.berrut")(roundings_of_the_other_sum_too)
teeth.twin("stab.berrut")(roundings_add_without_feedback)


@teeth.twin("stab.higham.counts")
@teeth.twin("stab.berrut.counts")
def an_argument_that_was_computed(claim: Claim, patch: Any) -> Claim:
    """Let x carry an error of its own."""
    corrupt = lambda x, nodes, values, weights: barycentric_sums(  # noqa: E731
        RoundingCount(1), nodes, values, weights
    )
    patch.setattr(f"{MODULE}.barycentric_sums", corrupt)
    return claim


def lowest_precision_in_between(claim: Claim, patch: Any) -> Claim:
    """Round the sum of the denominator to half precision before the division."""

    def corrupt(x: Any, nodes: Any, values: Any, weights: Any) -> Any:
        sums = barycentric_sums(x, nodes, values, weights)
        if isinstance(x, np.floating):
            sums = BarycentricSums(sums.above, type(x)(np.float16(sums.below) * np.float16(1.01)))
        return sums.above / sums.below

    patch.setattr(f"{MODULE}.second_form", corrupt)
    return claim


teeth.twin("stab.higham.rounded")(lowest_precision_in_between)
teeth.twin("stab.berrut.rounded")(lowest_precision_in_between)


@teeth.twin("stab.higham.rounded")
def weights_of_other_nodes(claim: Claim, patch: Any) -> Claim:
    """Take the weights of other nodes."""

    def corrupt(nodes: Any) -> list[Any]:
        if not isinstance(nodes[0], np.floating):
            return plain_lagrange_weights(nodes)
        moved = [node * node + node for node in nodes]
        return plain_lagrange_weights(moved)

    patch.setattr(f"{MODULE}.plain_lagrange_weights", corrupt)
    return claim


@teeth.twin("stab.berrut.rounded")
def another_argument(claim: Claim, patch: Any) -> Claim:
    """Compare with the value at the argument that was not rounded."""
    exact = lambda x: Fraction(float(x)).limit_denominator(50)  # noqa: E731
    patch.setattr(f"{MODULE}._exact", lambda x: _rational(exact(x)))
    return claim


def _rational(x: Fraction) -> Any:
    from codedtheory.arithmetic import Rational

    return Rational(x)


@teeth.twin("stab.fch")
def gaps_below_the_smallest(claim: Claim, patch: Any) -> Claim:
    u, s, t = sympy.symbols("u s t", nonnegative=True)
    a, d = sympy.symbols("a d", positive=True)
    patch.setattr(f"{MODULE}.nonnegative", lambda _: (u, -a * d / 2, s, t))
    return claim


@teeth.twin("stab.fch.grid")
def windows_of_degree_zero(claim: Claim, patch: Any) -> Claim:
    """The second form's terms, on clustered nodes."""
    patch.setattr(f"{MODULE}.blending_powers", lambda x, nodes, d, gamma: blending_powers(x, nodes, 0, gamma))
    return dataclasses.replace(claim, domain=sweep("4 <= n <= 5", "S in subsets(6, n)", "3 <= d <= 4"))


@teeth.twin("stab.fch.second")
def three_nodes_only(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.equispaced", lambda count: equispaced(3))
    return claim


@teeth.twin("stab.mascarenhas")
def weights_of_the_rounded_nodes(claim: Claim, patch: Any) -> Claim:
    def corrupt(x: Any, nodes: Any, values: Any, weights: Any) -> Any:
        from codedtheory.interpolation.rounded_forms import first_form

        return first_form(x, nodes, values, plain_lagrange_weights(nodes))

    patch.setattr(f"{MODULE}.first_form", corrupt)
    return claim


@teeth.twin("stab.mascarenhas")
def second_form_instead(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.first_form", second_form)
    return claim


@teeth.twin("stab.mascarenhas.recomputed")
def weights_in_closed_form(claim: Claim, patch: Any) -> Claim:
    def corrupt(nodes: Any) -> list[Any]:
        n = len(nodes) - 1
        return [(-1) ** i * Fraction(2 ** (n - 1), n) / (2 if i in (0, n) else 1) for i in range(n + 1)]

    patch.setattr(f"{MODULE}.plain_lagrange_weights", corrupt)
    return claim


@teeth.twin("stab.mascarenhas.second")
def weights_that_do_not_sum_to_zero(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count, weights: SymbolicInterpolant(count, "berrut"))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("stab.higham", comparison=0)
def one_plus_u() -> Any:
    k, r = sympy.symbols("k r", positive=True)
    return (k + r + 2) / (k + r + 1)


@teeth.pin("stab.higham", comparison=3)
def k_and_one_roundings_downwards() -> Any:
    # the smallest of the factors 1 - u, 1 + u, 1/(1 - u) and 1/(1 + u) is the first, u = 1/(k + r + 1)
    k, r = sympy.symbols("k r", positive=True)
    return (1 + r) * (k + r) / (k + r + 1) ** 2


@teeth.pin("stab.higham", comparison=-1)
def first_order_of_the_second_form() -> Any:
    n = sympy.Symbol("n", positive=True)
    mu, s = sympy.Symbol("mu", positive=True), sympy.Symbol("s", nonnegative=True)
    return (3 * n + 3) * (1 + s) + (3 * n + 2) * mu + 1


@teeth.pin("stab.higham.counts", comparison=1, n=1)
def roundings_by_hand() -> int:
    # two differences and their product; on a term: weight 2, difference, quotient, product, sum; their product
    return (2 + 1) + (2 + 1 + 1 + 1 + 1) + 1


@teeth.pin("stab.higham.rounded", comparison=0, within=1e-20, n=1, S=(0, 1), signs=0, bits=24)
def two_nodes_in_single_precision() -> float:
    f = np.float32
    a, b, x = f(0), f(1) / f(7), f(1) / f(14)
    p, q = f(2) / f(3), f(3) / f(4)
    v, w = f(1) / (a - b), f(1) / (b - a)
    computed = (x - a) * (x - b) * (v / (x - a) * p + w / (x - b) * q)
    A, B, X, P, Q = (Fraction(float(t)) for t in (a, b, x, p, q))
    exact = P + (Q - P) * (X - A) / (B - A)
    return float(abs(Fraction(float(computed)) - exact) / abs(exact))


@teeth.pin("stab.berrut", comparison=-1)
def first_order_of_berruts_interpolant() -> Any:
    n = sympy.Symbol("n", positive=True)
    mu, s = sympy.Symbol("mu", positive=True), sympy.Symbol("s", nonnegative=True)
    return (n + 3) * (1 + s) + (n + 2) * mu + 1


@teeth.pin("stab.berrut.counts", n=0)
def roundings_of_one_node() -> int:
    return len(["difference", "quotient", "product"])


@teeth.pin("stab.berrut.rounded", comparison=0, within=1e-18, n=1, S=(1, 2), signs=1, bits=11)
def two_nodes_in_half_precision() -> float:
    f = np.float16
    a, b, x = f(1) / f(7), f(2) / f(7), f(1) / f(14)
    p, q = -(f(2) / f(3)), f(3) / f(4)
    v, w = f(1) / (x - a), f(-1) / (x - b)
    computed = (v * p + w * q) / (v + w)
    A, B, X, P, Q = (Fraction(float(t)) for t in (a, b, x, p, q))
    exact = P + (Q - P) * (X - A) / (B - A)
    return float(abs(Fraction(float(computed)) - exact) / abs(exact))


@teeth.pin("stab.fch", comparison=3)
def one_side_over_the_window_across() -> Any:
    e, d, a = sympy.symbols("e d a", positive=True)
    return e / (d * a)


@teeth.pin("stab.fch.grid", comparison=0, n=2, S=(0, 1), d=1)
def two_pairs() -> Fraction:
    # nodes 0, 1, 2 at 1/4: -16/3 and -(16/21), with signs + and -
    first, second = Fraction(1, 4) * Fraction(-3, 4), Fraction(-3, 4) * Fraction(-7, 4)
    return (abs(1 / first) + abs(1 / second)) / abs(1 / first - 1 / second)


@teeth.pin("stab.fch.second", within=1e-6, d=1, n=7)
def eight_nodes_on_a_grid() -> float:
    sizes, worst = [1, 2, 2, 2, 2, 2, 2, 1], 0.0
    for k in range(1, 20000):
        x = 7 * k / 20000
        if x != int(x):
            terms = [(-1) ** i * w / (x - i) for i, w in enumerate(sizes)]
            worst = max(worst, sum(map(abs, terms)) / abs(sum(terms)))
    return worst


@teeth.pin("stab.mascarenhas", within=1e-20, n=4)
def five_points_over_fractions() -> float:
    nodes = [Fraction(float(x)) for x in np.asarray(chebyshev_second(5))]
    weights = [Fraction(w) for w in (1, -2, 2, -2, 1)]
    worst = Fraction(0)
    for k in range(4):
        x = (nodes[k] + nodes[k + 1]) / 2
        product = math.prod(x - t for t in nodes)
        worst = max(worst, abs(product * sum(w / (x - t) for w, t in zip(weights, nodes, strict=True)) - 1))
    return float(worst)


@teeth.pin("stab.mascarenhas.recomputed", n=2)
def one() -> int:
    return 1


@teeth.pin("stab.mascarenhas.second", comparison=3)
def two_nodes_by_hand() -> Any:
    x, x0, x1, w0, d0, d1 = sympy.symbols("x x0 x1 w0 d0 d1")
    return w0 * ((x0 - d0 - x) / (x - x0) - (x1 - d1 - x) / (x - x1))


def test_rounded_chebyshev_points_are_the_nearest_doubles() -> None:
    import mpmath

    with mpmath.workdps(60):
        for n in (5, 12, 33):
            for i, x in enumerate(np.asarray(chebyshev_second(n + 1))):
                assert approximate(float(x)) == float(mpmath.cospi(mpmath.mpf(i) / n))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
