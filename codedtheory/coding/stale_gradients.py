"""Gradient descent with stale gradients: for which steps it is stable, and how fast a mode dies out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from codedtheory.arithmetic import Algebraic, Arithmetic, Ball, Rational, cyclotomic
from codedtheory.arithmetic.algebraic import cosine_field
from codedtheory.arithmetic.rational_polynomials import largest_root_modulus
from codedtheory.arithmetic.unit_disk import roots_inside_unit_disk

from .survivors import checked_count

__all__ = [
    "averaged_ages",
    "averaged_delay_stability",
    "bracket_change",
    "characteristic_polynomial",
    "constant_age",
    "constant_delay_stability",
    "is_faster_than_descent",
    "is_stable",
    "mode_rate",
    "speed_up_crossing",
    "stationary_variance",
]

Number = int | str | Fraction | Rational


def averaged_ages(s: int) -> tuple[Rational, ...]:
    """Return the weights of ages 0, ..., s in pipelined gradient coding: 1/(s + 1) each.

    Parameters
    ----------
    s : int
        Oldest age.

    Returns
    -------
    tuple of Rational, length s + 1

    Examples
    --------
    >>> averaged_ages(1)
    (Rational(1, 2), Rational(1, 2))
    """
    s = checked_count("s", s, least=0)
    return (Rational(1, s + 1),) * (s + 1)


def constant_age(tau: int) -> tuple[Rational, ...]:
    """Return the weights of ages 0, ..., tau when all gradients have age tau.

    Parameters
    ----------
    tau : int
        The delay.

    Returns
    -------
    tuple of Rational, length tau + 1

    Examples
    --------
    >>> constant_age(1)
    (Rational(0, 1), Rational(1, 1))
    """
    tau = checked_count("tau", tau, least=0)
    return (*(Rational(0),) * tau, Rational(1))


def characteristic_polynomial(age_weights: Sequence[Number], a: Any) -> tuple[Any, ...]:
    r"""Return the coefficients of :math:`z^{D+1}-z^D+a\sum_{d=0}^Dp_dz^{D-d}`, from the 0th on.

    It belongs to :math:`x_{t+1}=x_t-a\sum_dp_dx_{t-d}`: gradient descent on a quadratic mode of curvature h with
    step :math:`\eta`, :math:`a=\eta h`, whose gradients have age d with weight :math:`p_d`.

    Parameters
    ----------
    age_weights : sequence of int, Fraction, Rational or str, shape (D + 1,)
        :math:`p_0,\dots,p_D`; `averaged_ages` and `constant_age` give the usual ones.
    a : int, Fraction, Rational, Algebraic, Ball or str
        Step times curvature.

    Returns
    -------
    tuple, length D + 2
        Rationals, or numbers of the kind of `a`.

    Examples
    --------
    >>> characteristic_polynomial(averaged_ages(1), "1/2")
    (Rational(1, 4), Rational(-3, 4), Rational(1, 1))
    """
    weights = [Rational(p) for p in age_weights]
    if not weights:
        raise ValueError("age_weights must not be empty; [1] is descent with fresh gradients")
    step = a if isinstance(a, (Algebraic, Ball)) else Rational(a)
    oldest = len(weights) - 1
    coefficients: list[Any] = [step * p for p in reversed(weights)] + [step * 0 + 1]
    coefficients[oldest] = coefficients[oldest] - 1
    return tuple(coefficients)


def is_stable(coefficients: Sequence[Any], method: str = "schur-cohn") -> bool:
    """Whether a linear recursion dies out: all roots of its characteristic polynomial lie inside the unit circle.

    Parameters
    ----------
    coefficients : sequence of int, Fraction, Rational, Algebraic, Ball or str
        From the 0th on.
    method : {"schur-cohn", "sturm"}, default "schur-cohn"
        Two independent exact tests; "sturm" takes rational coefficients only.

    Returns
    -------
    bool
        Decided exactly; a root on the circle is not stable.

    Examples
    --------
    >>> limit = averaged_delay_stability(3)
    >>> [is_stable(characteristic_polynomial(averaged_ages(3), a)) for a in ("1.171", limit, "1.172")]
    [True, False, False]
    """
    return roots_inside_unit_disk(coefficients, method)


def averaged_delay_stability(s: int, arithmetic: Arithmetic | None = None) -> Any:
    r"""Return the limit :math:`2(s+1)\sin^2\frac\pi{2(s+1)}` of :math:`a=\eta h` with averaged ages 0, ..., s.

    :math:`x_{t+1}=x_t-\frac a{s+1}\sum_{d=0}^sx_{t-d}` is asymptotically stable iff a lies strictly between 0
    and the limit, which behaves like :math:`\frac{\pi^2}{2(s+1)}`.

    Parameters
    ----------
    s : int
        Oldest age.
    arithmetic : Arithmetic, optional
        By default the smallest cyclotomic field, exactly.

    Returns
    -------
    number
        Of the arithmetic.

    Notes
    -----
    Multiplying by :math:`1-z^{-1}` on :math:`z=e^{i\theta}` gives
    :math:`-4\sin^2\frac\theta2=-\frac a{s+1}(1-z^{-(s+1)})`, hence :math:`z^{s+1}=-1`; the smallest crossing is at
    :math:`\theta=\frac\pi{s+1}`, and all crossings go outwards.

    Examples
    --------
    >>> [averaged_delay_stability(s) == a for s, a in ((0, 2), (1, 2), (2, Rational("1.5")))]
    [True, True, True]
    """
    s = checked_count("s", s, least=0)
    cosine = _cosine(Fraction(1, s + 1), arithmetic)
    return (1 - cosine) * (s + 1)


def constant_delay_stability(tau: int, arithmetic: Arithmetic | None = None) -> Any:
    r"""Return the limit :math:`2\sin\frac\pi{2(2\tau+1)}` of :math:`a=\eta h` with constant delay :math:`\tau`.

    :math:`x_{t+1}=x_t-ax_{t-\tau}` is asymptotically stable iff a lies strictly between 0 and the limit.

    Parameters
    ----------
    tau : int
        The delay.
    arithmetic : Arithmetic, optional
        By default the smallest cyclotomic field, exactly.

    Returns
    -------
    number
        Of the arithmetic.

    Notes
    -----
    On :math:`z=e^{i\theta}`: :math:`2\sin\frac\theta2=a` and :math:`\theta(\tau+\frac12)=\frac\pi2+2\pi k`; the
    smallest a is at :math:`\theta=\frac\pi{2\tau+1}`.

    Examples
    --------
    >>> golden = constant_delay_stability(2)
    >>> golden * (golden + 1) == 1
    True
    """
    tau = checked_count("tau", tau, least=0)
    # sin(pi / (2 m)) = cos(pi (m - 1) / (2 m)) for m = 2 tau + 1
    return _cosine(Fraction(tau, 2 * tau + 1), arithmetic) * 2


def _cosine(q: Fraction, arithmetic: Arithmetic | None) -> Any:
    return (cyclotomic(cosine_field(q)) if arithmetic is None else arithmetic).cos_pi(q)


def mode_rate(age_weights: Sequence[Number], a: Number, bits: int = 128) -> Ball:
    r"""Return the factor :math:`\rho` by which a mode finally shrinks per step, as a certified enclosure.

    Parameters
    ----------
    age_weights : sequence of int, Fraction, Rational or str
        Weights of ages 0, 1, ...
    a : int, Fraction, Rational or str
        Step times curvature.
    bits : int, default 128
        Precision.

    Returns
    -------
    Ball
        The largest modulus of a root of the characteristic polynomial.

    Examples
    --------
    >>> mode_rate(averaged_ages(1), "1/2").contains(Rational(1, 2))     # two complex roots of modulus 1/2
    True
    """
    return largest_root_modulus(characteristic_polynomial(age_weights, a), bits)


def is_faster_than_descent(age_weights: Sequence[Number], a: Number) -> bool:
    r"""Whether a mode shrinks faster than the factor :math:`|1-a|` of descent with fresh gradients, decided exactly.

    With r = |1 - a| the roots satisfy :math:`|z|<r` iff those of :math:`p(rz)` lie inside the unit circle.

    Parameters
    ----------
    age_weights : sequence of int, Fraction, Rational or str
        Weights of ages 0, 1, ...
    a : int, Fraction, Rational or str
        Step times curvature.

    Returns
    -------
    bool
        ``False`` for equally fast and for a = 1, where descent needs a single step.

    Examples
    --------
    >>> [is_faster_than_descent(averaged_ages(1), a) for a in ("0.499", "1/2", "0.501")]
    [True, False, False]
    """
    polynomial = characteristic_polynomial(age_weights, a)
    radius = abs(1 - Rational(a))
    if radius == 0:
        return False
    return is_stable([c * radius**k for k, c in enumerate(polynomial)])


def bracket_change(
    holds: Callable[[Rational], bool], inside: Number, outside: Number, width: Number
) -> tuple[Rational, Rational]:
    """Halve an interval with rational ends until a change of an exactly decided condition is pinned down.

    Parameters
    ----------
    holds : callable
        Takes a `Rational`, returns a bool.
    inside, outside : int, Fraction, Rational or str
        The condition holds at `inside` and fails at `outside`.
    width : int, Fraction, Rational or str
        Largest distance of the ends returned, above 0.

    Returns
    -------
    (Rational, Rational)
        The condition holds at the first and fails at the second; a change lies between them.

    Raises
    ------
    ValueError
        If the condition does not hold at `inside` or does not fail at `outside`.

    Examples
    --------
    >>> ages = constant_age(1)
    >>> stable, unstable = bracket_change(lambda a: is_stable(characteristic_polynomial(ages, a)), "1/2", 2, "1/1000")
    >>> stable < constant_delay_stability(1) <= unstable
    True
    """
    good, bad, gap = Rational(inside), Rational(outside), Rational(width)
    if gap <= 0:
        raise ValueError(f"width must be positive, got {width}")
    for name, point, expected in (("hold", good, True), ("fail", bad, False)):
        if holds(point) is not expected:
            raise ValueError(f"the condition must {name} at {point}; choose another end of the interval")
    while abs(good - bad) > gap:
        middle = (good + bad) / 2
        if holds(middle):
            good = middle
        else:
            bad = middle
    return good, bad


def speed_up_crossing(s: int, width: Number = "1/1000000") -> tuple[Rational, Rational]:
    r"""Return a bracket of the :math:`a=\eta h` up to which averaged ages 0, ..., s beat fresh gradients per step.

    Parameters
    ----------
    s : int
        Oldest age, at least 1.
    width : int, Fraction, Rational or str, default 1/1000000
        Largest width of the bracket.

    Returns
    -------
    (Rational, Rational)
        At the first the mode shrinks faster than by 1 - a, at the second it does not, both decided exactly.

    Examples
    --------
    >>> faster, slower = speed_up_crossing(2)
    >>> faster > Rational("0.34629"), slower < Rational("0.34630")
    (True, True)
    """
    s = checked_count("s", s, least=1)
    ages = averaged_ages(s)
    return bracket_change(lambda a: is_faster_than_descent(ages, a), Rational(1, 2 * s + 2), Rational(2, s + 1), width)


def stationary_variance(age_weights: Sequence[Number], a: Number) -> Rational:
    r"""Return the stationary variance :math:`\sum_k\psi_k^2` of a mode driven by white noise of unit variance.

    :math:`e_{t+1}=e_t-a\sum_dp_de_{t-d}+\xi_t`; with step :math:`\eta` and gradient noise of variance
    :math:`\sigma^2` multiply by :math:`\eta^2\sigma^2`.

    Parameters
    ----------
    age_weights : sequence of int, Fraction, Rational or str
        Weights of ages 0, 1, ...
    a : int, Fraction, Rational or str
        Step times curvature, in the stable range.

    Returns
    -------
    Rational

    Raises
    ------
    ValueError
        If the recursion is not stable.

    Notes
    -----
    Schur-Cohn steps down from the polynomial: with reflection coefficients :math:`k_j` of the successively
    reduced monic polynomials the sum is :math:`\prod_j(1-k_j^2)^{-1}` (Durbin 1960). The special
    cases are :math:`\frac1{a(2-a)}` for fresh gradients and :math:`\frac{2+a}{2a(2-a)}` for two averaged ages.

    Examples
    --------
    >>> stationary_variance([1], "1/2"), stationary_variance(averaged_ages(1), "1/2")
    (Rational(4, 3), Rational(5, 3))
    """
    c = list(characteristic_polynomial(age_weights, a))
    variance = Rational(1)
    while len(c) > 1:
        reflection = c[0]
        if not abs(reflection) < 1:
            raise ValueError(f"a must lie in the stable range, got {a}; averaged_delay_stability(s) gives its end")
        shrink = 1 - reflection * reflection
        variance = variance / shrink
        c = [(c[k + 1] - reflection * c[-2 - k]) / shrink for k in range(len(c) - 1)]
    return variance
