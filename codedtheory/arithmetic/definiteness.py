"""Positive semidefiniteness."""

from __future__ import annotations

from typing import Any

from .operands import square_matrix

__all__ = ["is_positive_semidefinite"]


def is_positive_semidefinite(A: Any) -> Any:
    r"""Whether a symmetric matrix is positive semidefinite.

    Parameters
    ----------
    A : array_like of shape (n, n)
        Symmetric; integers, rationals, `Algebraic` or balls. Complex ones are Hermitian.

    Returns
    -------
    bool or Undecided
        Exact numbers decide. Of balls, the quadratic form of their Hermitian part is looked at:
        ``True`` if it is positive *definite* for all numbers in the balls, ``False`` if it takes a negative
        value for all of them, else `Undecided`.

    Raises
    ------
    TypeError
        For floats, for mpmath numbers and over prime fields.
    ValueError
        If A is not symmetric.

    Notes
    -----
    For exact matrices the signs of the characteristic polynomial decide: all its roots are real, and none is
    negative iff :math:`(-1)^{n-k}c_k\ge 0` for all its coefficients (Descartes' rule of signs).

    Examples
    --------
    >>> is_positive_semidefinite([[1, 1], [1, 1]]), is_positive_semidefinite([[1, 2], [2, 1]])
    (True, False)
    """
    algebra, array = square_matrix(A)
    return algebra.is_positive_semidefinite(array)
