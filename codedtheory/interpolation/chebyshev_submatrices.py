"""Condition numbers of Chebyshev-Vandermonde matrices after the loss of some points."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import FLOAT, Arithmetic, Ball, PrecisionError, condition_number, maximum

from .node_families import chebyshev_first
from .node_sets import checked_workers, survivor_positions
from .outward import Intervals
from .vandermonde import chebyshev_vandermonde
from .worst_case import WorstCase

__all__ = ["worst_chebyshev_submatrix_condition"]

FloatArray = npt.NDArray[np.float64]
Norm = int | str

_U = 2.0**-53
_CHUNK = 4096


def worst_chebyshev_submatrix_condition(
    count: int, missing: int, p: Norm = "fro", normalised: bool = False, arithmetic: Arithmetic = FLOAT
) -> WorstCase:
    r"""Return the largest condition number that leaving out points gives a Chebyshev-Vandermonde matrix.

    The matrices are :math:`T_j(x_i)` with j = 0, ..., m - s - 1 and all choices of m - s of the m Chebyshev
    points of the first kind.

    Parameters
    ----------
    count : int
        Number of points m.
    missing : int
        Number of points left out, 0 <= s < m.
    p : {"fro", 1, 2, "inf"}, default "fro"
        Norm of :math:`\|A\|_p\|A^{-1}\|_p`.
    normalised : bool, default False
        Whether the column of :math:`T_0` is divided by the root of 2.
    arithmetic : Arithmetic, default FLOAT
        Over ``ball(bits)`` all choices are bounded rigorously in floats and those that may be the worst are
        evaluated with balls, so that the result is proved; not for p = 2.

    Returns
    -------
    WorstCase
        Its stragglers are the points left out, numbered from the largest point on.

    Notes
    -----
    For fixed s the Frobenius condition grows like m**(2 s) (M. Fahim, V. R. Cadambe 2019, arXiv:1903.08326). In
    the filter, R is the computed inverse of A and :math:`\epsilon\ge\|I-RA\|<1` (see `_condition_bounds`); then
    :math:`\|R\|/(1+\epsilon)\le\|A^{-1}\|\le\|R\|/(1-\epsilon)`.

    Examples
    --------
    >>> worst = worst_chebyshev_submatrix_condition(8, 1)
    >>> round(worst.value, 3), worst.stragglers
    (26.762, (0,))
    """
    if p not in ("fro", 1, 2, "inf"):
        raise ValueError(f"p must be 'fro', 1, 2 or 'inf', got {p!r}")
    m, s = checked_workers(count, missing)
    kept = (m - 1 - survivor_positions(m, s))[:, ::-1]
    nodes = chebyshev_first(m)
    if arithmetic is FLOAT:
        entries = chebyshev_vandermonde(nodes, m - s - 1, normalised)
        values = np.concatenate([_conditions(entries[part], p) for part in _parts(kept)])
        best = int(np.argmax(values >= values.max() * (1 - 1e-9)))
        return WorstCase.of(float(values.max()), kept[best], m)
    if p == 2 or not hasattr(arithmetic, "bits") or hasattr(arithmetic, "root_of_unity"):
        raise ValueError(
            f"arithmetic must be FLOAT for p = 2, FLOAT or ball(bits) otherwise, got {arithmetic.name} for p = {p!r}"
        )
    exact = chebyshev_vandermonde(nodes, m - s - 1, normalised, arithmetic)
    enclosed = Intervals.enclosing(exact)
    bounds = [_condition_bounds(enclosed.lo[part], enclosed.hi[part], p) for part in _parts(kept)]
    lower, upper = (np.concatenate(ends) for ends in zip(*bounds, strict=True))
    rivals = np.nonzero(upper >= lower.max())[0]
    conditions: list[Ball] = [condition_number(exact[kept[i]], p) for i in rivals]
    highest = max(range(len(rivals)), key=lambda i: conditions[i].mid)
    return WorstCase.of(maximum(conditions), kept[rivals[highest]], m)


def _parts(kept: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    return np.array_split(kept, 1 + len(kept) // _CHUNK)


def _conditions(matrices: FloatArray, p: Norm) -> FloatArray:
    if p == 2:
        sizes = np.linalg.svd(matrices, compute_uv=False)
        return np.asarray(sizes[:, 0] / sizes[:, -1])
    return _norms(matrices, p) * _norms(np.linalg.inv(matrices), p)


def _norms(matrices: npt.NDArray[np.floating[Any]], p: Norm) -> FloatArray:
    if p == "fro":
        return np.asarray(np.sqrt((matrices * matrices).sum(axis=(1, 2))))
    return np.asarray(np.abs(matrices).sum(axis=1 if p == 1 else 2).max(axis=1))


def _condition_bounds(lo: FloatArray, hi: FloatArray, p: Norm) -> tuple[FloatArray, FloatArray]:
    r"""Return bounds of the condition numbers of all matrices between `lo` and `hi`, entry by entry.

    With the centre M, the radius r and :math:`R\approx M^{-1}`, both in doubles,
    :math:`|I-RA|\le|I-fl(RM)|+\gamma_k|R||M|+|R|r` for matrices of order k
    (:math:`\gamma_k=ku/(1-ku)`, whatever the order of summation, with or without fused operations). The
    computed right-hand side and the norms, sums of at most k**2 non-negative terms with square roots, are
    off by a factor below 1 + 2 (k**2 + 8) u each, which `slack` covers.
    """
    k = lo.shape[-1]
    slack = 1 + 4 * (k * k + 8) * _U
    centre = lo + (hi - lo) / 2
    radius = np.maximum(hi - centre, centre - lo) * slack
    inverse = np.linalg.inv(centre)
    size = np.abs(inverse)
    defect = np.abs(np.eye(k) - inverse @ centre) + 2 * k * _U * (size @ np.abs(centre)) + size @ radius
    epsilon = _norms(defect, p) * slack * slack
    if not bool(np.all(epsilon < 0.5)):
        raise PrecisionError("the matrices are too badly conditioned for doubles; use fewer missing points")
    matrix, spread, reciprocal = _norms(centre, p), _norms(radius, p) * slack, _norms(inverse, p)
    lower = (matrix / slack - spread) * reciprocal / (1 + epsilon) / slack**2
    upper = (matrix * slack + spread) * reciprocal / (1 - epsilon) * slack**2
    return lower, upper
