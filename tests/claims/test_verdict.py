"""Verdicts: computed from what was walked, and never stronger than it."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import LowerBound, PrecisionError, Undecided, UpperBound, ball
from codedtheory.claims import (
    Measured,
    SampleMean,
    at_least,
    at_most,
    check,
    claim,
    close,
    derived,
    equal,
    samples,
    sweep,
)
from codedtheory.claims.judgement import rounded_off_one


def judged(body: Any, over: Any = None, **options: Any) -> Any:
    return check(claim("t.one", statement="x", source=derived("x"), over=over, title="x", **options)(body))


NINE = sweep("0 <= n <= 9")


def test_holds_on_every_instance() -> None:
    verdict = judged(lambda n: at_most(n, 12), NINE)
    assert (verdict.verdict, verdict.evidence, verdict.coverage) == ("holds", "exact", "exhaustive")
    assert (verdict.instances, verdict.total, verdict.scope) == (10, 10, "0≤n≤9")
    assert (verdict.tightness, verdict.worst) == (0.75, {"n": "9"})
    assert (verdict.counterexample, verdict.sides, verdict.detail) == (None, None, "")
    assert verdict.as_expected


def test_the_counterexample_is_the_first_in_the_order_of_the_domain() -> None:
    verdict = judged(lambda n, s: at_most(Fraction(n, s + 1), 2), sweep("0 <= n <= 9", "0 <= s <= n"))
    assert (verdict.verdict, verdict.counterexample) == ("fails", {"n": "3", "s": "0"})
    assert verdict.sides == ("3", "2")
    assert (verdict.tightness, verdict.worst) == (4.5, {"n": "9", "s": "0"})
    assert "instances violate it" in verdict.detail
    assert not verdict.as_expected
    assert judged(lambda n: at_most(n, 5), NINE, expected="fails").as_expected


def test_of_several_comparisons_every_one_counts() -> None:
    verdict = judged(lambda n: [at_most(n, 12), at_least(n, 1, "positive"), at_most(n, 10)], NINE)
    assert (verdict.verdict, verdict.counterexample) == ("fails", {"n": "0"})
    assert "positive: at_least with lhs = 0, rhs = 1" in verdict.detail


def test_the_weakest_instance_decides_the_evidence_of_holds_and_the_violating_one_that_of_fails() -> None:
    third = ball(64).number("1/3")
    assert judged(lambda n: at_most(third if n == 4 else n, 12), NINE).evidence == "enclosed"
    assert judged(lambda n: at_most(0.5 if n == 4 else n, 12), NINE).evidence == "numeric"
    assert judged(lambda n: at_most(0.5 if n == 4 else n, 8), NINE).evidence == "exact"
    floating = judged(lambda n: at_most(float(n), 8), NINE)
    assert (floating.verdict, floating.evidence) == ("fails", "numeric")
    assert "floating point only" in floating.detail


def test_undecided_instances_leave_the_claim_undecided_and_name_the_knob() -> None:
    verdict = judged(lambda n: at_most(ball(20 + n).number("1/3") * 3, 1), NINE)
    assert (verdict.verdict, verdict.evidence) == ("undecided", "enclosed")
    assert "bits, now 20" in verdict.detail
    assert "10 of 10 instances are undecided" in verdict.detail


def test_a_precision_error_is_undecided() -> None:
    def body(n):
        if n == 7:
            raise PrecisionError("cannot separate the eigenvalues; raise bits above 64")
        return at_most(n, 12)

    verdict = judged(body, NINE)
    assert (verdict.verdict, verdict.instances) == ("undecided", 10)
    assert "n=7: cannot separate the eigenvalues; raise bits above 64" in verdict.detail
    silent = judged(lambda n: at_most(n, 12 if ball(20).number("1/3") * 3 < 1 else 13), NINE)
    assert silent.verdict == "undecided"


def test_a_lower_bound_cannot_confirm() -> None:
    assert judged(lambda n: at_most(LowerBound(n), 12), NINE).verdict == "undecided"
    assert judged(lambda n: at_most(LowerBound(n), 8), NINE).verdict == "fails"


def test_an_exception_is_an_error_that_names_type_message_and_instance() -> None:
    verdict = judged(lambda n: at_most(1 // (n - 4), 12), NINE)
    assert (verdict.verdict, verdict.instances) == ("error", 10)
    assert verdict.detail.startswith("n=4: ZeroDivisionError: integer division or modulo by zero")
    assert "1 of 10 instances raise" in verdict.detail


@pytest.mark.parametrize(
    "result",
    [
        lambda: at_most(math.nan, 1),
        lambda: at_most(1, math.inf),
        lambda: at_most(None, 1),
        lambda: at_most(True, 1),
        lambda: at_most(ball(20).number("1/3") * 3 <= 1, 1),
        lambda: equal(0.5, 0.5),
        lambda: Undecided("x"),
        lambda: sys.exit(0),
        lambda: at_most(1, 2) and at_most(2, 1),
    ],
)
def test_what_would_launder_a_number_is_an_error(result: Any) -> None:
    verdict = judged(lambda n: result(), NINE)
    assert (verdict.verdict, verdict.evidence) == ("error", None)


def test_an_error_outweighs_a_violation() -> None:
    assert judged(lambda n: at_most(1 // (n - 4), -10 if n == 1 else 12), NINE, expected="fails").verdict == "error"


def test_sampling_is_never_exact() -> None:
    for bound, verdict in ((30, "holds"), (20, "fails")):
        found = judged(lambda S, bound=bound: at_most(max(S), bound), samples(50, "S in subsets(30, 6)"))
        assert (found.verdict, found.evidence, found.coverage) == (verdict, "statistical", "sampled")
    assert found.summary == "fails · statistical · sampled S∈subsets(30, 6) (50)"
    assert found.counterexample is not None
    assert found.counterexample.keys() == {"S", "sample"}
    measured = judged(lambda rng: at_most(Measured(0.5, seeds=(1,), clock="wall", machine="any"), 1), samples(3))
    assert measured.evidence == "measured"


def test_a_measured_violation_is_confirmed_by_another_one() -> None:
    readings = iter([5.0, 4.0, 3.0, 0.5])

    def slow(n):
        return at_most(Measured(next(readings), seeds=(1,), clock="wall", machine="any"), 2)

    found = judged(slow, sweep("1 <= n <= 1"))
    assert (found.verdict, found.evidence, found.sides) == ("fails", "measured", ("5.0 (wall clock, 1 runs)", "2"))
    assert judged(slow, sweep("1 <= n <= 1")).verdict == "error"


def test_confidence_is_stated() -> None:
    def body(n):
        return at_most(SampleMean(0.5, 0.1, 1e-9, 100), 1)

    verdict = judged(body, NINE)
    assert (verdict.verdict, verdict.evidence) == ("holds", "statistical")
    assert "miss with probability at most 1e-08" in verdict.detail

    def half(n):
        return at_most(UpperBound(SampleMean(0.5, 0.1, 1e-9, 100)), 1)

    assert "miss with probability at most 1e-08" in judged(half, NINE).detail


def test_a_violation_that_does_not_come_back_is_an_error() -> None:
    calls = []

    def body(n):
        calls.append(n)
        return at_most(n, 5 if len(calls) < 11 else 12)

    verdict = judged(body, NINE)
    assert verdict.verdict == "error"
    assert "not confirmed when recomputed alone" in verdict.detail
    assert calls[10:] == [6]


def test_an_empty_domain_proves_nothing() -> None:
    verdict = judged(lambda n: at_most(n, 12), sweep("0 <= n <= 9", quick="n > 5", default="n > 9"))
    assert (verdict.verdict, verdict.total) == ("error", 0)
    assert "proves nothing" in verdict.detail


def test_a_domain_that_cannot_be_walked_is_an_error() -> None:
    verdict = judged(lambda n: at_most(n, 12), sweep("0 <= n <= 9", where="3 // n > 0"))
    assert verdict.verdict == "error"
    assert "'3 // n > 0' at n=0" in verdict.detail


def test_a_body_that_leaves_the_precision_changed_is_an_error() -> None:
    before = flint.ctx.prec

    def body(n):
        flint.ctx.prec = 77
        return at_most(n, 12)

    try:
        verdict = judged(body, sweep("0 <= n <= 0"))
        assert verdict.verdict == "error"
        assert "77 bits" in verdict.detail
        assert flint.ctx.prec == before
    finally:
        flint.ctx.prec = before


def test_one_instance_without_parameters() -> None:
    verdict = judged(lambda: equal(1, 1))
    assert verdict.summary == "holds · exact · exhaustive (1)"
    assert judged(lambda: close(0.1, 0.1, "1e-9")).summary == "holds · numeric · exhaustive (1)"
    assert judged(lambda: equal(1, 2)).counterexample == {}


@given(st.fractions(min_value=0, max_value=10**6))
def test_rounding_never_crosses_one(ratio: Fraction) -> None:
    for close_to_one in (ratio, 1 - ratio / 10**20, 1 + ratio / 10**20):
        rounded = rounded_off_one(close_to_one)
        assert (rounded < 1, rounded > 1) == (close_to_one < 1, close_to_one > 1)
        assert abs(Fraction(rounded) - close_to_one) <= abs(close_to_one) * Fraction(1, 1999) + Fraction(1, 2**52)


def test_ratios_beyond_floats_stay_finite() -> None:
    assert rounded_off_one(Fraction(10**400)) == pytest.approx(1.797e308, rel=1e-3)
    assert rounded_off_one(Fraction(-(10**400))) == pytest.approx(-1.797e308, rel=1e-3)
