"""Which answers to a degree-d map determine its values, when workers hold arbitrary linear combinations of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import prod
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, Arithmetic, rank

from .survivors import checked_count

__all__ = ["determines", "linear_encoding_threshold"]

Row = tuple[int, ...]


def determines(rows: Sequence[Sequence[int]], b: Sequence[int], degree: int, arithmetic: Arithmetic = EXACT) -> bool:
    r"""Tell whether :math:`\sum_jb_jf(X_j)` is a combination of the answers for every f of a degree.

    Worker i holds :math:`\sum_jE_{ij}X_j`. For :math:`f(x)=x_1x_2\cdots x_d` its answer is a combination of
    products of entries of d blocks with the symmetric power :math:`E_i^{\otimes d}` as its coefficients, and these
    products are linearly independent. Hence the sum follows iff :math:`\sum_jb_je_j^{\otimes d}` is a combination
    of the :math:`E_i^{\otimes d}`; and then it follows for every homogeneous f of degree d.

    Parameters
    ----------
    rows : sequence of sequence of int
        :math:`E_i` of the workers that answered.
    b : sequence of int
        One for each block.
    degree : int
        d, at least 1.
    arithmetic : Arithmetic, default EXACT
        EXACT or ``modular(p)``.

    Returns
    -------
    bool

    Examples
    --------
    >>> determines([[1, 1]], [1, 1], degree=1), determines([[1, 1]], [1, 1], degree=2)
    (True, False)
    >>> determines([[1, 1], [1, -1]], [1, 1], degree=2)
    True
    """
    d = checked_count("degree", degree, least=1)
    target = [sum(b[j] for j in set(block)) if len(set(block)) == 1 else 0 for block in _monomials(len(b), d)]
    if not rows:
        return not any(target)
    powers = [_power(tuple(row), d) for row in rows]
    known = rank(arithmetic.array(powers))
    return bool(known == rank(arithmetic.array([*powers, target])))


def linear_encoding_threshold(rows: Sequence[Sequence[int]], degree: int, arithmetic: Arithmetic = EXACT) -> int | None:
    r"""Return the least m such that any m answers determine the values :math:`f(X_j)` of every f of a degree.

    Parameters
    ----------
    rows : sequence of sequence of int
        What the workers hold: worker i holds :math:`\sum_jE_{ij}X_j`.
    degree : int
        d, at least 1.
    arithmetic : Arithmetic, default EXACT
        EXACT or ``modular(p)``.

    Returns
    -------
    int or None
        ``None`` if even all answers do not suffice.

    Examples
    --------
    Repetition of two blocks on four workers tolerates one straggler, whatever the degree:

    >>> linear_encoding_threshold([[1, 0], [0, 1], [1, 0], [0, 1]], degree=3)
    3
    """
    workers = [tuple(row) for row in rows]
    distinct = sorted(set(workers))
    least = 0
    for size in range(len(distinct), -1, -1):
        for chosen in combinations(distinct, size):
            answers = sum(workers.count(row) for row in chosen)
            if answers >= least and not _determines_all(chosen, len(workers[0]), degree, arithmetic):
                least = answers + 1
    return least if least <= len(workers) else None


@lru_cache(maxsize=1 << 16)
def _determines_all(rows: tuple[Row, ...], blocks: int, degree: int, arithmetic: Arithmetic) -> bool:
    units = np.eye(blocks, dtype=int).tolist()
    return all(determines(rows, unit, degree, arithmetic) for unit in units)


def _monomials(blocks: int, degree: int) -> list[Row]:
    return list(combinations_with_replacement(range(blocks), degree))


def _power(row: Row, degree: int) -> list[Any]:
    return [prod(row[j] for j in block) for block in _monomials(len(row), degree)]
