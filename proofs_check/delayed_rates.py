"""How fast quadratic modes shrink under stale gradients: where staleness helps, by how much, and published rates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Ball, Rational, cyclotomic, eigenvalues, maximum
from codedtheory.claims import (
    Comparison,
    at_most,
    claim,
    close,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import (
    averaged_ages,
    averaged_saving_ceiling,
    averaged_saving_limit,
    characteristic_polynomial,
    constant_age,
    constant_saving_ceiling,
    constant_saving_limit,
    is_faster_than_descent,
    mode_rate,
    speed_up_crossing,
)

AVERAGED = r"x_{t+1}=x_t-\tfrac a{s+1}\textstyle\sum_{d=0}^sx_{t-d}"
SAVING = r"1-\tfrac{\log(1-a)}{\log\rho(a)}"
IAG = published(
    "Gurbuzbalaban, Ozdaglar & Parrilo 2017, SIAM J. Optim. 27:1035-1048", arxiv="1506.02081", wording="recalled"
)
PIAG = published("Vanli, Gurbuzbalaban & Ozdaglar 2016", arxiv="1608.01713", wording="recalled")
# per cent of the steps and a at the ceiling; for averaged ages the rate as well
AVERAGED_CEILINGS = {
    1: ("52.314", "0.343146", "0.414214"),
    2: ("54.857", "0.221212", "0.574743"),
    3: ("56.027", "0.164105", "0.665215"),
    5: ("57.158", "0.108577", "0.764693"),
}
CONSTANT_CEILINGS = {1: "58.496", 2: "60.455", 3: "61.257"}


@claim(
    "delay.speedup",
    statement=AVERAGED + r": \text{ a root } z(a) \text{ starts at } 1 \text{ and } \log z=\log(1-a)"
    r"\big(1+\tfrac{as}2+O(a^2)\big), \text{ for all } s",
    source=derived("implicit function theorem at a = 0"),
    method="The terms z^-d = 1 + d a + O(a^2) of z = 1 - a + k a^2 put into the characteristic equation; sums of the "
    "ages by induction. Coefficients of powers of a are compared. All other roots start at 0.",
)
def delay_speedup() -> Iterator[Comparison]:
    """Staleness acts as momentum: small steps gain a factor 1 + as/2 in the exponent."""
    import sympy

    (s, j), (a, d, z2) = nonnegative("s j"), arbitrary("a d k")
    z = 1 - a + z2 * a**2
    yield equal(sympy.series(z ** (-d), a, 0, 2).removeO(), 1 + d * a, "one age to first order")
    yield from induction(base=equal(_ages(j).subs(j, 0), 0), step=equal(_ages(j) + j + 1, _ages(j + 1)))
    equation = sympy.expand(z - 1 + a / (s + 1) * ((s + 1) + a * _ages(s)))
    yield equal(equation.coeff(a, 1), 0, "order a")
    second = sympy.solve(equation.coeff(a, 2), z2)[0]
    yield equal(equation.coeff(a, 2).subs(z2, second), 0, "order a^2")
    logarithm = sympy.expand(sympy.series(sympy.log(1 - a), a, 0, 3).removeO() * (1 + a * s / 2))
    root = sympy.expand(sympy.series(sympy.log(z.subs(z2, second)), a, 0, 3).removeO())
    for order in (1, 2):
        yield equal(root.coeff(a, order), logarithm.coeff(a, order), f"logarithms, order {order}")


@claim(
    "delay.speedup.crossing",
    statement=AVERAGED + r" \text{ shrinks a mode faster than } |1-a| \text{ iff } "
    r"a<.500,\ .3463,\ .2655\ (s=1,2,3), \text{ at } a=\tfrac k{1000} \text{ of the stability limit}",
    source=derived("roots of p((1 - a) z) inside the unit circle, by Schur-Cohn"),
    over=sweep("1 <= k <= 999", default="k % 10 == 0", quick="k % 50 == 0", s=(1, 2, 3)),
    method="Schur-Cohn test at the limit rounded down times k/1000; and a bisected bracket of the crossing.",
)
def delay_speedup_crossing(k: int, s: int) -> Iterator[Comparison]:
    """Up to which step averaged ages beat fresh gradients."""
    faster, slower = speed_up_crossing(s)
    crossing = Rational({1: "0.5", 2: "0.3463", 3: "0.2655"}[s])
    yield close(faster, crossing, "5e-5", "crossing")
    a = Rational(k, 1000) * {1: Rational(2), 2: Rational("1.5"), 3: Rational("1.17157")}[s]
    if not faster < a < slower:
        yield equal(int(is_faster_than_descent(averaged_ages(s), a)), int(a <= faster), "1 stands for faster")


@claim(
    "delay.ceiling",
    statement=r"\text{averaged ages: the largest } " + SAVING + r" \text{ is } "
    r"52.314,\ 54.857,\ 56.027,\ 57.158\,\%\ (s=1,2,3,5), \text{ at the } a \text{ and } \rho \text{ of a double root}",
    source=derived("a as a function of a real root is largest where two real roots meet"),
    over=sweep("1 <= s <= 5", where="s != 4"),
    method="The double root in 128-bit balls, against decimals; that it is where most is saved: delay.ceiling.largest.",
)
def delay_ceiling(s: int) -> Iterator[Comparison]:
    """The most that averaged ages can save of the steps on one mode."""
    saving, a, rate = AVERAGED_CEILINGS[s]
    found = averaged_saving_ceiling(s)
    yield close(found.saving * 100, Rational(saving), "5e-4", "per cent")
    yield close(found.a, Rational(a), "1e-6", "a")
    yield close(found.rate, Rational(rate), "1e-6", "rate")


@claim(
    "delay.ceiling.largest",
    statement=r"\text{averaged ages, every } 0<a<1 \text{ at which the mode shrinks: } "
    + SAVING
    + r" \text{ is at most its value at the double root } r",
    source=derived("up to the double root a real root is at most the rate; beyond it two roots have moduli above r"),
    over=sweep("1 <= s <= 40", default="s <= 16", quick="s <= 6"),
    method="A root z has a = g(z) = (s+1)z^s(1-z)/(1+z+...+z^s), largest at r; c log(r) = log(1-g(r)). Up to g(r): c "
    "log(z) - log(1-g) is 0 at r and 1 and its slope changes sign once (balls), so it is positive between. Beyond: "
    "roots on |z| = r move outwards, as Re(z g'/g) = 2d(r) - m d(r^m) > 0, m = s+1, with the d of "
    "delay.ceiling.outwards at the angles t and mt, and 1 - cos(mt) <= m^2(1 - cos(t)); the double root splits "
    "outwards, too. This part is linear in 1/(1 - cos(t)) >= 1/2.",
)
def delay_ceiling_largest(s: int) -> Iterator[Comparison]:
    """No step saves more than the one at which the two largest roots meet."""
    ceiling, m = averaged_saving_ceiling(s), s + 1
    a, r, R = ceiling.a, ceiling.rate, ceiling.rate**m
    c = (1 - a).log() / r.log()
    yield close(1 - c, ceiling.saving, "1e-30", "saving at the double root")
    yield close(s - 2 * r / (1 - r) + m * R / (1 - R), 0, "1e-30", "g is stationary")
    for k, coefficient in enumerate(_slope(s, c)):
        sign = greater_than if k <= s else less_than
        yield sign(coefficient, 0, f"slope, coefficient of z^{k}")
    for name, here, apart in (("small angles", 1, 0), ("all angles", Rational(1, 2), 2)):
        outwards = 2 * r * (1 + r) * (1 - R) * ((1 - R) ** 2 * here / m**2 + apart * R)
        inwards = m * R * (1 + R) * (1 - r) * ((1 - r) ** 2 * here + apart * r)
        yield greater_than(outwards, inwards, name)


@claim(
    "delay.ceiling.outwards",
    statement=r"z=re^{\mathrm it},\ x=1-\cos t:\quad \frac r{1-r}-\mathrm{Re}\frac "
    r"z{1-z}=\frac{r(1+r)x}{(1-r)((1-r)^2+2rx)}=:d(r)",
    source=derived("real part of a geometric series on a circle"),
    method="z/(1-z) = 1/(1-z) - 1, and |1-z|^2 = (1-r)^2 + 2rx; y is the sine of t.",
)
def delay_ceiling_outwards() -> Iterator[Comparison]:
    """On a circle the real part of z/(1 - z) is largest on the positive axis, by a margin."""
    r, x, y = arbitrary("r x y")
    size = (1 - r) ** 2 + 2 * r * x
    yield equal((1 - r * (1 - x)) ** 2 + r**2 * y**2, size, "|1 - z|^2", modulo=[(1 - x) ** 2 + y**2 - 1])
    yield equal(r / (1 - r) - ((1 - r * (1 - x)) / size - 1), _margin(r, x), "margin")


@claim(
    "delay.ceiling.double",
    statement=r"\text{the ceilings' double roots: } z^2-(1-\tfrac a2)z+\tfrac a2 \text{ at } a=6-4\sqrt2,\ z=\sqrt2-1; "
    r"\quad z^{\tau+1}-z^\tau+a \text{ at } a=\tfrac{\tau^\tau}{(\tau+1)^{\tau+1}},\ z=\tfrac\tau{\tau+1}",
    source=derived("the polynomial and its derivative vanish"),
    over=sweep("1 <= tau <= 40", default="tau <= 20", quick="tau <= 5"),
    method="Exactly, in the cyclotomic field of the square root of 2 and in rationals.",
)
def delay_ceiling_double(tau: int) -> Iterator[Comparison]:
    """Where the two largest roots meet, for two averaged ages and for constant delays."""
    root = cyclotomic(8).cos_pi(Fraction(1, 4)) * 2
    averaged = characteristic_polynomial(averaged_ages(1), 6 - 4 * root)
    a, z = Rational(tau**tau, (tau + 1) ** (tau + 1)), Rational(tau, tau + 1)
    constant = characteristic_polynomial(constant_age(tau), a)
    for name, p, at in (("averaged", averaged, root - 1), ("constant", constant, z)):
        yield equal(sum(c * at**k for k, c in enumerate(p)), 0, f"{name}: root")
        yield equal(sum(k * c * at ** (k - 1) for k, c in enumerate(p) if k), 0, f"{name}: double")


@claim(
    "delay.ceiling.constant",
    statement=r"\text{constant delay: the largest } " + SAVING + r" \text{ is } 58.496,\ 60.455,\ 61.257\,\%"
    r"\ (\tau=1,2,3)",
    source=derived("a = z^tau (1 - z) is largest at z = tau/(tau + 1)"),
    over=sweep("1 <= tau <= 3"),
    method="128-bit balls, against decimals; that it is the largest: delay.ceiling.constant.largest.",
)
def delay_ceiling_constant(tau: int) -> Comparison:
    """The most that a constant delay can save of the steps on one mode."""
    return close(constant_saving_ceiling(tau).saving * 100, Rational(CONSTANT_CEILINGS[tau]), "5e-4", "per cent")


@claim(
    "delay.ceiling.constant.largest",
    statement=r"\text{constant delay, every } 0<a<1 \text{ at which the mode shrinks: } "
    + SAVING
    + r" \text{ is at most its value at the double root } r=\tfrac\tau{\tau+1}, \text{ for all } \tau\ge1",
    source=derived("up to the double root a real root is at most the rate; beyond it two roots have moduli above r"),
    method="A root z has a = g(z) = p(1-z), p = z^tau; c log(r) = log(1-g(r)), 0 < c < 1 and w = 1 - c. Up to g(r): c "
    "log(z) - log(1-g) is 0 at r and 1; z(1-g)/p times its slope falls, so that it is positive between. Beyond: roots "
    "on |z| = r move outwards, as Re(z g'/g) = tau - Re(z/(1-z)) > 0, which is the d of delay.ceiling.outwards; the "
    "double root splits outwards, too.",
)
def delay_ceiling_constant_largest() -> Iterator[Comparison]:
    """With a constant delay, too, most is saved where the two largest roots meet."""
    (t, p, c, w, x), (z, d, e) = positive("tau p c w x"), nonnegative("z d e")
    slope = c / p + (t - c) - (t + w) * z
    yield equal(c * (1 - p * (1 - z)) + t * p * (1 - z) - p * z, p * slope.subs(w, 1 - c), "slope")
    yield at_most(slope.subs({p: p + d, z: z + e}, simultaneous=True), slope, "falls")
    r = t / (t + 1)
    yield less_than((1 - r) / (1 + p), 1 - r, "r^tau < 1, so 1 - g(r) > r and c < 1")
    yield equal(t - r / (1 - r), 0, "g is stationary at r")
    yield greater_than(_margin(r, x), 0, "roots on |z| = r move outwards")


@claim(
    "delay.ceiling.limit",
    statement=r"\text{the ceilings grow towards } 1-\tfrac y{e^y-1}=59.36\,\%,\ 2(1-e^{-y})=y, \text{ and } "
    r"1-\tfrac1e=63.2\,\%",
    source=derived("double roots e^(-y/s) and tau/(tau + 1) for many ages"),
    over=sweep("1 <= s <= 200", default="s <= 30", quick="s <= 10"),
    method="128-bit balls; the distance to the limit is below 1/(2s).",
)
def delay_ceiling_limit(s: int) -> Iterator[Comparison]:
    """What staleness of many ages can save of the steps on one mode."""
    yield close(averaged_saving_limit() * 100, Rational("59.36"), "5e-3", "averaged, per cent")
    yield close(constant_saving_limit() * 100, Rational("63.2"), "5e-2", "constant, per cent")
    for name, of, limit in (
        ("averaged", averaged_saving_ceiling, averaged_saving_limit()),
        ("constant", constant_saving_ceiling, constant_saving_limit()),
    ):
        now, following = of(s).saving, of(s + 1).saving
        yield less_than(now, following, f"{name}: grows")
        yield less_than(following, limit, f"{name}: below the limit")
        yield less_than(limit - now, Rational(1, 2 * s), f"{name}: close to the limit")


@claim(
    "delay.iag",
    statement=r"\text{quadratics } h=\mu+\tfrac j4(L-\mu), \text{ ages } 0,\dots,K \text{ averaged, } "
    r"\eta=\tfrac{8\mu}{25KL(\mu+L)}:\quad \rho\le1-\tfrac{2}{25K(2K+1)(Q+1)^2},\ Q=\tfrac L\mu",
    source=IAG,
    hypotheses="quadratic functions with equal Hessians, of which L and mu are the ends",
    over=sweep("1 <= K <= 12", "0 <= j <= 4", default="K <= 6", quick="K <= 3", Q=(1, 2, 5, 50)),
    method="Largest root modulus in 128-bit balls.",
)
def delay_iag(K: int, j: int, Q: int) -> Comparison:
    """The step of incremental aggregated gradients contracts pipelined ones as stated."""
    a = (1 + Rational(j * (Q - 1), 4)) * _iag_step(K, Q)
    return at_most(mode_rate(averaged_ages(K), a), _iag_rate(K, Q))


@claim(
    "delay.iag.cycle",
    statement=r"f_j(x)=\tfrac{h_j}2x^2,\ h_j\in\{1,4\}, \text{ evaluated in turn}, K=n-1,\ "
    r"\eta=\tfrac{8\mu}{25KL(\mu+L)}:\quad \rho^n\le\big(1-\tfrac{2}{25K(2K+1)(Q+1)^2}\big)^n",
    source=IAG,
    hypotheses="scalar quadratics with different curvatures, of which L = mu is the mean",
    over=sweep("1 <= K <= 4", "0 <= heavy < 2**(K + 1)", default="K <= 3", quick="K <= 2"),
    method="Spectral radius of the product of the n steps of a cycle, in balls; bit j of `heavy` tells h_j.",
)
def delay_iag_cycle(K: int, heavy: int) -> Comparison:
    """Incremental aggregated gradients with different curvatures contract at the stated rate."""
    curvatures = [Rational(4 if heavy >> j & 1 else 1) for j in range(K + 1)]
    mean = sum(curvatures) / (K + 1)
    radius = maximum([abs(root) for root, _ in eigenvalues(_cycle(curvatures, _iag_step(K, 1) / mean))])
    return at_most(radius, _iag_rate(K, 1) ** (K + 1))


@claim(
    "delay.iag.proximal",
    statement=r"\text{quadratics } h=\mu+\tfrac j4(L-\mu), \text{ ages } 0,\dots,K \text{ averaged, } "
    r"\eta=\tfrac{16}\mu\big[(1+\tfrac1{48Q})^{1/(K+1)}-1\big]:\quad \rho\le1-\tfrac1{49Q(K+1)}",
    source=PIAG,
    hypotheses="quadratic functions with equal Hessians, of which L and mu are the ends",
    over=sweep("1 <= K <= 12", "0 <= j <= 4", default="K <= 6", quick="K <= 3", Q=(1, 2, 5, 50)),
    method="Largest root modulus in 128-bit balls, for the lower end of an enclosure of the step.",
)
def delay_iag_proximal(K: int, j: int, Q: int) -> Comparison:
    """The step of the proximal method contracts pipelined gradients at the stated rate."""
    growth: Ball = (Ball(1 + Rational(1, 48 * Q), 192).log() / (K + 1)).exp() - 1
    a = (1 + Rational(j * (Q - 1), 4)) * growth.lower * 16
    return at_most(mode_rate(averaged_ages(K), a), 1 - Rational(1, 49 * Q * (K + 1)))


def _ages(s: Any) -> Any:
    """Return 0 + 1 + ... + s."""
    return s * (s + 1) / 2


def _slope(s: int, c: Ball) -> list[Any]:
    """Return z P Q times the slope of c log(z) - log(1 - g), where 1 - g = Q/P, as coefficients from the 0th on."""
    P = np.ones(s + 1, dtype=object)
    Q = np.append(P, 0)
    Q[[s, s + 1]] += np.array([-s - 1, s + 1], dtype=object)
    bends = np.convolve(P * np.arange(s + 1), Q) - np.convolve(P, Q * np.arange(s + 2))
    return [c * k + int(bend) for k, bend in zip(np.convolve(P, Q), bends, strict=True)]


def _margin(r: Any, x: Any) -> Any:
    return r * (1 + r) * x / ((1 - r) * ((1 - r) ** 2 + 2 * r * x))


def _iag_step(K: int, Q: int) -> Rational:
    """Return the step 8 mu/(25 K L (mu + L)) times mu."""
    return Rational(8, 25 * K * Q * (1 + Q))


def _iag_rate(K: int, Q: int) -> Rational:
    return Rational(25 * K * (2 * K + 1) * (Q + 1) ** 2 - 2, 25 * K * (2 * K + 1) * (Q + 1) ** 2)


def _cycle(curvatures: list[Rational], step: Rational) -> Any:
    """Return what a cycle of incremental aggregated gradients does to the iterate and the gradients' points."""
    n = len(curvatures)
    whole = np.array([[Rational(int(i == k)) for k in range(n + 1)] for i in range(n + 1)], dtype=object)
    for j in range(n):
        one = np.array([[Rational(int(i == k)) for k in range(n + 1)] for i in range(n + 1)], dtype=object)
        one[1 + j] = [Rational(int(k == 0)) for k in range(n + 1)]
        one[0] = one[0] - sum(one[1 + k] * h for k, h in enumerate(curvatures)) * step / n
        whole = one @ whole
    return whole
