"""Domains of claims as data: exhaustive sweeps, random samples, and the ranges each effort walks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from codedtheory.claims.expression import Expression, Kind, parse_condition
from codedtheory.claims.grid import Grid
from codedtheory.claims.parameter import Choice, Parameter
from codedtheory.claims.range_string import check_name, parse_range

__all__ = ["EFFORTS", "Domain", "Effort", "Samples", "Single", "Sweep", "check_effort", "samples", "sweep"]

Effort = Literal["quick", "default", "full"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
Conditions = str | Sequence[str]


def check_effort(effort: str) -> Effort:
    """Return ``effort``, or refuse what is none."""
    for known in EFFORTS:
        if effort == known:
            return known
    raise ValueError(f"effort must be quick, default or full, received {effort!r}")


@dataclass(frozen=True)
class Sweep:
    """Every instance of the ranges, in lexicographic order; see `sweep`."""

    parameters: tuple[Parameter, ...]
    conditions: dict[str, tuple[Expression, ...]] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the body of the claim receives."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def kinds(self) -> dict[str, Kind]:
        """What expressions may do with each parameter."""
        return {parameter.name: parameter.kind for parameter in self.parameters}

    @cached_property
    def _grids(self) -> dict[Effort, Grid]:
        full = (*self.conditions["where"], *self.conditions["full"])
        default = (*full, *self.conditions["default"])
        quick = (*default, *self.conditions["quick"])
        by_effort: dict[Effort, tuple[Expression, ...]] = {"quick": quick, "default": default, "full": full}
        return {effort: Grid(self.parameters, conditions) for effort, conditions in by_effort.items()}

    def grid(self, effort: Effort) -> Grid:
        """Return the set of instances at ``effort``."""
        return self._grids[check_effort(effort)]

    def count(self, effort: Effort) -> int:
        """Return the number of instances at ``effort``."""
        return self.grid(effort).count()

    def scope(self, effort: Effort) -> str:
        """Return the set of instances in words."""
        return self.grid(effort).pretty

    def instances(self, effort: Effort, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """Iterate over the instances numbered ``start`` to ``stop - 1``."""
        return self.grid(effort).piece(start, stop)


@dataclass(frozen=True)
class Samples:
    """A fixed number of random instances of the ranges; see `samples`."""

    ranges: Sweep
    counts: dict[Effort, int]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the body of the claim receives, besides ``rng`` if it asks for that."""
        return self.ranges.names

    @property
    def kinds(self) -> dict[str, Kind]:
        """What expressions may do with each parameter."""
        return self.ranges.kinds

    def count(self, effort: Effort) -> int:
        """Return the number of samples at ``effort``."""
        return self.counts[check_effort(effort)]

    def scope(self, effort: Effort) -> str:
        """Return the set that is sampled in words."""
        return self.ranges.scope(effort)

    def instance(self, effort: Effort, claim_id: str, number: int) -> dict[str, Any]:
        """Return the parameters of sample ``number``, its ``rng`` among them; the same for every run."""
        parameters = self.ranges.grid(effort).draw(_generator(claim_id, number, "parameters"))
        return {**parameters, "rng": _generator(claim_id, number, "body")}


@dataclass(frozen=True)
class Single:
    """The domain of a claim without parameters: one instance."""

    names: tuple[str, ...] = ()

    @property
    def kinds(self) -> dict[str, Kind]:
        """No parameter has a kind."""
        return {}

    def count(self, effort: Effort) -> int:
        """Return 1."""
        return 1

    def scope(self, effort: Effort) -> str:
        """Return the empty scope."""
        return ""

    def instances(self, effort: Effort, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """Iterate over the only instance, which has no parameters."""
        return iter([{}][start:stop])


Domain = Sweep | Samples | Single


def sweep(
    *ranges: str,
    where: Conditions = (),
    quick: Conditions = (),
    default: Conditions = (),
    full: Conditions = (),
    **choices: Sequence[int | str | Fraction],
) -> Sweep:
    """Describe every instance of the given ranges, in lexicographic order.

    Parameters
    ----------
    *ranges : str
        Such as ``"2 <= N <= 14"``, ``"0 <= s < N"`` or ``"S in subsets(N + 1, s)"``. Bounds are integer expressions
        (``+ - * // % **``, ``min max gcd comb abs len``) in the earlier parameters. The first range varies slowest.
    where : str or sequence of str
        Conditions that every instance satisfies, such as ``"(N - s) % 2 == 1"``.
    quick, default, full : str or sequence of str
        Further conditions of one effort. They add up: ``default`` also satisfies those of ``full``, and ``quick`` those
        of both, so a smaller effort never walks an instance that a larger one omits.
    **choices : sequence of int, str or Fraction
        Parameters with a few listed values, such as ``d=(0, 1, 2)``; they vary fastest.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        A malformed string, named with the position of the fault.

    Examples
    --------
    >>> domain = sweep("2 <= N <= 14", "0 <= s < N", default="N <= 11", quick="N <= 3")
    >>> domain.scope("default"), domain.count("default")
    ('2≤N≤11, 0≤s<N', 65)
    >>> list(domain.instances("quick"))[:3]
    [{'N': 2, 's': 0}, {'N': 2, 's': 1}, {'N': 3, 's': 0}]
    """
    kinds: dict[str, Kind] = {}
    parameters: list[Parameter] = []
    for text in ranges:
        parameter: Parameter = parse_range(text, kinds)
        parameters.append(parameter)
        kinds[parameter.name] = parameter.kind
    for name, options in choices.items():
        check_name(name, kinds)
        choice = Choice(name, tuple(options) if isinstance(options, list | range) else options)  # type: ignore[arg-type]
        parameters.append(choice)
        kinds[name] = choice.kind
    if not parameters:
        raise ValueError("sweep needs a range such as '2 <= N <= 9'; for one instance leave out over=")
    given = {"where": where, "quick": quick, "default": default, "full": full}
    conditions = {
        effort: tuple(part for text in _texts(effort, texts) for part in parse_condition(text, kinds))
        for effort, texts in given.items()
    }
    return Sweep(tuple(parameters), conditions)


def samples(
    count: int,
    *ranges: str,
    where: Conditions = (),
    quick_count: int | None = None,
    full_count: int | None = None,
    **choices: Sequence[int | str | Fraction],
) -> Samples:
    """Describe ``count`` random instances of the given ranges, each with a random generator of its own.

    The body of the claim receives the drawn parameters and, if it asks for it, ``rng``: a generator seeded from the
    claim's id and the sample's number, so that every run and every number of processes sees the same samples. Each
    parameter is drawn uniformly given the earlier ones; draws that violate ``where`` are drawn again. What only
    sampled instances support is at most ``statistical`` evidence.

    Parameters
    ----------
    count : int
        The number of samples at default effort; ``quick_count`` and ``full_count`` are those of the other efforts.
    *ranges, where, **choices
        As in `sweep`; there may be none.

    Returns
    -------
    Samples

    Examples
    --------
    >>> domain = samples(1000, "S in subsets(30, 6)", quick_count=50)
    >>> domain.scope("quick"), domain.count("quick")
    ('S∈subsets(30, 6)', 50)
    """
    counts = {
        "quick": min(count, 100) if quick_count is None else quick_count,
        "default": count,
        "full": count if full_count is None else full_count,
    }
    for number in counts.values():
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ValueError(f"a number of samples is a positive integer, received {number!r}")
    if ranges or choices:
        drawn = sweep(*ranges, where=where, **choices)  # type: ignore[arg-type]
    else:
        drawn = Sweep((), {"where": (), "quick": (), "default": (), "full": ()})
    return Samples(drawn, {effort: counts[effort] for effort in EFFORTS})


def _texts(argument: str, given: Conditions) -> tuple[str, ...]:
    texts = (given,) if isinstance(given, str) else tuple(given)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{argument}: a condition is a string such as 'N <= 9', received {text!r}")
    return texts


def _generator(claim_id: str, number: int, purpose: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{claim_id}\0{number}\0{purpose}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
