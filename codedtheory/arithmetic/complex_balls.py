"""Complex balls: a pair of real balls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import flint

from .algebraic import Algebraic
from .balls import Ball, checked_bits
from .number import RigorousNumber, is_integer
from .truth import PrecisionError, Undecided

__all__ = ["ComplexBall"]


class ComplexBall(RigorousNumber):
    """A complex number whose real and imaginary parts are known to lie in balls.

    Parameters
    ----------
    value : number
        Anything a `Ball` takes, an `Algebraic` (also a complex one) or a `ComplexBall`.
    bits : int
        Precision.
    imag : number, default 0
        Imaginary part, for real `value`.

    Notes
    -----
    NumPy answers 0 for the imaginary part of *any* object array; take `imag` of the numbers in it.

    Examples
    --------
    >>> i = ComplexBall(0, bits=64, imag=1)
    >>> (i * i).real == -1
    True
    """

    __slots__ = ("_x", "bits")
    tower = 3
    __hash__ = None  # type: ignore[assignment]
    bits: int
    _x: flint.acb

    def __init__(self, value: Any, bits: int, imag: Any = 0) -> None:
        self.bits = checked_bits(bits)
        is_complex = isinstance(value, ComplexBall) or (isinstance(value, Algebraic) and not value.is_real)
        if is_complex and not (is_integer(imag) and imag == 0):
            raise TypeError(f"imag goes with a real value, got the complex {value}")
        if isinstance(value, ComplexBall):
            self._x = ComplexBall._at(self.bits, lambda: +value._x)._x
        elif isinstance(value, Algebraic) and not value.is_real:
            self._x = value._complex_enclosure(self.bits)
        else:
            self._x = flint.acb(Ball(value, self.bits)._x, Ball(imag, self.bits)._x)

    @classmethod
    def _of(cls, x: flint.acb, bits: int) -> ComplexBall:
        new = object.__new__(cls)
        new._x = x
        new.bits = bits
        return new

    @classmethod
    def _at(cls, bits: int, compute: Callable[[], flint.acb]) -> ComplexBall:
        saved = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            return cls._of(compute(), bits)
        finally:
            flint.ctx.prec = saved

    def _lift(self, other: Any) -> ComplexBall:
        return other if type(other) is ComplexBall else ComplexBall(other, self.bits)

    @property
    def real(self) -> Ball:
        """Real part."""
        return Ball._of(self._x.real, self.bits)

    @property
    def imag(self) -> Ball:
        """Imaginary part."""
        return Ball._of(self._x.imag, self.bits)

    @property
    def is_finite(self) -> bool:
        """Whether both parts are finite."""
        return bool(self._x.is_finite())

    @property
    def is_exact(self) -> bool:
        """Whether both radii are 0."""
        return bool(self._x.is_exact())

    def _combine(self, other: Any, operation: str, compute: Callable[[Any, Any], Any]) -> Any:
        b = self._partner(other, operation)
        if b is NotImplemented:
            return b
        return ComplexBall._at(max(self.bits, b.bits), lambda: compute(self._x, b._x))

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
        b = self._partner(other, "division")
        return b if b is NotImplemented else b._divide_into(self)

    def __rtruediv__(self, other: Any) -> Any:
        b = self._partner(other, "division")
        return b if b is NotImplemented else self._divide_into(b)

    def _divide_into(self, numerator: ComplexBall) -> ComplexBall:
        if self._x.contains(0):
            if self._x.is_zero():
                raise ZeroDivisionError("division of a complex ball by 0")
            raise PrecisionError(f"the divisor {self} contains 0; raise the precision (ball bits)", enclosure=self)
        return ComplexBall._at(max(self.bits, numerator.bits), lambda: numerator._x / self._x)

    def _power(self, exponent: int) -> ComplexBall:
        if exponent < 0:
            inverse: ComplexBall = ComplexBall(1, self.bits) / self._power(-exponent)
            return inverse
        return ComplexBall._at(self.bits, lambda: self._x**exponent)

    def __neg__(self) -> ComplexBall:
        return ComplexBall._at(self.bits, lambda: -self._x)

    def __abs__(self) -> Ball:
        return Ball._at(self.bits, lambda: abs(self._x))

    def conjugate(self) -> ComplexBall:
        """Return the complex conjugate."""
        return ComplexBall._at(self.bits, lambda: self._x.conjugate())

    def contains(self, other: Any) -> bool:
        """Whether every number that `other` may be lies in this ball."""
        b = self._lift(other)
        return self.real.contains(b.real) and self.imag.contains(b.imag)

    def __eq__(self, other: object) -> Any:
        b = self._partner(other, "comparison")
        if b is NotImplemented:
            return b
        if not self._x.overlaps(b._x):
            return False
        return True if self.is_exact and b.is_exact else Undecided(f"{self} == {b}")

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented or isinstance(equal, Undecided) else not equal

    def _no_order(self, other: Any) -> NoReturn:
        raise TypeError("complex balls have no order")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __str__(self) -> str:
        return f"{self.real} + {self.imag}i"

    def __repr__(self) -> str:
        return f"ComplexBall({self}, bits={self.bits})"

    def __reduce__(self) -> tuple[type[ComplexBall], tuple[Ball, int, Ball]]:
        return ComplexBall, (self.real, self.bits, self.imag)
