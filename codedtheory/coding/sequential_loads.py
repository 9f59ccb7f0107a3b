"""Loads and delays of sequential gradient coding, which spreads a gradient over several rounds."""

from __future__ import annotations

from dataclasses import dataclass

from codedtheory.arithmetic import Rational

from .bursty_stragglers import checked_model
from .survivors import checked_count

__all__ = [
    "SequentialLoad",
    "gradient_coding_load",
    "multiplexed_load",
    "selective_repetition_load",
]


@dataclass(frozen=True, slots=True)
class SequentialLoad:
    r"""What a sequential scheme costs.

    Parameters
    ----------
    load : Rational
        Fraction of the full data that a worker processes per round.
    delay : int
        T: the gradient of round t is available by the end of round t + T.
    stragglers : int
        Stragglers per round that the code inside tolerates.
    uncoded_chunks, coded_chunks : int
        Number of data chunks that are computed without and with coding.
    uncoded_size, coded_size : Rational
        Their sizes as fractions of the data; together the chunks are the whole data.
    """

    load: Rational
    delay: int
    stragglers: int
    uncoded_chunks: int
    coded_chunks: int
    uncoded_size: Rational
    coded_size: Rational


def gradient_coding_load(n: int, s: int) -> SequentialLoad:
    r"""Return the load :math:`\frac{s+1}n` of gradient coding round by round, without delay.

    Parameters
    ----------
    n : int
        Workers.
    s : int
        Stragglers tolerated in every round, at most n - 1.

    Returns
    -------
    SequentialLoad

    Examples
    --------
    >>> gradient_coding_load(12, 2).load
    Rational(1, 4)
    """
    n = checked_count("n", n, least=1)
    s = checked_count("s", s, least=0)
    if s >= n:
        raise ValueError(f"s must be below n={n}, got {s}; with s = n the load would exceed the data")
    return SequentialLoad(Rational(s + 1, n), 0, s, 0, n, Rational(0), Rational(1, n))


def selective_repetition_load(n: int, burst: int, window: int, limit: int) -> SequentialLoad:
    r"""Return the load of SR-SGC: gradient coding whose failed jobs are retried `burst` rounds later.

    With :math:`s=\big\lceil\frac{B\lambda}{W-1+B}\big\rceil` the load is :math:`\frac{s+1}n` and the delay B.

    Parameters
    ----------
    n : int
        Workers.
    burst : int
        B: a straggler does not straggle B, ..., W - 1 rounds later. Divides W - 1.
    window : int
        W, rounds in the window, at least 2.
    limit : int
        :math:`\lambda`, distinct stragglers in any window, at most n.

    Returns
    -------
    SequentialLoad

    Raises
    ------
    ValueError
        If B does not divide W - 1, or so many stragglers are asked for that s = n.

    Notes
    -----
    Krishnan, Ebrahimi and Khisti (2022), "Sequential gradient coding for straggler mitigation", arXiv 2211.13802.

    Examples
    --------
    >>> load = selective_repetition_load(8, burst=1, window=2, limit=4)
    >>> load.load, load.delay, load.stragglers
    (Rational(3, 8), 1, 2)
    """
    n, burst, window, limit = checked_model(n, burst, window, limit)
    if (window - 1) % burst:
        raise ValueError(f"burst must divide window - 1, got burst={burst}, window={window}")
    s = -(-burst * limit // (window - 1 + burst))
    if s >= n:
        raise ValueError(f"limit={limit} needs a code for s={s} of n={n} workers; lower limit or burst")
    return SequentialLoad(Rational(s + 1, n), burst, s, 0, n, Rational(0), Rational(1, n))


def multiplexed_load(n: int, burst: int, window: int, limit: int) -> SequentialLoad:
    r"""Return the load of M-SGC, which interleaves uncoded chunks, their repetition and a short gradient code.

    .. math:: \frac{(\lambda+1)(W-1+B)}{n\,(B+(W-1)(\lambda+1))}\quad(\lambda<n),\qquad
        \frac{W-1+B}{n(W-1)}\quad(\lambda=n),

    with delay T = W - 2 + B. There are (W - 1) n uncoded chunks of size
    :math:`\frac{\lambda+1}{n(B+(W-1)(\lambda+1))}` and B n coded chunks of size
    :math:`\frac1{n(B+(W-1)(\lambda+1))}`; for :math:`\lambda=n` the uncoded ones are the whole data.

    Parameters
    ----------
    n : int
        Workers.
    burst : int
        B, from 1 to W - 1.
    window : int
        W, at least 2.
    limit : int
        :math:`\lambda`, from 0 to n.

    Returns
    -------
    SequentialLoad

    Notes
    -----
    Krishnan, Ebrahimi and Khisti (2022), arXiv 2211.13802. The second formula is the limit of the first for
    :math:`\lambda\to\infty`, not its value at :math:`\lambda=n`.

    Examples
    --------
    >>> load = multiplexed_load(4, burst=2, window=3, limit=2)
    >>> load.load, load.delay
    (Rational(3, 8), 3)
    """
    n, burst, window, limit = checked_model(n, burst, window, limit)
    delay = window - 2 + burst
    if limit == n:
        size = Rational(1, n * (window - 1))
        return SequentialLoad((window - 1 + burst) * size, delay, limit, (window - 1) * n, 0, size, Rational(0))
    unit = Rational(1, n * (burst + (window - 1) * (limit + 1)))
    return SequentialLoad(
        load=(limit + 1) * (window - 1 + burst) * unit,
        delay=delay,
        stragglers=limit,
        uncoded_chunks=(window - 1) * n,
        coded_chunks=burst * n,
        uncoded_size=(limit + 1) * unit,
        coded_size=unit,
    )
