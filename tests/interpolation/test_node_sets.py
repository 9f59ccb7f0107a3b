from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from codedtheory.arithmetic import ball, exactly
from codedtheory.interpolation.node_families import chebyshev_second
from codedtheory.interpolation.node_sets import NodeSets, chebyshev_survivors, checked_workers, survivor_positions
from codedtheory.interpolation.nodes import nodes_from
from codedtheory.interpolation.points import as_point


@pytest.mark.parametrize(("workers", "stragglers"), [(2, 0), (5, 2), (6, 3), (7, 1), (8, 4)])
def test_one_set_of_every_mirrored_pair(workers, stragglers):
    positions = survivor_positions(workers, stragglers)
    survivors = [tuple(sorted(workers - 1 - p for p in row)) for row in positions.tolist()]
    lost = [tuple(i for i in range(workers) if i not in kept) for kept in survivors]
    mirrored = [tuple(sorted(workers - 1 - i for i in gone)) for gone in lost]
    assert set(lost) | set(mirrored) == set(combinations(range(workers), stragglers))
    assert all(a <= b for a, b in zip(lost, mirrored, strict=True))
    assert lost == sorted(set(lost))
    symmetric = sum(a == b for a, b in zip(lost, mirrored, strict=True))
    assert 2 * len(lost) - symmetric == comb(workers, stragglers)


def test_distances_enclose_the_true_ones():
    family = chebyshev_survivors(9, 2, rigorous=True)
    nodes = chebyshev_second(9).over(ball(200))[::-1]
    for i in range(9):
        for j in range(9):
            low, high = (exactly(float(end[i, j])) for end in (family.distance.lo, family.distance.hi))
            true = abs(nodes[i] - nodes[j])
            if i == j:
                assert low == high == 0
                continue
            assert low <= true
            assert true <= high
            assert high - low <= true * Fraction(8, 2**52)
    floats = chebyshev_survivors(9, 2, rigorous=False).distance
    assert np.all((family.distance.lo <= floats) & (floats <= family.distance.hi))


def test_single_set_with_ends_in_either_direction():
    ends = (as_point("-1/3"), as_point(7))
    up = NodeSets.single(nodes_from([0, 1, 4]), ends, rigorous=False)
    down = NodeSets.single(nodes_from([4, 1, 0]), ends, rigorous=False)
    assert up.distance == pytest.approx(down.distance)
    assert up.sets.tolist() == [[0, 1, 2]]
    assert up.gaps == 2
    assert len(up) == 1
    assert up.distance[0, 3] == pytest.approx(1 / 3, rel=1e-15)
    assert up.distance[2, 4] == 3


def test_nodes_known_as_balls_only_keep_their_radius():
    nodes = nodes_from([ball(20).pi, 4])
    distance = NodeSets.single(nodes, (), rigorous=True).distance
    assert distance.hi[0, 1] - distance.lo[0, 1] > 1e-6
    assert distance.lo[0, 1] <= 4 - np.pi <= distance.hi[0, 1]


def test_checked_workers():
    assert checked_workers(np.int64(5), 3) == (5, 3)
    with pytest.raises(TypeError, match="stragglers must be an integer, got True"):
        checked_workers(5, True)
    with pytest.raises(ValueError, match=r"from 0 to 4 for 5 workers \(at least 1 must survive\), got 5"):
        checked_workers(5, 5)
