"""Berrut's two interpolants: what they reproduce, and where their denominators vanish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codedtheory.arithmetic import cyclotomic
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import chebyshev_second
from codedtheory.interpolation.alternating_tails import alternating_tail, any_tail, longer_tail
from codedtheory.interpolation.poles import count_real_poles, denominator_polynomial
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant, nodes_around_zero

BERRUT = "Berrut 1988, Comput. Math. Appl. 15:1-16"


@claim(
    "berrut.pou",
    statement=r"\sum_{i=0}^n\ell_i(x)=1 \text{ and } r(x_i)=f_i \text{ for all non-zero weights}",
    source=derived("numerator and denominator are the same sum if all data are 1; at a node one term dominates"),
    hypotheses="x where the denominator is not 0; at a node the value to which r extends",
    method="Induction on the number of terms; at a node the other terms of both sums are arbitrary.",
)
def berrut_pou() -> Iterator[Comparison]:
    """Whatever the weights, constants are reproduced and the data are interpolated."""
    x, node, weight, value, above, below = arbitrary("x x_i w_i f_i A B")
    term = weight / (x - node)
    yield from induction(
        base=equal(term * value / term, value, "one term"),
        step=equal(value * below + term * value, value * (below + term), "numerator and denominator grow alike"),
    )
    scaled = (weight * value + (x - node) * above) / (weight + (x - node) * below)
    yield equal(scaled.subs(x, node), value, "r(x_i) = f_i")
    for count in range(1, 4):
        r = SymbolicInterpolant(count, weights=arbitrary(f"w0:{count}"))
        yield equal(r.cleared(lambda _: value), value * r.cleared(), f"{count} nodes")
        yield from (equal(r.at_node(i), r.values[i], f"node {i} of {count}") for i in range(count))


@claim(
    "berrut.nopole",
    statement=r"w_i=(-1)^i,\ x_0<\dots<x_n \;\Rightarrow\; D(x)\ne0 \text{ for all real } x",
    source=published(BERRUT, wording="recalled"),
    method="With its nearest node at distance e, a tail lies in (0, 1/e]: induction on its nodes, which are symbols. "
    "In a gap |D| is the sum of two tails, outside the hull one tail (compared for at most 3 nodes to either side).",
)
def berrut_nopole() -> Iterator[Comparison]:
    """Berrut's interpolant has no real pole, whatever the nodes."""
    e, h, gap, share, other = *positive("e h g"), *nonnegative("s t")
    longer = longer_tail(e, any_tail(e + gap, share))
    yield from induction(
        base=equal(alternating_tail([e]), any_tail(e, 0), "one node"),
        step=[greater_than(longer, 0, "positive"), at_most(longer, 1 / e, "at most 1/e")],
    )
    yield greater_than(any_tail(e, share), 0, "outside the hull")
    yield greater_than(any_tail(e, share) + any_tail(h, other), 0, "in a gap")
    yield from _denominator_is_made_of_tails()


@claim(
    "berrut.nopole.grid",
    statement=r"\#\{x\in\mathbb R: D(x)=0\}=0 \text{ for all sets of at most 7 nodes out of 10 equidistant ones}",
    source=published(BERRUT, wording="recalled"),
    over=sweep("0 <= n <= 6", "S in subsets(10, n + 1)", default="n <= 5", quick="n <= 3"),
    method="Sturm's theorem for the numerator polynomial of D, in rational arithmetic.",
)
def berrut_nopole_grid(n: int, S: tuple[int, ...]) -> Comparison:
    """No real root of Berrut's denominator, counted on small subsets of a grid."""
    return equal(count_real_poles(S), 0)


@claim(
    "berrut.pole.samesign",
    statement=r"w_kw_{k+1}>0 \;\Rightarrow\; D \text{ vanishes in } (x_k,x_{k+1})",
    source=published("Schneider & Werner 1986, Math. Comp. 47:285-299", wording="recalled"),
    method="(x - x_k)(x_(k+1) - x)D is continuous on the closed gap, with values of opposite signs at its ends; "
    "the other terms of D are an arbitrary number there.",
)
def berrut_pole_samesign() -> Iterator[Comparison]:
    """Neighbouring weights of equal sign force a zero of the denominator between their nodes."""
    (x, rest), (left, right, gap) = arbitrary("x B"), positive("w_k w_l g")
    regular = left * (gap - x) - right * x + x * (gap - x) * rest
    yield equal(regular, x * (gap - x) * (left / x + right / (x - gap) + rest), "regularised denominator")
    yield greater_than(regular.subs(x, 0), 0, "at x_k")
    yield less_than(regular.subs(x, gap), 0, "at x_(k+1)")


@claim(
    "berrut.pole.samesign.grid",
    statement=r"w\in\{\pm1\}^{n+1},\ w_k=w_{k+1} \;\Rightarrow\; \#\{x\in(x_k,x_{k+1}): D(x)=0\}\ge1 "
    r"\text{ for all sets of } n+1 \text{ nodes out of 8 equidistant ones}",
    source=published("Schneider & Werner 1986, Math. Comp. 47:285-299", wording="recalled"),
    over=sweep(
        "1 <= n <= 6", "S in subsets(8, n + 1)", "1 <= repeats < 2**n", default="n <= 3", quick=("n <= 2", "n % 2 == 0")
    ),
    method="Sturm's theorem on every gap; bit k of `repeats` tells whether weights k and k + 1 have equal signs.",
)
def berrut_pole_samesign_grid(n: int, S: tuple[int, ...], repeats: int) -> Iterator[Comparison]:
    """Every gap between equal signs holds a pole, counted for all sign patterns on few nodes."""
    weights = [1]
    for k in range(n):
        weights.append(weights[-1] if repeats >> k & 1 else -weights[-1])
    for k in range(n):
        if weights[k] == weights[k + 1]:
            yield at_least(count_real_poles(S, weights, S[k], S[k + 1]), 1, f"gap {k}")


@claim(
    "berrut.pole.samesign.bacc",
    statement=r"N \text{ even, node } N/2 \text{ of } \cos(i\pi/N) \text{ lost, } w_i=(-1)^i \text{ kept} "
    r"\;\Rightarrow\; D(0)=0",
    source=derived("the lost node leaves two neighbours with equal signs, and D is odd by symmetry"),
    over=sweep("1 <= m <= 24", default="m <= 12", quick="m <= 4"),
    method="The 0th coefficient of the denominator's polynomial, N = 2m, in a cyclotomic field.",
)
def berrut_pole_samesign_bacc(m: int) -> Comparison:
    """Keeping the workers' own signs after the middle one is lost puts a pole at 0."""
    lost = chebyshev_second(2 * m + 1).without([m])
    signs = [(-1) ** i for i in range(2 * m + 1) if i != m]
    return equal(denominator_polynomial(lost, signs, cyclotomic(4 * m))[0], 0)


@claim(
    "berrut.linear.iff",
    statement=r"f(x)=x:\quad x-r(x)=\frac{\sum_iw_i}{D(x)},\quad \sum_iw_i=\frac{1+(-1)^n}2; "
    r"\text{ linear functions are reproduced iff } n \text{ is odd}",
    source=derived("x w/(x - t) - t w/(x - t) = w for every term"),
    method="Term by term; the sum of the weights by induction on n with e = (-1)^n. n <= 4 written out.",
)
def berrut_linear_iff() -> Iterator[Comparison]:
    """Berrut's interpolant reproduces linear functions iff the number of nodes is even."""
    x, t, w, e = arbitrary("x t w e")
    yield equal(x * w / (x - t) - t * w / (x - t), w, "each term")
    yield from induction(
        base=equal(SymbolicInterpolant(1).weights.sum(), 1, "sum of one weight"),
        step=equal((1 + e) / 2 + (-e), (1 + (-e)) / 2, "sum of the weights"),
    )
    for n in range(5):
        r = SymbolicInterpolant(n + 1)
        yield equal(r.x * r.cleared() - r.cleared(lambda t: t), (1 - n % 2) * r.node_polynomial, f"n = {n}")


@claim(
    "berrut.quadratic",
    statement=r"n \text{ odd}, f(x)=x^2:\quad x^2-r(x)=\frac{\sum_iw_ix_i}{D(x)}",
    source=derived("x^2 w/(x - t) - t^2 w/(x - t) = w(x + t), and the weights sum to 0"),
    method="Term by term, for a running sum of weights W, which ends at 0 (berrut.linear.iff), and of weighted nodes "
    "M; n = 1, 3, 5 written out.",
)
def berrut_quadratic() -> Iterator[Comparison]:
    """For an even number of nodes the error of a parabola is the sum of weighted nodes over D."""
    x, t, w, W, M = arbitrary("x t w W M")
    yield equal(x**2 * w / (x - t) - t**2 * w / (x - t), w * (x + t), "each term")
    yield from induction(
        base=equal(x * w + w * t, w * (x + t), "one term"),
        step=equal((x * W + M) + w * (x + t), x * (W + w) + (M + w * t), "sum of the terms"),
    )
    for n in (1, 3, 5):
        r = SymbolicInterpolant(n + 1)
        yield equal(r.weights.sum(), 0, f"W for n = {n}")
        error = r.x**2 * r.cleared() - r.cleared(lambda t: t**2)
        yield equal(error, (r.weights * r.nodes).sum() * r.node_polynomial, f"n = {n}")


@claim(
    "berrut.second",
    statement=r"w=(\tfrac12,-1,1,\dots,\pm1,\mp\tfrac12),\ n\ge1:\quad \sum_iw_i=0, "
    r"\text{ hence linear functions are reproduced for all } n",
    source=derived("a new end halves itself and completes the old one: -e/2 + e - e/2 = 0"),
    method="Induction on n with e = (-1)^n for the sum; n <= 4 written out.",
)
def berrut_second() -> Iterator[Comparison]:
    """With halved end weights linear functions are reproduced whatever the number of nodes."""
    e, total, slope, shift = arbitrary("e W p q")
    yield from induction(
        base=equal(SymbolicInterpolant(2, "berrut-half").weights.sum(), 0, "two nodes"),
        step=equal(total - e / 2 + e + (-e) / 2, total, "one node more"),
    )
    for n in range(1, 5):
        r = SymbolicInterpolant(n + 1, "berrut-half")
        yield equal(r.weights.sum(), 0, f"weights for n = {n}")
        yield equal(r.cleared(lambda t: slope * t + shift), (slope * r.x + shift) * r.cleared(), f"line for n = {n}")


@claim(
    "berrut.second.hull",
    statement=r"w=(\tfrac12,-1,\dots,\mp\tfrac12) \;\Rightarrow\; D(x)\ne0 \text{ for all } x\in[x_0,x_n]",
    source=derived("a tail may start from half a node: it still lies in (0, 1/e]"),
    method="As for the first form; only the farthest node of a tail has weight 1/2. D is compared with its tails for "
    "at most 3 nodes to either side.",
)
def berrut_second_hull() -> Iterator[Comparison]:
    """The second form has no pole on the hull of its nodes."""
    e, h, gap, share, other = *positive("e h g"), *nonnegative("s t")
    longer = longer_tail(e, any_tail(e + gap, share))
    yield from induction(
        base=equal(alternating_tail([2 * e]), any_tail(e, 1), "half a node"),
        step=[greater_than(longer, 0, "positive"), at_most(longer, 1 / e, "at most 1/e")],
    )
    yield greater_than(any_tail(e, share) + any_tail(h, other), 0, "in a gap")
    yield from _denominator_is_made_of_tails(half_ends=True)


@claim(
    "berrut.second.grid",
    statement=r"w=(\tfrac12,-1,\dots,\mp\tfrac12):\quad \#\{x\in[x_0,x_n]: D(x)=0\}=0 "
    r"\text{ for all sets of 2 to 7 nodes out of 10 equidistant ones}",
    source=derived("a tail may start from half a node: it still lies in (0, 1/e]"),
    over=sweep("1 <= n <= 6", "S in subsets(10, n + 1)", default="n <= 5", quick="n <= 3"),
    method="Sturm's theorem for the numerator polynomial of D, in rational arithmetic.",
)
def berrut_second_grid(n: int, S: tuple[int, ...]) -> Comparison:
    """No root of the second form's denominator on the hull, counted on small subsets of a grid."""
    return equal(count_real_poles(S, "berrut-half", S[0], S[-1]), 0)


@claim(
    "berrut.second.offhull",
    statement=r"w=(\tfrac12,-1,\dots,\mp\tfrac12) \;\Rightarrow\; D(x)\ne0 \text{ for all real } x",
    source=derived("what one might read into the absence of poles on the hull"),
    over=sweep("1 <= n <= 3", "S in subsets(6, n + 1)", quick="n <= 2"),
    expected="fails",
    corrected_by="berrut.second.three",
    method="Sturm's theorem on the whole line.",
)
def berrut_second_offhull(n: int, S: tuple[int, ...]) -> Comparison:
    """The second form, too, would have no real pole at all."""
    return equal(count_real_poles(S, "berrut-half"), 0)


@claim(
    "berrut.second.three",
    statement=r"\text{nodes } x_0<x_0+a<x_0+b \text{ with halved ends}: D \text{ vanishes iff } b\ne2a,"
    r" \text{ at } x_0+\tfrac{ab}{2a-b}, \text{ outside the hull}",
    source=derived("the numerator of D is ab/2 - (2a - b)(x - x_0)/2"),
    method="The numerator of D is a linear polynomial in x; the two cases b = 2a + c and b = 2a - c are compared with "
    "the ends of the hull.",
)
def berrut_second_three() -> Iterator[Comparison]:
    """Three nodes that are not equidistant give the second form a pole outside their hull."""
    import sympy

    x, a, b = arbitrary("x a b")
    r = SymbolicInterpolant([0, a, b], "berrut-half", x)
    numerator = (a * b - (2 * a - b) * x) / 2
    yield equal(r.denominator, numerator / (x * (x - a) * (x - b)), "D")
    yield equal(sympy.solve(numerator, x)[0], a * b / (2 * a - b), "zero")
    first, excess = positive("g c")
    right_longer, left_longer = 2 * first + excess, first + excess
    yield less_than(first * right_longer / (2 * first - right_longer), 0, "b > 2a: left of x_0")
    yield greater_than(
        left_longer * (left_longer + first) / (2 * left_longer - (left_longer + first)),
        left_longer + first,
        "b < 2a: right of x_2",
    )


@claim(
    "berrut.two",
    statement=r"n=1:\quad r(x)=f_0+\frac{f_1-f_0}{x_1-x_0}(x-x_0),\qquad "
    r"\frac1{|D(x)|}=\frac{|x-x_0||x-x_1|}{|x_1-x_0|}",
    source=derived("D = (x_0 - x_1)/((x - x_0)(x - x_1))"),
    method="Two identities between rational functions.",
)
def berrut_two() -> Iterator[Comparison]:
    """Through two nodes Berrut's interpolant is the straight line."""
    r = SymbolicInterpolant(2)
    (x0, x1), (f0, f1) = r.nodes, r.values
    yield equal(r.numerator() / r.denominator, f0 + (f1 - f0) / (x1 - x0) * (r.x - x0), "line")
    yield equal(1 / r.denominator, (r.x - x0) * (r.x - x1) / (x0 - x1), "1/D")


def _denominator_is_made_of_tails(half_ends: bool = False, most: int = 3) -> Iterator[Comparison]:
    """Compare D with (-1)^k times the tails of both sides of gap k, for few nodes at arbitrary distances."""
    for left in range(int(half_ends), most + 1):
        for right in range(int(half_ends or not left), most + 1):
            nodes = nodes_around_zero(left, right)
            r = SymbolicInterpolant(nodes, "berrut-half" if half_ends else "berrut", x=0)
            sides = [list(-nodes[:left][::-1]), list(nodes[left:])]
            tails: list[Any] = [alternating_tail(distances) for distances in sides]
            if half_ends:
                for i, distances in enumerate(sides):
                    tails[i] = tails[i] - (-1) ** (len(distances) - 1) / distances[-1] / 2
            yield equal(r.denominator, -((-1) ** left) * sum(tails), f"{left} nodes to the left, {right} to the right")
