"""What goes wrong if weights keep the sign of the worker instead of alternating along the survivors."""

from __future__ import annotations

from scipy.optimize import brentq

from codedtheory.arithmetic import Rational, exactly
from codedtheory.interpolation import Nodes, chebyshev_second

__all__ = ["close_to_a_pole"]


def close_to_a_pole(workers: int, stragglers: int) -> tuple[Nodes, list[int], Rational]:
    """Lose worker 1 and the last ones, keep the signs of the workers, and return a point next to the pole they make.

    Returns
    -------
    nodes : Nodes
        The survivors; at least one worker must be lost and two survive.
    weights : list of int
    point : Rational
    """
    kept = [0, *range(2, workers - stragglers + 1)]
    nodes = chebyshev_second(workers).take(kept)
    weights = [(-1) ** i for i in kept]
    z = [float(node) for node in nodes.two_doubles()[0]]

    def denominator(x: float) -> float:
        return sum(w / (x - node) for w, node in zip(weights, z, strict=True))

    pole = brentq(denominator, z[1] + 1e-9, z[0] - 1e-9)
    return nodes, weights, exactly(pole + 1e-7)
