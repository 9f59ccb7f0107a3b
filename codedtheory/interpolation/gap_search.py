"""Largest values of a function over gaps of node sets: estimated in floats, enclosed by bisection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import PrecisionError

from .gap_domain import GapDomain
from .gap_frame import GapFrame
from .node_sets import NodeSets
from .outward import Intervals, exact_arithmetic_flags
from .tangents import Tangent

__all__ = ["bisected_suprema", "estimated_suprema"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]
Quantity = Callable[[GapFrame, Any], Any]

_FIRST_SPLIT = 4
# rounding errors above the tolerance are held against boxes of less than this width only, since the best value
# known may grow while the boxes are wide
_NARROW = 2.0**-8
_GRID = (1.0 - np.cos(np.pi * np.arange(13) / 12)) / 2


def estimated_suprema(
    family: NodeSets, domain: GapDomain, quantity: Quantity, within: float = 0.05, together: bool = False
) -> tuple[FloatArray, GapDomain]:
    """Estimate the supremum for every set in floats: a grid in each gap, then golden sections.

    Parameters
    ----------
    family : NodeSets
        Over floats.
    domain : GapDomain
    quantity : callable
        Function of a `GapFrame` and positions.
    within : float
        Gaps whose grid maximum is farther than this fraction below the best one are not refined.
    together : bool
        Compare with the best of all sets, not with the best of the own set.

    Returns
    -------
    values : numpy.ndarray of float64
        One for each set (too small, if at all, apart from rounding); -inf for a set without boxes.
    places : GapDomain
        One box of width 0 for each set, where the value is attained.
    """
    values = np.full(len(domain), -np.inf)
    places = np.zeros(len(domain))
    bracket = np.zeros((2, len(domain)))
    start = 0
    for piece in domain.pieces():
        frame = piece.frame(family)
        grid = np.minimum(piece.lo + (piece.hi - piece.lo) * _GRID[:, None], piece.hi)
        height = np.stack([quantity(frame, row) for row in grid])
        best = np.argmax(height, axis=0)
        columns = np.arange(len(piece))
        here = slice(start, start + len(piece))
        values[here], places[here] = height[best, columns], grid[best, columns]
        bracket[0, here] = grid[np.maximum(best - 1, 0), columns]
        bracket[1, here] = grid[np.minimum(best + 1, len(_GRID) - 1), columns]
        start += len(piece)
    rivals = _grouped_maximum(domain.problem, values, family.sets.shape[0], together)
    promising = np.nonzero(values >= rivals[domain.problem] * (1 - within))[0]
    if promising.size:
        finer, where = _golden_sections(family, domain.select(promising), bracket[:, promising], quantity)
        better = finer > values[promising]
        values[promising[better]], places[promising[better]] = finer[better], where[better]
    return _best_of_sets(family, domain, values, places)


def _golden_sections(
    family: NodeSets, domain: GapDomain, bracket: FloatArray, quantity: Quantity
) -> tuple[FloatArray, FloatArray]:
    ratio = (np.sqrt(5.0) - 1) / 2
    a, b = bracket[0].copy(), bracket[1].copy()
    frame = domain.frame(family)
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    fc, fd = quantity(frame, c), quantity(frame, d)
    for _ in range(42):
        left = fc >= fd
        a, b = np.where(left, a, c), np.where(left, d, b)
        fresh = np.where(left, b - ratio * (b - a), a + ratio * (b - a))
        value = quantity(frame, fresh)
        c, d = np.where(left, fresh, d), np.where(left, c, fresh)
        fc, fd = np.where(left, value, fd), np.where(left, fc, value)
    return np.maximum(fc, fd), np.where(fc >= fd, c, d)


def _best_of_sets(
    family: NodeSets, domain: GapDomain, values: FloatArray, places: FloatArray
) -> tuple[FloatArray, GapDomain]:
    count = family.sets.shape[0]
    order = np.lexsort((-np.arange(len(domain)), values, domain.problem))
    problems, last = np.unique(domain.problem[order][::-1], return_index=True)
    chosen = order[::-1][last]
    result = np.full(count, -np.inf)
    result[problems] = values[chosen]
    return result, replace(domain.select(chosen), lo=places[chosen], hi=places[chosen])


def bisected_suprema(
    family: NodeSets,
    domain: GapDomain,
    quantity: Quantity,
    tolerance: float,
    together: bool = False,
    hints: GapDomain | None = None,
    most_boxes: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    r"""Enclose the supremum for every set by interval bisection with the mean value form.

    On a box T with centre c the values lie in :math:`F(T)\cap(F(c)+F'(T)(T-c))`. Boxes that cannot exceed
    the best value known by more than the tolerance are laid aside, the others are halved.

    Parameters
    ----------
    family : NodeSets
        Over `Intervals`.
    domain : GapDomain
    quantity : callable
        Function of a `GapFrame` and positions, non-negative.
    tolerance : float
        Relative width to reach.
    together : bool
        Whether only the largest of all suprema is wanted; then the enclosures of other sets are as wide as
        it takes to tell that they don't matter.
    hints : GapDomain, optional
        Boxes of width 0, surely inside the domain, where large values are expected.
    most_boxes : int, optional
        Boxes to evaluate before giving up; by default 100,000 and 1,000 for every gap.

    Returns
    -------
    lower, upper : numpy.ndarray of float64
        Bounds of the supremum of each set.

    Raises
    ------
    PrecisionError
        If `most_boxes` did not suffice, or the rounding of doubles hides what is left.
    """
    count = family.sets.shape[0]
    lower, upper = np.zeros(count), np.zeros(count)
    evaluated = 0
    budget = 100_000 + 1_000 * len(domain) if most_boxes is None else most_boxes
    with exact_arithmetic_flags():
        if hints is not None:
            at_hints = quantity(hints.frame(family), Intervals.of(hints.lo))
            np.fmax.at(lower, hints.problem, at_hints.lo)
        for piece in domain.select(domain.surely_inside).pieces():
            frame = piece.frame(family)
            for end in (piece.lo, piece.hi):
                np.fmax.at(lower, piece.problem, quantity(frame, Intervals.of(end)).lo)
        boxes = domain.split(_FIRST_SPLIT)
        while len(boxes):
            evaluated += len(boxes)
            ends = [_upper_ends(family, piece, quantity, lower) for piece in boxes.pieces()]
            heights, middles, noise = (np.concatenate(parts) for parts in zip(*ends, strict=True))
            known = _known(lower, together)[boxes.problem]
            enough = known * (1 + tolerance)
            settled = heights <= enough
            hopeless = (middles > enough) & (noise > tolerance * known) & (boxes.hi - boxes.lo < _NARROW)
            centre = boxes.centre
            indivisible = ~settled & ((centre == boxes.lo) | (centre == boxes.hi))
            if evaluated > budget or bool(np.any(hopeless | indivisible)):
                raise PrecisionError(
                    f"no upper bound of the supremum (at least {float(lower.max())!r}) within {tolerance} "
                    f"after {evaluated} boxes; the function may have a pole there, or raise the tolerance"
                )
            np.maximum.at(upper, boxes.problem[settled], heights[settled])
            boxes = boxes.select(~settled).split(2)
    return lower, np.maximum(upper, lower)


def _upper_ends(
    family: NodeSets, boxes: GapDomain, quantity: Quantity, lower: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return upper bounds over boxes and at their centres, with the widths of the latter.

    The lower bounds of the sets are raised by the values at the centres.
    """
    frame = boxes.frame(family)
    centre = boxes.centre
    middle = quantity(frame, Intervals.of(centre))
    inside = boxes.surely_inside
    np.fmax.at(lower, boxes.problem[inside], middle.lo[inside])
    spread = Intervals(boxes.lo, boxes.hi)
    unit = Intervals.of(np.ones(len(boxes)))
    over_box = quantity(frame, Tangent(spread, unit))
    linear = middle + over_box.slope * (spread - centre)
    highest: FloatArray = np.fmin(np.fmin(over_box.value.hi, linear.hi), np.inf)
    return highest, middle.hi, middle.hi - middle.lo


def _known(lower: FloatArray, together: bool) -> FloatArray:
    return np.full_like(lower, lower.max(initial=0.0)) if together else lower


def _grouped_maximum(problem: IndexArray, values: FloatArray, count: int, together: bool) -> FloatArray:
    best = np.full(count, -np.inf)
    np.maximum.at(best, problem, values)
    return np.full(count, best.max()) if together else best
