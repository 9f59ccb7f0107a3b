"""Certified roots against polynomials built from known roots."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Ball, Rational, working_precision
from codedtheory.arithmetic.rational_polynomials import (
    complex_roots,
    count_real_roots,
    largest_root_modulus,
    real_roots,
)

roots = st.lists(st.fractions(min_value=-4, max_value=4, max_denominator=5), min_size=1, max_size=5)


def with_roots(values):
    coefficients = [Fraction(1)]
    for r in values:
        shifted, scaled = [Fraction(0), *coefficients], [-r * c for c in coefficients] + [Fraction(0)]
        coefficients = [a + b for a, b in zip(shifted, scaled, strict=True)]
    return coefficients


@given(roots)
def test_rational_roots_come_back_with_their_multiplicities(values):
    found = real_roots(with_roots(values))
    expected = sorted(set(values))
    assert [count for _, count in found] == [values.count(r) for r in expected]
    assert all(ball.contains(r) for (ball, _), r in zip(found, expected, strict=True))


@given(roots, st.fractions(-5, 5, max_denominator=4), st.fractions(-5, 5, max_denominator=4))
def test_sturm_counts_distinct_roots_in_half_open_intervals(values, a, b):
    lower, upper = min(a, b), max(a, b)
    assert count_real_roots(with_roots(values), lower, upper) == len({r for r in values if lower < r <= upper})
    assert count_real_roots(with_roots(values)) == len(set(values))


def test_complex_pairs_are_conjugate_and_multiplicities_exact():
    square_of_z2_plus_z_plus_1 = [1, 2, 3, 2, 1]
    found = complex_roots(square_of_z2_plus_z_plus_1)
    assert [count for _, count in found] == [2, 2]
    assert all(root.real.contains(Rational(-1, 2)) for root, _ in found)
    assert (found[0][0].imag + found[1][0].imag).contains(0)
    assert count_real_roots(square_of_z2_plus_z_plus_1) == 0


def test_largest_modulus_of_a_pair_is_the_root_of_the_constant_term():
    modulus = largest_root_modulus([Fraction(1, 3), Fraction(-1, 2), 1], bits=90)
    assert (modulus * modulus).contains(Fraction(1, 3))
    assert modulus.rad < Fraction(1, 10**20)


def test_a_ball_finer_than_the_precision_of_the_process_contains_its_rational():
    third = Ball("1/3", bits=200)
    assert third.contains(Rational(1, 3))
    assert not third.contains(Rational(1, 3) + Rational(1, 2**190))


def test_the_precision_of_the_process_is_left_alone():
    before = working_precision()
    complex_roots([-2, 0, 0, 1], bits=333)
    assert working_precision() == before


def test_roots_of_different_multiplicity_are_told_apart_however_close():
    near = 1 + Fraction(1, 10**50)
    found = real_roots(with_roots([Fraction(1), Fraction(1), near]), bits=64)
    assert [count for _, count in found] == [2, 1]
    assert not found[0][0].overlaps(found[1][0])
    assert found[1][0].contains(near)


def test_bad_input():
    with pytest.raises(ValueError, match="at most upper"):
        count_real_roots([-2, 0, 1], 2, 0)
    with pytest.raises(ValueError, match="must not all be 0"):
        complex_roots([0, 0])
    with pytest.raises(ValueError, match="constant"):
        largest_root_modulus([3])
    with pytest.raises(TypeError, match="exactly"):
        real_roots([0.5, 1])
    assert complex_roots([7]) == []
