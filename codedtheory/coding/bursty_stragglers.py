"""Straggler patterns of the bursty model of sequential gradient coding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from .survivors import checked_count

__all__ = ["bursty_patterns", "checked_model", "may_straggle"]


def checked_model(n: int, burst: int, window: int, limit: int) -> tuple[int, int, int, int]:
    r"""Return the parameters of the bursty model :math:`(B,W,\lambda)` of n workers as ints.

    Parameters
    ----------
    n : int
        Workers, at least 1.
    burst : int
        B, from 1 to W - 1.
    window : int
        W, at least 2.
    limit : int
        :math:`\lambda`, from 0 to n.

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        If one of them is out of range.

    Examples
    --------
    >>> checked_model(3, 1, 2, 3)
    (3, 1, 2, 3)
    """
    n = checked_count("n", n, least=1)
    burst, window = checked_count("burst", burst, least=1), checked_count("window", window, least=2)
    if burst > window - 1:
        raise ValueError(f"burst must be below window={window}, got {burst}; no round would be safe")
    return n, burst, window, checked_count("limit", limit, least=0, most=n)


def may_straggle(
    stragglers: frozenset[int], past: Sequence[frozenset[int]], burst: int, window: int, limit: int
) -> bool:
    r"""Whether the bursty model :math:`(B,W,\lambda)` lets these workers straggle after a given past.

    In any W consecutive rounds at most :math:`\lambda` different workers straggle, and who straggles does not
    do so again B, ..., W - 1 rounds later.

    Parameters
    ----------
    stragglers : frozenset of int
        Of the next round.
    past : sequence of frozenset of int
        Stragglers of the rounds before, the latest last; all that matters are the last W - 1.
    burst, window, limit : int
        B, W and :math:`\lambda`.

    Returns
    -------
    bool

    Notes
    -----
    Krishnan, Ebrahimi and Khisti (2022), arXiv 2211.13802.

    Examples
    --------
    >>> past = [frozenset({0})]
    >>> may_straggle(frozenset({0}), past, 1, 3, 2), may_straggle(frozenset({1}), past, 1, 3, 2)
    (False, True)
    """
    recent = past[max(len(past) - window + 1, 0) :]
    if len(stragglers.union(*recent)) > limit:
        return False
    earlier = recent[: max(len(recent) - burst + 1, 0)]
    return not any(stragglers & lost for lost in earlier)


def bursty_patterns(n: int, rounds: int, burst: int, window: int, limit: int) -> Iterator[tuple[frozenset[int], ...]]:
    """Return all straggler patterns of the bursty model over a number of rounds.

    Parameters
    ----------
    n : int
        Workers.
    rounds : int
    burst, window, limit : int
        See `may_straggle`.

    Yields
    ------
    tuple of frozenset of int, length rounds

    Examples
    --------
    >>> sum(1 for pattern in bursty_patterns(3, 3, burst=1, window=3, limit=1))
    10
    """
    n, burst, window, limit = checked_model(n, burst, window, limit)
    rounds = checked_count("rounds", rounds, least=0)
    choices = [frozenset(lost) for size in range(limit + 1) for lost in combinations(range(n), size)]

    def continued(past: tuple[frozenset[int], ...]) -> Iterator[tuple[frozenset[int], ...]]:
        if len(past) == rounds:
            yield past
            return
        for lost in choices:
            if may_straggle(lost, past, burst, window, limit):
                yield from continued((*past, lost))

    yield from continued(())
