"""Inductions are made of a base and a step with symbols, and fail where either does."""

from __future__ import annotations

import pytest
import sympy

from codedtheory.claims import check, claim, derived, equal, less_than
from codedtheory.claims.induction import induction

n = sympy.Symbol("n")


def test_parts_are_labelled_in_order() -> None:
    found = induction(base=equal(1, 1), step=[equal(n, n, "first"), equal(2 * n, n + n)])
    assert [c.label for c in found] == ["base", "step, first", "step"]


def test_a_step_in_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="proves one case only"):
        induction(base=equal(1, 1), step=equal(4, 4))


def test_a_step_between_constants_is_refused() -> None:
    with pytest.raises(ValueError, match="proves one case only"):
        induction(base=equal(1, 1), step=equal(sympy.Integer(4), 4))


@pytest.mark.parametrize(("base", "step"), [([], [equal(n, n)]), ([equal(1, 1)], [])])
def test_neither_part_may_be_missing(base: list, step: list) -> None:
    with pytest.raises(ValueError, match="needs a base and a step"):
        induction(base, step)


def test_a_false_step_fails_the_claim() -> None:
    @claim("sum", statement="", source=derived("no"), title="the first n odd numbers sum to n squared plus n")
    def body():
        return induction(base=equal(sympy.Integer(0), 0), step=equal(n**2 + n + (2 * n + 1), (n + 1) ** 2 + (n + 1)))

    assert check(body).verdict == "fails"


def test_a_false_base_fails_the_claim() -> None:
    @claim("base", statement="", source=derived("no"), title="0 < 0")
    def body():
        return induction(base=less_than(0, 0), step=equal(n + 1, 1 + n))

    assert check(body).verdict == "fails"


def test_a_true_induction_is_universal() -> None:
    @claim("squares", statement="", source=derived("step by step"), title="odd numbers")
    def body():
        return induction(base=equal(sympy.Integer(1), 1), step=equal(n**2 + (2 * n + 1), (n + 1) ** 2))

    verdict = check(body)
    assert (verdict.verdict, verdict.coverage) == ("holds", "universal")
