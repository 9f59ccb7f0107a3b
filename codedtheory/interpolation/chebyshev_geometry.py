"""Geometry of what stragglers leave of the Chebyshev points of the second kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, Ball, maximum

from .geometry import (
    adjacent_ratio,
    adjacent_ratios,
    max_gap,
    mesh_ratio,
    mesh_ratios,
    spacing_quotients,
    well_spaced_constants,
)
from .node_families import chebyshev_second
from .node_sets import chebyshev_survivors, checked_workers
from .worst_case import WorstCase

__all__ = [
    "SurvivorGeometry",
    "gap_bound",
    "published_adjacent_ratio",
    "spacing_bound",
    "worst_adjacent_ratio",
    "worst_gap",
    "worst_mesh_ratio",
    "worst_survivor_geometry",
]

# The float distances carry a relative error below 2.1 u (one difference of doubles, one sum with the small
# parts), their quotients below 5.2 u, C one more rounding: two values whose order floats get wrong are within
# 13 u of each other, u = 2**-53.
_DOUBTFUL = 32 * 2.0**-53


@dataclass(frozen=True, slots=True)
class SurvivorGeometry:
    """Largest geometric constants over all survivor sets, each with a set that attains it.

    Attributes
    ----------
    gap : WorstCase
        Largest gap h.
    adjacent_ratio : WorstCase
        Largest ratio R of adjacent gaps.
    mesh_ratio : WorstCase
        Largest mesh ratio (a maximum of minima).
    spacing : WorstCase
        Largest well-spacing constant C.
    """

    gap: WorstCase
    adjacent_ratio: WorstCase
    mesh_ratio: WorstCase
    spacing: WorstCase


def gap_bound(workers: int, stragglers: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of every gap between survivors: :math:`h\le2\sin\frac{(s+1)\pi}{2N}`.

    N + 1 workers sit at :math:`\cos(i\pi/N)` and s of them are lost. The bound is attained iff N - s is
    odd; `worst_gap` is the largest gap in every case.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at least 2.
    stragglers : int
        0 <= s <= N - 1.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * N)`` and balls make it rigorous.

    Returns
    -------
    number

    Notes
    -----
    From :math:`z_k-z_{k+m}=2\sin\frac{(2k+m)\pi}{2N}\sin\frac{m\pi}{2N}`; stated for Berrut approximated
    coded computing by T. Jahani-Nezhad and M. A. Maddah-Ali (2023, arXiv:2009.08327).

    Examples
    --------
    >>> round(gap_bound(7, 2), 6)
    1.414214
    """
    workers, stragglers = checked_workers(workers, stragglers, 2)
    return 2 * arithmetic.sin_pi(Fraction(stragglers + 1, 2 * (workers - 1)))


def worst_gap(workers: int, stragglers: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the largest gap that s stragglers can open among N + 1 Chebyshev points of the second kind.

    .. math:: h=2\sin\frac{(s+1)\pi}{2N}\ (N-s\text{ odd}),\qquad
              h=2\cos\frac\pi{2N}\sin\frac{(s+1)\pi}{2N}\ (N-s\text{ even})

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at least 2.
    stragglers : int
        0 <= s <= N - 1.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * N)`` and balls make it rigorous.

    Returns
    -------
    number
        An equality: the hole of s consecutive workers lies as centrally as parity allows.

    Examples
    --------
    >>> round(worst_gap(7, 2), 6), round(worst_gap(7, 1), 6)
    (1.366025, 1.0)
    """
    workers, stragglers = checked_workers(workers, stragglers, 2)
    N = workers - 1
    gap = 2 * arithmetic.sin_pi(Fraction(stragglers + 1, 2 * N))
    return gap if (N - stragglers) % 2 else gap * arithmetic.cos_pi(Fraction(1, 2 * N))


def worst_adjacent_ratio(workers: int, stragglers: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the largest ratio of adjacent gaps over all sets of s stragglers.

    .. math:: R_{\mathrm{ex}}=\frac{\sin\frac{(s+1)\pi}{2N}\sin\frac{(s+3)\pi}{2N}}{\sin^2\frac\pi{2N}}

    for N + 1 Chebyshev points of the second kind, attained when workers 2, ..., s + 1 are lost.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at least 3.
    stragglers : int
        0 <= s <= N - 2: three workers must survive, or there are no two gaps to compare.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * N)`` and balls make it rigorous.

    Returns
    -------
    number
        Less than (s + 1)(s + 3), which it approaches as N grows.

    Notes
    -----
    For neighbours j - p < j < j + q the ratio :math:`\frac{\sin((2j+q)a)\sin(qa)}{\sin((2j-p)a)\sin(pa)}`,
    :math:`a=\pi/2N`, decreases in j, increases in q and, with p + q = s + 2, decreases in p.

    Examples
    --------
    >>> round(worst_adjacent_ratio(6, 0), 6)
    2.618034
    """
    workers, stragglers = checked_workers(workers, stragglers, 3)
    a = Fraction(1, 2 * (workers - 1))
    smallest = arithmetic.sin_pi(a)
    return arithmetic.sin_pi((stragglers + 1) * a) * arithmetic.sin_pi((stragglers + 3) * a) / (smallest * smallest)


def worst_mesh_ratio(workers: int, stragglers: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the largest mesh ratio of Floater and Hormann over all sets of s stragglers.

    .. math:: \beta=\frac{\sin((s+1)a)}{\cos((s+2)a)\sin a}\ (N-s\text{ odd}),\qquad
              \beta=\frac{\tan((s+1)a)}{\tan a}\ (N-s\text{ even}),\qquad a=\frac\pi{2N}

    for N + 1 Chebyshev points of the second kind, attained by a hole of s workers as central as parity
    allows.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at least 4.
    stragglers : int
        0 <= s <= N - 3: four workers must survive, or no gap has two neighbours.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * N)`` and balls make it rigorous.

    Returns
    -------
    number
        At least s + 1, which it approaches as N grows; at most (s + 1)/cos((s + 2)a).

    Notes
    -----
    Of the two neighbours of a gap one is at least as long as their mean, and neighbours without further
    losses have the mean :math:`2\sin((2k+m)a)\cos((m+1)a)\sin a`, in proportion to the gap
    :math:`2\sin((2k+m)a)\sin(ma)` between the workers k and k + m wherever it lies.

    Examples
    --------
    >>> round(worst_mesh_ratio(7, 1), 6), round(worst_mesh_ratio(7, 2), 6)
    (2.732051, 3.732051)
    """
    workers, stragglers = checked_workers(workers, stragglers, 4)
    a = Fraction(1, 2 * (workers - 1))
    hole = arithmetic.sin_pi((stragglers + 1) * a) / arithmetic.sin_pi(a)
    if (workers - 1 - stragglers) % 2:
        return hole / arithmetic.cos_pi((stragglers + 2) * a)
    return hole * arithmetic.cos_pi(a) / arithmetic.cos_pi((stragglers + 1) * a)


def published_adjacent_ratio(stragglers: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return :math:`R=(s+1)(s+3)\pi^2/4`, the published upper bound of the ratio of adjacent gaps.

    Parameters
    ----------
    stragglers : int
        s >= 0.
    arithmetic : Arithmetic, default FLOAT
        With a circle constant: floats, balls or decimals.

    Returns
    -------
    number
        An upper bound, whatever the number of workers; (s + 1)(s + 3) is one as well.

    References
    ----------
    T. Jahani-Nezhad, M. A. Maddah-Ali, Berrut approximated coded computing (2023), arXiv:2009.08327.

    Examples
    --------
    >>> round(published_adjacent_ratio(0), 6)
    7.402203
    """
    stragglers = _count(stragglers)
    pi = arithmetic.pi
    return pi * pi * ((stragglers + 1) * (stragglers + 3)) / 4


def spacing_bound(stragglers: int) -> int:
    """Return 2(s + 1), an upper bound of the well-spacing constant C of every survivor set.

    Parameters
    ----------
    stragglers : int
        s >= 0.

    Returns
    -------
    int
        Best possible for s = 0 as the number of workers grows.

    Notes
    -----
    The quotient in the definition of C is a ratio of integrals of the non-negative concave function
    sin(pi t/N) over two intervals of which one contains the other, and the mean of such a function is at
    least half its maximum.

    Examples
    --------
    >>> spacing_bound(1)
    4
    """
    return 2 * (_count(stragglers) + 1)


def worst_survivor_geometry(workers: int, stragglers: int, arithmetic: Arithmetic = FLOAT) -> SurvivorGeometry:
    r"""Return the largest h, R, mesh ratio and C over all sets of survivors, by enumeration.

    All :math:`\binom{N+1}s` sets are walked in floats, up to reflection. Over a rigorous arithmetic the sets
    that rounding cannot tell from the best one are evaluated again in it, so that the values are proved.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at Chebyshev points of the second kind.
    stragglers : int
        0 <= s <= N - 1.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(2 * N)`` for exact values, ``ball(bits)`` for enclosures.

    Returns
    -------
    SurvivorGeometry

    Examples
    --------
    >>> worst = worst_survivor_geometry(7, 1)
    >>> worst.adjacent_ratio.stragglers, round(worst.adjacent_ratio.value, 6)
    ((2,), 6.464102)
    """
    workers, stragglers = checked_workers(workers, stragglers, 2)
    family = chebyshev_survivors(workers, stragglers, rigorous=False)
    sets, count = family.sets, workers - stragglers
    gaps = family.distance[sets[:, :-1], sets[:, 1:]]
    few = np.ones(len(sets))
    ratios = adjacent_ratios(gaps).max(axis=1) if count >= 3 else few
    meshes = mesh_ratios(gaps).max(axis=1) if count >= 4 else 0 * few
    spacings = np.concatenate(
        [
            spacing_quotients(family.distance[part[:, :, None], part[:, None, :]]).max(axis=1)
            for part in np.array_split(sets, max(1, len(sets) // 4096))
        ]
    )

    def worst(values: npt.NDArray[np.float64], measure: Callable[[Any, Arithmetic], Any]) -> WorstCase:
        best = float(values.max())
        rivals = np.nonzero(values >= best * (1 - _DOUBTFUL))[0]
        kept = [workers - 1 - sets[i][::-1] for i in rivals]
        if arithmetic is FLOAT:
            return WorstCase.of(best, kept[0], workers)
        everyone = chebyshev_second(workers)
        exact = [measure(everyone.take(k.tolist()), arithmetic) for k in kept]
        middles = [e.mid if isinstance(e, Ball) else e for e in exact]
        return WorstCase.of(maximum(exact), kept[max(range(len(exact)), key=lambda i: middles[i])], workers)

    return SurvivorGeometry(
        gap=worst(gaps.max(axis=1), max_gap),
        adjacent_ratio=worst(ratios, adjacent_ratio),
        mesh_ratio=worst(meshes, mesh_ratio),
        spacing=worst(spacings, lambda nodes, over: well_spaced_constants(nodes, over).C),
    )


def _count(stragglers: Any) -> int:
    if isinstance(stragglers, (bool, np.bool_)) or not hasattr(stragglers, "__index__"):
        raise TypeError(f"stragglers must be an integer, got {stragglers!r}")
    if stragglers < 0:
        raise ValueError(f"stragglers must be at least 0, got {stragglers}")
    return int(stragglers)
