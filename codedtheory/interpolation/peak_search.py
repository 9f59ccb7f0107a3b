"""The largest value of Lebesgue functions over all their pieces: branch and bound, then Newton's method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ..arithmetic import Ball, PrecisionError, exactly
from .hull_pieces import HullPieces, Pieces
from .piece_bounds import Bounds, Boxes, PolynomialBounds, QuotientBounds

__all__ = ["Peaks", "PoleError", "find_peaks", "rigorous_flags"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]

_CHUNK = 1 << 16  # doubles an array of a batch, so that a handful of them stay in the cache
_NEWTON_STEPS = 80
# the value is flat at its maximum: a place wrong by 2**-28 of the piece changes its last digit only
_CLOSE = 2.0**-28


def rigorous_flags() -> np.errstate:
    """Return the context in which rounding-error bounds hold: an underflow raises `FloatingPointError`."""
    return np.errstate(under="raise", over="ignore", invalid="ignore", divide="ignore")


class PoleError(ValueError):
    """The interpolant has a pole, so that its Lebesgue function is unbounded."""


@dataclass(frozen=True, slots=True)
class Peaks:
    """Where the largest value may be.

    Attributes
    ----------
    lower : float
        A lower bound of the largest value.
    subset, piece : numpy.ndarray of int, shape (peaks,)
    start, stop : numpy.ndarray, shape (peaks,)
        Box, relative to the piece.
    upper : numpy.ndarray, shape (peaks,)
        Upper bound over the box.
    single : numpy.ndarray of bool, shape (peaks,)
        Whether the function has one maximum in the box (its only critical point, or an end). Otherwise `upper`
        exceeds `lower` by rounding errors only.
    place, value : numpy.ndarray, shape (peaks,)
        The maximum in the box and the place of it, as floats.
    """

    lower: float
    subset: IndexArray
    piece: IndexArray
    start: FloatArray
    stop: FloatArray
    upper: FloatArray
    single: npt.NDArray[np.bool_]
    place: FloatArray
    value: FloatArray

    def above(self, lower: float) -> Peaks:
        """Return the peaks whose upper bound exceeds a value."""
        keep = self.upper > lower
        columns = {f.name: getattr(self, f.name)[keep] for f in fields(self) if f.name != "lower"}
        return Peaks(self.lower, **columns)


@dataclass(slots=True)
class _Pool:
    """Boxes that are still in question."""

    subset: list[IndexArray] = field(default_factory=list)
    piece: list[IndexArray] = field(default_factory=list)
    boxes: list[Boxes] = field(default_factory=list)
    upper: list[FloatArray] = field(default_factory=list)

    def add(self, subset: IndexArray, piece: IndexArray, boxes: Boxes, upper: FloatArray) -> None:
        if len(subset):
            self.subset.append(subset)
            self.piece.append(piece)
            self.boxes.append(boxes)
            self.upper.append(upper)

    def above(self, lower: float) -> tuple[IndexArray, IndexArray, Boxes, FloatArray]:
        """Return the boxes whose upper bound exceeds a value."""
        if not self.subset:
            none = np.zeros(0, dtype=np.intp)
            return none, none, Boxes(*(np.zeros(0),) * 4), np.zeros(0)
        upper = np.concatenate(self.upper)
        keep = upper > lower
        columns = zip(*((b.start, b.stop, b.at_start, b.at_stop) for b in self.boxes), strict=True)
        boxes = Boxes(*(np.concatenate(c)[keep] for c in columns))
        return np.concatenate(self.subset)[keep], np.concatenate(self.piece)[keep], boxes, upper[keep]


def find_peaks(
    source: HullPieces,
    form: QuotientBounds | PolynomialBounds,
    lower: float = 1.0,
    budget: int = 4_000_000,
    levels: int = 48,
    strict: bool = True,
    sharpen: bool = False,
) -> Peaks:
    """Find the boxes in which the largest value over all subsets and pieces must lie.

    Parameters
    ----------
    source : HullPieces
    form : QuotientBounds or PolynomialBounds
    lower : float, default 1
        A lower bound that is known already (1 always is, as the cardinal functions sum to 1); what stays
        below it is not looked at further.
    levels : int
        How often to halve boxes.
    strict : bool, default True
        Whether boxes that are left after `levels` halvings, or beyond the budget, are an error. If not, they are
        climbed like the others.
    sharpen : bool, default False
        Whether to bound the maxima again, now that their places are known, and drop those that are not the largest.
    budget : int
        How many boxes to look at.

    Returns
    -------
    Peaks

    Raises
    ------
    ValueError
        If the function is unbounded.
    PrecisionError
        If the budget did not suffice.
    """
    search = _Search(source, form, lower, budget)
    pool = search.first_look()
    for level in range(levels + 1):
        rest = search.close(*pool.above(search.lower))
        if not len(rest[0]):
            break
        if level == levels or search.budget < 2 * len(rest[0]):
            if strict:
                search.give_up(rest[3])
            search.flat.add(*rest)
            break
        pool = search.split(*rest[:3])
    peaks = search.peaks()
    return search.sharpened(peaks) if sharpen else peaks


class _Search:
    def __init__(self, source: HullPieces, form: QuotientBounds | PolynomialBounds, lower: float, budget: int) -> None:
        self.source, self.form, self.lower, self.budget = source, form, lower, budget
        self.chunk = max(1, _CHUNK // source.count)
        self.closed = _Pool()
        self.flat = _Pool()

    def first_look(self) -> _Pool:
        """Look at every piece as a whole."""
        pool = _Pool()
        for subset, piece, p in self._wholes():
            t0, t1 = np.zeros(piece.shape), np.ones(piece.shape)
            if self.source.reach is None:
                boxes = Boxes(t0, t1, t0, t0)
            else:
                boxes = Boxes(t0, t1, self.form.positive_part(p, t0), self.form.positive_part(p, t1))
            self._look(pool, subset, piece, p, boxes)
        return pool

    def _wholes(self) -> Iterator[tuple[IndexArray, IndexArray, Pieces]]:
        source = self.source
        if source.reach is None and len(source.sets) > 1:
            gaps = source.count - 1
            step = max(1, self.chunk // gaps)
            for start in range(0, len(source.sets), step):
                subsets = np.arange(start, min(start + step, len(source.sets)))
                shape = (len(subsets), gaps)
                subset = np.broadcast_to(subsets[:, None], shape)
                yield (
                    subset,
                    np.broadcast_to(np.arange(1, gaps + 1), shape),
                    source.whole_gaps(slice(start, start + step)),
                )
            return
        subset, piece = source.all_pieces()
        for where in self._slices(len(subset)):
            yield subset[where], piece[where], source.rows(subset[where], piece[where])

    def _slices(self, count: int) -> Iterator[slice]:
        for start in range(0, count, self.chunk):
            yield slice(start, start + self.chunk)

    def _look(self, pool: _Pool, subset: IndexArray, piece: IndexArray, p: Pieces, boxes: Boxes) -> FloatArray:
        self.budget -= piece.size
        seen: Bounds = self.form.look(p, boxes)
        _require_no_pole(seen)
        self.lower = max(self.lower, float(seen.lower.max(initial=0.0)))
        # what overflowed to no number at all bounds nothing
        upper = np.where(np.isnan(seen.upper), np.inf, seen.upper)
        keep = upper > self.lower
        pool.add(subset[keep], piece[keep], boxes[keep], upper[keep])
        return seen.at_middle

    def close(
        self, subset: IndexArray, piece: IndexArray, boxes: Boxes, upper: FloatArray
    ) -> tuple[IndexArray, IndexArray, Boxes, FloatArray]:
        """Put aside the boxes with a single maximum, and those too flat for doubles; return the others."""
        single = np.zeros(len(subset), dtype=bool)
        for where in self._slices(len(subset)):
            single[where] = self.form.has_single_peak(self.source.rows(subset[where], piece[where]), boxes[where])
        single &= np.isfinite(upper)
        flat = ~single & (upper <= self.lower * (1 + 16 * self.form.kappa * (1 + self.lower)))
        for pool, which in ((self.closed, single), (self.flat, flat)):
            pool.add(subset[which], piece[which], boxes[which], upper[which])
        rest = ~(single | flat)
        return subset[rest], piece[rest], boxes[rest], upper[rest]

    def split(self, subset: IndexArray, piece: IndexArray, boxes: Boxes) -> _Pool:
        """Halve boxes and look at the halves."""
        pool = _Pool()
        for where in self._slices(len(subset)):
            s, g, b = subset[where], piece[where], boxes[where]
            p = self.source.rows(s, g)
            middle = b.middle
            at_middle = self.form.positive_part(p, middle)
            for half in (Boxes(b.start, middle, b.at_start, at_middle), Boxes(middle, b.stop, at_middle, b.at_stop)):
                self._look(pool, s, g, p, half)
        return pool

    def give_up(self, upper: FloatArray) -> NoReturn:
        """Raise the error for a search that does not end."""
        uppers = [u.max() for u in (upper, *self.closed.upper, *self.flat.upper) if u.size]
        top = max(uppers, default=np.inf)
        enclosure = None
        if np.isfinite(top) and np.isfinite(self.lower):
            enclosure = Ball.between(exactly(self.lower), exactly(max(top, self.lower)), 64)
        raise PrecisionError(
            "the Lebesgue constant was not enclosed within the allowed number of boxes; use ball(bits)", enclosure
        )

    def peaks(self) -> Peaks:
        """Climb all single maxima and return what is left."""
        found = [_merged(*self.closed.above(self.lower)), self.flat.above(self.lower)]
        single = np.repeat([True, False], [len(f[0]) for f in found])
        subset, piece, upper = (np.concatenate([f[i] for f in found]) for i in (0, 1, 3))
        start, stop = (np.concatenate([getattr(f[2], name) for f in found]) for name in ("start", "stop"))
        place, value = np.zeros(len(subset)), np.zeros(len(subset))
        for where in self._slices(len(subset)):
            p = self.source.rows(subset[where], piece[where])
            place[where], value[where] = _climb(self.form, p, start[where], stop[where])
            if (value[where] < 0).any():
                at = place[where]
                _require_no_pole(self.form.look(p, Boxes(at, at, at, at)))
        return Peaks(self.lower, subset, piece, start, stop, upper, single, place, value)

    def sharpened(self, peaks: Peaks) -> Peaks:
        """Bound the maxima tightly and drop those that are smaller than another one for sure."""
        upper = peaks.upper.copy()
        single = np.flatnonzero(peaks.single)
        for where in self._slices(len(single)):
            here = single[where]
            p = self.source.rows(peaks.subset[here], peaks.piece[here])
            lower, capped = self.form.cap(p, peaks.start[here], peaks.stop[here], peaks.place[here])
            upper[here] = np.fmin(upper[here], capped)
            self.lower = max(self.lower, float(lower.max()))
        return replace(peaks, lower=self.lower, upper=upper).above(self.lower)


def _require_no_pole(seen: Bounds) -> None:
    if seen.is_pole.any():
        raise PoleError(
            "the Lebesgue function is unbounded: the interpolant has a pole in the interval; "
            "take weights of alternating signs, or a smaller interval"
        )


def _merged(
    subset: IndexArray, piece: IndexArray, boxes: Boxes, upper: FloatArray
) -> tuple[IndexArray, IndexArray, Boxes, FloatArray]:
    """Join neighbouring boxes: where N'Q - NQ' decreases on both, it decreases on their union."""
    order = np.lexsort((boxes.start, piece, subset))
    subset, piece, boxes, upper = subset[order], piece[order], boxes[order], upper[order]
    if len(subset) < 2:
        return subset, piece, boxes, upper
    fresh = np.ones(len(subset), dtype=bool)
    fresh[1:] = (subset[1:] != subset[:-1]) | (piece[1:] != piece[:-1]) | (boxes.start[1:] != boxes.stop[:-1])
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(subset)) - 1
    joined = Boxes(boxes.start[first], boxes.stop[last], boxes.at_start[first], boxes.at_stop[last])
    return subset[first], piece[first], joined, np.maximum.reduceat(upper, first)


def _climb(form: Any, p: Pieces, start: FloatArray, stop: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return place and value of the maximum in boxes with a single one: Newton's method between brackets."""
    ends = [(end, form.climb(p, end)[0]) for end in (start, stop)]
    low, high = start, stop
    t = (start + stop) / 2
    best_place, best = t.copy(), np.zeros(t.shape)
    active = np.arange(len(t))
    for _ in range(_NEWTON_STEPS):
        value, slope, curvature = form.climb(p, t)
        better = (value > best[active]) & (best[active] >= 0) | (value < 0)
        best_place[active[better]], best[active[better]] = t[better], value[better]
        low, high = np.where(slope >= 0, t, low), np.where(slope <= 0, t, high)
        step = np.divide(slope, curvature, out=np.full(t.shape, np.inf), where=curvature < 0)
        following = t - step
        following = np.where((following >= low) & (following <= high), following, (low + high) / 2)
        moving = np.abs(following - t) > _CLOSE
        if not moving.any():
            break
        if moving.sum() < 0.7 * len(moving):
            active, low, high, following = active[moving], low[moving], high[moving], following[moving]
            p = p[moving]
        t = following
    for end, value in ends:
        better = (value > best) & (best >= 0)
        best_place, best = np.where(better, end, best_place), np.where(better, value, best)
    return best_place, best
