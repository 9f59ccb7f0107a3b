"""Euler's constant over an arithmetic."""

from __future__ import annotations

from typing import Any

from codedtheory.arithmetic import Arithmetic, Ball, Rational

__all__ = ["euler_constant"]

_DIGITS = 100
_EULER = "0.5772156649015328606065120900824024310421593359399235988057672348848677267776646709369470632917467495"


def euler_constant(arithmetic: Arithmetic) -> Any:
    r"""Return Euler's constant :math:`\gamma=\lim_{n\to\infty}(1+\frac12+\dots+\frac1n-\ln n)`.

    Parameters
    ----------
    arithmetic : Arithmetic
        Floats, decimals or balls.

    Returns
    -------
    number
        As a ball an enclosure of radius at least 1e-100: one hundred digits are stored.

    Examples
    --------
    >>> from codedtheory.arithmetic import FLOAT
    >>> euler_constant(FLOAT)
    0.5772156649015329
    """
    if hasattr(arithmetic, "bits"):
        truncated = Rational(_EULER)
        return arithmetic.number(Ball.between(truncated, truncated + Rational(1, 10**_DIGITS), arithmetic.bits))
    return arithmetic.number(_EULER)
