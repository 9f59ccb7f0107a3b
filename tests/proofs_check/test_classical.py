"""Twins and pins of the claims about Berrut's interpolants on arbitrary nodes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from codedtheory.claims import Claim
from codedtheory.interpolation.poles import count_real_poles, denominator_polynomial
from codedtheory.interpolation.symbolic_interpolant import SymbolicInterpolant
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.classical"
teeth = Teeth(MODULE)


def symbols(names: str) -> Any:
    return sympy.symbols(names, seq=True)


def with_weights(weights: Any) -> Any:
    """An interpolant of the claims with weights of another rule."""
    return lambda nodes, _="berrut", x=None: SymbolicInterpolant(nodes, weights(nodes), x)


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("berrut.pou")
def denominator_forgets_the_weights(claim: Claim, patch: Any) -> Claim:
    cleared = SymbolicInterpolant.cleared

    def corrupt(self: SymbolicInterpolant, function: Any = None) -> Any:
        return cleared(self, function) if function else cleared(SymbolicInterpolant(self.nodes, "berrut", self.x))

    patch.setattr(SymbolicInterpolant, "cleared", corrupt)
    return claim


@teeth.twin("berrut.nopole")
def neighbours_have_equal_signs(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance + tail)
    return claim


@teeth.twin("berrut.nopole")
def weights_do_not_alternate(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", with_weights(lambda nodes: [1, 1] if len(nodes) == 2 else "berrut"))
    return claim


@teeth.twin("berrut.nopole.grid")
def signs_by_index_in_the_grid(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.count_real_poles", lambda S: count_real_poles(S, [(-1) ** i for i in S]))
    return claim


@teeth.twin("berrut.pole.samesign")
def opposite_signs(claim: Claim, patch: Any) -> Claim:
    left, right, gap = sympy.symbols("w_k w_l g", positive=True)
    patch.setattr(f"{MODULE}.positive", lambda _: (left, -right, gap))
    return claim


@teeth.twin("berrut.pole.samesign.grid")
def weights_by_rank(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.count_real_poles", lambda S, w, a, b: count_real_poles(S, "berrut", a, b))
    return claim


@teeth.twin("berrut.pole.samesign.bacc")
def signs_made_anew(claim: Claim, patch: Any) -> Claim:
    corrupt = lambda nodes, _, field: denominator_polynomial(nodes, "berrut", field)  # noqa: E731
    patch.setattr(f"{MODULE}.denominator_polynomial", corrupt)
    return claim


@teeth.twin("berrut.linear.iff")
def second_form_instead_of_first(claim: Claim, patch: Any) -> Claim:
    second = lambda nodes: SymbolicInterpolant(nodes, "berrut-half")  # noqa: E731
    patch.setattr(f"{MODULE}.SymbolicInterpolant", second)
    return claim


@teeth.twin("berrut.quadratic")
def an_odd_number_of_nodes(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count: SymbolicInterpolant(count - 1))
    return claim


@teeth.twin("berrut.second")
def ends_not_halved(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count, _: SymbolicInterpolant(count))
    return claim


@teeth.twin("berrut.second.hull")
def nearest_node_halved(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.longer_tail", lambda distance, tail: 1 / distance / 2 - tail)
    return claim


@teeth.twin("berrut.second.grid")
def whole_line_instead_of_hull(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.count_real_poles", lambda S, weights, a, b: count_real_poles(S, weights))
    return claim


@teeth.twin("berrut.second.offhull")
def hull_instead_of_whole_line(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.count_real_poles", lambda S, weights: count_real_poles(S, weights, S[0], S[-1]))
    return claim


@teeth.twin("berrut.second.three")
def first_form_instead_of_second(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", with_weights(lambda nodes: [1, -1, 1]))
    return claim


@teeth.twin("berrut.two")
def two_equal_signs(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.SymbolicInterpolant", lambda count: SymbolicInterpolant(count, [1] * count))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("berrut.pou", comparison=5)
def constant_on_two_nodes() -> Any:
    f, w0, w1, x0, x1, x = symbols("f_i w0 w1 x0 x1 x")
    return f * (w0 * (x - x1) + w1 * (x - x0))


@teeth.pin("berrut.nopole", comparison=1)
def tail_with_one_more_node() -> Any:
    e, g = sympy.symbols("e g", positive=True)
    s = sympy.Symbol("s", nonnegative=True)
    return (g + s * (e + g)) / (e * (e + g) * (1 + s))


@teeth.pin("berrut.nopole.grid", n=2, S=(0, 1, 3))
def roots_by_discriminant() -> int:
    # (x - 1)(x - 3) - x(x - 3) + x(x - 1) = x**2 - 2x + 3
    return 0 if 2**2 - 4 * 3 < 0 else 2


@teeth.pin("berrut.pole.samesign", comparison=1)
def value_at_the_left_end() -> Any:
    w, g = sympy.symbols("w_k g", positive=True)
    return w * g


@teeth.pin("berrut.pole.samesign.grid", n=2, S=(0, 1, 2), repeats=3)
def poles_between_equal_weights() -> int:
    # 1/x + 1/(x - 1) + 1/(x - 2) has the zeros 1 +- 1/sqrt(3), one of them in (0, 1)
    roots = [1 - 3**-0.5, 1 + 3**-0.5]
    return sum(0 < root < 1 for root in roots)


@teeth.pin("berrut.pole.samesign.bacc", m=1)
def denominator_of_two_equal_signs_at_zero() -> Fraction:
    # nodes 1, -1 with weights 1, 1: (x + 1) + (x - 1) at x = 0
    return Fraction(1) + Fraction(-1)


@teeth.pin("berrut.linear.iff", comparison=5)
def linear_error_on_three_nodes() -> Any:
    x, x0, x1, x2 = symbols("x x0 x1 x2")
    return (x - x0) * (x - x1) * (x - x2)


@teeth.pin("berrut.quadratic", comparison=4)
def parabola_on_two_nodes() -> Any:
    x, x0, x1 = symbols("x x0 x1")
    return (x - x0) * (x - x1) * (x0 - x1)


@teeth.pin("berrut.second", comparison=5)
def line_on_three_nodes() -> Any:
    p, q, x, x0, x1, x2 = symbols("p q x x0 x1 x2")
    half = sympy.Rational(1, 2)
    return (p * x + q) * (half * (x - x1) * (x - x2) - (x - x0) * (x - x2) + half * (x - x0) * (x - x1))


@teeth.pin("berrut.second.hull", comparison=1)
def tail_on_half_a_node() -> Any:
    return tail_with_one_more_node()


@teeth.pin("berrut.second.grid", n=2, S=(0, 1, 3))
def pole_outside() -> int:
    # 1/(2x) - 1/(x - 1) + 1/(2(x - 3)) vanishes at -3 only
    x = Fraction(-3)
    assert 1 / (2 * x) - 1 / (x - 1) + 1 / (2 * (x - 3)) == 0
    return sum(0 < root <= 3 for root in [x])


@teeth.pin("berrut.second.offhull", n=2, S=(0, 1, 3))
def pole_anywhere() -> int:
    return len([Fraction(-3)])


@teeth.pin("berrut.second.three", comparison=1)
def pole_of_the_trap() -> Any:
    # nodes -1, 9/10, 1 of the pole 10/9 are 0, 19/10, 2 shifted by -1
    a, b = symbols("a b")
    zero = a * b / (2 * a - b)
    assert zero.subs({a: sympy.Rational(19, 10), b: 2}) - 1 == sympy.Rational(10, 9)
    return zero


@teeth.pin("berrut.two", comparison=1)
def reciprocal_on_two_nodes() -> Any:
    x, x0, x1 = symbols("x x0 x1")
    return 1 / (1 / (x - x0) - 1 / (x - x1))


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
