"""Berrut approximated coded computing: its error bounds, for every set of stragglers at once."""

from __future__ import annotations

from collections.abc import Iterator

from codedtheory.arithmetic import ball, cyclotomic
from codedtheory.claims import Comparison, at_most, claim, derived, published, sweep
from codedtheory.interpolation import chebyshev_second
from codedtheory.interpolation.bacc_error_bounds import BaccErrorForm, bacc_error_factor
from codedtheory.interpolation.error_bounds import error_bound
from codedtheory.interpolation.geometry import max_gap, mesh_ratio
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.worst_error import worst_error_over_stragglers, worst_linear_error_over_stragglers

BACC = published("Jahani-Nezhad & Maddah-Ali 2023", arxiv="2009.08327", wording="recalled")
BALLS = ball(64)
SCHEME = (
    r"h=f\circ u\in C^2[-1,1] \text{ at } z_i=\cos\tfrac{i\pi}N,\ 0\le i\le N,\ "
    r"0\le s\le N-1 \text{ answers lost}, a=\tfrac\pi{2N}:\quad "
)
ENUMERATED = "All survivor sets; for each the sharp constants (Peano kernel) are enclosed over [-1, 1]. "


@claim(
    "bacc.error.odd",
    statement=SCHEME + r"N-s \text{ odd}:\quad \|h-r_F\|_{[-1,1]}\le2(1+R)\sin\big(\tfrac{(s+1)\pi}{2N}\big)\|h''\|,\ "
    r"R=\tfrac{\pi^2}4(s+1)(s+3), \text{ for every survivor set } F",
    source=BACC,
    over=sweep("1 <= N <= 12", "0 <= s < N", where="(N - s) % 2 == 1", default="N <= 9", quick="N <= 3"),
    method=ENUMERATED + "True for all N and s by bacc.error.mono.proof. As recalled, with N + 1 workers.",
    cost="comb(N + 1, s)",
)
def bacc_error_odd(N: int, s: int) -> Comparison:
    """The error bound of BACC as recalled, N - s odd: holds for every h and every survivor set."""
    return at_most(_second(N, s), bacc_error_factor(N + 1, s, "published", arithmetic=BALLS))


@claim(
    "bacc.error.even",
    statement=SCHEME + r"N-s \text{ even}:\quad \|h-r_F\|_{[-1,1]}\le2(1+R)\sin\big(\tfrac{(s+1)\pi}{2N}\big)"
    r"\big(\|h''\|+\|h'\|\big),\ R=\tfrac{\pi^2}4(s+1)(s+3), \text{ for every survivor set } F",
    source=BACC,
    over=sweep("2 <= N <= 12", "0 <= s < N", where="(N - s) % 2 == 0", default="N <= 8", quick="N <= 3"),
    method=ENUMERATED + "True for all N and s by bacc.error.mono.proof. As recalled, with N + 1 workers.",
    cost="comb(N + 1, s)",
)
def bacc_error_even(N: int, s: int) -> Iterator[Comparison]:
    """The error bound of BACC as recalled, N - s even: the slope of h enters, lines are missed."""
    yield from _both_constants(N, s, "published")


@claim(
    "bacc.error.sharp1",
    statement=SCHEME + r"\|h-r_F\|_{[-1,1]}\le2\big(1+(s+1)(s+3)\big)\sin\big(\tfrac{(s+1)\pi}{2N}\big)"
    r"\big(\|h''\|+[N-s\text{ even}]\,\|h'\|\big) \text{ for every } F",
    source=derived("cheb2.R.sharp and berrut.den.offhull replace what the published form estimates"),
    over=sweep("1 <= N <= 12", "0 <= s < N", default="N <= 7", quick="N <= 2"),
    method=ENUMERATED + "True for all N and s by bacc.error.mono.proof.",
    cost="comb(N + 1, s)",
)
def bacc_error_sharp1(N: int, s: int) -> Iterator[Comparison]:
    """The error bound of BACC holds without its factor pi^2/4."""
    yield from _both_constants(N, s, "sharp1")


@claim(
    "bacc.error.sharp2",
    statement=SCHEME + r"\|h-r_F\|_{[-1,1]}\le\max(\Gamma_{\mathrm{hull}},\Gamma_{\mathrm{off}})"
    r"\big(\|h''\|+[N-s\text{ even}]\,\|h'\|\big),\ "
    r"\Gamma_{\mathrm{hull}}=2\sin((s+1)a)\max\{1,\tfrac{2+R_{\mathrm{ex}}}8\},\ "
    r"\Gamma_{\mathrm{off}}=2\sin^2(sa)\Big(1+\tfrac{\sin^2(sa)}{\sin((2s+1)a)\sin a}\Big),\ "
    r"R_{\mathrm{ex}}=\tfrac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a}",
    source=derived("berrut.den.sharp on the hull, berrut.den.offhull.cheb2 beyond it"),
    over=sweep("1 <= N <= 12", "0 <= s < N", default="N <= 7", quick="N <= 2"),
    method=ENUMERATED + "True for all N and s by bacc.error.sharp2.proof.",
    cost="comb(N + 1, s)",
)
def bacc_error_sharp2(N: int, s: int) -> Iterator[Comparison]:
    """The error bound of BACC with the exact ratio of adjacent gaps."""
    yield from _both_constants(N, s, "sharp2")


@claim(
    "bacc.error.sharp2.hull",
    statement=SCHEME
    + r"0\le s\le N-2:\quad \|h-r_F\|\le\Gamma_{\mathrm{hull}}\big(\|h''\|+[N-s\text{ even}]\,\|h'\|\big) "
    r"\text{ on the survivors' hull}",
    source=derived("berrut.den.sharp with the largest gap and the largest ratio"),
    over=sweep("2 <= N <= 12", "0 <= s <= N - 2", default="N <= 7", quick="N <= 3"),
    method="All survivor sets; the sharp constants are enclosed over the survivors' hull. True for all N and s by "
    "bacc.error.sharp2.proof.",
    cost="comb(N + 1, s)",
)
def bacc_error_sharp2_hull(N: int, s: int) -> Iterator[Comparison]:
    """Between the outermost survivors the hull part of the sharp bound suffices."""
    factor = bacc_error_factor(N + 1, s, "sharp2", "hull", BALLS)
    yield at_most(worst_error_over_stragglers(N + 1, s, "hull", BALLS, "1e-2").value, factor, "second derivative")
    if (N - s) % 2 == 0:
        yield at_most(worst_linear_error_over_stragglers(N + 1, s, "hull", BALLS, "1e-2").value, factor, "slope")


@claim(
    "bacc.error.mono",
    statement=SCHEME + r"\|h-r_F\|_{[-1,1]}\le2(s+2)\sin\big(\tfrac{(s+1)\pi}{2N}\big)"
    r"\big(\|h''\|+[N-s\text{ even}]\,\|h'\|\big) \text{ for every } F",
    source=derived("the published form with R = s + 1, of order s^2/N instead of s^3/N"),
    over=sweep("1 <= N <= 12", "0 <= s < N", default="N <= 7", quick="N <= 2"),
    method=ENUMERATED + "True for all N and s by bacc.error.mono.proof.",
    cost="comb(N + 1, s)",
)
def bacc_error_mono(N: int, s: int) -> Iterator[Comparison]:
    """In the error bound of BACC the ratio of adjacent gaps may be replaced by s + 1."""
    yield from _both_constants(N, s, "sharp3")


@claim(
    "bacc.error.offhull.fh",
    statement=r"n=N-s \text{ odd}, x=\pm1:\quad \sup_{\|f''\|\le1}|f(x)-r_F(x)|\le h(1+\beta)\frac{x_n-x_0}2, "
    r"\text{ with } h,\beta,x_0,x_n \text{ of the survivors}",
    source=derived("the Floater-Hormann bound as it reads, at points of [-1, 1] outside the hull"),
    over=sweep(
        "1 <= N <= 7",
        "0 <= s < N",
        "F in subsets(N + 1, N + 1 - s)",
        where="(N - s) % 2 == 1",
        default="N <= 5",
        quick="N <= 3",
    ),
    expected="fails",
    corrected_by="berrut.error.pointwise",
    method="The kernel is integrated at 1 and -1 in a cyclotomic field. On the hull the bound is right (fh.error.0).",
)
def bacc_error_offhull_fh(N: int, s: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """The Floater-Hormann bound of the survivors would also hold outside their hull."""
    yield from _floater_hormann_at_the_ends(N, F)


@claim(
    "bacc.error.offhull.fh.four",
    statement=r"n=N-s\ge3 \text{ odd}, x=\pm1:\quad \sup_{\|f''\|\le1}|f(x)-r_F(x)|\le h(1+\beta)\frac{x_n-x_0}2",
    source=derived("the same reading, for four survivors at least"),
    over=sweep(
        "3 <= N <= 7",
        "0 <= s <= N - 3",
        "F in subsets(N + 1, N + 1 - s)",
        where="(N - s) % 2 == 1",
        default="N <= 6",
        quick=("N == 6", "s == 3", "max(F) <= 5"),
    ),
    expected="fails",
    corrected_by="berrut.error.pointwise",
    method="The kernel is integrated at 1 and -1 in a cyclotomic field.",
)
def bacc_error_offhull_fh_four(N: int, s: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """The Floater-Hormann bound would hold outside the hull if at least four workers survive."""
    yield from _floater_hormann_at_the_ends(N, F)


@claim(
    "bacc.error.offhull.fh.length",
    statement=r"n=N-s\ge3 \text{ odd}, x=\pm1:\quad \sup_{\|f''\|\le1}|f(x)-r_F(x)|\le h(1+\beta), "
    r"\text{ the length of } [-1,1] \text{ instead of that of the hull}",
    source=derived("an attempt to repair the reading"),
    over=sweep(
        "3 <= N <= 7",
        "0 <= s <= N - 3",
        "F in subsets(N + 1, N + 1 - s)",
        where="(N - s) % 2 == 1",
        quick=("N == 7", "s == 4", "max(F) <= 4"),
    ),
    expected="fails",
    corrected_by="berrut.error.pointwise",
    method="The kernel is integrated at 1 and -1 in a cyclotomic field.",
)
def bacc_error_offhull_fh_length(N: int, s: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    """With the length of [-1, 1] the Floater-Hormann bound would hold outside the hull."""
    field = cyclotomic(2 * N)
    nodes = chebyshev_second(N + 1).take(F)
    bound = max_gap(nodes, field) * (1 + mesh_ratio(nodes, field))
    for x in (1, -1):
        yield at_most(error_constants_at(x, nodes, arithmetic=field).second, bound, f"x = {x}")


def _floater_hormann_at_the_ends(N: int, F: tuple[int, ...]) -> Iterator[Comparison]:
    field = cyclotomic(2 * N)
    nodes = chebyshev_second(N + 1).take(F)
    bound = error_bound(nodes, 0, {2: 1}, arithmetic=field)
    for x in (1, -1):
        yield at_most(error_constants_at(x, nodes, arithmetic=field).second, bound, f"x = {x}")


def _both_constants(N: int, s: int, form: BaccErrorForm) -> Iterator[Comparison]:
    factor = bacc_error_factor(N + 1, s, form, arithmetic=BALLS)
    yield at_most(_second(N, s), factor, "second derivative")
    if (N - s) % 2 == 0:
        yield at_most(worst_linear_error_over_stragglers(N + 1, s, "interval", BALLS, "1e-2").value, factor, "slope")


def _second(N: int, s: int) -> object:
    """Enclose the worst constant of the second derivative over [-1, 1] and all sets of survivors."""
    return worst_error_over_stragglers(N + 1, s, "interval", BALLS, "1e-2").value
