"""Gradient descent with stale gradients on quadratics: which steps are stable, and what staleness does to the rate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from codedtheory.arithmetic import Algebraic, Rational, ball
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
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
    averaged_delay_stability,
    bracket_change,
    characteristic_polynomial,
    constant_age,
    constant_delay_stability,
    is_stable,
)

CONSTANT = r"x_{t+1}=x_t-ax_{t-\tau}"
AVERAGED = r"x_{t+1}=x_t-\tfrac a{s+1}\textstyle\sum_{d=0}^sx_{t-d}"
CROSSINGS = (
    "For a < 0 a real root exceeds 1; at a = 0 the roots are 0 and a simple 1, which moves inwards; the roots on the "
    "unit circle at larger a are found, and all of them move outwards, so that none returns. "
)
DELAYED = published("Choi, Choi & Seok 2023", arxiv="2308.11984", wording="seen", place="abstract")
WIDTH = "1/10000000000"


@claim(
    "delay.const",
    statement=CONSTANT
    + r" \text{ is asymptotically stable iff } 0<a<2\sin\tfrac\pi{2(2\tau+1)}, \text{ for all } \tau",
    source=derived("roots z of z^(tau+1) - z^tau + a on the unit circle have z^(2 tau+1) = -1; classical"),
    method=CROSSINGS + "z = e^(i theta) = c + i r = y^2, y = g + i h, x = 1 - c, and t is tau.",
)
def delay_const() -> Iterator[Comparison]:
    """For which steps descent with a constant delay is stable, for every delay."""
    import sympy

    i = sympy.I
    (a, x), (t,) = positive("a x"), nonnegative("t")
    (z, c, g), (r, h) = arbitrary("z c g"), sympy.symbols("r h", real=True)
    yield from _start(sum_of_weights=1)
    # on the circle z^t (z - 1) = -a and its conjugate z^-t (1/z - 1) = -a; their quotient and their product
    yield equal((z - 1) / (1 / z - 1), -z, "quotient: z^(2t) = -1/z")
    yield equal((z - 1) * (1 / z - 1), 2 - z - 1 / z, "product: a^2 = 2 - 2 cos(theta)")
    yield equal((g + i * h) * (g - i * h), 1, "1/y is the conjugate of y", modulo=[g**2 + h**2 - 1])
    yield equal((g + i * h) - (g - i * h), 2 * i * h, "z^t (z - 1) = y^(2t+1) (y - 1/y), and y^(4t+2) = -1")
    yield equal(i * (2 * i * h), -2 * h, "y^(2t+1) = i: a = 2 sin(theta/2), smallest at theta = pi/(2t+1)")
    yield equal(-i * (2 * i * h), 2 * h, "y^(2t+1) = -i: a < 0")
    # d log(z)/da = -1/(z F_z) with F = z^t (z - 1) + a and z^t = -a/(z - 1)
    q, q_bar = x + i * r, x - i * r
    speed = -1 / (-a * (t + 1 / q))
    size = (1 + t * x) ** 2 + t**2 * r**2
    yield equal(1 - (c - i * r), (1 - c) + i * r, "q = 1 - 1/z")
    yield equal(speed, (q + t * q * q_bar) / (a * size), "speed of a crossing")
    yield equal(x + t * q * q_bar, x * (1 + 2 * t), "its real part, up to a factor", modulo=[x**2 + r**2 - 2 * x])
    yield greater_than(x * (1 + 2 * t) / (a * size), 0, "crossings go outwards")


@claim(
    "delay.const.bracket",
    statement=CONSTANT + r": \text{ stability ends within } 10^{-10} \text{ of } 2\sin\tfrac\pi{2(2\tau+1)}",
    source=derived("roots z of z^(tau+1) - z^tau + a on the unit circle have z^(2 tau+1) = -1; classical"),
    over=sweep("0 <= tau <= 60", default="tau <= 24", quick="tau <= 8"),
    method="Schur-Cohn test at rational a, bisected; the limit in a cyclotomic field, and a root on the unit circle "
    "there.",
)
def delay_const_bracket(tau: int) -> Iterator[Comparison]:
    """The largest stable step with a constant delay, bracketed by exact stability tests."""
    yield from _bracketed(constant_age(tau), constant_delay_stability(tau), Fraction(1, 2 * tau + 1))


@claim(
    "delay.avg",
    statement=AVERAGED
    + r" \text{ is asymptotically stable iff } 0<a<2(s+1)\sin^2\tfrac\pi{2(s+1)}, \text{ for all } s",
    source=derived("multiplied by 1 - 1/z, roots on the unit circle have z^(s+1) = -1"),
    method=CROSSINGS + "z = e^(i theta) = c + i r, w = z^-(s+1) = u + i v, m = s + 1, h is the sine of theta/2.",
)
def delay_avg() -> Iterator[Comparison]:
    """For which steps descent with averaged ages 0, ..., s is stable, for every s."""
    import sympy

    i = sympy.I
    (a, m), (z, w, c, u, v, h) = positive("a m"), arbitrary("z w c u v h")
    r = sympy.Symbol("r", real=True)
    yield from _start(sum_of_weights=1)
    yield from induction(
        base=equal(1 - 1 / z, 1 - 1 / z, "one age"),
        step=equal((1 - w) + w * (1 - 1 / z), 1 - w / z, "sum of z^-d, times 1 - 1/z"),
    )
    circle, real_part = [c**2 + r**2 - 1], 2 * (c - 1) + a / m * (1 - u)
    yield equal((z - 1) * (1 - 1 / z), z + 1 / z - 2, "the other term, times 1 - 1/z")
    yield equal((c + i * r) * (c - i * r), 1, "1/z is the conjugate", modulo=circle)
    yield equal((c + i * r) + (c - i * r) - 2 + a / m * (1 - u - i * v), real_part - i * v * a / m, "so v = 0")
    yield equal((u - 1) * (u + 1), -(v**2), "and u = 1 or u = -1", modulo=[u**2 + v**2 - 1])
    yield equal(real_part.subs(u, 1), 2 * (c - 1), "u = 1: z = 1, which is no root as a > 0")
    yield equal(real_part.subs(u, -1).subs(a, m * (1 - c)), 0, "u = -1: a = (s + 1)(1 - cos(theta)), theta = pi/(s+1)")
    yield equal(m * (1 - (1 - 2 * h**2)), 2 * m * h**2, "smallest a")
    # d log(z)/da = -F_a/(z F_z), where z dw/dz = -m w
    equation = _averaged_equation(z, w, a, m)
    slope = z * sympy.diff(equation, z) + sympy.diff(equation, w) * (-m * w)
    speed = -sympy.diff(equation, a).subs(w, -1) / (m * (2 * i * r - a))
    expected = (2 * a + 4 * i * r) / (m * (a**2 + 4 * r**2))
    yield equal(slope.subs(w, -1), m * ((z - 1 / z) - a), "z F_z")
    yield equal((c + i * r) - (c - i * r), 2 * i * r, "z - 1/z")
    yield equal(speed, expected, "speed of a crossing")
    yield greater_than(2 * a / (m * (a**2 + 4 * r**2)), 0, "crossings go outwards")


@claim(
    "delay.avg.bracket",
    statement=AVERAGED + r": \text{ stability ends within } 10^{-10} \text{ of } 2(s+1)\sin^2\tfrac\pi{2(s+1)}",
    source=derived("multiplied by 1 - 1/z, roots on the unit circle have z^(s+1) = -1"),
    over=sweep("0 <= s <= 60", default="s <= 24", quick="s <= 8"),
    method="Schur-Cohn test at rational a, bisected; the limit in a cyclotomic field, and a root on the unit circle "
    "there.",
)
def delay_avg_bracket(s: int) -> Iterator[Comparison]:
    """The largest stable step with averaged ages, bracketed by exact stability tests."""
    yield from _bracketed(averaged_ages(s), averaged_delay_stability(s), Fraction(1, s + 1))


@claim(
    "delay.avg.grid",
    statement=AVERAGED + r" \text{ is stable at } a=\tfrac k{24} \text{ iff } 0<a<2(s+1)\sin^2\tfrac\pi{2(s+1)}",
    source=derived("multiplied by 1 - 1/z, roots on the unit circle have z^(s+1) = -1"),
    over=sweep("0 <= s <= 24", "-6 <= k <= 60", default="s <= 9", quick="s <= 3"),
    method="Two independent exact tests, Schur-Cohn and a Sturm chain; 1 stands for stable.",
)
def delay_avg_grid(s: int, k: int) -> Iterator[Comparison]:
    """Stability with averaged ages, tested on a grid of steps."""
    a = Rational(k, 24)
    expected = int(0 < a < averaged_delay_stability(s))
    for method in ("schur-cohn", "sturm"):
        yield equal(int(is_stable(characteristic_polynomial(averaged_ages(s), a), method)), expected, method)


@claim(
    "delay.avg.mean",
    statement=AVERAGED
    + r": \text{ the limit is } 2\sin\tfrac\pi{2(2\tau+1)} \text{ with the mean age } \tau=\tfrac s2",
    source=derived("what one gets if only the mean of the ages mattered"),
    over=sweep("0 <= tau <= 24", default="tau <= 9", quick="tau <= 4"),
    expected="fails",
    corrected_by="delay.avg",
    method="Both limits in cyclotomic fields, s = 2 tau.",
)
def delay_avg_mean(tau: int) -> Comparison:
    """Averaged ages would be as stable as a constant delay equal to their mean."""
    return equal(averaged_delay_stability(2 * tau), constant_delay_stability(tau))


@claim(
    "delay.ratio",
    statement=r"\pi\big(1-\tfrac1{s+1}\big)\le\frac{2(s+1)\sin^2\frac\pi{2(s+1)}}{2\sin\frac\pi{2(2s+1)}}<\pi, \text{ "
    r"so that averaging the ages triples the largest stable step in the limit}",
    source=derived("x - x^3/6 <= sin(x) <= x"),
    hypotheses="pi^2 <= 10; t - t^3/6 <= sin(t) <= t for t >= 0",
    method="x = pi/(2(s+1)) and y = pi/(2(2s+1)); pi^2 = 10/(1 + g). The bounds of both sines are put in, p stands for "
    "pi.",
)
def delay_ratio() -> Iterator[Comparison]:
    """Averaged ages allow almost pi times the step of a constant delay equal to the oldest age."""
    (p,), (s, g, k) = positive("p"), nonnegative("s g k")
    x, y = p / (2 * (s + 1)), p / (2 * (2 * s + 1))
    x2, y2 = _square_of_pi(g) / (4 * (s + 1) ** 2), _square_of_pi(g) / (4 * (2 * s + 1) ** 2)
    largest = (2 * (s + 1) * x**2) / (2 * y)  # sines replaced by angles; what is left is a factor
    share = (2 * s + 1) / (2 * (s + 1))
    yield equal(largest, p * share, "both sines replaced by their angles")
    yield greater_than(1 - y2 / 6, share, "sin(y) >= y(1 - y^2/6): below pi")
    later = share * (1 - x2 / 6) ** 2
    yield at_least(later.subs(s, 1 + k), (1 - 1 / (s + 1)).subs(s, 1 + k), "sin(x) >= x(1 - x^2/6): above, s >= 1")
    yield equal((1 - 1 / (s + 1)).subs(s, 0), 0, "and s = 0")


@claim(
    "delay.ratio.enclosed",
    statement=r"\pi\big(1-\tfrac1{s+1}\big)\le\frac{2(s+1)\sin^2\frac\pi{2(s+1)}}{2\sin\frac\pi{2(2s+1)}}<\pi",
    source=derived("x - x^3/6 <= sin(x) <= x"),
    over=sweep("0 <= s <= 2000", default="s <= 400", quick="s <= 60"),
    method="Both limits in 128-bit balls.",
)
def delay_ratio_enclosed(s: int) -> Iterator[Comparison]:
    """Ratio of the stability limits with averaged ages and with constant delay."""
    balls = ball(128)
    ratio = averaged_delay_stability(s, balls) / constant_delay_stability(s, balls)
    yield less_than(ratio, balls.pi, "below pi")
    yield at_least(ratio, balls.pi * Rational(s, s + 1), "close to pi")


@claim(
    "delay.published",
    statement=r"\text{quadratics, } 0<h\le L,\ x_{t+1}=x_t-\eta hx_{t-\tau}:\ \text{linear convergence for } "
    r"\eta\le\tfrac1{4L}\ (\tau=1),\ \eta\le\tfrac3{10L\tau}\ (\tau\ge2), \ \eta\le\tfrac9{10L\tau}",
    source=DELAYED,
    hypotheses="quadratic functions only; the source states it for strongly convex functions, and the last step for PL "
    "functions and large tau",
    over=sweep("1 <= tau <= 60", default="tau <= 24", quick="tau <= 8"),
    method="Schur-Cohn test at the published steps; the exact limit, which all smaller steps are below, in a "
    "cyclotomic field. 1 stands for stable.",
)
def delay_published(tau: int) -> Iterator[Comparison]:
    """Published steps for delayed gradients converge on every quadratic mode."""
    for step in (_published_step(tau), Rational(9, 10 * tau)):
        yield less_than(step, constant_delay_stability(tau), "inside the exact limit")
        yield equal(int(is_stable(characteristic_polynomial(constant_age(tau), step))), 1, "Schur-Cohn")


@claim(
    "delay.published.slack",
    statement=r"4\le\frac{2\sin\frac\pi{2(2\tau+1)}}{L\eta}\le\frac{5\pi}3 \text{ for the published }\eta,\quad"
    r"\frac{2\sin\frac\pi{2(2\tau+1)}}{1/(10\tau)}\ge12\ (\tau\ge2)",
    source=derived("the exact limit behaves like pi/(2 tau)"),
    over=sweep("1 <= tau <= 400", default="tau <= 80", quick="tau <= 20"),
    method="The exact limit in 128-bit balls, or in a cyclotomic field for tau = 1, where 4 is attained.",
)
def delay_published_slack(tau: int) -> Iterator[Comparison]:
    """How conservative published steps for delayed gradients are on quadratics."""
    balls = ball(128)
    limit = constant_delay_stability(tau) if tau == 1 else constant_delay_stability(tau, balls)
    yield at_least(limit / _published_step(tau), 4, "four times the published step is stable")
    yield at_most(limit / _published_step(tau), balls.pi * Rational(5, 3), "but no more than 5.24 times")
    if tau > 1:
        yield at_least(limit * 10 * tau, 12, "twelve times the earlier step 1/(10 L tau)")


def _start(sum_of_weights: int) -> Iterator[Comparison]:
    """Compare what roots do at a = 0 and below, for z^(D+1) - z^D + a (p_0 z^D + ... + p_D)."""
    import sympy

    (a,), (z, D) = positive("a"), arbitrary("z D")
    at_one = (z ** (D + 1) - z**D + a * sum_of_weights).subs(z, 1)
    slope = sympy.diff(z ** (D + 1) - z**D, z).subs(z, 1)
    yield equal(slope, 1, "1 is a simple root at a = 0")
    yield less_than(-sum_of_weights / slope, a * 0, "dz/da there")
    yield less_than(at_one.subs(a, -a), 0, "a < 0: negative at z = 1 and positive far off")
    yield greater_than(at_one, 0, "a > 0: 1 is no root")


def _bracketed(ages: tuple[Rational, ...], limit: Any, angle: Fraction) -> Iterator[Comparison]:
    """Compare a bracket of the first loss of stability with a limit, where exp(i pi angle) has to be a root."""
    stable, unstable = bracket_change(
        lambda a: is_stable(characteristic_polynomial(ages, a)), Rational(1, 10 * len(ages)), 3, WIDTH
    )
    yield less_than(stable, limit, "stable")
    yield at_least(unstable, limit, "not stable")
    yield at_most(unstable - stable, Rational(WIDTH), "width")
    z = Algebraic.root_of_unity(angle / 2, 2 * angle.denominator)
    yield equal(sum(p * z**k for k, p in enumerate(characteristic_polynomial(ages, limit))), 0, "root on the circle")


def _averaged_equation(z: Any, w: Any, a: Any, m: Any) -> Any:
    """Return m (1 - 1/z) times the characteristic equation of m averaged ages, divided by z^(m-1); w = z^-m."""
    return m * (z - 2 + 1 / z) + a * (1 - w)


def _square_of_pi(g: Any) -> Any:
    """Return pi^2, of which only an upper bound is used."""
    return 10 / (1 + g)


def _published_step(tau: int) -> Rational:
    """Return the step that the source gives for delay tau, times L."""
    return Rational(1, 4) if tau == 1 else Rational(3, 10 * tau)
