"""The quantities of a barycentric interpolant at a point of one gap, measured from the gap's ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .node_sets import NodeSets
from .outward import Intervals
from .tangents import Tangent, absolute_integral, share, stack

__all__ = ["GapFrame"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]


class _Side:
    """The nodes on one side of a gap, by their distance from the gap's end on that side."""

    def __init__(self, family: NodeSets, problem: IndexArray, rank: IndexArray, step: IndexArray) -> None:
        n = family.gaps
        offsets = np.arange(n + 2)[:, None]
        ranks = rank + step * offsets
        inside = (ranks >= 0) & (ranks <= n) & (step != 0)
        ranks = np.where(inside, ranks, np.where(step != 0, np.clip(ranks, 0, n), 0))
        node = family.sets[problem, ranks]
        # a missing node has weight 0; where it stands does not matter, but it must not stand at the gap's end
        self.magnitude = _where(inside, family.magnitudes[problem, ranks], 0.0)
        near = node[0]
        self.distance = _where(inside, family.distance[near, node], 1.0)
        both = inside[1:]
        self.gap = _where(both, family.distance[node[:-1], node[1:]], 0.0)
        self.rows = n + 1

    def alternating(self, u: Any) -> list[Any]:
        r"""Return the alternating sums :math:`A_m=\sum_{j\ge m}(-1)^{j-m}a_jr_j` for x at distance u.

        Here :math:`r_j=u/(e_j+u)` for the j-th node away from the gap and :math:`a_j` is the modulus of its
        weight. Differences of neighbouring terms are formed before they are evaluated, so that for Berrut's
        weights only positive numbers are added.
        """
        rows = self.rows
        far = self.distance[1:]
        shares = share(u, far)
        a = self.magnitude
        factor = self.gap * (1.0 / (u + far)) * a[1:] + (a[:-1] - a[1:])
        sums: list[Any] = [factor[0]] + [shares[m - 1] * factor[m] for m in range(1, rows)]
        for m in reversed(range(rows - 2)):
            sums[m] = sums[m] + sums[m + 2]
        return sums

    def kernel(self, u: Any, alternating: list[Any]) -> Any:
        r"""Return the integral of the modulus of the kernel on this side, up to the common factor.

        With :math:`S_m=\sum_{j>m}(-1)^ja_jr_j(e_j-e_m)` it is

        .. math:: u\,\varphi(S_0+uA_0,S_0)+\sum_{m\ge0}(e_{m+1}-e_m)\,\varphi(S_m,S_{m+1})

        where :math:`\varphi` is the mean modulus of a linear function.
        """
        last = self.rows - 1
        sums: list[Any] = [alternating[last] * 0.0] * self.rows
        for m in range(last, 0, -1):
            term = alternating[m] * self.gap[m - 1]
            sums[m - 1] = sums[m] + term if m % 2 == 0 else sums[m] - term
        integral = u * absolute_integral(sums[0] + alternating[0] * u, sums[0])
        if last:
            knots = stack(sums)
            integral = integral + (absolute_integral(knots[:-1], knots[1:]) * self.gap[:last]).sum(axis=0)
        return integral


class _Parts(NamedTuple):
    from_left: Any
    to_right: Any
    left: list[Any]
    right: list[Any]
    toward_left: Any
    toward_right: Any
    regular: Any


class GapFrame:
    r"""Points in gaps of node sets, and what the interpolant does there.

    In gap k between the nodes :math:`x_k<x_{k+1}` write :math:`x=x_k+t(x_{k+1}-x_k)`. Distances of x from
    the nodes are then sums of positive numbers, the 0/0 at the ends is gone, and values at t = 0 and t = 1
    are values at the nodes. Gap -1 and gap n lie outside the nodes and reach from the first and the last
    node, outwards, to a given point of the list.

    Parameters
    ----------
    family : NodeSets
    problem : numpy.ndarray of int
        Shape (boxes,): row of `family.sets`.
    gap : numpy.ndarray of int
        Shape (boxes,): -1, ..., n.
    outside : tuple of int
        Indices, in the list of points, of the ends of gap -1 and gap n.
    """

    def __init__(self, family: NodeSets, problem: IndexArray, gap: IndexArray, outside: tuple[int, int]) -> None:
        n = family.gaps
        self.before, self.after = gap < 0, gap >= n
        self.exterior = self.before | self.after
        inner = np.where(self.exterior, 0, gap)
        # beyond the ends all nodes are on one side, which is called the left one in either direction
        near = np.where(self.before, 0, np.where(self.after, n, inner))
        step = np.where(self.before, 1, -1)
        self.left = _Side(family, problem, near, step)
        self.right = _Side(family, problem, np.minimum(inner + 1, n), np.where(self.exterior, 0, 1))
        first = family.sets[problem, near]
        beyond = np.where(self.before, outside[0], outside[1])
        second = np.where(self.exterior, beyond, family.sets[problem, np.minimum(inner + 1, n)])
        self.length = family.distance[first, second]

    def reciprocal(self, t: Any) -> Any:
        """Return 1/|D(x)| at relative positions t in [0, 1].

        Parameters
        ----------
        t : numpy.ndarray, Intervals or Tangent
            Shape (boxes,).

        Returns
        -------
        numpy.ndarray, Intervals or Tangent
            Of the kind of `t`.
        """
        parts = self._parts(t)
        return _over_denominator(parts.from_left * parts.toward_left, parts.regular)

    def kernel(self, t: Any) -> Any:
        r"""Return :math:`\int|K_x(t)|\,dt` at relative positions t in [0, 1], as `reciprocal` does."""
        parts = self._parts(t)
        left = self.left.kernel(parts.from_left, parts.left)
        right = self.right.kernel(parts.to_right, parts.right)
        return _over_denominator(parts.toward_left * left + parts.toward_right * right, parts.regular)

    def _parts(self, t: Any) -> _Parts:
        inside = np.where(self.exterior, 0.0, 1.0)
        from_left, to_right = t * self.length, (1.0 - t) * self.length
        left, right = self.left.alternating(from_left), self.right.alternating(to_right)
        toward_left, toward_right = t * (-inside) + 1.0, t * inside
        regular = toward_left * left[0] + toward_right * right[0]
        return _Parts(from_left, to_right, left, right, toward_left, toward_right, regular)


def _over_denominator(numerator: Any, denominator: Any) -> Any:
    """Return the quotient by the modulus; floats with a negative denominator, beyond a pole, count as infinite."""
    if isinstance(denominator, np.ndarray):
        return np.divide(numerator, denominator, out=np.full(denominator.shape, np.inf), where=denominator > 0)
    known = denominator.value if isinstance(denominator, Tangent) else denominator
    negative = known.hi < 0
    return numerator / _negated(denominator, negative) if negative.any() else numerator / denominator


def _negated(x: Any, where: npt.NDArray[np.bool_]) -> Any:
    if isinstance(x, Tangent):
        return Tangent(_negated(x.value, where), _negated(x.slope, where))
    return Intervals(np.where(where, -x.hi, x.lo), np.where(where, -x.lo, x.hi))


def _where(condition: npt.NDArray[np.bool_], x: Any, otherwise: float) -> Any:
    if isinstance(x, Intervals):
        return Intervals(np.where(condition, x.lo, otherwise), np.where(condition, x.hi, otherwise))
    return np.where(condition, x, otherwise)
