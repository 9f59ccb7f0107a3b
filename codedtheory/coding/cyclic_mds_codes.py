"""Deterministic cyclic codes: from polynomials at distinct nodes, and from runs of roots of unity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd
from typing import Any, Literal

import numpy as np

from codedtheory.arithmetic import Algebraic, cyclotomic

from .code_entries import as_entries
from .gradient_code import GradientCode
from .straggler_orbits import straggler_sets
from .survivors import checked_count, checked_stragglers, checked_survivors

__all__ = ["DividedDifference", "cyclic_mds", "distinct_nodes", "polynomial_cyclic"]

_LARGEST_SEARCH = 2_000_000


def polynomial_cyclic(nodes: Any, s: int) -> GradientCode:
    r"""Return the cyclic code of polynomial values, which tolerates any s stragglers.

    With distinct nodes :math:`x_0,\dots,x_{n-1}` and the workers :math:`W_j=\{j-s,\dots,j\}` that hold partition j,
    :math:`B_{ij}=p_j(x_i)` for :math:`p_j(x)=\prod_{l\notin W_j}(x-x_l)`, which is monic of degree n-s-1.

    Parameters
    ----------
    nodes : array_like, shape (n,)
        Distinct rational or algebraic numbers, which give an exact code, or floats.
    s : int
        Stragglers, ``0 <= s < n``.

    Returns
    -------
    GradientCode

    Raises
    ------
    ValueError
        If two nodes are equal, or s is not below n.

    Notes
    -----
    The divided difference over any n-s nodes takes 1 from each :math:`p_j`, so `DividedDifference` decodes. It is
    the Reed-Solomon code of the nodes (Halbawi et al. 2018, arXiv:1706.05436; Raviv et al. 2018, arXiv:1707.03858).

    Examples
    --------
    >>> polynomial_cyclic([0, 1, 2], 1).matrix.astype(str)
    array([['-1', '-2', '0'],
           ['0', '-1', '1'],
           ['1', '0', '2']], dtype='<U...')
    """
    x = distinct_nodes(nodes)
    n = x.size
    if not 0 <= checked_count("s", s, least=0) < n:
        raise ValueError(f"s must be below the number of nodes ({n}), got {s}")
    one = x[0] * 0 + 1
    matrix = np.empty((n, n), dtype=x.dtype)
    for j in range(n):
        roots = x[[(j + k) % n for k in range(1, n - int(s))]]
        for i in range(n):
            matrix[i, j] = np.multiply.reduce(x[i] - roots, initial=one)
    return GradientCode(matrix, name=f"polynomial_cyclic({n} nodes, {int(s)})", stragglers=int(s))


@dataclass(frozen=True)
class DividedDifference:
    r"""The decoder of `polynomial_cyclic`: weights :math:`a_i=\prod_{l\in R,\,l\ne i}(x_i-x_l)^{-1}`.

    Parameters
    ----------
    nodes : tuple of number
        The nodes of the code.
    stragglers : int
        The s of the code. Of more than n-s survivors the first n-s are used.

    Examples
    --------
    >>> DividedDifference((0, 1, 2), 1).weights(polynomial_cyclic([0, 1, 2], 1), [0, 2]).astype(str).tolist()
    ['-1/2', '1/2']
    """

    nodes: tuple[Any, ...]
    stragglers: int
    name: str = "divided difference"

    def weights(self, code: GradientCode, survivors: Any) -> np.ndarray[Any, Any]:
        """Return the weights of the survivors, in their order.

        Parameters
        ----------
        code : GradientCode
            Made by `polynomial_cyclic` from the same nodes.
        survivors : iterable of int

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        ValueError
            If fewer than n-s workers survive.
        """
        x = distinct_nodes(self.nodes)
        if x.size != code.n:
            raise ValueError(f"nodes must be one for each of the {code.n} workers, got {x.size}")
        arrived = checked_survivors(survivors, code.n)
        needed = code.n - checked_stragglers(self.stragglers, code.n)
        if len(arrived) < needed:
            raise ValueError(f"survivors must be at least n-s = {needed}, got {len(arrived)}; wait for more workers")
        used = x[list(arrived[:needed])]
        one = x[0] * 0 + 1
        weights = np.full(len(arrived), one * 0, dtype=x.dtype)
        for k in range(needed):
            weights[k] = one / np.multiply.reduce(used[k] - np.delete(used, k), initial=one)
        return weights


def cyclic_mds(n: int, s: int, step: int | Literal["best"] = 1, first: int | None = None) -> GradientCode:
    r"""Return the circulant code of a polynomial whose roots are a run of s roots of unity.

    Row 0 holds the coefficients of :math:`\prod_{k=m}^{m+s-1}(x-\omega^{bk})`, :math:`\omega=e^{2\pi i/n}`, with a
    step b coprime to n and a run that avoids 0 (Raviv et al. 2018, arXiv:1707.03858). Any n-s rows are independent
    and span a space that contains :math:`\mathbf 1`.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, ``0 <= s < n``.
    step : int or "best"
        The step b, coprime to n; it permutes the nodes and changes the amplification, not the tolerance. ``"best"``
        takes the step whose worst amplification is smallest in floating point, and the smallest such step.
    first : int, optional
        The exponent m at which the run starts, ``1 <= m <= n-s``. By default the run is centred at n/2 if n and s
        have different parity, which makes the code real (and no other choice does), and starts at 1 otherwise. With
        ``first=1`` it has the amplification of `polynomial_cyclic` at the nodes :math:`\omega^{bi}`; other runs
        differ.

    Returns
    -------
    GradientCode
        Over the cyclotomic field of n-th roots of unity; over the rationals where all coefficients are.

    Examples
    --------
    >>> code = cyclic_mds(6, 1)
    >>> code.is_real, code.matrix[0].astype(str).tolist()
    (True, ['1', '1', '0', '0', '0', '0'])
    >>> cyclic_mds(5, 1).is_real
    False
    """
    workers = checked_count("n", n, least=1)
    if not 0 <= checked_count("s", s, least=0) < workers:
        raise ValueError(f"s must be below n, got n={n}, s={s}")
    if first is None:
        start = (workers - s + 1) // 2 if (workers - s) % 2 else 1
    else:
        start = checked_count("first", first, least=1)
        if start + s > workers:
            raise ValueError(f"first must be at most n-s = {workers - s}, got {first}; the run must avoid the root 1")
    if isinstance(step, str) and step != "best":
        raise ValueError(f"step must be 'best' or a number coprime to n = {workers}, got {step!r}")
    b = _best_step(workers, int(s), start) if step == "best" else checked_count("step", step, least=1)
    if gcd(b, workers) != 1:
        raise ValueError(f"step must be coprime to n = {workers}, got {step}")
    row = [Algebraic(workers, [1])]
    for k in range(start, start + int(s)):
        root = Algebraic.root_of_unity(Fraction(b * k, workers), workers)
        lower = [-(root * c) for c in row] + [Algebraic(workers, [0])]
        row = [x + y for x, y in zip(lower, [Algebraic(workers, [0]), *row], strict=True)]
    matrix = cyclotomic(workers).zeros((workers, workers))
    for i in range(workers):
        for d, coefficient in enumerate(row):
            matrix[i, (i + d) % workers] = coefficient
    return GradientCode(matrix, name=f"cyclic_mds({workers}, {s}, step={b}, first={start})", stragglers=int(s))


def distinct_nodes(nodes: Any) -> np.ndarray[Any, Any]:
    """Return the nodes of a code as an array of one kind of numbers, none of which occurs twice.

    Parameters
    ----------
    nodes : array_like, shape (n,)
        Floats, or exact numbers, which stay exact.

    Returns
    -------
    numpy.ndarray, shape (n,)

    Raises
    ------
    ValueError
        If two nodes are equal, or there are none.

    Examples
    --------
    >>> distinct_nodes([0, "1/2"])
    array([Rational(0, 1), Rational(1, 2)], dtype=object)
    """
    if not isinstance(nodes, Iterable) or isinstance(nodes, str):
        raise TypeError(f"nodes must be a sequence of numbers, got {nodes!r}; range(n) gives 0, ..., n - 1")
    source = nodes if isinstance(nodes, np.ndarray) else np.array(list(nodes), dtype=object)
    if source.ndim != 1 or not source.size:
        raise ValueError(f"nodes must be a sequence of numbers, got shape {source.shape}")
    try:
        x: np.ndarray[Any, Any] = as_entries(source[None, :])[0]
    except (TypeError, ValueError) as error:
        raise type(error)(f"nodes: {error}") from error
    for j in range(x.size):
        for i in range(j):
            if x[i] == x[j]:
                raise ValueError(f"nodes must be distinct, got {x[i]} for workers {i} and {j}")
    return x


def _best_step(n: int, s: int, first: int) -> int:
    steps = [b for b in range(1, max(2, n // 2 + 1)) if gcd(b, n) == 1]
    if s == 0:
        return 1
    instances = len(steps) * comb(n - 1, s - 1)
    if instances > _LARGEST_SEARCH:
        raise ValueError(f"the best step takes {instances} straggler sets at n={n}, s={s}; choose step yourself")
    worst = [_floating_amplification(n, s, b, first) for b in steps]
    # equal amplifications differ by rounding; among them the smallest step is taken
    least = min(worst) * (1 + 1e-9)
    return next(b for b, amplification in zip(steps, worst, strict=True) if amplification <= least)


def _floating_amplification(n: int, s: int, step: int, first: int) -> float:
    r"""Return the worst amplification in doubles.

    All weights with :math:`a^{\mathsf T}B=\mathbf 1` are :math:`(1+\sum_kz_k\omega^{-bki})/q(1)`; s stragglers fix
    z.
    """
    angles = 2j * np.pi * step / n * np.arange(first, first + s)
    polynomial = np.poly(np.exp(angles))[::-1]
    waves = np.exp(-np.outer(np.arange(n), angles))
    spread = np.abs([[polynomial[(j - i) % n] if (j - i) % n <= s else 0.0 for j in range(n)] for i in range(n)])
    worst = 0.0
    for sets in straggler_sets(n, s):
        rotated = sets[sets[:, 0] == 0]
        if not len(rotated):
            break
        z = np.linalg.solve(waves[rotated], -np.ones((len(rotated), s, 1)))[:, :, 0]
        weights = np.abs(1 + z @ waves.T) / abs(polynomial.sum())
        np.put_along_axis(weights, rotated, 0.0, axis=1)
        worst = max(worst, float((weights @ spread).max()))
    return worst
