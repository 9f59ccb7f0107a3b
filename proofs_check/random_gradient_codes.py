"""Random cyclic gradient codes (Algorithm 2): when they exist, how large their entries are, and what rounding costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import pi, tan
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, determinant, null_space, rank
from codedtheory.claims import (
    Comparison,
    SampleMean,
    claim,
    close,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    samples,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary
from codedtheory.coding import (
    code_from_parity,
    cyclic_repetition,
    has_singular_window,
    integer_parities,
    polynomial_cyclic,
    worst_message_error,
)
from codedtheory.coding.survivors import survivor_sets

TANDON = "Tandon, Lei, Dimakis & Karampatziakis 2017"
TANDON_ARXIV = "1612.03301"
ALGORITHM = r"BH^{\mathsf T}=0,\ H\mathbf 1=0,\ B \text{ supported on cyclic windows of } s+1: \quad "


@claim(
    "gc.crs",
    statement=ALGORITHM + r"\text{for almost every } H\in\mathbb R^{s\times n} \text{ any } s \text{ stragglers are "
    r"tolerated; all minors of } H \text{ are non-zero, and all } B_R \text{ have rank } n-s",
    source=published(TANDON, arxiv=TANDON_ARXIV, wording="seen"),
    over=sweep("2 <= n <= 9", "1 <= s < n", default="n <= 7", quick="n <= 5"),
    cost="comb(n, s)",
    method="The exceptions are zeros of polynomials in H, which are not the zero polynomial since one rational H is no "
    "zero of them: the kernel of the polynomial code, which exists for all n and s (gc.poly.exact). All minors, all R.",
)
def gc_crs(n: int, s: int) -> Iterator[Comparison]:
    """Algorithm 2 gives a code that tolerates any s stragglers, with probability 1."""
    H = null_space(polynomial_cyclic(range(n), s).matrix).T
    code = code_from_parity(H)
    singular = [S for S in combinations(range(n), s) if determinant(H[:, list(S)]) == 0]
    yield equal(len(singular), 0, "minors that vanish")
    deficient = [R for R in survivor_sets(n, s) if rank(code.matrix[list(R)]) < n - s]
    yield equal(len(deficient), 0, "survivor sets with dependent rows")
    yield equal(int(bool(code.tolerates(s))), 1, "tolerated")
    yield equal(int(np.count_nonzero(code.matrix @ H.T)), 0, "B H^T")


@claim(
    "gc.crs.minors",
    statement=ALGORITHM
    + r"\text{if all } \binom ns \text{ minors of } H \text{ are non-zero, any } s \text{ stragglers"
    r" are tolerated; tried at } n=6,\ s=3",
    source=derived("the column condition alone, without the rank of every B_R"),
    expected="fails",
    corrected_by="gc.crs",
    method="One integer H, over the rationals; n = 6 and s = 3 are the smallest sizes where this can happen, see "
    "gc.crs.few. The rows 0, 2, 4 have rank 2.",
)
def gc_crs_minors() -> Iterator[Comparison]:
    """Independence of any s columns of H would make the code tolerate s stragglers."""
    H = EXACT.array([[-2, 3, -2, 1, 0, 0], [1, -1, -1, 0, 1, 0], [-1, 3, -3, 0, 0, 1]])
    singular = [S for S in combinations(range(6), 3) if determinant(H[:, list(S)]) == 0]
    yield equal(len(singular), 0, "minors that vanish")
    yield equal(int(bool(code_from_parity(H).tolerates(3))), 1, "tolerated")


@claim(
    "gc.crs.few",
    statement=ALGORITHM + r"s\le2 \text{ or } s\ge n-2 \text{ and all minors of } H \text{ non-zero} \;\Rightarrow\; "
    r"\mathrm{rank}\,B_R=n-s \text{ for all } R",
    source=derived("s = 2: arcs of workers have determinants that are products of minors, by the Plücker relation"),
    method="s = 2, rows scaled to ([i+1,i+2], -[i,i+2], [i,i+1]): without columns p+1 and q+1 the rows left by p and q "
    "fall into two tridiagonal blocks, rows a..b with determinant (-1)^(b-a+1) [a,b+2] [a+1,a+2]...[b,b+1], all "
    "non-zero; P is the product up to [b-2,b-1]. s = 1 is bidiagonal. s >= n - 2: kernel vectors with more than "
    "n - s - 1 zeros vanish, and row i has a zero at i - 1.",
)
def gc_crs_few() -> Iterator[Comparison]:
    """For few or many stragglers it suffices that all minors of H are non-zero."""
    # the columns a, b = a+1, c = a+2, d = a+3 of the base; a, e = b-1, b, c = b+1, d = b+2 of the step
    a, b, c, d, e = (arbitrary(f"{name}1 {name}2") for name in "abcde")
    (P,) = arbitrary("P")
    two_rows = _minor(a, c) * _minor(b, d) - _minor(a, b) * _minor(c, d)
    one_less, two_less = _minor(a, c) * P * _minor(e, b), -_minor(a, b) * P
    expanded = -_minor(b, d) * one_less - _minor(e, b) * _minor(c, d) * two_less
    yield from induction(
        base=equal(two_rows, _minor(a, d) * _minor(b, c), "two rows"),
        step=equal(expanded, -_minor(a, d) * P * _minor(e, b) * _minor(b, c), "one row more"),
    )


@claim(
    "gc.crs.cauchy",
    statement=ALGORITHM + r"\text{normal } H: \text{ entries of rows whose support avoids the last column are exactly "
    r"standard Cauchy, so that } \mathbb E|B_{ij}|=\infty,\ P(|B_{ij}|>t)=\tfrac2\pi\arctan\tfrac1t",
    source=derived(
        "Cramer's rule: a ratio of two independent normal numbers of equal variance, given the other columns"
    ),
    over=sweep("1 <= s <= 4", "1 <= k <= s", default="s <= 3", quick="s <= 2"),
    method="B_(i,i+k) = -<u, h_i>/<u, h_(i+k)>, where the cofactors u contain neither column; given u both are normal "
    "with variance |u|^2, and independent. Identities in all entries of the columns.",
)
def gc_crs_cauchy(s: int, k: int) -> Iterator[Comparison]:
    """Entries of random cyclic codes are Cauchy variables, which have no mean."""
    import sympy

    columns = [sympy.Matrix(arbitrary(f"h{j}_0:{s}")) for j in range(s + 1)]
    others = [columns[j] for j in range(1, s + 1) if j != k]
    u = [sympy.Matrix.hstack(sympy.eye(s)[:, r], *others).det() for r in range(s)]
    order = (-1) ** (k - 1)
    block = sympy.Matrix.hstack(*columns[1:])
    replaced = [_with_column(block, j, columns[0]).det() for j in range(s)]
    yield equal(replaced[k - 1], order * sum(u[r] * columns[0][r] for r in range(s)), "numerator")
    yield equal(block.det(), order * sum(u[r] * columns[k][r] for r in range(s)), "denominator")
    yield equal(sum(block[0, j] * replaced[j] for j in range(s)), block.det() * columns[0][0], "Cramer's rule")


@claim(
    "gc.crs.cauchy.sampled",
    statement=ALGORITHM
    + r"\text{normal } H: \quad \big|P\big(|B_{ij}|\le\tan\tfrac{\pi q}2\big)-q\big|\le\tfrac1{10},\ "
    r"q=\tfrac14,\tfrac12,\tfrac34,\tfrac9{10},\quad (n,s)=(12,1),(12,3),(20,5)",
    source=derived("sampling"),
    over=samples(1),
    method="The entry beside the diagonal in rows with disjoint windows, which are independent; 3,200 or more of each, "
    "with Hoeffding's interval.",
)
def gc_crs_cauchy_sampled(rng: np.random.Generator) -> Iterator[Comparison]:
    """Entries of random cyclic codes have the quantiles of a Cauchy variable."""
    for n, s, codes in ((12, 1, 640), (12, 3, 1600), (20, 5, 1067)):
        rows = range(0, n - s - 1, s + 1)
        drawn = [cyclic_repetition(n, s, rng).matrix for _ in range(codes)]
        entries = np.array([abs(matrix[i, i + 1]) for matrix in drawn for i in rows])
        for q in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)):
            share = SampleMean.bounded((entries <= tan(pi * q / 2)).astype(float), 0, 1)
            yield close(share, q, "1/10", f"q = {q} at ({n}, {s})")


@claim(
    "gc.crs.singular",
    statement=ALGORITHM + r"\text{of all } H \text{ with free entries } \pm1 \text{ a share of } \tfrac{31}{32}, "
    r"\text{ and with entries } -1,0,1 \text{ a share of } \tfrac{17075}{19683}, \text{ has a singular block at } "
    r"(6,2)",
    source=derived("enumeration; `singular with probability 0` needs a continuous H"),
    method="All 1024 and all 59049 matrices, by integer determinants of the six windows that Algorithm 2 inverts.",
)
def gc_crs_singular() -> Iterator[Comparison]:
    """Random signs do not make a code: most of their parity matrices are singular."""
    for entries, share in (((-1, 1), Fraction(31, 32)), ((-1, 0, 1), Fraction(17075, 19683))):
        singular = has_singular_window(integer_parities(6, 2, entries))
        yield equal(Fraction(int(singular.sum()), len(singular)), share, f"entries {entries}")


@claim(
    "gc.crs.singular.sampled",
    statement=ALGORITHM
    + r"\text{share of integer } H \text{ with a singular block, } \pm.02, \text{ at } (6,2),(12,3): "
    r"\pm1\ {.969},{.999};\ \{-1,0,1\}\ {.867},{.974};\ 0..9\ {.19},{.14};\ -100..100\ {.002},{.000}",
    source=derived("sampling"),
    over=samples(1),
    method="40,000 matrices each, by integer determinants; with Hoeffding's interval.",
)
def gc_crs_singular_sampled(rng: np.random.Generator) -> Iterator[Comparison]:
    """How often integer parity matrices are singular."""
    shares: dict[tuple[int, ...], tuple[str, str]] = {
        (-1, 1): ("0.969", "0.999"),
        (-1, 0, 1): ("0.867", "0.974"),
        tuple(range(10)): ("0.194", "0.142"),
        tuple(range(-100, 101)): ("0.002", "0"),
    }
    for entries, expected in shares.items():
        for (n, s), share in zip(((6, 2), (12, 3)), expected, strict=True):
            found = has_singular_window(integer_parities(n, s, entries, rng, 40_000)).astype(float)
            label = f"{entries[0]}..{entries[-1]} at ({n}, {s})"
            yield close(SampleMean.bounded(found, 0, 1), Fraction(share), "0.02", label)


@claim(
    "gc.precision",
    statement=r"n=12, \text{ Algorithm 2 with normal } H, \text{ messages rounded, worst relative error of the decoded "
    r"sum over all patterns, median: half precision } <\tfrac1{10}\ (s=1),\ >\tfrac1{20}\ (s=3); "
    r"\text{ single precision } <10^{-3}\ (s=3)",
    source=derived("sampling"),
    over=samples(1),
    method="The share of 80 codes that exceed the bound, with Hoeffding's interval; all patterns, normal gradients.",
)
def gc_precision(rng: np.random.Generator) -> Iterator[Comparison]:
    """Half-precision messages make random cyclic codes useless beyond one straggler."""
    half = Fraction(1, 2)
    for s, kind, bound in ((1, np.float16, 0.1), (3, np.float16, 0.05), (3, np.float32, 1e-3)):
        errors = [worst_message_error(cyclic_repetition(12, s, rng), s, kind, rng) for _ in range(80)]
        exceeding = SampleMean.bounded([float(error > bound) for error in errors], 0, 1)
        label = f"{np.dtype(kind).name} with s = {s}"
        yield greater_than(exceeding, half, label) if bound == 0.05 else less_than(exceeding, half, label)


def _minor(u: Any, v: Any) -> Any:
    """Return the minor [u, v] of two columns."""
    return u[0] * v[1] - u[1] * v[0]


def _with_column(block: Any, position: int, column: Any) -> Any:
    replaced = block.copy()
    replaced[:, position] = column
    return replaced
