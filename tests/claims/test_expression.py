from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.claims.expression import parse_condition, parse_number

NUMBERS = {"N": "number", "s": "number"}
EVERYTHING = {**NUMBERS, "S": "subset", "rule": "text"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N + 2 * s - 1", 12),
        ("-N // 4", -2),
        ("N % 4", 3),
        ("2 ** s", 8),
        ("comb(N, s)", 35),
        ("gcd(N, 14) + max(N, s) - min(N, s)", 11),
        ("abs(s - N)", 4),
        ("(N - s) * (N + s)", 40),
    ],
)
def test_arithmetic_is_that_of_integers(text: str, value: int) -> None:
    assert parse_number(text, NUMBERS).value({"N": 7, "s": 3}) == value


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 20))
def test_agrees_with_python(n: int, s: int, m: int) -> None:
    found = parse_number("(N * s - N) % (m + 1) + N // m", {**NUMBERS, "m": "number"})
    assert found.value({"N": n, "s": s, "m": m}) == (n * s - n) % (m + 1) + n // m


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("(N - s) % 2 == 0 and N > s", True),
        ("not N > s or s == 0", False),
        ("0 in S", True),
        ("s not in S", False),
        ("max(S) < N and len(S) == 2", True),
        ("rule == 'berrut'", True),
        ("N in (3, 5)", False),
    ],
)
def test_conditions(text: str, truth: bool) -> None:
    at = {"N": 7, "s": 3, "S": (0, 3), "rule": "berrut"}
    assert all(part.value(at) for part in parse_condition(text, EVERYTHING)) is truth


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("N + * s", 5, "invalid syntax"),
        ("N + M", 5, "unknown name 'M'"),
        ("N / 2", 1, "use '//'"),
        ("N + 0.5", 5, "is a float"),
        ("N + True", 5, "not integers"),
        ("__import__('os')", 1, "the functions are"),
        ("N.real", 1, "not allowed"),
        ("(lambda: N)()", 1, "the functions are"),
        ("[N for N in S]", 1, "not allowed"),
        ("N if s else 3", 1, "not allowed"),
        ("comb(N)", 1, "comb takes 2"),
        ("min(N, key=abs)", 1, "the functions are"),
        ("N & 3", 1, "use only"),
        ("S + 1", 1, "is a subset"),
        ("len(N)", 5, "expected a subset"),
    ],
)
def test_what_is_not_on_the_whitelist_is_refused_with_its_position(text: str, column: int, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_number(text, EVERYTHING)
    assert repr(text) in str(caught.value)
    assert f"column {column}:" in str(caught.value)
    assert reason in str(caught.value)


@pytest.mark.parametrize("text", ["N", "N + 1", "rule == 3", "N < 'a'", "S < 3", "not N"])
def test_conditions_must_be_conditions(text: str) -> None:
    with pytest.raises(ValueError, match="column"):
        parse_condition(text, EVERYTHING)


@pytest.mark.parametrize("text", ["N % s", "N // s", "2 ** (s - 1)", "2 ** 10**9", "comb(10**9, 5)"])
def test_evaluation_errors_name_the_expression_and_the_instance(text: str) -> None:
    with pytest.raises(ValueError, match=r"at (N=1, s=0|s=0|no parameters)"):
        parse_number(text, NUMBERS).value({"N": 1, "s": 0})


def test_deeply_nested_text_is_an_error_not_a_crash() -> None:
    with pytest.raises(ValueError, match="column"):
        parse_number("(" * 5000 + "1" + ")" * 5000, {})


@given(st.integers(0, 12), st.integers(-2, 14))
def test_comb_is_zero_outside_its_range(n: int, k: int) -> None:
    expected = math.comb(n, k) if 0 <= k <= n else 0
    assert parse_number("comb(N, s)", NUMBERS).value({"N": n, "s": k}) == expected
