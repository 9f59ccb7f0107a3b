"""Symbolic expressions as polynomials over exact coefficients: zero tests and sign certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

__all__ = ["is_zero", "polynomial", "sign_certificate"]

_MOST_EXTENSIONS = 3


def polynomial(expression: Any, more_generators: Sequence[Any] = ()) -> Any | None:
    """Return the expression as a SymPy ``Poly`` over an exact field; None if it is none.

    The generators are the symbols and whatever else is not a number of the coefficient field, such as ``sqrt(x)`` or
    ``pi``. Algebraic numbers such as ``sqrt(2)`` and ``I`` join the field.
    """
    try:
        generators = _generators(expression)
        algebraic = [g for g in generators if not g.free_symbols and g.is_algebraic]
        if expression.has(sympy.I):
            algebraic.append(sympy.I)
        if len(algebraic) > _MOST_EXTENSIONS:
            algebraic = []
        variables = [g for g in generators if g not in algebraic]
        variables += [g for g in more_generators if g not in variables]
        options = {"extension": algebraic} if algebraic else {"field": True}
        found = sympy.Poly(expression, *(variables or [sympy.Dummy()]), **options)
    except (sympy.PolynomialError, sympy.CoercionFailed, NotImplementedError):
        return None
    return found if found.domain.is_Exact and not found.domain.is_EX else None


def is_zero(expression: Any, relations: Sequence[Any] = ()) -> bool | None:
    """Decide whether an expression is zero wherever the relations are; None if that stays open.

    True is a proof for any generators, since equal polynomials take equal values. False is a proof only where the
    generators are independent, so it is returned only for plain symbols without relations.
    """
    found = polynomial(expression, sorted(_symbols(relations), key=str))
    if found is None:
        return None
    if found.is_zero:
        return True
    if relations:
        basis = sympy.groebner(relations, *found.gens, domain=found.domain, order="grevlex")
        _, remainder = sympy.reduced(found, basis.polys, order="grevlex")
        return True if remainder == 0 or getattr(remainder, "is_zero", False) else None
    return False if all(g.is_Symbol for g in found.gens) else None


def sign_certificate(expression: Any) -> str | None:
    """Return "nonnegative" or "positive" if the coefficients alone prove it, else None.

    Every term must have a non-negative coefficient and generators that are non-negative by assumption, or real with an
    even exponent; for "positive" one term must also have only positive generators.
    """
    try:
        generators = _generators(expression)
        found = sympy.Poly(expression, *(generators or [sympy.Dummy(nonnegative=True)]), field=True)
    except sympy.PolynomialError:
        return None
    if not (found.domain.is_QQ or found.domain.is_ZZ):
        return None
    positive = False
    for exponents, coefficient in found.terms():
        powers = [(g, exponent) for g, exponent in zip(found.gens, exponents, strict=True) if exponent]
        if coefficient < 0 or not all(g.is_nonnegative or (g.is_real and e % 2 == 0) for g, e in powers):
            return None
        positive = positive or (coefficient > 0 and all(g.is_positive for g, _ in powers))
    return "positive" if positive else "nonnegative"


def _generators(expression: Any) -> tuple[Any, ...]:
    try:
        return tuple(sympy.Poly(sympy.expand(expression)).gens)
    except sympy.GeneratorsNeeded:
        return ()


def _symbols(relations: Sequence[Any]) -> set[Any]:
    return {symbol for relation in relations for symbol in relation.free_symbols}
