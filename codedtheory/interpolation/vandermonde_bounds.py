"""Classical growth laws and lower bounds of Vandermonde condition numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic

__all__ = [
    "beckermann_bound",
    "chebyshev_first_vandermonde_growth",
    "chebyshev_submatrix_growth",
    "equispaced_vandermonde_growth",
    "gautschi_inglese_bound",
]


def equispaced_vandermonde_growth(count: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the asymptotic condition of the Vandermonde matrix of m equispaced nodes in [-1, 1].

    .. math:: \kappa\sim\frac1\pi e^{-\pi/4}e^{m(\pi/4+\frac12\ln2)}

    Parameters
    ----------
    count : int
        Number of nodes m.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        Asymptotic, no bound: the true value for the norm p = 1 of `vandermonde_condition` is 1.068 times it at
        m = 20.

    Notes
    -----
    W. Gautschi, Norm estimates for inverses of Vandermonde matrices, Numer. Math. 23:337-347 (1975).

    Examples
    --------
    >>> from codedtheory.interpolation.node_families import equispaced
    >>> from codedtheory.interpolation.vandermonde import vandermonde_condition
    >>> round(vandermonde_condition(equispaced(20)) / equispaced_vandermonde_growth(20), 3)
    1.068
    """
    m = _count(count, 1)
    quarter = arithmetic.pi / 4
    return arithmetic.exp(m * (quarter + arithmetic.log(2) / 2) - quarter) / arithmetic.pi


def chebyshev_first_vandermonde_growth(count: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the asymptotic condition of the Vandermonde matrix of m Chebyshev points of the first kind.

    .. math:: \kappa\sim\frac{3^{3/4}}4(1+\sqrt2)^m

    Parameters
    ----------
    count : int
        Number of nodes m.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        Asymptotic, no bound, for the norm p = 1 of `vandermonde_condition`.

    Notes
    -----
    W. Gautschi, Numer. Math. 23:337-347 (1975).

    Examples
    --------
    >>> round(chebyshev_first_vandermonde_growth(1), 3)
    1.376
    """
    m = _count(count, 1)
    return arithmetic.sqrt(arithmetic.sqrt(27)) / 4 * (1 + arithmetic.sqrt(2)) ** m


def gautschi_inglese_bound(
    count: int, kind: Literal["positive", "symmetric", "reciprocal"], arithmetic: Arithmetic = FLOAT
) -> Any:
    r"""Return a strict lower bound of the condition of Vandermonde matrices of m real nodes.

    .. math:: \kappa>2^{m-1}\text{ (positive nodes)},\quad\kappa>2^{m/2}\text{ (symmetric nodes)},\quad
              \kappa>m^{m+1}\text{ (nodes }1,\tfrac12,\dots,\tfrac1m)

    Parameters
    ----------
    count : int
        Number of nodes m, at least 3.
    kind : {"positive", "symmetric", "reciprocal"}
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    number
        A lower bound for the norm p = 1 of `vandermonde_condition`.

    Notes
    -----
    W. Gautschi, G. Inglese, Lower bounds for the condition number of Vandermonde matrices, Numer. Math.
    52:241-250 (1988).

    Examples
    --------
    >>> gautschi_inglese_bound(4, "positive")
    8.0
    """
    m = _count(count, 3)
    if kind == "positive":
        return arithmetic.number(2) ** (m - 1)
    if kind == "symmetric":
        return arithmetic.number(2) ** (m // 2) * (arithmetic.sqrt(2) if m % 2 else 1)
    if kind == "reciprocal":
        return arithmetic.number(m) ** (m + 1)
    raise ValueError(f"kind must be 'positive', 'symmetric' or 'reciprocal', got {kind!r}")


def beckermann_bound(count: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return a lower bound of the spectral condition of Vandermonde matrices of any real nodes.

    .. math:: \kappa_2\ge\sqrt{\frac2{n+1}}\,(1+\sqrt2)^{n-1}

    for **n + 1** nodes. Read with n nodes it is false: -1, 0, 1 have :math:`\kappa_2=3.2255`.

    Parameters
    ----------
    count : int
        Number of nodes, n + 1, at least 2.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        A lower bound, attained for the nodes -1, 1.

    Notes
    -----
    B. Beckermann, The condition number of real Vandermonde, Krylov and positive definite Hankel matrices,
    Numer. Math. 85:553-577 (2000).

    Examples
    --------
    >>> round(beckermann_bound(5), 3)
    8.899
    """
    n = _count(count, 2) - 1
    return arithmetic.sqrt(arithmetic.number(2) / (n + 1)) * (1 + arithmetic.sqrt(2)) ** (n - 1)


def chebyshev_submatrix_growth(count: int, missing: int, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the expression in the growth law of conditions of Chebyshev-Vandermonde submatrices.

    .. math:: \kappa_F=O\Big((m-s)\sqrt{ms(m-s)}\,(2m^2)^{s-1}\Big)

    for every choice of m - s of the m Chebyshev points of the first kind and polynomials of degree below
    m - s.

    Parameters
    ----------
    count : int
        Number of points m.
    missing : int
        Number of points left out, 1 <= s < m.
    arithmetic : Arithmetic, default FLOAT
        Floats, balls or decimals.

    Returns
    -------
    number
        An asymptotic order without its constant: sharp for s = 1, far too large for s = 2, 3, where the
        order m**(2 s) is right.

    Notes
    -----
    M. Fahim, V. R. Cadambe, Numerically stable polynomially coded computing (2019), arXiv:1903.08326.

    Examples
    --------
    >>> chebyshev_submatrix_growth(4, 1)
    10.392304845413264
    """
    m, s = _count(count, 2), _count(missing, 1)
    if s >= m:
        raise ValueError(f"missing must be below count = {m}, got {s}")
    return (m - s) * arithmetic.sqrt(m * s * (m - s)) * arithmetic.number(2 * m * m) ** (s - 1)


def _count(count: Any, least: int) -> int:
    if isinstance(count, (bool, np.bool_)) or not hasattr(count, "__index__"):
        raise TypeError(f"count must be an integer, got {count!r}")
    if count < least:
        raise ValueError(f"count must be at least {least}, got {count}")
    return int(count)
