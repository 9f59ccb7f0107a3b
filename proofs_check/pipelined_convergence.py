"""Where pipelined gradient coding converges to, how fast, and what noise random stragglers leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd
from typing import Any

import numpy as np

from codedtheory.arithmetic import Rational, rank
from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, less_than, sweep
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import (
    ResidueClassDecoder,
    averaged_ages,
    averaged_delay_stability,
    coefficient_statistics,
    decoded_coefficients,
    one_step_covariance,
    plain_cyclic,
    stationary_variance,
)
from codedtheory.coding.pipelined_descent import pipelined_iterates
from codedtheory.coding.relaxed_decoding import RelaxedDecoder

EQUAL = r"f_j=\tfrac h2(x-b_j)^2,\ a=\eta h:\quad "
PARABOLAS = r"f_j=\tfrac12(x-b_j)^2:\quad "
LINEAR = r"\|x_t-x^\star\|\le\rho^t\|x_0-x^\star\|,\ \rho^{1+2s}=1-\eta\mu+\tfrac12\eta^2L^2s"


@claim(
    "pgc.linear",
    statement=r"f_j \text{ with } L\text{-Lipschitz gradients, } F\ \mu\text{-strongly convex, } "
    r"0<\eta\le\tfrac2{\mu+L},\ sL^2\eta<2\mu:\quad " + LINEAR,
    source=derived("staleness as a perturbation of the gradient step"),
    hypotheses="weights exact and every age 0, ..., s in n/(s+1) partitions: fractional placement, or s + 1 divides n "
    "and a residue class decodes; <grad F, x - x*> >= mu L/(mu + L)|x - x*|^2 + |grad F|^2/(mu + L), as F is smooth "
    "and strongly convex",
    method="V_t = |x_t - x*|. Ages d_j have mean s/2, so staleness moves a step by at most eta L s/2 times the longest "
    "of the last s steps, and a step is at most eta L times the largest V of its ages: V_(t+1) <= p V_t + q max V over "
    "t - 2s, ..., t, with x_t = x_0 before the start; so V_t <= rho^t V_0 carries over. Symbols: L = mu + g, y = "
    "rho^(2s) = 1/(1 + k).",
)
def pgc_linear() -> Iterator[Comparison]:
    """Pipelined gradient coding with exact weights converges linearly to the minimiser."""
    (mu, shorter, s, r), (g, k, p, q, t) = positive("mu l s r"), nonnegative("g k p q t")
    L = mu + g
    eta = 2 / ((mu + L) * (1 + k))
    yield at_least(1 - eta * mu, 0, "p >= 0")
    yield at_most(eta**2 - 2 * eta / (mu + L), 0, "|grad F| enters with a factor that is not positive")
    shrunk = 1 - 2 * eta * mu * L / (mu + L) + (eta**2 - 2 * eta / (mu + L)) * mu**2
    yield equal(shrunk, (1 - eta * mu) ** 2, "|grad F| >= mu |x - x*|: a fresh step shrinks distances by p")
    yield from induction(base=equal(_ages(s).subs(s, 0), 0), step=equal(_ages(s) + s + 1, _ages(s + 1)))
    yield equal(_ages(s) / (s + 1), s / 2, "mean age")
    yield equal(eta * L * (s / 2) * (eta * L), _staleness(eta, L, s), "q: a step times L, s/2 ages, a step times L")
    eta = 2 * mu / (s * L**2 * (1 + shorter))
    yield less_than(1 - eta * mu + _staleness(eta, L, s), 1, "eta < 2 mu/(s L^2): p + q < 1")
    yield at_most(p / (1 + k) + q, p + q, "p rho^t + q rho^(t-2s) <= (p + q) rho^(t-2s)")
    yield equal(r ** (t - 2 * s) * r ** (1 + 2 * s), r ** (t + 1), "(p + q) rho^(t-2s) = rho^(t+1)")


@claim(
    "pgc.linear.runs",
    statement=r"f_j=\tfrac{h_j}2(x-j^2)^2,\ h_j\in\{1,3\}:\quad |x_t-x^\star|^{1+2s}\le\big(1-\eta\mu+\tfrac12"
    r"\eta^2L^2s\big)^t|x_0-x^\star|^{1+2s}, \ t\le3(1+2s)",
    source=derived("staleness as a perturbation of the gradient step"),
    over=sweep(
        "2 <= n <= 6",
        "0 <= s < n",
        "0 <= heavy < 2**n",
        where="n % (s + 1) == 0",
        default=("n <= 4", "s <= 3"),
        quick="n <= 3",
        share=("1/8", "1/2", "9/10"),
        placement=("fractional", "cyclic"),
    ),
    method="Slot by slot in rationals, stragglers moving on by one worker a step; a residue class decodes the cyclic "
    "placement. Bit j of `heavy` tells h_j; eta is a share of its largest value.",
)
def pgc_linear_runs(n: int, s: int, heavy: int, share: str, placement: str) -> Iterator[Comparison]:
    """Runs with different curvatures stay below the linear bound."""
    h = [3 if heavy >> j & 1 else 1 for j in range(n)]
    mu, L, minimiser = Fraction(sum(h), n), max(h), Fraction(sum(c * j * j for j, c in enumerate(h)), sum(h))
    step = Fraction(share) * min(2 / (mu + L), 2 * mu / (s * L**2) if s else 2)
    stragglers = [[(t + i) % n for i in range(s)] for t in range(3 * (1 + 2 * s))]
    decoder = ResidueClassDecoder() if placement == "cyclic" else None
    gradients = _gradients([j * j for j in range(n)], h)
    x = pipelined_iterates(gradients, s, stragglers, minimiser + 1, step, decoder, placement)
    factor = 1 - step * mu + _staleness(step, L, s)
    for t in range(1, len(x)):
        yield at_most(abs(x[t] - minimiser) ** (1 + 2 * s), factor**t, f"step {t}")


@claim(
    "pgc.persistent",
    statement=PARABOLAS
    + r"S \text{ always lost}, \eta=\tfrac1{s+1}: \text{ relaxed PGC-CR converges to } \tfrac1n\textstyle\sum_j"
    r"\alpha_jb_j; \text{ e.g. } \tfrac14b_0+\tfrac14b_1+\tfrac12b_2 \text{ for } n=3,\ s=1,\ S=\{0\}",
    source=derived("fixed weights; the error follows the stable recursion of averaged ages"),
    over=sweep("1 <= n <= 7", "0 <= s < n", "S in subsets(n, s)", default="n <= 6", quick="n <= 4"),
    method="Slot by slot in rationals, b_j = j^2: the error follows the recursion exactly, and that dies out.",
)
def pgc_persistent(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """If the same workers always straggle, relaxed pipelining minimises a weighted sum."""
    limit, step = _persistent_limit(n, s, S), Fraction(1, s + 1)
    yield less_than(step, averaged_delay_stability(s), "stable step")
    x = pipelined_iterates(_parabolas(n), s, [S] * (2 * s + 3), Fraction(0), step)
    for t in range(2 * s + 3):
        mean = sum(x[max(t - d, 0)] - limit for d in range(s + 1)) / (s + 1)
        yield equal(x[t + 1] - limit, x[t] - limit - step * mean, f"step {t}")
    if (n, s, S) == (3, 1, (0,)):
        yield equal(limit, Fraction(0, 4) + Fraction(1, 4) + Fraction(4, 2), "weights 1/4, 1/4, 1/2")


@claim(
    "pgc.persistent.unbiased",
    statement=PARABOLAS
    + r"\text{relaxed PGC-CR converges to the mean of the } b_j \text{ also if } S \text{ is always lost}",
    source=derived("what the mean coefficient 1 suggests, if one forgets that it needs random stragglers"),
    over=sweep("1 <= n <= 6", "0 <= s < n", "S in subsets(n, s)", quick="n <= 4"),
    expected="fails",
    corrected_by="pgc.persistent",
    method="The limit in rationals, b_j = j^2.",
)
def pgc_persistent_unbiased(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Persistent stragglers would not bias relaxed pipelining."""
    return equal(_persistent_limit(n, s, S), _mean_square(n))


@claim(
    "pgc.cr.floor",
    statement=EQUAL + r"e_{t+1}=e_t-\tfrac a{s+1}\textstyle\sum_{d=0}^se_{t-d}-\eta\xi_t,\ "
    r"\xi_t=\tfrac1n\sum_j(\alpha_j-1)g_j(x^\star), \text{ whoever straggles}",
    source=derived("every message has one gradient of each age"),
    over=sweep(
        "1 <= n <= 4",
        "0 <= s < n",
        "S in subsets(n, s)",
        "T in subsets(n, s)",
        default="n <= 3",
        quick="n <= 2",
        a=("1", "1/2", "1/3", "1/4"),
    ),
    method="Slot by slot with symbols b_j and x_0, S and T straggling in turn for three steps; h = 1. Both sides are "
    "polynomials in a of degree 3 at most, so that four values decide for all.",
)
def pgc_cr_floor(n: int, s: int, S: tuple[int, ...], T: tuple[int, ...], a: str) -> Comparison:
    """With equal Hessians relaxed pipelining averages ages and adds noise from the minimiser."""
    start, *b = arbitrary(f"x b0:{n}")
    step, minimiser = Fraction(a), sum(b) / n
    x = pipelined_iterates(_gradients(b, [1] * n), s, [S, T, S], start, step)
    e = [start - minimiser]
    for t, lost in enumerate([S, T, S]):
        mean = sum(e[max(t - d, 0)] for d in range(s + 1)) / (s + 1)
        e.append(e[t] - step * mean - step * _noise(n, s, lost, [minimiser - bj for bj in b]))
    return equal(x[-1] - minimiser, e[-1])


@claim(
    "pgc.cr.floor.noise",
    statement=EQUAL + r"\mathbb E\,\xi_t=0,\quad \mathbb E\,\xi_t^2=\tfrac1{n^2}\textstyle\sum_{jk}"
    r"\mathrm{Cov}(\alpha_j,\alpha_k)\,g_jg_k,\quad \mathrm{Cov}(\alpha_j,\alpha_k)=\frac{s[n\,o_{jk}-(s+1)^2]}"
    r"{(n-1)(n-s)(s+1)^2}",
    source=derived("moments of uniformly random straggler sets"),
    over=sweep("2 <= n <= 10", "0 <= s < n", default="n <= 8", quick="n <= 5"),
    method="All straggler sets, in rationals, with g_j = mean - j^2.",
)
def pgc_cr_floor_noise(n: int, s: int) -> Iterator[Comparison]:
    """Mean and variance of the noise that random stragglers add."""
    g = [_mean_square(n) - j * j for j in range(n)]
    noise = [_noise(n, s, lost, g) for lost in combinations(range(n), s)]
    covariance = one_step_covariance(plain_cyclic(n, s), s)
    yield equal(sum(noise), 0, "mean")
    yield equal(sum(xi * xi for xi in noise) / len(noise), np.array(g) @ covariance @ np.array(g) / n**2, "variance")


@claim(
    "pgc.cr.floor.variance",
    statement=r"e_{t+1}=e_t-\tfrac a{s+1}\textstyle\sum_de_{t-d}+\zeta_t,\ \mathrm{Var}\,\zeta_t=1,\ 0<a<2:\quad "
    r"\mathrm{Var}\,e_\infty=\frac1{a(2-a)}\ (s=0),\quad \frac{2+a}{2a(2-a)}\ (s=1)",
    source=derived("Yule-Walker equations"),
    method="The autocovariances solve the Yule-Walker equations of the recursion; g is the one at distance 1.",
)
def pgc_cr_floor_variance() -> Iterator[Comparison]:
    """Stationary variance of fresh gradients and of two averaged ages, in closed form."""
    (a,) = arbitrary("a")
    fresh, two = _floor_of_none(a), _floor_of_one(a)
    yield equal((1 - a) ** 2 * fresh + 1, fresh, "s = 0")
    first, second = 1 - a / 2, -a / 2
    g = first * two / (1 - second)
    yield equal(first * two + second * g, g, "s = 1: covariance of neighbours")
    yield equal(first * g + second * (first * g + second * two) + 1, two, "s = 1: variance")


@claim(
    "pgc.cr.floor.impulse",
    statement=r".9999\,\mathrm{Var}\,e_\infty\le\textstyle\sum_{k<60(s+1)}\psi_k^2\le\mathrm{Var}\,e_\infty \text{ at "
    r"} a=\tfrac k{10(s+1)};\quad \big|2a\,\mathrm{Var}\,e_\infty-1-\tfrac{(s+1)a}2\big|\le(s+1)^2a^2 \text{ at } "
    r"a=\tfrac1{1000}",
    source=derived("sum of squares of the impulse response; to leading order the floor is half the step's share"),
    over=sweep("0 <= s <= 8", "1 <= k <= 9", default="s <= 5", quick="s <= 2"),
    method="In rationals: the squares of the impulse response, and the variance by Schur-Cohn.",
)
def pgc_cr_floor_impulse(s: int, k: int) -> Iterator[Comparison]:
    """The noise floor is a sum of squares, and proportional to the step for small steps."""
    a = Rational(k, 5 * (s + 1)) / 2
    expected, found = stationary_variance(averaged_ages(s), a), _squares(s, a, 60 * (s + 1))
    yield at_most(found, expected, "sum of squares")
    yield at_least(found, expected * Rational("0.9999"), "and nearly all of it")
    if s <= 1:
        yield equal(expected, _floor_of_one(a) if s else _floor_of_none(a), "closed form")
    small = Rational(1, 1000)
    excess = 2 * small * stationary_variance(averaged_ages(s), small) - 1 - small * (s + 1) / 2
    yield at_most(abs(excess), small**2 * (s + 1) ** 2, "leading order")


@claim(
    "pgc.vs.issgd.variance",
    statement=r"\mathrm{Var}\,\alpha_j \text{ of ignoring stragglers is } \frac{(n-1)(s+1)}{n-s-1} \text{ times that "
    r"of relaxed PGC-CR}",
    source=derived("one-step decoding of 1 and of s + 1 copies; ratios of errors of single runs are not claimed"),
    over=sweep("3 <= n <= 12", "1 <= s < n - 1", default="n <= 10", quick="n <= 7"),
    method="Both variances by enumeration of all straggler sets, in rationals.",
)
def pgc_vs_issgd_variance(n: int, s: int) -> Comparison:
    """Ignoring stragglers makes coefficients noisier than relaxed pipelining does."""
    ignoring, relaxed = (coefficient_statistics(plain_cyclic(n, k), s, RelaxedDecoder()).variance for k in (0, s))
    return equal(ignoring / relaxed, Fraction((n - 1) * (s + 1), n - s - 1))


@claim(
    "pgc.geometric",
    statement=PARABOLAS + r"x_0=x^\star, \text{ random stragglers}:\quad \mathbb E|x_t-x^\star|^2=\eta^2\sigma^2"
    r"\textstyle\sum_{k<t}\psi_k^2\le\eta^2\sigma^2\,\mathrm{Var}\,e_\infty, \text{ which shrinks with } \eta",
    source=derived(
        "the recursion of averaged ages with white noise; Su & Li 2026 let the error decrease with the step"
    ),
    hypotheses="equal Hessians; straggler sets uniformly random and independent",
    over=sweep(
        "2 <= n <= 5", "0 <= s < n", "1 <= t <= 4", default=("n <= 4", "t <= 3"), quick="n <= 3", share=("1/4", "1")
    ),
    method="All sequences of straggler sets, slot by slot in rationals, b_j = j^2; eta is a share of 1/(s + 1).",
)
def pgc_geometric(n: int, s: int, t: int, share: str) -> Iterator[Comparison]:
    """Relaxed pipelining stays in a neighbourhood of the minimiser that shrinks with the step."""
    step, minimiser = Fraction(share) / (s + 1), _mean_square(n)
    sets = list(combinations(range(n), s))
    ends = [pipelined_iterates(_parabolas(n), s, lost, minimiser, step)[-1] for lost in product(sets, repeat=t)]
    variance = sum(_noise(n, s, lost, [minimiser - j * j for j in range(n)]) ** 2 for lost in sets) / len(sets)
    second_moment = sum((end - minimiser) ** 2 for end in ends) / len(ends)
    radius = [eta**2 * variance * stationary_variance(averaged_ages(s), eta) for eta in (step, step / 2)]
    yield equal(sum(ends) / len(ends), minimiser, "mean")
    yield equal(second_moment, step**2 * variance * _squares(s, Rational(step), t), "second moment")
    yield at_most(second_moment, radius[0], "within the neighbourhood")
    yield (less_than if variance else at_most)(radius[1], radius[0], "half the step, smaller neighbourhood")


@claim(
    "pgc.geometric.exact",
    statement=PARABOLAS + r"\text{relaxed PGC-CR stays at the minimiser once it is there}",
    source=derived("what geometric convergence without a neighbourhood would need"),
    over=sweep("1 <= n <= 6", "0 <= s < n", "S in subsets(n, s)", quick="n <= 4"),
    expected="fails",
    corrected_by="pgc.geometric",
    method="One step from the minimiser in rationals, b_j = j^2, step 1/2.",
)
def pgc_geometric_exact(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Relaxed pipelining would converge to the minimiser itself."""
    return equal(pipelined_iterates(_parabolas(n), s, [S], _mean_square(n), Fraction(1, 2))[-1], _mean_square(n))


@claim(
    "pgc.geometric.iff",
    statement=r"\sum_jg_j=0:\ \sum_j\alpha_jg_j=0 \text{ for all sets of } s\ge1 \text{ stragglers iff all window sums "
    r"vanish, iff } g \text{ is } \gcd(n,s+1)\text{-periodic with mean } 0",
    source=derived("the received sets span all combinations of messages; circulant of a window"),
    over=sweep("2 <= n <= 9", "1 <= s < n", default="n <= 8", quick="n <= 5"),
    method="Ranks by elimination over the rationals; the periodic sequences with mean 0 form a space of dimension gcd "
    "- 1.",
)
def pgc_geometric_iff(n: int, s: int) -> Iterator[Comparison]:
    """At which minimisers relaxed pipelining has no noise."""
    windows, g = plain_cyclic(n, s).matrix, gcd(n, s + 1)
    rows = np.array([_coefficients(n, s, lost, exact=True) for lost in combinations(range(n), s)], dtype=object)
    both = np.concatenate([rows, windows])
    yield equal(rank(rows), rank(windows), "as many conditions as windows")
    yield equal(rank(both), rank(windows), "the same conditions")
    yield equal(n - rank(windows), g - 1, "dimension of the solutions")
    for q in range(1, g):
        periodic = np.array([Rational(int(j % g == 0) - int(j % g == q)) for j in range(n)], dtype=object)
        yield equal(sum(abs(windows @ periodic)), 0, f"periodic sequence {q}")


@claim(
    "pgc.geometric.periodic",
    statement=r"n=4,\ s=1,\ b=(v,-v,v,-v): \text{ relaxed PGC-CR stays at the minimiser } 0, \text{ whoever straggles}",
    source=derived("all window sums vanish"),
    over=sweep("S in subsets(4, 1)", "T in subsets(4, 1)"),
    method="Slot by slot with the symbol v, S and T straggling in turn.",
)
def pgc_geometric_periodic(S: tuple[int, ...], T: tuple[int, ...]) -> Comparison:
    """A heterogeneous problem on which relaxed pipelining is exact."""
    (v,) = arbitrary("v")
    x = pipelined_iterates(_gradients((v, -v, v, -v), [1] * 4), 1, [S, T, S], 0 * v, Fraction(1, 2))
    return equal(x[-1], 0)


@claim(
    "pgc.geometric.tile",
    statement=PARABOLAS + r"(s+1)\mid n: \text{ with the residue-class decoder PGC-CR stays at the minimiser}",
    source=derived("all coefficients are 1"),
    over=sweep("1 <= n <= 8", "0 <= s < n", "S in subsets(n, s)", where="n % (s + 1) == 0", quick="n <= 6"),
    method="Slot by slot in rationals, b_j = j^2, S and then the last s workers straggling.",
)
def pgc_geometric_tile(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Where a residue class decodes, cyclic pipelining has no noise at all."""
    sets, step = [S, range(n - s, n)], Fraction(1, 2)
    x = pipelined_iterates(_parabolas(n), s, sets, _mean_square(n), step, ResidueClassDecoder())
    return equal(x[-1], _mean_square(n))


def _ages(s: Any) -> Any:
    """Return 0 + 1 + ... + s."""
    return s * (s + 1) / 2


def _staleness(eta: Any, L: Any, s: Any) -> Any:
    return eta**2 * L**2 * s / 2


def _floor_of_none(a: Any) -> Any:
    return 1 / (a * (2 - a))


def _floor_of_one(a: Any) -> Any:
    return (2 + a) / (2 * a * (2 - a))


def _gradients(b: Sequence[Any], h: Sequence[Any]) -> list[Callable[[Any], Any]]:
    return [lambda x, bj=bj, hj=hj: hj * (x - bj) for bj, hj in zip(b, h, strict=True)]  # type: ignore[misc]


def _parabolas(n: int) -> list[Callable[[Any], Any]]:
    """Return the gradients of (x - j^2)^2/2."""
    return _gradients([j * j for j in range(n)], [1] * n)


def _mean_square(n: int) -> Fraction:
    return Fraction(sum(j * j for j in range(n)), n)


def _coefficients(n: int, s: int, lost: Sequence[int], exact: bool = False) -> Any:
    """Return the relaxed coefficients, as `Rational` if exact and otherwise as fractions."""
    found = decoded_coefficients(plain_cyclic(n, s), [w for w in range(n) if w not in lost], RelaxedDecoder())
    return found if exact else [alpha.fraction for alpha in found]


def _noise(n: int, s: int, lost: Sequence[int], g: Sequence[Any]) -> Any:
    """Return what the coefficients' deviations from 1 make of the gradients g at the minimiser."""
    return sum((alpha - 1) * gj for alpha, gj in zip(_coefficients(n, s, lost), g, strict=True)) / n


def _persistent_limit(n: int, s: int, S: tuple[int, ...]) -> Fraction:
    return sum((alpha * j * j for j, alpha in enumerate(_coefficients(n, s, S))), Fraction(0)) / n


def _squares(s: int, a: Rational, count: int) -> Rational:
    """Return the sum of squares of the first terms of the impulse response of the recursion of averaged ages."""
    response = [Rational(1)]
    while len(response) < count:
        response.append(response[-1] - a * sum(response[-s - 1 :]) / (s + 1))
    return sum((psi * psi for psi in response), Rational(0))
