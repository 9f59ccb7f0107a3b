"""Binary codes of fractional-repetition type for any number of workers and stragglers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import EXACT, arithmetic_of

from .gradient_code import GradientCode
from .placement import PlacedCode, require_plain_sums, supports
from .survivors import checked_count, checked_stragglers, checked_survivors

__all__ = ["CompleteClassDecoder", "generalised_repetition"]


def generalised_repetition(n: int, s: int) -> GradientCode:
    r"""Return a 0/1 code that tolerates any s of n stragglers, also when s + 1 does not divide n.

    The workers are split into the s + 1 residue classes modulo s + 1; the workers of one class divide
    the n partitions among themselves into consecutive runs of nearly equal length. s stragglers can't touch all
    classes, and the messages of an untouched class add up to the full sum. The matrix has n (s + 1) ones; a worker of
    a class with m workers holds :math:`\lfloor n/m\rfloor` or :math:`\lceil n/m\rceil` partitions,
    m being :math:`\lceil n/(s+1)\rceil` in the first n mod (s + 1) classes and :math:`\lfloor n/(s+1)\rfloor` in
    the others.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers to tolerate, at most n - 1.

    Returns
    -------
    GradientCode

    Notes
    -----
    Charalambides, Mahdavifar and Hero (2021), "Generalized fractional repetition codes for binary coded
    computations", arXiv 2109.10484.

    Examples
    --------
    >>> [[str(entry) for entry in row] for row in generalised_repetition(3, 1).matrix]
    [['1', '1', '0'], ['1', '1', '1'], ['0', '0', '1']]
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    matrix = EXACT.zeros((n, n))
    for first in range(s + 1):
        members = range(first, n, s + 1)
        shorter, longer = divmod(n, len(members))
        start = 0
        for position, worker in enumerate(members):
            length = shorter + (position < longer)
            matrix[worker, start : start + length] = EXACT.number(1)
            start += length
    return GradientCode(matrix, name=f"generalised_repetition({n}, {s})", stragglers=s)


@dataclass(frozen=True, slots=True)
class CompleteClassDecoder:
    r"""Add the messages of one residue class of workers that has no straggler, weight 1 each.

    Parameters
    ----------
    classes : int
        Number of residue classes, s + 1.

    Examples
    --------
    >>> code = generalised_repetition(3, 1)
    >>> [str(w) for w in CompleteClassDecoder(classes=2).weights(code, [1, 2])]
    ['1', '0']
    """

    classes: int
    name: ClassVar[str] = "complete class"
    equivariant: ClassVar[bool] = False

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return 1 for the survivors of the smallest complete class and 0 for the others.

        Parameters
        ----------
        code : PlacedCode
            Plain sums in which every residue class of workers holds each partition once.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If every class has a straggler, or the class does not hold each partition once.
        """
        classes = checked_count("classes", self.classes, least=1)
        require_plain_sums(code)
        received = checked_survivors(survivors, code.matrix.shape[0])
        present = set(received)
        for first in range(min(classes, code.matrix.shape[0])):
            members = set(range(first, code.matrix.shape[0], classes))
            if members <= present:
                break
        else:
            raise ValueError(
                f"survivors {sorted(received)} leave no complete class of workers modulo {classes}; "
                f"at most {classes - 1} stragglers are tolerated"
            )
        held = supports(code)
        if sorted(j for worker in members for j in held[worker]) != list(range(code.matrix.shape[1])):
            raise ValueError(
                f"code must hold each partition once in the class {sorted(members)}; use generalised_repetition(n, s)"
            )
        arithmetic = arithmetic_of(code.matrix)
        return arithmetic.array([int(worker in members) for worker in received])
