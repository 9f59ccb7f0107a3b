"""Workers that send the same message up to a factor: losing one of them is losing none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["first_superset", "straggler_unions", "twin_classes", "union_count"]


def twin_classes(matrix: np.ndarray[Any, Any]) -> list[tuple[int, ...]]:
    """Return the classes of workers whose rows are multiples of each other; rows of zeros are left out.

    Parameters
    ----------
    matrix : numpy.ndarray of object, shape (workers, partitions)
        Exact entries.

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> from codedtheory.coding import fractional_repetition
    >>> twin_classes(fractional_repetition(4, 1).matrix)
    [(0, 1), (2, 3)]
    """
    classes: list[tuple[Any, list[int]]] = []
    for worker, row in enumerate(matrix):
        support = np.flatnonzero(row != 0)
        if not support.size:
            continue
        direction = row / row[support[0]]
        for known, members in classes:
            if bool(np.all(direction == known)):
                members.append(worker)
                break
        else:
            classes.append((direction, [worker]))
    return [tuple(members) for _, members in classes]


def union_count(classes: Sequence[tuple[int, ...]], stragglers: int) -> int:
    """Return how many unions of classes have at most `stragglers` workers.

    Parameters
    ----------
    classes : sequence of tuple of int
    stragglers : int

    Returns
    -------
    int

    Examples
    --------
    >>> union_count([(0, 1), (2, 3)], 2)
    3
    """
    by_size = [1] + [0] * stragglers
    for members in classes:
        for size in range(stragglers, len(members) - 1, -1):
            by_size[size] += by_size[size - len(members)]
    return sum(by_size)


def straggler_unions(classes: Sequence[tuple[int, ...]], stragglers: int) -> list[tuple[int, ...]]:
    """Return all unions of classes with at most `stragglers` workers.

    A straggler set hurts no more than the union of the classes that it contains completely.

    Parameters
    ----------
    classes : sequence of tuple of int
    stragglers : int

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> straggler_unions([(0, 1), (2, 3)], 3)
    [(), (0, 1), (2, 3)]
    """
    unions: list[tuple[int, ...]] = [()]
    for members in classes:
        unions += [(*union, *members) for union in unions if len(union) + len(members) <= stragglers]
    return [tuple(sorted(union)) for union in unions]


def first_superset(members: Sequence[int], size: int) -> tuple[int, ...]:
    """Return the lexicographically first set of a size that contains the members.

    Parameters
    ----------
    members : sequence of int
    size : int
        At least their number.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> first_superset([2, 3], 3)
    (0, 2, 3)
    """
    chosen = set(members)
    worker = 0
    while len(chosen) < size:
        chosen.add(worker)
        worker += 1
    return tuple(sorted(chosen))
