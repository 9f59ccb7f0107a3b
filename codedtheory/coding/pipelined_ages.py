"""Ages of the gradients in pipelined gradient coding."""

from __future__ import annotations

from .survivors import checked_count

__all__ = ["copy_ages", "fresh_partitions", "message_ages", "slot_age", "slot_partition"]

_PLACEMENTS = ("cyclic", "fractional")


def slot_age(slot: int, step: int, copies: int) -> int:
    r"""Return the age :math:`(t-i)\bmod c` of slot i at step t: one slot is evaluated a step, in turn.

    Before its first turn a slot holds the gradient at the initial iterate, which counts as all earlier ones.

    Parameters
    ----------
    slot : int
        i, from 0 to c - 1.
    step : int
        t, at least 0.
    copies : int
        Slots per worker, c = s + 1.

    Returns
    -------
    int

    Examples
    --------
    >>> [slot_age(i, step=4, copies=3) for i in range(3)]
    [1, 0, 2]
    """
    copies = checked_count("copies", copies, least=1)
    step, slot = checked_count("step", step, least=0), checked_count("slot", slot, least=0, most=copies - 1)
    return (step - slot) % copies


def slot_partition(worker: int, slot: int, n: int, copies: int, placement: str = "cyclic") -> int:
    """Return the partition in a worker's slot.

    Parameters
    ----------
    worker, slot : int
    n : int
        Workers and partitions.
    copies : int
        Slots per worker, c; divides n for "fractional".
    placement : {"cyclic", "fractional"}, default "cyclic"
        Slot i of worker r is partition r + i modulo n, or the i-th partition of the worker's group.

    Returns
    -------
    int

    Examples
    --------
    >>> slot_partition(5, 1, n=6, copies=2), slot_partition(5, 1, n=6, copies=2, placement="fractional")
    (0, 5)
    """
    if placement not in _PLACEMENTS:
        raise ValueError(f"placement must be 'cyclic' or 'fractional', got {placement!r}")
    n = checked_count("n", n, least=1)
    worker, copies = checked_count("worker", worker, least=0, most=n - 1), checked_count("copies", copies, 1, most=n)
    slot = checked_count("slot", slot, least=0, most=copies - 1)
    if placement == "cyclic":
        return (worker + slot) % n
    if n % copies:
        raise ValueError(f"copies must divide n for fractional repetition, got n={n}, copies={copies}")
    return worker - worker % copies + slot


def message_ages(worker: int, step: int, n: int, s: int, placement: str = "cyclic") -> dict[int, int]:
    """Return the age of each partition's gradient in a worker's message.

    Every message has exactly one gradient of each age 0, ..., s, so the mean age of an update with equal
    message weights is s/2 for every straggler set.

    Parameters
    ----------
    worker, step : int
    n : int
        Workers and partitions.
    s : int
        Stragglers; each worker has s + 1 slots.
    placement : {"cyclic", "fractional"}, default "cyclic"

    Returns
    -------
    dict
        From partition to age.

    Examples
    --------
    >>> message_ages(worker=2, step=0, n=4, s=1)
    {2: 0, 3: 1}
    """
    return {slot_partition(worker, slot, n, s + 1, placement): slot_age(slot, step, s + 1) for slot in range(s + 1)}


def copy_ages(partition: int, step: int, n: int, s: int, placement: str = "cyclic") -> dict[int, int]:
    """Return the age of each copy of a partition's gradient, by worker.

    Under cyclic placement the s + 1 copies have the ages 0, ..., s, once each, at every step; under fractional
    placement all copies have the same age.

    Parameters
    ----------
    partition, step : int
    n : int
        Workers and partitions.
    s : int
        Stragglers; each worker has s + 1 slots.
    placement : {"cyclic", "fractional"}, default "cyclic"

    Returns
    -------
    dict
        From worker to age.

    Examples
    --------
    >>> copy_ages(partition=2, step=0, n=4, s=1)
    {1: 1, 2: 0}
    >>> copy_ages(partition=2, step=1, n=4, s=1, placement="fractional")
    {2: 1, 3: 1}
    """
    ages = {}
    partition = checked_count("partition", partition, least=0, most=n - 1)
    for worker in range(n):
        held = message_ages(worker, step, n, s, placement)
        if partition in held:
            ages[worker] = held[partition]
    return ages


def fresh_partitions(step: int, n: int, s: int, placement: str = "cyclic") -> frozenset[int]:
    """Return the partitions of which some copy is evaluated at this step's iterate.

    All n partitions under cyclic placement, n / (s + 1) of them under fractional placement.

    Parameters
    ----------
    step : int
    n : int
        Workers and partitions.
    s : int
        Stragglers; each worker has s + 1 slots.
    placement : {"cyclic", "fractional"}, default "cyclic"

    Returns
    -------
    frozenset of int

    Examples
    --------
    >>> sorted(fresh_partitions(1, n=4, s=1, placement="fractional"))
    [1, 3]
    """
    copies, step = checked_count("s", s, least=0) + 1, checked_count("step", step, least=0)
    return frozenset(slot_partition(worker, step % copies, n, copies, placement) for worker in range(n))
