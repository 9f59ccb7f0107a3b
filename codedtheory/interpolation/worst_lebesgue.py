"""The largest Lebesgue constant over all sets of surviving nodes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import comb
from typing import Any

import numpy as np

from ..arithmetic import FLOAT, Arithmetic, Ball, PrecisionError, Rational, exactly
from . import points as _points
from .certified_lebesgue import BallPieces, Box, enclosed_lebesgue_constant, enclosed_over_boxes
from .interval_reach import interval_points
from .lebesgue_problem import LebesgueProblem, SubsetFrame
from .node_families import chebyshev_second
from .node_sets import checked_workers
from .nodes import Nodes, nodes_from
from .peak_search import PoleError, find_peaks, rigorous_flags
from .straggler_batches import straggler_batches, survivors_of
from .weight_rules import WeightRule, weight_rule
from .weights import Weights, rule_weights
from .worst_case import WorstCase

__all__ = ["worst_lebesgue_constant"]

Set = tuple[int, ...]
# how many node sets are enclosed one after the other where doubles can't sort them
_SLOW_SETS = 2_000


def worst_lebesgue_constant(
    nodes: Any,
    stragglers: int,
    weights: Any = "berrut",
    interval: Any = None,
    arithmetic: Arithmetic = FLOAT,
    limit: int | None = None,
) -> WorstCase:
    r"""Return the largest Lebesgue constant over all sets of nodes that are left when some are lost.

    The survivors get weights of their own, by the same rule: signs alternate along the survivors.

    Parameters
    ----------
    nodes : int, Nodes or array_like
        A number of workers stands for `chebyshev_second` of that number.
    stragglers : int
        How many nodes are lost; at least one must be left.
    weights : {"berrut", "berrut-half", "lagrange"}, int or WeightRule, default "berrut"
        An int d stands for Floater-Hormann weights of degree d.
    interval : pair of real numbers, optional
        Where x runs. The hull of the survivors, set by set, by default.
    arithmetic : Arithmetic, default FLOAT
        ``FLOAT`` or ``ball(bits)``.
    limit : int, optional
        Refuse to enumerate more sets than this.

    Returns
    -------
    WorstCase
        `value` is a float, or a ball that encloses the maximum over all sets. Of several sets that attain it (for
        balls: that cannot be told apart from it) the first one in the lexicographic order of stragglers is named.

    Raises
    ------
    ValueError
        If no node would be left, there are more sets than `limit`, or the Lebesgue function of some set is unbounded.
    PrecisionError
        If the maximum was not enclosed.

    Notes
    -----
    All gaps of all sets go through one branch and bound in doubles whose bounds include every rounding error (derived
    in `codedtheory.interpolation.piece_bounds`; the nodes enter as sums of two doubles with error bounds from
    balls). A set is discarded when its upper bound is below a value that another set attains; the few sets that
    are left are enclosed in balls. So the enumeration is a proof at the speed of floats. Reflection halves it for
    symmetric nodes.

    Examples
    --------
    >>> worst_lebesgue_constant(7, 1).stragglers
    (2,)
    >>> from codedtheory.arithmetic import ball
    >>> print(worst_lebesgue_constant(7, 1, arithmetic=ball(53)).value)
    [5.1077922152976711 +/- 9.23e-16]
    """
    known = chebyshev_second(int(nodes)) if isinstance(nodes, (int, np.integer)) else nodes_from(nodes)
    known.require_ordered()
    rule = weights.rule if isinstance(weights, Weights) else weight_rule(weights)
    if rule is None:
        raise ValueError("weights must be a rule ('berrut', 'berrut-half', 'lagrange' or an int d), got given numbers")
    workers, lost = len(known), _checked(len(known), stragglers)
    sets = comb(workers, lost)
    if limit is not None and sets > limit:
        raise ValueError(
            f"stragglers = {lost} of {workers} nodes make {sets} sets, more than limit = {limit}; raise limit"
        )
    rule.check(workers - lost)
    bits = getattr(arithmetic, "bits", None)
    if arithmetic is not FLOAT and (bits is None or hasattr(arithmetic, "root_of_unity")):
        raise ValueError(f"arithmetic must be FLOAT or ball(bits) for a Lebesgue constant, got {arithmetic!r}")
    ends = None if interval is None else interval_points(interval)
    family = _Family(known, lost, rule, ends)
    value, worst = family.in_doubles() if bits is None else family.enclosed(bits)
    gone = set(worst)
    return WorstCase(value, tuple(i for i in range(workers) if i not in gone), worst)


def _checked(workers: int, stragglers: Any) -> int:
    if workers == 1:
        if stragglers != 0:
            raise ValueError(f"stragglers must be 0 for a single node, got {stragglers!r}")
        return 0
    return checked_workers(workers, stragglers)[1]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A straggler set that may be the worst, with the boxes in which its Lebesgue function may be largest."""

    stragglers: Set
    upper: float
    value: float
    boxes: list[Box]


@dataclass(frozen=True, slots=True)
class _Family:
    nodes: Nodes
    lost: int
    rule: WeightRule
    ends: tuple[Any, Any] | None

    @property
    def first(self) -> Set:
        """The first straggler set."""
        return tuple(range(self.lost))

    def in_doubles(self) -> tuple[float, Set]:
        """Return the largest constant as a float, and the first set that attains it up to rounding errors."""
        with np.errstate(all="ignore"):
            lower, kappa, candidates = self._sweep(strict=False)
        unclear = [c for c in candidates if np.isinf(c.upper)]
        if not all(self._left(c.stragglers)[1].has_no_poles(inside=self.ends is None) for c in unclear):
            raise PrecisionError("the Lebesgue function of a set may have a pole; use arithmetic=ball(bits)")
        top = max([lower, *(c.value for c in candidates)])
        if not np.isfinite(top):
            raise ValueError("the Lebesgue constant is too large for a double; use arithmetic=ball(bits)")
        if not candidates:
            return lower, self.first
        doubt = 4 * kappa * (1 + top) if self._divides else 64 * kappa
        attained = [c for c in candidates if c.value >= top * (1 - doubt)] or candidates
        return float(top), min(c.stragglers for c in attained)

    @property
    def _divides(self) -> bool:
        return self.rule.kind != "lagrange"

    def enclosed(self, bits: int) -> tuple[Ball, Set]:
        """Return a ball around the largest constant, and the first set that can't be told apart from it."""
        try:
            with rigorous_flags():
                floor, _, candidates = self._sweep(strict=True)
            lower = exactly(floor)
        except PoleError:
            raise
        except (ValueError, FloatingPointError):
            return self._one_by_one(bits)
        if not candidates:
            return Ball(1, bits), self.first
        found = []
        for candidate in candidates:
            pieces = BallPieces(*self._left(candidate.stragglers), self.ends, bits)
            low, high = enclosed_over_boxes(pieces, candidate.boxes, Rational(1))
            lower = max(lower, low)
            found.append((high, candidate.stragglers))
        upper = max(lower, *(high for high, _ in found))
        return Ball.between(lower, upper, bits), min(s for high, s in found if high >= lower)

    def _left(self, stragglers: Set) -> tuple[Nodes, Weights]:
        left = self.nodes.without(stragglers)
        return left, rule_weights(self.rule, left)

    def _sweep(self, strict: bool) -> tuple[float, float, list[_Candidate]]:
        """Return a value that is attained or exceeded, the rounding constant, and all sets that may exceed it."""
        workers, lower, kappa = len(self.nodes), 1.0, 0.0
        candidates: list[_Candidate] = []
        if workers - self.lost == 1:
            return lower, kappa, candidates
        frame = SubsetFrame(self.nodes, self.ends)
        for stragglers in straggler_batches(workers, self.lost, _is_symmetric(self.nodes, self.ends)):
            problem = LebesgueProblem.of_subsets(self.nodes, survivors_of(stragglers, workers), self.rule, frame)
            kappa = problem.form.kappa
            peaks = find_peaks(problem.pieces, problem.form, lower, strict=strict, sharpen=True)
            lower = peaks.lower
            columns = zip(
                peaks.subset.tolist(), peaks.piece.tolist(), peaks.start.tolist(), peaks.stop.tolist(),
                peaks.single.tolist(), peaks.place.tolist(), peaks.value.tolist(), peaks.upper.tolist(),
                strict=True,
            )  # fmt: skip
            for subset, group in groupby(sorted(columns), key=lambda row: row[0]):
                rows = list(group)
                boxes = [(g, exactly(a), exactly(b), bool(one), exactly(t)) for _, g, a, b, one, t, _, _ in rows]
                highest, value = max(row[7] for row in rows), max(row[6] for row in rows)
                candidates.append(_Candidate(tuple(stragglers[subset].tolist()), highest, value, boxes))
            candidates = [c for c in candidates if c.upper > lower]
        return lower, kappa, candidates

    def _one_by_one(self, bits: int) -> tuple[Ball, Set]:
        """Enclose the constants of all sets, without the help of doubles."""
        workers = len(self.nodes)
        if comb(workers, self.lost) > _SLOW_SETS:
            raise PrecisionError(
                f"doubles can't sort the {comb(workers, self.lost)} sets, which are too many to enclose one by one "
                f"(at most {_SLOW_SETS}); take fewer stragglers"
            )
        found: list[tuple[Ball, Set]] = []
        for batch in straggler_batches(workers, self.lost, _is_symmetric(self.nodes, self.ends)):
            for row in batch.tolist():
                left = self._left(tuple(row))
                found.append((enclosed_lebesgue_constant(*left, self.ends, bits), tuple(row)))
        lower = max(value.lower for value, _ in found)
        upper = max(value.upper for value, _ in found)
        return Ball.between(lower, upper, bits), min(s for value, s in found if value.upper >= lower)


def _is_symmetric(nodes: Nodes, ends: tuple[Any, Any] | None) -> bool:
    """Whether reflection maps the nodes, and the interval, to themselves; decided exactly."""
    if not nodes.is_symmetric:
        return False
    if ends is None:
        return True
    first, last = nodes.points[0], nodes.points[-1]
    middle = first + last if isinstance(first, Rational) and isinstance(last, Rational) else Rational(0)
    if not all(isinstance(e, Rational) for e in ends):
        return False
    return _points.order(ends[0] + ends[1], middle) == 0
