from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from codedtheory.arithmetic import EXACT, LowerBound, Modular, UpperBound, ball, complex_ball, cyclotomic
from codedtheory.claims import Evidence, Measured, SampleMean, evidence_of
from codedtheory.claims.evidence import joint_evidence

x = sympy.Symbol("x")
TABLE = [
    (x + sympy.sqrt(2), "symbolic"),
    (sympy.Integer(3), "symbolic"),
    (0.5 * x, "numeric"),
    (3, "exact"),
    (10**400, "exact"),
    (np.int64(3), "exact"),
    (Fraction(1, 3), "exact"),
    (EXACT.number("1/3"), "exact"),
    (cyclotomic(12).cos_pi(Fraction(1, 6)), "exact"),
    (Modular(3, 7), "exact"),
    (ball(64).number("1/3"), "enclosed"),
    (complex_ball(64).number("1/3"), "enclosed"),
    (0.5, "numeric"),
    (np.float32(0.5), "numeric"),
    (0.5j, "numeric"),
    (np.complex128(0.5j), "numeric"),
    (mpmath.mpf("0.5"), "numeric"),
    (mpmath.mpc(0, 1), "numeric"),
    (SampleMean(0.5, 0.1, 1e-9, 100), "statistical"),
    (Measured(3, seeds=(1,), clock="wall", machine="any"), "measured"),
]


@pytest.mark.parametrize(("number", "name"), TABLE, ids=lambda value: str(value)[:20])
def test_the_type_tells_the_evidence(number: Any, name: str) -> None:
    assert str(evidence_of(number)) == name


@pytest.mark.parametrize(("number", "name"), TABLE, ids=lambda value: str(value)[:20])
def test_a_one_sided_bound_is_known_as_its_inside_is(number: Any, name: str) -> None:
    assert str(evidence_of(LowerBound(number))) == name
    assert str(evidence_of(UpperBound(number))) == name


@pytest.mark.parametrize(
    "thing",
    [
        True,
        np.bool_(True),
        None,
        "1/2",
        Decimal("0.5"),
        np.array([1]),
        [1],
        sympy.true,
        sympy.Eq(x, 1),
        ball(20).number("1/3") * 3 < 1,
        LowerBound(None),
    ],
    ids=lambda thing: repr(thing)[:20],
)
def test_what_is_no_number_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError, match="cannot compare"):
        evidence_of(thing)


def test_the_weakest_number_decides() -> None:
    assert joint_evidence(1, ball(64).number(2)) == Evidence.ENCLOSED
    assert joint_evidence(ball(64).number(2), 0.5) == Evidence.NUMERIC
    assert joint_evidence(SampleMean(0.5, 0.1, 1e-9, 100), 0.5) == Evidence.STATISTICAL
    assert joint_evidence(x, Fraction(1, 2)) == Evidence.SYMBOLIC
    assert joint_evidence(x, 0.5) == Evidence.NUMERIC


def test_importing_claims_imports_neither_sympy_nor_the_command_line() -> None:
    heavy = "{'sympy', 'typer', 'rich', 'scipy', 'networkx', 'mpmath'}"
    code = f"import sys, codedtheory.claims; print(sorted({heavy} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
