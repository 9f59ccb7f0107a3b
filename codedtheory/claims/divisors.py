"""What must not be zero for symbolic expressions to have values, and whether relations contradict that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy

__all__ = ["contradict", "divisors"]


def divisors(expressions: Iterable[Any]) -> list[Any]:
    """Return the irreducible polynomials by which expressions divide, as they are written.

    The bases of all powers that may have a negative exponent count, wherever they stand. The denominator of the sum
    brought to one fraction would not do: in ``(x**2 - x)/x`` and in ``1/(1 + 1/x)`` it has no factor ``x``.

    Parameters
    ----------
    expressions : iterable of sympy.Expr

    Returns
    -------
    list of sympy.Expr
        Each once, with a sign that does not depend on how it was written.

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> divisors([1 / (1 + 1 / x), 2 / (1 - x) ** 2])
    [x, x + 1, x - 1]
    """
    found: dict[Any, None] = {}
    for expression in expressions:
        bases = {power.base for power in expression.atoms(sympy.Pow) if not power.exp.is_nonnegative}
        # what depends on the index of a sum is no condition on the symbols
        free = [base for base in bases if base.free_symbols <= expression.free_symbols]
        for base in sorted(free, key=sympy.default_sort_key):
            found |= dict.fromkeys(_factors(sympy.fraction(sympy.together(base))[0]))
    return list(found)


def contradict(relations: Sequence[Any], nonzero: Sequence[Any]) -> bool:
    r"""Whether polynomial relations leave no point, real or complex, at which other polynomials are not zero.

    Parameters
    ----------
    relations : sequence of sympy.Expr
        Polynomials that are zero.
    nonzero : sequence of sympy.Expr
        Polynomials that are not.

    Returns
    -------
    bool
        ``False`` also where that stays open.

    Notes
    -----
    Hilbert's theorem of zeros in the form of Rabinowitsch (1930): there is no such point iff 1 is in the ideal of the
    relations and of all :math:`1-t_jq_j`.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> contradict([x * y, x**2 - 1], [y]), contradict([x * y], [x])
    (True, False)
    """
    related = {symbol for relation in relations for symbol in relation.free_symbols}
    # a polynomial in other symbols has points off its zeros, whatever the relations are
    inverses = [1 - sympy.Dummy() * q for q in nonzero if q.free_symbols & related]
    ideal = [*relations, *inverses]
    symbols = sorted({symbol for part in ideal for symbol in part.free_symbols}, key=sympy.default_sort_key)
    if not symbols:
        return any(relation != 0 for relation in relations)
    try:
        basis = sympy.groebner(ideal, *symbols, order="grevlex", field=True)
    except (sympy.PolynomialError, sympy.CoercionFailed, NotImplementedError):
        return False
    return bool(basis.exprs == [1])


def _factors(polynomial: Any) -> list[Any]:
    try:
        return [factor for factor, _ in sympy.factor_list(polynomial)[1]] or [polynomial]
    except sympy.PolynomialError:
        return [polynomial]
