"""Proofs of the error bounds of Berrut approximated coded computing, for all numbers of workers and stragglers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal
from codedtheory.claims.angles import cosine, falling_sine, short_sine, sine
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation.alternating_tails import longer_tail

ALL = r"N\ge1,\ 0\le s\le N-1, \text{ every set of } s \text{ stragglers},\ x\in[-1,1],\ a=\tfrac\pi{2N}:\quad "


@claim(
    "bacc.error.sharp2.proof",
    statement=ALL
    + r"\frac1{|D(x)|}\le\max(\Gamma_{\mathrm{hull}},\Gamma_{\mathrm{off}}) \text{ of bacc.error.sharp2, and } "
    r"|h-r_F|\le\frac{\|h''\|+[N-s\text{ even}]\,\|h'\|}{|D|}",
    source=derived("berrut.den.sharp and cheb2.R.proof on the hull; beyond it the bound of berrut.den.offhull grows"),
    hypotheses="berrut.error.pointwise, berrut.den.sharp, berrut.den.offhull, cheb2.gap, cheb2.R.proof",
    method="M, A are the turns of ma, a. With S = sin^2(ma) and S' = sin^2((m+1)a) the bound beyond m lost workers is "
    "2/(1/S - 1/S'), and 1/S is convex in m. Every other gap of the survivors sums to at most 2.",
)
def bacc_error_sharp2_proof() -> Iterator[Comparison]:
    """The sharp error bound of BACC, for all N and s."""
    reciprocal, slope, curvature, excess = nonnegative("r h_1 h_2 u")
    numerator = curvature * (2 / (1 + excess)) / 2 + slope
    yield at_most(reciprocal * numerator, reciprocal * (curvature + slope), "half the sum of every other gap")
    (gap,), (rho, shorter, milder) = positive("g"), nonnegative("rho v w")
    inner = gap / 4 * (1 + rho / 2)
    yield at_most(inner, (gap + shorter) * (2 + rho + milder) / 8, "inner gap: a longer gap, a larger ratio")
    M, A = arbitrary("M A")
    S, larger = positive("S d")
    yield equal(1 - cosine(M**2), 2 * sine(M) ** 2, "z_0 - z_m")
    yield equal(sine(M * A) ** 2 - sine(M) ** 2, sine(M**2 * A) * sine(A), "S' - S")
    beyond = 2 * S * (1 + S / larger)
    yield equal(beyond, (2 * S) * (2 * (S + larger)) / (2 * larger), "two nearest survivors m and m + 1")
    yield equal(beyond, 2 / (1 / S - 1 / (S + larger)), "2/(1/S - 1/S')")
    yield equal(sine(M / A) * sine(M * A), sine(M) ** 2 - sine(A) ** 2, "neighbours of sin(ma)")
    (product,), (q, v, square) = positive("p"), nonnegative("q v b")
    yield at_least((q + v) ** 2 + q**2, 2 * q * (q + v), "1/S for m - 1 and m + 1: at least twice the geometric mean")
    yield at_least(2 / product, 2 / (product + square), "which is at least 2/S")


@claim(
    "bacc.error.mono.proof",
    statement=ALL + r"|h-r_F|\le\min\{2,\,2(s+2)\sin((s+1)a)\}\big(\|h''\|+[N-s\text{ even}]\,\|h'\|\big)",
    source=derived("the error is at most 2 whatever is lost; for N > (s+1)(s+2) holes are short compared with 1/a"),
    hypotheses="berrut.error.pointwise, berrut.den.sharp, berrut.den.offhull, cheb2.gap, cheb2.R.proof, cheb2.R.sharp, "
    "cheb2.beta",
    method="t = s + 1. If N <= t(t + 1), the bound is at least 2, since sin(ta)/t is at least sin(Na)/N = 1/N. Else "
    "1/|D| is bounded: beyond m lost workers by berrut.den.offhull, in an end gap by the gap, in an inner gap g by "
    "both neighbours, of which one is at least g/(t(t+2)) and the other at least g/(t+1), since cos((t+1)a) >= t/(t+1) "
    "for t >= 3.",
)
def bacc_error_mono_proof() -> Iterator[Comparison]:
    """The error bound of BACC with s + 1 for the ratio of adjacent gaps, for all N and s."""
    yield from _never_more_than_two()
    yield from falling_sine()
    (t,), (u,) = positive("t"), nonnegative("u")
    yield at_least(2 * (t + 1) * t / (t * (t + 1) / (1 + u)), 2, "the bound where N ≤ t(t + 1)")
    yield from _beyond_the_hull()
    yield from _inside_the_hull()


def _never_more_than_two() -> Iterator[Comparison]:
    """For n odd the error is half the sum G of every other gap over |D|; for n even 1/|D| itself is at most 2."""
    x, near, far = arbitrary("x x_i x_j")
    yield equal(1 / (x - near) - 1 / (x - far), -(far - near) / ((x - near) * (x - far)), "pair of neighbours")
    (g,), (u, v) = positive("g"), nonnegative("u v")
    d, e = 2 / (1 + u), 2 / (1 + v)
    yield at_least(g / (d * e), g / 4, "x between pairs, or outside the hull: |D| ≥ G/4")
    yield at_most(g / (2 * (g / 4 + u)), 2, "n odd, x between pairs or outside the hull")
    e, gap, tail, far = positive("e a T d_n")
    yield from induction(
        base=equal(longer_tail(far, 0), 1 / far, "one node"),
        step=at_least(longer_tail(e, longer_tail(e + gap, tail)), tail, "two nearer nodes"),
    )
    (rest,), G, other = nonnegative("r"), 2 / (1 + v), 2 / (1 + nonnegative("w")[0])
    yield at_most(1 / (1 / d + rest), 2, "n even: one side has an odd number of nodes")
    yield at_most(G / (2 * (1 / d + 1 / other)), 1, "n odd, x inside a pair: both sides have an odd number of nodes")


def _beyond_the_hull() -> Iterator[Comparison]:
    """Bound 1/|D| beyond m lost workers, where ma is at most half a right angle."""
    yield from short_sine()
    M, A = arbitrary("M A")
    m, rest, slack = nonnegative("m r w")
    t = m + 1 + rest
    yield at_least(t**2 + t + 1 + slack, 2 * m, "2m ≤ N")
    yield equal(sine(M**2 * A), sine(M) * cosine(M * A) + cosine(M) * sine(M * A), "sin((2m + 1)a)")
    # S = sin(ma) ≤ 1, cos(ma) = S + g, sin((m + 1)a) = S + d, sin(a) = (S + f)/m, sin(ta) = S + k
    (lost,), (p, d, f, g, k, q) = positive("m"), nonnegative("p d f g k q")
    S = 1 / (1 + p)
    wide = S * q + (S + g) * (S + d)
    yield at_most(2 * S**2 * (1 + S**2 * lost / (wide * (S + f))), 2 * (lost + 2) * (S + k), "beyond the hull")


def _inside_the_hull() -> Iterator[Comparison]:
    """Bound 1/|D| in the gaps by (s + 2) times the gap."""
    (g,), (k, w) = positive("g"), nonnegative("k w")
    yield at_most(g, (1 + k + 1) * g, "end gap")
    for t in (1, 2):
        yield at_most(g * (2 + t * (t + 2)) / 8, (t + 1) * g, f"inner gap, t = {t}")
    t = 3 + k
    N = t**2 + t + 1 + w
    (H,), (tangent, d, c) = arbitrary("H"), nonnegative("tau d c")
    yield equal(cosine(H**2), 1 - 2 * sine(H) ** 2, "cos((t + 1)a) and sin((t + 1)a/2) ≤ (t + 1) sin(a/2)")
    yield at_most(tangent, (N * tangent + d) / N, "sin(a/2) ≤ tan(a/2) ≤ tan(Na/2)/N = 1/N")
    yield at_most(2 * ((t + 1) / N) ** 2, 1 / (t + 1), "1 - cos((t + 1)a)")
    yield at_most(t / (t / (t + 1) + c), t + 1, "the longer neighbour: g/g' ≤ t/cos((t + 1)a)")
    (e, f) = positive("e f")
    gap = e + f
    shorter, longer = gap / (t * (t + 2)), gap / (t + 1)
    both = _two_terms(e, shorter) + _two_terms(f, longer)
    yield at_least(both, 1 / ((t + 1) * gap), "inner gap, t ≥ 3")


def _two_terms(distance: Any, gap: Any) -> Any:
    return 1 / distance - 1 / (distance + gap)
