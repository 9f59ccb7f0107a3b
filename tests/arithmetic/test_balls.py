import math
import pickle
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import (
    Ball,
    ComplexBall,
    PrecisionError,
    Rational,
    Undecided,
    approximate,
    ball,
    cyclotomic,
    exactly,
    maximum,
    minimum,
    working_precision,
)
from tests.arithmetic.strategies import fractions

bits = st.sampled_from([2, 10, 53, 200])


@given(fractions, fractions, bits)
def test_enclosures_contain_the_exact_result(a, b, precision):
    x, y = Ball(a, precision), Ball(b, precision)
    assert (x + y).contains(a + b)
    assert (x - y).contains(a - b)
    assert (x * y).contains(a * b)
    assert (x**3).contains(a**3)
    assert abs(x).contains(abs(a))
    if b:
        assert (x / y).contains(a / b)


@given(fractions, fractions, fractions, fractions, bits)
def test_comparisons_agree_with_every_number_in_the_balls(a, b, c, d, precision):
    x, y = Ball.between(min(a, b), max(a, b), precision), Ball.between(min(c, d), max(c, d), precision)
    for answer, pairs in (
        (x < y, [p < q for p in (a, b) for q in (c, d)]),
        (x <= y, [p <= q for p in (a, b) for q in (c, d)]),
        (x == y, [p == q for p in (a, b) for q in (c, d)]),
        (x != y, [p != q for p in (a, b) for q in (c, d)]),
        (x > y, [p > q for p in (a, b) for q in (c, d)]),
        (x >= y, [p >= q for p in (a, b) for q in (c, d)]),
    ):
        assert isinstance(answer, Undecided) or all(p is answer for p in pairs)


@given(fractions, fractions, bits)
def test_extrema_contain_the_exact_ones(a, b, precision):
    x, y = Ball(a, precision), Ball(b, precision)
    assert maximum([x, y]).contains(max(a, b))
    assert minimum([x, y]).contains(min(a, b))
    assert maximum([x, b]).contains(max(a, b))


@given(st.integers(-40, 40), st.integers(1, 40))
def test_cosines_contain_their_algebraic_value(k, n):
    q = Fraction(k, n)
    assert ball(53).cos_pi(q).contains(cyclotomic(2 * n).cos_pi(q))
    assert ball(90).sin_pi(q).contains(cyclotomic(4 * n).sin_pi(q))


@given(fractions.filter(lambda x: x > 0))
def test_elementary_functions_contain_values_of_many_digits(x):
    context = mpmath.mp.clone()
    context.dps = 60
    value = context.mpf(x.numerator) / x.denominator
    tolerance = Fraction(1, 10**40)
    for name in ("sqrt", "log", "exp", "sin", "cos", "tanh"):
        enclosure = getattr(Ball(x, 80), name)()
        computed = Fraction(str(getattr(context, name)(value)))
        widened = max(1, abs(computed)) * tolerance
        assert enclosure.lower - widened <= computed <= enclosure.upper + widened


@given(fractions, fractions, bits)
def test_complex_products_contain_the_exact_ones(a, b, precision):
    z = ComplexBall(a, precision, imag=b)
    square = z * z
    assert square.real.contains(a * a - b * b)
    assert square.imag.contains(2 * a * b)
    assert (z * z.conjugate()).real.contains(a * a + b * b)
    if a or b:
        assert (1 / z).real.contains(a / (a * a + b * b))


def test_signs_and_conjugates_lose_no_digits():
    z = ComplexBall("1/3", 300, imag="2/7")
    assert z.conjugate().imag.rad == (-z).imag.rad == z.imag.rad
    assert (-z.conjugate()).imag.contains(Fraction(2, 7))
    assert (-z.real).rad == abs(z.real).rad == z.real.rad


def test_ends_are_exact():
    x = Ball.between("1/3", "2/3", 53)
    assert x.lower <= Fraction(1, 3)
    assert x.upper >= Fraction(2, 3)
    assert x.mid - x.rad == x.lower


def test_division_by_a_ball_around_zero_names_the_knob():
    with pytest.raises(PrecisionError, match="ball bits") as caught:
        1 / Ball.between(-1, 1, 53)
    assert caught.value.enclosure.contains(0)
    with pytest.raises(ZeroDivisionError):
        1 / Ball(0, 53)


def test_domains_are_kept():
    with pytest.raises(ValueError, match="negative"):
        Ball(-1, 53).sqrt()
    with pytest.raises(PrecisionError):
        Ball.between(-1, 1, 53).log()


@pytest.mark.parametrize(
    "fail",
    [
        lambda: Ball(-1, 77).sqrt(),
        lambda: 1 / Ball.between(-1, 1, 77),
        lambda: Ball(1, 77) / 0,
        lambda: Ball("no number", 77),
        lambda: Ball._at(77, lambda: 1 // 0),
        lambda: ComplexBall._at(77, lambda: 1 // 0),
        lambda: bool(Ball.between(0, 1, 77) < 1),
    ],
)
def test_the_precision_of_the_process_is_restored_after_errors(fail):
    before = working_precision()
    with pytest.raises((ValueError, ZeroDivisionError)):
        fail()
    assert working_precision() == before


@given(fractions, bits)
def test_what_is_printed_contains_the_number(x, precision):
    text = str(Ball(x, precision))
    if "+/-" in text:
        mid, rad = text.strip("[]").split("+/-")
        assert abs(Fraction(mid.strip() or "0") - x) <= Fraction(rad)
        with pytest.raises(ValueError, match="is not a rational number"):
            Rational(text)
    else:
        assert text.endswith("…") or Rational(text) == x


def test_a_double_is_not_printed_as_a_shorter_decimal():
    text = str(Ball(exactly(0.1), 53))
    assert text == "0.10000000000000000555…"
    with pytest.raises(ValueError, match="is not a rational number"):
        Ball(text, 53)


@given(fractions, fractions, bits)
def test_pickling_changes_neither_end(a, b, precision):
    x = Ball.between(a, b, precision) + Ball("1/3", precision)
    for _ in range(3):
        twin = pickle.loads(pickle.dumps(x))  # noqa: S301 - written by ourselves just now
        assert (twin.lower, twin.upper, twin.bits) == (x.lower, x.upper, x.bits)
        x = twin


def test_huge_and_tiny_balls_can_be_printed():
    huge = Ball(10**6, 53).exp()
    assert "e+434294" in str(huge)
    assert "e-434295" in str(1 / huge)
    assert approximate(huge) == math.inf
