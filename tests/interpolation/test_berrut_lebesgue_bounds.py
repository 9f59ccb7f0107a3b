import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Rational, approximate, ball, decimal
from codedtheory.interpolation.berrut_lebesgue_bounds import (
    berrut_equispaced_asymptote,
    berrut_equispaced_lower_bound,
    berrut_equispaced_upper_bound,
    floater_hormann_equispaced_lower_bound,
    floater_hormann_equispaced_upper_bound,
    quasi_equispaced_upper_bound,
    well_spaced_upper_bound,
)
from codedtheory.interpolation.geometry import quasi_uniformity, well_spaced_constants
from codedtheory.interpolation.lebesgue import lebesgue_constant
from codedtheory.interpolation.node_families import equispaced

BITS = ball(80)
node_lists = st.lists(st.integers(-30, 30), min_size=3, max_size=9, unique=True).map(sorted)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 9, 14, 20])
def test_equispaced_berrut_lies_between_its_bounds(n):
    constant = lebesgue_constant(equispaced(n + 1), "berrut", arithmetic=BITS)
    assert (berrut_equispaced_lower_bound(n, BITS) <= constant) is True
    assert (constant <= berrut_equispaced_upper_bound(n, improved=True, arithmetic=BITS)) is True
    assert berrut_equispaced_upper_bound(n, improved=True, arithmetic=BITS) < berrut_equispaced_upper_bound(
        n, arithmetic=BITS
    )
    if n % 2 and n >= 3:
        assert constant > berrut_equispaced_asymptote(n, BITS)


@pytest.mark.parametrize(("n", "difference"), [(10, "0.0155"), (100, "0.0004"), (1000, "0.0000087")])
def test_distance_from_the_asymptote(n, difference):
    constant = lebesgue_constant(equispaced(n + 1), "berrut")
    assert constant - berrut_equispaced_asymptote(n) == pytest.approx(float(difference), rel=0.05)


def test_printed_values_at_1000():
    assert abs(berrut_equispaced_lower_bound(1000, BITS) - Rational("4.3927")) < Rational("0.00005")
    assert abs(berrut_equispaced_upper_bound(1000, arithmetic=BITS) - Rational("8.9078")) < Rational("0.00005")
    assert berrut_equispaced_lower_bound(1000) < lebesgue_constant(equispaced(1001), "berrut")


@pytest.mark.parametrize(("n", "d"), [(2, 1), (4, 2), (7, 1), (12, 3), (20, 4), (20, 6)])
def test_equispaced_floater_hormann_lies_between_its_bounds(n, d):
    constant = lebesgue_constant(equispaced(n + 1), d, arithmetic=BITS)
    assert (floater_hormann_equispaced_lower_bound(n, d, BITS) <= constant) is True
    assert (constant <= floater_hormann_equispaced_upper_bound(n, d, BITS)) is True


@settings(max_examples=20)
@given(node_lists, st.integers(0, 3))
def test_quasi_equidistant_bound(nodes, d):
    if d >= len(nodes):
        return
    bound = quasi_equispaced_upper_bound(len(nodes) - 1, d, quasi_uniformity(nodes, EXACT), BITS)
    constant = lebesgue_constant(nodes, d)
    assert constant <= approximate(bound)


@settings(max_examples=20)
@given(node_lists)
def test_well_spaced_bounds(nodes):
    R, C = well_spaced_constants(nodes, EXACT)
    constant = lebesgue_constant(nodes, "berrut", arithmetic=BITS)
    sharp = well_spaced_upper_bound(len(nodes) - 1, R, C, "sharp", BITS)
    published = well_spaced_upper_bound(len(nodes) - 1, R, C, arithmetic=BITS)
    assert constant <= sharp
    assert sharp < published
    assert published <= 4 * sharp


def test_sharp_form_at_four_equidistant_nodes():
    ratio = lebesgue_constant(equispaced(4), "berrut", arithmetic=BITS) / well_spaced_upper_bound(
        3, 1, 1, "sharp", BITS
    )
    assert abs(ratio - Rational("0.6353")) < Rational("0.00005")


def test_a_share_of_the_classical_lemma_cannot_be_dropped():
    """Without the ratio R the well spaced bound is false: the hypothesis does work."""
    nodes = [0, 1, 1000, 1001]
    C = well_spaced_constants(nodes, EXACT).C
    constant = lebesgue_constant(nodes, "berrut", arithmetic=BITS)
    assert constant > well_spaced_upper_bound(3, 1, C, "sharp", BITS)


@pytest.mark.parametrize(
    "bound",
    [
        lambda a: berrut_equispaced_lower_bound(17, a),
        lambda a: berrut_equispaced_upper_bound(17, arithmetic=a),
        lambda a: berrut_equispaced_asymptote(17, a),
        lambda a: floater_hormann_equispaced_lower_bound(17, 3, a),
        lambda a: floater_hormann_equispaced_upper_bound(17, 3, a),
        lambda a: quasi_equispaced_upper_bound(17, 2, 3, a),
        lambda a: well_spaced_upper_bound(17, 3, 2, "sharp", a),
    ],
)
def test_floats_decimals_and_balls_agree(bound):
    enclosed = bound(BITS)
    assert enclosed.rad < Rational("1e-20") * enclosed.mid
    assert bound(FLOAT) == pytest.approx(approximate(enclosed), rel=1e-14)
    assert float(bound(decimal(40))) == pytest.approx(approximate(enclosed), rel=1e-15)
    with pytest.raises(ValueError, match=r"use ball\(bits\)"):
        bound(EXACT)


def test_bad_input():
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        berrut_equispaced_lower_bound(0)
    with pytest.raises(TypeError, match="n must be an integer"):
        berrut_equispaced_upper_bound(2.0)
    with pytest.raises(ValueError, match="d must be from 1 to n/2 for n = 5, got 3"):
        floater_hormann_equispaced_upper_bound(5, 3)
    with pytest.raises(ValueError, match="M must be at least 1"):
        quasi_equispaced_upper_bound(5, 1, "1/2")
    with pytest.raises(ValueError, match="d must be from 0 to n"):
        quasi_equispaced_upper_bound(2, 3, 1)
    with pytest.raises(ValueError, match="C must be at least 1"):
        well_spaced_upper_bound(5, 1, 0)
    with pytest.raises(ValueError, match="n must be at least 2"):
        well_spaced_upper_bound(1, 1, 1)
    with pytest.raises(ValueError, match="form must be"):
        well_spaced_upper_bound(5, 1, 1, "exact")
