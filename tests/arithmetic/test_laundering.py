"""Attempts to pass off a float as a proof: every one has to be refused."""

import cmath
import copy
import decimal
import json
import math
import operator
import pickle
import random
import statistics
import struct
from array import array
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.linalg
import sympy

from codedtheory.arithmetic import (
    EXACT,
    FLOAT,
    Algebraic,
    Ball,
    ComplexBall,
    LowerBound,
    Modular,
    Rational,
    UpperBound,
    arithmetic_of,
    ball,
    complex_ball,
    condition_number,
    cyclotomic,
    determinant,
    eigenvalues,
    exactly,
    is_positive_semidefinite,
    maximum,
    minimum,
    modular,
    norm,
    rank,
    solve,
    working_precision,
)

THIRD = ball(53).number("1/3")
RIGOROUS = {
    "rational": Rational(1, 3),
    "algebraic": cyclotomic(5).cos_pi("2/5"),
    "ball": THIRD,
    "complex ball": complex_ball(53).number("1/3"),
    "modular": Modular(2, 7),
}
NOT_RIGOROUS = {
    "float": 0.5,
    "float64": np.float64(0.5),
    "float32": np.float32(0.5),
    "float16": np.float16(0.5),
    "longdouble": np.longdouble(0.5),
    "complex": 1j,
    "complex128": np.complex128(1j),
    "mpf": mpmath.mpf(0.5),
    "mpc": mpmath.mpc(0.5),
    "Decimal": decimal.Decimal("0.5"),
    "bool": True,
    "bool_": np.bool_(True),
    "sympy Float": sympy.Float(0.5),
    "sympy Rational": sympy.Rational(1, 2),
    "str": "1/2",
    "None": None,
    "0-d array": np.array(0.5),
    "float array": np.array([0.5, 0.25]),
    "bool array": np.array([True, False]),
}
OPERATIONS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.floordiv, operator.mod),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, divmod, operator.matmul),
]


def objects(*values):
    return np.array(values, dtype=object)


def pickled(x):
    return pickle.loads(pickle.dumps(x))  # noqa: S301 - written by ourselves just now


rigorous = pytest.mark.parametrize("x", RIGOROUS.values(), ids=RIGOROUS.keys())


@rigorous
@pytest.mark.parametrize("y", NOT_RIGOROUS.values(), ids=NOT_RIGOROUS.keys())
def test_operators_refuse_floats_on_both_sides(x, y):
    for operation in OPERATIONS:
        for left, right in ((x, y), (y, x)):
            with pytest.raises((TypeError, ValueError)):
                operation(left, right)


CONVERSIONS = {
    "float": float,
    "complex": complex,
    "int": int,
    "float64": np.float64,
    "float32": np.float32,
    "longdouble": np.longdouble,
    "array of floats": lambda x: np.array([x], float),
    "array of complex": lambda x: np.array([x], complex),
    "array of ints": lambda x: np.array([x], int),
    "astype": lambda x: objects(x).astype(float),
    "asarray": lambda x: np.asarray(x, dtype="f4"),
    "full": lambda x: np.full(2, x, float),
    "assignment into floats": lambda x: np.zeros(2).__setitem__(0, x),
    "array module": lambda x: array("d", [x]),
    "struct": lambda x: struct.pack("d", x),
    "json": lambda x: json.dumps(x),
    "fixed point format": lambda x: format(x, "f"),
    "format specification": lambda x: f"{x:.3f}",
    "mpf": mpmath.mpf,
    "Decimal": decimal.Decimal,
    "Fraction": Fraction,
    "complex of two": lambda x: complex(x, 0),
    "index": operator.index,
    "round": round,
    "trunc": math.trunc,
    "exactly": exactly,
    "exactly in a list": lambda x: exactly([x]),
}


@rigorous
@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS.keys())
def test_conversions_that_drop_the_radius_are_refused(x, convert):
    with pytest.raises((TypeError, ValueError, struct.error)):
        convert(x)


FUNCTIONS = {
    **{
        f"math.{f.__name__}": f for f in (math.sqrt, math.sin, math.log, math.exp, math.fabs, math.isnan, math.isfinite)
    },
    "math.pow": lambda x: math.pow(x, 2),
    "math.hypot": lambda x: math.hypot(x, x),
    "math.fsum": lambda x: math.fsum([x]),
    "math.isclose": lambda x: math.isclose(x, x),
    "cmath.sqrt": cmath.sqrt,
    "mpmath.sqrt": mpmath.sqrt,
    "statistics.fmean": lambda x: statistics.fmean([x, x]),
    "random.uniform": lambda x: random.uniform(x, 1),
    "sum with a float": lambda x: sum([x, 0.5]),
    "sum from a float": lambda x: sum([x], 0.0),
    "np.sum": lambda x: np.sum(objects(x, 0.5)),
    "np.cumsum": lambda x: np.cumsum(objects(0.5, x)),
    "np.prod": lambda x: np.prod(objects(0.5, x)),
    "np.add": lambda x: np.add(0.5, x),
    "array plus float array": lambda x: objects(x, x) + np.ones(2),
    "array times float32": lambda x: objects(x) * np.float32(2),
    "in place": lambda x: operator.iadd(np.ones(2), x),
    "np.dot": lambda x: np.dot(objects(x, x), np.ones(2)),
    "matmul": lambda x: np.ones((2, 2)) @ objects(x, x),
    "np.inner": lambda x: np.inner(objects(x), objects(0.5)),
    "np.outer": lambda x: np.outer(objects(x), [0.5]),
    "np.kron": lambda x: np.kron(objects(x), [0.5]),
    "np.trace": lambda x: np.trace(objects([x, 0], [0, 0.5])),
    "np.convolve": lambda x: np.convolve(objects(x, x), [0.5]),
    "np.trapezoid": lambda x: np.trapezoid(objects(x, x)),
    "np.power": lambda x: np.power(objects(x), 0.5),
    "np.tan": lambda x: np.tan(objects(x)),
    "np.isnan": np.isnan,
    "np.isfinite": np.isfinite,
    "np.isclose": lambda x: np.isclose(objects(x), objects(x)),
    "np.allclose": lambda x: np.allclose(objects(x), objects(x)),
    "np.interp": lambda x: np.interp(x, [0, 1], [0, 1]),
    "np.polyfit": lambda x: np.polyfit([0, 1], objects(x, x), 1),
    "np.polyval": lambda x: np.polyval([1.0, 2.0], x),
    "np.fft": lambda x: np.fft.fft(objects(x, x)),
    "np.histogram": lambda x: np.histogram(objects(x, x)),
    "np.clip with floats": lambda x: np.clip(objects(x), 0.0, 1.0),
    "np.where with floats": lambda x: np.where(objects(x) > 0.0, 1, 0),
    "np.linalg.det": lambda x: np.linalg.det(objects([x, 0], [0, x])),
    "np.linalg.solve": lambda x: np.linalg.solve(objects([x, 0], [0, x]), [1, 2]),
    "np.linalg.inv": lambda x: np.linalg.inv(objects([x, 0], [0, x])),
    "np.linalg.eigvals": lambda x: np.linalg.eigvals(objects([x, 0], [0, x])),
    "np.linalg.svd": lambda x: np.linalg.svd(objects([x, 0], [0, x])),
    "np.linalg.matrix_rank": lambda x: np.linalg.matrix_rank(objects([x, 0], [0, x])),
    "scipy.linalg.det": lambda x: scipy.linalg.det(objects([x, 0], [0, x])),
    "our solve": lambda x: solve(objects([x]), [0.5]),
    "our determinant": lambda x: determinant(objects([x, 0.5], [1, 1])),
    "our norm": lambda x: norm(objects([x, 0.5]), 1),
    "our rank": lambda x: rank(objects([x, np.float64(0.5)])),
    "arithmetic_of": lambda x: arithmetic_of([x, 0.5]),
    "arithmetic_of with a truth value": lambda x: arithmetic_of([x, True]),
    "maximum": lambda x: maximum([x, 0.5]),
    "minimum": lambda x: minimum([0.5, x]),
    "max": lambda x: max(x, 0.5),
    "membership": lambda x: x in [0.5],
    "bound against a float": lambda x: LowerBound(x) <= 0.5,
    "float bound plus": lambda x: LowerBound(0.5) + x,
    "ball between": lambda x: Ball.between(x, 0.5, 53),
    "power of": lambda x: x**0.5,
    "exponent of": lambda x: 2**x,
    "exponent of a fraction": lambda x: Fraction(1, 2) ** x,
    "exact array": lambda x: EXACT.array([x, 0.5]),
    "ball array": lambda x: ball(53).array(objects(x, 0.5)),
}


@rigorous
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_functions_that_would_compute_in_floats_are_refused(x, function):
    with pytest.raises((TypeError, ValueError)):
        function(x)


CONSTRUCTIONS = {
    "angle 0.25": lambda: ball(53).cos_pi(0.25),
    "angle float64": lambda: ball(53).sin_pi(np.float64(0.25)),
    "angle mpf": lambda: ball(53).cos_pi(mpmath.mpf(0.25)),
    "angle from a float by way of Decimal": lambda: ball(53).cos_pi(decimal.Decimal("0.1")),
    "angle True": lambda: ball(53).cos_pi(True),
    "exact angle": lambda: EXACT.cos_pi(0.5),
    "cyclotomic angle": lambda: cyclotomic(8).cos_pi(0.25),
    "angle of an algebraic number": lambda: Algebraic.cos_pi(0.5, 4),
    "angle of a root of unity": lambda: Algebraic.root_of_unity(0.25, 4),
    "complex root of unity": lambda: complex_ball(53).root_of_unity(0.125),
    "float angle, even for floats": lambda: FLOAT.cos_pi(0.25),
    "rational": lambda: Rational(0.5),
    "rational from Decimal": lambda: Rational(decimal.Decimal("0.5")),
    "rational True": lambda: Rational(True),
    "rational denominator": lambda: Rational(1, 2.0),
    "rational nan": lambda: Rational("nan"),
    "rational inf": lambda: EXACT.number("inf"),
    "ball": lambda: Ball(0.5, 53),
    "ball of float32": lambda: ball(53).number(np.float32(0.5)),
    "ball of mpf": lambda: ball(53).number(mpmath.mpf(1)),
    "ball between": lambda: Ball.between(0.0, 1, 53),
    "ball with float bits": lambda: Ball(1, 53.0),
    "ball of True bits": lambda: ball(True),
    "complex ball": lambda: ComplexBall(0.5, 53),
    "complex ball of a complex": lambda: ComplexBall(1j, 53),
    "complex ball with a float as imaginary part": lambda: ComplexBall(1, 53, imag=0.5),
    "complex ball with two imaginary parts": lambda: ComplexBall(ComplexBall(1, 53), 53, imag=5),
    "algebraic coefficients": lambda: Algebraic(8, [0.5]),
    "algebraic conductor": lambda: Algebraic(8.5, [1]),
    "modular": lambda: Modular(0.5, 7),
    "modulus": lambda: modular(7.0),
    "exact array of floats": lambda: EXACT.array(np.ones(2)),
    "ball array of floats": lambda: ball(53).array([[1, 0.5]]),
    "exact array of truth values": lambda: EXACT.array(np.array([True])),
    "exactly nan": lambda: exactly(math.nan),
    "exactly inf": lambda: exactly(np.array([np.inf])),
    "exactly a string": lambda: exactly("0.1"),
    "exactly True": lambda: exactly(True),
    "exactly mpf": lambda: exactly(mpmath.mpf(0.5)),
    "exactly complex": lambda: exactly(1j),
    "printed ball": lambda: Ball(str(THIRD), 53),
    "printed exact ball": lambda: Rational(str(Ball(exactly(0.1), 53))),
    "repr of a ball": lambda: Ball(repr(THIRD), 53),
    "containment": lambda: THIRD.contains(0.5),
    "overlap": lambda: THIRD.overlaps(np.float64(0.5)),
    "complex containment": lambda: ComplexBall(1, 53).contains(0.5),
    "definiteness of floats": lambda: is_positive_semidefinite(np.eye(2)),
    "complex maximum": lambda: maximum([THIRD, ComplexBall(1, 53)]),
    "maximum of truth values": lambda: maximum([True, 2]),
    "maximum with nan": lambda: maximum(np.array([1.0, np.nan])),
    "maximum with an mpf that is nan": lambda: maximum([mpmath.mpf("nan"), 1]),
    "maximum with a bound that is nan": lambda: maximum([UpperBound(float("nan")), UpperBound(5.0)]),
    "minimum with a bound that is nan": lambda: minimum([5.0, LowerBound(float("nan"))]),
    "order of complex numbers": lambda: cyclotomic(4).root_of_unity("1/4") + 1 > cyclotomic(4).root_of_unity("1/4"),
}


@pytest.mark.parametrize("construct", CONSTRUCTIONS.values(), ids=CONSTRUCTIONS.keys())
def test_constructions_from_floats_are_refused(construct):
    with pytest.raises((TypeError, ValueError)):
        construct()


def test_float_results_stay_floats():
    A = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert type(condition_number(A)) is float
    assert type(norm(A, 1)) is float
    assert type(rank(A)) is float
    assert type(determinant(A)) is float
    assert {type(m) for _, m in eigenvalues(A)} == {float}
    assert {type(x) for x in solve(A, [1, 2])} == {np.float64}
    assert arithmetic_of([1, 0.5, Fraction(1, 2)]) is FLOAT


@rigorous
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled, lambda x: copy.deepcopy([x])[0]])
def test_copies_and_pickles_keep_what_is_known(x, duplicate):
    twin = duplicate(x)
    assert type(twin) is type(x)
    assert repr(twin) == repr(x)
    if isinstance(x, Ball):
        assert (twin.lower, twin.upper, twin.bits) == (x.lower, x.upper, x.bits)
        assert twin.rad > 0


def test_strings_are_decimals_and_doubles_are_doubles():
    assert EXACT.number("0.1") == Fraction(1, 10)
    assert exactly(0.1) != Fraction(1, 10)
    assert exactly(np.float32(0.1)) != exactly(0.1)
    assert not ball(100).number("0.1").contains(exactly(0.1))
    assert exactly(0.1) == Fraction(3602879701896397, 2**55)


def test_array_functions_that_stay_rigorous_stay_rigorous():
    x = objects(THIRD, THIRD)
    for enclosed, exact in (
        (np.sum(x), Fraction(2, 3)),
        (np.mean(x), Fraction(1, 3)),
        (x @ x, Fraction(2, 9)),
        (np.prod(x), Fraction(1, 9)),
        (np.linalg.norm(x) ** 2, Fraction(2, 9)),
        (Fraction(1, 2) + THIRD, Fraction(5, 6)),
        (np.int64(2) * THIRD, Fraction(2, 3)),
    ):
        assert type(enclosed) is Ball
        assert enclosed.contains(exact)


def test_real_and_imaginary_parts_are_not_dropped():
    i = cyclotomic(4).root_of_unity("1/4")
    assert np.imag(i) == 1
    assert np.real(i) == 0
    assert (np.imag(ComplexBall(0, 53, imag=1)) == 1) is True
    assert (np.conjugate(objects(i)) == -i).all()


def test_no_attempt_changed_the_precision_of_the_process():
    before = working_precision()
    for attempt in CONSTRUCTIONS.values():
        with pytest.raises((TypeError, ValueError)):
            attempt()
    assert working_precision() == before == 53
