"""Expected step times of gradient-coding schemes, and when coding is slower than waiting."""

from __future__ import annotations

from fractions import Fraction

from codedtheory.arithmetic import Rational

from .step_time import expected_step_time, harmonic_number
from .survivors import checked_count, checked_stragglers

__all__ = [
    "coding_is_slower",
    "coding_threshold",
    "gradient_coding_step_time",
    "scaled_delay_threshold",
]

Number = int | str | Fraction | Rational

_SCHEMES = {
    "dgd": "wait_for_all",
    "gc-fr": "repetition",
    "gc-cr": "repetition",
    "is-sgd": "uncoded",
    "is-gc": "repetition",
    "pgc-fr": "uncoded",
    "pgc-cr": "uncoded",
}


def gradient_coding_step_time(
    scheme: str, n: int, s: int, compute: Number, delay: Number, load: int | None = None
) -> Rational:
    r"""Return the expected time of a step: load times :math:`t_c` plus the awaited order statistic.

    Every worker's delay is exponential with mean :math:`\vartheta`, independent and drawn afresh in
    each step ("restart"). The (n - s)-th arrival comes after :math:`\vartheta(H_n-H_s)` on average:

    ==================  ===========================================
    scheme              expected step time
    ==================  ===========================================
    dgd                 :math:`t_c+\vartheta H_n`
    gc-fr, gc-cr        :math:`(s+1)t_c+\vartheta(H_n-H_s)`
    is-sgd              :math:`t_c+\vartheta(H_n-H_s)`
    is-gc               :math:`c\,t_c+\vartheta(H_n-H_s)`
    pgc-fr, pgc-cr      :math:`t_c+\vartheta(H_n-H_s)`
    ==================  ===========================================

    Parameters
    ----------
    scheme : {"dgd", "gc-fr", "gc-cr", "is-sgd", "is-gc", "pgc-fr", "pgc-cr"}
    n : int
        Workers.
    s : int
        Stragglers not waited for, at most n - 1; "dgd" waits for all.
    compute : int, Fraction, Rational or str
        :math:`t_c`, time for one partition gradient.
    delay : int, Fraction, Rational or str
        :math:`\vartheta`, mean delay, in the same unit.
    load : int, optional
        Partitions per worker c of "is-gc", by default s + 1.

    Returns
    -------
    Rational
        Without the time for coding and for communication.

    Raises
    ------
    ValueError
        For an unknown scheme, a load that the scheme does not have, or negative times.

    Notes
    -----
    A straggler that is not cancelled starts its next step late, and then the order statistic is only a first
    approximation from below.

    Examples
    --------
    >>> gradient_coding_step_time("pgc-cr", 3, 1, compute=1, delay=1)
    Rational(11, 6)
    >>> gradient_coding_step_time("gc-cr", 3, 1, compute=1, delay=1)
    Rational(17, 6)
    """
    if scheme not in _SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(_SCHEMES)}, got {scheme!r}")
    if load is not None and scheme != "is-gc":
        raise ValueError(f"load is free in 'is-gc' only, got load={load} for {scheme!r}")
    t, theta = _time("compute", compute), _time("delay", delay)
    if load is None:
        expected: Rational = expected_step_time(_SCHEMES[scheme], n, s, t, theta)
    else:
        partitions = checked_count("load", load, least=1, most=checked_count("n", n, least=1))
        expected = expected_step_time("uncoded", n, s, t * partitions, theta)
    return expected


def coding_threshold(s: int) -> Rational:
    r"""Return the :math:`t_c/\vartheta` above which gradient coding is slower than waiting for all: :math:`H_s/s`.

    Independent exponential delays of mean :math:`\vartheta`, load s + 1 against 1; the number of workers drops out.

    Parameters
    ----------
    s : int
        Stragglers, at least 1.

    Returns
    -------
    Rational

    Examples
    --------
    >>> [str(coding_threshold(s)) for s in (1, 2, 3)]
    ['1', '3/4', '11/18']
    """
    s = checked_count("s", s, least=1)
    threshold: Rational = harmonic_number(s) / s
    return threshold


def scaled_delay_threshold(n: int, s: int) -> Rational:
    r"""Return the :math:`t_c/\vartheta` above which gradient coding is slower when delays scale with the load.

    A worker with load c = s + 1 takes :math:`c(t_c+X)`, X exponential of mean :math:`\vartheta`; waiting for all with
    load 1 takes :math:`t_c+\vartheta H_n`. Coding is slower iff
    :math:`(c-1)t_c>\vartheta[H_n-c(H_n-H_s)]`, so the threshold may be negative: then it always is.

    Parameters
    ----------
    n : int
        Workers.
    s : int
        Stragglers, from 1 to n - 1.

    Returns
    -------
    Rational

    Examples
    --------
    >>> scaled_delay_threshold(12, 1) < 0
    True
    """
    n = checked_count("n", n, least=2)
    s = checked_stragglers(checked_count("s", s, least=1), n)
    threshold: Rational = (harmonic_number(n) - (s + 1) * (harmonic_number(n) - harmonic_number(s))) / s
    return threshold


def coding_is_slower(n: int, s: int, compute: Number, delay: Number, *, delays_scale: bool = False) -> bool:
    """Whether a step of gradient coding takes longer on average than a step that waits for all workers.

    Parameters
    ----------
    n : int
        Workers.
    s : int
        Stragglers, at most n - 1.
    compute, delay : int, Fraction, Rational or str
        Time for one partition gradient and mean exponential delay.
    delays_scale : bool, default False
        Whether the delay is per partition gradient instead of per step.

    Returns
    -------
    bool
        Decided exactly.

    Examples
    --------
    >>> coding_is_slower(12, 1, compute="1.01", delay=1), coding_is_slower(12, 1, compute=1, delay=1)
    (True, False)
    """
    waiting = gradient_coding_step_time("dgd", n, s, compute, delay)
    factor = s + 1 if delays_scale else 1
    coded = gradient_coding_step_time("gc-cr", n, s, compute, _time("delay", delay) * factor)
    return bool(coded > waiting)


def _time(name: str, value: Number) -> Rational:
    time = Rational(value)
    if time < 0:
        raise ValueError(f"{name} must not be negative, got {value}")
    return time
