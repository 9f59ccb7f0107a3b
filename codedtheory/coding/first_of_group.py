"""Decoding fractional repetition by the first message of each group that is present."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

import numpy as np

from codedtheory.arithmetic import Rational, arithmetic_of

from .placement import PlacedCode, repetition_groups
from .survivors import checked_count, checked_survivors

__all__ = ["FirstOfGroupDecoder", "expected_repetition_error", "probability_of_presence"]


@dataclass(frozen=True, slots=True)
class FirstOfGroupDecoder:
    r"""Add the first message of each present group, without any rescaling.

    With all groups present this is the exact decoder of fractional repetition; with fewer it is the
    ErasureHead sum, whose coefficients are 1 for present groups and 0 for absent ones: on average
    :math:`P(\text{group present})<1`, so it is biased low. Among all weights it is nearest to the full sum.

    Notes
    -----
    Tandon, Lei, Dimakis and Karampatziakis (2016), arXiv 1612.03301; Wang, Charles and Papailiopoulos (2019),
    "ErasureHead", arXiv 1901.09671.

    Examples
    --------
    >>> from codedtheory.coding import fractional_repetition
    >>> [str(w) for w in FirstOfGroupDecoder().weights(fractional_repetition(4, 1), [3, 0, 2])]
    ['1', '1', '0']
    """

    name: ClassVar[str] = "first of group"
    equivariant: ClassVar[bool] = False

    def weights(self, code: PlacedCode, survivors: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return 1 for the first survivor of each group, in the given order of arrival, and 0 for the others.

        Parameters
        ----------
        code : PlacedCode
            Plain fractional repetition.
        survivors : sequence of int

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)

        Raises
        ------
        ValueError
            If the code is not plain fractional repetition.
        """
        received = checked_survivors(survivors, code.matrix.shape[0])
        group_of = {worker: g for g, group in enumerate(repetition_groups(code)) for worker in group}
        seen: set[int] = set()
        result = []
        for worker in received:
            group = group_of.get(worker)
            result.append(int(group is not None and group not in seen))
            if group is not None:
                seen.add(group)
        return arithmetic_of(code.matrix).array(result)


def probability_of_presence(
    workers: int, copies: int, *, received: int | None = None, loss: Fraction | Rational | int | str | None = None
) -> Rational:
    r"""Return the probability that at least one of the holders of a partition answers.

    Parameters
    ----------
    workers : int
        Number of workers, k.
    copies : int
        Holders of the partition, c.
    received : int, optional
        A uniformly random set of this size answers: :math:`1-\binom{k-c}{r}/\binom kr`.
    loss : Fraction, Rational, int or str, optional
        Every worker is lost independently with this probability p: :math:`1-p^c`.

    Returns
    -------
    Rational

    Raises
    ------
    ValueError
        Unless exactly one of `received` and `loss` is given and in range.

    Examples
    --------
    >>> probability_of_presence(4, 2, received=2), probability_of_presence(4, 2, loss="1/2")
    (Rational(5, 6), Rational(3, 4))
    """
    workers = checked_count("workers", workers, least=1)
    copies = checked_count("copies", copies, least=1, most=workers)
    if (received is None) == (loss is None):
        raise ValueError(f"give exactly one of received and loss, got received={received}, loss={loss}")
    if loss is not None:
        p = Rational(loss)
        if not 0 <= p <= 1:
            raise ValueError(f"loss must be a probability, got {loss}")
        answered: Rational = 1 - p**copies
        return answered
    received = checked_count("received", received, least=0, most=workers)
    present: Rational = 1 - Rational(comb(workers - copies, received), comb(workers, received))
    return present


def expected_repetition_error(workers: int, copies: int, received: int) -> Rational:
    r"""Return :math:`E\,\mathrm{err}=k\binom{k-s'}{r}/\binom kr` of optimally decoded fractional repetition.

    k tasks on k workers, s' tasks a worker, r uniformly random workers received.

    Parameters
    ----------
    workers : int
        k, a multiple of `copies`.
    copies : int
        Tasks per worker and workers per task, s'.
    received : int
        r, at most k.

    Returns
    -------
    Rational

    Notes
    -----
    Charles, Papailiopoulos and Ellenberg (2017), arXiv 1711.06771.

    Examples
    --------
    >>> expected_repetition_error(4, 2, 2)
    Rational(2, 3)
    """
    workers, copies = checked_count("workers", workers, least=1), checked_count("copies", copies, least=1)
    if workers % copies:
        raise ValueError(f"copies must divide workers, got workers={workers}, copies={copies}")
    error: Rational = workers * (1 - probability_of_presence(workers, copies, received=received))
    return error
