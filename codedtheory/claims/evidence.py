"""Evidence and coverage: how the numbers of a comparison are known, and how many instances were seen."""

from __future__ import annotations

import sys
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, ComplexBall, LowerBound, Modular, Rational, UpperBound
from codedtheory.claims.measured import Measured
from codedtheory.claims.statistical import SampleMean

__all__ = ["Coverage", "Evidence", "evidence_of", "is_mpmath", "is_symbolic", "joint_evidence"]


class Evidence(IntEnum):
    """How a number is known, from strongest to weakest; of several numbers the weakest decides.

    Examples
    --------
    >>> str(max(evidence_of(3), evidence_of(0.5)))
    'numeric'
    """

    SYMBOLIC = 0
    EXACT = 1
    ENCLOSED = 2
    NUMERIC = 3
    STATISTICAL = 4
    MEASURED = 5

    def __str__(self) -> str:
        return self.name.lower()


class Coverage(StrEnum):
    """Which instances a verdict speaks about."""

    UNIVERSAL = "universal"
    EXHAUSTIVE = "exhaustive"
    SAMPLED = "sampled"


_BY_TYPE: tuple[tuple[tuple[type, ...], Evidence], ...] = (
    ((int, np.integer, Fraction, Rational, Algebraic, Modular), Evidence.EXACT),
    ((Ball, ComplexBall), Evidence.ENCLOSED),
    ((float, np.floating, complex, np.complexfloating), Evidence.NUMERIC),
    ((SampleMean,), Evidence.STATISTICAL),
    ((Measured,), Evidence.MEASURED),
)


def is_symbolic(value: object) -> bool:
    """Tell whether ``value`` is a SymPy object, without importing SymPy."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


def is_mpmath(value: object) -> bool:
    """Tell whether ``value`` is an mpmath number, without importing mpmath."""
    mpmath = sys.modules.get("mpmath")
    return mpmath is not None and isinstance(value, mpmath.mpf | mpmath.mpc)


def evidence_of(value: Any) -> Evidence:
    """Return how ``value`` is known, which its type alone tells.

    Raises
    ------
    TypeError
        For truth values and for whatever is not a number.
    """
    if isinstance(value, LowerBound | UpperBound):
        return evidence_of(value.value)
    if not isinstance(value, bool | np.bool_):
        for types, evidence in _BY_TYPE:
            if isinstance(value, types):
                return evidence
        if is_mpmath(value):
            return Evidence.NUMERIC
        if is_symbolic(value):
            return _symbolic_evidence(value)
    raise TypeError(
        f"cannot compare {value!r} of type {type(value).__name__}: it is not a number; "
        "pass int, Fraction, a number of codedtheory.arithmetic, float, a SymPy expression, SampleMean or Measured"
    )


def joint_evidence(*values: Any) -> Evidence:
    """Return the evidence of a comparison of ``values``; exact numbers beside a symbolic one are its constants."""
    found = [evidence_of(value) for value in values]
    weakest = max(found)
    return Evidence.SYMBOLIC if weakest == Evidence.EXACT and Evidence.SYMBOLIC in found else weakest


def _symbolic_evidence(value: Any) -> Evidence:
    sympy = sys.modules["sympy"]
    if not isinstance(value, sympy.Expr):
        raise TypeError(f"cannot compare {value!r}: a SymPy {type(value).__name__} is not an expression")
    return Evidence.NUMERIC if value.has(sympy.Float) else Evidence.SYMBOLIC
