"""What codes have in common whose blocks and workers sit at points, and whose encoder interpolates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from codedtheory.arithmetic import Arithmetic
from codedtheory.interpolation import BarycentricInterpolant, Nodes, Weights

from . import collisions as _collisions

__all__ = ["PointCode"]

Array = np.ndarray[Any, Any]


class PointCode(ABC):
    """A code whose worker i gets the value at its point of an interpolant through the data blocks.

    Attributes
    ----------
    data_blocks, workers : int
    arithmetic : Arithmetic
    data_points : Nodes
        Of the data blocks, then of masking blocks if there are any.
    worker_points : Nodes
    """

    data_blocks: int
    workers: int
    arithmetic: Arithmetic
    worker_points: Nodes
    data_points: Nodes

    @abstractmethod
    def _encoder_weights(self) -> Weights:
        """Return the barycentric weights of the encoder."""

    def encoding_matrix(self, arithmetic: Arithmetic | None = None) -> Array:
        """Return the coefficients of the blocks in what each worker gets.

        Parameters
        ----------
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        numpy.ndarray, shape (workers, len(data_points))
            Entry (i, j) is the j-th cardinal function of the encoder at worker i's point. Rows sum to 1, and the
            row of a worker that sits at a data point is a unit vector.

        Examples
        --------
        >>> from codedtheory.arithmetic import EXACT
        >>> from codedtheory.coding import BerrutCode
        >>> code = BerrutCode(2, 3, worker_points=[-1, 0, 1], data_points=["-1/2", "1/2"])
        >>> [[str(c) for c in row] for row in code.encoding_matrix(EXACT)]
        [['3/2', '-1/2'], ['1/2', '1/2'], ['-1/2', '3/2']]
        """
        if arithmetic is None or arithmetic is self.arithmetic:
            return self._own_encoding_matrix.copy()
        return self._encoding_matrix(arithmetic)

    @cached_property
    def _own_encoding_matrix(self) -> Array:
        return self._encoding_matrix(self.arithmetic)

    def _encoding_matrix(self, arithmetic: Arithmetic) -> Array:
        encoder = BarycentricInterpolant(self.data_points, self._encoder_weights())
        return encoder.cardinal_matrix(self.worker_points, arithmetic)

    def collisions(self) -> list[tuple[int, int]]:
        """Return the pairs (data block j, worker i) with one point, decided exactly.

        Worker i then holds block j in the clear, and if it answers, the block is decoded without any error.

        Examples
        --------
        >>> from codedtheory.coding import BerrutCode
        >>> BerrutCode(3, 5).collisions()
        [(1, 2)]
        """
        return _collisions.collisions(self.data_points.take(range(self.data_blocks)), self.worker_points)
