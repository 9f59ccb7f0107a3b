"""Where a supremum is taken: boxes of relative positions in gaps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .gap_frame import GapFrame
from .node_sets import NodeSets
from .nodes import Nodes
from .outward import Intervals, exact_arithmetic_flags
from .points import as_point, order

__all__ = ["GapDomain", "interval_ends"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]

_CHUNK = 1024


@dataclass(frozen=True, slots=True)
class GapDomain:
    """Boxes of relative positions in gaps.

    Attributes
    ----------
    problem, gap : numpy.ndarray of int
        Shape (boxes,): which node set and which of its gaps (-1 and n are the outer ones).
    lo, hi : numpy.ndarray of float64
        Ends of the boxes, in [0, 1].
    surely_inside : numpy.ndarray of bool
        False for the slivers that a rounded end of the domain adds: they can raise an upper bound only.
    outside : tuple of int
        Where the outer gaps end, as indices into the list of points.
    """

    problem: IndexArray
    gap: IndexArray
    lo: FloatArray
    hi: FloatArray
    surely_inside: npt.NDArray[np.bool_]
    outside: tuple[int, int]

    @classmethod
    def whole(cls, family: NodeSets, outside: tuple[int, int] | None = None) -> GapDomain:
        """Return all inner gaps of all sets and, if `outside` is given, the outer gaps that have a length."""
        count, n = family.sets.shape[0], family.gaps
        problem = [np.repeat(np.arange(count), n)]
        gap = [np.tile(np.arange(n), count)]
        if outside is not None:
            for index, end, number in ((0, outside[0], -1), (n, outside[1], n)):
                reaching = np.nonzero(family.sets[:, index] != end)[0]
                problem.append(reaching)
                gap.append(np.full(reaching.shape, number))
        problems, gaps = np.concatenate(problem), np.concatenate(gap)
        size = problems.shape
        return cls(problems, gaps, np.zeros(size), np.ones(size), np.ones(size, dtype=bool), outside or (0, 0))

    def __len__(self) -> int:
        return int(self.problem.size)

    @property
    def centre(self) -> FloatArray:
        """The centres of the boxes; an end where no double lies between."""
        middle: FloatArray = self.lo + (self.hi - self.lo) * 0.5
        return middle

    def select(self, index: Any) -> GapDomain:
        """Return some of the boxes."""
        return replace(
            self,
            problem=self.problem[index],
            gap=self.gap[index],
            lo=self.lo[index],
            hi=self.hi[index],
            surely_inside=self.surely_inside[index],
        )

    def split(self, parts: int) -> GapDomain:
        """Return every box cut into equal parts."""
        cuts = self.lo + (self.hi - self.lo) * np.linspace(0.0, 1.0, parts + 1)[:, None]
        cuts[-1] = self.hi
        repeated = self.select(np.tile(np.arange(len(self)), parts))
        return replace(repeated, lo=cuts[:-1].ravel(), hi=cuts[1:].ravel())

    def pieces(self) -> list[GapDomain]:
        """Return the boxes in portions that fit the processor's cache."""
        return [self.select(slice(i, i + _CHUNK)) for i in range(0, len(self), _CHUNK)]

    def frame(self, family: NodeSets) -> GapFrame:
        """Return the frame in which functions of these boxes are evaluated."""
        return GapFrame(family, self.problem, self.gap, self.outside)

    @classmethod
    def within(cls, family: NodeSets, nodes: Nodes, ends: tuple[Any, Any]) -> GapDomain:
        """Return the part of the gaps of one set that an interval covers; its ends are the last points listed."""
        n = family.gaps
        outside = (n + 1, n + 2)
        (below_a, a_is_node), (below_b, b_is_node) = nodes.position(ends[0]), nodes.position(ends[1])
        first = below_a if a_is_node else below_a - 1
        last = below_b - 1
        gaps, starts, stops = [], [], []
        for gap in range(first, last + 1):
            start = stop = (0.0, 0.0)
            stop = (1.0, 1.0)
            if gap < 0:
                # measured outwards from the first node to a
                start = _share(family, 0, outside[1], 0, outside[0]) if last < 0 and not b_is_node else start
            else:
                end = gap + 1 if gap < n else outside[1]
                if gap == first and not a_is_node:
                    start = _share(family, gap, outside[0], gap, end)
                if gap == last and gap < n and not b_is_node:
                    stop = _share(family, gap, outside[1], gap, end)
            gaps.append(gap)
            starts.append(start)
            stops.append(stop)
        boxes = []
        for gap, start, stop in zip(gaps, starts, stops, strict=True):
            boxes.append((gap, start[1], stop[0], True))
            boxes += [(gap, *sliver, False) for sliver in (start, stop) if sliver[0] < sliver[1]]
        # two ends closer than their rounding leave only slivers, and of floats a point
        boxes = [box for box in boxes if box[1] <= box[2]] or [(gaps[0], starts[0][0], starts[0][0], True)]
        columns = list(zip(*boxes, strict=True))
        return cls(
            np.zeros(len(boxes), dtype=np.intp),
            np.array(columns[0], dtype=np.intp),
            np.array(columns[1], dtype=float),
            np.array(columns[2], dtype=float),
            np.array(columns[3], dtype=bool),
            outside,
        )


def interval_ends(interval: Any) -> tuple[Any, Any]:
    """Return the ends of an interval as exact points, the smaller one first."""
    try:
        a, b = interval
    except (TypeError, ValueError) as error:
        raise ValueError(f"interval must be a pair of numbers (a, b), got {interval!r}") from error
    try:
        low, high = as_point(a), as_point(b)
    except ValueError as error:
        raise ValueError(f"interval must be a pair of real numbers: {error}") from error
    if order(low, high) >= 0:
        raise ValueError(f"interval must be (a, b) with a < b, got ({a}, {b})")
    return low, high


def _share(family: NodeSets, start: int, point: int, origin: int, end: int) -> tuple[float, float]:
    """Return an enclosure of |point - start| / |end - origin|, clipped to [0, 1]."""
    distance = family.distance
    if isinstance(distance, Intervals):
        with exact_arithmetic_flags():
            ratio = distance[start : start + 1, point] / distance[origin : origin + 1, end]
        return max(0.0, float(ratio.lo[0])), min(1.0, float(ratio.hi[0]))
    value = min(1.0, float(distance[start, point] / distance[origin, end]))
    return value, value
