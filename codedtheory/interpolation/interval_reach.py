"""How far an interval reaches from each node, with exact decisions on what lies inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .differences import difference_error, differences
from .nodes import Nodes
from .points import as_point, order

__all__ = ["Reach", "interval_points", "reach_of"]

FloatArray = npt.NDArray[np.float64]
Reach = tuple[FloatArray, FloatArray]
# below this relative distance the sign of a difference is decided exactly
_CLOSE = 1e-6


def interval_points(interval: Any) -> tuple[Any, Any]:
    """Return the two ends of an interval as exact points.

    Raises
    ------
    ValueError
        Unless there are two real ends a < b.
    """
    try:
        first, last = interval
    except (TypeError, ValueError) as error:
        raise ValueError(f"interval must be a pair (a, b) with a < b, got {interval!r}") from error
    try:
        a, b = as_point(first), as_point(last)
    except ValueError as error:
        raise ValueError(f"interval must be a pair of real numbers, got {interval!r} ({error})") from error
    if order(a, b) >= 0:
        raise ValueError(f"interval must be a pair (a, b) with a < b, got {interval!r}")
    return a, b


def reach_of(nodes: Nodes, ends: tuple[Any, Any]) -> tuple[Reach, float, float]:
    """Return how far an interval reaches from each node towards the first and the last one.

    Returns
    -------
    reach : tuple of two numpy.ndarray
        Negative where the node lies outside, exactly 0 where it is an end.
    width : float
        Length of the interval.
    error : float
        Bound on the relative errors.
    """
    first, last = ends if nodes.is_increasing else ends[::-1]
    both = Nodes._of((first, last), "the ends of an interval")
    offset = differences(nodes, both)
    scale = float(np.abs(offset).max()) or 1.0
    for i, j in np.argwhere(np.abs(offset) <= _CLOSE * scale):
        sign = order(nodes.points[i], both.points[j])
        offset[i, j] = 0.0 if sign == 0 else sign * abs(offset[i, j])
        if sign != 0 and offset[i, j] == 0:
            raise ValueError(f"node {i} is too close to an end of the interval for doubles; use ball(bits)")
    if not nodes.is_increasing:
        offset = -offset
    width = abs(float(differences(both)[0, 1]))
    error = max(difference_error(nodes, both), difference_error(both))
    return (offset[:, 0], -offset[:, 1]), width, error
