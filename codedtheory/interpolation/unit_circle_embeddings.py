"""Real matrices that act like Vandermonde matrices with nodes on the unit circle."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from codedtheory.arithmetic import EXACT, FLOAT, Arithmetic

__all__ = ["permutation_vandermonde", "rotation_vandermonde"]

Array = npt.NDArray[Any]


def rotation_vandermonde(workers: int, survivors: Iterable[int], arithmetic: Arithmetic = FLOAT) -> Array:
    r"""Return the real recovery matrix of the rotation embedding.

    .. math:: \big(R^{ij}\big)_{i\in F,\ 0\le j<k},\qquad
              R=\begin{pmatrix}\cos\theta&-\sin\theta\\\sin\theta&\cos\theta\end{pmatrix},\quad
              \theta=\frac{2\pi}n,\quad k=|F|

    for n workers of which those in F survive. Worker i holds the combination of k blocks with the powers
    :math:`R^{ij}`, which is evaluation at the root of unity :math:`e^{2\pi ii/n}` in real arithmetic.

    Parameters
    ----------
    workers : int
        n, at least 1.
    survivors : iterable of int
        Different numbers from 0 to n - 1.
    arithmetic : Arithmetic, default FLOAT
        ``cyclotomic(4 * n)`` and balls make it rigorous.

    Returns
    -------
    numpy.ndarray
        Shape (2k, 2k). Its singular values are those of the complex Vandermonde matrix, each twice.

    Notes
    -----
    A. Ramamoorthy, L. Tang, Numerically stable coded matrix computations via circulant and rotation matrix
    embeddings (2019), arXiv:1910.06515, as in the released code of the authors, transposed.

    Examples
    --------
    >>> rotation_vandermonde(4, [0, 1]).astype(int).tolist()
    [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, -1], [0, 1, 1, 0]]
    """
    kept = _checked(workers, survivors)
    rows = []
    for i in kept:
        angles = [Fraction(2 * (i * j % workers), workers) for j in range(len(kept))]
        blocks = [(arithmetic.cos_pi(q), arithmetic.sin_pi(q)) for q in angles]
        rows.append([entry for c, s in blocks for entry in (c, -s)])
        rows.append([entry for c, s in blocks for entry in (s, c)])
    return arithmetic.array(rows)


def permutation_vandermonde(workers: int, survivors: Iterable[int]) -> Array:
    r"""Return the recovery matrix of the circulant embedding.

    .. math:: \big(P^{ij}\big)_{i\in F,\ 0\le j<k},\qquad k=|F|

    with the cyclic permutation matrix P of order n, for n workers of which those in F survive.

    Parameters
    ----------
    workers : int
        n, at least 1; a prime number in the scheme.
    survivors : iterable of int
        Different numbers from 0 to n - 1.

    Returns
    -------
    numpy.ndarray of Rational
        Shape (kn, kn). The discrete Fourier transform of the blocks splits it into Vandermonde matrices with the nodes
        :math:`e^{2\pi i\ell j/n}`, one for each frequency :math:`\ell`; that of frequency 0 is singular, so
        that blocks whose n parts sum to 0 are encoded.

    Notes
    -----
    A. Ramamoorthy, L. Tang (2019), arXiv:1910.06515, as in the released code of the authors, transposed.

    Examples
    --------
    >>> from codedtheory.arithmetic import approximate
    >>> approximate(permutation_vandermonde(2, [0, 1])).astype(int).tolist()
    [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    """
    kept = _checked(workers, survivors)
    identity = np.eye(workers, dtype=int)
    blocks = [[np.roll(identity, i * j % workers, axis=0) for j in range(len(kept))] for i in kept]
    return EXACT.array(np.block(blocks).tolist())


def _checked(workers: int, survivors: Iterable[int]) -> list[int]:
    if isinstance(workers, (bool, np.bool_)) or not hasattr(workers, "__index__"):
        raise TypeError(f"workers must be an integer, got {workers!r}")
    kept = [int(i) for i in survivors]
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    if not kept or len(set(kept)) < len(kept) or not all(0 <= i < workers for i in kept):
        raise ValueError(f"survivors must be different numbers from 0 to {workers - 1}, at least one, got {kept}")
    return kept
