"""Straggler sets up to symmetry: one representative of each orbit, with the size of the orbit."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np

from .survivors import checked_count
from .worker_symmetry import TRIVIAL, WorkerSymmetry

__all__ = ["orbit_count", "orbit_representatives", "straggler_sets"]

_CHUNK = 1 << 16
_MASK_BITS = 62
_TABLE_BITS = 12

Sets = np.ndarray[Any, np.dtype[np.int64]]


def straggler_sets(workers: int, stragglers: int, chunk: int = _CHUNK) -> Iterator[Sets]:
    r"""Return all sets of stragglers in lexicographic order, a chunk of rows at a time.

    Parameters
    ----------
    workers : int
    stragglers : int
        Size of the sets, between 0 and `workers`; their number must stay below 2**62.
    chunk : int, optional
        Rows per array.

    Yields
    ------
    numpy.ndarray of int64, shape (rows, stragglers)
        Increasing along each row.

    Notes
    -----
    The set of rank :math:`r` is read off from the greedy expansion of :math:`\binom ns-1-r` in binomials (the
    combinatorial number system), for all rows at once.

    Examples
    --------
    >>> next(straggler_sets(4, 2)).tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    total = _counted(workers, stragglers)
    size = max(1, checked_count("chunk", chunk, least=1))
    # larger binomials than the number of sets are never reached
    table = np.array([[min(comb(m, k), total) for m in range(workers)] for k in range(stragglers + 1)], dtype=np.int64)
    for start in range(0, total, size):
        rest = total - 1 - np.arange(start, min(start + size, total), dtype=np.int64)
        sets = np.empty((rest.size, stragglers), dtype=np.int64)
        for position in range(stragglers):
            row = table[stragglers - position]
            level = np.searchsorted(row, rest, side="right") - 1
            rest = rest - row[level]
            sets[:, position] = workers - 1 - level
        yield sets


def orbit_representatives(
    workers: int, stragglers: int, symmetry: WorkerSymmetry = TRIVIAL
) -> Iterator[tuple[Sets, np.ndarray[Any, np.dtype[np.int64]]]]:
    """Return the straggler sets that are lexicographically first in their orbits, with the sizes of the orbits.

    The representatives come in lexicographic order. So the first of them with a property that the symmetry keeps is
    the first of all sets with it.

    Parameters
    ----------
    workers : int
    stragglers : int
    symmetry : WorkerSymmetry, optional
        By default every set is an orbit of its own.

    Yields
    ------
    representatives : numpy.ndarray of int64, shape (rows, stragglers)
    sizes : numpy.ndarray of int64, shape (rows,)

    Notes
    -----
    With worker 0 in the highest bit, the lexicographically first set of an orbit has the largest bit mask. A set is
    dropped as soon as one element of the group maps it to a larger mask, and the elements that fix it count its
    stabiliser, whose order divides the group's order to the size of the orbit.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> pieces = orbit_representatives(20, 5, plain_cyclic(20, 2).symmetry_group)
    >>> sum(len(sets) for sets, sizes in pieces)
    406
    """
    shifts = np.arange(workers - 1, -1, -1, dtype=np.int64)
    tables = [_Images(p, shifts) for p in symmetry.permutations] if workers <= _MASK_BITS else []
    for sets in straggler_sets(workers, stragglers):
        if symmetry.is_transitive and stragglers and sets[0, 0] > 0:
            return  # every orbit has a set with worker 0, and those sets come first
        stabiliser = np.ones(len(sets), dtype=np.int64)
        keys = np.bitwise_or.reduce(np.int64(1) << shifts[sets], axis=1, initial=0) if tables else None
        for k, permutation in enumerate(symmetry.permutations):
            if keys is not None:
                images = tables[k](keys)
                larger, same = images > keys, images == keys
            else:
                larger, same = _compare(np.sort(np.array(permutation)[sets], axis=1), sets)
            stabiliser += same
            if larger.any():
                keep = ~larger
                sets, stabiliser = sets[keep], stabiliser[keep]
                keys = keys[keep] if keys is not None else None
        if len(sets):
            yield sets, symmetry.order // stabiliser


class _Images:
    """The images of bit masks under a permutation, looked up a few bits at a time."""

    def __init__(self, permutation: tuple[int, ...], shifts: Sets) -> None:
        workers = len(permutation)
        image = np.int64(1) << shifts[np.array(permutation)]
        by_bit = image[::-1]  # bit b belongs to worker workers - 1 - b
        self.tables = []
        for low in range(0, workers, _TABLE_BITS):
            table = np.zeros(1, dtype=np.int64)
            for bit in by_bit[low : low + _TABLE_BITS]:
                table = np.concatenate([table, table | bit])
            self.tables.append((low, table))

    def __call__(self, masks: Sets) -> Sets:
        images = np.zeros_like(masks)
        for low, table in self.tables:
            images |= table[(masks >> low) & (len(table) - 1)]
        return images


def _compare(images: Sets, sets: Sets) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return where the images come before the sets in lexicographic order, and where they are the same."""
    differ = images != sets
    same = ~differ.any(axis=1)
    first = np.argmax(differ, axis=1) if sets.shape[1] else np.zeros(len(sets), dtype=np.int64)
    rows = np.arange(len(sets))
    before = images[rows, first] < sets[rows, first] if sets.shape[1] else np.zeros(len(sets), dtype=bool)
    return before & ~same, same


def _counted(workers: int, stragglers: int) -> int:
    checked_count("workers", workers, least=1)
    if checked_count("stragglers", stragglers, least=0) > workers:
        raise ValueError(f"stragglers must be at most the number of workers ({workers}), got {stragglers}")
    total = comb(workers, stragglers)
    if total >= 1 << 62:
        raise ValueError(f"{total} straggler sets of {stragglers} among {workers} workers are too many to enumerate")
    return total


def orbit_count(workers: int, stragglers: int, symmetry: WorkerSymmetry = TRIVIAL) -> int:
    """Return the number of orbits of straggler sets, without going through them.

    Parameters
    ----------
    workers : int
    stragglers : int
    symmetry : WorkerSymmetry, optional

    Returns
    -------
    int

    Notes
    -----
    The mean number of sets that an element of the group fixes (Burnside); a fixed set is a union of its cycles.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> orbit_count(24, 6, plain_cyclic(24, 4).symmetry_group)
    2920
    """
    workers = checked_count("workers", workers, least=1)
    stragglers = checked_count("stragglers", stragglers, least=0)
    fixed = comb(workers, stragglers)
    for permutation in symmetry.permutations:
        by_size = [1] + [0] * stragglers
        for length in _cycle_lengths(permutation):
            for size in range(stragglers, length - 1, -1):
                by_size[size] += by_size[size - length]
        fixed += by_size[stragglers]
    return fixed // symmetry.order


def _cycle_lengths(permutation: tuple[int, ...]) -> list[int]:
    unseen = set(range(len(permutation)))
    lengths = []
    while unseen:
        start = worker = unseen.pop()
        length = 1
        while (worker := permutation[worker]) != start:
            unseen.discard(worker)
            length += 1
        lengths.append(length)
    return lengths
