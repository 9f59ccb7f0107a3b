"""Real balls: a midpoint, a radius, and the promise that the true number lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint

from .algebraic import Algebraic
from .ball_text import str_ball
from .number import RigorousNumber, is_integer
from .rational import Rational, to_fmpq
from .truth import PrecisionError, Undecided

__all__ = ["Ball", "working_precision"]


def working_precision() -> int:
    """Return FLINT's process-wide precision in bits, which no function of this library leaves changed."""
    return int(flint.ctx.prec)


class Ball(RigorousNumber):
    """A real number known to lie in [mid - rad, mid + rad].

    Every operation is carried out at the larger precision of its operands and rounds outwards.
    Comparisons are three-valued: they answer ``True`` or ``False`` when that holds for all numbers of
    the balls, and an `Undecided` otherwise. Balls come from `ball(bits).number` or from
    `Ball.between`.

    Parameters
    ----------
    value : int, Fraction, Rational, Algebraic, Ball or str
    bits : int
        Precision, at least 2.

    Examples
    --------
    >>> third = Ball("1/3", bits=53)
    >>> third * 3 == 1
    Undecided('[0.99999999999999989 +/- 2.79e-16] == 1')
    >>> third.contains(Rational(1, 3)), third < Rational(1, 2)
    (True, True)
    """

    __slots__ = ("_x", "bits")
    tower = 2
    __hash__ = None  # type: ignore[assignment]
    bits: int
    _x: flint.arb

    def __init__(self, value: Any, bits: int) -> None:
        self.bits = checked_bits(bits)
        self._x = _enclose(value, self.bits)

    @classmethod
    def _of(cls, x: flint.arb, bits: int) -> Ball:
        new = object.__new__(cls)
        new._x = x
        new.bits = bits
        return new

    @classmethod
    def between(cls, lower: Any, upper: Any, bits: int) -> Ball:
        """Return a ball that contains both ends and everything between them."""
        bits = checked_bits(bits)
        low, high = _enclose(lower, bits), _enclose(upper, bits)
        return cls._at(bits, lambda: low.union(high))

    @classmethod
    def _at(cls, bits: int, compute: Callable[[], flint.arb]) -> Ball:
        saved = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return cls._of(compute(), bits)
        finally:
            flint.ctx.prec = saved

    def _lift(self, other: Any) -> Ball:
        return other if type(other) is Ball else Ball(other, self.bits)

    # -- what the ball knows ------------------------------------------------------------------------

    @property
    def mid(self) -> Rational:
        """Midpoint, exactly."""
        self._require_finite()
        return Rational._of(self._x.mid().fmpq())

    @property
    def rad(self) -> Rational:
        """Radius, exactly."""
        self._require_finite()
        return Rational._of(self._x.rad().fmpq())

    @property
    def lower(self) -> Rational:
        """Left end, exactly."""
        end: Rational = self.mid - self.rad
        return end

    @property
    def upper(self) -> Rational:
        """Right end, exactly."""
        end: Rational = self.mid + self.rad
        return end

    @property
    def is_finite(self) -> bool:
        """Whether midpoint and radius are finite."""
        return bool(self._x.is_finite())

    @property
    def is_exact(self) -> bool:
        """Whether the radius is 0."""
        return bool(self._x.is_exact())

    def _require_finite(self) -> None:
        if not self.is_finite:
            raise PrecisionError("the ball is not finite; raise the precision (ball bits) or split the domain")

    def contains(self, other: Any) -> bool:
        """Whether every number that `other` (a number or a ball) may be lies in this ball."""
        if isinstance(other, Algebraic):
            # an enclosure much finer than this ball, so that its own width does not decide
            return bool(self._x.contains(Ball(other, 2 * self.bits + 64)._x))
        if isinstance(other, Ball):
            return bool(self._x.contains(other._x))
        self._partner(other, "containment")
        if not self.is_finite:
            return bool(self._x.contains(to_fmpq(other)))
        # FLINT would round a rational to the precision of the process, and then its width decides
        return bool(self.lower <= other <= self.upper)

    def overlaps(self, other: Any) -> bool:
        """Whether the two balls have a number in common."""
        return bool(self._x.overlaps(self._partner(other, "comparison")._x))

    def at(self, bits: int) -> Ball:
        """Return the ball rounded (outwards) to another precision."""
        return Ball(self, bits)

    # -- arithmetic ---------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        b = other if type(other) is Ball else self._partner(other, "addition")
        if b is NotImplemented:
            return b
        bits = self.bits if self.bits >= b.bits else b.bits
        saved = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return Ball._of(self._x + b._x, bits)
        finally:
            flint.ctx.prec = saved

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        b = other if type(other) is Ball else self._partner(other, "subtraction")
        if b is NotImplemented:
            return b
        bits = self.bits if self.bits >= b.bits else b.bits
        saved = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return Ball._of(self._x - b._x, bits)
        finally:
            flint.ctx.prec = saved

    def __rsub__(self, other: Any) -> Any:
        b = self._partner(other, "subtraction")
        return b if b is NotImplemented else b.__sub__(self)

    def __mul__(self, other: Any) -> Any:
        b = other if type(other) is Ball else self._partner(other, "multiplication")
        if b is NotImplemented:
            return b
        bits = self.bits if self.bits >= b.bits else b.bits
        saved = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return Ball._of(self._x * b._x, bits)
        finally:
            flint.ctx.prec = saved

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        b = other if type(other) is Ball else self._partner(other, "division")
        if b is NotImplemented:
            return b
        if b._x.contains(0):
            if b._x.is_zero():
                raise ZeroDivisionError("division of a ball by 0")
            raise PrecisionError(f"the divisor {b} contains 0; raise the precision (ball bits)", enclosure=b)
        bits = self.bits if self.bits >= b.bits else b.bits
        saved = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return Ball._of(self._x / b._x, bits)
        finally:
            flint.ctx.prec = saved

    def __rtruediv__(self, other: Any) -> Any:
        b = self._partner(other, "division")
        return b if b is NotImplemented else b / self

    def _power(self, exponent: int) -> Ball:
        if exponent < 0:
            inverse: Ball = Ball(1, self.bits) / self._power(-exponent)
            return inverse
        if self._x.mid().is_zero() and not self._x.is_exact():
            return self._power_around_zero(exponent)
        return Ball._at(self.bits, lambda: self._x**exponent)

    def _power_around_zero(self, exponent: int) -> Ball:
        # FLINT answers NaN for powers of a ball whose midpoint is exactly 0
        end = Ball._at(self.bits, lambda: self._x.abs_upper() ** exponent)
        other = -end if exponent % 2 else Ball(0 if exponent else 1, self.bits)
        return Ball._at(self.bits, lambda: end._x.union(other._x))

    def __neg__(self) -> Ball:
        return Ball._at(self.bits, lambda: -self._x)

    def __abs__(self) -> Ball:
        return Ball._at(self.bits, lambda: abs(self._x))

    def sqrt(self) -> Ball:
        """Return the square root; the ball must not reach below 0."""
        return self._domain("sqrt", self._x >= 0, lambda: self._x.sqrt())

    def log(self) -> Ball:
        """Return the natural logarithm; the ball must lie above 0."""
        return self._domain("log", self._x > 0, lambda: self._x.log())

    def exp(self) -> Ball:
        """Return the exponential."""
        return Ball._at(self.bits, lambda: self._x.exp())

    def sin(self) -> Ball:
        """Return the sine."""
        return Ball._at(self.bits, lambda: self._x.sin())

    def cos(self) -> Ball:
        """Return the cosine."""
        return Ball._at(self.bits, lambda: self._x.cos())

    def tanh(self) -> Ball:
        """Return the hyperbolic tangent."""
        return Ball._at(self.bits, lambda: self._x.tanh())

    def _domain(self, name: str, inside: bool, compute: Callable[[], flint.arb]) -> Ball:
        if inside:
            return Ball._at(self.bits, compute)
        if self._x < 0 or (name == "log" and self._x <= 0):
            needed = "a positive number" if name == "log" else "a number that is not negative"
            remedy = "" if name == "log" else "; use complex_ball(bits)"
            raise ValueError(f"{name} needs {needed}, got {self}{remedy}")
        raise PrecisionError(f"{name} of {self}, which contains 0; raise the precision (ball bits)", enclosure=self)

    # -- three-valued comparison --------------------------------------------------------------------

    def _compare(self, other: Any, symbol: str, yes: Any, no: Any) -> Any:
        b = self._partner(other, "comparison")
        if b is NotImplemented:
            return b
        if yes(self._x, b._x):
            return True
        return False if no(self._x, b._x) else Undecided(f"{self} {symbol} {b}")

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, "<", lambda a, b: a < b, lambda a, b: a >= b)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, "<=", lambda a, b: a <= b, lambda a, b: a > b)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, ">", lambda a, b: a > b, lambda a, b: a <= b)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, ">=", lambda a, b: a >= b, lambda a, b: a < b)

    def __eq__(self, other: object) -> Any:
        return self._compare(other, "==", lambda a, b: a == b, lambda a, b: a != b)

    def __ne__(self, other: object) -> Any:
        return self._compare(other, "!=", lambda a, b: a != b, lambda a, b: a == b)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __str__(self) -> str:
        return str_ball(self._x)

    def __repr__(self) -> str:
        return f"Ball({self}, bits={self.bits})"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        self._require_finite()
        return _unpickle, (self._x.mid().man_exp(), self._x.rad().man_exp(), self.bits)


def _unpickle(mid: tuple[Any, Any], rad: tuple[Any, Any], bits: int) -> Ball:
    middle, mantissa, exponent = (int(mid[0]), int(mid[1])), int(rad[0]), int(rad[1])
    shift = 30 - mantissa.bit_length()
    # FLINT keeps 30 bits of a radius and adds a unit to what it is given, so it is given a little less
    tight = flint.arb(middle, ((mantissa << shift + 1) - 1, exponent - shift - 1)) if 0 <= shift < 30 else None
    if tight is None or not tight.rad() >= flint.arb((mantissa, exponent)):
        tight = flint.arb(middle, (mantissa, exponent))
    return Ball._of(tight, bits)


def checked_bits(bits: Any) -> int:
    """Return the precision as an int, or raise `ValueError`."""
    if not is_integer(bits) or not 2 <= bits <= 10**7:
        raise ValueError(f"bits must be an integer from 2 to 10**7, got {bits!r}")
    return int(bits)


def _enclose(value: Any, bits: int) -> flint.arb:
    exact: flint.arb | None = None
    if isinstance(value, Algebraic):
        if not value.is_real:
            raise TypeError(f"{value} is not real; use complex_ball(bits)")
        exact = value._enclosure(bits)
    elif isinstance(value, Ball):
        exact = value._x
    elif isinstance(value, RigorousNumber) and not isinstance(value, Rational):
        raise TypeError(f"a {type(value).__name__} has no real ball")
    else:
        rational = to_fmpq(value)
    saved = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        return flint.arb(rational) if exact is None else +exact
    finally:
        flint.ctx.prec = saved
