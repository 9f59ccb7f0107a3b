import math

import pytest
import sympy

from codedtheory.claims import Outcome
from codedtheory.claims.logarithms import half_harmonic_above, harmonic_below_double, later_harmonic_below

PROOFS = (harmonic_below_double, later_harmonic_below, half_harmonic_above)


@pytest.mark.parametrize("proof", PROOFS)
def test_proofs_hold_and_begin_with_a_base(proof):
    comparisons = proof()
    assert {c.outcome for c in comparisons} == {Outcome.HOLDS}
    assert comparisons[0].label.startswith("base")
    assert any(c.label.startswith("step") for c in comparisons)


@pytest.mark.parametrize("proof", PROOFS)
def test_proofs_fail_without_the_signs(proof, monkeypatch):
    monkeypatch.setattr(
        "codedtheory.claims.logarithms.nonnegative", lambda names: sympy.symbols(names, seq=True, negative=True)
    )
    assert Outcome.FAILS in {c.outcome for c in proof()}


@pytest.mark.parametrize("m", range(1, 40))
def test_bounds_at_numbers(m):
    harmonic = sum(1 / k for k in range(1, m + 1))
    assert harmonic <= math.log(2 * m + 1)
    assert harmonic - 1 <= math.log(m) + 1e-15
    for a in range(1, m + 1):
        total = sum(1 / (k - 0.5) for k in range(a, m + 1))
        assert total >= math.log((m + 0.5) / (a - 0.5))
    assert sum(1 / (2 * k - 1) for k in range(1, m + 1)) >= math.log(2 * m + 1) / 2


@pytest.mark.parametrize("y", [0.0, 0.1, 0.5, 0.9])
def test_the_two_facts_about_logarithms(y):
    assert math.log1p(y) <= y
    assert math.log1p(-y) <= -y
    assert math.log1p(y) - math.log1p(-y) >= 2 * y
