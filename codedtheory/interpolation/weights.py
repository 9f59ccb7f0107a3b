"""Barycentric weights as descriptions: by rule or given, evaluated over an arithmetic on request."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import EXACT, FLOAT, Arithmetic, Modular, PrecisionError, Rational
from . import points as _points
from .float_weights import scaled_weights, weight_error
from .nodes import Nodes, nodes_from
from .scaled_floats import ScaledFloats
from .weight_rules import WeightRule, weight_rule

__all__ = ["Weights", "berrut_weights", "floater_hormann_weights", "lagrange_weights", "weights_for"]

# smaller doubles are subnormal and have lost digits
_SMALLEST = np.finfo(float).tiny


class Weights(ABC):
    """Barycentric weights of real nodes, known exactly or by a rule.

    Only ratios of weights matter to an interpolant. Over rigorous arithmetics the weights are those of
    the formula; as doubles (``np.asarray(weights)``) they are scaled to a largest modulus of 1.

    Attributes
    ----------
    rule : WeightRule or None
        The rule that made the weights; ``None`` for given numbers.
    """

    rule: WeightRule | None = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def over(self, arithmetic: Arithmetic) -> npt.NDArray[Any]:
        """Return the weights as numbers of an arithmetic (FLOAT: scaled to a largest modulus of 1)."""

    @property
    @abstractmethod
    def signs(self) -> npt.NDArray[np.int64]:
        """The signs, -1 or 1."""

    @property
    @abstractmethod
    def magnitudes(self) -> ScaledFloats:
        """The moduli in doubles of unlimited range."""

    def has_no_poles(self, inside: bool) -> bool:
        """Whether a theorem says that the interpolant has no poles, on the line or (`inside`) the hull of its nodes."""
        return self.rule is not None and (inside or self.rule.kind != "berrut-half")

    @abstractmethod
    def relative_error(self, distance_error: float) -> float:
        """Return a bound on the relative errors of the doubles, for nodes with such errors in their distances."""

    @property
    def log_magnitudes(self) -> npt.NDArray[np.float64]:
        """The natural logarithms of the moduli, in doubles; they neither overflow nor underflow."""
        return self.magnitudes.log()

    @abstractmethod
    def for_survivors(self, indices: Iterable[int]) -> Weights:
        """Return the weights that the same rule gives to the nodes with the given indices.

        They are made anew: signs alternate along the survivors. Keeping the original ones would create
        poles wherever an odd number of neighbours is lost.

        Parameters
        ----------
        indices : iterable of int
            Of the nodes that are left, sorted.

        Returns
        -------
        Weights
        """

    @abstractmethod
    def describe(self) -> str:
        """Return in words which weights these are."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("weights are a description; np.asarray(weights) has to copy")
        sizes = self.magnitudes
        top = int(np.lexsort((sizes.mantissa, sizes.exponent))[-1])
        scaled = ScaledFloats.of(sizes.mantissa / sizes.mantissa[top], sizes.exponent - sizes.exponent[top]).doubles()
        if not (scaled >= _SMALLEST).all():
            worst = int(np.argmin(scaled))
            raise ValueError(
                f"weights[{worst}] is smaller than the largest weight by a factor that doubles can't hold; "
                "use ball(bits), or .signs and .log_magnitudes"
            )
        return np.array(self.signs * scaled, dtype=dtype)

    def __repr__(self) -> str:
        return f"Weights({self.describe()})"


class _RuleWeights(Weights):
    """Weights made by a rule, from nodes or (Berrut's) from their number."""

    __slots__ = ("_magnitudes", "count", "nodes", "rule")
    rule: WeightRule

    def __init__(self, rule: WeightRule, count: int, nodes: Nodes | None) -> None:
        rule.check(count)
        self.rule, self.count, self.nodes = rule, count, nodes
        self._magnitudes: ScaledFloats | None = None

    def __len__(self) -> int:
        return self.count

    def over(self, arithmetic: Arithmetic) -> npt.NDArray[Any]:
        if arithmetic is FLOAT:
            if self.nodes is not None and not self.nodes.is_ordered:
                return _complex_weights(np.asarray(self.nodes))
            return self.__array__()
        if self.nodes is None:
            return self.rule.values(np.zeros(self.count), arithmetic)
        if hasattr(arithmetic, "modulus") and not any(isinstance(p, Modular) for p in self.nodes.points):
            # distances are those of the integers 0 ... p-1, for a finite field has no order
            return arithmetic.array(self.over(EXACT))
        if self.rule.kind == "floater-hormann":
            self.nodes.require_ordered()
        increasing = not self.nodes.is_ordered or self.nodes.is_increasing
        return self.rule.values(self.nodes.over(arithmetic), arithmetic, increasing)

    @property
    def signs(self) -> npt.NDArray[np.int64]:
        if self.nodes is None:
            return self.rule.signs(self.count, increasing=True)
        self.nodes.require_ordered()
        return self.rule.signs(self.count, self.nodes.is_increasing)

    @property
    def magnitudes(self) -> ScaledFloats:
        if self._magnitudes is None:
            self._magnitudes = scaled_weights(self.rule, self.count, self.nodes)
        return self._magnitudes

    def relative_error(self, distance_error: float) -> float:
        return weight_error(self.rule, self.count, distance_error)

    def for_survivors(self, indices: Iterable[int]) -> Weights:
        kept = tuple(indices)
        if self.nodes is None:
            if len(set(kept)) != len(kept) or not all(0 <= operator.index(i) < self.count for i in kept):
                raise ValueError(f"indices must be different numbers from 0 to {self.count - 1}, got {kept}")
            return _RuleWeights(self.rule, len(kept), None)
        nodes = self.nodes.take(kept)
        return _RuleWeights(self.rule, len(nodes), nodes)

    def describe(self) -> str:
        where = f"{self.count} nodes" if self.nodes is None else self.nodes.describe()
        return f"{self.rule} weights for {where}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _RuleWeights):
            return NotImplemented
        return self.rule == other.rule and self.count == other.count and self.nodes == other.nodes

    def __hash__(self) -> int:
        return hash((self.rule, self.count))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _RuleWeights, (self.rule, self.count, self.nodes)


class _GivenWeights(Weights):
    """Weights given as numbers."""

    __slots__ = ("points",)

    def __init__(self, points: tuple[Any, ...]) -> None:
        self.points = points

    def __len__(self) -> int:
        return len(self.points)

    def over(self, arithmetic: Arithmetic) -> npt.NDArray[Any]:
        if arithmetic is FLOAT:
            return self.__array__()
        result: npt.NDArray[Any] = np.empty(len(self), dtype=object)
        for index, point in enumerate(self.points):
            result[index] = _points.over(point, arithmetic)
        return result

    @property
    def signs(self) -> npt.NDArray[np.int64]:
        if any(isinstance(p, Modular) for p in self.points):
            raise ValueError("weights in a finite field have no signs")
        return np.array([_points.order(p, Rational(0)) for p in self.points], dtype=np.int64)

    @property
    def magnitudes(self) -> ScaledFloats:
        pairs = [_points.two_doubles(p) for p in self.points]
        return ScaledFloats.of(np.abs([high for high, _, _ in pairs]))

    def relative_error(self, distance_error: float) -> float:
        parts = np.abs([_points.two_doubles(p) for p in self.points])
        # the nearest double, the rest it leaves, the radius of a ball, and the rounding when it is scaled
        return float(((parts[:, 1] + parts[:, 2]) / parts[:, 0]).max() * (1 + 2.0**-50) + 2.0**-52)

    def for_survivors(self, indices: Iterable[int]) -> Weights:
        raise ValueError(
            f"weights given as numbers can't be made anew for survivors {tuple(indices)}; "
            "give a rule: 'berrut', 'berrut-half', 'lagrange' or an int d"
        )

    def describe(self) -> str:
        return f"{len(self)} given weights"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _GivenWeights):
            return NotImplemented
        return len(self) == len(other) and all(map(_points.same, self.points, other.points))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _GivenWeights, (self.points,)


def _complex_weights(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    gaps = np.subtract.outer(x, x)
    np.fill_diagonal(gaps, 1)
    weights = 1 / gaps.prod(axis=1)
    return np.asarray(weights / np.abs(weights).max())


def lagrange_weights(nodes: Any) -> Weights:
    r"""Return the weights of polynomial interpolation, :math:`w_k=\prod_{j\ne k}(x_k-x_j)^{-1}`.

    Parameters
    ----------
    nodes : Nodes or array_like

    Returns
    -------
    Weights

    Examples
    --------
    >>> from codedtheory.interpolation import equispaced
    >>> lagrange_weights(equispaced(4, 0, 3)).over(EXACT).tolist()
    [Rational(-1, 6), Rational(1, 2), Rational(-1, 2), Rational(1, 6)]
    """
    return rule_weights(WeightRule("lagrange"), nodes_from(nodes))


def berrut_weights(count: int, half_ends: bool = False) -> Weights:
    r"""Return Berrut's weights :math:`w_k=(-1)^k`, in the second form with halved ends.

    Parameters
    ----------
    count : int
        Number of nodes.
    half_ends : bool, default False
        Whether the first and the last weight are halved.

    Returns
    -------
    Weights

    Notes
    -----
    J.-P. Berrut 1988, Comput. Math. Appl. 15:1-16. The interpolant has no real poles (first form), or none on
    the hull of the nodes (second form).

    Examples
    --------
    >>> np.asarray(berrut_weights(4, half_ends=True)).tolist()
    [0.5, -1.0, 1.0, -0.5]
    """
    if isinstance(count, (bool, np.bool_)) or not hasattr(count, "__index__"):
        raise TypeError(f"count must be an integer, got {count!r}")
    return _RuleWeights(WeightRule("berrut-half" if half_ends else "berrut"), operator.index(count), None)


def floater_hormann_weights(nodes: Any, d: int) -> Weights:
    r"""Return the Floater-Hormann weights of degree d.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes :math:`x_0,\dots,x_n`.
    d : int
        Blending degree, 0 <= d <= n: 0 is Berrut's, n is polynomial interpolation.

    Returns
    -------
    Weights

    Notes
    -----
    :math:`w_k=(-1)^{k-d}\sum_{i\in J_k}\prod_{j=i,j\ne k}^{i+d}|x_k-x_j|^{-1}`,
    :math:`J_k=\{i:0\le i\le n-d,\ k-d\le i\le k\}` (Floater and Hormann 2007, Numer. Math. 107:315-331).

    Examples
    --------
    >>> from codedtheory.interpolation import equispaced
    >>> w = floater_hormann_weights(equispaced(6, 0, 5), 2).over(EXACT) * 2
    >>> [int(x.fraction) for x in w]
    [1, -3, 4, -4, 3, -1]
    """
    if isinstance(d, bool) or not isinstance(d, (int, np.integer)):
        raise TypeError(f"d must be an integer, got {d!r}; it is the degree of the blended polynomials")
    return rule_weights(weight_rule(d), nodes_from(nodes))


def rule_weights(rule: WeightRule, nodes: Nodes) -> Weights:
    """Return the weights that a rule gives to nodes."""
    return _RuleWeights(rule, len(nodes), nodes if rule.needs_nodes else None)


def weights_for(nodes: Nodes, weights: Any) -> Weights:
    """Return the weights of nodes from whatever describes them.

    Parameters
    ----------
    nodes : Nodes
    weights : Weights, {"berrut", "berrut-half", "lagrange"}, int, or array_like
        An int d stands for Floater-Hormann weights of degree d, floats for themselves.

    Returns
    -------
    Weights

    Raises
    ------
    ValueError
        If there are not as many weights as nodes, or one is 0, not finite or not real.
    """
    if isinstance(weights, Weights):
        made = weights
    elif isinstance(weights, (str, WeightRule)) or np.ndim(weights) == 0:
        made = rule_weights(weight_rule(weights), nodes)
    else:
        made = _GivenWeights(tuple(_given(index, value) for index, value in enumerate(weights)))
    if len(made) != len(nodes):
        raise ValueError(f"weights must be as many as the {len(nodes)} nodes, got {len(made)}")
    return made


def _given(index: int, value: Any) -> Any:
    try:
        point = _points.as_point(value)
        zero = not point if isinstance(point, Modular) else _points.order(point, Rational(0)) == 0
    except PrecisionError:
        raise PrecisionError(f"weights[{index}] may be 0; raise its precision (ball bits)") from None
    except ValueError as error:
        raise ValueError(f"weights[{index}]: {error}") from error
    if zero:
        raise ValueError(f"weights must not be 0, but weights[{index}] is; drop the node instead")
    return point
