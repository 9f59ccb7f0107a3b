"""Poles of barycentric interpolants counted in ball arithmetic, where nodes or weights are irrational."""

from __future__ import annotations

from typing import Any

from ..arithmetic import Ball, PrecisionError, Rational
from .ball_piece import BallPiece
from .certified_lebesgue import BallPieces
from .nodes import Nodes
from .weights import Weights

__all__ = ["count_enclosed_poles"]

_DEEPEST = 60
_PRECISIONS = (64, 256, 1024)


def count_enclosed_poles(nodes: Nodes, weights: Weights, ends: tuple[Any, Any]) -> int:
    r"""Return the number of zeros of the denominator in a closed interval.

    Parameters
    ----------
    nodes : Nodes
        Real nodes.
    weights : Weights
    ends : pair of exact points

    Returns
    -------
    int

    Raises
    ------
    PrecisionError
        If balls can't tell: a zero lies at an end of the interval, or is a double one.

    Notes
    -----
    On each piece between neighbouring nodes the denominator, cleared of its two poles, is a smooth function. A box
    is settled when that function keeps its sign on it, or is monotone, so that the signs at the two ends tell.
    """
    error = None
    for bits in _PRECISIONS:
        pieces = BallPieces(nodes, weights, ends, bits)
        try:
            return sum(_zeros(pieces.piece(g)) for g in pieces.numbers())
        except PrecisionError as failure:
            error = failure
    raise PrecisionError(f"the poles were not counted ({error}); move the ends of the interval") from error


def _zeros(piece: BallPiece) -> int:
    """Return the number of zeros in a piece, by bisection."""
    left, right = _sign(piece, Rational(0)), _sign(piece, Rational(1))
    total, work = 0, [(Rational(0), Rational(1), left, right, 0)]
    while work:
        start, stop, before, after, depth = work.pop()
        over = piece.jet(Ball.between(start, stop, piece.bits))
        q, slope = over.q[0], over.q[1]
        if not q.contains(0):
            continue
        if not slope.contains(0):
            total += before != after
            continue
        if depth == _DEEPEST:
            raise PrecisionError("a zero of the denominator was not isolated")
        middle, sign = _split(piece, start, stop)
        work += [(start, middle, before, sign, depth + 1), (middle, stop, sign, after, depth + 1)]
    return total


def _split(piece: BallPiece, start: Rational, stop: Rational) -> tuple[Rational, int]:
    """Return a place near the middle with the sign of the denominator there; a zero at the very middle is dodged."""
    for shift in (Rational(1, 2), Rational(4, 9), Rational(5, 9)):
        middle = start + (stop - start) * shift
        try:
            return middle, _sign(piece, middle)
        except PrecisionError:
            continue
    raise PrecisionError("the denominator is too small to be told from 0")


def _sign(piece: BallPiece, t: Rational) -> int:
    value = piece.jet(t).q[0]
    if value.contains(0):
        raise PrecisionError("the denominator is too small to be told from 0")
    return 1 if value > 0 else -1
