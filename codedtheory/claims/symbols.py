"""Symbols with the assumptions that decide relations between expressions."""

from __future__ import annotations

from typing import Any

__all__ = ["arbitrary", "integers", "nonnegative", "positive"]


def positive(names: str) -> tuple[Any, ...]:
    """Return symbols for positive real numbers, one for each name, as a tuple.

    Examples
    --------
    >>> from codedtheory.claims import at_least
    >>> (g,) = positive("g")
    >>> print(at_least(g + 1 / g, 1 / g))
    g + 1/g ≥ 1/g: holds · symbolic
    """
    return _symbols(names, positive=True)


def nonnegative(names: str) -> tuple[Any, ...]:
    """Return symbols for real numbers that are at least 0, as a tuple."""
    return _symbols(names, nonnegative=True)


def integers(names: str) -> tuple[Any, ...]:
    """Return symbols for positive integers, as a tuple."""
    return _symbols(names, integer=True, positive=True)


def arbitrary(names: str) -> tuple[Any, ...]:
    """Return symbols for arbitrary numbers, as a tuple."""
    return _symbols(names)


def _symbols(names: str, **assumptions: bool) -> tuple[Any, ...]:
    import sympy

    return tuple(sympy.symbols(names, seq=True, **assumptions))
