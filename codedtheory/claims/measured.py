"""Numbers that were measured on real runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Measured"]


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

    def __str__(self) -> str:
        return f"{self.value} ({self.clock} clock, {len(self.seeds)} runs)"
