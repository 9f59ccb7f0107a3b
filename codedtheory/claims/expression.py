"""Integer expressions and conditions written as strings: parsed against a whitelist, never evaluated by Python."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

__all__ = ["FUNCTIONS", "Expression", "Kind", "parse_condition", "parse_number", "syntax_tree"]

Kind = Literal["number", "truth", "text", "subset", "any"]
Evaluator = Callable[[Mapping[str, Any]], Any]

_LARGEST_EXPONENT = 4096
_LARGEST_COMB = 100_000


def _comb(n: int, k: int) -> int:
    if n > _LARGEST_COMB:
        raise ValueError(f"comb({n}, {k}) is too large; keep its first argument at most {_LARGEST_COMB}")
    return math.comb(n, k) if n >= 0 and k >= 0 else 0


def _power(base: int, exponent: int) -> int:
    if not 0 <= exponent <= _LARGEST_EXPONENT:
        raise ValueError(f"exponent {exponent} is outside 0..{_LARGEST_EXPONENT}")
    power: int = base**exponent
    return power


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "gcd": math.gcd,
    "comb": _comb,
    "abs": abs,
    "len": len,
}

_ARITY: Mapping[str, tuple[int, int]] = {"comb": (2, 2), "abs": (1, 1), "len": (1, 1)}

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}

_ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

_SIGNS = ((" <= ", "≤"), (" >= ", "≥"), (" == ", "="), (" != ", "≠"), (" < ", "<"), (" > ", ">"))
_OPERATORS = (" + ", " - ", " * ", " // ", " % ", " ** ")


def syntax_tree(text: str) -> ast.expr:
    """Return the Python syntax tree of one expression; a malformed one is a one-line ``ValueError``."""
    if not isinstance(text, str):
        raise TypeError(f"expected a string such as '2 <= N <= 9', received {text!r}")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", None) or 1
        raise ValueError(f"{text!r}, column {column}: {getattr(error, 'msg', error)}") from None


@dataclass(frozen=True)
class Expression:
    """A whitelisted expression over named parameters.

    Examples
    --------
    >>> parse_number("comb(N + 1, s)", {"N": "number", "s": "number"}).value({"N": 3, "s": 2})
    6
    """

    text: str
    names: frozenset[str]
    kind: Kind
    tree: ast.expr = field(repr=False, compare=False)
    evaluator: Evaluator = field(repr=False, compare=False)

    @classmethod
    def of(cls, tree: ast.expr, text: str, kinds: Mapping[str, Kind]) -> Expression:
        """Compile the syntax tree ``tree``, a part of the string ``text``, over names of the given kinds."""
        kind, evaluator = _Compiler(text, kinds).compile(tree)
        names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)) & frozenset(kinds)
        return cls(ast.unparse(tree), names, kind, tree, evaluator)

    @classmethod
    def constant(cls, value: int) -> Expression:
        """Return the expression that is always ``value``."""
        return cls.of(syntax_tree(str(value)), str(value), {})

    def value(self, parameters: Mapping[str, Any]) -> Any:
        """Return the value of the expression where the names have the given values."""
        try:
            return self.evaluator(parameters)
        except (ArithmeticError, ValueError, TypeError) as error:
            at = ", ".join(f"{name}={parameters[name]!r}" for name in sorted(self.names))
            raise ValueError(f"{self.text!r} at {at or 'no parameters'}: {error}") from None

    @property
    def pretty(self) -> str:
        """The expression in compact mathematical spelling, such as ``(N-s)%2=1``."""
        text = self.text
        for python, sign in _SIGNS:
            text = text.replace(python, sign)
        for python in _OPERATORS:
            text = text.replace(python, python.strip())
        return text


def parse_number(text: str, kinds: Mapping[str, Kind]) -> Expression:
    """Parse an integer expression over names of the given kinds."""
    expression = Expression.of(syntax_tree(text), text, kinds)
    if expression.kind not in ("number", "any"):
        raise ValueError(f"{text!r}, column 1: expected an integer expression, received a {expression.kind}")
    return expression


def parse_condition(text: str, kinds: Mapping[str, Kind]) -> tuple[Expression, ...]:
    """Parse a condition into the conjunction of its simple parts.

    Examples
    --------
    >>> [part.pretty for part in parse_condition("2 <= N < 9 and N % 2 == 1", {"N": "number"})]
    ['2≤N', 'N<9', 'N%2=1']
    """
    parts = []
    for tree in _conjuncts(syntax_tree(text)):
        part = Expression.of(tree, text, kinds)
        if part.kind not in ("truth", "any"):
            raise ValueError(
                f"{text!r}, column {tree.col_offset + 1}: expected a condition such as 'N <= 9', received a {part.kind}"
            )
        parts.append(part)
    return tuple(parts)


def _conjuncts(tree: ast.expr) -> Sequence[ast.expr]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [part for value in tree.values for part in _conjuncts(value)]
    if isinstance(tree, ast.Compare) and len(tree.ops) > 1:
        sides = [tree.left, *tree.comparators]
        return [
            ast.copy_location(ast.Compare(left, [op], [right]), left)
            for left, op, right in zip(sides, tree.ops, sides[1:], strict=False)
        ]
    return [tree]


class _Compiler:
    """Turns a syntax tree into nested functions, refusing whatever is not on the whitelist."""

    def __init__(self, text: str, kinds: Mapping[str, Kind]) -> None:
        self.text = text
        self.kinds = kinds

    def refuse(self, node: ast.expr, reason: str) -> NoReturn:
        raise ValueError(f"{self.text!r}, column {node.col_offset + 1}: {reason}")

    def compile(self, node: ast.expr) -> tuple[Kind, Evaluator]:
        match node:
            case ast.Constant(value=bool()):
                self.refuse(node, "True and False are not integers")
            case ast.Constant(value=int() as number):
                return "number", lambda _: number
            case ast.Constant(value=str() as word):
                return "text", lambda _: word
            case ast.Constant(value=float()):
                self.refuse(node, f"{node.value!r} is a float; use integers")
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.UnaryOp(op=ast.USub()):
                inner = self.of_kind(node.operand, "number")
                return "number", lambda p: -inner(p)
            case ast.UnaryOp(op=ast.Not()):
                inner = self.of_kind(node.operand, "truth")
                return "truth", lambda p: not inner(p)
            case ast.BinOp():
                return self.binary(node)
            case ast.BoolOp():
                parts = [self.of_kind(value, "truth") for value in node.values]
                every = isinstance(node.op, ast.And)
                if every:
                    return "truth", lambda p: all(part(p) for part in parts)
                return "truth", lambda p: any(part(p) for part in parts)
            case ast.Compare():
                return self.comparison(node)
            case ast.Call():
                return self.call(node)
        self.refuse(node, f"{ast.unparse(node)!r} is not allowed here")

    def of_kind(self, node: ast.expr, kind: Kind) -> Evaluator:
        found, evaluator = self.compile(node)
        if found not in (kind, "any"):
            self.refuse(node, f"{ast.unparse(node)!r} is a {found}, expected a {kind}")
        return evaluator

    def name(self, node: ast.expr, name: str) -> tuple[Kind, Evaluator]:
        if name not in self.kinds:
            known = ", ".join(self.kinds) or "none"
            self.refuse(node, f"unknown name {name!r}; known here: {known}")
        return self.kinds[name], lambda p: p[name]

    def binary(self, node: ast.BinOp) -> tuple[Kind, Evaluator]:
        if isinstance(node.op, ast.Div):
            self.refuse(node, "'/' leaves the integers; use '//'")
        apply = _BINARY.get(type(node.op))
        if apply is None:
            self.refuse(node, f"{ast.unparse(node)!r}: use only + - * // % **")
        left, right = self.of_kind(node.left, "number"), self.of_kind(node.right, "number")
        return "number", lambda p: apply(left(p), right(p))

    def comparison(self, node: ast.Compare) -> tuple[Kind, Evaluator]:
        sides = [node.left, *node.comparators]
        links = [self.link(*link) for link in zip(sides, node.ops, sides[1:], strict=False)]
        if len(links) == 1:
            return "truth", links[0]
        return "truth", lambda p: all(link(p) for link in links)

    def link(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Evaluator:
        if type(op) in _ORDER:
            compare = _ORDER[type(op)]
            low, high = self.of_kind(left, "number"), self.of_kind(right, "number")
            return lambda p: compare(low(p), high(p))
        if isinstance(op, ast.In | ast.NotIn):
            member, members = self.compile(left)[1], self.members(right)
            if isinstance(op, ast.In):
                return lambda p: member(p) in members(p)
            return lambda p: member(p) not in members(p)
        if not isinstance(op, ast.Eq | ast.NotEq):
            self.refuse(left, "compare with < <= > >= == != in")
        (kind, one), (other_kind, other) = self.compile(left), self.compile(right)
        if kind != other_kind and "any" not in (kind, other_kind):
            self.refuse(left, f"a {kind} never equals a {other_kind}")
        if isinstance(op, ast.Eq):
            return lambda p: bool(one(p) == other(p))
        return lambda p: bool(one(p) != other(p))

    def members(self, node: ast.expr) -> Evaluator:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            items = [self.compile(item)[1] for item in node.elts]
            return lambda p: [item(p) for item in items]
        return self.of_kind(node, "subset")

    def call(self, node: ast.Call) -> tuple[Kind, Evaluator]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS or node.keywords:
            self.refuse(node, f"{ast.unparse(node)!r}: the functions are {', '.join(FUNCTIONS)}")
        apply, arguments = FUNCTIONS[name], node.args
        fewest, most = _ARITY.get(name, (1, 99))
        if not fewest <= len(arguments) <= most:
            self.refuse(node, f"{name} takes {fewest if fewest == most else 'at least 1'} argument(s)")
        if name == "len" or (name in ("min", "max") and len(arguments) == 1):
            whole = self.of_kind(arguments[0], "subset")
            return "number", lambda p: apply(whole(p))
        parts = [self.of_kind(argument, "number") for argument in arguments]
        return "number", lambda p: apply(*(part(p) for part in parts))
