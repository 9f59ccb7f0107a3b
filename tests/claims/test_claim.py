from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from codedtheory.claims import at_most, check, claim, derived, equal, published, samples, sweep
from codedtheory.claims.claim import claims_declared_in

PROOF = derived("induction")


def declare(**options: Any) -> Any:
    settings = {"statement": "x", "source": PROOF, "over": sweep("0 <= n <= 3")} | options
    return claim("t.one", **settings)


def test_a_claim_is_its_body_and_its_record() -> None:
    @claim(
        "t.record",
        statement=r"n \le n^2",
        source=published("Peano 1889", wording="recalled", arxiv="0000.00000", place="Axiom 5"),
        over=sweep("1 <= n <= 3"),
        hypotheses="n is an integer",
        cost="n ** 2",
    )
    def record(n):
        """Squares grow.

        More about it.
        """
        return at_most(n, n**2)

    assert record.title == "Squares grow."
    assert record.id == "t.record"
    assert str(record.source) == "Peano 1889, Axiom 5, arXiv:0000.00000"
    assert record.source.wording == "recalled"
    assert record(n=3).rhs == 9
    assert record.compare(n=2)[0].lhs == 2
    assert [record.work({"n": n}) for n in (1, 3)] == [1, 9]
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.id = "other"


@pytest.mark.parametrize("bad", ["", "a b", ".a", "a..b", "a.", None])
def test_ids_are_dotted_words(bad: Any) -> None:
    with pytest.raises(ValueError, match="dotted words"):
        claim(bad, statement="x", source=PROOF)


def test_a_claim_that_is_declared_wrongly_is_refused() -> None:
    def body(n):
        """Return nothing."""

    with pytest.raises(TypeError, match="published"):
        declare(source="Peano 1889")
    with pytest.raises(ValueError, match="'holds' or 'fails'"):
        declare(expected="undecided")
    with pytest.raises(TypeError, match="sweep"):
        declare(over="1 <= n <= 3")
    with pytest.raises(ValueError, match="make them agree"):
        declare(over=sweep("0 <= m <= 3"))(body)
    with pytest.raises(ValueError, match="make them agree"):
        declare(over=None)(body)
    with pytest.raises(ValueError, match="unknown name 'm'"):
        declare(cost="m")(body)
    with pytest.raises(TypeError, match="must be a function"):
        declare(title="x")(len)
    with pytest.raises(ValueError, match="title"):
        declare()(lambda n: at_most(n, 3))
    with pytest.raises(ValueError, match="wording"):
        published("Peano 1889", wording="derived")
    with pytest.raises(ValueError, match="non-empty"):
        derived(" ")


def test_a_claim_whose_name_is_reused_is_still_found() -> None:
    namespace: dict[str, Any] = {}
    source = """
from codedtheory.claims import claim, derived, equal
for k in (1, 2):
    @claim(f"t.loop{k}", statement="x", source=derived("x"), title="x")
    def same():
        return equal(1, 1)
"""
    exec(source, namespace)
    assert [found.id for found in claims_declared_in(namespace)] == ["t.loop1", "t.loop2"]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "returned None"),
        (True, "returned True"),
        (1.0, "returned 1.0"),
        ("holds", "returned 'holds'"),
        ([], "no comparison at all"),
        ((), "no comparison at all"),
        ([True], "returned True among"),
        ([at_most(1, 2), None], "returned None among"),
    ],
)
def test_a_body_that_does_not_compare_is_an_error(result: Any, message: str) -> None:
    verdict = check(declare(title="x")(lambda n: result))
    assert verdict.verdict == "error"
    assert verdict.evidence is None
    assert message in verdict.detail
    assert verdict.detail.startswith("n=0: TypeError")


def test_a_generator_that_yields_nothing_is_an_error() -> None:
    @declare(title="x")
    def body(n):
        if n > 10:
            yield at_most(n, 10)

    assert "no comparison at all" in check(body).detail


def test_samples_are_compared_by_number() -> None:
    @claim("t.samples", statement="x", source=PROOF, over=samples(4, "3 <= n <= 9"))
    def drawn(n, rng):
        """Draw."""
        return at_most(int(rng.integers(n)), n)

    assert drawn.compare(sample=2)[0].lhs == drawn.compare(sample=2)[0].lhs
    with pytest.raises(ValueError, match="not checked over samples"):
        declare(title="x")(lambda n: equal(n, n)).compare(sample=2)

    @claim("t.no_rng", statement="x", source=PROOF, over=samples(4, "3 <= n <= 9"))
    def without(n):
        """Draw only a parameter."""
        return at_most(n, 9)

    assert check(without).instances == 4
