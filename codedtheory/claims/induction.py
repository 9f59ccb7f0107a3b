"""Proofs by induction as comparisons: what holds at the start, and what carries over to the next case."""

from __future__ import annotations

from collections.abc import Iterable

from codedtheory.claims.comparison import Comparison
from codedtheory.claims.evidence import Evidence

__all__ = ["induction"]


def induction(base: Comparison | Iterable[Comparison], step: Comparison | Iterable[Comparison]) -> list[Comparison]:
    """Return the comparisons of an induction, labelled as its base and its step.

    A step covers all cases only if it is a relation between expressions with symbols; whatever was compared in
    numbers is one case of it and proves no other.

    Parameters
    ----------
    base : Comparison or iterable of Comparison
        The first case.
    step : Comparison or iterable of Comparison
        The next case, written with symbols in what the previous one provides.

    Returns
    -------
    list of Comparison

    Raises
    ------
    ValueError
        If there is no base, no step, or a step without symbols.

    Examples
    --------
    The first n odd numbers sum to n squared:

    >>> import sympy
    >>> from codedtheory.claims import equal
    >>> n = sympy.Symbol("n")
    >>> for line in induction(equal(1, 1), equal(n**2 + (2 * n + 1), (n + 1) ** 2)):
    ...     print(line)
    1 = 1 (base): holds · exact
    n**2 + 2*n + 1 = (n + 1)**2 (step): holds · symbolic
    """
    first, next_ = _several(base), _several(step)
    if not first or not next_:
        raise ValueError(f"an induction needs a base and a step, received {len(first)} and {len(next_)} comparisons")
    for comparison in next_:
        if comparison.evidence != Evidence.SYMBOLIC or not _symbols(comparison):
            raise ValueError(f"a step is a relation with symbols, received {comparison}; it proves one case only")
    return [_labelled(c, "base") for c in first] + [_labelled(c, "step") for c in next_]


def _several(given: Comparison | Iterable[Comparison]) -> list[Comparison]:
    return [given] if isinstance(given, Comparison) else list(given)


def _symbols(comparison: Comparison) -> bool:
    return any(getattr(side, "free_symbols", None) for side in (comparison.lhs, comparison.rhs))


def _labelled(comparison: Comparison, part: str) -> Comparison:
    return comparison.labelled(f"{part}, {comparison.label}" if comparison.label else part)
