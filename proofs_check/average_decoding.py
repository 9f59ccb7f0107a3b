"""Approximate gradient coding with a given number of random stragglers: errors and coefficients on average."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from codedtheory.arithmetic import ball, maximum
from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, less_than, published, sweep
from codedtheory.claims.angles import short_sine
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import (
    FirstOfGroupDecoder,
    LeastSquaresDecoder,
    OneStepDecoder,
    coefficient_bounds,
    coefficient_moments,
    coefficient_variance,
    expected_one_step_error,
    expected_repetition_error,
    fractional_repetition,
    one_step_covariance,
    one_step_covariance_norm,
    probability_of_presence,
)
from codedtheory.coding.placement import received_copies
from codedtheory.coding.survivors import survivor_sets
from proofs_check.small_matrices import circulant_code, numbered_placement

UNIFORM = r"\text{uniformly random } s\text{-sets: }"
CHARLES = "Charles, Papailiopoulos & Ellenberg 2017"
CHARLES_ARXIV = "1711.06771"
DESIGNS = {(3, 2): (0, 1), (7, 3): (0, 1, 3), (7, 4): (2, 4, 5, 6)}


@claim(
    "agc.onestep",
    statement=r"c \text{ copies of each of } n \text{ partitions, weight } \tfrac n{(n-s)c}, " + UNIFORM + r"\quad "
    r"\mathbb E\|\alpha-\mathbf 1\|^2=\frac{n(n-c)s}{(n-1)(n-s)c}, \text{ whatever the placement}",
    source=derived("only the hypergeometric moments of the received copies of each partition enter"),
    method="With r = n - s received of n workers: P(i) = r/n and P(i, k) = r(r - 1)/(n(n - 1)), as they add up to r "
    "and r(r - 1) for every set. Then in the notation k, s', r and 1 - delta = r/k of the literature.",
)
def agc_onestep() -> Iterator[Comparison]:
    """The mean error of one-step decoding is the same for all placements with equal copies."""
    n, r, c = positive("n r c")
    one, two = _received(n, r)
    weight, s = n / (r * c), n - r
    variance = weight**2 * (c * one + c * (c - 1) * two) - 1
    yield equal(weight * c * one, 1, "mean")
    yield equal(n * variance, n * (n - c) * s / ((n - 1) * r * c), "error")
    yield equal((n * variance).subs(c, s + 1), n * s * (n - s - 1) / ((n - 1) * (n - s) * (s + 1)), "c = s + 1")
    k, loads, delta = positive("k l delta")
    renamed = (n * variance).subs({n: k, c: loads})
    yield equal(renamed, k * (k - loads) * (k - r) / (r * loads * (k - 1)), "k tasks, l a worker")
    rate = renamed.subs(r, (1 - delta) * k)
    yield equal(rate, delta * k * (k - loads) / ((1 - delta) * loads * (k - 1)), "a share delta lost")


@claim(
    "agc.onestep.enumerated",
    statement=UNIFORM
    + r"\mathbb E\alpha_j=1,\ \mathbb E(\alpha_j-1)^2=\frac{(n-c)s}{(n-1)(n-s)c} \text{ for every set "
    r"of } c \text{ holders of a partition}",
    source=derived("enumeration; errors of partitions add up, so that this covers all placements"),
    over=sweep("2 <= n <= 8", "1 <= c <= n", "H in subsets(n, c)", "0 <= s < n", default="n <= 6", quick="n <= 4"),
    cost="comb(n, s)",
    method="All straggler sets, over the rationals.",
)
def agc_onestep_enumerated(n: int, c: int, H: tuple[int, ...], s: int) -> Iterator[Comparison]:
    """The error of one-step decoding, for all holders of one partition."""
    moments = coefficient_moments(numbered_placement(n, [H]), s, OneStepDecoder())
    yield equal(moments.means[0], 1, "mean")
    yield equal(moments.covariance[0, 0], coefficient_variance(n, s, c), "variance")
    yield equal(n * moments.covariance[0, 0], expected_one_step_error(n, c, s), "error of n partitions")


@claim(
    "agc.onestep.distinct",
    statement=UNIFORM + r"\text{the number of distinct partitions received has the mean } "
    r"n\big(1-\tbinom{n-c}{n-s}/\tbinom ns\big) \text{ for all balanced placements with } c \text{ copies; its "
    r"variance is largest for repetition and smallest for block designs}",
    source=published("Sarmasarkar & Pillai 2024", arxiv="2402.12584", wording="seen"),
    over=sweep("2 <= n <= 8", "1 <= c <= n", "D in subsets(n, c)", where="0 in D", default="n <= 7", quick="n <= 5"),
    cost="2**n",
    method="All circulant placements and straggler sets, exactly. A pair of partitions is lost with a probability that "
    "is convex in the number of common holders, whose sum is the same for all placements.",
)
def agc_onestep_distinct(n: int, c: int, D: tuple[int, ...]) -> Iterator[Comparison]:
    """Balanced placements receive equally many partitions on average, not equally reliably."""
    for s in range(n):
        mean, variance = _distinct(circulant_code(n, D), s)
        yield equal(mean, n * probability_of_presence(n, c, received=n - s).fraction, f"mean, s = {s}")
        if n % c == 0:
            yield at_most(variance, _distinct(fractional_repetition(n, c - 1), s)[1], f"repetition, s = {s}")
        if (n, c) in DESIGNS:
            yield at_least(variance, _distinct(circulant_code(n, DESIGNS[n, c]), s)[1], f"design, s = {s}")


@claim(
    "agc.frc",
    statement=r"\text{Repetition, } k \text{ workers, } s' \text{ tasks each, } r \text{ received at random: } "
    r"\mathbb E\,\mathrm{err}_{\mathrm{opt}}=k\tbinom{k-s'}r/\tbinom kr",
    source=published(CHARLES, arxiv=CHARLES_ARXIV, wording="seen"),
    over=sweep("1 <= k <= 9", "1 <= c <= k", "1 <= r <= k", where="k % c == 0", default="k <= 7", quick="k <= 5"),
    cost="comb(k, r)",
    method="Least squares on all received sets, over the rationals; c is s'.",
)
def agc_frc(k: int, c: int, r: int) -> Comparison:
    """The mean optimal error of repetition."""
    moments = coefficient_moments(fractional_repetition(k, c - 1), k - r, LeastSquaresDecoder())
    error = sum(moments.covariance[j, j] + (moments.means[j] - 1) ** 2 for j in range(k))
    return equal(error, expected_repetition_error(k, c, r))


@claim(
    "agc.erasurehead",
    statement=UNIFORM + r"\text{the sum of the first messages of the groups that are present, not rescaled, has } "
    r"\mathbb E\alpha_j=1-\tbinom{n-c}{n-s}/\tbinom ns, \text{ below } 1 \text{ as soon as } s\ge c",
    source=published("Wang, Charles & Papailiopoulos 2019", arxiv="1901.09671", wording="seen", place="released code"),
    over=sweep("1 <= n <= 10", "1 <= c <= n", "0 <= s < n", where="n % c == 0", default="n <= 8", quick="n <= 6"),
    cost="comb(n, s)",
    method="All straggler sets, over the rationals.",
)
def agc_erasurehead(n: int, c: int, s: int) -> Iterator[Comparison]:
    """The ErasureHead gradient is too short on average."""
    means = coefficient_moments(fractional_repetition(n, c - 1), s, FirstOfGroupDecoder()).means
    for j in range(n):
        yield equal(means[j], probability_of_presence(n, c, received=n - s), f"partition {j}")
        yield less_than(means[j], 1, f"bias of {j}") if s >= c else equal(means[j], 1, f"no bias of {j}")


@claim(
    "agc.cov",
    statement=r"c \text{ copies, one-step weight, } "
    + UNIFORM
    + r"\mathrm{Cov}(\alpha_j,\alpha_k)=\frac{s\,[n\,o_{jk}-c^2]}{(n-1)(n-s)c^2},\quad o_{jk} \text{ common holders}",
    source=derived("o pairs of holders are one worker and c^2 - o are two"),
    method="With r = n - s received of n workers: P(i) = r/n and P(i, k) = r(r - 1)/(n(n - 1)), as they add up to r "
    "and r(r - 1) for every set.",
)
def agc_cov() -> Iterator[Comparison]:
    """The covariance of one-step coefficients depends on the number of common holders only."""
    n, r, c, shared = positive("n r c o")
    one, two = _received(n, r)
    weight, s = n / (r * c), n - r
    covariance = weight**2 * (shared * one + (c**2 - shared) * two) - 1
    yield equal(covariance, s * (n * shared - c**2) / ((n - 1) * r * c**2), "covariance")
    yield equal(covariance.subs(shared, c), s * (n - c) / ((n - 1) * r * c), "variance")


@claim(
    "agc.cov.enumerated",
    statement=UNIFORM
    + r"\mathrm{Cov}(\alpha_j,\alpha_k)=\frac{s\,[n\,o_{jk}-c^2]}{(n-1)(n-s)c^2} \text{ for all pairs "
    r"of sets of } c \text{ holders}",
    source=derived("enumeration"),
    over=sweep(
        "2 <= n <= 5",
        "1 <= c <= n",
        "H in subsets(n, c)",
        "K in subsets(n, c)",
        "0 <= s < n",
        default="n <= 4",
        quick="n <= 3",
    ),
    method="All straggler sets, over the rationals.",
)
def agc_cov_enumerated(n: int, c: int, H: tuple[int, ...], K: tuple[int, ...], s: int) -> Comparison:
    """The covariance of one-step coefficients, for all holders of two partitions."""
    code = numbered_placement(n, [H, K])
    found = coefficient_moments(code, s, OneStepDecoder()).covariance[0, 1]
    return equal(found, one_step_covariance(code, s)[0, 1])


@claim(
    "agc.cov.norm",
    statement=r"c=s+1: \quad \|\mathrm{Cov}\|_2=\frac{sn}{(n-1)(n-s)c^2}\cdot\frac{\sin^2(\pi c/n)}{\sin^2(\pi/n)} "
    r"\text{ (cyclic)},\quad \frac{sn}{(n-1)(n-s)} \text{ (repetition, } s\le n-2)",
    source=derived("eigenvalues of circulants; the window has its second largest gain at frequency 1"),
    over=sweep("2 <= n <= 10", "0 <= s < n", default="n <= 8", quick="n <= 6"),
    cost="comb(n, s)",
    method="Covariance over all straggler sets, its norm in a cyclotomic field.",
)
def agc_cov_norm(n: int, s: int) -> Iterator[Comparison]:
    """Spectral norms of the covariance, on cyclic windows and in groups."""
    cyclic = one_step_covariance_norm(n, s)
    yield equal(coefficient_bounds(n, s, OneStepDecoder()).covariance_norm, cyclic, "cyclic")
    if n % (s + 1) == 0:
        repetition = one_step_covariance_norm(n, s, "fractional")
        found = coefficient_bounds(n, s, OneStepDecoder(), "fractional").covariance_norm
        yield equal(found, repetition, "repetition")
        yield at_most(cyclic, repetition, "order")


@claim(
    "agc.cov.norm.order",
    statement=r"\frac{\sin^2(\pi c/n)}{c^2\sin^2(\pi/n)}\le1: \text{ the covariance on cyclic windows never has a "
    r"larger norm than in groups}",
    source=derived("sin(mb) <= m sin(b)"),
    method="Induction on m; then c sin(b) = S + f.",
)
def agc_cov_norm_order() -> Iterator[Comparison]:
    """Cyclic windows spread the variance better than groups, for all n and s."""
    yield from short_sine()
    (S, sigma), (f,) = positive("S sigma"), nonnegative("f")
    yield at_most(S**2 / (((S + f) / sigma) ** 2 * sigma**2), 1, "ratio of the norms")


@claim(
    "agc.cov.norm.frequency",
    statement=r"\Big|\frac{\sin(\pi kc/n)}{\sin(\pi k/n)}\Big|<\frac{\sin(\pi c/n)}{\sin(\pi/n)},\quad "
    r"2\le c\le n-2,\ 2\le k\le n/2",
    source=derived("enumeration"),
    over=sweep("4 <= n <= 79", "2 <= c <= n // 2", default="n <= 30", quick="n <= 16"),
    cost="n",
    method="Balls; c and n - c have the same gains, and c = 1 or n - 1 has the gain 1 at all frequencies.",
)
def agc_cov_norm_frequency(n: int, c: int) -> Comparison:
    """The second largest gain of a cyclic window is the one at frequency 1."""
    field = ball(64)
    gains = [abs(field.sin_pi(Fraction(k * c, n)) / field.sin_pi(Fraction(k, n))) for k in range(1, n // 2 + 1)]
    return less_than(maximum(gains[1:]), gains[0])


def _received(n: Any, r: Any) -> tuple[Any, Any]:
    """Return the probabilities that one worker, and that two workers, are among the r received of n."""
    return r / n, r * (r - 1) / (n * (n - 1))


def _distinct(code: Any, s: int) -> tuple[Fraction, Fraction]:
    """Return mean and variance of the number of distinct partitions that n - s workers hold."""
    counts = [sum(copies > 0 for copies in received_copies(code, R)) for R in survivor_sets(code.n, s)]
    mean = Fraction(sum(counts), len(counts))
    return mean, Fraction(sum(count**2 for count in counts), len(counts)) - mean**2
