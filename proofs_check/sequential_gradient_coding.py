"""Sequential gradient coding: loads that add up, protocols that finish in time, and a baseline that does not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, published, sweep
from codedtheory.claims.symbols import integers, nonnegative, positive
from codedtheory.coding import (
    decodable,
    gradient_coding_load,
    max_tolerated,
    multiplexed_load,
    polynomial_cyclic,
    selective_repetition_load,
)
from codedtheory.coding.bursty_stragglers import bursty_patterns
from codedtheory.coding.sequential_schedules import fewest_repeated_results, multiplexed_results

KEK = published("Krishnan, Ebrahimi & Khisti 2022", arxiv="2211.13802", wording="seen", place="released code")
M_LOAD = r"\frac{(\lambda+1)(W-1+B)}{n(B+(W-1)(\lambda+1))}"
MODEL = r"(B,W,\lambda)\text{-bursty stragglers}:\quad "


@claim(
    "sgc.loads",
    statement=r"\text{M-SGC: } (W-1)n \text{ chunks of size } (\lambda+1)u \text{ and } Bn \text{ of size } u=\tfrac1"
    r"{n(B+(W-1)(\lambda+1))} \text{ are the whole data; load } " + M_LOAD + r"\ (\lambda<n),\ \tfrac{W-1+B}{n(W-1)} "
    r"\text{ in the limit } \lambda\to\infty",
    source=KEK,
    method="A round holds W - 1 + B tasks of size (lambda + 1)u. Symbols: V = W - 1, r = lambda + 1; the limit is the "
    "value at 1/r = 0.",
)
def sgc_loads() -> Iterator[Comparison]:
    """The chunks of multiplexed gradient coding are the whole data, and its loads agree."""
    import sympy

    n, B, V, r = integers("n B V r")
    inverse = sympy.Symbol("q", positive=True)
    unit = 1 / (n * (B + V * r))
    yield equal(V * n * (r * unit) + B * n * unit, 1, "chunks")
    yield equal((V + B) * (r * unit), _multiplexed(n, B, V, r), "load of a round")
    load = sympy.cancel(_multiplexed(n, B, V, 1 / inverse))
    yield equal(load.subs(inverse, 0), (V + B) / (n * V), "limit for many stragglers")


@claim(
    "sgc.loads.saving",
    statement=M_LOAD + r"\le\frac{\lambda+1}n \text{ with equality iff } \lambda=0: \text{ M-SGC never costs more than "
    r"gradient coding against } \lambda \text{ stragglers}",
    source=derived("W - 1 + B <= B + (W - 1)(lambda + 1)"),
    method="Symbols: V = W - 1, r = lambda + 1 = 1 + k.",
)
def sgc_loads_saving() -> Iterator[Comparison]:
    """Multiplexed sequential gradient coding loads workers less than gradient coding."""
    (n, B, V), (k,) = positive("n B V"), nonnegative("k")
    yield at_most(_multiplexed(n, B, V, 1 + k), (1 + k) / n)
    difference = (1 + k) / n - _multiplexed(n, B, V, 1 + k)
    yield equal(difference, (1 + k) * V * k / (n * (B + V * (1 + k))), "0 iff k = 0")


@claim(
    "sgc.loads.numbers",
    statement=r"\text{GC: } \tfrac{s+1}n,\ T=0;\quad \text{SR-SGC: } "
    r"s=\big\lceil\tfrac{B\lambda}{W-1+B}\big\rceil,\ T=B "
    r"\ (B\mid W-1);\quad \text{M-SGC: } " + M_LOAD + r",\ T=W-2+B",
    source=KEK,
    over=sweep(
        "1 <= n <= 8", "2 <= W <= 6", "1 <= B < W", "0 <= limit <= n", default="n <= 6", quick=("n <= 4", "W <= 4")
    ),
    method="The library's loads, delays and chunks, in rationals.",
)
def sgc_loads_numbers(n: int, W: int, B: int, limit: int) -> Iterator[Comparison]:
    """Loads and delays of gradient coding and of both sequential schemes."""
    found = multiplexed_load(n, B, W, limit)
    expected = _multiplexed(n, B, W - 1, Fraction(limit + 1)) if limit < n else Fraction(W - 1 + B, n * (W - 1))
    yield equal(found.load, expected, "M-SGC")
    yield equal(found.delay, W - 2 + B, "M-SGC: delay")
    whole = found.uncoded_chunks * found.uncoded_size + found.coded_chunks * found.coded_size
    yield equal(whole, 1, "M-SGC: chunks")
    if limit < n:
        yield equal(gradient_coding_load(n, limit).load, Fraction(limit + 1, n), "GC")
        yield equal(gradient_coding_load(n, limit).delay, 0, "GC: delay")
    s = -(-B * limit // (W - 1 + B))
    if (W - 1) % B == 0 and s < n:
        repeated = selective_repetition_load(n, B, W, limit)
        yield equal(repeated.load, Fraction(s + 1, n), "SR-SGC")
        yield equal(repeated.delay, B, "SR-SGC: delay")


@claim(
    "sgc.loads.multiplexed",
    statement=MODEL
    + r"\text{with M-SGC's load every job has all uncoded chunks, and } n-\lambda \text{ contributions to "
    r"every coded group, after } W-1+B \text{ rounds}",
    source=derived("enumeration; retries before coded chunks, as recalled from arXiv 2211.13802", arxiv="2211.13802"),
    over=sweep(
        "1 <= n <= 4",
        "2 <= W <= 4",
        "1 <= B < W",
        "0 <= limit <= n",
        default="n <= 3",
        quick="W <= 3",
    ),
    method="All patterns of the model over the rounds of one job, of which no other job takes any work.",
)
def sgc_loads_multiplexed(n: int, W: int, B: int, limit: int) -> Iterator[Comparison]:
    """Multiplexed gradient coding finishes in time under every bursty straggler pattern."""
    results = [multiplexed_results(n, B, W, pattern) for pattern in bursty_patterns(n, W - 1 + B, B, W, limit)]
    yield equal(max(missing for missing, _ in results), 0, "missing uncoded chunks")
    if limit < n:
        yield at_least(min(min(coded) for _, coded in results), n - limit, "contributions to a coded group")


@claim(
    "sgc.loads.selective",
    statement=MODEL
    + r"\text{SR-SGC with } s=\big\lceil\tfrac{B\lambda}{W-1+B}\big\rceil \text{ has } n-s \text{ results "
    r"of every job after } B \text{ more rounds, and with } s-1 \text{ it has not}",
    source=derived("all reachable states; as many workers retry as results lack", arxiv="2211.13802"),
    over=sweep(
        "1 <= n <= 5",
        "2 <= W <= 4",
        "1 <= B < W",
        "0 <= limit <= n",
        where=("(W - 1) % B == 0", "B * limit <= (n - 1) * (W - 1 + B)"),
        full="n * B * (W - 1) <= 40",
        default=("n <= 4", "n * B * (W - 1) <= 16"),
        quick=("n <= 3", "B == 1"),
    ),
    method="A search through all states that the model can reach, so for runs of any length.",
)
def sgc_loads_selective(n: int, W: int, B: int, limit: int) -> Iterator[Comparison]:
    """Selective repetition finishes in time under every bursty pattern, a smaller code does not."""
    s = selective_repetition_load(n, B, W, limit).stragglers
    yield at_least(fewest_repeated_results(n, s, B, W, limit), n - s, "results at the deadline")
    if s:
        yield at_most(fewest_repeated_results(n, s - 1, B, W, limit), n - s, "too few for a code with s - 1")


@claim(
    "sgc.loads.selective.everyone",
    statement=MODEL
    + r"\text{SR-SGC also finishes in time if all workers whose result of a lacking job is missing retry it}",
    source=derived("the protocol without counting how many results lack"),
    over=sweep(
        "1 <= n <= 3",
        "2 <= W <= 4",
        "1 <= B < W",
        "0 <= limit <= n",
        where=("(W - 1) % B == 0", "B * limit <= (n - 1) * (W - 1 + B)"),
        quick="B == 1",
    ),
    expected="fails",
    corrected_by="sgc.loads.selective",
    method="A search through all states that the model can reach; too few workers are left for the new job.",
)
def sgc_loads_selective_everyone(n: int, W: int, B: int, limit: int) -> Comparison:
    """Selective repetition would finish in time if everyone retried."""
    s = selective_repetition_load(n, B, W, limit).stragglers
    return at_least(fewest_repeated_results(n, s, B, W, limit, everyone_retries=True), n - s)


@claim(
    "sgc.baseline",
    statement=r"\text{a code of load } \tfrac{s+1}n \text{ tolerates } s \text{ stragglers; the rule } "
    r"\#\text{stragglers}<s \text{ uses it as one of load } \tfrac sn, \text{ and for } s=1 \text{ as no code at all}",
    source=KEK,
    over=sweep("1 <= n <= 7", "1 <= s < n", default="n <= 6", quick="n <= 4"),
    method="Tolerance of the cyclic code on the nodes 0, ..., n - 1 by elimination over the rationals; released "
    "programs for the baseline have the strict rule.",
)
def sgc_baseline(n: int, s: int) -> Iterator[Comparison]:
    """A strict inequality makes the gradient coding baseline wait for one worker too many."""
    code = polynomial_cyclic(list(range(n)), s)
    yield equal(max_tolerated(code), s, "tolerance of the code")
    yield equal(code.load, gradient_coding_load(n, s).load, "load of the code")
    yield equal(_most_accepted(n, s, strict=True), s - 1, "tolerance used")
    cheaper = gradient_coding_load(n, s - 1)
    yield equal(cheaper.stragglers, _most_accepted(n, s, strict=True), "a cheaper code tolerates as many")
    yield equal(gradient_coding_load(n, s).load - cheaper.load, Fraction(1, n), "load wasted")
    yield equal(_most_accepted(n, s, strict=False), max_tolerated(code), "corrected rule")


@claim(
    "sgc.baseline.strict",
    statement=r"\text{the rule } \#\text{stragglers}<s \text{ accepts the straggler sets that a code of load } "
    r"\tfrac{s+1}n \text{ decodes}",
    source=derived("the rule of the released programs, taken as a statement", arxiv="2211.13802"),
    over=sweep("1 <= n <= 5", "1 <= s < n", "0 <= m < n", "S in subsets(n, m)", quick="n <= 4"),
    expected="fails",
    corrected_by="sgc.baseline",
    method="Decodability set by set, by elimination over the rationals; 1 stands for accepted or decodable.",
)
def sgc_baseline_strict(n: int, s: int, m: int, S: tuple[int, ...]) -> Comparison:
    """The baseline's rule would accept what its code decodes."""
    code = polynomial_cyclic(list(range(n)), s)
    survivors = [worker for worker in range(n) if worker not in S]
    return equal(int(_accepts(m, s, strict=True)), int(decodable(code, survivors)))


def _multiplexed(n: Any, B: Any, V: Any, r: Any) -> Any:
    """Return the load of M-SGC with V = W - 1 and r = lambda + 1."""
    return r * (V + B) / (n * (B + V * r))


def _accepts(stragglers: int, s: int, strict: bool) -> bool:
    """Whether a round ends without waiting for more workers."""
    return stragglers < s if strict else stragglers <= s


def _most_accepted(n: int, s: int, strict: bool) -> int:
    return max((m for m in range(n + 1) if _accepts(m, s, strict)), default=0)
