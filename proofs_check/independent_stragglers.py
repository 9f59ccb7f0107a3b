"""Approximate gradient coding with independently lost workers, and with randomly placed partitions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from codedtheory.arithmetic import Rational
from codedtheory.claims import (
    Comparison,
    SampleMean,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    published,
    samples,
    sweep,
)
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import (
    Decoder,
    FirstOfGroupDecoder,
    GradientCode,
    LeastSquaresDecoder,
    OneStepDecoder,
    bernoulli_code,
    coefficient_moments,
    coefficient_statistics,
    decoded_coefficients,
    fractional_repetition,
    plain_cyclic,
    squared_error,
)
from proofs_check.small_matrices import numbered_code, numbered_placement

INDEPENDENT = r"\text{each worker lost with probability } p: \quad "
CHARLES = "Charles, Papailiopoulos & Ellenberg 2017"
CHARLES_ARXIV = "1711.06771"
GLASGOW = "Glasgow & Wootters 2021"
GLASGOW_ARXIV = "2006.09638"


@claim(
    "agc.lower",
    statement=INDEPENDENT + r"d \text{ copies: fixed weights with } \mathbb E\alpha_j=1 \text{ have } "
    r"\mathrm{Var}\,\alpha_j\ge\frac p{d(1-p)}",
    source=derived("Cauchy-Schwarz over the d holders"),
    method="x = a_i B_ij, their sum is X = 1/(1 - p) and Var = p(1 - p) times the sum of x^2; summed over d holders "
    "the middle term is 2X^2/d. p = y/(1 + y).",
)
def agc_lower() -> Iterator[Comparison]:
    """Fixed weights that are unbiased have at least the variance of equal ones."""
    x, X = arbitrary("x X")
    (y, d), (excess,) = positive("y d"), nonnegative("Q")
    p, kept = y / (1 + y), 1 / (1 + y)
    yield equal(x**2, (x - X / d) ** 2 + 2 * x * X / d - X**2 / d**2, "each holder")
    yield equal(2 * X * X / d - d * X**2 / d**2, X**2 / d, "sum of the last two terms")
    yield equal(1 - p, kept, "share of received messages")
    yield at_least(p * kept * (excess + (1 / kept) ** 2 / d), p / (d * kept), "variance")


@claim(
    "agc.lower.optimal",
    statement=INDEPENDENT + r"d \text{ copies: } \mathbb E(\alpha_j-1)^2\ge p^d \text{ for every decoder; repetition "
    r"attains it}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="recalled"),
    over=sweep("1 <= n <= 6", "1 <= d <= n", default="n <= 5", quick="n <= 3", p=(Fraction(1, 10), Fraction(1, 2))),
    cost="2**n",
    method="Optimal decoding of plain cyclic sums and, if d divides n, of repetition; all sets of lost workers with "
    "their probabilities, over the rationals. All d holders are lost with probability p^d, and then alpha_j = 0.",
)
def agc_lower_optimal(n: int, d: int, p: Fraction) -> Iterator[Comparison]:
    """No decoder does better than lose what nobody sent."""
    decoder = LeastSquaresDecoder()
    yield at_least(_independent_losses(plain_cyclic(n, d - 1), decoder, p)[1][0, 0], p**d, "cyclic windows")
    if n % d == 0:
        yield equal(_independent_losses(fractional_repetition(n, d - 1), decoder, p)[1][0, 0], p**d, "repetition")


@claim(
    "agc.lower.adversarial",
    statement=r"\text{Repetition of } d \text{ copies: } \max_{|S|=s}\|\alpha-\mathbf 1\|^2=d\lfloor s/d\rfloor, "
    r"\text{ of the order of } s \text{ and not of } n(s/n)^d",
    source=derived("s stragglers empty floor(s/d) groups of d partitions"),
    over=sweep("1 <= n <= 10", "1 <= d <= n", "0 <= s < n", where="n % d == 0", default="n <= 8", quick="n <= 6"),
    method="All straggler sets, optimal decoding over the rationals.",
)
def agc_lower_adversarial(n: int, d: int, s: int) -> Comparison:
    """Repetition is best against chance and bad against an adversary."""
    found = coefficient_statistics(fractional_repetition(n, d - 1), s, FirstOfGroupDecoder())
    return equal(found.worst_squared_error, d * (s // d))


@claim(
    "agc.bgc",
    statement=r"\text{Bernoulli code, } s'\ge\log k \text{ tasks a worker on average, a share } \delta \text{ lost: } "
    r"\mathrm{err}_1\le C^2\frac k{(1-\delta)s'} \text{ with high probability; here with probability } "
    r"\ge\tfrac7{10} \text{ for } C^2=2,\ k=20,\ s'=3,\ r=16",
    source=published(CHARLES, arxiv=CHARLES_ARXIV, wording="recalled"),
    over=samples(1),
    method="The share of 200 codes within the bound, with Hoeffding's interval; weight k/(r s').",
)
def agc_bgc(rng: np.random.Generator) -> Comparison:
    """One-step decoding of random placements is rarely much worse than its mean."""
    k, load, r = 20, 3, 16
    decoder = OneStepDecoder(Fraction(k, r * load))
    bound = 2 * Fraction(k * k, r * load)
    codes = [bernoulli_code(k, Fraction(load, k), rng) for _ in range(200)]
    errors = [squared_error(decoded_coefficients(code, range(r), decoder)) for code in codes]
    return at_least(SampleMean.bounded([float(error <= bound) for error in errors], 0, 1), Fraction(7, 10))


@claim(
    "agc.bgc.mean",
    statement=r"\text{Bernoulli code: } \mathbb E\,\mathrm{err}_1=\frac{k(k-s')}{rs'}\le\frac k{(1-\delta)s'}, "
    r"\text{ so the bound holds on average with } C=1",
    source=derived("alpha_j is k/(r s') times a binomial number of r trials with probability s'/k"),
    method="Mean and variance of a binomial number; k = s' + m, r = (1 - delta)k.",
)
def agc_bgc_mean() -> Iterator[Comparison]:
    """The mean one-step error of random placements."""
    (r, c), (m,) = positive("r c"), nonnegative("m")
    k = c + m
    weight, q = k / (r * c), c / k
    error = k * weight**2 * r * q * (1 - q)
    yield equal(weight * r * q, 1, "mean coefficient")
    yield equal(error, k * (k - c) / (r * c), "mean error")
    yield at_most(error, k / ((r / k) * c), "bound")


@claim(
    "agc.bgc.mean.enumerated",
    statement=r"\mathbb E\,\mathrm{err}_1=\frac{k(k-s')}{rs'} \text{ over all placements, each with its probability}",
    source=derived("enumeration"),
    over=sweep("1 <= k <= 3", "1 <= c <= k", "1 <= r <= k", quick="k <= 2"),
    method="All matrices with entries 0 and 1, over the rationals; c is s'.",
)
def agc_bgc_mean_enumerated(k: int, c: int, r: int) -> Comparison:
    """The mean one-step error of random placements, placement by placement."""
    decoder, q = OneStepDecoder(Fraction(k, r * c)), Fraction(c, k)
    total = Fraction(0)
    for number in range(2 ** (k * k)):
        ones = number.bit_count()
        alpha = decoded_coefficients(numbered_code(k, 2, number), range(r), decoder)
        total += q**ones * (1 - q) ** (k * k - ones) * squared_error(alpha).fraction
    return equal(total, Fraction(k * (k - c), r * c))


@claim(
    "agc.sgc",
    statement=INDEPENDENT + r"\text{point } j \text{ on } d_j \text{ workers that send } \sum_jg_j/(d_j(1-p)): \quad "
    r"\mathbb E\alpha_j=1,\ \mathrm{Var}\,\alpha_j=\frac p{d_j(1-p)},\ "
    r"\mathrm{Cov}(\alpha_i,\alpha_j)=\frac p{n(1-p)} \text{ if they share } d_id_j/n \text{ workers}",
    source=published("Bitar, Wootters & El Rouayheb 2020", arxiv="1905.05383", wording="recalled"),
    method="Sums over independent workers; the common ones alone are correlated.",
)
def agc_sgc() -> Iterator[Comparison]:
    """Stochastic gradient coding is unbiased, and its covariance is the same for all pairs."""
    p, d, e, n = arbitrary("p d_i d_j n")
    one, other, shared = _weight(d, p), _weight(e, p), d * e / n
    yield equal(d * (1 - p) * one, 1, "mean")
    yield equal(d * p * (1 - p) * one**2, p / (d * (1 - p)), "variance")
    yield equal(shared * p * (1 - p) * one * other, p / (n * (1 - p)), "covariance")


@claim(
    "agc.sgc.enumerated",
    statement=INDEPENDENT
    + r"\mathbb E\alpha=\mathbf 1 \text{ and the covariances of } \texttt{agc.sgc} \text{ for pairwise "
    r"balanced placements on } 4 \text{ and } 9 \text{ workers}",
    source=derived("enumeration"),
    over=sweep(n=(4, 9), p=(Fraction(1, 10), Fraction(1, 2)), quick="n == 4"),
    method="All sets of lost workers with their probabilities, over the rationals; points are lines of an affine "
    "plane through a common point.",
)
def agc_sgc_enumerated(n: int, p: Fraction) -> Iterator[Comparison]:
    """Stochastic gradient coding, straggler set by straggler set."""
    lines = [(0, 1), (0, 2), (0, 3)] if n == 4 else [(0, 1, 2), (0, 3, 6), (0, 4, 8), (0, 5, 7)]
    d = len(lines[0])
    means, covariance = _independent_losses(numbered_placement(n, lines), OneStepDecoder(1 / (d * (1 - p))), p)
    for j in range(len(lines)):
        yield equal(means[j], 1, f"mean {j}")
        for i in range(j):
            yield equal(covariance[i, j], p / (n * (1 - p)), f"covariance of {i} and {j}")
        yield equal(covariance[j, j], p / (d * (1 - p)), f"variance {j}")


@claim(
    "agc.wls",
    statement=r"d \text{ copies, uniformly random } s\text{-sets}: \quad \tfrac1n\mathbb E\,\mathrm{err}\ge P_d,\ "
    r"\Big(\frac{s-d+1}{n-d+1}\Big)^d\le P_d=\tbinom{n-d}{s-d}/\tbinom ns\le\Big(\frac sn\Big)^d; "
    r"\text{ repetition attains it, so that error } \epsilon \text{ needs } "
    r"d\ge\log\tfrac1\epsilon/\log\tfrac{n-d+1}{s-d+1}",
    source=derived(
        "finite form of the order log(1/eps)/log(n/s) announced by Wang, Liu & Shroff 2019, arXiv:1901.08166"
    ),
    over=sweep("2 <= n <= 9", "1 <= d <= n", "d <= s < n", default="n <= 7", quick="n <= 5"),
    cost="comb(n, s)",
    method="Optimal decoding of plain cyclic sums and, if d divides n, of repetition; all straggler sets, rationals.",
)
def agc_wls(n: int, d: int, s: int) -> Iterator[Comparison]:
    """How many copies an error takes on average."""
    lost = Fraction(comb(n - d, s - d), comb(n, s))
    yield at_least(_mean_error(plain_cyclic(n, d - 1), s) / n, lost, "cyclic windows")
    if n % d == 0:
        yield equal(_mean_error(fractional_repetition(n, d - 1), s) / n, lost, "repetition")
    yield at_most(lost, Fraction(s, n) ** d, "upper bound")
    yield at_least(lost, Fraction(s - d + 1, n - d + 1) ** d, "lower bound")


def _weight(d: Any, p: Any) -> Any:
    """Return the weight of a point on d workers in each of their messages."""
    return 1 / (d * (1 - p))


def _mean_error(code: GradientCode, s: int) -> Any:
    """Return the mean optimal error over all sets of s stragglers."""
    moments = coefficient_moments(code, s, LeastSquaresDecoder())
    return sum(moments.covariance[j, j] + (moments.means[j] - 1) ** 2 for j in range(code.partitions))


def _independent_losses(
    code: GradientCode, decoder: Decoder, p: Fraction
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the means of alpha_j and of (alpha_i - 1)(alpha_j - 1) with workers lost independently."""
    n, k = code.matrix.shape
    means, products = np.full(k, Rational(0)), np.full((k, k), Rational(0))
    for mask in range(2**n):
        survivors = [i for i in range(n) if mask >> i & 1]
        probability = Rational(p ** (n - len(survivors)) * (1 - p) ** len(survivors))
        alpha = decoded_coefficients(code, survivors, decoder)
        means = means + alpha * probability
        products = products + np.outer(alpha - 1, alpha - 1) * probability
    return means, products
