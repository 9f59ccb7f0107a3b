"""Lebesgue constants of Berrut approximated coded computing, for every set of stragglers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from codedtheory.arithmetic import ball
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.angles import cosine, sine
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import chebyshev_second, lebesgue_constant, worst_lebesgue_constant
from codedtheory.interpolation.bacc_lebesgue_bounds import bacc_lebesgue_bound
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

BACC = published("Jahani-Nezhad & Maddah-Ali 2023", arxiv="2009.08327", wording="recalled")
BALLS = ball(40)
POINTS = r"z_i=\cos\tfrac{i\pi}N,\ 0\le i\le N,\ s \text{ of them lost}:\quad "
R_EXACT = r"R_{\mathrm{ex}}=\tfrac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a},\ a=\tfrac\pi{2N}"
ENUMERATED = "All survivor sets; the largest Lebesgue constant is enclosed "


@claim(
    "bacc.leb",
    statement=POINTS + r"\Lambda_F\le(R+1)\big(1+\pi^2(s+1)\ln(N-s)\big),\ R=\tfrac{\pi^2}4(s+1)(s+3), "
    r"\text{ on the hull of every survivor set } F",
    source=BACC,
    over=sweep("1 <= N <= 16", "0 <= s < N", default="N <= 11", quick="N <= 6"),
    method=ENUMERATED
    + "over the survivors' hull. True for all N and s by bacc.leb.proof, and since two survivors have "
    "the constant 1. As recalled: the constant pi^2(s + 1) is not sure.",
    cost="comb(N + 1, s)",
)
def bacc_leb(N: int, s: int) -> Comparison:
    """The Lebesgue constant of BACC grows at most like the logarithm, as recalled."""
    return at_most(_worst(N, s), bacc_lebesgue_bound(N + 1, s, arithmetic=BALLS))


@claim(
    "bacc.leb.interval",
    statement=POINTS + r"\sup_{[-1,1]}\Lambda_F\le(R+1)\big(1+\pi^2(s+1)\ln(N-s)\big),\ R=\tfrac{\pi^2}4(s+1)(s+3)",
    source=derived("the published bound, also where the survivors' hull does not reach"),
    over=sweep("1 <= N <= 16", "0 <= s < N", default="N <= 11", quick="N <= 6"),
    method=ENUMERATED + "over [-1, 1].",
    cost="comb(N + 1, s)",
)
def bacc_leb_interval(N: int, s: int) -> Comparison:
    """The recalled Lebesgue bound of BACC covers extrapolation within [-1, 1]."""
    return at_most(_worst(N, s, (-1, 1)), bacc_lebesgue_bound(N + 1, s, arithmetic=BALLS))


@claim(
    "bacc.leb.proof",
    statement=POINTS + r"s\le N-2:\quad \Lambda_F\le\big(1+\tfrac R2\big)\big(1+C\ln n\big)"
    r"\le\big(1+\tfrac12R_{\mathrm{ex}}\big)\big(1+2(s+1)\ln(N-s)\big)"
    r"\le\big(1+\tfrac{\pi^2}4(s+1)(s+3)\big)\big(1+\pi^2(s+1)\ln(N-s)\big)",
    source=derived("leb.wellspaced.sharp with the ratio and the spacing of Chebyshev points"),
    hypotheses="leb.wellspaced.sharp (first inequality), cheb2.R.proof, cheb2.R.sharp, cheb2.C",
    method="R_ex = R + u, 2(s + 1) = C + v, (s + 1)(s + 3) = R_ex + w, pi^2 = 4 + p and L = ln(N - s) >= 0.",
)
def bacc_leb_proof() -> Iterator[Comparison]:
    """The sharp Lebesgue bound, and with it the recalled one, for three survivors at least."""
    R, C, L, u, v = nonnegative("R C L u v")
    yield at_most((1 + R / 2) * (1 + C * L), (1 + (R + u) / 2) * (1 + (C + v) * L), "larger ratio and spacing")
    s, p, share = nonnegative("s p x")
    exact, pi_squared = (s + 1) * (s + 3) / (1 + share), 4 + p
    published_ratio = pi_squared / 4 * (s + 1) * (s + 3)
    yield at_most(
        (1 + exact / 2) * (1 + 2 * (s + 1) * L), (1 + published_ratio) * (1 + pi_squared * (s + 1) * L), "published"
    )


@claim(
    "bacc.leb.sharp",
    statement=POINTS + r"0\le s\le N-2:\quad \Lambda_F\le\big(1+\tfrac12R_{\mathrm{ex}}\big)\big(1+2(s+1)\ln(N-s)\big) "
    r"\text{ on the hull},\ " + R_EXACT,
    source=derived("leb.wellspaced.sharp with cheb2.R and cheb2.C"),
    over=sweep("2 <= N <= 16", "0 <= s <= N - 2", default="N <= 13", quick="N <= 6"),
    method=ENUMERATED + "over the survivors' hull. For all N and s by bacc.leb.proof.",
    cost="comb(N + 1, s)",
)
def bacc_leb_sharp(N: int, s: int) -> Comparison:
    """The Lebesgue bound of BACC with the exact ratio of gaps and a smaller logarithm."""
    return at_most(_worst(N, s), bacc_lebesgue_bound(N + 1, s, "sharp", BALLS))


@claim(
    "bacc.leb.sharp.interval",
    statement=POINTS + r"0\le s\le N-2:\quad \sup_{[-1,1]}\Lambda_F"
    r"\le\big(1+\tfrac12R_{\mathrm{ex}}\big)\big(1+2(s+1)\ln(N-s)\big),\ " + R_EXACT,
    source=derived("enumeration; with two survivors it is false, see bacc.leb.offhull"),
    over=sweep("2 <= N <= 16", "0 <= s <= N - 2", default="N <= 11", quick="N <= 6"),
    method=ENUMERATED + "over [-1, 1].",
    cost="comb(N + 1, s)",
)
def bacc_leb_sharp_interval(N: int, s: int) -> Comparison:
    """With three survivors at least, few workers never violate it outside the hull either."""
    return at_most(_worst(N, s, (-1, 1)), bacc_lebesgue_bound(N + 1, s, "sharp", BALLS))


@claim(
    "bacc.leb.offhull",
    statement=POINTS
    + r"\sup_{[-1,1]}\Lambda_F\le(1+R_{\mathrm{ex}})\big(1+2(s+1)\ln(N-s)\big),\ 0\le s\le N-1,\ "
    + R_EXACT,
    source=derived("the bound with the exact ratio, extended to two survivors and to all of [-1, 1]"),
    over=sweep("2 <= N <= 16", "0 <= s < N", default="N <= 10", quick="N <= 5"),
    expected="fails",
    corrected_by="bacc.leb.sharp",
    method=ENUMERATED + "over [-1, 1].",
    cost="comb(N + 1, s)",
)
def bacc_leb_offhull(N: int, s: int) -> Comparison:
    """The Lebesgue bound with the exact ratio would hold on all of [-1, 1], whatever is lost."""
    growth = 1 + 2 * (s + 1) * BALLS.log(N - s)
    return at_most(_worst(N, s, (-1, 1)), (1 + _exact_ratio(N, s)) * growth)


@claim(
    "bacc.leb.offhull.two",
    statement=r"\text{survivors } 0,1, c=\cos\tfrac\pi N:\quad "
    r"\Lambda(-1)=\frac{3+c}{1-c}>\frac{1+c}{1-c}=1+R_{\mathrm{ex}}(N,N-1)",
    source=derived("two nodes, in closed form"),
    method="A is the turn of a = pi/2N, and Na is a right angle; the nodes are 1 and c.",
)
def bacc_leb_offhull_two() -> Iterator[Comparison]:
    """Two survivors at one end have a Lebesgue constant above 1 + R at the other, for all N."""
    import sympy

    (A,), (c,) = arbitrary("A"), arbitrary("c")
    right_angle = sympy.I
    ratio = sine(right_angle) * sine(right_angle * A**2) / sine(A) ** 2
    yield equal(1 + ratio, (1 + cosine(A**2)) / (1 - cosine(A**2)), "1 + R_ex")
    r = SymbolicInterpolant([1, c], x=-1)
    absolute = sum(1 / (node - r.x) for node in r.nodes)
    yield equal(absolute / r.denominator, (3 + c) / (1 - c), "Λ(-1)")
    cosine_below_one = 1 - positive("w")[0]
    yield greater_than((3 + cosine_below_one) / (1 - cosine_below_one), (1 + cosine_below_one) / (1 - cosine_below_one))


@claim(
    "bacc.leb.parity",
    statement=r"N-s\ge3 \text{ odd}:\quad \max_F\Lambda_F(N,s)>\max_F\Lambda_F(N\pm1,s)",
    source=derived("enumeration"),
    over=sweep(
        "3 <= N <= 40",
        "0 <= s <= min(4, N - 3)",
        where="(N - s) % 2 == 1",
        full="s <= 2 or N <= 18",
        default="s <= 1 and N <= 20 or N <= 12",
        quick="N <= 6",
    ),
    method=ENUMERATED + "over the survivors' hull, for N - 1, N and N + 1.",
    cost="comb(N + 2, s)",
)
def bacc_leb_parity(N: int, s: int) -> Iterator[Comparison]:
    """An even number of survivors has a larger worst Lebesgue constant than its neighbours."""
    here = _worst(N, s)
    for other in (N - 1, N + 1):
        yield greater_than(here, _worst(other, s), f"against N = {other}")


@claim(
    "bacc.leb.parity.gap",
    statement=r"N-s\ge3 \text{ odd},\ s\in\{1,2,3\}:\quad \max_F\Lambda_F(N,s)-\max_F\Lambda_F(N+1,s) "
    r"\text{ decreases as } N \text{ grows by } 2",
    source=derived("what N <= 12 suggests"),
    over=sweep(
        "4 <= N <= 21",
        "1 <= s <= min(3, N - 3)",
        where="(N - s) % 2 == 1",
        default="N <= 14",
        quick=("N >= 12", "s == 1"),
    ),
    expected="fails",
    corrected_by="bacc.leb.parity",
    method=ENUMERATED + "over the survivors' hull, for N, N + 1, N + 2 and N + 3.",
    cost="comb(N + 4, s)",
)
def bacc_leb_parity_gap(N: int, s: int) -> Comparison:
    """The parity effect on the Lebesgue constant would fade with every pair of workers added."""
    here, there = (_worst(M, s) - _worst(M + 1, s) for M in (N, N + 2))
    return less_than(there, here)


@claim(
    "bacc.leb.parity.hole",
    statement=r"N-s\ge3 \text{ odd}, s\ge1:\quad \Lambda_F<\max_F\Lambda_F "
    r"\text{ unless the lost workers are consecutive with an even number of survivors on each side, at least } 2",
    source=derived("enumeration"),
    over=sweep(
        "4 <= N <= 24",
        "1 <= s <= N - 3",
        "S in subsets(N + 1, s)",
        where=("(N - s) % 2 == 1", "max(S) - min(S) >= s or min(S) % 2 == 1 or min(S) == 0 or max(S) == N"),
        full="N <= 9 or s == 1",
        default="N <= 6 or s == 1 and N <= 14",
        quick="N <= 5",
    ),
    method="Each set S of lost workers is enclosed on its hull and compared with the largest of all sets.",
)
def bacc_leb_parity_hole(N: int, s: int, S: tuple[int, ...]) -> Comparison:
    """The worst sets lose consecutive workers and keep an even number of them on each side."""
    return less_than(lebesgue_constant(chebyshev_second(N + 1).without(S), arithmetic=BALLS), _worst(N, s))


@claim(
    "bacc.leb.parity.second",
    statement=r"N-s\ge3 \text{ odd}, s\ge1:\quad "
    r"\max_F\Lambda_F \text{ is attained when } 2,\dots,s+1 \text{ are lost}",
    source=derived("what N <= 13 suggests; it is the set of the largest ratio of adjacent gaps, cheb2.R"),
    over=sweep(
        "4 <= N <= 20",
        "1 <= s <= min(3, N - 3)",
        where="(N - s) % 2 == 1",
        default="N <= 14",
        quick=("N >= 12", "s == 1"),
    ),
    expected="fails",
    corrected_by="bacc.leb.parity.hole",
    method=ENUMERATED + "over the survivors' hull and compared with that of this set, to 35 bits.",
    cost="comb(N + 1, s)",
)
def bacc_leb_parity_second(N: int, s: int) -> Comparison:
    """The worst set would always keep two workers at one end and lose the next ones."""
    left = lebesgue_constant(chebyshev_second(N + 1).without(range(2, s + 2)), arithmetic=BALLS)
    return at_least(left, _worst(N, s) * (1 - Fraction(1, 2**35)))


def _worst(N: int, s: int, interval: tuple[int, int] | None = None) -> Any:
    """Enclose the largest Lebesgue constant over all sets of survivors."""
    return worst_lebesgue_constant(N + 1, s, interval=interval, arithmetic=BALLS).value


def _exact_ratio(N: int, s: int) -> Any:
    """Return the closed form of the largest ratio of adjacent gaps, also where there is no such ratio."""
    a = Fraction(1, 2 * N)
    return BALLS.sin_pi((s + 1) * a) * BALLS.sin_pi((s + 3) * a) / BALLS.sin_pi(a) ** 2
