"""Codes that decode with splines: their error without noise, with noise, and with answers that an adversary chose."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, Ball, ball
from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, sweep
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.interpolation.smoothing_spline import spline_weights, worst_squared_errors

BALLS = ball(128)
WORKERS = r"N+1 \text{ workers at } \tfrac iN,\ "
NATURAL = (
    "h is the map composed with the encoder, which interpolates the data; decoding by natural splines without smoothing"
)
LETCC = "a form of ours, with a constant, of the published order S^3/N^3 (S^4/N^3 in an older text)"
POINTS = [Fraction(k, 8) for k in (1, 3, 5, 7)]
ALL_OF_IT = [Fraction(k, 4) for k in range(5)]


@claim(
    "letcc.rate",
    statement=WORKERS + r"S\le N-1 \text{ lost}:\quad \sup_{\int h''^2\le1}|h(x)-s(x)|^2"
    r"\le\max\Big\{\frac{S^2(S+1)}3,\frac{(S+1)^3}{48}\Big\}\frac1{N^3},\quad 0\le x\le1",
    source=derived(LETCC + ": compare with lines through the two nearest survivors", arxiv="2406.00300"),
    hypotheses=NATURAL
    + ". Their supremum is the smallest of all weights that reproduce lines (Golomb & Weinberger 1959)",
    method="The squared error of the line is the double sum of e_a e_b |t_a - t_b|^3/12 of its error functional. "
    "Inside a gap x has distances b, c from its ends; beyond the last of two survivors with gap g it has distance b. "
    "With l lost in the gap and m beyond it, m + l + v = S.",
)
def letcc_rate() -> Iterator[Comparison]:
    """Without noise the worst squared error of spline decoding is of order S^3/N^3 at most."""
    (b, c, g), (m, k, v) = positive("b c g"), nonnegative("m l v")
    inside = _squared_error([-c / (b + c), -b / (b + c), 1], b + c, b, c)
    yield equal(inside, b**2 * c**2 / (3 * (b + c)), "inside a gap")
    yield at_most(16 * b**2 * (b + v) ** 2, (b + (b + v)) ** 4, "largest in the middle, gap^3/48; c = b + v")
    yield at_most((1 + k) ** 3, (1 + (m + k + v)) ** 3, "a gap of 1 + l steps")
    beyond = _squared_error([b / g, -(b + g) / g, 1], g, g + b, b)
    yield equal(beyond, b**2 * (b + g) / 3, "beyond the last survivor")
    S = m + k + v
    yield at_most(m**2 * (m + 1 + k), S**2 * (S + 1), "m steps beyond a gap of 1 + l steps")


@claim(
    "letcc.rate.sharp",
    statement=WORKERS + r"S \text{ consecutive lost inside}:\quad \text{whatever the decoder,}\ "
    r"\sup_{\int h''^2\le1}|h(x)-\hat h(x)|^2\ge\frac{(S+1)^3}{192N^3} \text{ in the middle of the gap}",
    source=derived(
        "a function that vanishes at all survivors looks like its negative: a beam clamped at the gap's ends"
    ),
    hypotheses="the decoder knows the surviving answers only, and the energy of h is all that is known of h",
    method="On half the gap g = (S + 1)/N, 0 <= t <= g/2, the deflection is t^2(3g - 4t), mirrored on the other half.",
)
def letcc_rate_sharp() -> Iterator[Comparison]:
    """No decoder whatever has a better order than S^3/N^3 over functions of bounded energy."""
    import sympy

    (g, t) = positive("g t")
    bump = _deflection(g, t)
    slope, bend = sympy.diff(bump, t), sympy.diff(bump, t, 2)
    yield equal(bump.subs(t, 0), 0, "value at the end")
    yield equal(slope.subs(t, 0), 0, "slope at the end")
    yield equal(slope.subs(t, g / 2), 0, "slope in the middle")
    energy = 2 * sympy.integrate(sympy.expand(bend**2), (t, 0, g / 2))
    yield equal(bump.subs(t, g / 2) ** 2 / energy, g**3 / 192, "squared height over energy")


@claim(
    "letcc.rate.grid",
    statement=WORKERS + r"\text{every set of } S\le N-1 \text{ lost}: \quad N^3\max_{k\le2N}\sup_{\int h''^2\le1}"
    r"|h(\tfrac k{2N})-s(\tfrac k{2N})|^2\le\max\Big\{\frac{S^2(S+1)}3,\frac{(S+1)^3}{48}\Big\}",
    source=derived(LETCC, arxiv="2406.00300"),
    over=sweep("2 <= N <= 8", "0 <= S < N", "L in subsets(N + 1, S)", full="N <= 8", default="N <= 6", quick="N <= 4"),
    hypotheses=NATURAL,
    method="The splines themselves, in rational arithmetic.",
)
def letcc_rate_grid(N: int, S: int, L: tuple[int, ...]) -> Comparison:
    """The worst squared error of spline decoding, for all sets of lost workers."""
    alive = [Fraction(i, N) for i in range(N + 1) if i not in L]
    points = [Fraction(k, 2 * N) for k in range(2 * N + 1)]
    errors = worst_squared_errors(alive, points, spline_weights(alive, points))
    return at_most(max(errors) * N**3, max(Fraction(S**2 * (S + 1), 3), Fraction((S + 1) ** 3, 48)))


@claim(
    "letcc.rate.smooth",
    statement=r"K=5,\ f(x)=x\sin x,\ \text{nobody lost}:\quad \mathrm{MSE}_{64}\le2^{-10}\,\mathrm{MSE}_{16}",
    source=derived(
        "between these N the error of a smooth map falls faster than N^-5, hence does not probe the order N^-3"
    ),
    over=sweep("0 <= turn <= 4", quick="turn == 0"),
    hypotheses="X is (-0.9, 0.3, -0.2, 0.8, 0.1) turned by so many places, at 1/10, 3/10, ..., 9/10; natural splines "
    "encode and decode; workers at i/N",
    method="Weights in rational arithmetic, the map in balls.",
)
def letcc_rate_smooth(turn: int) -> Comparison:
    """On a smooth map spline decoding is far better than the guarantee for its class."""
    return at_most(_mean_square_of_a_smooth_map(turn, 64), _mean_square_of_a_smooth_map(turn, 16) / 2**10)


@claim(
    "letcc.rate.noisy",
    statement=WORKERS + r"S\le\tfrac N2 \text{ consecutive lost, noise of variance 1}:\quad "
    r"\mathrm{mean}_x\sup_{\int h''^2\le1}\mathbb E|h(x)-s(x)|^2\le\frac{(S+1)^{8/5}}{N^{3/5}},\ x=0,\tfrac14,\dots,1",
    source=derived("a form of ours, with the constant 1, of the published order S^(8/5)/N^(3/5)", arxiv="2406.00300"),
    over=sweep(
        "4 <= N <= 32",
        "0 <= S <= N // 2",
        "0 <= first <= N + 1 - S",
        where="N in (4, 8, 16, 32)",
        default="N <= 8 or N <= 16 and S < 4",
        quick="N <= 8",
    ),
    hypotheses="smoothing parameter 1/10, independent errors with mean 0; these N only, which prove no order",
    method="Squared worst bias plus the squared length of the weights; fifth powers in rational arithmetic.",
)
def letcc_rate_noisy(N: int, S: int, first: int) -> Comparison:
    """With noise spline decoding is within a form of the published order, for few workers."""
    alive = [Fraction(i, N) for i in range(N + 1) if not first <= i < first + S]
    return at_most(_risk(alive, ALL_OF_IT, Fraction(1, 10)) ** 5 * N**3, (S + 1) ** 8)


@claim(
    "letcc.rate.noisy.all",
    statement=WORKERS + r"S\le N-1 \text{ lost, noise of variance 1}:\quad "
    r"\sup_{\int h''^2\le1}\mathbb E|h(1)-s(1)|^2\le C\,\frac{(S+1)^{8/5}}{N^{3/5}},\qquad C=1000",
    source=derived("the published order read as one for all S up to N - 1"),
    over=sweep("1 <= k <= 14", quick="k <= 12"),
    expected="fails",
    corrected_by="letcc.rate.noisy",
    hypotheses="smoothing parameter 1/10; N = 2^k, survivors 0 and 1. C N grows beyond no C N^2: every C is refuted so",
    method="Two answers fix a line, which is extrapolated.",
)
def letcc_rate_noisy_all(k: int) -> Comparison:
    """With noise the published order would hold however many workers are lost."""
    N = 2**k
    return at_most(_risk([Fraction(0), Fraction(1, N)], [Fraction(1)], Fraction(1, 10)), 1000 * N)


@claim(
    "adv.rate",
    statement=WORKERS + r"\gamma\le\tfrac N2 \text{ of them adversaries}:\quad \mathrm{mean}_x\sup|h(x)-s(x)|^2"
    r"\le8\Big(\frac\gamma N\Big)^{6/5},\quad x=\tfrac18,\tfrac38,\tfrac58,\tfrac78",
    source=derived(
        "a form of ours, with a constant, of the published order N^(6(a-1)/5) for N^a adversaries", arxiv="2502.08058"
    ),
    over=sweep("4 <= N <= 64", "1 <= g <= N // 2", where="N in (4, 8, 16, 32, 64)", default="N <= 32", quick="N <= 16"),
    hypotheses="int h''^2 <= 1 and |h| <= 1; adversaries answer within [-1, 1]; smoothing parameter N(g/N)^(8/5)/32, "
    "rounded; these N only, which prove no order",
    method="Supremum over h, over the set of adversaries and over what they answer: worst bias plus twice the g "
    "largest moduli of the weights. Weights in rational arithmetic, roots in balls.",
)
def adv_rate(N: int, g: int) -> Comparison:
    """Adversaries do no more harm to few workers than a form of the published order allows."""
    nodes = [Fraction(i, N) for i in range(N + 1)]
    smoothing = Fraction(round(2**20 * N * (g / N) ** 1.6 / 32), 2**20)
    weights = spline_weights(nodes, POINTS, smoothing)
    bias = worst_squared_errors(nodes, POINTS, weights)
    harm = [2 * sum(sorted(np.abs(row))[-g:]) for row in weights]
    worst = [BALLS.sqrt(square) + shift for square, shift in zip(bias, harm, strict=True)]
    order = BALLS.exp(BALLS.log(Fraction(g, N)) * Fraction(6, 5))
    return at_most(sum(error * error for error in worst) / len(POINTS), 8 * order)


@claim(
    "adv.rate.unsmoothed",
    statement=WORKERS + r"\gamma \text{ adversaries, interpolating splines}:\quad \sup|h(\tfrac12)-s(\tfrac12)|^2\ge1",
    source=derived("an adversary at or next to 1/2 is believed"),
    over=sweep("4 <= N <= 64", where="N in (4, 8, 16, 32, 64)", default="N <= 32", quick="N <= 16"),
    hypotheses="|h| <= 1; one adversary, who answers within [-1, 1]",
    method="For h = 0, the largest weight at 1/2, in rational arithmetic.",
)
def adv_rate_unsmoothed(N: int) -> Comparison:
    """Without smoothing one adversary spoils a spline code."""
    weights = spline_weights([Fraction(i, N) for i in range(N + 1)], [Fraction(1, 2)])
    return at_least(max(np.abs(weights[0])) ** 2, 1)


def _deflection(gap: Any, t: Any) -> Any:
    """Return how far a beam clamped at both ends of a gap is bent by a load in the middle, up to a factor."""
    return t**2 * (3 * gap - 4 * t)


def _squared_error(e: list[Any], first_second: Any, first_third: Any, second_third: Any) -> Any:
    """Return the double sum of e_a e_b |t_a - t_b|^3/12 for three points with these distances."""
    return (e[0] * e[1] * first_second**3 + e[0] * e[2] * first_third**3 + e[1] * e[2] * second_third**3) / 6


def _risk(nodes: list[Fraction], points: list[Fraction], smoothing: Fraction) -> Any:
    """Return the mean over the points of worst squared bias plus variance."""
    weights = spline_weights(nodes, points, smoothing)
    return (worst_squared_errors(nodes, points, weights) + (weights * weights).sum(axis=1)).sum() / len(points)


def _mean_square_of_a_smooth_map(turn: int, N: int) -> Ball:
    X = np.roll([Fraction(x, 10) for x in (-9, 3, -2, 8, 1)], -turn)
    places, workers = [Fraction(2 * j + 1, 10) for j in range(5)], [Fraction(i, N) for i in range(N + 1)]
    encoded = spline_weights(places, workers) @ EXACT.array(X)
    answers, true = (np.array([_smooth(BALLS.number(u)) for u in values], dtype=object) for values in (encoded, X))
    errors = spline_weights(workers, places) @ answers - true
    total: Ball = (errors * errors).sum() / 5
    return total


def _smooth(x: Ball) -> Ball:
    image: Ball = x * x.sin()
    return image
