"""Expected step times against sums of exponential spacings, and the thresholds of slower coding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Rational
from codedtheory.coding.gradient_coding_time import (
    coding_is_slower,
    coding_threshold,
    gradient_coding_step_time,
    scaled_delay_threshold,
)

SCHEMES = ["dgd", "gc-fr", "gc-cr", "is-sgd", "is-gc", "pgc-fr", "pgc-cr"]


def spacing_sum(n, awaited):
    """Mean of the awaited-th smallest of n unit exponentials, by its independent spacings."""
    return sum((Fraction(1, n - k) for k in range(awaited)), Fraction(0))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_load_plus_order_statistic(scheme):
    for n in range(1, 9):
        for s in range(n):
            load = s + 1 if scheme.startswith(("gc", "is-gc")) else 1
            awaited = n if scheme == "dgd" else n - s
            found = gradient_coding_step_time(scheme, n, s, "1/3", "5/2")
            assert found == load * Fraction(1, 3) + Fraction(5, 2) * spacing_sum(n, awaited)


def test_printed_order_statistics():
    waits = [gradient_coding_step_time("pgc-cr", 12, s, 0, 1) for s in range(4)]
    printed = ["3.10321", "2.10321", "1.60321", "1.26988"]
    assert all(abs(wait - Rational(p)) <= Rational("0.000005") for wait, p in zip(waits, printed, strict=True))


def test_pipelining_costs_as_much_as_ignoring_and_saves_the_slowest():
    for n in range(2, 10):
        for s in range(1, n):
            pipelined = gradient_coding_step_time("pgc-cr", n, s, 2, 3)
            assert pipelined == gradient_coding_step_time("is-sgd", n, s, 2, 3)
            harmonic = sum(Fraction(1, k) for k in range(1, s + 1))
            assert gradient_coding_step_time("dgd", n, s, 2, 3) - pipelined == 3 * harmonic


def test_sampled_delays_agree():
    rng = np.random.default_rng(20260707)
    n, s = 6, 2
    samples = np.sort(rng.exponential(2.0, size=(200_000, n)), axis=1)[:, n - s - 1]
    exact = float(gradient_coding_step_time("is-sgd", n, s, 0, 2).fraction)
    # five standard errors: a false alarm once in 1.7 million
    assert abs(samples.mean() - exact) < 5 * samples.std() / np.sqrt(len(samples))


def test_thresholds_of_slower_coding():
    assert [coding_threshold(s) for s in (1, 2, 3)] == [1, Fraction(3, 4), Fraction(11, 18)]


@given(st.integers(2, 9), st.data(), st.fractions(0, 4, max_denominator=20), st.fractions(Fraction(1, 9), 4))
def test_thresholds_decide_which_is_slower(n, data, compute, delay):
    s = data.draw(st.integers(1, n - 1))
    assert coding_is_slower(n, s, compute, delay) is bool(compute / delay > coding_threshold(s))
    scaled = coding_is_slower(n, s, compute, delay, delays_scale=True)
    assert scaled is bool(compute / delay > scaled_delay_threshold(n, s))


def test_without_stragglers_coding_is_waiting():
    assert coding_is_slower(5, 0, 1, 1) is False


def test_bad_input():
    with pytest.raises(ValueError, match="scheme must be one of"):
        gradient_coding_step_time("sgd", 4, 1, 1, 1)
    with pytest.raises(ValueError, match="negative"):
        gradient_coding_step_time("dgd", 4, 1, -1, 1)
    with pytest.raises(ValueError, match="load is free"):
        gradient_coding_step_time("dgd", 4, 1, 1, 1, load=2)
    with pytest.raises(ValueError, match="load must be at most 4, got 5"):
        gradient_coding_step_time("is-gc", 4, 1, 1, 1, load=5)
    with pytest.raises(ValueError, match="below the number of workers"):
        gradient_coding_step_time("dgd", 4, 4, 1, 1)
    assert gradient_coding_step_time("is-gc", 4, 2, 1, 0, load=2) == 2
