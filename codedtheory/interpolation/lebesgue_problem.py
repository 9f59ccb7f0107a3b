"""Lebesgue constants set up for the search: pieces in doubles and the bounds that hold on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .differences import difference_error, differences
from .float_weights import subset_weights, weight_error
from .hull_pieces import HullPieces
from .interval_reach import reach_of
from .nodes import Nodes
from .piece_bounds import LEAST_SIZE, PolynomialBounds, QuotientBounds, rounding_constant
from .weight_rules import WeightRule
from .weights import Weights

__all__ = ["LebesgueProblem", "SubsetFrame", "is_polynomial"]

IndexArray = npt.NDArray[np.intp]
_LARGE = 900
_ROOM = 2.0**-500
_ROWS = 64


@dataclass(frozen=True, slots=True)
class LebesgueProblem:
    """Pieces of one node set or of many subsets, with bounds for the Lebesgue function on them.

    Attributes
    ----------
    pieces : HullPieces
    form : QuotientBounds or PolynomialBounds
    shift : int
        The values are those of the Lebesgue function divided by 2**shift.
    """

    pieces: HullPieces
    form: QuotientBounds | PolynomialBounds
    shift: int = 0

    @property
    def least(self) -> float:
        """A lower bound of all values: 1, as the cardinal functions sum to 1, unless they are shifted."""
        return 0.0 if self.shift else 1.0

    @classmethod
    def of_nodes(cls, nodes: Nodes, weights: Weights, ends: tuple[Any, Any] | None) -> LebesgueProblem:
        """Return the problem of all nodes with given weights."""
        count = len(nodes)
        frame = SubsetFrame(nodes, ends)
        sets = np.arange(count)[None]
        error = weights.relative_error(frame.error)
        if is_polynomial(nodes, weights):
            return cls._polynomial(frame, weights, error)
        sizes = np.abs(np.asarray(weights))
        _require_range(sizes)
        uniform = bool((sizes == 1).all())
        exponents = np.zeros(1, dtype=np.int64)
        return frame.problem(sets, None if uniform else sizes[None], weights.signs, exponents, error, polynomial=False)

    @classmethod
    def _polynomial(cls, frame: SubsetFrame, weights: Weights, error: float) -> LebesgueProblem:
        true = weights.magnitudes
        top = true.exponent.max()
        # larger weights make the values larger only, and hardly so where N is not tiny
        sizes = np.maximum(np.ldexp(true.mantissa, np.maximum(true.exponent - top, -1000)), LEAST_SIZE)
        sets, exponents = np.arange(len(weights))[None], np.array([top], dtype=np.int64)
        problem = frame.problem(sets, sizes[None], weights.signs, exponents, error, polynomial=True)
        subset, number = problem.pieces.all_pieces()
        if isinstance(problem.form, PolynomialBounds) and len(number):
            reached = max(
                problem.form.middle_exponent(problem.pieces.rows(subset[i : i + _ROWS], number[i : i + _ROWS]))
                for i in range(0, len(number), _ROWS)
            )
            if reached > _LARGE:
                moved = frame.problem(sets, sizes[None], weights.signs, exponents - reached, error, polynomial=True)
                return replace(moved, shift=reached)
        return problem

    @classmethod
    def of_subsets(cls, nodes: Nodes, sets: IndexArray, rule: WeightRule, frame: SubsetFrame) -> LebesgueProblem:
        """Return the problem of many subsets of the nodes, with weights made by a rule for each of them."""
        m = sets.shape[1]
        rule.check(m)
        signs = rule.signs(m, nodes.is_increasing)
        polynomial = rule.kind == "lagrange" or (rule.kind == "floater-hormann" and rule.d == m - 1)
        exponents = np.zeros(len(sets), dtype=np.int64)
        if rule.kind == "berrut" or (rule.kind == "floater-hormann" and rule.d == 0):
            return frame.problem(sets, None, signs, exponents, 0.0, polynomial=False)
        sizes = subset_weights(rule, frame.distance, sets)
        exponents = sizes.exponent.max(axis=1)
        plain = np.ldexp(sizes.mantissa, np.maximum(sizes.exponent - exponents[:, None], -1000))
        if polynomial:
            plain = np.maximum(plain, LEAST_SIZE)
        else:
            _require_range(plain)
        error = weight_error(rule, m, frame.error)
        return frame.problem(sets, plain, signs, exponents, error, polynomial)

    def require_no_pole(self) -> None:
        """Raise `ValueError` if neighbours around a gap in the interval have weights of equal sign."""
        signs, count = self.pieces.signs, self.pieces.count
        gaps = np.unique(self.pieces.all_pieces()[1])
        for k in gaps[(gaps > 0) & (gaps < count)] - 1:
            if signs[k] == signs[k + 1]:
                raise ValueError(
                    f"weights[{k}] and weights[{k + 1}] have the same sign, so the interpolant has a pole between "
                    "their nodes and its Lebesgue function is unbounded; take weights of alternating signs"
                )


class SubsetFrame:
    """Distances of nodes from each other and from the ends of an interval.

    Lebesgue functions do not depend on the unit of length. In the one that is chosen here, a power of 2, no distance
    exceeds 1, which keeps products of distances and small weights in the range of doubles.
    """

    def __init__(self, nodes: Nodes, ends: tuple[Any, Any] | None) -> None:
        self.distance = np.abs(differences(nodes))
        self.error = difference_error(nodes)
        lengths, self.unit = [self.distance], 0
        if ends is not None:
            reach, width, error = reach_of(nodes, ends)
            self.error = max(self.error, error)
            lengths += [*reach, np.array(width)]
        self.unit = int(np.frexp(max(np.abs(x).max() for x in lengths))[1])
        self.scaled = [np.ldexp(x, -self.unit) for x in lengths]

    def problem(
        self,
        sets: IndexArray,
        sizes: npt.NDArray[np.float64] | None,
        signs: npt.NDArray[np.int64],
        exponents: npt.NDArray[np.int64],
        size_error: float,
        polynomial: bool,
    ) -> LebesgueProblem:
        """Return the problem of subsets with given weights."""
        distance, *interval = self.scaled
        if interval and polynomial and sizes is not None and sizes.min() <= LEAST_SIZE:
            self._require_room()
        reach, width = ((interval[0], interval[1]), interval[2]) if interval else (None, None)
        if polynomial:
            # N times the product of distances has the degree m - 1 in the unit
            exponents = exponents + self.unit * (sets.shape[1] - 1)
        pieces = HullPieces(distance, sets, sizes, signs, exponents, reach, width)
        kappa = rounding_constant(sets.shape[1], self.error, size_error)
        if polynomial:
            return LebesgueProblem(pieces, PolynomialBounds(kappa, self.error))
        return LebesgueProblem(pieces, QuotientBounds(kappa))

    def _require_room(self) -> None:
        """Raise `ValueError` if the interval is so small beside a node that a raised weight matters on all of it."""
        cuts = np.abs(np.concatenate([np.ravel(x) for x in self.scaled[1:]]))
        if cuts[cuts > 0].min() < _ROOM:
            raise ValueError("the interval is too small, or ends too close to a node, for doubles; use ball(bits)")


def _require_range(sizes: npt.NDArray[np.float64]) -> None:
    """Raise `ValueError` if weights, the largest of which is about 1, are too small for the rounding analysis."""
    if sizes.min() < LEAST_SIZE:
        raise ValueError("weights differ by a factor that doubles can't hold; use ball(bits)")


def is_polynomial(nodes: Nodes, weights: Weights) -> bool:
    """Whether the weights are those of polynomial interpolation at just these nodes, by their rule."""
    rule, own = weights.rule, getattr(weights, "nodes", None)
    if rule is None or not (rule.kind == "lagrange" or (rule.kind == "floater-hormann" and rule.d == len(nodes) - 1)):
        return False
    return own is nodes or own == nodes
