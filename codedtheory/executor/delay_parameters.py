"""What parameters of straggler models may be; everything else is refused by name."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from numbers import Real

__all__ = [
    "checked_columns",
    "checked_delay",
    "checked_nodes",
    "checked_number",
    "checked_positive",
    "checked_probability",
    "checked_slowdown",
]


def checked_delay(name: str, value: float) -> float:
    """Return the seconds ``value`` as a float, or refuse what is negative or not finite."""
    seconds = _finite(name, value, "a number of seconds, at least 0")
    if seconds < 0:
        raise ValueError(f"{name} must be a number of seconds, at least 0, received {value!r}")
    return seconds


def checked_positive(name: str, value: float) -> float:
    """Return ``value`` as a float, or refuse what is not positive and finite."""
    number = _finite(name, value, "a positive number")
    if number <= 0:
        raise ValueError(f"{name} must be a positive number, received {value!r}")
    return number


def checked_probability(name: str, value: float) -> float:
    """Return ``value`` as a float, or refuse what is not from 0 to 1."""
    number = _finite(name, value, "a probability from 0 to 1")
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a probability from 0 to 1, received {value!r}")
    return number


def checked_slowdown(name: str, value: float) -> float:
    """Return ``value`` as a float, or refuse what is below 1."""
    factor = _finite(name, value, "a factor of at least 1")
    if factor < 1:
        raise ValueError(
            f"{name} must be a factor of at least 1 that multiplies the work, received {value!r}; "
            "make a node faster by its speed instead"
        )
    return factor


def checked_number(name: str, value: int) -> int:
    """Return ``value`` as an int, or refuse what is no integer from 0 on."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, at least 0, received {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, at least 0, received {value!r}") from None
    if number < 0:
        raise ValueError(f"{name} must be an integer, at least 0, received {value!r}")
    return number


def checked_nodes(name: str, nodes: Iterable[int]) -> tuple[int, ...]:
    """Return the node ids in increasing order, or refuse what is none and what is named twice."""
    return tuple(sorted(checked_columns(name, nodes)))


def checked_columns(name: str, nodes: Iterable[int]) -> tuple[int, ...]:
    """Return the node ids in the given order, or refuse what is none and what is named twice."""
    if isinstance(nodes, str | bytes) or not isinstance(nodes, Iterable):
        raise TypeError(f"{name} must be a collection of node ids such as (1, 4), received {nodes!r}")
    found: dict[int, None] = {}
    for given in nodes:
        node = checked_number(f"a node id in {name}", given)
        if node in found:
            raise ValueError(f"{name} must name every node once, but names node {node} twice")
        found[node] = None
    return tuple(found)


def _finite(name: str, value: float, right: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be {right}, received {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be {right}, and finite, received {value!r}")
    return number
