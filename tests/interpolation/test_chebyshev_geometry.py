from itertools import combinations

import pytest

from codedtheory.arithmetic import FLOAT, Ball, Rational, approximate, ball, cyclotomic
from codedtheory.interpolation.chebyshev_geometry import (
    gap_bound,
    published_adjacent_ratio,
    spacing_bound,
    worst_adjacent_ratio,
    worst_gap,
    worst_mesh_ratio,
    worst_survivor_geometry,
)
from codedtheory.interpolation.geometry import adjacent_ratio, max_gap, mesh_ratio, well_spaced_constants
from codedtheory.interpolation.node_families import chebyshev_second

SMALL = [(N, s) for N in range(1, 8) for s in range(N)]


def parts(geometry):
    return geometry.gap, geometry.adjacent_ratio, geometry.mesh_ratio, geometry.spacing


@pytest.mark.parametrize(
    ("N", "s", "printed"),
    [
        (5, 0, (0.618034, 2.618034, 1.236068, 1.447214)),
        (6, 1, (1, 6.464102, 2.732051, 2)),
        (6, 2, (1.366025, 10.196152, 3.732051, 2.196152)),
        (7, 2, (1.246980, 11.344814, 4.493959, 2.364036)),
    ],
)
def test_table_of_worst_geometries(N, s, printed):
    geometry = worst_survivor_geometry(N + 1, s, ball(80))
    for worst, value in zip(parts(geometry), printed, strict=True):
        assert abs(worst.value - Rational(str(value))) < Rational("0.0000006")


@pytest.mark.parametrize(("N", "s"), SMALL)
def test_closed_forms_equal_the_enumeration_exactly(N, s):
    geometry = worst_survivor_geometry(N + 1, s, cyclotomic(2 * N))
    assert geometry.gap.value == worst_gap(N + 1, s, cyclotomic(4 * N))
    assert geometry.gap.value <= gap_bound(N + 1, s, cyclotomic(4 * N))
    assert (geometry.gap.value == gap_bound(N + 1, s, cyclotomic(4 * N))) == ((N - s) % 2 == 1)
    assert geometry.spacing.value <= spacing_bound(s)
    if s <= N - 2:
        assert geometry.adjacent_ratio.value == worst_adjacent_ratio(N + 1, s, cyclotomic(4 * N))
        assert geometry.adjacent_ratio.value < (s + 1) * (s + 3)
    else:
        assert geometry.adjacent_ratio.value == 1
    if s <= N - 3:
        assert geometry.mesh_ratio.value == worst_mesh_ratio(N + 1, s, cyclotomic(4 * N))
    else:
        assert geometry.mesh_ratio.value == 0


@pytest.mark.parametrize(("N", "s"), [(4, 1), (5, 2), (6, 3), (7, 1)])
def test_enumeration_by_the_definition(N, s):
    nodes = chebyshev_second(N + 1)
    field = cyclotomic(2 * N)
    everything = [nodes.without(lost) for lost in combinations(range(N + 1), s)]
    geometry = worst_survivor_geometry(N + 1, s, field)
    measures = (max_gap, adjacent_ratio, mesh_ratio, lambda n, a: well_spaced_constants(n, a).C)
    for worst, measure in zip(parts(geometry), measures, strict=True):
        assert worst.value == max(measure(survivors, field) for survivors in everything)
        assert measure(nodes.take(worst.survivors), field) == worst.value
        assert sorted(worst.survivors + worst.stragglers) == list(range(N + 1))
        assert len(worst.stragglers) == s


@pytest.mark.parametrize(("N", "s"), [(5, 1), (8, 3), (11, 4)])
def test_worst_ratio_is_attained_by_losing_nodes_2_to_s_plus_1(N, s):
    assert worst_survivor_geometry(N + 1, s).adjacent_ratio.stragglers == tuple(range(2, s + 2))


@pytest.mark.parametrize(("N", "s"), [(6, 2), (9, 3)])
def test_floats_lie_near_the_balls(N, s):
    floats, balls = worst_survivor_geometry(N + 1, s), worst_survivor_geometry(N + 1, s, ball(100))
    for a, b in zip(parts(floats), parts(balls), strict=True):
        assert isinstance(b.value, Ball)
        assert a.value == pytest.approx(approximate(b.value), rel=3e-15)
        assert a.stragglers == b.stragglers


@pytest.mark.parametrize(
    ("N", "s", "printed"), [(120, 1, "2.0014"), (40, 2, "3.0124"), (24, 3, "4.1791")], ids=["s=1", "s=2", "s=3"]
)
def test_worst_mesh_ratio_tends_to_s_plus_1(N, s, printed):
    value = worst_survivor_geometry(N + 1, s, ball(80)).mesh_ratio.value
    assert abs(value - Rational(printed)) < Rational("0.00005")
    assert value > s + 1


@pytest.mark.parametrize(("N", "s", "printed"), [(80, 0, "1.89"), (80, 1, "3.46"), (40, 2, "4.33")])
def test_smallest_spacing_constants(N, s, printed):
    value = worst_survivor_geometry(N + 1, s, ball(80)).spacing.value
    assert abs(value - Rational(printed)) < Rational("0.005")


def test_spacing_without_stragglers():
    assert worst_survivor_geometry(7, 0, cyclotomic(12)).spacing.value == Rational(3, 2)
    assert worst_survivor_geometry(5, 0).spacing.value == pytest.approx(2**0.5, rel=1e-15)


def test_four_outer_survivors_have_a_mesh_ratio_as_large_as_the_adjacent_ratio():
    for N in range(4, 9):
        outer = chebyshev_second(N + 1).take([0, 1, N - 1, N])
        assert mesh_ratio(outer, cyclotomic(2 * N)) == worst_adjacent_ratio(N + 1, N - 3, cyclotomic(4 * N))


def test_closed_form_without_stragglers():
    for N in range(2, 12):
        field = cyclotomic(4 * N)
        assert worst_adjacent_ratio(N + 1, 0, field) == 1 + 2 * field.cos_pi(f"1/{N}")


def test_published_ratio_is_valid_and_improvable():
    for N in range(2, 15):
        for s in range(N - 1):
            exact = worst_adjacent_ratio(N + 1, s, ball(80))
            assert exact < published_adjacent_ratio(s, ball(80))
    assert worst_adjacent_ratio(2001, 1, ball(80)) > Rational("7.999")


@pytest.mark.parametrize("function", [worst_gap, gap_bound, worst_survivor_geometry])
def test_bad_counts(function):
    with pytest.raises(ValueError, match="workers must be at least 2, got 1"):
        function(1, 0)
    with pytest.raises(ValueError, match=r"stragglers must be from 0 to 3 for 5 workers .* got 4"):
        function(5, 4)
    with pytest.raises(ValueError, match="got -1"):
        function(5, -1)
    with pytest.raises(TypeError, match=r"workers must be an integer, got 5\.0"):
        function(5.0, 1)


def test_bad_counts_of_single_parameters():
    with pytest.raises(ValueError, match="at least 3 must survive"):
        worst_adjacent_ratio(5, 3)
    with pytest.raises(ValueError, match="at least 4 must survive"):
        worst_mesh_ratio(5, 2)
    with pytest.raises(ValueError, match="stragglers must be at least 0"):
        spacing_bound(-1)
    with pytest.raises(TypeError, match="stragglers must be an integer"):
        published_adjacent_ratio(0.5)
    with pytest.raises(ValueError, match="too many to enumerate"):
        worst_survivor_geometry(60, 30)
    with pytest.raises(ValueError, match="pi is not in"):
        published_adjacent_ratio(0, cyclotomic(4))
    assert worst_gap(3, 0, FLOAT) == pytest.approx(1, rel=1e-15)
