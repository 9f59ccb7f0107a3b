"""Approximate gradient coding: errors that hold for every straggler set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from codedtheory.arithmetic import null_space
from codedtheory.claims import (
    Comparison,
    at_least,
    at_most,
    claim,
    derived,
    equal,
    published,
    sweep,
)
from codedtheory.claims.symbols import arbitrary, nonnegative, positive
from codedtheory.coding import (
    GradientCode,
    LeastSquaresDecoder,
    OneStepDecoder,
    bibd_code,
    block_design_error,
    coefficient_statistics,
    covering_lower_bound,
    decoded_coefficients,
    decoding_error,
    expander_code,
    expander_error_bound,
    graph_code,
    graph_error_bound,
    optimal_vertex_coefficients,
    orbit_representatives,
    plain_cyclic,
    spectral_error_bound,
    squared_error,
    squared_second_singular_value,
    worst_decoding_error,
)
from codedtheory.coding.survivors import survivor_sets
from proofs_check.small_matrices import circulant_code, numbered_code, numbered_placement

GLASGOW = "Glasgow & Wootters 2021"
GLASGOW_ARXIV = "2006.09638"
RAVIV = "Raviv, Tamo, Tandon & Dimakis 2018"
RAVIV_ARXIV = "1707.03858"
DIFFERENCE_SETS = {3: (0, 1), 7: (0, 1, 3), 11: (1, 3, 4, 5, 9), 13: (0, 1, 3, 9), 15: (0, 1, 2, 4, 5, 8, 10)}


@claim(
    "agc.proj",
    statement=r"\alpha^\star \text{ in the row space of } B_R \text{ with } (\alpha^\star-\mathbf 1)\perp b_i,\ i\in R:"
    r"\quad \|\alpha^\star-\mathbf 1\|^2=n-\mathbf 1^{\mathsf T}\alpha^\star,\quad \|\beta-\mathbf 1\|^2="
    r"\|\alpha^\star-\mathbf 1\|^2+\|\beta-\alpha^\star\|^2 \text{ for all } \beta \text{ in the row space}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    method="Partition by partition; the sums of a(alpha - 1) and of b(alpha - 1) over the partitions are 0 for a, b in "
    "the row space, term by term in the rows. So alpha is nearest to 1 and unique; the weights are not.",
)
def agc_proj() -> Iterator[Comparison]:
    """Optimal decoding is the projection of ones, and its sum tells the error."""
    alpha, beta, weight, entry = arbitrary("alpha beta a B")
    crossed = 2 * (beta - alpha) * (alpha - 1)
    yield equal(_error(alpha), (1 - alpha) + alpha * (alpha - 1), "error and sum")
    yield equal(_error(beta), _error(alpha) + (beta - alpha) ** 2 + crossed, "Pythagoras")
    yield equal((weight * entry) * (alpha - 1), weight * (entry * (alpha - 1)), "each row of the row space")


@claim(
    "agc.proj.enumerated",
    statement=r"\|\alpha^\star-\mathbf 1\|^2=n-\mathbf 1^{\mathsf T}\alpha^\star \text{ is the least error, and all "
    r"optimal weights give the same } \alpha^\star",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    over=sweep(
        "1 <= n <= 3",
        "2 <= entries <= 3",
        "0 <= number < entries**(n * n)",
        default="entries**(n * n) <= 600",
        quick="entries**(n * n) <= 100",
    ),
    method="All survivor sets of all matrices with entries 0, 1 and (base 3) -1, the digits of `number`, over the "
    "rationals. The weights are changed along the left null space.",
)
def agc_proj_enumerated(n: int, entries: int, number: int) -> Iterator[Comparison]:
    """The projection formula on every small code."""
    code = numbered_code(n, entries, number)
    for s in range(n):
        for R in survivor_sets(n, s):
            rows = code.matrix[list(R)]
            weights = LeastSquaresDecoder().weights(code, R)
            alpha = weights @ rows
            yield equal(squared_error(alpha), n - alpha.sum(), f"error of {R}")
            yield equal(int(np.count_nonzero(rows @ (alpha - 1))), 0, f"orthogonality of {R}")
            for change in null_space(rows.T).T:
                yield equal(int(np.count_nonzero((weights + change) @ rows - alpha)), 0, f"other weights of {R}")


@claim(
    "agc.spectral",
    statement=r"d \text{ copies, equal loads, } m \text{ machines, weight } \tfrac m{d(m-s)}: \quad "
    r"\|\alpha-\mathbf 1\|^2\le\sigma_2(A)^2\frac{m\,s}{(m-s)d^2} \text{ for every straggler set}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    over=sweep(
        "2 <= n <= 8",
        "1 <= d <= n",
        "D in subsets(n, d)",
        "0 <= s < n",
        where="0 in D",
        default="n <= 6",
        quick="n <= 4",
    ),
    method="All circulant placements (worker i holds i + D) with all straggler sets, exactly: sigma_2 is algebraic. "
    "For every placement by agc.spectral.proof.",
)
def agc_spectral(n: int, d: int, D: tuple[int, ...], s: int) -> Comparison:
    """The second singular value bounds the error of one-step decoding."""
    code = circulant_code(n, D)
    worst = coefficient_statistics(code, s, OneStepDecoder()).worst_squared_error
    return at_most(worst, spectral_error_bound(code, s))


@claim(
    "agc.spectral.proof",
    statement=r"w=\tfrac m{d(m-s)}\mathbf 1_R: \quad w-\tfrac1d\mathbf 1\perp\mathbf 1,\quad "
    r"\|w-\tfrac1d\mathbf 1\|^2=\frac{ms}{(m-s)d^2}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    method="A 1 = d 1, so the error is the norm of A(w - 1/d); on the complement of 1, which A maps to the complement "
    "of 1 if the loads are equal, A stretches by at most sigma_2. With r = m - s received machines.",
)
def agc_spectral_proof() -> Iterator[Comparison]:
    """One-step weights differ from the exact ones by a vector orthogonal to ones."""
    r, d = positive("r d")
    (s,) = nonnegative("s")
    m = r + s
    excess, lost = _one_step_weight(m, r, d) - 1 / d, -1 / d
    yield equal(r * excess + s * lost, 0, "orthogonal to ones")
    yield equal(r * excess**2 + s * lost**2, m * s / (r * d**2), "squared norm")


@claim(
    "agc.raviv",
    statement=r"B=\tfrac1d\mathrm{Adj}, \text{ weight } \tfrac n{n-s},\ \lambda=\max(|\lambda_2|,|\lambda_n|): \quad "
    r"\|a^{\mathsf T}B-\mathbf 1\|_2\le\frac\lambda d\sqrt{\frac{ns}{n-s}} \text{ for every straggler set}",
    source=published(RAVIV, arxiv=RAVIV_ARXIV, wording="seen", place="released code"),
    over=sweep(
        "3 <= n <= 9", "1 <= k <= n // 2", "D in subsets(n // 2, k)", "0 <= s < n", default="n <= 7", quick="n <= 5"
    ),
    method="Squared; all circulant graphs (neighbours at the distances 1 + D) with all straggler sets, exactly, since "
    "lambda is algebraic. For every graph as in agc.spectral.proof, with d = 1.",
)
def agc_raviv(n: int, k: int, D: tuple[int, ...], s: int) -> Comparison:
    """The second largest absolute eigenvalue bounds the error of expander codes."""
    import networkx

    graph = networkx.circulant_graph(n, [1 + x for x in D])
    worst = coefficient_statistics(expander_code(graph), s, OneStepDecoder()).worst_squared_error
    return at_most(worst, expander_error_bound(networkx.to_numpy_array(graph, dtype=int), s))


@claim(
    "agc.raviv.graphs",
    statement=r"\|a^{\mathsf T}B-\mathbf 1\|_2\le\frac\lambda d\sqrt{\frac{ns}{n-s}} \text{ for the Petersen graph and "
    r"the Margulis graph on } \mathbb Z_3^2 \text{ with loops and repeated edges}",
    source=published(RAVIV, arxiv=RAVIV_ARXIV, wording="seen", place="released code"),
    over=sweep("0 <= s <= 8", graph=("Petersen", "Margulis"), default="s <= 3", quick="s <= 2"),
    method="Squared, all straggler sets; lambda is rational or enclosed.",
)
def agc_raviv_graphs(s: int, graph: str) -> Comparison:
    """The bound for expander codes on two expanders."""
    import networkx

    chosen = networkx.petersen_graph() if graph == "Petersen" else networkx.margulis_gabber_galil_graph(3)
    code, (_, degree) = expander_code(chosen), next(iter(chosen.degree()))
    adjacency = [[(entry * degree).numerator for entry in row] for row in code.matrix]
    worst = coefficient_statistics(code, s, OneStepDecoder()).worst_squared_error
    return at_most(worst, expander_error_bound(adjacency, s))


@claim(
    "agc.raviv.bipartite",
    statement=r"\text{Bipartite regular graphs: } \lambda=d, \text{ and the bound } \frac{ns}{n-s} \text{ is the error "
    r"of no coding at all}",
    source=derived("the eigenvector that is 1 and -1 on the two sides"),
    over=sweep("2 <= m <= 8", "1 <= k <= m", "D in subsets(m, k)", "0 <= s < 2 * m", default="m <= 3", quick="m <= 2"),
    method="All bipartite circulant graphs on 2m vertices (differences 2D + 1), exactly; no coding is the identity "
    "with the same weight.",
)
def agc_raviv_bipartite(m: int, k: int, D: tuple[int, ...], s: int) -> Iterator[Comparison]:
    """For bipartite graphs the bound for expander codes says nothing."""
    import networkx

    n = 2 * m
    graph = networkx.circulant_graph(n, [2 * e + 1 for e in D])
    bound = expander_error_bound(networkx.to_numpy_array(graph, dtype=int), s)
    uncoded = decoded_coefficients(plain_cyclic(n, 0), range(s, n), OneStepDecoder())
    yield equal(bound, Fraction(n * s, n - s), "bound")
    yield equal(bound, squared_error(uncoded), "no coding")


@claim(
    "agc.raviv.lower",
    statement=r"\text{Each partition on } d \text{ workers: some } s \text{ stragglers force } "
    r"\|\alpha-\mathbf 1\|^2\ge\lfloor s/d\rfloor \text{ on every decoder}",
    source=published(RAVIV, arxiv=RAVIV_ARXIV, wording="recalled"),
    over=sweep(
        "1 <= n <= 4", "1 <= d <= n", "0 <= number < comb(n, d)**n", "0 <= s < n", default="n <= 3", quick="n <= 2"
    ),
    method="All placements on n workers (the holders are the digits of `number`), optimal decoding and all straggler "
    "sets, over the rationals. In general the holders of floor(s/d) partitions straggle.",
)
def agc_raviv_lower(n: int, d: int, number: int, s: int) -> Comparison:
    """An adversary erases one partition for every d stragglers."""
    sets = list(combinations(range(n), d))
    code = numbered_placement(n, [sets[number // len(sets) ** j % len(sets)] for j in range(n)])
    return at_least(worst_decoding_error(code, s).value, covering_lower_bound(s, d))


@claim(
    "agc.graph.adv",
    statement=r"\text{Graph code, } |S|=pm,\ \lambda=d-\lambda_2: \quad "
    r"\tfrac1n\|\alpha^\star-\mathbf 1\|^2\le\frac{2d-\lambda}{2d}\cdot\frac p{1-p}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    over=sweep(
        "3 <= n <= 6",
        "1 <= k <= n // 2",
        "D in subsets(n // 2, k)",
        default="n <= 5 or k <= 2",
        quick="n <= 4",
    ),
    cost="2**(n * k)",
    method="All circulant graphs (neighbours at the distances 1 + D) with all sets of stragglers but all edges; "
    "optimal decoding in linear time; 2d - lambda is sigma_2^2 of the incidence matrix, algebraic. The bound rises "
    "with p, so |S| <= pm suffices.",
)
def agc_graph_adv(n: int, k: int, D: tuple[int, ...]) -> Iterator[Comparison]:
    """The spectral gap bounds the error of graph codes against any stragglers."""
    import networkx

    code = graph_code(networkx.circulant_graph(n, [1 + x for x in D]))
    degree, m = code.replication, code.n
    gap = 2 * degree - squared_second_singular_value(code)
    edges = _edges(code)
    for s in range(m):
        errors = [n - sum(optimal_vertex_coefficients(n, kept), Fraction(0)) for kept in combinations(edges, m - s)]
        yield at_most(max(errors) / n, graph_error_bound(degree, gap, Fraction(s, m)), f"{s} of {m} edges lost")


@claim(
    "agc.graph.structure",
    statement=r"\text{On the surviving graph } \alpha^\star_u+\alpha^\star_v=2 \text{ on edges}; \alpha^\star\equiv1 "
    r"\text{ on components with an odd cycle; } \tfrac{2|R|}{|L|+|R|} \text{ on side } L \text{ and } "
    r"\tfrac{2|L|}{|L|+|R|} \text{ on side } R \text{ of bipartite ones}",
    source=published(GLASGOW, arxiv=GLASGOW_ARXIV, wording="seen"),
    over=sweep("2 <= n <= 6", "1 <= edges < 2**comb(n, 2)", default="n <= 5", quick="n <= 4"),
    method="Every graph on n vertices (the binary digits of `edges`), against least squares over the rationals.",
)
def agc_graph_structure(n: int, edges: int) -> Iterator[Comparison]:
    """What optimal decoding does to a graph code depends on the components that survive."""
    import networkx

    code = graph_code(networkx.complete_graph(n))
    survivors = [k for k in range(code.n) if edges >> k & 1]
    kept = [_edges(code)[k] for k in survivors]
    structured = optimal_vertex_coefficients(n, kept)
    optimal = decoded_coefficients(code, survivors, LeastSquaresDecoder())
    yield from (equal(structured[v], optimal[v], f"vertex {v}") for v in range(n))
    yield from (equal(structured[u] + structured[v], 2, f"edge {u}-{v}") for u, v in kept)


@claim(
    "agc.bibd",
    statement=r"\text{Symmetric } (n,L,\lambda) \text{ design: } \min_a\|a^{\mathsf T}B_R-\mathbf 1\|^2="
    r"n-\frac{(n-s)L^2}{L+\lambda(n-s-1)} \text{ for every } s\text{-set}",
    source=derived(
        "B_R B_R^T = (L - lambda) I + lambda J has the eigenvector 1; weight of Kadhe, Koyluoglu & Ramchandran 2019",
        arxiv="1904.13373",
    ),
    method="The common weight w = L/(L + lambda(r - 1)) solves the normal equations of r = n - s received rows; the "
    "error is n minus the sum of the coefficients (agc.proj).",
)
def agc_bibd() -> Iterator[Comparison]:
    """With a block design all straggler sets of one size have the same error."""
    n, r, L, shared = positive("n r L lambda")
    w, (own, common) = L / (L + shared * (r - 1)), _gram(L, shared)
    yield equal(own * w + common * r * w, L, "normal equations")
    yield equal(n - r * w * L, n - r * L**2 / (L + shared * (r - 1)), "error")


@claim(
    "agc.bibd.enumerated",
    statement=r"\min_a\|a^{\mathsf T}B_R-\mathbf 1\|^2=n-\frac{(n-s)L^2}{L+\lambda(n-s-1)} \text{ for the designs of "
    r"the difference sets modulo } 3, 7, 11, 13, 15",
    source=derived("enumeration"),
    over=sweep("3 <= n <= 15", "0 <= s < n", where="n in (3, 7, 11, 13, 15)", default="n <= 11", quick="n <= 7"),
    cost="comb(n, s)",
    method="All straggler sets up to the verified symmetries, by least squares over the rationals.",
)
def agc_bibd_enumerated(n: int, s: int) -> Iterator[Comparison]:
    """The error of block designs, straggler set by straggler set."""
    code = bibd_code(n, DIFFERENCE_SETS[n])
    L = len(DIFFERENCE_SETS[n])
    closed_form = block_design_error(n, L, L * (L - 1) // (n - 1), s)
    for sets, _ in orbit_representatives(n, s, code.symmetry_group):
        for row in sets.tolist():
            R = [i for i in range(n) if i not in row]
            yield equal(decoding_error(code, R), closed_form, f"stragglers {row}")


def _error(alpha: Any) -> Any:
    """Return what a coefficient adds to the squared error."""
    return (alpha - 1) ** 2


def _one_step_weight(m: Any, r: Any, d: Any) -> Any:
    return m / (d * r)


def _gram(L: Any, shared: Any) -> tuple[Any, Any]:
    """Return the parts of the Gram matrix of a design that are on the diagonal only, and everywhere."""
    return L - shared, shared


def _edges(code: GradientCode) -> list[tuple[int, int]]:
    """Return the edges of a graph code, in the order of its workers."""
    ends = [[int(v) for v in np.flatnonzero(row != 0)] for row in code.matrix]
    return [(u, v) for u, v in ends]
