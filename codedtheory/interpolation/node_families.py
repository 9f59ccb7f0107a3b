"""Families of nodes: Chebyshev points of both kinds, equally spaced points, roots of unity."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np

from ..arithmetic import Rational
from .nodes import Nodes
from .points import Cosine, RootOfUnity

__all__ = ["chebyshev_first", "chebyshev_second", "equispaced", "roots_of_unity"]


def _count(n: Any) -> int:
    if isinstance(n, (bool, np.bool_)) or not hasattr(n, "__index__"):
        raise TypeError(f"n must be an integer, got {n!r}")
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n!r}")
    return int(operator.index(n))


def chebyshev_first(n: int) -> Nodes:
    r"""Return the n Chebyshev points of the first kind, :math:`\cos\frac{(2j+1)\pi}{2n}`, decreasing.

    Parameters
    ----------
    n : int
        Number of nodes, at least 1.

    Returns
    -------
    Nodes

    Notes
    -----
    They are the zeros of the Chebyshev polynomial :math:`T_n` and lie inside (-1, 1).

    Examples
    --------
    >>> np.asarray(chebyshev_first(3)).round(4).tolist()
    [0.866, 0.0, -0.866]
    """
    n = _count(n)
    points = tuple(Cosine(Fraction(2 * j + 1, 2 * n)) for j in range(n))
    return Nodes._of(points, f"{n} Chebyshev point{'s' if n > 1 else ''} of the first kind")


def chebyshev_second(n: int) -> Nodes:
    r"""Return the n Chebyshev points of the second kind, :math:`\cos\frac{j\pi}{n-1}`, decreasing from 1 to -1.

    Parameters
    ----------
    n : int
        Number of nodes, at least 2 (both ends belong to the family).

    Returns
    -------
    Nodes

    Notes
    -----
    The n workers of Berrut approximated coded computing (Jahani-Nezhad and Maddah-Ali 2023,
    arXiv:2009.08327) sit at these points; with N = n - 1 they are :math:`\cos(j\pi/N)`.

    Examples
    --------
    >>> np.asarray(chebyshev_second(3)).tolist()
    [1.0, 0.0, -1.0]
    """
    n = _count(n)
    if n < 2:
        raise ValueError("n must be at least 2 for Chebyshev points of the second kind, got 1; use chebyshev_first(1)")
    points = tuple(Cosine(Fraction(j, n - 1)) for j in range(n))
    return Nodes._of(points, f"{n} Chebyshev points of the second kind")


def equispaced(n: int, a: Any = -1, b: Any = 1) -> Nodes:
    """Return n equally spaced nodes from a to b, both included.

    Parameters
    ----------
    n : int
        Number of nodes, at least 2 (at least 1 if a == b).
    a, b : int, Fraction, Rational or str, default -1 and 1
        Ends, exactly; b < a gives decreasing nodes.

    Returns
    -------
    Nodes

    Examples
    --------
    >>> equispaced(4, 0, 1).points
    (Rational(0, 1), Rational(1, 3), Rational(2, 3), Rational(1, 1))
    """
    n = _count(n)
    first, last = _end("a", a), _end("b", b)
    if (n == 1) != (first == last):
        raise ValueError(f"n equally spaced nodes need a != b for n >= 2 and a == b for n = 1, got n={n}, a={a}, b={b}")
    step = (last - first) / max(n - 1, 1)
    points = tuple(first + step * j for j in range(n))
    return Nodes._of(points, f"{n} equally spaced nodes from {first} to {last}")


def _end(name: str, value: Any) -> Rational:
    if isinstance(value, (float, np.floating)):
        raise TypeError(f"{name} must be exact, got {value!r}; write it as a Fraction or a string, or use exactly(x)")
    return Rational(value)


def roots_of_unity(n: int) -> Nodes:
    r"""Return the n-th roots of unity :math:`e^{2\pi ij/n}`, j = 0 ... n-1, as complex nodes.

    Parameters
    ----------
    n : int
        At least 1.

    Returns
    -------
    Nodes
        Values are in ``cyclotomic(n)``, ``complex_ball(bits)`` and, as complex doubles, in ``FLOAT``.

    Examples
    --------
    >>> np.asarray(roots_of_unity(4)).tolist()
    [(1+0j), 1j, (-1+0j), -1j]
    """
    n = _count(n)
    return Nodes._of(tuple(RootOfUnity(Fraction(j, n)) for j in range(n)), f"the {n} roots of unity of order {n}")
