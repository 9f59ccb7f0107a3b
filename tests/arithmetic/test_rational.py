from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from codedtheory.arithmetic import EXACT, Rational
from tests.arithmetic.strategies import fractions


@given(fractions, fractions)
def test_operations_are_those_of_fractions(a, b):
    x, y = Rational(a), Rational(b)
    assert ((x + y).fraction, (x - y).fraction, (x * y).fraction) == (a + b, a - b, a * b)
    assert (x + b).fraction == (a + y).fraction == a + b
    assert ((x < y), (x <= y), (x == y), (x != y)) == (a < b, a <= b, a == b, a != b)
    if b:
        assert (x / y).fraction == (x / b).fraction == (a / y).fraction == a / b
        assert (y**-3).fraction == b**-3
    assert hash(x) == hash(a)
    assert abs(x).fraction == abs(a)


def test_decimal_strings_are_decimals():
    assert Rational("0.1") == Fraction(1, 10)
    assert EXACT.array([["0.1", "1e-3"]]).tolist() == [[Fraction(1, 10), Fraction(1, 1000)]]


def test_numpy_integers_are_integers():
    assert Rational(np.int64(3)) + np.uint8(4) == 7


def test_square_roots_leave_the_rationals_only_with_an_error():
    assert Rational(9, 4).sqrt() == Rational(3, 2)
    with pytest.raises(ValueError, match="not rational; use ball"):
        Rational(2).sqrt()


def test_cosines_that_are_rational():
    assert [EXACT.cos_pi(Fraction(k, 6)) for k in (0, 2, 3, 4, 6)] == [1, Fraction(1, 2), 0, Fraction(-1, 2), -1]
    with pytest.raises(ValueError, match=r"cyclotomic\(12\)"):
        EXACT.cos_pi("1/6")
