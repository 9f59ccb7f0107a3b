"""Covariance of the decoded coefficients over uniformly random straggler sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Rational

from .placement import PlacedCode, copies_per_partition, require_plain_sums
from .survivors import checked_count, checked_stragglers
from .symmetric_norm import rational_if_possible

__all__ = [
    "coefficient_variance",
    "one_step_covariance",
    "one_step_covariance_norm",
    "squared_window_gain",
]


def one_step_covariance(code: PlacedCode, s: int) -> np.ndarray[Any, Any]:
    r"""Return :math:`\mathrm{Cov}(\alpha_j,\alpha_k)=\frac{s\,[n\,o_{jk}-c^2]}{(n-1)(n-s)c^2}` of one-step decoding.

    :math:`o_{jk}` is the number of workers that hold both partitions, c the copies of each partition, n the number
    of workers; uniformly random sets of s stragglers and weight :math:`\frac n{(n-s)c}`.

    Parameters
    ----------
    code : PlacedCode
        Plain sums, every partition on equally many workers.
    s : int
        Stragglers, below the number of workers.

    Returns
    -------
    numpy.ndarray of Rational, shape (partitions, partitions)

    Raises
    ------
    ValueError
        If the code does not send plain sums or replicates unevenly.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> [str(entry) for entry in one_step_covariance(plain_cyclic(3, 1), 1)[0]]
    ['1/8', '-1/16', '-1/16']
    """
    require_plain_sums(code)
    n = checked_count("workers", code.matrix.shape[0], least=2)
    s = checked_stragglers(s, n)
    c = copies_per_partition(code)
    held = (code.matrix != 0).astype(np.int64)
    common = held.T @ held
    covariance = np.empty(common.shape, dtype=object)
    for index, shared in np.ndenumerate(common):
        covariance[index] = Rational(s * (n * int(shared) - c * c), (n - 1) * (n - s) * c * c)
    return covariance


def coefficient_variance(n: int, s: int, copies: int | None = None) -> Rational:
    r"""Return :math:`\mathrm{Var}\,\alpha_j=\frac{s(n-c)}{(n-1)(n-s)c}` of one-step decoding.

    With :math:`c=s+1`, the relaxed decoder of pipelined gradient coding, it is
    :math:`\frac{s(n-s-1)}{(n-1)(n-s)(s+1)}`: symmetric under :math:`s\leftrightarrow n-1-s`, and 0 iff s is
    0 or n - 1.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.
    copies : int, optional
        Copies of each partition c, by default s + 1.

    Returns
    -------
    Rational

    Examples
    --------
    >>> coefficient_variance(12, 3)
    Rational(2, 33)
    """
    n, s, c = _checked(n, s, copies)
    return Rational(s * (n - c), (n - 1) * (n - s) * c) if n > 1 else Rational(0)


def one_step_covariance_norm(
    n: int, s: int, placement: str = "cyclic", copies: int | None = None
) -> Rational | Algebraic:
    r"""Return the spectral norm of the covariance of one-step decoding, exactly.

    .. math:: \frac{s\,n}{(n-1)(n-s)c^2}\cdot\frac{\sin^2(\pi c/n)}{\sin^2(\pi/n)}\ \text{(cyclic)},\qquad
        \frac{s\,n}{(n-1)(n-s)}\ \text{(fractional, }c<n),

    and 0 for c = n. The cyclic norm never exceeds the fractional one.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.
    placement : {"cyclic", "fractional"}, default "cyclic"
    copies : int, optional
        Copies of each partition c, by default s + 1; divides n for "fractional".

    Returns
    -------
    Rational or Algebraic
        A Rational where the norm is rational.

    Examples
    --------
    >>> one_step_covariance_norm(12, 1, "fractional")
    Rational(12, 121)
    >>> cyclic = one_step_covariance_norm(12, 1)
    >>> cyclic > Rational("0.0925"), cyclic < Rational("0.0926")
    (True, True)
    """
    n, s, c = _checked(n, s, copies)
    if placement not in ("cyclic", "fractional"):
        raise ValueError(f"placement must be 'cyclic' or 'fractional', got {placement!r}")
    if placement == "fractional" and n % c:
        raise ValueError(f"copies must divide n for fractional repetition, got n={n}, copies={c}")
    if c == n:
        return Rational(0)
    gain = squared_window_gain(n, c) if placement == "cyclic" else Rational(c * c)
    norm = gain * Rational(s * n, (n - 1) * (n - s) * c * c)
    return rational_if_possible(norm)


def squared_window_gain(n: int, c: int, frequency: int = 1) -> Algebraic:
    r"""Return :math:`\big|\sum_{i<c}\zeta_n^{ki}\big|^2=\frac{\sin^2(\pi kc/n)}{\sin^2(\pi k/n)}`, exactly.

    For frequency 1 this is the square of the second largest singular value of the circulant with c ones.

    Parameters
    ----------
    n : int
        Length of the circle.
    c : int
        Window length, from 1 to n.
    frequency : int, default 1
        k.

    Returns
    -------
    Algebraic

    Examples
    --------
    >>> squared_window_gain(12, 2) == squared_window_gain(12, 10)
    True
    >>> squared_window_gain(4, 2).rational
    Rational(2, 1)
    """
    n = checked_count("n", n, least=1)
    c, frequency = checked_count("c", c, least=1, most=n), checked_count("frequency", frequency, least=0)
    coefficients = [0] * n
    for shift in range(-c + 1, c):
        coefficients[frequency * shift % n] += c - abs(shift)
    return Algebraic(n, coefficients)


def _checked(n: int, s: int, copies: int | None) -> tuple[int, int, int]:
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    return n, s, s + 1 if copies is None else checked_count("copies", copies, least=1, most=n)
