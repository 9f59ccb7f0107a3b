"""Elimination over an exact field whose numbers are Python objects."""

from __future__ import annotations

from typing import Any

from .matrix_algebra import Matrix

__all__ = ["reduced_echelon"]


def reduced_echelon(A: Matrix, columns: int) -> tuple[Matrix, list[int], Any]:
    """Return the reduced row echelon form, its pivot columns and the product of the signed pivots.

    Parameters
    ----------
    A : array of shape (m, n)
        Entries of an exact field: a zero is recognised by its truth value.
    columns : int
        Pivots are looked for in the first `columns` columns; the others are right-hand sides.

    Returns
    -------
    tuple
        The form, the pivot columns, and the product, which is det A if the first `columns` columns
        are square and of full rank.
    """
    R = A.copy()
    pivots: list[int] = []
    product: Any = 1
    for j in range(columns):
        row = len(pivots)
        chosen = next((i for i in range(row, len(R)) if R[i, j]), None)
        if chosen is None:
            continue
        if chosen != row:
            R[[row, chosen]] = R[[chosen, row]]
            product = -product
        product = product * R[row, j]
        R[row, j:] = R[row, j:] * (1 / R[row, j])
        for i in range(len(R)):
            if i != row and R[i, j]:
                R[i, j:] = R[i, j:] - R[i, j] * R[row, j:]
        pivots.append(j)
        if len(pivots) == len(R):
            break
    return R, pivots, product
