"""Optimal decoding under random stragglers: how biased it is, and what it costs to remove the bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from codedtheory.arithmetic import ball, maximum
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
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import LeastSquaresDecoder, coefficient_moments, optimal_vertex_coefficients
from proofs_check.small_matrices import numbered_code

INDEPENDENT = r"\text{each worker lost with probability } p: \quad "
GLASGOW = "Glasgow & Wootters 2021"
GLASGOW_ARXIV = "2006.09638"
BALLS = ball(128)


@claim(
    "agc.graph.random",
    statement=INDEPENDENT + r"\text{graph code, vertex-transitive, } t=\frac{e^2p^{\lambda(1-1/(3+\epsilon))}}"
    r"{(1-pe^{1/\lambda})^2}: \quad \mathbb E\alpha=r\mathbf 1,\ r\ge1-\tfrac6n-t,"
    r"\ \mathbb E(\alpha_i-r)^2\le\tfrac6n+t,\ \|\mathrm{Cov}\|_2\le2k^2(t+\tfrac6n)^2+24",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    over=samples(1),
    hypotheses="lambda > 1.5; f = 1 - p e^(1/lambda), (lambda/2 + 1)f >= 1 + epsilon; (1 - t)(lambda - (2d - lambda)t) "
    ">= epsilon; n/log(n)^2 >= 4(1 + epsilon)/epsilon^2 (2 - 2 log(epsilon) + 2 log(1 + epsilon) - log(f))",
    method="The complete graph on 24 vertices at p = 3/10 and the complete bipartite one on 12 + 12 at p = 1/20, with "
    "the largest epsilon of the second condition; 1,000 sets of lost edges each, with Hoeffding's interval. The "
    "norm of the covariance is at most its trace, so that k is not needed.",
)
def agc_graph_random(rng: np.random.Generator) -> Iterator[Comparison]:
    """Optimal decoding of graph codes under random stragglers is nearly unbiased."""
    import networkx

    complete = networkx.complete_graph(24), 23, 24, Fraction(3, 10)
    bipartite = networkx.complete_bipartite_graph(12, 12), 12, 12, Fraction(1, 20)
    for graph, degree, gap, p in (complete, bipartite):
        n, edges = len(graph), np.array(graph.edges())
        survive, epsilon, t = _graph_parameters(gap, p)
        logs = 2 - 2 * BALLS.log(epsilon) + 2 * BALLS.log(1 + epsilon) - BALLS.log(survive)
        needed = 4 * (1 + epsilon) / epsilon**2 * logs
        yield at_least((1 - t) * (gap - (2 * degree - gap) * t), epsilon, f"third condition, d = {degree}")
        yield at_least(n / BALLS.log(BALLS.number(n)) ** 2, needed, f"fourth condition, d = {degree}")
        kept = [edges[rng.random(len(edges)) >= float(p)].tolist() for _ in range(1000)]
        alpha = np.array([float(optimal_vertex_coefficients(n, chosen)[0]) for chosen in kept])
        yield at_least(SampleMean.bounded(alpha, 0, 2), 1 - Fraction(6, n) - t, f"mean, d = {degree}")
        square = SampleMean.bounded((alpha - 1) ** 2, 0, 1)
        yield at_most(square, Fraction(6, n) + t, f"variance, d = {degree}")
        yield at_most(SampleMean.bounded(n * (alpha - 1) ** 2, 0, n), 24, f"trace of the covariance, d = {degree}")


@claim(
    "agc.graph.random.small",
    statement=INDEPENDENT + r"r\ge1-\tfrac6n-t \text{ and } \mathbb E(\alpha_i-r)^2\le\tfrac6n+t \text{ also for the "
    r"Wagner and the Petersen graph, which are too small for the theorem}",
    source=derived("enumeration; the fourth condition of agc.graph.random fails for them"),
    over=sweep(graph=("Wagner", "Petersen"), quick="graph == 'Wagner'"),
    method="All sets of lost edges, exactly, at p = 1/100, 1/50, 1/20; the bounds in balls.",
)
def agc_graph_random_small(graph: str) -> Iterator[Comparison]:
    """Optimal decoding of two small graph codes under random stragglers."""
    import networkx

    chosen = networkx.circulant_graph(8, [1, 4]) if graph == "Wagner" else networkx.petersen_graph()
    n, edges = len(chosen), list(chosen.edges())
    for p in (Fraction(1, 100), Fraction(1, 50), Fraction(1, 20)):
        _, _, t = _graph_parameters(2, p)
        first, second = _vertex_moments(n, edges, p)
        yield at_least(first, 1 - Fraction(6, n) - t, f"r at p = {p}")
        yield at_most(second - first**2, Fraction(6, n) + t, f"variance at p = {p}")


@claim(
    "agc.graph.random.trace",
    statement=r"\mathbb E(\alpha_i-r)^2\le\tfrac6n+t \text{ alone gives } \|\mathrm{Cov}\|_2\le6+nt, \text{ which is "
    r"below } 2k^2(t+\tfrac6n)^2+24 \text{ whenever } nt\le18",
    source=derived("the norm of a covariance is at most its trace"),
    method="n(6/n + t) and the published bound, with nt = 18 - u.",
)
def agc_graph_random_trace() -> Iterator[Comparison]:
    """The published bound of the covariance is weaker than the one of the variances."""
    (n,), (u, k, t) = positive("n"), nonnegative("u k t")
    yield equal(n * (6 / n + t), 6 + n * t, "trace")
    yield at_most(6 + (18 - u), 2 * k**2 * (t + 6 / n) ** 2 + 24, "published bound")


@claim(
    "agc.debias",
    statement=r"\mathbb E\|\alpha-\mathbf 1\|^2\le\epsilon N,\ \epsilon<\tfrac12 \;\Rightarrow\; \text{an unbiased "
    r"scheme with at most twice the load and error } \le\frac{2\epsilon}{(1-\sqrt{2\epsilon})^2}N \text{ exists}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    method="At least half of the blocks have E(alpha - 1)^2 = q^2 <= 2 epsilon (Markov); those carry the data of two, "
    "and are divided by r = E(alpha) = 1 - q + u. The variance is q^2 - g with g = (1 - r)^2; 1 - q = w > 0.",
)
def agc_debias() -> Iterator[Comparison]:
    """Approximate codes can be made unbiased at twice the load."""
    (w, N, more), (q, u, g, epsilon) = positive("w N x"), nonnegative("q u g epsilon")
    yield greater_than(N / 2 * (2 * epsilon + more), epsilon * N, "half of the blocks above 2 epsilon are too many")
    yield at_most((q**2 - g) / (w + u) ** 2, q**2 / w**2, "variance of the divided coefficient")
    yield at_most(q**2 / (w + more) ** 2, (q + more) ** 2 / w**2, "rises with q")


@claim(
    "agc.debias.sharp",
    statement=r"\mathbb E\|\alpha-\mathbf 1\|^2\le\epsilon N,\ \epsilon<\tfrac12 \;\Rightarrow\; \text{error } "
    r"\le\frac{2\epsilon}{1-2\epsilon}N \text{ in the same way}",
    source=derived("(v - (1 - r)^2)/r^2 is largest at r = 1 - v, where it is v/(1 - v)"),
    method="v = E(alpha - 1)^2 = 1 - w is at most 2 epsilon; the mean r is above or below w, by x.",
)
def agc_debias_sharp() -> Iterator[Comparison]:
    """Dividing out the bias costs less than published."""
    (w, r), (x,) = positive("w r"), nonnegative("x")
    for mean, room in ((w + x, w), (r, r + x)):
        v = 1 - room
        yield at_most((v - (1 - mean) ** 2) / mean**2, v / room, "r >= 1 - v" if mean != r else "r <= 1 - v")
    yield at_most((1 - (w + x)) / (w + x), (1 - w) / w, "v/(1 - v) rises")


@claim(
    "agc.debias.enumerated",
    statement=r"\text{Half of the blocks or more have } \mathbb E(\alpha_j-1)^2\le2\epsilon, \text{ and then } "
    r"\mathrm{Var}(\alpha_j)/(\mathbb E\alpha_j)^2\le\frac{2\epsilon}{1-2\epsilon}",
    source=derived("enumeration"),
    over=sweep("2 <= n <= 3", "0 <= number < 2**(n * n)", "1 <= s < n", quick="n <= 2"),
    method="All matrices with entries 0 and 1 (the binary digits of `number`), optimal decoding, all straggler sets; "
    "the second part where epsilon is below 1/2.",
)
def agc_debias_enumerated(n: int, number: int, s: int) -> Iterator[Comparison]:
    """Debiasing on every small code."""
    moments = coefficient_moments(numbered_code(n, 2, number), s, LeastSquaresDecoder())
    errors = [moments.covariance[j, j] + (moments.means[j] - 1) ** 2 for j in range(n)]
    double = 2 * sum(errors) / n
    kept = sorted(range(n), key=lambda j: errors[j])[: (n + 1) // 2]
    yield at_most(maximum(errors[j] for j in kept), double, "half of the blocks")
    if double < 1:
        ratios = [moments.covariance[j, j] / moments.means[j] ** 2 for j in kept]
        yield at_most(maximum(ratios), double / (1 - double), "variance")


@lru_cache(maxsize=4)
def _vertex_sums(n: int, edges: tuple[tuple[int, int], ...]) -> list[tuple[Fraction, Fraction]]:
    """Return the sums of alpha_0 and of its square over all sets of k kept edges, for all k."""
    found = []
    for count in range(len(edges) + 1):
        alpha = [optimal_vertex_coefficients(n, kept)[0] for kept in combinations(edges, count)]
        found.append((sum(alpha, Fraction(0)), sum((a * a for a in alpha), Fraction(0))))
    return found


def _vertex_moments(n: int, edges: Sequence[tuple[int, int]], p: Fraction) -> tuple[Fraction, Fraction]:
    """Return the moments of alpha_0 if each edge is lost with probability p."""
    sums = _vertex_sums(n, tuple(edges))
    weights = [p ** (len(edges) - count) * (1 - p) ** count for count in range(len(edges) + 1)]
    first = sum((w * s for w, (s, _) in zip(weights, sums, strict=True)), Fraction(0))
    return first, sum((w * s for w, (_, s) in zip(weights, sums, strict=True)), Fraction(0))


def _graph_parameters(gap: int, p: Fraction) -> tuple[Any, Any, Any]:
    """Return 1 - p e^(1/lambda), the largest epsilon that the second condition allows, and t."""
    survive = 1 - p * BALLS.exp(Fraction(1, gap))
    epsilon = (Fraction(gap, 2) + 1) * survive - 1
    power = BALLS.exp(BALLS.log(BALLS.number(p)) * gap * (1 - 1 / (3 + epsilon)))
    return survive, epsilon, BALLS.exp(2) * power / survive**2
