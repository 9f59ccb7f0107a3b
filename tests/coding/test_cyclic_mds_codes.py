"""Polynomial and cyclic MDS codes: exactness, amplification tables, real encoders."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import cos, pi, sin

import numpy as np
import pytest

from codedtheory.arithmetic import Algebraic, Rational, cyclotomic
from codedtheory.coding import DividedDifference, MinNorm, cyclic_mds, polynomial_cyclic


def roots(n, step=1):
    return [Algebraic.root_of_unity(Fraction(step * k, n), n) for k in range(n)]


def middle(ball):
    return float(ball.mid.fraction)


def test_the_example_of_three_nodes():
    code = polynomial_cyclic([0, 1, 2], 1)
    assert code.matrix.astype(str).tolist() == [["-1", "-2", "0"], ["0", "-1", "1"], ["1", "0", "2"]]
    decoder = DividedDifference((0, 1, 2), 1)
    weights = {(0, 1): ["-1", "1"], (0, 2): ["-1/2", "1/2"], (1, 2): ["-1", "1"]}
    for survivors, expected in weights.items():
        assert decoder.weights(code, survivors).astype(str).tolist() == expected
        assert MinNorm().weights(code, survivors).astype(str).tolist() == expected


@pytest.mark.parametrize("n", range(1, 7))
def test_divided_differences_decode_every_survivor_set(n):
    nodes = tuple(Fraction(3 * k * k - 7 * k, k + 2) for k in range(n))
    for s in range(n):
        code, decoder = polynomial_cyclic(nodes, s), DividedDifference(nodes, s)
        for survivors in combinations(range(n), n - s):
            alpha = decoder.weights(code, survivors) @ code.matrix[list(survivors)]
            assert bool(np.all(alpha == 1))


def test_divided_differences_over_other_numbers():
    nodes = tuple(roots(5))
    code = polynomial_cyclic(nodes, 2)
    alpha = DividedDifference(nodes, 2).weights(code, [4, 0, 2]) @ code.matrix[[4, 0, 2]]
    assert bool(np.all(alpha == 1))
    floats = tuple(float(x) for x in range(4))
    code = polynomial_cyclic(floats, 1)
    assert np.allclose(DividedDifference(floats, 1).weights(code, [0, 1, 3]) @ code.matrix[[0, 1, 3]], 1)


def test_additional_survivors_get_weight_zero():
    weights = DividedDifference((0, 1, 2), 1).weights(polynomial_cyclic([0, 1, 2], 1), [2, 0, 1])
    assert weights.astype(str).tolist() == ["1/2", "-1/2", "0"]


def test_divided_differences_refuse_what_they_cannot_do():
    code = polynomial_cyclic([0, 1, 2], 1)
    with pytest.raises(ValueError, match="at least n-s = 2"):
        DividedDifference((0, 1, 2), 1).weights(code, [0])
    with pytest.raises(ValueError, match="one for each of the 3 workers"):
        DividedDifference((0, 1), 1).weights(code, [0, 1])


# worst amplification at the roots of unity: natural order, then the best step where it is smaller
AMPLIFICATION = {
    (5, 1): (3.24, 1.618, 2),
    (5, 2): (4.62, 2.618, 2),
    (5, 3): (3.24, 3.236, 1),
    (6, 1): (3.73, 3.732, 1),
    (6, 2): (6.46, 6.464, 1),
    (6, 3): (6.46, 6.464, 1),
    (6, 4): (3.73, 3.732, 1),
    (7, 1): (4.49, 1.604, 3),
    (7, 2): (9.54, 2.445, 2),
    (7, 3): (12.1, 4.049, 3),
    (7, 4): (9.54, 5.741, 3),
    (7, 5): (4.49, 4.494, 1),
    (8, 1): (5.03, 1.765, 3),
    (8, 2): (12.1, 2.414, 3),
    (8, 3): (18.2, 6.442, 3),
    (8, 4): (18.2, 5.027, 3),
    (8, 5): (12.1, 8.289, 3),
    (8, 6): (5.03, 5.027, 1),
    (9, 1): (5.76, 1.532, 4),
    (9, 2): (16.0, 4.106, 2),
    (9, 3): (28.1, 3.759, 2),
    (9, 4): (33.6, 7.291, 2),
    (9, 5): (28.1, 9.638, 4),
    (9, 6): (16.0, 8.823, 4),
}


@pytest.mark.parametrize(("n", "s"), AMPLIFICATION)
def test_the_table_of_amplifications(n, s):
    natural, best, step = AMPLIFICATION[n, s]
    code = cyclic_mds(n, s, first=1)
    assert middle(code.worst_amplification(MinNorm(), s).value) == pytest.approx(natural, rel=5e-3)
    code = cyclic_mds(n, s, "best", first=1)
    assert f"step={step}," in code.name
    assert middle(code.worst_amplification(MinNorm(), s).value) == pytest.approx(best, abs=5e-4)


@pytest.mark.parametrize(("n", "s", "step"), [(5, 1, 1), (5, 1, 2), (5, 3, 2), (6, 2, 1), (7, 2, 3)])
def test_a_run_from_1_is_the_polynomial_code_of_the_stepped_nodes(n, s, step):
    code, other = cyclic_mds(n, s, step, first=1), polynomial_cyclic(roots(n, step), s)
    first = code.worst_amplification(MinNorm(), s).value
    second = other.worst_amplification(MinNorm(), s).value
    assert first.overlaps(second)
    assert max(first.rad, second.rad) < Rational(1, 10**30)


def test_other_runs_have_another_amplification():
    assert cyclic_mds(6, 1).worst_amplification(MinNorm(), 1).value == 1
    assert cyclic_mds(6, 3, first=2).worst_amplification(MinNorm(), 3).value == 5
    assert middle(cyclic_mds(6, 3, first=1).worst_amplification(MinNorm(), 3).value) == pytest.approx(6.4641, abs=1e-4)


@pytest.mark.parametrize("n", range(3, 9))
def test_amplification_of_one_straggler(n):
    integers = polynomial_cyclic(range(n), 1).worst_amplification(MinNorm(), 1).value
    assert integers == 2 * n - 3
    ball = polynomial_cyclic(roots(n), 1).worst_amplification(MinNorm(), 1).value
    expected = cos(pi / (2 * n)) / sin(pi / (2 * n)) if n % 2 == 0 else 1 / sin(pi / (2 * n))
    assert middle(ball) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [4, 5, 6])
def test_natural_order_is_symmetric_in_s(n):
    for nodes in (range(n), [k * k for k in range(n)]):
        worst = [polynomial_cyclic(nodes, s).worst_amplification(MinNorm(), s).value for s in range(n)]
        assert worst == worst[::-1]
    skew = [middle(cyclic_mds(5, s, 2, first=1).worst_amplification(MinNorm(), s).value) for s in (1, 3)]
    assert skew == pytest.approx([1.618034, 3.236068], abs=1e-6)


@pytest.mark.parametrize("n", range(2, 10))
def test_a_real_encoder_exists_iff_the_parities_differ(n):
    for s in range(1, n):
        real = [cyclic_mds(n, s, first=m).is_real for m in range(1, n - s + 1)]
        assert any(real) is ((n - s) % 2 == 1)
        assert cyclic_mds(n, s).is_real is ((n - s) % 2 == 1)


def test_circulants_of_rational_coefficients_are_rational():
    assert cyclic_mds(6, 1).arithmetic.name == "EXACT"
    assert cyclic_mds(5, 0).matrix.astype(str).tolist() == np.eye(5, dtype=int).astype(str).tolist()
    assert bool(np.all(cyclic_mds(3, 2).matrix == 1))


def test_coefficients_against_numpy():
    code = cyclic_mds(9, 4, 2, first=3).approximate()
    expected = np.poly(np.exp(2j * np.pi * 2 * np.arange(3, 7) / 9))[::-1]
    assert np.allclose(code.matrix[4, 4:9], expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 6, "s": 2, "step": 2}, "coprime"),
        ({"n": 6, "s": 6}, "below n"),
        ({"n": 6, "s": 2, "first": 5}, "at most n-s = 4"),
        ({"n": 6, "s": 2, "first": 0}, "at least 1"),
        ({"n": 0, "s": 0}, "at least 1"),
        ({"n": 40, "s": 19, "step": "best"}, "choose step yourself"),
    ],
)
def test_bad_arguments_of_cyclic_mds(arguments, message):
    with pytest.raises(ValueError, match=message):
        cyclic_mds(**arguments)


def test_bad_nodes():
    with pytest.raises(ValueError, match="distinct, got 1 for workers 0 and 2"):
        polynomial_cyclic([1, 2, 1], 1)
    with pytest.raises(ValueError, match="below the number of nodes"):
        polynomial_cyclic([1, 2], 2)
    with pytest.raises(ValueError, match="sequence of numbers"):
        polynomial_cyclic([], 0)
    with pytest.raises(TypeError, match="rigorous"):
        polynomial_cyclic([0.5, Rational(1)], 1)


def test_chebyshev_nodes_stay_exact():
    field = cyclotomic(12)
    code = polynomial_cyclic([field.cos_pi(Fraction(2 * k + 1, 6)) for k in range(3)], 1)
    assert code.is_exact
    assert code.is_real
    assert code.tolerates(1).holds
