"""Suprema over the hull or an interval, for one node set or the worst set of survivors."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, Ball, Rational, ball, exactly

from .gap_domain import GapDomain, interval_ends
from .gap_frame import GapFrame
from .gap_search import bisected_suprema, estimated_suprema
from .node_sets import NodeSets, chebyshev_survivors, checked_workers
from .nodes import Nodes
from .outward import Intervals, exact_arithmetic_flags
from .weights import Weights, weights_for
from .worst_case import WorstCase

__all__ = ["Domain", "largest_over_gaps", "weight_total", "worst_over_survivors"]

Domain = Literal["hull", "interval"]
Quantity = Callable[[GapFrame, Any], Any]

_FINEST = Fraction(1, 10**12)
# values of the float search closer than this may be one and the same number
_TIE = 1e-12
_WEIGHT_BALLS = ball(192)


def largest_over_gaps(
    nodes: Nodes, weights: Any, interval: Any, quantity: Quantity, arithmetic: Arithmetic, tolerance: str | Fraction
) -> Any:
    """Return the supremum of a quantity over the hull of the nodes or an interval: a float, or a ball.

    Parameters
    ----------
    nodes : Nodes
        Real.
    weights : object
        What `weights_for` takes; signs must alternate.
    interval : pair of numbers or None
    quantity : callable
        Of a `GapFrame` and relative positions.
    arithmetic : Arithmetic
        FLOAT or ``ball(bits)``.
    tolerance : str or Fraction

    Returns
    -------
    float or Ball
    """
    wanted = checked_tolerance(arithmetic, tolerance)
    ends = None if interval is None else interval_ends(interval)
    if ends is None and len(nodes) == 1:
        return arithmetic.number(0)
    rigorous = arithmetic is not FLOAT
    families = [
        NodeSets.single(nodes, ends or (), exact, alternating_magnitudes(nodes, weights, exact))
        for exact in (False, True)[: 1 + rigorous]
    ]
    domains = [
        GapDomain.whole(family) if ends is None else GapDomain.within(family, nodes, ends) for family in families
    ]
    # a place that is outside by a rounding error would give a lower bound that is none
    inside = domains[-1].select(domains[-1].surely_inside)
    values, places = estimated_suprema(families[0], inside, quantity)
    if not rigorous:
        return float(values[0])
    lower, upper = bisected_suprema(families[1], domains[1], quantity, wanted, hints=places)
    return between(lower[0], upper[0], arithmetic)


def worst_over_survivors(
    workers: int,
    stragglers: int,
    domain: Domain,
    quantity: Quantity,
    arithmetic: Arithmetic,
    tolerance: str | Fraction,
) -> WorstCase:
    """Return the largest value of a quantity over all survivor sets of Chebyshev points of the second kind.

    Parameters
    ----------
    workers, stragglers : int
    domain : {"hull", "interval"}
        Whether x runs over the survivors' hull or over [-1, 1].
    quantity : callable
        Of a `GapFrame` and relative positions; it has to be symmetric under reflection.
    arithmetic : Arithmetic
        FLOAT or ``ball(bits)``.
    tolerance : str or Fraction

    Returns
    -------
    WorstCase
        Of sets whose values floats can't tell apart the one whose stragglers come first lexicographically is named.
    """
    wanted = checked_tolerance(arithmetic, tolerance)
    if domain not in ("hull", "interval"):
        raise ValueError(f"domain must be 'hull' or 'interval', got {domain!r}")
    workers, stragglers = checked_workers(workers, stragglers, 2 if domain == "hull" else 1)
    outside = None if domain == "hull" else (0, workers - 1)
    family = chebyshev_survivors(workers, stragglers, rigorous=False)
    values, places = estimated_suprema(family, GapDomain.whole(family, outside), quantity, together=True)
    best = int(np.argmax(values >= values.max() * (1 - _TIE)))
    survivors = workers - 1 - family.sets[best]
    if arithmetic is FLOAT:
        return WorstCase.of(float(values.max()), survivors, workers)
    exact = chebyshev_survivors(workers, stragglers, rigorous=True)
    lower, upper = bisected_suprema(
        exact, GapDomain.whole(exact, outside), quantity, wanted, together=True, hints=places
    )
    return WorstCase.of(between(lower.max(), upper.max(), arithmetic), survivors, workers)


def checked_tolerance(arithmetic: Arithmetic, tolerance: str | Fraction) -> float:
    """Return the tolerance as a float, or raise for an arithmetic in which suprema do not lie."""
    if isinstance(tolerance, (float, np.floating)):
        raise TypeError(f"tolerance must be exact, got {tolerance!r}; write it as a string or a Fraction")
    wanted = Rational(tolerance).fraction
    if not _FINEST <= wanted < 1:
        raise ValueError(f"tolerance must be from 1e-12 to 1, got {tolerance}")
    if arithmetic is not FLOAT and (not hasattr(arithmetic, "bits") or hasattr(arithmetic, "root_of_unity")):
        raise ValueError(f"arithmetic must be FLOAT or ball(bits) for a supremum, got {arithmetic.name}")
    return float(wanted)


def between(lower: float, upper: float, arithmetic: Arithmetic) -> Ball:
    """Return the ball between two doubles."""
    bits: int = arithmetic.bits  # type: ignore[attr-defined]
    return Ball.between(exactly(float(lower)), exactly(float(upper)), bits)


def alternating_magnitudes(nodes: Nodes, weights: Any, rigorous: bool) -> npt.NDArray[np.float64] | Intervals:
    """Return the moduli of the weights, by increasing nodes; Berrut's as they are, others with largest modulus 1.

    Raises
    ------
    ValueError
        If the signs do not alternate.
    """
    known: Weights = weights_for(nodes, weights)
    signs = known.signs
    if bool(np.any(signs[1:] == signs[:-1])):
        raise ValueError(
            "weights must alternate in sign, or the interpolant has a pole between two nodes; "
            f"got signs {signs.tolist()}"
        )
    if known.rule is not None and known.rule.kind in ("berrut", "berrut-half"):
        sizes = np.ones(len(nodes))
        if known.rule.kind == "berrut-half":
            sizes[[0, -1]] = 0.5
        return sizes[None, :]
    order = slice(None) if nodes.is_increasing else slice(None, None, -1)
    if not rigorous:
        return np.asarray(np.abs(np.asarray(known, dtype=float))[order][None, :])
    enclosed = known.over(_WEIGHT_BALLS)[order]
    largest = max((abs(w) for w in enclosed), key=lambda w: w.mid)
    return Intervals.enclosing(np.array([abs(w) / largest for w in enclosed], dtype=object)[None, :])


def weight_total(nodes: Nodes, weights: Any, arithmetic: Arithmetic) -> Any:
    """Return the modulus of the sum of the weights, in the scale of `alternating_magnitudes`."""
    if arithmetic is FLOAT:
        sizes = Intervals.of(alternating_magnitudes(nodes, weights, rigorous=False)).lo[0]
        return float(abs(sizes[::2].sum() - sizes[1::2].sum()))
    with exact_arithmetic_flags():
        enclosed = Intervals.of(alternating_magnitudes(nodes, weights, rigorous=True))
        total = (enclosed * (-1.0) ** np.arange(len(nodes))).sum(axis=1)
    return abs(between(total.lo[0], total.hi[0], arithmetic))
