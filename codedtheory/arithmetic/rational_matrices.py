"""Linear algebra over the rationals, by FLINT."""

from __future__ import annotations

from typing import Any

import flint
import numpy as np

from .exact_matrices import ExactMatrices
from .flint_matrices import from_flint
from .matrix_algebra import Matrix, echelon_null_space
from .polynomial_roots import SquareFree, integer_factors
from .rational import Rational

__all__ = ["RationalMatrices"]


class RationalMatrices(ExactMatrices):
    """Exact."""

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve exactly."""
        try:
            return from_flint(_matrix(A).solve(_matrix(B)), Rational._of)
        except ZeroDivisionError as error:
            raise ValueError("A is singular") from error

    def inverse(self, A: Matrix) -> Matrix:
        """Return the exact inverse."""
        try:
            return from_flint(_matrix(A).inv(), Rational._of)
        except ZeroDivisionError as error:
            raise ValueError("A is singular") from error

    def determinant(self, A: Matrix) -> Rational:
        """Return the exact determinant."""
        return Rational._of(_matrix(A).det())

    def rank(self, A: Matrix) -> int:
        """Return the exact rank."""
        return int(_matrix(A).rank())

    def null_space(self, A: Matrix) -> Matrix:
        """Read the null space off the reduced echelon form."""
        echelon, rank = _matrix(A).rref()
        reduced = from_flint(echelon, Rational._of)
        pivots = [int(np.flatnonzero(row)[0]) for row in reduced[: int(rank)]]
        return echelon_null_space(reduced, pivots, self.arithmetic)

    def gram(self, A: Matrix) -> Matrix:
        """Return A^T A."""
        M = _matrix(A)
        return from_flint(M.transpose() * M, Rational._of)

    def spectrum_factors(self, A: Matrix, all_real: bool) -> tuple[list[tuple[SquareFree, int]], int]:
        """Factor the characteristic polynomial of the numerators over a common denominator."""
        numerators, denominator = _matrix(A).numer_denom()
        return integer_factors(numerators.charpoly()), int(denominator)

    def spectrum_coefficients(self, A: Matrix) -> list[Any]:
        """Return the characteristic polynomial of the numerators over a common denominator."""
        numerators, _ = _matrix(A).numer_denom()
        return list(numerators.charpoly().coeffs())


def _matrix(A: Matrix) -> flint.fmpq_mat:
    rows, columns = A.shape
    return flint.fmpq_mat(rows, columns, [x._x for x in A.flat])
