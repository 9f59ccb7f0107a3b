"""Numbers that were measured on real runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

__all__ = ["Measured", "Run"]


class Run(Protocol):
    """A run, such as `codedtheory.executor.RunRecord`: its manifest names seed, clock, host, cores and platform."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What a reader needs to know to repeat the run."""
        ...


@dataclass(frozen=True)
class Measured:
    """A number that runs of a program gave, with what is needed to run them again.

    Parameters
    ----------
    value : int, Fraction or float
        The measured number.
    seeds : tuple of int
        The seeds of the runs.
    clock : str
        What measured time, such as ``"virtual"`` or ``"wall"``.
    machine : str
        The machine, in words.

    Examples
    --------
    >>> print(Measured(0.25, seeds=(1, 2), clock="virtual", machine="any"))
    0.25 (virtual clock, 2 runs)
    """

    value: int | Fraction | float
    seeds: tuple[int, ...]
    clock: str
    machine: str

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not isinstance(self.value, int | Fraction | float):
            raise TypeError(f"value must be a number, received {self.value!r}")
        if not self.seeds:
            raise ValueError("seeds must name at least one run, received none")

    @classmethod
    def of(cls, value: Any, *runs: Run) -> Measured:
        """Return a number, also one of NumPy, that runs on one machine gave, with what their manifests say of them.

        Examples
        --------
        >>> from codedtheory.executor import Program, System, VirtualExecutor, compute
        >>> def work(node):
        ...     yield compute(int, cost=3.0)
        >>> record = VirtualExecutor().run(System([Program(work)], edges=[]))
        >>> measured = Measured.of(record.seconds, record)
        >>> measured.value, measured.clock, measured.seeds
        (3.0, 'virtual', (0,))
        """
        manifests = [run.manifest for run in runs]
        clocks = {manifest["clock"] for manifest in manifests}
        machines = {f"{manifest['host']} ({manifest['cores']} cores, {manifest['platform']})" for manifest in manifests}
        for name, found in (("clock", clocks), ("machine", machines)):
            if len(found) > 1:
                raise ValueError(f"runs must have one {name}, received {', '.join(sorted(found))}")
        number = value.item() if isinstance(value, np.generic) else value
        seeds = tuple(int(manifest["seed"]) for manifest in manifests)
        return cls(number, seeds, "".join(clocks), "".join(machines))

    def __str__(self) -> str:
        return f"{self.value} ({self.clock} clock, {len(self.seeds)} runs)"
