"""The pieces of an interval on which a Lebesgue function is smooth, for many subsets of nodes at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["HullPieces", "Pieces"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Pieces:
    r"""Pieces between (or beyond) neighbouring nodes, measured from the nodes they touch.

    On the gap of the neighbours k and k+1 let :math:`y=x-x_k` and :math:`z=x_{k+1}-x`; beyond an end node let y be
    the distance from it and z = 1. With e the distance of another node from the neighbour on its side,
    its distance from x is :math:`e+y` or :math:`e+z`, a sum without cancellation.

    Attributes
    ----------
    distance : numpy.ndarray, shape (..., m)
        e for all m nodes (1 for the touched ones).
    near : numpy.ndarray of bool, shape (..., m)
        Whether the distance from x is e + y (else it is e + z).
    size : numpy.ndarray, shape (..., m)
        Moduli of the weights, 0 for the touched nodes.
    sign : numpy.ndarray, shape (..., m)
        Sign with which a node enters the denominator, if the touched ones enter with +.
    a, b : numpy.ndarray, shape (...)
        Moduli of the weights of the touched nodes (b = 0 beyond the ends).
    y, z : numpy.ndarray, shape (...)
        Distances y and z at the two ends of the piece at which they are smallest.
    length : numpy.ndarray, shape (...)
    inner : numpy.ndarray of float64, shape (...)
        1 for a gap, 0 for a piece beyond the ends.
    exponent : numpy.ndarray of int, shape (...)
        The true weights are the given ones times 2**exponent (matters to polynomial interpolation only).
    """

    distance: Array
    near: npt.NDArray[np.bool_]
    size: Array
    sign: FloatArray
    a: Array
    b: Array
    y: Array
    z: Array
    length: Array
    inner: Array
    exponent: npt.NDArray[np.int64]

    def __getitem__(self, index: Any) -> Pieces:
        return Pieces(*(getattr(self, f.name)[index] for f in fields(self)))


class HullPieces:
    """The pieces of all subsets of a family of nodes.

    Parameters
    ----------
    distance : numpy.ndarray, shape (n, n)
        Distances of all nodes from each other.
    sets : numpy.ndarray of int, shape (sets, m)
        Sorted indices of the nodes in each subset.
    sizes : numpy.ndarray or None, shape (sets, m)
        Moduli of the weights; ``None`` if all are 1.
    signs : numpy.ndarray of int, shape (m,)
        Signs of the weights, by rank.
    exponents : numpy.ndarray of int, shape (sets,), optional
        Powers of 2 that `sizes` were divided by.
    reach : tuple of two numpy.ndarray, shape (n,), or None
        How far the interval reaches from each node towards the first and towards the last node; negative if the
        node lies outside. ``None`` means the hull of each subset.
    width : number, optional
        Length of the interval; needed with `reach`.

    Notes
    -----
    Subset pieces are numbered from 0 (beyond the first node) over 1 ... m-1 (the gaps) to m (beyond the last).
    """

    def __init__(
        self,
        distance: Array,
        sets: IndexArray,
        sizes: Array | None,
        signs: npt.NDArray[np.int64],
        exponents: npt.NDArray[np.int64] | None = None,
        reach: tuple[Array, Array] | None = None,
        width: Any = None,
    ) -> None:
        self.distance, self.sets, self.sizes, self.signs = distance, sets, sizes, signs
        self.exponents = np.zeros(len(sets), dtype=np.int64) if exponents is None else exponents
        self._of_single: Pieces | None = None
        self.reach, self.width = reach, width
        self.count = m = sets.shape[1]
        piece, node = np.arange(m + 1)[:, None], np.arange(m)
        outer = (piece == 0) | (piece == m)
        self.near = outer | (node < piece)
        self._anchor = np.where(self.near, piece - 1, piece).clip(0, m - 1)
        self._others = ~((node == piece - 1) | (node == piece))
        flip = np.where(self.near, 1, -1)
        self.sign = (signs[self._anchor[:, 0].clip(0)][:, None] * signs * flip).astype(float)
        self.sign[0] = signs[0] * signs
        self._touched = np.stack([np.maximum(piece[:, 0] - 1, 0), np.minimum(piece[:, 0], m - 1)], axis=1)

    def all_pieces(self) -> tuple[IndexArray, IndexArray]:
        """Return the subsets and the numbers of all pieces that lie in the interval with a length."""
        subsets, m = len(self.sets), self.count
        if self.reach is None:
            number = np.tile(np.arange(1, m), subsets)
            return np.repeat(np.arange(subsets), m - 1), number
        subset = np.repeat(np.arange(subsets), m + 1)
        number = np.tile(np.arange(m + 1), subsets)
        exists = self.rows(subset, number).length > 0
        return subset[exists], number[exists]

    def rows(self, subset: IndexArray, number: IndexArray) -> Pieces:
        """Return the pieces with the given numbers of the given subsets."""
        if len(self.sets) > 1:
            return self._gathered(subset, number)
        if self._of_single is None:
            every = np.arange(self.count + 1)
            self._of_single = self._gathered(np.zeros_like(every), every)
        return self._of_single[number]

    def _gathered(self, subset: IndexArray, number: IndexArray) -> Pieces:
        nodes = self.sets[subset]
        anchors = np.take_along_axis(nodes, self._anchor[number], axis=-1)
        others = self._others[number]
        distance = np.where(others, self.distance[anchors, nodes], self.distance.dtype.type(1))
        touched = np.take_along_axis(nodes, self._touched[number], axis=-1)
        inner = (number > 0) & (number < self.count)
        if self.sizes is None:
            size, a = others.astype(float), np.ones(number.shape)
            b = inner.astype(float)
        else:
            sizes = self.sizes[subset]
            size = np.where(others, sizes, 0)
            ends = np.take_along_axis(sizes, self._touched[number], axis=-1)
            a, b = ends[..., 0], np.where(inner, ends[..., 1], 0)
        y, z, length = self._extent(touched[..., 0], touched[..., 1], number)
        near, sign, exponent = self.near[number], self.sign[number], self.exponents[subset]
        return Pieces(distance, near, size, sign, a, b, y, z, length, inner.astype(float), exponent)

    def whole_gaps(self, subsets: slice) -> Pieces:
        """Return all gaps of a run of subsets, shape (subsets, m - 1), for the interval that is their hull."""
        nodes = self.sets[subsets]
        inside = slice(1, self.count)
        distance = self.distance[nodes[:, self._anchor[inside]], nodes[:, None, :]]
        others = self._others[inside]
        np.copyto(distance, 1.0, where=~others)
        length = self.distance[nodes[:, :-1], nodes[:, 1:]]
        ones = np.ones(length.shape)
        if self.sizes is None:
            size, a, b = others.astype(float), ones, ones
        else:
            sizes = self.sizes[subsets]
            size, a, b = sizes[:, None, :] * others, sizes[:, :-1], sizes[:, 1:]
        zero = np.zeros(length.shape)
        exponent = np.broadcast_to(self.exponents[subsets, None], length.shape)
        return Pieces(distance, self.near[inside], size, self.sign[inside], a, b, zero, zero, length, ones, exponent)

    def _extent(self, first: IndexArray, last: IndexArray, number: IndexArray) -> tuple[Array, Array, Array]:
        inner = (number > 0) & (number < self.count)
        gap = self.distance[first, last]
        zero = np.zeros_like(gap)
        if self.reach is None:
            return zero, np.where(inner, zero, 1), gap
        back, ahead = self.reach
        # gaps: the part that the interval cuts off at either side, and what is left, without cancellation
        y = np.where(back[first] < 0, -back[first], 0)
        z = np.where(ahead[last] < 0, -ahead[last], 0)
        length = np.where(back[first] < 0, np.where(ahead[last] < 0, self.width, back[last]), gap)
        length = np.where((back[first] >= 0) & (ahead[last] < 0), ahead[first], length)
        # beyond the first node, then beyond the last
        for side, near, far, end in ((0, ahead, back, first), (self.count, back, ahead, last)):
            here = number == side
            y = np.where(here, np.where(near[end] < 0, -near[end], 0), y)
            length = np.where(here, np.where(near[end] < 0, self.width, far[end]), length)
        return y, np.where(inner, z, 1), length
