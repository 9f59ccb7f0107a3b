"""Linear algebra over doubles, by LAPACK."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .matrix_algebra import Matrix, MatrixAlgebra

__all__ = ["FloatMatrices"]

T = TypeVar("T")

_ORDERS: dict[int | str, Any] = {1: 1, 2: 2, "inf": np.inf, "fro": "fro"}


class FloatMatrices(MatrixAlgebra):
    """Every answer is a float, also a rank or a multiplicity: none of them proves anything."""

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve by LU with partial pivoting."""
        return _nonsingular(lambda: np.linalg.solve(A, B))

    def determinant(self, A: Matrix) -> float:
        """Multiply the pivots of LU."""
        return float(np.linalg.det(A))

    def rank(self, A: Matrix) -> float:
        """Count the singular values above max(m, n) eps times the largest."""
        return float(np.linalg.matrix_rank(A))

    def null_space(self, A: Matrix) -> Matrix:
        """Return the right singular vectors of the singular values that `rank` does not count."""
        _, _, right = np.linalg.svd(A)
        return np.ascontiguousarray(right[int(self.rank(A)) :].T)

    def is_positive_semidefinite(self, A: Matrix) -> Any:
        """Refuse: rounding can flip the answer."""
        raise TypeError(
            "A is a matrix of floats, whose definiteness rounding can flip; exactly(A) asks about these doubles"
        )

    def eigenvalues(self, A: Matrix, bits: int, max_bits: int) -> list[tuple[Any, Any]]:
        """Return computed eigenvalues one by one, the multiplicity being the float 1.0."""
        if np.array_equal(A, A.T):
            return [(float(x), 1.0) for x in np.linalg.eigvalsh(A)[::-1]]
        computed = [complex(x) for x in np.linalg.eigvals(A)]
        real = sorted((x.real for x in computed if x.imag == 0), reverse=True)
        return [(x, 1.0) for x in [*real, *(x for x in computed if x.imag != 0)]]

    def singular_values(self, A: Matrix, bits: int, max_bits: int) -> Matrix:
        """Return what LAPACK computes."""
        return np.linalg.svd(A, compute_uv=False)

    def norm(self, A: Matrix, p: int | str, bits: int) -> float:
        """Return NumPy's norm."""
        return float(np.linalg.norm(A, _ORDERS[p]))

    def condition_number(self, A: Matrix, p: int | str, bits: int) -> float:
        """Return NumPy's condition number, if it is finite."""
        value = _nonsingular(lambda: float(np.linalg.cond(A, _ORDERS[p])))
        if not math.isfinite(value):
            raise ValueError("A is singular in float64; exactly(A) decides whether it is in truth")
        return value


def _nonsingular(compute: Callable[[], T]) -> T:
    try:
        return compute()
    except np.linalg.LinAlgError as error:
        raise ValueError("A is singular in float64; exactly(A) decides whether it is in truth") from error
