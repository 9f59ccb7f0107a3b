import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Rational, ball, exactly
from codedtheory.interpolation.node_families import chebyshev_second, equispaced
from codedtheory.interpolation.nodes import nodes_from
from codedtheory.interpolation.stability import (
    barycentric_rounding_bound,
    berrut_rounding_bound,
    higham_condition,
    modified_lagrange_rounding_bound,
)
from codedtheory.interpolation.weights import weights_for

from .brute_force import cardinal_functions, interpolant

node_lists = st.lists(st.integers(-12, 12), min_size=2, max_size=7, unique=True).map(sorted)
U = Rational(1, 2**24)


@given(node_lists, st.fractions(-15, 15, max_denominator=30), st.sampled_from(["berrut", "lagrange", 1]), st.data())
def test_conditions_by_the_definition(nodes, x, weights, data):
    values = data.draw(st.lists(st.integers(-9, 9), min_size=len(nodes), max_size=len(nodes)))
    w = [v.fraction for v in weights_for(nodes_from(nodes), weights).over(EXACT)]
    if x in nodes or interpolant(x, nodes, values, w) == 0:
        return
    cardinal = cardinal_functions(x, nodes, w)
    of_data, of_one = higham_condition(x, nodes, values, weights, EXACT)
    expected = sum(abs(c * v) for c, v in zip(cardinal, values, strict=True)) / abs(interpolant(x, nodes, values, w))
    assert (of_data, of_one) == (expected, sum(map(abs, cardinal)))
    assert of_data >= 1
    assert of_one >= 1
    close = higham_condition(float(x), nodes, values, weights)
    assert close.of_one == pytest.approx(float(of_one.fraction), rel=1e-9)
    enclosed = higham_condition(x, nodes, values, weights, ball(128))
    assert enclosed.of_data.contains(of_data)
    assert enclosed.of_one.contains(of_one)


def test_at_a_node_and_for_constants():
    assert higham_condition(0, [-1, 0, 1], [3, 2, 1], arithmetic=EXACT) == (1, 1)
    of_data, of_one = higham_condition("1/3", [-1, 0, 1], [7, 7, 7], "berrut", EXACT)
    assert of_data == of_one


def test_vanishing_interpolant():
    assert higham_condition(0.5, [0, 1], [1, -1]).of_data == math.inf
    assert higham_condition(0.5, [0, 1], [0, 0]).of_data == 1
    with pytest.raises(ZeroDivisionError):
        higham_condition("1/2", [0, 1], [1, -1], arithmetic=EXACT)


def single(x):
    return exactly(float(np.float32(x))).fraction


def berrut_in_single(x, nodes, values):
    """Evaluate Berrut's formula term by term in binary32."""
    numerator = denominator = np.float32(0)
    for i, (node, value) in enumerate(zip(nodes, values, strict=True)):
        term = np.float32((-1) ** i) / np.float32(np.float32(x) - node)
        numerator = np.float32(numerator + np.float32(term * value))
        denominator = np.float32(denominator + term)
    return np.float32(numerator / denominator)


@pytest.mark.parametrize("count", [2, 5, 12, 29])
def test_rounding_of_berrut_in_single_precision(count):
    rng = np.random.default_rng(count)
    worst = 0.0
    for _ in range(60):
        nodes = np.unique(rng.uniform(-1, 1, count).astype(np.float32))
        values = rng.normal(size=len(nodes)).astype(np.float32)
        x = np.float32(rng.uniform(-1, 1))
        if x in nodes:
            continue
        z, f, at = [single(v) for v in nodes], [single(v) for v in values], single(x)
        exact = interpolant(at, z, f)
        of_data, of_one = higham_condition(at, z, f, "berrut", EXACT)
        error = abs(single(berrut_in_single(x, nodes, values)) - exact) / abs(exact)
        try:
            bound = berrut_rounding_bound(len(z), of_data, of_one, U)
        except ValueError:
            continue
        assert error <= bound
        worst = max(worst, float((error / bound).fraction if isinstance(error / bound, Rational) else error / bound))
    # the bound is no empty one: some error comes within two orders of magnitude
    assert worst > 0.01


def test_first_order_forms():
    u = Fraction(1, 2**53)
    assert modified_lagrange_rounding_bound(11, 3, u) == 55 * u * 3
    assert barycentric_rounding_bound(11, 3, 2, u) == (34 * 3 + 32 * 2) * u
    assert berrut_rounding_bound(11, 3, 2, u, first_order=True) == (14 * 3 + 12 * 2) * u


@given(st.integers(1, 60), st.integers(1, 1000), st.integers(1, 1000))
def test_full_bound_exceeds_the_first_order_by_second_order_terms(count, of_data, of_one):
    u = Rational(1, 2**53)
    first = berrut_rounding_bound(count, of_data, of_one, u, first_order=True)
    # of_data >= 1 absorbs the last division into the first-order form
    difference = berrut_rounding_bound(count, of_data, of_one, u) - first + (of_data - 1) * u
    assert 0 <= difference <= (4 * (count + 3) * (of_data + of_one) * u) ** 2


def test_barycentric_bounds_hold_for_doubles():
    rng = np.random.default_rng(5)
    nodes = chebyshev_second(20)
    z = np.asarray(nodes)
    weights = np.asarray(weights_for(nodes_from(z), "lagrange"))
    values = rng.normal(size=20)
    exact_nodes = [exactly(float(v)) for v in z]
    exact_weights = [w.fraction for w in weights_for(nodes_from(z), "lagrange").over(EXACT)]
    u = 2.0**-53
    for x in rng.uniform(-1, 1, 20):
        terms = weights / (x - z)
        second = (terms * values).sum() / terms.sum()
        exact = interpolant(
            exactly(float(x)).fraction,
            [v.fraction for v in exact_nodes],
            [exactly(float(v)).fraction for v in values],
            exact_weights,
        )
        of_data, of_one = higham_condition(float(x), z, values)
        error = float(abs(exactly(float(second)).fraction - exact) / abs(exact))
        assert error <= barycentric_rounding_bound(20, of_data, of_one, u)


def test_bad_input():
    with pytest.raises(ValueError, match="values must be one for each of the 3 nodes"):
        higham_condition(0, [0, 1, 2], [1, 2])
    with pytest.raises(ValueError, match="count must be at least 1"):
        berrut_rounding_bound(0, 1, 1, 2.0**-53)
    with pytest.raises(TypeError, match="count must be an integer"):
        barycentric_rounding_bound(2.5, 1, 1, 2.0**-53)
    with pytest.raises(ValueError, match=r"u must be below 1/13"):
        berrut_rounding_bound(11, 1, 1, 0.1)
    with pytest.raises(ValueError, match="denominator may vanish"):
        berrut_rounding_bound(11, 1, 1e20, 2.0**-53)
    with pytest.raises(ValueError, match="weights must be 'berrut'"):
        higham_condition(0.5, equispaced(3), [1, 2, 3], "unknown")
