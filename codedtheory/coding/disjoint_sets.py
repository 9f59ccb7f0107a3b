"""Decoding by a largest set of received workers whose partitions do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import arithmetic_of

from .placement import PlacedCode, cyclic_window, require_plain_sums, supports
from .survivors import checked_count, checked_survivors

__all__ = ["DisjointSetDecoder", "circular_greedy", "disjoint_set_weights", "maximum_disjoint_set"]


@dataclass(frozen=True, slots=True)
class DisjointSetDecoder:
    r"""Add the plain sums of a maximum set of survivors with pairwise disjoint partitions.

    The sum is multiplied by partitions over recovered partitions, so that after the division by n the
    update is the mean over the recovered ones. Any non-empty set of survivors will do.

    Parameters
    ----------
    rescale : bool, default True
        ``False`` leaves the weights 1 (a sum over the recovered partitions only).

    Notes
    -----
    "IS-GC" of Su, Sukhnandan and Li (2023), "On arbitrary ignorance of stragglers with gradient coding". On
    cyclic repetition the set comes from `circular_greedy`, otherwise from `maximum_disjoint_set`. The
    recovered partitions get the coefficient n over their number, the others 0, so it is never nearer to
    the full sum than least squares on the same messages.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> DisjointSetDecoder().weights(plain_cyclic(5, 1), [0, 1, 3])
    array([Rational(5, 4), Rational(0, 1), Rational(5, 4)], dtype=object)
    """

    rescale: bool = True
    name: ClassVar[str] = "disjoint set"
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
            If the code does not send plain sums.
        """
        require_plain_sums(code)
        received = checked_survivors(survivors, code.matrix.shape[0])
        return disjoint_set_weights(code, received, _chosen(code, received), self.rescale)


def disjoint_set_weights(
    code: PlacedCode, survivors: Sequence[int], chosen: Sequence[int], rescale: bool
) -> np.ndarray[Any, Any]:
    """Return the weights of survivors of whom some with disjoint partitions were chosen.

    Parameters
    ----------
    code : PlacedCode
    survivors : sequence of int
    chosen : sequence of int
        A subset of the survivors.
    rescale : bool
        Whether to multiply by partitions over recovered partitions.

    Returns
    -------
    numpy.ndarray, shape (len(survivors),)
    """
    arithmetic = arithmetic_of(code.matrix)
    held = supports(code)
    recovered = sum(len(held[worker]) for worker in chosen)
    weight = arithmetic.number(1)
    if rescale and recovered:
        weight = arithmetic.number(code.matrix.shape[1]) / recovered
    result = arithmetic.zeros(len(survivors))
    picked = set(chosen)
    for position, worker in enumerate(survivors):
        if worker in picked:
            result[position] = weight
    return result


def _chosen(code: PlacedCode, survivors: Sequence[int]) -> tuple[int, ...]:
    c = cyclic_window(code)
    if c is not None:
        return circular_greedy(code.matrix.shape[0], c, survivors)
    return maximum_disjoint_set(supports(code), survivors)


def circular_greedy(n: int, c: int, survivors: Sequence[int]) -> tuple[int, ...]:
    """Return a maximum set of survivors whose circular distances are all at least c.

    Fix the smallest survivor. A maximum set can be shifted so that it starts less than c to the right of it;
    from each such start walk to the right and take the next survivor at distance c or more from
    the last one, as long as it is not less than c to the left of the start. The longest chain wins, the
    earliest on a tie.

    Parameters
    ----------
    n : int
        Workers on the circle.
    c : int
        Window length: workers closer than c share a partition.
    survivors : sequence of int
        Distinct workers, in any order.

    Returns
    -------
    tuple of int
        In circular order from the start of the chain.

    Examples
    --------
    >>> circular_greedy(7, 2, [0, 1, 3, 5, 6])
    (0, 3, 5)
    """
    n = checked_count("n", n, least=1)
    received, c = sorted(checked_survivors(survivors, n)), checked_count("c", c, least=1, most=n)
    best: list[int] = []
    for index, start in enumerate(received):
        if start - received[0] >= c:
            break
        chain = [start]
        for worker in received[index + 1 :] + received[:index]:
            if (start - worker) % n < c:
                # everything further on is closer still to the start; on its right side the chain's head decides
                if (worker - start) % n >= c:
                    break
                continue
            if (worker - chain[-1]) % n >= c:
                chain.append(worker)
        if len(chain) > len(best):
            best = chain
    return tuple(best)


def maximum_disjoint_set(held: Sequence[frozenset[int]], survivors: Sequence[int]) -> tuple[int, ...]:
    """Return a largest set of survivors that hold pairwise disjoint partitions, for any placement.

    A maximum independent set of the conflict graph by branch and bound over bit masks: workers that hold a common
    partition contribute one at most, so the number of such groups that cover the open workers bounds what they add.
    Meant for up to some dozens of workers. Ties go to the lexicographically smallest set.

    Parameters
    ----------
    held : sequence of frozenset of int
        Partitions of each worker.
    survivors : sequence of int
        Distinct workers.

    Returns
    -------
    tuple of int
        Sorted.

    Examples
    --------
    >>> maximum_disjoint_set([frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3})], [0, 1, 2])
    (0, 2)
    """
    received = sorted(checked_survivors(survivors, len(held)))
    conflicts = {i: sum(1 << j for j in received if held[i] & held[j]) for i in received}
    partitions = {p for i in received for p in held[i]}
    holders = {p: sum(1 << i for i in received if p in held[i]) for p in partitions}
    best: list[int] = []

    def groups(open_set: int) -> int:
        count = 0
        while open_set:
            lowest = open_set & -open_set
            sharing = (holders[p] & open_set for p in held[lowest.bit_length() - 1])
            open_set &= ~max(sharing, key=int.bit_count, default=lowest)
            count += 1
        return count

    def extend(chosen: list[int], open_set: int) -> None:
        nonlocal best
        if len(chosen) + groups(open_set) <= len(best):
            return
        if not open_set:
            best = list(chosen)
            return
        first = (open_set & -open_set).bit_length() - 1
        extend([*chosen, first], open_set & ~conflicts[first] & ~(1 << first))
        if conflicts[first] & open_set & ~(1 << first):
            extend(chosen, open_set & ~(1 << first))

    extend([], sum(1 << i for i in received))
    return tuple(best)
