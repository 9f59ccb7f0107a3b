"""Error bounds for approximate gradient codes that hold for every straggler set."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, Rational
from codedtheory.arithmetic.number import is_integer

from .covariance import squared_window_gain
from .placement import PlacedCode, copies_per_partition, require_plain_sums, supports
from .survivors import checked_count, checked_stragglers
from .symmetric_norm import rational_if_possible, symmetric_norm

__all__ = [
    "block_design_error",
    "covering_lower_bound",
    "cyclic_error_bound",
    "expander_error_bound",
    "graph_error_bound",
    "spectral_error_bound",
    "squared_second_singular_value",
]


def squared_second_singular_value(code: PlacedCode, bits: int = 128) -> Rational | Algebraic | Ball:
    r"""Return :math:`\sigma_2^2` of a plain placement with even copies and loads, certified.

    With d copies of each partition and equal loads the vector of ones is a singular vector of the largest singular
    value; the second one is the spectral norm of what is left without it.

    Parameters
    ----------
    code : PlacedCode
        Plain sums, every partition on equally many workers, all workers with equally many partitions.
    bits : int, default 128
        Precision where the value is not known exactly.

    Returns
    -------
    Rational, Algebraic or Ball
        Exact if it is rational or the placement is cyclic; equal to the square of the largest singular value if the
        placement falls into parts that share no partition.

    Raises
    ------
    ValueError
        If copies or loads are uneven.

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> squared_second_singular_value(plain_cyclic(4, 1))
    Rational(2, 1)
    """
    require_plain_sums(code)
    copies_per_partition(code)
    loads = {len(held) for held in supports(code)}
    if len(loads) != 1:
        raise ValueError(f"code must give all workers equal loads, got {sorted(loads)}; pad or split the partitions")
    mean = Rational(loads.pop(), code.matrix.shape[1])
    rest = np.array([[Rational(int(entry != 0)) - mean for entry in row] for row in code.matrix], dtype=object)
    gram = rest.T @ rest if rest.shape[1] <= rest.shape[0] else rest @ rest.T
    return symmetric_norm(gram, bits)


def spectral_error_bound(code: PlacedCode, s: int, bits: int = 128) -> Rational | Algebraic | Ball:
    r"""Return :math:`\sigma_2(A)^2\frac{ms}{(m-s)d^2}`, which :math:`\|\alpha-\mathbf 1\|^2` never exceeds.

    One-step decoding with weight :math:`\frac m{d(m-s)}` on m - s of m workers, d copies of each partition, equal
    loads; optimal decoding is at least as good.

    Parameters
    ----------
    code : PlacedCode
        Plain sums, even copies and loads.
    s : int
        Stragglers, below the number of workers.
    bits : int, default 128
        Precision where the bound is not known exactly.

    Returns
    -------
    Rational, Algebraic or Ball
        Exact as in `squared_second_singular_value`. Block designs attain the bound.

    Notes
    -----
    :math:`w-\frac1d\mathbf 1\perp\mathbf 1` has squared norm :math:`\frac{ms}{(m-s)d^2}`, and
    :math:`A\mathbf 1=d\mathbf 1`. Glasgow and Wootters (2020), arXiv 2006.09638; an upper bound.

    Examples
    --------
    >>> from codedtheory.coding import bibd_code
    >>> spectral_error_bound(bibd_code(7, [0, 1, 3]), 2)
    Rational(28, 45)
    """
    m = code.matrix.shape[0]
    s = checked_stragglers(s, m)
    d = copies_per_partition(code)
    bound: Rational | Algebraic | Ball = squared_second_singular_value(code, bits) * Rational(m * s, (m - s) * d * d)
    return bound


def cyclic_error_bound(n: int, s: int) -> Rational | Algebraic:
    r"""Return the certificate of relaxed decoding on cyclic repetition, exactly.

    .. math:: \Big[\frac{\sin(\pi(s+1)/n)}{\sin(\pi/n)}\Big]^2\frac{ns}{(n-s)(s+1)^2}

    is `spectral_error_bound` of plain cyclic repetition in closed form: an upper bound of
    :math:`\|\alpha-\mathbf 1\|^2` for every set of s stragglers.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.

    Returns
    -------
    Rational or Algebraic
        Exact.

    Examples
    --------
    >>> cyclic_error_bound(4, 1)
    Rational(2, 3)
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    if s + 1 == n:
        return Rational(0)
    return rational_if_possible(squared_window_gain(n, s + 1) * Rational(n * s, (n - s) * (s + 1) ** 2))


def expander_error_bound(adjacency: Any, s: int, bits: int = 128) -> Rational | Algebraic | Ball:
    r"""Return :math:`\big(\frac\lambda d\big)^2\frac{ns}{n-s}`, which bounds the squared error of an expander code.

    The encoding matrix is the adjacency matrix of a d-regular graph over d, every received message has the weight
    n / (n - s), and :math:`\lambda=\max(|\lambda_2|,|\lambda_n|)`. A bipartite graph has :math:`\lambda=d`, and the
    bound says nothing.

    Parameters
    ----------
    adjacency : array_like of int, shape (n, n)
        Symmetric, all rows with sum d; loops and repeated edges are allowed.
    s : int
        Stragglers, below n.
    bits : int, default 128
        Precision where the bound is not known exactly.

    Returns
    -------
    Rational, Algebraic or Ball
        Exact if the eigenvalue is rational or the matrix circulant.

    Raises
    ------
    ValueError
        If the matrix is not that of a regular graph.

    Notes
    -----
    Raviv, Tandon, Dimakis and Tamo (2018), arXiv 1707.03858, where the square root is stated; an upper bound.

    Examples
    --------
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> expander_error_bound(triangle, 1)
    Rational(3, 8)
    """
    entries = np.array(adjacency, dtype=object)
    n = len(entries) if entries.ndim else 0
    if not n or entries.shape != (n, n) or not np.array_equal(entries, entries.T):
        raise ValueError(f"adjacency must be a symmetric square matrix, got shape {entries.shape}")
    for edges in entries.ravel():
        if not is_integer(edges) or edges < 0:
            raise ValueError(f"adjacency must count edges by integers from 0 on, got {edges!r}; leave weights away")
    degrees = {int(total) for total in entries.sum(axis=1)}
    if len(degrees) != 1 or 0 in degrees:
        raise ValueError(f"adjacency must belong to a regular graph with edges, got row sums {sorted(degrees)}")
    s = checked_stragglers(s, n)
    d = degrees.pop()
    rest = np.array([[Rational(int(entry)) - Rational(d, n) for entry in row] for row in entries], dtype=object)
    radius = symmetric_norm(rest, bits)
    bound: Rational | Algebraic | Ball = radius * radius * Rational(n * s, (n - s) * d * d)
    return bound


def graph_error_bound(degree: int, gap: Any, loss: int | str | Fraction | Rational) -> Any:
    r"""Return :math:`\frac{2d-\lambda}{2d}\cdot\frac p{1-p}`, which bounds the error per vertex of a graph code.

    Machines are the edges of a d-regular graph, a share p of them straggles, and :math:`\lambda=d-\lambda_2` is the
    spectral **gap** of the adjacency matrix (not its second eigenvalue). For good expanders the bound is about
    :math:`\frac12\frac p{1-p}`.

    Parameters
    ----------
    degree : int
        d.
    gap : Rational, Algebraic or Ball
        :math:`\lambda`, or a lower bound of it.
    loss : int, str, Fraction or Rational
        p, at least 0 and below 1.

    Returns
    -------
    number
        Of the kind of `gap`.

    Notes
    -----
    `spectral_error_bound` with :math:`\sigma_2^2=2d-\lambda` and m = nd/2 machines. Glasgow and Wootters (2020),
    arXiv 2006.09638; an upper bound for optimal decoding.

    Examples
    --------
    >>> graph_error_bound(2, Rational(3), "1/3")       # the triangle, one edge lost
    Rational(1, 8)
    """
    degree = checked_count("degree", degree, least=1)
    p = Rational(loss)
    if not 0 <= p < 1:
        raise ValueError(f"loss must be at least 0 and below 1, got {loss}")
    return (2 * degree - gap) * (p / (1 - p)) / (2 * degree)


def covering_lower_bound(s: int, copies: int) -> int:
    r"""Return :math:`\lfloor s/d\rfloor`: some set of s stragglers forces at least this squared error on any decoder.

    Erasing the d holders of a partition sets its coefficient to 0.

    Parameters
    ----------
    s : int
        Stragglers.
    copies : int
        Holders of each partition, d.

    Returns
    -------
    int

    Examples
    --------
    >>> covering_lower_bound(5, 2)
    2
    """
    return checked_count("s", s, least=0) // checked_count("copies", copies, least=1)


def block_design_error(n: int, load: int, pairwise: int, s: int) -> Rational:
    r"""Return :math:`n-\frac{(n-s)L^2}{L+\lambda(n-s-1)}`, the optimal squared error of a symmetric design.

    The same for **every** set of s stragglers, since the received rows satisfy
    :math:`B_RB_R^{\mathsf T}=(L-\lambda)I+\lambda J`.

    Parameters
    ----------
    n : int
        Workers and partitions.
    load : int
        Partitions of each worker, L.
    pairwise : int
        Partitions that any two workers share, :math:`\lambda`; a symmetric design has
        :math:`L(L-1)=\lambda(n-1)`.
    s : int
        Stragglers, below n.

    Returns
    -------
    Rational

    Raises
    ------
    ValueError
        If the parameters are not those of a symmetric design.

    Notes
    -----
    Kadhe, Koyluoglu and Ramchandran (2019), arXiv 1904.13373.

    Examples
    --------
    >>> block_design_error(7, 3, 1, 2)      # the Fano plane
    Rational(4, 7)
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    load, pairwise = checked_count("load", load, least=1), checked_count("pairwise", pairwise, least=0)
    if load * (load - 1) != pairwise * (n - 1):
        raise ValueError(
            f"a symmetric design needs load (load - 1) = pairwise (n - 1), got n={n}, load={load}, pairwise={pairwise}"
        )
    error: Rational = n - Rational((n - s) * load * load, load + pairwise * (n - s - 1))
    return error
