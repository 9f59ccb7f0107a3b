"""Parameters of a domain: an integer between two bounds, a subset, or one of listed choices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from codedtheory.claims.expression import Expression, Kind

__all__ = ["Choice", "IntegerRange", "Parameter", "Subset", "values_from"]


@dataclass(frozen=True)
class IntegerRange:
    """An integer from ``lower`` to ``upper``; a strict bound is left out."""

    name: str
    lower: Expression
    upper: Expression
    lower_strict: bool = False
    upper_strict: bool = False
    kind: Kind = "number"

    @property
    def names(self) -> frozenset[str]:
        """The earlier parameters that the bounds use."""
        return self.lower.names | self.upper.names

    @property
    def pretty(self) -> str:
        """The range as a chain of inequalities, such as ``2≤N≤11``."""
        low, high = ("<" if strict else "≤" for strict in (self.lower_strict, self.upper_strict))
        return f"{self.lower.pretty}{low}{self.name}{high}{self.upper.pretty}"

    def values(self, earlier: Mapping[str, Any]) -> Sequence[int]:
        """Return the values in increasing order."""
        start = self.lower.value(earlier) + self.lower_strict
        return range(start, self.upper.value(earlier) + (not self.upper_strict))

    def draw(self, earlier: Mapping[str, Any], rng: np.random.Generator) -> int | None:
        """Draw one value uniformly, or None where there is none."""
        values = self.values(earlier)
        return values[int(rng.integers(len(values)))] if values else None


@dataclass(frozen=True)
class _Subsets(Sequence[tuple[int, ...]]):
    """All k-subsets of range(n) in lexicographic order, reached by number without listing them."""

    n: int
    k: int

    def __len__(self) -> int:
        return math.comb(self.n, self.k) if 0 <= self.k <= self.n else 0

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return combinations(range(self.n), self.k) if 0 <= self.k <= self.n else iter(())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        chosen: list[int] = []
        candidate = 0
        while len(chosen) < self.k:
            with_candidate = math.comb(self.n - candidate - 1, self.k - len(chosen) - 1)
            if index < with_candidate:
                chosen.append(candidate)
            else:
                index -= with_candidate
            candidate += 1
        return tuple(chosen)

    def starting_at(self, first: int) -> Iterator[tuple[int, ...]]:
        """Iterate from the subset with this number on, without passing those before it."""
        if first == 0:
            yield from self
        if not 0 < first < len(self):
            return
        chosen = list(self[first])
        movable = self.k - 1
        while movable >= 0:
            yield tuple(chosen)
            movable = self.k - 1
            while movable >= 0 and chosen[movable] == self.n - self.k + movable:
                movable -= 1
            if movable >= 0:
                following = chosen[movable] + 1
                chosen[movable:] = range(following, following + self.k - movable)


def values_from(values: Sequence[Any], first: int) -> Iterable[Any]:
    """Return the values of a parameter from the one with this number on."""
    return values.starting_at(first) if isinstance(values, _Subsets) else values[first:]


@dataclass(frozen=True)
class Subset:
    """A subset of ``range(ground)`` with ``size`` elements, as an increasing tuple."""

    name: str
    ground: Expression
    size: Expression
    kind: Kind = "subset"

    @property
    def names(self) -> frozenset[str]:
        """The earlier parameters that ground set and size use."""
        return self.ground.names | self.size.names

    @property
    def pretty(self) -> str:
        """The range in words, such as ``S∈subsets(N+1, s)``."""
        return f"{self.name}∈subsets({self.ground.pretty}, {self.size.pretty})"

    def values(self, earlier: Mapping[str, Any]) -> Sequence[tuple[int, ...]]:
        """Return the subsets in lexicographic order."""
        return _Subsets(self.ground.value(earlier), self.size.value(earlier))

    def draw(self, earlier: Mapping[str, Any], rng: np.random.Generator) -> tuple[int, ...] | None:
        """Draw one subset uniformly, or None where there is none."""
        n, k = self.ground.value(earlier), self.size.value(earlier)
        if not 0 <= k <= n:
            return None
        return tuple(sorted(int(i) for i in rng.choice(n, size=k, replace=False)))


@dataclass(frozen=True)
class Choice:
    """One of a few listed values, in the listed order."""

    name: str
    options: tuple[int | str | Fraction, ...]

    def __post_init__(self) -> None:
        if isinstance(self.options, str) or not isinstance(self.options, Sequence) or not self.options:
            raise ValueError(f"{self.name}: choices are a non-empty tuple such as (0, 1, 2), received {self.options!r}")
        object.__setattr__(self, "options", tuple(self.options))
        for option in self.options:
            if isinstance(option, bool) or not isinstance(option, int | str | Fraction):
                raise TypeError(
                    f"{self.name}: a choice is an int, a str or a Fraction, received {option!r}; "
                    "write a real number as Fraction or str"
                )
        if len(set(self.options)) < len(self.options):
            raise ValueError(f"{self.name}: choices must differ, received {self.options!r}")

    @property
    def kind(self) -> Kind:
        """What conditions may do with the parameter."""
        if all(isinstance(option, str) for option in self.options):
            return "text"
        return "any" if any(isinstance(option, str) for option in self.options) else "number"

    @property
    def names(self) -> frozenset[str]:
        """Choices use no other parameter."""
        return frozenset()

    @property
    def pretty(self) -> str:
        """The choices as a set, such as ``d∈{0, 1, 2}``."""
        return f"{self.name}∈{{{', '.join(str(option) for option in self.options)}}}"

    def values(self, earlier: Mapping[str, Any]) -> Sequence[int | str | Fraction]:
        """Return the choices in the listed order."""
        return self.options

    def draw(self, earlier: Mapping[str, Any], rng: np.random.Generator) -> int | str | Fraction:
        """Draw one choice uniformly."""
        return self.options[int(rng.integers(len(self.options)))]


Parameter = IntegerRange | Subset | Choice
