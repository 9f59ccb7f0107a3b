"""Workers at Chebyshev points: what stragglers do to the gaps between them, and where they meet the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codedtheory.arithmetic import ball, cyclotomic
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.angles import cosine, long_sine, long_tangent, short_sine, sine
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding.collisions import chebyshev_collision_count, collisions, outside_hull
from codedtheory.interpolation import chebyshev_first, chebyshev_second
from codedtheory.interpolation.chebyshev_geometry import (
    gap_bound,
    published_adjacent_ratio,
    spacing_bound,
    worst_adjacent_ratio,
    worst_gap,
    worst_mesh_ratio,
    worst_survivor_geometry,
)
from codedtheory.interpolation.geometry import adjacent_ratio, max_gap, mesh_ratio

BACC = "Jahani-Nezhad & Maddah-Ali 2023"
BACC_ARXIV = "2009.08327"
POINTS = r"z_i=\cos\tfrac{i\pi}N,\ 0\le i\le N,\ a=\tfrac\pi{2N}:\quad "


@claim(
    "cheb2.gap",
    statement=POINTS + r"z_k-z_{k+m}=2\sin((2k+m)a)\sin(ma); \text{ with } s \text{ nodes missing } h\le2\sin((s+1)a), "
    r"\text{ attained iff } N-s \text{ is odd; for } N-s \text{ even } \max h=2\cos(a)\sin((s+1)a)",
    source=derived("m <= s + 1 and 2k + m differs from N if N - s is even and m = s + 1"),
    method="K, M, L, A, D are the turns of ka, ma, la/2, a, da; up to a right angle sine and cosine are not negative; "
    "sin((2k + m)a) = 1 - u. In the middle 2k + m = N, next to it 2k + m = N - 1.",
)
def cheb2_gap() -> Iterator[Comparison]:
    """The gap that s missing Chebyshev points open, for all N and s."""
    (K, M, L, A, D), (u, sine_of_hole), imaginary = arbitrary("K M L A D"), nonnegative("u S"), _imaginary()
    yield equal(cosine(K**2) - cosine((K * M) ** 2), 2 * sine(K**2 * M) * sine(M), "gap")
    yield equal(sine(M * L**2) - sine(M), 2 * cosine(M * L) * sine(L), "a longer hole, ma + la up to a right angle")
    yield at_most(2 * (1 - u) * sine_of_hole, 2 * sine_of_hole, "anywhere")
    yield equal(cosine(K**2) - cosine((imaginary / K) ** 2), 2 * sine(imaginary / K**2), "in the middle")
    yield equal(sine(imaginary * D), cosine(D), "2k + m = N + d")
    beside = imaginary / (A * K**2)
    yield equal(cosine(K**2) - cosine((K * beside) ** 2), 2 * cosine(A) * sine(beside), "next to the middle")
    yield equal(cosine(A) * sine(M * A) - sine(M), cosine(M * A) * sine(A), "a shorter hole in the middle is no wider")


@claim(
    "cheb2.gap.worst",
    statement=POINTS + r"\max_{|S|=s}h=2\sin((s+1)a)\ (N-s \text{ odd}),\ 2\cos(a)\sin((s+1)a)\ (N-s \text{ even})",
    source=derived("enumeration"),
    over=sweep("1 <= N <= 19", "0 <= s < N", default="N <= 11", quick="N <= 7"),
    method="All survivor sets, in a cyclotomic field.",
)
def cheb2_gap_worst(N: int, s: int) -> Comparison:
    """The largest gap over all sets of stragglers is its closed form."""
    return equal(worst_survivor_geometry(N + 1, s, cyclotomic(2 * N)).gap.value, worst_gap(N + 1, s, cyclotomic(4 * N)))


@claim(
    "cheb2.gap.hole",
    statement=POINTS + r"h(S)=2\sin((s+1)a) \text{ iff } S=\{k+1,\dots,k+s\} \text{ with } 2k+s+1=N",
    source=derived("sin((2k + m)a) = 1 only in the middle, and m <= s + 1"),
    over=sweep("1 <= N <= 11", "0 <= s < N", "S in subsets(N + 1, s)", default="N <= 8", quick="N <= 5"),
    method="Each survivor set, in a cyclotomic field.",
)
def cheb2_gap_hole(N: int, s: int, S: tuple[int, ...]) -> Comparison:
    """Only a hole of consecutive workers in the middle opens the largest gap."""
    gap = max_gap(chebyshev_second(N + 1).without(S), cyclotomic(2 * N))
    bound = gap_bound(N + 1, s, cyclotomic(4 * N))
    middle = (N - s) % 2 == 1 and tuple(range((N - s + 1) // 2, (N + s + 1) // 2)) == S
    return equal(gap, bound, "hole in the middle") if middle else less_than(gap, bound)


@claim(
    "cheb2.R",
    statement=POINTS + r"\max_{|S|=s}R=\frac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a},\ 0\le s\le N-2,"
    r" \text{ attained by losing } 2,\dots,s+1",
    source=derived("enumeration; proof in cheb2.R.proof"),
    over=sweep("2 <= N <= 19", "0 <= s <= N - 2", default="N <= 12", quick="N <= 7"),
    method="All survivor sets, in a cyclotomic field.",
)
def cheb2_R(N: int, s: int) -> Iterator[Comparison]:
    """The largest ratio of adjacent gaps over all sets of stragglers is its closed form."""
    closed_form = worst_adjacent_ratio(N + 1, s, cyclotomic(4 * N))
    yield equal(worst_survivor_geometry(N + 1, s, cyclotomic(2 * N)).adjacent_ratio.value, closed_form, "worst set")
    survivors = chebyshev_second(N + 1).without(range(2, s + 2))
    yield equal(adjacent_ratio(survivors, cyclotomic(2 * N)), closed_form, "2, ..., s + 1 lost")


@claim(
    "cheb2.R.proof",
    statement=POINTS + r"p,q\ge1,\ p+q\le s+2\le N,\ p\le j\le N-q:\quad "
    r"\frac{\sin((2j+q)a)\sin(qa)}{\sin((2j-p)a)\sin(pa)}\le\frac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a}",
    source=derived("the ratio of the gaps beside worker j falls in j, rises in q, and then falls in p"),
    method="J, P, Q, S, A are the turns of ja, pa, qa, sa, a; b, b + d, b + d + e are the squared sines of a, pa, "
    "(s + 2)a. The mirror image gives the inverse ratio.",
)
def cheb2_R_proof() -> Iterator[Comparison]:
    """No survivor set has a larger ratio of adjacent gaps, for all N and s."""
    J, P, Q, S, A = arbitrary("J P Q S A")
    (b,), (d, e) = positive("b"), nonnegative("d e")
    crossed = sine(J**2 * Q) * sine((J * A) ** 2 / P) - sine((J * A) ** 2 * Q) * sine(J**2 / P)
    yield equal(crossed, sine(P * Q) * sine(A**2), "from j to j + 1")
    yield equal(sine(P**2 * Q) * sine(Q), sine(P * Q) ** 2 - sine(P) ** 2, "j = p")
    yield equal(sine(P * Q * A) ** 2 - sine(P * Q) ** 2, sine((P * Q) ** 2 * A) * sine(A), "from q to q + 1")
    yield at_most(e / (b + d), (d + e) / b, "q = s + 2 - p, then p = 1")
    yield equal(sine(S * A**2) ** 2 - sine(A) ** 2, sine(S * A) * sine(S * A**3), "closed form")


@claim(
    "cheb2.R.published",
    statement=POINTS + r"R\le\frac{\pi^2}4(s+1)(s+3) \text{ for every survivor set}",
    source=published(BACC, arxiv=BACC_ARXIV, wording="recalled"),
    over=sweep("2 <= N <= 19", "0 <= s <= N - 2", default="N <= 11", quick="N <= 7"),
    method="All survivor sets, in balls; valid for all N and s by cheb2.R.sharp, since pi^2/4 > 1.",
)
def cheb2_R_published(N: int, s: int) -> Comparison:
    """The published bound of the ratio of adjacent gaps."""
    return at_most(
        worst_survivor_geometry(N + 1, s, ball(64)).adjacent_ratio.value, published_adjacent_ratio(s, ball(64))
    )


@claim(
    "cheb2.R.sharp",
    statement=POINTS + r"R\le\frac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a}\le(s+1)(s+3),\ 0\le s\le N-2",
    source=derived("sin(ma) <= m sin(a)"),
    hypotheses="cheb2.R.proof (first inequality)",
    method="sin(mb) <= m sin(b) for mb up to two right angles by induction; then (s + 1) sin(a) = S + f and "
    "(s + 3) sin(a) = T + g.",
)
def cheb2_R_sharp() -> Iterator[Comparison]:
    """The published bound holds without its factor pi^2/4, for all N and s."""
    yield from short_sine()
    (S, T, sigma), (f, g) = positive("S T sigma"), nonnegative("f g")
    yield at_most(S * T / sigma**2, (S + f) / sigma * (T + g) / sigma, "(s + 1)(s + 3)")


@claim(
    "cheb2.R.limit",
    statement=POINTS + r"\max_{|S|=s}R=\frac{\sin((s+1)a)\sin((s+3)a)}{\sin^2a}\ge(s+1)(s+3)"
    r"\big(1-\tfrac43(s+2)^2\sin^2\tfrac a2\big), \text{ so that } \max R\to(s+1)(s+3) \text{ as } N\to\infty",
    source=derived("sin(ma) >= m sin(a)(1 - 2(m^2 - 1)/3 sin^2(a/2))"),
    hypotheses="cheb2.R.proof; its ratio for j = p = 1, q = s + 1 is that of the survivors 0, 1, s + 2",
    method="The two sines are p sin(a) - f and q sin(a) - g, at most p x sin(a) and q y sin(a) below the multiples.",
)
def cheb2_R_limit() -> Iterator[Comparison]:
    """No constant below (s+1)(s+3) bounds the ratio of adjacent gaps for all N."""
    yield from long_sine()
    (p, q, sigma), (x, y, d, e, f, g) = positive("p q sigma"), nonnegative("x y d e f g")
    product = p * q * sigma**2 - p * sigma * (q * sigma * y - e) - q * sigma * (p * sigma * x - d) + f * g
    yield at_least(product, p * q * sigma**2 * (1 - x - y), "both sines")
    s, t = nonnegative("s t")
    shortfall = [2 * (m**2 - 1) * t**2 / 3 for m in (s + 1, s + 3)]
    yield equal(sum(shortfall), 4 * (s + 2) ** 2 * t**2 / 3, "x + y")


@claim(
    "cheb2.C",
    statement=POINTS + r"C\le2(s+1) \text{ for every survivor set}",
    source=derived("a non-negative concave function has a mean of at least half its maximum; here sin, in tangents"),
    method="A gap (k, q) at the end of (j, q), its middle angle f: both parts of z_j - z_q are trapezoids at least, by "
    "tan(mb) >= m tan(b) for b = a/2, and sin(Da) <= 2D sin(b) for D = q - k. The mirror image gives the other side.",
)
def cheb2_C() -> Iterator[Comparison]:
    """Chebyshev points stay well spaced with C at most 2(s+1), for all N and s."""
    yield from short_sine()
    yield from long_tangent()
    X, H = arbitrary("X H")
    rise = (cosine(X) - cosine(X * H**2)) * cosine(H)
    yield equal(rise, sine(H) * (sine(X) + sine(X * H**2)), "cos x - cos(x + 2h) = tan h (sin x + sin(x + 2h))")
    # tangents of (2(k - j) + D)b and of Db: m t + d and D t + e; sin(Da) = 2 D sin b - g with sin b = (1 - u)t
    (kappa, D, t), (sine_j, sine_f, sine_q, d, e, g, u) = nonnegative("kappa D t"), nonnegative("S_j S_f S_q d e g u")
    m = 2 * kappa + D
    distance = (m * t + d) * (sine_j + sine_f) + (D * t + e) * (sine_f + sine_q)
    gap = 2 * sine_f * (2 * D * t * (1 - u) - g)
    yield at_most((kappa + D) * gap, 2 * D * distance, "gap/distance ≤ 2D/(D + k - j)")
    more, rank = nonnegative("m r")
    yield at_most((rank + 1) * 2 * (1 + more) / (1 + more + rank), 2 * (1 + more), "at least as far as the ranks")


@claim(
    "cheb2.C.enumerated",
    statement=POINTS + r"\max_{|S|=s}C\le2(s+1)",
    source=derived("enumeration"),
    over=sweep("1 <= N <= 19", "0 <= s < N", default="N <= 11", quick="N <= 7"),
    method="All survivor sets, in a cyclotomic field.",
)
def cheb2_C_enumerated(N: int, s: int) -> Comparison:
    """The well-spacing constant over all sets of stragglers."""
    return at_most(worst_survivor_geometry(N + 1, s, cyclotomic(2 * N)).spacing.value, spacing_bound(s))


@claim(
    "cheb2.C.published",
    statement=POINTS + r"C\le\frac{\pi^2}2(s+1) \text{ for every survivor set}",
    source=published(BACC, arxiv=BACC_ARXIV, wording="recalled"),
    over=sweep("1 <= N <= 19", "0 <= s < N", default="N <= 11", quick="N <= 7"),
    method="All survivor sets, in balls; valid for all N and s by cheb2.C. The constant itself is recalled unsurely.",
)
def cheb2_C_published(N: int, s: int) -> Comparison:
    """The constant that the published Lebesgue bound appears to use."""
    pi = ball(64).pi
    return at_most(worst_survivor_geometry(N + 1, s, ball(64)).spacing.value, pi * pi * (s + 1) / 2)


@claim(
    "cheb2.C.best",
    statement=POINTS + r"s=0,\ 1\le q\le N:\quad C\ge q\,\frac{z_{q-1}-z_q}{z_0-z_q}\ge"
    r"\big(2-\tfrac1q\big)\big(1-\tfrac83q(q-1)\sin^2\tfrac a2\big), \text{ so that } \sup_NC=2",
    source=derived("the gap of index q from an end, as N grows"),
    method="sin(qa) = S with q sin(a) = S + f, and sin((2q - 1)a) = P sin(a) + d; where P < 0 nothing is claimed.",
)
def cheb2_C_best() -> Iterator[Comparison]:
    """Without stragglers no constant below 2 makes all Chebyshev points well spaced."""
    yield from long_sine()
    Q, A = arbitrary("Q A")
    yield equal(cosine((Q / A) ** 2) - cosine(Q**2), 2 * sine(Q**2 / A) * sine(A), "z_(q-1) - z_q")
    yield equal(1 - cosine(Q**2), 2 * sine(Q) ** 2, "z_0 - z_q")
    (S, sigma), (f, d, P) = positive("S sigma"), nonnegative("f d P")
    q = (S + f) / sigma
    yield at_least(q * (P * sigma + d) * sigma / S**2, P / q, "q (z_(q-1) - z_q)/(z_0 - z_q)")
    (n,) = positive("q")
    yield equal(((2 * n - 1) ** 2 - 1) * 2 / 3, n * (n - 1) * 8 / 3, "P = (2q - 1)(1 - 8q(q - 1)/3 sin²(a/2))")


@claim(
    "cheb2.beta",
    statement=POINTS + r"s+1\le\max_{|S|=s}\beta\le\frac{s+1}{\cos((s+2)a)},\ 0\le s\le N-3,"
    r" \text{ so that } \max\beta\to s+1 \text{ as } N\to\infty",
    source=derived("the longer of two neighbours is at least their mean, which for single gaps does not depend on k"),
    method="K, M, A are the turns of ka, ma, a; m sin(a) = S + f, tan(ma) = m t + d, cos^2(a) = c, sin^2(a) = u. "
    "The hole of s workers in the middle attains the upper value or, next to it, tan((s + 1)a)/tan(a).",
)
def cheb2_beta() -> Iterator[Comparison]:
    """The worst mesh ratio tends to s+1, not to (s+1)(s+3), for all s."""
    (K, M, A), imaginary = arbitrary("K M A"), _imaginary()
    before, after = sine(K**2 / A), sine((K * M) ** 2 * A)
    yield equal(before + after, 2 * sine(K**2 * M) * cosine(M * A), "both neighbours are single gaps")
    (g, shorter), (longer,) = positive("g g_1"), nonnegative("d_g")
    yield at_most(g / (shorter + longer), 2 * g / (2 * shorter + longer), "the longer neighbour and the mean")
    grown = sine(M * A) * cosine(M * A) - sine(M) * cosine(M * A**2)
    yield equal(grown, sine(A) * cosine(A), "sin(ma)/cos((m + 1)a) rises")
    yield from short_sine()
    (S, sigma, cosine_of_more), (f,) = positive("S sigma w"), nonnegative("f")
    yield at_most(S / (sigma * cosine_of_more), (S + f) / sigma / cosine_of_more, "upper bound")
    yield equal((after - before).subs(M, imaginary / K**2), 0, "in the middle both neighbours are equal")
    beside = imaginary / (A * K**2)
    yield equal(after.subs(M, beside), cosine(beside), "next to it the longer neighbour is sin(a)cos(ma)")
    yield from long_tangent()
    (m, t), (d, c, u) = positive("m t"), nonnegative("d c u")
    yield at_least(m * t * (c + u) + d, m * t * c * (1 - (m * t + d) * t), "in the middle at least m")


@claim(
    "cheb2.beta.worst",
    statement=POINTS + r"\max_{|S|=s}\beta=\frac{\sin((s+1)a)}{\cos((s+2)a)\sin a}\ (N-s \text{ odd}),\ "
    r"\frac{\tan((s+1)a)}{\tan a}\ (N-s \text{ even}),\ 0\le s\le N-3",
    source=derived("enumeration; the upper bound is cheb2.beta"),
    over=sweep("3 <= N <= 19", "0 <= s <= N - 3", default="N <= 11", quick="N <= 7"),
    method="All survivor sets, in a cyclotomic field.",
)
def cheb2_beta_worst(N: int, s: int) -> Comparison:
    """The largest mesh ratio over all sets of stragglers is its closed form."""
    worst = worst_survivor_geometry(N + 1, s, cyclotomic(2 * N)).mesh_ratio.value
    return equal(worst, worst_mesh_ratio(N + 1, s, cyclotomic(4 * N)))


@claim(
    "cheb2.beta.outer",
    statement=POINTS + r"\text{the survivors } 0,1,N-1,N \text{ have } \beta=\max_{|S|=N-3}R",
    source=derived("one gap between two equal ones is compared with either"),
    over=sweep("3 <= N <= 60", default="N <= 30", quick="N <= 12"),
    method="In a cyclotomic field.",
)
def cheb2_beta_outer(N: int) -> Comparison:
    """Four outer survivors have a mesh ratio as large as any ratio of adjacent gaps."""
    outer = chebyshev_second(N + 1).take(sorted({0, 1, N - 1, N}))
    return equal(mesh_ratio(outer, cyclotomic(2 * N)), worst_adjacent_ratio(N + 1, N - 3, cyclotomic(4 * N)))


@claim(
    "cheb2.hull.exit",
    statement=r"\cos\tfrac\pi{2K}>\cos\tfrac{m\pi}N \text{ iff } m>\tfrac N{2K}: "
    r"\text{ the outermost data point lies beyond all survivors iff } m>\tfrac N{2K} "
    r"\text{ workers in a row are lost from its end}",
    source=derived("the cosine falls from 0 to pi"),
    method="X, Y are the turns of half the angles; their sum, between 0 and pi, has a positive sine, and the sine of "
    "their difference has the sign of the difference.",
)
def cheb2_hull_exit() -> Iterator[Comparison]:
    """When decoding at the outermost data point is extrapolation, for all K and N."""
    (X, Y), (K, N, m) = arbitrary("X Y"), positive("K N m")
    yield equal(cosine(X**2) - cosine(Y**2), 2 * sine(X * Y) * sine(Y / X), "alpha_0 - z_m")
    yield equal(m / N - 1 / (2 * K), (m - N / (2 * K)) / N, "difference of the angles")


@claim(
    "cheb2.hull.exit.enumerated",
    statement=r"f,\ l \text{ the first and the last survivor}: \alpha_0 \text{ lies outside the hull iff } "
    r"f>\tfrac N{2K} \text{ or } l<\tfrac N{2K}; "
    r"\ \alpha_{K-1} \text{ iff } N-l>\tfrac N{2K} \text{ or } N-f<\tfrac N{2K}",
    source=derived("enumeration; the second case needs nearly all workers to be lost, from the other end"),
    over=sweep("1 <= N <= 9", "0 <= s <= N", "S in subsets(N + 1, s)", "1 <= K <= 5", default="N <= 6", quick="N <= 4"),
    method="Each survivor set; hull membership is decided on the angles.",
)
def cheb2_hull_exit_enumerated(N: int, s: int, S: tuple[int, ...], K: int) -> Iterator[Comparison]:
    """Which of the outermost data points lie outside the hull, for every set of stragglers."""
    outside = outside_hull(chebyshev_first(K), chebyshev_second(N + 1).without(S))
    kept = [i for i in range(N + 1) if i not in S]
    for data_point, ends in ((0, kept), (K - 1, [N - i for i in reversed(kept)])):
        yield equal(int(data_point in outside), int(2 * K * ends[0] > N or 2 * K * ends[-1] < N), f"{data_point}")


@claim(
    "cheb2.hull.exit.one",
    statement=r"\text{one lost endpoint takes } \alpha_0 \text{ out of the hull iff } N<2K",
    source=derived("m = 1"),
    over=sweep("1 <= K <= 40", "1 <= N <= 100", default=("K <= 12", "N <= 30"), quick=("K <= 5", "N <= 12")),
    method="Hull membership is decided on the angles.",
)
def cheb2_hull_exit_one(K: int, N: int) -> Comparison:
    """When the loss of a single worker makes decoding an extrapolation."""
    return equal(int(0 in outside_hull(chebyshev_first(K), chebyshev_second(N + 1).without([0]))), int(N < 2 * K))


@claim(
    "cheb.collision",
    statement=r"\#\{(i,j):\cos\tfrac{(2j+1)\pi}{2K}=\cos\tfrac{i\pi}M\}=\gcd(K,M) \text{ if } v_2(M)>v_2(K), "
    r"\text{ else } 0",
    source=derived("(2j + 1)M = 2Ki compares powers of 2; the odd parts match at odd multiples of K/gcd(K, M)"),
    over=sweep("1 <= K <= 40", "1 <= M <= 80", default=("K <= 16", "M <= 40"), quick=("K <= 8", "M <= 16")),
    method="Coincidences are found on the angles. M is the number of workers minus 1.",
)
def cheb_collision(K: int, M: int) -> Comparison:
    """How many data points are worker points of the second kind."""
    return equal(len(collisions(chebyshev_first(K), chebyshev_second(M + 1))), chebyshev_collision_count(K, M + 1))


@claim(
    "cheb.collision.first",
    statement=r"\#\{(i,j):\cos\tfrac{(2j+1)\pi}{2K}=\cos\tfrac{(2i+1)\pi}{2N}\}=\gcd(K,N) \text{ if } v_2(N)=v_2(K), "
    r"\text{ else } 0",
    source=derived("(2j + 1)N = (2i + 1)K compares powers of 2"),
    over=sweep("1 <= K <= 40", "1 <= N <= 80", default=("K <= 16", "N <= 40"), quick=("K <= 8", "N <= 16")),
    method="Coincidences are found on the angles.",
)
def cheb_collision_first(K: int, N: int) -> Comparison:
    """How many data points are worker points of the first kind."""
    expected = chebyshev_collision_count(K, N, "chebyshev1")
    return equal(len(collisions(chebyshev_first(K), chebyshev_first(N))), expected)


def _imaginary() -> Any:
    import sympy

    return sympy.I
