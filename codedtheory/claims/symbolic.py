"""Comparisons of SymPy expressions, decided over all values of their symbols, or refuted at a rational point."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import Rational
from codedtheory.claims.comparison import DECIDED, Comparison
from codedtheory.claims.decision import Outcome
from codedtheory.claims.divisors import contradict, divisors
from codedtheory.claims.evidence import Evidence
from codedtheory.claims.polynomial import is_zero, polynomial, sign_certificate
from codedtheory.claims.witness import first_point, point_off_zero

__all__ = ["decide"]

_RELATE: Mapping[str, Callable[[Any, Any], Any]] = {
    "at_most": operator.le,
    "less_than": operator.lt,
    "at_least": operator.ge,
    "greater_than": operator.gt,
    "equal": operator.eq,
    "not_equal": operator.ne,
}
_SUBSTITUTE = "replace functions such as cos(x), sin(x) by symbols c, s and pass modulo=[c**2 + s**2 - 1]"
_SHIFT = (
    "the coefficients of the difference have both signs; "
    "substitute the least values (N = 2 + m with m non-negative) or use a sweep"
)
_ASSUME = "declare the symbols non-negative or positive"
_NUMBERS = "the sides are constants; compare numbers of codedtheory.arithmetic instead"


def decide(relation: str, lhs: Any, rhs: Any, label: str, evidence: Evidence, modulo: Sequence[Any] = ()) -> Comparison:
    """Compare two sides of which at least one is a SymPy expression.

    An identity is proved by the numerator of the difference being the zero polynomial (modulo the ideal of the given
    relations, by a Gröbner basis), an inequality by all its coefficients being non-negative; ``simplify`` is not used.
    What is refuted, is refuted by exact evaluation at a rational point that satisfies the assumptions of the symbols.
    """
    left, right = _expression(lhs), _expression(rhs)
    relations = [relation for relation in map(_expression, modulo) if relation != 0]
    problem = _Problem(relation, left, right, relations)
    outcome, detail, witness = problem.decided()
    sides = None
    if outcome == Outcome.FAILS and witness is not None:
        sides = (str(_value(left, witness)), str(_value(right, witness)))
    return Comparison(
        relation,
        left,
        right,
        label,
        outcome,
        evidence,
        detail,
        hypotheses=problem.hypotheses(),
        witness={str(symbol): str(value) for symbol, value in (witness or {}).items()},
        sides=sides,
        made=DECIDED,
    )


class _Problem:
    """One relation between two expressions, with the divisors that it assumes not to be zero."""

    def __init__(self, relation: str, left: Any, right: Any, relations: Sequence[Any]) -> None:
        self.relation = relation
        self.relations = relations
        self.left, self.right = left, right
        self.difference = left - right
        parts = (left, right, *relations)
        self.symbols = sorted({symbol for part in parts for symbol in part.free_symbols}, key=str)
        self.numerator, self.denominator = sympy.fraction(sympy.together(self.difference))
        self.divisors = divisors((left, right))
        for divisor in self.divisors:
            if is_zero(divisor, relations):
                raise ValueError(f"a denominator is identically zero: {divisor}")
        if relations and contradict(relations, [*self.divisors, *(s for s in self.symbols if s.is_nonzero)]):
            raise ValueError(
                f"modulo = {list(relations)} contradicts what must not be 0, so that anything would follow; "
                "check the relations and the assumptions of the symbols"
            )

    def decided(self) -> tuple[Outcome, str, dict[Any, Any] | None]:
        if self.relation == "equal":
            return self._identity()
        if self.relation == "not_equal":
            return self._difference_everywhere()
        return self._inequality()

    def hypotheses(self) -> tuple[str, ...]:
        found = [f"{symbol} {_assumption(symbol)}" for symbol in self.symbols]
        found += [f"{relation} = 0" for relation in self.relations]
        found += [f"{divisor} ≠ 0" for divisor in self.divisors if divisor.free_symbols and not divisor.is_nonzero]
        return tuple(found)

    def _identity(self) -> tuple[Outcome, str, dict[Any, Any] | None]:
        zero = is_zero(self.numerator, self.relations)
        if zero:
            return Outcome.HOLDS, "", None
        if zero is False:
            witness = point_off_zero(polynomial(sympy.Mul(self.numerator, *self.divisors)), self.symbols)
            if witness is not None:
                return Outcome.FAILS, "", witness
        return self._refuted(f"the difference is not the zero polynomial; {self._advice(_SUBSTITUTE)}")

    def _difference_everywhere(self) -> tuple[Outcome, str, dict[Any, Any] | None]:
        if is_zero(self.numerator, self.relations):
            witness = first_point(self.symbols, self._has_values, self.relations)
            if witness is None:
                return Outcome.UNDECIDED, "equal wherever both sides have values, but no such point was found", None
            return Outcome.FAILS, "", witness
        if any(sign_certificate(sign * self.numerator) == "positive" for sign in (1, -1)):
            return Outcome.HOLDS, "", None
        return self._refuted(f"no point of equality found, none excluded; {self._advice(_SHIFT)}")

    def _inequality(self) -> tuple[Outcome, str, dict[Any, Any] | None]:
        sign = -1 if self.relation in ("at_most", "less_than") else 1
        if not all(symbol.is_real for symbol in self.symbols):
            return self._refuted(f"no counterexample found; {_ASSUME}")
        wanted = ("positive",) if self.relation in ("less_than", "greater_than") else ("positive", "nonnegative")
        for shift in ({}, _from_one(self.symbols)):
            below = self.denominator.subs(shift)
            for orientation in (1, -1):
                if sign_certificate(orientation * below) is None:
                    continue
                above = sympy.expand(sign * orientation * self.numerator.subs(shift))
                if sign_certificate(above) in wanted:
                    return Outcome.HOLDS, "", None
        undeclared = [symbol for symbol in self.symbols if not symbol.is_nonnegative]
        return self._refuted(f"no proof, no counterexample; {self._advice(_ASSUME if undeclared else _SHIFT)}")

    def _refuted(self, otherwise: str) -> tuple[Outcome, str, dict[Any, Any] | None]:
        witness = self._refutation()
        return (Outcome.UNDECIDED, otherwise, None) if witness is None else (Outcome.FAILS, "", witness)

    def _refutation(self) -> dict[Any, Any] | None:
        holds = _RELATE[self.relation]

        def violated(point: dict[Any, Any]) -> bool:
            if not self._has_values(point):
                return False
            difference = _value(self.difference, point)
            return bool(difference.is_Rational) and not holds(difference, 0)

        return first_point(self.symbols, violated, self.relations)

    def _has_values(self, point: dict[Any, Any]) -> bool:
        return all(_value(divisor, point) != 0 for divisor in self.divisors)

    def _advice(self, advice: str) -> str:
        return advice if self.symbols else _NUMBERS


def _value(expression: Any, point: dict[Any, Any]) -> Any:
    return expression.subs(point).doit() if point else expression


def _expression(value: Any) -> Any:
    """Return an operand as a SymPy expression; only exact numbers turn into its constants."""
    if isinstance(value, int | np.integer):
        return sympy.Integer(int(value))
    if isinstance(value, Fraction | Rational):
        return sympy.Rational(int(value.numerator), int(value.denominator))
    if not isinstance(value, sympy.Expr) or value.has(sympy.Float):
        raise TypeError(
            f"cannot compare a SymPy expression with {value!r}; write floats as sympy.Rational, "
            "or substitute numbers of codedtheory.arithmetic for the symbols"
        )
    if value.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo):
        raise ValueError(f"a number that is not finite cannot be compared, received {value}")
    return value


def _from_one(symbols: Sequence[Any]) -> dict[Any, Any]:
    """Return the substitution n = 1 + n' for symbols that are positive integers."""
    return {
        symbol: 1 + sympy.Dummy(str(symbol), integer=True, nonnegative=True)
        for symbol in symbols
        if symbol.is_integer and symbol.is_positive
    }


def _assumption(symbol: Any) -> str:
    sign = next((word for word in ("positive", "nonnegative", "negative", "nonpositive") if _is(symbol, word)), "")
    kind = next((word for word in ("integer", "rational", "real") if _is(symbol, word)), "")
    if sign and kind == "real":
        kind = ""
    return " ".join(word for word in (sign, kind) if word) or "arbitrary"


def _is(symbol: Any, word: str) -> bool:
    return bool(getattr(symbol, f"is_{word}"))
