import cmath
import math

import pytest
import sympy

from codedtheory.claims import Outcome, equal
from codedtheory.claims.angles import cosine, falling_sine, long_sine, long_tangent, short_sine, sine
from codedtheory.claims.symbols import arbitrary

PROOFS = (short_sine, long_sine, long_tangent, falling_sine)


@pytest.mark.parametrize("angle", [0.3, 1.1, 2.9])
def test_sine_and_cosine_of_a_turn(angle):
    (turn,) = arbitrary("x")
    at = {turn: cmath.exp(1j * angle)}
    assert complex(sine(turn).subs(at)) == pytest.approx(math.sin(angle), rel=1e-14)
    assert complex(cosine(turn).subs(at)) == pytest.approx(math.cos(angle), rel=1e-14)


def test_pythagoras_needs_no_relation():
    (turn,) = arbitrary("x")
    assert equal(sine(turn) ** 2 + cosine(turn) ** 2, 1).outcome is Outcome.HOLDS
    assert equal(sine(turn) ** 2 - cosine(turn) ** 2, 1).outcome is Outcome.FAILS


@pytest.mark.parametrize("proof", PROOFS)
def test_proofs_hold_and_begin_with_a_base(proof):
    comparisons = proof()
    assert {c.outcome for c in comparisons} == {Outcome.HOLDS}
    assert comparisons[0].label.startswith("base")
    assert any(c.label.startswith("step") for c in comparisons)


@pytest.mark.parametrize("proof", PROOFS)
def test_proofs_fail_without_the_signs(proof, monkeypatch):
    monkeypatch.setattr(
        "codedtheory.claims.angles.nonnegative", lambda names: sympy.symbols(names, seq=True, negative=True)
    )
    assert Outcome.FAILS in {c.outcome for c in proof()}


@pytest.mark.parametrize("m", range(1, 12))
def test_bounds_at_numbers(m):
    for a in (0.01, 0.1, 3.1 / (2 * m)):
        assert math.sin(m * a) <= m * math.sin(a) + 1e-15
        assert math.sin(m * a) >= m * math.sin(a) * (1 - 2 * (m * m - 1) * math.sin(a / 2) ** 2 / 3) - 1e-15
        assert math.tan(m * a) >= m * math.tan(a) - 1e-12
        assert math.sin(m * a / 2) / m >= math.sin((m + 1) * a / 2) / (m + 1) or (m + 1) * a > math.pi
