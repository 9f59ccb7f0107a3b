"""Coincidences of data and worker points: brute force, number theory and the file against each other."""

from fractions import Fraction

import pytest

from codedtheory.arithmetic import Algebraic, modular
from codedtheory.coding import BerrutCode
from codedtheory.coding.collisions import chebyshev_collision_count, collisions, outside_hull
from codedtheory.interpolation import chebyshev_first, chebyshev_second, nodes_from, roots_of_unity


@pytest.mark.parametrize("kind", ["chebyshev2", "chebyshev1"])
def test_counts_against_equal_angles(kind):
    mismatches = 0
    for K in range(1, 41):
        for workers in range(2, 62):
            # angles in units of pi/(2 K M), as integers
            if kind == "chebyshev2":
                M = workers - 1
                equal = {(2 * j + 1) * M for j in range(K)} & {2 * K * i for i in range(workers)}
            else:
                equal = {(2 * j + 1) * workers for j in range(K)} & {(2 * i + 1) * K for i in range(workers)}
            mismatches += len(equal) != chebyshev_collision_count(K, workers, kind)
    assert mismatches == 0


@pytest.mark.parametrize("kind", ["chebyshev2", "chebyshev1"])
def test_collisions_are_equal_algebraic_numbers(kind):
    for K in range(1, 5):
        for workers in range(2, 8):
            denominator = workers - 1 if kind == "chebyshev2" else 2 * workers
            angles = [Fraction(i if kind == "chebyshev2" else 2 * i + 1, denominator) for i in range(workers)]
            field = 4 * K * denominator
            data = [Algebraic.cos_pi(Fraction(2 * j + 1, 2 * K), field) for j in range(K)]
            nodes = [Algebraic.cos_pi(q, field) for q in angles]
            pairs = [(j, i) for j in range(K) for i in range(workers) if data[j] == nodes[i]]
            assert BerrutCode(K, workers, worker_points=kind).collisions() == pairs
            assert len(pairs) == chebyshev_collision_count(K, workers, kind)


def test_cosines_meet_rationals():
    # cos(pi/3) = 1/2 and cos(2 pi/3) = -1/2, in either direction of the nodes
    assert collisions(chebyshev_second(4), nodes_from(["-1/2", 0, "1/2"])) == [(1, 2), (2, 0)]
    assert collisions(chebyshev_second(4), nodes_from(["1/2", 0, "-1/2"])) == [(1, 0), (2, 2)]


def test_elements_of_a_field_meet_in_any_order():
    field = modular(7)
    assert collisions(nodes_from(field.array([5, 3])), nodes_from(field.array([3, 1, 12]))) == [(0, 2), (1, 0)]


def test_hull_is_decided_exactly():
    # cos(pi/4) against the two doubles around it
    data = chebyshev_first(2)
    inside, outside = nodes_from([-1.0, 0.7071067811865476]), nodes_from([-1.0, 0.7071067811865475])
    assert outside_hull(data, inside) == ()
    assert outside_hull(data, outside) == (0,)
    assert outside_hull(data, nodes_from([0.0])) == (0, 1)
    assert outside_hull(chebyshev_first(3), nodes_from([0])) == (0, 2)


def test_lines_and_circles_do_not_mix():
    with pytest.raises(ValueError, match="on one line or in one field"):
        collisions(chebyshev_first(2), roots_of_unity(4))


def test_unknown_family():
    with pytest.raises(ValueError, match="got 'chebyshev3'"):
        chebyshev_collision_count(2, 4, "chebyshev3")
