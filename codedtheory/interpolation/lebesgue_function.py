"""The Lebesgue function of a barycentric interpolant, over any real arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arithmetic import FLOAT, Arithmetic
from .cardinal import barycentric_terms, common_arithmetic
from .lebesgue_problem import is_polynomial
from .nodes import Nodes, nodes_from
from .scaled_floats import ScaledFloats, scaled_product
from .weights import weights_for

__all__ = ["lebesgue_function"]


def lebesgue_function(x: Any, nodes: Any, weights: Any = "berrut", arithmetic: Arithmetic | None = None) -> Any:
    r"""Return the Lebesgue function, the largest \|r(x)\| over all data of modulus at most 1.

    .. math:: \Lambda(x)=\sum_i|\ell_i(x)|
              =\sum_i\Big|\frac{w_i}{x-x_i}\Big|\Big/\Big|\sum_i\frac{w_i}{x-x_i}\Big|

    Parameters
    ----------
    x : real number, array_like or Nodes
        Anywhere on the line.
    nodes : Nodes or array_like
        Real nodes.
    weights : Weights, {"berrut", "berrut-half", "lagrange"}, int, or array_like, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.
    arithmetic : Arithmetic, optional
        That of x by default (for `Nodes`: FLOAT).

    Returns
    -------
    number or numpy.ndarray
        Of the shape of x; exactly 1 at a node.

    Raises
    ------
    ValueError
        If x is a pole of the interpolant.

    Notes
    -----
    The float result has a relative error of about :math:`(n+10)u(1+\Lambda(x))`; for polynomial interpolation a product
    formula avoids the factor :math:`\Lambda`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> lebesgue_function(Fraction(1, 2), [-1, 0, 1], "berrut")
    Rational(7, 5)
    >>> lebesgue_function([0.5, 1.0, 2.0], [-1, 0, 1], "berrut").round(12).tolist()
    [1.4, 1.0, 2.2]
    """
    known = nodes_from(nodes)
    known.require_ordered()
    described = weights_for(known, weights)
    over = arithmetic or common_arithmetic(x)
    if over is FLOAT and is_polynomial(known, described):
        return _polynomial(x, known, described)
    parts = barycentric_terms(x, known, described, over)
    above, below = np.abs(parts.terms).sum(axis=1), np.abs(parts.terms.sum(axis=1))
    poles = [row for row, value in enumerate(below) if not value]
    if poles:
        raise ValueError(f"the interpolant has a pole at x[{poles[0]}]; its Lebesgue function is unbounded there")
    result = (above / below).reshape(parts.shape)
    return result if parts.shape else result.item()


def _polynomial(x: Any, nodes: Nodes, weights: Any) -> Any:
    # |l(x)| sum |w_i| / |x - x_i| has no cancellation
    parts = barycentric_terms(x, nodes, weights, FLOAT)
    free = parts.node < 0
    sizes = weights.magnitudes
    top = int(sizes.exponent.max())
    result = np.ones(len(parts.node))
    if parts.gaps is not None and free.any():
        gaps = np.abs(parts.gaps[free])
        plain = np.ldexp(sizes.mantissa, np.maximum(sizes.exponent - top, -1100))
        total = ScaledFloats.of((plain / gaps).sum(axis=1)) * scaled_product(gaps)
        result[free] = total.times_power(top)
    result = result.reshape(parts.shape)
    return result if parts.shape else float(result[()])
