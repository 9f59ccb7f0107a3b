"""Bounds of Lebesgue constants of polynomial interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic

from .euler_constant import euler_constant

__all__ = [
    "chebyshev_first_lower_bound",
    "chebyshev_first_upper_bound",
    "polynomial_equispaced_asymptote",
    "polynomial_equispaced_lower_bound",
    "polynomial_equispaced_upper_bound",
    "polynomial_lower_bound",
]


def polynomial_equispaced_lower_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a strict lower bound of the Lebesgue constant of degree n at equispaced nodes.

    .. math:: \Lambda>\frac{2^{n-2}}{n^2}

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        A lower bound.

    Notes
    -----
    L. N. Trefethen, J. A. C. Weideman, Two results on polynomial interpolation in equally spaced points,
    J. Approx. Theory 65:247-260 (1991).

    Examples
    --------
    >>> polynomial_equispaced_lower_bound(20)
    655.36
    """
    n = _gaps(n, 1)
    return arithmetic.number(2) ** n / (4 * n * n)


def polynomial_equispaced_upper_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a strict upper bound of the Lebesgue constant of degree n at equispaced nodes.

    .. math:: \Lambda<\frac{2^{n+3}}n

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        An upper bound.

    Notes
    -----
    L. N. Trefethen, J. A. C. Weideman, J. Approx. Theory 65:247-260 (1991).

    Examples
    --------
    >>> polynomial_equispaced_upper_bound(8)
    256.0
    """
    n = _gaps(n, 1)
    return arithmetic.number(2) ** (n + 3) / n


def polynomial_equispaced_asymptote(n: int, refined: bool = True, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the asymptote of the Lebesgue constant of degree n at n + 1 equispaced nodes.

    .. math:: \Lambda\sim\frac{2^{n+1}}{e\,n\ln n},\qquad\text{refined: }\Lambda\sim\frac{2^{n+1}}{e\,n(\ln n+\gamma)}

    Parameters
    ----------
    n : int
        Number of gaps, at least 2.
    refined : bool, default True
        Whether to add Euler's constant, which makes the quotient converge much faster.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        Asymptotic, no bound.

    Notes
    -----
    A. Schönhage, Fehlerfortpflanzung bei Interpolation, Numer. Math. 3:62-71 (1961). The law is often quoted
    for n nodes, that is with one n less.

    Examples
    --------
    >>> round(polynomial_equispaced_asymptote(20))
    10796
    """
    n = _gaps(n, 2)
    growth = arithmetic.log(n)
    if refined:
        growth = growth + euler_constant(arithmetic)
    return arithmetic.number(2) ** (n + 1) / (arithmetic.exp(1) * n * growth)


def chebyshev_first_lower_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a strict lower bound of the Lebesgue constant of degree n at Chebyshev points of the first kind.

    .. math:: \Lambda>\frac2\pi\Big(\ln(n+1)+\gamma+\ln\frac8\pi\Big)

    Parameters
    ----------
    n : int
        Number of gaps, at least 0: there are n + 1 points.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        A lower bound, and the asymptote.

    Notes
    -----
    The Lebesgue constant is taken over [-1, 1], where it is attained at the ends. T. J. Rivlin, The Lebesgue
    constants for polynomial interpolation, LNM 399 (1974); L. Brutman, Lebesgue functions for polynomial
    interpolation - a survey, Ann. Numer. Math. 4:111-127 (1997).

    Examples
    --------
    >>> round(chebyshev_first_lower_bound(10), 4)
    2.4891
    """
    n = _gaps(n, 0)
    pi = arithmetic.pi
    return 2 / pi * (arithmetic.log(8 * (n + 1) / pi) + euler_constant(arithmetic))


def chebyshev_first_upper_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return an upper bound of the Lebesgue constant of degree n at Chebyshev points of the first kind.

    .. math:: \Lambda\le1+\frac2\pi\ln(n+1)

    Parameters
    ----------
    n : int
        Number of gaps, at least 0: there are n + 1 points.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An upper bound over [-1, 1], attained for n = 0.

    Notes
    -----
    T. J. Rivlin, LNM 399 (1974).

    Examples
    --------
    >>> round(chebyshev_first_upper_bound(10), 4)
    2.5265
    """
    n = _gaps(n, 0)
    return 1 + 2 / arithmetic.pi * arithmetic.log(n + 1)


def polynomial_lower_bound(n: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a lower bound of the Lebesgue constant of degree n at any n + 1 nodes.

    .. math:: \Lambda\ge\frac2\pi\ln n+0.5212

    Parameters
    ----------
    n : int
        Number of gaps, at least 1.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        A lower bound over any interval that contains the nodes.

    Notes
    -----
    P. Erdős, Problems and results on the theory of interpolation II, Acta Math. Acad. Sci. Hungar.
    12:235-244 (1961); L. Brutman, Ann. Numer. Math. 4:111-127 (1997).

    Examples
    --------
    >>> round(polynomial_lower_bound(10), 4)
    1.9871
    """
    n = _gaps(n, 1)
    return 2 / arithmetic.pi * arithmetic.log(n) + arithmetic.number("0.5212")


def _gaps(n: Any, least: int) -> int:
    if isinstance(n, (bool, np.bool_)) or not hasattr(n, "__index__"):
        raise TypeError(f"n must be an integer, got {n!r}")
    if n < least:
        raise ValueError(f"n must be at least {least}, got {n}")
    return int(n)
