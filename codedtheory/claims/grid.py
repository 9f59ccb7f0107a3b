"""The finite set of instances that parameters and conditions span, walked in lexicographic order."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from codedtheory.claims.expression import Expression
from codedtheory.claims.parameter import IntegerRange, Parameter, values_from

__all__ = ["Grid"]

_DRAWS = 10_000
_MIRROR: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}
_TIGHTER: dict[bool, Callable[[Any, Any], bool]] = {True: operator.lt, False: operator.gt}


class Grid:
    """All instances of the parameters that satisfy every condition.

    The order is lexicographic: the first parameter varies slowest. Counting, and reaching an instance by its number,
    visit only the parameters that conditions or later ranges depend on.
    """

    def __init__(self, parameters: Sequence[Parameter], conditions: Sequence[Expression]) -> None:
        self._parameters = list(parameters)
        kept = [condition for condition in conditions if not self._tighten(condition)]
        self._conditions = kept
        names = [parameter.name for parameter in parameters]
        self._at: list[list[Expression]] = [[] for _ in names]
        self._holds_always = True
        for condition in kept:
            if condition.names:
                self._at[max(names.index(name) for name in condition.names)].append(condition)
            elif not condition.value({}):
                self._holds_always = False
        conditioned = {name for condition in kept for name in condition.names}
        self._free = [
            name not in conditioned and all(name not in later.names for later in parameters[level + 1 :])
            for level, name in enumerate(names)
        ]
        self._relevant = [self._earlier_names_used_from(level) for level in range(len(names) + 1)]
        self._counts: dict[tuple[Any, ...], int] = {}

    def count(self) -> int:
        """Return the number of instances."""
        return self._count(0, {}) if self._holds_always else 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.piece(0, None)

    def __getitem__(self, number: int) -> dict[str, Any]:
        if number < 0:
            raise IndexError(number)
        for parameters in self.piece(number, number + 1):
            return parameters
        raise IndexError(number)

    def piece(self, start: int, stop: int | None) -> Iterator[dict[str, Any]]:
        """Iterate over the instances with numbers ``start`` to ``stop - 1``."""
        walk = self._walk(0, {}, start) if self._holds_always else iter(())
        return islice(walk, None if stop is None else max(0, stop - start))

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw one instance: each parameter uniformly given the earlier ones, again until all conditions hold."""
        for _ in range(_DRAWS):
            drawn: dict[str, Any] = {}
            for parameter in self._parameters:
                value = parameter.draw(drawn, rng)
                if value is None:
                    break
                drawn[parameter.name] = value
            else:
                if all(condition.value(drawn) for condition in self._conditions):
                    return drawn
        raise ValueError(f"no instance of {self.pretty} met in {_DRAWS} draws; state narrower ranges")

    @property
    def pretty(self) -> str:
        """The set in one line, such as ``2≤N≤11, 0≤s<N``."""
        return ", ".join(part.pretty for part in (*self._parameters, *self._conditions))

    def _tighten(self, condition: Expression) -> bool:
        """Turn a condition such as ``N <= 9`` into a bound of its range, where that bound is a constant too."""
        match condition.tree:
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[bound]) if type(op) in _MIRROR:
                direction = type(op)
            case ast.Compare(left=bound, ops=[op], comparators=[ast.Name(id=name)]) if type(op) in _MIRROR:
                direction = _MIRROR[type(op)]
            case _:
                return False
        if condition.names != {name}:
            return False
        above = direction in (ast.Lt, ast.LtE)
        for level, parameter in enumerate(self._parameters):
            if parameter.name == name and isinstance(parameter, IntegerRange):
                old = parameter.upper if above else parameter.lower
                limit = Expression.of(bound, condition.text, {name: "number"})
                if old.names or limit.names:
                    return False
                self._parameters[level] = _with_bound(parameter, limit, direction)
                return True
        return False

    def _earlier_names_used_from(self, level: int) -> tuple[str, ...]:
        earlier = [parameter.name for parameter in self._parameters[:level]]
        used = {name for parameter in self._parameters[level:] for name in parameter.names}
        used |= {name for conditions in self._at[level:] for part in conditions for name in part.names}
        return tuple(name for name in earlier if name in used)

    def _count(self, level: int, chosen: dict[str, Any]) -> int:
        if level == len(self._parameters):
            return 1
        key = (level, *(chosen[name] for name in self._relevant[level]))
        if key not in self._counts:
            if self._free[level]:
                count = _size(self._parameters[level], chosen) * self._count(level + 1, chosen)
            else:
                count = sum(self._count(level + 1, longer) for longer in self._extensions(level, chosen, 0))
            self._counts[key] = count
        return self._counts[key]

    def _walk(self, level: int, chosen: dict[str, Any], skip: int) -> Iterator[dict[str, Any]]:
        if level == len(self._parameters):
            yield chosen
            return
        first = 0
        if self._free[level] and skip:
            below = self._count(level + 1, chosen)
            first, skip = divmod(skip, below) if below else (0, 0)
        for longer in self._extensions(level, chosen, first):
            if skip:
                below = self._count(level + 1, longer)
                if skip >= below:
                    skip -= below
                    continue
            yield from self._walk(level + 1, longer, skip)
            skip = 0

    def _extensions(self, level: int, chosen: dict[str, Any], first: int) -> Iterator[dict[str, Any]]:
        parameter, conditions = self._parameters[level], self._at[level]
        for value in values_from(parameter.values(chosen), first):
            longer = {**chosen, parameter.name: value}
            if all(condition.value(longer) for condition in conditions):
                yield longer


def _size(parameter: Parameter, chosen: dict[str, Any]) -> int:
    try:
        return len(parameter.values(chosen))
    except OverflowError:
        raise ValueError(f"{parameter.pretty} has too many values to walk; narrow it or use samples") from None


def _with_bound(parameter: IntegerRange, limit: Expression, direction: type[ast.cmpop]) -> IntegerRange:
    above = direction in (ast.Lt, ast.LtE)
    strict = direction in (ast.Lt, ast.Gt)
    old = parameter.upper if above else parameter.lower
    old_strict = parameter.upper_strict if above else parameter.lower_strict
    sign = -1 if above else 1
    tight, old_tight = limit.value({}) + sign * strict, old.value({}) + sign * old_strict
    if not _TIGHTER[above](tight, old_tight):
        return parameter
    if above:
        return replace(parameter, upper=limit, upper_strict=strict)
    return replace(parameter, lower=limit, lower_strict=strict)
