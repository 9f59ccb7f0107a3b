"""Amplification of the cyclic gradient codes from polynomials, on the line and on the circle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, gcd

import numpy as np

from codedtheory.arithmetic import Algebraic, ball, cyclotomic, determinant, minimum, rank
from codedtheory.claims import (
    Comparison,
    SampleMean,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    samples,
    sweep,
)
from codedtheory.claims.angles import cosine, sine
from codedtheory.claims.symbols import arbitrary, nonnegative
from codedtheory.coding import (
    DividedDifference,
    MinNorm,
    circle_amplification,
    cyclic_mds,
    cyclic_repetition,
    polynomial_cyclic,
    worst_circle_amplification,
    worst_line_amplification,
)
from codedtheory.coding.tolerance import floating_residuals

AMPLIFICATION = r"A=\max_{S,j}\sum_i|a_iB_{ij}| \text{ of the polynomial code}"
RAVIV = "Raviv, Tamo, Tandon & Dimakis 2018"
BALLS = ball(64)


@claim(
    "gc.poly.symmetry",
    statement=AMPLIFICATION + r": \quad A(s)=A(n-1-s) \text{ for increasing nodes}",
    source=derived("enumeration, not proved; the worst T and U look contiguous for both"),
    over=sweep("1 <= n <= 7", "0 <= s <= (n - 1) // 2", "X in subsets(9, n)", default="n <= 6", quick="n <= 4"),
    method="All straggler sets, over the rationals; all increasing nodes in 0..8.",
)
def gc_poly_symmetry(n: int, s: int, X: tuple[int, ...]) -> Comparison:
    """On the line s and n - 1 - s stragglers have the same worst amplification."""
    return equal(worst_line_amplification(X, s), worst_line_amplification(X, n - 1 - s))


@claim(
    "gc.poly.symmetry.circle",
    statement=AMPLIFICATION + r": \quad A(s)=A(n-1-s) \text{ for consecutive roots of unity}",
    source=derived("enumeration, not proved"),
    over=sweep("1 <= n <= 12", "0 <= s <= (n - 1) // 2", default="n <= 9", quick="n <= 7"),
    cost="comb(n, s)",
    method="All straggler sets up to rotation, in a cyclotomic field.",
)
def gc_poly_symmetry_circle(n: int, s: int) -> Comparison:
    """On the circle s and n - 1 - s stragglers have the same worst amplification."""
    field = cyclotomic(4 * n)
    return equal(worst_circle_amplification(n, s, 1, field), worst_circle_amplification(n, n - 1 - s, 1, field))


@claim(
    "gc.poly.symmetry.order",
    statement=AMPLIFICATION + r": \quad A(s)=A(n-1-s) \text{ for the nodes } e^{2\pi\mathrm ibi/n} \text{ of every step"
    r" } b",
    source=derived("the symmetry read without its hypothesis on the order of the nodes"),
    over=sweep("3 <= n <= 7", "1 <= s <= (n - 1) // 2", "1 <= b <= n // 2", where="gcd(b, n) == 1", quick="n <= 5"),
    expected="fails",
    corrected_by="gc.poly.symmetry.circle",
    method="All straggler sets up to rotation, in a cyclotomic field.",
)
def gc_poly_symmetry_order(n: int, s: int, b: int) -> Comparison:
    """The symmetry in s would hold in every order of the nodes."""
    field = cyclotomic(4 * n)
    return equal(worst_circle_amplification(n, s, b, field), worst_circle_amplification(n, n - 1 - s, b, field))


@claim(
    "gc.poly.integers",
    statement=AMPLIFICATION + r" \text{ at } x_i=i: \quad A=\sum_k\tbinom sk\tbinom{n-1-s}k2^k, \text{ a Delannoy "
    r"number}",
    source=derived("attained by T = 0..s and U = n-s..n-1; that no other sets are worse is enumerated, not proved"),
    over=sweep("1 <= n <= 12", "0 <= s < n", default="n <= 9", quick="n <= 7"),
    cost="n * comb(n, s)",
    method="All straggler sets, over the rationals.",
)
def gc_poly_integers(n: int, s: int) -> Comparison:
    """At integer nodes the worst amplification is a Delannoy number."""
    delannoy = sum(comb(s, k) * comb(n - 1 - s, k) * 2**k for k in range(n))
    return equal(worst_line_amplification(range(n), s), delannoy)


@claim(
    "gc.poly.s1",
    statement=AMPLIFICATION + r",\ s=1,\ n\ge3: \quad A=2n-3 \text{ at } x_i=i;\quad "
    r"A=\frac1{\sin(\pi/2n)}\ (n \text{ odd}),\ \cot\frac\pi{2n}\ (n \text{ even}) \text{ at the roots of unity}",
    source=derived("two neighbours w, t and the straggler u: A = (|w - u| + |t - u|)/|w - t|"),
    method="The straggler is g + 1 and g + 2 away from two integers, g + r + 3 = n; on the circle its chords belong to "
    "the angles pa and (p + 2)a for even p, a = pi/2n, and (p + 1)a is nearest to a right angle, which is na, at "
    "p + 1 = n or n - 1. P, A are the turns of pa, a.",
)
def gc_poly_s1() -> Iterator[Comparison]:
    """With one straggler the worst amplification has a closed form, for all n."""
    g, r = nonnegative("g r")
    n = g + r + 3
    yield at_most(((g + 1) + (g + 2)) / 1, 2 * n - 3, "integers: two neighbours on one side of the straggler")
    yield at_most((g + 1 + (r + 1)) / (n - 1), 1, "integers: the two ends")
    yield equal((g + 1) + (g + 2), 2 * n.subs(r, 0) - 3, "integers: attained by a straggler at an end")
    import sympy

    P, A = arbitrary("P A")
    chords = (2 * sine(P) + 2 * sine(P * A**2)) / (2 * sine(A**2))
    yield equal(chords, sine(P * A) / sine(A), "sum of two chords over one")
    yield equal(sine(P * A).subs(P, sympy.I / A), 1, "n odd: (p + 1)a is a right angle")
    yield equal(sine(P * A).subs(P, sympy.I / A**2), cosine(A), "n even: (p + 1)a is a away from it")


@claim(
    "gc.poly.s1.enumerated",
    statement=AMPLIFICATION + r",\ s=1: \quad A=2n-3 \text{ at } x_i=i;\quad "
    r"A=\frac1{\sin(\pi/2n)}\ (n \text{ odd}),\ \cot\frac\pi{2n}\ (n \text{ even}) \text{ at the roots of unity}",
    source=derived("two neighbours w, t and the straggler u: A = (|w - u| + |t - u|)/|w - t|"),
    over=sweep("2 <= n <= 24", default="n <= 14", quick="n <= 8"),
    method="All stragglers, over the rationals and in a cyclotomic field; the decoder itself at the integers.",
)
def gc_poly_s1_enumerated(n: int) -> Iterator[Comparison]:
    """With one straggler the worst amplification has a closed form, counted out."""
    code, decoder = polynomial_cyclic(range(n), 1), DividedDifference(tuple(range(n)), 1)
    yield equal(code.worst_amplification(decoder, 1).value, 2 * n - 3, "integers")
    field = cyclotomic(8 * n)
    closed_form = (1 if n % 2 else field.cos_pi(Fraction(1, 2 * n))) / field.sin_pi(Fraction(1, 2 * n))
    yield equal(worst_circle_amplification(n, 1, 1, field), closed_form, "roots of unity")


@claim(
    "gc.cyclic.real",
    statement=r"1\le s\le n-1: \text{ a real cyclic MDS code, the circulant of } \prod_{k\in K}(x-\omega^k) \text{ with"
    r" } |K|=s,\ 0\notin K, \text{ exists iff } n \text{ and } s \text{ have different parity}",
    source=published(RAVIV, arxiv="1707.03858", wording="recalled"),
    over=sweep("2 <= n <= 9", "1 <= s < n", default="n <= 8", quick="n <= 6"),
    cost="comb(n, s)**2",
    method="Real: K is closed under negation. MDS: all minors of (w^ik), k in K, are non-zero, in a cyclotomic field; "
    "worker 0 is among them by rotation. All K, not only runs.",
)
def gc_cyclic_real(n: int, s: int) -> Iterator[Comparison]:
    """Real cyclic MDS codes exist iff the parities of n and s differ."""
    real = [K for K in _root_sets(n, s) if all((n - k) % n in K for k in K)]
    yield equal(int(any(_is_mds(n, K) for K in real)), (n - s) % 2, "any roots")
    runs = [cyclic_mds(n, s, first=m) for m in range(1, n - s + 1)]
    yield equal(sum(code.is_real for code in runs), (n - s) % 2, "real runs")
    yield equal(int(cyclic_mds(n, s).is_real), (n - s) % 2, "the centred run")


@claim(
    "gc.nodestep",
    statement=r"\text{Nodes } \omega^{bi},\ \gcd(b,n)=1: \text{ every step tolerates any } s \text{ stragglers with "
    r"independent rows, and for some } b \text{ its worst amplification is below that of } b=1, "
    r"\text{ iff } s\le n-3 \text{ and } n=5 \text{ or } n\ge7",
    source=derived("a permutation of the nodes against the windows keeps the code MDS; the gain is enumerated"),
    over=sweep("3 <= n <= 12", "1 <= s <= n - 2", default="n <= 9", quick="n <= 7"),
    cost="n * comb(n, s)",
    method="All straggler sets up to rotation, in a cyclotomic field; steps b and n - b give the same distances.",
)
def gc_nodestep(n: int, s: int) -> Iterator[Comparison]:
    """A step between the roots of unity keeps the tolerance and lowers the amplification."""
    steps = [b for b in range(1, n // 2 + 1) if gcd(b, n) == 1]
    field = cyclotomic(4 * n)
    natural = worst_circle_amplification(n, s, 1, field)
    best = minimum(worst_circle_amplification(n, s, b, field) for b in steps)
    gains = s <= n - 3 and (n == 5 or n >= 7)
    yield less_than(best, natural, "best step") if gains else equal(best, natural, "best step")
    for b in steps:
        code = cyclic_mds(n, s, b, first=1)
        yield equal(int(bool(code.tolerates(s))), 1, f"step {b} tolerates")
        yield equal(rank(code.matrix[list(range(s, n))]), n - s, f"rows of step {b}")


@claim(
    "gc.nodestep.gain",
    statement=r"A_{b=1}/\min_bA_b<8\ (n\le9),\ <33\ (n\le14), \text{ and above } 7 \text{ and } 32 "
    r"\text{ at } (n,s)=(9,3) \text{ and } (14,4)",
    source=derived("enumeration"),
    over=sweep(
        "3 <= n <= 14",
        "1 <= s <= n - 2",
        default="n <= 10 or (n == 14 and s == 4)",
        quick="n <= 8 or (n == 9 and s == 3)",
    ),
    cost="n * comb(n, s)",
    method="All straggler sets up to rotation, in balls.",
)
def gc_nodestep_gain(n: int, s: int) -> Iterator[Comparison]:
    """By how much the best step lowers the worst amplification."""
    steps = [b for b in range(1, n // 2 + 1) if gcd(b, n) == 1]
    best = minimum(worst_circle_amplification(n, s, b, BALLS) for b in steps)
    gain = worst_circle_amplification(n, s, 1, BALLS) / best
    yield less_than(gain, 8 if n <= 9 else 33)
    if (n, s) in ((9, 3), (14, 4)):
        yield greater_than(gain, 7 if n == 9 else 32, "attained")


@claim(
    "gc.nodestep.best",
    statement=r"\text{The best step depends on } s: \text{ at } n=9 \text{ it is } 4,2,2,2,4,4 \text{ for "
    r"} s=1,\dots,6",
    source=derived("enumeration"),
    over=sweep("1 <= s <= 6", quick="s <= 3"),
    method="All straggler sets up to rotation, in balls; the steps coprime to 9 are 1, 2, 4 up to sign.",
)
def gc_nodestep_best(s: int) -> Iterator[Comparison]:
    """No single step of the roots of unity is best for all numbers of stragglers."""
    best = (4, 2, 2, 2, 4, 4)[s - 1]
    for b in {1, 2, 4} - {best}:
        worst, other = (worst_circle_amplification(9, s, step, BALLS) for step in (best, b))
        yield less_than(worst, other, f"steps {best} and {b}")


@claim(
    "gc.cyclic.growth",
    statement=r"\text{Consecutive roots of unity, } s \text{ contiguous stragglers: } A\ge\tfrac153^s \text{ at } n=2s,"
    r"\ A\ge\tfrac13\,5^s \text{ at } n=4s",
    source=derived("enclosures; so cyclic MDS codes are not better conditioned than random ones in general"),
    over=sweep("1 <= s <= 20", ratio=(2, 4), default="s <= 15", quick="s <= 8"),
    method="One straggler set, in balls. At (n, s) = (20, 10), (30, 15), (60, 15): 1.28e4, 3.58e6, 3.08e11.",
)
def gc_cyclic_growth(s: int, ratio: int) -> Comparison:
    """In natural order the amplification of cyclic MDS codes grows exponentially with s."""
    amplification = circle_amplification(ratio * s, range(s), 1, BALLS)
    return at_least(amplification, Fraction(3**s, 5) if ratio == 2 else Fraction(5**s, 3))


@claim(
    "gc.cyclic.growth.one",
    statement=r"n=20,\ s=1: \text{ the median worst amplification of Algorithm 2 with normal } H \text{ exceeds "
    r"} \cot\tfrac\pi{40}=12.7 \text{ of consecutive roots of unity}",
    source=derived("sampling; for one straggler the cyclic MDS code is the better one"),
    over=samples(1),
    method="The share of codes that exceed it, with Hoeffding's interval; all 20 stragglers each.",
)
def gc_cyclic_growth_one(rng: np.random.Generator) -> Comparison:
    """With one straggler the cyclic MDS code amplifies less than random codes."""
    limit = 1 / np.tan(np.pi / 40)
    worst = [cyclic_repetition(20, 1, rng).worst_amplification(MinNorm(), 1).value for _ in range(100)]
    return greater_than(SampleMean.bounded([float(value > limit) for value in worst], 0, 1), Fraction(1, 2))


@claim(
    "gc.cyclic.growth.doubles",
    statement=r"\text{Least squares in doubles does not decode consecutive roots of unity with contiguous stragglers}"
    r" \text{ at } (n,s)=(60,30): \max_j|\alpha_j-1|>\tfrac12",
    source=derived("amplification above the reciprocal of the rounding unit"),
    over=None,
    method="LAPACK, in floating point.",
)
def gc_cyclic_growth_doubles() -> Comparison:
    """Sixty workers are too many for cyclic MDS codes in doubles."""
    matrix = cyclic_mds(60, 30, first=1).approximate().matrix
    return greater_than(float(floating_residuals(matrix, np.arange(30, 60)[None, :])[0]), 0.5)


def _root_sets(n: int, s: int) -> Iterator[tuple[int, ...]]:
    """Return the sets of s exponents from 1 to n - 1."""
    return combinations(range(1, n), s)


def _is_mds(n: int, exponents: Sequence[int]) -> bool:
    """Whether any n - s rows of the circulant with these roots are independent: all minors of (w^ik) are non-zero."""
    field = [Algebraic.root_of_unity(Fraction(k, n), n) for k in range(n)]
    rows = np.array([[field[i * k % n] for k in exponents] for i in range(n)], dtype=object)
    lost = combinations(range(1, n), len(exponents) - 1)
    return all(determinant(rows[[0, *others]]) != 0 for others in lost)
