"""Worst-case error constants of barycentric interpolants: sharp, over an interval or all survivor sets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from codedtheory.arithmetic import FLOAT, Arithmetic

from .gap_frame import GapFrame
from .gap_suprema import Domain, largest_over_gaps, weight_total, worst_over_survivors
from .nodes import nodes_from
from .peano import ErrorConstants, reproduces_linear
from .weights import weights_for
from .worst_case import WorstCase

__all__ = ["worst_error_constants", "worst_error_over_stragglers", "worst_linear_error_over_stragglers"]


def worst_error_constants(
    nodes: Any,
    interval: Any = None,
    weights: Any = "berrut",
    arithmetic: Arithmetic = FLOAT,
    tolerance: str | Fraction = "1e-9",
) -> ErrorConstants:
    r"""Return the worst-case error constants of an interpolant over an interval.

    .. math:: |f-r|\le E_1\|f'\|+E_2\|f''\|,\qquad E_1=\sup_x\frac{|\sum_iw_i|}{|D(x)|},\quad
              E_2=\sup_x\int|K(x,t)|\,dt

    where K is `peano_kernel`. If the interpolant reproduces linear functions (Berrut's on an even number
    of nodes), :math:`E_1=0` and :math:`E_2` is the largest error over all f with :math:`\|f''\|\le1`.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    interval : pair of numbers, optional
        Where x runs; by default the hull of the nodes.
    weights : {"berrut", "berrut-half", "lagrange"}, int, Weights or array_like, default "berrut"
        Of alternating signs.
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates the suprema (to about 1e-12, from below), ``ball(bits)`` encloses them.
    tolerance : str or Fraction, default "1e-9"
        Relative width of the enclosures, at least 1e-12.

    Returns
    -------
    ErrorConstants

    Notes
    -----
    The enclosure evaluates the kernel, which is piecewise linear in t, over boxes of x in interval
    arithmetic and halves the boxes (mean value form) until the tolerance is met.

    Examples
    --------
    >>> from codedtheory.arithmetic import ball, Rational
    >>> worst_error_constants([-1, 1]).second
    0.5
    >>> worst_error_constants([-1, 1], arithmetic=ball(53)).second.contains(Rational(1, 2))
    True
    """
    known = nodes_from(nodes)
    known.require_ordered()
    w = weights_for(known, weights)
    first = arithmetic.number(0)
    if not reproduces_linear(known, w):
        first = weight_total(known, w, arithmetic) * largest_over_gaps(
            known, w, interval, GapFrame.reciprocal, arithmetic, tolerance
        )
    return ErrorConstants(first, largest_over_gaps(known, w, interval, GapFrame.kernel, arithmetic, tolerance))


def worst_error_over_stragglers(
    workers: int,
    stragglers: int,
    domain: Domain = "hull",
    arithmetic: Arithmetic = FLOAT,
    tolerance: str | Fraction = "1e-9",
) -> WorstCase:
    r"""Return the worst second-derivative constant of Berrut's interpolant over all survivor sets.

    The workers sit at the N + 1 Chebyshev points of the second kind, and n = N - s. For n odd the value is
    the largest error that some set of s stragglers and some f with :math:`\|f''\|\le1` give; for n even it
    is the constant of :math:`\|f''\|` beside `worst_linear_error_over_stragglers`.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1.
    stragglers : int
        0 <= s <= N - 1 (N on the interval).
    domain : {"hull", "interval"}, default "hull"
        Whether x runs over the survivors' hull or over [-1, 1].
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates, ``ball(bits)`` encloses.
    tolerance : str or Fraction, default "1e-9"

    Returns
    -------
    WorstCase

    Examples
    --------
    >>> worst = worst_error_over_stragglers(6, 2)
    >>> round(worst.value, 6), worst.survivors
    (0.404508, (0, 1, 4, 5))
    """
    return worst_over_survivors(workers, stragglers, domain, GapFrame.kernel, arithmetic, tolerance)


def worst_linear_error_over_stragglers(
    workers: int,
    stragglers: int,
    domain: Domain = "hull",
    arithmetic: Arithmetic = FLOAT,
    tolerance: str | Fraction = "1e-9",
) -> WorstCase:
    r"""Return the largest :math:`1/|D|` of Berrut's weights over all survivor sets.

    For an odd number of survivors this is the worst error for f(x) = x; an even number reproduces it.

    Parameters
    ----------
    workers : int
        Number of workers, N + 1, at Chebyshev points of the second kind.
    stragglers : int
        0 <= s <= N - 1 (N on the interval).
    domain : {"hull", "interval"}, default "hull"
        Whether x runs over the survivors' hull or over [-1, 1].
    arithmetic : Arithmetic, default FLOAT
        FLOAT estimates, ``ball(bits)`` encloses.
    tolerance : str or Fraction, default "1e-9"

    Returns
    -------
    WorstCase

    Examples
    --------
    >>> round(worst_linear_error_over_stragglers(9, 2, "interval").value, 4)
    0.5114
    """
    return worst_over_survivors(workers, stragglers, domain, GapFrame.reciprocal, arithmetic, tolerance)
