"""Floater-Hormann interpolants with powers of their blending functions: Lebesgue constants that do not grow."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import factorial, prod

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, greater_than, sweep
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.interpolation import equispaced
from codedtheory.interpolation.alternating_tails import any_tail, longer_tail
from codedtheory.interpolation.powered_blending import blending_powers, powered_cardinals, powered_lebesgue_bound
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant, nodes_around_zero

READING = derived(
    "bounded Lebesgue constants are claimed by Themistoclakis & Van Barel 2023, arXiv:2307.05345 (abstract); "
    "which family is meant is our reading"
)
FAMILY = (
    "the family is read as the powers of the blending functions of Floater and Hormann: the abstract describes it by "
    "properties only, all of which this one has (leb.themistoclakis.family)"
)


@claim(
    "leb.themistoclakis",
    statement=r"r=\sum_i\lambda_i^\gamma p_i\Big/\sum_i\lambda_i^\gamma,\ \gamma\ge2:\quad \Lambda\le c(d,\gamma,h/h_*)"
    r" \text{ for all numbers of nodes: bounded on equidistant and quasi-equidistant nodes}",
    source=READING,
    hypotheses=FAMILY,
    over=sweep(
        "1 <= d <= 8",
        "2 <= gamma <= 8",
        default=("d <= 4", "gamma <= 4"),
        quick=("d <= 2", "gamma <= 3"),
    ),
    method="h_* = 1, h = M; e and f are the distances of x from the ends of its gap, a_1 = f, a_2 ... those of the "
    "nodes to the right. The denominator is at least the sum over the windows across x (fh.nopole), whose Lebesgue "
    "functions are at most 2^d M^d. The windows to one side are compared with the one across x that begins at the "
    "other end of the gap; they add at most (1 + M)2^d M^(d + gamma - 1)/d^(gamma - 1). "
    "The constant is not the authors'.",
)
def leb_themistoclakis(d: int, gamma: int) -> Iterator[Comparison]:
    """With powers of at least 2 the Lebesgue constant is bounded by the mesh ratio alone."""
    (e, f, g), (u, j) = positive("e f g"), nonnegative("u j")
    M = e + f + u
    products = [factorial(i) * factorial(d - i) * g**d for i in range(d + 1)]
    yield equal(sum(1 / x for x in products), Fraction(2**d, factorial(d)) / g**d, "weights of a window with gaps g")
    for p in range(d):
        longest = factorial(p + 1) * factorial(d - p) * M**d
        yield at_most(
            longest, factorial(d) * M**d, f"window across x, {p} more nodes to the left: all but one distance"
        )
    a = [f, *positive(f"a2:{d + 2}")]
    nearest = (e * prod(a[:d])) ** gamma / (a[0] * prod(a) ** (gamma - 1))
    yield equal(nearest, e**gamma * prod(a[1:d]) / a[d] ** (gamma - 1), "first window beyond x over one across x")
    farthest = prod((f + i * M for i in range(1, d)), start=1)
    yield at_most(e**gamma * farthest, factorial(d) * M ** (d + gamma - 1), "at most iM away")
    yield at_most(1 / (f + d) ** (gamma - 1), Fraction(1, d ** (gamma - 1)), "at least d away")
    yield at_most(f / (f + j), M / (M + j), "window j further: twice a_1/a_(1 + j) at most")
    yield from _sum_of_squares()
    one_side = (1 + M) * 2**d * M ** (d + gamma - 1) / d ** (gamma - 1)
    yield at_most(2**d * M**d + 2 * one_side, powered_lebesgue_bound(d, gamma, M), "across x, and both sides")


@claim(
    "leb.themistoclakis.zero",
    statement=r"d=0:\quad \Lambda=1\ (\gamma\text{ even}),\qquad\Lambda\le\frac{(1+M)^3}{1+2M}\ (\gamma\ge3\text{ odd})"
    r",\quad M=h/h_*",
    source=derived(
        "even powers are positive weights; odd ones alternate, and the two nearest terms of a side are left"
    ),
    over=sweep("2 <= gamma <= 9", default="gamma <= 6", quick="gamma <= 3"),
    method="h_* = 1. f is the distance of the nearest node to one side, at most M; the others are at least f + j away.",
)
def leb_themistoclakis_zero(gamma: int) -> Iterator[Comparison]:
    """For degree 0 even powers have Lebesgue constant 1, odd powers a bounded one."""
    (f, near), (u, j, share) = positive("f b"), nonnegative("u j s")
    M = f + u
    if gamma % 2 == 0:
        for n in range(3):
            nodes = nodes_around_zero(1, n)
            cardinals = powered_cardinals(0, nodes, 0, gamma)
            yield equal(sum(abs(value) for value in cardinals), sum(cardinals), f"all positive, n = {n}")
            yield equal(sum(cardinals), 1, f"sum, n = {n}")
        return
    power = f**gamma
    yield at_least(
        longer_tail(power, any_tail(power + near, share)), 1 / power - 1 / (power + near), "two nearest terms"
    )
    yield at_most(f / (f + 1), M / (M + 1), "the second node is at least 1 further")
    yield at_most(f / (f + j), M / (M + j), "node j beyond")
    yield from _sum_of_squares()
    yield at_most((1 + M) / (1 - (M / (1 + M)) ** 2), powered_lebesgue_bound(0, gamma, M), "one side")


@claim(
    "leb.themistoclakis.pairs",
    statement=r"d=1,\ \gamma=2:\quad \Lambda\le1+(h/h_*)^2 \text{ for all nodes, so that } \Lambda\le2 "
    r"\text{ at equidistant nodes}",
    source=derived("the pairs to one side telescope: (a + b)/(g a^2 b^2) = (1/a^2 - 1/b^2)/g^2 for b = a + g"),
    method="e and f are the distances of x from the ends of its gap; c is the smallest gap, h = e + f + u the largest.",
)
def leb_themistoclakis_pairs() -> Iterator[Comparison]:
    """Squared blending functions of pairs: the constant is at most 1 + (h/h_*)^2."""
    (e, f, a, c), (u, v, s) = positive("e f a c"), nonnegative("u v s")
    g = c + v
    beside = blending_powers(0, [a, a + g], 1, 2)[0] * sum(
        abs(value) for value in powered_cardinals(0, [a, a + g], 1, 2)
    )
    yield at_most(beside, (1 / a**2 - 1 / (a + g) ** 2) / c**2, "a pair beside x")
    yield from induction(
        base=at_most(beside.subs(a, f), (1 / f**2 - 1 / (f + g) ** 2) / c**2, "the first pair"),
        step=at_most(
            (1 / f**2 - 1 / a**2) / c**2 + beside,
            (1 / f**2 - 1 / (a + g) ** 2) / c**2,
            "pairs from f to a, and one more",
        ),
    )
    across = blending_powers(0, [-e, f], 1, 2)[0]
    yield equal(sum(abs(value) for value in powered_cardinals(0, [-e, f], 1, 2)), 1, "the pair across x")
    yield at_most((across + (1 / e**2 + 1 / f**2) / c**2 - s) / across, 1 + ((e + f + u) / c) ** 2, "bound")


@claim(
    "leb.themistoclakis.pairs.grid",
    statement=r"d=1,\ \gamma=2:\quad \sum_i|\ell_i(k+\tfrac j8)|\le2 \text{ at the nodes } 0,\dots,n",
    source=derived("the pairs to one side telescope"),
    over=sweep("1 <= n <= 60", "0 <= k < n", "1 <= j < 8", default="n <= 12", quick="n <= 5"),
    method="Rational arithmetic at x = k + j/8, nodes 0, ..., n.",
)
def leb_themistoclakis_pairs_grid(n: int, k: int, j: int) -> Comparison:
    """How large the Lebesgue function of squared pairs is between equidistant nodes."""
    nodes = equispaced(n + 1, 0, n).over(EXACT)
    x = EXACT.number(Fraction(8 * k + j, 8))
    return at_most(sum(abs(value) for value in powered_cardinals(x, nodes, 1, 2)), 2)


@claim(
    "leb.themistoclakis.family",
    statement=r"r=\sum_i\lambda_i^\gamma p_i\Big/\sum_i\lambda_i^\gamma: \text{ Floater and Hormann's for } \gamma=1, "
    r"\text{ interpolates, reproduces degree } d, \text{ has no real poles}",
    source=READING,
    hypotheses=FAMILY,
    over=sweep("0 <= d <= 2", "1 <= gamma <= 4", default=("d <= 1", "gamma <= 2"), quick="d == 0"),
    method="Three symbolic nodes for reproduction; the nodes around x at arbitrary distances for the sign of the "
    "denominator, which is that of its terms if gamma is even and of its tails (fh.nopole) otherwise.",
)
def leb_themistoclakis_family(d: int, gamma: int) -> Iterator[Comparison]:
    """Powers of the blending functions interpolate, reproduce degree d and have no real poles."""
    import sympy

    r = SymbolicInterpolant(3, d)
    cardinals = powered_cardinals(r.x, r.nodes, d, gamma)
    for m in range(d + 1):
        reproduced = sum(value * node**m for value, node in zip(cardinals, r.nodes, strict=True))
        yield equal(reproduced, r.x**m, f"degree {m}")
    if gamma == 1:
        for k, value in enumerate(cardinals):
            yield equal(value, r.terms[k] / r.denominator, f"cardinal function {k} of Floater and Hormann")
    for k, node in enumerate(r.nodes):
        at_node = [sympy.cancel(value).subs(r.x, node) for value in cardinals]
        interpolated = sum(value * datum for value, datum in zip(at_node, r.values, strict=True))
        yield equal(interpolated, r.values[k], f"node {k}")
    for left in range(3):
        powers = blending_powers(0, nodes_around_zero(left, 2 + d), d, gamma)
        yield greater_than((-1) ** (gamma * (left + 1 + d)) * sum(powers), 0, f"denominator, {left} nodes to the left")


def _sum_of_squares() -> list[Comparison]:
    """The squares of M/(M + j), j = 1, 2, ..., add up to at most M."""
    (M,), (j, s) = positive("M"), nonnegative("j s")
    return induction(
        base=at_most((M / (M + 1)) ** 2, M - M**2 / (M + 1), "one term"),
        step=at_most(M - M**2 / (M + j) - s + (M / (M + j + 1)) ** 2, M - M**2 / (M + j + 1), "one term more"),
    )
