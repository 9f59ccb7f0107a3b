from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, Rational, approximate, ball
from codedtheory.interpolation.error_bounds import berrut_pointwise_error_bound, error_bound
from codedtheory.interpolation.geometry import max_gap, mesh_ratio
from codedtheory.interpolation.node_families import chebyshev_second, equispaced
from codedtheory.interpolation.nodes import nodes_from
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.weights import weights_for
from codedtheory.interpolation.worst_error import worst_error_constants

from .brute_force import interpolant

node_lists = st.lists(st.integers(-12, 12), min_size=2, max_size=7, unique=True).map(sorted)
coefficients = st.lists(st.integers(-5, 5), min_size=1, max_size=6)
positions = st.fractions(0, 1, max_denominator=40)


def polynomial(c, x):
    return sum(a * Fraction(x) ** k for k, a in enumerate(c))


def derivative_norm(c, order, far):
    """Return an upper bound of the order-th derivative of the polynomial on [-far, far]."""
    for _ in range(order):
        c = [k * a for k, a in enumerate(c)][1:]
    return sum(abs(a) * far**k for k, a in enumerate(c))


@given(node_lists, coefficients, positions, st.data())
def test_error_of_polynomials(nodes, c, t, data):
    d = data.draw(st.integers(0, len(nodes) - 1))
    far = max(abs(z) for z in nodes)
    norms = {order: derivative_norm(c, order, far) for order in (d + 1, d + 2)}
    bound = error_bound(nodes, d, norms, arithmetic=EXACT)
    x = nodes[0] + t * (nodes[-1] - nodes[0])
    weights = [w.fraction for w in weights_for(nodes_from(nodes), d).over(EXACT)]
    error = abs(polynomial(c, x) - interpolant(x, nodes, [polynomial(c, z) for z in nodes], weights))
    assert error <= bound


@given(node_lists, coefficients, st.fractions(-30, 30, max_denominator=40))
def test_pointwise_error_of_polynomials_in_and_off_the_hull(nodes, c, x):
    far = max(abs(v) for v in (*nodes, x))
    norms = {order: derivative_norm(c, order, far) for order in (1, 2)}
    bound = berrut_pointwise_error_bound(x, nodes, norms, EXACT)
    assert abs(polynomial(c, x) - interpolant(x, nodes, [polynomial(c, z) for z in nodes])) <= bound
    # for an even number of nodes the best constant lies below, for every function at once; for an odd
    # number it stands beside f'(x) alone, not beside the norm of f', and may be larger
    first, second = error_constants_at(x, nodes, arithmetic=EXACT)
    assert first <= berrut_pointwise_error_bound(x, nodes, {1: 1, 2: 0}, EXACT)
    if len(nodes) % 2 == 0:
        assert second <= berrut_pointwise_error_bound(x, nodes, {2: 1}, EXACT)


@given(node_lists, st.fractions(-30, 30, max_denominator=40))
def test_pointwise_bound_is_sharp_for_two_nodes(nodes, x):
    pair = [nodes[0], nodes[-1]]
    assert berrut_pointwise_error_bound(x, pair, {2: 2}, EXACT) == abs((x - pair[0]) * (x - pair[1]))


@given(node_lists)
def test_formulas(nodes):
    n, h = len(nodes) - 1, max_gap(nodes, EXACT)
    length, beta = nodes[-1] - nodes[0], mesh_ratio(nodes, EXACT)
    expected = h * (1 + beta) * (Rational(length * 6, 2) + (0 if n % 2 else 5))
    assert error_bound(nodes, 0, {1: 5, 2: 6}, arithmetic=EXACT) == expected
    for d in range(1, n + 1):
        extra = Rational(5, d + 1) if (n - d) % 2 == 0 else 0
        expected = h ** (d + 1) * (Rational(length * 6, d + 2) + extra)
        assert error_bound(nodes, d, {d + 1: 5, d + 2: 6}, arithmetic=EXACT) == expected
        assert error_bound(nodes[::-1], d, {d + 1: 5, d + 2: 6}, arithmetic=EXACT) == expected
        assert error_bound(nodes, d, {d + 1: 5, d + 2: 6}) == pytest.approx(float(expected.fraction), rel=1e-13)
        assert error_bound(nodes, d, {d + 1: 5, d + 2: 6}, arithmetic=ball(64)).contains(expected)


@pytest.mark.parametrize(("epsilon", "share"), [("1/10", ".234"), ("1/100", ".405"), ("1/1000", ".469")])
def test_no_uniform_factor_below_one_half(epsilon, share):
    e = Fraction(epsilon)
    nodes = [-1, -e, e, 1]
    exact = worst_error_constants(nodes, arithmetic=ball(64)).second
    assert abs(exact / error_bound(nodes, 0, {2: 1}, arithmetic=EXACT) - Rational(share)) < Rational("0.0005")


def test_true_constants_of_the_survivors_do_not_bound_the_error_off_the_hull():
    """N = 6, survivors 0-3: the hull's bound is exceeded on [-1, 1] by the factor 1.98."""
    survivors = chebyshev_second(7).take([0, 1, 2, 3])
    exact = worst_error_constants(survivors, (-1, 1), arithmetic=ball(64)).second
    ratio = exact / error_bound(survivors, 0, {2: 1}, arithmetic=ball(64))
    assert abs(ratio - Rational("1.98")) < Rational("0.005")
    longer = chebyshev_second(8).take([0, 1, 2, 3])
    bound = max_gap(longer, ball(64)) * (1 + mesh_ratio(longer, ball(64)))  # with b - a = 2
    exact = worst_error_constants(longer, (-1, 1), arithmetic=ball(64)).second
    assert abs(exact / bound - Rational("1.62")) < Rational("0.005")


def test_interval_must_lie_in_the_hull():
    nodes = equispaced(4)
    assert error_bound(nodes, 0, {2: 1}, interval=("-1", "1/2")) == error_bound(nodes, 0, {2: 1})
    for outside in ((-2, 1), (0, "1000001/1000000")):
        with pytest.raises(ValueError, match="interval must lie in the hull"):
            error_bound(nodes, 0, {2: 1}, interval=outside)
    survivors = chebyshev_second(6).without([0])
    with pytest.raises(ValueError, match="berrut_pointwise_error_bound"):
        error_bound(survivors, 1, {2: 1, 3: 1}, interval=(-1, 1))


def test_bad_input():
    with pytest.raises(ValueError, match=r"derivatives must hold a bound for order 2, got orders \[3\]"):
        error_bound([0, 1, 2, 3], 1, {3: 1})
    with pytest.raises(ValueError, match=r"derivatives\[2\] must be a norm, not negative, got -1"):
        error_bound([0, 1], 0, {2: -1})
    with pytest.raises(ValueError, match="d must be from 0 to n = 2"):
        error_bound([0, 1, 2], 3, {4: 1, 5: 1})
    with pytest.raises(TypeError, match="d must be an integer"):
        error_bound([0, 1, 2], 1.0, {3: 1})
    with pytest.raises(ValueError, match="nodes at least 2"):
        error_bound([0], 0, {1: 1, 2: 1})
    with pytest.raises(ValueError, match="order 1"):
        berrut_pointwise_error_bound(0, [0, 1, 2], {2: 1})


def test_balls_for_norms():
    norm = ball(64).pi
    bound = error_bound([0, 1], 0, {2: norm}, arithmetic=ball(64))
    assert isinstance(bound, Ball)
    assert bound.overlaps(norm / 2)
    assert approximate(bound) == pytest.approx(1.5707963267948966, rel=1e-15)
