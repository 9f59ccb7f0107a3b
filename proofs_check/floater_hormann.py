"""Floater-Hormann interpolants: no real poles, the degree they reproduce, and their special cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb, factorial
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Comparison, at_most, claim, derived, equal, greater_than, published, sweep
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import equispaced, floater_hormann_weights
from codedtheory.interpolation.alternating_tails import any_tail, longer_tail
from codedtheory.interpolation.poles import count_real_poles
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

SOURCE = published("Floater & Hormann 2007, Numer. Math. 107:315-331", wording="seen", doi="10.1007/s00211-007-0093-y")
RECALLED = published(
    "Floater & Hormann 2007, Numer. Math. 107:315-331", wording="recalled", doi="10.1007/s00211-007-0093-y"
)


@claim(
    "fh.nopole",
    statement=r"w_k=(-1)^{k-d}\sum_{i\in J_k}\prod_{j=i,j\ne k}^{i+d}\tfrac1{|x_k-x_j|},\ "
    r"J_k=\{i:0\le i\le n-d,\ k-d\le i\le k\},\ 0\le d\le n "
    r"\;\Rightarrow\; D(x)\ne0 \text{ for all real } x, \text{ whatever the nodes}",
    source=SOURCE,
    method="D is the sum of (-1)^i/prod(x - x_j) over windows of d + 1 nodes, since both have the residue w_k at x_k "
    "(written out for n <= 3). With the signs p = (-1)^i, q = (-1)^d, a = (-1)^k and e the product of distances: "
    "windows across x have one sign; those to either side form tails in (0, 1/e] (induction), which start with the "
    "same sign.",
)
def fh_nopole() -> Iterator[Comparison]:
    """Floater-Hormann interpolants of every degree have no real pole, whatever the nodes."""
    e, near, gap, share, other, middle = *positive("e u g"), *nonnegative("s t c")
    yield greater_than((near + gap) / near, 1, "the product of distances grows from window to window")
    longer = longer_tail(e, any_tail(e + gap, share))
    yield from induction(
        base=at_most(any_tail(e, 0), 1 / e, "one window"),
        step=[greater_than(longer, 0, "positive"), at_most(longer, 1 / e, "at most 1/e")],
    )
    p, q, a = arbitrary("p q a")
    squares = [p**2 - 1, q**2 - 1, a**2 - 1]
    yield equal(p * (p * q * a), a * q, "window i across x has i + d - k nodes right of x", modulo=squares)
    yield equal((-a) * (-q), a * q, "the first window to the right, i = k + 1, has d + 1", modulo=squares)
    yield equal(a / q, a * q, "the first window to the left is i = k - d", modulo=squares)
    yield greater_than(any_tail(e, share) + middle + any_tail(near, other), 0, "both tails and the middle")
    yield greater_than(any_tail(e, share) + middle, 0, "one tail and the middle")
    yield greater_than(1 / e + middle, 0, "the middle alone, which is one window at least")
    for n in range(4):
        for d in range(n + 1):
            r = SymbolicInterpolant(n + 1, d)
            yield equal(r.denominator * r.node_polynomial, _windows(r, d), f"n = {n}, d = {d}")


@claim(
    "fh.nopole.grid",
    statement=r"\#\{x\in\mathbb R: D(x)=0\}=0 \text{ for all } d\le n\le6 "
    r"\text{ and all sets of } n+1 \text{ nodes out of 9 equidistant ones}",
    source=SOURCE,
    over=sweep("0 <= n <= 6", "0 <= d <= n", "S in subsets(9, n + 1)", default="n <= 5", quick="n <= 2"),
    method="Sturm's theorem for the numerator polynomial of D, in rational arithmetic.",
)
def fh_nopole_grid(n: int, d: int, S: tuple[int, ...]) -> Comparison:
    """No real root of any Floater-Hormann denominator, counted on small subsets of a grid."""
    return equal(count_real_poles(S, d), 0)


@claim(
    "fh.nopole.degree",
    statement=r"x^mD-\sum_i\tfrac{w_ix_i^m}{x-x_i}=0 \ (m\le d), \quad =\tfrac{1+(-1)^{n-d}}2 \ (m=d+1): "
    r"\text{ degree } d \text{ is reproduced, and } d+1 \text{ iff } n-d \text{ is odd}",
    source=SOURCE,
    method="The left side is the sum of (-1)^i(f - p_i)/prod(x - x_j) over the windows, p_i the interpolant of "
    "degree d on window i, since both have the same residues. There x^(d+1) misses p_i by the product that the "
    "window divides by, so that window i contributes (-1)^i; their sum by induction on n - d with e = (-1)^(n-d). "
    "Written out for n <= 2.",
)
def fh_nopole_degree() -> Iterator[Comparison]:
    """Floater-Hormann interpolants reproduce degree d, and d + 1 iff n - d is odd."""
    e, w = arbitrary("e v")
    yield equal(e / w * w, e, "one window")
    yield from induction(
        base=equal(SymbolicInterpolant(1, 0).weights.sum(), 1, "n = d"),
        step=equal((1 + e) / 2 + (-e), (1 + (-e)) / 2, "sum of the signs"),
    )
    for n in range(3):
        for d in range(n + 1):
            r = SymbolicInterpolant(n + 1, d)
            for m in range(d + 2):
                error = r.x**m * r.cleared() - r.cleared(partial(_power, m))
                left = (1 - (n - d) % 2) if m > d else 0
                yield equal(error, left * r.node_polynomial, f"n = {n}, d = {d}, m = {m}")


@claim(
    "fh.nopole.moments",
    statement=r"\sum_kw_kx_k^m=0 \ (m<d),\qquad =\tfrac{1+(-1)^{n-d}}2 \ (m=d), "
    r"\text{ for all sets of } n+1 \text{ nodes out of } 0,\dots,8",
    source=derived("the weights sum the values of f to the alternating sum of the divided differences f[x_i..x_(i+d)]"),
    over=sweep("0 <= n <= 7", "0 <= d <= n", "S in subsets(9, n + 1)", "0 <= m <= d", default="n <= 4", quick="n <= 2"),
    method="Rational arithmetic.",
)
def fh_nopole_moments(n: int, d: int, S: tuple[int, ...], m: int) -> Comparison:
    """The moments of the weights, on which reproduction rests, on small subsets of a grid."""
    weights = floater_hormann_weights(S, d).over(EXACT)
    return equal((weights * np.array(S, dtype=object) ** m).sum(), (1 - (n - d) % 2) if m == d else 0)


@claim(
    "fh.special",
    statement=r"d=0: w_k=(-1)^k;\quad d=n: w_k=\prod_{j\ne k}(x_k-x_j)^{-1};\quad "
    r"d=1, x_k=x_0+kh: w\propto(\tfrac12,-1,1,\dots,\pm\tfrac12)",
    source=RECALLED,
    over=sweep("1 <= n <= 6", default="n <= 4", quick="n <= 3"),
    method="Symbolic nodes x_0 ... x_n, and x_0 + kh with symbols x_0, h; weights compared up to a common factor.",
)
def fh_special(n: int) -> Iterator[Comparison]:
    """Berrut's two forms and polynomial interpolation are Floater-Hormann interpolants."""
    (start,), (step,) = arbitrary("x0"), positive("h")
    equidistant = [start + k * step for k in range(n + 1)]
    yield from _proportional(n + 1, 0, "berrut")
    yield from _proportional(n + 1, n, "lagrange")
    yield from _proportional(equidistant, 1, "berrut-half")


@claim(
    "fh.special.equidistant",
    statement=r"x_k=a+kh:\quad d!\,h^d\,|w_k|=\sum_{i\in J_k}\binom d{k-i}; \quad d=2: 1,3,4,\dots,4,3,1",
    source=RECALLED,
    over=sweep("0 <= d <= 8", "max(d, 1) <= n <= 16", "0 <= k <= n", default="n <= 9", quick="n <= 4"),
    method="Weight k in rational arithmetic, on n + 1 nodes with distance 1.",
)
def fh_special_equidistant(d: int, n: int, k: int) -> Comparison:
    """On equidistant nodes the weights are integers, sums of binomial coefficients."""
    weight = floater_hormann_weights(equispaced(n + 1, 0, n), d).over(EXACT)[k]
    windows = range(max(0, k - d), min(k, n - d) + 1)
    return equal(weight * factorial(d), (-1) ** (k + d) * sum(comb(d, k - i) for i in windows))


def _power(exponent: int, base: Any) -> Any:
    return base**exponent


def _windows(r: SymbolicInterpolant, d: int) -> Any:
    """Return the sum of (-1)^i/prod(x - x_j) over the windows of d + 1 nodes, times the product over all nodes."""
    total: Any = 0
    for i in range(len(r.nodes) - d):
        outside = np.delete(r.nodes, range(i, i + d + 1))
        total = total + (-1) ** i * (r.x - outside).prod()
    return total


def _proportional(nodes: Any, weights: Any, others: Any) -> Iterator[Comparison]:
    w, v = SymbolicInterpolant(nodes, weights).weights, SymbolicInterpolant(nodes, others).weights
    for k in range(1, len(w)):
        yield equal(w[k] * v[0], v[k] * w[0], f"{others}, weight {k}")
