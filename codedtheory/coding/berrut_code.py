"""Berrut approximated coded computing: any function, any number of answers, an approximate result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic
from codedtheory.interpolation import BarycentricInterpolant, Nodes, Weights, weights_for
from codedtheory.interpolation.worst_case import WorstCase

from .blocks import combined, functional_of_blocks, stacked
from .code_points import placed_points
from .collisions import outside_hull
from .conditioning import decoding_condition, worst_condition
from .point_code import PointCode
from .recovery import BerrutRecovery
from .survivors import checked_count, checked_survivors, in_worker_order
from .worst_berrut_norm import worst_berrut_norm

__all__ = ["BerrutCode"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, init=False, repr=False)
class BerrutCode(PointCode):
    r"""Berrut approximated coded computing of K data blocks on W workers.

    The encoder is Berrut's rational interpolant of the blocks at the data points :math:`\alpha_j`,

    .. math:: u(z)=\sum_j q_j(z)X_j,\qquad q_j(z)=\frac{(-1)^j/(z-\alpha_j)}{\sum_k(-1)^k/(z-\alpha_k)} .

    Worker i gets :math:`u(z_i)` and returns :math:`f(u(z_i))` for an arbitrary f. The decoder interpolates
    the answers that arrive, with signs that alternate along the *sorted survivors*, and reads off
    :math:`f(X_j)\approx r(\alpha_j)`. Nothing is inverted, and any number of answers gives a result: one
    a constant, two a straight line.

    Parameters
    ----------
    data_blocks : int
        K, at least 1.
    workers : int
        W, the number of workers (literature that numbers them from 0 to N has W = N+1).
    worker_points : {"chebyshev2", "chebyshev1"}, Nodes or array_like, default "chebyshev2"
        :math:`z_i`, monotone; by default :math:`\cos\frac{i\pi}{W-1}`.
    data_points : {"chebyshev1", "chebyshev2"}, Nodes or array_like, default "chebyshev1"
        :math:`\alpha_j`, monotone; by default :math:`\cos\frac{(2j+1)\pi}{2K}`.
    blending : None, int or "half-ends", default None
        Weights of the decoder: Berrut's, Floater and Hormann's of degree min(d, n) on n+1 survivors, or
        Berrut's with the first and last of the survivors halved. The encoder is always Berrut's.
    arithmetic : Arithmetic, default FLOAT
        Over which `encode`, `decode` and the matrices are computed unless told otherwise.

    Attributes
    ----------
    data_blocks, workers, blending, arithmetic
        As given.
    worker_points, data_points : Nodes

    Raises
    ------
    ValueError
        If counts or points are out of range, or the arithmetic is a finite field: without an order there
        are no alternating signs, and the interpolant has poles.

    Notes
    -----
    T. Jahani-Nezhad and M. A. Maddah-Ali 2023, arXiv 2009.08327. The halved ends are J.-P. Berrut's
    second form (1988), the blended weights Floater and Hormann's (2007, Numer. Math. 107:315-331).

    Examples
    --------
    >>> code = BerrutCode(2, 6)
    >>> code
    BerrutCode(2, 6)
    >>> shares = code.encode([1.0, -1.0])
    >>> code.decode((shares**2)[[5, 0, 1, 3, 4]], survivors=[5, 0, 1, 3, 4]).round(6).tolist()
    [0.891064, 0.770018]
    """

    data_blocks: int
    workers: int
    arithmetic: Arithmetic  # compared before the points: those of different fields do not compare
    worker_points: Nodes
    data_points: Nodes
    blending: int | str | None

    def __init__(
        self,
        data_blocks: int,
        workers: int,
        *,
        worker_points: Any = "chebyshev2",
        data_points: Any = "chebyshev1",
        blending: int | str | None = None,
        arithmetic: Arithmetic = FLOAT,
    ) -> None:
        K = checked_count("data_blocks", data_blocks, least=1)
        W = checked_count("workers", workers, least=1)
        if hasattr(arithmetic, "modulus"):
            raise ValueError(f"arithmetic must be ordered, got {arithmetic}; LagrangeCode works over finite fields")
        if blending is not None and blending != "half-ends":
            blending = checked_count("blending", blending, least=0)
        values = {
            "data_blocks": K,
            "workers": W,
            "worker_points": placed_points("worker_points", worker_points, W, arithmetic),
            "data_points": placed_points("data_points", data_points, K, arithmetic),
            "blending": blending,
            "arithmetic": arithmetic,
        }
        for name, value in values.items():
            if isinstance(value, Nodes) and not value.is_ordered:
                raise ValueError(f"{name} must be real, got {value}; LagrangeCode takes complex points")
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        parts = [f"{self.data_blocks}, {self.workers}"]
        plain = BerrutCode(self.data_blocks, self.workers) if self.workers > 1 else None
        for name in ("worker_points", "data_points"):
            points = getattr(self, name)
            if plain is None or points != getattr(plain, name):
                parts.append(f"{name}={points!r}")
        if self.blending is not None:
            parts.append(f"blending={self.blending!r}")
        if self.arithmetic is not FLOAT:
            parts.append(f"arithmetic={self.arithmetic!r}")
        return f"BerrutCode({', '.join(parts)})"

    # -- matrices -----------------------------------------------------------------------------------

    def _encoder_weights(self) -> Weights:
        return weights_for(self.data_points, "berrut")

    def decoding_weights(self, survivors: Iterable[int]) -> Weights:
        """Return the barycentric weights of the decoder, along the survivors sorted by worker.

        Parameters
        ----------
        survivors : iterable of int
            In any order.

        Returns
        -------
        Weights
            Made for these survivors; signs go by rank among them.
        """
        nodes = self._surviving_points(checked_survivors(survivors, self.workers))
        if self.blending is None or len(nodes) == 1:
            return weights_for(nodes, "berrut")
        if self.blending == "half-ends":
            return weights_for(nodes, "berrut-half")
        return weights_for(nodes, min(int(self.blending), len(nodes) - 1))

    def decoding_matrix(self, survivors: Iterable[int], arithmetic: Arithmetic | None = None) -> Array:
        """Return the coefficients of the answers in each decoded block.

        Parameters
        ----------
        survivors : iterable of int
            Workers that answered, in any order.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        numpy.ndarray, shape (data_blocks, len(survivors))
            Columns in the order of `survivors`; rows sum to 1, and the row of a data point at which a
            survivor sits is a unit vector.

        Examples
        --------
        >>> BerrutCode(2, 3).decoding_matrix([2, 0]).round(3).tolist()
        [[0.146, 0.854], [0.854, 0.146]]
        """
        arrived = checked_survivors(survivors, self.workers)
        order = in_worker_order(arrived)
        matrix = np.empty_like(ranked := self._ranked_matrix(arrived, arithmetic))
        matrix[:, order] = ranked
        return matrix

    def _ranked_matrix(self, arrived: tuple[int, ...], arithmetic: Arithmetic | None) -> Array:
        """Return the decoding matrix with columns in worker order."""
        arithmetic = self.arithmetic if arithmetic is None else arithmetic
        weights = self.decoding_weights(arrived)
        interpolant = BarycentricInterpolant(self._surviving_points(arrived), weights)
        return interpolant.cardinal_matrix(self.data_points, arithmetic)

    def _surviving_points(self, arrived: tuple[int, ...]) -> Nodes:
        return self.worker_points.take(sorted(arrived))

    # -- data ---------------------------------------------------------------------------------------

    def encode(self, X: Any) -> Array:
        """Return what each worker gets.

        Parameters
        ----------
        X : array_like, shape (data_blocks, ...)
            Numbers that mix with the arithmetic of the code.

        Returns
        -------
        numpy.ndarray, shape (workers, ...)

        Raises
        ------
        ValueError
            If the first axis does not count the data blocks.
        TypeError
            If floats would meet rigorous numbers.
        """
        return combined(self._own_encoding_matrix, stacked("X", X, self.data_blocks))

    def decode(self, results: Any, survivors: Iterable[int]) -> Array:
        """Return the approximations of f(X_j).

        Sums run in worker order, so that the order of arrival changes nothing, not even the last bit.

        Parameters
        ----------
        results : array_like, shape (len(survivors), ...)
            The answers in the order of `survivors`.
        survivors : iterable of int
            Workers that answered, in any order.

        Returns
        -------
        numpy.ndarray, shape (data_blocks, ...)

        Raises
        ------
        ValueError
            If survivors are missing, repeated or out of range, or do not match the results.
        """
        arrived = checked_survivors(survivors, self.workers)
        answers = stacked("results", results, len(arrived))[in_worker_order(arrived)]
        return combined(self._ranked_matrix(arrived, None), answers)

    def gradient_weights(self, survivors: Iterable[int], b: Any = None, arithmetic: Arithmetic | None = None) -> Array:
        r"""Return the weights of the answers in a linear functional of the decoded blocks.

        :math:`c=G^{\mathsf T}b` gives :math:`\sum_jb_jf(X_j)\approx\sum_ic_if(u(z_i))` without decoding
        the blocks.

        Parameters
        ----------
        survivors : iterable of int
            In any order.
        b : array_like, shape (data_blocks,), optional
            The mean, 1/K each, by default; then the weights sum to 1.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)
            In the order of `survivors`.

        Examples
        --------
        >>> BerrutCode(2, 3).gradient_weights([2, 0]).round(12).tolist()
        [0.5, 0.5]
        """
        arrived = checked_survivors(survivors, self.workers)
        arithmetic = self.arithmetic if arithmetic is None else arithmetic
        ranked = functional_of_blocks(b, self.data_blocks, arithmetic) @ self._ranked_matrix(arrived, arithmetic)
        weights = np.empty_like(ranked)
        weights[in_worker_order(arrived)] = ranked
        return weights

    # -- what a survivor set can do -----------------------------------------------------------------

    def extrapolates(self, survivors: Iterable[int]) -> tuple[int, ...]:
        """Return the data blocks whose points lie outside the hull of the survivors, decided exactly.

        Examples
        --------
        >>> BerrutCode(2, 4).extrapolates([1, 2, 3])
        (0,)
        """
        arrived = checked_survivors(survivors, self.workers)
        return outside_hull(self.data_points, self._surviving_points(arrived))

    def recovery(self, survivors: Iterable[int]) -> BerrutRecovery:
        """Return what the decoder can do with these survivors: parity, exactness, extrapolation.

        Examples
        --------
        >>> print(BerrutCode(2, 4).recovery([1, 2, 3]))
        n = 2 (even): lines are not reproduced; block 0 is extrapolated
        """
        arrived = checked_survivors(survivors, self.workers)
        alive = set(arrived)
        return BerrutRecovery(
            n=len(arrived) - 1,
            blending=self.blending if not isinstance(self.blending, int) else min(self.blending, len(arrived) - 1),
            extrapolated=self.extrapolates(arrived),
            direct=tuple((j, i) for j, i in self.collisions() if i in alive),
        )

    def condition_number(
        self, survivors: Iterable[int], p: int | str = "inf", arithmetic: Arithmetic | None = None
    ) -> Any:
        r"""Return how strongly decoding can amplify errors of the answers.

        Parameters
        ----------
        survivors : iterable of int
            In any order.
        p : {"inf", 2}, default "inf"
            ``"inf"``: :math:`\|G\|_\infty=\max_j\sum_i|\ell_i(\alpha_j)|`, the Lebesgue function of the
            survivors at its largest data point: answers that are off by at most e give blocks that are off by
            at most that times e, and some do. At least 1. ``2``: :math:`\sigma_{\max}(G)/\sigma_{\min}(G)` over
            the min(K, n+1) singular values, the ratio of relative errors in root mean square.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        number
            Of the arithmetic (for p = 2 over exact ones, a ball).

        Examples
        --------
        >>> round(BerrutCode(2, 3).condition_number([0, 1, 2]), 6)
        1.276142
        """
        return decoding_condition(self._ranked_matrix(checked_survivors(survivors, self.workers), arithmetic), p)

    def worst_condition_number(
        self, stragglers: int, p: int | str = "inf", arithmetic: Arithmetic | None = None
    ) -> WorstCase:
        """Return the largest `condition_number` over all sets of exactly so many stragglers, and such a set.

        Parameters
        ----------
        stragglers : int
            Below the number of workers. All sets are enumerated.
        p : {"inf", 2}, default "inf"
        arithmetic : Arithmetic, optional
            That of the code by default. Over rigorous arithmetics p = "inf" is filtered: outward rounded
            doubles discard what can't be the worst, and the rest is computed in the arithmetic.

        Returns
        -------
        WorstCase
            With ``value``, ``survivors`` and ``stragglers``.

        Examples
        --------
        >>> worst = BerrutCode(2, 5).worst_condition_number(stragglers=2)
        >>> worst.stragglers, round(worst.value, 6)
        ((3, 4), 2.093836)
        """
        arithmetic = self.arithmetic if arithmetic is None else arithmetic
        if p == "inf" and self.blending is None:
            return worst_berrut_norm(self, stragglers, arithmetic)
        return worst_condition(
            self.workers, stragglers, lambda survivors: self.condition_number(survivors, p, arithmetic)
        )
