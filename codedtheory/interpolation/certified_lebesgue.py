"""Rigorous enclosures of Lebesgue constants in ball arithmetic."""

from __future__ import annotations

import heapq
import itertools
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from ..arithmetic import Ball, PrecisionError, Rational, ball, exactly
from . import points as _points
from .ball_piece import BallPiece
from .lebesgue_problem import LebesgueProblem, is_polynomial
from .nodes import Nodes
from .peak_search import PoleError, find_peaks, rigorous_flags
from .weights import Weights

__all__ = ["BallPieces", "Box", "enclosed_lebesgue_constant", "enclosed_over_boxes"]

Box = tuple[int, Rational, Rational, bool, Rational]
_BOXES = 20_000
_LOOKS = 2_000_000
_FINEST = 1 << 16


class BallPieces:
    """The pieces of the Lebesgue function of one node set, in ball arithmetic.

    Parameters
    ----------
    nodes : Nodes
    weights : Weights
    ends : pair of exact points or None
        The interval; ``None`` is the hull.
    bits : int
        Wanted precision; the working precision is higher.
    """

    def __init__(self, nodes: Nodes, weights: Weights, ends: tuple[Any, Any] | None, bits: int) -> None:
        self.bits, self.count = bits, len(nodes)
        self.polynomial = is_polynomial(nodes, weights)
        side = 1 if nodes.is_increasing else -1
        ordered: list[Any] = [] if ends is None else list(ends[::side])
        # how each node lies to the two ends: positive where it is on the inner side, 0 at the end
        self.back, self.ahead = (
            [sign * _points.order(p, end) for p in nodes.points]
            for sign, end in zip((side, -side), ordered or (nodes.points[0], nodes.points[-1]), strict=True)
        )
        self.working = _resolving_bits(nodes, ordered, bits + 64 + 2 * self.count.bit_length())
        arithmetic = ball(self.working)
        self.x = nodes.over(arithmetic)
        self.size = np.abs(weights.over(arithmetic))
        self.signs = weights.signs
        self.ends = [_points.over(p, arithmetic) for p in ordered]

    def numbers(self) -> list[int]:
        """Return the numbers of the pieces that have a length, as `HullPieces` counts them."""
        inner = list(range(1, self.count))
        if not self.ends:
            return inner
        kept = [g for g in inner if self.ahead[g - 1] > 0 and self.back[g] > 0]
        return [0] * (self.back[0] > 0) + kept + [self.count] * (self.ahead[-1] > 0)

    def piece(self, number: int) -> BallPiece:
        """Return one piece."""
        m = self.count
        inner = 0 < number < m
        first, last = max(number - 1, 0), min(number, m - 1)
        index = np.arange(m)
        others = (index < number - 1) | (index > number)
        if not inner:
            others = index != first if number else index != 0
            first = last = 0 if number == 0 else m - 1
        near = (index <= first) if inner else np.ones(m, dtype=bool)
        anchor = np.where(near, self.x[first], self.x[last])
        distance = np.abs(self.x - anchor)[others]
        plus = self.signs * self.signs[first] * np.where(near, 1, -1) > 0
        y, z, length = self._extent(number, first, last, inner)
        touched = (self.size[first], self.size[last] if inner else 0)
        alternate = not inner or self.signs[first] != self.signs[last]
        return BallPiece(
            distance, near[others], self.size[others], plus[others], touched, alternate, y, z, length, inner,
            self.polynomial, self.working,
        )  # fmt: skip

    def _extent(self, number: int, first: int, last: int, inner: bool) -> tuple[Any, Any, Any]:
        x = self.x
        if not self.ends:
            return 0, 0, abs(x[last] - x[first])
        a, b = self.ends
        if inner:
            cut_first, cut_last = self.back[first] < 0, self.ahead[last] < 0
            start, stop = a if cut_first else x[first], b if cut_last else x[last]
            return abs(start - x[first]) if cut_first else 0, abs(x[last] - stop) if cut_last else 0, abs(stop - start)
        near, far, end, cut = (b, a, x[0], self.ahead[0] < 0) if number == 0 else (a, b, x[-1], self.back[-1] < 0)
        # beyond an end the interval starts there, unless it lies beyond as a whole
        return abs(end - near) if cut else 0, 1, abs((near if cut else end) - far)


def _resolving_bits(nodes: Nodes, ends: list[Any], least: int) -> int:
    """Return a precision, at least the given one, at which neighbours have accurate differences."""
    bits, points = least, [*nodes.points, *ends]
    while bits <= _FINEST and not any(isinstance(p, Ball) for p in points):
        x = [_points.over(p, ball(bits)) for p in points]
        n = len(nodes)
        gaps = [b - a for a, b in pairwise(x[:n])]
        gaps += [
            x[i] - e for p, e in zip(ends, x[n:], strict=True) for i in range(n) if _points.order(nodes.points[i], p)
        ]
        if all(gap.rad * 2 ** (least - 24) <= abs(gap.mid) for gap in gaps):
            break
        bits *= 2
    return bits


def enclosed_lebesgue_constant(
    nodes: Nodes, weights: Weights, ends: tuple[Any, Any] | None, bits: int, boxes: int = _BOXES
) -> Ball:
    """Return a ball that contains the Lebesgue constant, of relative radius about 2**-bits.

    Parameters
    ----------
    nodes : Nodes
    weights : Weights
    ends : pair of exact points or None
    bits : int
    boxes : int
        How many boxes may be examined in ball arithmetic.

    Returns
    -------
    Ball

    Raises
    ------
    ValueError
        If the function is unbounded.
    PrecisionError
        If the work did not suffice; it carries the best enclosure.

    Notes
    -----
    Doubles do the search, with rigorous rounding-error bounds; what they leave, usually one small box with a single
    maximum, is enclosed in balls. Where doubles don't suffice the whole search is done in balls.
    """
    pieces = BallPieces(nodes, weights, ends, bits)
    numbers = pieces.numbers()
    for g in numbers:
        if 0 < g < len(nodes) and pieces.signs[g - 1] == pieces.signs[g]:
            raise PoleError(
                f"weights[{g - 1}] and weights[{g}] have the same sign, so the interpolant has a pole between their "
                "nodes and its Lebesgue function is unbounded; take weights of alternating signs"
            )
    if len(nodes) == 1:
        return Ball(1, bits)
    lower, work = Rational(1), [(g, Rational(0), Rational(1), pieces.polynomial, Rational(1, 2)) for g in numbers]
    found = _from_doubles(nodes, weights, ends)
    if found is not None:
        lower, work = found
    low, high = enclosed_over_boxes(pieces, work, lower, boxes)
    return Ball.between(low, high, bits)


def _from_doubles(nodes: Nodes, weights: Weights, ends: tuple[Any, Any] | None) -> tuple[Rational, list[Box]] | None:
    """Return a lower bound and the boxes that may hold the maximum, if doubles can tell."""
    try:
        with rigorous_flags():
            problem = LebesgueProblem.of_nodes(nodes, weights, ends)
            peaks = find_peaks(problem.pieces, problem.form, problem.least, budget=_LOOKS, strict=False, sharpen=True)
    except PoleError:
        raise
    except (ValueError, FloatingPointError):
        return None
    if not np.isfinite(peaks.lower):
        return None
    columns = zip(peaks.piece, peaks.start, peaks.stop, peaks.single, peaks.place, strict=True)
    boxes = [(int(g), exactly(a), exactly(b), bool(single), exactly(t)) for g, a, b, single, t in columns]
    return exactly(peaks.lower) * Rational(2) ** problem.shift, boxes


def enclosed_over_boxes(
    pieces: BallPieces, work: list[Box], lower: Rational, boxes: int = _BOXES
) -> tuple[Rational, Rational]:
    """Return bounds of the largest value over boxes (or `lower`, if that is larger).

    Parameters
    ----------
    pieces : BallPieces
    work : list of (piece number, start, stop, single maximum?, guess of its place)
    lower : Rational
        A value that is known to be exceeded or attained.
    boxes : int
        How many boxes may be examined.

    Returns
    -------
    lower, upper : Rational
    """
    search = _BallSearch(pieces, lower, boxes)
    for box in work:
        search.push(None, *box)
    return search.run()


class _BallSearch:
    def __init__(self, pieces: BallPieces, lower: Rational, boxes: int = _BOXES) -> None:
        self.pieces, self.lower, self.upper, self.boxes = pieces, lower, lower, boxes
        self.made: dict[int, BallPiece] = {}
        self.heap: list[Any] = []
        self.ticket = itertools.count()
        self.enough = 1 + Rational(1, 2 ** (pieces.bits + 2))

    def push(
        self, upper: Rational | None, number: int, start: Rational, stop: Rational, single: bool, guess: Rational
    ) -> None:
        """Put a box aside; the one with the largest upper bound comes first."""
        key = (0, Rational(0)) if upper is None else (1, -upper)
        heapq.heappush(self.heap, (*key, next(self.ticket), upper, number, start, stop, single, guess))

    def run(self) -> tuple[Rational, Rational]:
        """Examine boxes until all are enclosed."""
        while self.heap:
            _, _, _, upper, number, start, stop, single, guess = heapq.heappop(self.heap)
            if upper is not None and upper <= self.lower * self.enough:
                self.upper = max(self.upper, upper)
                break
            self.boxes -= 1
            if self.boxes < 0:
                self._give_up(upper)
            if number not in self.made:
                self.made[number] = self.pieces.piece(number)
            self._examine(self.made[number], number, start, stop, single, guess)
        return self.lower, max(self.lower, self.upper)

    def _examine(
        self, piece: BallPiece, number: int, start: Rational, stop: Rational, single: bool, guess: Rational
    ) -> None:
        bits = self.pieces.bits
        if single:
            low, high = (
                piece.polynomial_summit(guess, bits) if piece.polynomial else piece.summit(start, stop, guess, bits)
            )
            self.lower, self.upper = max(self.lower, low), max(self.upper, high)
            return
        middle = (start + stop) / 2
        for a, b in ((start, middle), (middle, stop)):
            value, upper = piece.look(a, b)
            self.lower = max(self.lower, value.lower)
            if upper is None:
                self.push(None, number, a, b, False, a)
            elif upper > self.lower:
                self.push(upper, number, a, b, piece.has_single_peak(a, b), (a + b) / 2)

    def _give_up(self, upper: Rational | None) -> NoReturn:
        bits = self.pieces.bits
        enclosure = None if upper is None else Ball.between(self.lower, max(upper, self.upper), bits)
        if enclosure is None:
            raise PrecisionError(
                "the Lebesgue constant was not enclosed in the allowed boxes; raise the precision (ball bits)"
            )
        raise PrecisionError(
            f"the Lebesgue constant was not enclosed in the allowed boxes; ask for fewer bits than {bits}, "
            "or take the enclosure that comes with this error",
            enclosure,
        )
