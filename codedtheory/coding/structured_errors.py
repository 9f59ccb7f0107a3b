"""Decoding errors that the structure of a code gives without going through its straggler sets."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from .twin_workers import twin_classes

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["all_sets_alike", "worst_of_repetition"]


def all_sets_alike(code: GradientCode) -> bool:
    r"""Whether all straggler sets of one size have the same least-squares error because the Gram matrix says so.

    That is so if :math:`BB^*=\beta I+\gamma J` and all rows of B have the same sum, as for the incidence matrix of
    a symmetric design: then the error depends on the number of survivors only.

    Parameters
    ----------
    code : GradientCode

    Returns
    -------
    bool

    Examples
    --------
    >>> from codedtheory.coding import bibd_code, plain_cyclic
    >>> all_sets_alike(bibd_code(7, [0, 1, 3])), all_sets_alike(plain_cyclic(7, 2))
    (True, False)
    """
    if not code.is_exact or code.n < 2:
        return False
    B = code.matrix
    G, h = B @ np.conjugate(B).T, B.sum(axis=1)
    off = ~np.eye(code.n, dtype=bool)
    return bool(np.all(h == h[0])) and bool(np.all(np.diag(G) == G[0, 0])) and bool(np.all(G[off] == G[0, 1]))


def worst_of_repetition(code: GradientCode, s: int) -> tuple[Any, tuple[int, ...], Any] | None:
    r"""Return the worst error, a straggler set with it and the mean error, for classes of workers with disjoint data.

    Workers of one class send multiples of one message b, and no two classes hold the same partition, as in
    fractional repetition. The projections on the classes are orthogonal, so a class that is lost completely adds
    :math:`|b\mathbf 1|^2/\|b\|^2`, and the worst set is a knapsack of classes.

    Parameters
    ----------
    code : GradientCode
    s : int

    Returns
    -------
    tuple of number, tuple of int and number, or None
        ``None`` if the code is not of this kind, or floats.

    Examples
    --------
    >>> from codedtheory.coding import fractional_repetition
    >>> worst, where, mean = worst_of_repetition(fractional_repetition(6, 1), 4)
    >>> str(worst), where, str(mean)
    ('4', (0, 1, 2, 3), '12/5')
    """
    if not code.is_exact:
        return None
    classes = twin_classes(code.matrix)
    rows = [code.matrix[members[0]] for members in classes]
    if not rows or np.count_nonzero(np.array(rows), axis=0).max() > 1:
        return None
    gains = [abs_squared(b.sum()) / sum(abs_squared(x) for x in b) for b in rows]
    zero = code.matrix[0, 0] * 0
    base = code.partitions - sum(gains, zero)
    total = comb(code.n, s)
    mean = base
    # best[w] = largest gain of classes with w workers in all, and those classes
    best: list[tuple[Any, list[int]] | None] = [(zero, [])] + [None] * s
    for k, members in enumerate(classes):
        size = len(members)
        if size > s:
            continue
        mean = mean + gains[k] * comb(code.n - size, s - size) / total
        for weight in range(s, size - 1, -1):
            known = best[weight - size]
            if known is None:
                continue
            here = best[weight]
            if here is None or known[0] + gains[k] > here[0]:
                best[weight] = (known[0] + gains[k], [*known[1], k])
    reached = [entry for entry in best if entry is not None]
    gain, chosen = reached[0]
    for entry in reached[1:]:
        if entry[0] > gain:
            gain, chosen = entry
    lost = {worker for k in chosen for worker in classes[k]}
    spare = [w for w in range(code.n) if w not in lost]
    return base + gain, tuple(sorted([*lost, *spare[: s - len(lost)]])), mean


def abs_squared(x: Any) -> Any:
    """Return the square of the absolute value of a number, which is real and stays in its field."""
    return x * x.conjugate()
