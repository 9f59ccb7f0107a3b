"""Rounding errors of barycentric formulas: bounds from counted roundings, and exact errors of all data of a set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, Rational, ball, exactly, maximum
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
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import chebyshev_second, equispaced, lebesgue_constant
from codedtheory.interpolation.geometry import quasi_uniformity
from codedtheory.interpolation.powered_blending import blending_powers
from codedtheory.interpolation.rounded_forms import (
    barycentric_sums,
    first_form,
    plain_lagrange_weights,
    second_form,
)
from codedtheory.interpolation.rounding_counts import RoundingCount, accumulated_error, quotient_error
from codedtheory.interpolation.stability import (
    barycentric_rounding_bound,
    berrut_rounding_bound,
    higham_condition,
    modified_lagrange_rounding_bound,
)
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

HIGHAM = published("Higham 2004, IMA J. Numer. Anal. 24:547-556", wording="recalled", doi="10.1093/imanum/24.4.547")
FUDA = published(
    "Fuda, Campagna & Hormann 2022, Numer. Math. 152:761-786",
    wording="seen",
    place="abstract",
    doi="10.1007/s00211-022-01316-w",
)
MASCARENHAS = published(
    "Mascarenhas 2014; Mascarenhas & Camargo 2014, arXiv:1309.7970",
    arxiv="1309.7944",
    wording="seen",
    place="abstracts",
)
MODEL = "the standard model of floating-point arithmetic: no overflow, no underflow, and nodes, data and x are floats"
FORMATS: dict[int, type[np.floating[Any]]] = {11: np.float16, 24: np.float32, 53: np.float64}
BALLS = ball(160)


@claim(
    "stab.higham",
    statement=r"\frac{|\hat p-p|}{|p|}\le\gamma_{5n+5}\,\kappa=(5n+5)u\,\kappa+O(u^2) \text{ (first form)},\quad "
    r"\frac{|\hat p-p|}{|p|}\le\frac{\gamma_{3n+3}\kappa+\gamma_{3n+2}\mu+u(1+\gamma_{3n+3}\kappa)}{1-\gamma_{3n+2}\mu}"
    r"\le(3n+4)u\,\kappa+(3n+2)u\,\mu+O(u^2) \text{ (second form)},"
    r"\quad \kappa=\mathrm{cond}(x,n,f),\ \mu=\mathrm{cond}(x,n,1)\le\Lambda_n,\ \gamma_k=\tfrac{ku}{1-ku}",
    source=HIGHAM,
    hypotheses=f"{MODEL}; the weights are computed by their definition; gamma of 3n + 2 times mu is below 1",
    method="At most so many factors 1 + d, |d| <= u, are on the terms of each sum (stab.higham.counts). Products of k "
    "of them by induction on k, with u = 1/(k + 1 + r); the first order by differentiation at u = 0, with 1 <= kappa.",
)
def stab_higham() -> Iterator[Comparison]:
    """Rounding errors of both barycentric forms of polynomial interpolation, for all n."""
    (n, mu), (s,) = positive("n mu"), nonnegative("s")
    kappa = 1 + s
    yield from _products_of_roundings()
    yield equal((2 * n + 1) + (2 * n + 2 + 1 + n) + 1, 5 * n + 5, "first form: product, sum, their product")
    yield equal(2 * n + 2 + 1 + n, 3 * n + 3, "second form: weight, quotient, product, sum")
    yield from _quotients_of_sums()
    yield from _to_first_order(lambda u: accumulated_error(5 * n + 5, u) * kappa, (5 * n + 5) * kappa)
    second = partial(quotient_error, 3 * n + 3, 3 * n + 2, kappa, mu)
    yield from _to_first_order(second, (3 * n + 4) * kappa + (3 * n + 2) * mu)


@claim(
    "stab.higham.counts",
    statement=r"n+1 \text{ nodes: } 2n \text{ roundings on a weight, } 5n+5 \text{ on a term of the first form, } "
    r"3n+3 \text{ and } 3n+2 \text{ on the terms of the second}",
    source=HIGHAM,
    over=sweep("1 <= n <= 60", default="n <= 30", quick="n <= 8"),
    method="The formulas are run on numbers that count the roundings of every operation.",
)
def stab_higham_counts(n: int) -> Iterator[Comparison]:
    """How many roundings each term of the barycentric forms collects, counted."""
    nodes, values = ([RoundingCount() for _ in range(n + 1)] for _ in range(2))
    weights = plain_lagrange_weights(nodes)
    yield equal(max(weight.roundings for weight in weights), 2 * n, "weights")
    yield equal(first_form(RoundingCount(), nodes, values, weights).roundings, 5 * n + 5, "first form")
    above, below = barycentric_sums(RoundingCount(), nodes, values, weights)
    yield equal(above.roundings, 3 * n + 3, "second form above")
    yield equal(below.roundings, 3 * n + 2, "second form below")


@claim(
    "stab.higham.rounded",
    statement=r"\frac{|\hat p-p|}{|p|}\le(5n+5)u\,\kappa \text{ (first form)},\quad "
    r"\frac{|\hat p-p|}{|p|}\le(3n+4)u\,\kappa+(3n+2)u\,\mu \text{ (second form): no terms } O(u^2) \text{ needed}",
    source=derived("exact errors of all data of a set; the bounds are those of Higham 2004 to the first order"),
    hypotheses="the data of the sweep; the statement for all data has terms of order u^2",
    over=sweep(
        "1 <= n <= 4",
        "S in subsets(7, n + 1)",
        "0 <= signs < 2**n",
        default=("n <= 3", "max(S) < 6"),
        quick=("n <= 2", "max(S) < 4"),
        bits=(11, 24, 53),
    ),
    method="Both forms in floats of so many bits, their errors and condition numbers exactly. Nodes s/7, "
    "data +-(i + 2)/(i + 3) and arguments (2j + 1)/14, all of them rounded.",
)
def stab_higham_rounded(n: int, S: tuple[int, ...], signs: int, bits: int) -> Iterator[Comparison]:
    """How much of their bounds the errors of both forms use, exactly and in every precision."""
    nodes, values, arguments = _data(S, signs, bits)
    weights, u = plain_lagrange_weights(nodes), Rational(1, 2**bits)
    for x in arguments:
        kappa, mu = higham_condition(_exact(x), _exacts(nodes), _exacts(values), "lagrange", EXACT)
        exact = second_form(_exact(x), _exacts(nodes), _exacts(values), plain_lagrange_weights(_exacts(nodes)))
        first, second = (_error(form(x, nodes, values, weights), exact) for form in (first_form, second_form))
        yield at_most(first, modified_lagrange_rounding_bound(n + 1, kappa, u), f"first form at {x}")
        yield at_most(second, barycentric_rounding_bound(n + 1, kappa, mu, u), f"second form at {x}")


@claim(
    "stab.berrut",
    statement=r"w_i=\pm1:\quad \frac{|\hat r-r|}{|r|}\le"
    r"\frac{\gamma_{n+3}\kappa+\gamma_{n+2}\mu+u(1+\gamma_{n+3}\kappa)}{1-\gamma_{n+2}\mu}"
    r"\le(n+4)u\,\kappa+(n+2)u\,\mu+O(u^2),\quad \kappa=\sum|\ell_if_i|/|r|,\ \mu=\Lambda(x)",
    source=derived("a difference, a quotient, n additions, above also a product, and the last division"),
    hypotheses=f"{MODEL}; gamma of n + 2 times mu is below 1",
    method="As stab.higham, with exact weights (stab.berrut.counts).",
)
def stab_berrut() -> Iterator[Comparison]:
    """Rounding errors of Berrut's interpolant, for all n."""
    (n, mu), (s,) = positive("n mu"), nonnegative("s")
    kappa = 1 + s
    yield from _products_of_roundings()
    yield from _quotients_of_sums()
    yield from _to_first_order(partial(quotient_error, n + 3, n + 2, kappa, mu), (n + 4) * kappa + (n + 2) * mu)


@claim(
    "stab.berrut.counts",
    statement=r"w_i=\pm1: n+3 \text{ and } n+2 \text{ roundings on the terms of the two sums}",
    source=derived("a difference, a quotient, n additions, above also a product"),
    over=sweep("0 <= n <= 100", default="n <= 40", quick="n <= 8"),
    method="The formula is run on numbers that count the roundings of every operation.",
)
def stab_berrut_counts(n: int) -> Iterator[Comparison]:
    """How many roundings each term of Berrut's interpolant collects, counted."""
    nodes, values = ([RoundingCount() for _ in range(n + 1)] for _ in range(2))
    above, below = barycentric_sums(RoundingCount(), nodes, values, [(-1) ** i for i in range(n + 1)])
    yield equal(above.roundings, n + 3, "above")
    yield equal(below.roundings, n + 2, "below")


@claim(
    "stab.berrut.rounded",
    statement=r"\frac{|\hat r-r|}{|r|}\le(n+4)u\,\kappa+(n+2)u\,\mu: \text{ no terms } O(u^2) \text{ needed}",
    source=derived("exact errors of all data of a set"),
    hypotheses="the data of the sweep; the statement for all data has terms of order u^2",
    over=sweep(
        "1 <= n <= 5",
        "S in subsets(7, n + 1)",
        "0 <= signs < 2**n",
        default=("n <= 3", "max(S) < 6"),
        quick=("n <= 2", "max(S) < 4"),
        bits=(11, 24, 53),
    ),
    method="The interpolant in floats of so many bits, its error and condition numbers exactly. Nodes s/7, "
    "data +-(i + 2)/(i + 3) and arguments (2j + 1)/14, all of them rounded.",
)
def stab_berrut_rounded(n: int, S: tuple[int, ...], signs: int, bits: int) -> Iterator[Comparison]:
    """How much of its bound the error of Berrut's interpolant uses, in every precision."""
    nodes, values, arguments = _data(S, signs, bits)
    weights, u = [(-1) ** i for i in range(n + 1)], Rational(1, 2**bits)
    for x in arguments:
        kappa, mu = higham_condition(_exact(x), _exacts(nodes), _exacts(values), "berrut", EXACT)
        exact = second_form(_exact(x), _exacts(nodes), _exacts(values), weights)
        error = _error(second_form(x, nodes, values, weights), exact)
        yield at_most(error, berrut_rounding_bound(n + 1, kappa, mu, u, first_order=True), f"at {x}")


@claim(
    "stab.fch",
    statement=r"r(x)=\sum_i\frac{w_i}{x-x_i}f_i\Big/\sum_j\lambda_j(x) \text{ (first form)}:\quad "
    r"\frac{\sum_j|\lambda_j(x)|}{|\sum_j\lambda_j(x)|}\le1+\frac{h/h_*}d,\ 1\le d\le n, \text{ on the hull, "
    r"regardless of } n; \text{ for the second form this quantity is } \Lambda(x)",
    source=FUDA,
    hypotheses="the quotient is the condition number of the denominator, as in stab.higham for the second form; the "
    "abstract names the mesh ratio and no bound, this one is derived here",
    method="a = h_*, h = e + f + u; X is the sum over the windows across x, and the denominator is at least X "
    "(fh.nopole). The windows to one side begin at distances b; they telescope to at most 1/(f Q d a), where the "
    "nearest window across x is 1/(e f Q).",
)
def stab_fch() -> Iterator[Comparison]:
    """The first form's denominator is conditioned by the mesh ratio alone, for all n."""
    (e, f, a, b, P, Q, d, X), (u, v, s, t) = positive("e f a b P Q d X"), nonnegative("u v s t")
    last = b + d * a + v
    window, telescoped = 1 / (b * P * last), (1 / (b * P) - 1 / (P * last)) / (d * a)
    yield at_most(window, telescoped, "a window beside x, its d - 1 inner distances multiply to P")
    yield from induction(
        base=at_most(window.subs(b, f), telescoped.subs(b, f), "nearest window"),
        step=at_most(
            (1 / (f * Q) - 1 / (b * P)) / (d * a) + window, (1 / (f * Q) - 1 / (P * last)) / (d * a), "one more"
        ),
    )
    yield equal(1 / (f * Q) / (d * a) / (1 / (e * f * Q)), e / (d * a), "one side over the nearest window across x")
    h = e + f + u
    yield at_most((X * (1 + e / (d * a) + f / (d * a)) - s) / (X + t), 1 + h / a / d, "both sides and across")


@claim(
    "stab.fch.grid",
    statement=r"\frac{\sum_j|\lambda_j(x)|}{|\sum_j\lambda_j(x)|}\le1+\frac{h/h_*}d \text{ at points of all gaps "
    r"of all subsets of a grid}",
    source=derived("windows to one side telescope"),
    over=sweep(
        "1 <= n <= 6",
        "S in subsets(8, n)",
        "1 <= d <= n",
        default=("n <= 4", "max(S) < 6"),
        quick=("n <= 3", "max(S) < 4"),
    ),
    method="Nodes 0 and s + 1, three points of every gap, rational arithmetic.",
)
def stab_fch_grid(n: int, S: tuple[int, ...], d: int) -> Iterator[Comparison]:
    """How much of its bound the condition number of the first form's denominator uses."""
    nodes = [Rational(0), *(Rational(s + 1) for s in S)]
    bound = 1 + quasi_uniformity(nodes, EXACT) / d
    for k in range(n):
        for j in range(1, 4):
            blending = blending_powers(nodes[k] + (nodes[k + 1] - nodes[k]) * Fraction(j, 4), nodes, d, 1)
            yield at_most(sum(abs(value) for value in blending) / abs(sum(blending)), bound, f"gap {k}, {j}/4")


@claim(
    "stab.fch.second",
    statement=r"n+1 \text{ equidistant nodes},\ n\ge d+6:\quad \Lambda>1+\frac1d",
    source=derived("enclosures; the Lebesgue constant grows beyond every bound by leb.fh.eq"),
    over=sweep("1 <= d <= 6", "d + 6 <= n <= 60", default=("d <= 4", "n <= 20"), quick=("d <= 2", "n <= 9")),
    method="The Lebesgue constant, which is the second form's condition number, is enclosed.",
)
def stab_fch_second(d: int, n: int) -> Comparison:
    """At equidistant nodes the second form is worse conditioned than the first can be."""
    constant = lebesgue_constant(equispaced(n + 1), d, arithmetic=BALLS)
    return greater_than(constant, 1 + EXACT.number(1) / d)


@claim(
    "stab.mascarenhas",
    statement=r"x_i=\cos\tfrac{i\pi}n \text{ rounded to binary64},\ w_i=\frac{2^{n-1}}n(\tfrac12,-1,\dots,\pm\tfrac12),"
    r"\ n\ge4:\quad \max_k\Big|\prod_i(x-\hat x_i)\sum_i\frac{w_i}{x-\hat x_i}-1\Big|\ge\frac{n^2u}{128} "
    r"\text{ in the middles } x \text{ of the gaps}",
    source=MASCARENHAS,
    hypotheses="the abstracts tell that rounded nodes are the first form's problem; the rate is read off these values",
    over=sweep("4 <= n <= 128", default="n <= 40", quick="n <= 16"),
    method="The first form of the constant 1, in balls of 160 bits: the nodes are all that is rounded.",
)
def stab_mascarenhas(n: int) -> Comparison:
    """At rounded Chebyshev points the first form loses constants at the rate of n^2."""
    nodes = _rounded_chebyshev(n)
    weights = [(-1) ** i * Fraction(2 ** (n - 1), n) / (2 if i in (0, n) else 1) for i in range(n + 1)]
    middles = [(nodes[k] + nodes[k + 1]) / 2 for k in range(n)]
    exact, ones = BALLS.array(nodes), [1] * (n + 1)
    errors = [abs(first_form(BALLS.number(x), exact, ones, BALLS.array(weights)) - 1) for x in middles]
    return at_least(maximum(errors), Rational(n**2, 2**53 * 128))


@claim(
    "stab.mascarenhas.recomputed",
    statement=r"w_i=1\Big/\prod_{j\ne i}(\hat x_i-\hat x_j):\quad \prod_i(x-\hat x_i)\sum_i\frac{w_i}{x-\hat x_i}=1",
    source=derived("weights of the rounded nodes make the first form the polynomial through them"),
    over=sweep("1 <= n <= 24", default="n <= 12", quick="n <= 5"),
    method="Rational arithmetic with the rounded nodes as they are, in the middle of every gap.",
)
def stab_mascarenhas_recomputed(n: int) -> Iterator[Comparison]:
    """With weights computed from the rounded nodes the first form keeps constants."""
    nodes = _rounded_chebyshev(n)
    weights = plain_lagrange_weights(nodes)
    for k in range(n):
        yield equal(first_form((nodes[k] + nodes[k + 1]) / 2, nodes, [1] * (n + 1), weights), 1, f"gap {k}")


@claim(
    "stab.mascarenhas.second",
    statement=r"\sum_iw_i=0,\ \hat x_i=x_i+\delta_i:\quad "
    r"\sum_i\frac{w_ix_i}{x-\hat x_i}\Big/\sum_i\frac{w_i}{x-\hat x_i}-x"
    r"=-\sum_i\hat\ell_i(x)\delta_i, \text{ at most } \hat\Lambda(x)\max_i|\delta_i|",
    source=derived("x_i - x is -(x - t) - d for the rounded node t = x_i + d"),
    hypotheses="the weights sum to 0, as those of polynomials do for n >= 1, and Berrut's for odd n",
    method="Term by term, for a running sum; n <= 3 written out. Constants are kept exactly by berrut.pou.",
)
def stab_mascarenhas_second() -> Iterator[Comparison]:
    """At rounded nodes the second form errs at most by their rounding times Lebesgue's function."""
    x, t, w, d, W, E = arbitrary("x t w d W E")
    yield equal((t - d) * w / (x - t) - x * w / (x - t), -w - d * w / (x - t), "each term")
    yield from induction(
        base=equal(-w - d * w / (x - t), -(w + d * w / (x - t)), "one term"),
        step=equal(-(W + E) + (-w - d * w / (x - t)), -((W + w) + (E + d * w / (x - t))), "one term more"),
    )
    for n in range(1, 4):
        free = arbitrary(f"w0:{n}")
        r = SymbolicInterpolant(n + 1, [*free, -sum(free)])
        deltas = arbitrary(f"d0:{n + 1}")
        data = [node - delta for node, delta in zip(r.nodes, deltas, strict=True)]
        shift = sum(term * delta for term, delta in zip(r.terms, deltas, strict=True))
        yield equal(r.numerator(data) - r.x * r.denominator, -shift, f"n = {n}")


def _rounded_chebyshev(n: int) -> list[Rational]:
    return list(exactly(np.asarray(chebyshev_second(n + 1))))


def _products_of_roundings() -> list[Comparison]:
    """The product of k factors (1 + d) or 1/(1 + d), |d| <= u, is between 1 - ku and 1/(1 - ku).

    The base shows that 1 - u is the smallest and 1/(1 - u) the largest factor.
    """
    k, r = positive("k r")
    u = 1 / (k + 1 + r)
    factors = induction(
        base=[at_most(1 + u, 1 / (1 - u), "1 + u"), at_least(1 / (1 + u), 1 - u, "1/(1 + u)")],
        step=[
            at_most(1 / (1 - k * u) / (1 - u), 1 / (1 - (k + 1) * u), "upper bound"),
            at_least((1 - k * u) * (1 - u), 1 - (k + 1) * u, "lower bound"),
        ],
    )
    gamma = accumulated_error(k, u)
    return [*factors, equal(1 / (1 - k * u) - 1, gamma, "above 1"), at_most(k * u, gamma, "below 1")]


def _quotients_of_sums() -> list[Comparison]:
    """Relative errors a and b of two sums, at most A and B < 1, and d of their quotient, at most u."""
    a, b, d = arbitrary("a b d")
    (A, u, r), (s, t) = positive("A u r"), nonnegative("s t")
    B = 1 / (1 + r)
    largest = A + B + u * (1 + A)
    return [
        equal((1 + a) * (1 + d) / (1 + b) - 1, (a - b + d * (1 + a)) / (1 + b), "error of the quotient"),
        at_most(largest / (1 + s) / (1 - B + t), largest / (1 - B), "at most"),
    ]


def _to_first_order(bound: Any, expected: Any) -> Iterator[Comparison]:
    import sympy

    u = sympy.Symbol("u", positive=True)
    yield equal(bound(u).subs(u, 0), sympy.Integer(0), "no error without rounding")
    yield at_most(sympy.diff(bound(u), u).subs(u, 0), expected, "first order in u")


def _data(S: tuple[int, ...], signs: int, bits: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Return rounded nodes s/7, data and arguments; bit i of `signs` turns datum i."""
    made = FORMATS[bits]
    nodes = [made(s) / made(7) for s in S]
    values = [made(i + 2) / made(i + 3) * made(1 - 2 * (signs >> i & 1)) for i in range(len(S))]
    return nodes, values, [made(2 * j + 1) / made(14) for j in range(7)]


def _exact(x: Any) -> Rational:
    exact: Rational = exactly(float(x))
    return exact


def _exacts(numbers: list[Any]) -> list[Rational]:
    return [_exact(x) for x in numbers]


def _error(computed: Any, exact: Any) -> Any:
    return abs(_exact(computed) - exact) / abs(exact)
