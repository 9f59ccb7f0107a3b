"""Means and covariances of decoded coefficients over all straggler sets of one size, by exact enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np

from codedtheory.arithmetic import Rational

from .coefficients import decoded_coefficients
from .decoding import Decoder
from .gradient_code import GradientCode
from .least_squares_decoding import LeastSquaresDecoder
from .straggler_orbits import orbit_representatives
from .survivors import checked_stragglers
from .worker_symmetry import TRIVIAL, WorkerSymmetry

__all__ = ["CoefficientMoments", "coefficient_moments", "debiasing_factor", "decoded_straggler_sets"]

_MOST_SETS = 1_000_000


class CoefficientMoments:
    """Sums of the coefficients and of their products, added up straggler set by straggler set.

    Parameters
    ----------
    partitions : int
        Number of coefficients.
    rotate : bool
        Whether the straggler sets that are added stand for all their rotations.
    """

    def __init__(self, partitions: int, rotate: bool) -> None:
        self.partitions = partitions
        self.rotate = rotate
        self.count = 0
        self._first = np.full(partitions, Rational(0), dtype=object)
        self._second = np.full((partitions, partitions), Rational(0), dtype=object)

    def add(self, alpha: np.ndarray[Any, Any], size: int) -> None:
        """Add the coefficients of a straggler set that stands for `size` of them."""
        self.count += size
        self._first = self._first + alpha * size
        self._second = self._second + np.outer(alpha, alpha) * size

    @property
    def means(self) -> np.ndarray[Any, Any]:
        """Mean of each coefficient."""
        k = self.partitions
        first = np.full(k, self._first.sum() / k, dtype=object) if self.rotate else self._first
        means: np.ndarray[Any, Any] = first / self.count
        return means

    @property
    def covariance(self) -> np.ndarray[Any, Any]:
        """Covariance matrix of the coefficients."""
        second, k = self._second, self.partitions
        if self.rotate:
            bands = [sum((second[j, (j + d) % k] for j in range(k)), Rational(0)) / k for d in range(k)]
            second = np.array([[bands[(j - i) % k] for j in range(k)] for i in range(k)], dtype=object)
        means = self.means
        covariance: np.ndarray[Any, Any] = second / self.count - np.outer(means, means)
        return covariance


def coefficient_moments(code: GradientCode, s: int, decoder: Decoder) -> CoefficientMoments:
    """Return means and covariance of the coefficients over all sets of s stragglers, all equally likely.

    Parameters
    ----------
    code : GradientCode
        With rational entries.
    s : int
        Stragglers, below the number of workers.
    decoder : Decoder
        Has to decode (exactly or not) every straggler set.

    Returns
    -------
    CoefficientMoments

    Examples
    --------
    >>> from codedtheory.coding import RelaxedDecoder
    >>> from codedtheory.coding import plain_cyclic
    >>> moments = coefficient_moments(plain_cyclic(3, 1), 1, RelaxedDecoder())
    >>> [str(entry) for entry in moments.covariance[0]]
    ['1/8', '-1/16', '-1/16']
    """
    moments = CoefficientMoments(code.matrix.shape[1], stands_for_rotations(code, decoder))
    for _, size, alpha in decoded_straggler_sets(code, s, decoder):
        moments.add(alpha, size)
    return moments


def debiasing_factor(code: GradientCode, s: int) -> Rational:
    r"""Return the mean :math:`r=E\,\alpha_j^\star` of a least-squares coefficient over all sets of s stragglers.

    Parameters
    ----------
    code : GradientCode
        With rational entries.
    s : int
        Stragglers, below the number of workers.

    Returns
    -------
    Rational
        What `LeastSquaresDecoder` has to divide by to have mean coefficients 1.

    Raises
    ------
    ValueError
        If the partitions have different means, so that no single factor removes the bias.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> debiasing_factor(plain_cyclic(3, 1), 1)
    Rational(8, 9)
    """
    means = coefficient_moments(code, s, LeastSquaresDecoder()).means
    if any(mean != means[0] for mean in means):
        raise ValueError(
            f"code must have the same mean coefficient for all partitions, got {[str(mean) for mean in means]}; "
            "a single divisor can't remove the bias"
        )
    factor: Rational = means[0]
    return factor


def decoded_straggler_sets(
    code: GradientCode, s: int, decoder: Decoder
) -> Iterator[tuple[tuple[int, ...], int, np.ndarray[Any, Any]]]:
    """Return all sets of s stragglers with their coefficients, or one of each rotation orbit where that is enough.

    Parameters
    ----------
    code : GradientCode
        With rational entries.
    s : int
        Stragglers, below the number of workers.
    decoder : Decoder

    Yields
    ------
    stragglers : tuple of int
        The lexicographically first of those that it stands for.
    size : int
        How many straggler sets it stands for.
    coefficients : numpy.ndarray, shape (partitions,)

    Raises
    ------
    TypeError
        If the code is not over the rationals.
    ValueError
        If there are more than a million straggler sets.

    Examples
    --------
    >>> from codedtheory.coding import RelaxedDecoder
    >>> from codedtheory.coding import plain_cyclic
    >>> [(stragglers, size) for stragglers, size, _ in decoded_straggler_sets(plain_cyclic(6, 1), 3, RelaxedDecoder())]
    [((0, 1, 2), 6), ((0, 1, 3), 6), ((0, 1, 4), 6), ((0, 2, 4), 2)]
    """
    n = code.matrix.shape[0]
    s = checked_stragglers(s, n)
    if not all(isinstance(entry, Rational) for entry in code.matrix.ravel()):
        raise TypeError("code must have rational entries for exact statistics; use code.exactly() for its doubles")
    if comb(n, s) > _MOST_SETS:
        raise ValueError(f"{comb(n, s)} straggler sets are too many to enumerate; use closed_form_coefficients")
    symmetry = TRIVIAL
    if stands_for_rotations(code, decoder):
        turns = tuple(tuple((i + t) % n for i in range(n)) for t in range(1, n))
        symmetry = WorkerSymmetry("rotation by 1", turns)
    for sets, sizes in orbit_representatives(n, s, symmetry):
        for row, size in zip(sets.tolist(), sizes.tolist(), strict=True):
            lost = set(row)
            survivors = [i for i in range(n) if i not in lost]
            yield tuple(row), size, decoded_coefficients(code, survivors, decoder)


def stands_for_rotations(code: GradientCode, decoder: Decoder) -> bool:
    """Whether rotated stragglers have rotated coefficients, so that one of them stands for all."""
    n, k = code.matrix.shape
    if n != k or n < 2 or not getattr(decoder, "equivariant", False):
        return False
    return bool(np.all(np.roll(code.matrix, (1, 1), axis=(0, 1)) == code.matrix))
