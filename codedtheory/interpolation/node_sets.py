"""Many equally large sets of nodes, all taken from one list of points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from .node_families import chebyshev_second
from .nodes import Nodes
from .outward import Intervals, exact_arithmetic_flags
from .points import two_doubles

__all__ = ["NodeSets", "chebyshev_survivors", "checked_workers"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class NodeSets:
    """Several equally large sets of nodes, with alternating weights.

    Attributes
    ----------
    distance : numpy.ndarray or Intervals
        Shape (m, m): the distances of the points of the list.
    sets : numpy.ndarray of int
        Shape (sets, n + 1): the indices, in the list, of the nodes of each set, in increasing order of nodes.
    magnitudes : numpy.ndarray or Intervals
        Shape (sets, n + 1): moduli of the barycentric weights, whose signs alternate.
    """

    distance: Any
    sets: IndexArray
    magnitudes: Any

    @classmethod
    def single(cls, nodes: Nodes, ends: tuple[Any, ...], rigorous: bool, magnitudes: Any = None) -> NodeSets:
        """Return one set: the nodes, increasing, then the points `ends` as the last of the list."""
        count = len(nodes)
        order = np.arange(count) if nodes.is_increasing else np.arange(count)[::-1]
        parts = [part[order] for part in nodes.two_doubles()]
        for end in ends:
            parts = [np.append(part, value) for part, value in zip(parts, two_doubles(end), strict=True)]
        if magnitudes is None:
            magnitudes = np.ones((1, count))
        return cls(distances(parts, rigorous), np.arange(count)[None, :], magnitudes)

    @property
    def gaps(self) -> int:
        """Number n of gaps between the nodes of a set."""
        return int(self.sets.shape[1]) - 1

    def __len__(self) -> int:
        return int(self.sets.shape[0])


def distances(parts: list[FloatArray], rigorous: bool) -> Any:
    """Return the distances of points given as sums of two doubles with an error, accurate to a few units."""
    high, low, error = parts
    if not rigorous:
        return np.abs((high[None, :] - high[:, None]) + (low[None, :] - low[:, None]))
    with exact_arithmetic_flags():
        difference = Intervals.of(high[None, :]) - high[:, None] + (Intervals.of(low[None, :]) - low[:, None])
        unknown = Intervals(-error, error)
        difference = difference + (unknown[None, :] + unknown[:, None])
        least = np.maximum(np.maximum(difference.lo, -difference.hi), 0.0)
        most = np.maximum(np.abs(difference.lo), np.abs(difference.hi))
    np.fill_diagonal(least, 0.0)
    np.fill_diagonal(most, 0.0)
    return Intervals(least, most)


def checked_workers(workers: Any, stragglers: Any, fewest_left: int = 1) -> tuple[int, int]:
    """Return both counts as ints, or raise."""
    for name, value in (("workers", workers), ("stragglers", stragglers)):
        if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be an integer, got {value!r}")
    workers, stragglers = int(workers), int(stragglers)
    if workers < 2:
        raise ValueError(f"workers must be at least 2, got {workers}")
    if not 0 <= stragglers <= workers - fewest_left:
        raise ValueError(
            f"stragglers must be from 0 to {workers - fewest_left} for {workers} workers "
            f"(at least {fewest_left} must survive), got {stragglers}"
        )
    return workers, stragglers


@lru_cache(maxsize=64)
def survivor_positions(workers: int, stragglers: int) -> IndexArray:
    """Return the survivor sets up to reflection, as positions counted from the smallest node.

    Of a set and its mirror image the one is kept whose stragglers come first lexicographically, and the sets
    are listed in that order.
    """
    if comb(workers, stragglers) > 5_000_000:
        raise ValueError(
            f"stragglers: {comb(workers, stragglers)} survivor sets of {workers} workers are too many to enumerate"
        )
    kept = np.array(list(combinations(range(workers), workers - stragglers)), dtype=np.intp)
    mirrored = workers - 1 - kept[:, ::-1]
    differs = kept != mirrored
    first = np.argmax(differs, axis=1)
    rows = np.arange(len(kept))
    kept = kept[kept[rows, first] >= mirrored[rows, first]][::-1]
    positions: IndexArray = workers - 1 - kept[:, ::-1]
    positions.setflags(write=False)
    return positions


def chebyshev_survivors(workers: int, stragglers: int, rigorous: bool) -> NodeSets:
    """Return all survivor sets, up to reflection, of workers at Chebyshev points of the second kind.

    Position p of the list is worker ``workers - 1 - p``, so that the list increases from -1 to 1.

    Parameters
    ----------
    workers, stragglers : int
        At least one worker must survive.
    rigorous : bool
        Whether distances are `Intervals` or floats.

    Returns
    -------
    NodeSets
    """
    sets = survivor_positions(workers, stragglers)
    parts = [part[::-1] for part in chebyshev_second(workers).two_doubles()]
    return NodeSets(distances(parts, rigorous), sets, np.ones(sets.shape))
