"""Barycentric rational interpolants."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import Arithmetic, Rational
from .cardinal import Terms, barycentric_terms, common_arithmetic
from .enclosed_poles import count_enclosed_poles
from .interval_reach import interval_points
from .nodes import Nodes, nodes_from
from .points import Cosine
from .poles import count_real_poles, denominator_polynomial
from .weights import Weights, weights_for

__all__ = ["BarycentricInterpolant"]


class BarycentricInterpolant:
    r"""The rational function that takes given values at the nodes, in barycentric form.

    .. math:: r(x)=\sum_i\ell_i(x)f_i,\qquad\ell_i(x)=\frac{w_i}{x-x_i}\Big/\sum_k\frac{w_k}{x-x_k}

    The values are an argument of the call, so that one interpolant serves many data.

    Parameters
    ----------
    nodes : Nodes or array_like
    weights : Weights, {"berrut", "berrut-half", "lagrange"}, int, or array_like, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.

    Notes
    -----
    Everything runs over the arithmetic of x and of the values: floats, rationals, algebraic numbers, elements of a
    prime field, balls. Whether x is a node is decided exactly, and r(x) is then the value itself.

    Examples
    --------
    >>> r = BarycentricInterpolant([-1, 0, 1], "berrut")
    >>> r(0.5, [1.0, 0.0, 1.0])                              # 2 x^2 / (1 + x^2)
    0.4
    >>> from fractions import Fraction
    >>> r(Fraction(1, 2), [1, 0, 1])
    Rational(2, 5)
    >>> r.poles(-2, 2)
    0
    """

    __slots__ = ("nodes", "weights")
    nodes: Nodes
    weights: Weights

    def __init__(self, nodes: Any, weights: Any = "berrut") -> None:
        self.nodes = nodes_from(nodes)
        self.weights = weights_for(self.nodes, weights)

    def __call__(self, x: Any, values: Any, arithmetic: Arithmetic | None = None) -> Any:
        """Return the interpolant of some values.

        Parameters
        ----------
        x : number, array_like or Nodes
            Anywhere, also beyond the nodes.
        values : array_like, shape (n + 1, ...)
            One value, vector or tensor a node.
        arithmetic : Arithmetic, optional
            The smallest one that holds x and the values by default.

        Returns
        -------
        number or numpy.ndarray, shape x.shape + values.shape[1:]

        Raises
        ------
        ValueError
            If there are not as many values as nodes, or x is a pole.
        TypeError
            If floats and rigorous numbers are mixed.
        """
        data = np.asarray(values)
        if data.dtype.kind not in "fcO":
            data = data.astype(object)
        if data.ndim == 0 or len(data) != len(self.nodes):
            raise ValueError(f"values must have {len(self.nodes)} rows, one a node, got shape {data.shape}")
        over = arithmetic or common_arithmetic(x, data)
        if not over.is_rigorous and over.name == "FLOAT" and data.dtype == object:
            data = over.array(data)
        parts, below = self._parts(x, over)
        flat = data.reshape(len(data), -1)
        result = (parts.terms @ flat) / below[:, None]
        here = np.flatnonzero(parts.node >= 0)
        result[here] = flat[parts.node[here]]
        result = result.reshape(parts.shape + data.shape[1:])
        return result if result.shape else result.item()

    def cardinal_matrix(self, x: Any, arithmetic: Arithmetic | None = None) -> npt.NDArray[Any]:
        r"""Return the matrix of :math:`\ell_i(x_j)`, which takes values at the nodes to values at x.

        Parameters
        ----------
        x : array_like of shape (k,), or Nodes
        arithmetic : Arithmetic, optional
            That of x by default (for `Nodes`: FLOAT).

        Returns
        -------
        numpy.ndarray, shape (k, n + 1)
            Rows sum to 1; the row of a node is a row of the identity matrix.

        Examples
        --------
        >>> from codedtheory.arithmetic import EXACT
        >>> BarycentricInterpolant([0, 1, 2], "lagrange").cardinal_matrix([0, 3], EXACT).tolist()
        [[Rational(1, 1), Rational(0, 1), Rational(0, 1)], [Rational(1, 1), Rational(-3, 1), Rational(3, 1)]]
        """
        parts, below = self._parts(x, arithmetic or common_arithmetic(x))
        if len(parts.shape) != 1:
            raise ValueError(f"x must be one-dimensional, got shape {parts.shape}; use .ravel()")
        matrix: npt.NDArray[Any] = parts.terms / below[:, None]
        return matrix

    def denominator(self, x: Any, arithmetic: Arithmetic | None = None) -> Any:
        r"""Return :math:`D(x)=\sum_iw_i/(x-x_i)`, with the weights as they are over the arithmetic.

        Parameters
        ----------
        x : number or array_like
            No node.
        arithmetic : Arithmetic, optional
            That of x by default.

        Returns
        -------
        number or numpy.ndarray

        Examples
        --------
        >>> from codedtheory.arithmetic import modular
        >>> BarycentricInterpolant([0, 1, 2]).denominator(3, modular(5))   # a pole in a finite field
        Modular(0, 5)
        """
        parts = barycentric_terms(x, self.nodes, self.weights, arithmetic or common_arithmetic(x))
        if (parts.node >= 0).any():
            row = int(np.flatnonzero(parts.node >= 0)[0])
            raise ValueError(f"x must not be a node, but x[{row}] is nodes[{parts.node[row]}]")
        result = (parts.terms.sum(axis=1) * parts.scale).reshape(parts.shape)
        return result if parts.shape else result[()]

    def _parts(self, x: Any, over: Arithmetic) -> tuple[Terms, npt.NDArray[Any]]:
        parts = barycentric_terms(x, self.nodes, self.weights, over)
        below = parts.terms.sum(axis=1)
        for row, value in enumerate(below):
            if not value:
                raise ValueError(
                    f"the interpolant has a pole at x[{row}], where its denominator is 0 over {over.name}; "
                    "leave the point out, or use weights 'lagrange'"
                )
        return parts, below

    def poles(self, a: Any = None, b: Any = None) -> int:
        """Return the number of distinct real poles in a closed interval, certified.

        Parameters
        ----------
        a, b : real numbers, optional
            Ends, a < b; floats are taken as they are. The whole line by default, for rational nodes and weights.

        Returns
        -------
        int
            Distinct zeros of the denominator cleared of its fractions. None is a node, and at each of them the
            interpolant is unbounded for some data.

        Raises
        ------
        PrecisionError
            If nodes or weights are irrational and balls can't tell, as for a pole at an end of the interval.

        Notes
        -----
        Sturm's theorem for rational nodes and weights (floats are rational), ball arithmetic otherwise.

        Examples
        --------
        >>> from codedtheory.interpolation import chebyshev_second
        >>> left = chebyshev_second(7).without([1])
        >>> BarycentricInterpolant(left, "berrut").poles(-1, 1)
        0
        >>> BarycentricInterpolant(left, [1, 1, -1, 1, -1, 1]).poles(-1, 1)     # the signs of the lost set
        1
        """
        self.nodes.require_ordered()
        if (a is None) != (b is None):
            raise ValueError("a and b must both be given, or neither (the whole line)")
        ends = None if a is None else interval_points((a, b))
        if self._is_rational and (ends is None or all(isinstance(e, Rational) for e in ends)):
            if ends is None:
                return count_real_poles(self.nodes, self.weights)
            inside = count_real_poles(self.nodes, self.weights, *ends)
            at_a = sum(c * ends[0] ** k for k, c in enumerate(denominator_polynomial(self.nodes, self.weights)))
            return inside + (not at_a)
        if ends is None:
            raise ValueError("a and b must be given, as nodes or weights are irrational")
        return count_enclosed_poles(self.nodes, self.weights, ends)

    @property
    def _is_rational(self) -> bool:
        points = [*self.nodes.points, *getattr(self.weights, "points", ())]
        return all(isinstance(p, Rational) or (isinstance(p, Cosine) and p.rational is not None) for p in points)

    def __repr__(self) -> str:
        return f"BarycentricInterpolant({self.nodes!r}, {self.weights!r})"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return BarycentricInterpolant, (self.nodes, self.weights)
