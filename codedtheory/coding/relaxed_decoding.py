"""Relaxed decoding of plain sums: right on average, with coefficients below 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import arithmetic_of

from .placement import PlacedCode, copies_per_partition, received_copies, require_plain_sums, supports
from .survivors import checked_survivors

__all__ = ["InverseMultiplicityDecoder", "RelaxedDecoder"]


@dataclass(frozen=True, slots=True)
class RelaxedDecoder:
    r"""Weight every received plain sum by :math:`\mu=\frac{n}{(n-s)(s+1)}`.

    This is the decoder of pipelined gradient coding over cyclic repetition: after the division by n the
    update is the mean of the received gradient copies. In terms of the code the weight is the number of
    partitions over received workers times copies. The coefficients are :math:`\alpha_j=\mu m_j`, with
    :math:`m_j` received copies of partition j; they sum to n for every straggler set, their mean over uniformly
    random sets is 1, and none exceeds :math:`\frac n{\max(n-s,s+1)}<2`.

    Notes
    -----
    Su and Li (2026), arXiv 2607.20739.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> RelaxedDecoder().weights(plain_cyclic(3, 1), [1, 2])
    array([Rational(3, 4), Rational(3, 4)], dtype=object)
    """

    name: ClassVar[str] = "relaxed"
    equivariant: ClassVar[bool] = True

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the common weight for every survivor.

        Parameters
        ----------
        code : PlacedCode
            Plain sums, every partition on equally many workers.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If the code does not send plain sums or replicates unevenly.
        """
        chosen = checked_survivors(survivors, code.matrix.shape[0])
        arithmetic = arithmetic_of(code.matrix)
        require_plain_sums(code)
        copies = copies_per_partition(code)
        mu = arithmetic.number(code.matrix.shape[1]) / (len(chosen) * copies)
        return np.full(len(chosen), mu, dtype=arithmetic.dtype)


@dataclass(frozen=True, slots=True)
class InverseMultiplicityDecoder:
    r"""Weight a received plain sum by the mean of :math:`1/m_j` over its partitions.

    :math:`m_j` is the number of received copies of partition j, at least 1 for what a survivor holds. When every
    worker holds equally many partitions and no partition is lost, the coefficients sum to their number, as
    :math:`\sum_i w_i\ell=\sum_j m_j\cdot\frac1{m_j}`.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> InverseMultiplicityDecoder().weights(plain_cyclic(4, 1), [1, 2, 3])
    array([Rational(3, 4), Rational(1, 2), Rational(3, 4)], dtype=object)
    """

    name: ClassVar[str] = "inverse multiplicity"
    equivariant: ClassVar[bool] = True

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the mean inverse multiplicity of each survivor's partitions.

        Parameters
        ----------
        code : PlacedCode
            Plain sums.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If the code does not send plain sums.
        """
        chosen = checked_survivors(survivors, code.matrix.shape[0])
        arithmetic = arithmetic_of(code.matrix)
        require_plain_sums(code)
        inverse = [arithmetic.number(1) / m if m else arithmetic.number(0) for m in received_copies(code, chosen)]
        held = supports(code)
        result = arithmetic.zeros(len(chosen))
        for position, worker in enumerate(chosen):
            if held[worker]:
                result[position] = sum(inverse[j] for j in held[worker]) / len(held[worker])
        return result
