"""Tails are alternating sums, lie in (0, 1/e], and every number in there is one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from codedtheory.interpolation.alternating_tails import alternating_tail, any_tail, longer_tail


@pytest.mark.parametrize("distances", list(combinations([Fraction(k, 3) for k in range(1, 8)], 4)))
def test_tail_is_the_alternating_sum_and_in_range(distances: tuple[Fraction, ...]) -> None:
    tail = alternating_tail(distances)
    assert tail == sum((-1) ** j / e for j, e in enumerate(distances))
    assert 0 < tail <= 1 / distances[0]
    share = 1 / (distances[0] * tail) - 1
    assert share >= 0
    assert any_tail(distances[0], share) == tail


def test_no_node_gives_no_tail() -> None:
    assert alternating_tail([]) == 0
    assert longer_tail(Fraction(2), 0) == any_tail(Fraction(2), 0) == Fraction(1, 2)


def test_unsorted_distances_leave_the_range() -> None:
    assert alternating_tail([Fraction(2), Fraction(1)]) < 0
