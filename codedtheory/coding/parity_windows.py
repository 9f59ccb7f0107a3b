"""Which integer parity matrices of Algorithm 2 have a singular block among those it inverts."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from .survivors import checked_count

__all__ = ["has_singular_window", "integer_parities"]

_LARGEST = 1_000_000


def integer_parities(n: int, s: int, entries: Any, rng: np.random.Generator | None = None, count: int = 0) -> Any:
    r"""Return parity matrices :math:`H\in\mathbb Z^{s\times n}` with :math:`H\mathbf 1=0` and given free entries.

    The last column is minus the sum of the others, which are free.

    Parameters
    ----------
    n : int
        Columns.
    s : int
        Rows, from 1 to n - 1.
    entries : sequence of int
        The values that the first n - 1 columns take.
    rng : numpy.random.Generator, optional
        Draws `count` matrices with independent uniform entries; without it all matrices are returned.
    count : int, optional
        How many to draw.

    Returns
    -------
    numpy.ndarray of int64, shape (matrices, s, n)

    Raises
    ------
    ValueError
        If there are more than a million matrices.

    Examples
    --------
    >>> integer_parities(3, 1, [1, 2]).tolist()
    [[[1, 1, -2]], [[1, 2, -3]], [[2, 1, -3]], [[2, 2, -4]]]
    """
    n = checked_count("n", n, least=2)
    s = checked_count("s", s, least=1, most=n - 1)
    values = np.asarray(list(entries), dtype=np.int64)
    free = s * (n - 1)
    total = count if rng is not None else values.size**free
    if not 1 <= total <= _LARGEST:
        raise ValueError(f"matrices must be from 1 to {_LARGEST}, got {total}; draw some with rng and count")
    if rng is not None:
        chosen = rng.integers(values.size, size=(total, free))
    else:
        chosen = np.arange(total)[:, None] // values.size ** np.arange(free - 1, -1, -1) % values.size
    columns = values[chosen].reshape(total, s, n - 1)
    return np.concatenate([columns, -columns.sum(axis=2, keepdims=True)], axis=2)


def has_singular_window(parities: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Tell for each integer parity matrix whether some s cyclically consecutive columns are dependent.

    Parameters
    ----------
    parities : numpy.ndarray of int64, shape (matrices, s, n)

    Returns
    -------
    numpy.ndarray of bool, shape (matrices,)
        For these no code of Algorithm 2 exists, since it inverts all n windows (Tandon et al. 2017,
        arXiv:1612.03301).

    Raises
    ------
    ValueError
        If a determinant might exceed 64 bits.

    Examples
    --------
    >>> has_singular_window(np.array([[[1, 1, -2]], [[1, -1, 0]]])).tolist()
    [False, True]
    """
    if parities.ndim != 3 or parities.dtype.kind not in "iu":
        raise ValueError(
            f"parities must be integers of shape (matrices, s, n), got {parities.dtype} of shape {parities.shape}"
        )
    _, s, n = parities.shape
    if factorial(s) * int(np.abs(parities).max(initial=0)) ** s >= 2**62:
        raise ValueError(f"entries up to {np.abs(parities).max()} may overflow at s={s}; use smaller ones")
    singular = np.zeros(len(parities), dtype=bool)
    for start in range(n):
        singular |= _determinants(parities[:, :, [(start + k) % n for k in range(s)]]) == 0
    return singular


def _determinants(blocks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the determinants of integer blocks by expansion along the first row."""
    size = blocks.shape[1]
    if size == 1:
        return np.asarray(blocks[:, 0, 0])
    total = np.zeros(len(blocks), dtype=np.int64)
    for k in range(size):
        minor = _determinants(np.delete(blocks[:, 1:], k, axis=2))
        total += (-1) ** k * blocks[:, 0, k] * minor
    return total
