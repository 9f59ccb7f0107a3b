"""Coded polynomial aggregation: the least number of answers from which a weighted sum of polynomial values follows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from codedtheory.arithmetic import EXACT, modular
from codedtheory.arithmetic.rational_polynomials import count_real_roots
from codedtheory.claims import Comparison, at_least, claim, derived, equal, not_equal, published, sweep
from codedtheory.coding import aggregation_weights, minimum_responses
from codedtheory.coding.linear_encodings import determines
from codedtheory.coding.responder_polynomials import real_responder_polynomial, responder_polynomials

SCOPE = (
    "Lagrange's encoder; one fixed set of responders, off the data points and chosen to suit the weights; "
    "f any polynomial of total degree d"
)


@claim(
    "cpa.min",
    statement=r"\text{least number of answers that give } \sum_jw_jf(X_j):\quad "
    r"\lfloor\tfrac{K-1}2\rfloor+1\ (d=1),\qquad (d-1)(K-1)+1\ (d\ge2)",
    source=published(
        "Zhong, Kliewer & Ji 2026, Fundamental Limits of Coded Polynomial Aggregation",
        wording="seen",
        arxiv="2601.10028",
    ),
    over=sweep(
        "2 <= K <= 6",
        "1 <= d <= 5",
        "B in subsets(6, K)",
        "0 <= h < K",
        "H in subsets(K, h)",
        full="K < 6 or d < 4",
        default=("K <= 4", "d <= 3", "max(B) < 5"),
        quick=("K <= 3", "max(B) < 4"),
    ),
    hypotheses=SCOPE + "; for d = 1 weights of one sign (here 2 on H and 1 elsewhere), real numbers",
    method="Responders are zeros of polynomials A that the weights make orthogonal to powers. With one answer fewer "
    "every such A is a multiple of the product over the data points; with the stated number there is one with "
    "distinct real zeros off the data (Sturm). Rational arithmetic.",
)
def cpa_min(K: int, d: int, B: tuple[int, ...], h: int, H: tuple[int, ...]) -> Iterator[Comparison]:
    """A weighted sum of polynomial values needs so many answers, and some real ones suffice."""
    weights = [2 if j in H else 1 for j in range(K)]
    yield from _is_least(B, d, weights)


@claim(
    "cpa.min.weights",
    statement=r"d\ge2: \text{ the same number } (d-1)(K-1)+1 \text{ for weights of any signs, none of them } 0, "
    r"\text{ over the reals}",
    source=derived("prod(x - beta_j)M + cB with B(beta_j) prescribed keeps its zeros real and distinct for small c"),
    over=sweep(
        "2 <= K <= 5",
        "2 <= d <= 5",
        "B in subsets(6, K)",
        "0 <= h < K",
        "H in subsets(K, h)",
        default=("K <= 4", "d <= 3", "max(B) < 5"),
        quick=("K <= 3", "max(B) < 4"),
    ),
    hypotheses=SCOPE,
    method="As for cpa.min, with weights -2 on H and 1 elsewhere.",
)
def cpa_min_weights(K: int, d: int, B: tuple[int, ...], h: int, H: tuple[int, ...]) -> Iterator[Comparison]:
    """From degree 2 on the least number of answers does not depend on the signs of the weights."""
    weights = [-2 if j in H else 1 for j in range(K)]
    yield from _is_least(B, d, weights)


@claim(
    "cpa.min.real",
    statement=r"d=1,\ K=4,\ \text{any generic non-zero real weights}: \text{ two real responders suffice}",
    source=derived("the least number of answers read over the reals, without a condition on the weights"),
    over=sweep("2 <= w <= 40", where="w != 9", quick="w <= 12"),
    expected="fails",
    corrected_by="cpa.min",
    hypotheses=SCOPE + "; data points -3, -1, 1, 3 with weights 1, -w, -w, 1",
    method="The responders are the zeros of the only polynomial of degree 2 that is orthogonal to lines; counted by "
    "Sturm's theorem.",
)
def cpa_min_real(w: int) -> Iterator[Comparison]:
    """Over the reals two answers would give any weighted sum of four linear values."""
    polynomials = responder_polynomials(LINE, 1, 2, [1, -w, -w, 1])
    yield equal(polynomials.shape[1], 1, "polynomials up to a factor")
    yield equal(count_real_roots(list(polynomials[:, 0])), 2, "real responders")


@claim(
    "cpa.min.real.odd",
    statement=r"d=1,\ K=5,\ \beta=(-2,-1,0,1,2),\ w=(1,-8,22,-8,1): \text{ no three real responders suffice}",
    source=derived("all candidates are p + cq with p/q increasing on the whole line"),
    hypotheses=SCOPE,
    method="Sturm's theorem: neither q nor p'q - pq' has a real zero, so that p + cq has one real zero for every c.",
)
def cpa_min_real_odd() -> Iterator[Comparison]:
    """Five blocks: weights of mixed signs, too, can need more answers over the reals."""
    polynomials = responder_polynomials([-2, -1, 0, 1, 2], 1, 3, [1, -8, 22, -8, 1])
    yield equal(polynomials.shape[1], 2, "polynomials q and p")
    q, p = polynomials[:, 0], polynomials[:, 1]
    yield equal(q[3], 0, "q has degree 2")
    yield equal(count_real_roots(list(q)), 0, "zeros of q")
    yield equal(count_real_roots(_minus(_times(_slope(p), q), _times(p, _slope(q)))), 0, "critical points of p/q")
    yield equal(count_real_roots(list(p)), 1, "zeros of p")


@claim(
    "cpa.min.field",
    statement=r"d=1,\ \beta=(-3,-1,1,3),\ w=(-\tfrac12,1,1,-\tfrac12) \text{ over } \mathbb F_p: "
    r"\text{ two responders suffice iff } -7 \text{ is a square}",
    source=derived("the responders are the zeros of x^2 + 7"),
    over=sweep(
        "11 <= p <= 61",
        where="p in (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)",
        quick="p <= 31",
        default="p <= 43",
    ),
    hypotheses=SCOPE,
    method="All pairs of elements off the data points; squares by Euler's criterion.",
)
def cpa_min_field(p: int) -> Comparison:
    """Over finite fields, too, the least number of answers may depend on the weights."""
    field = modular(p)
    points = [x % p for x in LINE]
    pairs = combinations([a for a in range(p) if a not in points], 2)
    weights = (aggregation_weights(pair, points, 1, ["-1/2", 1, 1, "-1/2"], field) for pair in pairs)
    return equal(sum(c is not None for c in weights), 1 if pow(-7, (p - 1) // 2, p) == 1 else 0)


@claim(
    "cpa.min.schemes",
    statement=r"\text{whatever the scheme, } \sum_jw_jf(X_j) \text{ needs } \lfloor\tfrac{K-1}2\rfloor+1\ (d=1), "
    r"(d-1)(K-1)+1\ (d\ge2) \text{ answers}",
    source=derived("the least number of answers read as a bound for all encoders"),
    over=sweep("2 <= K <= 6", "1 <= d <= 4", quick="K <= 4"),
    expected="fails",
    corrected_by="cpa.min",
    method="For d = 1 one worker that holds the weighted sum of the blocks, else K workers with a block each; that "
    "these answers suffice by ranks over the rationals.",
)
def cpa_min_schemes(K: int, d: int) -> Iterator[Comparison]:
    """No scheme whatever would give a weighted sum from fewer answers."""
    weights = list(range(1, K + 1))
    rows = [weights] if d == 1 else [[int(i == j) for j in range(K)] for i in range(K)]
    yield equal(int(determines(rows, weights, d)), 1, "the answers suffice")
    yield at_least(len(rows), minimum_responses(K, d), "answers")


LINE = [-3, -1, 1, 3]


def _is_least(data_points: tuple[int, ...], d: int, weights: list[int]) -> Iterator[Comparison]:
    K, m = len(data_points), minimum_responses(len(data_points), d)
    fewer = responder_polynomials(data_points, d, m - 1, weights)
    yield equal(fewer.shape[1], max(0, m - K), "with one answer fewer: multiples of the product over the data points")
    found = real_responder_polynomial(data_points, d, weights)
    values = [sum(c * EXACT.number(x) ** i for i, c in enumerate(found)) for x in data_points]
    for power in range(d * (K - 1) - m + 1):
        moment = sum(w * v * x**power for w, v, x in zip(weights, values, data_points, strict=True))
        yield equal(moment, 0, f"orthogonal to power {power}")
    yield equal(count_real_roots(list(found)), m, "real responders")
    for x, value in zip(data_points, values, strict=True):
        yield not_equal(value, 0, f"no responder at {x}")


def _slope(polynomial: Any) -> list[Any]:
    return [i * c for i, c in enumerate(polynomial)][1:]


def _times(one: Any, other: Any) -> list[Any]:
    product = [EXACT.number(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for k, b in enumerate(other):
            product[i + k] = product[i + k] + a * b
    return product


def _minus(one: list[Any], other: list[Any]) -> list[Any]:
    return [a - b for a, b in zip(one, other, strict=True)]
