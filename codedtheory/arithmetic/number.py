"""The rule of mixing: rigorous numbers combine with each other and with integers, never with floats."""

from __future__ import annotations

import numbers
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

__all__ = ["RigorousNumber", "is_integer", "reject"]


def is_integer(x: object) -> bool:
    """Whether `x` is an integer of Python or NumPy (a truth value is not)."""
    return type(x) is int or (isinstance(x, numbers.Integral) and not isinstance(x, bool))


def reject(number: object, other: object, operation: str) -> NoReturn:
    """Raise the `TypeError` for an operation that would drop rigour."""
    if isinstance(other, (float, np.floating)):
        remedy = "say exactly(x) if that double itself is meant, or write the number as a Fraction or a string"
    else:
        remedy = "use int, Fraction or a number of codedtheory.arithmetic"
    raise TypeError(
        f"{operation} of {type(number).__name__} with {type(other).__name__} ({other!r}) would not be rigorous; "
        + remedy
    )


class RigorousNumber:
    """What exact numbers and balls have in common: which type a mixed operation is carried out in.

    A subclass sets its `tower` height; in a mixed operation the lower operand is lifted by the
    higher type's `_lift`. Arrays are left to NumPy, which comes back element by element. Everything
    else (floats, complex, mpmath, truth values) raises `TypeError`.
    """

    __slots__ = ()
    tower: int = 0

    def _lift(self, other: Any) -> Any:
        """Return `other` as a number of this type (and field), or ``NotImplemented``."""
        raise NotImplementedError

    def _partner(self, other: Any, operation: str) -> Any:
        """Return the operand to compute with, ``NotImplemented`` if the other side shall do it."""
        if is_integer(other) or isinstance(other, Fraction):
            return self._lift(other)
        if isinstance(other, RigorousNumber):
            return self._lift(other) if other.tower <= self.tower else NotImplemented
        if isinstance(other, np.ndarray) or hasattr(other, "_one_sided"):
            return NotImplemented
        reject(self, other, operation)

    def __float__(self) -> float:
        raise TypeError(
            f"a {type(self).__name__} is not turned into a float silently; approximate(x) gives the nearest double"
        )

    def __complex__(self) -> complex:
        raise TypeError(f"a {type(self).__name__} is not turned into a complex float silently")

    def __int__(self) -> int:
        raise TypeError(f"a {type(self).__name__} is not turned into an int silently")

    def __pos__(self) -> Any:
        return self

    def __pow__(self, exponent: Any) -> Any:
        if not is_integer(exponent):
            raise TypeError(f"exponent must be an integer, got {exponent!r}; use sqrt, log and exp for other powers")
        return self._power(int(exponent))

    def _power(self, exponent: int) -> Any:
        raise NotImplementedError

    @property
    def real(self) -> Any:
        """Real part, which for a real number is the number itself."""
        return self

    @property
    def imag(self) -> Any:
        """Imaginary part."""
        return self._lift(0)

    def conjugate(self) -> Any:
        """Return the complex conjugate, which for a real number is the number itself."""
        return self
