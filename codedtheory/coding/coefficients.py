"""The weights that the partitions' gradients finally get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .decoding import Decoder
from .gradient_code import GradientCode

__all__ = ["decoded_coefficients", "squared_error"]


def decoded_coefficients(code: GradientCode, survivors: Sequence[int], decoder: Decoder) -> np.ndarray[Any, Any]:
    r"""Return the weight :math:`\alpha_j=\sum_{i\in R}a_iB_{ij}` that each partition's gradient finally gets.

    Parameters
    ----------
    code : GradientCode
    survivors : sequence of int
        Workers that answered, in any order; without any, all coefficients are 0.
    decoder : Decoder

    Returns
    -------
    numpy.ndarray, shape (partitions,)
        All ones iff the sum is decoded exactly.

    Examples
    --------
    >>> from codedtheory.coding import RelaxedDecoder, plain_cyclic
    >>> [str(alpha) for alpha in decoded_coefficients(plain_cyclic(3, 1), [1, 2], RelaxedDecoder())]
    ['3/4', '3/4', '3/2']
    """
    chosen = list(survivors)
    if not chosen:
        return code.arithmetic.zeros(code.partitions)
    coefficients: np.ndarray[Any, Any] = decoder.weights(code, chosen) @ code.matrix[chosen]
    return coefficients


def squared_error(coefficients: np.ndarray[Any, Any]) -> Any:
    r"""Return :math:`\|\alpha-\mathbf 1\|_2^2`, over the arithmetic of real coefficients.

    Parameters
    ----------
    coefficients : numpy.ndarray, shape (partitions,)

    Returns
    -------
    number

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> squared_error(EXACT.array(["3/4", "3/4", "3/2"]))
    Rational(3, 8)
    """
    return sum((alpha - 1) * (alpha - 1) for alpha in coefficients)
