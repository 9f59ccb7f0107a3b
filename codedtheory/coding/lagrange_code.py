"""Lagrange coded computing: polynomial maps of data blocks, exactly, from enough answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT, FLOAT, Arithmetic
from codedtheory.interpolation import BarycentricInterpolant, Nodes, Weights, lagrange_weights
from codedtheory.interpolation.worst_case import WorstCase

from .blocks import combined, functional_of_blocks, stacked
from .code_points import placed_points
from .conditioning import decoding_condition, worst_condition
from .field_placement import field_placement
from .masks import with_masks
from .point_code import PointCode
from .survivors import checked_count, checked_survivors
from .thresholds import lagrange_threshold
from .wrong_answers import contradiction, wrong_workers

__all__ = ["LagrangeCode"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, init=False, repr=False)
class LagrangeCode(PointCode):
    r"""Lagrange coded computing of K data blocks on N workers, with T-privacy if wanted.

    The encoder is the polynomial of degree K+T-1 through the blocks and T masks,

    .. math:: u(z)=\sum_{j=1}^{K}X_j\prod_{k\ne j}\frac{z-\beta_k}{\beta_j-\beta_k}
              +\sum_{t=1}^{T}Z_t\prod_{k\ne K+t}\frac{z-\beta_k}{\beta_{K+t}-\beta_k} .

    Worker i gets :math:`u(a_i)` and returns :math:`f(u(a_i))`. For a polynomial map f of total degree d
    the answers lie on a polynomial of degree d(K+T-1), which any d(K+T-1)+1 of them determine; its value
    at :math:`\beta_j` is :math:`f(X_j)`, exactly.

    Parameters
    ----------
    data_blocks : int
        K, at least 1.
    workers : int
        N, at least K+T.
    privacy : int, default 0
        T: with masks that are uniform over a finite field, any T workers together know nothing about the data.
    worker_points : Nodes, array_like, "chebyshev1" or "chebyshev2", optional
        :math:`a_i`. By default integers over EXACT and finite fields (next to the data points), Chebyshev
        points of the second kind elsewhere.
    data_points : Nodes, array_like, "chebyshev1" or "chebyshev2", optional
        :math:`\beta_j`, K of the data and then T of the masks. By default 0, 1, ... over EXACT and finite
        fields, Chebyshev points of the first kind elsewhere.
    arithmetic : Arithmetic, default FLOAT
        Exact ones (``modular(p)``, EXACT, cyclotomic) check and correct answers; with floats and balls
        decoding is as ill-conditioned as polynomial interpolation is.

    Attributes
    ----------
    data_blocks, workers, privacy, arithmetic
        As given.
    worker_points, data_points : Nodes
        The latter with those of the masks at the end.

    Raises
    ------
    ValueError
        If there are fewer than K+T workers, the field is too small, or a worker of a private code would sit at a
        data point and hold the block in the clear.

    Notes
    -----
    Q. Yu, S. Li, N. Raviv, S. M. Mousavi Kalan, M. Soltanolkotabi and A. S. Avestimehr 2019, arXiv
    1806.00939. The T columns of the masks are invertible for any T workers off the data points: up to row
    and column factors their determinant is a Vandermonde determinant times
    :math:`\prod_i\prod_{k\le K}(a_i-\beta_k)`. Hence worker points may be mask points, and K+N elements
    of a field suffice.

    Examples
    --------
    >>> from codedtheory.arithmetic import modular
    >>> code = LagrangeCode(2, 5, arithmetic=modular(11))
    >>> code, code.recovery_threshold(degree=2)
    (LagrangeCode(2, 5, arithmetic=modular(11)), 3)
    >>> shares = code.encode(np.array([3, 5]))
    >>> code.decode((shares**2)[[4, 0, 2]], survivors=[4, 0, 2], degree=2)
    array([9, 3])
    """

    data_blocks: int
    workers: int
    privacy: int
    arithmetic: Arithmetic  # compared before the points: those of different fields do not compare
    worker_points: Nodes
    data_points: Nodes

    def __init__(
        self,
        data_blocks: int,
        workers: int,
        *,
        privacy: int = 0,
        worker_points: Any = None,
        data_points: Any = None,
        arithmetic: Arithmetic = FLOAT,
    ) -> None:
        K = checked_count("data_blocks", data_blocks, least=1)
        N = checked_count("workers", workers, least=1)
        T = checked_count("privacy", privacy, least=0)
        if N < K + T:
            raise ValueError(
                f"workers must be at least data_blocks + privacy = {K + T}, got {N}; fewer recover nothing"
            )
        default_workers: Any = "chebyshev2" if N > 1 else "chebyshev1"
        default_data: Any = "chebyshev1"
        if arithmetic is EXACT or hasattr(arithmetic, "modulus"):
            default_data, default_workers = field_placement(K, N, T, arithmetic)
        values = {
            "data_blocks": K,
            "workers": N,
            "privacy": T,
            "worker_points": placed_points(
                "worker_points", default_workers if worker_points is None else worker_points, N, arithmetic
            ),
            "data_points": placed_points(
                "data_points", default_data if data_points is None else data_points, K + T, arithmetic
            ),
            "arithmetic": arithmetic,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if T and (shown := self.collisions()):
            j, i = shown[0]
            raise ValueError(
                f"worker_points must avoid the data points, but worker {i} would hold block {j} in the clear; "
                "move it or set privacy = 0"
            )

    def __repr__(self) -> str:
        parts = [f"{self.data_blocks}, {self.workers}"]
        if self.privacy:
            parts.append(f"privacy={self.privacy}")
        if self.arithmetic is not FLOAT:
            parts.append(f"arithmetic={self.arithmetic!r}")
        return f"LagrangeCode({', '.join(parts)})"

    # -- matrices -----------------------------------------------------------------------------------

    def _encoder_weights(self) -> Weights:
        return lagrange_weights(self.data_points)

    def decoding_matrix(self, survivors: Iterable[int], degree: int, arithmetic: Arithmetic | None = None) -> Array:
        """Return the coefficients of the answers in each decoded block.

        Parameters
        ----------
        survivors : iterable of int
            Workers that answered, in order of arrival; at least `recovery_threshold` many.
        degree : int
            Of the map.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        numpy.ndarray, shape (data_blocks, len(survivors))
            Columns in the order of `survivors`. Only the first `recovery_threshold` answers are used; the columns
            of the others are 0.

        Examples
        --------
        >>> code = LagrangeCode(2, 4, arithmetic=EXACT)
        >>> [[str(c) for c in row] for row in code.decoding_matrix([3, 0, 1], degree=1)]
        [['-2/3', '5/3', '0'], ['-1/3', '4/3', '0']]
        """
        arithmetic = self.arithmetic if arithmetic is None else arithmetic
        arrived = checked_survivors(survivors, self.workers)
        used = arrived[: self.answers_needed(arrived, degree)]
        part = self._to_data(used, arithmetic)
        matrix = np.full((self.data_blocks, len(arrived)), arithmetic.number(0), dtype=part.dtype)
        matrix[:, : len(used)] = part
        return matrix

    def _to_data(self, used: Sequence[int], arithmetic: Arithmetic) -> Array:
        return self._transfer(used, self.data_points.take(range(self.data_blocks)), arithmetic)

    def from_answers(self, known: Sequence[int], wanted: Sequence[int]) -> Array:
        """Return the matrix from values of a polynomial at some worker points to those at others.

        Parameters
        ----------
        known, wanted : sequence of int
            Workers, each at most once, in any order; the polynomial has as many coefficients as are known.

        Returns
        -------
        numpy.ndarray, shape (len(wanted), len(known))

        Examples
        --------
        >>> LagrangeCode(2, 4, arithmetic=EXACT).from_answers([1, 0], [3]).tolist()
        [[Rational(3, 1), Rational(-2, 1)]]
        """
        if not wanted:
            return self.arithmetic.zeros((0, len(known)))
        matrix = self._transfer(known, self.worker_points.take(sorted(wanted)), self.arithmetic)
        return matrix[np.argsort(np.argsort(wanted))]

    def _transfer(self, known: Sequence[int], points: Nodes, arithmetic: Arithmetic) -> Array:
        nodes = self.worker_points.take(sorted(known))
        matrix = BarycentricInterpolant(nodes, "lagrange").cardinal_matrix(points, arithmetic)
        return matrix[:, np.argsort(np.argsort(known))]

    # -- data ---------------------------------------------------------------------------------------

    def encode(self, X: Any, *, masks: Any = None, rng: np.random.Generator | None = None) -> Array:
        """Return what each worker gets.

        Parameters
        ----------
        X : array_like, shape (data_blocks, ...)
            Numbers that mix with the arithmetic. Over a finite field integers stand for their residues, and come
            back as integers.
        masks : array_like, shape (privacy, ...), optional
            The masking blocks, if the code has any.
        rng : numpy.random.Generator, optional
            Draws the masks uniformly; over finite fields only, since nothing else hides data perfectly.

        Returns
        -------
        numpy.ndarray, shape (workers, ...)

        Raises
        ------
        ValueError
            If shapes do not fit or a private code is given neither masks nor rng.
        """
        blocks = stacked("X", X, self.data_blocks)
        return combined(self._own_encoding_matrix, with_masks(blocks, self.privacy, masks, rng, self.arithmetic))

    def decode(self, results: Any, survivors: Iterable[int], degree: int, errors: int = 0) -> Array:
        """Return f(X_j) for a polynomial map f of the given total degree.

        The polynomial goes through the first `recovery_threshold` answers. Surplus answers are checked
        against it: exactly over exact arithmetics, as far as enclosures can tell over balls; over floats
        `surplus_residual` reports how far they are off.

        Parameters
        ----------
        results : array_like, shape (len(survivors), ...)
            Answers in the order of `survivors`.
        survivors : iterable of int
            Workers that answered, in order of arrival.
        degree : int
            Total degree of f, at least 1.
        errors : int, default 0
            Number of wrong answers that are corrected; each needs two more answers and an exact arithmetic.

        Returns
        -------
        numpy.ndarray, shape (data_blocks, ...)

        Raises
        ------
        ValueError
            If there are too few answers, or surplus answers contradict the others and `errors` is too small.
        """
        arrived = checked_survivors(survivors, self.workers)
        answers = stacked("results", results, len(arrived))
        terms = self.answers_needed(arrived, degree, errors) - 2 * errors
        trusted = list(range(len(arrived)))
        if self.is_exact or errors:
            wrong = set(wrong_workers(self, answers, arrived, degree, errors))
            trusted = [k for k in trusted if arrived[k] not in wrong]
        elif self.arithmetic.is_rigorous and contradiction(self, answers, arrived, terms):
            raise ValueError("results contradict each other; correct them over an exact arithmetic or check the degree")
        used = trusted[:terms]
        return combined(self._to_data([arrived[k] for k in used], self.arithmetic), answers[used])

    def gradient_weights(
        self, survivors: Iterable[int], degree: int, b: Any = None, arithmetic: Arithmetic | None = None
    ) -> Array:
        r"""Return the weights of the answers in :math:`\sum_jb_jf(X_j)`, which are :math:`G^{\mathsf T}b`.

        Parameters
        ----------
        survivors : iterable of int
            In order of arrival.
        degree : int
            Total degree of the map.
        b : array_like, shape (data_blocks,), optional
            The mean, 1/K each, by default; then the weights sum to 1.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        numpy.ndarray, shape (len(survivors),)
            In the order of `survivors`; 0 for those beyond the threshold.

        Examples
        --------
        >>> LagrangeCode(2, 4, arithmetic=EXACT).gradient_weights([3, 0], degree=1).tolist()
        [Rational(-1, 2), Rational(3, 2)]
        """
        matrix = self.decoding_matrix(survivors, degree, arithmetic)
        return functional_of_blocks(b, self.data_blocks, arithmetic or self.arithmetic) @ matrix

    # -- what a survivor set can do -----------------------------------------------------------------

    @property
    def is_exact(self) -> bool:
        """Whether the arithmetic decides equality, so that answers can be checked."""
        return self.arithmetic.is_rigorous and not hasattr(self.arithmetic, "bits")

    def recovery_threshold(self, degree: int, errors: int = 0) -> int:
        """Return how many answers decoding needs, d(K+T-1) + 1 + 2A.

        Parameters
        ----------
        degree : int
            d, total degree of the map, at least 1.
        errors : int, default 0
            A, the number of wrong answers to be corrected.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            If the code has fewer workers than that.

        Examples
        --------
        >>> LagrangeCode(3, 8, privacy=1, arithmetic=EXACT).recovery_threshold(degree=2)
        7
        """
        needed = lagrange_threshold(self.data_blocks, degree, self.privacy, errors)
        if needed > self.workers:
            raise ValueError(
                f"workers must be at least {needed} for degree {degree} and {errors} errors, got {self.workers}; "
                "add workers or cut the data into fewer blocks"
            )
        return needed

    def answers_needed(self, arrived: tuple[int, ...], degree: int, errors: int = 0) -> int:
        """Return `recovery_threshold`, and raise `ValueError` if fewer workers than that have answered."""
        needed = self.recovery_threshold(degree, errors)
        if len(arrived) < needed:
            raise ValueError(
                f"survivors must be at least {needed} for degree {degree} and {errors} errors, got {len(arrived)}; "
                "wait for more answers"
            )
        return needed

    def condition_number(
        self, survivors: Iterable[int], degree: int, p: int | str = "inf", arithmetic: Arithmetic | None = None
    ) -> Any:
        """Return how strongly decoding can amplify errors of the answers that are used.

        Parameters
        ----------
        survivors : iterable of int
            In order of arrival.
        degree : int
            Total degree of the map.
        p : {"inf", 2}, default "inf"
            As for `decoding_condition`.
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        number

        Examples
        --------
        >>> LagrangeCode(2, 4, arithmetic=EXACT).condition_number([0, 1], degree=1)
        Rational(5, 1)
        """
        arrived = checked_survivors(survivors, self.workers)
        used = arrived[: self.answers_needed(arrived, degree)]
        return decoding_condition(self._to_data(used, arithmetic or self.arithmetic), p)

    def worst_condition_number(
        self, degree: int, p: int | str = "inf", arithmetic: Arithmetic | None = None
    ) -> WorstCase:
        """Return the largest `condition_number` over all sets of first answers, and such a set.

        Whatever the number of stragglers, any `recovery_threshold` workers may be first.

        Parameters
        ----------
        degree : int
            Total degree of the map.
        p : {"inf", 2}, default "inf"
        arithmetic : Arithmetic, optional
            That of the code by default.

        Returns
        -------
        WorstCase

        Examples
        --------
        >>> LagrangeCode(2, 4, arithmetic=EXACT).worst_condition_number(degree=1).survivors
        (2, 3)
        """
        unused = self.workers - self.recovery_threshold(degree)
        return worst_condition(self.workers, unused, lambda used: self.condition_number(used, degree, p, arithmetic))
