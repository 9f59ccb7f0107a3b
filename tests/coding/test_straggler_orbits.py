"""Straggler sets and their orbits against plain enumeration."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.coding import (
    WorkerSymmetry,
    orbit_count,
    orbit_representatives,
    plain_cyclic,
    straggler_sets,
)
from codedtheory.coding.worker_symmetry import verified_symmetry


def listed(workers, stragglers, symmetry):
    sets, sizes = [], []
    for rows, counts in orbit_representatives(workers, stragglers, symmetry):
        sets += [tuple(row) for row in rows.tolist()]
        sizes += counts.tolist()
    return sets, sizes


def orbits_by_brute_force(workers, stragglers, symmetry):
    found = {}
    for chosen in combinations(range(workers), stragglers):
        images = [tuple(sorted(p[i] for i in chosen)) for p in symmetry.permutations]
        first = min([chosen, *images])
        found[first] = found.get(first, 0) + 1
    return list(found), list(found.values())


@pytest.mark.parametrize(("n", "s"), [(1, 0), (1, 1), (5, 0), (5, 2), (7, 7), (9, 4), (70, 2), (72, 70)])
def test_sets_come_in_lexicographic_order(n, s):
    rows = [tuple(row) for chunk in straggler_sets(n, s, chunk=17) for row in chunk.tolist()]
    assert rows == list(combinations(range(n), s))


@settings(max_examples=40)
@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.permutations(range(n)))))
def test_orbits_of_any_group(case):
    n, s, permutation = case
    matrix = np.ones((n, n))
    symmetry = verified_symmetry(matrix, [(permutation, range(n))])
    expected = orbits_by_brute_force(n, s, symmetry)
    assert listed(n, s, symmetry) == expected
    assert orbit_count(n, s, symmetry) == len(expected[0])


@pytest.mark.parametrize(("n", "s", "window", "orbits"), [(20, 5, 3, 406), (24, 6, 5, 2920)])
def test_dihedral_orbits(n, s, window, orbits):
    group = plain_cyclic(n, window - 1).symmetry_group
    sets, sizes = listed(n, s, group)
    assert len(sets) == orbits == orbit_count(n, s, group)
    assert sum(sizes) == comb(n, s)
    assert sets == sorted(sets)


def test_more_workers_than_bits_in_a_mask():
    n = 65
    turn = tuple((i + 1) % n for i in range(n))
    group = verified_symmetry(np.ones((n, n)), [(turn, turn)])
    sets, sizes = listed(n, 2, group)
    assert sets == [(0, k) for k in range(1, 33)]
    assert sizes == [n] * 32
    assert listed(n, 0, group) == ([()], [1])


def test_without_symmetry_every_set_is_an_orbit():
    sets, sizes = listed(6, 3, WorkerSymmetry("none"))
    assert sets == list(combinations(range(6), 3))
    assert set(sizes) == {1}


def test_bad_sizes_are_refused():
    with pytest.raises(ValueError, match="at most the number of workers"):
        next(straggler_sets(3, 4))
    with pytest.raises(ValueError, match="too many to enumerate"):
        next(straggler_sets(200, 100))
    with pytest.raises(TypeError, match="integer"):
        next(straggler_sets(3, 1.0))
