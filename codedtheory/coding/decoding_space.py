"""All exact decoding weights of a code: an affine space, computed once for all straggler sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codedtheory.arithmetic import null_space, rank

__all__ = ["DecodingSpace", "affine_solutions", "decoding_space"]


@dataclass(frozen=True, eq=False)
class DecodingSpace:
    r"""The solutions of :math:`a^{\mathsf T}B=\mathbf 1^{\mathsf T}` over all workers: :math:`a=a_0+Nz`.

    Stragglers S can be done without iff some solution vanishes on S, that is iff the small system
    :math:`N_Sz=-(a_0)_S` is solvable. The elimination of B itself is shared by all straggler sets.

    Attributes
    ----------
    particular : numpy.ndarray, shape (workers,), or None
        The solution :math:`a_0`, or ``None`` if not even all workers together decode.
    directions : numpy.ndarray, shape (workers, dimension)
        A basis N of the left null space of B, as columns.
    """

    particular: np.ndarray[Any, Any] | None
    directions: np.ndarray[Any, Any]

    @property
    def dimension(self) -> int:
        """Dimension of the space of solutions."""
        return int(self.directions.shape[1])

    def vanishes_on(self, stragglers: Sequence[int]) -> bool:
        """Whether a solution vanishes on a set of workers, decided exactly.

        Parameters
        ----------
        stragglers : sequence of int

        Returns
        -------
        bool
        """
        if self.particular is None:
            return False
        rows = list(stragglers)
        target = self.particular[rows]
        if not any(bool(x != 0) for x in target):
            return True
        if not self.dimension:
            return False
        system = self.directions[rows]
        return bool(rank(system) == rank(np.concatenate([system, target[:, None]], axis=1)))

    def restricted_to(self, survivors: Sequence[int]) -> DecodingSpace:
        """Return the solutions that vanish on all workers but the survivors.

        Parameters
        ----------
        survivors : sequence of int

        Returns
        -------
        DecodingSpace
            Over all workers, with zeros where there are no survivors; its `particular` is ``None`` if the survivors
            do not decode.
        """
        workers = self.directions.shape[0]
        lost = [w for w in range(workers) if w not in set(survivors)]
        if self.particular is None or not lost:
            return self
        target = self.particular[lost]
        shift, moves = affine_solutions(np.concatenate([self.directions[lost], target[:, None]], axis=1))
        if shift is None or not self.dimension:
            return DecodingSpace(None if shift is None else self.particular, self.directions[:, :0])
        particular = self.particular + self.directions @ shift
        return DecodingSpace(particular, self.directions @ moves if moves.shape[1] else self.directions[:, :0])


def decoding_space(matrix: np.ndarray[Any, Any]) -> DecodingSpace:
    r"""Return all decoding weights of an exact encoding matrix.

    Parameters
    ----------
    matrix : numpy.ndarray of object, shape (workers, partitions)

    Returns
    -------
    DecodingSpace

    Raises
    ------
    ArithmeticError
        If the computed space does not satisfy its equations; they are checked by multiplication.

    Notes
    -----
    The null space of :math:`(B^{\mathsf T}\mid-\mathbf 1)` consists of the pairs :math:`(a,t)` with
    :math:`a^{\mathsf T}B=t\mathbf 1^{\mathsf T}`.
    """
    partitions = matrix.shape[1]
    minus = np.full((partitions, 1), matrix[0, 0] * 0 - 1, dtype=object)
    particular, directions = affine_solutions(np.concatenate([matrix.T, minus], axis=1))
    if particular is not None and not bool(np.all(particular @ matrix == 1)):
        raise ArithmeticError("the decoding weights of all workers do not decode; this is a defect, please report it")
    if directions.shape[1] and bool(np.any(directions.T @ matrix != 0)):
        raise ArithmeticError("the left null space is wrong; this is a defect, please report it")
    return DecodingSpace(particular, directions)


def affine_solutions(system: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any] | None, np.ndarray[Any, Any]]:
    """Return all x for which the pair (x, 1) is in the null space of a matrix.

    Parameters
    ----------
    system : numpy.ndarray of object, shape (equations, unknowns + 1)

    Returns
    -------
    solution : numpy.ndarray, shape (unknowns,), or None
        One of them, if there are any.
    differences : numpy.ndarray, shape (unknowns, dimension)
        A basis of the x for which (x, 0) is in the null space, as columns.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> solution, differences = affine_solutions(EXACT.array([[1, 1, -2]]))
    >>> str(solution.sum()), str(differences.sum())
    ('2', '0')
    """
    pairs = null_space(system)
    scale = pairs[-1]
    chosen = next((k for k in range(pairs.shape[1]) if scale[k] != 0), None)
    if chosen is None:
        return None, pairs[:-1]
    solution = pairs[:-1, chosen] / scale[chosen]
    others = [k for k in range(pairs.shape[1]) if k != chosen]
    return solution, pairs[:-1, others] - solution[:, None] * scale[others][None, :]
