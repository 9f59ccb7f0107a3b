"""Bounds of Lebesgue constants of Berrut approximated coded computing, for every set of stragglers at once."""

from __future__ import annotations

from typing import Any, Literal

from codedtheory.arithmetic import FLOAT, Arithmetic

from .chebyshev_geometry import published_adjacent_ratio, spacing_bound, worst_adjacent_ratio
from .node_sets import checked_workers

__all__ = ["bacc_lebesgue_bound"]


def bacc_lebesgue_bound(
    workers: int,
    stragglers: int,
    form: Literal["published", "sharp"] = "published",
    arithmetic: Arithmetic = FLOAT,
) -> Any:
    r"""Return an upper bound of Berrut's Lebesgue constant for all sets of survivors.

    N + 1 workers sit at :math:`\cos(i\pi/N)`, s of them are lost.

    ``"published"``
        :math:`\Lambda\le(R+1)\big(1+\pi^2(s+1)\ln(N-s)\big)`, :math:`R=(s+1)(s+3)\pi^2/4`.
    ``"sharp"``
        :math:`\Lambda\le\big(1+\tfrac12R_{ex}\big)\big(1+2(s+1)\ln(N-s)\big)` with `worst_adjacent_ratio`.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1 (the number itself, not N).
    stragglers : int
        0 <= s <= N - 1; at most N - 2 for the sharp form.
    form : {"published", "sharp"}, default "published"
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound. The sharp form holds on the survivors' hull only: with survivors 0 and 1 the value at
        the other end exceeds it.

    Notes
    -----
    Published: T. Jahani-Nezhad, M. A. Maddah-Ali (2023), arXiv:2009.08327. Sharp: `well_spaced_upper_bound`
    with the exact ratio and with C at most `spacing_bound`.

    Examples
    --------
    >>> round(bacc_lebesgue_bound(11, 0), 1), round(bacc_lebesgue_bound(11, 0, "sharp"), 2)
    (199.3, 13.74)
    """
    if form not in ("published", "sharp"):
        raise ValueError(f"form must be 'published' or 'sharp', got {form!r}")
    workers, stragglers = checked_workers(workers, stragglers, 2 if form == "published" else 3)
    growth = arithmetic.log(workers - 1 - stragglers)
    if form == "published":
        pi = arithmetic.pi
        return (published_adjacent_ratio(stragglers, arithmetic) + 1) * (1 + pi * pi * (stragglers + 1) * growth)
    ratio = worst_adjacent_ratio(workers, stragglers, arithmetic)
    return (1 + ratio / 2) * (1 + spacing_bound(stragglers) * growth)
