"""Row ranks of many small submatrices at once, modulo a prime: what has full rank there has full rank."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Modular, Rational

__all__ = ["ModularImage", "full_row_rank"]

_BELOW = 2**31  # products of two residues stay below 2**62, inside int64


class ModularImage:
    r"""The image of a matrix over the rationals or a cyclotomic field in a prime field.

    Numbers whose denominators p does not divide form a ring. For :math:`p\equiv1` modulo the conductor n, sending
    :math:`\zeta_n` to an element of order n of GF(p) is a homomorphism of that ring, because this element is a root
    of the n-th cyclotomic polynomial modulo p. It maps minors to minors, so a minor with an image other
    than 0 is not 0: **ranks can only fall**, and full rank of the image proves full rank.

    Parameters
    ----------
    matrix : numpy.ndarray of object
        `Rational` or `Algebraic` entries.

    Attributes
    ----------
    modulus : int
        The prime p, below 2**31.
    residues : numpy.ndarray of int64
        The image, with entries in 0..p-1.

    Examples
    --------
    >>> image = ModularImage(np.array([[Rational(1, 2)]], dtype=object))
    >>> int(image.residues[0, 0]) * 2 % image.modulus
    1
    """

    def __init__(self, matrix: np.ndarray[Any, Any]) -> None:
        numbers = [_coefficients(x) for x in matrix.ravel()]
        conductor = lcm(1, *(n for n, _ in numbers))
        denominators = {c.denominator for _, coefficients in numbers for c in coefficients}
        modulus, root = next(pair for pair in _primes(conductor) if all(d % pair[0] for d in denominators))
        self.modulus = modulus
        powers = {n: pow(root, conductor // n, modulus) for n, _ in numbers}
        values = [_evaluate(coefficients, powers[n], modulus) for n, coefficients in numbers]
        self.residues = np.array(values, dtype=np.int64).reshape(matrix.shape)


def full_row_rank(
    residues: np.ndarray[Any, Any], modulus: int, sets: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return for each set of rows whether the rows with different labels are independent modulo a prime.

    Parameters
    ----------
    residues : numpy.ndarray of int64, shape (rows, columns)
    modulus : int
        A prime below 2**31.
    sets : numpy.ndarray of int64, shape (count, size)
        Row indices.
    labels : numpy.ndarray of int, shape (rows,)
        Rows that are known to be multiples of each other have the same label, rows known to be 0 the label -1. Of
        each label only the first row counts, of the label -1 none.

    Returns
    -------
    numpy.ndarray of bool, shape (count,)

    Examples
    --------
    >>> rows, sets = np.array([[1, 0], [2, 0], [0, 1]]), np.array([[0, 1], [0, 2]])
    >>> full_row_rank(rows, 7, sets, np.array([0, 1, 2])).tolist()
    [False, True]
    >>> full_row_rank(rows, 7, sets, np.array([0, 0, 2])).tolist()
    [True, True]
    """
    count, size = sets.shape
    names = labels[sets]
    blocks = residues[sets]
    full = np.ones(count, dtype=bool)
    every = np.arange(count)
    for k in range(size):
        row = blocks[:, k]
        column = np.argmax(row != 0, axis=1)
        pivot = row[every, column]
        known = (names[:, k] < 0) | (names[:, :k] == names[:, k : k + 1]).any(axis=1)
        full &= (pivot != 0) | known
        pivot[pivot == 0] = 1  # a row of zeros eliminates nothing
        if k + 1 < size:
            # free of divisions: pivot * row_j - row_j[column] * row_k
            below = blocks[:, k + 1 :]
            factor = below[every, :, column]
            blocks[:, k + 1 :] = (pivot[:, None, None] * below - factor[:, :, None] * row[:, None, :]) % modulus
    return full


def _coefficients(x: Any) -> tuple[int, list[Fraction]]:
    if isinstance(x, Algebraic):
        # the conductor and the coefficients it was or could have been built from
        _, (conductor, numerals) = x.__reduce__()
        return conductor, [Fraction(c) for c in numerals]
    return 1, [Rational(x).fraction]


def _evaluate(coefficients: list[Fraction], root: int, modulus: int) -> int:
    total = 0
    for c in reversed(coefficients):
        total = (total * root + c.numerator * pow(c.denominator, -1, modulus)) % modulus
    return total


def _primes(conductor: int) -> Iterator[tuple[int, int]]:
    """Return primes p with p = 1 modulo the conductor, each with an element of that order, from the largest on."""
    for candidate in range((_BELOW - 2) // conductor * conductor + 1, conductor, -conductor):
        try:
            Modular(0, candidate)  # refuses what is no prime
        except ValueError:
            continue
        yield candidate, _element_of_order(conductor, candidate)
    raise ValueError(f"no prime below 2**31 is 1 modulo {conductor}")


def _element_of_order(n: int, p: int) -> int:
    divisors = [q for q in range(2, n + 1) if n % q == 0]
    for base in range(2, p):
        element = pow(base, (p - 1) // n, p)
        if all(pow(element, n // q, p) != 1 for q in divisors):
            return element
    return 1  # the order 1 at p = 2
