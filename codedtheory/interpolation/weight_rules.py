"""The rules that give barycentric weights, and can give them again for the survivors."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..arithmetic import Arithmetic

__all__ = ["WeightRule", "weight_rule"]

Kind = Literal["berrut", "berrut-half", "lagrange", "floater-hormann"]


@dataclass(frozen=True, slots=True)
class WeightRule:
    r"""A rule that assigns barycentric weights to sorted nodes, by rank and never by index.

    Parameters
    ----------
    kind : {"berrut", "berrut-half", "lagrange", "floater-hormann"}
    d : int, default 0
        The blending degree of Floater-Hormann weights.

    Notes
    -----
    Berrut (1988): :math:`w_k=(-1)^k`, in the second form with halved ends. Lagrange:
    :math:`w_k=\prod_{j\ne k}(x_k-x_j)^{-1}`. Floater and Hormann (2007, Numer. Math. 107:315-331):
    :math:`w_k=(-1)^{k-d}\sum_{i\in J_k}\prod_{j=i,j\ne k}^{i+d}|x_k-x_j|^{-1}` with
    :math:`J_k=\{i:0\le i\le n-d,\ k-d\le i\le k\}`.
    """

    kind: Kind
    d: int = 0

    def check(self, count: int) -> None:
        """Raise `ValueError` if the rule has no weights for so many nodes."""
        if count < 1:
            raise ValueError(f"count must be at least 1, got {count}")
        if self.kind == "floater-hormann" and self.d > count - 1:
            raise ValueError(f"d must be at most n = {count - 1} for {count} nodes, got {self.d}; take a smaller d")

    @property
    def needs_nodes(self) -> bool:
        """Whether the weights depend on the nodes and not on their number only."""
        return self.kind in ("lagrange", "floater-hormann")

    def signs(self, count: int, increasing: bool) -> npt.NDArray[np.int64]:
        """Return the signs of the weights of so many real nodes; they alternate."""
        offset = 0
        if self.kind == "floater-hormann":
            offset = self.d
        elif self.kind == "lagrange" and increasing:
            offset = count - 1
        return 1 - 2 * ((np.arange(count) + offset) % 2)

    def values(self, x: npt.NDArray[Any], arithmetic: Arithmetic, increasing: bool = True) -> npt.NDArray[Any]:
        """Return the weights of nodes given as numbers of an arithmetic."""
        count = len(x)
        result: npt.NDArray[Any] = np.empty(count, dtype=object)
        if self.kind == "floater-hormann":
            for k in range(count):
                result[k] = self._blended(x if increasing else -x, k, arithmetic)
        elif self.kind == "lagrange":
            for k in range(count):
                product = arithmetic.number(1)
                for j in range(count):
                    if j != k:
                        product = product * (x[k] - x[j])
                result[k] = 1 / product
        else:
            for k in range(count):
                result[k] = arithmetic.number((-1) ** k)
            if self.kind == "berrut-half":
                for k in {0, count - 1}:
                    result[k] = result[k] / 2
        return result

    def _blended(self, x: npt.NDArray[Any], k: int, arithmetic: Arithmetic) -> Any:
        n = len(x) - 1
        total = arithmetic.number(0)
        for i in range(max(0, k - self.d), min(k, n - self.d) + 1):
            product = arithmetic.number(1)
            for j in range(i, i + self.d + 1):
                if j < k:
                    product = product * (x[k] - x[j])
                elif j > k:
                    product = product * (x[j] - x[k])
            total = total + 1 / product
        return total if (k - self.d) % 2 == 0 else -total

    def __str__(self) -> str:
        return f"Floater-Hormann, d = {self.d}" if self.kind == "floater-hormann" else self.kind


def weight_rule(rule: Any) -> WeightRule:
    """Return the rule that a short name stands for.

    Parameters
    ----------
    rule : {"berrut", "berrut-half", "lagrange"}, int or WeightRule
        An integer d stands for the Floater-Hormann weights of degree d.

    Returns
    -------
    WeightRule

    Examples
    --------
    >>> weight_rule(3)
    WeightRule(kind='floater-hormann', d=3)
    """
    if isinstance(rule, WeightRule):
        return rule
    if rule in ("berrut", "berrut-half", "lagrange"):
        return WeightRule(rule)
    if isinstance(rule, str):
        raise ValueError(f"weights must be 'berrut', 'berrut-half', 'lagrange' or an int d, got {rule!r}")
    if isinstance(rule, (bool, np.bool_)) or not hasattr(rule, "__index__"):
        raise TypeError(f"weights must be 'berrut', 'berrut-half', 'lagrange' or an int d, got {rule!r}")
    if rule < 0:
        raise ValueError(f"d must be at least 0, got {rule}")
    return WeightRule("floater-hormann", int(operator.index(rule)))
