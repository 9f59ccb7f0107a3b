"""How many answers a scheme has to wait for before polynomials of the data blocks are known exactly."""

from __future__ import annotations

from .survivors import checked_count

__all__ = ["exact_threshold", "lagrange_threshold", "repetition_threshold"]


def lagrange_threshold(data_blocks: int, degree: int, privacy: int = 0, errors: int = 0) -> int:
    r"""Return how many answers Lagrange coding needs, :math:`d(K+T-1)+1+2A`.

    The encoder is a polynomial of degree K+T-1 through K data and T masking blocks; a map of total
    degree d turns it into one of degree d(K+T-1), and A wrong answers cost two further ones each.

    Parameters
    ----------
    data_blocks : int
        K, at least 1.
    degree : int
        d, at least 1: total degree of the map in the entries of a block.
    privacy : int, default 0
        T, the number of workers that may pool what they hold without learning anything.
    errors : int, default 0
        A, the number of wrong answers to be corrected.

    Returns
    -------
    int

    Notes
    -----
    Yu, Li, Raviv, Mousavi Kalan, Soltanolkotabi and Avestimehr 2019 (Lagrange coded computing,
    arXiv 1806.00939). Sufficient for every map of degree d; tight for this code (there are data that
    one answer fewer can't tell apart).

    Examples
    --------
    >>> lagrange_threshold(4, degree=2), lagrange_threshold(4, degree=2, privacy=1, errors=1)
    (7, 11)
    """
    K = checked_count("data_blocks", data_blocks, least=1)
    d = checked_count("degree", degree, least=1)
    T = checked_count("privacy", privacy, least=0)
    A = checked_count("errors", errors, least=0)
    return d * (K + T - 1) + 1 + 2 * A


def repetition_threshold(workers: int, data_blocks: int) -> int:
    r"""Return how many answers uncoded repetition needs, :math:`N-\lfloor N/K\rfloor+1`.

    Every worker holds one block, and blocks are spread evenly: one of them has only
    :math:`\lfloor N/K\rfloor` copies, all of which may be late.

    Parameters
    ----------
    workers : int
        N, at least K.
    data_blocks : int
        K, at least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If there are fewer workers than blocks.

    Examples
    --------
    >>> repetition_threshold(4, 2)
    3
    """
    K = checked_count("data_blocks", data_blocks, least=1)
    N = checked_count("workers", workers, least=1)
    if N < K:
        raise ValueError(f"workers must be at least data_blocks ({K}), got {N}; some block would have no copy")
    return N - N // K + 1


def exact_threshold(workers: int, data_blocks: int, degree: int) -> tuple[int, str]:
    r"""Return the smaller of the thresholds of Lagrange coding and repetition, and whose it is.

    Parameters
    ----------
    workers : int
        N, at least K.
    data_blocks : int
        K, at least 1.
    degree : int
        d, at least 1.

    Returns
    -------
    threshold : int
    scheme : {"lagrange", "repetition"}
        Lagrange coding where both are equal.

    Notes
    -----
    Lagrange coding is never worse if :math:`N\ge dK-1` (Yu et al. 2019, arXiv 1806.00939): with
    :math:`N=dK-1` both thresholds are :math:`d(K-1)+1`, and that of repetition does not fall as N grows. If
    :math:`K\ge2` and :math:`N<dK-1` then :math:`d(K-1)+1>N-\lfloor N/K\rfloor+1`, and repetition wins.

    Examples
    --------
    >>> exact_threshold(4, data_blocks=2, degree=3), exact_threshold(5, data_blocks=2, degree=3)
    ((3, 'repetition'), (4, 'lagrange'))
    """
    coded = lagrange_threshold(data_blocks, degree)
    repeated = repetition_threshold(workers, data_blocks)
    return (coded, "lagrange") if coded <= repeated else (repeated, "repetition")
