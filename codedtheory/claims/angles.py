r"""Sines and cosines of multiples of an angle, in proofs that hold for every multiple.

An angle is given by its *turn* :math:`e^{i\varphi}`, so that sums of angles are products of turns and every
addition theorem is an identity between rational functions. With N + 1 Chebyshev points and
:math:`a=\pi/2N`, the turn of the angle ka is one symbol for all N and k.
"""

from __future__ import annotations

from typing import Any

from codedtheory.claims.comparison import Comparison, at_least, at_most, equal
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive

__all__ = ["cosine", "falling_sine", "long_sine", "long_tangent", "short_sine", "sine"]


def sine(turn: Any) -> Any:
    r"""Return the sine of the angle :math:`\varphi` with the turn :math:`e^{i\varphi}`.

    Parameters
    ----------
    turn : sympy.Expr

    Returns
    -------
    sympy.Expr

    Examples
    --------
    >>> from codedtheory.claims import equal
    >>> (x,) = arbitrary("x")
    >>> equal(sine(x**2), 2 * sine(x) * cosine(x)).outcome
    <Outcome.HOLDS: 'holds'>
    """
    import sympy

    return (turn - 1 / turn) / (2 * sympy.I)


def cosine(turn: Any) -> Any:
    r"""Return the cosine of the angle :math:`\varphi` with the turn :math:`e^{i\varphi}`.

    Parameters
    ----------
    turn : sympy.Expr

    Returns
    -------
    sympy.Expr

    Examples
    --------
    >>> import sympy
    >>> cosine(sympy.I)
    0
    """
    return (turn + 1 / turn) / 2


def short_sine() -> list[Comparison]:
    r"""Return the proof, by induction on m, of :math:`\sin(mb)\le m\sin b` for :math:`0\le mb\le\pi`.

    Returns
    -------
    list of Comparison
        In the step :math:`m\sin b=\sin(mb)+d`, :math:`\cos b=1-u` and :math:`\cos(mb)=1-v`.
    """
    multiple, turn = arbitrary("M B")
    S, d, u, v, sigma = nonnegative("S d u v sigma")
    addition = equal(sine(multiple * turn), sine(multiple) * cosine(turn) + cosine(multiple) * sine(turn), "addition")
    return induction(
        base=equal(sine(turn), 1 * sine(turn), "sin b"),
        step=[addition, at_most(S * (1 - u) + (1 - v) * sigma, (S + d) + sigma, "sin((m + 1)b) ≤ (m + 1) sin b")],
    )


def long_sine() -> list[Comparison]:
    r"""Return the proof of :math:`\sin(ma)\ge m\sin a\,(1-\tfrac23(m^2-1)\sin^2\tfrac a2)` for :math:`0\le ma\le\pi`.

    Returns
    -------
    list of Comparison
        That of `short_sine`, which gives :math:`\sin(ma)=m\sin a-f` and, at a/2,
        :math:`\cos(ma)=1-2m^2t^2+e` with :math:`t=\sin\frac a2`; then the induction on m, whose
        hypothesis is :math:`\sin(ma)=m\sin a\,(1-\frac23(m^2-1)t^2)+d`.
    """
    (half,) = arbitrary("H")
    m, sigma = positive("m sigma")
    t, d, e, f = nonnegative("t d e f")

    def bound(count: Any) -> Any:
        return count * sigma * (1 - 2 * (count**2 - 1) * t**2 / 3)

    # S cos a + C sin a with S = m sin a - f where cos a = 1 - 2t^2 makes S smaller
    next_sine = (bound(m) + d) - 2 * t**2 * (m * sigma - f) + sigma * (1 - 2 * m**2 * t**2 + e)
    return [
        *short_sine(),
        equal(cosine(half**2), 1 - 2 * sine(half) ** 2, "cos a = 1 - 2 sin²(a/2)"),
        *induction(base=equal(bound(1), sigma, "sin a"), step=at_least(next_sine, bound(m + 1), "sin((m + 1)a)")),
    ]


def long_tangent() -> list[Comparison]:
    r"""Return the proof, by induction on m, of :math:`\tan(mb)\ge m\tan b` for :math:`0\le mb<\pi/2`.

    Returns
    -------
    list of Comparison
        In the step :math:`\tan(mb)=m\tan b+d`; both sides are multiplied by :math:`1-\tan(mb)\tan b>0`.
    """
    multiple, turn = arbitrary("M B")
    m, t = positive("m t")
    (d,) = nonnegative("d")
    T, T1 = sine(multiple) / cosine(multiple), sine(turn) / cosine(turn)
    joined = sine(multiple * turn) / cosine(multiple * turn)
    return induction(
        base=equal(T1, 1 * T1, "tan b"),
        step=[
            equal(joined * (1 - T * T1), T + T1, "addition"),
            at_least((m * t + d) + t, (m + 1) * t * (1 - (m * t + d) * t), "tan((m + 1)b) ≥ (m + 1) tan b"),
        ],
    )


def falling_sine() -> list[Comparison]:
    r"""Return the proof that :math:`\frac{\sin(ka)}k` falls in k as long as :math:`0\le ka\le\pi/2`.

    Returns
    -------
    list of Comparison
        That of `long_tangent`, which gives :math:`\sin(ka)=k\cos(ka)\tan a+d`; then the step from k to k + 1 with
        :math:`\cos a=\frac1{1+v}`.
    """
    K, A = arbitrary("K A")
    (k,), (C, tangent, d, v) = positive("k"), nonnegative("C tau d v")
    S, cos_a = k * C * tangent + d, 1 / (1 + v)
    return [
        *long_tangent(),
        equal(sine(K * A), sine(K) * cosine(A) + cosine(K) * sine(A), "addition"),
        at_most(k * (S * cos_a + C * tangent * cos_a), (k + 1) * S, "sin(ka)/k falls in k"),
    ]
