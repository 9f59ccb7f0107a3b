"""Arithmetics: over which numbers a computation runs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from .algebraic import Algebraic, exact_angle
from .balls import Ball, checked_bits
from .complex_balls import ComplexBall
from .exactness import approximate
from .modular import Modular
from .number import is_integer
from .rational import Rational

__all__ = [
    "EXACT",
    "FLOAT",
    "Arithmetic",
    "ball",
    "complex_ball",
    "cyclotomic",
    "decimal",
    "modular",
]


class Arithmetic(ABC):
    """The numbers a computation runs over, and how to make them.

    Formulas are written once, over any arithmetic: numbers come from `number`, `array`, `cos_pi`,
    ... and combine with the usual operators. Elementary functions of numbers are
    `sqrt`, `log` and `exp`.

    Attributes
    ----------
    name : str
        How the arithmetic is called in reports.
    is_rigorous : bool
        Whether what is computed over it can be part of a proof.
    """

    name: str
    is_rigorous: bool = True
    dtype: type = object

    @abstractmethod
    def number(self, x: Any) -> Any:
        """Return `x` (int, Fraction, numeral, number of a smaller system) as a number of this arithmetic."""

    def array(self, values: Any) -> np.ndarray[Any, Any]:
        """Return nested sequences or an array of numbers as an array over this arithmetic."""
        source = np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)
        _require_rectangular(source)
        result: np.ndarray[Any, Any] = np.empty(source.size, dtype=self.dtype)
        result[:] = [self.number(value) for value in source.flat]
        return result.reshape(source.shape)

    def zeros(self, shape: Any) -> np.ndarray[Any, Any]:
        """Return an array of zeros."""
        return np.full(shape, self.number(0), dtype=self.dtype)

    def ones(self, shape: Any) -> np.ndarray[Any, Any]:
        """Return an array of ones."""
        return np.full(shape, self.number(1), dtype=self.dtype)

    @abstractmethod
    def cos_pi(self, q: Any) -> Any:
        """Return cos(pi q) for a rational number q."""

    def sin_pi(self, q: Any) -> Any:
        """Return sin(pi q) for a rational number q."""
        return self.cos_pi(Fraction(1, 2) - exact_angle(q))

    @property
    def pi(self) -> Any:
        """The circle constant."""
        raise ValueError(f"pi is not in {self.name}; use ball(bits)")

    def sqrt(self, x: Any) -> Any:
        """Return the square root."""
        return self.number(x).sqrt()

    def log(self, x: Any) -> Any:
        """Return the natural logarithm."""
        raise ValueError(f"log({x}) is not in {self.name}; use ball(bits)")

    def exp(self, x: Any) -> Any:
        """Return the exponential."""
        raise ValueError(f"exp({x}) is not in {self.name}; use ball(bits)")

    def __repr__(self) -> str:
        return self.name

    @abstractmethod
    def __reduce__(self) -> Any:
        # an arithmetic is one object per process, which functions recognise by identity
        raise NotImplementedError


class _Float(Arithmetic):
    name = "FLOAT"
    is_rigorous = False
    dtype = float

    def number(self, x: Any) -> float:
        return float(Rational(x).fraction) if isinstance(x, str) else float(approximate(x))

    def array(self, values: Any) -> np.ndarray[Any, Any]:
        try:
            source = np.asarray(values)
        except ValueError:
            _require_rectangular(np.asarray(values, dtype=object))
            raise
        return source.astype(float) if source.dtype.kind in "iuf" else super().array(values)

    def cos_pi(self, q: Any) -> float:
        # sin of the smaller angle keeps the relative error near the zeros of the cosine
        q = abs((exact_angle(q) + 1) % 2 - 1)
        if q > Fraction(1, 2):
            return -self.cos_pi(1 - q)
        half = Fraction(1, 2) - q
        return math.sin(math.pi * half) if q > Fraction(1, 4) else math.cos(math.pi * q)

    @property
    def pi(self) -> float:
        return math.pi

    def sqrt(self, x: Any) -> float:
        value = self.number(x)
        if value < 0:
            raise ValueError(f"sqrt needs a number that is not negative, got {x!r}; use complex_ball(bits)")
        return math.sqrt(value)

    def log(self, x: Any) -> float:
        value = self.number(x)
        if value <= 0:
            raise ValueError(f"log needs a positive number, got {x!r}")
        return math.log(value)

    def exp(self, x: Any) -> float:
        return math.exp(self.number(x))

    def __reduce__(self) -> str:
        return "FLOAT"


class _Exact(Arithmetic):
    name = "EXACT"

    def number(self, x: Any) -> Rational:
        if type(x) is Rational:
            return x
        return x.rational if isinstance(x, Algebraic) else Rational(x)

    def cos_pi(self, q: Any) -> Rational:
        q = exact_angle(q)
        try:
            return Algebraic.cos_pi(q, 1).rational
        except ValueError as error:
            order = (q / 2 % 1).denominator
            raise ValueError(f"cos(pi {q}) is irrational; use cyclotomic({order}) or ball(bits)") from error

    def __reduce__(self) -> str:
        return "EXACT"


class _Cyclotomic(Arithmetic):
    def __init__(self, conductor: int) -> None:
        self.conductor = conductor
        self.name = f"cyclotomic({conductor})"

    def number(self, x: Any) -> Algebraic:
        if isinstance(x, Algebraic):
            if self.conductor % x.conductor:
                raise ValueError(f"{x} is given in cyclotomic({x.conductor}), not in {self.name}")
            return x.into(self.conductor)
        return Algebraic(self.conductor, [Rational(x)])

    def cos_pi(self, q: Any) -> Algebraic:
        return Algebraic.cos_pi(exact_angle(q), self.conductor)

    def root_of_unity(self, q: Any) -> Algebraic:
        """Return exp(2 pi i q)."""
        return Algebraic.root_of_unity(exact_angle(q), self.conductor)

    def sqrt(self, x: Any) -> Algebraic:
        return self.number(self.number(x).rational.sqrt())

    def __reduce__(self) -> Any:
        return cyclotomic, (self.conductor,)


class _Modular(Arithmetic):
    def __init__(self, modulus: int) -> None:
        self.modulus = modulus
        self.name = f"modular({modulus})"

    def number(self, x: Any) -> Modular:
        if isinstance(x, Modular):
            if x.modulus != self.modulus:
                raise ValueError(f"{x} is not in {self.name}")
            return x
        return Modular(Rational(x), self.modulus)

    def cos_pi(self, q: Any) -> Any:
        raise ValueError(f"cos(pi {q}) has no meaning in {self.name}; choose nodes in the field")

    def sqrt(self, x: Any) -> Any:
        raise ValueError(f"square roots are not offered in {self.name}")

    def __reduce__(self) -> Any:
        return modular, (self.modulus,)


class _Ball(Arithmetic):
    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.name = f"ball({bits})"

    def number(self, x: Any) -> Ball:
        return Ball(x, self.bits)

    def cos_pi(self, q: Any) -> Ball:
        q = exact_angle(q)
        return Ball._at(self.bits, lambda: flint.arb.cos_pi_fmpq(flint.fmpq(q.numerator, q.denominator)))

    def sin_pi(self, q: Any) -> Ball:
        q = exact_angle(q)
        return Ball._at(self.bits, lambda: flint.arb.sin_pi_fmpq(flint.fmpq(q.numerator, q.denominator)))

    @property
    def pi(self) -> Ball:
        return Ball._at(self.bits, flint.arb.pi)

    def log(self, x: Any) -> Ball:
        return self.number(x).log()

    def exp(self, x: Any) -> Ball:
        return self.number(x).exp()

    def __reduce__(self) -> Any:
        return ball, (self.bits,)


class _ComplexBall(Arithmetic):
    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.name = f"complex_ball({bits})"

    def number(self, x: Any) -> ComplexBall:
        return ComplexBall(x, self.bits)

    def cos_pi(self, q: Any) -> ComplexBall:
        return self.number(ball(self.bits).cos_pi(q))

    def root_of_unity(self, q: Any) -> ComplexBall:
        """Return exp(2 pi i q)."""
        angle = 2 * exact_angle(q)
        return ComplexBall(ball(self.bits).cos_pi(angle), self.bits, imag=ball(self.bits).sin_pi(angle))

    @property
    def pi(self) -> ComplexBall:
        return self.number(ball(self.bits).pi)

    def sqrt(self, x: Any) -> ComplexBall:
        value = self.number(x)
        return ComplexBall._at(self.bits, lambda: value._x.sqrt())

    def __reduce__(self) -> Any:
        return complex_ball, (self.bits,)


class _Decimal(Arithmetic):
    is_rigorous = False

    def __init__(self, digits: int) -> None:
        import mpmath

        self.digits = digits
        self.name = f"decimal({digits})"
        self.context = mpmath.mp.clone()
        self.context.dps = digits

    def number(self, x: Any) -> Any:
        if isinstance(x, Ball):
            x = x.mid
        if isinstance(x, Algebraic):
            x = Ball(x, 4 * self.digits + 64).mid
        if isinstance(x, str):
            x = Fraction(x)
        if isinstance(x, (Rational, Fraction)):
            return self.context.mpf(x.numerator) / x.denominator
        return self.context.mpf(int(x) if is_integer(x) else x)

    def cos_pi(self, q: Any) -> Any:
        return self.context.cospi(self.number(exact_angle(q)))

    def sin_pi(self, q: Any) -> Any:
        return self.context.sinpi(self.number(exact_angle(q)))

    @property
    def pi(self) -> Any:
        return +self.context.pi

    def sqrt(self, x: Any) -> Any:
        return self.context.sqrt(self.number(x))

    def log(self, x: Any) -> Any:
        return self.context.log(self.number(x))

    def exp(self, x: Any) -> Any:
        return self.context.exp(self.number(x))

    def __reduce__(self) -> Any:
        return decimal, (self.digits,)


FLOAT: Arithmetic = _Float()
EXACT: Arithmetic = _Exact()


def _require_rectangular(array: np.ndarray[Any, Any]) -> None:
    """Raise unless the elements are numbers rather than the rows of a ragged table."""
    lengths = {len(value) for value in array.flat if isinstance(value, (list, tuple, np.ndarray))}
    if lengths:
        raise ValueError(f"values must be rows of equal length, got lengths {sorted(lengths)}")


def _checked(name: str, value: Any, least: int) -> int:
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value!r}")
    return int(value)


def _cached(make: Callable[[int], Arithmetic]) -> Callable[[int], Arithmetic]:
    return lru_cache(maxsize=128)(make)


_cyclotomic = _cached(_Cyclotomic)
_modular = _cached(_Modular)
_ball = _cached(_Ball)
_complex_ball = _cached(_ComplexBall)
_decimal = _cached(_Decimal)


def cyclotomic(n: int) -> Arithmetic:
    r"""Return the exact arithmetic of :math:`\mathbb Q(\zeta_n)`; cos(pi k/N) is in it for n = 2N.

    Parameters
    ----------
    n : int
        At least 1.

    Returns
    -------
    Arithmetic

    Examples
    --------
    >>> x = cyclotomic(8).cos_pi("1/4")
    >>> x * x == Rational(1, 2)
    True
    """
    return _cyclotomic(_checked("n", n, 1))


def modular(p: int) -> Arithmetic:
    """Return the exact arithmetic of the prime field GF(p).

    Parameters
    ----------
    p : int
        A prime below 2**64.

    Returns
    -------
    Arithmetic

    Examples
    --------
    >>> modular(7).number("1/3")
    Modular(5, 7)
    """
    Modular(0, p)
    return _modular(int(p))


def ball(bits: int) -> Arithmetic:
    """Return rigorous real ball arithmetic at a precision.

    Parameters
    ----------
    bits : int
        Precision in bits; 53 is that of a double.

    Returns
    -------
    Arithmetic

    Examples
    --------
    >>> ball(64).pi > Rational("3.14159265358979")
    True
    """
    return _ball(checked_bits(bits))


def complex_ball(bits: int) -> Arithmetic:
    """Return rigorous complex ball arithmetic at a precision.

    Parameters
    ----------
    bits : int
        Precision in bits.

    Returns
    -------
    Arithmetic

    Examples
    --------
    >>> complex_ball(64).number(2).real == 2
    True
    """
    return _complex_ball(checked_bits(bits))


def decimal(digits: int) -> Arithmetic:
    """Return mpmath arithmetic of many digits: high precision, not rigorous.

    Parameters
    ----------
    digits : int
        Decimal digits, at least 1.

    Returns
    -------
    Arithmetic

    Examples
    --------
    >>> print(decimal(30).number("1/3"))
    0.333333333333333333333333333333
    """
    return _decimal(_checked("digits", digits, 1))
