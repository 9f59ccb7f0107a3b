"""Gradient codes: encoding matrices that let a master do without stragglers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic, arithmetic_of, condition_number

from .amplification import WorstAmplification, amplification, worst_amplification
from .code_entries import as_entries, exact_entries, floating_entries, is_exact, is_real
from .decoding import Decoded, Decoder, decode
from .decoding_space import DecodingSpace, decoding_space
from .survivors import checked_stragglers, checked_survivors
from .tolerance import Tolerance, decodable, max_tolerated, tolerates
from .worker_symmetry import WorkerSymmetry, find_symmetry, verified_symmetry
from .worst_decoding_error import WorstError, worst_decoding_error

__all__ = ["GradientCode"]


@dataclass(frozen=True, eq=False, repr=False)
class GradientCode:
    r"""An encoding matrix B: worker i sends :math:`\sum_jB_{ij}g_j`, and the master combines what arrives.

    With weights :math:`a` on the survivors the partition gradients get the coefficients
    :math:`\alpha=a^{\mathsf T}B`; decoding is exact where :math:`\alpha=\mathbf 1` (Tandon et al. 2017,
    arXiv:1612.03301).

    Parameters
    ----------
    matrix : array_like, shape (workers, partitions)
        Floats (real or complex), which stay doubles; or integers, fractions, numerals, `Rational` or `Algebraic`
        numbers, which stay exact, so that what is found about them is proved.
    symmetry : sequence of pairs, optional
        Generators of the symmetry group, each a pair (images of workers, images of partitions), all of which are
        verified. By default rotations and reflections are looked for; an empty sequence means none.
    name : str, optional
        For reports.
    stragglers : int, optional
        How many stragglers the construction is meant for. Nothing rests on it; see `tolerates`.

    Examples
    --------
    >>> code = GradientCode([["1/2", 1, 0], [0, 1, -1], ["1/2", 0, 1]], name="three workers")
    >>> code
    GradientCode(three workers, n=3, load=2/3, EXACT)
    >>> code.tolerates(1)
    Tolerance(1 of 3 stragglers: proved, 3 sets)
    """

    matrix: np.ndarray[Any, Any]
    _: KW_ONLY
    symmetry: Sequence[tuple[Sequence[int], Sequence[int]]] | None = None
    name: str = "matrix"
    stragglers: int | None = None

    def __post_init__(self) -> None:
        entries = as_entries(self.matrix).copy()
        entries.setflags(write=False)
        object.__setattr__(self, "matrix", entries)
        if self.stragglers is not None:
            checked_stragglers(self.stragglers, self.n)
        if self.symmetry is not None:
            self.symmetry_group  # noqa: B018  a wrong symmetry is an error now, not when it is first used

    @property
    def n(self) -> int:
        """Number of workers."""
        return int(self.matrix.shape[0])

    @property
    def partitions(self) -> int:
        """Number of data partitions."""
        return int(self.matrix.shape[1])

    @cached_property
    def load(self) -> Fraction:
        """Largest fraction of the partitions that one worker holds."""
        return Fraction(int(np.count_nonzero(self.matrix, axis=1).max()), self.partitions)

    @cached_property
    def replication(self) -> int:
        """Smallest number of workers that hold a partition; no code tolerates that many stragglers."""
        return int(np.count_nonzero(self.matrix, axis=0).min())

    @property
    def is_exact(self) -> bool:
        """Whether the entries are exact numbers."""
        return is_exact(self.matrix)

    @cached_property
    def is_real(self) -> bool:
        """Whether all entries are real."""
        return is_real(self.matrix)

    @cached_property
    def arithmetic(self) -> Arithmetic:
        """What the entries are numbers of; `FLOAT` also for complex doubles."""
        return arithmetic_of(self.matrix) if self.is_exact else FLOAT

    @cached_property
    def symmetry_group(self) -> WorkerSymmetry:
        """The verified symmetries that straggler sets are taken up to."""
        if self.symmetry is None:
            return find_symmetry(self.matrix)
        return verified_symmetry(self.matrix, self.symmetry)

    def exactly(self) -> GradientCode:
        """Return the code whose entries are these doubles as they are, exactly.

        Returns
        -------
        GradientCode
            Over the rationals, or the Gaussian rationals; an exact code is returned as it is.

        Examples
        --------
        >>> GradientCode([[0.5, 0.5]]).exactly().matrix
        array([[Rational(1, 2), Rational(1, 2)]], dtype=object)
        """
        if self.is_exact:
            return self
        name = f"doubles of {self.name}"
        return GradientCode(exact_entries(self.matrix), symmetry=self.symmetry, name=name, stragglers=self.stragglers)

    def approximate(self) -> GradientCode:
        """Return the code with the nearest doubles as entries.

        Returns
        -------
        GradientCode
            A code of floats is returned as it is.

        Examples
        --------
        >>> GradientCode([["1/3", 1]]).approximate().matrix
        array([[0.33333333, 1.        ]])
        """
        if not self.is_exact:
            return self
        # rounding may break a symmetry, so that it is looked for anew
        return GradientCode(floating_entries(self.matrix), name=f"{self.name} in doubles", stragglers=self.stragglers)

    @cached_property
    def decoding_space(self) -> DecodingSpace:
        """All weights with which all workers together decode; of an exact code only."""
        if not self.is_exact:
            raise TypeError(f"the decoding weights of {self!r} are no exact space; use exactly() for these doubles")
        return decoding_space(self.matrix)

    def tolerates(self, s: int, limit: int = 5_000_000) -> Tolerance:
        """Return whether the code decodes exactly whichever s workers straggle; see `tolerance.tolerates`."""
        return tolerates(self, s, limit)

    def max_tolerated(self, limit: int = 5_000_000) -> int:
        """Return the largest number of stragglers that is tolerated; see `tolerance.max_tolerated`."""
        return max_tolerated(self, limit)

    def decodable(self, survivors: Any, max_residual: float = 1e-6) -> bool:
        """Return whether a set of survivors decodes exactly; see `tolerance.decodable`."""
        return decodable(self, survivors, max_residual)

    def decode(self, messages: Any, survivors: Any, decoder: Decoder) -> Decoded:
        """Combine the messages of survivors; see `decoding.decode`."""
        return decode(self, messages, survivors, decoder)

    def amplification(self, decoder: Decoder, survivors: Any, bits: int = 128) -> Any:
        """Return the amplification of a decoder at a survivor set; see `amplification.amplification`."""
        return amplification(self, decoder, survivors, bits)

    def worst_amplification(
        self, decoder: Decoder, s: int, bits: int = 128, limit: int = 1_000_000
    ) -> WorstAmplification:
        """Return the largest amplification over all sets of s stragglers; see `amplification.worst_amplification`."""
        return worst_amplification(self, decoder, s, bits, limit)

    def worst_decoding_error(self, s: int, rng: np.random.Generator | None = None) -> WorstError:
        """Return the largest least-squares error over all sets of s stragglers; see `worst_decoding_error`."""
        return worst_decoding_error(self, s, rng)

    def condition_number(self, survivors: Any, p: int | str = 2) -> Any:
        """Return the condition number of the survivors' rows.

        Parameters
        ----------
        survivors : iterable of int
        p : {1, 2, "inf", "fro"}
            Rows that are not square have the condition number for p = 2 only, with the pseudo-inverse.

        Returns
        -------
        number
            As `codedtheory.arithmetic.condition_number`: a float for floats, exact or a `Ball` otherwise.

        Raises
        ------
        ValueError
            If the rows are not of full rank.

        Examples
        --------
        >>> GradientCode([[1, 0, 0], [0, 2, 0], [0, 0, 4]]).condition_number([0, 1, 2], 1)
        Rational(4, 1)
        """
        received = self.matrix[list(checked_survivors(survivors, self.n))]
        if received.dtype.kind != "c":
            return condition_number(received, p)
        order: Any = np.inf if p == "inf" else p
        if order != 2 and received.shape[0] != received.shape[1]:
            raise ValueError(f"survivors' rows must be square for p = {p!r}, got shape {received.shape}; use p = 2")
        return float(np.linalg.cond(received, order))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GradientCode):
            return NotImplemented
        same_kind = self.matrix.dtype == other.matrix.dtype and self.matrix.shape == other.matrix.shape
        return same_kind and bool(np.all(self.matrix == other.matrix))

    def __hash__(self) -> int:
        return hash((self.matrix.shape, int(np.count_nonzero(self.matrix))))

    def __repr__(self) -> str:
        size = f"n={self.n}" if self.partitions == self.n else f"n={self.n}, partitions={self.partitions}"
        return f"GradientCode({self.name}, {size}, load={self.load}, {self.arithmetic!r})"
