from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, PrecisionError, Rational, approximate, ball
from codedtheory.interpolation.node_families import chebyshev_second, equispaced
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.worst_error import (
    worst_error_constants,
    worst_error_over_stragglers,
    worst_linear_error_over_stragglers,
)

BITS = ball(64)


@pytest.mark.parametrize(
    ("N", "s", "hull", "interval", "lost_hull", "lost_interval"),
    [
        (5, 0, "0.107848", "0.107848", (), ()),
        (5, 2, "0.404508", "0.549553", (2, 3), (0, 1)),
        (6, 1, "0.213838", "0.213838", (2,), (2,)),
        (6, 3, "0.433013", "0.858505", (2, 3, 4), (0, 1, 2)),
        (7, 0, "0.083333", "0.083333", (), ()),
        (7, 2, "0.298347", "0.298347", (2, 3), (2, 3)),
    ],
)
def test_table_of_constants(N, s, hull, interval, lost_hull, lost_interval):
    for domain, printed, lost in (("hull", hull, lost_hull), ("interval", interval, lost_interval)):
        worst = worst_error_over_stragglers(N + 1, s, domain, BITS)
        assert abs(worst.value - Rational(printed)) < Rational("0.00000051")
        assert worst.stragglers == lost
        assert worst.value.rad <= worst.value.mid * Rational("1e-9")
        assert worst_error_over_stragglers(N + 1, s, domain).value == pytest.approx(approximate(worst.value), rel=2e-9)


@pytest.mark.parametrize("N", range(2, 9))
def test_two_survivors(N):
    hull = worst_error_over_stragglers(N + 1, N - 1, "hull", BITS)
    assert hull.value.contains(Rational(1, 2))
    assert hull.survivors == (0, N)
    interval = worst_error_over_stragglers(N + 1, N - 1, "interval", BITS)
    assert interval.value.overlaps(1 + BITS.cos_pi(Fraction(1, N)))
    assert interval.survivors in ((0, 1), (N - 1, N))


@pytest.mark.parametrize(
    ("N", "s", "domain", "printed"),
    [
        (4, 0, "interval", ".2577"),
        (6, 0, "interval", ".1545"),
        (8, 0, "interval", ".1257"),
        (6, 2, "interval", ".6696"),
        (8, 2, "interval", ".5114"),
        (4, 2, "interval", "1.0938"),
        (4, 2, "hull", ".7071"),
        (12, 10, "interval", "1.8967"),
    ],
)
def test_worst_linear_errors(N, s, domain, printed):
    worst = worst_linear_error_over_stragglers(N + 1, s, domain, BITS)
    assert abs(worst.value - Rational(printed)) < Rational("0.00005")


def test_parity_is_that_of_the_survivors():
    """Eight workers and one straggler leave an odd number: the error for x is .331 although 8 - 1 is odd."""
    # printed for a fixed straggler; the worst set is at least as bad
    assert worst_linear_error_over_stragglers(8, 1).value >= 0.331
    lost_three = worst_error_constants(chebyshev_second(8).without([3]), arithmetic=BITS)
    assert lost_three.first > 0
    assert worst_error_constants(chebyshev_second(8).without([2, 3]), arithmetic=BITS).first == 0


@pytest.mark.parametrize(("N", "s"), [(4, 1), (5, 1), (5, 2)])
def test_enumeration_of_all_sets_one_by_one(N, s):
    nodes = chebyshev_second(N + 1)
    for domain, interval in (("hull", None), ("interval", (-1, 1))):
        single = [worst_error_constants(nodes.without(lost), interval).second for lost in combinations(range(N + 1), s)]
        assert worst_error_over_stragglers(N + 1, s, domain).value == pytest.approx(max(single), rel=1e-12)


@settings(max_examples=12)
@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(sorted),
    st.sampled_from([None, "wide", "cut"]),
    st.sampled_from(["berrut", 1, "lagrange"]),
    st.fractions(0, 1, max_denominator=40),
)
def test_enclosures_hold_everywhere(nodes, interval, weights, t):
    reach = {None: (nodes[0], nodes[-1]), "wide": (nodes[0] - 3, nodes[-1] + 2), "cut": (nodes[0], nodes[0] + 1)}
    ends = reach[interval]
    enclosed = worst_error_constants(nodes, None if interval is None else ends, weights, BITS)
    floats = worst_error_constants(nodes, None if interval is None else ends, weights)
    x = ends[0] + t * (ends[1] - ends[0])
    at_x = error_constants_at(x, nodes, weights, EXACT)
    for bound, value, estimate in zip(enclosed, at_x, floats, strict=True):
        assert isinstance(bound, Ball)
        assert value <= bound.upper
        assert estimate == pytest.approx(approximate(bound), rel=2e-9, abs=1e-15)


@pytest.mark.parametrize("d", [0, 1, 2])
def test_floater_hormann_at_float_nodes(d):
    nodes = [0.0, 0.1, 0.25, 0.7, 1.0]
    enclosed = worst_error_constants(nodes, weights=d, arithmetic=BITS, tolerance="1e-11")
    assert worst_error_constants(nodes, weights=d) == pytest.approx([approximate(v) for v in enclosed], rel=1e-10)
    scaled = worst_error_constants([8 * v for v in nodes], weights=d, arithmetic=BITS)
    assert scaled.second.overlaps(64 * enclosed.second)
    assert scaled.first.overlaps(8 * enclosed.first)


def test_given_weights():
    nodes = equispaced(3, 0, 2)
    polynomial = worst_error_constants(nodes, weights="lagrange", arithmetic=BITS)
    assert worst_error_constants(nodes, weights=[3, -6, 3], arithmetic=BITS).second.overlaps(polynomial.second)
    skew = worst_error_constants(nodes, weights=[1, -2, 2], arithmetic=BITS)
    assert skew.first > 0
    at_half = error_constants_at("1/2", nodes, [1, -2, 2], EXACT)
    assert at_half.first <= skew.first.upper
    assert worst_error_constants(nodes, weights=[1, -2, 2]) == pytest.approx([approximate(v) for v in skew], rel=1e-8)
    with pytest.raises(ValueError, match="weights must alternate in sign"):
        worst_error_constants(nodes, weights=[1, 1, -1])


def test_single_node():
    assert worst_error_constants([3]) == (0, 0)
    first, second = worst_error_constants([3], (0, 5), arithmetic=BITS)
    assert first.contains(3)
    assert second.contains(Rational(9, 2))
    assert worst_error_over_stragglers(3, 2, "interval").value == pytest.approx(2, rel=1e-14)


def test_bad_input():
    with pytest.raises(ValueError, match="domain must be 'hull' or 'interval', got 'all'"):
        worst_error_over_stragglers(5, 1, "all")
    with pytest.raises(ValueError, match="at least 2 must survive"):
        worst_error_over_stragglers(5, 4)
    with pytest.raises(ValueError, match="FLOAT or ball"):
        worst_error_constants([0, 1], arithmetic=EXACT)
    with pytest.raises(ValueError, match="strictly monotone"):
        worst_error_constants([0, 1, 0.5])
    with pytest.raises(PrecisionError, match="pole"):
        worst_error_constants([-1, "9/10", 1], (-1, 2), "berrut-half", BITS)
