"""Bounds of Lebesgue constants of Berrut's and Floater and Hormann's interpolants."""

from __future__ import annotations

from math import comb
from typing import Any, Literal

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic

from .euler_constant import euler_constant

__all__ = [
    "berrut_equispaced_asymptote",
    "berrut_equispaced_lower_bound",
    "berrut_equispaced_upper_bound",
    "floater_hormann_equispaced_lower_bound",
    "floater_hormann_equispaced_upper_bound",
    "quasi_equispaced_upper_bound",
    "well_spaced_upper_bound",
]


def berrut_equispaced_lower_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a lower bound of Berrut's Lebesgue constant at n + 1 equispaced nodes.

    .. math:: \Lambda_n\ge\frac{2n}{4+n\pi}\ln(n+1)

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        A lower bound.

    Notes
    -----
    L. Bos, S. De Marchi, K. Hormann, On the Lebesgue constant of Berrut's rational interpolant at
    equidistant nodes, J. Comput. Appl. Math. 236:504-510 (2011).

    Examples
    --------
    >>> round(berrut_equispaced_lower_bound(1000), 4)
    4.3927
    """
    n = _gaps(n, 1)
    return 2 * n / (4 + n * arithmetic.pi) * arithmetic.log(n + 1)


def berrut_equispaced_upper_bound(n: int, improved: bool = False, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of Berrut's Lebesgue constant at n + 1 equispaced nodes.

    .. math:: \Lambda_n\le2+\ln n,\qquad\text{improved: }\Lambda_n\le\tfrac34(2+\ln n)

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    improved : bool, default False
        Whether to return the improved form.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound.

    Notes
    -----
    L. Bos, S. De Marchi, K. Hormann, J. Comput. Appl. Math. 236:504-510 (2011); the improved form is the
    case M = 1 of `quasi_equispaced_upper_bound`.

    Examples
    --------
    >>> round(berrut_equispaced_upper_bound(1000), 4)
    8.9078
    """
    n = _gaps(n, 1)
    bound = 2 + arithmetic.log(n)
    return bound * 3 / 4 if improved else bound


def berrut_equispaced_asymptote(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the asymptote of Berrut's Lebesgue constant at n + 1 equispaced nodes.

    .. math:: \Lambda_n=\frac2\pi\big(\ln(n+1)+\ln2+\gamma\big)+o(1)

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        Asymptotic, no bound: odd n lie above it.

    Examples
    --------
    >>> round(berrut_equispaced_asymptote(1000), 4)
    5.207
    """
    n = _gaps(n, 1)
    return 2 / arithmetic.pi * (arithmetic.log(2 * (n + 1)) + euler_constant(arithmetic))


def floater_hormann_equispaced_lower_bound(n: int, d: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a lower bound of the Floater-Hormann Lebesgue constant at n + 1 equispaced nodes.

    .. math:: \Lambda\ge2^{-(d+2)}\binom{2d+1}d\ln\Big(\frac nd-1\Big)

    Parameters
    ----------
    n : int
        Number of gaps, at least 2d.
    d : int
        Blending degree, at least 1.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        A lower bound; 0 for n = 2d.

    Notes
    -----
    L. Bos, S. De Marchi, K. Hormann, G. Klein, On the Lebesgue constant of barycentric rational
    interpolation at equidistant nodes, Numer. Math. 121:461-471 (2012).

    Examples
    --------
    >>> round(floater_hormann_equispaced_lower_bound(40, 3), 4)
    2.7478
    """
    n, d = _degree(n, d)
    return arithmetic.log(arithmetic.number(n - d) / d) * comb(2 * d + 1, d) / 2 ** (d + 2)


def floater_hormann_equispaced_upper_bound(n: int, d: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of the Floater-Hormann Lebesgue constant at n + 1 equispaced nodes.

    .. math:: \Lambda\le2^{d-1}(2+\ln n)

    Parameters
    ----------
    n : int
        Number of gaps, at least 2d.
    d : int
        Blending degree, at least 1.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound.

    Notes
    -----
    L. Bos, S. De Marchi, K. Hormann, G. Klein, Numer. Math. 121:461-471 (2012).

    Examples
    --------
    >>> round(floater_hormann_equispaced_upper_bound(40, 3), 4)
    22.7555
    """
    n, d = _degree(n, d)
    return (2 + arithmetic.log(n)) * 2 ** (d - 1)


def quasi_equispaced_upper_bound(n: int, d: int, M: Any, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of the Floater-Hormann Lebesgue constant at quasi-equidistant nodes.

    .. math:: \Lambda\le(2+M\ln n)\,\tfrac34M\ (d=0),\qquad\Lambda\le(2+M\ln n)\,2^{d-1}M^d\ (d\ge1)

    Parameters
    ----------
    n : int
        Number of gaps, at least 1 and at least d.
    d : int
        Blending degree, at least 0.
    M : number
        Largest gap over smallest gap, or more (`quasi_uniformity`).
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound.

    Notes
    -----
    K. Hormann, G. Klein, S. De Marchi, Barycentric rational interpolation at quasi-equidistant nodes,
    Dolomites Res. Notes Approx. 5:1-6 (2012).

    Examples
    --------
    >>> quasi_equispaced_upper_bound(1, 0, 1)
    1.5
    """
    n = _gaps(n, 1)
    if not 0 <= d <= n:
        raise ValueError(f"d must be from 0 to n = {n}, got {d}")
    ratio = arithmetic.number(M)
    if (ratio < 1) is True:
        raise ValueError(f"M must be at least 1, got {M}")
    factor = ratio * 3 / 4 if d == 0 else ratio**d * 2 ** (d - 1)
    return (2 + ratio * arithmetic.log(n)) * factor


def well_spaced_upper_bound(
    n: int, R: Any, C: Any, form: Literal["published", "sharp"] = "published", arithmetic: Arithmetic = FLOAT
) -> Any:
    r"""Return an upper bound of Berrut's Lebesgue constant on the hull of well spaced nodes.

    .. math:: \text{published: }\Lambda\le(R+1)(1+2C\ln n),\qquad
              \text{sharp: }\Lambda\le\Big(1+\frac R2\Big)(1+C\ln n)

    Parameters
    ----------
    n : int
        Number of gaps, at least 2.
    R, C : number
        Constants of the nodes (`well_spaced_constants`), or larger ones.
    form : {"published", "sharp"}, default "published"
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound, on the hull only: outside, the Lebesgue function may exceed it.

    Notes
    -----
    Published: L. Bos, S. De Marchi, K. Hormann, J. Sidon, J. Approx. Theory 169:7-22 (2013). Sharp: multiply
    numerator and denominator by :math:`(x-x_k)(x_{k+1}-x)`; the denominator is at least
    :math:`2g_k/(R+2)` (`denominator_bounds_by_gap`), the numerator at most :math:`g_k(1+C\ln n)`.

    Examples
    --------
    >>> round(well_spaced_upper_bound(3, 1, 1), 4), round(well_spaced_upper_bound(3, 1, 1, "sharp"), 4)
    (6.3944, 3.1479)
    """
    n = _gaps(n, 2)
    ratio, spacing = arithmetic.number(R), arithmetic.number(C)
    for name, value in (("R", ratio), ("C", spacing)):
        if (value < 1) is True:
            raise ValueError(f"{name} must be at least 1, got {value}")
    growth = spacing * arithmetic.log(n)
    if form == "published":
        return (ratio + 1) * (1 + 2 * growth)
    if form == "sharp":
        return (1 + ratio / 2) * (1 + growth)
    raise ValueError(f"form must be 'published' or 'sharp', got {form!r}")


def _gaps(n: Any, least: int) -> int:
    if isinstance(n, (bool, np.bool_)) or not hasattr(n, "__index__"):
        raise TypeError(f"n must be an integer, got {n!r}")
    if n < least:
        raise ValueError(f"n must be at least {least}, got {n}")
    return int(n)


def _degree(n: Any, d: Any) -> tuple[int, int]:
    d, n = _gaps(d, 0), _gaps(n, 1)
    if d < 1 or n < 2 * d:
        raise ValueError(f"d must be from 1 to n/2 for n = {n}, got {d}")
    return n, d
