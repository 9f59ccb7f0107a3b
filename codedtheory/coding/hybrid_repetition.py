"""Hybrid repetition: cyclic copies inside groups and across them, decoded by disjoint sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import EXACT

from .disjoint_sets import disjoint_set_weights
from .gradient_code import GradientCode
from .placement import PlacedCode, require_plain_sums, supports
from .survivors import checked_count, checked_survivors

__all__ = ["HybridGroupDecoder", "grouped_greedy", "hybrid_repetition"]


def hybrid_repetition(n: int, groups: int, inside: int, across: int) -> GradientCode:
    r"""Return the plain-sum code of hybrid repetition.

    Worker r of group :math:`\lfloor r/n_0\rfloor`, :math:`n_0=n/\text{groups}`, holds the `inside` partitions that
    precede it cyclically in its group and the `across` partitions r, ..., r + across - 1 modulo n. With
    ``inside = 0`` this is cyclic repetition.

    Parameters
    ----------
    n : int
        Workers and partitions.
    groups : int
        Number of groups, a divisor of n.
    inside, across : int
        Partitions of the two kinds; together at least 1 and at most n / groups.

    Returns
    -------
    GradientCode

    Raises
    ------
    ValueError
        If the groups do not divide n or hold too few partitions.

    Notes
    -----
    "HR" of Su, Sukhnandan and Li (2023), "On arbitrary ignorance of stragglers with gradient coding".

    Examples
    --------
    >>> code = hybrid_repetition(4, groups=2, inside=1, across=1)
    >>> [[str(entry) for entry in row] for row in code.matrix]
    [['1', '1', '0', '0'], ['1', '1', '0', '0'], ['0', '0', '1', '1'], ['0', '0', '1', '1']]
    """
    n = checked_count("n", n, least=1)
    groups = checked_count("groups", groups, least=1)
    inside = checked_count("inside", inside, least=0)
    across = checked_count("across", across, least=0)
    if n % groups:
        raise ValueError(f"groups must divide n, got n={n}, groups={groups}")
    size = n // groups
    if not 1 <= inside + across <= size:
        raise ValueError(f"inside + across must be from 1 to n / groups = {size}, got {inside} + {across}")
    matrix = EXACT.zeros((n, n))
    for worker in range(n):
        start, index = worker - worker % size, worker % size
        for k in range(1, inside + 1):
            matrix[worker, start + (index - k) % size] = EXACT.number(1)
        for k in range(across):
            matrix[worker, (worker + k) % n] = EXACT.number(1)
    return GradientCode(matrix, name=f"hybrid_repetition({n}, {groups}, {inside}, {across})")


@dataclass(frozen=True, slots=True)
class HybridGroupDecoder:
    """Disjoint sets by a greedy walk that never takes two workers of one group, as in released code.

    The set is always valid, but not always largest: two workers of one group need not share a partition.
    `DisjointSetDecoder` checks the partitions themselves and finds a largest set.

    Parameters
    ----------
    groups : int
        Number of groups of consecutive workers, a divisor of the number of workers.
    rescale : bool, default True
        Whether to multiply by partitions over recovered partitions.

    Examples
    --------
    >>> code = hybrid_repetition(4, groups=1, inside=0, across=2)
    >>> [str(w) for w in HybridGroupDecoder(groups=1).weights(code, [0, 1, 2])]
    ['2', '0', '0']
    >>> from codedtheory.coding import DisjointSetDecoder
    >>> [str(w) for w in DisjointSetDecoder().weights(code, [0, 1, 2])]
    ['1', '0', '1']
    """

    groups: int
    rescale: bool = True
    name: ClassVar[str] = "disjoint set, one a group"
    equivariant: ClassVar[bool] = False

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the common weight of the chosen survivors and 0 for the others.

        Parameters
        ----------
        code : PlacedCode
            Plain sums.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If the code does not send plain sums or the groups do not divide its workers.
        """
        require_plain_sums(code)
        received = checked_survivors(survivors, code.matrix.shape[0])
        chosen = grouped_greedy(supports(code), self.groups, received)
        return disjoint_set_weights(code, received, chosen, self.rescale)


def grouped_greedy(held: Sequence[frozenset[int]], groups: int, survivors: Sequence[int]) -> tuple[int, ...]:
    """Return disjoint survivors found by greedy walks in which all workers of a group exclude each other.

    A walk starts at each survivor of the group of the smallest one, goes to the right, takes the next survivor that is
    not excluded by the last one taken, and ends when it comes near the start again from the left.

    Parameters
    ----------
    held : sequence of frozenset of int
        Partitions of each worker.
    groups : int
        Number of groups, a divisor of the number of workers.
    survivors : sequence of int
        Distinct workers.

    Returns
    -------
    tuple of int
        The longest walk, the earliest on a tie.

    Examples
    --------
    >>> windows = [frozenset({i, (i + 1) % 4}) for i in range(4)]
    >>> grouped_greedy(windows, 1, [0, 1, 2]), grouped_greedy(windows, 2, [0, 1, 2])
    ((0,), (0, 2))
    """
    n = len(held)
    received = sorted(checked_survivors(survivors, n))
    groups = checked_count("groups", groups, least=1)
    if n % groups:
        raise ValueError(f"groups must divide the number of workers, got {n} workers and groups={groups}")
    size = n // groups

    def exclude(a: int, b: int) -> bool:
        return a // size == b // size or bool(held[a] & held[b])

    best: list[int] = []
    for index, start in enumerate(received):
        if start // size != received[0] // size:
            break
        chain = [start]
        for worker in received[index + 1 :] + received[:index]:
            if exclude(start, worker) and (start - worker) % n < (worker - start) % n:
                break
            if not exclude(chain[-1], worker):
                chain.append(worker)
        if len(chain) > len(best):
            best = chain
    return tuple(best)
