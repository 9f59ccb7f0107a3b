"""The bounds that sweeps rely on hold, rounding errors included: checked against balls of 200 bits."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import PrecisionError, Rational, ball, exactly
from codedtheory.interpolation import chebyshev_first, chebyshev_second, equispaced, nodes_from, weights_for
from codedtheory.interpolation.certified_lebesgue import BallPieces
from codedtheory.interpolation.lebesgue_problem import LebesgueProblem
from codedtheory.interpolation.peak_search import find_peaks, rigorous_flags
from codedtheory.interpolation.piece_bounds import (
    Boxes,
    PolynomialBounds,
    QuotientBounds,
    _exponential_from_above,
    rounding_constant,
)

FAMILIES = [
    chebyshev_first(14).without([3, 4, 8]),
    chebyshev_second(9),
    equispaced(12),
    nodes_from([0.0, 1e-6, 0.5, 0.75, 0.8, 2.0]),
]


def boxes_of(problem, number, start, stop):
    p = problem.pieces.rows(np.zeros(len(number), dtype=int), number)
    form = problem.form
    return p, Boxes(start, stop, form.positive_part(p, start), form.positive_part(p, stop))


def value(piece, t):
    if piece.polynomial:
        return piece._logarithmic(t)[0]
    return piece.jet(t).value


@settings(max_examples=25)
@given(
    st.sampled_from(FAMILIES),
    st.sampled_from(["berrut", "berrut-half", "lagrange", 1, 3]),
    st.booleans(),
    st.integers(0, 2**20 - 1),
    st.integers(1, 2**20),
    st.data(),
)
def test_bounds_hold_on_random_boxes(nodes, rule, wide, first, width, data):
    weights = weights_for(nodes, rule)
    ends = (Rational("-1.1"), Rational("2.2")) if wide else None
    problem, balls = LebesgueProblem.of_nodes(nodes, weights, ends), BallPieces(nodes, weights, ends, 128)
    _, numbers = problem.pieces.all_pieces()
    assert numbers.tolist() == balls.numbers()
    number = data.draw(st.sampled_from(numbers.tolist()))
    start, stop = first / 2**20, min(first + width, 2**20) / 2**20
    p, boxes = boxes_of(problem, np.array([number]), np.array([start]), np.array([stop]))
    seen = problem.form.look(p, boxes)
    if seen.is_pole[0]:
        assert any(balls.piece(number).jet(exactly(start + (stop - start) * k / 64)).q[0] < 0 for k in range(65))
        return
    piece = balls.piece(number)
    for k in range(9):
        t = exactly(start + (stop - start) * k / 8)
        if np.isfinite(seen.upper[0]) and (piece.jet(t).q[0] > 0 or piece.polynomial):
            assert value(piece, t) <= exactly(float(seen.upper[0]))
    middle = exactly(float(boxes.middle[0]))
    assert abs(value(piece, middle)) >= exactly(float(seen.lower[0]))


@pytest.mark.parametrize("rule", ["berrut", 2])
def test_a_single_peak_is_one(rule):
    nodes = FAMILIES[0]
    weights = weights_for(nodes, rule)
    problem, balls = LebesgueProblem.of_nodes(nodes, weights, None), BallPieces(nodes, weights, None, 100)
    count = 0
    for number in range(1, len(nodes)):
        for eighth in range(8):
            start, stop = np.array([eighth / 8]), np.array([(eighth + 1) / 8])
            p, boxes = boxes_of(problem, np.array([number]), start, stop)
            if not problem.form.has_single_peak(p, boxes)[0]:
                continue
            count += 1
            slopes = [balls.piece(number).jet(Rational(8 * eighth + k, 64)).slope for k in range(9)]
            assert all(a > b for a, b in pairwise(slopes))
    assert count > 40


def test_the_bounds_come_close_quadratically():
    nodes = chebyshev_second(12)
    problem = LebesgueProblem.of_nodes(nodes, weights_for(nodes, "berrut"), None)
    excess = []
    for halvings in (6, 7, 8):
        start, stop = np.array([0.5]), np.array([0.5 + 2.0**-halvings])
        p, boxes = boxes_of(problem, np.array([5]), start, stop)
        seen = problem.form.look(p, boxes)
        top = max(problem.form.climb(p, np.array([t]))[0][0] for t in np.linspace(start[0], stop[0], 5))
        excess.append(seen.upper[0] - top)
    assert excess[0] / excess[1] == pytest.approx(4, rel=0.05)
    assert excess[1] / excess[2] == pytest.approx(4, rel=0.05)


def test_without_the_rounding_constant_the_bounds_are_wrong():
    nodes = chebyshev_first(60)
    weights = weights_for(nodes, 3)
    problem, balls = LebesgueProblem.of_nodes(nodes, weights, None), BallPieces(nodes, weights, None, 100)
    number = np.arange(1, 60)
    start = stop = np.full(59, 0.375)
    p, boxes = boxes_of(problem, number, start, stop)
    true = [balls.piece(int(g)).jet(exactly(0.375)).value.mid for g in number]

    def holds(form):
        seen = form.look(p, boxes)
        return [
            exactly(float(a)) <= t <= exactly(float(b))
            for a, t, b in zip(seen.lower, true, seen.upper, strict=True)
            if np.isfinite(b)
        ]

    assert all(holds(problem.form))
    assert not all(holds(QuotientBounds(0.0)))


@pytest.mark.parametrize("rule", ["berrut", "lagrange", 2])
@pytest.mark.parametrize("ends", [None, (-1, 9)])
@pytest.mark.parametrize("power", [-700, 700])
def test_the_unit_of_length_does_not_matter(rule, ends, power):
    values, found = [0, 1, 3, 4, Rational(9, 2), 7], []
    for factor in (Rational(1), Rational(2) ** power):
        nodes = nodes_from([factor * v for v in values])
        scaled = None if ends is None else tuple(factor * e for e in ends)
        with rigorous_flags():
            problem = LebesgueProblem.of_nodes(nodes, weights_for(nodes, rule), scaled)
            found.append(find_peaks(problem.pieces, problem.form, problem.least, sharpen=True))
    assert found[0].lower == found[1].lower > 1
    assert found[0].upper.tolist() == found[1].upper.tolist()


def test_weights_below_the_range_are_refused_and_no_number_bounds_nothing():
    nodes = nodes_from([0, 1, 2])
    with pytest.raises(ValueError, match=r"weights differ by a factor.*use ball\(bits\)"):
        LebesgueProblem.of_nodes(nodes, weights_for(nodes, [1, Rational(-1, 2**901), 1]), None)
    problem = LebesgueProblem.of_nodes(nodes, weights_for(nodes, [1, Rational(-1, 2), 1]), None)

    class Blind(QuotientBounds):
        def look(self, p, boxes):
            seen = super().look(p, boxes)
            return replace(seen, upper=np.full(seen.upper.shape, np.nan))

    with pytest.raises(PrecisionError, match="not enclosed"):
        find_peaks(problem.pieces, Blind(problem.form.kappa), levels=3)


def test_exponentials_are_bounded_from_above():
    x = np.array([0.0, 1e-9, 0.1, 1.0, 3.7, 15.9])
    for t, bound in zip(x, _exponential_from_above(x), strict=True):
        assert ball(100).exp(exactly(t)) <= exactly(bound)
    assert _exponential_from_above(np.array([16.5]))[0] == np.inf


def test_the_analysis_knows_its_end():
    with pytest.raises(ValueError, match=r"too close or too many.*use ball\(bits\)"):
        rounding_constant(10, 0.01, 0.0)
    assert rounding_constant(16, 3 * 2.0**-53, 0.0) < 1e-14


def test_search_finds_both_of_two_equal_maxima_and_nothing_else():
    nodes = chebyshev_second(12).without([5, 6])
    problem = LebesgueProblem.of_nodes(nodes, weights_for(nodes, "berrut"), None)
    peaks = find_peaks(problem.pieces, problem.form, sharpen=True)
    assert peaks.single.all()
    mirrored = {(10 - g, round(1 - t, 6)) for g, t in zip(peaks.piece.tolist(), peaks.place.tolist(), strict=True)}
    assert mirrored == {(g, round(t, 6)) for g, t in zip(peaks.piece.tolist(), peaks.place.tolist(), strict=True)}
    assert (peaks.upper / peaks.lower - 1 < 1e-9).all()
    assert isinstance(problem.form, QuotientBounds)
    polynomial = LebesgueProblem.of_nodes(nodes, weights_for(nodes, "lagrange"), None)
    assert isinstance(polynomial.form, PolynomialBounds)
