"""Decoding messages of surviving workers, with the residual reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from codedtheory.arithmetic import approximate, maximum

from .code_entries import floating_entries, is_real
from .survivors import checked_survivors, in_worker_order

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["Decoded", "Decoder", "decode"]


class Decoder(Protocol):
    """What turns a survivor set into decoding weights.

    A decoder that treats all workers alike, so that its results are carried along by the symmetries of a code, says
    so with a class attribute ``equivariant = True``; then only one straggler set of each orbit is looked at.
    """

    @property
    def name(self) -> str:
        """How the decoder is called in reports."""

    def weights(self, code: GradientCode, survivors: Any) -> np.ndarray[Any, Any]:
        """Return the weights of the survivors, in their order.

        The coefficients of the partitions are ``weights @ code.matrix[survivors]``.
        """


@dataclass(frozen=True, eq=False)
class Decoded:
    r"""What the master got out of the messages of some survivors.

    Attributes
    ----------
    value : numpy.ndarray
        The weighted sum of the messages.
    weights : numpy.ndarray, shape (survivors,)
    coefficients : numpy.ndarray, shape (partitions,)
        With which weight each partition entered.
    residual : number
        :math:`\max_j|\alpha_j-1|`: 0 if decoding was exact, and a number of the arithmetic of the weights, so that
        an exact 0 is a proof and a float is not. For complex exact codes it is the double next to it, unless it is
        0.
    decoder : str
    """

    value: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]
    coefficients: np.ndarray[Any, Any]
    residual: Any
    decoder: str


def decode(code: GradientCode, messages: Any, survivors: Any, decoder: Decoder) -> Decoded:
    """Combine the messages of survivors.

    Parameters
    ----------
    code : GradientCode
    messages : array_like, shape (survivors, ...)
        One message for each survivor, in their order: floats, or exact numbers for an exact code.
    survivors : iterable of int
    decoder : Decoder

    Returns
    -------
    Decoded

    Raises
    ------
    ValueError
        If there is not one message for each survivor, or the decoder refuses the survivors.

    Notes
    -----
    The sum runs in the order of the workers, so that it does not depend on who answered first. Exact weights are
    rounded to doubles if the messages are floats; coefficients and residual are those of the exact weights all the
    same.

    Examples
    --------
    >>> from codedtheory.coding import MinNorm, plain_cyclic
    >>> code = plain_cyclic(4, 1)
    >>> gradients = np.array([1.0, 2.0, 3.0, 4.0])
    >>> found = code.decode((code.approximate().matrix @ gradients)[[3, 1]], [3, 1], MinNorm())
    >>> float(found.value), str(found.residual)
    (10.0, '0')
    """
    arrived = checked_survivors(survivors, code.n)
    received = np.asarray(messages)
    if received.ndim == 0 or len(received) != len(arrived):
        count = len(received) if received.ndim else 0
        raise ValueError(f"messages must be one for each of the {len(arrived)} survivors, got {count}")
    weights = decoder.weights(code, arrived)
    coefficients = weights @ code.matrix[list(arrived)]
    order = in_worker_order(arrived)
    factors = weights if received.dtype == object else floating_entries(weights)
    value = np.asarray(sum(factors[k] * received[k] for k in order))
    return Decoded(value, weights, coefficients, _residual(coefficients), decoder.name)


def _residual(coefficients: np.ndarray[Any, Any]) -> Any:
    if coefficients.dtype == object and is_real(coefficients):
        return maximum(np.abs(coefficients - 1))
    if coefficients.dtype == object and bool(np.all(coefficients == 1)):
        return coefficients[0] - 1
    return float(approximate(np.abs(floating_entries(coefficients) - 1)).max())
