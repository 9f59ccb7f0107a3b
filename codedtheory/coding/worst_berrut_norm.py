"""The stragglers that make Berrut decoding most sensitive, found among all sets of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic
from codedtheory.interpolation.differences import differences
from codedtheory.interpolation.outward import Intervals, exact_arithmetic_flags
from codedtheory.interpolation.worst_case import WorstCase

from .conditioning import decoding_condition, worst_of
from .survivors import survivor_sets

if TYPE_CHECKING:
    from .berrut_code import BerrutCode

__all__ = ["worst_berrut_norm"]

Array = np.ndarray[Any, Any]

# a chunk of survivor sets keeps the arrays of terms (sets x blocks x survivors) at about 32 MB
_TERMS_AT_ONCE = 4_000_000


def worst_berrut_norm(code: BerrutCode, stragglers: int, arithmetic: Arithmetic) -> WorstCase:
    r"""Return the largest :math:`\|G_F\|_\infty` over all survivor sets F of Berrut's decoder.

    Entry (j, i) of the decoding matrix is :math:`(-1)^i t_i/\sum_k(-1)^kt_k` with
    :math:`t_i=1/(\alpha_j-z_i)` along the sorted survivors, so that the row sum of moduli is

    .. math:: \Lambda_F(\alpha_j)=\sum_i|t_i|\Big/\Big|\sum_i(-1)^it_i\Big| ,

    and 1 where a survivor sits at the data point. Sets are walked in batches of doubles. Over an
    arithmetic other than FLOAT every row sum is enclosed by outward rounded intervals, which start from
    points given as sums of two doubles with their error; sets whose upper end is below the largest lower
    end can't be the worst, and the others are computed in the arithmetic.

    Parameters
    ----------
    code : BerrutCode
        Without blending.
    stragglers : int
    arithmetic : Arithmetic

    Returns
    -------
    WorstCase

    Examples
    --------
    >>> from codedtheory.arithmetic import ball
    >>> from codedtheory.coding import BerrutCode
    >>> worst_berrut_norm(BerrutCode(2, 5), 2, ball(53))
    WorstCase(value=Ball([2.093836321356054 +/- 3.32e-15], bits=53), survivors=(0, 1, 2), stragglers=(3, 4))
    """
    direct = code.collisions()
    if arithmetic is FLOAT:
        best, worst = -np.inf, None
        for sets in _batches(code, stragglers):
            norms = _norms(_terms(differences(code.data_points, code.worker_points), direct), sets, direct)
            top = int(np.argmax(norms))
            if norms[top] > best:
                best, worst = float(norms[top]), sets[top]
        return WorstCase.of(best, worst, code.workers)
    kept = [tuple(int(i) for i in row) for row in _possible_worst(code, stragglers, direct)]
    return worst_of(((s, decoding_condition(code.decoding_matrix(s, arithmetic))) for s in kept), code.workers)


def _batches(code: BerrutCode, stragglers: int) -> Iterator[Array]:
    sets = survivor_sets(code.workers, stragglers)
    size = max(1, _TERMS_AT_ONCE // (code.data_blocks * code.workers))
    while chunk := list(islice(sets, size)):
        yield np.array(chunk, dtype=np.intp)


def _terms(gaps: Any, direct: list[tuple[int, int]]) -> Any:
    """Return 1/gap, with 1 in place of the infinite ones, whose rows are unit rows."""
    for j, i in direct:
        if isinstance(gaps, Intervals):
            gaps.lo[j, i] = gaps.hi[j, i] = 1.0
        else:
            gaps[j, i] = 1.0
    return 1.0 / gaps


def _norms(terms: Any, sets: Array, direct: list[tuple[int, int]]) -> Any:
    """Return for each set the largest row sum of moduli; for interval terms, its enclosure as a pair."""
    signs = 1.0 - 2.0 * (np.arange(sets.shape[1]) % 2)
    chosen = terms[:, sets]
    if isinstance(chosen, Intervals):
        rows = _modulus(chosen).sum(axis=2) / _modulus((chosen * np.broadcast_to(signs, chosen.shape)).sum(axis=2))
        low, high = np.maximum(rows.lo, 1.0), rows.hi
    else:
        # a unit row, filled in below, has a stand-in for its infinite term and may be anything before
        with np.errstate(divide="ignore"):
            low = high = np.abs(chosen).sum(axis=2) / np.abs((chosen * signs).sum(axis=2))
    for j, i in direct:
        alive = (sets == i).any(axis=1)
        low[j, alive] = 1.0
        high[j, alive] = 1.0
    if isinstance(chosen, Intervals):
        return low.max(axis=0), high.max(axis=0)
    return low.max(axis=0)


def _possible_worst(code: BerrutCode, stragglers: int, direct: list[tuple[int, int]]) -> Array:
    floor = 1.0
    kept: list[Array] = []
    ceilings: list[Array] = []
    with exact_arithmetic_flags():
        terms = _terms(_enclosed_gaps(code), direct)
        for sets in _batches(code, stragglers):
            low, high = _norms(terms, sets, direct)
            floor = max(floor, float(low.max()))
            possible = high >= floor
            kept.append(sets[possible])
            ceilings.append(high[possible])
    return np.concatenate(kept)[np.concatenate(ceilings) >= floor]


def _modulus(x: Intervals) -> Intervals:
    return Intervals(np.maximum(np.maximum(x.lo, -x.hi), 0.0), np.maximum(np.abs(x.lo), np.abs(x.hi)))


def _enclosed_gaps(code: BerrutCode) -> Intervals:
    high, low, error = (part[:, None] for part in code.data_points.two_doubles())
    other_high, other_low, other_error = code.worker_points.two_doubles()
    unknown = Intervals(-error, error) + Intervals(-other_error, other_error)
    return (Intervals.of(high) - other_high) + (Intervals.of(low) - other_low) + unknown
