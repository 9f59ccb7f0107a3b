"""Which responders suffice for a sum of polynomial values: the polynomials that vanish at them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, Arithmetic, null_space, solve
from codedtheory.arithmetic.rational_polynomials import count_real_roots
from codedtheory.interpolation import lagrange_weights, nodes_from

from .aggregation import minimum_responses
from .blocks import functional_of_blocks
from .survivors import checked_count

__all__ = ["real_responder_polynomial", "responder_polynomials"]

Array = np.ndarray[Any, Any]


def responder_polynomials(
    data_points: Any, degree: int, count: int, b: Any = None, arithmetic: Arithmetic = EXACT
) -> Array:
    r"""Return a basis of the polynomials A whose zeros are responders that suffice for :math:`\sum_jb_jf(X_j)`.

    The answers of workers at the zeros of A, if these are distinct, suffice iff the functional
    :math:`P\mapsto\sum_jb_jP(\beta_j)` vanishes for all multiples of A among the polynomials of
    degree d(K-1):

    .. math:: \sum_jb_j\,A(\beta_j)\,\beta_j^k=0,\qquad k=0,\dots,d(K-1)-\deg A .

    Parameters
    ----------
    data_points : Nodes or array_like, shape (K,)
        Distinct :math:`\beta_j`.
    degree : int
        d, at least 1.
    count : int
        Largest degree of A, the number of responders; at most d(K-1).
    b : array_like, shape (K,), optional
        The mean by default.
    arithmetic : Arithmetic, default EXACT
        EXACT or ``modular(p)``.

    Returns
    -------
    numpy.ndarray, shape (count + 1, dimension)
        Coefficients from the 0th on, one polynomial a column.

    Examples
    --------
    The mean of cubics at -3, -1, 1, 3 follows from their values at the zeros of x**2 - 5:

    >>> responder_polynomials([-3, -1, 1, 3], degree=1, count=2).ravel().astype(str).tolist()
    ['-5', '0', '1']
    """
    K, d = len(data_points), checked_count("degree", degree, least=1)
    m = checked_count("count", count, least=0)
    if m > d * (K - 1):
        raise ValueError(f"count must be at most d(K-1) = {d * (K - 1)}, got {m}; one more gives every value")
    beta = nodes_from(data_points).over(arithmetic)
    functional = functional_of_blocks(b, K, arithmetic)
    powers = [arithmetic.ones(K)]
    for _ in range(d * (K - 1)):
        powers.append(powers[-1] * beta)
    moments = [functional @ power for power in powers]
    return null_space(np.array([[moments[i + k] for i in range(m + 1)] for k in range(d * (K - 1) - m + 1)]))


def real_responder_polynomial(data_points: Any, degree: int, b: Any = None) -> Array:
    r"""Return a polynomial with real zeros at which as few answers as possible suffice for :math:`\sum_jb_jf(X_j)`.

    For d = 1 and weights of one sign it is the orthogonal polynomial of the weights on the data points, or for an
    odd K a combination of two, and the zeros are the points of Gauss quadrature. For :math:`d\ge2` it is
    :math:`\prod_j(x-\beta_j)\,M(x)+cB(x)`, where B interpolates :math:`1/b_j` times the barycentric weights at
    :math:`\beta_j`, M has further real zeros, and c is so small that the zeros stay real and distinct.

    Parameters
    ----------
    data_points : Nodes or array_like, shape (K,)
        Rational, at least 2.
    degree : int
        d, at least 1.
    b : array_like, shape (K,), optional
        None of them 0, and of one sign if d = 1; the mean by default.

    Returns
    -------
    numpy.ndarray, shape (m + 1,)
        Coefficients from the 0th on, with m = `minimum_responses`.

    Raises
    ------
    ValueError
        If no such polynomial was found.

    Examples
    --------
    >>> real_responder_polynomial([0, 1], degree=1).astype(str).tolist()
    ['-1/2', '1']
    """
    K, d = len(data_points), checked_count("degree", degree, least=1)
    m = minimum_responses(K, d)
    if any(weight == 0 for weight in functional_of_blocks(b, K, EXACT)):
        raise ValueError(f"b must have no zero, got {list(b)}; leave out the blocks that do not count")
    candidates: list[Array]
    if d == 1:
        space = responder_polynomials(data_points, d, m, b)
        candidates = [space @ EXACT.array([*[Fraction(1, 97)] * (space.shape[1] - 1), 1])]
    else:
        candidates = [_perturbed(data_points, m, b, Fraction(1, 16**k)) for k in range(1, 16)]
    for polynomial in candidates:
        if polynomial[m] != 0 and count_real_roots(list(polynomial)) == m:
            return polynomial
    raise ValueError(f"no {m} real responders were found; for degree 1 give b one sign, or use another field")


def _perturbed(data_points: Any, m: int, b: Any, step: Fraction) -> Array:
    nodes = nodes_from(data_points)
    beta, K = nodes.over(EXACT), len(nodes)
    ratios = lagrange_weights(nodes).over(EXACT) / functional_of_blocks(b, K, EXACT)
    vandermonde = np.stack([beta**k for k in range(K)], axis=1)
    beyond = [max(beta) + 1 + i for i in range(m - K)]
    polynomial = _with_zeros([*beta, *beyond])
    polynomial[:K] = polynomial[:K] + step * solve(vandermonde, ratios)
    return polynomial


def _with_zeros(zeros: list[Any]) -> Array:
    polynomial = EXACT.array([1])
    for zero in zeros:
        shifted = np.append(EXACT.zeros(1), polynomial)
        shifted[:-1] = shifted[:-1] - zero * polynomial
        polynomial = shifted
    return polynomial
