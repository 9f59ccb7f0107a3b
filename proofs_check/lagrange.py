"""Lagrange coded computing: thresholds, the trade-off between losses, lies and secrets, and rounding over the reals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from codedtheory.arithmetic import Ball, ball, maximum, modular, rank
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    less_than,
    not_equal,
    published,
    sweep,
)
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import BerrutCode, LagrangeCode, ambiguous_data, exact_threshold
from codedtheory.coding.linear_encodings import linear_encoding_threshold

SOURCE = published(
    "Yu, Li, Raviv, Mousavi Kalan, Soltanolkotabi & Avestimehr 2019", wording="recalled", arxiv="1806.00939"
)
FIELD = modular(17)
BALLS = ball(128)
SINGLE = BALLS.number("1/16777216")


@claim(
    "lcc.threshold",
    statement=r"f \text{ of total degree } d: \text{ any } d(K-1)+1 \text{ answers } f(u(a_i)) \text{ determine all } "
    r"f(X_j), \text{ and no } d(K-1) \text{ of them do}",
    source=SOURCE,
    over=sweep(
        "1 <= K <= 4",
        "1 <= d <= 3",
        "d * (K - 1) + 1 <= N <= d * (K - 1) + 3",
        "F in subsets(N, d * (K - 1) + 1)",
        default="K <= 3",
        quick="d * K <= 6",
    ),
    hypotheses="the field GF(17)",
    method="f(u) has degree d(K-1): decoding is checked on the powers that span such polynomials. Without any one of "
    "the answers there are data with f = 0 at all others, as for zeros, but f(X_1) different from 0.",
)
def lcc_threshold(K: int, d: int, N: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """Lagrange coding decodes maps of degree d from any d(K-1)+1 answers, and from no fewer."""
    code = LagrangeCode(K, N, arithmetic=FIELD)
    at_workers, at_data = (points.over(FIELD) for points in (code.worker_points, code.data_points))
    decoding = code.decoding_matrix(F, d)
    for power in range(d * (K - 1) + 1):
        decoded = decoding @ at_workers[list(F)] ** power
        yield from (equal(decoded[j], at_data[j] ** power, f"power {power}, block {j}") for j in range(K))
    for missing in F if K > 1 else ():
        others = [i for i in F if i != missing]
        X = ambiguous_data(code, others, d)
        answers = _products(code.encode(X))
        yield from (equal(answers[i], 0, f"answer {i} without {missing}") for i in others)
        yield not_equal(_products(X)[0], 0, f"f(X_1) without {missing}")


@claim(
    "lcc.threshold.repetition",
    statement=r"K\ge2:\quad d(K-1)+1\le N-\lfloor N/K\rfloor+1 \iff N\ge dK-1",
    source=SOURCE,
    method="With N = qK + r repetition waits for q(K-1) + r + 1 answers. The cases are q >= d, q = d - 1 with "
    "r = K - 1, q = d - 1 with r < K - 1, and q < d - 1; m, r, u, v are non-negative.",
)
def lcc_threshold_repetition() -> Iterator[Comparison]:
    """Lagrange coding waits for no more answers than repetition iff N is at least dK-1."""
    m, r, u, v = nonnegative("m r u v")
    d = 1 + v

    def thresholds(q: Any, r: Any, K: Any) -> tuple[Any, Any]:
        return q * (K - 1) + r + 1, d * (K - 1) + 1

    yield at_least(*thresholds(d + m, r, 2 + u), "N at least dK")
    yield equal(*thresholds(d - 1, 1 + u, 2 + u), "N = dK - 1")
    yield less_than(*thresholds(d - 1, r, 2 + r + u), "q = d - 1, r below K - 1")
    yield less_than(*thresholds(d - 2 - m, r, 2 + r + u), "q below d - 1, r below K - 1")
    yield less_than(*thresholds(d - 2 - m, 1 + r, 2 + r), "q below d - 1, r = K - 1")


@claim(
    "lcc.threshold.converse",
    statement=r"\text{any } N \text{ linear combinations of } K \text{ blocks over } \mathbb F_p: \text{ the least } m "
    r"\text{ with all } f(X_j) \text{ linear in any } m \text{ answers is} "
    r"\ \ge\min\{d(K-1)+1,\,N-\lfloor N/K\rfloor+1\}",
    source=SOURCE,
    over=sweep(
        "2 <= K <= 3",
        "1 <= d <= 4",
        "K <= N <= 8",
        p=(2, 3, 5),
        default=("K == 2 or p == 2 and N <= 6", "d <= 3", "N <= 6"),
        full=("K == 2 or p < 5 and d < 4 and N < 6 or p == 2", "p < 5 or N <= 6"),
        quick=("K == 2", "N <= 4"),
    ),
    method="All multisets of N points of the projective space, and all sets of answers, for the map x_1 x_2 ... x_d of "
    "the entries of a block; ranks over the field.",
)
def lcc_threshold_converse(K: int, d: int, N: int, p: int) -> Comparison:
    """Few blocks over small fields: no linear encoding beats both Lagrange and repetition."""
    thresholds = (linear_encoding_threshold(E, d, modular(p)) for E in _encodings(K, N, p))
    return at_least(min(m for m in thresholds if m), exact_threshold(N, K, d)[0])


@claim(
    "lcc.tradeoff",
    statement=r"d(K+T-1)+S+2A+1\le N:\quad S \text{ lost and } A \text{ wrong answers are survived}",
    source=SOURCE,
    over=sweep(
        "1 <= K <= 3",
        "0 <= T <= 2",
        "1 <= d <= 2",
        "0 <= S <= 2",
        "0 <= A <= 2",
        "D in subsets(d * (K + T - 1) + S + 2 * A + 1, S)",
        "E in subsets(d * (K + T - 1) + 2 * A + 1, A)",
        full="K + T + A <= 5",
        default=("T <= 1", "A <= 1", "K + T + S <= 4"),
        quick=("d * (K + T) <= 3", "S <= 1"),
    ),
    hypotheses="the field GF(17); one set of data, and one wrong value for each liar",
    method="N = d(K+T-1)+S+2A+1 workers; every set D of lost and every set E of wrong ones, located by Welch and "
    "Berlekamp's equations. That any d(K+T-1)+1 answers fix the polynomial is lcc.threshold; so two polynomials that "
    "differ from the answers in A places each are one.",
)
def lcc_tradeoff(
    K: int, T: int, d: int, S: int, A: int, D: tuple[int, ...], E: tuple[int, ...]
) -> Iterator[Comparison]:
    """Lagrange coding survives S stragglers and A liars if d(K+T-1)+S+2A+1 is at most N."""
    N = d * (K + T - 1) + S + 2 * A + 1
    code = LagrangeCode(K, N, privacy=T, arithmetic=FIELD)
    X = FIELD.array([[1 + j * j + 3 * k for k in range(d)] for j in range(K + T)])
    alive = [i for i in range(N) if i not in D]
    answers = _products(_shares(code, X))[alive]
    for position in E:
        answers[position] = answers[position] + 1 + position
    decoded = code.decode(answers, alive, d, errors=A)
    yield from (equal(decoded[j], _products(X)[j], f"block {j}") for j in range(K))


@claim(
    "lcc.tradeoff.tight",
    statement=r"d(K+T-1)+S+2A=N: \text{ two data sets with different } f(X_1) "
    r"\text{ have a common set of answers that differs from the true ones of each in at most } A \text{ places}",
    source=derived("data that d(K+T-1) answers can't tell apart; of the other 2A half are taken from each"),
    over=sweep(
        "1 <= K <= 3",
        "0 <= T <= 2",
        "1 <= d <= 2",
        "0 <= A <= 2",
        "F in subsets(d * (K + T - 1) + 1 + 2 * A, d * (K + T - 1) + 2 * A)",
        where="K + T >= 2",
        default=("T <= 1", "A <= 1"),
        quick="d * (K + T) <= 4",
    ),
    method="Over GF(17), one worker more than answers, zeros being the other data set.",
)
def lcc_tradeoff_tight(K: int, T: int, d: int, A: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """With one worker fewer than the trade-off asks for, A liars can hide which data it was."""
    code = LagrangeCode(K, len(F) + 1, privacy=T, arithmetic=FIELD)
    X = ambiguous_data(code, F[: d * (K + T - 1)], d)
    true = _products(_shares(code, X))[list(F)]
    received = true.copy()
    received[len(F) - A :] = FIELD.zeros(A)
    yield at_most(sum(a != b for a, b in zip(received, true, strict=True)), A, "wrong for the data")
    yield at_most(sum(a != 0 for a in received), A, "wrong for zeros")
    yield not_equal(_products(X)[0], 0, "f(X_1)")


@claim(
    "lcc.tradeoff.privacy",
    statement=r"\text{the masks of any } T \text{ workers are independent, so that } T \text{ workers learn nothing; "
    r"those of } T+1 \text{ are not, so that } T+1 \text{ workers learn a combination of the data}",
    source=SOURCE,
    over=sweep(
        "1 <= K <= 3",
        "1 <= T <= 3",
        "K + T <= N <= 9",
        "F in subsets(N, T + 1)",
        default=("N <= 7",),
        quick="N <= 5",
    ),
    hypotheses="masks that are uniform over GF(17) and independent of the data",
    method="Ranks of the columns of the masks in the encoding matrix, and of all its columns.",
)
def lcc_tradeoff_privacy(K: int, T: int, N: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """With T masks any T workers learn nothing about the data, and any T+1 learn something."""
    rows = LagrangeCode(K, N, privacy=T, arithmetic=FIELD).encoding_matrix()[list(F)]
    for i in range(T + 1):
        yield equal(rank(np.delete(rows[:, K:], i, axis=0)), T, f"masks of all but worker {F[i]}")
    yield equal(rank(rows[:, K:]), T, "masks of T + 1 workers")
    yield equal(rank(rows), T + 1, "what T + 1 workers hold")


@claim(
    "lcc.tradeoff.converse",
    statement=r"\text{whatever the scheme, } S \text{ stragglers are survived only if } d(K-1)+S+1\le N",
    source=derived("the trade-off of Lagrange coding read as a bound for all schemes, with A = T = 0"),
    over=sweep("2 <= K <= 4", "1 <= d <= 4", "2 * K <= N <= 12", quick="K == 2"),
    expected="fails",
    corrected_by="lcc.threshold.converse",
    method="S is what repetition survives, by going through all sets of answers.",
)
def lcc_tradeoff_converse(K: int, d: int, N: int) -> Comparison:
    """No scheme whatever would survive more stragglers than Lagrange coding does."""
    repetition = np.eye(K, dtype=int)[np.arange(N) % K].tolist()
    threshold = linear_encoding_threshold(repetition, d, FIELD)
    assert threshold is not None
    return at_most(d * (K - 1) + (N - threshold) + 1, N)


@claim(
    "lcc.real",
    statement=r"N=d(K-1)+13 \text{ workers at } \cos\tfrac{i\pi}{N-1}, \text{ the last 12 lost}, f(x)=x^d, "
    r"X_j=\cos\tfrac{(2j-1)\pi}{2K},\ |\epsilon_i|\le2^{-24}:\quad "
    r"\text{error}_{\mathrm{BACC}}<\sup_\epsilon\text{error}_{\mathrm{LCC}}",
    source=derived(
        "decoding extrapolates a polynomial of degree d(K-1), but only a rational function that stays bounded"
    ),
    over=sweep("4 <= K <= 8", "2 <= d <= 5", quick="K <= 5"),
    hypotheses="answers are off by relative errors of at most 2^-24 each, any of which occur; nothing else is rounded",
    method="Balls. LCC: 2^-24 times the largest sum of |G_ji y_i|, which some errors attain. BACC: error without "
    "rounding plus the like sum.",
)
def lcc_real(K: int, d: int) -> Comparison:
    """Twelve answers lost at one end: in single precision Berrut's code is closer."""
    lagrange, berrut = _codes_of_losing(K, d, 12)
    return less_than(berrut.error + berrut.rounding, lagrange.rounding)


@claim(
    "lcc.real.few",
    statement=r"\text{the same with the last } s\le3 \text{ of } d(K-1)+1+s \text{ workers lost, unless every data "
    r"point is a worker's}:\quad \sup_\epsilon\text{error}_{\mathrm{LCC}}<\text{error}_{\mathrm{BACC}}",
    source=derived("with few losses on Chebyshev points decoding is well conditioned"),
    over=sweep("4 <= K <= 8", "2 <= d <= 5", "0 <= s <= 3", where="(d * (K - 1) + s) % (2 * K) != 0", quick="K <= 4"),
    hypotheses="answers are off by relative errors of at most 2^-24 each; nothing else is rounded",
    method="Balls; the error of Berrut's code without any rounding.",
)
def lcc_real_few(K: int, d: int, s: int) -> Comparison:
    """At most three answers lost at one end: Lagrange's code is closer in single precision, too."""
    lagrange, berrut = _codes_of_losing(K, d, s)
    return less_than(lagrange.rounding, berrut.error)


@claim(
    "lcc.real.condition",
    statement=r"\max_F\|G_F^{\mathrm{LCC}}\|_\infty\ge4\max_F\|G_F^{\mathrm{BACC}}\|_\infty, \quad "
    r"|F|=d(K-1)+1,\ N=|F|+s,\ s\ge2",
    source=derived("enumeration of all sets of survivors"),
    over=sweep(
        "2 <= K <= 4",
        "1 <= d <= 4",
        "2 <= s <= 4",
        where="2 <= d * (K - 1) <= 8",
        full="d * (K - 1) + s <= 11",
        default="d * (K - 1) + s <= 8",
        quick="d * (K - 1) + s <= 6",
    ),
    method="Balls; Chebyshev points of the second kind for the workers, of the first for the data.",
)
def lcc_real_condition(K: int, d: int, s: int) -> Comparison:
    """From two stragglers on Lagrange's worst decoding amplifies 4 times as much as Berrut's."""
    N = d * (K - 1) + 1 + s
    lagrange = LagrangeCode(K, N, arithmetic=BALLS).worst_condition_number(d)
    berrut = BerrutCode(K, N, arithmetic=BALLS).worst_condition_number(s)
    return at_least(lagrange.value, 4 * berrut.value)


class _Accuracy:
    """Error of a decoder without rounding, and the largest error that rounded answers can add."""

    def __init__(self, decoding: Any, answers: Any, true: Any) -> None:
        self.error: Ball = maximum(np.abs(decoding @ answers - true))
        self.rounding: Ball = SINGLE * maximum(np.abs(decoding) @ np.abs(answers))


def _codes_of_losing(K: int, d: int, s: int) -> tuple[_Accuracy, _Accuracy]:
    N = d * (K - 1) + 1 + s
    lagrange, berrut = LagrangeCode(K, N, arithmetic=BALLS), BerrutCode(K, N, arithmetic=BALLS)
    X, alive = lagrange.data_points.over(BALLS), list(range(N - s))
    return (
        _Accuracy(lagrange.decoding_matrix(alive, d), lagrange.encode(X)[alive] ** d, X**d),
        _Accuracy(berrut.decoding_matrix(alive), berrut.encode(X)[alive] ** d, X**d),
    )


def _shares(code: LagrangeCode, X: Any) -> Any:
    """Return what the workers get of blocks of data that are followed by masks."""
    return code.encode(X[: code.data_blocks], masks=X[code.data_blocks :] if code.privacy else None)


def _products(blocks: Any) -> Any:
    return np.prod(blocks, axis=1)


def _encodings(K: int, N: int, p: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Iterate over the multisets of N points of the projective space over GF(p)."""
    points = [v for v in product(range(p), repeat=K) if next((x for x in v if x), 0) == 1]
    return combinations_with_replacement(points, N)
