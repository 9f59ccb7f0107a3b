"""Roots of polynomials with rational coefficients: certified enclosures, and counts by Sturm's theorem."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import flint

from .balls import Ball, checked_bits
from .complex_balls import ComplexBall
from .extrema import maximum
from .precision import precision
from .rational import Rational, to_fmpq
from .truth import PrecisionError

__all__ = ["complex_roots", "count_real_roots", "largest_root_modulus", "real_roots"]


def rational_polynomial(coefficients: Sequence[Any]) -> flint.fmpq_poly:
    """Return the FLINT polynomial with the given coefficients, from the 0th on; refuse the zero polynomial."""
    polynomial = flint.fmpq_poly([to_fmpq(c) for c in coefficients])
    if polynomial.is_zero():
        raise ValueError(f"coefficients must not all be 0, got {list(coefficients)}; every number would be a root")
    return polynomial


def complex_roots(coefficients: Sequence[Any], bits: int = 128) -> list[tuple[ComplexBall, int]]:
    r"""Return disjoint enclosures of the distinct roots of a polynomial with their multiplicities.

    The square-free factors are found exactly, so the multiplicities are proved, and every ball contains
    exactly one root. A real root, and no other, has an imaginary part that is exactly 0.

    Parameters
    ----------
    coefficients : sequence of int, Fraction, Rational or str, shape (degree + 1,)
        From the 0th on.
    bits : int, default 128
        Relative precision of the enclosures; more is used where it takes more to tell roots apart.

    Returns
    -------
    list of (ComplexBall, int)
        Empty for a constant.

    Raises
    ------
    ValueError
        If all coefficients are 0.

    Examples
    --------
    >>> [(str(root.real.mid), count) for root, count in complex_roots([1, -2, 1])]
    [('1', 2)]
    """
    polynomial = rational_polynomial(coefficients)
    bits = checked_bits(bits)
    while True:
        with precision(bits):
            found: Any = polynomial.complex_roots() if polynomial.degree() > 0 else []
        roots = [(flint.acb(root), int(count)) for root, count in found]
        # FLINT isolates the roots of each square-free factor by itself
        if not any(a.overlaps(b) for (a, _), (b, _) in combinations(roots, 2)):
            return [(ComplexBall._of(root, bits), count) for root, count in roots]
        bits *= 2


def real_roots(coefficients: Sequence[Any], bits: int = 128) -> list[tuple[Ball, int]]:
    """Return disjoint enclosures of the distinct real roots, in increasing order, with multiplicities.

    Parameters
    ----------
    coefficients : sequence of int, Fraction, Rational or str, shape (degree + 1,)
        From the 0th on.
    bits : int, default 128
        Relative precision of the enclosures.

    Returns
    -------
    list of (Ball, int)

    Raises
    ------
    PrecisionError
        If Sturm's theorem counts another number of real roots.

    Examples
    --------
    >>> [(root * root).contains(2) for root, count in real_roots([-2, 0, 1])]
    [True, True]
    """
    found = [(root.real, count) for root, count in complex_roots(coefficients, bits) if root.imag == 0]
    expected = count_real_roots(coefficients)
    if len(found) != expected:
        raise PrecisionError(f"{len(found)} of {expected} real roots were isolated; raise the precision (bits)")
    return sorted(found, key=lambda pair: pair[0].mid.fraction)


def largest_root_modulus(coefficients: Sequence[Any], bits: int = 128) -> Ball:
    r"""Return an enclosure of the largest modulus of a root: the spectral radius of the companion matrix.

    Parameters
    ----------
    coefficients : sequence of int, Fraction, Rational or str, shape (degree + 1,)
        From the 0th on, not a constant.
    bits : int, default 128
        Relative precision.

    Returns
    -------
    Ball

    Raises
    ------
    ValueError
        If the polynomial is constant.

    Examples
    --------
    >>> largest_root_modulus(["1/4", 0, 1]).contains(Rational(1, 2))
    True
    """
    moduli = [abs(root) for root, _ in complex_roots(coefficients, bits)]
    if not moduli:
        raise ValueError(f"coefficients must not be those of a constant, got {list(coefficients)}")
    largest: Ball = maximum(moduli)
    return largest


def count_real_roots(
    coefficients: Sequence[Any],
    lower: int | Fraction | Rational | None = None,
    upper: int | Fraction | Rational | None = None,
) -> int:
    r"""Return the number of distinct real roots in the half-open interval (lower, upper], by Sturm's theorem.

    Rational arithmetic only, hence independent of the enclosures of `real_roots`.

    Parameters
    ----------
    coefficients : sequence of int, Fraction, Rational or str, shape (degree + 1,)
        From the 0th on.
    lower, upper : int, Fraction or Rational, optional
        Ends of the interval; ``None`` is an infinite one.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If all coefficients are 0, or lower exceeds upper.

    Examples
    --------
    >>> count_real_roots([-2, 0, 1]), count_real_roots([-2, 0, 1], 0, 2)
    (2, 1)
    """
    if lower is not None and upper is not None and to_fmpq(lower) > to_fmpq(upper):
        raise ValueError(f"lower must be at most upper, got {lower} and {upper}")
    polynomial = rational_polynomial(coefficients)
    square_free = polynomial // polynomial.gcd(polynomial.derivative())
    chain = sturm_chain(square_free, square_free.derivative())
    return sign_changes(chain, lower, -1) - sign_changes(chain, upper, 1)


def sturm_chain(first: flint.fmpq_poly, second: flint.fmpq_poly) -> list[flint.fmpq_poly]:
    """Return the chain of negated remainders that starts with two polynomials."""
    chain = [first]
    while not second.is_zero():
        chain.append(second)
        first, second = second, -(first % second)
    return chain


def sign_changes(chain: list[flint.fmpq_poly], point: Any, side: int) -> int:
    """Return the number of sign changes along a chain at a point; ``None`` is infinity of the given side."""
    signs = [sign for sign in (_sign(p, point, side) for p in chain) if sign]
    return sum(a != b for a, b in pairwise(signs))


def _sign(polynomial: flint.fmpq_poly, point: Any, side: int) -> int:
    if point is None:
        degree = polynomial.degree()
        value = polynomial[degree] * (side if degree % 2 else 1)
    else:
        value = polynomial(to_fmpq(point))
    return int(value > 0) - int(value < 0)
