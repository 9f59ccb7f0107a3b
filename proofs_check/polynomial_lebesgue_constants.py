"""Lebesgue constants of polynomial interpolation: exponential at equidistant nodes, logarithmic at Chebyshev points."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod

from codedtheory.arithmetic import ball, cyclotomic
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
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.interpolation import (
    chebyshev_first,
    chebyshev_second,
    equispaced,
    lebesgue_constant,
    lebesgue_function,
)
from codedtheory.interpolation.euler_constant import euler_constant
from codedtheory.interpolation.polynomial_lebesgue_bounds import (
    chebyshev_first_lower_bound,
    chebyshev_first_upper_bound,
    polynomial_equispaced_asymptote,
    polynomial_equispaced_lower_bound,
    polynomial_equispaced_upper_bound,
    polynomial_lower_bound,
)
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

TREFETHEN = published("Trefethen & Weideman 1991, J. Approx. Theory 65:247-260", wording="recalled")
RIVLIN = published("Rivlin 1974, LNM 399; Brutman 1997, Ann. Numer. Math. 4:111-127", wording="recalled")
BALLS = ball(64)


@claim(
    "leb.poly",
    statement=r"n+1 \text{ equidistant nodes},\ n\ge1:\quad \frac{2^{n-2}}{n^2}<\Lambda_n<\frac{2^{n+3}}n",
    source=TREFETHEN,
    method="Nodes 0, ..., n and T = 2^n = sum of C(n, i). Below at x = 1/2, where cardinal function i is C(n, i) "
    "W/(2|i - 1/2|) with W = (1 - 1/2)(1 - 1/4)...(1 - 1/(2n)), written out for n <= 4. Above in gap (k, k + 1), "
    "where the distances are at most 1, ..., k + 1 and 1, ..., n - k and cardinal function i is at most C(n, i)(n + "
    "1)/C(n + 1, k + 1). In the first gap it is at most n for i = 1, and for i > 1 at most C(n, i)/(4(i - 1)), that "
    "is 3/4 C(n + 1, i + 1)/(n + 1).",
)
def leb_poly() -> Iterator[Comparison]:
    """At equidistant nodes the Lebesgue constant of polynomials grows like 2^n, for all n."""
    (m, t, T), (k, s, u, w) = positive("m t T"), nonnegative("k s u w")
    n, half = 1 + k, Fraction(1, 2)
    for count in range(1, 5):
        yield from _cardinals_at_one_half(count)
    yield from induction(
        base=at_least(T * (1 - half), T / 2, "T W is at least T/(2n) for n = 1"),
        step=at_least((1 / (2 * m) + s) * (1 - 1 / (2 * (m + 1))), 1 / (2 * (m + 1)), "W is at least 1/(2n)"),
    )
    yield greater_than(T * (1 / (2 * n) + s) / 2 / (n - half), T / (4 * n**2), "lower bound")
    yield at_least((2 * m + 1 + k - m) / (m + 1), 1, "C(N, m) increases up to the middle, N = 2m + 1 + k")
    yield equal((m + 1) / ((m + 1) * m / 2), 2 / m, "inner gap: every cardinal function is at most C(n, i) 2/n")
    yield at_most(w / (t + w), 1, "first gap: cardinal function 0 is at most 1")
    yield at_most(4 * t * (t + u), (2 * t + u) ** 2, "t(1 - t) is at most 1/4")
    yield at_most(1 / (1 + k), 3 / (3 + k), "1/(i - 1) is at most 3/(i + 1), i = 2 + k")
    T = 1 + n + n * (n - 1) / 2 + s
    yield less_than(1 + n + half * 3 * T / (n + 1), 8 * T / n, "upper bound in the first gap")
    yield less_than(2 * T / n, 8 * T / n, "upper bound in an inner gap")


@claim(
    "leb.poly.equidistant",
    statement=r"\frac{2^{n-2}}{n^2}<\Lambda_n<\frac{2^{n+3}}n \text{ at } n+1 \text{ equidistant nodes}",
    source=TREFETHEN,
    over=sweep("1 <= n <= 200", default="n <= 40", quick="n <= 12"),
    method="The Lebesgue constant is enclosed over all gaps.",
)
def leb_poly_equidistant(n: int) -> Iterator[Comparison]:
    """How much of its bounds the Lebesgue constant of polynomials uses at equidistant nodes."""
    constant = lebesgue_constant(equispaced(n + 1), "lagrange", arithmetic=BALLS)
    yield less_than(constant, polynomial_equispaced_upper_bound(n, BALLS), "upper bound")
    yield greater_than(constant, polynomial_equispaced_lower_bound(n, BALLS), "lower bound")


@claim(
    "leb.poly.asymptotic",
    statement=r"\Lambda_n=\frac{2^{n+1}}{en\ln n}(1+\delta_n)=\frac{2^{n+1}}{en(\ln n+\gamma)}(1+\epsilon_n),\quad "
    r"|\delta_n|\le\frac1{\ln n},\ |\epsilon_n|\le\frac2{\ln^2n}",
    source=derived("enclosures; the asymptotes are those of Turetskii 1940 and Schönhage 1961"),
    over=sweep("2 <= n <= 200", default="n <= 40", quick="n <= 12"),
    method="The Lebesgue constant at n + 1 equidistant nodes is enclosed; the rates are read off these values.",
)
def leb_poly_asymptotic(n: int) -> Iterator[Comparison]:
    """At equidistant nodes the Lebesgue constant of polynomials is close to its asymptotes."""
    constant = lebesgue_constant(equispaced(n + 1), "lagrange", arithmetic=BALLS)
    crude, refined = (polynomial_equispaced_asymptote(n, form, BALLS) for form in (False, True))
    yield at_most(abs(constant / crude - 1), 1 / BALLS.log(n), "without Euler's constant")
    yield at_most(abs(constant / refined - 1), 2 / BALLS.log(n) ** 2, "with Euler's constant")


@claim(
    "leb.poly.asymptotic.shifted",
    statement=r"\Lambda_n=\frac{2^n}{en\ln n}(1+\delta_n),\quad|\delta_n|\le\frac1{\ln n}, "
    r"\text{ at } n+1 \text{ equidistant nodes}",
    source=derived("the asymptote for n nodes, read with n + 1"),
    over=sweep("2 <= n <= 40", quick="n <= 12"),
    expected="fails",
    corrected_by="leb.poly.asymptotic",
    method="The Lebesgue constant is enclosed.",
)
def leb_poly_asymptotic_shifted(n: int) -> Comparison:
    """The asymptote of n nodes would hold for n + 1."""
    constant = lebesgue_constant(equispaced(n + 1), "lagrange", arithmetic=BALLS)
    asymptote = polynomial_equispaced_asymptote(n, False, BALLS) / 2
    return at_most(abs(constant / asymptote - 1), 1 / BALLS.log(n))


@claim(
    "leb.poly.cheb1",
    statement=r"n+1 \text{ points } \cos\tfrac{(2i+1)\pi}{2(n+1)}:\quad "
    r"\tfrac2\pi\big(\ln(n+1)+\gamma+\ln\tfrac8\pi\big)<\Lambda_n\le1+\tfrac2\pi\ln(n+1) \text{ on } [-1,1]",
    source=RIVLIN,
    over=sweep("1 <= n <= 200", default="n <= 30", quick="n <= 8"),
    method="The Lebesgue constant is enclosed over [-1, 1], beyond the outermost points too.",
)
def leb_poly_cheb1(n: int) -> Iterator[Comparison]:
    """At Chebyshev points of the first kind the constant is nearly its asymptote."""
    constant = lebesgue_constant(chebyshev_first(n + 1), "lagrange", (-1, 1), BALLS)
    yield at_most(constant, chebyshev_first_upper_bound(n, BALLS), "upper bound")
    yield greater_than(constant, chebyshev_first_lower_bound(n, BALLS), "lower bound")


@claim(
    "leb.poly.cheb1.end",
    statement=r"n+1 \text{ points } \cos\tfrac{(2i+1)\pi}{2(n+1)}:\quad "
    r"\Lambda(1)=\frac1{n+1}\sum_{i=0}^n\cot\frac{(2i+1)\pi}{4(n+1)} "
    r"\text{ is their Lebesgue constant on } [-1,1], \text{ here up to a factor } 1+2^{-48}",
    source=RIVLIN,
    over=sweep("1 <= n <= 60", default="n <= 16", quick="n <= 5"),
    method="The value at 1 in a cyclotomic field; the enclosed constant is at most 2^-48 larger than that value.",
)
def leb_poly_cheb1_end(n: int) -> Iterator[Comparison]:
    """Chebyshev points of the first kind have their largest Lebesgue function at the ends."""
    field = cyclotomic(8 * (n + 1))
    angles = [Fraction(2 * i + 1, 4 * (n + 1)) for i in range(n + 1)]
    cotangents = sum(field.cos_pi(angle) / field.sin_pi(angle) for angle in angles)
    at_end = lebesgue_function(1, chebyshev_first(n + 1), "lagrange", field)
    yield equal(at_end, cotangents / (n + 1), "value at 1")
    constant = lebesgue_constant(chebyshev_first(n + 1), "lagrange", (-1, 1), BALLS)
    yield at_most(constant, BALLS.number(at_end) * (1 + Fraction(1, 2**48)), "nowhere larger")


@claim(
    "leb.poly.cheb2",
    statement=r"n+1 \text{ points } \cos\tfrac{i\pi}n:\quad \Lambda_n \text{ is less than that of } "
    r"\cos\tfrac{(2i+1)\pi}{2(n+1)} \text{ on } [-1,1],\ n\ge1",
    source=RIVLIN,
    over=sweep("1 <= n <= 200", default="n <= 30", quick="n <= 8"),
    method="Both Lebesgue constants are enclosed over [-1, 1].",
)
def leb_poly_cheb2(n: int) -> Comparison:
    """Chebyshev points of the second kind have a slightly smaller constant than the first."""
    first = lebesgue_constant(chebyshev_first(n + 1), "lagrange", (-1, 1), BALLS)
    return less_than(lebesgue_constant(chebyshev_second(n + 1), "lagrange", arithmetic=BALLS), first)


@claim(
    "leb.poly.cheb2.previous",
    statement=r"\Lambda_n(\cos\tfrac{i\pi}n)\le\Lambda_{n-1}(\cos\tfrac{(2i+1)\pi}{2n}), \text{ here up to a factor } "
    r"1+2^{-48}, \text{ and for odd } n \text{ the Lebesgue function at } 0 \text{ is the right-hand side}",
    source=published("Ehlich & Zeller 1966, Math. Ann. 164:105-112", wording="recalled"),
    over=sweep("2 <= n <= 60", default="n <= 16", quick="n <= 5"),
    method="The right-hand side is leb.poly.cheb1.end in a cyclotomic field, as is the value at 0; the constant is "
    "enclosed, and at most 2^-48 larger.",
)
def leb_poly_cheb2_previous(n: int) -> Iterator[Comparison]:
    """Chebyshev points of the second kind compete with one point less of the first kind."""
    field = cyclotomic(8 * n)
    previous = lebesgue_function(1, chebyshev_first(n), "lagrange", field)
    constant = lebesgue_constant(chebyshev_second(n + 1), "lagrange", arithmetic=BALLS)
    yield at_most(constant, BALLS.number(previous) * (1 + Fraction(1, 2**48)))
    if n % 2:
        yield equal(lebesgue_function(0, chebyshev_second(n + 1), "lagrange", field), previous, "value at 0")


@claim(
    "leb.poly.any",
    statement=r"\text{any } n+1 \text{ nodes},\ n\ge1:\quad \Lambda\ge\tfrac2\pi\ln n+0.5212 "
    r"\text{ on their hull, here for subsets of a grid}",
    source=published("Erdős 1961, Acta Math. Acad. Sci. Hungar. 12:235-244; Brutman 1997", wording="seen"),
    over=sweep("1 <= n <= 7", "S in subsets(9, n)", default=("n <= 5", "max(S) < 7"), quick=("n <= 4", "max(S) < 5")),
    method="Nodes 0 and s + 1; the Lebesgue constant is enclosed over all gaps.",
)
def leb_poly_any(n: int, S: tuple[int, ...]) -> Comparison:
    """Nodes out of a grid have no Lebesgue constant below the logarithm."""
    constant = lebesgue_constant([0, *(s + 1 for s in S)], "lagrange", arithmetic=BALLS)
    return at_least(constant, polynomial_lower_bound(n, BALLS))


@claim(
    "leb.poly.any.sharp",
    statement=r"\text{any } n+1 \text{ nodes},\ n\ge1:\quad \Lambda>\tfrac2\pi\big(\ln(n+1)+\gamma+\ln\tfrac4\pi\big) "
    r"\text{ on their hull, here for stretched Chebyshev points}",
    source=published("Brutman 1978, SIAM J. Numer. Anal. 15:694-704; Erdős 1961", wording="recalled"),
    over=sweep("1 <= n <= 200", default="n <= 30", quick="n <= 8"),
    method="The Lebesgue constant of Chebyshev points of the first kind is enclosed over their own hull, where they "
    "are nearly the best nodes.",
)
def leb_poly_any_sharp(n: int) -> Comparison:
    """How close stretched Chebyshev points come to the lower bound for all nodes."""
    constant = lebesgue_constant(chebyshev_first(n + 1), "lagrange", arithmetic=BALLS)
    pi = BALLS.pi
    return greater_than(constant, 2 / pi * (BALLS.log(4 * (n + 1) / pi) + euler_constant(BALLS)))


def _cardinals_at_one_half(n: int) -> Iterator[Comparison]:
    """Compare the cardinal functions at 1/2, for nodes with distance h."""
    (h,) = positive("h")
    r = SymbolicInterpolant([i * h for i in range(n + 1)], "lagrange", h / 2)
    W = prod(1 - Fraction(1, 2 * j) for j in range(1, n + 1))
    for i, term in enumerate(r.terms):
        expected = comb(n, i) * W * h / (2 * abs(i * h - h / 2))
        yield equal(abs(term) * abs(r.node_polynomial), expected, f"cardinal function {i} for n = {n}")
