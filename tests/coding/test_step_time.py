"""Expected step times in closed form, against an integral and against simulated arrivals."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from codedtheory.arithmetic import FLOAT, Rational
from codedtheory.coding.step_time import expected_step_time, harmonic_number


def test_harmonic_numbers():
    assert [harmonic_number(m) for m in range(5)] == [0, 1, Rational(3, 2), Rational(11, 6), Rational(25, 12)]


@pytest.mark.parametrize(("W", "s"), [(1, 0), (3, 1), (5, 2), (6, 5)])
def test_order_statistics_by_minima(W, s):
    # E max of any set of m exponentials is H_m; the (W-s)-th smallest of W follows from inclusion and exclusion
    direct = sum(Fraction((-1) ** (m - (s + 1)) * comb(m - 1, s) * comb(W, m), m) for m in range(s + 1, W + 1))
    assert expected_step_time("bacc", W, s, load_time=0, delay_mean=1) == direct


def test_schemes_differ_by_their_load():
    times = {
        name: expected_step_time(name, 5, 2, load_time="1/3", delay_mean=2)
        for name in ("bacc", "uncoded", "repetition", "wait_for_all")
    }
    assert times["bacc"] == times["uncoded"] == Rational(1, 3) + 2 * (harmonic_number(5) - harmonic_number(2))
    assert times["repetition"] - times["bacc"] == 2 * Rational(1, 3)
    assert times["wait_for_all"] - times["bacc"] == 2 * harmonic_number(2)


def test_simulated_arrivals_agree():
    rng = np.random.default_rng(20)
    arrivals = np.sort(rng.exponential(2.0, size=(20_000, 5)), axis=1)[:, 2]
    expected = expected_step_time("uncoded", 5, 2, load_time=0.25, delay_mean=2.0, arithmetic=FLOAT)
    error = arrivals.std() / np.sqrt(len(arrivals))
    # a fixed seed; five standard errors
    assert abs(0.25 + arrivals.mean() - expected) < 5 * error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("magic", 3, 1, 1, 1), "scheme must be one of bacc, repetition, uncoded, wait_for_all, got 'magic'"),
        (("bacc", 3, 3, 1, 1), "stragglers must be below the number of workers"),
        (("bacc", 3, 1, -1, 1), "load_time must not be negative"),
        (("bacc", 3, 1, 1, "-1/2"), "delay_mean must not be negative, got -1/2"),
    ],
)
def test_bad_values_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        expected_step_time(*arguments)


def test_exact_times_are_not_floats():
    with pytest.raises(TypeError):
        expected_step_time("bacc", 3, 1, 0.5, 1)
