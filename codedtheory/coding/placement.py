"""Which worker holds which partition, read off a code's matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

__all__ = [
    "PlacedCode",
    "copies_per_partition",
    "cyclic_window",
    "holders",
    "received_copies",
    "repetition_groups",
    "require_plain_sums",
    "supports",
    "window_length",
]


class PlacedCode(Protocol):
    """A code as decoders see it: row i of the matrix says how worker i combines the partitions."""

    @property
    def matrix(self) -> np.ndarray[Any, Any]:
        """Encoding matrix, shape (workers, partitions)."""


def supports(code: PlacedCode) -> tuple[frozenset[int], ...]:
    """Return for each worker the set of partitions it holds.

    Parameters
    ----------
    code : PlacedCode

    Returns
    -------
    tuple of frozenset of int, length workers
    """
    return tuple(frozenset(j for j, entry in enumerate(row) if entry != 0) for row in code.matrix)


def holders(code: PlacedCode) -> tuple[frozenset[int], ...]:
    """Return for each partition the set of workers that hold it.

    Parameters
    ----------
    code : PlacedCode

    Returns
    -------
    tuple of frozenset of int, length partitions
    """
    return tuple(frozenset(i for i, entry in enumerate(column) if entry != 0) for column in code.matrix.T)


def received_copies(code: PlacedCode, survivors: Sequence[int]) -> list[int]:
    """Return for each partition how many survivors hold it.

    Parameters
    ----------
    code : PlacedCode
    survivors : sequence of int

    Returns
    -------
    list of int, length partitions
    """
    present = frozenset(survivors)
    return [len(held & present) for held in holders(code)]


def copies_per_partition(code: PlacedCode) -> int:
    """Return the number of workers on which every partition sits.

    Raises
    ------
    ValueError
        If the partitions are not all replicated equally often, or nobody holds any.
    """
    counts = {len(held) for held in holders(code)}
    if counts == {0}:
        raise ValueError("code must hold every partition, got a matrix of zeros; give the workers something to send")
    if len(counts) != 1:
        raise ValueError(
            f"code must hold every partition equally often, got copies {sorted(counts)}; "
            "use a decoder that takes explicit weights"
        )
    return counts.pop()


def require_plain_sums(code: PlacedCode) -> None:
    """Raise `ValueError` unless every worker sends the plain sum of its partitions (entries 0 and 1)."""
    for i, j in np.ndindex(code.matrix.shape):
        if code.matrix[i, j] != 0 and code.matrix[i, j] != 1:
            raise ValueError(
                f"code must send plain sums (entries 0 and 1), got {code.matrix[i, j]} at worker {i}, "
                f"partition {j}; use a decoder for general encoding matrices"
            )


def cyclic_window(code: PlacedCode) -> int | None:
    """Return c if worker i holds exactly the partitions i, ..., i + c - 1 modulo n, for all of n workers.

    Parameters
    ----------
    code : PlacedCode

    Returns
    -------
    int or None
        ``None`` for other placements.
    """
    workers, partitions = code.matrix.shape
    held = supports(code)
    c = len(held[0])
    windows = workers == partitions and all(held[i] == {(i + k) % workers for k in range(c)} for i in range(workers))
    return c if windows and c else None


def window_length(code: PlacedCode) -> int:
    """Return c if the code is plain cyclic: worker i sends the sum of partitions i, ..., i + c - 1 modulo n.

    Raises
    ------
    ValueError
        If it is not.
    """
    require_plain_sums(code)
    c = cyclic_window(code)
    if c is None:
        raise ValueError(
            "code must be plain cyclic repetition (worker i holds partitions i, ..., i + c - 1 modulo n); "
            "use plain_cyclic(n, s) or a decoder for other placements"
        )
    return c


def repetition_groups(code: PlacedCode) -> tuple[tuple[int, ...], ...]:
    """Return the groups of workers that hold the same partitions, if the groups share no partition.

    Raises
    ------
    ValueError
        If the code is not plain fractional repetition.
    """
    require_plain_sums(code)
    held = supports(code)
    blocks = sorted({block for block in held if block}, key=min)
    if sum(map(len, blocks)) != code.matrix.shape[1] or set().union(*blocks) != set(range(code.matrix.shape[1])):
        raise ValueError(
            "code must be plain fractional repetition (groups of workers with the same, otherwise disjoint "
            "partitions); use fractional_repetition(n, s) or a decoder for other placements"
        )
    return tuple(tuple(i for i, block in enumerate(held) if block == common) for common in blocks)
