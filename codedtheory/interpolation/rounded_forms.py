"""Barycentric formulas exactly as they are written, for the numbers of one precision.

Nothing is scaled, reordered or treated apart: every operation is one operation of the numbers that come in, so
that rounding errors can be measured, or counted with `RoundingCount`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy.typing as npt

__all__ = ["BarycentricSums", "barycentric_sums", "first_form", "plain_lagrange_weights", "second_form"]

Numbers = Sequence[Any] | npt.NDArray[Any]


class BarycentricSums(NamedTuple):
    """The two sums of a barycentric formula.

    Attributes
    ----------
    above, below : number
        The sums of w f/(x - t) and of w/(x - t) over the nodes t.
    """

    above: Any
    below: Any


def plain_lagrange_weights(nodes: Numbers) -> list[Any]:
    r"""Return :math:`w_i=1/\prod_{j\ne i}(x_i-x_j)`, multiplied up in the order of the nodes.

    Parameters
    ----------
    nodes : sequence of numbers
        At least two, distinct.

    Returns
    -------
    list of numbers
        Each after n subtractions, n - 1 multiplications and one division.

    Examples
    --------
    >>> import numpy as np
    >>> plain_lagrange_weights([np.float32(0), np.float32(1), np.float32(4)])
    [np.float32(0.25), np.float32(-0.33333334), np.float32(0.083333336)]
    """
    if len(nodes) < 2:
        raise ValueError(f"nodes must be at least 2, got {len(nodes)}; a single weight is 1")
    weights = []
    for i, node in enumerate(nodes):
        product: Any = None
        for j, other in enumerate(nodes):
            if j != i:
                difference = node - other
                product = difference if product is None else product * difference
        weights.append(1 / product)
    return weights


def barycentric_sums(x: Any, nodes: Numbers, values: Numbers, weights: Numbers) -> BarycentricSums:
    """Return both sums of a barycentric formula, added up in the order of the nodes.

    Parameters
    ----------
    x : number
        No node.
    nodes, values, weights : sequence of numbers
        As many of each.

    Returns
    -------
    BarycentricSums
        Each term after a subtraction and a division, those above after a multiplication too.

    Examples
    --------
    >>> from fractions import Fraction
    >>> barycentric_sums(Fraction(1, 2), [0, 1], [1, 3], [1, -1])
    BarycentricSums(above=Fraction(8, 1), below=Fraction(4, 1))
    """
    if not len(nodes) == len(values) == len(weights):
        raise ValueError(
            f"values and weights must be as many as the {len(nodes)} nodes, got {len(values)} and {len(weights)}"
        )
    above: Any = None
    below: Any = None
    for node, value, weight in zip(nodes, values, weights, strict=True):
        term = weight / (x - node)
        weighted = term * value
        above = weighted if above is None else above + weighted
        below = term if below is None else below + term
    return BarycentricSums(above, below)


def first_form(x: Any, nodes: Numbers, values: Numbers, weights: Numbers) -> Any:
    r"""Return :math:`\prod_i(x-x_i)\cdot\sum_i\frac{w_i}{x-x_i}f_i`, the modified Lagrange formula.

    Parameters
    ----------
    x : number
        No node.
    nodes, values, weights : sequence of numbers
        As many of each.

    Returns
    -------
    number
        The interpolating polynomial, if the weights are those of Lagrange.

    Examples
    --------
    >>> from fractions import Fraction
    >>> first_form(Fraction(1, 2), [0, 1], [1, 3], [-1, 1])
    Fraction(2, 1)
    """
    product: Any = None
    for node in nodes:
        difference = x - node
        product = difference if product is None else product * difference
    return product * barycentric_sums(x, nodes, values, weights).above


def second_form(x: Any, nodes: Numbers, values: Numbers, weights: Numbers) -> Any:
    r"""Return :math:`\sum_i\frac{w_i}{x-x_i}f_i\big/\sum_i\frac{w_i}{x-x_i}`, the barycentric formula.

    Parameters
    ----------
    x : number
        No node.
    nodes, values, weights : sequence of numbers
        As many of each.

    Returns
    -------
    number

    Examples
    --------
    >>> from fractions import Fraction
    >>> second_form(Fraction(1, 2), [0, 1], [1, 3], [1, -1])
    Fraction(2, 1)
    """
    sums = barycentric_sums(x, nodes, values, weights)
    return sums.above / sums.below
