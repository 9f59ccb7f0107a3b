"""Lebesgue constants of Berrut's and Floater and Hormann's interpolants, proved for all numbers of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

from codedtheory.arithmetic import EXACT, ball
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    published,
    sweep,
)
from codedtheory.claims.logarithms import (
    LOGARITHM,
    half_harmonic_above,
    harmonic_below_double,
    later_harmonic_below,
)
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.interpolation import equispaced, lebesgue_constant
from codedtheory.interpolation.alternating_tails import alternating_tail, any_tail, longer_tail
from codedtheory.interpolation.berrut_lebesgue_bounds import (
    berrut_equispaced_asymptote,
    berrut_equispaced_lower_bound,
    berrut_equispaced_upper_bound,
    floater_hormann_equispaced_lower_bound,
    floater_hormann_equispaced_upper_bound,
    quasi_equispaced_upper_bound,
    well_spaced_upper_bound,
)
from codedtheory.interpolation.geometry import quasi_uniformity, well_spaced_constants
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant, nodes_around_zero

BOS_2011 = published("Bos, De Marchi & Hormann 2011, J. Comput. Appl. Math. 236:504-510", wording="recalled")
BOS_2012 = published("Bos, De Marchi, Hormann & Klein 2012, Numer. Math. 121:461-471", wording="recalled")
BOS_2013 = published("Bos, De Marchi, Hormann & Sidon 2013, J. Approx. Theory 169:7-22", wording="recalled")
HORMANN_2012 = published("Hormann, Klein & De Marchi 2012, Dolomites Res. Notes Approx. 5:1-6", wording="recalled")
BALLS = ball(64)
GAP = "e, f are the distances of x from the ends of its gap g; both sums of the Lebesgue function are taken ef times. "


@claim(
    "leb.berrut.eq",
    statement=r"n+1 \text{ equidistant nodes},\ n\ge1:\quad \frac{2n}{4+n\pi}\ln(n+1)\le\Lambda_n\le2+\ln n",
    source=BOS_2011,
    hypotheses=f"{LOGARITHM}; 1 - 1/3 + 1/5 - ... = pi/4, and what a partial sum lacks is a tail in (0, 1/e]",
    method="Above by leb.berrut.eq.improved. Below in the middle of a gap in the middle, with m + 1 nodes on one side "
    "and m or m + 1 on the other: L = ln(n + 1), and D is d less than pi/2 + 2/n.",
)
def leb_berrut_eq() -> Iterator[Comparison]:
    """Berrut's Lebesgue constant at equidistant nodes grows like the logarithm, for all n."""
    (n, k, D), (L, b, d, m) = positive("n k D"), nonnegative("L b d m")
    yield from _odd_distances()
    yield from half_harmonic_above()
    yield at_least((2 * m + 3) ** 2, (2 * m + 2) ** 2, "n = 2m + 1: the numerator is at least ln(n + 1)")
    yield at_least((2 * k + 3) * (2 * k + 1), (2 * k + 1) ** 2, "n = 2m: the numerator is at least ln(n + 1)")
    yield at_most(2 / (2 * m + 3), 2 / (2 * m + 1), "n = 2m + 1: the denominator exceeds pi/2 by at most 2/n")
    yield at_most(1 / (2 * k + 3) + 1 / (2 * k + 1), 2 / (2 * k), "n = 2m: the denominator exceeds pi/2 by at most 2/n")
    pi = 2 * (D + d - 2 / n)
    yield at_least((L + b) / D, 2 * n * L / (4 + n * pi), "lower bound")
    yield from _berrut_equidistant()
    yield at_most((2 + L) * Fraction(3, 4), 2 + L, "upper bound")


@claim(
    "leb.berrut.eq.improved",
    statement=r"n+1 \text{ equidistant nodes},\ n\ge1:\quad \Lambda_n\le\tfrac34(2+\ln n)",
    source=HORMANN_2012,
    hypotheses=LOGARITHM,
    method=GAP + "The numerator is at most g(1 + L/2) with L = ln n, the denominator at least 2g/3.",
)
def leb_berrut_eq_improved() -> Iterator[Comparison]:
    """Three quarters of the upper bound suffice at equidistant nodes, for all n."""
    yield from _berrut_equidistant()


@claim(
    "leb.berrut.eq.enclosed",
    statement=r"n+1 \text{ equidistant nodes}:\quad \frac{2n}{4+n\pi}\ln(n+1)\le\Lambda_n\le\tfrac34(2+\ln n)",
    source=published(
        "Bos, De Marchi & Hormann 2011 (from below); Hormann, Klein & De Marchi 2012 (from above)", wording="recalled"
    ),
    over=sweep("1 <= n <= 400", default="n <= 50", quick="n <= 12"),
    method="The Lebesgue constant is enclosed over all gaps.",
)
def leb_berrut_eq_enclosed(n: int) -> Iterator[Comparison]:
    """How much of its bounds Berrut's Lebesgue constant uses at equidistant nodes."""
    constant = lebesgue_constant(equispaced(n + 1), arithmetic=BALLS)
    yield at_most(constant, berrut_equispaced_upper_bound(n, improved=True, arithmetic=BALLS), "upper bound")
    yield at_least(constant, berrut_equispaced_lower_bound(n, BALLS), "lower bound")


@claim(
    "leb.berrut.eq.asymptotic",
    statement=r"n+1 \text{ equidistant nodes}:\quad "
    r"\Big|\Lambda_n-\tfrac2\pi\big(\ln(n+1)+\ln2+\gamma\big)\Big|\le\frac{1+\ln n}n",
    source=derived("enclosures; the asymptote is that of Ibrahimoglu & Cuyt 2016, Exp. Math. 25:347-354"),
    over=sweep("1 <= n <= 400", default="n <= 50", quick="n <= 12"),
    method="The Lebesgue constant is enclosed; the rate of the difference is read off these values.",
)
def leb_berrut_eq_asymptotic(n: int) -> Comparison:
    """Berrut's Lebesgue constant at equidistant nodes is close to its asymptote."""
    constant = lebesgue_constant(equispaced(n + 1), arithmetic=BALLS)
    asymptote = berrut_equispaced_asymptote(n, BALLS)
    return at_most(abs(constant - asymptote), (1 + BALLS.log(n)) / n)


@claim(
    "leb.berrut.eq.parity",
    statement=r"n+1 \text{ equidistant nodes}, n\ge3 \text{ odd}:\quad \Lambda_n>\Lambda_{n\pm1}, \text{ and } "
    r"\Lambda_m>\tfrac2\pi\big(\ln(m+1)+\ln2+\gamma\big) \text{ for } m=n,n+1",
    source=derived("enclosures: even numbers of nodes are worse than their neighbours"),
    over=sweep("3 <= n <= 201", where="n % 2 == 1", default="n <= 31", quick="n <= 9"),
    method="Three Lebesgue constants are enclosed.",
)
def leb_berrut_eq_parity(n: int) -> Iterator[Comparison]:
    """At equidistant nodes even numbers of nodes are worse than their neighbours."""
    before, here, after = (lebesgue_constant(equispaced(m + 1), arithmetic=BALLS) for m in (n - 1, n, n + 1))
    yield greater_than(here, before, "one node less")
    yield greater_than(here, after, "one node more")
    yield greater_than(here, berrut_equispaced_asymptote(n, BALLS), "asymptote, n odd")
    yield greater_than(after, berrut_equispaced_asymptote(n + 1, BALLS), "asymptote, n even")


@claim(
    "leb.fh.eq",
    statement=r"n+1 \text{ equidistant nodes},\ d\ge1,\ n\ge2d:\quad "
    r"2^{-(d+2)}\binom{2d+1}d\ln\Big(\frac nd-1\Big)\le\Lambda\le2^{d-1}(2+\ln n)",
    source=BOS_2012,
    over=sweep("1 <= d <= 12", default="d <= 6", quick="d <= 2"),
    hypotheses=LOGARITHM,
    method=GAP + "Weights are at most 2^d/(d! g^d), and equal to it from node d to node n - d "
    "(fh.special.equidistant). |D| is at least the term of a window across x (fh.nopole), here with p more nodes to "
    "the left. Below at x in the middle of the first gap, where |D| is at most the first two windows.",
)
def leb_fh_eq(d: int) -> Iterator[Comparison]:
    """Floater-Hormann Lebesgue constants at equidistant nodes grow logarithmically, for all n."""
    (e, f), (L, b, m, slack) = positive("e f"), nonnegative("L b m s")
    g = e + f
    yield from _largest_weight(d, g)
    yield from _sum_over_other_nodes()
    for p in range(d):
        others = _distances(e, g, p) * _distances(f, g, d - 1 - p)
        yield at_most(others, factorial(d) * g ** (d - 1), f"window with {p} more nodes to the left")
    numerator = Fraction(2**d, factorial(d)) / g**d * g * (1 + L / 2)
    yield at_most(numerator * factorial(d) * g ** (d - 1), 2 ** (d - 1) * (2 + L), "upper bound")
    first, second = (prod(abs(e / 2 - s * e) for s in range(i, i + d + 1)) for i in (0, 1))
    largest = Fraction(4 ** (d + 1), comb(2 * d + 1, d))
    yield equal(factorial(d) * (1 / first + 1 / second), largest / e ** (d + 1), "two windows with gaps e")
    yield from half_harmonic_above()
    n = 2 * d + m
    yield at_least((n - d + Fraction(1, 2)) / (d - Fraction(1, 2)), n / d - 1, "nodes d to n - d")
    yield at_least(2**d * (L + b) * (1 + slack) / largest, L * comb(2 * d + 1, d) / 2 ** (d + 2), "lower bound")


@claim(
    "leb.fh.eq.enclosed",
    statement=r"n+1 \text{ equidistant nodes}:\quad "
    r"2^{-(d+2)}\binom{2d+1}d\ln\Big(\frac nd-1\Big)\le\Lambda\le2^{d-1}(2+\ln n)",
    source=BOS_2012,
    over=sweep("1 <= d <= 8", "2 * d <= n <= 100", default=("d <= 4", "n <= 20"), quick=("d <= 2", "n <= 8")),
    method="The Lebesgue constant is enclosed over all gaps.",
)
def leb_fh_eq_enclosed(d: int, n: int) -> Iterator[Comparison]:
    """How much of their bounds Floater-Hormann Lebesgue constants use at equidistant nodes."""
    constant = lebesgue_constant(equispaced(n + 1), d, arithmetic=BALLS)
    yield at_most(constant, floater_hormann_equispaced_upper_bound(n, d, BALLS), "upper bound")
    yield at_least(constant, floater_hormann_equispaced_lower_bound(n, d, BALLS), "lower bound")


@claim(
    "leb.fh.quasi",
    statement=r"h/h_*\le M:\quad \Lambda\le\tfrac34M(2+M\ln n)\ (d=0),\qquad"
    r"\Lambda\le2^{d-1}M^d(2+M\ln n)\ (1\le d\le n), \text{ for all nodes}",
    source=HORMANN_2012,
    over=sweep("0 <= d <= 12", default="d <= 5", quick="d <= 2"),
    hypotheses=LOGARITHM,
    method=GAP
    + "L = ln n, h_* = a, h = Ma. Weights are at most 2^d/(d! a^d), |D| at least the term of a window across x "
    "with p more nodes to the left (fh.nopole); for d = 0 see leb.fh.quasi.sharp.",
)
def leb_fh_quasi(d: int) -> Iterator[Comparison]:
    """Lebesgue constants at quasi-equidistant nodes grow like the logarithm, for all nodes."""
    (e, f, a), (L, u, m) = positive("e f a"), nonnegative("L u m")
    g = e + f
    if d == 0:
        yield from _berrut_quasi_equidistant()
        yield at_most((3 + m) * (2 + (1 + m) * L) / 4, (1 + m) * (2 + (1 + m) * L) * Fraction(3, 4), "as M = 1 + m")
        return
    h = g + u
    yield from _largest_weight(d, a)
    yield from _sum_over_other_nodes()
    for p in range(d):
        others = _distances(e, h, p) * _distances(f, h, d - 1 - p)
        yield at_most(others, factorial(d) * h ** (d - 1), f"window with {p} more nodes to the left")
    numerator, M = Fraction(2**d, factorial(d)) / a**d * g / 2 * (2 + g / a * L), h / a
    yield at_most(numerator * factorial(d) * h ** (d - 1), 2 ** (d - 1) * M**d * (2 + M * L), "upper bound")


@claim(
    "leb.fh.quasi.sharp",
    statement=r"h/h_*\le M:\quad \Lambda\le\tfrac14(2+M)(2+M\ln n)\ (d=0), \text{ for all nodes}",
    source=derived("the neighbours of a gap g are at least g/M, so that ef|D| is at least 2g/(M + 2)"),
    hypotheses=LOGARITHM,
    method=GAP + "L = ln n, h_* = a, h = Ma.",
)
def leb_fh_quasi_sharp() -> Iterator[Comparison]:
    """Berrut's bound at quasi-equidistant nodes can be multiplied by (2 + M)/(3M)."""
    yield from _berrut_quasi_equidistant()


@claim(
    "leb.fh.quasi.grid",
    statement=r"\Lambda\le\tfrac14(2+M)(2+M\ln n)\ (d=0),\qquad\Lambda\le2^{d-1}M^d(2+M\ln n)\ (d\ge1),\quad M=h/h_*,"
    r"\text{ all subsets of a grid}",
    source=derived("enclosures; for d >= 1 the bound is that of Hormann, Klein & De Marchi 2012"),
    over=sweep(
        "1 <= n <= 6",
        "S in subsets(9, n)",
        "0 <= d <= min(n, 3)",
        default=("n <= 4", "max(S) < 6"),
        quick="max(S) < 4",
    ),
    method="Nodes 0 and s + 1; the Lebesgue constant is enclosed over all gaps.",
)
def leb_fh_quasi_grid(n: int, S: tuple[int, ...], d: int) -> Comparison:
    """How much of the bound at quasi-equidistant nodes is used, on small subsets of a grid."""
    nodes = _from_zero(S)
    M = quasi_uniformity(nodes, EXACT)
    bound = quasi_equispaced_upper_bound(n, d, M, BALLS) if d else (2 + M) * (2 + M * BALLS.log(n)) / 4
    return at_most(lebesgue_constant(nodes, d, arithmetic=BALLS), bound)


@claim(
    "leb.wellspaced",
    statement=r"n\ge2:\quad \Lambda\le(R+1)(1+2C\ln n) \text{ on the hull of well spaced nodes}",
    source=BOS_2013,
    hypotheses=LOGARITHM,
    method="By leb.wellspaced.sharp.",
)
def leb_wellspaced() -> Iterator[Comparison]:
    """Berrut's Lebesgue constant at well spaced nodes grows like the logarithm, for all nodes."""
    yield from _well_spaced()
    R, C, L = nonnegative("R C L")
    yield at_most((1 + R / 2) * (1 + C * L), (R + 1) * (1 + 2 * C * L), "published form")


@claim(
    "leb.wellspaced.sharp",
    statement=r"n\ge2:\quad \Lambda\le\Big(1+\frac R2\Big)(1+C\ln n) \text{ on the hull}",
    source=derived("ef|D| is at least 2g/(R + 2) as in berrut.den.sharp, and ef/(x - x_j) at most fC/(k + 1 - j)"),
    hypotheses=LOGARITHM,
    method=GAP + "A node at distance b beyond the gap adds ef/(e + b) to the numerator.",
)
def leb_wellspaced_sharp() -> Iterator[Comparison]:
    """Half of R and half of C suffice in the bound at well spaced nodes, for all nodes."""
    yield from _well_spaced()


@claim(
    "leb.wellspaced.sharp.grid",
    statement=r"n\ge2:\quad \Lambda\le\Big(1+\frac R2\Big)(1+C\ln n), \text{ all subsets of a grid}",
    source=derived("enclosures with the smallest constants R and C"),
    over=sweep("2 <= n <= 7", "S in subsets(9, n)", default=("n <= 5", "max(S) < 7"), quick=("n <= 4", "max(S) < 5")),
    method="Nodes 0 and s + 1; the Lebesgue constant is enclosed over all gaps, R and C are exact.",
)
def leb_wellspaced_sharp_grid(n: int, S: tuple[int, ...]) -> Comparison:
    """How much of the bound at well spaced nodes is used, on small subsets of a grid."""
    nodes = _from_zero(S)
    R, C = well_spaced_constants(nodes, EXACT)
    return at_most(lebesgue_constant(nodes, arithmetic=BALLS), well_spaced_upper_bound(n, R, C, "sharp", BALLS))


def _berrut_equidistant() -> Iterator[Comparison]:
    """The numerator is at most g(1 + L/2), the denominator at least 2g/3."""
    (g,), (L, b, d) = positive("g"), nonnegative("L b d")
    yield from _sum_over_other_nodes()
    yield from _two_tails()
    yield at_most(
        (g * (1 + L / 2) - b) / (g * _share_of_gap(Fraction(1)) + d), (2 + L) * Fraction(3, 4), "3/4 (2 + ln n)"
    )


def _berrut_quasi_equidistant() -> Iterator[Comparison]:
    """The neighbours of a gap g are at least ga/h = g/M."""
    (g, a), (L, u, b, d) = positive("g a"), nonnegative("L u b d")
    yield from _sum_over_other_nodes()
    yield from _two_tails()
    M = (g + u) / a
    numerator, denominator = g / 2 * (2 + g / a * L) - b, g * _share_of_gap(1 / M) + d
    yield at_most(numerator / denominator, (2 + M) * (2 + M * L) / 4, "1/4 (2 + M)(2 + M ln n)")


def _well_spaced() -> Iterator[Comparison]:
    (e, f, R, C), (b, d, L, below) = positive("e f R C"), nonnegative("b d L u")
    g = e + f
    yield from _multiplied_by_both_distances()
    yield at_most(e * f / (e + b), f * g / (g + b), "ef/(x - x_j) is at most f g/(x_(k+1) - x_j)")
    yield from later_harmonic_below()
    yield equal(g + C * L * f + C * L * e, g * (1 + C * L), "both sides")
    yield from _two_tails()
    numerator, denominator = g * (1 + C * L) - below, g * _share_of_gap(1 / R) + d
    yield at_most(numerator / denominator, (1 + R / 2) * (1 + C * L), "sharp form")


def _sum_over_other_nodes() -> Iterator[Comparison]:
    """Gaps of at least a: ef times the sum over the nodes beyond the gap is at most g^2/(2a) ln n."""
    (f, a, i), (d, e, k, m) = positive("f a i"), nonnegative("d e k m")
    yield from _multiplied_by_both_distances()
    yield at_most(4 * f * (f + d), (2 * f + d) ** 2, "4ef is at most g²")
    yield at_most(1 / (e + i * a), 1 / (i * a), "node i beyond the gap")
    yield from harmonic_below_double()
    yield at_most((2 * k + 1) * (2 * (k + m) + 1), (2 * k + m + 1) ** 2, "k and k + m nodes beyond, n = 2k + m + 1")


def _multiplied_by_both_distances(most: int = 2) -> Iterator[Comparison]:
    """Compare ef times the numerator of the Lebesgue function with g + ef(sum over the other nodes)."""
    for left in range(1, most + 1):
        for right in range(1, most + 1):
            nodes = nodes_around_zero(left, right)
            e, f = -nodes[left - 1], nodes[left]
            others = sum(1 / abs(node) for node in [*nodes[: left - 1], *nodes[left + 1 :]])
            terms = abs(SymbolicInterpolant(nodes, x=0).terms).sum()
            yield equal(e * f * terms, e + f + e * f * others, f"{left} nodes to the left, {right} to the right")


def _two_tails() -> Iterator[Comparison]:
    """The denominator times ef is at least 2gc/(1 + 2c), if both neighbouring gaps are at least cg."""
    (e, c, near), (v, more, share) = positive("e c b"), nonnegative("v a s")
    f = e + v
    g = e + f
    yield at_least(longer_tail(e, any_tail(e + near, share)), 1 / e - 1 / (e + near), "two nearest terms")
    yield at_least(1 / e - 1 / (e + near + more), 1 / e - 1 / (e + near), "a longer neighbouring gap, or none")
    both = alternating_tail([e, e + c * g]) + alternating_tail([f, f + c * g])
    yield at_least(e * f * both, g * _share_of_gap(c), "both sides")


def _share_of_gap(c: Any) -> Any:
    return 2 * c / (1 + 2 * c)


def _largest_weight(d: int, gap: Any) -> Iterator[Comparison]:
    """Add up the reciprocal products over the windows that hold a node, with gaps of this length at least."""
    products = [factorial(j) * factorial(d - j) * gap**d for j in range(d + 1)]
    yield equal(sum(1 / product for product in products), Fraction(2**d, factorial(d)) / gap**d, "largest weight")


def _distances(nearest: Any, h: Any, count: int) -> Any:
    """Return the largest product of the distances of so many nodes beyond the nearest one."""
    return prod((nearest + j * h for j in range(1, count + 1)), start=1)


def _odd_distances(most: int = 5) -> Iterator[Comparison]:
    """Compare both sums in the middle of a gap 2h with those of the reciprocals of odd numbers."""
    (h,) = positive("h")
    for n in range(1, most + 1):
        left, right = [[(2 * i + 1) * h for i in range(count)] for count in ((n + 2) // 2, (n + 1) // 2)]
        r = SymbolicInterpolant([*(-distance for distance in reversed(left)), *right], x=0)
        both = sum(1 / distance for distance in [*left, *right])
        yield equal(abs(r.terms).sum(), both, f"numerator for n = {n}")
        yield equal(abs(r.denominator), alternating_tail(left) + alternating_tail(right), f"denominator for n = {n}")


def _from_zero(S: tuple[int, ...]) -> list[int]:
    return [0, *(s + 1 for s in S)]
