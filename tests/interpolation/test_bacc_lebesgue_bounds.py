from itertools import combinations

import pytest

from codedtheory.arithmetic import Rational, approximate, ball, cyclotomic
from codedtheory.interpolation.bacc_lebesgue_bounds import bacc_lebesgue_bound
from codedtheory.interpolation.lebesgue import lebesgue_constant
from codedtheory.interpolation.node_families import chebyshev_second

BITS = ball(80)


@pytest.mark.parametrize(
    ("N", "s", "printed", "digits"),
    [(10, 0, "199.3", 1), (10, 1, "920.2", 1), (40, 0, "314", 0), (40, 1, "1521", 0), (40, 2, "4132", 0)],
)
def test_printed_published_values(N, s, printed, digits):
    assert abs(bacc_lebesgue_bound(N + 1, s, arithmetic=BITS) - Rational(printed)) < Rational(1, 10**digits)


@pytest.mark.parametrize(("s", "printed"), [(0, "13.74"), (1, "46.12")])
def test_printed_sharp_values(s, printed):
    assert abs(bacc_lebesgue_bound(11, s, "sharp", BITS) - Rational(printed)) < Rational("0.005")


@pytest.mark.parametrize(("N", "s"), [(N, s) for N in range(2, 7) for s in range(N)])
def test_all_survivor_sets(N, s):
    nodes = chebyshev_second(N + 1)
    published = bacc_lebesgue_bound(N + 1, s, arithmetic=BITS)
    for lost in combinations(range(N + 1), s):
        survivors = nodes.without(lost)
        assert lebesgue_constant(survivors, "berrut") <= approximate(published)
        assert lebesgue_constant(survivors, "berrut", (-1, 1)) <= approximate(published)
        if s <= N - 2:
            hull = lebesgue_constant(survivors, "berrut", arithmetic=BITS)
            assert hull <= bacc_lebesgue_bound(N + 1, s, "sharp", BITS)


@pytest.mark.parametrize("N", [3, 5, 8])
def test_the_exact_ratio_does_not_bound_beyond_the_hull(N):
    """Survivors 0 and 1: the value at -1 is (3 + c)/(1 - c), c = cos(pi/N), and R + 1 = (1 + c)/(1 - c)."""
    c = BITS.cos_pi(f"1/{N}")
    value = lebesgue_constant(chebyshev_second(N + 1).take([0, 1]), "berrut", (-1, 1), BITS)
    assert value.overlaps((3 + c) / (1 - c))
    assert value > (1 + c) / (1 - c)


def test_sharp_form_gains():
    for N in range(3, 12):
        for s in range(N - 1):
            sharp, published = (bacc_lebesgue_bound(N + 1, s, form, BITS) for form in ("sharp", "published"))
            assert 4 * sharp < published


def test_bad_input():
    with pytest.raises(ValueError, match="at least 3 must survive"):
        bacc_lebesgue_bound(5, 3, "sharp")
    with pytest.raises(ValueError, match="at least 2 must survive"):
        bacc_lebesgue_bound(5, 4)
    with pytest.raises(ValueError, match="form must be"):
        bacc_lebesgue_bound(5, 1, "sharp1")
    with pytest.raises(ValueError, match="use ball"):
        bacc_lebesgue_bound(5, 1, arithmetic=cyclotomic(16))
