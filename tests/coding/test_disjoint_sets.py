"""Disjoint-set decoders against brute force over all subsets."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.coding.coefficients import decoded_coefficients, squared_error
from codedtheory.coding.disjoint_sets import DisjointSetDecoder, circular_greedy, maximum_disjoint_set
from codedtheory.coding.first_of_group import probability_of_presence
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.hybrid_repetition import HybridGroupDecoder, grouped_greedy, hybrid_repetition
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.placement import supports
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic


def subsets(n):
    return (tuple(i for i in range(n) if mask >> i & 1) for mask in range(1, 1 << n))


def disjoint(held, chosen):
    return all(not held[a] & held[b] for a, b in combinations(chosen, 2))


def largest_by_brute_force(held, survivors):
    return max(
        size for size in range(1, len(survivors) + 1) if any(disjoint(held, t) for t in combinations(survivors, size))
    )


@pytest.mark.parametrize(("n", "c"), [(n, c) for n in range(1, 8) for c in range(1, n + 1)])
def test_circular_greedy_is_largest(n, c):
    held = [frozenset((i + k) % n for k in range(c)) for i in range(n)]
    for survivors in subsets(n):
        chosen = circular_greedy(n, c, survivors)
        assert set(chosen) <= set(survivors)
        assert disjoint(held, chosen)
        assert len(chosen) == largest_by_brute_force(held, survivors)


def test_circular_greedy_against_branch_and_bound_on_larger_circles():
    for n, c in ((10, 2), (10, 3), (11, 2), (11, 4)):
        held = [frozenset((i + k) % n for k in range(c)) for i in range(n)]
        for survivors in subsets(n):
            assert len(circular_greedy(n, c, survivors)) == len(maximum_disjoint_set(held, survivors))


@given(st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=3), min_size=1, max_size=8))
def test_maximum_disjoint_set_on_any_placement(held):
    survivors = range(len(held))
    chosen = maximum_disjoint_set(held, survivors)
    assert disjoint(held, chosen)
    size = largest_by_brute_force(held, survivors)
    assert chosen == next(t for t in combinations(survivors, size) if disjoint(held, t))


def test_recovered_partitions_get_one_weight_and_the_others_none():
    code = plain_cyclic(7, 1)
    for survivors in subsets(7):
        alpha = decoded_coefficients(code, survivors, DisjointSetDecoder())
        recovered = [a for a in alpha if a != 0]
        assert all(a == Fraction(7, len(recovered)) for a in recovered)
        plain = decoded_coefficients(code, survivors, DisjointSetDecoder(rescale=False))
        assert sum(plain) == len(recovered)


@pytest.mark.parametrize("code", [plain_cyclic(6, 1), plain_cyclic(6, 3), fractional_repetition(6, 1)])
def test_never_nearer_than_least_squares(code):
    for survivors in subsets(6):
        best = squared_error(decoded_coefficients(code, survivors, LeastSquaresDecoder()))
        for rescale in (True, False):
            decoder = DisjointSetDecoder(rescale)
            assert squared_error(decoded_coefficients(code, survivors, decoder)) >= best


def test_everything_is_recovered_when_windows_tile_and_few_straggle():
    for n, c in ((4, 2), (6, 2), (6, 3), (8, 4), (9, 3)):
        for size in range(n - c + 1, n + 1):
            for survivors in combinations(range(n), size):
                assert len(circular_greedy(n, c, survivors)) == n // c


def test_expected_recovered_fraction_of_repetition_groups():
    n, c = 6, 2
    code = fractional_repetition(n, c - 1)
    for w in range(1, n + 1):
        sets = list(combinations(range(n), w))
        decoder = DisjointSetDecoder(rescale=False)
        total = sum(sum(a.fraction for a in decoded_coefficients(code, survivors, decoder)) for survivors in sets)
        assert Fraction(total, n * len(sets)) == probability_of_presence(n, c, received=w)


def hybrid_cases(n):
    for groups in (g for g in range(1, n + 1) if n % g == 0):
        for c in range(2, n // groups + 1):
            for inside in range(c + 1):
                yield groups, c, inside


def test_hybrid_placement():
    code = hybrid_repetition(8, groups=2, inside=1, across=1)
    held = supports(code)
    assert held[0] == {3, 0}
    assert held[3] == {2, 3}
    assert held[4] == {7, 4}
    for groups, c, inside in hybrid_cases(8):
        assert {len(h) for h in supports(hybrid_repetition(8, groups, inside, c - inside))} == {c}
    assert supports(hybrid_repetition(6, 1, 0, 3)) == supports(plain_cyclic(6, 2))


def test_one_worker_a_group_is_valid_but_not_always_largest():
    # with 10 workers the same count gives 29,975 of 137,795
    found, missed = Counter(), Counter()
    for n in range(4, 9):
        for groups, c, inside in hybrid_cases(n):
            held = supports(hybrid_repetition(n, groups, inside, c - inside))
            kind = "one group" if groups == 1 else "mixed" if inside else "cyclic"
            for survivors in subsets(n):
                chosen = grouped_greedy(held, groups, survivors)
                assert disjoint(held, chosen)
                found[kind] += 1
                missed[kind] += len(chosen) < len(maximum_disjoint_set(held, survivors))
    assert sum(found.values()) == 21714
    assert missed == {"one group": 3604, "cyclic": 202, "mixed": 350}


def test_smallest_case_of_two_groups_in_which_a_largest_set_is_missed():
    code = hybrid_repetition(8, groups=2, inside=1, across=1)
    survivors = next(
        t
        for size in range(1, 9)
        for t in combinations(range(8), size)
        if len(grouped_greedy(supports(code), 2, t)) < len(maximum_disjoint_set(supports(code), t))
    )
    released = decoded_coefficients(code, survivors, HybridGroupDecoder(groups=2, rescale=False))
    corrected = decoded_coefficients(code, survivors, DisjointSetDecoder(rescale=False))
    assert survivors == (0, 2)
    assert (sum(released), sum(corrected)) == (2, 4)


def test_bad_input():
    with pytest.raises(ValueError, match="divide"):
        hybrid_repetition(8, 3, 1, 1)
    with pytest.raises(ValueError, match="from 1 to n / groups"):
        hybrid_repetition(8, 4, 2, 1)
    with pytest.raises(ValueError, match="divide the number of workers"):
        HybridGroupDecoder(groups=3).weights(plain_cyclic(8, 1), [0])
    with pytest.raises(ValueError, match="plain sums"):
        DisjointSetDecoder().weights(GradientCode([[2, 1], [1, 1]]), [0])
    with pytest.raises(ValueError, match="c must be at most 4"):
        circular_greedy(4, 5, [0])


def test_a_hundred_workers_in_twenty_groups_are_no_search():
    # without the bound by groups, branch and bound goes through 5^20 choices
    held = [frozenset(range(5 * (i // 5), 5 * (i // 5) + 5)) for i in range(100)]
    received = [i for i in range(100) if i not in (0, 7, 50, 99)]
    firsts = (next(i for i in received if i // 5 == group) for group in range(20))
    assert maximum_disjoint_set(held, received) == tuple(firsts)
