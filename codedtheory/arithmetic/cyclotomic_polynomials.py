"""Exact polynomials over cyclotomic fields, assembled from their images in prime fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd, lcm, prod
from typing import Any

import flint

from .algebraic import Algebraic
from .matrix_algebra import Matrix

__all__ = ["characteristic_polynomial", "square_free_split"]


@dataclass(frozen=True)
class _Prime:
    """A prime p = 1 mod n, over which the n-th cyclotomic polynomial splits, and a root of it."""

    p: int
    n: int
    root: int

    def powers(self, exponents: list[int], count: int) -> flint.nmod_mat:
        """Return the matrix that evaluates polynomials of `count` coefficients at powers of the root."""
        points = [pow(self.root, e, self.p) for e in exponents]
        return flint.nmod_mat(len(points), count, [pow(x, k, self.p) for x in points for k in range(count)], self.p)


def _primes(n: int) -> Iterator[_Prime]:
    divisors = [int(q) for q, _ in flint.fmpz(n).factor()]
    p = (2**62 // n) * n + 1
    while True:
        p -= n
        if flint.fmpz(p).is_prime():
            candidates = (pow(g, (p - 1) // n, p) for g in range(2, p))
            yield _Prime(p, n, next(w for w in candidates if all(pow(w, n // q, p) != 1 for q in divisors)))


def _integers(x: Algebraic, scale: int) -> list[int]:
    """Return the coefficients of scale * x, which must be integers, padded to the degree of the field."""
    degree = int(flint.fmpz(x.conductor).euler_phi())
    values = [int((c * scale).p) for c in x._p.coeffs()]
    return values + [0] * (degree - len(values))


class _Residues:
    """Integers known modulo a growing product of primes."""

    def __init__(self) -> None:
        self.modulus = 1
        self.values: list[int] = []

    def add(self, images: list[int], p: int) -> None:
        if self.modulus == 1:
            self.values = [0] * len(images)
        inverse = pow(self.modulus, -1, p)
        self.values = [
            v + self.modulus * ((image - v) * inverse % p) for v, image in zip(self.values, images, strict=True)
        ]
        self.modulus *= p

    def centred(self) -> list[int]:
        half = self.modulus // 2
        return [v - self.modulus if v > half else v for v in self.values]


def characteristic_polynomial(A: Matrix) -> tuple[list[Algebraic], int]:
    r"""Return the coefficients of det(x I - d A), the constant term first, and the integer d that clears denominators.

    Parameters
    ----------
    A : array of Algebraic of shape (n, n)
        All in the same field :math:`\mathbb Q(\zeta_N)`.

    Notes
    -----
    The entries of d A are lifted to :math:`\mathbb Z[x]/(x^N-1)`, where the 1-norm of coefficients is
    submultiplicative. The k-th coefficient is a sum of principal minors, so with row sums
    :math:`r_i=\sum_j\|a_{ij}\|_1` no integer in the answer exceeds :math:`\prod_i(1+r_i)`, and residues modulo
    primes whose product is more than twice that determine it. Modulo p = 1 mod N the ring falls into N
    copies of GF(p).
    """
    size, n = len(A), A.flat[0].conductor
    scale = lcm(*(int(x._p.denom()) for x in A.flat))
    entries = [_integers(x, scale) for x in A.flat]
    rows = [sum(abs(c) for entry in entries[i * size : (i + 1) * size] for c in entry) for i in range(size)]
    bound = 2 * prod(1 + r for r in rows)
    residues = _Residues()
    for prime in _primes(n):
        p = prime.p
        coefficients = flint.nmod_mat(
            len(entries[0]), len(entries), [c % p for column in zip(*entries, strict=True) for c in column], p
        )
        values = (prime.powers(list(range(n)), len(entries[0])) * coefficients).tolist()
        images = [c for row in values for c in flint.nmod_mat(size, size, row, p).charpoly().coeffs()]
        back = prime.powers([-j for j in range(n)], n) * flint.nmod_mat(n, size + 1, images, p)
        inverse = pow(n, -1, p)
        residues.add([int(c) * inverse % p for c in back.entries()], p)
        if residues.modulus > bound:
            break
    table = residues.centred()
    return [Algebraic(n, table[k :: size + 1]) for k in range(size + 1)], scale


def square_free_split(f: list[Algebraic]) -> list[tuple[list[Algebraic], int]]:
    r"""Return monic square-free factors :math:`f_m`, coprime to each other, with :math:`f=\prod_m f_m^m`.

    Parameters
    ----------
    f : list of Algebraic
        A monic polynomial with coefficients in :math:`\mathbb Z[\zeta_N]`, constant term first.

    Notes
    -----
    The factors are guessed from their images and then proved: the product is multiplied out, and
    :math:`\prod_m f_m` is square-free because an image of the same degree is. The guess succeeds for all but
    finitely many primes, since monic factors of f have coefficients in the ring of integers
    :math:`\mathbb Z[\zeta_N]`, too.
    """
    n = lcm(*(c.conductor for c in f))
    f = [c.into(n) for c in f]
    columns = [_integers(c, 1) for c in f]
    units = [j for j in range(n) if gcd(j, n) == 1]
    residues: _Residues | None = None
    pattern: list[tuple[int, int]] = []
    for prime in _primes(n):
        p = prime.p
        evaluation = prime.powers(units, len(units))
        coefficients = flint.nmod_mat(len(units), len(f), [c % p for row in zip(*columns, strict=True) for c in row], p)
        images = [_split_image(row, p) for row in (evaluation * coefficients).tolist()]
        found = [(m, g.degree()) for m, g in images[0]]
        if any([(m, g.degree()) for m, g in image] != found for image in images):
            continue
        if found == [(1, len(f) - 1)]:
            return [(f, 1)]
        if residues is None or found != pattern:
            residues, pattern = _Residues(), found
        table = [[c for _, g in image for c in g.coeffs()] for image in images]
        width = len(table[0])
        back = evaluation.inv() * flint.nmod_mat(len(units), width, [c for row in table for c in row], p)
        residues.add([int(c) for c in back.entries()], p)
        factors = _assembled(residues.centred(), width, pattern, n)
        if _product(factors) == f:
            return factors
    raise AssertionError("there are infinitely many primes")


def _split_image(coefficients: list[Any], p: int) -> list[tuple[int, flint.nmod_poly]]:
    _, factors = flint.nmod_poly(coefficients, p).factor_squarefree()
    return sorted(((int(m), g / g.leading_coefficient()) for g, m in factors), key=lambda pair: pair[0])


def _assembled(
    table: list[int], width: int, pattern: list[tuple[int, int]], n: int
) -> list[tuple[list[Algebraic], int]]:
    columns = [Algebraic(n, table[k::width]) for k in range(width)]
    factors: list[tuple[list[Algebraic], int]] = []
    for m, degree in pattern:
        factors.append((columns[: degree + 1], m))
        columns = columns[degree + 1 :]
    return factors


def _product(factors: list[tuple[list[Algebraic], int]]) -> list[Any]:
    result: list[Any] = [1]
    for f, m in factors:
        for _ in range(m):
            product: list[Any] = [0] * (len(result) + len(f) - 1)
            for i, a in enumerate(result):
                for j, b in enumerate(f):
                    product[i + j] = product[i + j] + a * b
            result = product
    return result
