from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Ball, Rational, ball, cyclotomic
from codedtheory.interpolation.outward import Intervals, exact_arithmetic_flags

doubles = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-60)


def contains(interval, value):
    return Fraction(float(interval.lo)) <= value <= Fraction(float(interval.hi))


def interval(a, b):
    return Intervals(np.array([min(a, b)]), np.array([max(a, b)]))


@given(doubles, doubles, doubles, doubles, st.fractions(0, 1), st.fractions(0, 1))
def test_operations_contain_the_exact_results(a, b, c, d, s, t):
    x, y = interval(a, b), interval(c, d)
    p = Fraction(x.lo[0]) * (1 - s) + Fraction(x.hi[0]) * s
    q = Fraction(y.lo[0]) * (1 - t) + Fraction(y.hi[0]) * t
    with exact_arithmetic_flags():
        assert contains((x + y)[0], p + q)
        assert contains((x - y)[0], p - q)
        assert contains((x * y)[0], p * q)
        assert contains((-x)[0], -p)
        if q:
            quotient = (x / y)[0]
            assert quotient.lo == -np.inf or Fraction(float(quotient.lo)) <= p / q
            assert quotient.hi == np.inf or Fraction(float(quotient.hi)) >= p / q


@given(doubles, doubles)
def test_floats_on_either_side_mean_themselves(a, b):
    with exact_arithmetic_flags():
        assert contains((a + Intervals.of(np.array([b])))[0], Fraction(a) + Fraction(b))
        assert contains((a - Intervals.of(np.array([b])))[0], Fraction(a) - Fraction(b))
        assert contains((np.array([a]) * Intervals.of(np.array([b])))[0], Fraction(a) * Fraction(b))


@given(st.lists(doubles, min_size=1, max_size=20))
def test_sum_contains_the_exact_sum(values):
    with exact_arithmetic_flags():
        total = Intervals.of(np.array(values)[:, None]).sum(axis=0)
    assert contains(total[0], sum(map(Fraction, values)))


def test_one_operation_widens_by_one_unit_only():
    with exact_arithmetic_flags():
        third = Intervals.of(np.array([1.0])) / 3.0
    assert 0 < third.hi[0] - third.lo[0] < 4 * 2.0**-53


def test_division_by_an_interval_around_zero_is_the_whole_line():
    with exact_arithmetic_flags():
        quotient = Intervals.of(np.array([1.0, 1.0, 1.0])) / Intervals(
            np.array([-1.0, 0.0, 2.0]), np.array([1.0, 1.0, 2.0])
        )
    assert quotient.lo[:2].tolist() == [-np.inf, -np.inf]
    assert quotient.hi[:2].tolist() == [np.inf, np.inf]
    assert quotient.lo[2] <= 0.5 <= quotient.hi[2]


def test_the_whole_line_stays_whole():
    whole = Intervals(np.array([-np.inf]), np.array([np.inf]))
    with exact_arithmetic_flags():
        for result in (whole + 1.0, whole * 0.0, whole * 2.0, 1.0 - whole, whole * whole):
            assert (result.lo[0], result.hi[0]) == (-np.inf, np.inf)


def test_underflow_is_an_error_and_not_a_lost_bound():
    tiny = Intervals.of(np.array([1e-200]))
    with exact_arithmetic_flags(), pytest.raises(FloatingPointError):
        tiny * tiny


def test_enclosing_is_the_tightest_pair_of_doubles():
    values = np.array([Rational(1, 3), Rational(1, 2), ball(200).pi, cyclotomic(8).cos_pi("1/4")], dtype=object)
    enclosure = Intervals.enclosing(values)
    assert enclosure.lo[1] == enclosure.hi[1] == 0.5
    for index in (0, 2, 3):
        assert enclosure.hi[index] == np.nextafter(enclosure.lo[index], np.inf)
    assert contains(enclosure[0], Fraction(1, 3))
    assert enclosure.lo[2] <= np.pi <= enclosure.hi[2]
    coarse = Ball("1/3", 20)
    wide = Intervals.enclosing(np.array([coarse], dtype=object))
    assert Fraction(wide.lo[0]) <= coarse.lower.fraction
    assert Fraction(wide.hi[0]) >= coarse.upper.fraction
