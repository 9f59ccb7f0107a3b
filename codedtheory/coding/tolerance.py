"""How many stragglers a gradient code tolerates: a proof over all straggler sets, or the set that refutes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import PrecisionError, null_space

from .modular_filter import ModularImage, full_row_rank
from .straggler_orbits import orbit_representatives
from .survivors import checked_count, checked_stragglers, checked_survivors
from .twin_workers import first_superset, straggler_unions, twin_classes, union_count

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["Tolerance", "decodable", "floating_residuals", "max_tolerated", "tolerates"]


@dataclass(frozen=True, repr=False)
class Tolerance:
    r"""What was found out about the straggler sets of one size.

    Attributes
    ----------
    stragglers, workers : int
        The size of the sets, and of how many workers they are.
    holds : bool or None
        Whether all sets can be decoded without, proved either way; ``None`` for a code of floats, which proves
        nothing.
    sets : int
        Number of straggler sets that the statement is about.
    examined : int
        Number of them that were looked at; the others follow by symmetry or by monotonicity.
    method : str
        Why they follow.
    violating : tuple of int or None
        The lexicographically first straggler set that cannot be done without (unless the method says otherwise).
    witness : tuple of number or None
        A vector :math:`v` with :math:`B_Rv=0` and :math:`\mathbf 1^{\mathsf T}v\ne0` for the other workers R: no
        weights on R can give :math:`\mathbf 1`. It is checked by multiplication.
    worst_residual : float or None
        For floats the largest :math:`\max_j|\alpha_j-1|` of the least-squares weights; numeric only.
    worst_set : tuple of int or None
        Where it occurs.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> plain_cyclic(6, 1).tolerates(2)
    Tolerance(2 of 6 stragglers: refuted by (0, 1), 15 sets)
    """

    stragglers: int
    workers: int
    holds: bool | None
    sets: int
    examined: int
    method: str
    violating: tuple[int, ...] | None = None
    witness: tuple[Any, ...] | None = field(default=None, compare=False)
    worst_residual: float | None = None
    worst_set: tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        if self.holds is None:
            raise PrecisionError(
                f"floats prove no tolerance (worst residual {self.worst_residual:.1e}); "
                "use code.exactly() for these doubles as they are, or an exact construction"
            )
        return self.holds

    def __repr__(self) -> str:
        if self.holds is None:
            found = f"not proved, worst residual {self.worst_residual:.1e} (numeric)"
        else:
            found = "proved" if self.holds else f"refuted by {self.violating}"
        return f"Tolerance({self.stragglers} of {self.workers} stragglers: {found}, {self.sets} sets)"


def tolerates(code: GradientCode, s: int, limit: int = 5_000_000) -> Tolerance:
    r"""Return whether a code decodes exactly whichever s workers straggle.

    Parameters
    ----------
    code : GradientCode
        An exact code gets a proof or a refutation, a code of floats its worst numeric residual.
    s : int
        Stragglers, ``0 <= s < n``.
    limit : int, optional
        Most straggler sets to go through, before symmetry.

    Returns
    -------
    Tolerance

    Raises
    ------
    ValueError
        If there are more sets than the limit, and no partition is on s workers only.

    Notes
    -----
    B tolerates s stragglers iff :math:`\mathbf 1\in\mathrm{span}\{b_i:i\notin S\}` for all S of size s (Tandon et
    al. 2017, arXiv:1612.03301). With the weights of all workers together, :math:`a=a_0+Nz`, which are computed once
    and checked, that means that :math:`N_Sz=-(a_0)_S` is solvable. If the rows of :math:`N_S` are independent, it
    is, whatever the right-hand side; equations that repeat another one, which is seen once for all, do not count.
    Independence modulo a prime implies independence, so all sets that pass the modular filter are **proved** to be
    tolerated; for the others the small system is decided over the field itself. A violating set is recomputed from
    B alone, with a vector that certifies it.

    Only one set of each orbit under the verified symmetries of the code is looked at. If some workers send
    multiples of the same message, only unions of such classes are: the straggler set S can be replaced by the
    classes inside it.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> plain_cyclic(12, 3).tolerates(3)
    Tolerance(3 of 12 stragglers: proved, 220 sets)
    """
    s = checked_stragglers(s, code.n)
    sets = comb(code.n, s)
    if not code.is_exact:
        _within(sets, limit)
        return _numeric_tolerance(code, s)
    classes = twin_classes(code.matrix)
    if union_count(classes, s) * code.symmetry_group.order < sets:
        return _by_twins(code, s, classes, limit)
    if sets > limit and code.replication <= s:
        counts = np.count_nonzero(code.matrix, axis=0)
        holders = np.flatnonzero(code.matrix[:, int(np.argmin(counts))])
        violating = first_superset([int(w) for w in holders], s)
        return _refuted(code, s, violating, 1, "a partition whose holders all straggle; not the first such set")
    _within(sets, limit)
    return _by_orbits(code, s)


def max_tolerated(code: GradientCode, limit: int = 5_000_000) -> int:
    """Return the largest number of stragglers that an exact code tolerates, whichever they are.

    Parameters
    ----------
    code : GradientCode
        Exact.
    limit : int, optional
        As for `tolerates`.

    Returns
    -------
    int
        -1 if not even all workers together decode.

    Raises
    ------
    ValueError
        For a code of floats, which proves nothing.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> plain_cyclic(10, 3).max_tolerated()
    1
    """
    if not code.is_exact:
        raise ValueError(
            f"max_tolerated needs an exact code, got {code!r}; use code.exactly() for these doubles as they are"
        )
    s = 0
    # a partition whose holders all straggle is lost, so the search ends below the replication
    while s < code.n and tolerates(code, s, limit).holds:
        s += 1
    return s - 1


def decodable(code: GradientCode, survivors: Any, max_residual: float = 1e-6) -> bool:
    """Return whether a set of survivors decodes exactly.

    Parameters
    ----------
    code : GradientCode
    survivors : iterable of int
        Distinct workers.
    max_residual : float, optional
        For a code of floats the largest residual of least squares that counts as decoded; that answer is numeric.
        An exact code is decided exactly.

    Returns
    -------
    bool

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> plain_cyclic(4, 1).decodable([0, 2]), plain_cyclic(4, 1).decodable([0, 1])
    (True, False)
    """
    arrived = checked_survivors(survivors, code.n)
    if code.is_exact:
        return code.decoding_space.vanishes_on([w for w in range(code.n) if w not in set(arrived)])
    return bool(floating_residuals(code.matrix, np.array([arrived]))[0] <= max_residual)


def floating_residuals(matrix: np.ndarray[Any, Any], survivors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    r"""Return the largest deviation :math:`\max_j|\alpha_j-1|` of the least-squares weights of many survivor sets.

    Parameters
    ----------
    matrix : numpy.ndarray of float64 or complex128, shape (workers, partitions)
    survivors : numpy.ndarray of int, shape (count, survivors)

    Returns
    -------
    numpy.ndarray of float64, shape (count,)
    """
    received = matrix[survivors]
    cutoff = max(received.shape[1:]) * np.finfo(float).eps
    weights = np.linalg.pinv(received, rcond=cutoff).sum(axis=1)
    coefficients = np.einsum("cr,crp->cp", weights, received)
    return np.asarray(np.abs(coefficients - 1).max(axis=1))


def _within(sets: int, limit: int) -> None:
    if sets > checked_count("limit", limit, least=1):
        raise ValueError(
            f"{sets} straggler sets are more than limit={limit}; raise limit to go through them, about 1 s a million"
        )


def _by_orbits(code: GradientCode, s: int) -> Tolerance:
    group = code.symmetry_group
    method = f"symmetry {group.name}, order {group.order}" if group.order > 1 else "every set"
    check = _Check(code)
    examined = 0
    for representatives, _ in orbit_representatives(code.n, s, group):
        for position in np.flatnonzero(~check.passes(representatives)):
            suspect = tuple(int(w) for w in representatives[position])
            if not code.decoding_space.vanishes_on(suspect):
                return _refuted(code, s, suspect, examined + int(position) + 1, method)
        examined += len(representatives)
    return Tolerance(s, code.n, True, comb(code.n, s), examined, method)


def _by_twins(code: GradientCode, s: int, classes: list[tuple[int, ...]], limit: int) -> Tolerance:
    _within(union_count(classes, s), limit)
    method = f"unions of {len(classes)} classes of workers with proportional messages"
    unions = straggler_unions(classes, s)
    check = _Check(code)
    violating = [
        first_superset(union, s)
        for rows in _of_equal_size(unions)
        for union, passed in zip(rows, check.passes(np.array(rows, dtype=np.int64)), strict=True)
        if not passed and not code.decoding_space.vanishes_on(union)
    ]
    if violating:
        return _refuted(code, s, min(violating), len(unions), method)
    return Tolerance(s, code.n, True, comb(code.n, s), len(unions), method)


def _of_equal_size(unions: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    for size in sorted({len(union) for union in unions}):
        yield [union for union in unions if len(union) == size]


class _Check:
    """The modular filter, set up once for a code."""

    def __init__(self, code: GradientCode) -> None:
        space = code.decoding_space
        self.hopeless = space.particular is None
        self.image = ModularImage(space.directions) if space.dimension else None
        self.labels = np.full(code.n, -1)
        if space.particular is not None:
            equations = np.concatenate([space.directions, space.particular[:, None]], axis=1)
            for label, members in enumerate(twin_classes(equations)):
                self.labels[list(members)] = label

    def passes(self, sets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return for each set whether it is proved to be tolerated; False leaves it open."""
        if self.hopeless or self.image is None:
            # without freedom in the weights, only workers of weight 0 can be missed
            missed = (self.labels[sets] < 0).all(axis=1)
            return np.asarray(missed & (not self.hopeless))
        return full_row_rank(self.image.residues, self.image.modulus, sets, self.labels)


def _refuted(code: GradientCode, s: int, violating: tuple[int, ...], examined: int, method: str) -> Tolerance:
    witness = _witness(code, violating)
    return Tolerance(s, code.n, False, comb(code.n, s), examined, method, violating, witness)


def _witness(code: GradientCode, violating: tuple[int, ...]) -> tuple[Any, ...]:
    """Return v with B_R v = 0 and a sum other than 0, from the survivors' rows alone."""
    received = code.matrix[[w for w in range(code.n) if w not in set(violating)]]
    kernel = null_space(received)
    for v in kernel.T:
        if v.sum() != 0 and bool(np.all(received @ v == 0)):
            return tuple(v)
    raise ArithmeticError(f"no vector certifies that {violating} is violating; this is a defect, please report it")


def _numeric_tolerance(code: GradientCode, s: int) -> Tolerance:
    group = code.symmetry_group
    worst, examined = -1.0, 0
    where: tuple[int, ...] = ()
    everyone = np.arange(code.n)
    for representatives, _ in orbit_representatives(code.n, s, group):
        for rows in np.array_split(representatives, max(1, len(representatives) // 4096)):
            lost = np.zeros((len(rows), code.n), dtype=bool)
            np.put_along_axis(lost, rows, True, axis=1)
            survivors = np.broadcast_to(everyone, lost.shape)[~lost].reshape(len(rows), code.n - s)
            residuals = floating_residuals(code.matrix, survivors)
            k = int(np.argmax(residuals))
            if residuals[k] > worst:
                worst, where = float(residuals[k]), tuple(int(w) for w in rows[k])
        examined += len(representatives)
    method = f"least squares in doubles, symmetry {group.name}"
    return Tolerance(s, code.n, None, comb(code.n, s), examined, method, worst_residual=worst, worst_set=where)
