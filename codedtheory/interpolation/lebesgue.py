"""Lebesgue functions and, in floats, Lebesgue constants of barycentric interpolants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arithmetic import FLOAT, Arithmetic, Ball
from .certified_lebesgue import enclosed_lebesgue_constant
from .interval_reach import interval_points
from .lebesgue_problem import LebesgueProblem
from .nodes import nodes_from
from .peak_search import find_peaks
from .weights import weights_for

__all__ = ["lebesgue_constant"]

# 2**6 boxes a gap isolate the maxima of all but the wildest Lebesgue functions; the work is bounded too
_LEVELS = 6
_WORK = 40_000_000


def lebesgue_constant(
    nodes: Any, weights: Any = "berrut", interval: Any = None, arithmetic: Arithmetic = FLOAT
) -> float | Ball:
    r"""Return the Lebesgue constant of a barycentric interpolant.

    .. math:: \Lambda=\sup_x\Lambda(x),\qquad\Lambda(x)=\sum_i|\ell_i(x)|
              =\sum_i\Big|\frac{w_i}{x-x_i}\Big|\Big/\Big|\sum_i\frac{w_i}{x-x_i}\Big|

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    weights : Weights, {"berrut", "berrut-half", "lagrange"}, int, or array_like, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.
    interval : pair of real numbers, optional
        Where x runs: it may reach beyond the nodes. The hull of the nodes by default.
    arithmetic : Arithmetic, default FLOAT
        ``FLOAT`` or ``ball(bits)``.

    Returns
    -------
    float or Ball
        Over balls, a rigorous enclosure whose relative radius is about 2**-bits.

    Raises
    ------
    ValueError
        If the function is unbounded because the interpolant has a pole in the interval, or the constant (or a
        weight) does not fit into a double.
    PrecisionError
        If the enclosure was not reached; it carries the best one.

    Notes
    -----
    Every gap between neighbours is searched by branch and bound with rigorous bounds (see
    `codedtheory.interpolation.piece_bounds`), so that several maxima in a gap are no trap, and the maxima are
    climbed by Newton's method on u'v - uv'. Distances of nodes enter with errors relative to themselves, and all
    sums are free of cancellation but the denominator Q; the float result carries a relative error of at most

    .. math:: \kappa(1+\Lambda),\qquad\kappa=1.02\,(8\epsilon+\omega+(n+41)u),

    with :math:`\epsilon\approx3u` the error of distances and :math:`\omega` that of weights (0 for Berrut's). For
    polynomial interpolation a product formula avoids even that factor :math:`\Lambda`.

    Examples
    --------
    >>> from codedtheory.interpolation import equispaced
    >>> lebesgue_constant([-1, 0, 1], "berrut")                 # the square root of 2
    1.4142135623730951
    >>> round(lebesgue_constant(equispaced(11), "lagrange"), 9)
    29.899955483
    """
    known = nodes_from(nodes)
    known.require_ordered()
    described = weights_for(known, weights)
    ends = None if interval is None else interval_points(interval)
    bits = getattr(arithmetic, "bits", None)
    if arithmetic is not FLOAT and (bits is None or hasattr(arithmetic, "root_of_unity")):
        raise ValueError(f"arithmetic must be FLOAT or ball(bits) for a Lebesgue constant, got {arithmetic!r}")
    if bits is not None:
        return enclosed_lebesgue_constant(known, described, ends, bits)
    if len(known) == 1:
        return 1.0
    problem = LebesgueProblem.of_nodes(known, described, ends)
    problem.require_no_pole()
    with np.errstate(all="ignore"):
        budget = max(20_000, _WORK // len(known))
        peaks = find_peaks(problem.pieces, problem.form, problem.least, budget, _LEVELS, strict=False)
        if np.isinf(peaks.upper).any() and not described.has_no_poles(inside=ends is None):
            # a pole may hide between the places that were looked at
            peaks = find_peaks(problem.pieces, problem.form, problem.least)
        result = float(np.ldexp(max(peaks.value.max(initial=0.0), peaks.lower), problem.shift))
    if not math.isfinite(result):
        raise ValueError("the Lebesgue constant is too large for a double; use arithmetic=ball(bits)")
    return result
