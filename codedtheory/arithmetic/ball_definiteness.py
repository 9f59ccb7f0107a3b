"""Definiteness of matrices of balls."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import flint

from .precision import precision
from .truth import Undecided

__all__ = ["positive_semidefinite"]


def positive_semidefinite(A: Any, bits: int) -> Any:
    r"""Return True if all matrices within the balls are positive definite, False if all fail to be semidefinite.

    Parameters
    ----------
    A : arb_mat or acb_mat of shape (n, n)
        The question is about its Hermitian part.
    bits : int
        Precision.

    Notes
    -----
    A triangular :math:`L^{-1}` from an approximate factorisation :math:`LDL^{\mathsf H}` of the midpoints brings
    the matrix near to diagonal form. Whatever R is, :math:`C=RAR^{\mathsf H}` with a positive
    diagonal that dominates its rows (after scaling to :math:`c_{ij}/\sqrt{c_{ii}c_{jj}}`, Gershgorin 1931) is
    positive definite; then R has full rank and A is positive definite, too. A negative diagonal entry,
    or a negative 2 by 2 minor, of C shows a vector with :math:`x^{\mathsf H}Ax<0`.
    """
    with precision(2 * bits):
        H = _hermitian_part(A)
        R = _unit_factor(H.mid())
        C = R * H * _adjoint(R)
        n = C.nrows()
        diagonal = [C[i, i].real for i in range(n)]
        if any(d < 0 for d in diagonal):
            return False
        for i, j in combinations(range(n), 2):
            if diagonal[i] * diagonal[j] < flint.arb(abs(C[i, j]).abs_lower()) ** 2:
                return False
        if all(d > 0 for d in diagonal):
            roots = [d.sqrt() for d in diagonal]
            rows = [sum(abs(C[i, j]) / (roots[i] * roots[j]) for j in range(n) if j != i) for i in range(n)]
            if all(flint.arb(row) < 1 for row in rows):
                return True
    return Undecided(f"positive semidefiniteness at ball({bits})")


def _adjoint(A: Any) -> Any:
    return A.transpose() if isinstance(A, flint.arb_mat) else A.conjugate().transpose()


def _hermitian_part(A: Any) -> Any:
    if not A.overlaps(_adjoint(A)):
        raise ValueError("A must be symmetric (Hermitian if complex); pass (A + A.T) / 2 for its quadratic form")
    return (A + _adjoint(A)) / 2


def _unit_factor(M: Any) -> Any:
    """Return approximate rows R such that R M R^H is nearly diagonal, by elimination with diagonal pivots."""
    n = M.nrows()
    work = M.tolist()
    R = [[type(work[0][0])(int(i == j)) for j in range(n)] for i in range(n)]
    left = list(range(n))
    while left:
        pivot = max(left, key=lambda i: work[i][i].real.mid())
        left.remove(pivot)
        if not work[pivot][pivot].real > 0:
            break
        for i in left:
            factor = (work[i][pivot] / work[pivot][pivot].real).mid()
            row = work[i]
            for j in left:
                row[j] = (row[j] - factor * work[pivot][j]).mid()
            R[i] = [(a - factor * b).mid() for a, b in zip(R[i], R[pivot], strict=True)]
    return type(M)(R)
