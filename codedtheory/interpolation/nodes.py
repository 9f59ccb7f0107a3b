"""Interpolation nodes as descriptions, evaluated over an arithmetic on request."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import EXACT, FLOAT, Arithmetic, Modular, Rational
from . import points as _points
from .points import Cosine, RootOfUnity

__all__ = ["Nodes", "nodes_from"]


class Nodes:
    """Distinct interpolation nodes that are known exactly, whatever arithmetic they are used in.

    "Chebyshev" means the cosines, not their doubles: order, hull membership and coincidences are
    decided on the angles, and ``over(ball(bits))`` encloses the cosines themselves. Nodes are made by
    `chebyshev_first`, `chebyshev_second`, `equispaced`, `roots_of_unity`, `nodes_from` and
    `read_nodes`; real ones are strictly increasing or strictly decreasing.

    Attributes
    ----------
    points : tuple
        One exact point a node.
    is_ordered : bool
        Whether the nodes are real, hence sorted; roots of unity and elements of a finite field are not.

    Examples
    --------
    >>> from codedtheory.interpolation import chebyshev_second
    >>> nodes = chebyshev_second(5)
    >>> len(nodes), np.asarray(nodes).round(3).tolist()
    (5, [1.0, 0.707, 0.0, -0.707, -1.0])
    >>> from ..arithmetic import cyclotomic
    >>> nodes.over(cyclotomic(8))[1] ** 2 == Fraction(1, 2)
    True
    >>> nodes.without([1]).describe()
    'nodes 0, 2-4 of the 5 Chebyshev points of the second kind'
    """

    __slots__ = ("_doubles", "_family", "_kept", "is_ordered", "points")
    points: tuple[Any, ...]
    is_ordered: bool
    _family: str
    _kept: tuple[int, ...] | None
    _doubles: tuple[npt.NDArray[np.float64], ...] | None

    @classmethod
    def _of(cls, points: tuple[Any, ...], family: str, kept: tuple[int, ...] | None = None) -> Nodes:
        new = object.__new__(cls)
        new.points, new._family, new._kept, new._doubles = points, family, kept, None
        new.is_ordered = not any(isinstance(p, (RootOfUnity, Modular)) for p in points)
        return new

    def __len__(self) -> int:
        return len(self.points)

    # -- values --------------------------------------------------------------------------------------

    def over(self, arithmetic: Arithmetic) -> npt.NDArray[Any]:
        """Return the nodes as numbers of an arithmetic.

        Parameters
        ----------
        arithmetic : Arithmetic

        Returns
        -------
        numpy.ndarray
            Float64 (the nearest doubles; complex128 for roots of unity) or object.

        Raises
        ------
        ValueError
            If the nodes do not lie in the arithmetic; the message names one in which they do.
        """
        if arithmetic is FLOAT:
            return self.__array__(copy=True)
        if arithmetic is EXACT:
            self._require_rational()
        result: npt.NDArray[Any] = np.empty(len(self), dtype=object)
        for index, point in enumerate(self.points):
            result[index] = _points.over(point, arithmetic)
        return result

    def _require_rational(self) -> None:
        cosines = [p for p in self.points if isinstance(p, Cosine) and p.rational is None]
        if cosines:
            field = math.lcm(*(p.conductor for p in cosines))
            raise ValueError(
                f"the nodes are irrational ({cosines[0]} is one of them); "
                f"use cyclotomic({field}) or ball(bits) instead of EXACT"
            )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("nodes are a description; np.asarray(nodes) has to copy")
        if any(isinstance(p, RootOfUnity) for p in self.points):
            return np.array([_points.over(p, FLOAT) for p in self.points], dtype=dtype)
        return np.array(self.two_doubles()[0], dtype=dtype)

    def two_doubles(self) -> tuple[npt.NDArray[np.float64], ...]:
        r"""Return real nodes as unevaluated sums of two doubles, from which differences are accurate.

        Returns
        -------
        high, low, error : numpy.ndarray of float64, shape (n + 1,)
            ``high`` holds the nearest doubles, and :math:`|x_i-high_i-low_i|\le error_i`.
        """
        if self._doubles is None:
            parts = np.array([_points.two_doubles(p) for p in self.points]).T
            parts.setflags(write=False)
            self._doubles = tuple(parts)
        return self._doubles

    # -- order and structure -------------------------------------------------------------------------

    @property
    def is_increasing(self) -> bool:
        """Whether the nodes are real and increase (a single node does)."""
        return self.is_ordered and (len(self) == 1 or _points.order(self.points[1], self.points[0]) > 0)

    @property
    def is_symmetric(self) -> bool:
        """Whether the nodes are known to mirror each other about their centre, decided exactly."""
        if all(isinstance(p, Cosine) for p in self.points):
            return all(p.q + r.q == 1 for p, r in zip(self.points, reversed(self.points), strict=True))
        if all(isinstance(p, Rational) for p in self.points):
            ends = self.points[0] + self.points[-1]
            return all(p + r == ends for p, r in zip(self.points, reversed(self.points), strict=True))
        return False

    def position(self, x: Any) -> tuple[int, bool]:
        """Return where a real point lies among the nodes, decided exactly.

        Parameters
        ----------
        x : real number or exact point
            A float is taken as it is.

        Returns
        -------
        below : int
            How many nodes are smaller than `x`.
        is_node : bool
            Whether `x` is a node.
        """
        self.require_ordered()
        point = _points.as_point(x)
        ascending = self.points if self.is_increasing else self.points[::-1]
        low, high = 0, len(ascending)
        while low < high:
            middle = (low + high) // 2
            sign = _points.order(ascending[middle], point)
            if sign == 0:
                return middle, True
            low, high = (middle + 1, high) if sign < 0 else (low, middle)
        return low, False

    def require_ordered(self) -> None:
        """Raise `ValueError` unless the nodes are real."""
        if not self.is_ordered:
            raise ValueError(f"real nodes are needed here, got {self.describe()}")

    # -- subsets -------------------------------------------------------------------------------------

    def take(self, indices: Iterable[int]) -> Nodes:
        """Return the nodes with the given indices, in their order along the line.

        Parameters
        ----------
        indices : iterable of int
            Strictly increasing or decreasing, none repeated, at least one.

        Returns
        -------
        Nodes
        """
        chosen = self._checked(indices)
        if not chosen:
            raise ValueError("indices must name at least one node")
        if len(set(chosen)) != len(chosen):
            raise ValueError(f"indices must not repeat a node, got {chosen}")
        if self.is_ordered and list(chosen) not in (sorted(chosen), sorted(chosen, reverse=True)):
            raise ValueError(f"indices must be sorted so that the nodes stay monotone, got {chosen}; use sorted(...)")
        kept = chosen if self._kept is None else tuple(self._kept[i] for i in chosen)
        return Nodes._of(tuple(self.points[i] for i in chosen), self._family, kept)

    def without(self, indices: Iterable[int]) -> Nodes:
        """Return the nodes that are left when those with the given indices are lost.

        Parameters
        ----------
        indices : iterable of int
            In any order.

        Returns
        -------
        Nodes
        """
        lost = set(self._checked(indices))
        if len(lost) == len(self):
            raise ValueError(f"indices must leave at least one of the {len(self)} nodes")
        return self.take(i for i in range(len(self)) if i not in lost)

    def _checked(self, indices: Iterable[int]) -> tuple[int, ...]:
        result = []
        for i in indices:
            index = operator.index(i)
            if not 0 <= index < len(self):
                raise ValueError(f"indices must be from 0 to {len(self) - 1}, got {index}")
            result.append(index)
        return tuple(result)

    # -- looks ---------------------------------------------------------------------------------------

    def describe(self) -> str:
        """Return in words which nodes these are."""
        if self._kept is None:
            return self._family
        return f"nodes {_ranges(self._kept)} of {'' if self._family[0].islower() else 'the '}{self._family}"

    def __repr__(self) -> str:
        return f"Nodes({self.describe()})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        return len(self) == len(other) and all(map(_points.same, self.points, other.points))

    def __hash__(self) -> int:
        return hash((len(self), tuple(np.asarray(self).tolist()) if self.is_ordered else self.points))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Nodes._of, (self.points, self._family, self._kept)


def _ranges(indices: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for i in indices:
        if runs and i == runs[-1][-1] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    shown = [f"{r[0]}-{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs]
    return ", ".join(shown)


def nodes_from(values: Any) -> Nodes:
    """Return nodes at given numbers.

    Parameters
    ----------
    values : array_like or Nodes
        A one-dimensional sequence, strictly monotone in either direction. Floats are taken as the doubles
        they are; integers, fractions, numerals (``"0.1"`` is 1/10), rationals, algebraic numbers and
        balls as themselves; elements of a prime field need to be distinct only.

    Returns
    -------
    Nodes

    Raises
    ------
    ValueError
        If a value is repeated, out of order, not finite or not a real number.

    Examples
    --------
    >>> nodes_from(["0", "0.1", "1/3"]).over(EXACT).tolist()
    [Rational(0, 1), Rational(1, 10), Rational(1, 3)]
    >>> nodes_from([0.0, 0.5, 0.5])
    Traceback (most recent call last):
        ...
    ValueError: nodes must be distinct, but nodes[1] and nodes[2] are both 0.5; drop one of them
    """
    if isinstance(values, Nodes):
        return values
    array = np.asarray(values) if isinstance(values, np.ndarray) else _one_dimensional(values)
    if array.ndim != 1:
        raise ValueError(f"nodes must be one-dimensional, got an array of shape {array.shape}; use .ravel()")
    if not len(array):
        raise ValueError("nodes must not be empty")
    points = []
    for index, value in enumerate(array):
        try:
            points.append(_points.as_point(value))
        except ValueError as error:
            raise ValueError(f"nodes[{index}]: {error}") from error
    doubles = any(isinstance(v, (float, np.floating)) for v in array)
    _check_order(points, array)
    kind = "doubles, taken as they are" if doubles else "given nodes"
    return Nodes._of(tuple(points), f"{len(points)} {kind}")


def _one_dimensional(values: Any) -> npt.NDArray[Any]:
    try:
        items = list(values)
    except TypeError as error:
        raise TypeError(f"nodes must be Nodes or a sequence of numbers, got {values!r}") from error
    if any(isinstance(v, (float, np.floating)) for v in items):
        wrong = next((v for v in items if isinstance(v, (str, Fraction, Rational))), None)
        if wrong is not None:
            raise TypeError(f"nodes must not mix doubles with exact numbers ({wrong!r}); write all of them exactly")
    array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        array[index] = item
    if any(isinstance(v, (list, tuple, np.ndarray)) for v in items):
        raise ValueError(f"nodes must be one-dimensional, got {values!r}")
    return array


def _check_order(points: Sequence[Any], shown: npt.NDArray[Any]) -> None:
    if any(isinstance(p, (RootOfUnity, Modular)) for p in points):
        for index, p in enumerate(points):
            for earlier in range(index):
                if _points.same(points[earlier], p):
                    pair = f"nodes[{earlier}] and nodes[{index}]"
                    raise ValueError(f"nodes must be distinct, but {pair} are both {p}; drop one of them")
        return
    direction = 0
    for index in range(1, len(points)):
        sign = _points.order(points[index], points[index - 1])
        pair = f"nodes[{index - 1}] and nodes[{index}]"
        if sign == 0:
            raise ValueError(f"nodes must be distinct, but {pair} are both {shown[index]}; drop one of them")
        direction = direction or sign
        if sign != direction:
            raise ValueError(
                f"nodes must be strictly monotone, but {pair} ({shown[index - 1]}, {shown[index]}) break the order; "
                "sort them (numpy.argsort) and their values alike"
            )
