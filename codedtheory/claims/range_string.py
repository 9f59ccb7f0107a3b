"""Parser of range strings such as ``2 <= N <= 14`` and ``S in subsets(N + 1, s)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codedtheory.claims.expression import FUNCTIONS, Expression, Kind, syntax_tree
from codedtheory.claims.parameter import IntegerRange, Subset

__all__ = ["check_name", "parse_range"]

_RESERVED = frozenset(FUNCTIONS) | {"subsets", "rng", "sample"}
_FORMS = "'2 <= N <= 14', '0 <= s < N' or 'S in subsets(N, s)'"


def check_name(name: str, taken: Mapping[str, Kind]) -> None:
    """Refuse a parameter name that is reserved or used twice."""
    if name in taken:
        raise ValueError(f"parameter {name!r} is declared twice; give each range its own name")
    if name in _RESERVED:
        raise ValueError(f"parameter name {name!r} is reserved; choose another")


def parse_range(text: str, earlier: Mapping[str, Kind]) -> IntegerRange | Subset:
    """Parse one range string whose bounds may use the ``earlier`` parameters.

    Examples
    --------
    >>> list(parse_range("0 <= s < N", {"N": "number"}).values({"N": 3}))
    [0, 1, 2]
    >>> list(parse_range("S in subsets(3, 2)", {}).values({}))
    [(0, 1), (0, 2), (1, 2)]
    """
    tree = syntax_tree(text)
    match tree:
        case ast.Compare(
            left=low,
            ops=[ast.Lt() | ast.LtE() as below, ast.Lt() | ast.LtE() as above],
            comparators=[ast.Name(id=name), high],
        ):
            check_name(name, earlier)
            lower, upper = (_number(bound, text, earlier) for bound in (low, high))
            return IntegerRange(name, lower, upper, isinstance(below, ast.Lt), isinstance(above, ast.Lt))
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.In()],
            comparators=[ast.Call(func=ast.Name(id="subsets"), args=[n, k], keywords=[])],
        ):
            check_name(name, earlier)
            return Subset(name, _number(n, text, earlier), _number(k, text, earlier))
    raise ValueError(f"{text!r}, column {tree.col_offset + 1}: expected a range such as {_FORMS}")


def _number(tree: ast.expr, text: str, earlier: Mapping[str, Kind]) -> Expression:
    expression = Expression.of(tree, text, earlier)
    if expression.kind not in ("number", "any"):
        raise ValueError(f"{text!r}, column {tree.col_offset + 1}: a bound is an integer, received a {expression.kind}")
    return expression
