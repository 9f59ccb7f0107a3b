import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import Ball, Rational, ball
from codedtheory.interpolation.applicable_bounds import applicable_bounds, is_equispaced
from codedtheory.interpolation.lebesgue import lebesgue_constant
from codedtheory.interpolation.node_families import chebyshev_first, chebyshev_second, equispaced
from codedtheory.interpolation.nodes import nodes_from

BITS = ball(80)


def names(bounds):
    return [(bound.kind, bound.name) for bound in bounds]


@settings(max_examples=25)
@given(
    st.lists(st.integers(-30, 30), min_size=2, max_size=8, unique=True).map(sorted),
    st.sampled_from(["berrut", "lagrange", 0, 1, 2]),
)
def test_bounds_are_on_their_side(nodes, weights):
    if isinstance(weights, int) and weights >= len(nodes):
        return
    for bound in applicable_bounds(nodes, weights):
        if bound.kind == "upper":
            assert bound.slack >= 1 - 1e-12
        if bound.kind == "lower":
            assert bound.slack <= 1 + 1e-12


@pytest.mark.parametrize(
    ("nodes", "weights"),
    [
        (equispaced(9), "berrut"),
        (equispaced(9), "berrut-half"),
        (equispaced(9), 3),
        (equispaced(9), "lagrange"),
        (equispaced(9), 8),
        (chebyshev_first(9), "lagrange"),
        (chebyshev_second(9), "berrut"),
        (chebyshev_second(9), 2),
    ],
)
def test_proved_with_balls(nodes, weights):
    constant = lebesgue_constant(nodes, weights, arithmetic=BITS)
    bounds = applicable_bounds(nodes, weights, arithmetic=BITS)
    assert bounds
    for bound in bounds:
        assert isinstance(bound.value, Ball)
        assert bound.slack.overlaps(bound.value / constant)
        if bound.kind == "upper":
            assert constant <= bound.value
        if bound.kind == "lower":
            assert bound.value <= constant
        assert bound.source


def test_hypotheses_select_the_bounds():
    berrut = names(applicable_bounds(equispaced(6)))
    assert ("lower", "Berrut at equispaced nodes") in berrut
    assert names(applicable_bounds(equispaced(6), 0)) == berrut
    # the doubles of linspace are not equispaced, and only bounds for unequal gaps apply
    rounded = names(applicable_bounds(np.linspace(-1, 1, 6)))
    assert rounded == [
        ("upper", "quasi-equidistant nodes, d = 0"),
        ("upper", "well spaced nodes"),
        ("upper", "well spaced nodes, sharp"),
    ]
    assert names(applicable_bounds([0, 1])) == [
        ("lower", "Berrut at equispaced nodes"),
        ("upper", "Berrut at equispaced nodes"),
        ("upper", "Berrut at equispaced nodes, improved"),
        ("asymptotic", "Berrut at equispaced nodes"),
        ("upper", "quasi-equidistant nodes, d = 0"),
    ]
    assert ("upper", "polynomials at Chebyshev points of the first kind") in names(
        applicable_bounds(chebyshev_first(5), "lagrange")
    )
    assert names(applicable_bounds(chebyshev_first(6).without([0]), "lagrange")) == [
        ("lower", "polynomials at any nodes")
    ]
    assert applicable_bounds(equispaced(4), [1, -1, 1, -1]) == ()
    assert applicable_bounds(chebyshev_second(5), "berrut-half") == ()
    # degree 3 needs six gaps for the equispaced bounds
    assert names(applicable_bounds(equispaced(6), 3)) == [("upper", "quasi-equidistant nodes, d = 3")]


def test_survivors():
    survivors = chebyshev_second(8).without([2, 3])
    bounds = applicable_bounds(survivors, stragglers=2, arithmetic=BITS)
    assert [bound.name for bound in bounds][-2:] == [
        "Berrut after any 2 stragglers of 8",
        "Berrut after any 2 stragglers of 8, sharp",
    ]
    assert all(bound.slack > 1 for bound in bounds)
    assert len(applicable_bounds(survivors, 1, stragglers=2)) == 1
    two = applicable_bounds(chebyshev_second(5).take([0, 4]), stragglers=3)
    assert two[-1].name == "Berrut after any 3 stragglers of 5"
    with pytest.raises(ValueError, match="nodes must be survivors of 9 Chebyshev points"):
        applicable_bounds(survivors, stragglers=3)
    with pytest.raises(ValueError, match="nodes must be survivors"):
        applicable_bounds(equispaced(4), stragglers=1)


def test_known_constant_is_used():
    bounds = applicable_bounds(equispaced(5), constant=2)
    assert all(bound.slack == bound.value / 2 for bound in bounds)


def test_equispaced_is_decided_exactly():
    assert is_equispaced(equispaced(7, 0, "1/3"))
    assert is_equispaced(nodes_from(["0", "0.1", "0.2"]))
    assert not is_equispaced(nodes_from([0.0, 0.1, 0.2, 0.30000000000000004]))
    assert is_equispaced(nodes_from([0.0, 0.5, 1.0]))
    assert not is_equispaced(chebyshev_second(5))
    assert not is_equispaced(nodes_from([Rational(0), Rational(1), Rational(3)]))


def test_bad_input():
    with pytest.raises(ValueError, match="nodes must be at least 2"):
        applicable_bounds([1])
    with pytest.raises(TypeError, match="stragglers must be an integer"):
        applicable_bounds(chebyshev_second(5), stragglers=0.5)
