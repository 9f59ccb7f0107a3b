"""Symmetries are found where they are, and never taken on trust."""

from __future__ import annotations

import numpy as np
import pytest

from codedtheory.coding import (
    GradientCode,
    cyclic_mds,
    cyclic_repetition,
    fractional_repetition,
    graph_code,
    plain_cyclic,
    polynomial_cyclic,
)

ROTATION = ((1, 2, 3, 0), (1, 2, 3, 0))


def test_plain_windows_have_the_dihedral_group():
    group = plain_cyclic(7, 2).symmetry_group
    assert (group.name, group.order, group.is_transitive) == ("dihedral", 14, True)


def test_a_circulant_support_is_not_enough():
    code = cyclic_repetition(6, 2, np.random.default_rng(0), "rational")
    assert code.symmetry_group.order == 1
    assert polynomial_cyclic(range(6), 2).symmetry_group.order == 1


def test_circulants_without_mirror_image_only_rotate():
    row = [1, 2, 4, 0, 0]
    code = GradientCode([[row[(j - i) % 5] for j in range(5)] for i in range(5)])
    assert (code.symmetry_group.name, code.symmetry_group.order) == ("rotation by 1", 5)


def test_complex_cyclic_codes_are_mirrored_up_to_conjugation_and_units():
    code = cyclic_mds(7, 3)
    assert not code.is_real
    assert code.symmetry_group.name == "dihedral"


def test_groups_of_workers_rotate_together():
    group = fractional_repetition(6, 1).symmetry_group
    assert group.name.startswith("rotation by 2")
    assert (group.order, group.is_transitive) == (6, True)


def test_signs_of_rows_do_not_matter():
    matrix = plain_cyclic(5, 1).matrix.copy()
    matrix[2] = -matrix[2]
    assert GradientCode(matrix).symmetry_group.name == "dihedral"
    matrix[2] = 2 * matrix[2]
    assert GradientCode(matrix).symmetry_group.order == 1


def test_floats_are_compared_bit_by_bit():
    matrix = plain_cyclic(5, 1).approximate().matrix.copy()
    assert GradientCode(matrix).symmetry_group.order == 10
    matrix[3, 3] = np.nextafter(1.0, 2.0)
    assert GradientCode(matrix).symmetry_group.order == 1


def test_given_symmetries_are_verified():
    assert GradientCode(plain_cyclic(4, 1).matrix, symmetry=[ROTATION]).symmetry_group.order == 4
    skewed = plain_cyclic(4, 1).matrix.copy()
    skewed[0, 0] = skewed[0, 0] + 1
    with pytest.raises(ValueError, match="does not map the matrix to itself"):
        GradientCode(skewed, symmetry=[ROTATION])


def test_no_symmetry_on_request():
    assert GradientCode(plain_cyclic(4, 1).matrix, symmetry=()).symmetry_group.order == 1


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [([(1, 2)], "pairs"), ([((0, 0, 1, 2), (0, 1, 2, 3))], "permute 4 workers"), ([((0, 1), (0, 1))], "permute")],
)
def test_what_is_no_pair_of_permutations_is_refused(symmetry, message):
    with pytest.raises(ValueError, match=message):
        GradientCode(plain_cyclic(4, 1).matrix, symmetry=symmetry)


def test_rectangular_codes_take_symmetries():
    networkx = pytest.importorskip("networkx")
    code = graph_code(networkx.cycle_graph(4))
    assert code.symmetry_group.order == 1
    edges = [tuple(int(j) for j in np.flatnonzero(row)) for row in code.matrix]
    turn = [edges.index(tuple(sorted(((u + 1) % 4, (v + 1) % 4)))) for u, v in edges]
    assert GradientCode(code.matrix, symmetry=[(turn, (1, 2, 3, 0))]).symmetry_group.order == 4


def test_groups_that_are_too_large_are_refused():
    n = 9
    swap = (1, 0, *range(2, n))
    turn = (*range(1, n), 0)
    with pytest.raises(ValueError, match="more than 100000"):
        GradientCode([[1] * n] * n, symmetry=[(swap, range(n)), (turn, range(n))])
