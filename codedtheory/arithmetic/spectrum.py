"""Eigenvalues with multiplicities, and singular values."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from .balls import checked_bits
from .operands import matrix, square_matrix

__all__ = ["eigenvalues", "singular_values"]


def eigenvalues(A: Any, *, bits: int = 128, max_bits: int = 4096) -> list[tuple[Any, Any]]:
    r"""Return the different eigenvalues and their algebraic multiplicities.

    Parameters
    ----------
    A : array_like of shape (n, n)
        Floats, integers, rationals, `Algebraic`, balls or mpmath numbers.
    bits : int, default 128
        Precision of the balls for an exact matrix; their relative radius is below 2**(2 - bits). Eigenvalues
        that are closer than that get more bits, so that all balls are disjoint.
    max_bits : int, default 4096
        Largest working precision for telling eigenvalues apart.

    Returns
    -------
    list of (value, multiplicity)
        Real eigenvalues first and descending, as `Ball` (with radius 0 for an integer); then the others as
        `ComplexBall`. A symmetric matrix has real ones only. Multiplicities of exact matrices are
        exact. Matrices of balls get an answer only if all eigenvalues are simple. For floats and mpmath numbers
        each computed eigenvalue is listed by itself, with the multiplicity ``1.0``: a float, because
        rounding leaves multiplicities open.

    Raises
    ------
    PrecisionError
        If the eigenvalues are not told apart; it carries the best enclosures. Balls never prove that an
        eigenvalue is multiple.

    Notes
    -----
    Exact matrices: characteristic polynomial, square-free factorisation and root isolation, all by FLINT.
    (A cyclotomic characteristic polynomial is assembled from its images in prime fields.) Over a
    cyclotomic field a matrix that is not Hermitian may have real eigenvalues that come as a `ComplexBall`
    around 0 in the imaginary part. Balls: certified enclosures of Arb (Johansson 2017,
    arXiv:1611.02831), repeated with more bits where they overlap.

    Examples
    --------
    >>> [(print(value), multiplicity) for value, multiplicity in eigenvalues([[0, 1, 1], [1, 0, 1], [1, 1, 0]])]
    2
    -1
    [(None, 1), (None, 2)]
    """
    algebra, array = square_matrix(A)
    return algebra.eigenvalues(array, *_checked(bits, max_bits))


def singular_values(A: Any, *, bits: int = 128, max_bits: int = 4096) -> npt.NDArray[Any]:
    r"""Return the min(m, n) singular values in descending order.

    Parameters
    ----------
    A : array_like of shape (m, n)
        Floats, integers, rationals, `Algebraic`, balls or mpmath numbers.
    bits : int, default 128
        Precision of the balls for an exact matrix, whose relative radius is below 2**(2 - bits).
    max_bits : int, default 4096
        Largest working precision.

    Returns
    -------
    numpy.ndarray
        Floats by LAPACK; mpmath numbers by mpmath; balls otherwise. Singular values that are 0 are
        recognised for exact matrices (balls of radius 0), equal ones appear as equal balls. For a matrix of balls the
        k-th ball encloses the k-th singular value of every matrix within it.

    Notes
    -----
    Exact matrices: roots of the characteristic polynomial of :math:`A^{\mathsf H}A`. Balls: the
    singular values of the exact midpoints, widened by the Frobenius norm of the radii, which bounds how far
    they can be off (Weyl 1912).

    Examples
    --------
    >>> print(*singular_values([[3, 0], [4, 5]], bits=40))
    [6.708203932496 +/- 7.32e-12] [2.236067977497 +/- 4.08e-12]
    """
    algebra, array = matrix(A)
    return algebra.singular_values(array, *_checked(bits, max_bits))


def _checked(bits: int, max_bits: int) -> tuple[int, int]:
    if checked_bits(max_bits) < checked_bits(bits):
        raise ValueError(f"max_bits must be at least bits = {bits}, got {max_bits}")
    return bits, max_bits
