"""Spectra and norms of exact matrices, rational or cyclotomic."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from .algebraic import Algebraic
from .ball_norms import accurate, ball_norm
from .balls import Ball
from .extrema import maximum
from .matrix_algebra import Matrix, MatrixAlgebra, adjoint
from .polynomial_roots import SquareFree, isolated_roots
from .systems import ball, complex_ball

__all__ = ["ExactMatrices", "is_hermitian"]


class ExactMatrices(MatrixAlgebra):
    """Spectra are roots of exact polynomials; norms are exact where they lie in the field, else balls."""

    @abstractmethod
    def spectrum_factors(self, A: Matrix, all_real: bool) -> tuple[list[tuple[SquareFree, int]], int]:
        """Return the square-free factors of det(x I - d A) with multiplicities, and d."""

    @abstractmethod
    def spectrum_coefficients(self, A: Matrix) -> list[Any]:
        """Return the coefficients of det(x I - d A) for some d > 0, constant term first."""

    @abstractmethod
    def gram(self, A: Matrix) -> Matrix:
        """Return the adjoint times A."""

    def is_positive_semidefinite(self, A: Matrix) -> bool:
        """Look at the signs of the characteristic polynomial."""
        if not is_hermitian(A):
            raise ValueError("A must be symmetric (Hermitian if complex); pass (A + A.T) / 2 for its quadratic form")
        # all roots are real, so none is negative iff the coefficients alternate in sign (Descartes)
        n = len(A)
        return all(c >= 0 if (n - k) % 2 == 0 else c <= 0 for k, c in enumerate(self.spectrum_coefficients(A)))

    def eigenvalues(self, A: Matrix, bits: int, max_bits: int) -> list[tuple[Any, Any]]:
        """Isolate the roots of the characteristic polynomial."""
        factors, scale = self.spectrum_factors(A, all_real=is_hermitian(A))
        return isolated_roots(factors, bits, max_bits, scale)

    def singular_values(self, A: Matrix, bits: int, max_bits: int) -> Matrix:
        """Take the roots of the eigenvalues of the smaller Gram matrix."""
        rows, columns = A.shape
        G = self.gram(A if columns <= rows else adjoint(A))
        factors, scale = self.spectrum_factors(G, all_real=True)
        squares = isolated_roots(factors, bits, max_bits, scale)
        result: Matrix = np.empty(min(rows, columns), dtype=object)
        result[:] = [value.sqrt() for value, multiplicity in squares for _ in range(multiplicity)]
        return result

    def norm(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Return an exact maximum of sums, or a ball as accurate as asked for."""
        real = all(_is_real(x) for x in A.flat)
        if p in (1, "inf") and real:
            return maximum(abs(A).sum(axis=0 if p == 1 else 1))
        balls = ball if real else complex_ball

        def enclose(working: int) -> Any:
            # the bounds of the spectral norm give half of the digits that they are computed with
            inner = 2 * working + 4 * max(A.shape).bit_length() if p == 2 else working
            return ball_norm(balls(inner).array(A), p, inner, target=bits + 1)

        return accurate(enclose, bits)

    def condition_number(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Multiply the norms of the matrix and of its exact (pseudo-)inverse."""
        value = self.norm(A, p, bits + 4) * self.norm(self._left_inverse(A), p, bits + 4)
        return value.at(bits) if isinstance(value, Ball) else value

    def _left_inverse(self, A: Matrix) -> Matrix:
        rows, columns = A.shape
        if rows == columns:
            return self.inverse(A)
        if rows < columns:
            return adjoint(self._left_inverse(adjoint(A)))
        return self.solve(self.gram(A), adjoint(A))


def is_hermitian(A: Matrix) -> bool:
    """Whether an exact matrix equals its conjugate transpose."""
    return bool(np.array_equal(A, adjoint(A)))


def _is_real(x: Any) -> bool:
    return not isinstance(x, Algebraic) or x.is_real
