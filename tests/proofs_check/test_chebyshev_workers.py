"""Twins and pins of the claims about workers at Chebyshev points."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from types import SimpleNamespace
from typing import Any

import pytest
import sympy

from codedtheory.arithmetic import EXACT
from codedtheory.claims import Claim
from codedtheory.claims.angles import cosine, sine
from codedtheory.claims.symbols import nonnegative
from codedtheory.coding.collisions import collisions
from codedtheory.interpolation import Nodes, chebyshev_second, nodes_from
from codedtheory.interpolation.chebyshev_geometry import worst_survivor_geometry
from codedtheory.interpolation.geometry import adjacent_ratio, max_gap, mesh_ratio, well_spaced_constants
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.chebyshev_workers"
teeth = Teeth(MODULE)


def symbols(names: str, **assumptions: bool) -> Any:
    return sympy.symbols(names, seq=True, **assumptions)


# -- corrupted twins ------------------------------------------------------------------------------------


def geometry(nodes: Nodes, field: Any) -> Any:
    """The geometry of one set of nodes, as if it were the worst of all."""
    values = {"gap": max_gap, "adjacent_ratio": adjacent_ratio, "mesh_ratio": mesh_ratio}
    found = {name: SimpleNamespace(value=measure(nodes, field)) for name, measure in values.items()}
    return SimpleNamespace(**found, spacing=SimpleNamespace(value=well_spaced_constants(nodes, field).C))


@teeth.twin("cheb2.gap.worst")
@teeth.twin("cheb2.R")
@teeth.twin("cheb2.beta.worst")
def only_the_first_workers_straggle(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda workers, s, field: geometry(chebyshev_second(workers).without(range(s)), field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_survivor_geometry", corrupt)
    return claim


@teeth.twin("cheb2.R.published")
@teeth.twin("cheb2.C.enumerated")
def two_more_are_lost_than_counted(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda workers, s, field: worst_survivor_geometry(workers, min(s + 2, workers - 2), field)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_survivor_geometry", corrupt)
    return claim


@teeth.twin("cheb2.C.published")
def workers_are_not_at_chebyshev_points(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda workers, s, _: geometry(nodes_from([Fraction(1, 8**i) for i in range(workers - s)]), EXACT)  # noqa: E731
    patch.setattr(f"{MODULE}.worst_survivor_geometry", corrupt)
    return claim


@teeth.twin("cheb2.gap.hole")
@teeth.twin("cheb2.hull.exit.enumerated")
@teeth.twin("cheb2.hull.exit.one")
def nobody_is_lost(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_second", lambda n: SimpleNamespace(without=lambda _: chebyshev_second(n)))
    return claim


@teeth.twin("cheb2.gap")
@teeth.twin("cheb2.hull.exit")
def angles_are_twice_as_large_in_products(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.sine", lambda turn: sine(turn**2))
    return claim


@teeth.twin("cheb2.gap")
def largest_gap_next_to_the_middle(claim: Claim, patch: Any) -> Claim:
    """As with one worker less: the middle is where 2k + m = N - 1."""
    (A,) = symbols("A")
    patch.setattr(f"{MODULE}._imaginary", lambda: sympy.I / A)
    return claim


@teeth.twin("cheb2.R.proof")
def cosines_for_sines(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.sine", cosine)
    return claim


@teeth.twin("cheb2.R.proof")
@teeth.twin("cheb2.R.sharp")
@teeth.twin("cheb2.R.limit")
@teeth.twin("cheb2.C")
@teeth.twin("cheb2.C.best")
@teeth.twin("cheb2.beta")
def what_must_not_be_negative_is(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(-symbol for symbol in nonnegative(names)))
    return claim


@teeth.twin("cheb2.C")
def the_distance_ends_in_the_middle_of_the_gap(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda names: tuple(-nonnegative("S_f")[0] if n == "S_q" else nonnegative(n)[0] for n in names.split())  # noqa: E731
    patch.setattr(f"{MODULE}.nonnegative", corrupt)
    return claim


@teeth.twin("cheb2.beta")
def neighbours_lie_one_gap_away(claim: Claim, patch: Any) -> Claim:
    """Half of the index shift that the gaps on both sides need."""
    patch.setattr(f"{MODULE}.sine", lambda turn: sine(turn * symbols("A")[0]))
    return claim


@teeth.twin("cheb2.beta.outer")
def an_end_is_lost(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.mesh_ratio", lambda nodes, field: mesh_ratio(nodes.take(range(3)), field))
    return claim


@teeth.twin("cheb.collision")
def workers_of_the_other_count(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.chebyshev_second", lambda workers: chebyshev_second(workers + 1))
    return claim


@teeth.twin("cheb.collision.first")
def workers_of_the_second_kind(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.collisions", lambda data, workers: collisions(data, chebyshev_second(len(workers) + 1)))
    return claim


# -- left-hand sides, from elsewhere --------------------------------------------------------------------


@teeth.pin("cheb2.gap")
def difference_of_two_points() -> Any:
    K, M = symbols("K M")
    return K**2 * (1 - M**2) / 2 + (1 - 1 / M**2) / (2 * K**2)


@teeth.pin("cheb2.gap.worst", N=6, s=2)
def hole_next_to_the_middle() -> float:
    return (1 + sqrt(3)) / 2


@teeth.pin("cheb2.gap.hole", N=5, s=0, S=())
def middle_gap_of_six() -> float:
    return (sqrt(5) - 1) / 2


@teeth.pin("cheb2.R", N=6, s=1)
@teeth.pin("cheb2.R", comparison=1, N=6, s=1)
def second_worker_lost() -> float:
    """Gaps cos 30 and 1 - cos 30 degrees."""
    return (sqrt(3) / 2) / (1 - sqrt(3) / 2)


@teeth.pin("cheb2.R.proof", comparison=1)
def product_of_sines() -> Any:
    P, Q = symbols("P Q")
    return -(P**2 * Q**2 - P**2 - 1 / P**2 + 1 / (P * Q) ** 2) / 4


@teeth.pin("cheb2.R.published", N=5, s=0)
def golden_ratio_squared() -> float:
    return (3 + sqrt(5)) / 2


@teeth.pin("cheb2.R.sharp", comparison=3)
def quotient_of_sines() -> Any:
    S, T, sigma = symbols("S T sigma", positive=True)
    return S * T / sigma**2


@teeth.pin("cheb2.R.limit", comparison=7)
def both_shortfalls() -> Any:
    s, t = symbols("s t", nonnegative=True)
    return (4 * s**2 + 16 * s + 16) * t**2 / 3


@teeth.pin("cheb2.C", comparison=6)
def difference_of_cosines() -> Any:
    X, H = symbols("X H")
    return (X + 1 / X - X * H**2 - 1 / (X * H**2)) * (H + 1 / H) / 4


@teeth.pin("cheb2.C.enumerated", N=6, s=0)
def spacing_of_seven_points() -> Fraction:
    """Gap 1/2 between cos 60 and cos 90 degrees, the third from an end at distance 1."""
    return Fraction(3) * Fraction(1, 2)


@teeth.pin("cheb2.C.published", N=4, s=0)
def spacing_of_five_points() -> float:
    return 2 * (1 / sqrt(2))


@teeth.pin("cheb2.C.best", comparison=7)
def distance_from_the_end() -> Any:
    (Q,) = symbols("Q")
    return -((Q - 1 / Q) ** 2) / 2


@teeth.pin("cheb2.beta")
def sum_of_two_sines() -> Any:
    K, M, A = symbols("K M A")
    return (K**2 / A - A / K**2 + K**2 * M**2 * A - 1 / (K**2 * M**2 * A)) / (2 * sympy.I)


@teeth.pin("cheb2.beta.worst", N=6, s=2)
def gaps_beside_the_hole() -> float:
    """Workers at 0, 30, 120, 150, 180 degrees: the gap between 30 and 120 over that between 120 and 150."""
    return (sqrt(3) / 2 + 1 / 2) / (sqrt(3) / 2 - 1 / 2)


@teeth.pin("cheb2.beta.outer", N=5)
def outer_four_of_six() -> float:
    """Gaps 1 - cos 36 and 2 cos 36 degrees, cos 36 = (1 + root 5)/4."""
    c = (1 + sqrt(5)) / 4
    return 2 * c / (1 - c)


@teeth.pin("cheb2.hull.exit")
def difference_of_squares() -> Any:
    X, Y = symbols("X Y")
    return (X**2 + 1 / X**2 - Y**2 - 1 / Y**2) / 2


@teeth.pin("cheb2.hull.exit.enumerated", N=5, s=1, S=(0,), K=3)
@teeth.pin("cheb2.hull.exit.one", K=3, N=5)
def one_lost_end_suffices() -> int:
    """cos 30 degrees = .866 against cos 36 degrees = .809."""
    return int(sqrt(3) / 2 > (1 + sqrt(5)) / 4)


@teeth.pin("cheb2.hull.exit.enumerated", comparison=1, N=5, s=1, S=(0,), K=3)
def other_end_stays() -> int:
    return 0


@teeth.pin("cheb.collision", K=6, M=12)
def equal_angles() -> int:
    data = {Fraction(2 * j + 1, 12) for j in range(6)}
    return len(data & {Fraction(i, 12) for i in range(13)})


@teeth.pin("cheb.collision.first", K=6, N=10)
def equal_angles_of_the_first_kind() -> int:
    data = {Fraction(2 * j + 1, 12) for j in range(6)}
    return len(data & {Fraction(2 * i + 1, 20) for i in range(10)})


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


@pytest.mark.parametrize(
    ("N", "s", "gap", "ratio", "mesh", "spacing"),
    [
        (5, 0, 0.618034, 2.618034, 1.236068, 1.447214),
        (6, 1, 1, 6.464102, 2.732051, 2),
        (7, 2, 1.246980, 11.344814, 4.493959, 2.364036),
    ],
)
def test_table_of_left_hand_sides(N, s, gap, ratio, mesh, spacing):
    for claim_id, value in (
        ("cheb2.gap.worst", gap),
        ("cheb2.R", ratio),
        ("cheb2.beta.worst", mesh),
        ("cheb2.C.enumerated", spacing),
    ):
        lhs = teeth.claims[claim_id].compare(N=N, s=s)[0].lhs
        assert abs(lhs - Fraction(str(value))) < Fraction(1, 10**6)
