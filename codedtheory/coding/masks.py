"""Masking blocks, which make the shares of a few workers independent of the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import Arithmetic

from .blocks import residues, stacked

__all__ = ["with_masks"]


def with_masks(
    blocks: np.ndarray[Any, Any], count: int, masks: Any, rng: np.random.Generator | None, arithmetic: Arithmetic
) -> np.ndarray[Any, Any]:
    """Return blocks followed by masking blocks, which are given or drawn uniformly.

    Parameters
    ----------
    blocks : numpy.ndarray, shape (K, ...)
    count : int
        Number of masking blocks, T.
    masks : array_like, shape (T, ...), or None
    rng : numpy.random.Generator or None
        Used if no masks are given; over finite fields only, since nothing else hides data perfectly.
    arithmetic : Arithmetic

    Returns
    -------
    numpy.ndarray, shape (K + T, ...)

    Raises
    ------
    ValueError
        If masks are missing or superfluous, or their shape is not that of the blocks.

    Examples
    --------
    >>> from codedtheory.arithmetic import modular
    >>> with_masks(np.array([[3], [4]]), 1, None, np.random.default_rng(1), modular(5)).shape
    (3, 1)
    """
    modulus = getattr(arithmetic, "modulus", None)
    if not count:
        if masks is not None:
            raise ValueError("masks must not be given to a code with privacy = 0")
        return blocks
    if modulus and blocks.dtype.kind in "iu":
        blocks = residues(blocks, modulus)
    if masks is not None:
        hidden = stacked("masks", masks, count)
        if hidden.shape[1:] != blocks.shape[1:]:
            raise ValueError(f"masks must have blocks of shape {blocks.shape[1:]}, got {hidden.shape[1:]}")
    elif modulus and rng is not None:
        hidden = rng.integers(0, modulus, size=(count, *blocks.shape[1:]), dtype=np.uint64)
        hidden = hidden.astype(blocks.dtype) if blocks.dtype.kind in "iu" else arithmetic.array(hidden)
    else:
        remedy = "pass rng or masks" if modulus else f"over {arithmetic} no random mask hides data; pass masks"
        raise ValueError(f"masks are needed for privacy = {count}; {remedy}")
    return np.concatenate([blocks, hidden])
