"""All straggler sets of a number of workers in lexicographic order, in batches, up to reflection on request."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice

import numpy as np
import numpy.typing as npt

__all__ = ["mirror_first", "straggler_batches", "survivors_of"]

IndexArray = npt.NDArray[np.intp]


def straggler_batches(
    workers: int, stragglers: int, mirrored: bool = False, rows: int = 1 << 14
) -> Iterator[IndexArray]:
    """Return all sets of stragglers in lexicographic order.

    Parameters
    ----------
    workers, stragglers : int
    mirrored : bool, default False
        Whether to leave out the sets whose reflection i -> workers - 1 - i comes before them.
    rows : int
        Sets looked at for one batch.

    Yields
    ------
    numpy.ndarray of int, shape (at most rows, stragglers)
        Increasing along each row.

    Examples
    --------
    >>> [batch.tolist() for batch in straggler_batches(4, 2, mirrored=True)]
    [[[0, 1], [0, 2], [0, 3], [1, 2]]]
    """
    sets = combinations(range(workers), stragglers)
    while batch := list(islice(sets, rows)):
        flat = np.fromiter(chain.from_iterable(batch), dtype=np.intp, count=len(batch) * stragglers)
        array = flat.reshape(len(batch), stragglers)
        if mirrored:
            array = array[mirror_first(array, workers)]
        if len(array):
            yield array


def mirror_first(sets: IndexArray, workers: int) -> npt.NDArray[np.bool_]:
    """Return for each set whether it does not come after its reflection in lexicographic order."""
    if not sets.shape[1]:
        return np.ones(len(sets), dtype=bool)
    difference = sets - (workers - 1 - sets[:, ::-1])
    first = np.argmax(difference != 0, axis=1)
    result: npt.NDArray[np.bool_] = difference[np.arange(len(sets)), first] <= 0
    return result


def survivors_of(sets: IndexArray, workers: int) -> IndexArray:
    """Return the workers that are left of each straggler set, increasing along each row."""
    alive = np.ones((len(sets), workers), dtype=bool)
    alive[np.arange(len(sets))[:, None], sets] = False
    return np.nonzero(alive)[1].reshape(len(sets), workers - sets.shape[1])
