"""Arrays of numbers as matrices of FLINT, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint
import numpy as np

from .balls import Ball
from .matrix_algebra import Matrix

__all__ = ["from_flint", "to_flint"]


def to_flint(A: Matrix) -> Any:
    """Return an array of real balls as an arb_mat, one of complex balls as an acb_mat."""
    rows, columns = A.shape
    entries = [x._x for x in A.flat]
    if isinstance(A.flat[0], Ball):
        return flint.arb_mat(rows, columns, entries)
    return flint.acb_mat(rows, columns, entries)


def from_flint(matrix: Any, wrap: Callable[[Any], Any]) -> Matrix:
    """Return a matrix of FLINT as an array of the numbers that `wrap` makes of its entries."""
    result: Matrix = np.empty(matrix.nrows() * matrix.ncols(), dtype=object)
    result[:] = [wrap(x) for x in matrix.entries()]
    return result.reshape(matrix.nrows(), matrix.ncols())
