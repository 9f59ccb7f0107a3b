"""Twins and pins of the claims about weights over finite fields and points that do not match."""

from __future__ import annotations

from typing import Any

import numpy as np

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Claim
from codedtheory.interpolation import Nodes, Weights, chebyshev_second, floater_hormann_weights
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.follow_ups"
teeth = Teeth(MODULE)


# -- corrupted twins ------------------------------------------------------------------------------------


def rational_numbers_instead(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.modular", lambda p: EXACT)
    return claim


for claim_id in ("bri.finitefield", "bri.finitefield.d1", "bri.finitefield.d2", "bri.finitefield.weights"):
    teeth.twin(claim_id)(rational_numbers_instead)


@teeth.twin("bri.finitefield.checked")
def weights_of_one_degree_less(claim: Claim, patch: Any) -> Claim:
    def lower(S: Any, d: int) -> Weights:
        return floater_hormann_weights(S, max(d - 1, 0))

    patch.setattr(f"{MODULE}.floater_hormann_weights", lower)
    return claim


def points_match_after_all(claim: Claim, patch: Any) -> Claim:
    def one_less(count: int) -> Nodes:
        return chebyshev_second(count - 1)

    patch.setattr(f"{MODULE}.chebyshev_second", one_less)
    return claim


teeth.twin("approxifer.node")(points_match_after_all)
teeth.twin("approxifer.node.linear")(points_match_after_all)


# -- pinned left-hand sides -----------------------------------------------------------------------------


def zeros_by_integers(p: int, nodes: tuple[int, ...], weights: list[int]) -> int:
    others = [x for x in range(p) if x not in nodes]
    values = [sum(w * pow(x - t, -1, p) for w, t in zip(weights, nodes, strict=True)) % p for x in others]
    return values.count(0)


@teeth.pin("bri.finitefield", p=5, n=2, S=(0, 1, 2))
def three_nodes_of_five() -> int:
    return zeros_by_integers(5, (0, 1, 2), [1, -1, 1])


@teeth.pin("bri.finitefield.d1", p=5, n=3, S=(0, 1, 2, 3))
def four_nodes_of_five() -> int:
    return zeros_by_integers(5, (0, 1, 2, 3), [-1, 2, -2, 1])


@teeth.pin("bri.finitefield.d2", p=7, n=4, S=(0, 1, 2, 4, 5))
def five_nodes_of_seven() -> int:
    # windows (0 1 2), (1 2 4), (2 4 5) with reciprocals of products of distances
    windows = [{0: 2, 1: 1, 2: 2}, {1: 3, 2: 2, 4: 6}, {2: 6, 4: 2, 5: 3}]
    weights = [(-1) ** k * sum(pow(w[t], -1, 7) for w in windows if t in w) for k, t in enumerate((0, 1, 2, 4, 5))]
    return zeros_by_integers(7, (0, 1, 2, 4, 5), weights)


@teeth.pin("bri.finitefield.weights", comparison=2, p=7, n=4, S=(0, 1, 2, 3, 6))
def weight_of_the_middle_node() -> int:
    # windows (0 1 2), (1 2 3), (2 3 6) at 2: 1/(2*1) + 1/(1*1) + 1/(1*4) = 4 + 1 + 2 modulo 7
    return (pow(2, -1, 7) + 1 + pow(4, -1, 7)) % 7


@teeth.pin("bri.finitefield.checked", comparison=0, p=5, n=2, d=0, S=(0, 1, 2))
def as_many_zeros_as_allowed() -> int:
    return zeros_by_integers(5, (0, 1, 2), [1, -1, 1])


def berrut(nodes: Any, values: Any, points: Any) -> Any:
    terms = (-1.0) ** np.arange(len(nodes)) / np.subtract.outer(points, nodes)
    return terms @ values / terms.sum(axis=1)


def largest_error(X: Any, workers: int, f: Any, decoder_points: Any) -> float:
    alpha = np.cos((2 * np.arange(len(X)) + 1) * np.pi / (2 * len(X)))
    z = np.cos(np.arange(workers) * np.pi / (workers - 1))
    decoded = berrut(decoder_points, f(berrut(alpha, X, z)), alpha)
    return float(np.abs(decoded - f(X)).max())


def x_sin_x(x: Any) -> Any:
    return x * np.sin(x)


@teeth.pin("approxifer.node", comparison=0, within=1e-12, q=0, wave="cos")
def points_of_the_encoder() -> float:
    return largest_error(np.cos(np.arange(12)), 27, x_sin_x, np.cos(np.arange(27) * np.pi / 26))


@teeth.pin("approxifer.node", comparison=1, within=1e-12, q=2, wave="sin")
def points_of_the_program() -> float:
    return largest_error(np.sin(2 + np.arange(12)), 27, x_sin_x, np.cos(np.arange(27) * np.pi / 27))


@teeth.pin("approxifer.node.linear", comparison=2, within=1e-12, W=6)
def a_line_at_the_wrong_points() -> float:
    return largest_error(np.array([1.0, -1.0]), 6, lambda x: x, np.cos(np.arange(6) * np.pi / 6))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
