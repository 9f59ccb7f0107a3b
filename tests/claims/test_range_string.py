from __future__ import annotations

import pytest

from codedtheory.claims.range_string import parse_range


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2 <= n <= 5", [2, 3, 4, 5]),
        ("2 < n <= 5", [3, 4, 5]),
        ("2 <= n < 5", [2, 3, 4]),
        ("2 < n < 5", [3, 4]),
        ("N - 2 <= n <= 2 * N - 4", [2, 3, 4]),
        ("5 <= n <= 4", []),
        ("n in subsets(3, 2)", [(0, 1), (0, 2), (1, 2)]),
        ("n in subsets(N, 0)", [()]),
        ("n in subsets(N, N + 1)", []),
        ("n in subsets(N, -1)", []),
    ],
)
def test_values_in_order(text: str, values: list[object]) -> None:
    assert list(parse_range(text, {"N": "number"}).values({"N": 4})) == values


@pytest.mark.parametrize(
    "text",
    [
        "n",
        "2 <= n",
        "n <= 2",
        "5 >= n >= 2",
        "2 <= n <= 5 <= 9",
        "2 <= n + 1 <= 5",
        "2 == n <= 5",
        "n in range(3)",
        "n in subsets(3)",
        "n in subsets(3, k=2)",
        "2 <= n <= open('x')",
        "n in (1, 2)",
        "2 <= n <= 3; import os",
        "",
    ],
)
def test_malformed_ranges_are_named(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_range(text, {})
    assert repr(text) in str(caught.value)
    assert "column" in str(caught.value)


def test_a_name_is_declared_once_and_not_reserved() -> None:
    with pytest.raises(ValueError, match="twice"):
        parse_range("2 <= N <= 5", {"N": "number"})
    for name in ("rng", "sample", "comb"):
        with pytest.raises(ValueError, match="reserved"):
            parse_range(f"2 <= {name} <= 5", {})


def test_bounds_use_only_numbers_declared_before() -> None:
    with pytest.raises(ValueError, match="unknown name 's'"):
        parse_range("0 <= N < s", {})
    with pytest.raises(ValueError, match="subset"):
        parse_range("0 <= N < S", {"S": "subset"})
