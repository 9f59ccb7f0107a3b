"""Decoders that recover the sum of all gradients exactly, and choose among the weights that do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from codedtheory.arithmetic import solve

from .min_amplification import floating_min_amplification, min_amplification
from .survivors import checked_survivors

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["MinAmplification", "MinNorm"]


@dataclass(frozen=True)
class MinNorm:
    r"""The exact decoder whose weights :math:`a` have the smallest Euclidean norm.

    Parameters
    ----------
    max_residual : float, optional
        For codes of floats the largest :math:`\max_j|\alpha_j-1|` that counts as decoded. Exact codes are decoded
        exactly.

    Notes
    -----
    Where the survivors' rows are independent there is only one choice of weights. The norm depends on the scaling
    of the rows of B, unlike the amplification.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> MinNorm().weights(plain_cyclic(4, 1), [0, 1, 2]).astype(str).tolist()
    ['1', '0', '1']
    """

    max_residual: float = 1e-6
    name: ClassVar[str] = "min-norm"
    equivariant: ClassVar[bool] = True

    def weights(self, code: GradientCode, survivors: Any) -> np.ndarray[Any, Any]:
        """Return the weights of the survivors, in their order.

        Parameters
        ----------
        code : GradientCode
        survivors : iterable of int

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        ValueError
            If the survivors do not decode.
        """
        arrived = checked_survivors(survivors, code.n)
        if not code.is_exact:
            return _least_squares(code, arrived, self.max_residual)
        space = code.decoding_space.restricted_to(arrived)
        if space.particular is None:
            raise ValueError(_undecodable(code, arrived, "exactly"))
        weights = space.particular[list(arrived)]
        if space.dimension:
            directions = space.directions[list(arrived)]
            adjoint = np.conjugate(directions).T
            weights = weights - directions @ solve(adjoint @ directions, adjoint @ weights)
        return weights


@dataclass(frozen=True)
class MinAmplification:
    r"""The exact decoder whose weights have the smallest amplification :math:`\max_j\sum_i|a_iB_{ij}|`.

    Parameters
    ----------
    max_residual : float, optional
        As for `MinNorm`.

    Notes
    -----
    Over the rationals the vertex that the linear programme ends at is solved again exactly and
    certified by a dual solution; see `min_amplification`.

    Examples
    --------
    >>> from codedtheory.coding import polynomial_cyclic
    >>> code = polynomial_cyclic(range(5), 2)
    >>> [str(code.amplification(decoder, range(5))) for decoder in (MinNorm(), MinAmplification())]
    ['17/7', '2']
    """

    max_residual: float = 1e-6
    name: ClassVar[str] = "min-amplification"
    equivariant: ClassVar[bool] = True

    def weights(self, code: GradientCode, survivors: Any) -> np.ndarray[Any, Any]:
        """Return the weights of the survivors, in their order.

        Parameters
        ----------
        code : GradientCode
            Real, unless the survivors' weights are unique.
        survivors : iterable of int

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        ValueError
            If the survivors do not decode, or the code is complex and the weights are not unique.
        PrecisionError
            If no exact vertex could be certified.
        """
        arrived = checked_survivors(survivors, code.n)
        if code.is_exact:
            return min_amplification(code, arrived).weights
        unique = np.linalg.matrix_rank(code.matrix[list(arrived)]) == len(arrived)
        least = _least_squares(code, arrived, self.max_residual)
        if unique:
            return least
        if not code.is_real:
            raise ValueError("min-amplification weights of a complex code are no linear programme; use MinNorm")
        weights = floating_min_amplification(code.matrix[list(arrived)]).weights
        _check_residual(code, arrived, weights, self.max_residual)
        return weights


def _least_squares(code: GradientCode, arrived: Sequence[int], max_residual: float) -> np.ndarray[Any, Any]:
    received = code.matrix[list(arrived)]
    weights: np.ndarray[Any, Any] = np.linalg.lstsq(received.T, np.ones(code.partitions), rcond=None)[0]
    _check_residual(code, arrived, weights, max_residual)
    return weights


def _check_residual(
    code: GradientCode, arrived: Sequence[int], weights: np.ndarray[Any, Any], max_residual: float
) -> None:
    residual = float(np.abs(weights @ code.matrix[list(arrived)] - 1).max())
    # written so that a NaN is refused, too
    if not residual <= max_residual:
        raise ValueError(_undecodable(code, arrived, f"within max_residual={max_residual:g} (residual {residual:.1e})"))


def _undecodable(code: GradientCode, arrived: Sequence[int], how: str) -> str:
    lost = tuple(w for w in range(code.n) if w not in set(arrived))
    return (
        f"survivors of {code.name} without workers {lost} do not decode {how}; "
        "wait for more workers or use an approximate decoder"
    )
