"""Stability limits, rates and variances of stale gradients against exact tests and plain recursions."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, Rational, approximate, ball
from codedtheory.coding.stale_gradients import (
    averaged_ages,
    averaged_delay_stability,
    bracket_change,
    characteristic_polynomial,
    constant_age,
    constant_delay_stability,
    is_faster_than_descent,
    is_stable,
    mode_rate,
    speed_up_crossing,
    stationary_variance,
)

FAMILIES = [(averaged_ages, averaged_delay_stability), (constant_age, constant_delay_stability)]
TABLE = {
    averaged_delay_stability: ["2", "2", "1.5", "1.171573", "0.954915"],
    constant_delay_stability: ["2", "1", "0.618034", "0.445042", "0.347296"],
}


@pytest.mark.parametrize("limit", list(TABLE))
def test_limits_match_the_table(limit):
    for s, printed in enumerate(TABLE[limit]):
        assert abs(limit(s) - Rational(printed)) <= Rational("0.0000005")


@pytest.mark.parametrize(("ages", "limit"), FAMILIES)
@pytest.mark.parametrize("s", range(9))
def test_exact_tests_bracket_the_limit(ages, limit, s):
    exact = limit(s)
    step = Fraction(1, 10**12)
    below = Fraction(ball(120).number(exact).lower.fraction).limit_denominator(10**14) - step
    for method in ("schur-cohn", "sturm"):
        assert is_stable(characteristic_polynomial(ages(s), below), method)
        assert not is_stable(characteristic_polynomial(ages(s), below + 2 * step), method)
    assert below < exact < below + 2 * step


@pytest.mark.parametrize(("ages", "limit"), FAMILIES)
@pytest.mark.parametrize("s", range(5))
def test_the_limit_itself_is_not_stable(ages, limit, s):
    assert not is_stable(characteristic_polynomial(ages(s), limit(s)))
    assert not is_stable(characteristic_polynomial(ages(s), 0))


@pytest.mark.parametrize(("ages", "limit"), FAMILIES)
@pytest.mark.parametrize("s", range(1, 5))
def test_stable_below_and_unstable_above_on_a_grid(ages, limit, s):
    for k in range(-3, 90):
        a = Fraction(k, 37)
        assert is_stable(characteristic_polynomial(ages(s), a)) is bool(0 < a < limit(s))


@pytest.mark.parametrize("s", range(1, 7))
def test_limits_over_balls_enclose_the_exact_ones(s):
    for limit in (averaged_delay_stability, constant_delay_stability):
        enclosure = limit(s, ball(90))
        assert enclosure.contains(limit(s))
        assert enclosure.rad < Rational(1, 10**25)


def test_mixing_ages_widens_the_stable_range_up_to_pi_times():
    ratios = [averaged_delay_stability(s, ball(64)) / constant_delay_stability(s, ball(64)) for s in range(60)]
    assert all(later > earlier for earlier, later in pairwise(ratios))
    assert all(ratio < ball(64).pi for ratio in ratios)
    assert ratios[-1] > Rational("3.1")


def test_closed_forms_of_the_constant_delay():
    golden = constant_delay_stability(2)
    assert isinstance(golden, Algebraic)
    assert golden * golden + golden == 1


def test_characteristic_polynomial_annihilates_the_recursion():
    weights, a = (Fraction(1, 5), Fraction(0), Fraction(4, 5)), Fraction(1, 3)
    polynomial = characteristic_polynomial(weights, a)
    history = [Fraction(k, 7) for k in (3, -1, 2)]  # newest last
    newest = history[-1] - a * sum(p * history[-1 - d] for d, p in enumerate(weights))
    assert sum(c.fraction * x for c, x in zip(polynomial, [*history, newest], strict=True)) == 0


@given(st.integers(0, 4), st.fractions(Fraction(1, 50), 2, max_denominator=60))
def test_rate_is_below_one_exactly_for_stable_steps(s, a):
    rate = mode_rate(averaged_ages(s), a)
    if not rate.contains(1):
        assert (rate < 1) is is_stable(characteristic_polynomial(averaged_ages(s), a))


def test_rate_of_two_averaged_ages_by_the_quadratic_formula():
    # z^2 - (1 - a/2) z + a/2: complex roots of modulus sqrt(a/2) while (1 - a/2)^2 < 2 a
    rate = mode_rate(averaged_ages(1), "0.8")
    assert (rate * rate).contains(Rational("0.4"))


@pytest.mark.parametrize(("s", "printed"), [(1, "0.5000"), (2, "0.3463"), (3, "0.2655")])
def test_where_staleness_stops_helping(s, printed):
    ages = averaged_ages(s)
    faster, slower = speed_up_crossing(s, "1/100000")
    assert abs(faster - Rational(printed)) < Rational("0.0001")
    assert slower - faster <= Rational("1/100000")
    for k in range(1, 100):
        a = Fraction(k, 100)
        if not faster < a < slower:
            assert is_faster_than_descent(ages, a) is bool(a <= faster)


def test_two_averaged_ages_stop_helping_at_one_half():
    faster, slower = speed_up_crossing(1)
    assert faster < Rational(1, 2) <= slower
    assert not is_faster_than_descent(averaged_ages(1), "1/2")


@pytest.mark.parametrize("s", range(1, 13))
def test_the_crossing_is_found_for_more_ages(s):
    faster, slower = speed_up_crossing(s, "1/1000")
    assert Rational(1, s + 1) * Rational("0.99") < faster < slower < Rational(5, 4 * (s + 1))


@pytest.mark.parametrize("s", range(1, 6))
def test_staleness_is_momentum_for_small_steps(s):
    # log rho = log(1 - a) (1 + a s / 2 + O(a^2))
    remainders = []
    for a in (Fraction(1, 1000), Fraction(1, 2000)):
        rate, fresh = mode_rate(averaged_ages(s), a), ball(128).number(1 - a)
        remainders.append(rate.log() / fresh.log() - 1 - a * s / 2)
    assert all(abs(r) < Rational(4 * s * s, 10**6) for r in remainders)
    assert abs(remainders[0] / remainders[1] - 4) < Rational(1, 10)


@pytest.mark.parametrize("tau", range(1, 12))
def test_published_steps_for_constant_delay_are_well_inside_the_limit(tau):
    published = Fraction(1, 4) if tau == 1 else Fraction(3, 10 * tau)
    assert is_stable(characteristic_polynomial(constant_age(tau), published))
    assert constant_delay_stability(tau) >= 4 * published


def test_speed_comparison_agrees_with_the_enclosed_rate():
    for s in (1, 2, 3, 5):
        for k in range(1, 20):
            a = Fraction(k, 21)
            assert is_faster_than_descent(averaged_ages(s), a) is bool(mode_rate(averaged_ages(s), a) < 1 - a)


def test_descent_in_one_step_is_never_beaten():
    assert is_faster_than_descent(averaged_ages(2), 1) is False


@given(st.fractions(Fraction(1, 40), Fraction(39, 20), max_denominator=50))
def test_special_cases_of_the_stationary_variance(a):
    assert stationary_variance([1], a) == 1 / (a * (2 - a))
    assert stationary_variance(averaged_ages(1), a) == (2 + a) / (2 * a * (2 - a))


@pytest.mark.parametrize("s", [2, 3, 4])
def test_stationary_variance_is_the_limit_of_impulse_sums(s):
    a, weights = Fraction(1, 4), [Fraction(1, s + 1)] * (s + 1)
    exact = approximate(stationary_variance(averaged_ages(s), a))
    state, total = [1.0, *[0.0] * s], 0.0
    for _ in range(400):
        total += state[0] ** 2
        state = [state[0] - float(a) * sum(float(p) * x for p, x in zip(weights, state, strict=True)), *state[:-1]]
    assert abs(total - exact) < 1e-12 * exact


def test_unstable_recursions_have_no_stationary_variance():
    with pytest.raises(ValueError, match="stable range"):
        stationary_variance(averaged_ages(1), 2)


def test_bracketing_insists_on_a_change():
    with pytest.raises(ValueError, match="must fail at 3"):
        bracket_change(lambda a: True, 0, 3, "1/2")
    with pytest.raises(ValueError, match="must hold at 0"):
        bracket_change(lambda a: False, 0, 3, "1/2")
    with pytest.raises(ValueError, match="width"):
        bracket_change(lambda a: bool(a < 1), 0, 3, 0)


def test_floats_and_empty_weights_are_refused():
    with pytest.raises(TypeError, match="exactly"):
        characteristic_polynomial([0.5, 0.5], 1)
    with pytest.raises(ValueError, match="must not be empty"):
        characteristic_polynomial([], 1)
    with pytest.raises(ValueError, match="at least 0"):
        averaged_delay_stability(-1)
