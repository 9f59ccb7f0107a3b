"""What rounding the messages does to the decoded sum, at one survivor set or over all straggler sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .code_entries import floating_entries
from .straggler_orbits import straggler_sets
from .survivors import checked_count, checked_generator, checked_stragglers, checked_survivors

if TYPE_CHECKING:
    from .decoding import Decoder
    from .gradient_code import GradientCode

__all__ = ["message_error", "worst_message_error"]


def message_error(
    code: GradientCode,
    decoder: Decoder,
    survivors: Any,
    dtype: Any,
    rng: np.random.Generator,
    dimension: int = 256,
) -> float:
    r"""Return the relative error of the decoded sum when messages are sent in low precision.

    Parameters
    ----------
    code : GradientCode
    decoder : Decoder
    survivors : iterable of int
    dtype : numpy dtype
        What messages are rounded to, such as ``np.float32`` or ``np.float16``; complex messages part by part.
    rng : numpy.random.Generator
        Draws standard normal partition gradients.
    dimension : int, optional
        Their length.

    Returns
    -------
    float
        :math:`\|\hat G-\sum_jg_j\|/\|\sum_jg_j\|`; all but the rounding of the messages is done in doubles.
        Infinite if a message overflows.

    Examples
    --------
    >>> from codedtheory.coding import MinNorm, fractional_repetition
    >>> code = fractional_repetition(4, 1)
    >>> 0 < message_error(code, MinNorm(), [0, 2], np.float16, np.random.default_rng(0)) < 1e-3
    True
    """
    arrived = list(checked_survivors(survivors, code.n))
    gradients = _gradients(code, rng, dimension)
    sent = _rounded(floating_entries(code.matrix)[arrived] @ gradients, dtype)
    if not np.isfinite(sent).all():
        return float("inf")
    total = gradients.sum(axis=0)
    decoded = floating_entries(np.asarray(decoder.weights(code, arrived))) @ sent
    return float(np.linalg.norm(decoded - total) / np.linalg.norm(total))


def worst_message_error(code: GradientCode, s: int, dtype: Any, rng: np.random.Generator, dimension: int = 64) -> float:
    r"""Return the largest relative error of the decoded sum over all sets of s stragglers, for rounded messages.

    Parameters
    ----------
    code : GradientCode
        Real.
    s : int
        Stragglers, below n.
    dtype : numpy dtype
        What messages are rounded to, such as ``np.float16``.
    rng : numpy.random.Generator
        Draws standard normal partition gradients, the same for all straggler sets.
    dimension : int, optional
        Their length.

    Returns
    -------
    float
        :math:`\max_S\|\hat G_S-\sum_jg_j\|/\|\sum_jg_j\|` with the least-squares weights of smallest norm in doubles;
        all but the rounding of the messages is done in doubles, too. Infinite if a message overflows.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> 0 < worst_message_error(plain_cyclic(4, 1), 1, np.float16, np.random.default_rng(0)) < 1e-3
    True
    """
    s = checked_stragglers(s, code.n)
    matrix = floating_entries(code.matrix)
    if matrix.dtype.kind == "c":
        raise ValueError(f"code must be real, got {code!r}; use message_error for single survivor sets")
    gradients = _gradients(code, rng, dimension)
    sent = _rounded(matrix @ gradients, dtype)
    if not np.isfinite(sent).all():
        return float("inf")
    total = gradients.sum(axis=0)
    worst = 0.0
    for lost in straggler_sets(code.n, s, chunk=4096):
        present = np.ones((len(lost), code.n), dtype=bool)
        np.put_along_axis(present, lost, False, axis=1)
        survivors = np.nonzero(present)[1].reshape(len(lost), code.n - s)
        weights = np.linalg.pinv(matrix[survivors]).sum(axis=1)
        decoded = np.einsum("cr,crd->cd", weights, sent[survivors])
        worst = max(worst, float(np.linalg.norm(decoded - total, axis=1).max()))
    return worst / float(np.linalg.norm(total))


def _gradients(code: GradientCode, rng: np.random.Generator, dimension: int) -> np.ndarray[Any, Any]:
    size = checked_count("dimension", dimension, least=1)
    return checked_generator(rng).standard_normal((code.partitions, size))


def _rounded(messages: np.ndarray[Any, Any], dtype: Any) -> np.ndarray[Any, Any]:
    """Return messages after a trip through a narrower type, as doubles."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        kind = np.dtype(np.void)
    if kind.kind != "f":
        raise ValueError(f"dtype must be a floating type such as numpy.float16, got {dtype!r}")
    with np.errstate(over="ignore"):
        if messages.dtype.kind == "c":
            return messages.real.astype(kind).astype(float) + 1j * messages.imag.astype(kind).astype(float)
        return messages.astype(kind).astype(float)
