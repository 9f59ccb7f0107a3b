from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import Ball, norm


@pytest.mark.parametrize("reach", [Fraction(1, 3), 1, 2])
def test_powers_of_balls_centred_at_zero(reach):
    x = Ball.between(-reach, reach, 64)
    for exponent in range(6):
        power = x**exponent
        for point in (-reach, 0, Fraction(reach, 7), reach):
            assert power.contains(Fraction(point) ** exponent)
        assert power.rad <= Fraction(reach) ** exponent * Fraction(11, 10)
    assert not (x**2).contains(Fraction(-reach * reach, 2))


def test_frobenius_norm_with_an_entry_around_zero():
    matrix = np.array([[Ball(3, 64), Ball.between("-1e-20", "1e-20", 64)], [Ball(0, 64), Ball(4, 64)]], dtype=object)
    assert norm(matrix, "fro").contains(5)
