"""How long a training step takes when worker delays are exponential: load plus order statistics."""

from __future__ import annotations

from typing import Any

from codedtheory.arithmetic import EXACT, Arithmetic, Rational

from .survivors import checked_count, checked_stragglers

__all__ = ["SCHEME_LOADS", "expected_step_time", "harmonic_number"]

# per scheme: coded or plain mini-batches a worker computes, as (constant, factor of s), and whether it waits for all
SCHEME_LOADS: dict[str, tuple[int, int, bool]] = {
    "bacc": (1, 0, False),
    "uncoded": (1, 0, False),
    "repetition": (1, 1, False),
    "wait_for_all": (1, 0, True),
}


def harmonic_number(m: int) -> Rational:
    r"""Return :math:`H_m=\sum_{k=1}^m 1/k`, exactly.

    Parameters
    ----------
    m : int
        At least 0.

    Returns
    -------
    Rational

    Examples
    --------
    >>> harmonic_number(4)
    Rational(25, 12)
    """
    count = checked_count("m", m, least=0)
    total = Rational(0)
    for k in range(1, count + 1):
        total = total + Rational(1, k)
    return total


def expected_step_time(
    scheme: str,
    workers: int,
    stragglers: int,
    load_time: Any,
    delay_mean: Any,
    arithmetic: Arithmetic = EXACT,
) -> Any:
    r"""Return the expected time of one step of a master that waits for the fastest workers.

    Worker time is its load times `load_time` plus an exponential delay; the delays are independent.
    With W workers and s stragglers the master waits for the (W-s)-th arrival, so that

    .. math:: \mathbb E\,T=\text{load}\cdot t_c+\vartheta\,(H_W-H_s),\qquad H_m=\sum_{k\le m}\tfrac1k,

    with load 1 for ``"bacc"`` and ``"uncoded"`` and load s+1 for ``"repetition"``;
    ``"wait_for_all"`` has load 1 and waits for everybody, :math:`t_c+\vartheta H_W`.

    Parameters
    ----------
    scheme : {"bacc", "uncoded", "repetition", "wait_for_all"}
    workers : int
        W, at least 1.
    stragglers : int
        s, below W.
    load_time : int, Fraction or str (over FLOAT also float)
        Time :math:`t_c` for the gradient of one mini-batch.
    delay_mean : int, Fraction or str (over FLOAT also float)
        Mean delay :math:`\vartheta`, in the same unit of time.
    arithmetic : Arithmetic, default EXACT

    Returns
    -------
    number
        Of the arithmetic, in the same unit of time.

    Raises
    ------
    ValueError
        For an unknown scheme, negative times or stragglers that leave no worker.

    Notes
    -----
    The spacing between the (k-1)-th and k-th of W exponential arrivals has mean
    :math:`\vartheta/(W-k+1)` (Rényi 1953, "On the theory of order statistics"). Equality, not a bound.

    Examples
    --------
    >>> expected_step_time("repetition", workers=3, stragglers=1, load_time=1, delay_mean="1/2")
    Rational(29, 12)
    >>> expected_step_time("bacc", workers=3, stragglers=1, load_time=1, delay_mean="1/2")
    Rational(17, 12)
    """
    if scheme not in SCHEME_LOADS:
        raise ValueError(f"scheme must be one of {', '.join(sorted(SCHEME_LOADS))}, got {scheme!r}")
    count = checked_count("workers", workers, least=1)
    lost = checked_stragglers(stragglers, count)
    compute = arithmetic.number(load_time)
    delay = arithmetic.number(delay_mean)
    for name, value in (("load_time", compute), ("delay_mean", delay)):
        if value < 0:
            raise ValueError(f"{name} must not be negative, got {value}")
    constant, per_straggler, waits_for_all = SCHEME_LOADS[scheme]
    missed = 0 if waits_for_all else lost
    wait = arithmetic.number(harmonic_number(count) - harmonic_number(missed))
    return compute * (constant + per_straggler * lost) + delay * wait
