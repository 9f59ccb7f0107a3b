"""Linear systems, inverses, determinants, ranks and null spaces over any arithmetic."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from .operands import matrix, square_matrix, system

__all__ = ["determinant", "inverse", "null_space", "rank", "solve"]


def solve(A: Any, b: Any) -> npt.NDArray[Any]:
    """Return x with A x = b.

    Parameters
    ----------
    A : array_like of shape (n, n)
        Numbers of one arithmetic: floats (LAPACK), integers and rationals (exact, FLINT), `Algebraic`
        (exact), `Modular` (exact), `Ball` or `ComplexBall` (enclosed), mpmath numbers. Floats and rigorous
        numbers do not mix.
    b : array_like of shape (n,) or (n, k)
        One right-hand side, or several as columns.

    Returns
    -------
    numpy.ndarray
        Of the shape of b. Balls enclose the solutions of all systems within the balls of A and b.

    Raises
    ------
    ValueError
        If A is singular.
    PrecisionError
        If A is given by balls which may contain a singular matrix.

    Notes
    -----
    Balls are preconditioned with an approximate inverse of the midpoints, which keeps the digits of
    ill-conditioned systems that elimination loses.

    Examples
    --------
    >>> print(solve([[2, 1], [1, 3]], [1, 0]))
    [Rational(3, 5) Rational(-1, 5)]
    """
    algebra, left, right = system(A, b)
    solution = algebra.solve(left, right.reshape(len(right), -1))
    return solution.reshape(right.shape)


def inverse(A: Any) -> npt.NDArray[Any]:
    """Return the inverse of a square matrix.

    Parameters
    ----------
    A : array_like of shape (n, n)
        As for `solve`.

    Returns
    -------
    numpy.ndarray of shape (n, n)

    Raises
    ------
    ValueError
        If A is singular.
    PrecisionError
        If A is given by balls which may contain a singular matrix.

    Examples
    --------
    >>> import numpy as np
    >>> bool((inverse([[1, 1], [0, 2]]) @ [[1, 1], [0, 2]] == np.eye(2, dtype=int)).all())
    True
    """
    algebra, array = square_matrix(A)
    return algebra.inverse(array)


def determinant(A: Any) -> Any:
    """Return the determinant of a square matrix.

    Parameters
    ----------
    A : array_like of shape (n, n)
        As for `solve`.

    Returns
    -------
    number
        Of the arithmetic of A.

    Examples
    --------
    >>> print(determinant([[2, 1], [1, 3]]))
    5
    """
    algebra, array = square_matrix(A)
    return algebra.determinant(array)


def rank(A: Any) -> Any:
    """Return the rank of a matrix.

    Parameters
    ----------
    A : array_like of shape (m, n)
        As for `solve`.

    Returns
    -------
    int or float
        An int is proved. A matrix of floats gets a *float*, because its rank is only a count of the singular
        values above max(m, n) eps times the largest (an mpmath number for mpmath numbers);
        ``rank(exactly(A))`` is the rank of these doubles.

    Raises
    ------
    PrecisionError
        For balls, unless full rank can be certified; it carries a `LowerBound`. That a rank is not
        full is no open condition, and no number of bits proves it.

    Examples
    --------
    >>> import numpy as np
    >>> rank([[1, 2], [2, 4]]), rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
    (1, 1.0)
    """
    algebra, array = matrix(A)
    return algebra.rank(array)


def null_space(A: Any) -> npt.NDArray[Any]:
    """Return a basis of the null space.

    Parameters
    ----------
    A : array_like of shape (m, n)
        As for `solve`.

    Returns
    -------
    numpy.ndarray of shape (n, k)
        The basis in columns: orthonormal for floats and mpmath numbers, in which case k is a numerical
        guess like the rank; otherwise of the form that the reduced row echelon form gives.

    Raises
    ------
    PrecisionError
        For balls, unless full rank can be certified.

    Examples
    --------
    >>> print(null_space([[1, 2], [2, 4]]).ravel())
    [Rational(-2, 1) Rational(1, 1)]
    """
    algebra, array = matrix(A)
    return algebra.null_space(array)
