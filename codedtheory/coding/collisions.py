"""Where a worker point is a data point: there decoding is free, and a careless formula divides by 0."""

from __future__ import annotations

from math import gcd

from codedtheory.interpolation import Nodes
from codedtheory.interpolation.cardinal import shared_points

from .survivors import checked_count

__all__ = ["chebyshev_collision_count", "collisions", "outside_hull"]


def collisions(data_points: Nodes, worker_points: Nodes) -> list[tuple[int, int]]:
    """Return the pairs (data block j, worker i) whose points are the same number.

    Decided exactly: on the angles of Chebyshev points, on rationals, on field elements. The doubles
    of two equal cosines may differ in the last bit, and doubles that agree prove nothing.

    Parameters
    ----------
    data_points, worker_points : Nodes
        Both real, or both elements of one finite field or roots of unity.

    Returns
    -------
    list of (int, int)
        In the order of the data blocks; a data block is in one pair at most.

    Raises
    ------
    ValueError
        If one kind of points is real and the other is not.

    Examples
    --------
    >>> from codedtheory.interpolation import chebyshev_first, chebyshev_second
    >>> collisions(chebyshev_first(3), chebyshev_second(5))
    [(1, 2)]
    """
    workers = shared_points(data_points, worker_points)
    if workers is None:
        raise ValueError(
            f"data_points and worker_points must lie on one line or in one field, got {data_points} and {worker_points}"
        )
    return [(j, int(worker)) for j, worker in enumerate(workers) if worker >= 0]


def outside_hull(data_points: Nodes, worker_points: Nodes) -> tuple[int, ...]:
    """Return the data points that do not lie between the smallest and the largest worker point.

    Decoding extrapolates there, and bounds that hold on the hull say nothing.

    Parameters
    ----------
    data_points, worker_points : Nodes
        Real.

    Returns
    -------
    tuple of int
        Indices of data points, decided exactly.

    Examples
    --------
    >>> from codedtheory.interpolation import chebyshev_first, chebyshev_second
    >>> outside_hull(chebyshev_first(2), chebyshev_second(4).without([0]))
    (0,)
    """
    ends = worker_points.take(sorted({0, len(worker_points) - 1}))
    outside = []
    for j, point in enumerate(data_points.points):
        below, is_node = ends.position(point)
        if not is_node and below in (0, len(ends)):
            outside.append(j)
    return tuple(outside)


def chebyshev_collision_count(data_blocks: int, workers: int, worker_points: str = "chebyshev2") -> int:
    r"""Return how many data points of the first kind are worker points, by number theory alone.

    With :math:`v_2` the exponent of 2 in a whole number and K data points
    :math:`\cos\frac{(2j+1)\pi}{2K}`:

    * W workers of the second kind, :math:`\cos\frac{i\pi}M` with M = W-1: :math:`\gcd(K,M)` if
      :math:`v_2(M)>v_2(K)`, otherwise none;
    * W workers of the first kind: :math:`\gcd(K,W)` if :math:`v_2(W)=v_2(K)`, otherwise none.

    Parameters
    ----------
    data_blocks : int
        K, at least 1.
    workers : int
        W, at least 2 for the second kind, at least 1 for the first.
    worker_points : {"chebyshev2", "chebyshev1"}

    Returns
    -------
    int

    Notes
    -----
    Equality. A collision of the second kind is :math:`(2j+1)M=2Ki`. Divided by
    :math:`g=\gcd(K,M)` it reads :math:`(2j+1)m=2ki` with coprime k and m, which needs m even, hence k
    odd: :math:`v_2(M)>v_2(K)`. Then :math:`2j+1=tk` with any odd :math:`t<2g`: there are g of them.
    Of the first kind, :math:`(2j+1)m=(2i+1)k` needs m and k odd, and again :math:`2j+1=tk`.

    Examples
    --------
    >>> chebyshev_collision_count(6, 13), chebyshev_collision_count(4, 5)
    (6, 0)
    >>> chebyshev_collision_count(6, 10, "chebyshev1")
    2
    """
    K = checked_count("data_blocks", data_blocks, least=1)
    if worker_points == "chebyshev2":
        M = checked_count("workers", workers, least=2) - 1
        return gcd(K, M) if _exponent_of_two(M) > _exponent_of_two(K) else 0
    if worker_points == "chebyshev1":
        W = checked_count("workers", workers, least=1)
        return gcd(K, W) if _exponent_of_two(W) == _exponent_of_two(K) else 0
    raise ValueError(f"worker_points must be 'chebyshev2' or 'chebyshev1', got {worker_points!r}")


def _exponent_of_two(m: int) -> int:
    return (m & -m).bit_length() - 1
