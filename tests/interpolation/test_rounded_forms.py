from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT
from codedtheory.interpolation import BarycentricInterpolant, lagrange_weights
from codedtheory.interpolation.rounded_forms import (
    barycentric_sums,
    first_form,
    plain_lagrange_weights,
    second_form,
)

NODES = [Fraction(k) for k in (0, 1, 3, 4)]
VALUES = [Fraction(k) for k in (2, -1, 5, 0)]
POINTS = [Fraction(1, 3), Fraction(5, 2), Fraction(9)]


def test_weights_are_those_of_lagrange():
    assert plain_lagrange_weights(NODES) == [w.fraction for w in lagrange_weights(NODES).over(EXACT)]


@pytest.mark.parametrize("x", POINTS)
def test_both_forms_are_the_polynomial_in_exact_arithmetic(x):
    weights = plain_lagrange_weights(NODES)
    expected = BarycentricInterpolant(NODES, "lagrange")(x, VALUES).fraction
    assert first_form(x, NODES, VALUES, weights) == expected
    assert second_form(x, NODES, VALUES, weights) == expected


@pytest.mark.parametrize("x", POINTS)
def test_the_second_form_is_berruts_interpolant_for_his_weights(x):
    expected = BarycentricInterpolant(NODES, "berrut")(x, VALUES).fraction
    assert second_form(x, NODES, VALUES, [1, -1, 1, -1]) == expected


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_operation_is_of_the_precision_that_comes_in(dtype):
    nodes, values = ([dtype(float(v)) for v in numbers] for numbers in (NODES, VALUES))
    weights = plain_lagrange_weights(nodes)
    x = dtype(0.3)
    assert all(isinstance(w, dtype) for w in weights)
    assert isinstance(first_form(x, nodes, values, weights), dtype)
    assert isinstance(second_form(x, nodes, values, weights), dtype)
    assert all(isinstance(part, dtype) for part in barycentric_sums(x, nodes, values, [1, -1, 1, -1]))


def test_sums_go_from_the_first_node_to_the_last():
    big, small = np.float32(2**24), np.float32(1)
    x, nodes = np.float32(0), [np.float32(-1)] * 3
    assert barycentric_sums(x, nodes, [big, small, small], [1, 1, 1]).above == big
    assert barycentric_sums(x, nodes, [small, small, big], [1, 1, 1]).above == big + np.float32(2)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="values and weights must be as many as the 4 nodes, got 3 and 4"):
        barycentric_sums(Fraction(1, 3), NODES, VALUES[1:], [1, -1, 1, -1])
    with pytest.raises(ValueError, match="nodes must be at least 2"):
        plain_lagrange_weights(NODES[:1])
