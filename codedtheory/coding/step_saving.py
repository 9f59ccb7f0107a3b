"""How many steps stale gradients can save on a single quadratic mode: delay acts like momentum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from codedtheory.arithmetic import Ball, Rational
from codedtheory.arithmetic.rational_polynomials import real_roots

from .stale_gradients import bracket_change, mode_rate
from .survivors import checked_count

__all__ = [
    "SavingCeiling",
    "averaged_saving_ceiling",
    "averaged_saving_limit",
    "constant_saving_ceiling",
    "constant_saving_limit",
    "step_saving",
]

Number = int | str | Fraction | Rational


@dataclass(frozen=True, slots=True)
class SavingCeiling:
    """Where the step saving over fresh gradients is largest, and how large it is there.

    Parameters
    ----------
    a : Ball
        Step times curvature at which the two largest real roots meet.
    rate : Ball
        The double root: the factor by which the mode shrinks per step.
    saving : Ball
        Share of the steps of fresh gradient descent at the same step size that is saved.
    """

    a: Ball
    rate: Ball
    saving: Ball


def step_saving(age_weights: Sequence[Number], a: Number, bits: int = 128) -> Ball:
    r"""Return the share of steps that staleness saves on a mode: :math:`1-\frac{\log(1-a)}{\log\rho(a)}`.

    Parameters
    ----------
    age_weights : sequence of int, Fraction, Rational or str
        Weights of ages 0, 1, ...
    a : int, Fraction, Rational or str
        Step times curvature, between 0 and 1 and in the stable range.
    bits : int, default 128
        Precision.

    Returns
    -------
    Ball
        Negative where stale gradients need more steps.

    Raises
    ------
    ValueError
        If a is not between 0 and 1, or the mode does not shrink.

    Examples
    --------
    >>> saving = step_saving(["1/2", "1/2"], "1/4")
    >>> saving > Rational("0.2"), saving < Rational("0.6")
    (True, True)
    """
    step = Rational(a)
    if not 0 < step < 1:
        raise ValueError(f"a must lie between 0 and 1, where fresh descent shrinks a mode by 1 - a, got {a}")
    rate = mode_rate(age_weights, step, bits)
    if not rate < 1:
        raise ValueError(f"a must lie in the stable range, got {a} with rate {rate}")
    return _saving(Ball(step, bits), rate)


def averaged_saving_ceiling(s: int, bits: int = 128) -> SavingCeiling:
    r"""Return the largest single-mode step saving with averaged ages 0, ..., s.

    The characteristic equation reads :math:`a=(s+1)\frac{z^s(1-z)^2}{1-z^{s+1}}`. Its right side is largest on
    (0, 1) at the only root :math:`\rho` there of :math:`z^{s+2}+z^{s+1}-(s+2)z+s`, where the two
    largest real roots meet; for larger a they turn complex and their modulus grows.

    Parameters
    ----------
    s : int
        Oldest age, at least 1.
    bits : int, default 128
        Precision.

    Returns
    -------
    SavingCeiling

    Notes
    -----
    The polynomial is convex for z > 0, positive at 0 and has the root 1 with positive slope, so exactly one
    root lies in (0, 1). For s = 1 the root is :math:`\sqrt2-1` and :math:`a=6-4\sqrt2`.

    Examples
    --------
    >>> ceiling = averaged_saving_ceiling(2)
    >>> ceiling.saving > Rational("0.54856"), ceiling.saving < Rational("0.54858")
    (True, True)
    """
    s = checked_count("s", s, least=1)
    # divided by z - 1: z^(s+1) + 2 (z^s + ... + z) - s
    quotient = [-s, *[2] * s, 1]
    rate = next(root for root, _ in real_roots(quotient, bits) if root > 0)
    a = rate**s * (1 - rate) ** 2 * (s + 1) / (1 - rate ** (s + 1))
    return SavingCeiling(a, rate, _saving(a, rate))


def constant_saving_ceiling(tau: int, bits: int = 128) -> SavingCeiling:
    r"""Return the largest single-mode step saving with constant delay: :math:`\rho=\frac\tau{\tau+1}`.

    The two largest real roots of :math:`z^{\tau+1}-z^\tau+a` meet at
    :math:`a=\frac{\tau^\tau}{(\tau+1)^{\tau+1}}`.

    Parameters
    ----------
    tau : int
        The delay, at least 1.
    bits : int, default 128
        Precision.

    Returns
    -------
    SavingCeiling

    Examples
    --------
    >>> constant_saving_ceiling(1).a == Rational(1, 4)
    True
    """
    tau = checked_count("tau", tau, least=1)
    a, rate = Ball(Rational(tau**tau, (tau + 1) ** (tau + 1)), bits), Ball(Rational(tau, tau + 1), bits)
    return SavingCeiling(a, rate, _saving(a, rate))


def averaged_saving_limit(bits: int = 128) -> Ball:
    r"""Return the limit of `averaged_saving_ceiling` for many ages: :math:`1-\frac y{e^y-1}`, :math:`2(1-e^{-y})=y`.

    Parameters
    ----------
    bits : int, default 128
        Precision.

    Returns
    -------
    Ball

    Notes
    -----
    With :math:`\rho=e^{-y/s}` the polynomial of `averaged_saving_ceiling` divided by s tends to
    :math:`\frac1s(y-2+2e^{-y})`; :math:`2(1-e^{-y})-y` is concave, 0 at 0 and so has one positive root.

    Examples
    --------
    >>> averaged_saving_limit() > Rational("0.5936"), averaged_saving_limit() < Rational("0.5937")
    (True, True)
    """
    working = 2 * bits + 16

    def is_left_of_root(y: Rational) -> bool:
        return bool((1 - Ball(-y, working).exp()) * 2 > y)

    lower, upper = bracket_change(is_left_of_root, 1, 2, Rational(1, 2**bits))
    y = Ball.between(lower, upper, working)
    limit: Ball = 1 - y / (y.exp() - 1)
    return limit.at(bits)


def constant_saving_limit(bits: int = 128) -> Ball:
    r"""Return :math:`1-\frac1e`, the limit of `constant_saving_ceiling` for long delays.

    Parameters
    ----------
    bits : int, default 128
        Precision.

    Returns
    -------
    Ball

    Examples
    --------
    >>> constant_saving_limit() > Rational("0.632"), constant_saving_limit() < Rational("0.6322")
    (True, True)
    """
    limit: Ball = 1 - Ball(-1, bits).exp()
    return limit


def _saving(a: Ball, rate: Ball) -> Ball:
    fresh: Ball = 1 - a
    saving: Ball = 1 - fresh.log() / rate.log()
    return saving
