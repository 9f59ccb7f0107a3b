"""Training with Berrut approximated coded computing: how long a step takes, and what its gradient estimates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, lcm
from typing import Any

import numpy as np

from codedtheory.arithmetic import cyclotomic
from codedtheory.claims import Comparison, claim, derived, equal, not_equal, sweep
from codedtheory.coding import BerrutCode, expected_step_time, harmonic_number

TIME_MODEL = (
    r"\text{worker time} = \text{load}\cdot t_c+\text{exponential delay of mean }\vartheta,\ "
    r"W-s \text{ replies awaited}:\quad "
)


@claim(
    "bacc.train.load",
    statement=TIME_MODEL + r"\mathbb E\,T_{\mathrm{repetition}}-\mathbb E\,T_{\mathrm{BACC}}=s\,t_c,\quad "
    r"\mathbb E\,T_{\mathrm{uncoded}}=\mathbb E\,T_{\mathrm{BACC}},\quad "
    r"\mathbb E\,T_{\mathrm{all}}-\mathbb E\,T_{\mathrm{BACC}}=\vartheta H_s",
    source=derived("a worker of the repetition scheme computes s + 1 mini-batches, one of BACC a single coded one"),
    over=sweep(
        "1 <= W <= 40",
        "0 <= s < W",
        default="W <= 20",
        quick="W <= 8",
        t=(0, 1, Fraction(7, 3)),
        mean=(0, 1, Fraction(5, 2)),
    ),
    method="In rational arithmetic. All times are linear in t_c and the mean delay, so that the values 0 and 1 decide.",
)
def bacc_train_load(W: int, s: int, t: Fraction, mean: Fraction) -> Iterator[Comparison]:
    """A step of BACC is faster than one of repetition by the time of s mini-batches."""
    bacc, uncoded, repetition, everyone = (
        expected_step_time(scheme, W, s, t, mean) for scheme in ("bacc", "uncoded", "repetition", "wait_for_all")
    )
    yield equal(repetition - bacc, s * t, "repetition")
    yield equal(uncoded, bacc, "uncoded")
    yield equal(everyone - bacc, mean * harmonic_number(s), "waiting for all")


@claim(
    "bacc.train.load.wait",
    statement=TIME_MODEL + r"t_c=0, \vartheta=1:\quad \mathbb E\,T=\int_0^\infty P(\text{fewer than } W-s "
    r"\text{ replies by } t)\,dt=H_W-H_s",
    source=derived("replies by t are binomial, and the integral of (1-e^{-t})^i e^{-(W-i)t} is a Beta function"),
    over=sweep("1 <= W <= 40", "0 <= s < W", default="W <= 20", quick="W <= 8"),
    method="The integral term by term in rational arithmetic.",
)
def bacc_train_load_wait(W: int, s: int) -> Comparison:
    """The expected wait for the first replies is a difference of harmonic numbers."""
    wait = sum(comb(W, i) * Fraction(factorial(i) * factorial(W - i - 1), factorial(W)) for i in range(W - s))
    return equal(wait, expected_step_time("bacc", W, s, 0, 1))


@claim(
    "bacc.train.bias",
    statement=r"K=2, \text{ gradients } x(x-y) \text{ of } \tfrac12(\theta x-y)^2 \text{ at } \theta=1, "
    r"(x,y)\in\{(1,1),(2,0)\}, s\ge1:\quad \frac1{\binom Ws}\sum_F\hat g_F\ne g",
    source=derived("the coded gradient is a quadratic polynomial of z, which Berrut's interpolant does not reproduce"),
    over=sweep("2 <= W <= 10", "1 <= s < W", default="W <= 7", quick="W <= 4"),
    method="The mean over all straggler sets in a cyclotomic field.",
    cost="comb(W, s)",
)
def bacc_train_bias(W: int, s: int) -> Comparison:
    """Even if all straggler sets are equally likely, the decoded gradient is biased."""
    estimates = _decoded_gradients(W, s, lambda x, y: x * (x - y))
    return not_equal(sum(estimates) / len(estimates), 2)


@claim(
    "bacc.train.bias.affine",
    statement=r"K=2, W-s \text{ even}, \text{ gradients } 3x-y+2 \text{ affine in the sample}:\quad \hat g_F=g "
    r"\text{ for every } F",
    source=derived("bacc.exact"),
    over=sweep("2 <= W <= 10", "0 <= s < W", where="(W - s) % 2 == 0", default="W <= 7", quick="W <= 4"),
    method="Every straggler set in a cyclotomic field.",
    cost="comb(W, s)",
)
def bacc_train_bias_affine(W: int, s: int) -> Iterator[Comparison]:
    """Gradients affine in the sample are decoded exactly from an even number of replies."""
    for estimate in _decoded_gradients(W, s, lambda x, y: 3 * x - y + 2):
        yield equal(estimate, 6)


def _decoded_gradients(W: int, s: int, gradient: Any) -> list[Any]:
    """Return the decoded gradient of every set of s stragglers, for the samples (1, 1) and (2, 0)."""
    code = BerrutCode(2, W, arithmetic=cyclotomic(lcm(8, 2 * (W - 1))))
    coded: np.ndarray[Any, Any] = gradient(code.encode([1, 2]), code.encode([1, 0]))
    return [code.gradient_weights(F) @ coded[list(F)] for F in combinations(range(W), W - s)]
