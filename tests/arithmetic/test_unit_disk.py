"""The exact root-location tests against roots that are known, and against each other."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, Ball, PrecisionError, Rational
from codedtheory.arithmetic.rational_polynomials import complex_roots, largest_root_modulus
from codedtheory.arithmetic.unit_disk import roots_inside_unit_disk

small = st.fractions(min_value=-3, max_value=3, max_denominator=6)


def product_of(factors):
    """Coefficients, from the 0th on, of a product of polynomials."""
    result = [Fraction(1)]
    for factor in factors:
        result = [
            sum((result[i] * factor[k - i] for i in range(len(result)) if 0 <= k - i < len(factor)), Fraction(0))
            for k in range(len(result) + len(factor) - 1)
        ]
    return result


@given(
    st.lists(small, max_size=4),
    st.lists(st.tuples(small, st.fractions(min_value=0, max_value=3, max_denominator=5)), max_size=2),
    st.sampled_from([1, -2, Fraction(1, 7)]),
)
def test_both_procedures_find_the_roots_they_were_given(real, pairs, lead):
    # a conjugate pair u +- iv has the factor z^2 - 2uz + u^2 + v^2
    factors = [[-r, 1] for r in real] + [[u * u + v * v, -2 * u, 1] for u, v in pairs]
    polynomial = [lead * c for c in product_of(factors)]
    expected = all(abs(r) < 1 for r in real) and all(u * u + v * v < 1 for u, v in pairs)
    assert roots_inside_unit_disk(polynomial) is expected
    assert roots_inside_unit_disk(polynomial, "sturm") is expected


@given(st.lists(small, min_size=2, max_size=8))
def test_both_procedures_agree_with_enclosed_roots(coefficients):
    if coefficients[-1] == 0:
        coefficients[-1] = Fraction(1)
    stable = roots_inside_unit_disk(coefficients)
    assert roots_inside_unit_disk(coefficients, "sturm") is stable
    modulus = largest_root_modulus(coefficients, bits=200)
    if not modulus.contains(1):
        assert (modulus < 1) is stable
    else:
        assert stable is False


@pytest.mark.parametrize("method", ["schur-cohn", "sturm"])
@pytest.mark.parametrize(
    ("coefficients", "stable"),
    [
        ([5], True),  # no roots at all
        ([0, 1], True),
        ([1, 1], False),  # the root -1, which the map to the half plane sends to infinity
        ([-1, 1], False),
        ([1, 0, 1], False),  # +-i on the circle
        ([1, Fraction(-5, 2), 1], False),  # 2 and 1/2: mirror images in the circle
        ([Fraction(1, 4), 0, 1, 0, 0], True),  # leading zeros
        (["0.81", 0, 1], True),
    ],
)
def test_corner_cases(coefficients, stable, method):
    assert roots_inside_unit_disk(coefficients, method) is stable


def test_the_boundary_is_decided_for_algebraic_coefficients():
    root_two = 2 * Algebraic.cos_pi(Fraction(1, 4), 8)
    assert roots_inside_unit_disk([1, -root_two, 1]) is False  # exp(+-i pi/4)
    assert roots_inside_unit_disk([1, -root_two, Rational("1.0000000000000000000001")]) is True


def test_balls_decide_open_conditions_only():
    assert roots_inside_unit_disk([Ball("0.9", 53), Ball(1, 53)]) is True
    with pytest.raises(PrecisionError):
        roots_inside_unit_disk([Ball("1/3", 53) * 3, Ball(1, 53)])


def test_bad_input():
    with pytest.raises(ValueError, match="must not all be 0"):
        roots_inside_unit_disk([0, 0])
    with pytest.raises(ValueError, match="method"):
        roots_inside_unit_disk([1, 2], "routh")
    with pytest.raises(TypeError, match="exactly"):
        roots_inside_unit_disk([0.5, 1], "sturm")


def test_floats_are_refused_by_both_procedures():
    for coefficients in ([0.5, 1], [0.99, -1.0, 1.0], np.array([0.5, 1.0]), [Fraction(1, 2), 1.0]):
        for method in ("schur-cohn", "sturm"):
            with pytest.raises(TypeError, match="exact"):
                roots_inside_unit_disk(coefficients, method)


def test_scaling_the_variable_bounds_the_largest_modulus():
    coefficients = [Fraction(3, 10), Fraction(1, 2), Fraction(1, 5), 1]
    modulus = largest_root_modulus(coefficients, bits=80)
    for radius, inside in ((modulus.upper.fraction, True), (modulus.lower.fraction, False)):
        assert roots_inside_unit_disk([c * radius**k for k, c in enumerate(coefficients)]) is inside
    assert len(complex_roots(coefficients)) == 3
