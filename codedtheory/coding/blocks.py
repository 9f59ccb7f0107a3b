"""Blocks: equally shaped arrays along a first axis, and what a coefficient matrix makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from codedtheory.arithmetic import Arithmetic, Modular

__all__ = ["combined", "functional_of_blocks", "residues", "stacked"]


def stacked(name: str, blocks: Any, count: int) -> np.ndarray[Any, Any]:
    """Return blocks as one array whose first axis counts them.

    Parameters
    ----------
    name : str
        How the argument is called, for the error message.
    blocks : array_like, shape (count, ...), or sequence of `count` arrays of one shape
    count : int

    Returns
    -------
    numpy.ndarray, shape (count, ...)

    Raises
    ------
    ValueError
        If the number of blocks is wrong or their shapes differ.

    Examples
    --------
    >>> stacked("X", [[1, 2], [3, 4]], count=2).shape
    (2, 2)
    """
    if not isinstance(blocks, np.ndarray):
        if not isinstance(blocks, Iterable):
            raise TypeError(f"{name} must be {count} blocks, got {blocks!r}")
        shapes = {np.shape(block) for block in blocks}
        if len(shapes) > 1:
            raise ValueError(f"{name} must be blocks of one shape, got {sorted(shapes)}; pad the smaller ones")
    array = np.asarray(blocks)
    if array.ndim == 0 or array.shape[0] != count:
        raise ValueError(f"{name} must have {count} blocks along its first axis, got shape {array.shape}")
    return array


def functional_of_blocks(b: Any, count: int, arithmetic: Arithmetic) -> np.ndarray[Any, Any]:
    """Return the coefficients of a linear functional of blocks; those of the mean if none are given.

    Parameters
    ----------
    b : array_like of shape (count,), or None
    count : int
    arithmetic : Arithmetic

    Returns
    -------
    numpy.ndarray, shape (count,)

    Raises
    ------
    ValueError
        If there is not one number a block.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> functional_of_blocks(None, 2, EXACT).tolist()
    [Rational(1, 2), Rational(1, 2)]
    """
    if b is None:
        return np.asarray(arithmetic.ones(count) / arithmetic.number(count))
    functional = arithmetic.array(stacked("b", b, count))
    if functional.ndim != 1:
        raise ValueError(f"b must have one number a data block, got shape {functional.shape}")
    return np.asarray(functional)


def combined(matrix: np.ndarray[Any, Any], blocks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the blocks ``sum_k matrix[i, k] * blocks[k]``.

    Over GF(p) an integer array stands for residues and comes back as an integer array of
    representatives in 0..p-1, which is faster than arrays of field elements.

    Parameters
    ----------
    matrix : numpy.ndarray, shape (m, k)
    blocks : numpy.ndarray, shape (k, ...)
        Of numbers that mix with those of the matrix.

    Returns
    -------
    numpy.ndarray, shape (m, ...)

    Raises
    ------
    TypeError
        If floats would meet rigorous numbers.

    Examples
    --------
    >>> combined(np.array([[0.5, 0.5]]), np.array([[1, 2], [3, 4]]))
    array([[2., 3.]])
    >>> from codedtheory.arithmetic import modular
    >>> combined(modular(7).array([[3, 5]]), np.array([[1], [2]]))
    array([[6]])
    """
    if matrix.dtype != object:
        if blocks.dtype.kind not in "biufc":
            raise TypeError(
                "blocks of exact numbers do not mix with coefficients over FLOAT; "
                "use a code over an exact arithmetic, or approximate(X)"
            )
        return np.tensordot(matrix, blocks, axes=(1, 0))
    flat = blocks.reshape(blocks.shape[0], -1)
    shape = (matrix.shape[0], *blocks.shape[1:])
    first = matrix.flat[0] if matrix.size else None
    if isinstance(first, Modular) and blocks.dtype.kind in "iu":
        return _product(matrix, flat, first.modulus).reshape(shape)
    return np.asarray(matrix @ flat.astype(object)).reshape(shape)


def residues(values: np.ndarray[Any, Any], modulus: int) -> np.ndarray[Any, Any]:
    """Return integers modulo a number below 2**64, as int64 or, if they may not fit, as uint64.

    Parameters
    ----------
    values : numpy.ndarray of integers
    modulus : int

    Returns
    -------
    numpy.ndarray of int64 or uint64

    Examples
    --------
    >>> residues(np.array([-1, 9]), 7)
    array([6, 2])
    """
    if modulus >= 2**63:
        return (values.astype(object) % modulus).astype(np.uint64)
    wide = np.uint64 if values.dtype.kind == "u" else np.int64
    return (values.astype(wide) % wide(modulus)).astype(np.int64)


def _product(matrix: np.ndarray[Any, Any], blocks: np.ndarray[Any, Any], modulus: int) -> np.ndarray[Any, Any]:
    coefficients = np.array([[entry.value for entry in row] for row in matrix], dtype=object)
    # int64 holds this many products of residues before a reduction is due
    terms = (2**63 - modulus) // (modulus - 1) ** 2
    if terms < 1:
        product = (coefficients @ blocks.astype(object)) % modulus
        return np.asarray(product).astype(np.int64 if modulus < 2**63 else np.uint64)
    left, right = coefficients.astype(np.int64), residues(blocks, modulus)
    total = np.zeros((left.shape[0], right.shape[1]), dtype=np.int64)
    for start in range(0, left.shape[1], terms):
        part = slice(start, start + terms)
        total = (total + left[:, part] @ right[part]) % modulus
    return total
