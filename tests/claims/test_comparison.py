from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Ball, LowerBound, Modular, UpperBound, ball, complex_ball, cyclotomic
from codedtheory.claims import (
    Comparison,
    Evidence,
    Measured,
    Outcome,
    SampleMean,
    at_least,
    at_most,
    close,
    equal,
    greater_than,
    less_than,
    not_equal,
)

THIRD = ball(64).number("1/3")
ONE = THIRD * 3
HALF = cyclotomic(12).cos_pi(Fraction(1, 3))
ROOT = cyclotomic(12).cos_pi(Fraction(1, 6))
FOUR = Measured(4, seeds=(1,), clock="wall", machine="any")
MEAN = SampleMean(0.5, 0.1, 1e-9, 100)


@pytest.mark.parametrize(
    ("comparison", "outcome", "evidence"),
    [
        (at_most(1, 1), "holds", "exact"),
        (at_most(2, 1), "fails", "exact"),
        (less_than(1, 1), "fails", "exact"),
        (less_than(Fraction(1, 3), EXACT.number("1/2")), "holds", "exact"),
        (at_least(1, 2), "fails", "exact"),
        (at_least(2, 2), "holds", "exact"),
        (greater_than(2, 2), "fails", "exact"),
        (greater_than(np.int64(3), 2), "holds", "exact"),
        (at_most(HALF, Fraction(1, 2)), "holds", "exact"),
        (less_than(HALF, Fraction(1, 2)), "fails", "exact"),
        (less_than(Fraction(86602, 100000), ROOT), "holds", "exact"),
        (equal(HALF, Fraction(1, 2)), "holds", "exact"),
        (equal(ROOT * ROOT, Fraction(3, 4)), "holds", "exact"),
        (equal(1, 2), "fails", "exact"),
        (not_equal(1, 2), "holds", "exact"),
        (not_equal(2, 2), "fails", "exact"),
        (equal(Modular(3, 7), 10), "holds", "exact"),
        (not_equal(Modular(3, 7), 11), "holds", "exact"),
        (at_most(THIRD, 1), "holds", "enclosed"),
        (at_most(THIRD, Fraction(1, 4)), "fails", "enclosed"),
        (at_most(ONE, 1), "undecided", "enclosed"),
        (less_than(ONE, 1), "undecided", "enclosed"),
        (at_most(ONE, ONE), "undecided", "enclosed"),
        (at_most(THIRD, ROOT), "holds", "enclosed"),
        (equal(ONE, 1), "undecided", "enclosed"),
        (equal(THIRD, 1), "fails", "enclosed"),
        (not_equal(THIRD, 1), "holds", "enclosed"),
        (not_equal(ONE, 1), "undecided", "enclosed"),
        (equal(ball(64).number(3), ball(64).number(3)), "holds", "enclosed"),
        (equal(complex_ball(64).number(3), 3), "holds", "enclosed"),
        (equal(complex_ball(64).number("1/3") * 3, 1), "undecided", "enclosed"),
        (not_equal(complex_ball(64).number(3), 2), "holds", "enclosed"),
        (at_most(0.5, 1), "holds", "numeric"),
        (at_most(1.5, 1), "fails", "numeric"),
        (at_most(THIRD, 0.5), "holds", "numeric"),
        (at_most(mpmath.mpf("-0.5"), -0.25), "holds", "numeric"),
        (not_equal(1.0, 2.0), "holds", "numeric"),
        (not_equal(0.1 + 0.2, 0.3), "undecided", "numeric"),
        (not_equal(1.0, 1.0), "undecided", "numeric"),
        (at_most(MEAN, 1), "holds", "statistical"),
        (at_most(MEAN, Fraction(1, 3)), "fails", "statistical"),
        (at_most(MEAN, Fraction(11, 20)), "undecided", "statistical"),
        (equal(MEAN, 2), "fails", "statistical"),
        (equal(MEAN, 0), "fails", "statistical"),
        (equal(MEAN, Fraction(1, 2)), "undecided", "statistical"),
        (at_most(Measured(0.25, seeds=(1,), clock="wall", machine="any"), 1), "holds", "measured"),
        (equal(FOUR, 5), "fails", "measured"),
        (equal(FOUR, 4), "holds", "measured"),
        (not_equal(Measured(4.0, seeds=(1,), clock="wall", machine="any"), 4), "undecided", "measured"),
        (
            equal(Measured(4, seeds=(1,), clock="wall", machine="any"), SampleMean(4, 0, 0.1, 1)),
            "undecided",
            "measured",
        ),
    ],
    ids=str,
)
def test_outcome_and_evidence(comparison: Any, outcome: str, evidence: str) -> None:
    assert (str(comparison.outcome), str(comparison.evidence)) == (outcome, evidence)
    assert bool(comparison.detail) == (outcome == "undecided")


@pytest.mark.parametrize(
    ("comparison", "outcome"),
    [
        (at_most(LowerBound(5), 3), "fails"),
        (at_most(LowerBound(2), 3), "undecided"),
        (at_most(LowerBound(-(10**9)), 3), "undecided"),
        (at_most(UpperBound(3), 3), "holds"),
        (at_most(UpperBound(4), 3), "undecided"),
        (at_least(LowerBound(3), 3), "holds"),
        (at_least(UpperBound(2), 3), "fails"),
        (at_least(UpperBound(9), 3), "undecided"),
        (less_than(UpperBound(3), 3), "undecided"),
        (greater_than(LowerBound(4), 3), "holds"),
        (at_most(2, LowerBound(3)), "holds"),
        (at_most(2, UpperBound(1)), "fails"),
        (at_most(2, UpperBound(9)), "undecided"),
        (equal(LowerBound(3), 3), "undecided"),
        (equal(LowerBound(4), 3), "fails"),
        (not_equal(UpperBound(2), 3), "holds"),
        (at_most(LowerBound(THIRD), Fraction(1, 4)), "fails"),
        (at_most(LowerBound(5), UpperBound(3)), "fails"),
        (at_most(UpperBound(3), LowerBound(5)), "holds"),
        (close(LowerBound(5), 3, 1), "fails"),
        (close(LowerBound(3), 3, 1), "undecided"),
    ],
    ids=str,
)
def test_a_one_sided_bound_settles_only_its_side(comparison: Any, outcome: str) -> None:
    assert comparison.outcome == outcome


@pytest.mark.parametrize("margin", [0.0, 2.0**-52, 2.0**-40, 2.0**-27])
def test_rounding_never_refutes(margin: float) -> None:
    for outcome in (
        at_most(1 + margin, 1.0).outcome,
        at_least(1.0, 1 + margin).outcome,
    ):
        assert outcome == ("holds" if margin == 0 else "undecided")
    assert less_than(1 + margin, 1.0).outcome == "undecided"
    assert greater_than(1.0, 1 + margin).outcome == "undecided"


def test_a_violation_beyond_rounding_refutes_in_floating_point() -> None:
    violated = at_most(1 + 2.0**-24, 1.0)
    assert (violated.outcome, str(violated.evidence)) == ("fails", "numeric")
    assert at_most(1e-300, 1e-301).outcome == "fails"


@pytest.mark.parametrize(
    "sides", [(math.nan, 1), (1, math.nan), (math.inf, 1), (1, math.inf), (1, -math.inf), (np.float64("nan"), 1)]
)
@pytest.mark.parametrize("compare", [at_most, at_least, less_than, greater_than, not_equal])
def test_what_is_not_finite_is_an_error_on_either_side(sides: tuple[Any, Any], compare: Any) -> None:
    with pytest.raises(ValueError, match="not finite"):
        compare(*sides)


def test_infinite_balls_bounds_and_complex_numbers_are_errors() -> None:
    wide = (ball(64).number(10**9) ** 10**9).exp()
    assert not wide.is_finite
    for bad in (wide, LowerBound(wide), mpmath.mpf("nan"), SampleMean(math.inf, 0.1, 1e-9, 3)):
        with pytest.raises(ValueError, match="not finite"):
            at_most(bad, 1)
    with pytest.raises(ValueError, match="not finite"):
        close(complex("nan"), 1, 1)


def test_equal_refuses_floats_and_names_close() -> None:
    for one, other in ((0.5, 0.5), (1, 1.0), (0.5j, 1), (mpmath.mpf(1), 1), (LowerBound(0.5), 1), (THIRD, 0.5)):
        with pytest.raises(TypeError, match="close"):
            equal(one, other)


def test_order_needs_real_numbers() -> None:
    for bad in (1j, Modular(3, 7), complex_ball(64).number(1), cyclotomic(12).root_of_unity(Fraction(1, 3))):
        with pytest.raises(TypeError, match="no order"):
            at_most(bad, 1)


@pytest.mark.parametrize(
    ("comparison", "outcome", "evidence"),
    [
        (close(0.1 + 0.2, 0.3, 1e-9), "holds", "numeric"),
        (close(0.1, 0.3, 1e-9), "fails", "numeric"),
        (close(1.0, 1.0 + 2.0**-40, 0), "undecided", "numeric"),
        (close(1j, 1.0000001j, "1e-3"), "holds", "numeric"),
        (close(1j, 1, "1"), "fails", "numeric"),
        (close(Fraction(1, 3), Fraction(1, 2), "1/6"), "holds", "exact"),
        (close(Fraction(1, 3), Fraction(1, 2), "1/7"), "fails", "exact"),
        (close(THIRD, 1, Fraction(2, 3)), "undecided", "enclosed"),
        (close(THIRD, 1, 1), "holds", "enclosed"),
        (close(THIRD, 1, 0.5), "fails", "numeric"),
        (close(complex_ball(64).number("1/3"), 1, 1), "holds", "enclosed"),
    ],
    ids=str,
)
def test_close(comparison: Any, outcome: str, evidence: str) -> None:
    assert (str(comparison.outcome), str(comparison.evidence)) == (outcome, evidence)


def test_close_refuses_a_negative_tolerance() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        close(1.0, 1.0, -1e-9)


def test_a_comparison_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        assert at_most(1, 2)


def test_ratios_follow_the_direction_of_the_inequality() -> None:
    assert at_most(1, 4).ratio == Fraction(1, 4)
    assert at_least(4, 1).ratio == Fraction(1, 4)
    assert less_than(3, 2).ratio == Fraction(3, 2)
    assert at_most(HALF, 1).ratio == Fraction(1, 2)
    assert at_most(HALF, Fraction(1, 2)).ratio == 1
    assert equal(1, 2).ratio is None
    assert at_most(-1, 0).ratio is None
    assert at_most(-2, -1).ratio is None
    assert at_most(LowerBound(1), 2).ratio is None
    upper = at_most(THIRD, 1).ratio
    assert upper is not None
    assert Fraction(1, 3) < upper < Fraction(1, 3) + Fraction(1, 2**60)


def test_an_algebraic_ratio_keeps_its_side_of_one() -> None:
    tight = 1 - Fraction(1, 10**60)
    below = at_most(ROOT * tight, ROOT).ratio
    above = at_most(ROOT, ROOT * tight).ratio
    assert below is not None
    assert above is not None
    assert below < 1 < above


def test_an_algebraic_bound_close_to_zero_has_a_ratio() -> None:
    root = Fraction(math.isqrt(3 * 10**160), 2 * 10**80)
    tiny = ROOT - root
    assert 0 < tiny < Fraction(1, 10**79)
    ratio = at_most(tiny / 2, tiny).ratio
    assert ratio is not None
    assert abs(ratio - Fraction(1, 2)) < Fraction(1, 10**20)


def test_sides_are_printed_exactly() -> None:
    assert at_most(Fraction(7, 3), 2).sides_text == ("7/3", "2")
    assert at_most(0.1, 2).sides_text == ("0.1", "2")
    assert at_most(LowerBound(7), 2).sides_text == ("≥ 7", "2")
    assert len(at_most(10**5000, 1).sides_text[0]) > 4000


@given(st.fractions(), st.integers(2, 200))
def test_the_printed_interval_contains_the_ball(number: Fraction, bits: int) -> None:
    enclosure = Ball(number, bits) / 3
    text = at_most(enclosure, 0).sides_text[0]
    if text.startswith("["):
        low, high = (Fraction(end) for end in text[1:-1].split(", "))
        assert low <= enclosure.lower.fraction <= enclosure.upper.fraction <= high
        assert high - low <= 100 * (enclosure.upper - enclosure.lower).fraction + abs(number) * Fraction(1, 10**25)
    else:
        assert Fraction(text) == enclosure.mid.fraction


def test_an_outcome_cannot_be_stated() -> None:
    with pytest.raises(TypeError, match="decided, not stated"):
        Comparison("at_most", 2, 1, "", Outcome.HOLDS, Evidence.EXACT)
    failed = at_most(2, 1)
    with pytest.raises(TypeError, match="decided, not stated"):
        dataclasses.replace(failed, outcome=Outcome.HOLDS)
    assert failed.labelled("again").outcome == "fails"
