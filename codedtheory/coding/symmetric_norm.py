"""Spectral norms of rational symmetric matrices, exactly where they are rational or the matrix is circulant."""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, Rational, eigenvalues, maximum

__all__ = ["rational_if_possible", "symmetric_norm"]


def symmetric_norm(matrix: np.ndarray[Any, Any], bits: int = 128) -> Rational | Algebraic | Ball:
    """Return the largest absolute eigenvalue of a rational symmetric matrix.

    Parameters
    ----------
    matrix : numpy.ndarray of Rational, shape (k, k)
        Symmetric.
    bits : int, default 128
        Precision where a ball is needed.

    Returns
    -------
    Rational, Algebraic or Ball
        Exact if it is rational or the matrix is circulant, so that equality with it can be decided; otherwise
        an enclosure.

    Raises
    ------
    ValueError
        If the matrix is not symmetric.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> symmetric_norm(EXACT.array([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]))
    Rational(3, 1)
    """
    k = matrix.shape[0]
    if matrix.shape != (k, k) or not np.all(matrix == matrix.T):
        raise ValueError(f"matrix must be symmetric, got one of shape {matrix.shape} that is not")
    if all(matrix[i, j] == matrix[0, (j - i) % k] for i in range(k) for j in range(k)):
        spectrum = [_circulant_eigenvalue(matrix[0], frequency) for frequency in range(k // 2 + 1)]
        return rational_if_possible(max(abs(value) for value in spectrum))
    # rational eigenvalues of an integer matrix are integers, which a ball of radius 0 holds
    scale = lcm(*(Rational(entry).denominator for entry in matrix.ravel()))
    largest: Ball = maximum([abs(value) for value, _ in eigenvalues(matrix * scale, bits=bits)])
    norm: Rational | Ball = largest.mid / scale if largest.is_exact else largest / scale
    return norm


def _circulant_eigenvalue(first_row: np.ndarray[Any, Any], frequency: int) -> Algebraic:
    k = len(first_row)
    coefficients = [Rational(0)] * k
    for shift, entry in enumerate(first_row):
        coefficients[frequency * shift % k] = coefficients[frequency * shift % k] + entry
    return Algebraic(k, coefficients)


def rational_if_possible(value: Rational | Algebraic) -> Rational | Algebraic:
    """Return an algebraic number that is rational as a `Rational`, and anything else as it is.

    Parameters
    ----------
    value : Rational or Algebraic

    Returns
    -------
    Rational or Algebraic

    Examples
    --------
    >>> rational_if_possible(Algebraic(4, [3]))
    Rational(3, 1)
    """
    return value.rational if isinstance(value, Algebraic) and value.is_rational else value
