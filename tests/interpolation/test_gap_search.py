from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, FLOAT, PrecisionError, ball
from codedtheory.interpolation.gap_domain import GapDomain, interval_ends
from codedtheory.interpolation.gap_frame import GapFrame
from codedtheory.interpolation.gap_search import bisected_suprema, estimated_suprema
from codedtheory.interpolation.gap_suprema import (
    alternating_magnitudes,
    largest_over_gaps,
    weight_total,
    worst_over_survivors,
)
from codedtheory.interpolation.node_families import equispaced
from codedtheory.interpolation.node_sets import NodeSets, chebyshev_survivors
from codedtheory.interpolation.nodes import nodes_from
from codedtheory.interpolation.peano import error_constants_at
from codedtheory.interpolation.points import as_point
from codedtheory.interpolation.worst_error import worst_error_constants


def both(workers, stragglers, outside):
    families = [chebyshev_survivors(workers, stragglers, rigorous) for rigorous in (False, True)]
    return families, [GapDomain.whole(family, outside) for family in families]


@pytest.mark.parametrize("outside", [None, (0, 6)])
@pytest.mark.parametrize("quantity", [GapFrame.kernel, GapFrame.reciprocal])
def test_every_set_is_enclosed(outside, quantity):
    families, domains = both(7, 2, outside)
    values, places = estimated_suprema(families[0], domains[0], quantity)
    lower, upper = bisected_suprema(families[1], domains[1], quantity, 1e-10, hints=places)
    assert np.all(upper <= lower * (1 + 1.01e-10))
    assert values == pytest.approx(lower, rel=2e-10)
    # without a first guess the answer is the same
    blind_lower, blind_upper = bisected_suprema(families[1], domains[1], quantity, 1e-6)
    assert np.all(blind_lower <= upper)
    assert np.all(lower <= blind_upper)
    assert np.all(blind_upper <= blind_lower * (1 + 1.01e-6))


def test_together_the_largest_is_enclosed_and_the_others_are_bounded():
    families, domains = both(8, 3, None)
    alone = bisected_suprema(families[1], domains[1], GapFrame.kernel, 1e-8)
    lower, upper = bisected_suprema(families[1], domains[1], GapFrame.kernel, 1e-8, together=True)
    assert lower.max() == pytest.approx(alone[0].max(), rel=1e-8)
    assert upper.max() <= lower.max() * (1 + 1.01e-8)
    assert np.all(lower <= alone[1])
    assert np.all(alone[0] <= upper)
    values, _ = estimated_suprema(families[0], domains[0], GapFrame.kernel, together=True)
    assert values.max() == pytest.approx(alone[0].max(), rel=1e-8)


def test_the_budget_ends_the_search():
    families, domains = both(7, 2, None)
    with pytest.raises(PrecisionError, match="raise the tolerance"):
        bisected_suprema(families[1], domains[1], GapFrame.kernel, 1e-10, most_boxes=100)


def test_rounding_beyond_the_tolerance_is_noticed():
    nodes = equispaced(40)
    sizes = alternating_magnitudes(nodes, "lagrange", rigorous=True)
    family = NodeSets.single(nodes, (), True, sizes)
    with pytest.raises(PrecisionError, match="within 1e-12 after"):
        bisected_suprema(family, GapDomain.whole(family), GapFrame.reciprocal, 1e-12)


@pytest.mark.parametrize(
    ("interval", "gaps", "starts", "stops"),
    [
        ((0, 3), [0, 1], [0, 0], [1, 1]),
        ((-1, 4), [-1, 0, 1, 2], [0, 0, 0, 0], [1, 1, 1, 1]),
        (("1/2", 2), [0, 1], [0.5, 0], [1, 0.5]),
        (("1/4", "3/4"), [0], [0.25], [0.75]),
        ((1, "3/2"), [1], [0], [0.25]),
        (("1/2", 1), [0], [0.5], [1]),
        ((-2, -1), [-1], [0.5], [1]),
        ((-2, 0), [-1], [0], [1]),
        ((4, 5), [2], [0.5], [1]),
        ((3, 5), [2], [0], [1]),
        ((1, 3), [1], [0], [1]),
    ],
)
def test_part_of_the_gaps_that_an_interval_covers(interval, gaps, starts, stops):
    for nodes in (nodes_from([0, 1, 3]), nodes_from([3, 1, 0])):
        ends = interval_ends(interval)
        for rigorous in (False, True):
            family = NodeSets.single(nodes, ends, rigorous)
            domain = GapDomain.within(family, nodes, ends)
            inside = domain.select(domain.surely_inside)
            assert inside.gap.tolist() == gaps
            assert inside.lo == pytest.approx(starts, abs=1e-14)
            assert inside.hi == pytest.approx(stops, abs=1e-14)
            slivers = domain.select(~domain.surely_inside)
            assert np.all(slivers.hi - slivers.lo < 1e-14)


def test_slivers_cover_what_rounding_leaves_open():
    nodes, ends = nodes_from([0, 3]), (as_point(1), as_point(2))
    family = NodeSets.single(nodes, ends, True)
    domain = GapDomain.within(family, nodes, ends)
    assert sorted(domain.surely_inside.tolist()) == [False, False, True]
    assert Fraction(domain.lo.min()) <= Fraction(1, 3)
    assert Fraction(domain.hi.max()) >= Fraction(2, 3)
    inner = domain.select(domain.surely_inside)
    assert Fraction(inner.lo[0]) >= Fraction(1, 3)
    assert Fraction(inner.hi[0]) <= Fraction(2, 3)


def reciprocal_at(x, nodes, weights):
    return 1 / abs(sum(Fraction(w) / (x - Fraction(z)) for w, z in zip(weights, nodes, strict=True)))


def test_a_supremum_at_an_end_that_rounding_moves_outside():
    # 1/|D| grows towards the left end, which a double between the two nodes misses by a part of 1e-9 of its
    # distance from the right one
    node = Fraction(-159807, 65039)
    nodes = [Fraction(-89566998731, 35538285185), node, Fraction(-86197913492, 35538285185)]
    end = node - Fraction(84142091, 273207500000000000)
    enclosed = largest_over_gaps(nodes_from(nodes), "berrut", (end, node), GapFrame.reciprocal, ball(200), "1e-3")
    assert enclosed.contains(reciprocal_at(end, nodes, [1, -1, 1]))


def test_beyond_a_pole_the_modulus_is_enclosed():
    nodes, weights = [Fraction(0), Fraction(1, 100), Fraction(1), Fraction(101, 100)], [1, "-1/100", "1/100", -1]
    interval = (Fraction(2, 5), Fraction(3, 5))
    enclosed = largest_over_gaps(nodes_from(nodes), weights, interval, GapFrame.reciprocal, ball(64), "1e-6")
    assert enclosed.contains(reciprocal_at(Fraction(101, 200), nodes, weights))
    assert enclosed.rad < Fraction(1, 10**6)
    with pytest.raises(PrecisionError, match="may have a pole"):
        largest_over_gaps(nodes_from(nodes), weights, (0, 1), GapFrame.reciprocal, ball(64), "1e-6")
    constants = worst_error_constants(nodes, interval, weights, ball(64), "1e-6")
    at_middle = error_constants_at(Fraction(1, 2), nodes, weights, EXACT)
    assert constants.second >= at_middle.second


def test_an_interval_narrower_than_rounding():
    nodes = nodes_from([0, 3])
    interval = (Fraction(2, 3), Fraction(2, 3) + Fraction(1, 10**40))
    near = float(reciprocal_at(Fraction(2, 3), [0, 3], [1, -1]))
    assert largest_over_gaps(nodes, "berrut", interval, GapFrame.reciprocal, FLOAT, "1e-9") == pytest.approx(near)
    with pytest.raises(PrecisionError):
        largest_over_gaps(nodes, "berrut", interval, GapFrame.reciprocal, ball(64), "1e-9")


def test_boxes_that_doubles_cannot_halve_end_the_search():
    nodes = [-3, Fraction(-1999999999999, 10**12), 0, Fraction(1, 250 * 10**9), Fraction(3, 1000)]
    interval = (Fraction(-27027, 10**8), Fraction(3003, 5000))
    with pytest.raises(PrecisionError, match=r"after 1?\d{3} boxes"):
        largest_over_gaps(nodes_from(nodes), [7, -3, 3, -6, 4], interval, GapFrame.kernel, ball(64), "1e-3")


def test_weights_and_their_total():
    nodes = equispaced(3, 0, 2)
    assert alternating_magnitudes(nodes, "berrut-half", rigorous=True).tolist() == [[0.5, 1, 0.5]]
    assert weight_total(nodes, "berrut-half", ball(53)).contains(0)
    assert weight_total(nodes, "berrut", ball(53)).contains(1)
    assert weight_total(nodes, [2, -8, 4], ball(53)).contains(Fraction(1, 4))
    assert weight_total(nodes, [2.0, -8.0, 4.0], FLOAT) == 0.25
    reverse = alternating_magnitudes(nodes_from([2, 1, 0]), [2, -8, 4], rigorous=False)
    assert reverse.tolist() == [[0.5, 1.0, 0.25]]


def test_bad_domain():
    with pytest.raises(ValueError, match="domain must be"):
        worst_over_survivors(5, 1, "line", GapFrame.kernel, ball(64), "1e-9")
    with pytest.raises(ValueError, match=r"interval must be a pair of real numbers"):
        interval_ends((0, "x"))
