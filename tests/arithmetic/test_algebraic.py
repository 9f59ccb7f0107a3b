from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codedtheory.arithmetic import Algebraic, Ball, ComplexBall, Rational, cyclotomic
from tests.arithmetic.strategies import algebraic_numbers, real_algebraic_numbers


@given(algebraic_numbers(), algebraic_numbers(), algebraic_numbers())
def test_field_axioms(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a * b == b * a
    assert a - a == 0
    assume(b)
    assert a / b * b == a
    assert b**-2 * b * b == 1


@given(algebraic_numbers(), algebraic_numbers())
def test_operations_agree_with_balls_of_many_bits(a, b):
    x, y = ComplexBall(a, 300), ComplexBall(b, 300)
    for exact, enclosed in ((a + b, x + y), (a * b, x * y), (a - b, x - y), (a.conjugate(), x.conjugate())):
        assert ComplexBall(exact, 300)._x.overlaps(enclosed._x)
    assert a == b or (x == y) is False


@given(real_algebraic_numbers(), real_algebraic_numbers())
def test_order_agrees_with_balls(a, b):
    x, y = Ball(a, 400), Ball(b, 400)
    if a == b:
        assert a <= b
        assert not a < b
        assert x.overlaps(y)
    else:
        assert (a < b) is (x < y)
        assert (a > b) is (x > y)
    assert abs(a) >= 0


@given(algebraic_numbers(), st.integers(1, 4))
def test_equal_numbers_of_different_fields_are_equal_and_hash_alike(a, factor):
    lifted = a.into(a.conductor * factor)
    assert lifted == a
    assert hash(lifted) == hash(a)


@given(algebraic_numbers())
def test_real_and_imaginary_part(a):
    i = Algebraic.root_of_unity(Fraction(1, 4), 4)
    assert a.real + i * a.imag == a
    assert a.real.is_real
    assert a.imag.is_real
    assert a.is_real is (a.imag == 0)


def test_root_of_two():
    root = 2 * cyclotomic(8).cos_pi("1/4")
    assert root * root == 2
    assert root > Rational("1.41421356237309504880168872420969807856967")
    assert root < Rational("1.41421356237309504880168872420969807856968")
    assert not root.is_rational


def test_golden_ratio():
    phi = 2 * cyclotomic(5).cos_pi("1/5")
    assert phi * phi == phi + 1
    assert phi**10 == 55 * phi + 34


@pytest.mark.parametrize("n", [3, 5, 6, 12, 16, 30])
def test_sums_of_cosines(n):
    field = cyclotomic(2 * n)
    assert sum(field.cos_pi(Fraction(2 * k, n)) for k in range(n)) == 0
    assert sum(field.cos_pi(Fraction(2 * k, n)) ** 2 for k in range(n)) == Fraction(n, 2)


def test_product_of_chebyshev_points():
    # prod_k 2 cos((2k+1) pi / 2n) = 2 for even n / 2, by T_n(0)
    n = 8
    points = [2 * cyclotomic(4 * n).cos_pi(Fraction(2 * k + 1, 2 * n)) for k in range(n)]
    product = points[0]
    for x in points[1:]:
        product = product * x
    assert product == 2


def test_a_close_call_is_decided():
    # consecutive convergents of the root of two, 1e-30 apart
    root = 2 * cyclotomic(8).cos_pi("1/4")
    p, q = 1, 1
    for _ in range(40):
        p, q = p + 2 * q, p + q
    assert (root < Fraction(p, q)) is (p * p > 2 * q * q)
    assert abs(root - Fraction(p, q)) < Fraction(1, 10**30)


def test_complex_numbers_have_no_order():
    i = Algebraic.root_of_unity(Fraction(1, 4), 4)
    for test in (lambda: i < 1, lambda: i + 1 > i, lambda: abs(i), lambda: i.sign()):
        with pytest.raises(TypeError, match="not real"):
            test()


def test_what_lies_outside_the_field_is_refused_with_the_field_to_use():
    with pytest.raises(ValueError, match=r"use cyclotomic\(16\)"):
        cyclotomic(8).cos_pi("1/8")
    with pytest.raises(ValueError, match="irrational"):
        _ = cyclotomic(8).cos_pi("1/4").rational
