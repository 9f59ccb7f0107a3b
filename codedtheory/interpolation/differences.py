"""Differences of nodes in doubles, with small relative errors and a bound on them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .nodes import Nodes

__all__ = ["UNIT_ROUNDOFF", "difference_error", "differences"]

FloatArray = npt.NDArray[np.float64]

UNIT_ROUNDOFF = 2.0**-53


def differences(rows: Nodes, columns: Nodes | None = None) -> FloatArray:
    r"""Return the matrix of :math:`x_i-y_j` in doubles, accurate also where the points nearly agree.

    Subtracting rounded Chebyshev points loses all digits that neighbours share. Here every point enters as a
    sum of two doubles, so that the error is relative to the difference (see `difference_error`).

    Parameters
    ----------
    rows : Nodes
        The points x.
    columns : Nodes, optional
        The points y; the same ones by default.

    Returns
    -------
    numpy.ndarray of float64, shape (len(rows), len(columns))
    """
    a, b, _ = _parts(rows, columns)
    return a + b


def difference_error(rows: Nodes, columns: Nodes | None = None) -> float:
    r"""Return a bound on the relative errors of `differences`, zero differences of equal points aside.

    Notes
    -----
    With :math:`x=H+L+\eta` for both points, :math:`a=H_i-H_j`, :math:`b=L_i-L_j` and unit roundoff u, the
    computed :math:`\hat d=fl(fl(a)+fl(b))` satisfies

    .. math:: |\hat d-(x_i-x_j)|\le\frac u{1-u}(|\hat a|+|\hat b|)+\frac u{1-u}|\hat d|+|\eta_i|+|\eta_j|=:E,

    because :math:`|fl(t)-t|\le u|t|\le\frac u{1-u}|fl(t)|`; the relative error is at most
    :math:`E/(|\hat d|-E)`. The sum itself is evaluated with fewer than 16 roundings, which the factor
    1 + 32 u covers. Subnormal results are subtractions, hence exact.

    Raises
    ------
    ValueError
        If two points are too close for doubles.
    """
    a, b, eta = _parts(rows, columns)
    total = np.abs(a + b)
    error = (UNIT_ROUNDOFF * (1 + 2 * UNIT_ROUNDOFF)) * (np.abs(a) + np.abs(b) + total) + eta
    distinct = total > 0
    if columns is None:
        np.fill_diagonal(distinct, val=False)
        np.fill_diagonal(total, 1.0)
    # two sums of doubles that are equal may be told apart by their errors, and two that differ may have no difference
    # left after rounding
    vanishing = total == 0
    if np.any(vanishing & ((eta > 0) | (np.abs(a) + np.abs(b) > 0))):
        raise ValueError("nodes are too close for doubles; use ball(bits)")
    relative = error[distinct] / (total[distinct] - error[distinct])
    if relative.size == 0:
        return 0.0
    if not (relative >= 0).all() or not np.isfinite(relative).all() or relative.max() > 2.0**-20:
        raise ValueError("nodes are too close for doubles; use ball(bits)")
    return float(math.nextafter(relative.max() * (1 + 32 * UNIT_ROUNDOFF), 1.0))


def _parts(rows: Nodes, columns: Nodes | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    high, low, error = rows.two_doubles()
    other_high, other_low, other_error = (rows if columns is None else columns).two_doubles()
    return (
        np.subtract.outer(high, other_high),
        np.subtract.outer(low, other_low),
        np.add.outer(error, other_error),
    )
