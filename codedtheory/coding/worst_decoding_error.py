"""The worst least-squares decoding error over all straggler sets of one size."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import LowerBound

from .decoding_error import DecodingErrors
from .straggler_orbits import orbit_count, orbit_representatives, straggler_sets
from .structured_errors import all_sets_alike, worst_of_repetition
from .survivors import checked_count, checked_stragglers

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["ErrorForecast", "WorstError", "forecast_decoding_error", "worst_decoding_error"]

_EXACT_ORBITS = 100_000
_LIMIT = 20_000_000
_SLICE = 16_384


@dataclass(frozen=True)
class WorstError:
    """The largest decoding error over the straggler sets of one size.

    Attributes
    ----------
    value : number
        Exact for an exact code, a float for a code of floats; a `LowerBound` if not all sets were gone through with
        that certainty.
    stragglers : tuple of int
        A straggler set with this error.
    mean : number or None
        The mean error over all sets, if all were gone through.
    sets : int
        Number of straggler sets.
    examined : int
        How many were looked at.
    method : str
        Why the others follow, or what was done instead.
    """

    value: Any
    stragglers: tuple[int, ...]
    mean: Any
    sets: int
    examined: int
    method: str


@dataclass(frozen=True)
class ErrorForecast:
    """What going through all straggler sets would cost.

    Attributes
    ----------
    sets : int
        Number of straggler sets.
    instances : int
        Number of them up to symmetry, for each of which an error is computed.
    seconds : float
        Extrapolated from a few of them, on this machine.
    method : str
        What `worst_decoding_error` will do: ``"structure"``, ``"exact orbits"``, ``"orbits in doubles"`` or
        ``"local search"``.
    """

    sets: int
    instances: int
    seconds: float
    method: str


def worst_decoding_error(
    code: GradientCode,
    s: int,
    rng: np.random.Generator | None = None,
    limit: int = _LIMIT,
    exact_orbits: int = _EXACT_ORBITS,
    restarts: int = 20,
) -> WorstError:
    r"""Return the largest error :math:`\min_a\|a^{\mathsf T}B_R-\mathbf 1\|^2` over all sets of s stragglers.

    Parameters
    ----------
    code : GradientCode
    s : int
        Stragglers, ``0 <= s < n``.
    rng : numpy.random.Generator, optional
        Needed for the local search only, which starts from random sets.
    limit : int, optional
        Most straggler sets to go through, before symmetry; more are searched locally.
    exact_orbits : int, optional
        Most orbits of an exact code whose error is computed exactly. With more, doubles choose the set, its error
        is computed exactly, and the value is a `LowerBound`.
    restarts : int, optional
        Of the local search.

    Returns
    -------
    WorstError

    Raises
    ------
    ValueError
        If a local search is needed and no rng is given.

    Notes
    -----
    In this order: structure (disjoint repetition, symmetric designs); one set of each orbit under the verified
    symmetries; local search by exchanging one straggler for one survivor. The error grows with the straggler set,
    so sets of exactly s stragglers are enough. See `DecodingErrors` for the formula.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> worst = worst_decoding_error(plain_cyclic(20, 2), 5)
    >>> str(worst.value), worst.sets, worst.examined
    ('25/8', 15504, 406)
    """
    s = checked_stragglers(s, code.n)
    sets = comb(code.n, s)
    method = _method(code, s, limit, exact_orbits)
    if method == "structure":
        return _structured(code, s)
    if method == "exact orbits":
        return _exact_orbits(code, s)
    if method == "orbits in doubles":
        return _floating_orbits(code, s)
    if rng is None:
        raise ValueError(
            f"{sets} straggler sets are more than limit={limit}; raise it, or pass rng to search for a lower bound"
        )
    return _local_search(code, s, rng, checked_count("restarts", restarts, least=1))


def forecast_decoding_error(
    code: GradientCode, s: int, limit: int = _LIMIT, exact_orbits: int = _EXACT_ORBITS
) -> ErrorForecast:
    """Return what `worst_decoding_error` will do, and how long it will take.

    Parameters
    ----------
    code : GradientCode
    s : int
    limit, exact_orbits : int, optional
        As for `worst_decoding_error`.

    Returns
    -------
    ErrorForecast

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> plan = forecast_decoding_error(plain_cyclic(20, 2), 5)
    >>> plan.instances, plan.method
    (406, 'exact orbits')
    """
    s = checked_stragglers(s, code.n)
    sets = comb(code.n, s)
    method = _method(code, s, limit, exact_orbits)
    if method == "structure":
        return ErrorForecast(sets, 1, 0.0, method)
    instances = orbit_count(code.n, s, code.symmetry_group)
    errors = DecodingErrors(code)
    sample = next(straggler_sets(code.n, s, chunk=10 if method == "exact orbits" else 2000))
    errors.floating(sample[:1])
    if method == "exact orbits":
        errors.exact(tuple(int(w) for w in sample[0]))
    start = time.perf_counter()
    if method == "exact orbits":
        for row in sample:
            errors.exact(tuple(int(w) for w in row))
    else:
        errors.floating(sample)
    each = (time.perf_counter() - start) / len(sample)
    # finding the representatives takes about 30 ns a set and element of the group that is tried on it
    search = 0.0 if method == "local search" else 1e-7 * sets
    return ErrorForecast(sets, instances, each * instances + search, method)


def _method(code: GradientCode, s: int, limit: int, exact_orbits: int) -> str:
    if worst_of_repetition(code, s) is not None or all_sets_alike(code):
        return "structure"
    if comb(code.n, s) > checked_count("limit", limit, least=1):
        return "local search"
    small = orbit_count(code.n, s, code.symmetry_group) <= checked_count("exact_orbits", exact_orbits, least=0)
    return "exact orbits" if code.is_exact and small else "orbits in doubles"


def _structured(code: GradientCode, s: int) -> WorstError:
    repetition = worst_of_repetition(code, s)
    sets = comb(code.n, s)
    if repetition is not None:
        value, where, mean = repetition
        return WorstError(value, where, mean, sets, 1, "classes of workers with disjoint data")
    first = tuple(range(s))
    value = DecodingErrors(code).exact(first)
    return WorstError(value, first, value, sets, 1, "all sets alike: Gram matrix of a symmetric design")


def _exact_orbits(code: GradientCode, s: int) -> WorstError:
    errors = DecodingErrors(code)
    group = code.symmetry_group
    worst: Any = None
    where: tuple[int, ...] = ()
    total: Any = 0
    examined = 0
    for representatives, sizes in orbit_representatives(code.n, s, group):
        for row, size in zip(representatives, sizes, strict=True):
            lost = tuple(int(w) for w in row)
            error = errors.exact(lost)
            total = error * int(size) + total
            if worst is None or error > worst:
                worst, where = error, lost
        examined += len(representatives)
    sets = comb(code.n, s)
    return WorstError(worst, where, total / sets, sets, examined, f"symmetry {group.name}, exact")


def _floating_orbits(code: GradientCode, s: int) -> WorstError:
    errors = DecodingErrors(code)
    group = code.symmetry_group
    worst, total, examined = -np.inf, 0.0, 0
    where: tuple[int, ...] = ()
    for representatives, sizes in orbit_representatives(code.n, s, group):
        for start in range(0, len(representatives), _SLICE):
            rows = representatives[start : start + _SLICE]
            found = errors.floating(rows)
            total += float(found @ sizes[start : start + _SLICE])
            k = int(np.argmax(found))
            if found[k] > worst:
                worst, where = float(found[k]), tuple(int(w) for w in rows[k])
        examined += len(representatives)
    sets = comb(code.n, s)
    value: Any = LowerBound(errors.exact(where)) if code.is_exact else _residual(errors, where)
    return WorstError(value, where, total / sets, sets, examined, f"symmetry {group.name}, set chosen in doubles")


def _local_search(code: GradientCode, s: int, rng: np.random.Generator, restarts: int) -> WorstError:
    errors = DecodingErrors(code)
    best, where, examined = -np.inf, tuple(range(s)), 0
    starts = [np.arange(s)] + [np.sort(rng.permutation(code.n)[:s]) for _ in range(restarts)]
    for lost in starts:
        value = float(errors.floating(lost[None, :])[0])
        while True:
            kept = np.setdiff1d(np.arange(code.n), lost)
            neighbours = np.repeat(lost[None, :], s * len(kept), axis=0)
            index = np.arange(s * len(kept))
            neighbours[index, index // len(kept)] = np.tile(kept, s)
            parts = np.array_split(neighbours, len(index) // _SLICE + 1)
            found = np.concatenate([errors.floating(part) for part in parts])
            examined += len(index)
            k = int(np.argmax(found)) if len(found) else 0
            # exchanges that only move the rounding error would go on for ever
            if not len(found) or found[k] <= value + 1e-9 * (1 + abs(value)):
                break
            lost, value = np.sort(neighbours[k]), float(found[k])
        if value > best:
            best, where = value, tuple(int(w) for w in lost)
    confirmed: Any = errors.exact(where) if code.is_exact else _residual(errors, where)
    method = f"local search from {len(starts)} sets"
    return WorstError(LowerBound(confirmed), where, None, comb(code.n, s), examined, method)


def _residual(errors: DecodingErrors, lost: tuple[int, ...]) -> float:
    return float(errors.residual(np.array([lost], dtype=np.int64))[0])
