"""Relaxed decoding of cyclic plain sums: what coefficients the partitions get, for which straggler sets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from codedtheory.arithmetic import Rational
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
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import (
    InverseMultiplicityDecoder,
    RelaxedDecoder,
    coefficient_bounds,
    cyclic_error_bound,
    decoded_coefficients,
    plain_cyclic,
    spectral_error_bound,
    squared_error,
    worst_relaxed_error,
)

SU_LI = published("Su & Li 2026", arxiv="2607.20739", wording="recalled", place="the mean; the sum is ours")
WEIGHT = r"\alpha_j=\tfrac{n}{(n-s)(s+1)}\,m_j,\ m_j=\#\text{ received copies}:\quad "


@claim(
    "pgc.mean",
    statement=WEIGHT + r"\textstyle\sum_j\alpha_j=n \text{ for every set; } \mathbb E\,\alpha_j=1 "
    r"\text{ over uniformly random sets of } s \text{ stragglers}",
    source=SU_LI,
    hypotheses="straggler sets uniformly random and independent of the data, for the mean",
    method="Each of n - s answers has s + 1 copies; each of the s + 1 holders answers with probability (n - s)/n. The "
    "symbols are s and n = s + 1 + k.",
)
def pgc_mean() -> Iterator[Comparison]:
    """The coefficients of relaxed decoding always sum to n, and each of them is 1 on average."""
    s, k = nonnegative("s k")
    n = s + 1 + k
    yield equal(_weight(n, s) * (n - s) * (s + 1), n, "sum of the coefficients")
    yield equal(_weight(n, s) * (s + 1) * (n - s) / n, 1, "mean of a coefficient")


@claim(
    "pgc.mean.sets",
    statement=WEIGHT + r"\textstyle\sum_j\alpha_j=n \text{ for every set; } \mathbb E\,\alpha_j=1 \text{ for every } j",
    source=SU_LI,
    over=sweep("1 <= n <= 12", "0 <= s < n", default="n <= 9", quick="n <= 6"),
    method="All straggler sets decoded one by one, without use of the symmetry between workers.",
    cost="comb(n, s)",
)
def pgc_mean_sets(n: int, s: int) -> Iterator[Comparison]:
    """Sums and means of the coefficients, enumerated over all straggler sets."""
    coefficients = [_coefficients(n, s, stragglers) for stragglers in combinations(range(n), s)]
    yield from (equal(alpha.sum(), n, "sum") for alpha in coefficients)
    yield from (equal(mean, 1, f"mean of {j}") for j, mean in enumerate(sum(coefficients) / len(coefficients)))


@claim(
    "pgc.max",
    statement=WEIGHT + r"\tfrac n{(n-s)(s+1)}\le\alpha_j\le\frac n{\max(n-s,s+1)}\le\frac{2n}{n+1}<2, "
    r"\text{ for all } n, s, j \text{ and sets of } s \text{ stragglers; both ends are attained}",
    source=derived("count the workers by whether they hold the partition and answer; Su & Li 2026 state the bound 2"),
    method="v holders straggle, w others answer, z others straggle. As n = (n - s) + (s + 1) - 1, the number of "
    "received copies is 1 + z, and (v, w, z) runs over all cases. Of n - s and s + 1 one is 1 + p and the other 1 + p "
    "+ k.",
)
def pgc_max() -> Iterator[Comparison]:
    """Relaxed decoding keeps every coefficient below 2, whatever n, s and the stragglers."""
    v, w, z, p, k = nonnegative("v w z p k")
    received, holders, answers = _counts(v, w, z)
    n = received + v + w + z
    alpha, weight = n * received / (answers * holders), _weight(n, holders - 1)
    yield equal(n, answers + holders - 1, "n - s answers and s + 1 holders")
    yield less_than(alpha, 2)
    yield at_most(alpha, n / answers, "no more than all s + 1 copies")
    yield at_most(alpha, n / holders, "no more than one copy per answer")
    yield equal(alpha.subs(v, 0), (n / answers).subs(v, 0), "attained if all holders answer")
    yield equal(alpha.subs(w, 0), (n / holders).subs(w, 0), "attained if only holders answer")
    yield at_least(alpha, weight, "at least one copy arrives")
    yield equal(alpha.subs(z, 0), weight.subs(z, 0), "attained if all others answer")
    workers, larger = 1 + 2 * p + k, 1 + p + k
    yield at_most(workers / larger, 2 * workers / (workers + 1), "n over the larger of the two")
    yield less_than(2 * workers / (workers + 1), 2, "bound of the bound")


@claim(
    "pgc.max.sets",
    statement=WEIGHT + r"\max_{j,R}\alpha_j=\frac n{\max(n-s,s+1)},\quad \min_{j,R}\alpha_j=\frac n{(n-s)(s+1)}",
    source=derived("the counts of the universal proof are attained for all n and s"),
    over=sweep("1 <= n <= 14", "0 <= s < n", default="n <= 12", quick="n <= 8"),
    method="All straggler sets up to rotation, in rational arithmetic.",
    cost="comb(n, s)",
)
def pgc_max_sets(n: int, s: int) -> Iterator[Comparison]:
    """Largest and smallest coefficient of relaxed decoding, enumerated over all straggler sets."""
    found = coefficient_bounds(n, s, "relaxed")
    yield less_than(found.maximum, 2, "below 2")
    yield equal(found.maximum, Fraction(n, max(n - s, s + 1)), "largest")
    yield equal(found.minimum, Fraction(n, (n - s) * (s + 1)), "smallest")


@claim(
    "pgc.max.naive",
    statement=WEIGHT + r"\max_{j,R}\alpha_j=\frac n{n-s}",
    source=derived("what one gets if all s + 1 copies of a partition could always arrive"),
    over=sweep("1 <= n <= 12", "0 <= s < n", default="n <= 8", quick="n <= 6"),
    expected="fails",
    corrected_by="pgc.max",
    method="All straggler sets up to rotation, in rational arithmetic; right for n >= 2s + 1 only.",
    cost="comb(n, s)",
)
def pgc_max_naive(n: int, s: int) -> Comparison:
    """The largest coefficient would be n/(n - s), as if all copies could always arrive."""
    return equal(coefficient_bounds(n, s, "relaxed").maximum, Fraction(n, n - s))


@claim(
    "pgc.var",
    statement=WEIGHT + r"\mathrm{Var}\,\alpha_j=\frac{s(n-s-1)}{(n-1)(n-s)(s+1)}, \text{ the same for } s "
    r"\text{ and } n-1-s, \text{ and } 0 \text{ iff } s\in\{0,n-1\}",
    source=derived("second moment of a hypergeometric number of copies"),
    hypotheses="n at least 2; straggler sets uniformly random",
    method="Two given holders both answer with probability (n - s)(n - s - 1)/(n(n - 1)). The symbols are s and n = s "
    "+ 1 + k.",
)
def pgc_var() -> Iterator[Comparison]:
    """Variance of a coefficient of relaxed decoding, for all n and s."""
    s, k = nonnegative("s k")
    n = s + 1 + k
    second_moment = (s + 1) * (n - s) / n + (s + 1) * s * _both_answer(n, s)
    yield equal(_weight(n, s) ** 2 * second_moment - 1, _variance(n, s), "variance")
    yield equal(_variance(n, s), _variance(n, n - 1 - s), "s and n - 1 - s")
    yield equal(_variance(n, s).subs(s, 0), 0, "s = 0")
    yield equal(_variance(n, s).subs(k, 0), 0, "s = n - 1")
    yield greater_than(_variance(n, s).subs({s: 1 + s, k: 1 + k}, simultaneous=True), 0, "0 < s < n - 1")


@claim(
    "pgc.var.sets",
    statement=WEIGHT + r"\mathrm{Var}\,\alpha_j=\frac{s(n-s-1)}{(n-1)(n-s)(s+1)}",
    source=derived("second moment of a hypergeometric number of copies"),
    over=sweep("2 <= n <= 12", "0 <= s < n", default="n <= 10", quick="n <= 7"),
    method="All straggler sets up to rotation, in rational arithmetic.",
    cost="comb(n, s)",
)
def pgc_var_sets(n: int, s: int) -> Comparison:
    """Variance of a coefficient of relaxed decoding, enumerated over all straggler sets."""
    return equal(coefficient_bounds(n, s, "relaxed").variance, Rational(s * (n - s - 1), (n - 1) * (n - s) * (s + 1)))


@claim(
    "pgc.worst",
    statement=WEIGHT + r"\max_R\|\alpha-\mathbf1\|^2=\frac{n^2k(2k+1)}{3(n-k)^2(k+1)}-\frac{nk^2}{(n-k)^2},\ "
    r"k=\min(s,n-1-s), \text{ attained by contiguous stragglers}",
    source=derived("the sum of squares of the received copies is largest if the answers come from an arc"),
    over=sweep("1 <= n <= 14", "0 <= s < n", default="n <= 11", quick="n <= 7"),
    method="All straggler sets up to rotation, in rational arithmetic.",
    cost="comb(n, s)",
)
def pgc_worst(n: int, s: int) -> Iterator[Comparison]:
    """No stragglers hurt relaxed decoding more than neighbours on the circle, enumerated."""
    yield equal(coefficient_bounds(n, s, "relaxed").worst_squared_error, worst_relaxed_error(n, s), "worst set")
    yield equal(squared_error(_coefficients(n, s, tuple(range(s)))), worst_relaxed_error(n, s), "contiguous set")


@claim(
    "pgc.worst.contiguous",
    statement=r"\text{contiguous stragglers}, k=\min(s,n-1-s):\quad "
    r"\|\alpha-\mathbf1\|^2=\frac{n^2k(2k+1)}{3(n-k)^2(k+1)}-\frac{nk^2}{(n-k)^2}, \text{ for all } n, s",
    source=derived("a window sliding past an arc of the circle meets 1, 2, ..., k + 1, ..., k + 1, ..., 2, 1 of it"),
    method="Of n - s and s + 1 the smaller is k + 1, the larger n - k = k + 1 + e, and the two lengths play the same "
    "role; sums of powers by induction.",
)
def pgc_worst_contiguous() -> Iterator[Comparison]:
    """The error of relaxed decoding when neighbours straggle, for all n and s."""
    k, e = nonnegative("k e")
    short, long = k + 1, k + 1 + e
    n = short + long - 1
    yield from induction(base=equal(_below(k * 0 + 1), 0), step=equal(_below(short) + short, _below(short + 1)))
    yield from induction(
        base=equal(_squares_below(k * 0 + 1), 0),
        step=equal(_squares_below(short) + short**2, _squares_below(short + 1)),
    )
    yield equal(2 * k + (e + 1), n, "places that the window takes")
    yield equal(2 * _below(short) + (e + 1) * short, short * long, "received copies")
    weight, squares = n / (short * long), 2 * _squares_below(short) + (e + 1) * short**2
    expected = n**2 * k * (2 * k + 1) / (3 * (n - k) ** 2 * (k + 1)) - n * k**2 / (n - k) ** 2
    yield equal(weight**2 * squares - n, expected, "squared error")


@claim(
    "pgc.worst.symmetrisation",
    statement=r"\max_{|R|=n-s}\textstyle\sum_jm_j^2 \text{ is attained by an arc } R \text{ of workers, for all } n, s",
    source=derived("two-point symmetrisation (Baernstein & Taylor 1976) on the discrete circle"),
    method="The sum adds the overlaps of the windows of all pairs in R. Reflect across an axis and move lone members "
    "of mirror pairs to the near half. An overlap does not grow with the distance, so the sum does not fall (all "
    "states of two pairs are written out). For an arc A of equal size, y in A but not in R and x in R but not in A, "
    "the axis between x and y with A's centre on y's side makes R share more members with A; after at most n - s such "
    "moves R is A.",
)
def pgc_worst_symmetrisation() -> Iterator[Comparison]:
    """No answers make relaxed coefficients more uneven than an arc, for all n and s."""
    p, q, h, below, across, gain, far, rest = nonnegative("p q h b a g f t")
    # two workers at p and p + q from the axis on one side; half the circle is p + q + h
    near_distance, far_distance, circle = q, 2 * p + q, 2 * (p + q + h)
    yield at_most(near_distance, far_distance, "the mirror image is farther off, one way round")
    yield at_most(near_distance, circle - far_distance, "and the other way round")
    # windows of length c overlap in (c - d)+ + (c - n + d)+: the two parts change over ranges of equal length
    yield equal((circle - far_distance) - near_distance, 2 * h, "the range of the falling part lies 2h higher")
    for lower, higher in _rises(below, across, h):
        yield at_least(higher, lower, "the falling part falls more than the other part rises")
    near = far + gain
    for one, other in product(_PAIRS, repeat=2):
        before, after = _overlap(one, other, near, far), _overlap(_moved(one), _moved(other), near, far)
        yield at_least(after, before, f"pairs {one} and {other}")
    for one in _PAIRS:
        yield equal(sum(_moved(one)) * far, sum(one) * far, f"pair {one} and a worker on the axis")
    for arc, one in product(_PAIRS, _PAIRS):
        if arc != (0, 1):
            yield at_least(rest + _shared(arc, _moved(one)), rest + _shared(arc, one), f"arc {arc} shared with {one}")
    yield greater_than(rest + _shared((1, 0), _moved((0, 1))), rest + _shared((1, 0), (0, 1)), "y moves to x")


@claim(
    "pgc.certificate",
    statement=r"\max_R\|\alpha-\mathbf1\|^2\le\Big[\frac{\sin(\pi(s+1)/n)}{\sin(\pi/n)}\Big]^2\frac{ns}{(n-s)(s+1)^2}",
    source=derived(
        "relaxed decoding is one-step decoding; arXiv 2006.09638 for the spectral bound", arxiv="2006.09638"
    ),
    over=sweep("2 <= n <= 60", "0 <= s < n", default="n <= 24", quick="n <= 12"),
    method="The worst error by its closed form, the bound in a cyclotomic field.",
)
def pgc_certificate(n: int, s: int) -> Comparison:
    """The spectral certificate covers the worst straggler set of relaxed decoding."""
    return at_most(worst_relaxed_error(n, s), cyclic_error_bound(n, s))


@claim(
    "pgc.certificate.sets",
    statement=r"\|\alpha-\mathbf1\|^2\le\Big[\frac{\sin(\pi(s+1)/n)}{\sin(\pi/n)}\Big]^2\frac{ns}{(n-s)(s+1)^2} \text{ "
    r"for every set of } s \text{ stragglers}",
    source=derived(
        "relaxed decoding is one-step decoding; arXiv 2006.09638 for the spectral bound", arxiv="2006.09638"
    ),
    over=sweep("2 <= n <= 11", "0 <= s < n", "S in subsets(n, s)", default="n <= 8", quick="n <= 6"),
    method="Set by set, the bound in a cyclotomic field.",
)
def pgc_certificate_sets(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """The spectral certificate covers every straggler set of relaxed decoding."""
    return at_most(squared_error(_coefficients(n, s, S)), cyclic_error_bound(n, s))


@claim(
    "pgc.certificate.closed",
    statement=r"\text{cyclic plain sums}: \sigma_2=\frac{\sin(\pi(s+1)/n)}{\sin(\pi/n)}, \text{ the gain of frequency "
    r"} 1",
    source=derived("the circulant of a window has the singular values |sin(k pi c/n)/sin(k pi/n)|"),
    over=sweep("2 <= n <= 24", "0 <= s < n", default="n <= 12", quick="n <= 7"),
    method="The second singular value of the placement against the closed form, both in a cyclotomic field.",
)
def pgc_certificate_closed(n: int, s: int) -> Comparison:
    """The certificate of relaxed decoding is the spectral bound of its placement."""
    return equal(spectral_error_bound(plain_cyclic(n, s), s), cyclic_error_bound(n, s))


@claim(
    "pgc.notunique",
    statement=r"w_i=\tfrac1{s+1}\sum_{j\in W_i}\tfrac1{m_j} \text{ and debiased least squares}: \mathbb "
    r"E\,\alpha_j=1,\ \alpha_j<2,\quad \mathrm{Var}_{\rm LS}\le\mathrm{Var}_w\le\mathrm{Var}_{\rm relaxed}",
    source=derived("enumeration of all straggler sets"),
    over=sweep("1 <= n <= 12", "0 <= s < n", default="n <= 10", quick="n <= 7"),
    method="All straggler sets up to rotation, in rational arithmetic.",
    cost="comb(n, s) * n",
)
def pgc_notunique(n: int, s: int) -> Iterator[Comparison]:
    """Other decoders, too, have mean 1 and coefficients below 2, and less variance."""
    relaxed = coefficient_bounds(n, s, "relaxed")
    weighted = coefficient_bounds(n, s, "inverse multiplicity")
    least = coefficient_bounds(n, s, "debiased least squares")
    for found in (weighted, least):
        yield equal(found.mean, 1, f"mean, {found.decoder}")
        yield less_than(found.maximum, 2, f"maximum, {found.decoder}")
    yield at_most(least.variance, weighted.variance, "least squares against worker weights")
    yield at_most(weighted.variance, relaxed.variance, "worker weights against relaxed")
    if s == n - 2:
        yield equal(least.variance, relaxed.variance, "all alike for two answers")


@claim(
    "pgc.notunique.sum",
    statement=r"w_i=\tfrac1{s+1}\sum_{j\in W_i}\tfrac1{m_j}:\quad \textstyle\sum_j\alpha_j=n \text{ for every set}",
    source=derived("every partition j adds m_j times 1/m_j"),
    over=sweep("1 <= n <= 11", "0 <= s < n", "S in subsets(n, s)", default="n <= 8", quick="n <= 6"),
    method="Set by set.",
)
def pgc_notunique_sum(n: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Weights by inverse multiplicity have coefficients that sum to n."""
    return equal(_coefficients(n, s, S, InverseMultiplicityDecoder()).sum(), n)


_PAIRS = ((0, 0), (1, 0), (0, 1), (1, 1))  # whether a worker in the near half and its mirror image belong to a set


def _moved(pair: tuple[int, int]) -> tuple[int, int]:
    """Return a mirror pair with a lone member moved to the near half."""
    return max(pair), min(pair)


def _overlap(one: tuple[int, int], other: tuple[int, int], near: Any, far: Any) -> Any:
    """Return the overlaps between the members of two mirror pairs."""
    same_side = one[0] * other[0] + one[1] * other[1]
    across = one[0] * other[1] + one[1] * other[0]
    return near * same_side + far * across


def _shared(one: tuple[int, int], other: tuple[int, int]) -> int:
    return one[0] * other[0] + one[1] * other[1]


def _rises(b: Any, a: Any, h: Any) -> list[tuple[Any, Any]]:
    """Return how max(x, 0) rises from u to u + g and from u + 2h to u + 2h + g, for all places of 0."""
    return [
        (b * 0, b * 0),  # both ranges lie below 0
        (b * 0, a),  # the higher one rises in its last part a, or all of it
        (a, a + 2 * h),  # 0 inside both, g = a + 2h + more
        (a, a + b),  # 0 inside the lower one, b below and a above it: g = a + b
        (a, a),  # both above 0, g = a
    ]


def _counts(v: Any, w: Any, z: Any) -> tuple[Any, Any, Any]:
    """Return received copies, holders and answers; v holders straggle, w others answer and z others straggle."""
    received = 1 + z
    return received, received + v, received + w


def _weight(n: Any, s: Any) -> Any:
    """Return the weight that relaxed decoding gives to each of n - s answers."""
    return n / ((n - s) * (s + 1))


def _both_answer(n: Any, s: Any) -> Any:
    return (n - s) * (n - s - 1) / (n * (n - 1))


def _variance(n: Any, s: Any) -> Any:
    return s * (n - s - 1) / ((n - 1) * (n - s) * (s + 1))


def _below(c: Any) -> Any:
    """Return 1 + 2 + ... + (c - 1)."""
    return c * (c - 1) / 2


def _squares_below(c: Any) -> Any:
    """Return 1 + 4 + ... + (c - 1)^2."""
    return c * (c - 1) * (2 * c - 1) / 6


def _coefficients(n: int, s: int, S: tuple[int, ...], decoder: Any = None) -> Any:
    """Return the coefficients that the partitions of the plain cyclic code get when the workers S straggle."""
    survivors = [worker for worker in range(n) if worker not in S]
    return decoded_coefficients(plain_cyclic(n, s), survivors, decoder or RelaxedDecoder())
