"""Isolating balls for the roots of exact polynomials, with exact multiplicities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import combinations, pairwise
from typing import Any

import flint

from .algebraic import Algebraic
from .balls import Ball
from .complex_balls import ComplexBall
from .cyclotomic_polynomials import square_free_split
from .precision import precision
from .truth import PrecisionError

__all__ = ["SquareFree", "integer_factors", "isolated_roots", "real_parts_of_real", "square_free_factors"]


class SquareFree(ABC):
    """A square-free polynomial, whose roots can be isolated to any precision."""

    @abstractmethod
    def roots(self, bits: int) -> list[flint.arb | flint.acb] | None:
        """Return one ball for each root, pairwise disjoint; real balls for what is known to be real."""

    @abstractmethod
    def vanishes_at(self, k: int) -> bool:
        """Whether the integer k is a root, decided exactly."""


class _IntegerPolynomial(SquareFree):
    def __init__(self, polynomial: flint.fmpz_poly) -> None:
        self.polynomial: Any = polynomial

    def roots(self, bits: int) -> list[flint.arb | flint.acb] | None:
        with precision(bits):
            # FLINT promises an imaginary part of exactly 0 for the real roots, and for these only
            found = [x for x, _ in self.polynomial.complex_roots()]
            return [x.real if x.imag.is_zero() else x for x in found]

    def vanishes_at(self, k: int) -> bool:
        return bool(self.polynomial(k) == 0)


class _CyclotomicPolynomial(SquareFree):
    """Coefficients in a cyclotomic field; 0 is not among the roots."""

    def __init__(self, coefficients: list[Algebraic], all_real: bool) -> None:
        self.coefficients = coefficients
        self.all_real = all_real

    def roots(self, bits: int) -> list[flint.arb | flint.acb] | None:
        # coefficients twice as accurate leave room for large and for ill-conditioned roots
        with precision(2 * bits):
            enclosures = [ComplexBall(c, 2 * bits)._x for c in self.coefficients]
            try:
                found = flint.acb_poly(enclosures).roots(tol=flint.arb(2) ** -bits, maxprec=4 * bits)
            except ValueError:
                return None
            if self.all_real:
                return [x.real for x in found]
            if all(c.is_real for c in self.coefficients):
                return real_parts_of_real(found)
            return list(found)

    def vanishes_at(self, k: int) -> bool:
        value: Any = 0
        for c in reversed(self.coefficients):
            value = value * k + c
        return not value


def real_parts_of_real(found: list[flint.acb]) -> list[flint.arb | flint.acb] | None:
    """Return isolating balls of a set of numbers that is closed under conjugation, real ones as real balls.

    The conjugate of the number in a ball lies in the mirrored ball and in one of the balls; where that
    can only be the same ball, the number is its own conjugate.
    """
    result: list[flint.arb | flint.acb] = []
    for i, x in enumerate(found):
        mirrored = x.conjugate()
        if not x.imag.contains(0):
            result.append(x)
        elif any(mirrored.overlaps(y) for j, y in enumerate(found) if j != i):
            return None
        else:
            result.append(x.real)
    return result


def square_free_factors(coefficients: list[Algebraic], all_real: bool) -> list[tuple[SquareFree, int]]:
    """Return the square-free factors of a monic polynomial and their multiplicities.

    Parameters
    ----------
    coefficients : list of Algebraic
        Cyclotomic integers, constant term first.
    all_real : bool
        Whether all roots are known to be real.
    """
    if all(c.is_rational for c in coefficients):
        return integer_factors(flint.fmpz_poly([c.rational.numerator for c in coefficients]))
    zeros = next(k for k, c in enumerate(coefficients) if c)
    factors: list[tuple[SquareFree, int]] = []
    if zeros:
        factors.append((_IntegerPolynomial(flint.fmpz_poly([0, 1])), zeros))
    split = square_free_split(coefficients[zeros:])
    return factors + [(_CyclotomicPolynomial(f, all_real), m) for f, m in split]


def integer_factors(polynomial: flint.fmpz_poly) -> list[tuple[SquareFree, int]]:
    """Return the square-free factors of an integer polynomial and their multiplicities."""
    return [(_IntegerPolynomial(f), int(m)) for f, m in polynomial.factor_squarefree()[1]]


def isolated_roots(
    factors: list[tuple[SquareFree, int]], bits: int, max_bits: int, divisor: int = 1
) -> list[tuple[Any, int]]:
    """Return the roots divided by `divisor` as disjoint balls, with multiplicities.

    Real roots come first, in descending order. Their balls have `bits` bits, or as many more as it takes
    to tell neighbours apart; a rational root gets a ball of radius 0 where its precision has room for it.

    Raises
    ------
    PrecisionError
        If working with `max_bits` bits does not suffice; it carries the enclosures that were found.
    """
    best: Any = None
    working = bits + 16
    while True:
        raw = _roots_of_all(factors, working)
        if raw is not None:
            best = _divided(raw, divisor, working)
            if all(x.rel_accuracy_bits() >= bits for x, _ in raw) and _disjoint(best):
                rounded = _divided(raw, divisor, bits)
                return rounded if _disjoint(rounded) else best
        if working >= max_bits:
            raise PrecisionError(
                f"the eigenvalues are not told apart with {max_bits} bits; raise max_bits", enclosure=best
            )
        working = min(2 * working, max_bits)


def _roots_of_all(factors: list[tuple[SquareFree, int]], bits: int) -> list[tuple[Any, int]] | None:
    result: list[tuple[Any, int]] = []
    for factor, multiplicity in factors:
        roots = factor.roots(bits)
        if roots is None:
            return None
        result.extend((_exact_integer(factor, x), multiplicity) for x in roots)
    return result


def _exact_integer(factor: SquareFree, x: Any) -> Any:
    """Return the integer in the ball of a root, if it is this root, else the ball."""
    real = x if isinstance(x, flint.arb) else x.real
    k = real.unique_fmpz() if real is x or x.imag.contains(0) else None
    return flint.arb(k) if k is not None and factor.vanishes_at(int(k)) else x


def _divided(roots: list[tuple[Any, int]], divisor: int, bits: int) -> list[tuple[Any, int]]:
    with precision(bits):
        quotients = [(x / divisor, m) for x, m in roots]
    real = [(Ball._of(x, bits), m) for x, m in quotients if isinstance(x, flint.arb)]
    other = [(ComplexBall._of(x, bits), m) for x, m in quotients if isinstance(x, flint.acb)]
    return [*sorted(real, key=lambda pair: pair[0].mid, reverse=True), *other]


def _disjoint(roots: list[tuple[Any, int]]) -> bool:
    real = [x for x, _ in roots if isinstance(x, Ball)]
    other = [x for x, _ in roots if isinstance(x, ComplexBall)]
    in_order = all((a > b) is True for a, b in pairwise(real))
    apart = not any(a._x.overlaps(b._x) for a, b in combinations(other, 2))
    # a complex ball that meets the real axis may meet the ball of a real root
    mixed = any(flint.acb(a._x).overlaps(b._x) for a in real for b in other)
    return in_order and apart and not mixed
