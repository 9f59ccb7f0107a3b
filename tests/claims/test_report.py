from __future__ import annotations

import json
from typing import Any

import pytest

from codedtheory.claims import at_most, check, claim, derived, sweep
from codedtheory.claims.json_report import KEYS, json_text
from codedtheory.claims.report import footer, table_text


def declared(name: str, bound: int, expected: str = "holds") -> Any:
    ranges = ("2 <= a_parameter <= 11", "0 <= another < a_parameter")
    domain = sweep(*ranges, where="(a_parameter - another) % 2 == 1")

    def body(a_parameter, another):
        """<b>Title</b> & more."""
        return at_most(a_parameter, bound)

    return claim(name, statement="a < b", source=derived("x"), over=domain, expected=expected)(body)


@pytest.fixture(scope="module")
def verdicts() -> Any:
    long = "a.very.long.identifier.of_a_claim_that_does_not_fit_into_its_column.at_all"
    return check([declared("t.true", 11), declared("t.false", 5), declared("t.known", 5, "fails"), declared(long, 4)])


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_table_keeps_its_width_and_shows_no_bare_tick(verdicts: Any, width: int) -> None:
    text = table_text(verdicts, width=width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "✓" not in text
    assert "\x1b" not in text
    assert "\x1b[" in table_text(verdicts, width=width, color=True)


def test_the_table_shows_evidence_coverage_and_what_was_expected(verdicts: Any) -> None:
    text = table_text(verdicts)
    first, second = text.splitlines()[1:3]
    assert first.split()[:6] == ["t.true", "holds", "·", "exact", "·", "exhaustive"]
    assert first.endswith(" 1")
    assert second.split() == ["0≤another<a_parameter,", "(a_parameter-another)%2=1", "(35)"]
    assert text.count("←") == 2
    assert "t.false: fails, expected holds" in text
    assert "counterexample: a_parameter=6, another=1" in text
    assert "t.known: fails" not in text
    assert text.splitlines()[-1].startswith("4 claims: 1 as expected hold, 1 as expected fail, 2 unexpectedly fail; ")


def test_an_empty_run_says_so() -> None:
    assert footer([]) == "0 claims: nothing checked; 0.0 s of computing"


def test_the_tightness_of_the_table_is_never_rounded_to_one() -> None:
    near = check(claim("t.near", statement="x", source=derived("x"), title="x")(lambda: at_most(10**9 - 1, 10**9)))
    assert " 0.999999999" in table_text([near])


def test_json_has_exactly_the_keys(verdicts: Any) -> None:
    records = json.loads(json_text(verdicts))
    assert [list(record) for record in records] == [list(KEYS)] * 4
    assert records[1]["counterexample"] == {"a_parameter": "6", "another": "1"}
    assert records[1]["instances"] == 35
    assert records[0]["counterexample"] is None
    assert records[0]["module"] == __name__


def test_html_is_escaped_and_a_list_is_one_table(verdicts: Any) -> None:
    html = verdicts._repr_html_()
    assert html.count("<table>") == 1
    assert html.count("<tr>") == 5
    assert "&lt;b&gt;Title&lt;/b&gt; &amp; more." in html
    assert "\\(a &lt; b\\)" in html
    assert "t.false" in verdicts[1]._repr_html_()


def test_verdicts_print_what_matters(verdicts: Any) -> None:
    text = str(verdicts[1])
    assert text.startswith("t.false: fails · exact · exhaustive ")
    assert "counterexample: a_parameter=6, another=1" in text
    assert "at_most with lhs = 6, rhs = 5" in text
    assert str(verdicts) == table_text(verdicts)
    assert not verdicts.as_expected
    assert verdicts[:1].as_expected


def test_unfinished_claims_are_counted_but_not_explained() -> None:
    def body(n):
        if n == 7:
            raise KeyboardInterrupt
        return at_most(n, 99)

    declared = claim("t.stop", statement="x", source=derived("x"), over=sweep("0 <= n <= 60"), title="x")(body)
    text = table_text(check([declared]))
    assert "undecided (7 of 61 done)" in text
    assert "reproduce" not in text
    assert "←" not in text
    assert text.splitlines()[-1].startswith("1 claim: 1 unfinished; ")
