"""Matrix norms and condition numbers."""

from __future__ import annotations

from typing import Any

from .balls import checked_bits
from .matrix_algebra import Matrix, MatrixAlgebra
from .operands import matrix

__all__ = ["condition_number", "norm"]


def norm(A: Any, p: int | str = 2, *, bits: int = 128) -> Any:
    r"""Return a norm of a matrix.

    Parameters
    ----------
    A : array_like of shape (m, n)
        Floats, integers, rationals, `Algebraic`, balls or mpmath numbers.
    p : {1, 2, "inf", "fro"}
        Largest column sum, spectral norm, largest row sum, Frobenius norm.
    bits : int, default 128
        Precision for an exact matrix whose norm is irrational: the relative radius is below 2**(2 - bits).
        Matrices of balls are computed with at their own precision.

    Returns
    -------
    number
        Exact for p = 1 and "inf" of a real exact matrix; a `Ball` for other exact matrices and for balls; for
        floats a float, for mpmath numbers one of them.

    Notes
    -----
    The spectral norm comes from traces of powers of :math:`A^{\mathsf H}A`, which need no eigenvalues to be told apart.

    Examples
    --------
    >>> norm([[1, 2], [3, 4]], "inf")
    Rational(7, 1)
    >>> print(norm([[1, 2], [3, 4]], 2, bits=60))
    [5.464985704219042645 +/- 7.18e-18]
    """
    algebra, array, order = _checked(A, p, bits)
    return algebra.norm(array, order, bits)


def condition_number(A: Any, p: int | str = 2, *, bits: int = 128) -> Any:
    r"""Return the condition number :math:`\|A\|_p\|A^{-1}\|_p`.

    Parameters
    ----------
    A : array_like of shape (n, n), or of shape (m, n) for p = 2
        Of full rank. For p = 2 the inverse of a rectangular matrix is the pseudo-inverse, which makes the
        condition number the quotient of the largest and the smallest singular value.
    p : {1, 2, "inf", "fro"}
        The norm.
    bits : int, default 128
        As for `norm`.

    Returns
    -------
    number
        As for `norm`. From floats it is a float, and without meaning from about 1e16 on; exact
        numbers and balls have no such limit.

    Raises
    ------
    ValueError
        If A is not of full rank, or p is not 2 and A is not square.
    PrecisionError
        If A is given by balls which may contain a matrix of less than full rank.

    Notes
    -----
    Exact matrices are inverted exactly, so that the precision has to resolve the norms only, not the
    condition.

    Examples
    --------
    >>> from fractions import Fraction
    >>> vandermonde = [[Fraction(i, 30) ** j for j in range(30)] for i in range(1, 31)]
    >>> print(condition_number(vandermonde, bits=40))
    [3.913748702483e+25 +/- 8.40e+13]
    """
    algebra, array, order = _checked(A, p, bits)
    if order != 2 and array.shape[0] != array.shape[1]:
        raise ValueError(f"A must be square for p = {p!r}, got shape {array.shape}; p = 2 takes any shape")
    return algebra.condition_number(array, order, bits)


def _checked(A: Any, p: int | str, bits: int) -> tuple[MatrixAlgebra, Matrix, int | str]:
    checked_bits(bits)
    if p not in (1, 2, "inf", "fro"):
        raise ValueError(f"p must be 1, 2, 'inf' or 'fro', got {p!r}")
    return *matrix(A), p
