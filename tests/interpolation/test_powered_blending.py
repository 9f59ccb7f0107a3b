from fractions import Fraction

import pytest

from codedtheory.arithmetic import EXACT
from codedtheory.interpolation import BarycentricInterpolant
from codedtheory.interpolation.powered_blending import blending_powers, powered_cardinals, powered_lebesgue_bound

NODES = [Fraction(k) for k in (0, 1, 3, 4, 7)]
POINTS = [Fraction(1, 3), Fraction(5, 2), Fraction(13, 2), Fraction(9), Fraction(-2)]


@pytest.mark.parametrize("d", range(5))
def test_the_first_power_is_floater_hormann(d):
    for x in POINTS:
        expected = BarycentricInterpolant(NODES, d).cardinal_matrix([x], EXACT)[0]
        assert powered_cardinals(x, NODES, d, 1) == [value.fraction for value in expected]


@pytest.mark.parametrize("gamma", [1, 2, 3, 4])
@pytest.mark.parametrize("d", range(5))
def test_polynomials_of_degree_d_are_reproduced(d, gamma):
    for x in POINTS:
        cardinals = powered_cardinals(x, NODES, d, gamma)
        for m in range(d + 1):
            assert sum(c * t**m for c, t in zip(cardinals, NODES, strict=True)) == x**m


@pytest.mark.parametrize("gamma", [2, 3])
def test_data_are_interpolated(gamma):
    near = Fraction(3) + Fraction(1, 10**6)
    cardinals = powered_cardinals(near, NODES, 2, gamma)
    assert abs(cardinals[2] - 1) < Fraction(1, 10**5)
    assert all(abs(c) < Fraction(1, 10**5) for i, c in enumerate(cardinals) if i != 2)


def test_shepards_interpolant_is_degree_0_with_power_2():
    x = Fraction(5, 2)
    weights = [1 / (x - t) ** 2 for t in NODES]
    assert powered_cardinals(x, NODES, 0, 2) == [w / sum(weights) for w in weights]


def test_powers_keep_the_signs_of_odd_exponents():
    assert blending_powers(Fraction(1, 2), [0, 1], 0, 3) == [8, 8]
    assert blending_powers(Fraction(1, 2), [0, 1], 0, 2) == [4, 4]


@pytest.mark.parametrize(("d", "gamma", "name"), [(-1, 2, "d"), (5, 2, "d"), (1, 0, "gamma")])
def test_bad_arguments_are_named(d, gamma, name):
    with pytest.raises(ValueError, match=f"{name} must"):
        powered_cardinals(Fraction(1, 2), NODES, d, gamma)


@pytest.mark.parametrize("gamma", [2, 3, 4])
@pytest.mark.parametrize("d", range(3))
@pytest.mark.parametrize("step", [(1,), (1, 2), (1, 1, 3), (5, 1, 1)])
def test_the_bound_exceeds_the_lebesgue_function(step, d, gamma):
    nodes = [Fraction(0)]
    for i in range(13):
        nodes.append(nodes[-1] + step[i % len(step)])
    bound = powered_lebesgue_bound(d, gamma, Fraction(max(step)))
    for k in range(13):
        for j in (1, 3, 6):
            x = nodes[k] + (nodes[k + 1] - nodes[k]) * Fraction(j, 8)
            assert sum(abs(c) for c in powered_cardinals(x, nodes, d, gamma)) <= bound


@pytest.mark.parametrize(("d", "gamma", "name"), [(-1, 2, "d"), (1, 1, "gamma")])
def test_the_bound_needs_a_power_of_2(d, gamma, name):
    with pytest.raises(ValueError, match=f"{name} must"):
        powered_lebesgue_bound(d, gamma, 1)
