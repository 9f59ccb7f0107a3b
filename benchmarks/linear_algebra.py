"""Exact and certified linear algebra of ill-conditioned matrices against SymPy and mpmath."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import numpy as np

from codedtheory.arithmetic import EXACT, condition_number, solve

from .contest import Contest, seconds

SIZE = 60

# In its own process, because SymPy chooses its ground types when it is imported.
_SYMPY_SOLVE = """
import time
from sympy import QQ, sympify
from sympy.external.gmpy import GROUND_TYPES
from sympy.polys.matrices import DomainMatrix
n = {size}
rows = [[QQ(i, n) ** j for j in range(n)] for i in range(1, n + 1)]
matrix = DomainMatrix(rows, (n, n), QQ)
right = DomainMatrix([[QQ(1, i + 1)] for i in range(n)], (n, 1), QQ)
best = float("inf")
for _ in range(3):
    start = time.perf_counter()
    matrix.lu_solve(right)
    best = min(best, time.perf_counter() - start)
print(GROUND_TYPES, best)
"""


def _vandermonde() -> np.ndarray:
    return EXACT.array([[Fraction(i, SIZE) ** j for j in range(SIZE)] for i in range(1, SIZE + 1)])


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    matrix = _vandermonde()
    right = EXACT.array([Fraction(1, i + 1) for i in range(SIZE)])
    ours = seconds(lambda: solve(matrix, right))
    for ground in ("python", "gmpy"):
        output = subprocess.run(
            [sys.executable, "-c", _SYMPY_SOLVE.format(size=SIZE)],
            env={**os.environ, "SYMPY_GROUND_TYPES": ground},
            capture_output=True,
            text=True,
            check=False,
        )
        if output.returncode:
            continue
        backend, theirs = output.stdout.split()
        yield Contest(
            f"exact solve of a {SIZE}-node rational Vandermonde system",
            f"SymPy DomainMatrix.lu_solve, ground types {backend}",
            ours,
            float(theirs),
            target=20,
        )

    certified = condition_number(matrix, 2)
    digits = 20 + 53
    with mpmath.workdps(digits):
        rows = mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in matrix])

        def unverified() -> mpmath.mpf:
            values = mpmath.svd_r(rows, compute_uv=False)
            return values[0] / values[len(values) - 1]

        theirs = seconds(unverified, repeats=2)
        other = unverified()
    yield Contest(
        f"certified cond_2 of a {SIZE}-node rational Vandermonde matrix",
        f"mpmath svd_r at {digits} digits (unverified), backend {mpmath.libmp.BACKEND}",
        seconds(lambda: condition_number(matrix, 2), repeats=3),
        theirs,
        target=1,
        remark=f"certified {certified}; mpmath {mpmath.nstr(other, 17)}",
    )
