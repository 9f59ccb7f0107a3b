"""Berrut approximated coded computing: when decoding is exact, what the data and the decoder's weights do to it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import factorial, lcm
from typing import Any

import numpy as np

from codedtheory.arithmetic import ball, cyclotomic, maximum
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    not_equal,
    sweep,
)
from codedtheory.claims.angles import cosine, long_tangent, short_sine, sine
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import BerrutCode
from codedtheory.coding.encoder_derivatives import encoder_derivative_norms
from codedtheory.interpolation.divided_differences import divided_difference
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant

BALLS = ball(64)
DATA = ("-9/10", "3/10", "-1/5", "4/5", "1/10")
FIXED_DATA = r"K=5, X=(-\tfrac9{10},\tfrac3{10},-\tfrac15,\tfrac45,\tfrac1{10}), f(t)=t\sin t:\quad "


@claim(
    "bacc.error.Kdep",
    statement=r"X\in\{\pm1\}^K, K\ge3:\quad \tfrac15K^2\le\operatorname{mean}_X\max|u'|\le\tfrac{13}{50}K^2,\quad "
    r"\tfrac3{100}K^4\le\operatorname{mean}_X\max|u''|\le\tfrac2{25}K^4",
    source=derived("all sign vectors; the growth itself is bacc.error.Kdep.order"),
    over=sweep("3 <= K <= 8", default="K <= 6", quick="K <= 4"),
    method="Both norms of the encoder over [-1, 1] are enclosed for each sign vector with X_0 = 1.",
    cost="2 ** K",
)
def bacc_error_kdep(K: int) -> Iterator[Comparison]:
    """The norms of the encoder, hidden in the error bounds of BACC, grow like K^2 and K^4."""
    signs = np.array([(1, *rest) for rest in product((1, -1), repeat=K - 1)]).T
    norms = encoder_derivative_norms(signs, tolerance="2e-2")
    for name, values, order, bounds in (
        ("u'", norms.first, 2, (Fraction(1, 5), Fraction(13, 50))),
        ("u''", norms.second, 4, (Fraction(3, 100), Fraction(2, 25))),
    ):
        mean = values.sum() / len(values)
        yield at_least(mean, bounds[0] * K**order, f"{name} from below")
        yield at_most(mean, bounds[1] * K**order, f"{name} from above")


@claim(
    "bacc.error.Kdep.order",
    statement=r"X_0=1,X_1=-1:\ \max|u'|\ge\frac1{\sin b\,\sin2b}\ge\frac{K^2}8; \text{ if also } X_2=1, K\ge3:\ "
    r"\max|u''|\ge\frac1{\sin^2b\,\sin2b\,\sin4b}\ge\frac{K^4}{128},\ b=\tfrac\pi{2K}",
    source=derived("divided differences at the first data points, which are values of u' and of u''/2"),
    hypotheses="a divided difference of order m is a value of the m-th derivative over m!",
    method="H is the turn of b/2; sin(2b) <= 2 sin(b), sin(4b) <= 4 sin(b), and tan(b/2) = 1/(K + d), since "
    "K tan(b/2) <= tan(Kb/2) = 1.",
)
def bacc_error_kdep_order() -> Iterator[Comparison]:
    """For half of all sign vectors the slope of the encoder exceeds K^2/8, for all K."""
    (H,) = arbitrary("H")
    B = H**2
    alpha = [cosine(B), cosine(B**3), cosine(B**5)]
    yield equal(divided_difference(alpha[:2], [1, -1]), 1 / (sine(B) * sine(B**2)), "value of u'")
    curvature = 2 * divided_difference(alpha, [1, -1, 1])
    yield equal(curvature, 1 / (sine(B) ** 2 * sine(B**2) * sine(B**4)), "value of u''")
    yield from short_sine()
    yield from long_tangent()
    yield equal(sine(B), 2 * sine(H) / cosine(H) * cosine(H) ** 2, "sin(b) = 2 tan(b/2) cos²(b/2)")
    (K,), (d, e, f, g) = positive("K"), nonnegative("d e f g")
    single = 2 / (K + d) / (1 + e)
    double, fourfold = 2 * single / (1 + f), 4 * single / (1 + g)
    yield at_least(1 / (single * double), K**2 / 8, "u'")
    yield at_least(1 / (single**2 * double * fourfold), K**4 / 128, "u''")


@claim(
    "bacc.error.Kdep.two",
    statement=r"K=2:\quad u''=0, \text{ so that } h=f\circ u \text{ has } h''=f''(u)\,u'^2",
    source=derived("two data points give a straight line"),
    method="Arbitrary data points and blocks; f is an arbitrary polynomial of degree 4, for others it is the "
    "chain rule.",
)
def bacc_error_kdep_two() -> Iterator[Comparison]:
    """With two data blocks the encoder is a line, and only the function is curved."""
    import sympy

    r = SymbolicInterpolant(2)
    u = r.numerator() / r.denominator
    yield equal(sympy.diff(u, r.x, 2), 0, "u''")
    (t, p, q), coefficients = arbitrary("t p q"), arbitrary("c0:5")
    f = sum(c * t**k for k, c in enumerate(coefficients))
    line = p * r.x + q
    yield equal(sympy.diff(f.subs(t, line), r.x, 2), sympy.diff(f, t, 2).subs(t, line) * p**2, "h''")


@claim(
    "bacc.exact",
    statement=r"Y_j=f(X_j) \text{ for every survivor set if } f \text{ is constant, or if } f \text{ is affine, } K=2 "
    r"\text{ and } n \text{ odd; and for all } f \text{ if } \alpha_j=z_i \text{ and worker } i \text{ survives}",
    source=derived("constants are reproduced, lines for n odd, and at a node the interpolant is the datum"),
    method="Term by term for all nodes; the weights sum to (1 + e)/2 with e = (-1)^n by induction on n.",
)
def bacc_exact() -> Iterator[Comparison]:
    """When BACC decodes without error, for all numbers of workers."""
    x, node, w, e, slope, offset = arbitrary("x z_i w_i e p q")
    term = w / (x - node)
    yield equal(term * offset, offset * term, "constant f: numerator and denominator are proportional")
    yield equal(term * (slope * node + offset), (slope * x + offset) * term - slope * w, "affine f: each term")
    yield from induction(
        base=equal((1 + e).subs(e, 1) / 2, 1, "one weight"),
        step=equal((1 + e) / 2 + (-e), (1 + (-e)) / 2, "sum of the weights, 0 for n odd"),
    )
    u = SymbolicInterpolant(2)
    (x0, x1), (f0, f1) = u.nodes, u.values
    line = f0 + (f1 - f0) / (x1 - x0) * (u.x - x0)
    yield equal(u.numerator() / u.denominator, line, "K = 2: u is a line")
    value, above, below = arbitrary("h_i A B")
    at_node = ((w * value + (x - node) * above) / (w + (x - node) * below)).subs(x, node)
    yield equal(at_node, value, "a surviving worker at the data point")


@claim(
    "bacc.exact.codes",
    statement=r"K=2, f(t)=3t-1, X=(2,5):\quad "
    r"Y_j=f(X_j) \text{ iff } N-s \text{ is odd or a survivor sits at } \alpha_j; \quad f=7:\ Y_j=7",
    source=derived("bacc.exact, and 1/D is not 0 where no node is"),
    over=sweep("1 <= N <= 9", "0 <= s <= N", "F in subsets(N + 1, N + 1 - s)", default="N <= 5", quick="N <= 3"),
    method="The code itself in a cyclotomic field, for every survivor set.",
)
def bacc_exact_codes(N: int, s: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """Affine functions of two blocks are decoded exactly iff n is odd or a worker sits there."""
    code = BerrutCode(2, N + 1, arithmetic=cyclotomic(lcm(8, 2 * N)))
    survivors = list(F)
    decoded = code.decode((3 * code.encode([2, 5]) - 1)[survivors], survivors)
    met = {j for j, i in code.collisions() if i in F}
    for j, expected in enumerate((5, 14)):
        compare = equal if (N - s) % 2 == 1 or j in met else not_equal
        yield compare(decoded[j], expected, f"block {j}")
    yield equal(code.decode(0 * code.encode([2, 5])[survivors] + 7, survivors)[0], 7, "constant")


@claim(
    "bacc.smooth",
    statement=r"v=\max(x+b,0),\ \mathcal L=\tfrac12(v-y)^2:\quad \partial_b\mathcal L\to-y \text{ as } x+b\downarrow0, "
    r"\quad \partial_b\mathcal L\to0 \text{ as } x+b\uparrow0; \text{ likewise for one filter } "
    r"w=(1,0) \text{ max-pooled over } (z,0),(0,1): \text{ the gradient is not continuous in the input}",
    source=derived("one unit with ReLU, one filter with pooling; so h = f(u(z)) is not even continuous"),
    method="The chain rule at a distance e from the kink, on either side, then e = 0.",
)
def bacc_smooth() -> Iterator[Comparison]:
    """The gradient of a network with ReLU or max-pooling jumps, so that h is not smooth."""
    e, y = positive("e y")
    for gradient, jump, name in ((relu_gradient, -y, "ReLU"), (pooling_gradient, y, "max-pooling")):
        above, below = (gradient(side * e, y).subs(e, 0) for side in (1, -1))
        yield equal(above - below, jump, f"{name}: jump")
        yield not_equal(above, below, f"{name}: limits from both sides")


@claim(
    "bacc.smooth.jump",
    statement=r"u(z)=z,\ \epsilon=2^{-40},\ h(z)=\partial_b\mathcal L \text{ of a ReLU unit, } y=1:\quad "
    r"\max_{z=\pm\epsilon}|h(z)-r_F(z)|\ge\tfrac12-10^{-3} \text{ for every survivor set}",
    source=derived("r_F is continuous, and h jumps by 1 at 0"),
    over=sweep("2 <= N <= 9", "0 <= s < N", "F in subsets(N + 1, N + 1 - s)", default="N <= 5", quick="N <= 3"),
    method="Decoding at plus and minus 2^-40 in balls.",
)
def bacc_smooth_jump(N: int, s: int, F: tuple[int, ...]) -> Comparison:
    """Near the jump of a ReLU gradient more workers do not make the decoding error small."""
    epsilon = Fraction(1, 2**40)
    code = BerrutCode(2, N + 1, data_points=[epsilon, -epsilon], arithmetic=BALLS)
    answers = np.array([relu_gradient(z, 1) for z in code.encode([epsilon, -epsilon])[list(F)]], dtype=object)
    truth = [relu_gradient(z, 1) for z in (epsilon, -epsilon)]
    return at_least(maximum(np.abs(code.decode(answers, F) - truth)), Fraction(499, 1000))


@claim(
    "bacc.alt.halfend",
    statement=r"\text{all workers alive}, p \text{ the polynomial interpolant (ends halved)}, U=U_{N-1}(x), e=(-1)^N:\ "
    r"f-r=\frac{\frac NU(f-p)+\frac{x+1}2(f-f(1))+e\frac{x-1}2(f-f(-1))}{\frac NU+\frac{x+1}2+e\frac{x-1}2},\quad "
    r"\|f-p\|\le\frac{\|f^{(N+1)}\|}{2^{N-1}(N+1)!}",
    source=derived("berrut.cheb2.closed: the halved half-terms of both ends are added back"),
    hypotheses="with halved ends D = N/((x^2 - 1)U) (berrut.cheb2.closed); Cauchy's remainder of p",
    method="An identity between rational functions; the node polynomial is -sin(t)sin(Nt)/2^(N-1) at x = cos(t), with "
    "the turns T of t and M of Nt.",
)
def bacc_alt_halfend() -> Iterator[Comparison]:
    """Halved end weights are spectrally accurate without stragglers; plain ones leave 1/N."""
    N, U, x, p, f, first, last, e = arbitrary("N U x p f f_1 f_-1 e")
    halved = N / ((x**2 - 1) * U)
    ends = [(1 / (x - 1) / 2, first), (e / (x + 1) / 2, last)]
    plain = halved + sum(weight for weight, _ in ends)
    r = (halved * p + sum(weight * value for weight, value in ends)) / plain
    right, left = (x + 1) / 2, e * (x - 1) / 2
    error = (N / U * (f - p) + right * (f - first) + left * (f - last)) / (N / U + right + left)
    yield equal(f - r, error, "plain weights")
    T, M = arbitrary("T M")
    yield equal((cosine(T) ** 2 - 1) * sine(M) / sine(T), -sine(T) * sine(M), "(x^2 - 1)U")


@claim(
    "bacc.alt.halfend.xsinx",
    statement=r"f(x)=x\sin x, \text{ all workers alive, the points } \cos\tfrac{(2j+1)\pi}{2N}:\quad "
    r"\max|f-r|\ge\frac3{10N}\ (N\text{ even}),\ \ge\frac4{5N}\ (N\text{ odd});\quad "
    r"\text{ends halved: } \max|f-r|\le\frac{N+2}{2^{N-1}(N+1)!}",
    source=derived("bacc.alt.halfend; the derivative of order m is at most 1 + m"),
    over=sweep("3 <= N <= 40", default="N <= 24", quick="N <= 10"),
    method="Decoding at N data points in balls.",
)
def bacc_alt_halfend_xsinx(N: int) -> Iterator[Comparison]:
    """Halved ends turn an error of order 1/N for x sin x into one below any power of N."""
    plain, halved = (_worst_error_without_stragglers(N, blending) for blending in (None, "half-ends"))
    yield at_least(plain, Fraction(3, 10 * N) if N % 2 == 0 else Fraction(4, 5 * N), "plain weights")
    yield at_most(halved, Fraction(N + 2, 2 ** (N - 1) * factorial(N + 1)), "ends halved")


@claim(
    "bacc.alt.fh",
    statement=FIXED_DATA + r"N\ge16, 1\le s\le2:\quad "
    r"\max_F\max_j|Y_j-f(X_j)| \text{ with Floater-Hormann weights, } d=3, \text{ is at most half that with Berrut's}",
    source=derived("enumeration for one set of data"),
    over=sweep("16 <= N <= 31", "1 <= s <= 2", default=("N <= 22", "s == 1 or N <= 16"), quick=("N <= 17", "s == 1")),
    method="Decoding in balls for every survivor set.",
)
def bacc_alt_fh(N: int, s: int) -> Comparison:
    """With many more workers than blocks Floater-Hormann weights decode x sin x far better."""
    return at_most(_worst_error_of_fixed_data(N, s, 3), _worst_error_of_fixed_data(N, s, None) / 2)


@claim(
    "bacc.alt.fh.uniform",
    statement=FIXED_DATA + r"\max_F\max_j|Y_j-f(X_j)| \text{ with Floater-Hormann weights, } d=3, "
    r"\text{ is at most that with Berrut's weights}",
    source=derived("what one might expect of a higher order"),
    over=sweep("5 <= N <= 17", "1 <= s <= 2", default="N <= 9", quick="N <= 6"),
    expected="fails",
    corrected_by="bacc.alt.fh",
    method="Decoding in balls for every survivor set.",
)
def bacc_alt_fh_uniform(N: int, s: int) -> Comparison:
    """Floater-Hormann weights would never be worse than Berrut's for a smooth function."""
    return at_most(_worst_error_of_fixed_data(N, s, 3), _worst_error_of_fixed_data(N, s, None))


def relu_gradient(z: Any, y: Any) -> Any:
    """Return the derivative in b of (v - y)^2/2 for v = max(z, 0), z = x + b."""
    return z - y if bool(z > 0) else 0 * z


def pooling_gradient(z: Any, y: Any) -> Any:
    """Return the derivative in w_2 of (v - y)^2/2 for v = max(w.(z, 0), w.(0, 1)), at w = (1, 0)."""
    score, second_input = (z, 0) if bool(z > 0) else (0 * z, 1)
    return (score - y) * second_input + 0 * z


def _x_sin_x(values: Any) -> np.ndarray[Any, Any]:
    return np.array([t * t.sin() for t in values], dtype=object)


def _worst_error_without_stragglers(N: int, blending: str | None) -> Any:
    """Enclose the largest error for x sin x at the N Chebyshev points of the first kind."""
    precise = ball(64 + 8 * N)
    code = BerrutCode(N, N + 1, blending=blending, arithmetic=precise)
    decoded = code.decode(_x_sin_x(code.worker_points.over(precise)), range(N + 1))
    return maximum(np.abs(decoded - _x_sin_x(code.data_points.over(precise))))


def _worst_error_of_fixed_data(N: int, s: int, blending: int | None) -> Any:
    """Enclose the largest decoding error over all survivor sets and blocks."""
    code = BerrutCode(len(DATA), N + 1, blending=blending, arithmetic=BALLS)
    data = BALLS.array(DATA)
    truth, answers = _x_sin_x(data), _x_sin_x(code.encode(data))
    errors = []
    for survivors in combinations(range(N + 1), N + 1 - s):
        errors.extend(np.abs(code.decode(answers[list(survivors)], survivors) - truth))
    return maximum(errors)
