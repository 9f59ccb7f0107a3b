"""The terms w/(x - x_i) of a barycentric formula, and where x is a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import FLOAT, Algebraic, Arithmetic, Ball, PrecisionError, Rational, arithmetic_of
from . import points as _points
from .differences import differences
from .nodes import Nodes
from .weights import Weights

__all__ = ["Terms", "barycentric_terms", "common_arithmetic", "shared_points"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Terms:
    r"""What the barycentric formula is made of at several places.

    Attributes
    ----------
    terms : numpy.ndarray, shape (places, n + 1)
        :math:`w_i/(x-x_i)`, for floats divided by the largest of :math:`1/|x-x_i|`; a unit row where x is a node.
    node : numpy.ndarray of int, shape (places,)
        Index of the node that x is, or -1.
    scale : numpy.ndarray, shape (places,)
        What the terms were divided by (1 unless they are floats).
    shape : tuple of int
        Shape of x.
    gaps : numpy.ndarray or None, shape (places, n + 1)
        :math:`x-x_i` for floats (1 where x is a node).
    """

    terms: Array
    node: npt.NDArray[np.intp]
    scale: Array
    shape: tuple[int, ...]
    gaps: Array | None = None


def common_arithmetic(x: Any, *others: Any) -> Arithmetic:
    """Return the smallest arithmetic that holds x (nodes: any) and all other numbers."""
    items: list[Any] = []
    for value in (x, *others):
        if isinstance(value, Nodes):
            continue
        array = np.asarray(value, dtype=None if isinstance(value, np.ndarray) else object)
        if array.dtype.kind == "c":
            return FLOAT
        if array.dtype != object and array.size:
            array = array.ravel()[:1]
        items.extend(complex_free(item) for item in array.ravel())
    if not items:
        return FLOAT
    return arithmetic_of(np.array([*items, 0], dtype=object)[:-1])


def complex_free(item: Any) -> Any:
    """Return a complex double as a double, for it stands for the same arithmetic."""
    return item.real if isinstance(item, (complex, np.complexfloating)) else item


def barycentric_terms(x: Any, nodes: Nodes, weights: Weights, arithmetic: Arithmetic) -> Terms:
    """Return the barycentric terms at x; whether x is a node is decided on exact points, never by a tolerance.

    Parameters
    ----------
    x : number, array_like or Nodes
        Floats are taken as they are; over floats a double that is nearest to a node counts as that node.
    nodes : Nodes
    weights : Weights
    arithmetic : Arithmetic

    Returns
    -------
    Terms

    Raises
    ------
    ValueError
        If x is not finite.
    PrecisionError
        If a ball contains a node.
    """
    if arithmetic is FLOAT:
        return _float_terms(x, nodes, weights)
    if isinstance(x, Nodes):
        places: list[Any] = list(x.points)
        numbers, shape = x.over(arithmetic), (len(x),)
    else:
        source = np.asarray(x, dtype=None if isinstance(x, np.ndarray) else object)
        places, shape = list(source.ravel()), source.shape
        numbers = arithmetic.array(np.array([*places, None], dtype=object)[:-1])
    z, w = nodes.over(arithmetic), weights.over(arithmetic)
    terms: Array = arithmetic.zeros((len(places), len(nodes)))
    # different integers may be one element of a finite field, so that there the numbers decide
    shared = shared_points(x, nodes) if isinstance(x, Nodes) and not hasattr(arithmetic, "modulus") else None
    found = np.full(len(places), -1) if shared is None else shared
    for row, (place, number) in enumerate(zip(places, numbers, strict=True)):
        if shared is None:
            found[row] = _node_at(place, number, nodes, z)
        if found[row] >= 0:
            terms[row, found[row]] = arithmetic.number(1)
            continue
        for i in range(len(nodes)):
            terms[row, i] = w[i] / (number - z[i])
    return Terms(terms, found, np.ones(len(places), dtype=int), shape)


def shared_points(x: Nodes, nodes: Nodes) -> npt.NDArray[np.intp] | None:
    """Return which node each point is, or -1, decided on what the points are and not on values of them.

    Parameters
    ----------
    x, nodes : Nodes

    Returns
    -------
    numpy.ndarray of int, shape (len(x),), or None
        ``None`` if one of them is real and the other is not.

    Examples
    --------
    >>> from codedtheory.interpolation import chebyshev_first, chebyshev_second
    >>> shared_points(chebyshev_first(3), chebyshev_second(5)).tolist()
    [-1, 2, -1]
    """
    if x.is_ordered != nodes.is_ordered:
        return None
    if not nodes.is_ordered:
        where = {node: i for i, node in enumerate(nodes.points)}
        return np.array([where.get(point, -1) for point in x.points], dtype=np.intp)
    found = np.full(len(x), -1)
    for row, point in enumerate(x.points):
        below, is_node = nodes.position(point)
        if is_node:
            found[row] = below if nodes.is_increasing else len(nodes) - 1 - below
    return found


def _node_at(place: Any, number: Any, nodes: Nodes, z: Array) -> int:
    if not nodes.is_ordered or not _has_order(number):
        matches = [i for i, node in enumerate(z) if bool(node == number)]
        return matches[0] if matches else -1
    try:
        below, is_node = nodes.position(place)
    except PrecisionError as error:
        raise PrecisionError(
            f"x = {place} may be a node; give x exactly (a Fraction, an algebraic number, or Nodes) "
            "or raise its precision (ball bits)",
            enclosure=place,
        ) from error
    if not is_node:
        return -1
    return below if nodes.is_increasing else len(nodes) - 1 - below


def _has_order(number: Any) -> bool:
    """Whether the number is a real one that is compared with nodes exactly."""
    return isinstance(number, (Rational, Ball)) or (isinstance(number, Algebraic) and number.is_real)


def _float_terms(x: Any, nodes: Nodes, weights: Weights) -> Terms:
    w = weights.over(FLOAT)
    if isinstance(x, Nodes) and x.is_ordered and nodes.is_ordered:
        gaps, shape = differences(x, nodes), (len(x),)
        found = _coincident(gaps, x, nodes)
    else:
        places = x.over(FLOAT) if isinstance(x, Nodes) else _float_array(x)
        if not np.isfinite(places).all():
            bad = tuple(int(i) for i in np.argwhere(~np.isfinite(places))[0])
            raise ValueError(f"x must be finite, but x{list(bad) if bad else ''} is {places[bad]}; remove it")
        shape = places.shape
        flat = places.reshape(-1, 1)
        if nodes.is_ordered:
            high, low, _ = nodes.two_doubles()
            gaps = (flat - high) - low
        else:
            high = nodes.over(FLOAT)
            gaps = flat - high
        shared = shared_points(x, nodes) if isinstance(x, Nodes) else None
        same = flat == high
        found = np.where(same.any(axis=1), same.argmax(axis=1), -1) if shared is None else shared
    rows = np.flatnonzero(found >= 0)
    gaps[rows] = 1.0
    nearest = np.abs(gaps).min(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        scale = 1 / nearest[:, 0]
    terms = w * (nearest / gaps)
    terms[rows] = 0.0
    terms[rows, found[rows]] = 1.0
    return Terms(terms, found, scale, shape, gaps)


def _float_array(x: Any) -> Array:
    array = np.asarray(x)
    if array.dtype.kind in "fc":
        return array
    return FLOAT.array(array) if array.dtype == object else array.astype(float)


def _coincident(gaps: Array, x: Nodes, nodes: Nodes) -> npt.NDArray[np.intp]:
    """Return which node each point of x is, comparing exactly where doubles nearly agree."""
    nearest = np.abs(gaps).argmin(axis=1)
    found = np.full(len(x), -1)
    spread = float(np.abs(gaps).max(initial=0.0))
    for row, column in enumerate(nearest):
        if abs(gaps[row, column]) <= 1e-9 * spread and _points.order(x.points[row], nodes.points[column]) == 0:
            found[row] = column
    return found
