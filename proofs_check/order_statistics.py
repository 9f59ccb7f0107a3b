"""Waiting for the k-th of n workers: exact expectations, beside runs on the virtual clock and on processes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.arithmetic import ball
from codedtheory.claims import (
    Comparison,
    Measured,
    SampleMean,
    at_least,
    at_most,
    claim,
    close,
    derived,
    equal,
    published,
    samples,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import expected_step_time, harmonic_number
from codedtheory.executor import Conditions, DelayLaw, Exponential, Pareto, ShiftedExponential, VirtualExecutor
from codedtheory.executor.process_executor import ProcessExecutor
from proofs_check.straggler_programs import InTurn, answer_times, batches, fastest_first, gathering, neighbourly

Vector = NDArray[np.float64]
BALLS = ball(64)
KTH = r"T_{(k:n)} \text{ the } k\text{-th smallest of } n \text{ independent delays}: \quad "
EXPONENTIAL = KTH + r"\text{delays } \Delta+\mathrm{Exp}(\mu): \quad "
RENYI = published("Rényi 1953, On the theory of order statistics", wording="recalled")
MINIMA = derived("inclusion and exclusion over the sets of workers that are all late")
BY_MINIMA = (
    "E T_(k:n) = sum_j (-1)^(j-m) C(j-1, m-1) C(n, j) E min_j over j = m..n, m = n-k+1, with min_j the least of j "
    "delays"
)
DUTTA = published("Dutta, Joshi, Ghosh, Dube & Nagpurkar 2018", arxiv="1803.01113", wording="recalled")
ANSWERS = "in every step a master asks all n workers and waits for all answers, so that each step starts afresh"
CUT_OFF = "Mean of the times up to a bound by an empirical Bernstein inequality; the rest is bounded from the law."
HALF = Fraction(1, 2)
ERROR = 1e-11


# -- exact expectations ---------------------------------------------------------------------------------


@claim(
    "os.exp",
    statement=EXPONENTIAL + r"\mathbb E\,T_{(k:n)}=\Delta+\frac{H_n-H_{n-k}}\mu",
    source=RENYI,
    method="The gap between arrivals k and k+1 has mean C(n,k) B(k+1,n-k)/mu, the integral of C(n,k) F^k (1-F)^(n-k);"
    " by induction on k that is 1/((n-k) mu). Up to arrival k the gaps add up: H = H_n, R = H_(n-k-1), s = n-k in the "
    "second induction; s = n-k-1 in the first.",
)
def os_exp() -> Iterator[Comparison]:
    """The k-th of n exponential delays takes a difference of harmonic numbers on average."""
    n, k, s, rate = positive("n k s mu")
    total, rest, shift = nonnegative("H R Delta")
    yield from induction(
        base=equal(_first_gap(n) / rate, 1 / (n * rate), "gap before the first arrival"),
        step=equal(1 / ((s + 1) * rate) * _next_gap(k, s), 1 / (s * rate), "next gap"),
    )
    yield from induction(
        base=equal(shift, shift + (total - total) / rate, "before the first arrival"),
        step=equal(
            shift + (total - (rest + 1 / s)) / rate + 1 / (s * rate), shift + (total - rest) / rate, "one gap later"
        ),
    )


@claim(
    "os.exp.values",
    statement=EXPONENTIAL + r"\mathbb E\,T_{(k:n)}=\Delta+\frac{H_n-H_{n-k}}\mu",
    source=MINIMA,
    over=sweep(
        "1 <= n <= 30",
        "1 <= k <= n",
        default="n <= 12",
        quick="n <= 6",
        mu=(Fraction(1), Fraction(3, 2)),
        Delta=(Fraction(0), Fraction(2, 3)),
    ),
    method=BY_MINIMA + "; E min_j = Delta + 1/(j mu).",
)
def os_exp_values(n: int, k: int, mu: Fraction, Delta: Fraction) -> Comparison:
    """The k-th of n exponential delays takes a difference of harmonic numbers, counted out."""
    mean = mean_from_minima(n, k, lambda j: Delta + 1 / (j * mu))
    return equal(mean, expected_step_time("uncoded", n, n - k, Delta, 1 / mu))


@claim(
    "os.exp.saved",
    statement=EXPONENTIAL + r"1-\frac{\mathbb E\,T_{(n-b:n)}}{\mathbb E\,T_{(n:n)}}=\frac{H_b/\mu}{\Delta+H_n/\mu}",
    source=derived("os.exp at k = n - b and k = n"),
    over=sweep(
        "1 <= n <= 30",
        "0 <= b < n",
        default="n <= 12",
        quick="n <= 6",
        mu=(Fraction(1), Fraction(3, 2)),
        Delta=(Fraction(0), Fraction(2, 3)),
    ),
    method=BY_MINIMA + "; E min_j = Delta + 1/(j mu).",
)
def os_exp_saved(n: int, b: int, mu: Fraction, Delta: Fraction) -> Comparison:
    """Dropping the slowest workers saves a known share of the time."""
    some, everyone = (mean_from_minima(n, k, lambda j: Delta + 1 / (j * mu)) for k in (n - b, n))
    return equal(1 - some / everyone, harmonic_number(b) / mu / (Delta + harmonic_number(n) / mu))


@claim(
    "os.uniform",
    statement=KTH + r"\text{delays uniform on } [0,1]: \quad \mathbb E\,T_{(k:n)}=\frac k{n+1}",
    source=MINIMA,
    over=sweep("1 <= n <= 40", "1 <= k <= n", default="n <= 20", quick="n <= 10"),
    method=BY_MINIMA + "; E min_j = 1/(j+1).",
)
def os_uniform(n: int, k: int) -> Comparison:
    """The k-th of n uniform delays takes k/(n + 1) on average."""
    return equal(mean_from_minima(n, k, lambda j: Fraction(1, j + 1)), Fraction(k, n + 1))


@claim(
    "os.pareto",
    statement=KTH + r"P(X>t)=(x/t)^a \text{ for } t\ge x,\ a(n-k+1)>1: \quad "
    r"\mathbb E\,T_{(k:n)}=x\frac{\Gamma(n+1)\,\Gamma(n-k+1-1/a)}{\Gamma(n-k+1)\,\Gamma(n+1-1/a)}",
    source=MINIMA,
    over=sweep(
        "1 <= n <= 30",
        "1 <= k <= n",
        "1 <= p <= 5",
        "1 <= q <= 5",
        where=("gcd(p, q) == 1", "p * (n - k + 1) > q"),
        default="n <= 10",
        quick=("n <= 6", "p <= 3", "q <= 3"),
    ),
    method=BY_MINIMA
    + "; a = p/q, E min_j = ja/(ja-1). Quotients of Gamma functions as finite products, Gamma(y+1) = y "
    "Gamma(y).",
)
def os_pareto(n: int, k: int, p: int, q: int) -> Comparison:
    """The k-th of n Pareto delays takes a quotient of Gamma functions on average."""
    a = Fraction(p, q)
    return equal(mean_from_minima(n, k, lambda j: j * a / (j * a - 1)), pareto_mean(n, k, a))


@claim(
    "os.pareto.finite",
    statement=KTH + r"P(X>t)=(x/t)^a \text{ for } t\ge x,\ v=(t/x)^a\ge2: \quad "
    r"\binom n{k-1}2^{1-k}\le v^{n-k+1}\,P(T_{(k:n)}>t)\le2^n,\quad "
    r"\text{so that } \mathbb E\,T_{(k:n)}<\infty \text{ iff } a>\tfrac1{n-k+1}",
    source=derived("the integral of t^(-b) up to infinity is finite iff b > 1"),
    over=sweep("1 <= n <= 12", "1 <= k <= n", default="n <= 6", quick="n <= 4"),
    method="v^n P(T > t) = sum over j < k of C(n,j) (v-1)^j, a polynomial of v = 2 + x with x at least 0.",
)
def os_pareto_finite(n: int, k: int) -> Iterator[Comparison]:
    """The k-th of n Pareto delays has a mean iff a > 1/(n - k + 1)."""
    v = 2 + nonnegative("x")[0]
    still_waiting = sum(comb(n, j) * (v - 1) ** j for j in range(k))
    yield at_least(2 ** (k - 1) * still_waiting, comb(n, k - 1) * v ** (k - 1), "heavy at least")
    yield at_most(still_waiting, 2**n * v ** (k - 1), "heavy at most")


@claim(
    "os.ksync.log",
    statement=r"K<P,\ \mathrm{Exp}(\mu): \quad \log\frac{P+1}{P-K+1}\le\mu\,\mathbb E\,X_{K:P}\le\log\frac P{P-K}",
    source=derived("sums of 1/j between integrals of 1/x; Dutta et al. have the right side as approximation"),
    over=sweep("2 <= P <= 100", "1 <= K < P", default="P <= 24", quick="P <= 12"),
    method="Exact harmonic numbers, logarithms in balls.",
)
def os_ksync_log(P: int, K: int) -> Iterator[Comparison]:
    """A step of K-sync SGD takes about log(P/(P - K)) mean delays."""
    step = expected_step_time("uncoded", P, P - K, 0, 1)
    yield at_least(step, BALLS.log(Fraction(P + 1, P - K + 1)), "below")
    yield at_most(step, BALLS.log(Fraction(P, P - K)), "above")


@claim(
    "os.ksync.async",
    statement=r"\mathrm{Exp}(\mu): \quad P\log P\le\frac{\mathbb E\,X_{P:P}}{1/(P\mu)}=P\,H_P\le P(1+\log P)",
    source=DUTTA,
    over=sweep("1 <= P <= 400", default="P <= 60", quick="P <= 20"),
    hypotheses="an asynchronous update takes the least of P fresh delays, as exponential delays have no memory",
    method=BY_MINIMA + "; logarithms in balls.",
)
def os_ksync_async(P: int) -> Iterator[Comparison]:
    """Asynchronous updates come about P log P times as often as synchronous steps."""
    synchronous, update = (mean_from_minima(P, k, lambda j: Fraction(1, j)) for k in (P, 1))
    ratio = synchronous / update
    yield equal(ratio, P * harmonic_number(P), "exact")
    yield at_least(ratio, P * BALLS.log(P), "below")
    yield at_most(ratio, P * (1 + BALLS.log(P)), "above")


# -- beside runs on the virtual clock -------------------------------------------------------------------


@claim(
    "os.exp.simulated",
    statement=r"n=4 \text{ workers, delays } \mathrm{Exp}(1): \quad "
    r"\big|\mathbb E\,T_{(k:n)}-(H_n-H_{n-k})\big|\le\tfrac14(H_n-H_{n-k})",
    source=derived("simulation"),
    over=samples(1, full_count=10),
    hypotheses=ANSWERS,
    method=CUT_OFF,
)
def os_exp_simulated(rng: np.random.Generator) -> Iterator[Comparison]:
    """On the virtual clock the k-th of 4 exponential answers takes as long as expected."""
    law = Exponential(mean=1.0)
    times = answers_on_virtual_clock(4, 4000, law, rng)
    for k in range(1, 5):
        expected = expected_step_time("uncoded", workers=4, stragglers=4 - k, load_time=0, delay_mean=1)
        yield close(mean_time(times, k, law, high=7 / (5 - k)), expected, expected / 4, f"k = {k}")


@claim(
    "os.exp.shifted.simulated",
    statement=r"n=4 \text{ workers, delays } 1+\mathrm{Exp}(2): \quad "
    r"\big|\mathbb E\,T_{(k:n)}-e_k\big|\le\tfrac1{10}e_k,\quad e_k=1+\tfrac12(H_n-H_{n-k})",
    source=derived("simulation"),
    over=samples(1, full_count=10),
    hypotheses=ANSWERS,
    method=CUT_OFF,
)
def os_exp_shifted_simulated(rng: np.random.Generator) -> Iterator[Comparison]:
    """On the virtual clock the k-th of 4 shifted exponential answers takes as long as expected."""
    law = ShiftedExponential(shift=1.0, mean=0.5)
    times = answers_on_virtual_clock(4, 3000, law, rng)
    for k in range(1, 5):
        expected = expected_step_time("uncoded", workers=4, stragglers=4 - k, load_time=1, delay_mean=HALF)
        yield close(mean_time(times, k, law, high=1 + 4.5 / (5 - k)), expected, expected / 10, f"k = {k}")


@claim(
    "os.pareto.simulated",
    statement=r"n=5 \text{ workers, } P(X>t)=t^{-3/2},\ k\le4: \quad "
    r"\big|\mathbb E\,T_{(k:n)}-e_k\big|\le\tfrac14e_k,\quad "
    r"e_k=\tfrac{\Gamma(n+1)\,\Gamma(n-k+1/3)}{\Gamma(n-k+1)\,\Gamma(n+1/3)}",
    source=derived("simulation"),
    over=samples(1, full_count=10),
    hypotheses=ANSWERS + "; each delay has infinite variance, and so has the last answer",
    method=CUT_OFF,
)
def os_pareto_simulated(rng: np.random.Generator) -> Iterator[Comparison]:
    """On the virtual clock the k-th of 5 Pareto answers takes as long as expected."""
    law = Pareto(scale=1.0, shape=1.5)
    times = answers_on_virtual_clock(5, 4000, law, rng)
    for k in range(1, 5):
        expected = pareto_mean(5, k, Fraction(3, 2))
        yield close(mean_time(times, k, law, high=12.0), expected, expected / 4, f"k = {k}")


@claim(
    "os.ksync.batches.simulated",
    statement=r"P=4 \text{ workers that never wait, } \mathrm{Exp}(1), \text{ an update after } K \text{ results:}\quad"
    r" \big|\mathbb E\,T-\tfrac KP\big|\le\tfrac15\cdot\tfrac KP",
    source=derived("simulation; Dutta et al. (K-batch-async SGD): results come at P mu a second", arxiv="1803.01113"),
    over=samples(1, full_count=10, K=(2, 3)),
    hypotheses="exponential delays have no memory, so that the updates are independent",
    method="Mean of the times up to a bound by an empirical Bernstein inequality; the rest from the moments of a sum.",
)
def os_ksync_batches_simulated(K: int, rng: np.random.Generator) -> Comparison:
    """On the virtual clock an update from any K results takes K/P mean delays."""
    P, updates, high = 4, 4000, K / 4 + 2.5
    record = VirtualExecutor().run(batches(P, updates, K), Conditions(seed_from(rng), stragglers=Exponential(1.0)))
    times = np.diff(record.results[0], prepend=0.0)
    mean = SampleMean.tailed(times, 0, high, gamma_excess(K, P, high), ERROR)
    return close(mean, Fraction(K, P), Fraction(K, 5 * P))


@claim(
    "os.ksync.uncancelled",
    statement=r"n=4,\ k=2,\ \mathrm{Exp}(1),\ \text{slow workers first finish what they were asked:}\quad "
    r"\big|T-\mathbb E\,T_{(k:n)}\big|\le\tfrac14\mathbb E\,T_{(k:n)}",
    source=derived("what one reads who forgets that K-sync SGD cancels the work of the slow workers"),
    over=samples(1, full_count=10),
    expected="fails",
    corrected_by="os.exp.simulated",
    method="Mean step time of one run on the virtual clock.",
)
def os_ksync_uncancelled(rng: np.random.Generator) -> Comparison:
    """Steps would take as long as the k-th answer even if slow workers are not cancelled."""
    steps = 1000
    record = VirtualExecutor().run(fastest_first(4, steps, 2), Conditions(seed_from(rng), stragglers=Exponential(1.0)))
    expected = expected_step_time("uncoded", workers=4, stragglers=2, load_time=0, delay_mean=1)
    return close(Measured.of(record.seconds / steps, record), expected, expected / 4)


@claim(
    "os.neighbourhood",
    statement=r"T_i(k)=\max_{j\in N[i]}\big(T_j(k-1)+X_j(k)\big) \text{ on the ring of } 6,\ X\sim\mathrm{Exp}(1): "
    r"\quad \mathbb E\max_{N[i]}X=\tfrac{11}6\le\tfrac1k\,\mathbb E\,T_0(k)"
    r"\le\mathbb E\max_{\mathrm{all}}X=\tfrac{49}{20}",
    source=derived(
        "max_i T_i grows by at most the maximum of all; the argmax over N[i] of X(k) does not depend on T(k-1), so the "
        "least E T_i grows by at least E max over N[i]"
    ),
    over=samples(1, full_count=5),
    hypotheses="k = 10000; the growth rate is the limit of T_0(k)/k",
    method="One run on the virtual clock; its mean by martingale differences, each at most the maximum of six delays.",
)
def os_neighbourhood(rng: np.random.Generator) -> Iterator[Comparison]:
    """Waiting for neighbours only is faster than for all, and slower than for one neighbourhood."""
    nodes, rounds = 6, 10_000
    edges = [(i, (i + d) % nodes) for i in range(nodes) for d in (1, nodes - 1)]
    conditions = Conditions(seed_from(rng), stragglers=Exponential(1.0))
    record = VirtualExecutor().run(neighbourly(edges, rounds), conditions, watch=())
    rate = growth_rate(record.results[0], rounds, nodes)
    slowest = [expected_step_time("wait_for_all", m, 0, load_time=0, delay_mean=1) for m in (3, nodes)]
    yield at_least(rate, slowest[0], "neighbourhood")
    yield at_most(rate, slowest[1], "all")


# -- beside runs on processes ---------------------------------------------------------------------------


@claim(
    "os.measured",
    statement=r"n=3 \text{ processes, laws } \mathrm{Exp}(1),\ 1+\mathrm{Exp}(1),\ P(X>t)=t^{-3} \text{ in ms}: \quad "
    r"\text{no answer before its delay},\quad \overline{T_{(k:n)}}\ge\tfrac13\,\mathbb E\,T_{(k:n)}",
    source=derived("a process may be late, never early"),
    over=samples(1, full_count=5),
    hypotheses=ANSWERS,
    method="One run, with the laws in turn, and the same programs under the same conditions on the virtual clock, where"
    " an answer takes its delay. The mean of 100 draws is below a third of the expected one with probability below "
    "1e-9.",
)
def os_measured(rng: np.random.Generator) -> Iterator[Comparison]:
    """On processes no answer comes before its time, and the means are those expected, or larger."""
    laws = (Exponential(0.001), ShiftedExponential(0.001, 0.001), Pareto(0.001, 3.0))
    system, conditions = gathering(3, 300), Conditions(seed_from(rng), stragglers=InTurn(laws))
    record, ideal = (executor().run(system, conditions) for executor in (ProcessExecutor, VirtualExecutor))
    times, least = answer_times(record), answer_times(ideal)
    yield at_most(Measured.of(np.sum(times < least - 1e-9), record), 0, "answers before their time")
    for k in (1, 2, 3):
        milliseconds = (
            expected_step_time("uncoded", workers=3, stragglers=3 - k, load_time=0, delay_mean=1),
            expected_step_time("uncoded", workers=3, stragglers=3 - k, load_time=1, delay_mean=1),
            pareto_mean(3, k, Fraction(3)),
        )
        for turn, expected in enumerate(milliseconds):
            mean = Measured.of(times[turn :: len(laws), k - 1].mean(), record)
            yield at_least(mean, expected / 3000, f"k = {k}, {type(laws[turn]).__name__}")


# -- closed forms ---------------------------------------------------------------------------------------


def mean_from_minima(n: int, k: int, minimum: Callable[[int], Fraction]) -> Fraction:
    """Return the mean of the k-th smallest of n delays from the means of the least of j = n - k + 1, ..., n."""
    m = n - k + 1
    terms = ((-1) ** (j - m) * comb(j - 1, m - 1) * comb(n, j) * minimum(j) for j in range(m, n + 1))
    return sum(terms, Fraction(0))


def pareto_mean(n: int, k: int, a: Fraction) -> Fraction:
    """Return the mean of the k-th smallest of n Pareto delays of scale 1 and shape a, finite for a (n - k + 1) > 1."""
    return math.prod((j / (j - 1 / a) for j in range(n - k + 1, n + 1)), start=Fraction(1))


def _first_gap(n: Any) -> Any:
    """Return C(n,0) B(1,n): the binomial coefficient is 1, and the integral of (1-F)^(n-1) is 1/n."""
    return 1 / n


def _next_gap(k: Any, s: Any) -> Any:
    """Return C(n,k+1)/C(n,k) times B(k+2,s)/B(k+1,s+1) for n = k + s + 1; the second quotient by parts."""
    return ((s + 1) / (k + 1)) * ((k + 1) / s)


# -- runs and their intervals ---------------------------------------------------------------------------


def seed_from(rng: np.random.Generator) -> int:
    """Return the seed of a run."""
    return int(rng.integers(2**63))


def answers_on_virtual_clock(workers: int, steps: int, delays: DelayLaw, rng: np.random.Generator) -> Vector:
    """Return when the answers came: a row for every step, in the order of arrival."""
    conditions = Conditions(seed_from(rng), stragglers=delays)
    return answer_times(VirtualExecutor().run(gathering(workers, steps), conditions, watch=(0,)))


def mean_time(times: Vector, k: int, delays: DelayLaw, high: float) -> SampleMean:
    """Return the mean time of the k-th answer, whose part above `high` is bounded from the law of the delays."""
    excess = order_excess(times.shape[1], k, delays, high)
    # differences of times are rounded
    least = float(delays.quantile(np.zeros(1))[0]) - 1e-9
    return SampleMean.tailed(times[:, k - 1], least, high, excess=excess, error_probability=ERROR)


def order_excess(n: int, k: int, delays: DelayLaw, high: float) -> float:
    """Bound the mean of what the k-th smallest of n delays exceeds `high` by.

    It exceeds t only if some m = n - k + 1 delays do: integrate C(n, m) P(X > t)^m.
    """
    m = n - k + 1
    if isinstance(delays, Pareto):
        tail = high * (delays.scale / high) ** (delays.shape * m) / (delays.shape * m - 1)
    else:
        shift = delays.shift if isinstance(delays, ShiftedExponential) else 0.0
        mean = delays.mean_delay - shift
        tail = math.exp(-m * (high - shift) / mean) * mean / m
    return float(comb(n, m) * tail)


def gamma_excess(K: int, rate: float, high: float) -> float:
    """Bound the mean of what the sum of K delays Exp(rate) exceeds `high` by: max(x, 0) is at most e^(cx-1)/c."""
    c = rate / 2
    return float(2**K * math.exp(-c * high - 1) / c)


def growth_rate(time: float, rounds: int, nodes: int) -> SampleMean:
    """Return the mean time of a round where nodes with delays Exp(1) wait for others, from one run.

    If the delays of round k were 0, the time at the end would be less by Y with 0 ≤ Y ≤ M, the largest of them.
    So the time is a sum of martingale differences Y' - E Y' with 0 ≤ Y' ≤ M, given the rounds before, and
    log E e^(c(Y' - E Y')) is at most E e^(cM) - 1 - c E M for c > 0, and at most c² E M²/2 for c < 0: log u ≤ u - 1.
    """
    confidence = math.log(2 / ERROR) / rounds
    mean = sum(1 / j for j in range(1, nodes + 1))
    square = mean**2 + sum(1 / j**2 for j in range(1, nodes + 1))
    above = min(
        (confidence + math.prod(j / (j - c) for j in range(1, nodes + 1)) - 1 - c * mean) / c
        for c in np.geomspace(1e-4, 0.5, 200).tolist()
    )
    below = math.sqrt(2 * square * confidence)
    return SampleMean(time / rounds, max(above, below), ERROR, rounds)
