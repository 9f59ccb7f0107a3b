"""Error bounds of Berrut and Floater-Hormann interpolants, and the bounds of 1/|D| under them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import factorial
from typing import Any

from codedtheory.arithmetic import EXACT, ball, cyclotomic
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    published,
    sweep,
)
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import Nodes, chebyshev_second, nodes_from
from codedtheory.interpolation.alternating_tails import any_tail, longer_tail
from codedtheory.interpolation.blended_error import worst_blended_error
from codedtheory.interpolation.denominator import (
    chebyshev_denominator_bound_off_hull,
    denominator_bounds_by_gap,
    denominator_reciprocal,
    largest_denominator_reciprocal,
)
from codedtheory.interpolation.divided_differences import divided_difference
from codedtheory.interpolation.error_bounds import error_bound
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

FLOATER_HORMANN = published(
    "Floater & Hormann 2007, Numer. Math. 107:315-331", wording="recalled", doi="10.1007/s00211-007-0093-y"
)
BALLS = ball(64)


@claim(
    "fh.error.d",
    statement=r"1\le d\le n, f\in C^{d+2}[x_0,x_n]:\quad \|f-r\|\le h^{d+1}\Big[(x_n-x_0)\frac{\|f^{(d+2)}\|}{d+2}"
    r"+[n-d\text{ even}]\,\frac{\|f^{(d+1)}\|}{d+1}\Big] \text{ on the hull, for all nodes}",
    source=FLOATER_HORMANN,
    over=sweep("1 <= d <= 12", default="d <= 5", quick="d <= 2"),
    hypotheses="a divided difference of order m is a value of the m-th derivative over m!",
    method="f - r = sum (-1)^i F_i / D with F_i = f[x_i..x_(i+d), x] (fh.error.representation); two neighbours make "
    "(x_(i+d+1) - x_i)f[x_i..x_(i+d+1), x]. |D| is at least the term of one window across x (fh.nopole): e and f are "
    "the distances to the ends of the gap, which is at most h, and p more nodes of the window lie to the left. The "
    "spans of every other window cover each gap at most d + 1 times (added up over 3d + 4 gaps; in longer rows the "
    "windows around a gap are the same).",
)
def fh_error_d(d: int) -> Iterator[Comparison]:
    """The Floater-Hormann error bound for d >= 1, proved for all nodes and all smooth f."""
    (e, f), (slack,) = positive("e f"), nonnegative("u")
    h = e + f + slack
    for p in range(d):
        window = _distances(e, h, p + 1) * _distances(f, h, d - p)
        yield at_most(window, factorial(d) * h ** (d + 1), f"window with {p} more nodes to the left")
    yield at_most(*_spans(d, d + 1), "spans of every other window")
    yield equal(factorial(d) * h ** (d + 1) * (d + 1) / factorial(d + 2), h ** (d + 1) / (d + 2), "order d + 2")
    yield equal(factorial(d) * h ** (d + 1) / factorial(d + 1), h ** (d + 1) / (d + 1), "order d + 1")


@claim(
    "fh.error.d.improved",
    statement=r"1\le d\le n:\quad \|f-r\|\le\frac{h^{d+1}}4\Big[\frac{\lfloor d/2\rfloor+1}{d+1}(x_n-x_0)"
    r"\frac{\|f^{(d+2)}\|}{d+2}+[n-d\text{ even}]\,\frac{\|f^{(d+1)}\|}{d+1}\Big] \text{ on the hull}",
    source=derived("the same proof, with ef <= h^2/4 and with the even windows counted: a gap lies in floor(d/2)+1"),
    over=sweep("1 <= d <= 12", default="d <= 5", quick="d <= 2"),
    hypotheses="a divided difference of order m is a value of the m-th derivative over m!",
    method="As for fh.error.d; without loss of generality f is the shorter distance in ef <= (e + f)^2/4.",
)
def fh_error_d_improved(d: int) -> Iterator[Comparison]:
    """The terms of the Floater-Hormann bound for d >= 1 can be divided by 4 and more."""
    (e, f), (slack, more) = positive("e f"), nonnegative("u v")
    h = e + f + slack
    yield at_most(4 * f * (f + more), (2 * f + more) ** 2, "the two nodes next to x")
    for p in range(d):
        others = _distances(e + h, h, p) * _distances(f + h, h, d - p - 1)
        yield at_most(others, factorial(d) * h ** (d - 1), f"window with {p} more nodes to the left")
    yield at_most(*_spans(d, d // 2 + 1), "spans of every other window")


@claim(
    "fh.error.d.worst",
    statement=r"\text{integers } 0=x_0<\dots<x_n\le7:\quad \sup_x\frac1{|D|}"
    r"\sum_{i\text{ even},\,i<n-d}\frac{x_{i+d+1}-x_i}{(d+2)!}\le h^{d+1}\frac{x_n-x_0}{d+2},\quad "
    r"\sup_x\frac1{|D|}\frac1{(d+1)!}\le\frac{h^{d+1}}{d+1}\ (n-d\text{ even}); \text{ for } n-d \text{ odd the "
    r"first is } \sup_{\|f^{(d+2)}\|\le1}\|f-r\|",
    source=FLOATER_HORMANN,
    over=sweep("1 <= n <= 5", "1 <= d <= n", "S in subsets(7, n)", default=("n <= 4", "max(S) < 4"), quick="n <= 2"),
    method="Nodes 0 and s + 1. For n - d odd the Peano kernel has one sign, so that the worst f is x^(d+2); "
    "1/|D| is enclosed over the hull.",
)
def fh_error_d_worst(n: int, d: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """How much of the Floater-Hormann bound the worst functions use, on small integer nodes."""
    nodes = _from_zero(S)
    worst = worst_blended_error(nodes, d, arithmetic=BALLS, tolerance="1e-3")
    bounds = [error_bound(nodes, d, {d + 1: 1 - j, d + 2: j}, arithmetic=EXACT) for j in (0, 1)]
    yield at_most(worst.upper, bounds[1], f"order {d + 2}")
    if (n - d) % 2 == 0:
        yield at_most(worst.lower, bounds[0], f"order {d + 1}")


@claim(
    "fh.error.representation",
    statement=r"f(x)D(x)-\sum_k\frac{w_kf_k}{x-x_k}=\sum_{i=0}^{n-d}(-1)^if[x_i,\dots,x_{i+d},x]",
    source=FLOATER_HORMANN,
    over=sweep("0 <= n <= 5", "0 <= d <= n", default="n <= 3", quick="n <= 2"),
    method="Both sides are linear in the data f_0 ... f_n and f(x); each of them is set to 1 and the others to 0. "
    "Symbolic nodes.",
)
def fh_error_representation(n: int, d: int) -> Iterator[Comparison]:
    """The error times the denominator is an alternating sum of divided differences."""
    r = SymbolicInterpolant(n + 1, d)

    def alternating(data: list[int]) -> Any:
        windows = [slice(i, i + d + 1) for i in range(n - d + 1)]
        differences = [divided_difference([*r.nodes[w], r.x], [*data[:-1][w], data[-1]]) for w in windows]
        return sum((-1) ** i * difference for i, difference in enumerate(differences))

    yield equal(r.denominator, alternating([0] * (n + 1) + [1]), "f(x)")
    for k in range(n + 1):
        unit = [int(j == k) for j in range(n + 1)]
        yield equal(-r.numerator(unit), alternating([*unit, 0]), f"f_{k}")


@claim(
    "fh.error.0",
    statement=r"f\in C^2[x_0,x_n]:\quad \|f-r\|\le h(1+\beta)\Big[(x_n-x_0)\frac{\|f''\|}2+[n\text{ even}]\,\|f'\|\Big]"
    r" \text{ on the hull},\quad \beta=\max_{1\le i\le n-2}\min\{\tfrac{g_i}{g_{i-1}},\tfrac{g_i}{g_{i+1}}\}"
    r" \text{ or } 0 \text{ if } n<3",
    source=FLOATER_HORMANN,
    hypotheses="a divided difference of order m is a value of the m-th derivative over m!",
    method="The numerator as in berrut.error.pointwise; |D| is at least the tail of one side (berrut.nopole), which is "
    "at least its two nearest terms: e and f are the distances to the ends of the gap, a is the gap beyond.",
)
def fh_error_0() -> Iterator[Comparison]:
    """The error bound of Berrut's interpolant on the hull, for all nodes and all smooth f."""
    (e, f, a), (share,) = positive("e f a"), nonnegative("s")
    yield at_least(longer_tail(e, any_tail(e + a, share)), 1 / e - 1 / (e + a), "two nearest terms")
    yield at_most(1 / (1 / e - 1 / (e + a)), (e + f) * (1 + (e + f) / a), "inner gap: 1/|D| <= g(1 + g/a)")
    yield at_most(1 / any_tail(e, 0), e + f, "end gap: 1/|D| <= g")
    yield from _paired_differences()


@claim(
    "fh.error.0.worst",
    statement=r"\text{integers } 0=x_0<\dots<x_n\le7:\quad \sup_x\frac1{|D|}\sum_{i\text{ even},\,i<n}\frac{g_i}2 "
    r"\le h(1+\beta)\frac{x_n-x_0}2,\quad \sup_x\frac1{|D|}\le h(1+\beta)\ (n\text{ even}); \text{ for } n \text{ "
    r"odd the first is } \sup_{\|f''\|\le1}\|f-r\|",
    source=FLOATER_HORMANN,
    over=sweep("1 <= n <= 6", "S in subsets(7, n)", default=("n <= 4", "max(S) < 6"), quick=("n <= 3", "max(S) < 4")),
    method="Nodes 0 and s + 1. 1/|D| is enclosed over the hull; it gives the worst error for n odd.",
)
def fh_error_0_worst(n: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """How much of the bound of Berrut's interpolant the worst functions use, on integer nodes."""
    nodes = _from_zero(S)
    worst = worst_blended_error(nodes, 0, arithmetic=BALLS, tolerance="1e-2")
    yield at_most(worst.upper, error_bound(nodes, 0, {1: 0, 2: 1}, arithmetic=EXACT), "order 2")
    if n % 2 == 0:
        yield at_most(worst.lower, error_bound(nodes, 0, {1: 1, 2: 0}, arithmetic=EXACT), "order 1")


@claim(
    "fh.error.0.half",
    statement=r"\text{nodes } -M,-1,1,M,\ M=m^4:\quad \sup_{\|f''\|\le1}\|f-r\|\ge\big(\tfrac12-\tfrac1m\big)"
    r"h(1+\beta)(x_n-x_0)/2, \text{ so that no factor below } \tfrac12 \text{ holds for all nodes}",
    source=derived("take x = -1 - m^3, where 1/|D| is nearly M/2"),
    method="The error of x^2/2 at one point, m = 2 + k with k a symbol; h = M - 1 and beta = 2/(M - 1).",
)
def fh_error_0_half() -> Comparison:
    """The bound for Berrut's interpolant cannot be more than halved."""
    m = 2 + nonnegative("k")[0]
    M, x = m**4, -1 - m**3
    r = SymbolicInterpolant(_clustered(M), x=x)
    error = x**2 / 2 - r.of(lambda t: t**2 / 2)
    h, beta = M - 1, 2 / (M - 1)
    return at_least(-error / (h * (1 + beta) * M), Fraction(1, 2) - 1 / m)


@claim(
    "fh.error.0.quarter",
    statement=r"n \text{ odd}:\quad \sup_{\|f''\|\le1}\|f-r\|\le\tfrac14h(1+\beta)(x_n-x_0)/2 \text{ for all nodes}",
    source=derived("what survivor sets of Chebyshev points suggest (fh.error.0.quarter.cheb2)"),
    over=sweep("2 <= M <= 20"),
    expected="fails",
    corrected_by="fh.error.0.half",
    method="Nodes -M, -1, 1, M; 1/|D| is enclosed over the hull.",
)
def fh_error_0_quarter(M: int) -> Comparison:
    """A quarter of the bound for Berrut's interpolant would do, whatever the nodes."""
    return _within_a_quarter(nodes_from(_clustered(M)))


@claim(
    "fh.error.0.quarter.cheb2",
    statement=r"n\ge3 \text{ odd, nodes: any } n+1 \text{ of } \cos\tfrac{i\pi}N:\quad "
    r"\sup_{\|f''\|\le1}\|f-r\|\le\tfrac14h(1+\beta)(x_n-x_0)/2",
    source=derived("enclosures for few workers; equality holds for two nodes"),
    over=sweep(
        "3 <= N <= 9", "3 <= n <= N", "S in subsets(N + 1, n + 1)", where="n % 2 == 1", default="N <= 6", quick="N <= 5"
    ),
    method="1/|D| is enclosed over the survivors' hull, h and beta by balls.",
)
def fh_error_0_quarter_cheb2(N: int, n: int, S: tuple[int, ...]) -> Comparison:
    """On survivors of few Chebyshev points a quarter of the bound suffices."""
    return _within_a_quarter(chebyshev_second(N + 1).take(S))


@claim(
    "fh.error.0.quarter.cheb2.all",
    statement=r"\text{any even number of survivors of } \cos\tfrac{i\pi}N, \text{ any } N:\quad "
    r"\sup_{\|f''\|\le1}\|f-r\|\le\tfrac14h(1+\beta)(x_n-x_0)/2",
    source=derived("what few workers suggest"),
    over=sweep("3 <= N <= 21", where="N % 2 == 1"),
    expected="fails",
    corrected_by="fh.error.0.quarter.cheb2",
    method="Both end nodes and the two in the middle survive; 1/|D| is enclosed over the hull, h and beta by balls.",
)
def fh_error_0_quarter_cheb2_all(N: int) -> Comparison:
    """On survivors of any number of Chebyshev points a quarter of the bound would suffice."""
    return _within_a_quarter(chebyshev_second(N + 1).take(_ends_and_middle(N)))


@claim(
    "berrut.error.pointwise",
    statement=r"x\in\mathbb R, f\in C^2 \text{ with norms over the hull of } x_0,x_n,x:\quad "
    r"|f(x)-r(x)|\le\frac1{|D(x)|}\Big[\tfrac12\|f''\|"
    r"\sum_{i\text{ even},\,i<n}g_i+[n\text{ even}]\,\|f'\|\Big], \text{ with equality for } n \text{ odd}, f=x^2",
    source=derived("f - r is an alternating sum of f[x_i, x] over D, and two neighbours make g_i f[x_i, x_(i+1), x]"),
    hypotheses="a divided difference of order m is a value of the m-th derivative over m!",
    method="Identities in two nodes, x and arbitrary values; n <= 3 written out. For f = x^2/2 every divided "
    "difference of order 2 is 1/2, so the paired terms add up without loss.",
)
def berrut_error_pointwise() -> Iterator[Comparison]:
    """The error of Berrut's interpolant at any point; sharp for an even number of nodes."""
    yield from _paired_differences()
    for n in (1, 3):
        r = SymbolicInterpolant(n + 1)
        gaps = (r.nodes[1::2] - r.nodes[::2]).sum()
        error = r.x**2 * r.cleared() - r.cleared(lambda t: t**2)
        yield equal(error, -gaps * r.node_polynomial, f"error of a parabola, n = {n}")


@claim(
    "berrut.error.pointwise.peano",
    statement=r"n \text{ odd, integer nodes}, x=j+\tfrac13:\quad \int|K(x,t)|\,dt=\frac1{2|D(x)|}"
    r"\sum_{i\text{ even}}g_i: \text{ the pointwise bound is the best constant, in the hull or not}",
    source=derived("the divided differences f[x_i, x_(i+1), x] have non-negative kernels, so K(x, .) has one sign"),
    over=sweep(
        "1 <= n <= 5", "S in subsets(7, n + 1)", "-3 <= j <= 8", where="n % 2 == 1", default="n <= 3", quick="n == 1"
    ),
    method="The piecewise linear kernel integrated in rational arithmetic at x = j + 1/3, inside and outside the hull.",
)
def berrut_error_pointwise_peano(n: int, S: tuple[int, ...], j: int) -> Comparison:
    """For an even number of nodes the Peano constant is half of every other gap over |D|."""
    x = j + Fraction(1, 3)
    gaps = sum(S[1::2]) - sum(S[::2])
    peano = error_constants_at(x, S, arithmetic=EXACT).second
    return equal(peano, denominator_reciprocal(x, S, arithmetic=EXACT) * gaps / 2)


@claim(
    "berrut.den.sharp",
    statement=r"\frac1{|D|}\le\frac{g_k}4\Big(1+\frac{\rho_k}2\Big) \text{ in an inner gap},\ "
    r"\rho_k=\max\{\tfrac{g_k}{g_{k-1}},\tfrac{g_k}{g_{k+1}}\},\qquad \frac1{|D|}\le g_k \text{ in an end gap}",
    source=derived("with the two nearest terms of both sides; worst in the middle of the gap"),
    method="e and e + v are the distances to the ends of the gap g; both neighbouring gaps are at least cg, c = 1/rho, "
    "and a longer one (by a) only makes |D| larger.",
)
def berrut_den_sharp() -> Iterator[Comparison]:
    """A bound of 1/|D| on every gap, from the gap and its two neighbours, for all nodes."""
    (e, c, near), (v, more, share) = positive("e c b"), nonnegative("v a s")
    f = e + v
    g = e + f
    yield at_least(longer_tail(e, any_tail(e + near, share)), 1 / e - 1 / (e + near), "two nearest terms")
    yield at_least(1 / e - 1 / (e + near + more), 1 / e - 1 / (e + near), "a longer neighbouring gap")
    both = 1 / e - 1 / (e + c * g) + 1 / f - 1 / (f + c * g)
    yield at_most(1 / both, g / 4 * (1 + 1 / (2 * c)), "inner gap")
    yield at_most(1 / any_tail(e, 0), g, "end gap")


@claim(
    "berrut.den.sharp.attained",
    statement=r"n=3, \text{ nodes } \mp(\tfrac12+c)g,\mp\tfrac12g,\ \rho=\tfrac1c:\quad "
    r"\frac1{|D(0)|}=\frac g4\Big(1+\frac\rho2\Big)",
    source=derived("four nodes have no further terms, and x = 0 is the middle of the gap"),
    method="An identity in g and c.",
)
def berrut_den_sharp_attained() -> Comparison:
    """Four symmetric nodes attain the bound of 1/|D|, for every ratio of the gaps."""
    g, c = positive("g c")
    r = SymbolicInterpolant([-g / 2 - c * g, -g / 2, g / 2, g / 2 + c * g], x=0)
    return equal(-1 / r.denominator, g / 4 * (1 + 1 / (2 * c)))


@claim(
    "berrut.den.sharp.grid",
    statement=r"\sup_{x_k\le x\le x_{k+1}}\frac1{|D|}\le\frac{g_k}4\Big(1+\frac{\rho_k}2\Big) \text{ or } g_k, "
    r"\text{ all gaps of all subsets of a grid}",
    source=derived("with the two nearest terms of both sides"),
    over=sweep("4 <= n <= 5", "S in subsets(8, n)", "0 <= k < n", default=("n == 4", "max(S) < 6"), quick="max(S) < 5"),
    method="Nodes 0 and s + 1; the supremum over gap k is enclosed by interval bisection.",
)
def berrut_den_sharp_grid(n: int, S: tuple[int, ...], k: int) -> Comparison:
    """How much of its bound 1/|D| uses on each gap, on small subsets of a grid."""
    nodes = _from_zero(S)
    gap = (nodes[k], nodes[k + 1])
    largest = largest_denominator_reciprocal(nodes, gap, arithmetic=BALLS, tolerance="1e-2")
    return at_most(largest, denominator_bounds_by_gap(nodes, EXACT)[k])


@claim(
    "berrut.den.offhull",
    statement=r"x>x_n:\quad \frac1{|D(x)|}\le\frac{(x-x_n)(x-x_{n-1})}{x_n-x_{n-1}}\ (n\ge1), "
    r"\text{ with equality for } n=1",
    source=derived("the first two terms of an alternating decreasing sum"),
    method="|D| is one tail; e is the distance of its nearest node and a the gap behind it. The bound increases in e "
    "and decreases in a.",
)
def berrut_den_offhull() -> Iterator[Comparison]:
    """A bound of 1/|D| outside the hull, from the two nearest nodes."""
    (e, a), (share, further, longer) = positive("e a"), nonnegative("s u v")
    yield at_least(longer_tail(e, any_tail(e + a, share)), 1 / e - 1 / (e + a), "two nearest terms")
    yield equal(1 / (1 / e - 1 / (e + a)), e * (e + a) / a, "two nodes")
    yield at_most(e * (e + a + longer) / (a + longer), (e + further) * (e + further + a) / a, "monotone in e and a")


@claim(
    "berrut.den.offhull.cheb2",
    statement=r"m\le s\le N-1 \text{ workers lost from one end of } \cos\tfrac{i\pi}N,\ x\in[-1,1] \text{ beyond}, "
    r"a=\tfrac\pi{2N}:\quad \frac1{|D|}\le2\sin^2(ma)\Big(1+\frac{\sin^2(ma)}{\sin((2m+1)a)\sin a}\Big)"
    r"\le2(1+m^2)\sin((s+1)a)",
    source=derived("e <= 1 - cos(2ma), and the gap behind is at least cos(2ma) - cos(2(m+1)a)"),
    over=sweep("2 <= N <= 200", "1 <= m < N", "m <= s < N", default="N <= 18", quick="N <= 9", full="N <= 60"),
    method="The first inequality is berrut.den.offhull, attained at x = 1 by the survivors m and m + 1; the second and "
    "the growth of its left side with m by balls.",
)
def berrut_den_offhull_cheb2(N: int, m: int, s: int) -> Iterator[Comparison]:
    """Beyond the survivors of Chebyshev points 1/|D| grows at most with the square of the loss."""
    bound, following = (chebyshev_denominator_bound_off_hull(N + 1, lost, BALLS) for lost in (m, min(m + 1, N - 1)))
    yield at_most(bound, 2 * (1 + m**2) * BALLS.sin_pi(Fraction(s + 1, 2 * N)), "in sin((s + 1)a)")
    if m + 1 < N:
        yield greater_than(following, bound, "grows with m")


@claim(
    "berrut.den.offhull.cheb2.attained",
    statement=r"\text{survivors } m \text{ and } m+1 \text{ of } \cos\tfrac{i\pi}N:\quad "
    r"\frac1{|D(1)|}=2\sin^2(ma)\Big(1+\frac{\sin^2(ma)}{\sin((2m+1)a)\sin a}\Big)",
    source=derived("two nodes have no further terms"),
    over=sweep("2 <= N <= 24", "1 <= m < N", default="N <= 12", quick="N <= 6"),
    method="Both sides in a cyclotomic field.",
)
def berrut_den_offhull_cheb2_attained(N: int, m: int) -> Comparison:
    """Two neighbouring survivors attain the bound beyond the hull."""
    field = cyclotomic(4 * N)
    survivors = chebyshev_second(N + 1).take([m, m + 1])
    return equal(
        denominator_reciprocal(1, survivors, arithmetic=field), chebyshev_denominator_bound_off_hull(N + 1, m, field)
    )


def _paired_differences() -> Iterator[Comparison]:
    """The numerator of the error: pairs of first differences are second differences, of 1/2 for a parabola."""
    x, a, b, value, at_a, at_b = arbitrary("x x_i x_j f f_i f_j")
    first, second = divided_difference([a, x], [at_a, value]), divided_difference([b, x], [at_b, value])
    both = divided_difference([a, b, x], [at_a, at_b, value])
    yield equal((value - at_a) / (x - a), first, "each term of the error is a first difference")
    yield equal(first - second, -(b - a) * both, "two neighbours make a second difference")
    parabola = divided_difference([a, b, x], [a**2 / 2, b**2 / 2, x**2 / 2])
    yield equal(parabola, Fraction(1, 2), "second difference of x^2/2")
    for count in range(1, 4):
        r = SymbolicInterpolant(count)
        differences = [divided_difference([t, r.x], [v, value]) for t, v in zip(r.nodes, r.values, strict=True)]
        alternating = sum((-1) ** i * difference for i, difference in enumerate(differences))
        yield equal(value * r.denominator - r.numerator(), alternating, f"error times D, {count} nodes")


def _distances(nearest: Any, h: Any, count: int) -> Any:
    """Return the largest product of the distances of so many consecutive nodes, with gaps of at most h."""
    product: Any = 1
    for j in range(count):
        product = product * (nearest + j * h)
    return product


def _spans(d: int, times: int) -> tuple[Any, Any]:
    """Return the sum of the spans of every other window of d + 2 nodes, and so many times the sum of all gaps."""
    gaps = positive(f"g0:{3 * d + 4}")
    spans = sum(sum(gaps[i : i + d + 1]) for i in range(0, len(gaps) - d, 2))
    return spans, times * sum(gaps)


def _within_a_quarter(nodes: Nodes) -> Comparison:
    worst = worst_blended_error(nodes, 0, arithmetic=BALLS, tolerance="1e-2")
    return at_most(worst.upper, error_bound(nodes, 0, {2: 1}, arithmetic=BALLS) / 4)


def _clustered(M: Any) -> list[Any]:
    return [-M, -1, 1, M]


def _ends_and_middle(N: int) -> tuple[int, ...]:
    return (0, N // 2, N // 2 + 1, N)


def _from_zero(S: tuple[int, ...]) -> list[int]:
    return [0, *(s + 1 for s in S)]
