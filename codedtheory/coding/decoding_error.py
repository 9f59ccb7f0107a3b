"""The least-squares decoding error of straggler sets, one by one exactly or many at once in doubles."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import inverse, null_space, rank, solve

from .survivors import checked_survivors

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["DecodingErrors", "decoding_error"]

# with doubles, G loses half the digits of B: how far apart its eigenvalues may be, and which of them are surely 0
_REGULAR = 1e-6
_POSITIVE = 1e-7
_NULL = 1e-13


class DecodingErrors:
    r"""The errors :math:`\min_a\|a^{\mathsf T}B_R-\mathbf 1\|^2` of a code, sharing what they have in common.

    Parameters
    ----------
    code : GradientCode

    Notes
    -----
    With :math:`G=BB^*`, :math:`h=B\mathbf 1` and p partitions the error is :math:`p-h_R^*G_{RR}^{-1}h_R`. If G is
    regular, :math:`K=G^{-1}` and :math:`x=Kh`, the Schur complement turns this into

    .. math:: (p-h^*x)+x_S^*K_{SS}^{-1}x_S

    for the stragglers S, a system of size s in place of n-s. Otherwise the error is computed from the survivors:
    exactly with the projector on the kernel of :math:`B_R^{\mathsf T}` added to the Gram matrix, in doubles from
    its eigenvalues, and where those don't tell the rank, from the singular values of :math:`B_R`.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> str(DecodingErrors(plain_cyclic(20, 2)).exact((0, 1, 2)))
    '11/10'
    """

    def __init__(self, code: GradientCode) -> None:
        self.code = code

    @cached_property
    def _shared(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], Any] | None:
        """Return K, x and the error of all workers together; None if G is singular."""
        B = self.code.matrix
        if rank(B) < self.code.n:
            return None
        K = inverse(B @ np.conjugate(B).T)
        h = B.sum(axis=1)
        x = K @ h
        return K, x, self.code.partitions - np.conjugate(h) @ x

    def exact(self, stragglers: tuple[int, ...]) -> Any:
        """Return the error of an exact code at one straggler set.

        Parameters
        ----------
        stragglers : tuple of int

        Returns
        -------
        number
            Real and exact.
        """
        lost = list(stragglers)
        if self._shared is not None:
            K, x, start = self._shared
            if not lost:
                return start
            return start + np.conjugate(x[lost]) @ solve(K[np.ix_(lost, lost)], x[lost])
        received = self.code.matrix[[w for w in range(self.code.n) if w not in set(lost)]]
        if not len(received):
            return received.shape[1] + self.code.matrix[0, 0] * 0
        adjoint = np.conjugate(received).T
        kernel = null_space(received.T)
        gram = received @ adjoint
        if kernel.shape[1]:
            gram = gram + np.conjugate(kernel) @ kernel.T
        h = received.sum(axis=1)
        return received.shape[1] - np.conjugate(h) @ solve(gram, h)

    @cached_property
    def _floating(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any] | None, Any, float]:
        B = self.code.approximate().matrix
        G, h = B @ B.conj().T, B.sum(axis=1)
        spectrum = np.linalg.eigvalsh(G)
        if spectrum[0] <= _REGULAR * spectrum[-1]:
            return G, h, None, None, 0.0
        K = np.linalg.inv(G)
        x = K @ h
        return G, h, K, x, float(self.code.partitions - (h.conj() @ x).real)

    def floating(self, sets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the errors at many straggler sets, in doubles.

        Parameters
        ----------
        sets : numpy.ndarray of int, shape (count, stragglers)

        Returns
        -------
        numpy.ndarray of float64, shape (count,)
        """
        G, h, K, x, start = self._floating
        count, s = sets.shape
        if K is not None:
            if not s:
                return np.full(count, start)
            blocks = K[sets[:, :, None], sets[:, None, :]]
            right = x[sets][:, :, None]
            return np.asarray(start + (right.conj() * np.linalg.solve(blocks, right)).sum(axis=(1, 2)).real)
        rest = self._survivors(sets)
        if not rest.shape[1]:
            return np.full(count, float(self.code.partitions))
        values, vectors = np.linalg.eigh(G[rest[:, :, None], rest[:, None, :]])
        parts = np.abs(np.einsum("cij,ci->cj", vectors.conj(), h[rest])) ** 2
        largest = values[:, -1:]
        kept = values > _POSITIVE * largest
        explained = np.where(kept, parts / np.where(kept, values, 1.0), 0.0).sum(axis=1)
        errors = np.asarray(self.code.partitions - explained)
        # exact entries leave a gap above the eigenvalues 0, doubles may come as close to them as they like
        surely_null = values <= _NULL * largest if self.code.is_exact else np.zeros_like(kept)
        unclear = ~(kept | surely_null).all(axis=1)
        if unclear.any():
            errors[unclear] = self.residual(sets[unclear])
        return errors

    def residual(self, sets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the errors at straggler sets in doubles, from the singular values of what is received.

        Slower than `floating`, and accurate where messages are nearly dependent: singular values count as 0 below
        the rounding error of the largest.

        Parameters
        ----------
        sets : numpy.ndarray of int, shape (count, stragglers)

        Returns
        -------
        numpy.ndarray of float64, shape (count,)

        Examples
        --------
        >>> from codedtheory.coding import cyclic_repetition
        >>> code = cyclic_repetition(12, 3, np.random.default_rng(0))
        >>> bool(DecodingErrors(code).residual(np.array([[5, 9, 11]]))[0] < 1e-20)
        True
        """
        received = self.code.approximate().matrix[self._survivors(sets)]
        if not received.shape[1]:
            return np.full(len(sets), float(self.code.partitions))
        _, values, rows = np.linalg.svd(received, full_matrices=False)
        rows[values <= values[:, :1] * max(received.shape[1:]) * np.finfo(float).eps] = 0
        left = 1 - np.einsum("cr,crp->cp", rows.sum(axis=2).conj(), rows)
        return np.asarray((np.abs(left) ** 2).sum(axis=1))

    def _survivors(self, sets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        lost = np.zeros((len(sets), self.code.n), dtype=bool)
        np.put_along_axis(lost, sets, True, axis=1)
        return np.nonzero(~lost)[1].reshape(len(sets), self.code.n - sets.shape[1])


def decoding_error(code: GradientCode, survivors: Any) -> Any:
    r"""Return the least-squares decoding error :math:`\min_a\|a^{\mathsf T}B_R-\mathbf 1\|^2` of a set of survivors.

    Parameters
    ----------
    code : GradientCode
    survivors : iterable of int

    Returns
    -------
    number
        Exact for an exact code, otherwise a float.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> str(decoding_error(plain_cyclic(3, 1), [1, 2]))
    '1/3'
    """
    arrived = checked_survivors(survivors, code.n)
    lost = tuple(w for w in range(code.n) if w not in set(arrived))
    if code.is_exact:
        return DecodingErrors(code).exact(lost)
    return float(DecodingErrors(code).residual(np.array([lost], dtype=np.int64))[0])
