"""Sums of polynomial values from fewer answers than the values themselves would need."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, Arithmetic, solve

from .blocks import functional_of_blocks
from .code_points import placed_points
from .survivors import checked_count

__all__ = ["aggregation_weights", "minimum_responses"]


def minimum_responses(data_blocks: int, degree: int) -> int:
    r"""Return the least number of answers from which :math:`\sum_jw_jf(X_j)` follows for all f of a degree.

    It is :math:`\lfloor(K-1)/2\rfloor+1` for d = 1 and :math:`(d-1)(K-1)+1` for :math:`d\ge2`, where
    Lagrange coding of the single values needs d(K-1)+1.

    Parameters
    ----------
    data_blocks : int
        K, at least 1.
    degree : int
        d, at least 1.

    Returns
    -------
    int

    Notes
    -----
    Coded polynomial aggregation, arXiv 2601.10028. It holds for one fixed set of responders (no
    stragglers), Lagrange encoding, worker points off the data points that are chosen to suit generic
    non-zero weights, in a field with enough points. Prescribed points may need more
    (`aggregation_weights` tells), and schemes of another kind fewer: for d = 1 one worker that is fed
    :math:`\sum_jw_jX_j` suffices.
    Over the reals weights of one sign are enough for d = 1, for the points are those of Gauss
    quadrature; mixed signs may have no real points. Data points -3, -1, 1, 3 with weights -1/2, 1, 1, -1/2
    would need the zeros of :math:`x^2+7`, and no three real answers give the sum for -2, ..., 2 with
    weights 1, -8, 22, -8, 1.
    Lower bound for d >= 2: any d(K-1)+1 evaluations are independent on polynomials of degree d(K-1), so
    that K data points and m answers can be dependent only if K + m > d(K-1) + 1.

    Examples
    --------
    >>> minimum_responses(5, degree=1), minimum_responses(5, degree=2)
    (3, 5)
    """
    K = checked_count("data_blocks", data_blocks, least=1)
    d = checked_count("degree", degree, least=1)
    return (K - 1) // 2 + 1 if d == 1 else (d - 1) * (K - 1) + 1


def aggregation_weights(
    responders: Any, data_points: Any, degree: int, b: Any = None, arithmetic: Arithmetic = EXACT
) -> np.ndarray[Any, Any] | None:
    r"""Return weights with :math:`\sum_jb_jf(X_j)=\sum_ic_if(u(a_i))` for every f of a degree, if there are any.

    The compositions f(u) of Lagrange's encoder u with maps of total degree d span the polynomials P of
    degree d(K-1), so that the answers suffice iff the functional :math:`\sum_jb_jP(\beta_j)` is a
    combination of the evaluations :math:`P(a_i)`: iff adding the row
    :math:`\sum_jb_j(1,\beta_j,\dots,\beta_j^{d(K-1)})` to the rows
    :math:`(1,a_i,\dots,a_i^{d(K-1)})` leaves the rank as it is.

    Parameters
    ----------
    responders : Nodes or array_like, shape (m,)
        Distinct worker points :math:`a_i`.
    data_points : Nodes or array_like, shape (K,)
        Distinct data points :math:`\beta_j`.
    degree : int
        d, at least 1.
    b : array_like, shape (K,), optional
        The mean by default.
    arithmetic : Arithmetic, default EXACT
        Exact: EXACT, ``modular(p)`` or cyclotomic.

    Returns
    -------
    numpy.ndarray, shape (m,), or None
        The weights; ``None`` if the answers do not suffice.

    Raises
    ------
    ValueError
        If the arithmetic is not exact: whether a rank grows is no matter of tolerances.

    Examples
    --------
    >>> aggregation_weights([0], [-1, 1], degree=1).tolist()        # the mean of a line is its middle
    [Rational(1, 1)]
    >>> aggregation_weights([0], [-1, 1], degree=2) is None
    True
    """
    if not arithmetic.is_rigorous or hasattr(arithmetic, "bits"):
        raise ValueError(f"arithmetic must be exact, got {arithmetic}; use EXACT, modular(p) or cyclotomic(n)")
    d = checked_count("degree", degree, least=1)
    a = placed_points("responders", responders, len(responders), arithmetic).over(arithmetic)
    beta = placed_points("data_points", data_points, len(data_points), arithmetic).over(arithmetic)
    functional = functional_of_blocks(b, len(beta), arithmetic)
    terms = d * (len(beta) - 1) + 1
    # more answers than coefficients are dependent, and the first ones are a basis
    used = min(len(a), terms)
    evaluations = _powers(a[:used], terms, arithmetic)
    target = _powers(beta, terms, arithmetic) @ functional
    weights = arithmetic.zeros(len(a))
    weights[:used] = solve(evaluations[:used], target[:used])
    is_reached = bool((evaluations[used:] @ weights[:used] == target[used:]).all())
    return weights if is_reached else None


def _powers(points: np.ndarray[Any, Any], count: int, arithmetic: Arithmetic) -> np.ndarray[Any, Any]:
    rows = [arithmetic.ones(len(points))]
    for _ in range(count - 1):
        rows.append(rows[-1] * points)
    return np.stack(rows)
