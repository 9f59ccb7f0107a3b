"""Exact numbers modulo a prime."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NoReturn

import flint

from .number import RigorousNumber, is_integer
from .rational import Rational, to_fmpq

__all__ = ["Modular"]


class Modular(RigorousNumber):
    """An element of the prime field GF(p). It is not ordered.

    Parameters
    ----------
    value : int, Fraction or Rational
        A fraction needs a denominator that p does not divide.
    modulus : int
        A prime below 2**64.

    Examples
    --------
    >>> Modular(2, 7) / 3
    Modular(3, 7)
    >>> Modular(2, 7) < Modular(3, 7)
    Traceback (most recent call last):
        ...
    TypeError: elements of GF(7) have no order
    """

    __slots__ = ("_x", "modulus")
    tower = 4
    modulus: int
    _x: flint.nmod

    def __init__(self, value: Any, modulus: int) -> None:
        if not is_integer(modulus) or not _is_word_prime(int(modulus)):
            raise ValueError(f"modulus must be a prime below 2**64, got {modulus!r}")
        self.modulus = int(modulus)
        fraction = to_fmpq(value)
        if int(fraction.q) % self.modulus == 0:
            raise ValueError(f"{fraction} has no value modulo {modulus}: the denominator is a multiple of it")
        self._x = flint.nmod(int(fraction.p), self.modulus) / flint.nmod(int(fraction.q), self.modulus)

    @classmethod
    def _of(cls, x: flint.nmod, modulus: int) -> Modular:
        new = object.__new__(cls)
        new._x = x
        new.modulus = modulus
        return new

    def _lift(self, other: Any) -> Modular:
        if isinstance(other, Modular):
            if other.modulus != self.modulus:
                raise TypeError(f"GF({self.modulus}) and GF({other.modulus}) do not mix")
            return other
        if isinstance(other, Rational) or not isinstance(other, RigorousNumber):
            return Modular(other, self.modulus)
        raise TypeError(f"an element of GF({self.modulus}) and {type(other).__name__} do not mix")

    def _partner(self, other: Any, operation: str) -> Any:
        return self._lift(other) if isinstance(other, RigorousNumber) else super()._partner(other, operation)

    @property
    def value(self) -> int:
        """The representative in 0..p-1."""
        return int(self._x)

    def _combine(self, other: Any, operation: str, compute: Any) -> Any:
        b = self._partner(other, operation)
        return b if b is NotImplemented else Modular._of(compute(self._x, b._x), self.modulus)

    def __add__(self, other: Any) -> Any:
        return self._combine(other, "addition", lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._combine(other, "subtraction", lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._combine(other, "subtraction", lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._combine(other, "multiplication", lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._combine(other, "division", lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._combine(other, "division", lambda a, b: b / a)

    def _power(self, exponent: int) -> Modular:
        return Modular._of(self._x**exponent, self.modulus)

    def __neg__(self) -> Modular:
        return Modular._of(-self._x, self.modulus)

    def __bool__(self) -> bool:
        return self.value != 0

    def __eq__(self, other: object) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x == b._x)

    def __ne__(self, other: object) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x != b._x)

    def _no_order(self, other: Any) -> NoReturn:
        raise TypeError(f"elements of GF({self.modulus}) have no order")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __abs__(self) -> NoReturn:
        raise TypeError(f"elements of GF({self.modulus}) have no absolute value")

    def __hash__(self) -> int:
        return hash((self.value, self.modulus))

    def __str__(self) -> str:
        return f"{self.value} mod {self.modulus}"

    def __repr__(self) -> str:
        return f"Modular({self.value}, {self.modulus})"

    def __reduce__(self) -> tuple[type[Modular], tuple[int, int]]:
        return Modular, (self.value, self.modulus)


@lru_cache(maxsize=64)
def _is_word_prime(modulus: int) -> bool:
    return 2 <= modulus < 2**64 and bool(flint.fmpz(modulus).is_prime())
