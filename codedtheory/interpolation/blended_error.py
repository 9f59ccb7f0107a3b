"""Worst-case error constants of Floater-Hormann interpolants of any degree."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..arithmetic import FLOAT, Arithmetic, ball
from .denominator import denominator_reciprocal
from .gap_frame import GapFrame
from .gap_suprema import largest_over_gaps
from .nodes import Nodes, nodes_from
from .weights import Weights, floater_hormann_weights

__all__ = ["BlendedErrorConstants", "blended_error_at", "largest_blended_reciprocal", "worst_blended_error"]

_WEIGHT_BALLS = ball(192)


class BlendedErrorConstants(NamedTuple):
    r"""The constants of :math:`|f-r|\le lower\,\|f^{(d+1)}\|+upper\,\|f^{(d+2)}\|`.

    Attributes
    ----------
    lower : number
        0 if n - d is odd; otherwise attained by f = x**(d + 1).
    upper : number
        If n - d is odd, attained by f = x**(d + 2).
    """

    lower: Any
    upper: Any


def blended_error_at(x: Any, nodes: Any, d: int, arithmetic: Arithmetic = FLOAT) -> BlendedErrorConstants:
    r"""Return the error constants of the Floater-Hormann interpolant of degree d at one point.

    .. math:: |f(x)-r(x)|\le\frac1{|D(x)|}\Big[\frac{\|f^{(d+2)}\|}{(d+2)!}\sum_{i\text{ even},\,i<n-d}(x_{i+d+1}-x_i)
              +[n-d\text{ even}]\,\frac{\|f^{(d+1)}\|}{(d+1)!}\Big]

    Parameters
    ----------
    x : number
        Any point; where it lies outside the nodes' hull the norms extend to it.
    nodes : Nodes or array_like
        Real nodes.
    d : int
        Blending degree, 0 <= d <= n.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    BlendedErrorConstants

    Notes
    -----
    :math:`f-r=D^{-1}\sum_i(-1)^if[x_i,\dots,x_{i+d},x]` (Floater and Hormann 2007, Numer. Math. 107:315-331), and two
    neighbouring terms make :math:`(x_{i+d+1}-x_i)f[x_i,\dots,x_{i+d+1},x]`. If n - d is odd, all terms are
    paired; the kernels of these divided differences are non-negative B-splines, so that the Peano kernel
    of the error has one sign, and the constant is the best one.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> blended_error_at(2, [-1, 1], 0, EXACT).upper                        # (x**2 - 1)/2 at x = 2
    Rational(3, 2)
    """
    known = _increasing(nodes)
    weights = floater_hormann_weights(known, d)
    reciprocal = denominator_reciprocal(x, known, weights, arithmetic)
    if arithmetic is FLOAT:
        reciprocal = reciprocal / _largest_weight(weights)
    return _constants(reciprocal, known, d, arithmetic)


def worst_blended_error(
    nodes: Any, d: int, interval: Any = None, arithmetic: Arithmetic = FLOAT, tolerance: str | Fraction = "1e-9"
) -> BlendedErrorConstants:
    """Return the largest of `blended_error_at` over an interval.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    d : int
        Blending degree, 0 <= d <= n.
    interval : pair of numbers, optional
        Where x runs; by default the hull of the nodes.
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates the suprema, ``ball(bits)`` encloses them.
    tolerance : str or Fraction, default "1e-9"
        Relative width of the enclosures, at least 1e-12.

    Returns
    -------
    BlendedErrorConstants

    Examples
    --------
    >>> round(worst_blended_error([-1, 1], 0).upper, 12)
    0.5
    """
    known = _increasing(nodes)
    reciprocal = largest_blended_reciprocal(known, d, interval, arithmetic, tolerance)
    return _constants(reciprocal, known, d, arithmetic)


def largest_blended_reciprocal(
    nodes: Any, d: int, interval: Any = None, arithmetic: Arithmetic = FLOAT, tolerance: str | Fraction = "1e-9"
) -> Any:
    r"""Return :math:`\sup_x1/|D(x)|` for the Floater-Hormann weights of degree d, as the formula gives them.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    d : int
        Blending degree, 0 <= d <= n.
    interval : pair of numbers, optional
        Where x runs; by default the hull of the nodes.
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates the supremum, ``ball(bits)`` encloses it.
    tolerance : str or Fraction, default "1e-9"

    Returns
    -------
    float or Ball

    Examples
    --------
    >>> round(largest_blended_reciprocal([-1, 0, 1], 2), 6)                # |(x + 1) x (x - 1)|
    0.3849
    """
    known = _increasing(nodes)
    weights = floater_hormann_weights(known, d)
    scaled = largest_over_gaps(known, weights, interval, GapFrame.reciprocal, arithmetic, tolerance)
    # suprema, and whatever is computed in floats, are those of the weights divided by the largest one
    if arithmetic is FLOAT:
        return scaled / _largest_weight(weights)
    return scaled / max((abs(w) for w in weights.over(_WEIGHT_BALLS)), key=lambda w: w.mid)


def _constants(reciprocal: Any, nodes: Nodes, d: int, arithmetic: Arithmetic) -> BlendedErrorConstants:
    n = len(nodes) - 1
    x = nodes.over(arithmetic)
    spans = arithmetic.number(0)
    for i in range(0, n - d, 2):
        spans = spans + (x[i + d + 1] - x[i])
    upper = arithmetic.number(reciprocal * spans / math.factorial(d + 2))
    if (n - d) % 2:
        return BlendedErrorConstants(arithmetic.number(0), upper)
    return BlendedErrorConstants(arithmetic.number(reciprocal / math.factorial(d + 1)), upper)


def _increasing(nodes: Any) -> Nodes:
    known = nodes_from(nodes)
    known.require_ordered()
    return known if known.is_increasing else known.take(range(len(known) - 1, -1, -1))


def _largest_weight(weights: Weights) -> float:
    return math.exp(float(np.max(weights.log_magnitudes)))
