"""Poles of barycentric interpolants on the real line, counted exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import EXACT, Arithmetic, Rational
from ..arithmetic.rational_polynomials import count_real_roots
from .nodes import nodes_from
from .weights import weights_for

__all__ = ["count_real_poles", "denominator_polynomial"]


def denominator_polynomial(nodes: Any, weights: Any = "berrut", arithmetic: Arithmetic = EXACT) -> npt.NDArray[Any]:
    r"""Return the coefficients of :math:`\sum_iw_i\prod_{j\ne i}(x-x_j)`.

    This is the denominator D of the interpolant times :math:`\prod_i(x-x_i)`. It is not zero at any node, so
    that its zeros are those of D.

    Parameters
    ----------
    nodes : Nodes or array_like
    weights : {"berrut", "berrut-half", "lagrange"}, int, Weights or array_like, default "berrut"
    arithmetic : Arithmetic, default EXACT

    Returns
    -------
    numpy.ndarray
        Shape (n + 1,), from the 0th coefficient on; the last may be 0.

    Examples
    --------
    >>> denominator_polynomial([-1, 0, 1]).tolist()                        # 1 + x**2
    [Rational(1, 1), Rational(0, 1), Rational(1, 1)]
    """
    known = nodes_from(nodes)
    z, w = known.over(arithmetic), weights_for(known, weights).over(arithmetic)
    total, product = [arithmetic.number(0)], [arithmetic.number(1)]
    for node, weight in zip(z, w, strict=True):
        grown = _times(total, node)
        for power, coefficient in enumerate(product):
            grown[power] = grown[power] + weight * coefficient
        total, product = grown, _times(product, node)
    return arithmetic.array(np.array(total[: len(z)], dtype=object))


def _times(coefficients: list[Any], root: Any) -> list[Any]:
    """Return the polynomial times (x - root)."""
    zero = coefficients[0] * 0
    shifted = [zero, *coefficients]
    return [above - root * below for above, below in zip(shifted, [*coefficients, zero], strict=True)]


def count_real_poles(
    nodes: Any,
    weights: Any = "berrut",
    lower: int | Fraction | Rational | None = None,
    upper: int | Fraction | Rational | None = None,
) -> int:
    r"""Return the number of distinct zeros of the interpolant's denominator in (lower, upper].

    At such a zero the interpolant has a pole for all data but those whose numerator vanishes there too.

    Parameters
    ----------
    nodes : Nodes or array_like
        Rational numbers.
    weights : {"berrut", "berrut-half", "lagrange"}, int, Weights or array_like, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.
    lower, upper : int, Fraction or Rational, optional
        Ends of the interval; ``None`` is an infinite one.

    Returns
    -------
    int

    Notes
    -----
    Sturm's theorem for `denominator_polynomial`, in rational arithmetic.

    Examples
    --------
    >>> count_real_poles([-1, 0, 1]), count_real_poles([-1, 0, 1], [1, 1, 1])
    (0, 2)
    """
    return count_real_roots(list(denominator_polynomial(nodes, weights)), lower, upper)
