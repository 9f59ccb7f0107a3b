"""Exact decoding of plain cyclic sums by one residue class of workers that is free of stragglers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import arithmetic_of

from .placement import PlacedCode, window_length
from .survivors import checked_count, checked_survivors

__all__ = ["ResidueClassDecoder", "free_residue_class", "residue_class_tolerance"]


@dataclass(frozen=True, slots=True)
class ResidueClassDecoder:
    r"""Weight :math:`g/c` on one residue class modulo :math:`g=\gcd(n,c)` that no straggler touches, 0 elsewhere.

    Worker i sends the plain sum of partitions i, ..., i + c - 1 modulo n. The windows of one class cover every
    partition exactly c/g times, so all coefficients are 1 with non-negative weights and amplification 1. A straggler
    set of any size can be decoded exactly iff it misses a class; every set of g - 1 stragglers does. With
    :math:`(s+1)\mid n` the weights are 0 and 1 and any s stragglers are tolerated.

    Notes
    -----
    The solutions of :math:`a*\mathbf 1_{[0,c)}=\mathbf 1` are :math:`\frac1c` plus the zero-mean g-periodic
    sequences, as the window's Fourier transform vanishes exactly at the non-zero multiples of n/g; a straggler
    forces its whole class to 0.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> ResidueClassDecoder().weights(plain_cyclic(4, 1), [1, 2, 3])
    array([Rational(1, 1), Rational(0, 1), Rational(1, 1)], dtype=object)
    """

    name: ClassVar[str] = "residue class"
    equivariant: ClassVar[bool] = True  # all free classes have the same coefficients and amplification

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return g/c for the survivors of the smallest free class and 0 for the others.

        Parameters
        ----------
        code : PlacedCode
            Plain cyclic repetition.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If every class has a straggler: then no weights at all decode exactly.
        """
        chosen = checked_survivors(survivors, code.matrix.shape[0])
        arithmetic = arithmetic_of(code.matrix)
        n, c = code.matrix.shape[0], window_length(code)
        g = gcd(n, c)
        free = free_residue_class(n, c, chosen)
        if free is None:
            raise ValueError(
                f"survivors {sorted(chosen)} leave a straggler in each of the {g} residue classes of the plain cyclic "
                f"code ({n}, {c}), which guarantees only {g - 1} stragglers; use RelaxedDecoder or LeastSquaresDecoder"
            )
        result = arithmetic.zeros(len(chosen))
        for position, worker in enumerate(chosen):
            if worker % g == free:
                result[position] = arithmetic.number(g) / c
        return result


def free_residue_class(n: int, c: int, survivors: Sequence[int]) -> int | None:
    r"""Return the smallest class modulo :math:`\gcd(n,c)` all of whose workers survive, or ``None``.

    Parameters
    ----------
    n : int
        Workers.
    c : int
        Window length, from 1 to n.
    survivors : sequence of int

    Returns
    -------
    int or None

    Examples
    --------
    >>> free_residue_class(6, 4, [1, 2, 3, 5]), free_residue_class(6, 4, [1, 2, 3, 4])
    (1, None)
    """
    g = _classes(n, c)
    present = set(survivors)
    return next((q for q in range(g) if all(i in present for i in range(q, n, g))), None)


def residue_class_tolerance(n: int, c: int) -> int:
    r"""Return :math:`\gcd(n,c)-1`, the number of stragglers that plain cyclic sums tolerate for certain.

    Parameters
    ----------
    n : int
        Workers and partitions.
    c : int
        Window length, from 1 to n.

    Returns
    -------
    int

    Examples
    --------
    >>> residue_class_tolerance(12, 4), residue_class_tolerance(12, 5)
    (3, 0)
    """
    return _classes(n, c) - 1


def _classes(n: int, c: int) -> int:
    n = checked_count("n", n, least=1)
    return gcd(n, checked_count("c", c, least=1, most=n))
