"""Linear algebra over mpmath numbers of many digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .matrix_algebra import Matrix, MatrixAlgebra

__all__ = ["DecimalMatrices"]

T = TypeVar("T")


class DecimalMatrices(MatrixAlgebra):
    """Every answer is an mpmath number, also a rank or a multiplicity: high precision, not rigorous."""

    without_spectrum = "use rationals or ball(bits)"

    @property
    def context(self) -> Any:
        """The mpmath context of the arithmetic."""
        return self.arithmetic.context  # type: ignore[attr-defined]

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve by LU with partial pivoting."""
        matrix = self._matrix(A)
        columns = _nonsingular(lambda: [list(self.context.lu_solve(matrix, self._matrix(b))) for b in B.T])
        return np.array(columns, dtype=object).T

    def determinant(self, A: Matrix) -> Any:
        """Multiply the pivots of LU."""
        return self.context.det(self._matrix(A))

    def rank(self, A: Matrix) -> Any:
        """Count the singular values above max(m, n) eps times the largest."""
        return self.context.mpf(self._count(self._svd(A)[1], A.shape))

    def null_space(self, A: Matrix) -> Matrix:
        """Return the right singular vectors of the singular values that `rank` does not count."""
        rows, columns = A.shape
        padded = A if rows >= columns else np.vstack([A, self.arithmetic.zeros((columns - rows, columns))])
        _, values, right = self._svd(padded)
        return self._array(right)[self._count(values, A.shape) :].T

    def eigenvalues(self, A: Matrix, bits: int, max_bits: int) -> list[tuple[Any, Any]]:
        """Return computed eigenvalues one by one, each with the multiplicity 1.0."""
        one, matrix = self.context.mpf(1), self._matrix(A)
        if np.array_equal(A, A.T):
            return [(x, one) for x in sorted(self.context.eigsy(matrix, eigvals_only=True), reverse=True)]
        computed = list(self.context.eig(matrix, left=False, right=False))
        real = sorted((x.real for x in computed if x.imag == 0), reverse=True)
        return [(x, one) for x in [*real, *(x for x in computed if x.imag != 0)]]

    def singular_values(self, A: Matrix, bits: int, max_bits: int) -> Matrix:
        """Return what mpmath computes."""
        return np.array(list(self._svd(A)[1]), dtype=object)

    def norm(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Return the norm."""
        if p == 2:
            return self._svd(A)[1][0]
        return self.context.mnorm(self._matrix(A), {1: 1, "inf": "inf", "fro": "f"}[p])

    def condition_number(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Return the quotient of singular values, or the product of two norms."""
        if p == 2:
            values = self._svd(A)[1]
            return _nonsingular(lambda: values[0] / values[len(values) - 1])
        return self.norm(A, p, bits) * self.norm(self.inverse(A), p, bits)

    def _svd(self, A: Matrix) -> Any:
        return self.context.svd_r(self._matrix(A))

    def _count(self, values: Any, shape: tuple[int, ...]) -> int:
        return sum(1 for x in values if x > values[0] * max(shape) * self.context.eps)

    def _matrix(self, A: Matrix) -> Any:
        return self.context.matrix(A.tolist())

    def _array(self, matrix: Any) -> Matrix:
        return np.array(matrix.tolist(), dtype=object)


def _nonsingular(compute: Callable[[], T]) -> T:
    try:
        return compute()
    except ZeroDivisionError as error:
        raise ValueError("A is singular at this precision; raise the digits, or decide it with rationals") from error
