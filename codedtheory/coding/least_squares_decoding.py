"""Least-squares decoding: the coefficients nearest to all ones that the received messages allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import Rational, approximate, arithmetic_of, null_space, solve

from .placement import PlacedCode
from .survivors import checked_survivors

__all__ = ["LeastSquaresDecoder"]


@dataclass(frozen=True, slots=True)
class LeastSquaresDecoder:
    r"""Choose weights that minimise :math:`\|a^{\mathsf T}B-\mathbf 1\|_2`; among them those of smallest norm.

    The coefficients :math:`\alpha^\star` are the orthogonal projection of :math:`\mathbf 1` on the row space of the
    received rows: unique although the weights need not be, with
    :math:`\|\alpha^\star-\mathbf 1\|^2=n-\mathbf 1^{\mathsf T}\alpha^\star`. Their mean over random
    straggler sets is below 1; dividing by it removes the bias.

    Parameters
    ----------
    divisor : Rational, Fraction or int, default 1
        The weights are divided by it; `debiasing_factor` gives the one that makes the mean coefficient 1.

    Notes
    -----
    Exact over the rationals and cyclotomic fields (normal equations), LAPACK's `gelsd` in doubles. Optimal
    decoding of Charles, Papailiopoulos and Ellenberg (2017), arXiv 1711.06771.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> [str(w) for w in LeastSquaresDecoder().weights(plain_cyclic(3, 1), [1, 2])]
    ['2/3', '2/3']
    """

    divisor: Rational | Fraction | int = 1
    equivariant: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """How the decoder is called in reports."""
        return "least squares" if self.divisor == 1 else f"least squares / ({self.divisor})"

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the least-squares weights of smallest norm.

        Parameters
        ----------
        code : PlacedCode
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If the divisor is not positive.
        """
        if not Rational(self.divisor) > 0:
            raise ValueError(f"divisor must be positive, got {self.divisor}")
        received = code.matrix[list(checked_survivors(survivors, code.matrix.shape[0]))]
        if received.dtype != object:
            best = np.linalg.lstsq(received.T, np.ones(received.shape[1]), rcond=None)[0]
            return np.asarray(best / approximate(self.divisor))
        return np.asarray(_projection_weights(received) / arithmetic_of(received).number(self.divisor))


def _projection_weights(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    columns = rows.T
    adjoint = np.conjugate(rows)
    ones = arithmetic_of(rows).ones(rows.shape[1])
    kernel = null_space(columns)
    # the second term makes the Gram matrix regular and the solution orthogonal to the kernel
    gram = adjoint @ columns
    if kernel.shape[1]:
        gram = gram + kernel @ np.conjugate(kernel).T
    weights: np.ndarray[Any, Any] = solve(gram, adjoint @ ones)
    return weights
