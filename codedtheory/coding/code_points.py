"""Where on the line (or in the field) data blocks and workers sit."""

from __future__ import annotations

from typing import Any

from codedtheory.arithmetic import Arithmetic, Modular
from codedtheory.interpolation import Nodes, chebyshev_first, chebyshev_second, nodes_from

__all__ = ["placed_points"]

_FAMILIES = {"chebyshev1": chebyshev_first, "chebyshev2": chebyshev_second}


def placed_points(name: str, points: Any, count: int, arithmetic: Arithmetic) -> Nodes:
    """Return the points of an argument that may be a family's name, nodes or numbers.

    Parameters
    ----------
    name : str
        How the argument is called, for the error message.
    points : {"chebyshev1", "chebyshev2"}, Nodes, or array_like of numbers
        Over a finite field numbers are taken modulo p.
    count : int
        How many points are needed.
    arithmetic : Arithmetic

    Returns
    -------
    Nodes

    Raises
    ------
    ValueError
        If the name is unknown, there are not `count` points, or they are not what nodes have to be.

    Examples
    --------
    >>> from codedtheory.arithmetic import FLOAT
    >>> placed_points("worker_points", "chebyshev2", 3, FLOAT)
    Nodes(3 Chebyshev points of the second kind)
    """
    is_finite_field = hasattr(arithmetic, "modulus")
    if isinstance(points, str):
        if points not in _FAMILIES:
            raise ValueError(f"{name} must be 'chebyshev1', 'chebyshev2', nodes or numbers, got {points!r}")
        if is_finite_field:
            raise ValueError(f"{name} = {points!r} has no meaning in {arithmetic.name}; give elements of the field")
        if points == "chebyshev2" and count < 2:
            raise ValueError(f"{name} = 'chebyshev2' needs at least 2 points, got {count}; use 'chebyshev1'")
        return _FAMILIES[points](count)
    values = points.points if isinstance(points, Nodes) else points
    try:
        nodes = nodes_from(arithmetic.array(list(values)) if is_finite_field else points)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from error
    if len(nodes) != count:
        raise ValueError(f"{name} must be {count} points, got {len(nodes)}")
    if not is_finite_field and any(isinstance(point, Modular) for point in nodes.points):
        raise ValueError(f"{name} are elements of a finite field; use arithmetic=modular(p)")
    return nodes
