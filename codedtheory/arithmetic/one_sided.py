"""One-sided results: a number that is only known to be too small, or too large."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .truth import Undecided

__all__ = ["LowerBound", "UpperBound"]


class _OneSided:
    """A bound on a quantity; comparisons answer only what the known side settles."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]
    _one_sided = True
    _sign: int
    value: Any

    def __init__(self, value: Any) -> None:
        if isinstance(value, _OneSided):
            raise TypeError(f"a bound of a bound is not a bound: got {value!r}; use its .value")
        self.value = value

    def _answer(self, other: Any, test: Callable[[Any, Any], Any], when: bool, symbol: str) -> Any:
        """Return `when` if the known side passes the test that settles the question."""
        if isinstance(other, _OneSided):
            if other._sign == self._sign:
                return Undecided(f"{self} {symbol} {other}")
            other = other.value
        settled = test(self.value, other)
        if settled is NotImplemented:
            return NotImplemented
        if isinstance(settled, Undecided):
            return settled
        return when if settled else Undecided(f"{self} {symbol} {other}")

    def __add__(self, other: Any) -> Any:
        if isinstance(other, _OneSided):
            if other._sign != self._sign:
                raise TypeError("the sum of a lower and an upper bound bounds nothing")
            other = other.value
        return type(self)(self.value + other)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return (UpperBound if self._sign < 0 else LowerBound)(-self.value)

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, _OneSided):
            raise TypeError("the product of two one-sided bounds bounds nothing without their signs")
        if other > 0:
            return type(self)(self.value * other)
        if other < 0:
            return (-self) * (-other)
        if other == 0:
            return other * 0
        raise ValueError(f"the factor of a bound must be a number, got {other!r}")

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, _OneSided):
            raise TypeError("the quotient of two one-sided bounds bounds nothing without their signs")
        if other > 0:
            return type(self)(self.value / other)
        if other < 0:
            return (-self) / (-other)
        if other == 0:
            raise ZeroDivisionError("division of a bound by 0")
        raise ValueError(f"the divisor of a bound must be a number, got {other!r}")

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} has no truth value")

    def __eq__(self, other: object) -> Any:
        test = operator.gt if self._sign < 0 else operator.lt
        return self._answer(other, test, False, "==")

    def __ne__(self, other: object) -> Any:
        test = operator.gt if self._sign < 0 else operator.lt
        return self._answer(other, test, True, "!=")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"

    def __str__(self) -> str:
        return f"{'≥' if self._sign < 0 else '≤'} {self.value}"

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        return type(self), (self.value,)


class LowerBound(_OneSided):
    """A quantity known to be at least `value`: a grid maximum, a Rayleigh quotient.

    It can refute "at most" and confirm "at least"; every other question stays `Undecided`.

    Parameters
    ----------
    value : number
        Any number the comparison can be made with.

    Examples
    --------
    >>> LowerBound(3) <= 2
    False
    >>> LowerBound(1) <= 2
    Undecided('≥ 1 <= 2')
    """

    __slots__ = ()
    _sign = -1

    def __le__(self, other: Any) -> Any:
        return self._answer(other, operator.gt, False, "<=")

    def __lt__(self, other: Any) -> Any:
        return self._answer(other, operator.ge, False, "<")

    def __ge__(self, other: Any) -> Any:
        return self._answer(other, operator.ge, True, ">=")

    def __gt__(self, other: Any) -> Any:
        return self._answer(other, operator.gt, True, ">")


class UpperBound(_OneSided):
    """A quantity known to be at most `value`.

    It can confirm "at most" and refute "at least"; every other question stays `Undecided`.

    Parameters
    ----------
    value : number
        Any number the comparison can be made with.

    Examples
    --------
    >>> UpperBound(1) <= 2
    True
    >>> UpperBound(3) <= 2
    Undecided('≤ 3 <= 2')
    """

    __slots__ = ()
    _sign = 1

    def __le__(self, other: Any) -> Any:
        return self._answer(other, operator.le, True, "<=")

    def __lt__(self, other: Any) -> Any:
        return self._answer(other, operator.lt, True, "<")

    def __ge__(self, other: Any) -> Any:
        return self._answer(other, operator.lt, False, ">=")

    def __gt__(self, other: Any) -> Any:
        return self._answer(other, operator.le, False, ">")
