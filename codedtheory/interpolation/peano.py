"""Peano kernels: what a barycentric interpolant misses, as an integral of derivatives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy.typing as npt

from codedtheory.arithmetic import EXACT, FLOAT, Arithmetic, Ball, Undecided, maximum

from .nodes import Nodes, nodes_from
from .weights import Weights, weights_for

__all__ = ["ErrorConstants", "error_constants_at", "peano_kernel"]

Array = npt.NDArray[Any]


class ErrorConstants(NamedTuple):
    r"""The constants of :math:`|f-r|\le first\,\|f'\|+second\,\|f''\|`.

    Attributes
    ----------
    first : number
        0 if the interpolant reproduces linear functions, and then `second` is the best constant.
    second : number
        The integral of the modulus of the kernel.
    """

    first: Any
    second: Any


def peano_kernel(x: Any, t: Any, nodes: Any, weights: Any = "berrut", arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the Peano kernel K(x, t) of the interpolation error.

    .. math:: f(x)-r(x)=\frac{\sum_iw_i}{D(x)}f'(x)+\int K(x,t)f''(t)\,dt,\qquad
              K(x,t)=\begin{cases}-\sum_{x_i>t}\ell_i(x)(x_i-t)&t\ge x\\-\sum_{x_i<t}\ell_i(x)(t-x_i)&t<x\end{cases}

    For interpolants that reproduce linear functions (Berrut's on an even number of nodes) the first term
    is 0 and the kernel is the usual :math:`(x-t)_+-\sum_i\ell_i(x)(x_i-t)_+`.

    Parameters
    ----------
    x : number
        Where the error is taken.
    t : number
        Argument of the kernel.
    nodes : Nodes or array_like
        Real nodes.
    weights : {"berrut", "berrut-half", "lagrange"}, int, Weights or array_like, default "berrut"
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        0 for t outside the smallest interval around x and the nodes.

    Notes
    -----
    G. Peano 1913; the form that expands at x is used, since it does not cancel.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> peano_kernel(0, 0, [-1, 1], arithmetic=EXACT)
    Rational(-1, 2)
    """
    known, w = _resolved(nodes, weights)
    cardinal, z, point = _cardinal(arithmetic.number(x), known, w, arithmetic)
    if cardinal is None:
        return arithmetic.number(0)
    return arithmetic.number(_kernel(point, arithmetic.number(t), z, cardinal, arithmetic))


def error_constants_at(x: Any, nodes: Any, weights: Any = "berrut", arithmetic: Arithmetic = FLOAT) -> ErrorConstants:
    r"""Return the best error constants of an interpolant at one point.

    .. math:: |f(x)-r(x)|\le\frac{|\sum_iw_i|}{|D(x)|}\|f'\|+\|f''\|\int|K(x,t)|\,dt

    Parameters
    ----------
    x : number
        Any point; where it lies outside the nodes' hull the norms extend to it.
    nodes : Nodes or array_like
        Real nodes.
    weights : {"berrut", "berrut-half", "lagrange"}, int, Weights or array_like, default "berrut"
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    ErrorConstants
        Either constant is attained: by a linear f, and by an f whose second derivative is the sign of K.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> error_constants_at("1/2", [-1, 1], arithmetic=EXACT)
    ErrorConstants(first=Rational(0, 1), second=Rational(3, 8))
    """
    known, w = _resolved(nodes, weights)
    cardinal, z, point = _cardinal(arithmetic.number(x), known, w, arithmetic)
    zero = arithmetic.number(0)
    if cardinal is None:
        return ErrorConstants(zero, zero)
    values = w.over(arithmetic)
    first = zero
    if not reproduces_linear(known, w):
        total = zero
        for weight, node in zip(values, known.over(arithmetic), strict=True):
            total = total + weight / (point - node)
        first = abs(_sum(values, arithmetic) / total)
    second = zero
    below = [node for node in z if node < point]
    knots = [*below, point]
    for a, b in pairwise(knots):
        ends = (_left(a, z, cardinal, arithmetic), _left(b, z, cardinal, arithmetic))
        second = second + (b - a) * _mean_modulus(*ends)
    knots = [point, *[node for node in z if node > point]]
    for a, b in pairwise(knots):
        ends = (_right(a, z, cardinal, arithmetic), _right(b, z, cardinal, arithmetic))
        second = second + (b - a) * _mean_modulus(*ends)
    return ErrorConstants(arithmetic.number(first), arithmetic.number(second))


def reproduces_linear(nodes: Nodes, weights: Weights) -> bool:
    """Whether the interpolant of x is x, that is, whether the weights sum to 0; decided exactly."""
    rule = weights.rule
    if rule is None:
        values = weights.over(EXACT)
        return bool(sum(values[1:], start=values[0]) == 0)
    if rule.kind == "berrut" or (rule.kind == "floater-hormann" and rule.d == 0):
        return len(nodes) % 2 == 0
    return len(nodes) > 1


def _resolved(nodes: Any, weights: Any) -> tuple[Nodes, Weights]:
    known = nodes_from(nodes)
    known.require_ordered()
    return known, weights_for(known, weights)


def _cardinal(x: Any, nodes: Nodes, weights: Weights, arithmetic: Arithmetic) -> tuple[Array | None, Array, Any]:
    """Return the cardinal functions at x (None at a node), the nodes, increasing, and x."""
    z, w = nodes.over(arithmetic), weights.over(arithmetic)
    if not nodes.is_increasing:
        z, w = z[::-1], w[::-1]
    differences = x - z
    if any(bool(d == 0) for d in differences):
        return None, z, x
    terms = w / differences
    return terms / _sum(terms, arithmetic), z, x


def _sum(values: Array, arithmetic: Arithmetic) -> Any:
    return sum(values, start=arithmetic.number(0))


def _kernel(x: Any, t: Any, z: Array, cardinal: Array, arithmetic: Arithmetic) -> Any:
    return -_right(t, z, cardinal, arithmetic) if t >= x else -_left(t, z, cardinal, arithmetic)


def _right(t: Any, z: Array, cardinal: Array, arithmetic: Arithmetic) -> Any:
    zero = arithmetic.number(0)
    return sum((c * maximum((node - t, zero)) for c, node in zip(cardinal, z, strict=True)), start=zero)


def _left(t: Any, z: Array, cardinal: Array, arithmetic: Arithmetic) -> Any:
    zero = arithmetic.number(0)
    return sum((c * maximum((t - node, zero)) for c, node in zip(cardinal, z, strict=True)), start=zero)


def _mean_modulus(p: Any, q: Any) -> Any:
    """Return the mean of the modulus of a linear function with end values p and q."""
    a, b = abs(p), abs(q)
    opposite = p * q < 0
    if isinstance(opposite, Undecided):
        # one value is nearly 0: the mean changes by at most half the changes of p and q
        bits = max(p.bits, q.bits)
        centre = _mean_modulus(Ball(p.mid, bits), Ball(q.mid, bits))
        reach = (p.rad + q.rad) / 2
        return centre + Ball.between(-reach, reach, bits)
    if not opposite:
        return (a + b) / 2
    return (a * a + b * b) / (2 * (a + b))
