"""Step-saving ceilings against closed forms, the table of percentages and certified rates on a grid."""

from fractions import Fraction
from itertools import pairwise

import pytest

from codedtheory.arithmetic import Algebraic, Rational
from codedtheory.coding.stale_gradients import averaged_ages, constant_age, mode_rate
from codedtheory.coding.step_saving import (
    averaged_saving_ceiling,
    averaged_saving_limit,
    constant_saving_ceiling,
    constant_saving_limit,
    step_saving,
)


def near(value, printed, unit):
    return abs(value - Rational(printed)) <= Rational(unit) / 2


@pytest.mark.parametrize(
    ("s", "a", "rate", "percent"),
    [
        (1, "0.343146", "0.414214", "52.314"),
        (2, "0.221212", "0.574743", "54.857"),
        (3, "0.164105", "0.665215", "56.027"),
    ],
)
def test_averaged_ceilings_match_the_printed_ones(s, a, rate, percent):
    ceiling = averaged_saving_ceiling(s)
    assert near(ceiling.a, a, "0.000001")
    assert near(ceiling.rate, rate, "0.000001")
    assert near(ceiling.saving * 100, percent, "0.001")


def test_five_averaged_ages():
    assert near(averaged_saving_ceiling(5).saving * 100, "57.158", "0.001")


@pytest.mark.parametrize(("tau", "percent"), [(1, "58.496"), (2, "60.455"), (3, "61.257")])
def test_constant_ceilings_match_the_printed_ones(tau, percent):
    assert near(constant_saving_ceiling(tau).saving * 100, percent, "0.001")


def test_limits():
    assert near(averaged_saving_limit() * 100, "59.36", "0.01")
    assert near(constant_saving_limit() * 100, "63.2", "0.1")
    savings = [averaged_saving_ceiling(s, 64).saving for s in (1, 2, 3, 5, 10, 50, 400)]
    assert all(a < b for a, b in pairwise(savings))
    assert savings[-1] < averaged_saving_limit()
    assert averaged_saving_limit() - savings[-1] < Rational("0.001")


def test_the_double_root_for_two_ages_is_the_root_of_two_minus_one():
    root_two = 2 * Algebraic.cos_pi(Fraction(1, 4), 8)
    ceiling = averaged_saving_ceiling(1)
    assert ceiling.a.contains(6 - 4 * root_two)
    assert ceiling.rate.contains(root_two - 1)
    # z^2 - (1 - a/2) z + a/2 has discriminant 0 there
    a = 6 - 4 * root_two
    assert (1 - a / 2) * (1 - a / 2) == 2 * a


@pytest.mark.parametrize("s", [1, 2, 3, 4, 7])
def test_the_double_root_is_a_double_root(s):
    ceiling = averaged_saving_ceiling(s, 200)
    z, a = ceiling.rate, ceiling.a
    value = z ** (s + 1) - z**s + sum((z**k for k in range(1, s + 1)), z**0) * a / (s + 1)
    slope = z**s * (s + 1) - z ** (s - 1) * s + sum((z ** (k - 1) * k for k in range(2, s + 1)), z**0) * a / (s + 1)
    assert value.contains(0)
    assert slope.contains(0)
    assert value.rad < Rational(1, 10**50)


@pytest.mark.parametrize("s", [1, 2, 3])
@pytest.mark.parametrize(
    ("ages", "ceiling"), [(averaged_ages, averaged_saving_ceiling), (constant_age, constant_saving_ceiling)]
)
def test_no_step_on_a_grid_saves_more(s, ages, ceiling):
    best = ceiling(s)
    savings = [step_saving(ages(s), Fraction(k, 150)) for k in range(1, 50)]
    assert all(saving < best.saving for saving in savings)
    # the cusp: close to it on both sides the saving comes near
    for side in (-1, 1):
        a = best.a.mid.fraction.limit_denominator(10**8) + Fraction(side, 10**6)
        assert best.saving - step_saving(ages(s), a) < Rational("0.004")


def test_the_dominant_root_near_the_ceiling_is_the_double_one():
    for s in (1, 2, 3, 5):
        ceiling = averaged_saving_ceiling(s)
        a = ceiling.a.mid.fraction.limit_denominator(10**9)
        assert abs(mode_rate(averaged_ages(s), a) - ceiling.rate) < Rational("0.001")


def test_bad_steps_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        step_saving(averaged_ages(1), 1)
    with pytest.raises(ValueError, match="stable range"):
        step_saving(constant_age(3), "1/2")
    with pytest.raises(ValueError, match="at least 1"):
        averaged_saving_ceiling(0)
