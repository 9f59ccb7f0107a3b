from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Modular, Rational, modular

primes = st.sampled_from([2, 3, 7, 101, 2**31 - 1, 2**61 - 1, 2**64 - 59])
integers = st.integers(-(2**70), 2**70)


@given(primes, integers, integers)
def test_operations_are_those_of_integers_modulo_p(p, a, b):
    x, y = Modular(a, p), Modular(b, p)
    assert (x + y).value == (a + b) % p
    assert (x - b).value == (a - b) % p
    assert (a * y).value == a * b % p
    assert (-x).value == -a % p
    assert (x**5).value == pow(a, 5, p)
    assert (x == y) is ((a - b) % p == 0)
    if b % p:
        assert (x / y).value == a * pow(b, -1, p) % p
        assert (y**-1).value == pow(b, -1, p)


def test_fractions_have_a_value_if_the_denominator_is_invertible():
    assert Modular(Fraction(1, 3), 7) * 3 == 1
    assert modular(7).number("1/3") == Rational(1, 3)
    with pytest.raises(ValueError, match="denominator"):
        Modular(Fraction(1, 7), 7)


def test_no_order_no_size_no_other_field():
    x = Modular(2, 7)
    for test in (lambda: x < 3, lambda: abs(x), lambda: x + Modular(2, 5), lambda: max(x, Modular(3, 7))):
        with pytest.raises(TypeError):
            test()


@pytest.mark.parametrize("modulus", [0, 1, 4, -7, 2**64 + 13, 7.0, True])
def test_moduli_that_are_no_word_primes_are_refused(modulus):
    with pytest.raises(ValueError, match="prime below"):
        Modular(1, modulus)
