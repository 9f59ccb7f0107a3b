"""Exact algebraic numbers in cyclotomic fields, where Chebyshev points and roots of unity live."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import flint

from .number import RigorousNumber, is_integer
from .rational import Rational, to_fmpq

__all__ = ["Algebraic"]


@lru_cache(maxsize=256)
def _modulus(n: int) -> flint.fmpq_poly:
    return flint.fmpq_poly(flint.fmpz_poly.cyclotomic(n))


class Algebraic(RigorousNumber):
    r"""An element of the cyclotomic field :math:`\mathbb Q(\zeta_n)`, :math:`\zeta_n=e^{2\pi i/n}`.

    Equality is decided exactly (the representation modulo the cyclotomic polynomial is unique).
    Real elements are ordered: the sign of a non-zero difference is found with balls of growing
    precision, which always ends. Numbers of different fields meet in the field of the least
    common multiple.

    Parameters
    ----------
    conductor : int
        The index n of the field, at least 1.
    coefficients : sequence of int, Fraction, Rational or str
        Coefficients of the powers of :math:`\zeta_n`, from the 0th on; any number of them.

    Examples
    --------
    >>> half_angle = Algebraic.cos_pi(Fraction(1, 5), 10)
    >>> half_angle * 2 - 1 == 1 / (half_angle * 2)      # the golden ratio
    True
    >>> half_angle > Rational("0.809016")
    True
    """

    __slots__ = ("_p", "conductor")
    tower = 1
    conductor: int
    _p: flint.fmpq_poly

    def __init__(self, conductor: int, coefficients: Any) -> None:
        if not is_integer(conductor) or conductor < 1:
            raise ValueError(f"conductor must be an integer from 1 on, got {conductor!r}")
        self.conductor = int(conductor)
        self._p = flint.fmpq_poly([to_fmpq(c) for c in coefficients]) % _modulus(self.conductor)

    @classmethod
    def _of(cls, conductor: int, p: flint.fmpq_poly) -> Algebraic:
        new = object.__new__(cls)
        new.conductor = conductor
        new._p = p
        return new

    @classmethod
    def root_of_unity(cls, q: Fraction, conductor: int) -> Algebraic:
        r"""Return :math:`e^{2\pi iq}` in the field of the given conductor.

        Raises
        ------
        ValueError
            If the root does not lie in the field; the message names one in which it does.
        """
        q = exact_angle(q) % 1
        order = q.denominator
        if conductor % order == 0:
            return cls._of(conductor, _power_of_zeta(q.numerator * (conductor // order), conductor))
        if conductor % 2 and (2 * conductor) % order == 0:
            # -1 = zeta_2 is in every field: zeta_2n = -zeta_n^((n+1)/2) for odd n
            exponent = q.numerator * (2 * conductor // order)
            power = _power_of_zeta(exponent * ((conductor + 1) // 2), conductor)
            return cls._of(conductor, -power if exponent % 2 else power)
        raise ValueError(f"exp(2 pi i {q}) is not in cyclotomic({conductor}); use cyclotomic({lcm(order, conductor)})")

    @classmethod
    def cos_pi(cls, q: Fraction, conductor: int) -> Algebraic:
        r"""Return :math:`\cos(\pi q)` in the field of the given conductor.

        Raises
        ------
        ValueError
            If it does not lie in the field: the cosine of order m is in Q(zeta_n) iff it is rational
            (m in 1, 2, 3, 4, 6) or the root of unity itself is.
        """
        half = exact_angle(q) / 2
        order = (half % 1).denominator
        if order in (1, 2, 3, 4, 6):
            value = {1: Fraction(1), 2: Fraction(-1), 3: Fraction(-1, 2), 4: Fraction(0), 6: Fraction(1, 2)}
            return cls(conductor, [value[order]])
        try:
            root: Algebraic = cls.root_of_unity(half, conductor)
        except ValueError as error:
            raise ValueError(
                f"cos(pi {q}) is not in cyclotomic({conductor}); use cyclotomic({lcm(order, conductor)}) or ball(bits)"
            ) from error
        cosine: Algebraic = (root + root.conjugate()) / 2
        return cosine

    def _lift(self, other: Any) -> Algebraic:
        if isinstance(other, Algebraic):
            return other if other.conductor == self.conductor else other.into(lcm(self.conductor, other.conductor))
        return Algebraic._of(self.conductor, flint.fmpq_poly([to_fmpq(other)]))

    def into(self, conductor: int) -> Algebraic:
        """Return the same number in a larger field, whose conductor must be a multiple of this one's."""
        if conductor % self.conductor:
            raise ValueError(f"conductor {conductor} is not a multiple of {self.conductor}")
        step = conductor // self.conductor
        spread = [flint.fmpq(0)] * (step * len(self._p.coeffs()) or 1)
        for k, c in enumerate(self._p.coeffs()):
            spread[k * step] = c
        return Algebraic._of(conductor, flint.fmpq_poly(spread) % _modulus(conductor))

    def _pair(self, other: Any, operation: str) -> Any:
        b = other if type(other) is Algebraic else self._partner(other, operation)
        if b is NotImplemented or b.conductor == self.conductor:
            return b if b is NotImplemented else (self, b)
        n = lcm(self.conductor, b.conductor)
        return self.into(n), b.into(n)

    def __add__(self, other: Any) -> Any:
        pair = self._pair(other, "addition")
        return pair if pair is NotImplemented else Algebraic._of(pair[0].conductor, pair[0]._p + pair[1]._p)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        pair = self._pair(other, "subtraction")
        return pair if pair is NotImplemented else Algebraic._of(pair[0].conductor, pair[0]._p - pair[1]._p)

    def __rsub__(self, other: Any) -> Any:
        pair = self._pair(other, "subtraction")
        return pair if pair is NotImplemented else Algebraic._of(pair[0].conductor, pair[1]._p - pair[0]._p)

    def __mul__(self, other: Any) -> Any:
        pair = self._pair(other, "multiplication")
        if pair is NotImplemented:
            return pair
        n = pair[0].conductor
        return Algebraic._of(n, (pair[0]._p * pair[1]._p) % _modulus(n))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        pair = self._pair(other, "division")
        return pair if pair is NotImplemented else pair[0] * pair[1]._inverse()

    def __rtruediv__(self, other: Any) -> Any:
        pair = self._pair(other, "division")
        return pair if pair is NotImplemented else pair[1] * pair[0]._inverse()

    def _inverse(self) -> Algebraic:
        if not self:
            raise ZeroDivisionError("division by the algebraic number 0")
        g, s, _ = self._p.xgcd(_modulus(self.conductor))
        return Algebraic._of(self.conductor, s / g[0])

    def _power(self, exponent: int) -> Algebraic:
        factor = self if exponent >= 0 else self._inverse()
        result = Algebraic._of(self.conductor, flint.fmpq_poly([1]))
        for bit in bin(abs(exponent))[2:]:
            result = result * result
            if bit == "1":
                result = result * factor
        return result

    def __neg__(self) -> Algebraic:
        return Algebraic._of(self.conductor, -self._p)

    def conjugate(self) -> Algebraic:
        """Return the complex conjugate."""
        n = self.conductor
        turned = [flint.fmpq(0)] * n
        for k, c in enumerate(self._p.coeffs()):
            turned[(-k) % n] = c
        return Algebraic._of(n, flint.fmpq_poly(turned) % _modulus(n))

    @property
    def real(self) -> Algebraic:
        """Real part."""
        part: Algebraic = (self + self.conjugate()) / 2
        return part

    @property
    def imag(self) -> Algebraic:
        """Imaginary part, in the field that has i in it as well."""
        part: Algebraic = (
            (self - self.conjugate()) * Algebraic.root_of_unity(Fraction(3, 4), lcm(4, self.conductor)) / 2
        )
        return part

    @property
    def is_real(self) -> bool:
        """Whether the number is real, decided exactly."""
        return bool(self._p.degree() <= 0 or self._p == self.conjugate()._p)

    @property
    def is_rational(self) -> bool:
        """Whether the number is rational, decided exactly."""
        return bool(self._p.degree() <= 0)

    @property
    def rational(self) -> Rational:
        """The number as a `Rational`; raises `ValueError` if it isn't one."""
        if not self.is_rational:
            raise ValueError(f"{self} is irrational; use ball(bits) for an enclosure")
        return Rational._of(self._p[0])

    def sign(self) -> int:
        """Return -1, 0 or 1 for a real number; raise `TypeError` for a complex one."""
        if not self.is_real:
            raise TypeError(f"{self} is not real, so it has no order")
        if self._p.degree() <= 0:
            c = self._p[0]
            return int(c > 0) - int(c < 0)
        bits = 64
        while True:
            value = self._enclosure(bits)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
            bits *= 2

    def _enclosure(self, bits: int) -> flint.arb:
        saved = flint.ctx.prec
        flint.ctx.prec = bits + 16
        try:
            total = flint.arb(0)
            for k, c in enumerate(self._p.coeffs()):
                if c != 0:
                    total += flint.arb.cos_pi_fmpq(flint.fmpq(2 * k, self.conductor)) * c
            return total
        finally:
            flint.ctx.prec = saved

    def _complex_enclosure(self, bits: int) -> flint.acb:
        return flint.acb(self._enclosure(bits), self.imag._enclosure(bits))

    def __abs__(self) -> Algebraic:
        return -self if self.sign() < 0 else self

    def __bool__(self) -> bool:
        return not self._p.is_zero()

    def __eq__(self, other: object) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else bool(pair[0]._p == pair[1]._p)

    def __ne__(self, other: object) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else bool(pair[0]._p != pair[1]._p)

    def __lt__(self, other: Any) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else _order(*pair) < 0

    def __le__(self, other: Any) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else _order(*pair) <= 0

    def __gt__(self, other: Any) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else _order(*pair) > 0

    def __ge__(self, other: Any) -> Any:
        pair = self._pair(other, "comparison")
        return pair if pair is NotImplemented else _order(*pair) >= 0

    def __hash__(self) -> int:
        if self.is_rational:
            return hash(self.rational)
        # equal numbers of different fields must hash alike, so only the value may enter
        return hash(("cyclotomic", str(self._minimal_polynomial())))

    def _minimal_polynomial(self) -> flint.fmpq_poly:
        columns = self.conductor
        degree = _modulus(columns).degree()
        matrix = flint.fmpq_mat(
            [
                [(self._p * _power_of_zeta(j, columns) % _modulus(columns))[i] for j in range(degree)]
                for i in range(degree)
            ]
        )
        return matrix.minpoly()

    def __str__(self) -> str:
        terms = [
            f"{c}" if k == 0 else f"{c}*z{self.conductor}" + (f"^{k}" if k > 1 else "")
            for k, c in enumerate(self._p.coeffs())
            if c != 0
        ]
        return " + ".join(terms) or "0"

    def __repr__(self) -> str:
        return f"Algebraic({self.conductor}, {[str(c) for c in self._p.coeffs()]})"

    def __reduce__(self) -> tuple[type[Algebraic], tuple[int, list[str]]]:
        return Algebraic, (self.conductor, [str(c) for c in self._p.coeffs()])


def exact_angle(q: Any) -> Fraction:
    """Return a rational multiple of a turn, or of pi, as a Fraction; refuse floats."""
    fraction = to_fmpq(q)
    return Fraction(int(fraction.p), int(fraction.q))


def _order(a: Algebraic, b: Algebraic) -> int:
    if not a.is_real:
        raise TypeError(f"{a} is not real, so it has no order")
    return int((a - b).sign())


def _power_of_zeta(exponent: int, n: int) -> flint.fmpq_poly:
    exponent %= n
    return flint.fmpq_poly([0] * exponent + [1]) % _modulus(n)


def cosine_field(q: Fraction) -> int:
    """Return the conductor of the smallest cyclotomic field with cos(pi q) in it."""
    order = (Fraction(q) / 2 % 1).denominator
    if order in (1, 2, 3, 4, 6):
        return 1
    return order // 2 if order % 4 == 2 else order
