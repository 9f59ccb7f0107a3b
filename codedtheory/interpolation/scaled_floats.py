"""Products of many doubles without overflow: a mantissa and an integer exponent each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ScaledFloats", "scaled_product"]

FloatArray = npt.NDArray[np.float64]
# 512 mantissas of at least 1/2 multiply to at least 2**-512, far from underflow
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class ScaledFloats:
    """Positive numbers mantissa * 2**exponent, for magnitudes that doubles can't hold.

    Attributes
    ----------
    mantissa : numpy.ndarray of float64
        From 1/2 to 1.
    exponent : numpy.ndarray of int64
    """

    mantissa: FloatArray
    exponent: npt.NDArray[np.int64]

    @classmethod
    def of(cls, mantissa: Any, exponent: Any = 0) -> ScaledFloats:
        """Return the numbers with their mantissas normalised."""
        m, e = np.frexp(mantissa)
        return cls(m, e.astype(np.int64) + exponent)

    def __mul__(self, other: ScaledFloats) -> ScaledFloats:
        return ScaledFloats.of(self.mantissa * other.mantissa, self.exponent + other.exponent)

    def __add__(self, other: ScaledFloats) -> ScaledFloats:
        top = np.maximum(self.exponent, other.exponent)
        shifted = [np.ldexp(x.mantissa, np.maximum(x.exponent - top, -200)) for x in (self, other)]
        return ScaledFloats.of(shifted[0] + shifted[1], top)

    def reciprocal(self) -> ScaledFloats:
        """Return 1 / self."""
        return ScaledFloats.of(1 / self.mantissa, -self.exponent)

    def __getitem__(self, index: Any) -> ScaledFloats:
        return ScaledFloats(self.mantissa[index], self.exponent[index])

    def log(self) -> FloatArray:
        """Return the natural logarithms as doubles."""
        logarithm: FloatArray = np.log(self.mantissa) + self.exponent * np.log(2.0)
        return logarithm

    def times_power(self, exponent: Any) -> FloatArray:
        """Return the numbers times 2**exponent as doubles, infinite or 0 where they don't fit."""
        return ScaledFloats(self.mantissa, self.exponent + exponent).doubles()

    def doubles(self) -> FloatArray:
        """Return the numbers as doubles, infinite or 0 where they don't fit."""
        with np.errstate(under="ignore", over="ignore"):
            result: FloatArray = np.ldexp(self.mantissa, np.clip(self.exponent, -5000, 5000))
        return result


def scaled_product(factors: FloatArray) -> ScaledFloats:
    """Return the products of positive doubles along the last axis.

    A product of m factors is computed with m - 1 roundings; the exponents are exact.
    """
    mantissa, exponent = np.frexp(factors)
    total = exponent.sum(axis=-1, dtype=np.int64)
    product = np.ones(factors.shape[:-1])
    for start in range(0, factors.shape[-1], _BLOCK):
        product, shift = np.frexp(product * np.prod(mantissa[..., start : start + _BLOCK], axis=-1))
        total = total + shift
    return ScaledFloats(product, total)
