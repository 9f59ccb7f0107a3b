"""The worst survivor set: tables, brute force, certificates, and what ties mean."""

import pickle
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Rational, ball, exactly
from codedtheory.interpolation import (
    WeightRule,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    floater_hormann_weights,
    lebesgue_constant,
    nodes_from,
    roots_of_unity,
    worst_lebesgue_constant,
)
from codedtheory.interpolation.straggler_batches import straggler_batches, survivors_of


def brute_force(nodes, stragglers, rule, interval=None):
    sets = list(combinations(range(len(nodes)), stragglers))
    values = [lebesgue_constant(nodes.without(s), rule, interval) for s in sets]
    top = max(values)
    return top, next(s for s, v in zip(sets, values, strict=True) if v >= top * (1 - 1e-12))


@pytest.mark.parametrize(
    ("stragglers", "table"),
    [
        (0, {4: 2.3204, 5: 2.7963, 6: 2.5525, 7: 2.7704, 8: 2.6382, 9: 2.7679, 10: 2.6786}),
        (1, {5: 3.4070, 6: 5.1078, 7: 4.0411, 8: 4.9772, 9: 4.3426, 10: 4.9283}),
    ],
)
def test_table_for_chebyshev_points_of_the_second_kind(stragglers, table):
    for N, value in table.items():
        assert round(worst_lebesgue_constant(N + 1, stragglers).value, 4) == value
        enclosed = worst_lebesgue_constant(N + 1, stragglers, arithmetic=ball(64)).value
        assert abs(enclosed.mid - Rational(str(value))) < Rational(1, 10**4) / 2 + enclosed.rad


def test_a_mild_straddling_hole():
    # N = 6: losing node 4 (or 2) is worst, losing node 3 is mild
    worst = worst_lebesgue_constant(7, 1)
    assert (worst.stragglers, worst.survivors, worst.sets) == ((2,), (0, 1, 3, 4, 5, 6), 7)
    assert round(lebesgue_constant(chebyshev_second(7).without([3]), "berrut"), 2) == 2.41


def test_four_of_twenty_first_kind_points():
    worst = worst_lebesgue_constant(chebyshev_first(20), 4, arithmetic=ball(128))
    assert worst.stragglers == (8, 9, 10, 11)
    assert worst.sets == 4845
    assert round(float(worst.value.mid.fraction), 3) == 11.223
    assert worst.value.rad < Rational(1, 2**120)
    assert worst_lebesgue_constant(chebyshev_first(20), 4).value == pytest.approx(
        float(worst.value.mid.fraction), rel=1e-14
    )


def test_four_of_twenty_second_kind_points_have_another_worst_set():
    worst = worst_lebesgue_constant(20, 4, arithmetic=ball(64))
    assert worst.stragglers == (2, 3, 4, 5)
    assert worst.value.contains(exactly(worst_lebesgue_constant(20, 4).value)) or (
        abs(worst.value.mid - exactly(worst_lebesgue_constant(20, 4).value)) < Rational(1, 10**13)
    )


NODES = [chebyshev_second(8), chebyshev_first(7), equispaced(8), nodes_from([0, 1, 3, 4, "9/2", 7, 11])]


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("rule", ["berrut", "berrut-half", "lagrange", 1, 2])
def test_against_brute_force(nodes, rule):
    for stragglers in (0, 2, 4):
        value, where = brute_force(nodes, stragglers, rule)
        worst = worst_lebesgue_constant(nodes, stragglers, rule)
        assert worst.value == pytest.approx(value, rel=1e-13)
        assert worst.stragglers == where
        certified = worst_lebesgue_constant(nodes, stragglers, rule, arithmetic=ball(80))
        assert certified.stragglers == where
        assert abs(certified.value.mid / exactly(value) - 1) < Rational(1, 10**12)
        assert certified.value.rad / certified.value.mid < Rational(1, 2**76)
        alone = lebesgue_constant(nodes.without(where), rule, arithmetic=ball(80))
        assert certified.value.overlaps(alone)


@pytest.mark.parametrize("interval", [(-1, 1), ("-1/2", 2)])
@pytest.mark.parametrize("nodes", [chebyshev_second(7), chebyshev_first(6)])
def test_intervals_larger_than_the_hull(nodes, interval):
    value, where = brute_force(nodes, 2, "berrut", interval)
    worst = worst_lebesgue_constant(nodes, 2, "berrut", interval)
    assert worst.value == pytest.approx(value, rel=1e-12)
    assert worst.stragglers == where
    certified = worst_lebesgue_constant(nodes, 2, "berrut", interval, ball(80))
    assert certified.stragglers == where
    assert certified.value.overlaps(lebesgue_constant(nodes.without(where), "berrut", interval, ball(80)))


def test_decreasing_and_increasing_nodes_agree():
    nodes = nodes_from([0, 1, 3, 4, "9/2", 7, 11])
    back = worst_lebesgue_constant(nodes_from([11, 7, "9/2", 4, 3, 1, 0]), 2)
    forth = worst_lebesgue_constant(nodes, 2)
    assert back.value == pytest.approx(forth.value, rel=1e-14)
    assert sorted(6 - i for i in back.stragglers) == list(forth.stragglers)


def test_few_survivors():
    assert worst_lebesgue_constant(5, 4).value == 1
    assert worst_lebesgue_constant(5, 4).stragglers == (0, 1, 2, 3)
    two = worst_lebesgue_constant(5, 3, arithmetic=ball(64))
    assert two.value == 1
    assert two.stragglers == (0, 1, 2)
    # off the hull two neighbours at one end give (3 + c)/(1 - c), c = cos(pi/4)
    wide = worst_lebesgue_constant(5, 3, interval=(-1, 1), arithmetic=ball(64))
    c = ball(128).cos_pi("1/4")
    assert wide.value.overlaps((3 + c) / (1 - c))
    assert wide.stragglers == (0, 1, 2)
    assert worst_lebesgue_constant([5], 0).value == 1


def test_no_stragglers_is_the_lebesgue_constant():
    nodes = chebyshev_first(9)
    worst = worst_lebesgue_constant(nodes, 0, 2, arithmetic=ball(64))
    assert worst.value.overlaps(lebesgue_constant(nodes, 2, arithmetic=ball(64)))
    assert (worst.stragglers, worst.sets) == ((), 1)


def test_rules_by_name_by_weights_and_by_degree():
    nodes = chebyshev_second(8)
    by_degree = worst_lebesgue_constant(nodes, 2, 1)
    assert worst_lebesgue_constant(nodes, 2, WeightRule("floater-hormann", 1)) == by_degree
    assert worst_lebesgue_constant(nodes, 2, floater_hormann_weights(nodes, 1)) == by_degree
    assert pickle.loads(pickle.dumps(by_degree)) == by_degree  # noqa: S301


def test_nodes_too_close_for_doubles_are_enclosed_one_by_one():
    nodes = nodes_from([0, Rational(1, 3), Rational(1, 3) + Rational(1, 2**180), 2])
    with pytest.raises(ValueError, match=r"too close for doubles; use ball\(bits\)"):
        worst_lebesgue_constant(nodes, 1)
    worst = worst_lebesgue_constant(nodes, 1, arithmetic=ball(80))
    expected = [lebesgue_constant(nodes.without([i]), "berrut", arithmetic=ball(80)) for i in range(4)]
    assert worst.value.overlaps(expected[worst.stragglers[0]])
    assert all(worst.value.upper >= e.lower for e in expected)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: worst_lebesgue_constant(5, 5), ValueError, "stragglers must be from 0 to 4"),
        (lambda: worst_lebesgue_constant(5, -1), ValueError, "stragglers must be from 0 to 4"),
        (lambda: worst_lebesgue_constant(5, 1.0), TypeError, "stragglers must be an integer"),
        (lambda: worst_lebesgue_constant(5, 3, 2), ValueError, "d must be at most n = 1 for 2 nodes, got 2"),
        (
            lambda: worst_lebesgue_constant(30, 10, limit=1000),
            ValueError,
            "10 of 30 nodes make 30045015 sets, more than limit = 1000",
        ),
        (lambda: worst_lebesgue_constant(5, 1, "berut"), ValueError, "got 'berut'"),
        (lambda: worst_lebesgue_constant(5, 1, arithmetic=EXACT), ValueError, r"FLOAT or ball\(bits\)"),
        (lambda: worst_lebesgue_constant(roots_of_unity(5), 1), ValueError, "real nodes are needed"),
        (lambda: worst_lebesgue_constant([-1, "0.9", 1], 0, "berrut-half", (-1, 2)), ValueError, "pole"),
        (lambda: worst_lebesgue_constant(1, 0), ValueError, "n must be at least 2"),
        (lambda: worst_lebesgue_constant([1], 1), ValueError, "stragglers must be 0 for a single node"),
    ],
)
def test_bad_calls_are_refused(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_enumeration_up_to_reflection():
    for workers, stragglers in ((6, 0), (6, 2), (7, 3), (5, 4)):
        everything = np.concatenate(list(straggler_batches(workers, stragglers, rows=7)))
        assert everything.tolist() == [list(c) for c in combinations(range(workers), stragglers)]
        half = [
            tuple(row) for row in np.concatenate(list(straggler_batches(workers, stragglers, mirrored=True))).tolist()
        ]
        mirrored = {tuple(sorted(workers - 1 - i for i in row)) for row in half}
        assert set(half) | mirrored == set(combinations(range(workers), stragglers))
        assert all(row <= tuple(sorted(workers - 1 - i for i in row)) for row in half)
        assert half == sorted(half)
        left = survivors_of(everything, workers)
        assert all(
            sorted([*a, *b]) == list(range(workers)) for a, b in zip(left.tolist(), everything.tolist(), strict=True)
        )
        assert len(left) == comb(workers, stragglers)


def test_nodes_without_a_difference_in_doubles_are_not_passed_over():
    high = 1 + Fraction(1, 2**52) + Fraction(1, 2**53)
    nodes = [0, high - Fraction(1, 2**106), high, 2]
    worst = worst_lebesgue_constant(nodes, 1, "lagrange", arithmetic=ball(53))
    assert worst.stragglers == (3,)
    assert worst.value > 10**31


def test_a_constant_beyond_doubles_is_no_infinity():
    with pytest.raises(ValueError, match="too large for a double"):
        worst_lebesgue_constant(equispaced(1100), 0, "lagrange")


def test_weights_without_poles_are_not_suspected_of_any():
    # gaps of 1e-40 leave upper bounds infinite in doubles, but Berrut's interpolant has no pole whatever the nodes
    nodes = nodes_from(["0", "1e-40", "2e-40", "1"])
    assert worst_lebesgue_constant(nodes, 0).value == pytest.approx(3, rel=1e-6)


@pytest.mark.parametrize("constant", [worst_lebesgue_constant, lebesgue_constant])
def test_an_arithmetic_is_no_string(constant):
    with pytest.raises(ValueError, match="arithmetic must be FLOAT or ball"):
        constant([0, 1, 2], arithmetic="ball", **({"stragglers": 0} if constant is worst_lebesgue_constant else {}))
