"""What linear algebra over any arithmetic has to offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from .systems import Arithmetic

__all__ = ["Matrix", "MatrixAlgebra", "adjoint", "echelon_null_space"]

Matrix = npt.NDArray[Any]


class MatrixAlgebra(ABC):
    """Linear algebra over one arithmetic.

    Matrices come in checked: two-dimensional, not empty, finite, with all entries numbers of the
    arithmetic; square where the operation needs it. Right-hand sides are matrices, too.
    """

    without_spectrum: ClassVar[str] = ""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic

    @abstractmethod
    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """Return X with A X = B, for square A."""

    @abstractmethod
    def determinant(self, A: Matrix) -> Any:
        """Return det A."""

    @abstractmethod
    def rank(self, A: Matrix) -> Any:
        """Return the rank: an int where it is proved, a number of the arithmetic where it isn't."""

    @abstractmethod
    def null_space(self, A: Matrix) -> Matrix:
        """Return a basis of the null space as columns."""

    def inverse(self, A: Matrix) -> Matrix:
        """Return the inverse."""
        identity = self.arithmetic.zeros(A.shape)
        np.fill_diagonal(identity, self.arithmetic.number(1))
        return self.solve(A, identity)

    def is_positive_semidefinite(self, A: Matrix) -> Any:
        """Return True, False or an `Undecided`."""
        self._not_offered("definiteness")

    def eigenvalues(self, A: Matrix, bits: int, max_bits: int) -> list[tuple[Any, Any]]:
        """Return pairs of eigenvalue and multiplicity."""
        self._not_offered("eigenvalues")

    def singular_values(self, A: Matrix, bits: int, max_bits: int) -> Matrix:
        """Return the singular values in descending order."""
        self._not_offered("singular values")

    def norm(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Return the norm subordinate to p."""
        self._not_offered("norms")

    def condition_number(self, A: Matrix, p: int | str, bits: int) -> Any:
        """Return the condition number subordinate to p."""
        self._not_offered("condition numbers")

    def _not_offered(self, what: str) -> NoReturn:
        raise TypeError(f"{what} of a matrix over {self.arithmetic} have no meaning here; {self.without_spectrum}")


def adjoint(A: Matrix) -> Matrix:
    """Return the conjugate transpose."""
    return np.conjugate(A).T


def echelon_null_space(reduced: Matrix, pivots: list[int], arithmetic: Arithmetic) -> Matrix:
    """Return the null space of a matrix in reduced row echelon form, one column for each free variable."""
    columns = reduced.shape[1]
    free = [j for j in range(columns) if j not in set(pivots)]
    basis = arithmetic.zeros((columns, len(free)))
    for k, j in enumerate(free):
        basis[j, k] = arithmetic.number(1)
        for row, pivot in enumerate(pivots):
            basis[pivot, k] = -reduced[row, j]
    return basis
