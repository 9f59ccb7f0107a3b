"""Linear algebra over real and complex balls."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import flint
import numpy as np

from .algebraic_matrices import AlgebraicMatrices
from .ball_definiteness import positive_semidefinite
from .ball_norms import ball_norm
from .balls import Ball
from .complex_balls import ComplexBall
from .flint_matrices import from_flint, to_flint
from .matrix_algebra import Matrix, MatrixAlgebra, adjoint
from .one_sided import LowerBound
from .polynomial_roots import real_parts_of_real
from .precision import precision
from .rational_matrices import RationalMatrices
from .spectral_norm import root_of_nonnegative
from .systems import EXACT, Arithmetic, cyclotomic
from .truth import PrecisionError

__all__ = ["BallMatrices"]


class BallMatrices(MatrixAlgebra):
    """What is answered holds for every matrix within the balls.

    Balls decide open conditions only: a matrix can be proved to have full rank, never to lack it.
    """

    def __init__(self, arithmetic: Arithmetic) -> None:
        super().__init__(arithmetic)
        self.bits: int = arithmetic.bits  # type: ignore[attr-defined]
        self.real = isinstance(arithmetic.number(0), Ball)

    def _wrap(self, x: Any) -> Any:
        return (Ball if self.real else ComplexBall)._of(x, self.bits)

    def _array(self, matrix: Any) -> Matrix:
        return from_flint(matrix, self._wrap)

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Solve after preconditioning with an approximate inverse of the midpoints."""
        with precision(self.bits):
            try:
                solution = to_flint(A).solve(to_flint(B), algorithm="precond")
            except ZeroDivisionError as error:
                raise self._open("A may be singular") from error
        if not all(x.is_finite() for x in solution.entries()):
            raise self._open("the solution is unbounded within the balls")
        return self._array(solution)

    def determinant(self, A: Matrix) -> Any:
        """Enclose the determinant."""
        with precision(self.bits):
            value = to_flint(A).det()
        if not value.is_finite():
            raise self._open("the determinant is unbounded within the balls")
        return self._wrap(value)

    def rank(self, A: Matrix) -> int:
        """Prove full rank, or raise."""
        if self._has_independent_columns(A if A.shape[1] <= A.shape[0] else adjoint(A)):
            return int(min(A.shape))
        certified = len(self._pivot_columns(A))
        raise self._open(
            f"the rank is at least {certified}, and less than full rank is not provable with balls",
            LowerBound(certified),
        )

    def null_space(self, A: Matrix) -> Matrix:
        """Solve for as many columns as there are rows, if these can be proved independent."""
        rows, columns = A.shape
        if columns <= rows:
            self.rank(A)
            return np.empty((columns, 0), dtype=object)
        pivots = self._pivot_columns(A)
        if len(pivots) < rows:
            self.rank(A)
            pivots = self._pivot_columns(self._midpoints(A))
        free = [j for j in range(columns) if j not in set(pivots)]
        basis = self.arithmetic.zeros((columns, len(free)))
        basis[pivots] = -self.solve(A[:, pivots], A[:, free])
        basis[free, range(len(free))] = self.arithmetic.number(1)
        return basis

    def is_positive_semidefinite(self, A: Matrix) -> Any:
        """Look at a congruent matrix that is nearly diagonal."""
        return positive_semidefinite(to_flint(A), self.bits)

    def eigenvalues(self, A: Matrix, bits: int, max_bits: int) -> list[tuple[Any, Any]]:
        """Enclose the eigenvalues, if they can be told apart."""
        M = flint.acb_mat(to_flint(A))
        exact = all(x.is_exact for x in A.flat)
        last = max(max_bits, self.bits) if exact else min(max(max_bits, self.bits), 4 * self.bits)
        working, best = self.bits, None
        while True:
            found = _isolated(M, working, self.real)
            if found is not None:
                return self._sorted(found)
            best = best or _overlapping(M, working)
            if working >= last:
                break
            working = min(2 * working, last)
        enclosure = None if best is None else [ComplexBall._of(x, self.bits) for x in best]
        raise PrecisionError(
            f"the eigenvalues are not told apart at {self.arithmetic}, and balls prove none to be multiple; "
            "raise the precision (ball bits), or use exact numbers",
            enclosure=enclosure,
        )

    def _sorted(self, found: list[Any]) -> list[tuple[Any, Any]]:
        real = [Ball._of(x, self.bits) for x in found if isinstance(x, flint.arb)]
        other = [ComplexBall._of(x, self.bits) for x in found if isinstance(x, flint.acb)]
        return [(x, 1) for x in [*sorted(real, key=lambda x: x.mid, reverse=True), *other]]

    def singular_values(self, A: Matrix, bits: int, max_bits: int) -> Matrix:
        """Widen the singular values of the exact midpoints by the size of the radii."""
        # |sigma_k(A) - sigma_k(M)| <= ||A - M||_2 <= ||A - M||_F (Weyl 1912), M the exact midpoints
        exact = _exact_midpoints(A)
        algebra = RationalMatrices(EXACT) if self.real else AlgebraicMatrices(cyclotomic(4))
        of_midpoints = algebra.singular_values(exact, self.bits, max(max_bits, self.bits))
        with precision(self.bits):
            radii = [r for x in A.flat for r in ((x._x.rad(),) if self.real else (x._x.real.rad(), x._x.imag.rad()))]
            error = root_of_nonnegative(sum((r * r for r in radii), flint.arb(0)), 1).upper()
            values = [x._x + flint.arb(0, error) for x in of_midpoints]
            kept = [x if x > 0 else root_of_nonnegative(x, 0) for x in values]
        result: Matrix = np.empty(len(kept), dtype=object)
        result[:] = [Ball._of(x, self.bits) for x in kept]
        return result

    def norm(self, A: Matrix, p: int | str, bits: int) -> Ball:
        """Enclose the norm."""
        inner = 2 * self.bits + 4 * max(A.shape).bit_length() if p == 2 else self.bits
        value = ball_norm(A, p, inner, target=self.bits + 1).at(self.bits)
        if not value.is_finite:
            raise self._open("the norm is unbounded within the balls")
        return value

    def condition_number(self, A: Matrix, p: int | str, bits: int) -> Ball:
        """Multiply the norms of the matrix and of its (pseudo-)inverse."""
        value: Ball = self.norm(A, p, bits) * self.norm(self._pseudo_inverse(A), p, bits)
        return value

    def _pseudo_inverse(self, A: Matrix) -> Matrix:
        rows, columns = A.shape
        if rows == columns:
            return self.inverse(A)
        if rows < columns:
            return adjoint(self._pseudo_inverse(adjoint(A)))
        # [[I, A], [A^H, 0]] [R; X] = [I; 0] gives X = A^+ without squaring the condition number
        number = self.arithmetic.number
        system = self.arithmetic.zeros((rows + columns, rows + columns))
        np.fill_diagonal(system[:rows, :rows], number(1))
        system[:rows, rows:] = A
        system[rows:, :rows] = adjoint(A)
        right = self.arithmetic.zeros((rows + columns, rows))
        np.fill_diagonal(right, number(1))
        return self.solve(system, right)[rows:]

    def _has_independent_columns(self, A: Matrix) -> bool:
        """Prove ||I - B A|| < 1 for an approximate left inverse B of the midpoints."""
        with precision(2 * self.bits + 64):
            M = to_flint(A).mid()
            H = M.transpose() if self.real else M.conjugate().transpose()
            try:
                B = (H * M).solve(H, algorithm="precond").mid()
            except ZeroDivisionError:
                return False
            product = B * to_flint(A)
        n = A.shape[1]
        with precision(self.bits):
            deviations = [sum(abs(product[i, j] - int(i == j)) for j in range(n)) for i in range(n)]
            return all(bool(row < 1) for row in deviations)

    def _midpoints(self, A: Matrix) -> Matrix:
        return self._array(to_flint(A).mid())

    def _pivot_columns(self, A: Matrix) -> list[int]:
        """Eliminate with full pivoting as long as some entry is certainly not 0."""
        R = A.copy()
        rows, columns = list(range(A.shape[0])), list(range(A.shape[1]))
        pivots: list[int] = []
        with precision(self.bits):
            while rows and columns:
                size, i, j = max(
                    ((R[i, j]._x.abs_lower(), i, j) for i in rows for j in columns), key=lambda entry: entry[0]
                )
                if not size > 0:
                    break
                pivots.append(j)
                rows.remove(i)
                columns.remove(j)
                for k in rows:
                    factor = R[k, j] / R[i, j]
                    for column in columns:
                        R[k, column] = R[k, column] - factor * R[i, column]
        return pivots

    def _open(self, what: str, enclosure: object = None) -> PrecisionError:
        return PrecisionError(f"{what} at {self.arithmetic}; raise the precision (ball bits)", enclosure=enclosure)


def _isolated(M: flint.acb_mat, bits: int, real: bool) -> list[Any] | None:
    with precision(bits):
        for algorithm in (None, "rump"):
            try:
                found = M.eig(algorithm=algorithm)
            except ValueError:
                continue
            if any(a.overlaps(b) for a, b in combinations(found, 2)):
                continue
            result = real_parts_of_real(found) if real else list(found)
            if result is not None:
                return result
    return None


def _overlapping(M: flint.acb_mat, bits: int) -> list[flint.acb] | None:
    with precision(bits):
        try:
            return list(M.eig(multiple=True))
        except ValueError:
            return None


def _exact_midpoints(A: Matrix) -> Matrix:
    result: Matrix = np.empty(A.shape, dtype=object)
    i = cyclotomic(4).root_of_unity("1/4")  # type: ignore[attr-defined]
    for index, x in np.ndenumerate(A):
        result[index] = x.mid if isinstance(x, Ball) else x.real.mid + i * x.imag.mid
    return result
