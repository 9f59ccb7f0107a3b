from fractions import Fraction
from itertools import product
from math import prod

import pytest

from codedtheory.interpolation.rounding_counts import RoundingCount, accumulated_error, quotient_error
from codedtheory.interpolation.stability import berrut_rounding_bound


def test_operations_add_up():
    a, b = RoundingCount(3), RoundingCount(5)
    assert a * b == a / b == RoundingCount(9)
    assert a + b == b - a == RoundingCount(6)
    assert 1 / a == RoundingCount(4)


@pytest.mark.parametrize("k", range(1, 6))
def test_products_of_rounding_errors_stay_within_the_bound(k):
    u = Fraction(1, 20)
    for signs in product((1, -1), repeat=k):
        for exponents in product((1, -1), repeat=k):
            value = prod((1 + s * u) ** e for s, e in zip(signs, exponents, strict=True))
            assert abs(value - 1) <= accumulated_error(k, u)


def test_quotients_of_rounded_sums_stay_within_the_bound():
    u, above, below = Fraction(1, 50), 3, 2
    for a, b, d in product((-1, 0, 1), repeat=3):
        kappa, mu = Fraction(3, 2), Fraction(4, 3)
        numerator = 1 + a * accumulated_error(above, u) * kappa
        denominator = 1 + b * accumulated_error(below, u) * mu
        assert abs(numerator / denominator * (1 + d * u) - 1) <= quotient_error(above, below, kappa, mu, u)


@pytest.mark.parametrize("n", [1, 4, 9])
def test_berruts_bound_is_the_one_of_his_counts(n):
    u = Fraction(1, 2**24)
    assert quotient_error(n + 3, n + 2, 5, 2, u) == berrut_rounding_bound(n + 1, 5, 2, u)


def test_a_denominator_that_may_vanish_is_refused():
    with pytest.raises(ValueError, match="u must be smaller"):
        quotient_error(3, 2, 1, 10, Fraction(1, 20))
