"""Error bounds of Berrut approximated coded computing, for every set of stragglers at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from codedtheory.arithmetic import FLOAT, Arithmetic, maximum

from .chebyshev_geometry import gap_bound, published_adjacent_ratio, worst_adjacent_ratio
from .denominator import chebyshev_denominator_bound_off_hull
from .error_bounds import checked_derivatives
from .gap_suprema import Domain
from .node_sets import checked_workers

__all__ = ["BaccErrorForm", "bacc_error_bound", "bacc_error_factor"]

BaccErrorForm = Literal["published", "sharp1", "sharp2", "sharp3"]


def bacc_error_factor(
    workers: int,
    stragglers: int,
    form: BaccErrorForm = "published",
    domain: Domain = "interval",
    arithmetic: Arithmetic = FLOAT,
) -> Any:
    r"""Return the constant A of :math:`|h-r_F|\le A(\|h''\|+[N-s\text{ even}]\,\|h'\|)` for all survivor sets.

    N + 1 workers sit at :math:`\cos(i\pi/N)`, s of them are lost, :math:`a=\pi/2N`:

    ``"published"``
        :math:`A=2(1+R)\sin((s+1)a)` with :math:`R=(s+1)(s+3)\pi^2/4`.
    ``"sharp1"``
        The same with :math:`R=(s+1)(s+3)`.
    ``"sharp2"``
        :math:`\max(\Gamma_{hull},\Gamma_{off})`, :math:`\Gamma_{hull}=2\sin((s+1)a)\max\{1,(2+R_{ex})/8\}`,
        :math:`\Gamma_{off}=2\sin^2(sa)\big(1+\frac{\sin^2(sa)}{\sin((2s+1)a)\sin a}\big)`; on the survivors'
        hull :math:`\Gamma_{hull}` alone.
    ``"sharp3"``
        :math:`R=s+1`, of the order :math:`s^2/N` instead of :math:`s^3/N`; proved by the claim
        ``bacc.error.mono.proof``, in spite of its name.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1 (the number itself, not N).
    stragglers : int
        0 <= s <= N - 1.
    form : {"published", "sharp1", "sharp2", "sharp3"}, default "published"
    domain : {"interval", "hull"}, default "interval"
        Whether decoding points may be anywhere in [-1, 1] or only in the survivors' hull.
    arithmetic : Arithmetic, default FLOAT
        ``ball(bits)`` makes it rigorous; all but the published form also work over ``cyclotomic(4 * N)``.

    Returns
    -------
    number
        An upper bound of the worst constant (`worst_error_over_stragglers`).

    Notes
    -----
    The published form is due to T. Jahani-Nezhad and M. A. Maddah-Ali (2023, arXiv:2009.08327). Floater and
    Hormann's theorem proves it on the hull; outside, `chebyshev_denominator_bound_off_hull` does.

    Examples
    --------
    >>> round(bacc_error_factor(6, 0), 3), round(bacc_error_factor(6, 2), 2)
    (5.193, 61.5)
    """
    workers, stragglers = checked_workers(workers, stragglers, 2)
    if domain not in ("hull", "interval"):
        raise ValueError(f"domain must be 'hull' or 'interval', got {domain!r}")
    gap = gap_bound(workers, stragglers, arithmetic)
    s = stragglers
    if form == "published":
        return (1 + published_adjacent_ratio(s, arithmetic)) * gap
    if form == "sharp1":
        return gap * (1 + (s + 1) * (s + 3))
    if form == "sharp3":
        return gap * (s + 2)
    if form != "sharp2":
        raise ValueError(f"form must be 'published', 'sharp1', 'sharp2' or 'sharp3', got {form!r}")
    ratio = worst_adjacent_ratio(workers, s, arithmetic) if s <= workers - 3 else arithmetic.number(1)
    inside = gap * maximum((arithmetic.number(1), (2 + ratio) / arithmetic.number(8)))
    if domain == "hull":
        return inside
    return maximum((inside, chebyshev_denominator_bound_off_hull(workers, s, arithmetic)))


def bacc_error_bound(
    workers: int,
    stragglers: int,
    derivatives: Mapping[int, Any],
    form: BaccErrorForm = "published",
    domain: Domain = "interval",
    arithmetic: Arithmetic = FLOAT,
) -> Any:
    r"""Return an upper bound of the decoding error :math:`|h-r_F|` for every set F of survivors.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1 (the number itself, not N), at Chebyshev points of the second kind.
    stragglers : int
        0 <= s <= N - 1.
    derivatives : mapping of int to number
        Bounds of :math:`\|h''\|` (order 2) and, if N - s is even, of :math:`\|h'\|` (order 1) on [-1, 1];
        h is the computed function after the encoder.
    form : {"published", "sharp1", "sharp2", "sharp3"}, default "published"
        See `bacc_error_factor`.
    domain : {"interval", "hull"}, default "interval"
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number

    Examples
    --------
    >>> round(bacc_error_bound(6, 0, {2: 1}), 3)
    5.193
    >>> bacc_error_bound(7, 0, {2: 1})
    Traceback (most recent call last):
        ...
    ValueError: derivatives must hold a bound for order 1, got orders [2]
    """
    workers, stragglers = checked_workers(workers, stragglers, 2)
    odd = (workers - 1 - stragglers) % 2 == 1
    norms = checked_derivatives(derivatives, (2,) if odd else (1, 2), arithmetic)
    total = norms[2] if odd else norms[2] + norms[1]
    return bacc_error_factor(workers, stragglers, form, domain, arithmetic) * total
