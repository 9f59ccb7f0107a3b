"""The entries of an encoding matrix: which numbers they may be, and the doors between exact and floating matrices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import (
    EXACT,
    Algebraic,
    ComplexBall,
    Rational,
    approximate,
    arithmetic_of,
    cyclotomic,
    exactly,
)
from codedtheory.arithmetic.number import is_integer

__all__ = ["as_entries", "exact_entries", "floating_entries", "is_exact", "is_real"]

_GAUSSIAN = 4  # conductor of the field of the Gaussian rationals


def as_entries(matrix: Any) -> np.ndarray[Any, Any]:
    """Return an encoding matrix as an array of one kind of numbers.

    Parameters
    ----------
    matrix : array_like, shape (workers, partitions)
        Floats or complex floats, which stay doubles; or integers, fractions, numerals such as ``"3/7"``,
        `Rational` and `Algebraic` numbers, which stay exact.

    Returns
    -------
    numpy.ndarray, shape (workers, partitions)
        Of dtype float64 or complex128, or of object dtype with `Rational` or `Algebraic` entries.

    Raises
    ------
    ValueError
        If the matrix is not a table, is empty or has an entry that is not finite.
    TypeError
        For entries of other kinds, and for floats mixed with exact numbers.

    Examples
    --------
    >>> as_entries([[1, "1/2"]])
    array([[Rational(1, 1), Rational(1, 2)]], dtype=object)
    """
    array = _table(matrix)
    if array.dtype == object:
        array = _from_objects(array)
    elif array.dtype.kind in "iu":
        array = EXACT.array(array)
    elif array.dtype.kind == "f":
        array = array.astype(np.float64)
    elif array.dtype.kind == "c":
        array = array.astype(np.complex128)
    else:
        raise TypeError(f"matrix entries of type {array.dtype} are no numbers; use floats, integers or fractions")
    if array.dtype != object and not np.isfinite(array).all():
        row, column = (int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"matrix must be finite, got {array[row, column]} in row {row}, column {column}")
    return array


def _table(matrix: Any) -> np.ndarray[Any, Any]:
    try:
        array = matrix if isinstance(matrix, np.ndarray) else np.array(matrix, dtype=object)
    except ValueError as error:
        raise ValueError("matrix must be a table of workers x partitions with rows of equal length") from error
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            f"matrix must be a table of workers x partitions with rows of equal length, got shape {array.shape}"
        )
    return array


def _from_objects(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    values = [Rational(x) if isinstance(x, str) else x for x in array.ravel()]
    if any(isinstance(x, (complex, np.complexfloating)) for x in values):
        if not all(isinstance(x, (int, float, complex, np.number)) for x in values):
            raise TypeError("complex floats and exact numbers do not mix in a matrix; write Algebraic(4, [real, imag])")
        return np.array(values, dtype=np.complex128).reshape(array.shape)
    filled = np.empty(len(values), dtype=object)
    filled[:] = values
    arithmetic = arithmetic_of(filled)
    if not arithmetic.is_rigorous:
        if arithmetic.dtype is object:
            raise TypeError(f"matrix entries of {arithmetic.name} are neither floats nor exact; use Rational or float")
        return filled.astype(np.float64).reshape(array.shape)
    if all(is_integer(x) or isinstance(x, (Fraction, Rational)) for x in values):
        return EXACT.array(filled).reshape(array.shape)
    if not any(isinstance(x, Algebraic) for x in values) or arithmetic.name.startswith(("ball", "complex_ball")):
        raise TypeError(f"matrix entries of {arithmetic.name} decide no rank; use Rational, Algebraic or float")
    lifted = arithmetic.array(filled)
    if all(x.is_rational for x in lifted):
        lifted = EXACT.array(lifted)
    return lifted.reshape(array.shape)


def is_exact(values: np.ndarray[Any, Any]) -> bool:
    """Whether the entries of an array are exact numbers.

    Parameters
    ----------
    values : numpy.ndarray

    Returns
    -------
    bool

    Examples
    --------
    >>> is_exact(as_entries([[1]])), is_exact(as_entries([[1.0]]))
    (True, False)
    """
    return bool(values.dtype == object)


def is_real(values: np.ndarray[Any, Any]) -> bool:
    """Whether all entries of an array are real, which for exact numbers is decided exactly.

    Parameters
    ----------
    values : numpy.ndarray

    Returns
    -------
    bool

    Examples
    --------
    >>> is_real(as_entries([[Algebraic(4, [0, 1])]]))
    False
    """
    if values.dtype == object:
        return all(not isinstance(x, Algebraic) or x.is_real for x in values.ravel())
    return bool(values.dtype.kind != "c")


def exact_entries(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array of floats as the exact numbers that these doubles are.

    Parameters
    ----------
    values : numpy.ndarray

    Returns
    -------
    numpy.ndarray
        `Rational` entries, or Gaussian rationals for complex floats; an exact array is returned as it is.

    Examples
    --------
    >>> exact_entries(np.array([[0.5]]))
    array([[Rational(1, 2)]], dtype=object)
    """
    if values.dtype == object:
        return values
    if values.dtype.kind != "c":
        exact: np.ndarray[Any, Any] = exactly(values)
        return exact
    parts = [Algebraic(_GAUSSIAN, [exactly(float(x.real)), exactly(float(x.imag))]) for x in values.ravel()]
    return cyclotomic(_GAUSSIAN).array(parts).reshape(values.shape)


def floating_entries(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the doubles nearest to the entries of an array; complex ones only if an entry is not real.

    Parameters
    ----------
    values : numpy.ndarray

    Returns
    -------
    numpy.ndarray of float64 or complex128

    Examples
    --------
    >>> floating_entries(as_entries([["1/4", Algebraic.root_of_unity(Fraction(1, 4), 4)]]))
    array([[0.25+0.j, 0.  +1.j]])
    """
    if values.dtype != object:
        return values
    if is_real(values):
        doubles: np.ndarray[Any, Any] = approximate(values)
        return doubles
    enclosures = [ComplexBall(x, 128) for x in values.ravel()]
    return np.array([complex(approximate(z.real), approximate(z.imag)) for z in enclosures]).reshape(values.shape)
