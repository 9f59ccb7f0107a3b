"""Barycentric interpolants whose nodes, values and argument are symbols, for identities that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import Arithmetic
from .weight_rules import weight_rule

if TYPE_CHECKING:
    import sympy

__all__ = ["SymbolicInterpolant", "nodes_around_zero"]

Array = npt.NDArray[Any]


class SymbolicInterpolant:
    r"""A barycentric interpolant :math:`r=N/D` as SymPy expressions.

    .. math:: N=\sum_i\frac{w_i}{x-x_i}f_i,\qquad D=\sum_i\frac{w_i}{x-x_i}

    The weights come from the same rules as those of numbers. Rules that need the order of the nodes take them
    as increasing.

    Parameters
    ----------
    nodes : int or sequence of SymPy expressions
        An int n + 1 stands for the symbols x0, ..., xn.
    weights : {"berrut", "berrut-half", "lagrange"}, int or sequence of SymPy expressions, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.
    x : SymPy expression, optional
        The argument, by default the symbol x.

    Attributes
    ----------
    x : sympy.Expr
    nodes, weights, values : numpy.ndarray of sympy.Expr, shape (n + 1,)
        The values are the symbols f0, ..., fn.

    Examples
    --------
    >>> import sympy
    >>> r = SymbolicInterpolant(2)
    >>> r.cleared()
    x0 - x1
    >>> sympy.cancel(r.of(lambda t: 3 * t + 1))
    3*x + 1
    """

    def __init__(self, nodes: int | Sequence[Any] | Array, weights: Any = "berrut", x: Any = None) -> None:
        import sympy

        self.nodes: Array = _objects(sympy.symbols(f"x0:{nodes}") if isinstance(nodes, int) else nodes)
        self.x: Any = sympy.Symbol("x") if x is None else x
        self.values: Array = _objects(sympy.symbols(f"f0:{len(self.nodes)}"))
        if isinstance(weights, str | int):
            rule = weight_rule(weights)
            rule.check(len(self.nodes))
            self.weights: Array = rule.values(self.nodes, _Symbolic())
        else:
            self.weights = _objects(weights)
        if len(self.weights) != len(self.nodes):
            raise ValueError(f"weights must be as many as the {len(self.nodes)} nodes, got {len(self.weights)}")

    @property
    def terms(self) -> Array:
        """The summands of the denominator."""
        return np.asarray(self.weights / (self.x - self.nodes))

    @property
    def denominator(self) -> Any:
        """The sum D."""
        return self.terms.sum()

    def numerator(self, values: Any = None) -> Any:
        """Return N for the given values at the nodes, by default f0, ..., fn."""
        return (self.terms * (self.values if values is None else _objects(values))).sum()

    def of(self, function: Callable[[Any], Any]) -> Any:
        """Return the interpolant of a function of expressions."""
        return self.numerator([function(node) for node in self.nodes]) / self.denominator

    @property
    def node_polynomial(self) -> Any:
        r"""The product :math:`\ell=\prod_i(x-x_i)`."""
        return (self.x - self.nodes).prod()

    def cleared(self, function: Callable[[Any], Any] | None = None) -> Any:
        r"""Return :math:`\sum_iw_if(x_i)\prod_{j\ne i}(x-x_j)`, by default for f = 1.

        This is N, or D, times `node_polynomial`. Unlike them it has no poles, so that identities in it need no
        assumption about x.
        """
        total: Any = 0
        for i, (node, weight) in enumerate(zip(self.nodes, self.weights, strict=True)):
            others = np.delete(self.nodes, i)
            total = total + weight * (function(node) if function else 1) * (self.x - others).prod()
        return total

    def at_node(self, i: int) -> Any:
        """Return the value to which the interpolant extends at node i, with both sums multiplied by x - x_i."""
        scaled = [w if j == i else w * (self.x - self.nodes[i]) / (self.x - self.nodes[j]) for j, w in self._enumerated]
        above = sum(term * f for term, f in zip(scaled, self.values, strict=True))
        return (above / sum(scaled)).subs(self.x, self.nodes[i])

    @property
    def _enumerated(self) -> list[tuple[int, Any]]:
        return list(enumerate(self.weights))


def nodes_around_zero(left: int, right: int) -> Array:
    """Return increasing nodes of which ``left`` lie below 0 and ``right`` above, at arbitrary distances.

    The distances are sums of positive symbols (e0, e1, ... to the left, h0, h1, ... to the right, counted from 0
    outwards), so that an inequality in them is decided for all nodes and all points between them.

    Parameters
    ----------
    left, right : int

    Returns
    -------
    numpy.ndarray of sympy.Expr, shape (left + right,)

    Examples
    --------
    >>> nodes_around_zero(2, 1).tolist()
    [-e0 - e1, -e0, h0]
    """
    import sympy

    below = np.cumsum(_objects(sympy.symbols(f"e0:{left}", positive=True)))
    above = np.cumsum(_objects(sympy.symbols(f"h0:{right}", positive=True)))
    return np.concatenate([-below[::-1], above])


class _Symbolic(Arithmetic):
    """SymPy expressions; what the rules of weights need of them."""

    name = "SymPy expressions"

    def number(self, x: Any) -> sympy.Expr:
        import sympy

        return sympy.sympify(x)

    def cos_pi(self, q: Fraction) -> sympy.Expr:
        import sympy

        return sympy.cos(sympy.pi * q)

    def __reduce__(self) -> tuple[type[_Symbolic], tuple[()]]:
        return _Symbolic, ()


def _objects(values: Any) -> Array:
    import sympy

    items = [sympy.sympify(value) for value in values]
    result: Array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        result[index] = item
    return result
