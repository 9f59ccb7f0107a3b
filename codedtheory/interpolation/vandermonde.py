"""Vandermonde matrices in the monomial and the Chebyshev basis."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, maximum

from .nodes import Nodes, nodes_from
from .points import Cosine

__all__ = ["chebyshev_vandermonde", "vandermonde", "vandermonde_condition", "vandermonde_inverse"]

Array = npt.NDArray[Any]


def vandermonde(nodes: Any, degree: int | None = None, arithmetic: Arithmetic = FLOAT) -> Array:
    r"""Return the matrix :math:`V_{ij}=x_i^j`, one row a node.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes, or roots of unity.
    degree : int, optional
        Largest power; by default as many columns as rows.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    numpy.ndarray
        Shape (m, degree + 1).

    Notes
    -----
    W. Gautschi and others index the columns by nodes; their infinity-norm is the 1-norm here.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> [[int(v.fraction) for v in row] for row in vandermonde([1, 2, 3], arithmetic=EXACT)]
    [[1, 1, 1], [1, 2, 4], [1, 3, 9]]
    """
    known = nodes_from(nodes)
    columns = _columns(known, degree)
    x = known.over(arithmetic)
    result = [np.full(x.shape, arithmetic.number(1), dtype=x.dtype)]
    for _ in range(columns - 1):
        result.append(result[-1] * x)
    return np.stack(result, axis=1)


def chebyshev_vandermonde(
    nodes: Any, degree: int | None = None, normalised: bool = False, arithmetic: Arithmetic = FLOAT
) -> Array:
    r"""Return the matrix :math:`T_j(x_i)` of Chebyshev polynomials, one row a node.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    degree : int, optional
        Largest degree; by default as many columns as rows.
    normalised : bool, default False
        Whether :math:`T_0` is divided by the root of 2, so that on all m Chebyshev points of the first
        kind the columns are orthogonal of length :math:`\sqrt{m/2}`.
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    numpy.ndarray
        Shape (m, degree + 1). At Chebyshev points the entries are cosines of the multiples of the angles.

    Notes
    -----
    M. Fahim, V. R. Cadambe, Numerically stable polynomially coded computing (2019), arXiv:1903.08326.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> [str(v) for v in chebyshev_vandermonde([0, "1/2", 1], arithmetic=EXACT)[1]]
    ['1', '1/2', '-1/2']
    """
    known = nodes_from(nodes)
    known.require_ordered()
    columns = _columns(known, degree)
    x = known.over(arithmetic)
    one = np.full(x.shape, arithmetic.number(1), dtype=x.dtype)
    first = one * arithmetic.cos_pi(Fraction(1, 4)) if normalised else one
    result = [first, x][:columns]
    angles = [p.q for p in known.points if isinstance(p, Cosine)]
    before, last = one, x
    for j in range(2, columns):
        if len(angles) == len(known):
            last = np.array([arithmetic.cos_pi(j * q) for q in angles], dtype=x.dtype)
        else:
            before, last = last, 2 * x * last - before
        result.append(last)
    return np.stack(result, axis=1)


def vandermonde_inverse(nodes: Any, arithmetic: Arithmetic = FLOAT) -> Array:
    """Return the inverse of `vandermonde`: column i holds the coefficients of the i-th Lagrange polynomial.

    Parameters
    ----------
    nodes : Nodes or array_like
    arithmetic : Arithmetic, default FLOAT

    Returns
    -------
    numpy.ndarray
        Shape (m, m), from O(m**2) operations.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> [[str(v) for v in row] for row in vandermonde_inverse([-1, 0, 1], EXACT)]
    [['0', '1', '0'], ['-1/2', '0', '1/2'], ['1/2', '-1', '1/2']]
    """
    x = nodes_from(nodes).over(arithmetic)
    count = len(x)
    full = [arithmetic.number(1)]
    for node in x:
        shifted = [arithmetic.number(0), *full]
        full = [a - node * b for a, b in zip(shifted, [*full, arithmetic.number(0)], strict=True)]
    result = np.empty((count, count), dtype=x.dtype)
    for i, node in enumerate(x):
        quotient = [full[count]]
        for coefficient in full[count - 1 : 0 : -1]:
            quotient.append(coefficient + node * quotient[-1])
        value = quotient[0] * 0
        for coefficient in quotient:
            value = value * node + coefficient
        result[:, i] = [c / value for c in reversed(quotient)]
    return result


def vandermonde_condition(nodes: Any, p: int | str = 1, arithmetic: Arithmetic = FLOAT) -> Any:
    r"""Return the condition number :math:`\|V\|_p\|V^{-1}\|_p` of the square `vandermonde` matrix.

    Parameters
    ----------
    nodes : Nodes or array_like
        Real nodes.
    p : {1, "inf"}, default 1
        Norm; 1 is the infinity-norm of the transposed matrix, in which the classical bounds are stated.
    arithmetic : Arithmetic, default FLOAT
        Over floats the result loses accuracy as the condition number grows; over EXACT it is exact.

    Returns
    -------
    number

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> vandermonde_condition([-1, 0, 1], arithmetic=EXACT)
    Rational(6, 1)
    """
    if p not in (1, "inf"):
        raise ValueError(f"p must be 1 or 'inf', got {p!r}; use condition_number(vandermonde(nodes), p) for others")
    known = nodes_from(nodes)
    known.require_ordered()
    axis = 0 if p == 1 else 1
    norms = [
        maximum(np.abs(matrix).sum(axis=axis))
        for matrix in (vandermonde(known, arithmetic=arithmetic), vandermonde_inverse(known, arithmetic))
    ]
    return arithmetic.number(norms[0] * norms[1])


def _columns(nodes: Nodes, degree: Any) -> int:
    if degree is None:
        return len(nodes)
    if isinstance(degree, (bool, np.bool_)) or not hasattr(degree, "__index__"):
        raise TypeError(f"degree must be an integer, got {degree!r}")
    if degree < 0:
        raise ValueError(f"degree must be at least 0, got {degree}")
    return int(degree) + 1
