"""Twins and pins of the claims about the bias of optimal decoding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
import numpy as np
import pytest
import sympy

from codedtheory.claims import Claim, Comparison, equal, sweep
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding import LeastSquaresDecoder, graph_code, optimal_vertex_coefficients
from proofs_check import biased_decoding
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.biased_decoding"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("agc.graph.random")
def most_edges_are_lost_besides(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda n, kept: optimal_vertex_coefficients(n, kept[: len(kept) // 10])  # noqa: E731
    patch.setattr(f"{MODULE}.optimal_vertex_coefficients", corrupt)
    return claim


@teeth.twin("agc.graph.random.small")
def what_is_lost_is_what_arrives(claim: Claim, patch: Any) -> Claim:
    original = biased_decoding._vertex_moments
    patch.setattr(f"{MODULE}._vertex_moments", lambda n, edges, p: original(n, edges, 1 - p))
    return claim


@teeth.twin("agc.graph.random.trace")
@teeth.twin("agc.debias")
@teeth.twin("agc.debias.sharp")
def what_must_not_be_negative_is(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-symbol for symbol in nonnegative(names)))
    return claim


@teeth.twin("agc.debias.sharp")
def the_bias_is_not_subtracted(claim: Claim, patch: Any) -> Claim:
    """The second moment around 1 is taken for the variance."""

    def body() -> Iterator[Comparison]:
        r, w = sympy.symbols("r w", positive=True)
        yield equal((1 - w) / r**2, (1 - w) / w - (r - w) ** 2 / (r**2 * w), "bound minus variance")

    return replace(claim, body=body)


@teeth.twin("agc.debias.enumerated")
def the_worse_half_is_kept(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.sorted", lambda blocks, key: sorted(blocks, key=lambda j: -key(j)), raising=False)
    return replace(claim, domain=sweep("3 <= n <= 3", "31 <= number <= 31", "1 <= s <= 1"))


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("agc.graph.random", comparison=2, within=0.02, sample=0)
def nearly_all_of_a_complete_graph_is_decoded() -> float:
    return 1.0


@teeth.pin("agc.graph.random.small", within=1e-12, graph="Wagner")
def mean_by_components() -> float:
    """The mean of alpha at p = 1/100: components by networkx, sides by two-colouring."""
    graph = networkx.circulant_graph(8, [1, 4])
    edges = list(graph.edges())
    total = Fraction(0)
    for mask in range(1 << 12):
        kept = networkx.Graph([e for k, e in enumerate(edges) if mask >> k & 1])
        kept.add_nodes_from(range(8))
        part = kept.subgraph(networkx.node_connected_component(kept, 0))
        alpha = Fraction(1)
        if networkx.is_bipartite(part):
            sides = networkx.bipartite.color(part)
            own = sum(colour == sides[0] for colour in sides.values())
            alpha = Fraction(2 * (len(part) - own), len(part))
        lost = 12 - mask.bit_count()
        total += Fraction(1, 100) ** lost * Fraction(99, 100) ** (12 - lost) * alpha
    return float(total)


@teeth.pin("agc.graph.random.trace", comparison=0)
def trace() -> Any:
    n = sympy.Symbol("n", positive=True)
    return 6 + n * sympy.Symbol("t", nonnegative=True)


@teeth.pin("agc.debias", comparison=1)
def divided_variance() -> Any:
    q, g, u = sympy.symbols("q g u", nonnegative=True)
    r = sympy.Symbol("w", positive=True) + u
    return (q - sympy.sqrt(g)) * (q + sympy.sqrt(g)) / r**2


@teeth.pin("agc.debias.sharp", comparison=0)
def divided_variance_above() -> Any:
    w = sympy.Symbol("w", positive=True)
    x = sympy.Symbol("x", nonnegative=True)
    return (1 - w - (1 - w - x) ** 2) / (w + x) ** 2


@teeth.pin("agc.debias.enumerated", n=2, number=7, s=1)
def errors_of_two_rows() -> Fraction:
    # rows (1, 1) and (1, 0): losing either leaves alpha = (1, 0) or (1, 1)
    errors = [Fraction(0), Fraction(1, 2)]
    return min(errors)


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


@pytest.mark.parametrize(("graph", "gap"), [(networkx.circulant_graph(8, [1, 4]), 2), (networkx.petersen_graph(), 2)])
def test_gaps_of_the_small_graphs(graph: Any, gap: int) -> None:
    spectrum = np.sort(np.linalg.eigvalsh(networkx.to_numpy_array(graph)))[::-1]
    assert spectrum[0] - spectrum[1] == pytest.approx(gap)


def test_vertex_coefficients_are_least_squares() -> None:
    code = graph_code(networkx.cycle_graph(5))
    for kept in combinations(range(5), 3):
        edges = [tuple(int(v) for v in np.flatnonzero(code.matrix[k] != 0)) for k in kept]
        optimal = LeastSquaresDecoder().weights(code, kept) @ code.matrix[list(kept)]
        assert optimal_vertex_coefficients(5, edges) == [a.fraction for a in optimal]
