"""Natural cubic splines, smoothing or interpolating: their weights, and the worst error over a class of functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arithmetic import EXACT, Arithmetic, solve
from .nodes import nodes_from

__all__ = ["spline_weights", "worst_squared_errors"]

Array = npt.NDArray[Any]


def spline_weights(nodes: Any, points: Any, smoothing: Any = 0, arithmetic: Arithmetic = EXACT) -> Array:
    r"""Return the weights of the data in the values of the natural cubic smoothing spline at some points.

    The spline s minimises :math:`\sum_i(y_i-s(x_i))^2+\rho\int s''^2` and is linear beyond the nodes;
    without smoothing it interpolates. Its value at t is :math:`\sum_ic_iy_i`, where

    .. math::
        \begin{pmatrix}\Phi+\rho I&P\\P^{\mathsf T}&0\end{pmatrix}\begin{pmatrix}c\\\mu\end{pmatrix}
        =\begin{pmatrix}\phi(t)\\p(t)\end{pmatrix},\qquad
        \Phi_{ik}=\tfrac1{12}|x_i-x_k|^3,\quad \phi_i(t)=\tfrac1{12}|x_i-t|^3,\quad p(t)=(1,t)^{\mathsf T}.

    Parameters
    ----------
    nodes : Nodes or array_like
        At least 2.
    points : sequence of numbers, shape (m,)
    smoothing : number, default 0
        :math:`\rho\ge0`.
    arithmetic : Arithmetic, default EXACT
        Real.

    Returns
    -------
    numpy.ndarray, shape (m, n + 1)
        One row a point; rows reproduce lines.

    Raises
    ------
    ValueError
        If there are fewer than 2 nodes, which fix no line.

    Notes
    -----
    I. J. Schoenberg 1964 and C. H. Reinsch 1967 for the splines; the system is that of G. Kimeldorf and
    G. Wahba 1971 (J. Math. Anal. Appl. 33:82-95).

    Examples
    --------
    >>> spline_weights([0, 1, 2], ["1/2"]).tolist()
    [[Rational(13, 32), Rational(11, 16), Rational(-3, 32)]]
    """
    x = nodes_from(nodes).over(arithmetic)
    if len(x) < 2:
        raise ValueError(f"nodes must be at least 2, got {len(x)}; one fixes no line")
    t = arithmetic.array(list(points))
    lines = np.stack([arithmetic.ones(len(x)), x], axis=1)
    penalised = _kernel(x, x)
    for i in range(len(x)):
        penalised[i, i] = penalised[i, i] + arithmetic.number(smoothing)
    system = np.block([[penalised, lines], [lines.T, arithmetic.zeros((2, 2))]])
    right = np.concatenate([_kernel(x, t), np.stack([arithmetic.ones(len(t)), t])])
    weights: Array = solve(system, right)[: len(x)].T
    return weights


def worst_squared_errors(nodes: Any, points: Any, weights: Any, arithmetic: Arithmetic = EXACT) -> Array:
    r"""Return :math:`\sup\,(f(t)-\sum_ic_if(x_i))^2` over all f with :math:`\int f''^2\le1`, at some points.

    The error functional :math:`e=\delta_t-\sum_ic_i\delta_{x_i}` vanishes for lines, hence is
    :math:`\int K f''` with :math:`K(s)=\sum_ae_a(t_a-s)_+`, and the supremum is

    .. math:: \int K^2=\tfrac1{12}\sum_{a,b}e_ae_b|t_a-t_b|^3 .

    Parameters
    ----------
    nodes : Nodes or array_like
        :math:`x_i`.
    points : sequence of numbers, shape (m,)
        t.
    weights : array_like, shape (m, n + 1)
        c, one row a point.
    arithmetic : Arithmetic, default EXACT
        Real.

    Returns
    -------
    numpy.ndarray, shape (m,)

    Raises
    ------
    ValueError
        If some row of weights does not reproduce lines (over a rigorous arithmetic): then the supremum is
        infinite.

    Notes
    -----
    A. Sard 1949. No weights have a smaller supremum than those of the interpolating natural spline
    (M. Golomb and H. F. Weinberger 1959; C. de Boor and R. E. Lynch 1966).

    Examples
    --------
    >>> worst_squared_errors([0, 1], ["1/2"], [["1/2", "1/2"]]).tolist()
    [Rational(1, 48)]
    """
    x, t = nodes_from(nodes).over(arithmetic), arithmetic.array(list(points))
    c = arithmetic.array(weights)
    errors = arithmetic.zeros(len(t))
    for j, point in enumerate(t):
        moments = (1 - c[j].sum(), point - c[j] @ x)
        if arithmetic.is_rigorous and any((moment != 0) is True for moment in moments):
            raise ValueError(f"weights must reproduce lines, those of point {j} do not; no function class bounds that")
        places = np.append(x, point)
        functional = np.append(-c[j], arithmetic.number(1))
        errors[j] = functional @ _kernel(places, places) @ functional
    return errors


def _kernel(x: Array, t: Array) -> Array:
    distances = np.abs(np.subtract.outer(x, t))
    kernel: Array = distances * distances * distances / 12
    return kernel
