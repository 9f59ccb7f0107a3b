"""The matrix that takes values at some points to values of their interpolant at others."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic
from codedtheory.interpolation import Nodes, Weights
from codedtheory.interpolation.differences import differences

from .collisions import collisions

__all__ = ["transfer_matrix"]


def transfer_matrix(nodes: Nodes, weights: Weights, points: Nodes, arithmetic: Arithmetic) -> np.ndarray[Any, Any]:
    r"""Return the cardinal functions of an interpolant at given points, one row a point.

    .. math:: A_{ji}=\ell_i(t_j)=\frac{w_i/(t_j-x_i)}{\sum_k w_k/(t_j-x_k)}

    with a unit row where a point is a node, which is decided on the descriptions and not on values.

    Parameters
    ----------
    nodes : Nodes
        x, m of them.
    weights : Weights
        w, as many.
    points : Nodes
        t, of the same line or field.
    arithmetic : Arithmetic
        Over FLOAT the differences come from sums of two doubles, so that they keep their digits where
        point and node nearly agree.

    Returns
    -------
    numpy.ndarray, shape (len(points), m)
        Rows sum to 1.

    Raises
    ------
    ValueError
        If the denominator vanishes at a point: in a finite field, where Berrut's weights have poles.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> from codedtheory.interpolation import berrut_weights, nodes_from
    >>> transfer_matrix(nodes_from([0, 1]), berrut_weights(2), nodes_from([1, 3]), EXACT).tolist()
    [[Rational(0, 1), Rational(1, 1)], [Rational(-2, 1), Rational(3, 1)]]
    """
    direct = dict(collisions(points, nodes))
    w = weights.over(arithmetic)
    if arithmetic is FLOAT and nodes.is_ordered:
        gaps = differences(points, nodes)
    else:
        gaps = np.subtract.outer(points.over(arithmetic), nodes.over(arithmetic))
    matrix = np.zeros(gaps.shape, dtype=gaps.dtype) if gaps.dtype != object else arithmetic.zeros(gaps.shape)
    one = arithmetic.number(1)
    for j in range(len(points)):
        if j in direct:
            matrix[j, direct[j]] = one
            continue
        terms = w / gaps[j]
        denominator = terms.sum()
        if hasattr(arithmetic, "modulus") and denominator == 0:
            raise ValueError(
                f"the interpolant has a pole at {points.points[j]}: over {arithmetic.name} its denominator vanishes "
                "there; choose other points or polynomial interpolation"
            )
        matrix[j] = terms / denominator
    return matrix
