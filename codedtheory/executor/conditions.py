"""Conditions of a run: what is the same whatever the programs do, and wherever they run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from codedtheory.executor.faults import Crash, Drop, Fault, Hang, SlowLink
from codedtheory.executor.links import Link, LinkClock
from codedtheory.executor.straggler_model import StragglerModel
from codedtheory.executor.stragglers import NoStragglers
from codedtheory.executor.system import System

__all__ = ["Conditions", "check_run"]


@dataclass(frozen=True)
class Conditions:
    """Seed, speeds, stragglers, links and faults of a run.

    Parameters
    ----------
    seed : int, default 0
        Everything random in a run follows from it.
    unit : float, optional
        Seconds that one unit of work takes at speed 1. On the virtual clock 1 second by default. Where time is real, a
        computation lasts at least as long as this says, so that twelve workers on two cores behave like twelve
        machines; one that cannot is counted in the record's ``overruns``. Without a unit it lasts as long as it does.
    speeds : mapping of int to float, optional
        Speeds of nodes; 1 for those that are not named. Without a unit, where time is real, only slower ones are such.
    stragglers : StragglerModel, optional
        Slows the computations that name their step: they last slowdown · work + delay.
    links : Link or mapping of (int, int) to Link, optional
        One link for all edges, or one for each that differs from an ideal one.
    faults : tuple of Fault, optional
        Crash, Hang, SlowLink, Drop.

    Examples
    --------
    >>> Conditions(seed=1, unit=0.5).described()["unit"]
    0.5
    """

    seed: int = 0
    unit: float | None = None
    speeds: Mapping[int, float] = field(default_factory=dict)
    stragglers: StragglerModel = field(default_factory=NoStragglers)
    links: Link | Mapping[tuple[int, int], Link] = field(default_factory=Link)
    faults: tuple[Fault, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed must be an integer of at least 0, received {self.seed!r}")
        if self.unit is not None and not 0 <= _number("unit", self.unit) < math.inf:
            raise ValueError(f"unit must be a finite number of seconds, at least 0, received {self.unit!r}")
        if not isinstance(self.speeds, Mapping):
            raise TypeError(f"speeds must map nodes to speeds, such as {{1: 0.5}}, received {self.speeds!r}")
        for node, speed in self.speeds.items():
            if not 0 < _number("speeds", speed) < math.inf:
                raise ValueError(f"speeds must be positive, received {speed!r} for node {node}")
        if isinstance(self.stragglers, type) or not callable(getattr(self.stragglers, "stream", None)):
            raise TypeError(f"stragglers must be a straggler model, received {self.stragglers!r}")
        object.__setattr__(self, "speeds", dict(self.speeds))
        if isinstance(self.links, Mapping):
            object.__setattr__(self, "links", dict(self.links))
            for edge, link in self.links.items():
                if not isinstance(link, Link):
                    raise TypeError(f"links must map edges to Link objects, received {link!r} for {edge!r}")
        elif not isinstance(self.links, Link):
            raise TypeError(f"links must be a Link or a mapping of edges to Link objects, received {self.links!r}")
        if not isinstance(self.faults, Iterable):
            raise TypeError(f"faults must be a tuple of faults, received {self.faults!r}")
        object.__setattr__(self, "faults", tuple(self.faults))
        for fault in self.faults:
            if not isinstance(fault, Fault):
                raise TypeError(f"faults must hold Crash, Hang, SlowLink or Drop, received {fault!r}")

    def check(self, system: System) -> None:
        """Refuse conditions that name nodes or edges that the system does not have."""
        nodes = range(len(system))
        channels = {*system.edges, *((target, source) for source, target in system.edges)}
        for node in self.speeds:
            if node not in nodes:
                raise ValueError(f"speeds names node {node!r}; the system has nodes 0 to {len(system) - 1}")
        if isinstance(self.links, Mapping):
            for edge in self.links:
                if edge not in channels:
                    raise ValueError(f"links names {edge!r}, which is not an edge of the system")
        for fault in self.faults:
            if isinstance(fault, Crash | Hang):
                if fault.node not in nodes:
                    raise ValueError(f"{fault!r} names a node that the system lacks; it has 0 to {len(system) - 1}")
            elif (fault.source, fault.target) not in channels:
                raise ValueError(f"{fault!r} names an edge that the system lacks")
        self.stragglers.check_nodes(nodes)

    def link_clock(self, source: int, target: int) -> LinkClock | None:
        """Return the clock of an edge, or None if messages on it take no time."""
        link = self.links if isinstance(self.links, Link) else self.links.get((source, target), Link())
        slow = [
            fault
            for fault in self.faults
            if isinstance(fault, SlowLink) and (fault.source, fault.target) == (source, target)
        ]
        return None if link == Link() and not slow else LinkClock(link, slow)

    def of_node(self, kind: type[Crash] | type[Hang], node: int) -> int | None:
        """Return the step at which a node crashes or hangs, if it does."""
        return min((f.step for f in self.faults if isinstance(f, kind) and f.node == node), default=None)

    def drops_of(self, node: int) -> dict[int, list[Drop]]:
        """Return the drops on the edges that start at a node, by target."""
        drops: dict[int, list[Drop]] = {}
        for fault in self.faults:
            if isinstance(fault, Drop) and fault.source == node:
                drops.setdefault(fault.target, []).append(fault)
        return drops

    def described(self) -> dict[str, Any]:
        """Return what a manifest says of the conditions."""
        if isinstance(self.links, Link):
            links: Any = _fields(self.links)
        else:
            links = {f"{i}->{j}": _fields(link) for (i, j), link in self.links.items()}
        return {
            "seed": self.seed,
            "unit": self.unit,
            "speeds": {str(node): speed for node, speed in self.speeds.items()},
            "stragglers": self.stragglers.described(),
            "links": links,
            "faults": [_fields(fault) for fault in self.faults],
        }


def check_run(system: System, conditions: Conditions, watch: Collection[int] | None) -> None:
    """Refuse what an executor is given if the parts do not fit each other.

    Raises
    ------
    TypeError
    ValueError
    """
    if not isinstance(system, System):
        raise TypeError(f"system must be a System, received {system!r}; make one: System(programs, edges)")
    if not isinstance(conditions, Conditions):
        raise TypeError(f"conditions must be Conditions or None, received {conditions!r}")
    conditions.check(system)
    if watch is None:
        return
    if not isinstance(watch, Collection):
        raise TypeError(f"watch must be a collection of nodes, such as [0], received {watch!r}")
    for node in watch:
        if node not in range(len(system)):
            raise ValueError(f"watch names node {node!r}; the system has nodes 0 to {len(system) - 1}")


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, received {value!r}")
    return value


def _fields(item: Any) -> dict[str, Any]:
    return {"kind": type(item).__name__, **dataclasses.asdict(item)}
