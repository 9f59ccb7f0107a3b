"""Repetition codes: every partition on s+1 workers, in groups or in cyclic windows."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from codedtheory.arithmetic import EXACT, Rational, exactly, solve

from .code_entries import as_entries, is_exact
from .gradient_code import GradientCode
from .survivors import checked_count, checked_generator, checked_stragglers

__all__ = ["code_from_parity", "cyclic_repetition", "fractional_repetition", "plain_cyclic"]

_REDRAWS = 100

Variant = Literal["gaussian", "orthonormal", "rational", "dyadic"]


def fractional_repetition(n: int, s: int) -> GradientCode:
    """Return the code of groups of s+1 workers that all hold the same s+1 partitions.

    One message per group decodes, with weight 1, whichever s workers straggle (Tandon et al. 2017,
    arXiv:1612.03301).

    Parameters
    ----------
    n : int
        Workers and partitions; a multiple of s+1.
    s : int
        Stragglers, ``0 <= s < n``.

    Returns
    -------
    GradientCode
        With entries 0 and 1, exact.

    Raises
    ------
    ValueError
        If s+1 does not divide n.

    Examples
    --------
    >>> fractional_repetition(4, 1).tolerates(1).holds
    True
    """
    workers, copies = _sizes(n, s)
    if workers % copies:
        raise ValueError(
            f"fractional repetition needs n to be a multiple of s+1, got n={n}, s={s}; "
            "use cyclic_repetition (exact) or plain_cyclic (plain sums)"
        )
    index = np.arange(workers) // copies
    matrix = (index[:, None] == index[None, :]).astype(np.int64)
    return GradientCode(matrix, name=f"fractional_repetition({workers}, {copies - 1})", stragglers=copies - 1)


def plain_cyclic(n: int, s: int) -> GradientCode:
    """Return the code of plain sums over cyclic windows: worker i sends the sum of partitions i, ..., i+s.

    It tolerates any gcd(n, s+1) - 1 stragglers, and a larger straggler set iff that misses a residue class modulo
    gcd(n, s+1).

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        One less than the length of the window, ``0 <= s < n``.

    Returns
    -------
    GradientCode
        With entries 0 and 1, exact.

    Examples
    --------
    >>> plain_cyclic(12, 3).max_tolerated(), plain_cyclic(12, 4).max_tolerated()
    (3, 0)
    """
    workers, copies = _sizes(n, s)
    index = np.arange(workers)
    matrix = ((index[None, :] - index[:, None]) % workers < copies).astype(np.int64)
    return GradientCode(matrix, name=f"plain_cyclic({workers}, {copies - 1})", stragglers=copies - 1)


def cyclic_repetition(n: int, s: int, rng: np.random.Generator, variant: Variant = "gaussian") -> GradientCode:
    r"""Return a random cyclic code (Tandon et al. 2017, arXiv:1612.03301, Algorithm 2).

    A random matrix :math:`H\in\mathbb R^{s\times n}` with :math:`H\mathbf 1=0` is drawn; see `code_from_parity` for
    what follows from it.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, ``0 <= s < n``.
    rng : numpy.random.Generator
    variant : {"gaussian", "orthonormal", "rational", "dyadic"}
        How the first n-1 columns of H are drawn, the last being minus their sum: normal numbers; the first s rows
        of the orthogonal factor of an (n-1) x (n-1) matrix of uniform numbers; fractions p/q with
        ``-99 <= p <= 99`` and ``1 <= q <= 99``; normal numbers rounded to multiples of 1/1024. The last two give a
        code with rational entries, all others doubles, which decode only up to rounding.

    Returns
    -------
    GradientCode

    Notes
    -----
    For continuous H any s stragglers are tolerated with probability 1; for the discrete ones
    `GradientCode.tolerates` tells. A draw in which a block that has to be inverted is singular is drawn again.

    Examples
    --------
    >>> code = cyclic_repetition(6, 2, np.random.default_rng(1), "rational")
    >>> code.tolerates(2)
    Tolerance(2 of 6 stragglers: proved, 15 sets)
    """
    workers, copies = _sizes(n, s)
    checked_generator(rng)
    if variant not in ("gaussian", "orthonormal", "rational", "dyadic"):
        raise ValueError(f"variant must be 'gaussian', 'orthonormal', 'rational' or 'dyadic', got {variant!r}")
    name = f"cyclic_repetition({workers}, {copies - 1}, {variant})"
    for _ in range(_REDRAWS):
        parity = _parity(workers, copies - 1, rng, variant)
        try:
            code = code_from_parity(parity) if copies > 1 else GradientCode(_identity(workers, is_exact(parity)))
        except ValueError:
            continue
        return GradientCode(code.matrix, name=name, stragglers=copies - 1)
    raise ValueError(f"{_REDRAWS} draws of H had a singular block at n={n}, s={s}; use variant 'gaussian'")


def code_from_parity(parity: Any) -> GradientCode:
    r"""Return the cyclic code whose rows are orthogonal to those of a parity matrix.

    Row i of :math:`B` is 1 at i and :math:`-(H_{:,i+1..i+s})^{-1}H_{:,i}` at the s places that follow, so that
    :math:`BH^{\mathsf T}=0` (Tandon et al. 2017, arXiv:1612.03301, Algorithm 2).

    Parameters
    ----------
    parity : array_like, shape (s, n)
        The matrix H, with rows that sum to 0; exact numbers give an exact code.

    Returns
    -------
    GradientCode

    Raises
    ------
    ValueError
        If a row does not sum to 0 (up to rounding, for floats) or a block is singular.

    Notes
    -----
    That all s x s minors of H are non-zero does not suffice to tolerate s stragglers; `GradientCode.tolerates`
    decides.

    Examples
    --------
    >>> H = [[-2, 3, -2, 1, 0, 0], [1, -1, -1, 0, 1, 0], [-1, 3, -3, 0, 0, 1]]
    >>> code_from_parity(H).tolerates(3).violating
    (1, 3, 5)
    """
    H = as_entries(parity)
    s, n = H.shape
    checked_stragglers(s, n)
    sums = H.sum(axis=1)
    rounding = 0.0 if is_exact(H) else 1e-9 * float(np.abs(H).sum(axis=1).max())
    if any(bool(abs(x) > rounding) if rounding else bool(x != 0) for x in sums):
        raise ValueError(f"parity rows must sum to 0, got sums {[str(x) for x in sums]}; choose the last column so")
    matrix = _zeros(n, H)
    for i in range(n):
        window = [(i + k) % n for k in range(1, s + 1)]
        matrix[i, i] = matrix[i, i] + 1
        try:
            block, column = H[:, window], H[:, i]
            matrix[i, window] = -(solve(block, column) if is_exact(H) else np.linalg.solve(block, column))
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"parity columns {window} are dependent; draw another parity matrix") from error
    return GradientCode(matrix, name=f"code_from_parity({s} x {n})", stragglers=s)


def _sizes(n: int, s: int) -> tuple[int, int]:
    workers = checked_count("n", n, least=1)
    if not 0 <= checked_count("s", s, least=0) < workers:
        raise ValueError(f"s must be below n, got n={n}, s={s}; at least one worker has to answer")
    return workers, int(s) + 1


def _zeros(n: int, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return EXACT.zeros((n, n)) if is_exact(like) else np.zeros((n, n), dtype=like.dtype)


def _identity(n: int, exact: bool) -> np.ndarray[Any, Any]:
    identity = np.eye(n)
    return EXACT.array(identity.astype(np.int64)) if exact else identity


def _parity(n: int, s: int, rng: np.random.Generator, variant: Variant) -> np.ndarray[Any, Any]:
    shape = (s, n - 1)
    columns: np.ndarray[Any, Any]
    if variant == "gaussian":
        columns = rng.standard_normal(shape)
    elif variant == "orthonormal":
        columns = np.linalg.qr(rng.random((n - 1, n - 1)))[0][:s]
    elif variant == "dyadic":
        columns = exactly(np.rint(rng.standard_normal(shape) * 1024) / 1024)
    else:
        numerators, denominators = rng.integers(-99, 100, shape), rng.integers(1, 100, shape)
        columns = EXACT.zeros(shape)
        for index in np.ndindex(shape):
            columns[index] = Rational(int(numerators[index]), int(denominators[index]))
    last = -columns.sum(axis=1, keepdims=True) if n > 1 and s else columns[:, :0]
    return np.concatenate([columns, last], axis=1)
