"""Pipelined gradient coding run slot by slot, over numbers of any kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from .decoding import Decoder
from .first_of_group import FirstOfGroupDecoder
from .pipelined_ages import slot_partition
from .relaxed_decoding import RelaxedDecoder
from .repetition_codes import fractional_repetition, plain_cyclic
from .survivors import checked_count, checked_stragglers

__all__ = ["pipelined_iterates"]


def pipelined_iterates(
    gradients: Sequence[Callable[[Any], Any]],
    s: int,
    stragglers: Iterable[Iterable[int]],
    start: Any,
    step: Any,
    decoder: Decoder | None = None,
    placement: str = "cyclic",
) -> list[Any]:
    r"""Return the iterates of pipelined gradient coding, which takes its arithmetic from the start and the gradients.

    Every worker stores the gradients of its s + 1 partitions, all of them first evaluated at :math:`x_0`. In step t it
    evaluates the one in slot :math:`t\bmod(s+1)` at :math:`x_t` and sends the plain sum of what it stores; the master
    decodes what the others than the stragglers sent to :math:`\hat G_t`, and everyone applies
    :math:`x_{t+1}=x_t-\frac\eta n\hat G_t`.

    Parameters
    ----------
    gradients : sequence of callable, length n
        The gradient of each partition's function, as a function of the iterate.
    s : int
        Stragglers per step, below n.
    stragglers : iterable of iterables of int
        Who straggles in steps 0, 1, ...; its length is the number of steps.
    start : number or numpy.ndarray
        :math:`x_0`: of any kind that fractions can be multiplied with, also a SymPy expression.
    step : number
        :math:`\eta`, of the same kind.
    decoder : Decoder, optional
        By default `RelaxedDecoder` for cyclic and `FirstOfGroupDecoder` for fractional placement.
    placement : {"cyclic", "fractional"}, default "cyclic"
        Of the slots; "fractional" needs s + 1 to divide n.

    Returns
    -------
    list
        :math:`x_0,x_1,\dots`, one more than there are steps.

    Raises
    ------
    ValueError
        If the placement does not fit, or the decoder can't decode what arrives.

    Notes
    -----
    Su and Li (2026), arXiv 2607.20739. Exact for exact numbers; made for proofs on small problems, not for training.

    Examples
    --------
    >>> from fractions import Fraction
    >>> gradients = [lambda x, b=b: x - b for b in (0, 0, 3)]       # x = 1 minimises the sum
    >>> [str(x) for x in pipelined_iterates(gradients, 1, [[0], [2]], Fraction(1), Fraction(1, 2))]
    ['1', '5/4', '17/16']
    """
    n = checked_count("number of gradients", len(gradients), least=1)
    copies = checked_stragglers(s, n) + 1
    used: Any = decoder or (FirstOfGroupDecoder() if placement == "fractional" else RelaxedDecoder())
    held = [[slot_partition(worker, slot, n, copies, placement) for slot in range(copies)] for worker in range(n)]
    stored = [[gradients[partition](start) for partition in slots] for slots in held]
    iterates = [start]
    for t, lost in enumerate(stragglers):
        slot, latest = t % copies, iterates[-1]
        for worker in range(n):
            stored[worker][slot] = gradients[held[worker][slot]](latest)
        missing = frozenset(checked_count("stragglers", worker, least=0, most=n - 1) for worker in lost)
        weights = _weights(n, s, missing, used, placement)
        decoded = sum(sum(stored[worker]) * weight for worker, weight in weights)
        iterates.append(latest - decoded * step / n)
    return iterates


@lru_cache(maxsize=4096)
def _weights(n: int, s: int, lost: frozenset[int], decoder: Any, placement: str) -> tuple[tuple[int, Any], ...]:
    checked_stragglers(len(lost), n)
    code = plain_cyclic(n, s) if placement == "cyclic" else fractional_repetition(n, s)
    received = [worker for worker in range(n) if worker not in lost]
    weights = decoder.weights(code, received)
    return tuple((worker, weight.fraction) for worker, weight in zip(received, weights, strict=True))
