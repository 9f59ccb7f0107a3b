from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, Rational, ball, cyclotomic
from codedtheory.interpolation.node_families import chebyshev_second, equispaced
from codedtheory.interpolation.peano import error_constants_at, peano_kernel, reproduces_linear
from codedtheory.interpolation.weights import weights_for

from .brute_force import interpolant, kernel_integral, reciprocal

node_lists = st.lists(st.integers(-20, 20), min_size=1, max_size=7, unique=True).map(sorted)
points = st.fractions(-25, 25, max_denominator=30)


@given(node_lists, points)
def test_constants_by_the_definition(nodes, x):
    first, second = error_constants_at(x, nodes, arithmetic=EXACT)
    assert second == kernel_integral(x, nodes)
    assert first == (reciprocal(x, nodes) if len(nodes) % 2 else 0)
    assert error_constants_at(x, nodes[::-1], arithmetic=EXACT) == (first, second)


@given(node_lists, points)
def test_floats_and_balls(nodes, x):
    exact = error_constants_at(x, nodes, arithmetic=EXACT)
    close = error_constants_at(float(x), nodes)
    assert close == pytest.approx([float(v.fraction) for v in exact], rel=1e-9, abs=1e-9)
    if x not in nodes:
        enclosed = error_constants_at(x, nodes, arithmetic=ball(100))
        for ball_value, value in zip(enclosed, exact, strict=True):
            assert ball_value.contains(value)
            assert ball_value.rad <= Rational("1e-20") * (1 + value)


@given(node_lists, points, points)
def test_kernel_represents_the_error_of_hinges(nodes, x, t):
    """f = (. - t)_+ has f'' = delta_t, so the error of f at x is K(x, t), if linear functions are reproduced."""
    if len(nodes) % 2:
        return
    hinge = [max(Fraction(z) - t, Fraction(0)) for z in nodes]
    error = max(x - t, Fraction(0)) - interpolant(x, nodes, hinge)
    assert peano_kernel(x, t, nodes, arithmetic=EXACT) == error


@given(node_lists, points, st.integers(-5, 5), st.integers(-5, 5))
def test_errors_of_quadratics_stay_below_the_constants(nodes, x, a, b):
    values = [a * z * z + b * z for z in nodes]
    error = abs(a * x * x + b * x - interpolant(x, nodes, values))
    first, second = error_constants_at(x, nodes, arithmetic=EXACT)
    far = max(abs(v) for v in (*nodes, x))
    assert error <= first * (2 * abs(a) * far + abs(b)) + second * 2 * abs(a)
    # the first-derivative term is the exact error at x of a linear function
    if a == 0:
        assert error == first * abs(b)


def test_two_nodes_have_the_constant_of_linear_interpolation():
    for x in (Fraction(1, 3), Fraction(5), Fraction(-7, 2)):
        assert error_constants_at(x, [-1, 1], arithmetic=EXACT).second == abs(x * x - 1) / 2


def test_irrational_nodes():
    nodes = chebyshev_second(6)
    enclosed = error_constants_at("1/10", nodes, arithmetic=ball(128))
    exact = error_constants_at("1/10", nodes, arithmetic=cyclotomic(10))
    assert isinstance(enclosed.second, Ball)
    assert enclosed.second.contains(exact.second)
    assert enclosed.first.contains(0)
    assert enclosed.second.rad < Rational("1e-30")


@pytest.mark.parametrize(
    ("weights", "count", "answer"),
    [
        ("berrut", 4, True),
        ("berrut", 5, False),
        ("berrut-half", 5, True),
        ("berrut-half", 1, False),
        ("lagrange", 3, True),
        (0, 5, False),
        (2, 5, True),
        ([1, -2, 1], 3, True),
        ([1, -2, 2], 3, False),
    ],
)
def test_which_interpolants_reproduce_linear_functions(weights, count, answer):
    nodes = equispaced(count, 0, count - 1)
    assert reproduces_linear(nodes, weights_for(nodes, weights)) is answer
    first = error_constants_at("3/7", nodes, weights, EXACT).first
    assert (first == 0) is answer


@given(st.lists(st.integers(-20, 20), min_size=3, max_size=7, unique=True).map(sorted), points, st.integers(1, 2))
def test_floater_hormann_constants(nodes, x, d):
    values = weights_for_fractions(nodes, d)
    assert error_constants_at(x, nodes, d, EXACT) == (0, kernel_integral(x, nodes, values))


def weights_for_fractions(nodes, d):
    """Return Floater and Hormann's weights by their formula."""
    n = len(nodes) - 1
    weights = []
    for k in range(n + 1):
        total = Fraction(0)
        for i in range(max(0, k - d), min(k, n - d) + 1):
            term = Fraction(1)
            for j in range(i, i + d + 1):
                if j != k:
                    term /= abs(nodes[k] - nodes[j])
            total += term
        weights.append((-1) ** (k + d) * total)
    return weights


def test_bad_input():
    with pytest.raises(ValueError, match="weights must be as many"):
        peano_kernel(0, 0, [0, 1], [1, -1, 1])
    with pytest.raises(ValueError, match="nodes must be distinct"):
        error_constants_at(0, [1, 1])
