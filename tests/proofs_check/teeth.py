"""Every claim needs a corrupted twin that is judged the other way, and a left-hand side known from elsewhere."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from codedtheory.arithmetic import Ball, ComplexBall, LowerBound, RigorousNumber, UpperBound
from codedtheory.claims import Claim, Measured, SampleMean, check

OTHER = {"holds": "fails", "fails": "holds"}


class Teeth:
    """The twins and pins of the claims of one catalogue module.

    A twin is a function ``(claim, patch) -> claim``. It corrupts what the claim *computes*, by
    ``patch.setattr`` on a name that the claim's module uses or by returning the claim with another
    body, and the corrupted claim must then be judged the other way: `fails` where the claim is expected to
    hold, `holds` where it is expected to fail.

    A pin is a function ``() -> value`` that computes the left-hand side of one comparison of one
    instance by independent means (a published table, a closed form, brute force over `fractions`).
    """

    def __init__(self, module: str) -> None:
        self.module = importlib.import_module(module)
        self.claims = {x.id: x for x in vars(self.module).values() if isinstance(x, Claim)}
        self.twins: dict[str, list[tuple[Callable[..., Claim], str]]] = {}
        self.pins: dict[str, list[tuple[Callable[[], Any], int, float, dict[str, Any]]]] = {}

    def twin(self, claim_id: str, effort: str = "quick") -> Callable[[Callable[..., Claim]], Callable[..., Claim]]:
        """Register a corrupted twin."""

        def register(corrupt: Callable[..., Claim]) -> Callable[..., Claim]:
            self.twins.setdefault(claim_id, []).append((corrupt, effort))
            return corrupt

        return register

    def pin(self, claim_id: str, comparison: int = 0, within: float = 1e-12, **params: Any) -> Callable[..., Any]:
        """Register the expected left-hand side of a comparison; `within` is the relative error of what is expected."""

        def register(expected: Callable[[], Any]) -> Callable[[], Any]:
            self.pins.setdefault(claim_id, []).append((expected, comparison, within, params))
            return expected

        return register

    def tests(self) -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
        """Return the three tests to bind in the test module."""
        twins = [(i, c, e) for i, entries in self.twins.items() for c, e in entries]
        pins = [(i, *entry) for i, entries in self.pins.items() for entry in entries]

        @pytest.mark.parametrize(
            ("claim_id", "corrupt", "effort"), twins, ids=[f"{i}-{c.__name__}" for i, c, _ in twins]
        )
        def test_twin(claim_id: str, corrupt: Callable[..., Claim], effort: str, monkeypatch: Any) -> None:
            claim = self.claims[claim_id]
            verdict = check(corrupt(claim, monkeypatch), effort=effort)
            assert verdict.verdict == OTHER[claim.expected], verdict

        @pytest.mark.parametrize(("claim_id", "expected", "comparison", "within", "params"), pins)
        def test_pin(claim_id: str, expected: Any, comparison: int, within: float, params: dict[str, Any]) -> None:
            lhs = self.claims[claim_id].compare(**params)[comparison].lhs
            assert agrees(lhs, expected(), within), f"{lhs} is not {expected()}"

        def test_every_claim_has_teeth() -> None:
            assert set(self.claims) == set(self.twins) == set(self.pins)

        return test_twin, test_pin, test_every_claim_has_teeth


def agrees(lhs: Any, expected: Any, within: float) -> bool:
    """Whether a computed side is the expected value: equal if exact, containing it if a ball, close if a float."""
    if isinstance(lhs, (LowerBound, UpperBound, Measured)):
        return agrees(lhs.value, expected, within)
    if isinstance(lhs, SampleMean):
        return agrees(lhs.mean, expected, within)
    if isinstance(lhs, (Ball, ComplexBall)):
        if isinstance(expected, float):
            from codedtheory.arithmetic import approximate

            return abs(approximate(lhs) - expected) <= within * max(1.0, abs(expected))
        return lhs.contains(expected)
    if isinstance(lhs, (RigorousNumber, int, Fraction)) and not isinstance(expected, float):
        return bool(lhs == expected)
    if hasattr(lhs, "free_symbols"):
        import sympy

        return bool(sympy.expand(sympy.together(lhs - expected)) == 0)
    from codedtheory.arithmetic import approximate

    return bool(abs(approximate(lhs) - float(expected)) <= within * max(1.0, abs(float(expected))))
