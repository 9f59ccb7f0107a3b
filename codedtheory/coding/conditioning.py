"""How strongly a decoding matrix can amplify errors of the answers, and for which stragglers most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from codedtheory.arithmetic import Ball, maximum, singular_values
from codedtheory.interpolation.worst_case import WorstCase

from .survivors import survivor_sets

__all__ = ["decoding_condition", "worst_condition", "worst_of"]


def decoding_condition(matrix: np.ndarray[Any, Any], p: int | str = "inf") -> Any:
    r"""Return the largest amplification of errors by a decoding matrix.

    Parameters
    ----------
    matrix : numpy.ndarray, shape (blocks, answers)
    p : {"inf", 2}
        ``"inf"``: :math:`\max_j\sum_i|G_{ji}|`, the norm of G for maximum norms. ``2``: the ratio of the
        largest to the smallest of the min(blocks, answers) singular values.

    Returns
    -------
    number

    Raises
    ------
    ValueError
        For another p.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> decoding_condition(EXACT.array([["3/2", "-1/2"], [0, 1]]))
    Rational(2, 1)
    """
    if p == "inf":
        if matrix.dtype != object:
            return float(np.abs(matrix).sum(axis=1).max())
        return maximum([sum(abs(entry) for entry in row) for row in matrix])
    if p == 2:
        values = singular_values(matrix)
        ratio = values[0] / values[-1]
        return float(ratio) if matrix.dtype != object else ratio
    raise ValueError(f"p must be 'inf' or 2, got {p!r}")


def worst_condition(workers: int, stragglers: int, condition_of: Callable[[tuple[int, ...]], Any]) -> WorstCase:
    """Return the largest condition number over all sets of so many stragglers, by enumeration.

    Parameters
    ----------
    workers, stragglers : int
    condition_of : callable
        From sorted survivors to a number.

    Returns
    -------
    WorstCase

    Examples
    --------
    >>> worst_condition(3, 1, lambda survivors: sum(survivors))
    WorstCase(value=3, survivors=(1, 2), stragglers=(0,))
    """
    return worst_of(((survivors, condition_of(survivors)) for survivors in survivor_sets(workers, stragglers)), workers)


def worst_of(candidates: Any, workers: int) -> WorstCase:
    """Return the largest value with the first set that attains it (of balls: with the largest midpoint).

    Parameters
    ----------
    candidates : iterable of (tuple of int, number)
        Survivors and value.
    workers : int

    Returns
    -------
    WorstCase
        Its value is that of `maximum`, hence for balls an enclosure of the largest true number.

    Examples
    --------
    >>> worst_of([((0,), 2), ((1,), 5), ((2,), 5)], workers=3).survivors
    (1,)
    """
    best: Any = None
    leader: Any = None
    value: Any = None
    for survivors, candidate in candidates:
        size = candidate.mid if isinstance(candidate, Ball) else candidate
        if leader is None or size > leader:
            leader, best = size, survivors
        value = candidate if value is None else maximum([value, candidate])
    return WorstCase.of(value, best, workers)
