"""Linear algebra over a prime field."""

from __future__ import annotations

import flint

from .flint_matrices import from_flint
from .matrix_algebra import Matrix, MatrixAlgebra, echelon_null_space
from .modular import Modular

__all__ = ["ModularMatrices"]


class ModularMatrices(MatrixAlgebra):
    """Exact; a prime field has no order and no sizes, so spectra and norms are not offered."""

    without_spectrum = "use rationals, cyclotomic(n) or ball(bits)"

    @property
    def modulus(self) -> int:
        """The prime."""
        return self.arithmetic.modulus  # type: ignore[attr-defined, no-any-return]

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve by elimination."""
        try:
            return self._array(self._matrix(A).solve(self._matrix(B)))
        except ZeroDivisionError as error:
            raise ValueError(f"A is singular over GF({self.modulus})") from error

    def determinant(self, A: Matrix) -> Modular:
        """Return the determinant."""
        return Modular._of(self._matrix(A).det(), self.modulus)

    def rank(self, A: Matrix) -> int:
        """Return the rank."""
        return int(self._matrix(A).rank())

    def null_space(self, A: Matrix) -> Matrix:
        """Read the null space off the reduced echelon form."""
        echelon, rank = self._matrix(A).rref()
        reduced = self._array(echelon)
        pivots = [next(j for j, x in enumerate(row) if x) for row in reduced[: int(rank)]]
        return echelon_null_space(reduced, pivots, self.arithmetic)

    def _matrix(self, A: Matrix) -> flint.nmod_mat:
        rows, columns = A.shape
        return flint.nmod_mat(rows, columns, [x.value for x in A.flat], self.modulus)

    def _array(self, matrix: flint.nmod_mat) -> Matrix:
        return from_flint(matrix, lambda x: Modular._of(x, self.modulus))
