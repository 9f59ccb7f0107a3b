"""Amplification: how much larger than the decoded sum the numbers are that it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import Ball, ComplexBall, maximum

from .code_entries import is_exact, is_real
from .straggler_orbits import orbit_representatives
from .survivors import checked_count, checked_stragglers, checked_survivors
from .worker_symmetry import TRIVIAL

if TYPE_CHECKING:
    from .decoding import Decoder
    from .gradient_code import GradientCode

__all__ = ["WorstAmplification", "amplification", "worst_amplification"]


@dataclass(frozen=True)
class WorstAmplification:
    """The largest amplification over all straggler sets of one size.

    Attributes
    ----------
    value : number
        Exact for a real exact code, a `Ball` for a complex one, a float for a code of floats.
    stragglers : tuple of int
        The lexicographically first straggler set that attains it; for balls, the one with the largest midpoint.
    sets : int
        Number of straggler sets.
    examined : int
        How many of them were looked at; the others follow by symmetry.
    """

    value: Any
    stragglers: tuple[int, ...]
    sets: int
    examined: int


def amplification(code: GradientCode, decoder: Decoder, survivors: Any, bits: int = 128) -> Any:
    r"""Return :math:`\max_j\sum_{i\in R}|a_iB_{ij}|` for the weights of a decoder.

    Parameters
    ----------
    code : GradientCode
    decoder : Decoder
    survivors : iterable of int
    bits : int, optional
        Precision of the absolute values of complex exact numbers.

    Returns
    -------
    number
        Exact for a real exact code, a `Ball` for a complex one, a float for a code of floats. It does not change
        when rows of B are scaled, and is at least 1 where decoding is exact.

    Examples
    --------
    >>> from codedtheory.coding import MinNorm, polynomial_cyclic
    >>> str(amplification(polynomial_cyclic([0, 1, 2], 1), MinNorm(), [0, 1]))
    '3'
    """
    arrived = list(checked_survivors(survivors, code.n))
    if not hasattr(decoder, "weights"):
        raise TypeError(f"decoder must be one such as MinNorm(), got {decoder!r}")
    return _amplification(_sizes(code.matrix, bits)[arrived], decoder.weights(code, arrived), bits)


def worst_amplification(
    code: GradientCode, decoder: Decoder, s: int, bits: int = 128, limit: int = 1_000_000
) -> WorstAmplification:
    """Return the largest amplification over all sets of s stragglers, with a set that attains it.

    Parameters
    ----------
    code : GradientCode
    decoder : Decoder
        If it declares itself equivariant, only one set of each orbit under the verified symmetries of the code is
        looked at.
    s : int
        Stragglers, ``0 <= s < n``.
    bits : int, optional
        As for `amplification`.
    limit : int, optional
        Most straggler sets to go through, before symmetry.

    Returns
    -------
    WorstAmplification

    Raises
    ------
    ValueError
        If there are more sets than the limit, or the decoder refuses one.

    Examples
    --------
    >>> from codedtheory.coding import MinNorm, polynomial_cyclic
    >>> worst = worst_amplification(polynomial_cyclic(range(6), 1), MinNorm(), 1)
    >>> str(worst.value), worst.stragglers
    ('9', (0,))
    """
    s = checked_stragglers(s, code.n)
    sets = comb(code.n, s)
    if sets > checked_count("limit", limit, least=1):
        raise ValueError(f"{sets} straggler sets are more than limit={limit}; raise limit to go through them")
    group = code.symmetry_group if getattr(decoder, "equivariant", False) else TRIVIAL
    sizes = _sizes(code.matrix, bits)
    found: list[tuple[Any, tuple[int, ...]]] = []
    examined = 0
    for representatives, _ in orbit_representatives(code.n, s, group):
        for row in representatives:
            lost = tuple(int(w) for w in row)
            arrived = [w for w in range(code.n) if w not in set(lost)]
            value = _amplification(sizes[arrived], decoder.weights(code, arrived), bits)
            examined += 1
            if not found or _rank(value) > _rank(found[0][0]):
                found.insert(0, (value, lost))
            elif isinstance(value, Ball):
                found.append((value, lost))
    return WorstAmplification(maximum(value for value, _ in found), found[0][1], sets, examined)


def _rank(value: Any) -> Any:
    return value.mid if isinstance(value, Ball) else value


def _amplification(sizes: np.ndarray[Any, Any], weights: np.ndarray[Any, Any], bits: int) -> Any:
    totals = _sizes(np.asarray(weights), bits) @ sizes
    return maximum(totals) if totals.dtype == object else float(totals.max())


def _sizes(values: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """Return absolute values, as balls where they leave the field."""
    if not is_exact(values) or is_real(values):
        return np.asarray(np.abs(values))
    sizes = np.empty(values.shape, dtype=object)
    for index, x in np.ndenumerate(values):
        sizes[index] = abs(ComplexBall(x, bits)) if x != 0 else Ball(0, bits)
    return sizes
