"""Everything the room knows about given nodes and weights, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..arithmetic import FLOAT, Arithmetic, Ball, PrecisionError, approximate, ball, condition_number
from .applicable_bounds import applicable_bounds
from .geometry import adjacent_ratio, mesh_ratio, quasi_uniformity, well_spaced_constants
from .lebesgue import lebesgue_constant
from .node_families import chebyshev_second
from .nodes import Nodes, nodes_from
from .vandermonde import vandermonde, vandermonde_condition
from .weights import weights_for
from .worst_case import WorstCase
from .worst_lebesgue import worst_lebesgue_constant

__all__ = ["InterpolationSummary", "Quantity", "summarize"]

# beyond this many nodes an exact condition number takes longer than all the rest
_VANDERMONDE_NODES = 64
_MAX_VANDERMONDE_BITS = 4096
_FLOAT_BITS = 96


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number about nodes: its float value and, if it was asked for, a rigorous enclosure.

    Attributes
    ----------
    name : str
    value : float
    enclosure : Ball or None
    kind : str
        For a bound: ``upper``, ``lower`` or ``asymptotic``.
    source : str
        For a bound: author, year and place.
    slack : Quantity or None
        For a bound: itself over the Lebesgue constant of the survivors.
    """

    name: str
    value: float
    enclosure: Ball | None = None
    kind: str = ""
    source: str = ""
    slack: Quantity | None = None

    def named(self, name: str) -> Quantity:
        """Return the same number under another name."""
        return replace(self, name=name)


@dataclass(frozen=True, slots=True)
class InterpolationSummary:
    """Lebesgue constants, node geometry, bounds and condition numbers of one choice of nodes and weights.

    Attributes
    ----------
    nodes : Nodes
        All nodes.
    weights : str
        What the weights are called.
    stragglers : tuple of int
        The nodes whose loss leaves the largest Lebesgue constant; empty if none are lost.
    survivors : tuple of int
        The nodes that are left; the geometry, the bounds and the condition numbers are theirs.
    lebesgue : Quantity
        Lebesgue constant of all nodes.
    worst_lebesgue : Quantity
        The largest Lebesgue constant over all sets of survivors.
    geometry, bounds, conditions : tuple of Quantity
        Conditions are those of the Vandermonde matrix of the survivors, of which there may be 64 at most.
    """

    nodes: Nodes
    weights: str
    stragglers: tuple[int, ...]
    survivors: tuple[int, ...]
    lebesgue: Quantity
    worst_lebesgue: Quantity
    geometry: tuple[Quantity, ...]
    bounds: tuple[Quantity, ...]
    conditions: tuple[Quantity, ...]


def summarize(
    nodes: Any,
    weights: str | int = "berrut",
    stragglers: int = 0,
    bits: int | None = None,
    limit: int | None = None,
) -> InterpolationSummary:
    """Compute Lebesgue constants, node geometry, applicable bounds and condition numbers.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    weights : {"berrut", "berrut-half", "lagrange"} or int, default "berrut"
        An int d stands for the Floater-Hormann weights of degree d.
    stragglers : int, default 0
        How many nodes may be missing, whichever they are.
    bits : int, optional
        Also compute a rigorous enclosure of every number, in balls of this precision.
    limit : int, optional
        Refuse to enumerate more survivor sets than this.

    Returns
    -------
    InterpolationSummary

    Raises
    ------
    ValueError
        If the nodes are not strictly monotone, fewer than two would survive, or the sets are more than `limit`.

    Examples
    --------
    >>> from codedtheory.interpolation import chebyshev_second
    >>> summary = summarize(chebyshev_second(7), stragglers=1, bits=64)
    >>> round(summary.worst_lebesgue.value, 4), summary.stragglers
    (5.1078, (2,))
    """
    known = nodes_from(nodes)
    known.require_ordered()
    if len(known) < 2:
        raise ValueError(f"nodes must be at least 2, got {len(known)}; the Lebesgue constant of one node is 1")
    if not 0 <= stragglers <= len(known) - 2:
        raise ValueError(
            f"stragglers must be from 0 to {len(known) - 2} for {len(known)} nodes, so that 2 survive, got {stragglers}"
        )
    exact = None if bits is None else ball(bits)
    cases: dict[Arithmetic, WorstCase] = {}

    def worst(arithmetic: Arithmetic) -> Any:
        if arithmetic not in cases:
            cases[arithmetic] = _worst(known, stragglers, weights, arithmetic, limit)
        return cases[arithmetic].value

    def quantity(name: str, compute: Any) -> Quantity:
        return _quantity(name, compute, exact)

    worst_lebesgue = quantity("worst Lebesgue constant", worst)
    decided = cases[exact or FLOAT]
    left = known.take(decided.survivors)
    return InterpolationSummary(
        nodes=known,
        weights=str(weights),
        stragglers=decided.stragglers,
        survivors=decided.survivors,
        lebesgue=worst_lebesgue.named("Lebesgue constant")
        if not decided.stragglers
        else quantity("Lebesgue constant", lambda a: lebesgue_constant(known, weights, arithmetic=a)),
        worst_lebesgue=worst_lebesgue,
        geometry=(
            quantity("mesh ratio", lambda a: mesh_ratio(left, a)),
            quantity("adjacent gap ratio", lambda a: adjacent_ratio(left, a)),
            quantity("quasi-uniformity", lambda a: quasi_uniformity(left, a)),
            quantity("well-spacing constant", lambda a: well_spaced_constants(left, a)[1]),
        ),
        bounds=tuple(_bounds(known, left, weights, stragglers, worst_lebesgue, exact)),
        conditions=tuple(_conditions(left, bits)),
    )


def _quantity(name: str, compute: Callable[[Arithmetic], Any], exact: Arithmetic | None) -> Quantity:
    if exact is None:
        return Quantity(name, compute(FLOAT))
    enclosure = compute(exact)
    try:
        return Quantity(name, compute(FLOAT), enclosure)
    except (ValueError, ArithmeticError):
        # doubles that overflow take nothing from what is enclosed
        return Quantity(name, approximate(enclosure), enclosure)


def _both(name: str, value: Any) -> Quantity:
    return Quantity(name, approximate(value), value) if isinstance(value, Ball) else Quantity(name, value)


def _worst(nodes: Nodes, stragglers: int, weights: str | int, arithmetic: Arithmetic, limit: int | None) -> WorstCase:
    try:
        return worst_lebesgue_constant(nodes, stragglers, weights, arithmetic=arithmetic, limit=limit)
    except PrecisionError as error:
        if stragglers or error.enclosure is None:
            raise
        # an enclosure that is wider than it was asked for is one nevertheless
        return WorstCase(error.enclosure, tuple(range(len(nodes))), ())


def _bounds(
    nodes: Nodes, left: Nodes, weights: str | int, stragglers: int, constant: Quantity, exact: Arithmetic | None
) -> Iterator[Quantity]:
    lost = stragglers if nodes == chebyshev_second(len(nodes)) else None
    w = weights_for(left, weights)
    found = applicable_bounds(left, w, lost, exact or FLOAT, constant.enclosure or constant.value)
    for bound in found:
        slack = _both("slack", bound.slack)
        yield replace(_both(bound.name, bound.value), kind=bound.kind, source=bound.source, slack=slack)


def _conditions(left: Nodes, bits: int | None) -> Iterator[Quantity]:
    if len(left) > _VANDERMONDE_NODES:
        return
    # in balls also where floats are asked for: a double matrix knows nothing about a condition beyond 1e16
    working = bits or _FLOAT_BITS
    for p in (2, 1, "inf"):
        enclosure = _spectral_condition(left, working) if p == 2 else vandermonde_condition(left, p, ball(working))
        name = f"Vandermonde condition {p}"
        yield Quantity(name, approximate(enclosure), enclosure if bits else None)


def _spectral_condition(left: Nodes, bits: int) -> Any:
    working = bits
    while True:
        try:
            return condition_number(vandermonde(left, arithmetic=ball(working)), 2, bits=bits)
        except PrecisionError:
            if working > _MAX_VANDERMONDE_BITS:
                raise
            working *= 2
