"""Exact gradient coding: what any code needs, and the constructions that need no random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

import numpy as np

from codedtheory.arithmetic import cyclotomic, maximum, minimum, null_space, rank
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
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import (
    DividedDifference,
    FirstOfGroupDecoder,
    MinAmplification,
    MinNorm,
    ResidueClassDecoder,
    coefficient_bounds,
    cyclic_mds,
    decoded_coefficients,
    fractional_repetition,
    free_residue_class,
    generalised_repetition,
    orbit_representatives,
    plain_cyclic,
    polynomial_cyclic,
    reduced_communication_code,
    reduced_communication_target,
    reduced_communication_weights,
    worst_circle_amplification,
)
from codedtheory.coding.placement import received_copies
from codedtheory.coding.survivors import survivor_sets
from proofs_check.small_matrices import numbered_code

TANDON = "Tandon, Lei, Dimakis & Karampatziakis 2017"
TANDON_ARXIV = "1612.03301"
ALL_MATRICES = sweep(
    "1 <= n <= 3",
    "2 <= entries <= 3",
    "0 <= number < entries**(n * n)",
    default="entries**(n * n) <= 600",
    quick="entries**(n * n) <= 100",
)


@claim(
    "gc.span",
    statement=r"\text{The messages of the workers } R \text{ determine } \sum_jg_j \text{ iff } "
    r"\mathbf 1\in\mathrm{span}\{b_i:i\in R\}; \text{ then so do those of all larger sets}",
    source=published(TANDON, arxiv=TANDON_ARXIV, wording="recalled", place="equivalent condition seen"),
    over=ALL_MATRICES,
    method="Determined: no v with B_R v = 0 and a sum other than 0, from the null space. Spanned: appending 1 leaves "
    "the rank. All matrices with entries 0, 1 (base 2) or 0, 1, -1 (base 3), which are the digits of `number`.",
)
def gc_span(n: int, entries: int, number: int) -> Iterator[Comparison]:
    """Workers determine the sum of all gradients iff their rows span the vector of ones."""
    code = numbered_code(n, entries, number)
    ones = np.full((1, n), 1, dtype=object)
    for s in range(n):
        everywhere = True
        for R in survivor_sets(n, s):
            rows = code.matrix[list(R)]
            determined = not any(total != 0 for total in null_space(rows).sum(axis=0))
            spanned = rank(np.concatenate([rows, ones])) == rank(rows)
            everywhere = everywhere and spanned
            yield equal(int(determined), int(spanned), f"survivors {R}")
        yield equal(int(bool(code.tolerates(s))), int(everywhere), f"{s} stragglers")
        yield equal(int(s <= code.max_tolerated()), int(everywhere), f"{s} or fewer")


@claim(
    "gc.span.rank",
    statement=r"\text{A code for } s \text{ stragglers may have rank below } n: \text{ the polynomial one has rank }"
    r" n-s, \text{ fractional repetition } \tfrac n{s+1}",
    source=derived("the columns are polynomials of degree n - s - 1; each group has one row"),
    over=sweep("1 <= n <= 12", "0 <= s < n", default="n <= 9", quick="n <= 6"),
    method="Ranks over the rationals.",
)
def gc_span_rank(n: int, s: int) -> Iterator[Comparison]:
    """Codes that tolerate s stragglers need not have independent rows."""
    yield equal(rank(polynomial_cyclic(range(n), s).matrix), n - s, "polynomial code")
    if n % (s + 1) == 0:
        yield equal(rank(fractional_repetition(n, s).matrix), n // (s + 1), "fractional repetition")


@claim(
    "gc.lower",
    statement=r"\text{If } B \text{ tolerates any } s \text{ stragglers, every partition is on at least } s+1 "
    r"\text{ workers, and } \mathrm{nnz}(B)\ge n(s+1)",
    source=published(TANDON, arxiv=TANDON_ARXIV, wording="recalled"),
    over=ALL_MATRICES,
    method="The largest s that is tolerated, by exact elimination; all matrices as in gc.span. In general the holders "
    "of a partition may all straggle, which leaves its coefficient 0.",
)
def gc_lower(n: int, entries: int, number: int) -> Iterator[Comparison]:
    """To tolerate s stragglers every partition has to be on s + 1 workers."""
    code = numbered_code(n, entries, number)
    s = code.max_tolerated()
    yield at_least(code.replication, s + 1, "copies")
    yield at_least(int(np.count_nonzero(code.matrix)), n * (s + 1), "nonzero entries")


@claim(
    "gc.lower.row",
    statement=r"\text{If } B \text{ tolerates any } s \text{ stragglers, every worker holds at least } s+1 "
    r"\text{ partitions}",
    source=derived("a misreading of the lower bound: the load is s + 1 only on average, or if it is balanced"),
    over=sweep("1 <= n <= 6", "0 <= s < n", quick="n <= 3"),
    expected="fails",
    corrected_by="gc.lower",
    method="The binary codes of residue classes, whose tolerance is proved set by set.",
)
def gc_lower_row(n: int, s: int) -> Iterator[Comparison]:
    """Every worker would have to hold s + 1 partitions."""
    code = generalised_repetition(n, s)
    yield at_least(code.max_tolerated(), s, "tolerated")
    yield at_least(int(np.count_nonzero(code.matrix, axis=1).min()), s + 1, "smallest load")


@claim(
    "gc.frs",
    statement=r"(s+1)\mid n: \text{ fractional repetition decodes whichever } s \text{ workers straggle, with weights }"
    r"0 \text{ and } 1 \text{ and amplification } 1",
    source=published(TANDON, arxiv=TANDON_ARXIV, wording="seen"),
    over=sweep("1 <= n <= 14", "0 <= s < n", where="n % (s + 1) == 0", default="n <= 10", quick="n <= 8"),
    method="All straggler sets.",
)
def gc_frs(n: int, s: int) -> Iterator[Comparison]:
    """One message of each group gives the exact sum."""
    code, decoder = fractional_repetition(n, s), FirstOfGroupDecoder()
    found = coefficient_bounds(n, s, decoder, "fractional")
    yield equal(found.minimum, 1, "smallest coefficient")
    yield equal(found.maximum, 1, "largest coefficient")
    yield equal(code.worst_amplification(decoder, s).value, 1, "amplification")
    weights = np.concatenate([decoder.weights(code, R) for R in survivor_sets(n, s)])
    yield equal(maximum(weights * (weights - 1)), 0, "weights")


@claim(
    "gc.poly.exact",
    statement=r"\text{Distinct } x_i,\ p_j(x)=\prod_{l\notin W_j}(x-x_l),\ B_{ij}=p_j(x_i),\ "
    r"a_i=\prod_{l\in R,l\ne i}\frac1{x_i-x_l}: \quad a^{\mathsf T}B=\mathbf 1^{\mathsf T} "
    r"\text{ for all } R \text{ with } |R|=n-s",
    source=derived("the divided difference over n - s nodes takes the leading coefficient of each p_j, which is 1"),
    method="S(R, p) is the weighted sum over R. S(R, 1) = 0 for two nodes or more, by leaving out r or q in turn; then "
    "S(R, (x - t)p) = S(R - r, p) + (r - t)S(R, p), so that |R| - 1 factors give 1 and fewer give 0: induction on R "
    "and on the factors. w is the weight of a node in the smaller set.",
)
def gc_poly_exact() -> Iterator[Comparison]:
    """The polynomial code decodes exactly from any n - s workers, for all n, s and nodes."""
    x, r, q, t, w, p = arbitrary("x_i x_r x_q t w p")
    yield from induction(
        base=equal(1 / (r - q) + 1 / (q - r), 0, "two nodes"),
        step=[
            equal(w / ((x - r) * (x - q)), (w / (x - r) - w / (x - q)) / (r - q), "other nodes"),
            equal(w / (r - q), (w - 0) / (r - q), "node r, which only the set without q has"),
            equal(w / (q - r), (0 - w) / (r - q), "node q"),
        ],
    )
    yield equal(w / (x - r) * _factor(x, t) * p, w * p + (r - t) * w / (x - r) * p, "one factor more, other nodes")
    yield equal(w * _factor(r, t) * p, 0 * p + (r - t) * w * p, "one factor more, node r")
    yield equal(1 + (r - t) * 0, 1, "|R| - 1 factors")


@claim(
    "gc.poly.exact.enumerated",
    statement=r"a^{\mathsf T}B=\mathbf 1^{\mathsf T} \text{ for the polynomial codes of all sets of at most 6 integers"
    r" out of } 0..7, \text{ in natural order and in another}",
    source=derived("the divided difference over n - s nodes takes the leading coefficient of each p_j, which is 1"),
    over=sweep("1 <= n <= 6", "0 <= s < n", "X in subsets(8, n)", default="n <= 4", quick="n <= 3", turn=(1, 3)),
    method="All survivor sets, over the rationals; the nodes are the multiples of X by `turn` modulo 8.",
)
def gc_poly_exact_enumerated(n: int, s: int, X: tuple[int, ...], turn: int) -> Iterator[Comparison]:
    """The polynomial code decodes exactly, counted out on subsets of a grid."""
    nodes = tuple(turn * x % 8 for x in X)
    code, decoder = polynomial_cyclic(nodes, s), DividedDifference(nodes, s)
    for R in survivor_sets(n, s):
        yield equal(maximum(abs(decoded_coefficients(code, R, decoder) - 1)), 0, f"survivors {R}")


@claim(
    "gc.gcd",
    statement=r"\text{Plain sums of } c \text{ cyclic partitions, } g=\gcd(n,c): \text{ a straggler set of any size is}"
    r"\text{ decodable iff it misses a residue class modulo } g; \text{ weights } g/c \text{ on one such class decode}",
    source=derived("the solutions of a * 1_[0,c) = 1 are 1/c plus the zero-mean g-periodic sequences; gc.gcd.kernel"),
    over=sweep("1 <= n <= 16", "1 <= c <= n", default="n <= 12", quick="n <= 8"),
    cost="2**n",
    method="All straggler sets up to the verified symmetries, by exact elimination.",
)
def gc_gcd(n: int, c: int) -> Iterator[Comparison]:
    """Plain cyclic sums decode exactly iff the stragglers leave a residue class alone."""
    code, decoder = plain_cyclic(n, c - 1), ResidueClassDecoder()
    for s in range(n):
        for sets, _ in orbit_representatives(n, s, code.symmetry_group):
            for row in sets.tolist():
                R = [i for i in range(n) if i not in row]
                free = free_residue_class(n, c, R) is not None
                yield equal(int(code.decodable(R)), int(free), f"stragglers {row}")
                if free:
                    yield equal(maximum(abs(decoded_coefficients(code, R, decoder) - 1)), 0, f"decoding without {row}")


@claim(
    "gc.gcd.kernel",
    statement=r"\{a:a*\mathbf 1_{[0,c)}=0\}=\{a\ g\text{-periodic with mean } 0\},\quad g=\gcd(n,c)",
    source=derived("the Fourier transform of the window vanishes exactly at the non-zero multiples of n/g"),
    over=sweep("1 <= n <= 48", "1 <= c <= n", default="n <= 20", quick="n <= 12"),
    method="The rank of the circulant is n - g + 1, and g - 1 independent differences of classes lie in the kernel. A "
    "straggler sets its whole class to 0; the weights of the others can be shifted to any free class.",
)
def gc_gcd_kernel(n: int, c: int) -> Iterator[Comparison]:
    """The freedom in the weights of plain cyclic sums is g-periodic."""
    g = gcd(n, c)
    matrix = plain_cyclic(n, c - 1).matrix
    yield equal(rank(matrix), n - g + 1, "rank")
    classes = np.array([[int(i % g == q) - int(i % g == 0) for i in range(n)] for q in range(1, g)]).reshape(g - 1, n)
    yield equal(int(np.count_nonzero(classes @ matrix)), 0, "differences of two classes")


@claim(
    "gc.gcd.guaranteed",
    statement=r"\text{Plain sums of } c \text{ cyclic partitions tolerate any } \gcd(n,c)-1 \text{ stragglers, and "
    r"not any } \gcd(n,c)",
    source=derived("g - 1 stragglers miss one of g classes; g stragglers may meet them all"),
    over=sweep("1 <= n <= 24", "1 <= c <= n", default="n <= 14", quick="n <= 8"),
    method="Straggler sets up to the verified symmetries, by exact elimination.",
)
def gc_gcd_guaranteed(n: int, c: int) -> Comparison:
    """Plain cyclic sums are sure to survive gcd(n, c) - 1 stragglers."""
    return equal(plain_cyclic(n, c - 1).max_tolerated(), gcd(n, c) - 1)


@claim(
    "gc.tile",
    statement=r"(s+1)\mid n: \text{ plain sums on cyclic windows tolerate any } s \text{ stragglers, with weights } 0,1"
    r" \text{ and amplification } 1",
    source=derived("s stragglers leave one of the s + 1 residue classes alone, whose windows tile the circle"),
    over=sweep("1 <= n <= 16", "0 <= s < n", where="n % (s + 1) == 0", default="n <= 12", quick="n <= 8"),
    method="All straggler sets, up to rotations where all workers are treated alike.",
)
def gc_tile(n: int, s: int) -> Iterator[Comparison]:
    """Where windows tile the circle, cyclic placement is exact with plain sums."""
    code, decoder = plain_cyclic(n, s), ResidueClassDecoder()
    yield equal(code.max_tolerated(), s, "tolerated")
    found = coefficient_bounds(n, s, decoder)
    yield equal(found.minimum, 1, "smallest coefficient")
    yield equal(found.maximum, 1, "largest coefficient")
    yield equal(code.worst_amplification(decoder, s).value, 1, "amplification")
    weights = np.concatenate([decoder.weights(code, R) for R in survivor_sets(n, s)])
    yield equal(maximum(weights * (weights - 1)), 0, "weights")


@claim(
    "gc.largecoeff",
    statement=r"\text{For } 1\le s\le n-2 \text{ every exact decoder of a cyclic placement has a worst amplification }"
    r"\text{above } 1",
    source=derived("a reading of the remark that cyclic repetition decodes with large coefficients, arXiv:2607.20739"),
    over=sweep("3 <= n <= 7", "1 <= s <= n - 2", default="n <= 6", quick="n <= 4"),
    expected="fails",
    corrected_by="gc.tile",
    method="The smaller of plain sums, where they decode, and of polynomial codes at the roots of unity.",
)
def gc_largecoeff(n: int, s: int) -> Comparison:
    """Exact decoding on cyclic windows would need large coefficients."""
    steps = [b for b in range(1, n) if gcd(b, n) == 1]
    known = [worst_circle_amplification(n, s, b, cyclotomic(4 * n)) for b in steps]
    plain = plain_cyclic(n, s)
    if plain.tolerates(s):
        known.append(plain.worst_amplification(MinAmplification(), s).value)
    return greater_than(minimum(known), 1)


@claim(
    "gc.largecoeff.three",
    statement=r"n=3,\ s=1: \text{ every code on cyclic windows, real or complex, has a worst amplification of at "
    r"least } 2; \text{ the cube roots of unity attain it}",
    source=derived("b_0 + 1/b_1 = b_1 + 1/b_2 = b_2 + 1/b_0 = 1 leave one parameter; sum the bounds of two patterns"),
    method="Rows (1, b_0, 0), (0, 1, b_1), (b_2, 0, 1); p = |b_0|, q = |1 - b_0|; the patterns have p + q, "
    "(1 + p)/q, (1 + q)/p. If all three are at most m = 1 + 1/(1 + e) < 2, the last two give p + q = (2 + u)(1 + e), "
    "which exceeds m. Attained: gc.poly.s1.",
)
def gc_largecoeff_three() -> Iterator[Comparison]:
    """Three workers on cyclic windows can't decode with amplification below 2."""
    b, p, q = arbitrary("b_0 p q")
    b1, b2 = 1 / (1 - b), (b - 1) / b
    yield equal(b + 1 / b1, 1, "worker 2 lost")
    yield equal(b1 + 1 / b2, 1, "worker 0 lost")
    yield equal(b2 + 1 / b, 1, "worker 1 lost")
    yield equal(b1 * (1 - b), 1, "|b_1| = 1/q")
    yield equal((1 - b1) * (1 - b), -b, "|1/b_2| = |1 - b_1| = p/q")
    yield equal(b2 * b, b - 1, "|b_2| = q/p")
    yield equal((1 - b2) * b, 1, "|1/b_0| = |1 - b_2| = 1/p")
    yield equal((1 + p) / q * q + (1 + q) / p * p, 2 + (p + q), "sum of two bounds")
    (e,), (u,) = positive("e"), nonnegative("u")
    yield equal((2 + u) * (1 + e) * (1 / (1 + e)), 2 + u, "(m - 1)(p + q) = 2 + u")
    yield less_than(1 + 1 / (1 + e), (2 + u) * (1 + e), "m < p + q")


@claim(
    "gc.largecoeff.known",
    statement=r"3\le n\le9,\ 1\le s\le n-2,\ (s+1)\nmid n: \text{ the best worst amplification among all cyclic MDS "
    r"codes (runs and steps) lies in } [\tfrac32,10]",
    source=derived("enumeration; no code on cyclic windows with amplification 1 is known here"),
    over=sweep("3 <= n <= 9", "1 <= s <= n - 2", where="n % (s + 1) != 0", default="n <= 7", quick="n <= 5"),
    cost="n**4",
    method="Every step coprime to n and every run of s exponents; a step and its negative give conjugate codes. Runs "
    "that do not start at 1 matter: at (6, 3) they improve 6.464 to 5.",
)
def gc_largecoeff_known(n: int, s: int) -> Iterator[Comparison]:
    """Where windows do not tile, the best cyclic MDS codes amplify moderately."""
    best = minimum(
        cyclic_mds(n, s, b, first).worst_amplification(MinNorm(), s).value
        for b in range(1, n // 2 + 1)
        if gcd(b, n) == 1
        for first in range(1, n - s + 1)
    )
    yield at_most(best, 10, "best code")
    yield at_least(best * 2, 3, "every code")


@claim(
    "yeabbe.tradeoff",
    statement=r"n \text{ workers and partitions, } d \text{ copies, } s \text{ stragglers, messages of length } l/m:"
    r"\text{ possible iff } d\ge s+m",
    source=published("Ye & Abbe 2018", arxiv="1802.03475", wording="recalled"),
    over=sweep(
        "1 <= n <= 6", "0 <= s < n", "1 <= m <= n - s", "s + m - 1 <= d <= s + m", default="n <= 5", quick="n <= 4"
    ),
    method="d = s + m: the polynomial code and its decoder, all survivor sets, over the rationals. d = s + m - 1: s "
    "holders of a partition straggle; the others send fewer than l numbers about it.",
)
def yeabbe_tradeoff(n: int, s: int, m: int, d: int) -> Iterator[Comparison]:
    """More copies than stragglers require shorten the messages, by exactly one part each."""
    if d == s + m:
        code = reduced_communication_code(range(n), s, m)
        held = (code.reshape(n, n, m) != 0).any(axis=2)
        yield equal(int(held.sum(axis=0).max()), d, "copies")
        for R in survivor_sets(n, s):
            decoded = reduced_communication_weights(range(n), s, m, R) @ code[list(R)]
            difference = decoded - reduced_communication_target(n, m)
            yield equal(maximum(abs(difference).ravel()), 0, f"survivors {R}")
    elif d:
        placement = plain_cyclic(n, d - 1)
        left = min(received_copies(placement, R)[0] for R in survivor_sets(n, s))
        yield less_than(left, m, "messages of length l/m about one partition")
    else:
        yield less_than(d, m, "nobody holds anything")


def _factor(x: Any, root: Any) -> Any:
    return x - root
