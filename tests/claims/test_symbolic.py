from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, ball
from codedtheory.claims import (
    at_least,
    at_most,
    check,
    claim,
    close,
    derived,
    equal,
    greater_than,
    less_than,
    not_equal,
    sweep,
)

x, y, z = sympy.symbols("x y z")
a, b = sympy.symbols("a b", nonnegative=True)
p, q = sympy.symbols("p q", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)
c, s = sympy.symbols("c s", real=True)
e = sympy.Symbol("e")
circle = [c**2 + s**2 - 1]


@pytest.mark.parametrize(
    "comparison",
    [
        equal((x + y) ** 2, x**2 + 2 * x * y + y**2),
        equal(1 / (x - y) - 1 / (x + y), 2 * y / (x**2 - y**2)),
        equal(sympy.sqrt(2) * sympy.sqrt(3) * x, sympy.sqrt(6) * x),
        equal((sympy.sqrt(2) + sympy.sqrt(3)) ** 2, 5 + 2 * sympy.sqrt(6)),
        equal((1 + sympy.I) ** 2, 2 * sympy.I),
        equal(x * sympy.pi - x * (sympy.pi + 1), -x),
        equal((sympy.sqrt(p) + 1) ** 2, p + 2 * sympy.sqrt(p) + 1),
        equal(2 ** (n + 1), 2 * 2**n),
        equal(c**4 + s**4, 1 - 2 * c**2 * s**2, modulo=circle),
        equal(e**7, e, modulo=[e**2 - 1]),
        equal(x - x, EXACT.number(0)),
        at_most(2 * a * b, (a + b) ** 2),
        at_most(0, (c - s) ** 2 + 2 * c * s),
        at_most(1 / (1 + a), 1),
        at_most(1 / (1 + p), 1 / p),
        at_least(sympy.sqrt(p) + 1, 1),
        at_least(sympy.pi * p + p, p),
        at_most(n, n**2),
        less_than(a, a + p),
        less_than(1 / (1 + p), 1),
        greater_than((p + q) ** 2, p**2 + q**2),
        not_equal(p + 1, 1),
        not_equal(-p, q),
    ],
    ids=str,
)
def test_proved(comparison: Any) -> None:
    assert (comparison.outcome, str(comparison.evidence)) == ("holds", "symbolic")


@pytest.mark.parametrize(
    ("comparison", "witness"),
    [
        (equal((x + y) ** 2, x**2 + 2 * x * y + y**3), {"x": "0", "y": "2"}),
        (equal(x * (x - 1) * (x - 2) * (2 * x - 1), 0), {"x": "3"}),
        (equal(1 / x, 1 / x**2), {"x": "2"}),
        (equal(n**2, n), {"n": "2"}),
        (equal(sympy.sqrt(2) * x, x), {"x": "1"}),
        (equal(sympy.sin(x), sympy.cos(x)), {"x": "0"}),
        (equal(c**4 + s**4, 1, modulo=circle), {"c": "3/5", "s": "4/5"}),
        (equal(e**3, 1, modulo=[e**2 - 1]), {"e": "-1"}),
        (at_most(a * b, a**2), {"a": "1", "b": "2"}),
        (at_most(p, 3), {"p": "4"}),
        (less_than(a, a + b), {"a": "0", "b": "0"}),
        (at_least(n, 2), {"n": "1"}),
        (at_most(1 / (p - 1), 1), {"p": "3/2"}),
        (not_equal(a + 1, 1), {"a": "0"}),
        (not_equal(x, x), {"x": "0"}),
        (not_equal(x**2, 9), {"x": "3"}),
    ],
    ids=str,
)
def test_refuted_at_a_point_that_satisfies_the_assumptions(comparison: Any, witness: dict[str, str]) -> None:
    assert (comparison.outcome, str(comparison.evidence)) == ("fails", "symbolic")
    assert comparison.witness == witness


@pytest.mark.parametrize(
    ("comparison", "knob"),
    [
        (equal(sympy.sin(x) ** 2 + sympy.cos(x) ** 2, 1), "modulo="),
        (equal(sympy.Sum(x, (y, 1, n)), n * x), "modulo="),
        (at_most(2 * a * b, a**2 + b**2), "substitute"),
        (at_most(x, x + 1), "declare the symbols"),
        (at_most(sympy.sqrt(2), Fraction(3, 2)), "codedtheory.arithmetic"),
        (not_equal(a**2, 2), "substitute"),
    ],
    ids=str,
)
def test_undecided_names_the_knob(comparison: Any, knob: str) -> None:
    assert comparison.outcome == "undecided"
    assert knob in comparison.detail


def test_hypotheses_are_the_assumptions_the_relations_and_the_denominators() -> None:
    found = equal(
        a * n / (1 - x) ** 2, n * a / (x - 1) ** 2 + (c**2 + s**2 - 1) / (p - x * p), modulo=circle
    ).hypotheses
    assert found == (
        "a nonnegative",
        "c real",
        "n positive integer",
        "p positive",
        "s real",
        "x arbitrary",
        "c**2 + s**2 - 1 = 0",
        "x - 1 ≠ 0",
    )


@pytest.mark.parametrize(
    "comparison",
    [
        equal((x**2 - x) / x, x - 1),
        equal(x * (1 - 1 / x), x - 1),
        equal(1 / (1 + 1 / x), x / (x + 1)),
        equal(x + x ** (-n), x ** (-n) + x),
        at_least((a**2 + a) / a, 1),
    ],
    ids=str,
)
def test_a_divisor_that_cancels_stays_a_hypothesis(comparison: Any) -> None:
    assert comparison.outcome == "holds"
    assert {"x ≠ 0", "a ≠ 0"} & set(comparison.hypotheses)


def test_relations_that_say_nothing_change_nothing() -> None:
    assert equal(x + y, y + x, modulo=[0, z - z]).outcome == "holds"
    assert equal(x, 2 * x, modulo=[0]).witness == {"x": "1"}
    # no real point satisfies this one, which is for the claim to notice
    assert equal(x, x + (c**2 + 1) * y, modulo=[c**2 + 1]).hypotheses[-1] == "c**2 + 1 = 0"


def test_an_index_of_a_sum_is_no_symbol_of_the_claim() -> None:
    harmonic = sympy.Sum(1 / x, (x, 1, n))
    assert equal(harmonic + y, y + harmonic).hypotheses == ("n positive integer", "y arbitrary")


@pytest.mark.parametrize(
    "comparison",
    [
        equal(1 / (1 + 1 / x), 1 + x),
        not_equal((x**2 - x) / x, x - 1),
        not_equal(c**2 + s**2, 1, modulo=circle),
        less_than((a**2 + a) / a, 1),
    ],
    ids=str,
)
def test_a_counterexample_is_a_point_at_which_both_sides_have_values(comparison: Any) -> None:
    assert comparison.outcome == "fails"
    assert comparison.witness.get("x") != "0"
    assert comparison.witness.get("a") != "0"
    if "c" in comparison.witness:
        assert Fraction(comparison.witness["c"]) ** 2 + Fraction(comparison.witness["s"]) ** 2 == 1


def test_a_pole_inside_an_expression_refutes_nothing() -> None:
    # SymPy evaluates 1/(1 + 1/x) to 0 at x = 0, where it has no value
    assert not_equal(1 / (1 + 1 / x), 0).outcome == "undecided"
    assert not_equal(x - x, 0, modulo=[x**2 - 2]).outcome == "undecided"


@pytest.mark.parametrize(
    ("relations", "side"),
    [([x - 1, x - 2], y), ([p], p), ([x * p, x - 1], y), ([x**2], 1 / x), ([x * y - 1, y], z), ([1], x)],
)
def test_relations_that_leave_no_point_prove_nothing(relations: list[Any], side: Any) -> None:
    with pytest.raises(ValueError, match=r"contradicts|identically zero"):
        equal(side, 2 * side, modulo=relations)


def test_what_cannot_be_an_exact_expression_is_refused() -> None:
    for other in (0.5 * x, 0.5, ball(64).number("1/3"), 1j):
        with pytest.raises(TypeError):
            equal(x, other)
        with pytest.raises(TypeError):
            at_most(a, other)
    with pytest.raises(TypeError, match="close does not"):
        close(x, 1, 1)
    with pytest.raises(TypeError, match="modulo"):
        equal(1, 1, modulo=[x])
    for infinite in (sympy.oo, sympy.nan, 1 + sympy.zoo):
        with pytest.raises(ValueError, match="not finite"):
            equal(infinite, x)
    with pytest.raises(ValueError, match="identically zero"):
        equal(1 / ((x + 1) ** 2 - x**2 - 2 * x - 1), x)


def test_constants_meet_floats_as_floats() -> None:
    compared = at_most(sympy.sqrt(2), 1.5)
    assert (compared.outcome, str(compared.evidence)) == ("holds", "numeric")
    assert str(at_most(sympy.Float("0.5"), 1).evidence) == "numeric"


def test_only_a_symbolic_proof_without_domain_is_universal() -> None:
    @claim("t.binomial", statement="(a+b)^2", source=derived("expand"))
    def binomial():
        """The square of a sum."""
        return equal((a + b) ** 2, a**2 + 2 * a * b + b**2)

    verdict = check(binomial)
    assert (verdict.verdict, verdict.evidence, verdict.coverage) == ("holds", "symbolic", "universal")
    assert verdict.scope == verdict.hypotheses == "a, b nonnegative"
    assert verdict.summary == "holds · symbolic · universal"
    assert "a, b nonnegative" in (verdict.hypotheses or "")
    assert verdict.tightness is None

    @claim("t.powers", statement="geometric", source=derived("telescope"), over=sweep("1 <= k <= 4"))
    def geometric(k):
        """A geometric sum."""
        return equal((x - 1) * sum(x**i for i in range(k)), x**k - 1)

    verdict = check(geometric)
    assert (verdict.evidence, verdict.coverage, verdict.instances) == ("symbolic", "exhaustive", 4)

    @claim("t.mixed", statement="mixed", source=derived("expand"))
    def mixed():
        """One symbolic and one exact comparison."""
        yield equal(x, x)
        yield equal(1, 1)

    assert (check(mixed).evidence, check(mixed).coverage) == ("exact", "exhaustive")


def test_a_symbolic_counterexample_names_the_symbols_and_both_sides() -> None:
    @claim("t.false", statement="false", source=derived("false"), over=sweep("1 <= k <= 4"), expected="fails")
    def false(k):
        """Powers are not linear."""
        return equal(p**k, k * p)

    verdict = check(false)
    assert verdict.counterexample == {"k": "2", "p": "1"}
    assert verdict.sides == ("1", "2")


polynomials = st.lists(st.integers(-3, 3), min_size=1, max_size=4)


@settings(max_examples=30)
@given(polynomials, polynomials)
def test_equality_of_polynomials_is_that_of_their_coefficients(one: list[int], other: list[int]) -> None:
    left = sum(k * x**i for i, k in enumerate(one)) + y - y
    right = sum(k * x**i for i, k in enumerate(other)) + 0 * x
    size = max(len(one), len(other))
    same = one + [0] * (size - len(one)) == other + [0] * (size - len(other))
    found = equal(sympy.sympify(left) * (y + 1), sympy.sympify(right) * (1 + y))
    assert found.outcome == ("holds" if same else "fails")


@settings(max_examples=30)
@given(polynomials, st.fractions(0, 20))
def test_a_proved_inequality_holds_at_every_point(coefficients: list[int], at: Fraction) -> None:
    value = sympy.sympify(sum(k * a**i for i, k in enumerate(coefficients)))
    found = at_least(value + a, 0)
    exact = sum(k * at**i for i, k in enumerate(coefficients)) + at
    if found.outcome == "holds":
        assert exact >= 0
    if found.outcome == "fails":
        point = Fraction(found.witness.get("a", "0"))
        assert sum(k * point**i for i, k in enumerate(coefficients)) + point < 0
