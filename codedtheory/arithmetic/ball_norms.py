"""Norms of matrices of balls."""

from __future__ import annotations

from collections.abc import Callable

import flint

from .balls import Ball
from .extrema import maximum
from .flint_matrices import to_flint
from .matrix_algebra import Matrix
from .precision import precision
from .spectral_norm import root_of_nonnegative, spectral_norm
from .truth import PrecisionError

__all__ = ["accurate", "ball_norm"]


def ball_norm(A: Matrix, p: int | str, bits: int, target: int) -> Ball:
    """Enclose a norm of a matrix of balls.

    Parameters
    ----------
    A : array of Ball, or array of ComplexBall
    p : {1, 2, "inf", "fro"}
    bits : int
        Working precision, at least that of the entries.
    target : int
        Relative accuracy at which the enclosure of the spectral norm is good enough.
    """
    if p == 2:
        return Ball._of(spectral_norm(to_flint(A), bits, target), bits)
    sizes: Matrix = abs(A)
    if p == "fro":
        with precision(bits):
            total = sum((x._x * x._x for x in sizes.ravel()), flint.arb(0))
            return Ball._of(root_of_nonnegative(total, 1), bits)
    bound: Ball = maximum(sizes.sum(axis=0 if p == 1 else 1))
    return bound


def accurate(compute: Callable[[int], Ball], bits: int) -> Ball:
    """Return a ball with a relative accuracy of `bits`, computed at as high a precision as that takes.

    `compute` must get arbitrarily accurate as the precision that it is given grows.
    """
    working = bits + 16
    while True:
        try:
            value = compute(working)
        except PrecisionError:
            pass
        else:
            if value._x.rel_accuracy_bits() >= bits:
                return value.at(bits)
        working *= 2
