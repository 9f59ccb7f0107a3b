"""Matrices as they come in: checked, and brought to one arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from .algebraic import Algebraic
from .algebraic_matrices import AlgebraicMatrices
from .ball_matrices import BallMatrices
from .balls import Ball
from .complex_balls import ComplexBall
from .decimal_matrices import DecimalMatrices
from .float_matrices import FloatMatrices
from .matrix_algebra import Matrix, MatrixAlgebra
from .modular import Modular
from .modular_matrices import ModularMatrices
from .rational import Rational
from .rational_matrices import RationalMatrices
from .recognition import arithmetic_of
from .systems import EXACT, FLOAT, Arithmetic
from .truth import PrecisionError

__all__ = ["algebra_over", "matrix", "square_matrix", "system"]

_ALGEBRAS: dict[type, type[MatrixAlgebra]] = {
    float: FloatMatrices,
    Rational: RationalMatrices,
    Algebraic: AlgebraicMatrices,
    Modular: ModularMatrices,
    Ball: BallMatrices,
    ComplexBall: BallMatrices,
}


def algebra_over(arithmetic: Arithmetic) -> MatrixAlgebra:
    """Return the linear algebra over an arithmetic."""
    return _ALGEBRAS.get(type(arithmetic.number(0)), DecimalMatrices)(arithmetic)


def matrix(A: Any) -> tuple[MatrixAlgebra, Matrix]:
    """Return the linear algebra that A belongs to, and A as an array of its numbers."""
    array = _array(A)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(
            f"A must be a rectangular matrix with at least one row and one column, got shape {array.shape}"
        )
    arithmetic = arithmetic_of(array)
    return algebra_over(arithmetic), _finite(arithmetic.array(array), "A")


def square_matrix(A: Any) -> tuple[MatrixAlgebra, Matrix]:
    """Return what `matrix` does, for a square matrix."""
    algebra, array = matrix(A)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"A must be square, got shape {array.shape}")
    return algebra, array


def system(A: Any, b: Any) -> tuple[MatrixAlgebra, Matrix, Matrix]:
    """Return the common linear algebra of a square matrix and right-hand sides, and both over it."""
    left, right = _array(A), _array(b)
    if left.ndim != 2 or left.shape[0] != left.shape[1] or 0 in left.shape:
        raise ValueError(f"A must be a square matrix, got shape {left.shape}")
    if right.ndim not in (1, 2) or len(right) != len(left) or 0 in right.shape:
        raise ValueError(f"b must have {len(left)} rows like A, got shape {right.shape}")
    arithmetic = _joint(left, right)
    return (
        algebra_over(arithmetic),
        _finite(arithmetic.array(left), "A"),
        _finite(arithmetic.array(right), "b"),
    )


def _joint(left: Matrix, right: Matrix) -> Arithmetic:
    if left.dtype != object and right.dtype != object:
        # NumPy's own promotion would turn int64 with uint64 into float64
        kinds = {arithmetic_of(left), arithmetic_of(right)}
        return FLOAT if FLOAT in kinds else EXACT
    return arithmetic_of(np.concatenate([left.astype(object).ravel(), right.astype(object).ravel()]))


def _array(values: Any) -> Matrix:
    return np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)


def _finite(array: Matrix, name: str) -> Matrix:
    if array.dtype != object:
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must be finite, got a NaN or an infinity")
        return array
    for x in array.ravel().tolist():
        if type(x) is Rational:
            continue
        if isinstance(x, (Ball, ComplexBall)) and not x.is_finite:
            raise PrecisionError(f"{name} must be finite, got {x}; raise the precision (ball bits)")
        if hasattr(x, "_mpf_") and not x.context.isfinite(x):
            raise ValueError(f"{name} must be finite, got {x}")
    return array
