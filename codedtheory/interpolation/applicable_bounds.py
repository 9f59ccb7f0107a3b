"""All known bounds of a Lebesgue constant that apply to given nodes and weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from codedtheory.arithmetic import FLOAT, Arithmetic, Rational

from .bacc_lebesgue_bounds import bacc_lebesgue_bound
from .berrut_lebesgue_bounds import (
    berrut_equispaced_asymptote,
    berrut_equispaced_lower_bound,
    berrut_equispaced_upper_bound,
    floater_hormann_equispaced_lower_bound,
    floater_hormann_equispaced_upper_bound,
    quasi_equispaced_upper_bound,
    well_spaced_upper_bound,
)
from .geometry import quasi_uniformity, well_spaced_constants
from .lebesgue import lebesgue_constant
from .node_families import chebyshev_first, chebyshev_second
from .node_sets import checked_workers
from .nodes import Nodes, nodes_from
from .polynomial_lebesgue_bounds import (
    chebyshev_first_upper_bound,
    polynomial_equispaced_asymptote,
    polynomial_equispaced_lower_bound,
    polynomial_equispaced_upper_bound,
    polynomial_lower_bound,
)
from .weights import Weights, weights_for

__all__ = ["NamedBound", "applicable_bounds"]

BoundKind = Literal["upper", "lower", "asymptotic"]
Found = Iterator[tuple[str, BoundKind, Any, str]]

_BOS_2011 = "Bos, De Marchi, Hormann 2011, J. Comput. Appl. Math. 236"
_BOS_2012 = "Bos, De Marchi, Hormann, Klein 2012, Numer. Math. 121"
_BOS_2013 = "Bos, De Marchi, Hormann, Sidon 2013, J. Approx. Theory 169"
_HORMANN_2012 = "Hormann, Klein, De Marchi 2012, Dolomites Res. Notes Approx. 5"
_BACC = "Jahani-Nezhad, Maddah-Ali 2023, arXiv:2009.08327"
_TREFETHEN = "Trefethen, Weideman 1991, J. Approx. Theory 65"
_DERIVED = "derived here"
# 2**(n + 3) is the largest number that the bounds of polynomials at equispaced nodes need; doubles end at 2**1024
_LARGEST_POWER = 1020


@dataclass(frozen=True, slots=True)
class NamedBound:
    """A bound of a Lebesgue constant, evaluated.

    Attributes
    ----------
    name : str
        What it is called.
    kind : {"upper", "lower", "asymptotic"}
    value : number
    source : str
        Author, year and place.
    slack : number
        The bound divided by the Lebesgue constant on the hull: at least 1 for an upper bound, at most 1 for
        a lower one.
    """

    name: str
    kind: BoundKind
    value: Any
    source: str
    slack: Any


def applicable_bounds(
    nodes: Any,
    weights: Any = "berrut",
    stragglers: int | None = None,
    arithmetic: Arithmetic = FLOAT,
    constant: Any = None,
) -> tuple[NamedBound, ...]:
    """Return every known bound of the Lebesgue constant whose hypotheses the nodes and weights meet.

    Hypotheses are decided exactly: nodes count as equispaced if their exact gaps are equal, which those of
    rounded decimals are not.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least two real nodes.
    weights : {"berrut", "berrut-half", "lagrange"}, int or Weights, default "berrut"
    stragglers : int, optional
        If given, the nodes must be what is left of ``len(nodes) + stragglers`` Chebyshev points of the second
        kind; the bounds for all such sets are added.
    arithmetic : Arithmetic, default FLOAT
        Floats or balls.
    constant : number, optional
        The Lebesgue constant on the hull, if it is known already.

    Returns
    -------
    tuple of NamedBound

    Raises
    ------
    ValueError
        If `stragglers` is given and the nodes are no survivors of Chebyshev points of the second kind.

    Examples
    --------
    >>> from codedtheory.interpolation.node_families import equispaced
    >>> for bound in applicable_bounds(equispaced(11)):
    ...     print(f"{bound.kind:10} {bound.value:.4f} {bound.slack:.3f} {bound.name}")
    lower      1.3541 0.576 Berrut at equispaced nodes
    upper      4.3026 1.830 Berrut at equispaced nodes
    upper      3.2269 1.373 Berrut at equispaced nodes, improved
    asymptotic 2.3353 0.993 Berrut at equispaced nodes
    upper      3.2269 1.373 quasi-equidistant nodes, d = 0
    upper      11.2103 4.769 well spaced nodes
    upper      4.9539 2.107 well spaced nodes, sharp
    """
    known = nodes_from(nodes)
    known.require_ordered()
    if len(known) < 2:
        raise ValueError(f"nodes must be at least 2, got {len(known)}; the Lebesgue constant of one node is 1")
    w = weights_for(known, weights)
    found = list(_of_weights(known, w, arithmetic))
    if stragglers is not None:
        found += _of_survivors(known, w, stragglers, arithmetic)
    if constant is None:
        constant = lebesgue_constant(known, w, arithmetic=arithmetic)
    scale = arithmetic.number(constant)
    return tuple(
        NamedBound(name, kind, arithmetic.number(value), source, arithmetic.number(value) / scale)
        for name, kind, value, source in found
    )


def is_equispaced(nodes: Nodes) -> bool:
    """Whether the nodes are rational and all their gaps are equal, decided exactly."""
    points = nodes.points
    if not all(isinstance(p, Rational) for p in points):
        return False
    return all(points[i + 1] - points[i] == points[1] - points[0] for i in range(1, len(points) - 1))


def _of_weights(nodes: Nodes, weights: Weights, arithmetic: Arithmetic) -> Found:
    rule, n = weights.rule, len(nodes) - 1
    if rule is None:
        return
    even = is_equispaced(nodes)
    if rule.kind == "lagrange" or (rule.kind == "floater-hormann" and rule.d == n and n > 0):
        yield from _of_polynomials(nodes, even, arithmetic)
    elif rule.kind == "berrut" or (rule.kind == "floater-hormann" and rule.d == 0):
        yield from _of_berrut(nodes, even, arithmetic)
    elif rule.kind == "floater-hormann" or even:
        # with halved ends Berrut's weights are those of degree 1 at equispaced nodes
        d = rule.d if rule.kind == "floater-hormann" else 1
        yield from _of_floater_hormann(nodes, d, even, arithmetic)


def _of_berrut(nodes: Nodes, even: bool, arithmetic: Arithmetic) -> Found:
    n = len(nodes) - 1
    if even:
        name = "Berrut at equispaced nodes"
        yield name, "lower", berrut_equispaced_lower_bound(n, arithmetic), _BOS_2011
        yield name, "upper", berrut_equispaced_upper_bound(n, arithmetic=arithmetic), _BOS_2011
        improved = berrut_equispaced_upper_bound(n, improved=True, arithmetic=arithmetic)
        yield f"{name}, improved", "upper", improved, _HORMANN_2012
        yield name, "asymptotic", berrut_equispaced_asymptote(n, arithmetic), _BOS_2011
    M = quasi_uniformity(nodes, arithmetic)
    bound = quasi_equispaced_upper_bound(n, 0, M, arithmetic)
    yield "quasi-equidistant nodes, d = 0", "upper", bound, _HORMANN_2012
    if n >= 2:
        R, C = well_spaced_constants(nodes, arithmetic)
        yield "well spaced nodes", "upper", well_spaced_upper_bound(n, R, C, arithmetic=arithmetic), _BOS_2013
        sharp = well_spaced_upper_bound(n, R, C, "sharp", arithmetic)
        yield "well spaced nodes, sharp", "upper", sharp, _DERIVED


def _of_floater_hormann(nodes: Nodes, d: int, even: bool, arithmetic: Arithmetic) -> Found:
    n = len(nodes) - 1
    if even and n >= 2 * d:
        name = f"Floater-Hormann at equispaced nodes, d = {d}"
        yield name, "lower", floater_hormann_equispaced_lower_bound(n, d, arithmetic), _BOS_2012
        yield name, "upper", floater_hormann_equispaced_upper_bound(n, d, arithmetic), _BOS_2012
    bound = quasi_equispaced_upper_bound(n, d, quasi_uniformity(nodes, arithmetic), arithmetic)
    yield f"quasi-equidistant nodes, d = {d}", "upper", bound, _HORMANN_2012


def _of_polynomials(nodes: Nodes, even: bool, arithmetic: Arithmetic) -> Found:
    n = len(nodes) - 1
    yield "polynomials at any nodes", "lower", polynomial_lower_bound(n, arithmetic), "Erdős 1961; Brutman 1997"
    if even and (arithmetic is not FLOAT or n <= _LARGEST_POWER):
        name = "polynomials at equispaced nodes"
        yield name, "lower", polynomial_equispaced_lower_bound(n, arithmetic), _TREFETHEN
        yield name, "upper", polynomial_equispaced_upper_bound(n, arithmetic), _TREFETHEN
        if n >= 2:
            yield name, "asymptotic", polynomial_equispaced_asymptote(n, arithmetic=arithmetic), "Schönhage 1961"
    if nodes == chebyshev_first(n + 1):
        # the matching lower bound holds for [-1, 1], which is wider than the hull
        bound = chebyshev_first_upper_bound(n, arithmetic)
        yield "polynomials at Chebyshev points of the first kind", "upper", bound, "Rivlin 1974, LNM 399"


def _of_survivors(nodes: Nodes, weights: Weights, stragglers: int, arithmetic: Arithmetic) -> Found:
    workers, stragglers = checked_workers(len(nodes) + int(stragglers), stragglers, 2)
    everyone = set(chebyshev_second(workers).points)
    if not all(point in everyone for point in nodes.points):
        raise ValueError(
            f"nodes must be survivors of {workers} Chebyshev points of the second kind for stragglers={stragglers}, "
            f"got {nodes.describe()}; use chebyshev_second({workers}).without(...)"
        )
    if weights.rule is None or weights.rule.kind != "berrut":
        return
    name = f"Berrut after any {stragglers} stragglers of {workers}"
    yield name, "upper", bacc_lebesgue_bound(workers, stragglers, arithmetic=arithmetic), _BACC
    if len(nodes) >= 3:
        yield f"{name}, sharp", "upper", bacc_lebesgue_bound(workers, stragglers, "sharp", arithmetic), _DERIVED
