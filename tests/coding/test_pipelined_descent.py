"""The pipelined protocol, slot by slot, against the ages that it implies."""

from fractions import Fraction

import numpy as np
import pytest

from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.pipelined_ages import message_ages
from codedtheory.coding.pipelined_descent import pipelined_iterates
from codedtheory.coding.residue_class import ResidueClassDecoder


def gradients(n):
    return [lambda x, j=j: x * x + j * x - j for j in range(n)]


def from_ages(n, s, lost, start, step, weights, placement):
    """Return the iterates by the ages of what the messages contain."""
    functions, x = gradients(n), [start]
    for t, missing in enumerate(lost):
        decoded = 0
        for worker, weight in weights(missing).items():
            for j, age in message_ages(worker, t, n, s, placement).items():
                decoded += weight * functions[j](x[max(t - age, 0)])
        x.append(x[t] - step * decoded / n)
    return x


@pytest.mark.parametrize(("n", "s"), [(1, 0), (3, 0), (3, 1), (3, 2), (4, 1), (5, 2)])
def test_relaxed_runs_follow_the_ages(n, s):
    lost = [[(t * 2 + i) % n for i in range(s)] for t in range(5)]
    weight = Fraction(n, (n - s) * (s + 1))
    expected = from_ages(
        n, s, lost, Fraction(1, 3), Fraction(1, 5), lambda m: {w: weight for w in range(n) if w not in m}, "cyclic"
    )
    assert pipelined_iterates(gradients(n), s, lost, Fraction(1, 3), Fraction(1, 5)) == expected


@pytest.mark.parametrize(("n", "s"), [(2, 1), (4, 1), (6, 2)])
def test_fractional_runs_take_one_message_per_group(n, s):
    lost = [[(t + i) % n for i in range(s)] for t in range(5)]

    def first_of_groups(missing):
        return {min(w for w in range(g, g + s + 1) if w not in missing): 1 for g in range(0, n, s + 1)}

    expected = from_ages(n, s, lost, Fraction(1, 3), Fraction(1, 5), first_of_groups, "fractional")
    found = pipelined_iterates(gradients(n), s, lost, Fraction(1, 3), Fraction(1, 5), placement="fractional")
    assert found == expected


def test_without_stragglers_and_redundancy_it_is_gradient_descent():
    x = pipelined_iterates(gradients(3), 0, [[]] * 3, Fraction(1, 2), Fraction(1, 4))
    for t in range(3):
        assert x[t + 1] == x[t] - Fraction(1, 4) * sum(g(x[t]) for g in gradients(3)) / 3


def test_exact_decoders_agree_where_both_decode():
    lost = [[0], [1], [3], [2]]
    runs = [
        pipelined_iterates(
            [lambda x, j=j: x - j for j in range(4)], 1, lost, Fraction(0), Fraction(1, 4), ResidueClassDecoder()
        ),
        pipelined_iterates(
            [lambda x, j=j: x - j for j in range(4)], 1, [[2], [3], [1], [0]], Fraction(0), Fraction(1, 4)
        ),
    ]
    assert len(runs[0]) == 5
    assert runs[0] != runs[1]
    least = pipelined_iterates([lambda x: x] * 4, 1, lost, Fraction(1), Fraction(1, 4), LeastSquaresDecoder())
    residue = pipelined_iterates([lambda x: x] * 4, 1, lost, Fraction(1), Fraction(1, 4), ResidueClassDecoder())
    assert least == residue


def test_iterates_can_be_arrays_and_symbols():
    import sympy

    start = np.array([Fraction(1), Fraction(2)], dtype=object)
    x = pipelined_iterates([lambda x: x] * 3, 1, [[0]], start, Fraction(1, 2))
    assert list(x[1]) == [Fraction(1, 2), Fraction(1)]
    symbol = sympy.Symbol("x")
    (_, after) = pipelined_iterates([lambda x: x] * 3, 1, [[0]], symbol, sympy.Rational(1, 2))
    assert sympy.expand(after - symbol / 2) == 0


def test_bad_input():
    with pytest.raises(ValueError, match="divide n"):
        pipelined_iterates(gradients(3), 1, [[0]], Fraction(0), Fraction(1), placement="fractional")
    with pytest.raises(ValueError, match="placement"):
        pipelined_iterates(gradients(3), 1, [[0]], Fraction(0), Fraction(1), placement="random")
    with pytest.raises(ValueError, match="residue classes"):
        pipelined_iterates(gradients(3), 1, [[0]], Fraction(0), Fraction(1), ResidueClassDecoder())
    with pytest.raises(ValueError, match="stragglers"):
        pipelined_iterates(gradients(3), 1, [[0, 1, 2]], Fraction(0), Fraction(1))
