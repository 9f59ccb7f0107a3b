"""Berrut's second interpolant on the survivors of Chebyshev points of the second kind."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ..arithmetic import FLOAT, Arithmetic, ball
from .gap_domain import GapDomain
from .gap_frame import GapFrame
from .gap_search import bisected_suprema, estimated_suprema
from .gap_suprema import between, checked_tolerance
from .node_sets import NodeSets, chebyshev_survivors, checked_workers

__all__ = ["largest_second_form_reciprocal"]

_BALLS = ball(53)


def largest_second_form_reciprocal(
    workers: int, stragglers: int, arithmetic: Arithmetic = _BALLS, tolerance: str | Fraction = "1e-9"
) -> Any:
    r"""Enclose the largest :math:`1/|D|` of the second form over all survivor sets and all of [-1, 1].

    It is finite iff no set of survivors gives the second form, whose end weights are halved, a pole in
    [-1, 1]. Inside the survivors' hull there is none; beyond it there may be.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at Chebyshev points of the second kind.
    stragglers : int
        At least two workers must survive.
    arithmetic : Arithmetic, default ball(53)
    tolerance : str or Fraction, default "1e-9"
        Relative width of the enclosure, at least 1e-12.

    Returns
    -------
    Ball

    Raises
    ------
    PrecisionError
        If there is a pole in [-1, 1], or it cannot be excluded.

    Examples
    --------
    >>> from codedtheory.arithmetic import Rational
    >>> largest_second_form_reciprocal(2, 0).contains(Rational(1))         # |x**2 - 1|
    True
    """
    if arithmetic is FLOAT:
        raise ValueError("arithmetic must be ball(bits) for an enclosure, got FLOAT")
    wanted = checked_tolerance(arithmetic, tolerance)
    workers, stragglers = checked_workers(workers, stragglers, 2)
    outside = (0, workers - 1)
    rough, rigorous = (_halved(chebyshev_survivors(workers, stragglers, exact)) for exact in (False, True))
    _, places = estimated_suprema(rough, GapDomain.whole(rough, outside), GapFrame.reciprocal, together=True)
    domain = GapDomain.whole(rigorous, outside)
    lower, upper = bisected_suprema(rigorous, domain, GapFrame.reciprocal, wanted, together=True, hints=places)
    return between(lower.max(), upper.max(), arithmetic)


def _halved(family: NodeSets) -> NodeSets:
    magnitudes = np.ones(family.sets.shape)
    magnitudes[:, [0, -1]] = 0.5
    return replace(family, magnitudes=magnitudes)
