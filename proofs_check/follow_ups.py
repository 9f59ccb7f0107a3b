"""Schemes that followed Berrut's code: weights over finite fields, and points that do not match."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Ball, ball, cyclotomic, maximum, modular
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    not_equal,
    sweep,
)
from codedtheory.coding import BerrutCode
from codedtheory.interpolation import chebyshev_second, floater_hormann_weights

BALLS = ball(128)
OUR_READING = derived(
    "our reading of a scheme with Floater-Hormann weights that is offered for finite fields and as free of poles",
    arxiv="2509.09435",
)
IN_FIELD = r"x_0<\dots<x_n \in \{0,\dots,p-1\}, w_k \text{ of Floater and Hormann}, d="
PRIMES = "p in (2, 3, 5, 7, 11)"


# -- finite fields --------------------------------------------------------------------------------------


@claim(
    "bri.finitefield",
    statement=IN_FIELD + r"0: \quad \#\{x\in\mathbb F_p: D(x)=0\}=0",
    source=OUR_READING,
    over=sweep(
        "2 <= p <= 11",
        "1 <= n < p",
        "S in subsets(p, n + 1)",
        where=PRIMES,
        default="p < 11",
        quick="p < 7",
    ),
    expected="fails",
    corrected_by="bri.finitefield.checked",
    method="D at every element that is no node. Freedom from poles is a matter of order, and fields have none.",
)
def bri_finitefield(p: int, n: int, S: tuple[int, ...]) -> Comparison:
    """Berrut's interpolants would have no poles over finite fields either."""
    return equal(len(_zeros(p, S, 0)), 0)


@claim(
    "bri.finitefield.d1",
    statement=IN_FIELD + r"1: \quad \#\{x\in\mathbb F_p: D(x)=0\}=0",
    source=OUR_READING,
    over=sweep(
        "2 <= p <= 11",
        "1 <= n < p",
        "S in subsets(p, n + 1)",
        where=PRIMES,
        default="p < 11",
        quick="p < 7",
    ),
    expected="fails",
    corrected_by="bri.finitefield.checked",
    method="As for bri.finitefield; distances are those of the representatives 0, ..., p - 1.",
)
def bri_finitefield_d1(p: int, n: int, S: tuple[int, ...]) -> Comparison:
    """Floater and Hormann's interpolants of degree 1 would have no poles over finite fields."""
    return equal(len(_zeros(p, S, 1)), 0)


@claim(
    "bri.finitefield.d2",
    statement=IN_FIELD + r"2: \quad \#\{x\in\mathbb F_p: D(x)=0\}=0",
    source=OUR_READING,
    over=sweep(
        "2 <= p <= 11",
        "2 <= n < p",
        "S in subsets(p, n + 1)",
        where=PRIMES,
        default="p < 11",
        quick="p < 11",
    ),
    expected="fails",
    corrected_by="bri.finitefield.checked",
    method="As for bri.finitefield; distances are those of the representatives 0, ..., p - 1.",
)
def bri_finitefield_d2(p: int, n: int, S: tuple[int, ...]) -> Comparison:
    """Floater and Hormann's interpolants of degree 2 would have no poles over finite fields."""
    return equal(len(_zeros(p, S, 2)), 0)


@claim(
    "bri.finitefield.weights",
    statement=IN_FIELD + r"2: \quad w_k\ne0 \text{ for all } k",
    source=OUR_READING,
    over=sweep(
        "2 <= p <= 11",
        "2 <= n < p",
        "S in subsets(p, n + 1)",
        where=PRIMES,
        default="p < 11",
        quick="p < 11",
    ),
    expected="fails",
    corrected_by="bri.finitefield.checked",
    method="The weights themselves. Where one vanishes its answer is ignored, and the interpolant misses it.",
)
def bri_finitefield_weights(p: int, n: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """Over finite fields no weight of degree 2 would vanish."""
    for k, weight in enumerate(floater_hormann_weights(S, 2).over(modular(p))):
        yield not_equal(weight, 0, f"weight {k}")


@claim(
    "bri.finitefield.checked",
    statement=IN_FIELD + r"0,\dots,n: \quad D \text{ has at most } 2\lfloor\tfrac{n-d}2\rfloor \text{ zeros, and} "
    r"\ \sum_k\tfrac{w_kx_k^m}{x-x_k}=x^mD(x) \text{ for } m\le d",
    source=derived(
        "D times the product of the x - x_k has degree n - d, and one less if that is odd; the rest is algebra"
    ),
    over=sweep(
        "2 <= p <= 11",
        "1 <= n < p",
        "0 <= d <= n",
        "S in subsets(p, n + 1)",
        where=PRIMES,
        default="p < 11",
        quick="p < 7",
    ),
    method="At every element that is no node: decoding works there unless D vanishes, which has to be checked.",
)
def bri_finitefield_checked(p: int, n: int, d: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """Over finite fields D has at most n - d zeros; off them degree d is exact."""
    yield at_most(len(_zeros(p, S, d)), 2 * ((n - d) // 2), "zeros")
    field = modular(p)
    for x in _others(p, S):
        terms = _terms(p, S, d, x)
        for m in range(d + 1):
            weighted = (terms * field.array(S) ** m).sum()
            yield equal(weighted, terms.sum() * x**m, f"x = {x}, power {m}")


# -- points that do not match -----------------------------------------------------------------------------


@claim(
    "approxifer.node",
    statement=r"K=12,\ 27 \text{ workers},\ f(x)=x\sin x,\ X_j=\cos(q+j) \text{ or } \sin(q+j): "
    r"\text{ error } \le\tfrac1{16} \text{ with } \cos\tfrac{i\pi}{26} \text{ throughout, at least 6 times as large if "
    r"decoded with } \cos\tfrac{i\pi}{27}",
    source=derived("one released program encodes at the one and decodes at the other points", arxiv="2109.09868"),
    over=sweep("0 <= q <= 7", wave=("cos", "sin"), quick="q == 0"),
    hypotheses="no straggler; j = 0, ..., 11",
    method="Largest error over the blocks, in balls.",
)
def approxifer_node(q: int, wave: str) -> Iterator[Comparison]:
    """Decoding at other Chebyshev points than those the workers had spoils Berrut's code."""
    X = np.array([_wave(BALLS.number(q + j), wave) for j in range(12)], dtype=object)
    matched, mismatched = _errors_with_points(X, 27, lambda x: x * x.sin())
    yield at_most(matched, Fraction(1, 16), "points match")
    yield at_least(mismatched, 6 * matched, "points differ")


@claim(
    "approxifer.node.linear",
    statement=r"K=2,\ W \text{ workers},\ W \text{ even},\ f(x)=x: \text{ exact with } \cos\tfrac{i\pi}{W-1} "
    r"\text{ throughout, error } \ge\tfrac3{2W} \text{ if decoded with } \cos\tfrac{i\pi}W",
    source=derived("lines are reproduced from an even number of nodes, and points move by order 1/W"),
    over=sweep("4 <= W <= 40", where="W % 2 == 0", default="W <= 12", quick="W <= 6"),
    hypotheses="no straggler; X = (1, -1)",
    method="Without mismatch in a cyclotomic field, with mismatch in balls.",
)
def approxifer_node_linear(W: int) -> Iterator[Comparison]:
    """Points that differ cost an error of order 1/W even where decoding would be exact."""
    code = BerrutCode(2, W, arithmetic=cyclotomic(math.lcm(8, 2 * (W - 1))))
    yield from (
        equal(y, x, "points match") for x, y in zip((1, -1), code.decode(code.encode([1, -1]), range(W)), strict=True)
    )
    _, mismatched = _errors_with_points(BALLS.array([1, -1]), W, lambda x: x)
    yield at_least(mismatched, Fraction(3, 2 * W), "points differ")


def _others(p: int, S: tuple[int, ...]) -> list[int]:
    return [x for x in range(p) if x not in S]


def _terms(p: int, S: tuple[int, ...], d: int, x: int) -> Any:
    field = modular(p)
    return floater_hormann_weights(S, d).over(field) / (x - field.array(S))


def _zeros(p: int, S: tuple[int, ...], d: int) -> list[int]:
    return [x for x in _others(p, S) if _terms(p, S, d, x).sum() == 0]


def _errors_with_points(X: Any, W: int, f: Any) -> tuple[Ball, Ball]:
    """Return the largest error of decoding at the workers' points, and at the first W of one more."""
    code = BerrutCode(len(X), W, arithmetic=BALLS)
    other = BerrutCode(len(X), W, worker_points=chebyshev_second(W + 1).take(range(W)), arithmetic=BALLS)
    answers, true = (np.array([f(x) for x in values], dtype=object) for values in (code.encode(X), X))
    matched, mismatched = (maximum(np.abs(c.decode(answers, range(W)) - true)) for c in (code, other))
    return matched, mismatched


def _wave(x: Ball, wave: str) -> Ball:
    return x.cos() if wave == "cos" else x.sin()
