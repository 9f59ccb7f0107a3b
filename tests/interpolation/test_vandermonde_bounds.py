from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Rational, approximate, ball, condition_number, exactly
from codedtheory.interpolation.node_families import chebyshev_first, equispaced
from codedtheory.interpolation.vandermonde import vandermonde, vandermonde_condition
from codedtheory.interpolation.vandermonde_bounds import (
    beckermann_bound,
    chebyshev_first_vandermonde_growth,
    chebyshev_submatrix_growth,
    equispaced_vandermonde_growth,
    gautschi_inglese_bound,
)

BITS = ball(160)
sizes = st.lists(st.fractions(Fraction(1, 20), 3, max_denominator=20), min_size=3, max_size=8, unique=True).map(sorted)


def test_growth_laws_at_20_nodes():
    even = vandermonde_condition(equispaced(20), arithmetic=EXACT) / equispaced_vandermonde_growth(20, BITS)
    assert abs(even - Rational("1.068")) < Rational("0.0005")
    chebyshev = vandermonde_condition(chebyshev_first(20), arithmetic=BITS)
    assert abs(chebyshev / chebyshev_first_vandermonde_growth(20, BITS) - Rational("0.998")) < Rational("0.0005")


def test_growth_laws_are_approached():
    def distance(count):
        law = equispaced_vandermonde_growth(count, BITS)
        return abs(vandermonde_condition(equispaced(count), arithmetic=EXACT) / law - 1)

    assert distance(40) < distance(20) < distance(10)


@given(sizes)
def test_gautschi_inglese_for_positive_nodes(nodes):
    assert vandermonde_condition(nodes, arithmetic=EXACT) > gautschi_inglese_bound(len(nodes), "positive", EXACT)


@given(sizes, st.booleans())
def test_gautschi_inglese_for_symmetric_nodes(half, middle):
    nodes = [-x for x in half[::-1]] + [Fraction(0)] * middle + half
    assert vandermonde_condition(nodes, arithmetic=EXACT) > gautschi_inglese_bound(len(nodes), "symmetric", BITS)


@pytest.mark.parametrize("count", range(3, 13))
def test_gautschi_inglese_for_reciprocals(count):
    nodes = [Fraction(1, i) for i in range(count, 0, -1)]
    assert vandermonde_condition(nodes, arithmetic=EXACT) > gautschi_inglese_bound(count, "reciprocal", EXACT)


@given(st.lists(st.fractions(-3, 3, max_denominator=10), min_size=2, max_size=6, unique=True).map(sorted))
def test_beckermann(nodes):
    condition = condition_number(vandermonde(nodes, arithmetic=EXACT), 2)
    assert (condition >= beckermann_bound(len(nodes), BITS)) is not False


def test_beckermann_is_attained_and_counts_nodes_rightly():
    assert condition_number(vandermonde([-1, 1], arithmetic=EXACT), 2).contains(1)
    assert beckermann_bound(2, BITS).contains(1)
    three = condition_number(vandermonde([-1, 0, 1], arithmetic=EXACT), 2)
    root = BITS.sqrt(17)
    assert (three * three).overlaps((5 + root) / (5 - root))
    assert three > beckermann_bound(3, BITS)
    # read with n for the number of nodes the bound is beckermann_bound(n + 1), and false
    assert three < beckermann_bound(4, BITS)
    assert abs(beckermann_bound(4, BITS) - Rational("4.1213")) < Rational("0.00005")


def test_beckermann_at_five_chebyshev_points():
    condition = condition_number(vandermonde(chebyshev_first(5), arithmetic=BITS), 2)
    assert abs(condition - Rational("19.648")) < Rational("0.0005")
    assert abs(beckermann_bound(5, BITS) - Rational("8.899")) < Rational("0.0005")


@pytest.mark.parametrize(
    "bound",
    [
        equispaced_vandermonde_growth,
        chebyshev_first_vandermonde_growth,
        beckermann_bound,
        lambda n, a: gautschi_inglese_bound(n, "symmetric", a),
        lambda n, a: chebyshev_submatrix_growth(n, 2, a),
    ],
)
def test_floats_and_balls_agree(bound):
    from codedtheory.arithmetic import FLOAT

    for count in (3, 8, 15):
        enclosed = bound(count, BITS)
        assert enclosed.rad <= enclosed.mid * Rational("1e-40")
        assert bound(count, FLOAT) == pytest.approx(approximate(enclosed), rel=1e-13)


def test_submatrix_growth():
    assert chebyshev_submatrix_growth(6, 2, BITS).overlaps(4 * BITS.sqrt(48) * 72)
    assert exactly(np.float64(1.0)) == 1


def test_bad_input():
    with pytest.raises(ValueError, match="kind must be"):
        gautschi_inglese_bound(4, "negative")
    with pytest.raises(ValueError, match="count must be at least 3"):
        gautschi_inglese_bound(2, "positive")
    with pytest.raises(ValueError, match="count must be at least 2"):
        beckermann_bound(1)
    with pytest.raises(ValueError, match="missing must be below"):
        chebyshev_submatrix_growth(4, 4)
    with pytest.raises(TypeError, match="count must be an integer"):
        equispaced_vandermonde_growth(4.0)
