"""A certified enclosure of the spectral norm, from the traces of powers."""

from __future__ import annotations

from typing import Any

import flint

from .precision import precision

__all__ = ["root_of_nonnegative", "spectral_norm"]


def spectral_norm(A: Any, bits: int, target: int) -> flint.arb:
    r"""Enclose the largest singular value of a matrix of balls.

    Parameters
    ----------
    A : arb_mat or acb_mat
    bits : int
        Working precision. A relative radius of 2**-t wants about 2 t bits and entries as accurate.
    target : int
        Stop when the relative accuracy in bits reaches this.

    Returns
    -------
    arb
        The best enclosure; it is not finite if the entries are too wide.

    Notes
    -----
    Let :math:`\lambda_1\ge\lambda_2\ge\dots\ge 0` be the eigenvalues of :math:`G=A^{\mathsf H}A`,
    :math:`x_i=\lambda_i^k` with :math:`k=2^m`, and :math:`p_j=\sum_i x_i^j=\operatorname{tr}G^{jk}`. Then

    .. math:: \frac{p_2}{p_1}\le x_1\le p_1,\qquad
        x_1-\mu\le\sqrt{\frac{p_1v}{\mu}},\quad \mu=\frac{p_2}{p_1},\ v=\frac{p_3}{p_1}-\mu^2 :

    the first because :math:`p_2\le x_1p_1`, the last because :math:`p_1v=\sum_i x_i(x_i-\mu)^2\ge
    x_1(x_1-\mu)^2` and :math:`x_1\ge\mu`. The k-th root divides the logarithmic width by k, and the
    bounds themselves close in like :math:`(\lambda_2/\lambda_1)^k`, where :math:`\lambda_2` is the next
    *different* eigenvalue. Repeated squaring makes both happen fast, no matter how ill-conditioned A is
    or how often its largest singular value is repeated.
    """
    with precision(bits):
        H = _gram(A)
        best = root_of_nonnegative(flint.arb(0).union(H.trace().real), 1)
        if best.is_zero():
            return best
        # k = 2**m narrows the first bounds to n**(1/k), whatever the eigenvalues are
        for doublings in range(target + H.nrows().bit_length() + 8):
            square = H * H
            enclosure = _enclose(H, square, doublings)
            if enclosure is None or not enclosure.is_finite():
                break
            best = enclosure if enclosure.rad() < best.rad() else best
            noise = root_of_nonnegative(H.trace().real, doublings + 1).rad()
            if best.rel_accuracy_bits() >= target or best.rad() < 4 * noise:
                break
            H = square
        return best


def _gram(A: Any) -> Any:
    adjoint = A.transpose() if isinstance(A, flint.arb_mat) else A.conjugate().transpose()
    return adjoint * A if A.ncols() <= A.nrows() else A * adjoint


def _enclose(H: Any, square: Any, doublings: int) -> flint.arb | None:
    p1, p2 = H.trace().real, square.trace().real
    if not p1 > 0 or not p2 > 0:
        return None
    mean = p2 / p1
    size = H.nrows() ** 2
    row, column = type(H)(1, size, H.entries()), type(H)(size, 1, square.transpose().entries())
    p3 = (row * column)[0, 0].real
    variance = (p3 / p1 - mean * mean).abs_upper()
    upper = p1.upper().min((mean + (p1 * variance / mean).sqrt()).upper())
    return root_of_nonnegative(mean.lower().union(upper), doublings + 1)


def root_of_nonnegative(x: flint.arb, halvings: int) -> flint.arb:
    """Return the 2**halvings-th root of a non-negative number, whose ball may reach below 0."""
    low, high = x.lower().max(flint.arb(0)), x.upper()
    for _ in range(halvings):
        low, high = low.sqrt(), high.sqrt()
    return low.union(high)
