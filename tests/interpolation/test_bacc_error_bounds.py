from fractions import Fraction

import pytest

from codedtheory.arithmetic import EXACT, Rational, approximate, ball, cyclotomic
from codedtheory.interpolation.bacc_error_bounds import bacc_error_bound, bacc_error_factor
from codedtheory.interpolation.worst_error import worst_error_over_stragglers, worst_linear_error_over_stragglers

FORMS = ("published", "sharp1", "sharp2")
SMALL = [(N, s) for N in range(1, 9) for s in range(N)]


@pytest.mark.parametrize(
    ("N", "s", "printed"),
    [
        (5, 0, "5.193"),
        (5, 2, "61.50"),
        (6, 1, "20.74"),
        (6, 3, "104.3"),
        (7, 0, "3.739"),
        (7, 2, "47.40"),
        (4, 0, "6.43"),
        (8, 2, "42.2"),
        (12, 10, "702"),
    ],
)
def test_published_constants(N, s, printed):
    unit = Rational(1, 10 ** len(printed.partition(".")[2]))
    assert abs(bacc_error_factor(N + 1, s, arithmetic=ball(64)) - Rational(printed)) <= unit * Rational("0.501")


@pytest.mark.parametrize(("N", "s"), SMALL)
@pytest.mark.parametrize("domain", ["hull", "interval"])
def test_every_form_bounds_the_worst_constants(N, s, domain):
    second = worst_error_over_stragglers(N + 1, s, domain, ball(64), tolerance="1e-4").value
    constants = [second]
    if (N - s) % 2 == 0:
        constants.append(worst_linear_error_over_stragglers(N + 1, s, domain, ball(64), tolerance="1e-4").value)
    factors = [bacc_error_factor(N + 1, s, form, domain, ball(64)) for form in FORMS]
    for constant in constants:
        assert all((constant <= factor) is True for factor in factors)
    assert factors[0] > factors[1]
    assert (factors[1] >= factors[2]) is True
    if (N - s) % 2:
        assert second <= bacc_error_factor(N + 1, s, "sharp3", domain, ball(64))


def test_sharp1_gains_the_factor_pi_squared_over_4_in_the_limit():
    ratio = bacc_error_factor(30, 20) / bacc_error_factor(30, 20, "sharp1")
    assert ratio == pytest.approx(9.8696044 / 4, rel=2e-3)


def test_bound_by_parity():
    for form in FORMS:
        odd, even = bacc_error_factor(8, 2, form), bacc_error_factor(8, 1, form)
        assert bacc_error_bound(8, 2, {2: 3}, form) == pytest.approx(3 * odd, rel=1e-15)
        assert bacc_error_bound(8, 1, {1: 2, 2: 3}, form) == pytest.approx(5 * even, rel=1e-15)
        with pytest.raises(ValueError, match="order 1"):
            bacc_error_bound(8, 1, {2: 3}, form)


@pytest.mark.parametrize("form", ["sharp1", "sharp2"])
def test_exact_forms(form):
    for N, s in ((4, 1), (5, 2), (6, 4)):
        exact = bacc_error_factor(N + 1, s, form, arithmetic=cyclotomic(4 * N))
        assert bacc_error_factor(N + 1, s, form, arithmetic=ball(90)).contains(exact)
        assert bacc_error_factor(N + 1, s, form) == pytest.approx(approximate(exact), rel=1e-14)


def test_hull_form_is_the_smaller_one():
    assert bacc_error_factor(7, 4, "sharp2", "hull") < bacc_error_factor(7, 4, "sharp2", "interval")
    N, s, bits = 6, 4, ball(80)
    a = Fraction(1, 2 * N)
    reach = bits.sin_pi(s * a) ** 2
    off = 2 * reach * (1 + reach / (bits.sin_pi((2 * s + 1) * a) * bits.sin_pi(a)))
    assert bacc_error_factor(N + 1, s, "sharp2", arithmetic=bits).overlaps(off)


def test_bad_input():
    with pytest.raises(ValueError, match="form must be"):
        bacc_error_factor(5, 1, "sharp")
    with pytest.raises(ValueError, match="domain must be"):
        bacc_error_factor(5, 1, domain="all")
    with pytest.raises(ValueError, match="stragglers must be from 0 to 3"):
        bacc_error_factor(5, 4)
    with pytest.raises(ValueError, match="irrational"):
        bacc_error_factor(5, 1, "sharp1", arithmetic=EXACT)
