"""Symbols carry the assumptions that their makers name."""

from __future__ import annotations

import pytest

from codedtheory.claims import at_least, greater_than
from codedtheory.claims.decision import Outcome
from codedtheory.claims.symbols import arbitrary, integers, nonnegative, positive


def test_one_symbol_a_name() -> None:
    assert [str(s) for s in positive("a b:3")] == ["a", "b0", "b1", "b2"]
    assert len(arbitrary("x")) == 1


@pytest.mark.parametrize(
    ("make", "strictly", "weakly"),
    [
        (positive, Outcome.HOLDS, Outcome.HOLDS),
        (integers, Outcome.HOLDS, Outcome.HOLDS),
        (nonnegative, Outcome.FAILS, Outcome.HOLDS),
        (arbitrary, Outcome.FAILS, Outcome.FAILS),
    ],
)
def test_assumptions_decide_signs(make: object, strictly: Outcome, weakly: Outcome) -> None:
    (x,) = make("x")
    assert greater_than(x, 0).outcome == strictly
    assert at_least(x, 0).outcome == weakly
