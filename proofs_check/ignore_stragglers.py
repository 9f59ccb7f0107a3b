"""Ignoring stragglers: without coding, and with a maximum set of received workers that share no partition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from codedtheory.arithmetic import maximum
from codedtheory.claims import Comparison, at_least, claim, derived, equal, published, sweep
from codedtheory.claims.symbols import arbitrary, positive
from codedtheory.coding import (
    DisjointSetDecoder,
    LeastSquaresDecoder,
    OneStepDecoder,
    circular_greedy,
    coefficient_moments,
    decoded_coefficients,
    fractional_repetition,
    grouped_greedy,
    hybrid_repetition,
    maximum_disjoint_set,
    plain_cyclic,
    probability_of_presence,
    squared_error,
)
from codedtheory.coding.placement import supports
from codedtheory.coding.survivors import survivor_sets

IGNORING = "Su, Sukhnandan & Li 2023, On arbitrary ignorance of stragglers with gradient coding"
HYBRID = sweep(
    "4 <= n <= 10",
    "1 <= g <= n",
    "2 <= c <= n // g",
    "0 <= inside <= c",
    where="n % g == 0",
    default="n <= 8",
    quick="n <= 6",
)


@claim(
    "issgd.unbiased",
    statement=r"\text{Mean of the } n-s \text{ first gradients: } \mathbb E\alpha_j=\tfrac n{n-s}P(j\in R), "
    r"\text{ so it is unbiased iff all workers are received equally often}",
    source=derived("the probabilities of being received add up to n - s; released code divides by n - s"),
    method="P = (n - s)/n + d: the bias is d n/(n - s). The probabilities add up to n - s for every law of R.",
)
def issgd_unbiased() -> Iterator[Comparison]:
    """Ignoring stragglers is unbiased iff all workers straggle equally often."""
    n, r = positive("n r")
    (d,) = arbitrary("d")
    coefficient = _factor(n, r) * (r / n + d)
    yield equal(coefficient - 1, d * n / r, "bias")
    yield equal((coefficient - 1) * r / n, d, "no bias only if d = 0")
    yield equal(n * (r / n), r, "equal probabilities add up to n - s")


@claim(
    "issgd.uniform",
    statement=r"\text{Uniformly random } s\text{-sets: } \mathbb E\alpha=\mathbf 1; \text{ counting one set twice "
    r"makes it biased}",
    source=derived("enumeration"),
    over=sweep("2 <= n <= 9", "1 <= s < n", default="n <= 7", quick="n <= 5"),
    cost="comb(n, s)",
    method="All straggler sets, over the rationals; in the second law the set without the last s workers counts twice.",
)
def issgd_uniform(n: int, s: int) -> Iterator[Comparison]:
    """Ignoring uniformly random stragglers is unbiased, and slightly unequal ones are not."""
    code = plain_cyclic(n, 0)
    moments = coefficient_moments(code, s, OneStepDecoder())
    alpha = decoded_coefficients(code, range(n - s), OneStepDecoder())
    twice = (moments.means * moments.count + alpha) / (moments.count + 1)
    for j in range(n):
        yield equal(moments.means[j], 1, f"mean of {j}")
        surplus = Fraction(n, n - s) - 1 if j < n - s else Fraction(-1)
        yield equal(twice[j] - 1, surplus / (moments.count + 1), f"bias of {j}")


@claim(
    "issgd.persistent",
    statement=r"\text{Always the same } R: \text{ the iterates minimise } \tfrac1{n-s}\sum_{j\in R}f_j; "
    r"f_j=\tfrac12(x-b_j)^2 \text{ ends at the mean of the received } b_j",
    source=derived("the coefficients are n/(n - s) on R and 0 elsewhere"),
    over=sweep("2 <= n <= 6", "1 <= s < n", "S in subsets(n, s)", default="n <= 5", quick="n <= 4"),
    method="The point where the update vanishes, with symbols b_j and the decoder's coefficients.",
)
def issgd_persistent(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """Stragglers that stay the same move the limit to the mean of the others."""
    b = arbitrary(f"b_0:{n}")
    R = [j for j in range(n) if j not in S]
    alpha = [a.fraction for a in decoded_coefficients(plain_cyclic(n, 0), R, OneStepDecoder())]
    limit = sum(b[j] for j in R) / (n - s)
    yield equal(sum(_exact(a) * (limit - x) for a, x in zip(alpha, b, strict=True)), 0, "update at the limit")
    yield equal(sum(_exact(a) for a in alpha), n, "the update is a contraction towards it")


@claim(
    "isgc.maxset",
    statement=r"\text{On cyclic windows of } c \text{ partitions the circular greedy walk finds a largest set of "
    r"received workers with disjoint partitions, whatever set has arrived}",
    source=published(IGNORING, wording="seen", place="released code"),
    over=sweep("2 <= n <= 12", "1 <= c <= n", default="n <= 9", quick="n <= 7"),
    cost="2**n",
    method="All non-empty sets of received workers, against branch and bound.",
)
def isgc_maxset(n: int, c: int) -> Iterator[Comparison]:
    """The greedy walk around the circle attains the maximum disjoint set."""
    held = supports(plain_cyclic(n, c - 1))
    for R in _received_sets(n):
        chosen = circular_greedy(n, c, R)
        yield equal(len(chosen), len(maximum_disjoint_set(held, R)), f"size for {R}")
        yield equal(len(set().union(*(held[i] for i in chosen))), c * len(chosen), f"disjoint for {R}")


@claim(
    "isgc.exact",
    statement=r"c\mid n \text{ and at most } c-1 \text{ stragglers: IS-GC on cyclic windows recovers everything, "
    r"so with } c=s+1 \text{ it is exact gradient coding}",
    source=derived("one of c residue classes has no straggler, and its windows tile the circle"),
    over=sweep(
        "1 <= n <= 12", "1 <= c <= n", "0 <= s < c", where=("n % c == 0", "s < n"), default="n <= 9", quick="n <= 6"
    ),
    cost="comb(n, s)",
    method="All straggler sets, over the rationals.",
)
def isgc_exact(n: int, c: int, s: int) -> Iterator[Comparison]:
    """With few stragglers ignoring them costs nothing where windows tile."""
    code = plain_cyclic(n, c - 1)
    for R in survivor_sets(n, s):
        alpha = decoded_coefficients(code, R, DisjointSetDecoder())
        yield equal(maximum(abs(alpha - 1)), 0, f"survivors {R}")


@claim(
    "isgc.hr",
    statement=r"\text{Hybrid repetition: the released decoder, which never takes two workers of a group, chooses "
    r"workers with disjoint partitions}",
    source=published(IGNORING, wording="seen", place="released code"),
    over=HYBRID,
    cost="2**n",
    method="All non-empty sets of received workers; n / g workers a group, c partitions a worker, of which `inside` "
    "precede it in its group.",
)
def isgc_hr(n: int, g: int, c: int, inside: int) -> Iterator[Comparison]:
    """The decoder of hybrid repetition is valid."""
    held = supports(hybrid_repetition(n, g, inside, c - inside))
    for R in _received_sets(n):
        chosen = grouped_greedy(held, g, R)
        yield equal(len(set().union(*(held[i] for i in chosen))), c * len(chosen), f"disjoint for {R}")


@claim(
    "isgc.hr.maximum",
    statement=r"\text{Hybrid repetition: the released decoder chooses a largest set of received workers with disjoint "
    r"partitions}",
    source=derived(
        "what a decoder that never takes two workers of a group would have to do; the paper may restrict n, g, c"
    ),
    over=HYBRID,
    cost="2**n",
    expected="fails",
    corrected_by="isgc.hr.corrected",
    method="All non-empty sets of received workers, against branch and bound.",
)
def isgc_hr_maximum(n: int, g: int, c: int, inside: int) -> Iterator[Comparison]:
    """The decoder of hybrid repetition would recover as much as possible."""
    held = supports(hybrid_repetition(n, g, inside, c - inside))
    for R in _received_sets(n):
        yield equal(len(grouped_greedy(held, g, R)), len(maximum_disjoint_set(held, R)), f"size for {R}")


@claim(
    "isgc.hr.conflicting",
    statement=r"\text{Where all workers of a group share partitions pairwise, the released decoder of hybrid "
    r"repetition chooses a largest set}",
    source=derived(
        "what would make its assumption harmless; it starts from one group only, which a largest set may avoid"
    ),
    over=sweep("2 <= g <= 4", "2 <= c <= 3"),
    cost="2**(g * c)",
    expected="fails",
    corrected_by="isgc.hr.corrected",
    method="All non-empty sets of received workers on cyclic windows of c in g groups of c, against branch and bound.",
)
def isgc_hr_conflicting(g: int, c: int) -> Iterator[Comparison]:
    """The decoder of hybrid repetition would be best if groups conflict."""
    held = supports(hybrid_repetition(g * c, g, 0, c))
    for R in _received_sets(g * c):
        yield equal(len(grouped_greedy(held, g, R)), len(maximum_disjoint_set(held, R)), f"size for {R}")


@claim(
    "isgc.hr.corrected",
    statement=r"\text{A maximum independent set of the graph of workers that share partitions recovers as much as any "
    r"set of workers with disjoint partitions, for hybrid repetition}",
    source=derived("conflicts checked pair by pair"),
    over=HYBRID,
    cost="2**n",
    method="All sets of received workers: the largest disjoint subset by dynamic programming over all subsets.",
)
def isgc_hr_corrected(n: int, g: int, c: int, inside: int) -> Iterator[Comparison]:
    """Checking conflicts pair by pair repairs the decoder of hybrid repetition."""
    held = supports(hybrid_repetition(n, g, inside, c - inside))
    masks = [sum(1 << j for j in range(n) if held[i] & held[j]) for i in range(n)]
    largest = [0] * 2**n
    for received in range(1, 2**n):
        first = received.bit_length() - 1
        largest[received] = max(largest[received & ~(1 << first)], 1 + largest[received & ~masks[first]])
    for R in _received_sets(n):
        yield equal(len(maximum_disjoint_set(held, R)), largest[sum(1 << i for i in R)], f"size for {R}")


@claim(
    "isgc.fraction",
    statement=r"\text{Fractional repetition, } w \text{ of } n \text{ workers received at random: the expected "
    r"recovered fraction is } 1-\tbinom{n-c}w/\tbinom nw",
    source=derived("a group is missed if all its c workers are"),
    over=sweep("1 <= n <= 10", "1 <= c <= n", "1 <= w <= n", where="n % c == 0", default="n <= 7", quick="n <= 6"),
    cost="comb(n, w)",
    method="All received sets, over the rationals.",
)
def isgc_fraction(n: int, c: int, w: int) -> Comparison:
    """How much fractional repetition recovers from any number of workers."""
    code, decoder = fractional_repetition(n, c - 1), DisjointSetDecoder(rescale=False)
    moments = coefficient_moments(code, n - w, decoder)
    return equal(moments.means.sum() / n, probability_of_presence(n, c, received=w))


@claim(
    "isgc.leastsquares",
    statement=r"\text{IS-GC is never nearer to the full sum than least squares on the same messages}",
    source=derived("least squares is the nearest of all combinations"),
    over=sweep("2 <= n <= 7", "1 <= c <= n", default="n <= 6", quick="n <= 5"),
    cost="2**n",
    method="All non-empty received sets on cyclic windows and, if c divides n, in groups; with and without rescaling.",
)
def isgc_leastsquares(n: int, c: int) -> Iterator[Comparison]:
    """Least squares beats disjoint sets on every set of messages."""
    codes = [plain_cyclic(n, c - 1)] + ([fractional_repetition(n, c - 1)] if n % c == 0 else [])
    for code in codes:
        for R in _received_sets(n):
            best = squared_error(decoded_coefficients(code, R, LeastSquaresDecoder()))
            for rescale in (True, False):
                found = squared_error(decoded_coefficients(code, R, DisjointSetDecoder(rescale)))
                yield at_least(found, best, f"{code.name}, {R}")


def _factor(n: Any, received: Any) -> Any:
    """Return the factor from the sum of the received gradients over n to their mean."""
    return n / received


def _exact(value: Fraction) -> Any:
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


def _received_sets(n: int) -> Iterator[tuple[int, ...]]:
    """Return the non-empty subsets of n workers, small ones first."""
    for count in range(1, n + 1):
        yield from combinations(range(n), count)
