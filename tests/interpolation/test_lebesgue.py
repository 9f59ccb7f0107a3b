"""Lebesgue constants: closed forms, tables, high-precision references, and ball enclosures around them."""

from fractions import Fraction
from itertools import pairwise
from math import log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, PrecisionError, Rational, ball, complex_ball, decimal, exactly
from codedtheory.interpolation import (
    chebyshev_first,
    chebyshev_second,
    equispaced,
    lagrange_weights,
    lebesgue_constant,
    lebesgue_function,
    nodes_from,
    roots_of_unity,
    weights_for,
)
from codedtheory.interpolation.certified_lebesgue import enclosed_lebesgue_constant
from tests.interpolation.lebesgue_reference import reference_constant

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=40)
sorted_nodes = st.sets(fractions, min_size=3, max_size=7).map(sorted)
RULES = ["berrut", "berrut-half", "lagrange", 1, 2]


def test_closed_forms():
    assert lebesgue_constant([-1, 0, 1], "berrut") == pytest.approx(sqrt(2), rel=4e-16)
    for bits in (64, 256):
        square = lebesgue_constant([-1, 0, 1], "berrut", arithmetic=ball(bits)) ** 2
        assert square.contains(2)
        assert square.rad < Rational(1, 2 ** (bits - 4))
    assert lebesgue_constant(chebyshev_first(3), "lagrange", (-1, 1)) == pytest.approx(5 / 3, rel=1e-15)
    cases = [
        (chebyshev_second(3), "lagrange", "5/4"),
        (chebyshev_second(4), "lagrange", "5/3"),
        (equispaced(3), "lagrange", "5/4"),
        (equispaced(2), "berrut", "1"),
        (nodes_from([3]), "berrut", "1"),
        (equispaced(4), "berrut", "2"),
    ]
    for nodes, rule, value in cases:
        assert lebesgue_constant(nodes, rule) == pytest.approx(float(Fraction(value)), rel=1e-15)
        assert lebesgue_constant(nodes, rule, arithmetic=ball(128)).contains(Fraction(value))


@pytest.mark.parametrize(
    ("n", "value"),
    [
        (5, 2.1644),
        (10, 2.3507615643),
        (20, 2.7504140613),
        (50, 3.3131923499),
        (100, 3.7472),
    ],
)
def test_berrut_at_equidistant_nodes(n, value):
    digits = len(str(value).split(".")[1])
    assert round(lebesgue_constant(equispaced(n + 1), "berrut"), digits) == value
    assert 2 * n / (4 + n * pi) * log(n + 1) <= value <= 2 + log(n)


def test_berrut_at_a_thousand_equidistant_nodes():
    assert lebesgue_constant(equispaced(1001), "berrut") == pytest.approx(5.2069967060, abs=5e-11)


@pytest.mark.parametrize(
    ("nodes", "value"),
    [
        (chebyshev_first(11), 2.4894),
        (chebyshev_first(101), 3.9006),
        (chebyshev_second(11), 2.4210),
        (chebyshev_second(101), 3.8942),
    ],
)
def test_polynomial_interpolation_at_chebyshev_points(nodes, value):
    assert lebesgue_constant(nodes, "lagrange", (-1, 1)) == pytest.approx(value, abs=5e-5)


def test_polynomial_interpolation_at_equidistant_nodes():
    assert lebesgue_constant(equispaced(21), "lagrange") == pytest.approx(1.0987e4, rel=1e-4)
    assert lebesgue_constant(equispaced(41), "lagrange") == pytest.approx(4.692e9, rel=2e-4)
    assert lebesgue_constant(equispaced(1001), "lagrange") > 1e297
    with pytest.raises(ValueError, match=r"too large for a double; use arithmetic=ball\(bits\)"):
        lebesgue_constant(equispaced(1101), "lagrange")


FAMILIES = [
    chebyshev_first(9),
    chebyshev_second(8),
    equispaced(10),
    chebyshev_second(11).without([2, 3, 7]),
    nodes_from([0.1, 0.2, 0.7, 0.75, 3.0]),
]


@pytest.mark.parametrize("nodes", FAMILIES)
@pytest.mark.parametrize("rule", RULES)
def test_floats_and_balls_agree_with_fifty_digits(nodes, rule):
    reference = reference_constant(nodes, rule)
    over = decimal(60)
    computed = lebesgue_constant(nodes, rule)
    assert abs(over.number(computed) / reference - 1) < (len(nodes) + 100) * 2**-53 * (1 + computed)
    enclosed = lebesgue_constant(nodes, rule, arithmetic=ball(128))
    slack = over.number("1e-48")
    assert over.number(enclosed.lower) * (1 - slack) <= reference <= over.number(enclosed.upper)
    assert enclosed.rad / enclosed.mid < Rational(1, 2**124)


@pytest.mark.parametrize("interval", [(-1, 1), ("-1.25", "1.5"), ("-0.3", "0.45"), (2, 3), (-1, "0.2")])
@pytest.mark.parametrize("rule", ["berrut", "lagrange", 2])
def test_intervals_larger_smaller_and_elsewhere(interval, rule):
    nodes = chebyshev_second(9).without([0, 3, 4])
    over = decimal(60)
    reference = reference_constant(nodes, rule, interval)
    assert abs(over.number(lebesgue_constant(nodes, rule, interval)) / reference - 1) < 1e-12
    enclosed = lebesgue_constant(nodes, rule, interval, ball(128))
    slack = over.number("1e-48")
    assert over.number(enclosed.lower) * (1 - slack) <= reference <= over.number(enclosed.upper)
    assert enclosed.rad / enclosed.mid < Rational(1, 2**124)


def test_a_steep_rise_towards_the_end_of_the_interval():
    nodes = nodes_from(np.sort(np.random.default_rng(1).random(9)))
    enclosed = lebesgue_constant(nodes, 5, (2, 3), ball(128))
    at_end = lebesgue_function(ball(300).number(3), nodes, 5)
    assert enclosed.overlaps(at_end)
    assert lebesgue_constant(nodes, 5, (2, 3)) == pytest.approx(float(at_end.mid.fraction), rel=1e-5)


def test_two_survivors_off_the_hull():
    # nodes 1 and c = cos(pi/N), at x = -1: (3 + c)/(1 - c)
    nodes = chebyshev_second(9).take([0, 1])
    c = ball(200).cos_pi("1/8")
    assert lebesgue_constant(nodes, "berrut", (-1, 1), ball(128)).overlaps((3 + c) / (1 - c))
    assert lebesgue_constant(nodes, "berrut", arithmetic=ball(128)) == 1


@settings(max_examples=40)
@given(sorted_nodes, st.sampled_from(RULES))
def test_balls_contain_floats_and_all_values(values, rule):
    nodes = nodes_from(values)
    computed = lebesgue_constant(nodes, rule)
    enclosed = lebesgue_constant(nodes, rule, arithmetic=ball(100))
    assert abs(exactly(computed) / enclosed.mid - 1) < Rational(1, 2**36)
    gaps = [a + (b - a) * Fraction(k, 7) for a, b in pairwise(values) for k in range(7)]
    assert max(lebesgue_function(gaps, nodes, rule)) <= enclosed.upper
    assert enclosed.rad / enclosed.mid < Rational(1, 2**96)


@settings(max_examples=30)
@given(sorted_nodes, st.sampled_from(RULES), st.integers(1, 9), fractions)
def test_mirroring_scaling_and_shifting_change_nothing(values, rule, factor, shift):
    constants = [
        lebesgue_constant(x, rule, arithmetic=ball(80))
        for x in (
            values,
            values[::-1],
            [-v for v in values],
            [factor * v + shift for v in values],
            [v / 1000 for v in values],
        )
    ]
    assert all(c.overlaps(constants[0]) for c in constants)
    weights = weights_for(nodes_from(values), rule)
    assert lebesgue_constant(values, [-3 * w for w in weights.over(EXACT)], arithmetic=ball(80)).overlaps(constants[0])


def test_rounded_chebyshev_points_are_other_nodes():
    nodes = chebyshev_second(12)
    true = lebesgue_constant(nodes, "berrut", arithmetic=ball(160))
    rounded = lebesgue_constant(np.asarray(nodes), "berrut", arithmetic=ball(160))
    assert not true.overlaps(rounded)


def test_polynomial_weights_given_as_numbers_take_the_long_way():
    nodes = equispaced(24)
    by_rule = lebesgue_constant(nodes, "lagrange", arithmetic=ball(100))
    given_ = lebesgue_constant(nodes, lagrange_weights(nodes).over(EXACT), arithmetic=ball(100))
    assert by_rule.overlaps(given_)
    assert given_.rad / given_.mid < Rational(1, 2**95)


def too_close():
    return nodes_from([0, Rational(1, 3), Rational(1, 3) + Rational(1, 2**180), 2])


@pytest.mark.parametrize("exponent", [10, 400, 890, 905, 950])
def test_an_interval_beside_the_lightest_of_all_weights(exponent):
    # the weights differ by a factor of about 2**902, more than what is kept in doubles
    h, end = Fraction(1, 2**301), 1 - Fraction(1, 2**exponent)
    nodes = [0, h, 2 * h, 3 * h, 1]
    assert min(weights_for(nodes_from(nodes), "lagrange").magnitudes.exponent) == 1
    enclosed = lebesgue_constant(nodes, "lagrange", (end, 1), arithmetic=ball(53))
    assert enclosed.contains(lebesgue_function(end, nodes, "lagrange"))
    assert enclosed.rad / enclosed.mid < Rational(1, 2**50)
    if exponent <= 400:
        assert lebesgue_constant(nodes, "lagrange", (end, 1)) == pytest.approx(float(enclosed.mid.fraction))
    else:
        with pytest.raises(ValueError, match=r"too small, or ends too close.*use ball\(bits\)"):
            lebesgue_constant(nodes, "lagrange", (end, 1))


def test_where_doubles_fail_balls_search():
    with pytest.raises(ValueError, match=r"too close for doubles; use ball\(bits\)"):
        lebesgue_constant(too_close(), "berrut")
    for bits in (80, 200):
        enclosed = lebesgue_constant(too_close(), "berrut", arithmetic=ball(bits))
        assert enclosed.rad / enclosed.mid < Rational(1, 2 ** (bits - 4))
        # near the two, at the distance z, the sum of moduli is 2/z and the denominator 2**-180/z**2 + O(1)
        assert 2**88 < enclosed < 2**92


@pytest.mark.parametrize("weights", [[1, 1, -1], [1, -1, -1], [-1.0, -2.0, 5.0]])
@pytest.mark.parametrize("arithmetic", [None, ball(64)])
def test_equal_signs_mean_a_pole(weights, arithmetic):
    options = {} if arithmetic is None else {"arithmetic": arithmetic}
    with pytest.raises(ValueError, match=r"weights\[\d\] and weights\[\d\] have the same sign.*unbounded"):
        lebesgue_constant([0, 1, 2], weights, **options)


@pytest.mark.parametrize("arithmetic", [None, ball(64)])
def test_poles_of_alternating_weights_are_found_too(arithmetic):
    options = {} if arithmetic is None else {"arithmetic": arithmetic}
    with pytest.raises(ValueError, match="pole in the interval"):
        lebesgue_constant([0, 1, 2], [1, "-1/100", 5], **options)
    with pytest.raises(ValueError, match="pole in the interval"):
        lebesgue_constant(["-1", "0.9", "1"], "berrut-half", (-1, "1.2"), **options)
    assert lebesgue_constant(["-1", "0.9", "1"], "berrut-half", (-1, "1.05"), **options) > 2


def hidden_pole(depth):
    # cleared, the denominator of 1/x - w/(x-1) + v/(x-2) is a parabola; v puts its minimum just below 0
    w, v = Fraction(1, 2), None
    # (1 - w + v) x^2 + (2w - 3 - v) x + 2 has discriminant (2w - 3 - v)^2 - 8 (1 - w + v) = v^2 - 4v for w = 1/2
    v = 4 + depth
    return [0, 1, 2], [1, -w, v]


@pytest.mark.parametrize("exponent", [2, 12, 30])
def test_poles_that_lie_close_together_are_found(exponent):
    nodes, weights = hidden_pole(Fraction(1, 2**exponent))
    with pytest.raises(ValueError, match="pole in the interval"):
        lebesgue_constant(nodes, weights)
    nodes, weights = hidden_pole(-Fraction(1, 2**exponent))
    enclosed = lebesgue_constant(nodes, weights, arithmetic=ball(100))
    assert lebesgue_constant(nodes, weights) == pytest.approx(float(enclosed.mid.fraction), rel=1e-13 * 2**exponent)
    assert enclosed > 2 ** (exponent + 1)


def test_weights_that_are_balls_count_with_their_radii():
    nodes = [0, 1, 2, 3]
    wide = Ball.between("0.9", "1.1", 60)
    true = lebesgue_constant(nodes, [1, -1, 1, -1], arithmetic=ball(60))
    thin = [Ball(w, 60) + Ball.between("-1e-9", "1e-9", 60) for w in (1, -1, 1, -1)]
    enclosed = lebesgue_constant(nodes, thin, arithmetic=ball(60))
    assert enclosed.contains(true)
    assert Rational(1, 10**10) < enclosed.rad < Rational(1, 10**7)
    with pytest.raises(PrecisionError):
        lebesgue_constant(nodes, [wide, -wide, wide, -wide], arithmetic=ball(60))


def test_a_gap_with_a_straight_line_needs_no_search():
    # the signs of nodes 0 and 1 agree, but the interval avoids their gap: on [2, 3] the function is 1
    assert lebesgue_constant([0, 2, 3], [1, 1, -1], (2, 3)) == 1
    assert lebesgue_constant([0, 2, 3], [1, 1, -1], (2, 3), ball(64)) == 1


def test_the_work_is_bounded_and_the_best_enclosure_is_kept():
    with pytest.raises(PrecisionError, match="not enclosed in the allowed boxes") as caught:
        enclosed_lebesgue_constant(too_close(), weights_for(too_close(), "berrut"), None, 100, boxes=3)
    assert caught.value.enclosure is None or caught.value.enclosure.is_finite


def test_large_enclosures():
    enclosed = lebesgue_constant(equispaced(201), "berrut", arithmetic=ball(128))
    assert enclosed.contains(exactly(4.185062380695680)) is False
    assert abs(enclosed.mid - Rational("4.18506238069568")) < Rational(1, 10**13)
    assert enclosed.rad < Rational(1, 2**120)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lebesgue_constant([0, 1, 2], "berrut", (1, 1)), r"pair \(a, b\) with a < b, got \(1, 1\)"),
        (lambda: lebesgue_constant([0, 1, 2], "berrut", 5), r"pair \(a, b\)"),
        (lambda: lebesgue_constant([0, 1, 2], "berrut", (0, float("nan"))), "real numbers"),
        (lambda: lebesgue_constant([0, 1, 2], "berrut", arithmetic=EXACT), r"FLOAT or ball\(bits\)"),
        (lambda: lebesgue_constant([0, 1, 2], "berrut", arithmetic=complex_ball(53)), r"FLOAT or ball\(bits\)"),
        (lambda: lebesgue_constant(roots_of_unity(4), "lagrange"), "real nodes are needed"),
        (lambda: lebesgue_constant([0, 1], 5), "d must be at most"),
    ],
)
def test_bad_calls_are_refused(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_result_is_a_ball_at_the_wanted_precision():
    enclosed = lebesgue_constant(chebyshev_second(6), 1, arithmetic=ball(90))
    assert isinstance(enclosed, Ball)
    assert enclosed.bits == 90
    assert enclosed.lower <= enclosed.mid <= enclosed.upper
