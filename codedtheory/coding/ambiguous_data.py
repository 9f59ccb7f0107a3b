"""Data that too few answers of Lagrange coding can't tell from other data: why its threshold is tight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .survivors import checked_survivors
from .thresholds import lagrange_threshold

if TYPE_CHECKING:
    from .lagrange_code import LagrangeCode

__all__ = ["ambiguous_data"]


def ambiguous_data(code: LagrangeCode, survivors: Iterable[int], degree: int) -> np.ndarray[Any, Any]:
    r"""Return blocks that look like zeros to the survivors, though a map of the degree is not 0 on them.

    The map is :math:`f(x)=x_1x_2\cdots x_d` of blocks with d entries. The at most d(K+T-1) survivors
    are dealt out to the d entries, K+T-1 to each, and entry k of the encoder is made
    :math:`u_k(z)=\prod_i(z-a_i)` over its share. Then every survivor answers
    :math:`\prod_iu_k(a_i)=0`, as it would for blocks of zeros, but :math:`f(X_j)=\prod_i(\beta_j-a_i)`
    over all survivors, which is 0 only if a survivor sits at :math:`\beta_j`.

    Parameters
    ----------
    code : LagrangeCode
        Over an exact arithmetic.
    survivors : iterable of int
        Fewer than the recovery threshold.
    degree : int
        d, at least 1.

    Returns
    -------
    numpy.ndarray, shape (data_blocks + privacy, degree)
        The data blocks, then the masks.

    Raises
    ------
    ValueError
        If the survivors are enough to decode, or hold all blocks in the clear.

    Examples
    --------
    >>> from codedtheory.arithmetic import modular
    >>> from codedtheory.coding import LagrangeCode
    >>> code = LagrangeCode(2, 3, arithmetic=modular(7))
    >>> X = ambiguous_data(code, [0, 1], degree=2)
    >>> shares = code.encode(X)
    >>> (shares[:, 0] * shares[:, 1])[:2].tolist(), (X[:, 0] * X[:, 1]).tolist()
    ([Modular(0, 7), Modular(0, 7)], [Modular(6, 7), Modular(2, 7)])
    """
    arrived = checked_survivors(survivors, code.workers)
    share = code.data_blocks + code.privacy - 1
    enough = lagrange_threshold(code.data_blocks, degree, code.privacy)
    if not code.is_exact:
        raise ValueError(f"code must be over an exact arithmetic, got {code.arithmetic}; use EXACT or modular(p)")
    if len(arrived) >= enough:
        raise ValueError(f"survivors must be fewer than {enough}, which determine all values, got {len(arrived)}")
    if {j for j, i in code.collisions() if i in arrived} == set(range(code.data_blocks)):
        raise ValueError("survivors hold every block in the clear; choose others")
    roots = code.worker_points.over(code.arithmetic)[list(arrived)]
    points = code.data_points.over(code.arithmetic)
    blocks = code.arithmetic.ones((len(points), degree))
    for position, root in enumerate(roots):
        blocks[:, position // share] = blocks[:, position // share] * (points - root)
    return blocks
