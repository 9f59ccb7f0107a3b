"""Faults that a run is given on purpose."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Crash", "Drop", "Fault", "Hang", "SlowLink"]


@dataclass(frozen=True, slots=True)
class Crash:
    """A node dies at its first effect of a step at least ``step``.

    A process is killed with SIGKILL; on the virtual clock and on MPI the node falls silent and its neighbours are told
    that it is lost.

    Parameters
    ----------
    node : int
    step : int, default 0

    Examples
    --------
    >>> Crash(2, step=5)
    Crash(node=2, step=5)
    """

    node: int
    step: int = 0

    def __post_init__(self) -> None:
        _check_integer("node", self.node)
        _check_integer("step", self.step)


@dataclass(frozen=True, slots=True)
class Hang:
    """A node stops at its first effect of a step at least ``step``, and nobody is told.

    Parameters
    ----------
    node : int
    step : int, default 0

    Examples
    --------
    >>> Hang(2)
    Hang(node=2, step=0)
    """

    node: int
    step: int = 0

    def __post_init__(self) -> None:
        _check_integer("node", self.node)
        _check_integer("step", self.step)


@dataclass(frozen=True, slots=True)
class SlowLink:
    """Messages on an edge take longer; later ones on the same edge do not overtake.

    Parameters
    ----------
    source, target : int
    delay : float
        Additional seconds.
    first_step : int, default 0
        Messages of earlier steps, and those without a step, are not delayed, unless it is 0.

    Examples
    --------
    >>> SlowLink(0, 1, delay=0.5).first_step
    0
    """

    source: int
    target: int
    delay: float
    first_step: int = 0

    def __post_init__(self) -> None:
        _check_integer("source", self.source)
        _check_integer("target", self.target)
        _check_integer("first_step", self.first_step)
        if isinstance(self.delay, bool) or not isinstance(self.delay, int | float):
            raise TypeError(f"delay must be a number of seconds, received {self.delay!r}")
        if not 0 <= self.delay < math.inf:
            raise ValueError(f"delay must be a finite number of seconds, at least 0, received {self.delay!r}")


@dataclass(frozen=True, slots=True)
class Drop:
    """Messages on an edge get lost.

    Parameters
    ----------
    source, target : int
    step : int, optional
        Only those of this step; of every step by default.
    probability : float, default 1
        Each is lost with this probability, by the edge's own stream of random numbers.

    Examples
    --------
    >>> Drop(0, 1, probability=0.1).step is None
    True
    """

    source: int
    target: int
    step: int | None = None
    probability: float = 1.0

    def __post_init__(self) -> None:
        _check_integer("source", self.source)
        _check_integer("target", self.target)
        if self.step is not None:
            _check_integer("step", self.step)
        if isinstance(self.probability, bool) or not isinstance(self.probability, int | float):
            raise TypeError(f"probability must be a number, received {self.probability!r}")
        if not 0 <= self.probability <= 1:
            raise ValueError(f"probability must lie between 0 and 1, received {self.probability!r}")


Fault = Crash | Hang | SlowLink | Drop


def _check_integer(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, received {value!r}")
    if value < 0:
        raise ValueError(f"{name} must be at least 0, received {value!r}")
