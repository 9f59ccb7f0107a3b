"""How Vandermonde matrices are conditioned: why exact decoding over the reals loses digits, and what helps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, ball, complex_ball, condition_number, cyclotomic, inverse, rank
from codedtheory.claims import (
    Comparison,
    at_most,
    claim,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.angles import cosine, short_sine, sine
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.interpolation import chebyshev_first, chebyshev_second, equispaced, roots_of_unity
from codedtheory.interpolation.chebyshev_submatrices import worst_chebyshev_submatrix_condition
from codedtheory.interpolation.unit_circle_embeddings import permutation_vandermonde, rotation_vandermonde
from codedtheory.interpolation.vandermonde import chebyshev_vandermonde, vandermonde, vandermonde_condition
from codedtheory.interpolation.vandermonde_bounds import (
    beckermann_bound,
    chebyshev_first_vandermonde_growth,
    chebyshev_submatrix_growth,
    equispaced_vandermonde_growth,
    gautschi_inglese_bound,
)

GAUTSCHI = "Gautschi 1975, Numer. Math. 23:337-347"
GAUTSCHI_INGLESE = "Gautschi & Inglese 1988, Numer. Math. 52:241-250"
BECKERMANN = "Beckermann 2000, Numer. Math. 85:553-577"
PAN = "Pan 2016, SIAM J. Matrix Anal. Appl. 37:676-694"
FAHIM = "Fahim & Cadambe 2019"
RAMAMOORTHY = "Ramamoorthy & Tang 2019"
NORM = r"\kappa_\infty \text{ of } V_{ij}=x_j^{i-1} \text{ with } n \text{ nodes}: "


@claim(
    "vdm.gautschi",
    statement=r"n \text{ equispaced nodes in } [-1,1]:\quad "
    r"1<\kappa_\infty\Big/\frac1\pi e^{-\pi/4}e^{n(\pi/4+\frac12\ln2)}<1+\frac7{5n}",
    source=derived(f"the form at finite n of the growth law recalled from {GAUTSCHI}, seen by computation"),
    over=sweep("2 <= n <= 100", default="n <= 32", quick="n <= 14"),
    method="Exact condition numbers against enclosures of the law; nothing is said about n beyond the range.",
)
def vdm_gautschi(n: int) -> Iterator[Comparison]:
    """The condition of equispaced nodes follows its asymptotic law from above."""
    condition, law = vandermonde_condition(equispaced(n), arithmetic=EXACT), equispaced_vandermonde_growth(n, ball(256))
    yield greater_than(condition, law, "lower")
    yield less_than(condition, law * (5 * n + 7) / (5 * n), "upper")


@claim(
    "vdm.gautschi.chebyshev",
    statement=r"n \text{ Chebyshev points of the first kind}:\quad "
    r"1-\frac4{n^2}<\kappa_\infty\Big/\frac{3^{3/4}}4(1+\sqrt2)^n<1",
    source=derived(f"the form at finite n of the growth law recalled from {GAUTSCHI}, seen by computation"),
    over=sweep("2 <= n <= 100", default="n <= 32", quick="n <= 14"),
    method="Enclosures of both sides; nothing is said about n beyond the range.",
)
def vdm_gautschi_chebyshev(n: int) -> Iterator[Comparison]:
    """The condition of Chebyshev points follows its asymptotic law from below."""
    condition = vandermonde_condition(chebyshev_first(n), arithmetic=ball(512))
    law = chebyshev_first_vandermonde_growth(n, ball(512))
    yield greater_than(condition, law * (n * n - 4) / (n * n), "lower")
    yield less_than(condition, law, "upper")


@claim(
    "vdm.lower",
    statement=NORM + r"x_j>0,\ n\ge3 \;\Rightarrow\; \kappa_\infty>2^{n-1}",
    source=published(GAUTSCHI_INGLESE, wording="recalled"),
    over=sweep("3 <= n <= 9", "S in subsets(9, n)", quick="n <= 4"),
    method="Rational arithmetic on all subsets of 1/3, 2/3, ..., 3; no violation is no proof for other nodes.",
)
def vdm_lower(n: int, S: tuple[int, ...]) -> Comparison:
    """Positive nodes have exponentially large condition numbers."""
    nodes = [Fraction(i + 1, 3) for i in S]
    return greater_than(vandermonde_condition(nodes, arithmetic=EXACT), gautschi_inglese_bound(n, "positive", EXACT))


@claim(
    "vdm.lower.symmetric",
    statement=NORM + r"x_j=-x_{n+1-j},\ n\ge3 \;\Rightarrow\; \kappa_\infty>2^{n/2}",
    source=published(GAUTSCHI_INGLESE, wording="recalled"),
    over=sweep("3 <= n <= 14", "S in subsets(7, n // 2)", default="n <= 9", quick="n <= 4"),
    method="Squares in rational arithmetic; the positive nodes are all subsets of 1/4, 2/4, ..., 7/4.",
)
def vdm_lower_symmetric(n: int, S: tuple[int, ...]) -> Comparison:
    """Symmetric real nodes have exponentially large condition numbers."""
    half = [Fraction(i + 1, 4) for i in S]
    nodes = [*(-x for x in reversed(half)), *[Fraction(0)] * (n % 2), *half]
    return greater_than(vandermonde_condition(nodes, arithmetic=EXACT) ** 2, 2**n)


@claim(
    "vdm.lower.reciprocal",
    statement=NORM + r"x_j=\tfrac1j,\ n\ge3 \;\Rightarrow\; \kappa_\infty>n^{n+1}",
    source=published(GAUTSCHI_INGLESE, wording="recalled"),
    over=sweep("3 <= n <= 100", default="n <= 40", quick="n <= 12"),
    method="Rational arithmetic.",
)
def vdm_lower_reciprocal(n: int) -> Comparison:
    """The nodes 1, 1/2, ..., 1/n are worse than exponential."""
    nodes = [Fraction(1, j) for j in range(1, n + 1)]
    return greater_than(vandermonde_condition(nodes, arithmetic=EXACT), gautschi_inglese_bound(n, "reciprocal", EXACT))


@claim(
    "vdm.lower.beckermann",
    statement=r"n+1 \text{ real nodes},\ n\ge2:\quad \kappa_2\ge\sqrt{\frac2{n+1}}\,(1+\sqrt2)^{n-1}",
    source=published(BECKERMANN, wording="recalled"),
    over=sweep("2 <= n <= 7", "S in subsets(9, n + 1)", default="n <= 4", quick=("n <= 3", "0 in S", "8 in S")),
    method="Enclosures on all subsets of -4/3, -1, ..., 4/3; no violation is no proof for other nodes.",
)
def vdm_lower_beckermann(n: int, S: tuple[int, ...]) -> Comparison:
    """Real nodes have spectral condition numbers that grow like (1 + root 2)^n at least."""
    return greater_than(_spectral_condition([Fraction(i - 4, 3) for i in S]), beckermann_bound(n + 1, ball(64)))


@claim(
    "vdm.lower.beckermann.pair",
    statement=r"n=1:\quad \text{the nodes } -1,1 \text{ attain } \kappa_2=\sqrt{\tfrac22}\,(1+\sqrt2)^0=1",
    source=derived("their Vandermonde matrix is a multiple of an orthogonal one"),
    over=sweep("0 <= i <= 1", "0 <= j <= 1"),
    method="The entries of V^T V in rational arithmetic.",
)
def vdm_lower_beckermann_pair(i: int, j: int) -> Comparison:
    """The lower bound is attained by the two nodes -1 and 1."""
    V = vandermonde([-1, 1], arithmetic=EXACT)
    return equal((V.T @ V)[i, j], 2 * int(i == j))


@claim(
    "vdm.lower.beckermann.misread",
    statement=r"n \text{ real nodes}:\quad \kappa_2\ge\sqrt{\frac2{n+1}}\,(1+\sqrt2)^{n-1}",
    source=derived("what the bound becomes if n is taken for the number of nodes"),
    over=sweep("3 <= n <= 10", quick="n <= 4"),
    expected="fails",
    corrected_by="vdm.lower.beckermann",
    method="Enclosures at the n Chebyshev points of the second kind; -1, 0, 1 violate it first.",
)
def vdm_lower_beckermann_misread(n: int) -> Comparison:
    """The lower bound with the number of nodes counted by its n."""
    return greater_than(_spectral_condition(chebyshev_second(n)), beckermann_bound(n + 1, ball(128)))


@claim(
    "vdm.lower.beckermann.violated",
    statement=r"2\le n\le10,\ x_j=\cos\tfrac{j\pi}{n-1}:\quad \kappa_2<\sqrt{\frac2{n+1}}\,(1+\sqrt2)^{n-1}",
    source=derived("enclosures; at n = 11 these nodes no longer violate it"),
    over=sweep("2 <= n <= 10", quick="n <= 5"),
    method="Enclosures at the n Chebyshev points of the second kind.",
)
def vdm_lower_beckermann_violated(n: int) -> Comparison:
    """Every n from 2 to 10 has nodes that violate the bound with miscounted nodes."""
    return less_than(_spectral_condition(chebyshev_second(n)), beckermann_bound(n + 1, ball(128)))


@claim(
    "vdm.unit",
    statement=r"x_j=e^{2\pi ij/n}:\quad V^{\mathsf H}V=nI,\ \text{ hence } \kappa_2=1",
    source=published(PAN, arxiv="1504.02118", wording="seen"),
    over=sweep("1 <= n <= 48", default="n <= 16", quick="n <= 8"),
    method="All entries of the Gram matrix in a cyclotomic field.",
)
def vdm_unit(n: int) -> Iterator[Comparison]:
    """Roots of unity are perfectly conditioned nodes."""
    V = vandermonde(roots_of_unity(n), arithmetic=cyclotomic(n))
    gram = _conjugate(V).T @ V
    for i, j in np.ndindex(n, n):
        yield equal(gram[i, j], n * int(i == j), f"entry {i}, {j}")


@claim(
    "vdm.unit.half",
    statement=r"m\ge2:\quad \kappa_2\big((e^{2\pi ijk/(2m)})_{j,k<m}\big)>2^{m-1}",
    source=derived("a form at finite m of the bad conditioning of the leading half-size block that Pan 2016 states"),
    over=sweep("2 <= m <= 32", default="m <= 14", quick="m <= 5"),
    method="Enclosures.",
)
def vdm_unit_half(m: int) -> Comparison:
    """The leading half-size block of a Fourier matrix is exponentially ill-conditioned."""
    block = vandermonde(roots_of_unity(2 * m).take(range(m)), m - 1, complex_ball(320))
    return greater_than(condition_number(block, 2), 2 ** (m - 1))


@claim(
    "vdm.chebT",
    statement=r"x_i=\cos\tfrac{(2i+1)\pi}{2n}:\ \text{every } (n-s)\times(n-s) \text{ submatrix of } (T_j(x_i))_{j<n-s}"
    r" \text{ has } \kappa=O(n^{2s}), \text{ here } \kappa_F\le\sqrt{\tfrac s2}\,2^{1-s}\,n^{2s}",
    source=published(FAHIM, arxiv="1903.08326", wording="seen"),
    over=sweep("2 <= n <= 16", "1 <= s < n", default="n <= 11", quick="n <= 6", normalised=(0, 1)),
    method="The abstract states the order, the constant is derived. All choices of points; squares enclosed by balls.",
)
def vdm_chebT(n: int, s: int, normalised: int) -> Comparison:
    """Losing s Chebyshev points costs a factor n^(2s) of the condition number at most.

    The constant, for T_0 over root 2: the matrix D of vdm.chebT.complement has the entries sin(j theta_i) up to sign,
    j <= s, so that the columns of its inverse are Lagrange polynomials in the basis U_j over sin(theta_i) >= 1/n.
    Factors x - x_l have norm 2 at most in this basis, and |x_i - x_l| >= 4/n^2.
    """
    worst = worst_chebyshev_submatrix_condition(n, s, "fro", bool(normalised), ball(128)).value
    return at_most(worst**2, Fraction(s, 2) * Fraction(n) ** (4 * s) / 4 ** (s - 1))


@claim(
    "vdm.chebT.sharp",
    statement=r"1\le s\le3:\quad \kappa_F/n^{2s} \text{ increases with } n",
    source=derived("enumeration; with vdm.chebT the exponent 2s is the right one on the range"),
    over=sweep("1 <= s <= 3", "s + 1 <= n <= 24", default="n <= 14", quick="n <= 9", normalised=(0, 1)),
    method="All choices of points, the worst one enclosed by balls, at n and at n + 1.",
)
def vdm_chebT_sharp(n: int, s: int, normalised: int) -> Comparison:
    """On the range the worst condition number grows faster than n^(2s)."""
    now, next_ = (
        worst_chebyshev_submatrix_condition(m, s, "fro", bool(normalised), ball(128)).value / m ** (2 * s)
        for m in (n, n + 1)
    )
    return greater_than(next_, now)


@claim(
    "vdm.chebT.finer",
    statement=r"\kappa_F=O\big((n-s)\sqrt{ns(n-s)}\,(2n^2)^{s-1}\big), \text{ here with the constant } 1",
    source=published(FAHIM, arxiv="1903.08326", wording="recalled"),
    over=sweep("2 <= n <= 16", "1 <= s < n", default="n <= 11", quick="n <= 6", normalised=(0, 1)),
    method="Recalled as an order; checked with constant 1. All choices of points, enclosed by balls.",
)
def vdm_chebT_finer(n: int, s: int, normalised: int) -> Comparison:
    """The finer form of the bound of the worst condition number, with the constant 1."""
    worst = worst_chebyshev_submatrix_condition(n, s, "fro", bool(normalised), ball(128)).value
    return at_most(worst, chebyshev_submatrix_growth(n, s, ball(128)))


@claim(
    "vdm.chebT.complement",
    statement=r"B \text{ from the points kept and degrees } <n-s,\ D \text{ from the points lost and the others}: "
    r"\tfrac2n\|B\|_F^2=n-2s+\tfrac2n\|D\|_F^2,\ \tfrac n2\|B^{-1}\|_F^2=n-2s+\tfrac n2\|D^{-1}\|_F^2",
    source=derived("B and D are complementary blocks of an orthogonal matrix times the root of n/2 (T_0 over root 2)"),
    over=sweep("2 <= n <= 8", "1 <= s < n", "S in subsets(n, s)", default="n <= 6", quick="n <= 5"),
    method="Each choice of points, in a cyclotomic field.",
)
def vdm_chebT_complement(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """The condition of the points kept is read off the s by s matrix of the points lost."""
    whole = chebyshev_vandermonde(chebyshev_first(n), normalised=True, arithmetic=cyclotomic(lcm(8, 4 * n)))
    kept = [i for i in range(n) if i not in S]
    B, D = whole[np.ix_(kept, range(n - s))], whole[np.ix_(S, range(n - s, n))]
    half = Fraction(n, 2)
    yield equal(_square_sum(B) / half, n - 2 * s + _square_sum(D) / half, "norm")
    yield equal(_square_sum(inverse(B)) * half, n - 2 * s + _square_sum(inverse(D)) * half, "norm of the inverse")


@claim(
    "vdm.chebT.one",
    statement=r"s=1,\ n\ge2,\ \text{point } \cos\theta \text{ lost}: "
    r"\kappa_F^2=(n-2+q^2)(n-2+q^{-2})\le\tfrac12n^4,\quad q^2=\tfrac2n\sin^2\theta",
    source=derived("B^T B = (I - b b^T) n/2 with |b|^2 = 1 - q^2; n sin(theta) >= n sin(pi/2n) >= 1"),
    hypotheses="T_0 over root 2",
    method="T is the turn of theta, where n theta is an odd number of right angles; n = 2 + m.",
)
def vdm_chebT_one() -> Iterator[Comparison]:
    """One lost Chebyshev point costs a factor n^2, for all n."""
    import sympy

    (T,), (n, q2), (m,) = arbitrary("T"), positive("n q2"), nonnegative("m")
    yield equal(cosine(sympy.I / T), sine(T), "T_(n-1)(cos theta) up to sign")
    yield equal(n - 1 - (1 - q2), n - 2 + q2, "trace of I - b b^T")
    yield equal(n - 1 + (1 - q2) / q2, n - 2 + 1 / q2, "trace of its inverse I + b b^T/(1 - |b|^2)")
    yield from short_sine()
    yield at_most(((n - 1) * (n - 2 + n**3 / 2)).subs(n, 2 + m), (n**4 / 2).subs(n, 2 + m), "q^2 ≤ 1 and 1/q^2 ≤ n^3/2")


@claim(
    "vdm.circulant",
    statement=r"\text{rotation embedding, } n \text{ odd, all } s \text{ stragglers}: "
    r"\max_F\kappa_2\big((R^{ij})_{i\in F,\,j<n-s}\big)=O(n^{s+5.5}); \text{ here } \le n^{s+5.5}",
    source=published(RAMAMOORTHY, arxiv="1910.06515", wording="seen"),
    over=sweep(
        "1 <= m <= 6",
        "1 <= s <= 3",
        "S in subsets(2*m + 1, s)",
        where=("s < 2*m + 1", "0 in S"),
        default=("m <= 3", "s <= 2"),
        quick="m <= 2",
    ),
    method="The abstract states the order; the matrix is that of the released code, n = 2m + 1. Enclosures for S "
    "with 0 among them, since turning all workers multiplies the matrix by an orthogonal one.",
)
def vdm_circulant(m: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Rotation embeddings have condition numbers below n^(s + 5.5) for few workers."""
    n = 2 * m + 1
    matrix = rotation_vandermonde(n, [i for i in range(n) if i not in S], ball(128))
    return at_most(condition_number(matrix, 2), ball(128).sqrt(n) * n ** (s + 5))


@claim(
    "vdm.circulant.rotation",
    statement=r"G=(R^{ij})_{i\in F,j<k},\ V=(\omega^{ij})_{i\in F,j<k}:\quad "
    r"G^{\mathsf T}G \text{ is } V^{\mathsf H}V \text{ with } \begin{pmatrix}\Re z&-\Im z\\\Im z&\Re z\end{pmatrix}"
    r" \text{ for each entry } z",
    source=derived("z -> ((Re z, -Im z), (Im z, Re z)) is a homomorphism that turns conjugates into transposes"),
    over=sweep("2 <= n <= 9", "1 <= k <= n", "F in subsets(n, k)", default="n <= 6", quick="n <= 4"),
    method="All blocks in a cyclotomic field; so G has the singular values of V, each twice.",
)
def vdm_circulant_rotation(n: int, k: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """The real matrix of the rotation embedding is conditioned like the complex one."""
    field = cyclotomic(4 * n)
    G, V = rotation_vandermonde(n, F, field), vandermonde(roots_of_unity(n).take(F), k - 1, field)
    real, complex_ = G.T @ G, _conjugate(V).T @ V
    i_unit = roots_of_unity(4).over(field)[1]
    for i, j in np.ndindex(k, k):
        block = real[2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
        yield equal(block[0, 0] + i_unit * block[1, 0], complex_[i, j], f"first column of block {i}, {j}")
        yield equal(block[1, 1] - i_unit * block[0, 1], complex_[i, j], f"second column of block {i}, {j}")


@claim(
    "vdm.circulant.one",
    statement=r"s=1:\quad nI-VV^{\mathsf H} \text{ has rank } 1 \text{ and trace } n-1; "
    r"\text{ so } VV^{\mathsf H} \text{ has the eigenvalues } n, 1, \text{ and } \kappa_2=\sqrt n",
    source=derived("V V^H = nI - u u^H with n - 1 entries of modulus 1 in u"),
    over=sweep("3 <= n <= 16", "0 <= lost < n", default="n <= 9", quick="n <= 6"),
    method="In a cyclotomic field, for each lost worker.",
)
def vdm_circulant_one(n: int, lost: int) -> Iterator[Comparison]:
    """With one straggler the condition number on the unit circle is the root of n."""
    field = cyclotomic(n)
    V = vandermonde(roots_of_unity(n).without([lost]), n - 2, field)
    rest = n * field.array(np.eye(n - 1, dtype=int).tolist()) - V @ _conjugate(V).T
    yield equal(rank(rest), 1, "rank")
    yield equal(rest.trace(), n - 1, "trace")


@claim(
    "vdm.circulant.sharp",
    statement=r"s\ge2:\quad \kappa_2\big((\omega^{ij})_{i\in F,\,j<n-s}\big)\le\sqrt{sn}\,"
    r"\big(\tfrac n2\big)^{s-1}=O(n^{s-1/2})",
    source=derived("complementary blocks as in vdm.chebT.complement; s lost nodes lie 2 sin(pi/n) >= 4/n apart"),
    over=sweep(
        "4 <= n <= 13",
        "2 <= s <= 4",
        "S in subsets(n, s)",
        where=("s < n", "0 in S"),
        default=("n <= 8", "s <= 3"),
        quick="n <= 6",
    ),
    method="Stragglers S with 0 among them, since turning all nodes changes nothing. Enclosures.",
)
def vdm_circulant_sharp(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """On the unit circle s stragglers cost at most n^(s - 1/2), for few workers."""
    V = vandermonde(roots_of_unity(n).without(S), n - s - 1, complex_ball(128))
    return at_most(condition_number(V, 2), ball(128).sqrt(s * n) * Fraction(n, 2) ** (s - 1))


@claim(
    "vdm.circulant.permutation",
    statement=r"n \text{ prime},\ P \text{ cyclic of order } n,\ |F|=k:\quad "
    r"\operatorname{rank}\,(P^{ij})_{i\in F,\,j<k}=k(n-1)+1: \text{ only frequency } 0 \text{ is lost}",
    source=derived("for a frequency l > 0 the nodes w^(li) of the survivors differ, n being prime"),
    over=sweep(
        "2 <= n <= 7", "1 <= k <= n", "F in subsets(n, k)", where=("n != 4", "n != 6"), default="n <= 5", quick="n <= 3"
    ),
    method="Each set of survivors in rational arithmetic; so blocks of n parts that sum to 0 are recovered.",
)
def vdm_circulant_permutation(n: int, k: int, F: tuple[int, ...]) -> Comparison:
    """The circulant embedding recovers blocks that sum to zero from any k workers."""
    return equal(rank(permutation_vandermonde(n, F)), k * (n - 1) + 1)


def _spectral_condition(nodes: Any) -> Any:
    known = isinstance(nodes, list)
    return condition_number(vandermonde(nodes, arithmetic=EXACT if known else ball(128)), 2, bits=64)


def _conjugate(matrix: Any) -> Any:
    return np.vectorize(lambda entry: entry.conjugate(), otypes=[object])(matrix)


def _square_sum(matrix: Any) -> Any:
    return (matrix * matrix).sum()
