"""One-step decoding: every received message gets the same weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import Rational, arithmetic_of

from .placement import PlacedCode
from .survivors import checked_count, checked_stragglers, checked_survivors

__all__ = ["OneStepDecoder", "design_weight", "expected_one_step_error"]


@dataclass(frozen=True, slots=True)
class OneStepDecoder:
    r"""Give every received worker the same weight :math:`\rho`.

    Parameters
    ----------
    weight : Rational, Fraction or int, optional
        The weight; by default the one that keeps the coefficients' sum right,
        :math:`\rho=\frac{k}{|R|\,\bar\ell}`, k partitions, :math:`\bar\ell` the mean row sum of the matrix. With c
        copies of each partition and plain sums this is :math:`\frac{n}{|R|c}`, and with rows that sum to 1
        it is :math:`\frac n{|R|}`.

    Notes
    -----
    Charles, Papailiopoulos and Ellenberg (2017), arXiv 1711.06771; Raviv, Tandon, Dimakis and Tamo (2018),
    arXiv 1707.03858, for expander codes with weight n/(n - s).

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> OneStepDecoder().weights(plain_cyclic(5, 1), [0, 1, 2, 3])
    array([Rational(5, 8), Rational(5, 8), Rational(5, 8), Rational(5, 8)], dtype=object)
    """

    weight: Rational | Fraction | int | None = None
    name: ClassVar[str] = "one-step"
    equivariant: ClassVar[bool] = True

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the same weight for every survivor.

        Parameters
        ----------
        code : PlacedCode
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)
        """
        chosen = checked_survivors(survivors, code.matrix.shape[0])
        arithmetic = arithmetic_of(code.matrix)
        if self.weight is not None:
            return np.full(len(chosen), arithmetic.number(self.weight), dtype=arithmetic.dtype)
        workers, partitions = code.matrix.shape
        total = code.matrix.sum()
        if total == 0:
            raise ValueError("code must have a matrix whose entries do not sum to 0; pass weight explicitly")
        return np.full(
            len(chosen), arithmetic.number(partitions * workers) / (total * len(chosen)), dtype=arithmetic.dtype
        )


def design_weight(load: int, pairwise: int, received: int) -> Rational:
    r"""Return the optimal one-step weight :math:`\frac{L}{L+\lambda(r-1)}` for a symmetric block design.

    Parameters
    ----------
    load : int
        Partitions per worker, L.
    pairwise : int
        Partitions that any two workers share, :math:`\lambda`.
    received : int
        Workers that answered, r = n - s, at least 1.

    Returns
    -------
    Rational

    Notes
    -----
    Kadhe, Koyluoglu and Ramchandran (2019), arXiv 1904.13373.

    Examples
    --------
    >>> design_weight(3, 1, 5)      # the Fano plane with two stragglers
    Rational(3, 7)
    """
    load, pairwise = checked_count("load", load, least=1), checked_count("pairwise", pairwise, least=0)
    received = checked_count("received", received, least=1)
    return Rational(load, load + pairwise * (received - 1))


def expected_one_step_error(n: int, copies: int, s: int) -> Rational:
    r"""Return :math:`E\|\alpha-\mathbf 1\|^2=\frac{n(n-c)s}{(n-1)(n-s)c}` of one-step decoding.

    It holds for **every** plain placement with exactly c copies of each of n partitions on n workers,
    weight :math:`\frac n{(n-s)c}` and uniformly random sets of s stragglers: only the hypergeometric
    marginals of the received copies enter, so FR, CR and block designs do not differ.

    Parameters
    ----------
    n : int
        Workers and partitions.
    copies : int
        Copies of each partition, c.
    s : int
        Stragglers, at most n - 1.

    Returns
    -------
    Rational

    Notes
    -----
    With k tasks, s' tasks a worker and r of k workers received this is
    :math:`\frac{k(k-s')(k-r)}{rs'(k-1)}`, in the notation of arXiv 1711.06771.

    Examples
    --------
    >>> expected_one_step_error(3, 2, 1)
    Rational(3, 8)
    """
    n = checked_count("n", n, least=1)
    copies, s = checked_count("copies", copies, least=1, most=n), checked_stragglers(s, n)
    if n == 1:
        return Rational(0)
    return Rational(n * (n - copies) * s, (n - 1) * (n - s) * copies)
