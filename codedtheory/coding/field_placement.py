"""Integers as points of data, masks and workers, in a field that may be barely large enough."""

from __future__ import annotations

from codedtheory.arithmetic import Arithmetic

__all__ = ["field_placement"]


def field_placement(
    data_blocks: int, workers: int, privacy: int, arithmetic: Arithmetic
) -> tuple[list[int], list[int]]:
    """Return points 0, 1, ... for data and masks, and for workers.

    All are different if the field has K+T+N elements. With fewer, masks share their points with the last workers;
    without masks workers may share those of the data (and then hold these blocks in the clear).

    Parameters
    ----------
    data_blocks, workers, privacy : int
        K, N and T with N >= K+T.
    arithmetic : Arithmetic
        EXACT or a finite field.

    Returns
    -------
    data_points : list of int
        K of the data, then T of the masks.
    worker_points : list of int

    Raises
    ------
    ValueError
        If the field has fewer than N elements, or fewer than K+N for a private code.

    Examples
    --------
    >>> from codedtheory.arithmetic import modular
    >>> field_placement(2, 4, 1, modular(7))
    ([0, 1, 6], [2, 3, 4, 5])
    >>> field_placement(2, 5, 1, modular(7))
    ([0, 1, 6], [2, 3, 4, 5, 6])
    >>> field_placement(2, 5, 0, modular(5))
    ([0, 1], [0, 1, 2, 3, 4])
    """
    size = getattr(arithmetic, "modulus", None)
    apart = data_blocks + workers
    least = apart if privacy else workers
    if size is not None and size < least:
        needs = "one point a data block and worker" if privacy else "one point a worker"
        raise ValueError(f"arithmetic must have at least {least} elements ({needs}), got {size}; choose a larger prime")
    data = list(range(data_blocks))
    if size is not None and size < apart:
        return data, list(range(workers))
    first_mask = apart if size is None or size >= apart + privacy else apart - privacy
    return data + list(range(first_mask, first_mask + privacy)), list(range(data_blocks, apart))
