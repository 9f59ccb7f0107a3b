"""Linear algebra over cyclotomic fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from .algebraic import Algebraic
from .cyclotomic_polynomials import characteristic_polynomial
from .exact_matrices import ExactMatrices
from .field_elimination import reduced_echelon
from .matrix_algebra import Matrix, adjoint, echelon_null_space
from .polynomial_roots import SquareFree, square_free_factors

__all__ = ["AlgebraicMatrices"]


class AlgebraicMatrices(ExactMatrices):
    """Exact."""

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve by Gauss-Jordan elimination in the field."""
        n = len(A)
        reduced, pivots, _ = reduced_echelon(np.hstack([A, B]), n)
        if len(pivots) < n:
            raise ValueError("A is singular")
        return reduced[:, n:]

    def determinant(self, A: Matrix) -> Algebraic:
        """Multiply the pivots of the elimination."""
        _, pivots, product = reduced_echelon(A, len(A))
        value: Algebraic = self.arithmetic.number(product if len(pivots) == len(A) else 0)
        return value

    def rank(self, A: Matrix) -> int:
        """Count the pivots of the elimination."""
        return len(reduced_echelon(A, A.shape[1])[1])

    def null_space(self, A: Matrix) -> Matrix:
        """Read the null space off the reduced echelon form."""
        reduced, pivots, _ = reduced_echelon(A, A.shape[1])
        return echelon_null_space(reduced, pivots, self.arithmetic)

    def gram(self, A: Matrix) -> Matrix:
        """Return A^H A."""
        product: Matrix = adjoint(A) @ A
        return product

    def spectrum_factors(self, A: Matrix, all_real: bool) -> tuple[list[tuple[SquareFree, int]], int]:
        """Factor the characteristic polynomial of a multiple with cyclotomic integers as entries."""
        coefficients, scale = characteristic_polynomial(A)
        return square_free_factors(coefficients, all_real), scale

    def spectrum_coefficients(self, A: Matrix) -> list[Any]:
        """Return the characteristic polynomial of a multiple with cyclotomic integers as entries."""
        return list(characteristic_polynomial(A)[0])
