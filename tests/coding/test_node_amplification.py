"""Amplification from distances, against the decoders themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from codedtheory.arithmetic import Algebraic, Rational, ball, cyclotomic
from codedtheory.coding import DividedDifference, MinNorm, cyclic_mds, polynomial_cyclic
from codedtheory.coding.node_amplification import (
    circle_amplification,
    worst_circle_amplification,
    worst_line_amplification,
)


def by_fractions(x, s):
    """Every straggler set, every partition: sums of products of differences."""
    n, worst = len(x), Fraction(0)
    for survivors in combinations(range(n), n - s):
        for j in range(n):
            total = Fraction(0)
            for i in survivors:
                term = Fraction(1)
                for k in survivors:
                    term /= x[i] - x[k] if k != i else 1
                for k in range(1, n - s):
                    term *= x[i] - x[(j + k) % n]
                total += abs(term)
            worst = max(worst, total)
    return worst


@pytest.mark.parametrize("s", range(5))
def test_line_against_fractions_in_any_order(s):
    for x in list(permutations((0, 1, 3, 4, 7)))[::17]:
        assert worst_line_amplification(x, s) == by_fractions(x, s)


@pytest.mark.parametrize(("n", "s", "step"), [(5, 1, 1), (5, 2, 2), (6, 2, 1), (7, 2, 3), (7, 4, 2)])
def test_circle_against_the_decoder_of_the_cyclic_code(n, s, step):
    exact = worst_circle_amplification(n, s, step, cyclotomic(4 * n))
    ball_ = cyclic_mds(n, s, step, first=1).worst_amplification(MinNorm(), s).value
    assert isinstance(exact, Algebraic)
    assert ball_.contains(exact)
    assert worst_circle_amplification(n, s, step, ball(64)).contains(exact)


def test_one_straggler_set_against_the_decoder():
    n, lost, step = 7, [1, 2, 5], 2
    nodes = tuple(Algebraic.root_of_unity(Fraction(step * k, n), n) for k in range(n))
    code, survivors = polynomial_cyclic(nodes, 3), [i for i in range(n) if i not in lost]
    expected = code.amplification(DividedDifference(nodes, 3), survivors)
    assert expected.contains(circle_amplification(n, lost, step, cyclotomic(4 * n)))


def test_floats_and_trivial_cases():
    assert worst_line_amplification(np.array([0.0, 1.0, 2.0]), 1) == pytest.approx(3)
    assert worst_line_amplification([Rational(1, 3)], 0) == 1
    assert worst_circle_amplification(4, 0, 1, ball(64)) == 1
    assert worst_circle_amplification(4, 3, 1, ball(64)) == 1


def test_bad_input():
    with pytest.raises(ValueError, match="distinct"):
        worst_line_amplification([0, 1, 0], 1)
    with pytest.raises(ValueError, match="coprime to n = 6"):
        worst_circle_amplification(6, 1, 2, ball(64))
    with pytest.raises(ValueError, match="below the number of workers"):
        worst_circle_amplification(3, 3, 1, ball(64))
