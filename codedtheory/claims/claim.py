"""Claims: a statement, its source, the domain it is checked over, and the body that compares one instance."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from codedtheory.claims.comparison import Comparison
from codedtheory.claims.domain import Domain, Effort, Samples, Single, Sweep
from codedtheory.claims.expression import Expression, parse_number
from codedtheory.claims.source import Source

__all__ = ["Claim", "Expected", "claim", "claims_declared_in", "comparisons_in"]

Body = Callable[..., Any]
Expected = Literal["holds", "fails"]

_ID = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_DECLARED = "__claims__"


@dataclass(frozen=True)
class Claim:
    """An executable statement; made by the decorator `claim`.

    Calling it calls the body. ``compare(**parameters)`` gives the comparisons of one instance.
    """

    id: str
    body: Body = field(repr=False)
    statement: str = field(repr=False)
    source: Source = field(repr=False)
    domain: Domain = field(repr=False)
    expected: Expected
    title: str
    hypotheses: str | None = field(repr=False)
    corrected_by: str | None = field(repr=False)
    method: str | None = field(repr=False)
    cost: Expression | None = field(repr=False)

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        """Call the body."""
        return self.body(*arguments, **parameters)

    @property
    def module(self) -> str:
        """The module that declares the claim."""
        return self.body.__module__

    @property
    def takes_rng(self) -> bool:
        """Tell whether the body asks for a random generator."""
        return "rng" in inspect.signature(self.body).parameters

    def compare(self, *, sample: int | None = None, **parameters: Any) -> tuple[Comparison, ...]:
        """Return the comparisons of the instance with these parameters.

        Parameters
        ----------
        sample : int, optional
            Of a claim over random samples, the number of the sample.
        **parameters
            Of a claim over a sweep, the values of its parameters; strings such as ``"7"`` and ``"1/2"`` are not read.

        Raises
        ------
        TypeError
            If the body returned something else than comparisons.
        """
        if sample is not None:
            if not isinstance(self.domain, Samples):
                raise ValueError(f"{self.id} is not checked over samples; pass its parameters")
            parameters = self.instance("full", sample) | parameters
        return comparisons_in(self.body(**parameters))

    def instance(self, effort: Effort, number: int) -> dict[str, Any]:
        """Return the parameters of the instance with this number, as the body receives them."""
        for parameters in self.instances(effort, number, number + 1):
            return parameters
        raise IndexError(f"{self.id} has no instance {number} at {effort} effort")

    def instances(self, effort: Effort, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """Iterate over the parameters of the instances numbered ``start`` to ``stop - 1``."""
        if not isinstance(self.domain, Samples):
            yield from self.domain.instances(effort, start, stop)
            return
        for number in range(start, self.count(effort) if stop is None else stop):
            parameters = self.domain.instance(effort, self.id, number)
            if not self.takes_rng:
                del parameters["rng"]
            yield parameters

    def work(self, parameters: dict[str, Any]) -> int:
        """Return the work of one instance in the units of ``cost``, at least 1."""
        return max(1, int(self.cost.value(parameters))) if self.cost else 1

    def count(self, effort: Effort = "default") -> int:
        """Return the number of instances at ``effort``."""
        return self.domain.count(effort)


def comparisons_in(result: Any) -> tuple[Comparison, ...]:
    """Return the comparisons that a body returned; whatever else it returned is refused."""
    if isinstance(result, Comparison):
        return (result,)
    if not isinstance(result, Iterable) or isinstance(result, str | bytes):
        raise TypeError(f"the claim returned {result!r}; return a comparison such as at_most(lhs, rhs)")
    found = tuple(result)
    for item in found:
        if not isinstance(item, Comparison):
            raise TypeError(f"the claim returned {item!r} among its comparisons; return only comparisons")
    if not found:
        raise TypeError("the claim returned no comparison at all; a check that compares nothing cannot fail")
    return found


def claim(
    id: str,
    *,
    statement: str,
    source: Source,
    over: Domain | None = None,
    expected: Expected = "holds",
    title: str | None = None,
    hypotheses: str | None = None,
    corrected_by: str | None = None,
    method: str | None = None,
    cost: str | None = None,
) -> Callable[[Body], Claim]:
    r"""Declare the decorated function as the body of a claim.

    Parameters
    ----------
    id : str
        Dotted name, such as ``"bacc.lebesgue"``.
    statement : str
        The theorem in LaTeX.
    source : Source
        From `published` or `derived`.
    over : Sweep or Samples, optional
        The instances, from `sweep` or `samples`; without it the claim is one instance without parameters.
    expected : {"holds", "fails"}
        ``fails`` for a form that is kept because it is stated somewhere although it is false.
    title : str, optional
        By default the first line of the docstring.
    hypotheses : str, optional
        What the statement assumes beyond its domain.
    corrected_by : str, optional
        Id of the claim that corrects this one.
    method : str, optional
        How the body decides, in words.
    cost : str, optional
        Work of one instance as an integer expression, such as ``"comb(N + 1, s)"``; sizes the pieces of a sweep.

    Returns
    -------
    Callable
        A decorator that turns the body into a `Claim`. The body takes the parameters by name and returns one comparison
        or several.

    Examples
    --------
    >>> from codedtheory.claims import check, derived, equal, sweep
    >>> @claim("sum.odd", statement=r"\sum_{k<n}(2k+1)=n^2", source=derived("induction"), over=sweep("1 <= n <= 9"))
    ... def odd_numbers(n):
    ...     '''The first n odd numbers sum to a square.'''
    ...     return equal(sum(2 * k + 1 for k in range(n)), n**2)
    >>> print(check(odd_numbers).summary)
    holds · exact · exhaustive 1≤n≤9 (9)
    """
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ValueError(f"id must be dotted words such as 'bacc.lebesgue', received {id!r}")
    if not isinstance(source, Source):
        raise TypeError(f"{id}: source must come from published(...) or derived(...), received {source!r}")
    if expected not in ("holds", "fails"):
        raise ValueError(f"{id}: expected must be 'holds' or 'fails', received {expected!r}")
    if over is not None and not isinstance(over, Sweep | Samples):
        raise TypeError(f"{id}: over must come from sweep(...) or samples(...), received {over!r}")
    domain: Domain = Single() if over is None else over

    def declare(body: Body) -> Claim:
        if not inspect.isfunction(body):
            raise TypeError(f"{id}: the body must be a function, received {body!r}; put @claim above a def")
        _check_signature(id, body, domain)
        name = title or (inspect.getdoc(body) or "").partition("\n")[0].strip()
        if not name:
            raise ValueError(f"{id}: give the claim a title, or its body a docstring")
        work = None if cost is None else parse_number(cost, domain.kinds)
        declared = Claim(id, body, statement, source, domain, expected, name, hypotheses, corrected_by, method, work)
        _register(declared)
        return declared

    return declare


def claims_declared_in(namespace: dict[str, Any]) -> tuple[Claim, ...]:
    """Return the claims that the code of a module declared, in order, also those whose name was reused."""
    return tuple(namespace.get(_DECLARED, ()))


def _register(declared: Claim) -> None:
    # The list lives in the module that declares, not here: nothing outlives that module, and a claim
    # whose function name is used again is still found.
    declared.body.__globals__.setdefault(_DECLARED, []).append(declared)


def _check_signature(id: str, body: Body, domain: Domain) -> None:
    parameters = inspect.signature(body).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    taken = {parameter.name for parameter in parameters}
    required = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
    offered = {*domain.names, "rng"} if isinstance(domain, Samples) else set(domain.names)
    missing, unknown = sorted(set(domain.names) - taken), sorted(required - offered)
    if missing or unknown:
        raise ValueError(
            f"{id}: the body takes ({', '.join(sorted(taken))}) but the domain has ({', '.join(domain.names)}); "
            "make them agree"
        )
