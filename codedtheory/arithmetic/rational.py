"""Exact rational numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import flint
from flint.utils.flint_exceptions import DomainError

from .number import RigorousNumber, is_integer

__all__ = ["Rational"]

_RATIO = re.compile(r"-?[0-9]+(/[0-9]+)?")


class Rational(RigorousNumber):
    """An exact rational number that refuses to meet a float.

    ``fractions.Fraction`` turns into a float when it is added to one; this type raises `TypeError`.

    Parameters
    ----------
    numerator : int, Fraction, Rational or str
        A string is a fraction ``"3/7"`` or a decimal ``"0.1"``, which means 1/10.
    denominator : int, default 1

    Raises
    ------
    TypeError
        For a float; `exactly` takes a double as it is.
    ValueError
        For a string that is not a number.

    Examples
    --------
    >>> Rational("0.1") + Rational(1, 5)
    Rational(3, 10)
    >>> Rational(1, 3) + 0.5
    Traceback (most recent call last):
        ...
    TypeError: addition of Rational with float (0.5) would not be rigorous; say exactly(x) ...
    """

    __slots__ = ("_x",)
    tower = 0
    _x: flint.fmpq

    def __init__(self, numerator: Any, denominator: int = 1) -> None:
        if not is_integer(denominator):
            raise TypeError(f"denominator must be an integer, got {denominator!r}")
        if denominator == 0:
            raise ZeroDivisionError("denominator must not be 0")
        self._x = to_fmpq(numerator) / int(denominator)

    @classmethod
    def _of(cls, x: flint.fmpq) -> Rational:
        new = object.__new__(cls)
        new._x = x
        return new

    def _lift(self, other: Any) -> Rational:
        return other if type(other) is Rational else Rational._of(to_fmpq(other))

    @property
    def numerator(self) -> int:
        """Numerator in lowest terms."""
        return int(self._x.p)

    @property
    def denominator(self) -> int:
        """Denominator in lowest terms, positive."""
        return int(self._x.q)

    @property
    def fraction(self) -> Fraction:
        """The same number as `fractions.Fraction`."""
        return Fraction(self.numerator, self.denominator)

    def __add__(self, other: Any) -> Any:
        b = other if type(other) is Rational else self._partner(other, "addition")
        return b if b is NotImplemented else Rational._of(self._x + b._x)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        b = other if type(other) is Rational else self._partner(other, "subtraction")
        return b if b is NotImplemented else Rational._of(self._x - b._x)

    def __rsub__(self, other: Any) -> Any:
        b = self._partner(other, "subtraction")
        return b if b is NotImplemented else Rational._of(b._x - self._x)

    def __mul__(self, other: Any) -> Any:
        b = other if type(other) is Rational else self._partner(other, "multiplication")
        return b if b is NotImplemented else Rational._of(self._x * b._x)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        b = other if type(other) is Rational else self._partner(other, "division")
        return b if b is NotImplemented else Rational._of(self._x / b._x)

    def __rtruediv__(self, other: Any) -> Any:
        b = self._partner(other, "division")
        return b if b is NotImplemented else Rational._of(b._x / self._x)

    def _power(self, exponent: int) -> Rational:
        return Rational._of(self._x**exponent)

    def __neg__(self) -> Rational:
        return Rational._of(-self._x)

    def __abs__(self) -> Rational:
        return Rational._of(abs(self._x))

    def __bool__(self) -> bool:
        return bool(self._x != 0)

    def __eq__(self, other: object) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x == b._x)

    def __ne__(self, other: object) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x != b._x)

    def __lt__(self, other: Any) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x < b._x)

    def __le__(self, other: Any) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x <= b._x)

    def __gt__(self, other: Any) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x > b._x)

    def __ge__(self, other: Any) -> Any:
        b = self._partner(other, "comparison")
        return b if b is NotImplemented else bool(self._x >= b._x)

    def __hash__(self) -> int:
        return hash(self.fraction)

    def __floor__(self) -> int:
        return int(self._x.floor())

    def __ceil__(self) -> int:
        return int(self._x.ceil())

    def sqrt(self) -> Rational:
        """Return the square root, if it is rational; raise `ValueError` otherwise."""
        try:
            return Rational._of(self._x.sqrt())
        except DomainError as error:
            raise ValueError(f"the square root of {self} is not rational; use ball(bits)") from error

    def __str__(self) -> str:
        return str(self._x)

    def __repr__(self) -> str:
        return f"Rational({self._x.p}, {self._x.q})"

    def __reduce__(self) -> tuple[type[Rational], tuple[int, int]]:
        return Rational, (self.numerator, self.denominator)


def to_fmpq(x: Any) -> flint.fmpq:
    """Return the FLINT rational of an int, Fraction, Rational or numeral; refuse everything else."""
    if type(x) is Rational:
        return x._x
    if is_integer(x):
        return flint.fmpq(int(x))
    if isinstance(x, Fraction):
        return flint.fmpq(x.numerator, x.denominator)
    if isinstance(x, str):
        try:
            if _RATIO.fullmatch(x):
                # unlike int, FLINT reads numbers of any length
                top, _, bottom = x.partition("/")
                return flint.fmpq(flint.fmpz(top), flint.fmpz(bottom or "1"))
            value = Fraction(x)
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"{x!r} is not a rational number; write '3/7', '0.1' or '1e-3'") from error
        return flint.fmpq(value.numerator, value.denominator)
    raise TypeError(
        f"{x!r} of type {type(x).__name__} is not an exact rational; "
        "use int, Fraction or a string, or exactly(x) for a double as it is"
    )
