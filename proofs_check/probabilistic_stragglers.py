"""Workers lost independently of each other: how fast Berrut's code and splines get better with their number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Ball, LowerBound, UpperBound, ball
from codedtheory.claims import (
    Comparison,
    SampleMean,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    published,
    samples,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import BerrutCode
from codedtheory.interpolation import chebyshev_second
from codedtheory.interpolation.alternating_tails import any_tail, longer_tail

BALLS = ball(128)
CHANCE = Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)
PROBABILISTIC = published("Moradi & Maddah-Ali 2025", wording="seen", arxiv="2502.00645", place="abstract")
MODEL = (
    r"N+1 \text{ workers at } \cos\tfrac{i\pi}N, \text{ each lost with probability } p,\ N\equiv2\ (4), "
    r"K=2, f(x)=x:\quad "
)
LINEAR = "data at the data points cos(pi/4), cos(3 pi/4), so that the encoder is u(z) = z"


@claim(
    "probstrag.rate",
    statement=MODEL + r"\mathbb E|r(\alpha_j)-f(X_j)|^2=O\Big(\frac{\log_{1/p}^3N}{N^3}\Big), "
    r"\text{ here with the constant } 10^6",
    source=PROBABILISTIC,
    over=sweep("2 <= k <= 14", quick="k <= 12", p=CHANCE),
    expected="fails",
    corrected_by="probstrag.rate.swapped",
    hypotheses=LINEAR + "; the abstract gives this order for Berrut's code with an unnamed constant, and another for "
    "splines: the two seem to be exchanged. The constant is ours; N/log^3 N grows beyond every other one, too",
    method="N = 10^k + 2; the lower bound of probstrag.rate.lower, in balls.",
)
def probstrag_rate(k: int, p: Fraction) -> Comparison:
    """With random losses the mean square error of Berrut's code would be O(log^3 N/N^3)."""
    N = 10**k + 2
    logarithm = BALLS.log(N) / BALLS.log(1 / p)
    return at_most(LowerBound(_least_error(N) ** 2 / 2), logarithm * logarithm * logarithm * 10**6 / N**3)


@claim(
    "probstrag.rate.lower",
    statement=MODEL
    + r"p\le\tfrac12,\ a=\tfrac\pi{2N}:\quad \mathbb E|r(\alpha_j)-f(X_j)|^2\ge\tfrac14\cos^2a\tan^2\tfrac a2",
    source=derived(
        "with an odd number of survivors the error is 1/|D|, and |D| is at most 1/b + 1/c for the distances "
        "b, c of the two nearest workers"
    ),
    hypotheses=LINEAR + "; errors when nobody answers count as 0",
    method="Tails of D lie in (0, 1/e] (induction), at distances of at least b and c, which lie at angles pi/4 - a and "
    "pi/4 + a. r^2 = 1/2, c = cos a, s = sin a, tan(a/2) = (1 - c)/s. The number of survivors is odd with probability "
    "(1 - e)/2, e = (2p - 1)^(N+1) by induction, and e = -q with q >= 0 as N + 1 is odd. The error is 1/|D| then: "
    "berrut.linear.iff.",
)
def probstrag_rate_lower() -> Iterator[Comparison]:
    """With random losses the mean square error of Berrut's code is at least of order 1/N^2."""
    near, gap, far, share, other, nearer, farther = *positive("b g c"), *nonnegative("s t u v")
    longer = longer_tail(near, any_tail(near + gap, share))
    yield from induction(
        base=at_most(any_tail(near, 0), 1 / near, "one node"),
        step=[greater_than(longer, 0, "positive"), at_most(longer, 1 / near, "at most 1/e")],
    )
    left, right = any_tail(near + nearer, share), any_tail(far + farther, other)
    yield at_most(left + right, 1 / near + 1 / far, "survivors on both sides")
    yield at_most(left, 1 / near + 1 / far, "survivors on one side")
    r, c, s, e, p = arbitrary("r c s e p")
    b, c_ = (r * c + r * s) - r, r - (r * c - r * s)
    yield equal(b * c_ / (b + c_), r * c * (1 - c) / s, "1/(1/b + 1/c)", modulo=[c**2 + s**2 - 1, 2 * r**2 - 1])
    odd = (1 - e) / 2
    yield from induction(
        base=equal(odd.subs(e, 1), 0, "no worker"),
        step=equal(p * odd + (1 - p) * (1 - odd), odd.subs(e, (2 * p - 1) * e), "one worker more"),
    )
    yield at_least(odd.subs(e, -share), _half(), "an odd number of survivors")


@claim(
    "probstrag.rate.lower.values",
    statement=MODEL
    + r"\text{every odd set of survivors has } |r(\alpha_j)-\alpha_j|\ge\tfrac1{\sqrt2}\cos a\tan\tfrac a2",
    source=derived("the bound under probstrag.rate.lower"),
    over=sweep(
        "2 <= N <= 10",
        "1 <= m <= N + 1",
        "S in subsets(N + 1, m)",
        where=("N % 4 == 2", "m % 2 == 1"),
        default="N <= 6",
        quick="N <= 6",
    ),
    hypotheses=LINEAR,
    method="The code itself, in balls.",
)
def probstrag_rate_lower_values(N: int, m: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """An odd number of survivors leaves an error of order 1/N at least on linear data."""
    code = BerrutCode(2, N + 1, arithmetic=BALLS)
    X = code.data_points.over(BALLS)
    errors = np.abs(code.decode(code.encode(X)[list(S)], S) - X)
    yield from (at_least(error, _least_error(N), f"block {j}") for j, error in enumerate(errors))


@claim(
    "probstrag.rate.swapped",
    statement=MODEL + r"\mathbb E|r(\alpha_j)-f(X_j)|^2\le\frac{\log_{1/p}^4N}{N^2}",
    source=derived(
        "the order that the body of the paper gives to Berrut's code, with a constant of ours", arxiv="2502.00645"
    ),
    over=sweep("4 <= m <= 64", default="m <= 16", quick="m <= 7", p=CHANCE),
    hypotheses=LINEAR + "; errors when nobody answers count as 0",
    method="N = 4m + 2. A tail of D is at least 1/e - 1/e' for the nearest survivor, at distance e, and the next "
    "worker, at e'. Expectation over the nearest survivors of both sides in balls, whatever their parity.",
)
def probstrag_rate_swapped(m: int, p: Fraction) -> Comparison:
    """With random losses the mean square error of Berrut's code stays below log^4 N/N^2."""
    N = 4 * m + 2
    logarithm = BALLS.log(N) / BALLS.log(1 / p)
    return at_most(UpperBound(_mean_square_bound(N, p)), (logarithm * logarithm) * (logarithm * logarithm) / N**2)


@claim(
    "probstrag.rate.splines",
    statement=r"N+1 \text{ workers at } \tfrac iN, \text{ each lost with probability } p;\ N \text{ odd}: \quad "
    r"\mathbb E\sup_{\int h''^2\le1}|h(\tfrac12)-s(\tfrac12)|^2\le\frac{\log_{1/p}^3N}{N^3}",
    source=derived(
        "the order that the body of the paper gives to splines, with a constant of ours", arxiv="2502.00645"
    ),
    over=sweep("9 <= N <= 129", where="N % 2 == 1", default="N <= 65", quick="N <= 21", p=CHANCE),
    hypotheses="natural splines without smoothing; errors with fewer than two answers count as 0",
    method="The gap around 1/2 is (1 + G + G')/N with G, G' the losses next to it, and letcc.rate bounds the error by "
    "gap^3/48, or by 1/3 where all workers of one side are lost. Exact expectation.",
)
def probstrag_rate_splines(N: int, p: Fraction) -> Comparison:
    """With random losses the mean square error of splines stays below log^3 N/N^3."""
    logarithm = BALLS.log(N) / BALLS.log(1 / p)
    return at_most(UpperBound(_mean_spline_bound(N, p)), logarithm * logarithm * logarithm / N**3)


@claim(
    "probstrag.rate.simulated",
    statement=r"K=5,\ f(x)=x\sin x,\ \mathrm{MSE}=\tfrac1K\sum_j|r(\alpha_j)-f(X_j)|^2:\quad "
    r"\Pr\big[\mathrm{MSE}\ge\tfrac1{20N^2}\big]\ge\tfrac34,\quad "
    r"\Pr\big[\mathrm{MSE}\le\tfrac{\log_{1/p}^4N}{N^2}\big]\ge\tfrac34",
    source=derived("simulation"),
    over=samples(6, quick_count=1, full_count=60, p=CHANCE[:2], N=(33, 65, 129, 257, 513, 1025)),
    hypotheses="X = (-0.9, 0.3, -0.2, 0.8, 0.1); these N and p only, which prove no order",
    method="Share of 1500 sets of survivors, with Hoeffding's interval at error probability 1e-9 each.",
)
def probstrag_rate_simulated(p: Fraction, N: int, rng: np.random.Generator) -> Iterator[Comparison]:
    """For x sin x the mean square error mostly lies between 1/(20 N^2) and log^4 N/N^2."""
    scaled = N**2 * _simulated_errors(N, p, 1500, rng)
    logarithm = math.log(N) / math.log(1 / p)
    for share, label in ((scaled >= 1 / 20, "not smaller"), (scaled <= logarithm**4, "not larger")):
        yield at_least(SampleMean.bounded(share, 0, 1, error_probability=1e-9), Fraction(3, 4), label)


def _least_error(N: int) -> Ball:
    """Return cos(a) tan(a/2)/sqrt(2) for a = pi/(2N)."""
    angle = Fraction(1, 2 * N)
    tangent = BALLS.sin_pi(angle / 2) / BALLS.cos_pi(angle / 2)
    bound: Ball = BALLS.cos_pi(angle) * tangent / BALLS.sqrt(2)
    return bound


def _mean_square_bound(N: int, p: Fraction) -> Ball:
    """Bound the mean square error at cos(pi/4) of the identity, for N + 1 workers lost with probability p."""
    distances = chebyshev_second(N + 1).over(BALLS) - BALLS.cos_pi(Fraction(1, 4))
    first_right = (N + 2) // 4
    total: Ball = BALLS.number(0)
    right = list(_least_tails(-distances[first_right:], p))
    for tail, probability in _least_tails(distances[:first_right][::-1], p):
        for other, other_probability in right:
            if (both := tail + other) != 0:
                total = total + BALLS.number(probability * other_probability) / (both * both)
    return total


def _least_tails(distances: Any, p: Fraction) -> Iterator[tuple[Any, Fraction]]:
    """Yield a lower bound of the tail for each nearest survivor, and the probability that it is the nearest."""
    for lost, distance in enumerate(distances):
        farther = 1 / distances[lost + 1] if lost + 1 < len(distances) else 0
        yield 1 / distance - farther, (1 - p) * p**lost
    yield 0, p ** len(distances)


def _mean_spline_bound(N: int, p: Fraction) -> Fraction:
    """Bound the mean worst squared error of splines at 1/2, for N + 1 workers lost with probability p, N odd."""
    side = range((N + 1) // 2)
    cubes = sum(((1 - p) ** 2 * p ** (i + j) * (1 + i + j) ** 3 for i in side for j in side), Fraction(0))
    return cubes / (48 * N**3) + 2 * p ** len(side) / 3


def _simulated_errors(N: int, p: Fraction, draws: int, rng: np.random.Generator) -> Any:
    """Return the mean square errors over five blocks for random sets of survivors."""
    code, X = BerrutCode(5, N + 1), np.array([-0.9, 0.3, -0.2, 0.8, 0.1])
    answers = code.encode(X)
    answers = answers * np.sin(answers)
    reciprocals = 1 / np.subtract.outer(code.data_points.over(FLOAT), code.worker_points.over(FLOAT))
    alive = rng.random((draws, N + 1)) >= float(p)
    ranks = np.cumsum(alive, axis=1) - 1
    signs = np.where(alive, 1 - 2.0 * (ranks % 2), 0.0)
    decoded = (signs @ (reciprocals * answers).T) / (signs @ reciprocals.T)
    return ((decoded - X * np.sin(X)) ** 2).mean(axis=1)


def _half() -> Any:
    import sympy

    return sympy.Rational(1, 2)
