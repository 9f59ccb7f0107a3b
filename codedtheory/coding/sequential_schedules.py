"""What sequential gradient coding gets done under bursty stragglers, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .bursty_stragglers import checked_model, may_straggle
from .survivors import checked_stragglers

__all__ = ["fewest_repeated_results", "multiplexed_results"]

State = tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]


def multiplexed_results(
    n: int, burst: int, window: int, pattern: Sequence[frozenset[int]]
) -> tuple[int, tuple[int, ...]]:
    r"""Return what one job of M-SGC has got from its workers by its deadline.

    In its first W - 1 rounds every worker computes one uncoded chunk a round. In the last B rounds it retries the
    first chunk that it failed to return, or else contributes to that round's group of coded chunks.

    Parameters
    ----------
    n : int
        Workers.
    burst, window : int
        B and W.
    pattern : sequence of frozenset of int, length W - 1 + B
        Stragglers of the job's rounds.

    Returns
    -------
    missing : int
        Uncoded chunks that are missing at the end.
    coded : tuple of int, length B
        How many workers contributed to each coded group; a code against :math:`\lambda` stragglers needs
        :math:`n-\lambda` of them.

    Examples
    --------
    >>> multiplexed_results(3, 1, 3, [frozenset({0}), frozenset(), frozenset()])
    (0, (2,))
    """
    if len(pattern) != window - 1 + burst:
        raise ValueError(f"pattern must have {window - 1 + burst} rounds, got {len(pattern)}")
    owed: list[list[int]] = [[] for _ in range(n)]
    coded = []
    for t, lost in enumerate(pattern):
        if t < window - 1:
            for worker in lost:
                owed[worker].append(t)
            continue
        coded.append(sum(not owed[worker] and worker not in lost for worker in range(n)))
        for worker in range(n):
            if owed[worker] and worker not in lost:
                owed[worker].pop(0)
    return sum(map(len, owed)), tuple(coded)


def fewest_repeated_results(n: int, s: int, burst: int, window: int, limit: int, everyone_retries: bool = False) -> int:
    r"""Return the fewest results that a job of SR-SGC has at its deadline, over all patterns of any length.

    Job t is computed in round t and retried in round t + B: as many of the workers that have not returned it as results
    lack to n - s retry it, the others compute the new job. All states that the bursty model can reach are visited.

    Parameters
    ----------
    n : int
        Workers.
    s : int
        Stragglers that the code inside tolerates.
    burst, window, limit : int
        B, W and :math:`\lambda`.
    everyone_retries : bool, default False
        Whether all workers that have not returned a lacking job retry it, more than are needed.

    Returns
    -------
    int
        The gradient of every job can be decoded in time iff this is at least n - s.

    Examples
    --------
    >>> fewest_repeated_results(2, 1, burst=1, window=2, limit=2)
    1
    >>> fewest_repeated_results(2, 1, burst=1, window=2, limit=2, everyone_retries=True)
    0
    """
    n, burst, window, limit = checked_model(n, burst, window, limit)
    s = checked_stragglers(s, n)
    choices = [frozenset(lost) for size in range(limit + 1) for lost in combinations(range(n), size)]
    everyone = frozenset(range(n))
    start: State = ((), (everyone,) * burst)
    seen, waiting, fewest = {start}, [start], n
    while waiting:
        past, (due, *others) = waiting.pop()
        lacking = max(n - s - len(due), 0)
        absent = sorted(everyone - due) if lacking else []
        retrying = frozenset(absent if everyone_retries else absent[:lacking])
        for lost in choices:
            if not may_straggle(lost, past, burst, window, limit):
                continue
            fewest = min(fewest, len(due | (retrying - lost)))
            following = ((*past, lost)[-(window - 1) :], (*others, everyone - retrying - lost))
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return fewest
