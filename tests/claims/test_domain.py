from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.claims.domain import EFFORTS, samples, sweep


def brute_force(top: int) -> list[dict[str, object]]:
    return [
        {"N": N, "s": s, "S": S, "d": d}
        for N in range(2, top + 1)
        for s in range(N)
        for S in combinations(range(N + 1), s)
        for d in (0, 2, 1)
        if (N - s) % 2 == 1 and s <= 3
    ]


@pytest.fixture(scope="module")
def domain():
    ranges = ("2 <= N <= 7", "0 <= s < N", "S in subsets(N + 1, s)")
    return sweep(*ranges, where="(N - s) % 2 == 1 and s <= 3", default="N <= 5", quick="N < 4", d=(0, 2, 1))


@pytest.mark.parametrize(("effort", "top"), [("quick", 3), ("default", 5), ("full", 7)])
def test_walks_in_lexicographic_order(domain, effort: str, top: int) -> None:
    expected = brute_force(top)
    assert list(domain.instances(effort)) == expected
    assert domain.count(effort) == len(expected)


@settings(max_examples=40)
@given(st.integers(0, 240), st.integers(0, 240))
def test_pieces_are_those_of_the_whole(start: int, length: int) -> None:
    ranges = ("2 <= N <= 7", "0 <= s < N", "S in subsets(N + 1, s)")
    domain = sweep(*ranges, where="(N - s) % 2 == 1 and s <= 3", default="N <= 5", d=(0, 2, 1))
    assert list(domain.instances("default", start, start + length)) == brute_force(5)[start : start + length]


def test_counting_does_not_walk_what_nothing_depends_on() -> None:
    domain = sweep("2 <= N <= 4", "S in subsets(40 + N, 20)", "0 <= i < 10**9")
    assert domain.count("full") == sum(len_subsets(40 + n) for n in (2, 3, 4)) * 10**9
    assert next(domain.instances("full", 10**9 * 7)) == {"N": 2, "S": (*range(19), 26), "i": 0}


def test_pieces_of_huge_families_of_sets_begin_at_once() -> None:
    grid = sweep("S in subsets(60, 30)").grid("full")
    assert [instance["S"] for instance in grid.piece(grid.count() - 3, None)] == [
        (29, 30, *range(32, 60)),
        (29, *range(31, 60)),
        tuple(range(30, 60)),
    ]
    small = sweep("2 <= N <= 6", "S in subsets(N, N // 2)")
    every = list(small.instances("full"))
    for start in range(len(every) + 1):
        assert list(small.instances("full", start)) == every[start:]


def len_subsets(n: int) -> int:
    return math.comb(n, 20)


def test_scope_merges_conditions_into_their_range() -> None:
    domain = sweep("2 <= N <= 14", "0 <= s < N", where="(N - s) % 2 == 1", default="N <= 11 and 1 <= s", quick="8 > N")
    assert domain.scope("full") == "2≤N≤14, 0≤s<N, (N-s)%2=1"
    assert domain.scope("default") == "2≤N≤11, 1≤s<N, (N-s)%2=1"
    assert domain.scope("quick") == "2≤N<8, 1≤s<N, (N-s)%2=1"
    assert sweep("2 <= N <= 9", full="N <= 20", d=(0, 1)).scope("full") == "2≤N≤9, d∈{0, 1}"


def test_a_smaller_effort_walks_a_part_of_a_larger_one() -> None:
    domain = sweep("0 <= N <= 20", full="N != 3", default="N % 2 == 1", quick="N < 9")
    walked = [[p["N"] for p in domain.instances(effort)] for effort in EFFORTS]
    assert walked[0] == [1, 5, 7]
    assert set(walked[0]) < set(walked[1]) < set(walked[2])
    assert 3 not in walked[2]


def test_unsatisfiable_conditions_leave_nothing() -> None:
    assert sweep("0 <= N <= 3", where="1 > 2").count("full") == 0
    assert sweep("0 <= N <= 3", where="N > 7").count("full") == 0


@pytest.mark.parametrize(
    ("choices", "error"),
    [((), ValueError), ("abc", ValueError), ((1, 1), ValueError), ((0.5,), TypeError), ((True,), TypeError)],
)
def test_choices_are_listed_exact_values(choices: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="d: "):
        sweep(d=choices)


def test_choices_may_be_fractions_and_words() -> None:
    domain = sweep(rule=("berrut", "polynomial"), p=(Fraction(1, 2), 1), where="rule == 'berrut' and p < 1")
    assert list(domain.instances("full")) == [{"rule": "berrut", "p": Fraction(1, 2)}]


def test_a_sweep_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="leave out over="):
        sweep()
    with pytest.raises(TypeError, match="where"):
        sweep("0 <= N < 3", where=[True])
    with pytest.raises(ValueError, match="effort must be"):
        sweep("0 <= N < 3").count("huge")


def test_samples_repeat_themselves_and_differ_from_each_other() -> None:
    domain = samples(20, "3 <= N <= 9", "S in subsets(N, 3)", where="0 in S", d=(1, 2))
    first = [domain.instance("default", "a.b", number) for number in range(20)]
    again = [domain.instance("default", "a.b", number) for number in range(20)]
    for one, other in zip(first, again, strict=True):
        assert one.pop("rng").integers(10**9) == other.pop("rng").integers(10**9)
        assert one == other
        assert 3 <= one["N"] <= 9
        assert one["S"][0] == 0
        assert len(set(one["S"])) == 3
    assert len({str(instance) for instance in first}) > 10
    other_claim = [domain.instance("default", "a.c", number) for number in range(20)]
    assert [i["N"] for i in other_claim] != [i["N"] for i in first]


def test_samples_count_by_effort() -> None:
    domain = samples(1000, quick_count=5, full_count=4000)
    assert [domain.count(effort) for effort in EFFORTS] == [5, 1000, 4000]
    assert isinstance(domain.instance("quick", "a", 0)["rng"], np.random.Generator)
    for bad in (0, True, 2.5):
        with pytest.raises(ValueError, match="number of samples"):
            samples(bad)


def test_samples_of_an_empty_range_say_so() -> None:
    with pytest.raises(ValueError, match="no instance"):
        samples(5, "3 <= N <= 9", where="N > 20").instance("full", "a", 0)
