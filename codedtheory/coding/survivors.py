"""Survivor sets: which workers answered, in which order, and all sets that an adversary may leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from codedtheory.arithmetic.number import is_integer

__all__ = [
    "checked_count",
    "checked_generator",
    "checked_stragglers",
    "checked_survivors",
    "in_worker_order",
    "survivor_sets",
]


def checked_count(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number as an int.

    Parameters
    ----------
    name : str
        How the argument is called, for the error message.
    value : int
    least : int
        Smallest allowed value.
    most : int, optional
        Largest allowed value.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If `value` is no integer.
    ValueError
        If it is below `least` or above `most`.

    Examples
    --------
    >>> checked_count("workers", 5, least=1)
    5
    """
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value!r}")
    if most is not None and value > most:
        raise ValueError(f"{name} must be at most {most}, got {value!r}")
    return int(value)


def checked_generator(rng: Any) -> np.random.Generator:
    """Return a source of randomness, which only the caller has.

    Parameters
    ----------
    rng : numpy.random.Generator

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    TypeError
        For seeds, legacy generators and everything else.

    Examples
    --------
    >>> checked_generator(7)
    Traceback (most recent call last):
        ...
    TypeError: rng must be a numpy.random.Generator, got 7; use np.random.default_rng(seed)
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}; use np.random.default_rng(seed)")
    return rng


def checked_stragglers(stragglers: Any, workers: int) -> int:
    """Return the number of stragglers as an int, of which at least one worker must be free.

    Parameters
    ----------
    stragglers : int
    workers : int

    Returns
    -------
    int

    Raises
    ------
    ValueError
        Unless ``0 <= stragglers < workers``.

    Examples
    --------
    >>> checked_stragglers(5, workers=5)
    Traceback (most recent call last):
        ...
    ValueError: stragglers must be below the number of workers (5), got 5; nothing is left to decode from
    """
    count = checked_count("stragglers", stragglers, least=0)
    if count >= workers:
        raise ValueError(
            f"stragglers must be below the number of workers ({workers}), got {count}; nothing is left to decode from"
        )
    return count


def checked_survivors(survivors: Any, workers: int) -> tuple[int, ...]:
    """Return the workers that answered as ints, in the order in which they are given.

    Parameters
    ----------
    survivors : iterable of int
        Worker indices in 0..workers-1, each at most once, in any order.
    workers : int

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        If there are none, one is repeated or one is out of range.

    Examples
    --------
    >>> checked_survivors([3, 0, 1], workers=4)
    (3, 0, 1)
    """
    if not isinstance(survivors, Iterable):
        raise TypeError(f"survivors must be a sequence of workers, got {survivors!r}; write [{survivors!r}] for one")
    arrived = tuple(survivors)
    if not arrived:
        raise ValueError("survivors must not be empty; wait for at least one worker")
    for worker in arrived:
        if not is_integer(worker):
            raise TypeError(f"survivors must be worker indices, got {worker!r}")
        if not 0 <= worker < workers:
            raise ValueError(f"survivors must lie in 0..{workers - 1}, got {worker}; workers are counted from 0")
    if len(set(arrived)) < len(arrived):
        repeated = next(worker for worker in arrived if arrived.count(worker) > 1)
        raise ValueError(f"survivors must be distinct, got {repeated} more than once; drop late duplicates")
    return tuple(int(worker) for worker in arrived)


def in_worker_order(survivors: Sequence[int]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return the positions that sort survivors by worker index.

    Sums that run in worker order do not depend on who arrived first, down to the last bit.

    Parameters
    ----------
    survivors : sequence of int
        Distinct worker indices.

    Returns
    -------
    numpy.ndarray of int

    Examples
    --------
    >>> in_worker_order((3, 0, 1)).tolist()
    [1, 2, 0]
    """
    return np.argsort(np.asarray(survivors), kind="stable")


def survivor_sets(workers: int, stragglers: int) -> Iterator[tuple[int, ...]]:
    """Return all sets of workers that can be left when exactly `stragglers` are lost.

    Parameters
    ----------
    workers : int
    stragglers : int

    Returns
    -------
    iterator of tuple of int
        Sorted sets in lexicographic order.

    Examples
    --------
    >>> list(survivor_sets(3, stragglers=1))
    [(0, 1), (0, 2), (1, 2)]
    """
    count = checked_stragglers(stragglers, checked_count("workers", workers, least=1))
    return combinations(range(workers), workers - count)
