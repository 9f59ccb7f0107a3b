"""Families of small matrices that claims about all codes are checked on, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from codedtheory.coding import GradientCode

__all__ = ["circulant_code", "numbered_code", "numbered_placement"]

_ENTRIES = (0, 1, -1)


def numbered_code(n: int, entries: int, number: int) -> GradientCode:
    """Return the square code whose entries 0, 1 and (with three entries) -1 are the digits of a number.

    Parameters
    ----------
    n : int
        Workers and partitions.
    entries : {2, 3}
        The base.
    number : int
        Below ``entries ** (n * n)``, so that all matrices are met.

    Examples
    --------
    >>> numbered_code(2, 3, 5).matrix.astype(str).tolist()      # 5 = 1 * 3 + 2
    [['-1', '1'], ['0', '0']]
    """
    digits = [_ENTRIES[number // entries**k % entries] for k in range(n * n)]
    return GradientCode(np.array(digits, dtype=np.int64).reshape(n, n))


def numbered_placement(n: int, holders: Iterable[Iterable[int]]) -> GradientCode:
    """Return the code of plain sums in which partition j is on the j-th set of workers.

    Examples
    --------
    >>> numbered_placement(3, [(0, 1), (2,)]).matrix.astype(str).tolist()
    [['1', '0'], ['1', '0'], ['0', '1']]
    """
    columns: list[Any] = [[int(i in set(held)) for i in range(n)] for held in holders]
    return GradientCode(np.array(columns, dtype=np.int64).T)


def circulant_code(n: int, offsets: Iterable[int]) -> GradientCode:
    """Return the code of plain sums in which worker i holds the partitions i + k modulo n for the offsets k.

    Examples
    --------
    >>> circulant_code(4, [0, 2]).matrix.astype(str).tolist()[1]
    ['0', '1', '0', '1']
    """
    chosen = set(offsets)
    return GradientCode(np.array([[int((j - i) % n in chosen) for j in range(n)] for i in range(n)], dtype=np.int64))
