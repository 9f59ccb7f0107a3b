"""Covariances and their norms against enumeration and certified spectra."""

from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Ball, Rational, ball, eigenvalues
from codedtheory.coding.approximate_codes import bibd_code
from codedtheory.coding.coefficient_moments import coefficient_moments
from codedtheory.coding.covariance import (
    coefficient_variance,
    one_step_covariance,
    one_step_covariance_norm,
    squared_window_gain,
)
from codedtheory.coding.disjoint_sets import DisjointSetDecoder
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.one_step import OneStepDecoder
from codedtheory.coding.relaxed_decoding import RelaxedDecoder
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic
from codedtheory.coding.symmetric_norm import symmetric_norm

CODES = [plain_cyclic(6, 1), plain_cyclic(7, 2), fractional_repetition(6, 2), bibd_code(7, [0, 1, 3])]


@pytest.mark.parametrize("code", CODES)
def test_covariance_formula_for_every_placement(code):
    for s in range(code.n):
        enumerated = coefficient_moments(code, s, OneStepDecoder()).covariance
        assert np.all(enumerated == one_step_covariance(code, s))


def test_covariance_without_rotations_is_the_same():
    class Blind:
        name = "relaxed, every set"

        def weights(self, code, survivors):
            return RelaxedDecoder().weights(code, survivors)

    for n, s in ((5, 2), (6, 3)):
        code = plain_cyclic(n, s)
        by_orbits, by_sets = (coefficient_moments(code, s, d) for d in (RelaxedDecoder(), Blind()))
        assert np.all(by_orbits.covariance == by_sets.covariance)
        assert by_orbits.count == by_sets.count


@pytest.mark.parametrize(("n", "s"), [(n, s) for n in range(2, 9) for s in range(n)])
def test_norms_are_the_largest_eigenvalues(n, s):
    cyclic = one_step_covariance_norm(n, s)
    assert symmetric_norm(one_step_covariance(plain_cyclic(n, s), s)) == cyclic
    top = eigenvalues(one_step_covariance(plain_cyclic(n, s), s), bits=80)[0][0]
    assert abs(ball(80).number(cyclic) - top) < Rational(1, 2**60)
    if n % (s + 1) == 0:
        fractional = one_step_covariance_norm(n, s, "fractional")
        assert symmetric_norm(one_step_covariance(fractional_repetition(n, s), s)) == fractional
        assert cyclic <= fractional


def test_printed_norms():
    printed = [
        (1, "cyclic", "0.0925"),
        (1, "fractional", "0.0992"),
        (2, "cyclic", "0.1809"),
        (2, "fractional", "0.2182"),
    ]
    for s, placement, value in printed:
        assert abs(one_step_covariance_norm(12, s, placement) - Rational(value)) <= Rational("0.00005")


@pytest.mark.parametrize("n", range(2, 25))
def test_the_window_gain_is_largest_at_frequency_one(n):
    for c in range(1, n):
        gains = [squared_window_gain(n, c, k) for k in range(1, n // 2 + 1)]
        assert all(gain <= gains[0] for gain in gains)
        sines = ball(90).sin_pi(Fraction(c, n)) / ball(90).sin_pi(Fraction(1, n))
        assert (sines * sines).contains(gains[0])


def test_variance_is_symmetric_and_vanishes_at_the_ends():
    for n in range(2, 20):
        for s in range(n):
            assert coefficient_variance(n, s) == coefficient_variance(n, n - 1 - s)
            assert bool(coefficient_variance(n, s) == 0) is (s in (0, n - 1))
    assert coefficient_variance(1, 0) == 0


def test_norm_of_other_matrices():
    assert symmetric_norm(EXACT.array([["1/3", 0], [0, "1/7"]])) == Rational(1, 3)
    golden = symmetric_norm(EXACT.array([[1, 1], [1, 0]]))
    assert isinstance(golden, Ball)
    assert (golden * golden - golden).contains(1)
    assert symmetric_norm(EXACT.zeros((2, 2))) == 0
    uneven = coefficient_moments(plain_cyclic(5, 1), 2, DisjointSetDecoder()).covariance
    assert not symmetric_norm(uneven) > sum(abs(x) for x in uneven[0]) + 1


def test_bad_input():
    with pytest.raises(ValueError, match="symmetric"):
        symmetric_norm(EXACT.array([[0, 1], [0, 0]]))
    with pytest.raises(ValueError, match="placement"):
        one_step_covariance_norm(4, 1, "random")
    with pytest.raises(ValueError, match="divide"):
        one_step_covariance_norm(5, 1, "fractional")
    with pytest.raises(ValueError, match="copies must be at most"):
        coefficient_variance(4, 1, copies=5)
    with pytest.raises(ValueError, match="c must be at least 1"):
        squared_window_gain(4, 0)
    with pytest.raises(ValueError, match="equally often"):
        one_step_covariance(GradientCode([[1, 1], [1, 0]]), 1)
