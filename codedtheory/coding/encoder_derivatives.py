"""How fast Berrut's encoder varies between the data points: enclosed norms of its derivatives."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np

from codedtheory.arithmetic import FLOAT, Arithmetic, Ball, PrecisionError, Rational, ball, exactly
from codedtheory.interpolation import Nodes
from codedtheory.interpolation.outward import Intervals, exact_arithmetic_flags

from .code_points import placed_points

__all__ = ["EncoderDerivatives", "encoder_derivative_norms"]

Array = np.ndarray[Any, Any]

_PRECISE = ball(128)
_COARSEST, _FINEST = 64, 1 << 14
_ORDERS = 3


class EncoderDerivatives(NamedTuple):
    r"""Norms over [-1, 1] of the derivatives of the encoder.

    Attributes
    ----------
    first : numpy.ndarray of Ball
        :math:`\max|u'|`, for each coordinate of the blocks.
    second : numpy.ndarray of Ball
        :math:`\max|u''|`.
    """

    first: Array
    second: Array


def encoder_derivative_norms(
    X: Any,
    data_points: Any = "chebyshev1",
    arithmetic: Arithmetic | None = None,
    tolerance: str | Fraction = "1e-2",
) -> EncoderDerivatives:
    r"""Return the largest :math:`|u'|` and :math:`|u''|` on [-1, 1] of Berrut's encoder.

    .. math:: u(z)=\sum_jq_j(z)X_j,\qquad \|h'\|\le\|f'\|\|u'\|,\quad \|h''\|\le\|f''\|\|u'\|^2+\|f'\|\|u''\|

    for :math:`h=f\circ u`, which is what the decoder interpolates.

    Parameters
    ----------
    X : array_like, shape (data_blocks, ...)
        Exact numbers, balls or floats (taken as they are).
    data_points : {"chebyshev1", "chebyshev2"}, Nodes or array_like, default "chebyshev1"
    arithmetic : Arithmetic, optional
        ``ball(bits)``, by default of 53 bits.
    tolerance : str or Fraction, default "1e-2"
        Width of the enclosures relative to the value or, where that is smaller than the largest entry of X, to that.

    Returns
    -------
    EncoderDerivatives
        Balls, of shape ``X.shape[1:]``. For random signs at the default points the norms grow like
        :math:`K^2` and :math:`K^4`.

    Raises
    ------
    PrecisionError
        If the tolerance is not reached with 16384 boxes, or numbers are too small for doubles.

    Notes
    -----
    On boxes that are narrower towards the ends of [-1, 1] the numerator P and the denominator Q are expanded at the
    centre, and Leibniz' rule for :math:`uQ=P` gives the derivatives there and, in outward rounded interval
    arithmetic, over the box. The mean value theorem sharpens the latter.

    Examples
    --------
    >>> norms = encoder_derivative_norms([1, -1])               # u(z) = sqrt(2) z
    >>> (norms.first[()] ** 2).contains(2), norms.second[()].contains(0)
    (True, True)
    """
    arithmetic = ball(53) if arithmetic is None else arithmetic
    bits = getattr(arithmetic, "bits", None)
    if bits is None or hasattr(arithmetic, "root_of_unity"):
        raise ValueError(f"arithmetic must be ball(bits), got {arithmetic.name}")
    wanted = float(Rational(tolerance).fraction)
    if not 0 < wanted < 1:
        raise ValueError(f"tolerance must be between 0 and 1, got {tolerance}")
    data = np.asarray(X)
    if data.ndim == 0 or data.size == 0:
        raise ValueError(f"X must hold at least one block of at least one number, got shape {data.shape}")
    blocks = _PRECISE.array(exactly(data) if data.dtype != object and data.dtype.kind == "f" else data)
    points = placed_points("data_points", data_points, len(blocks), FLOAT)
    columns = Intervals.enclosing(blocks.reshape(len(blocks), -1))
    scale = np.abs(columns.hi).max(axis=0)
    boxes = _COARSEST
    while True:
        lower, upper = _extremes(columns, points, boxes)
        if bool(np.all(upper - lower <= wanted * np.maximum(lower, scale))):
            break
        boxes *= 2
        if boxes > _FINEST:
            raise PrecisionError(f"the derivatives were not enclosed to {tolerance}; raise tolerance", None)
    balls = np.empty(lower.shape, dtype=object)
    for index in np.ndindex(*lower.shape):
        balls[index] = Ball.between(exactly(float(lower[index])), exactly(float(upper[index])), int(bits))
    shape = data.shape[1:]
    return EncoderDerivatives(balls[0].reshape(shape), balls[1].reshape(shape))


def _extremes(columns: Intervals, points: Nodes, boxes: int) -> tuple[Array, Array]:
    """Return bounds of the norms of u' and u'' of each column, shape (2, columns)."""
    ends = np.cos(np.linspace(0.0, np.pi, boxes + 1))
    ends[[0, -1]] = 1.0, -1.0
    centre = (ends[1:] + ends[:-1]) / 2
    reach = np.nextafter(np.maximum(ends[:-1] - centre, centre - ends[1:]), np.inf)
    lower, upper = [], []
    try:
        with exact_arithmetic_flags():
            top, below = _expansions(columns, points, centre)
            at_centre = _derivatives(_at_centre(top), _at_centre(below))
            over_box = _derivatives(_over_box(top, reach), _over_box(below, reach))[_ORDERS]
            for order in range(_ORDERS - 1, 0, -1):
                here = at_centre[order]
                over_box = here + over_box * Intervals(-reach, reach)
                lower.append(np.maximum(np.maximum(here.lo, -here.hi), 0.0).max(axis=-1))
                upper.append(np.maximum(-over_box.lo, over_box.hi).max(axis=-1))
    except FloatingPointError as error:
        raise PrecisionError("X holds numbers that underflow in doubles; scale X", None) from error
    return np.stack(lower[::-1]), np.stack(upper[::-1])


def _expansions(columns: Intervals, points: Nodes, centre: Array) -> tuple[list[Intervals], list[Intervals]]:
    """Return the Taylor coefficients at the centres of the numerators, shape (columns, boxes), and the denominator."""
    alpha = Intervals.enclosing(points.over(_PRECISE))
    count = len(points)
    top: list[Any] = [0.0] * count
    below: list[Any] = [0.0] * count
    for j in range(count):
        product: list[Any] = [Intervals.of((-1.0) ** j * np.ones_like(centre))]
        for k in range(count):
            if k != j:
                product = _times_linear(product, centre - alpha[k])
        for i, coefficient in enumerate(product):
            below[i] = below[i] + coefficient
            top[i] = top[i] + columns[j][:, None] * coefficient[None, :]
    return top, below


def _times_linear(coefficients: list[Any], constant: Intervals) -> list[Any]:
    """Return the coefficients of a polynomial in t times (constant + t)."""
    shifted = [0.0, *coefficients]
    return [c * constant + s for c, s in zip([*coefficients, Intervals.of(0.0)], shifted, strict=True)]


def _at_centre(coefficients: list[Intervals]) -> list[Any]:
    """Return the derivatives at the centre."""
    return [factorial(m) * coefficients[m] if m < len(coefficients) else 0.0 for m in range(_ORDERS + 1)]


def _over_box(coefficients: list[Intervals], reach: Array) -> list[Any]:
    """Return enclosures of the derivatives over the boxes."""
    step = Intervals(-reach, reach)
    found: list[Any] = []
    for m in range(_ORDERS + 1):
        total: Any = 0.0
        for i in range(len(coefficients) - 1, m - 1, -1):
            total = total * step + float(factorial(i) // factorial(i - m)) * coefficients[i]
        found.append(total)
    return found


def _derivatives(top: list[Any], below: list[Any]) -> list[Any]:
    """Return the derivatives of the quotient, by Leibniz' rule for its product with the denominator."""
    found: list[Any] = []
    for m in range(_ORDERS + 1):
        rest = Intervals.of(0.0) + top[m]
        for j in range(m):
            rest = rest - float(comb(m, j)) * found[j] * below[m - j]
        found.append(rest / below[0])
    return found
