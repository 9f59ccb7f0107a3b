"""Berrut's interpolants on Chebyshev points of the second kind: closed forms, and the rate they force."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from codedtheory.arithmetic import EXACT, Algebraic, Arithmetic, ball, cyclotomic, minimum
from codedtheory.claims import Comparison, at_least, at_most, claim, derived, equal, greater_than, sweep
from codedtheory.claims.angles import falling_sine
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, integers, nonnegative, positive
from codedtheory.interpolation import berrut_weights, chebyshev_second, lagrange_weights
from codedtheory.interpolation.denominator import largest_denominator_reciprocal
from codedtheory.interpolation.poles import denominator_polynomial
from codedtheory.interpolation.second_form import largest_second_form_reciprocal

CLOSED = r"z_i=\cos\tfrac{i\pi}N,\ w_i=(-1)^i,\ U=U_{N-1}(x):\quad "


@claim(
    "berrut.second.cheb2",
    statement=r"\cos\tfrac{i\pi}N \text{ after any } s\le N-1 \text{ losses}, N\le9: "
    r"\text{ the second form has no pole in } [-1,1]",
    source=derived("enumeration of all survivor sets; beyond the hull the form may vanish, but not within [-1, 1]"),
    over=sweep("1 <= N <= 9", "0 <= s < N", default="N <= 9", quick="N <= 6"),
    method="D(1) > 0 for the sets without worker 0, as it has to be, and an upper bound of 1/|D| over [-1, 1] and all "
    "sets by interval bisection.",
)
def berrut_second_cheb2(N: int, s: int) -> Iterator[Comparison]:
    """Up to ten workers the second form has no pole in [-1, 1], whichever workers are lost."""
    if s:
        values = [_second_form_at_one(N, S, ball(64)) for S in combinations(range(1, N + 1), N + 1 - s)]
        yield greater_than(minimum(values), 0, "D(1)")
    yield greater_than(1 / largest_second_form_reciprocal(N + 1, s, tolerance="1e-2"), 0, "inf |D|")


@claim(
    "berrut.second.cheb2.all",
    statement=r"\cos\tfrac{i\pi}N \text{ after any losses, any } N: "
    r"\text{ the second form has no pole in } [-1,1], \text{ hence } D(1)>0",
    source=derived("what the enumeration of small N suggests"),
    over=sweep("2 <= N <= 11", "S in subsets(N + 1, 3)", quick="N <= 10"),
    expected="fails",
    corrected_by="berrut.second.cheb2",
    method="D tends to plus infinity at the largest of three survivors from above; its sign at 1 is found in a "
    "cyclotomic field, and where it is not positive, D has a zero between or at 1.",
)
def berrut_second_cheb2_all(N: int, S: tuple[int, ...]) -> Comparison:
    """The second form would have no pole in [-1, 1] for any number of workers."""
    if S[0] == 0:
        return equal(S[0], 0, "1 is a node: [-1, 1] ends at the hull")
    return greater_than(_second_form_at_one(N, S, cyclotomic(2 * N)), 0, "D(1)")


@claim(
    "berrut.cheb2.closed",
    statement=CLOSED + r"D(x)=\frac{N/U+x}{x^2-1}\ (N \text{ even}),\qquad D(x)=\frac{N/U+1}{x^2-1}\ (N \text{ odd})",
    source=derived("with halved ends D = N/((x^2-1)U), whose residues are the weights; add back the two half terms"),
    method="N/((x^2-1)U) is a proper rational function with simple poles at the nodes, so it is the sum of its "
    "principal parts; its residues N/((x^2-1)U)' are found for symbolic N, e = (-1)^i and p = (-1)^N. U(1) = N by "
    "induction, and U(-1) = -pN as U has the parity of N - 1.",
)
def berrut_cheb2_closed() -> Iterator[Comparison]:
    """Berrut's denominator on the full Chebyshev grid in closed form."""
    import sympy

    theta = sympy.Symbol("theta")
    (N, k), (c, s, e, p, x, U) = integers("N k"), arbitrary("c s e p x U")
    first_two = [equal(sympy.chebyshevu(i, 1), i + 1, f"U_{i}(1)") for i in (0, 1)]
    # x = cos(theta), (x**2 - 1)U = -sin(theta)sin(N theta), d/dx = -1/sin(theta) d/dtheta
    slope = sympy.diff(_node_polynomial(theta, N), theta) / -sympy.sin(theta)
    inner = slope.subs({sympy.sin(N * theta): 0, sympy.cos(N * theta): e}).subs({sympy.sin(theta): s})
    yield equal(N / inner, e, "residue at an inner node", modulo=[e**2 - 1])
    at_end = slope.subs({sympy.cos(N * theta): p, sympy.cos(theta): c}).subs(sympy.sin(N * theta), U * s)
    at_end = at_end.subs(sympy.sin(theta), s)
    yield from induction(base=first_two, step=equal(2 * (k + 1) - k, k + 2, "U_(k+1)(1) = 2 U_k(1) - U_(k-1)(1)"))
    yield equal(N / at_end.subs({c: 1, p: 1, U: N}), sympy.Rational(1, 2), "residue at 1")
    yield equal(N / at_end.subs({c: -1, U: -p * N}), p / 2, "residue at -1", modulo=[p**2 - 1])
    halved = N / ((x**2 - 1) * U)
    whole = halved + 1 / (x - 1) / 2 + p / (x + 1) / 2
    yield equal(whole.subs(p, 1), closed_form(N, U, x, even=True), "N even")
    yield equal(whole.subs(p, -1), closed_form(N, U, x, even=False), "N odd")


@claim(
    "berrut.cheb2.closed.polynomial",
    statement=CLOSED + r"D(x)\prod_i(x-z_i)=2^{1-N}(N+xU)\ (N \text{ even}),\quad 2^{1-N}(N+U)\ (N \text{ odd})",
    source=derived("the closed form times (x^2-1)U = 2^(N-1) times the product of the x - z_i"),
    over=sweep("1 <= N <= 24", "0 <= k <= N", default="N <= 14", quick="N <= 7"),
    method="Coefficient k of both polynomials; the left one multiplied out from the nodes in a cyclotomic field.",
)
def berrut_cheb2_closed_polynomial(N: int, k: int) -> Comparison:
    """The closed form agrees with the denominator multiplied out, coefficient by coefficient."""
    U = _second_kind(N - 1)
    expected = [0, *U, 0] if N % 2 == 0 else [*U, 0, 0]
    expected[0] += N
    found = denominator_polynomial(chebyshev_second(N + 1), arithmetic=cyclotomic(2 * N))
    return equal(found[k], Fraction(expected[k], 2 ** (N - 1)))


@claim(
    "berrut.cheb2.closed.salzer",
    statement=r"\text{on } \cos\tfrac{i\pi}N \text{ the weights of polynomial interpolation are } "
    r"\tfrac{2^{N-1}}N(\tfrac12,-1,1,\dots,\pm\tfrac12): \text{ the second form is polynomial interpolation}",
    source=derived("Salzer 1972: the residues of N/((x^2-1)U)"),
    over=sweep("1 <= N <= 24", "0 <= i <= N", default="N <= 14", quick="N <= 7"),
    method="Weight i as a product of differences in a cyclotomic field.",
)
def berrut_cheb2_closed_salzer(N: int, i: int) -> Comparison:
    """With halved ends Berrut's interpolant on the full Chebyshev grid is the polynomial one."""
    weights = lagrange_weights(chebyshev_second(N + 1)).over(cyclotomic(2 * N))
    return equal(weights[i], berrut_weights(N + 1, half_ends=True).over(EXACT)[i] * Fraction(2 ** (N - 1), N))


@claim(
    "berrut.cheb2.rate",
    statement=r"z_i=\cos\tfrac{i\pi}N, N\ge2, s=0:\quad \sup_{[-1,1]}|f-r|\ge\frac{\cos a}{N+\tan a} "
    r"\ (N \text{ even}, f=x, a=\tfrac\pi{2N}), \qquad \sup_{[-1,1]}|f-r|\ge\frac1{N+1}\ (N \text{ odd}, f=x^2)",
    source=derived("the closed form of D at sin(pi/2N) for even N, at 0 for odd N, where the weighted nodes sum to 1"),
    method="N, c = cos a, s = sin a, t = tan a = 1/(1 + k) and signs w, p are symbols; the sum of (-1)^i cos(i pi/N) "
    "telescopes, with h = cos and g = sin of half the angle.",
)
def berrut_cheb2_rate() -> Iterator[Comparison]:
    """Without stragglers Berrut's interpolant on Chebyshev points converges no faster than 1/N."""
    N, (c, s, w) = 2 + nonnegative("m")[0], arbitrary("c s w")
    t = 1 / (1 + nonnegative("k")[0])
    circle, signs = c**2 + s**2 - 1, w**2 - 1
    # N even: x = s is cos(pi/2 - a), and sin(N(pi/2 - a)) = -cos(N pi/2) = -w, so U = -w/c
    yield equal(
        1 / closed_form(N, -w / c, s, even=True), w * c**2 / (N * c - w * s), "1/D at sin a", modulo=[circle, signs]
    )
    yield from (at_least(1 / (N - sign * t), 1 / (N + t), f"w = {sign}") for sign in (1, -1))
    # N odd: 2h times the partial sum of (-1)^i cos(i phi) is h + (-1)^i cos((i + 1/2)phi)
    C, S, h, g, p = arbitrary("C S h g p")
    before, after = C * h + S * g, C * h - S * g
    yield from induction(
        base=equal(2 * h, h + h, "first term"),
        step=equal(h + p * before + 2 * h * (-p * C), h - p * after, "sum of the weighted nodes"),
    )
    yield equal((h - (-h)) / (2 * h), 1, "at i = N, where (-1)^N cos(pi + phi/2) = h")
    # x = 0 and U = sin(N pi/2) = w
    yield equal(1 / closed_form(N, w, 0, even=False), -w / (N + w), "1/D at 0", modulo=[signs])
    yield from (at_least(1 / (N + sign), 1 / (N + 1), f"w = {sign}") for sign in (1, -1))


@claim(
    "berrut.cheb2.rate.values",
    statement=r"z_i=\cos\tfrac{i\pi}N, a=\tfrac\pi{2N}:\quad "
    r"|x-r(x)|\ge\frac{\cos a}{N+\tan a} \text{ at } x=\sin a\ (N \text{ even}), \qquad "
    r"|x^2-r(x)|\ge\frac1{N+1} \text{ at } x=0\ (N \text{ odd})",
    source=derived("the closed form of D at one point"),
    over=sweep("2 <= N <= 40", default="N <= 20", quick="N <= 9"),
    method="The interpolant itself, evaluated in a cyclotomic field.",
)
def berrut_cheb2_rate_values(N: int) -> Comparison:
    """The errors that force the rate 1/N, computed from the interpolant."""
    field, a = cyclotomic(4 * N), Fraction(1, 2 * N)
    cosine, sine = field.cos_pi(a), field.sin_pi(a)
    if N % 2 == 0:
        return at_least(_error(sine, N, 1), cosine / (N + sine / cosine))
    return at_least(_error(field.number(0), N, 2), Fraction(1, N + 1))


@claim(
    "berrut.cheb2.rate.order",
    statement=r"z_i=\cos\tfrac{i\pi}N:\quad "
    r"\sup_{[-1,1]}\frac1{|D|}\le\frac2N, \text{ so that } |f-r|\le\frac2N(\|f''\|+\|f'\|)",
    source=derived("1/|D| bounds the error, and half the sum of every other gap is at most 1"),
    over=sweep("1 <= N <= 200", default="N <= 24", quick="N <= 6"),
    method="The supremum is enclosed by interval bisection. For all N by berrut.cheb2.rate.order.proof.",
)
def berrut_cheb2_rate_order(N: int) -> Comparison:
    """Without stragglers the rate 1/N is also reached."""
    largest = largest_denominator_reciprocal(chebyshev_second(N + 1), arithmetic=ball(53), tolerance="1e-2")
    return at_most(largest, Fraction(2, N))


@claim(
    "berrut.cheb2.rate.order.proof",
    statement=CLOSED + r"\frac1{|D(x)|}\le\frac2N,\ -1\le x\le1,\ N\ge1",
    source=derived("the closed form; where U is negative, x is far from the ends and |xU| and |U| are at most N/2"),
    hypotheses="berrut.cheb2.closed",
    method="s = sin t and V = |sin(Nt)| = s|U| at x = cos t, 0 <= t <= pi/2 since |D| is even in x, x = 1 - k, "
    "|U| = y. Negative U need t > pi/N, hence s at least sin(pi/N), which is at least 2/N since sin(ka)/k falls in k.",
)
def berrut_cheb2_rate_order_proof() -> Iterator[Comparison]:
    """Without stragglers the rate 1/N is reached for all N."""
    N, U, x = arbitrary("N U x")
    for even, shift in ((True, x * U), (False, U)):
        yield equal(1 / closed_form(N, U, x, even), (x**2 - 1) * U / (N + shift), f"1/D, N {'even' if even else 'odd'}")
    (N,), (a, v, y, k, u, w) = positive("N"), nonnegative("a v y k u w")
    s, V = 1 / (1 + a), 1 / (1 + v)
    yield at_most(s * V / (N + y), 2 / N, "U not negative: |N + xU| and |N + U| are N + y")
    yield from falling_sine()
    yield at_most(V / (2 / N + u), N / 2, "U negative: |U| = V/s with s = 2/N + u")
    at_most_half = N / (2 * (1 + w))
    yield at_least(N - (1 - k) * at_most_half, N / 2, "U negative, N even: |N + xU|")
    yield at_least(N - at_most_half, N / 2, "U negative, N odd: |N + U|")
    yield at_most(s * V / (N / 2 + u), 2 / N, "U negative")


def closed_form(N: Any, U: Any, x: Any, even: bool) -> Any:
    """Return Berrut's denominator on N + 1 Chebyshev points at x, where the polynomial U_(N-1) has the value U."""
    return (N / U + (x if even else 1)) / (x**2 - 1)


def _node_polynomial(theta: Any, N: Any) -> Any:
    """Return a multiple of the product of the x - z_i, at x = cos(theta)."""
    import sympy

    return -sympy.sin(theta) * sympy.sin(N * theta)


def _second_form_at_one(N: int, S: tuple[int, ...], arithmetic: Arithmetic) -> Any:
    """Return the denominator of the second form on the survivors S at 1."""
    nodes = chebyshev_second(N + 1).take(S).over(arithmetic)
    return (berrut_weights(len(S), half_ends=True).over(EXACT) / (1 - nodes)).sum()


def _second_kind(degree: int) -> list[int]:
    """Return the coefficients of the Chebyshev polynomial of the second kind, from the 0th on."""
    before, now = [0], [1]
    for _ in range(degree):
        following = [0, *(2 * c for c in now)]
        for power, coefficient in enumerate(before):
            following[power] -= coefficient
        before, now = now, following
    return now


def _error(x: Algebraic, N: int, power: int) -> Any:
    """Return the error at x of the interpolant of x**power on the N + 1 Chebyshev points of the second kind."""
    nodes = chebyshev_second(N + 1).over(cyclotomic(4 * N))
    terms = berrut_weights(N + 1).over(EXACT) / (x - nodes)
    return abs(x**power - (terms * nodes**power).sum() / terms.sum())
