"""Straggler models whose delays are independent: exponential, shifted exponential, Pareto, Weibull."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.delay_parameters import checked_delay, checked_nodes, checked_positive
from codedtheory.executor.delay_stream import DelayStream, LawStream, SteadyStream
from codedtheory.executor.straggler_model import StragglerModel

__all__ = ["DelayLaw", "Exponential", "Pareto", "ShiftedExponential", "Weibull"]

_LARGEST_UNIFORM = np.array([1 - 2.0**-53])


class DelayLaw(StragglerModel):
    """Delays that are independent over nodes and steps, with one law; computations are not slowed down otherwise.

    Row t of node i is the `quantile` of one uniform number, which depends on seed, i and t only. So two laws at the
    same seed meet the same luck: the delays of ``Exponential(2)`` are twice those of ``Exponential(1)``.
    """

    __slots__ = ()

    nodes: Collection[int] | None

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The nodes that are delayed, if they are named."""
        return () if self.nodes is None else tuple(self.nodes)

    @abstractmethod
    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the delays that these numbers, 0 ≤ u < 1, are turned into: the inverse distribution function."""

    def _stream(self, node: int, seed: int) -> DelayStream:
        if self.nodes is not None and node not in self.nodes:
            return SteadyStream()
        return LawStream(self.quantile, seed, (node,))


@dataclass(frozen=True, slots=True)
class Exponential(DelayLaw):
    r"""Exponential delays.

    Parameters
    ----------
    mean : float
        In seconds, positive.
    nodes : collection of int, optional
        The nodes that are delayed; by default all.

    Notes
    -----
    :math:`P(X > t) = e^{-t/m}` with mean :math:`m`; variance :math:`m^2`.

    Examples
    --------
    >>> slowdown, delay = Exponential(0.5).stream(node=3, seed=1).row(7)
    >>> slowdown, round(delay, 6)
    (1.0, 1.256635)
    """

    mean: float
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", checked_positive("mean", self.mean))
        _settle(self)

    @property
    def mean_delay(self) -> float:
        """The mean, in seconds."""
        return self.mean

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the delays that these numbers, 0 ≤ u < 1, are turned into."""
        return -self.mean * np.log1p(-u)


@dataclass(frozen=True, slots=True)
class ShiftedExponential(DelayLaw):
    r"""A fixed delay plus an exponential one.

    Parameters
    ----------
    shift : float
        The least delay in seconds, at least 0.
    mean : float
        The mean of the exponential part alone, in seconds, positive.
    nodes : collection of int, optional
        The nodes that are delayed; by default all.

    Notes
    -----
    :math:`P(X > t) = e^{-(t - s)/m}` for :math:`t \ge s`; mean :math:`s + m`, variance :math:`m^2`.

    Examples
    --------
    >>> ShiftedExponential(shift=1, mean=0.5).mean_delay
    1.5
    """

    shift: float
    mean: float
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", checked_delay("shift", self.shift))
        object.__setattr__(self, "mean", checked_positive("mean", self.mean))
        _settle(self)

    @property
    def mean_delay(self) -> float:
        """The mean of the whole delay, in seconds."""
        return self.shift + self.mean

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the delays that these numbers, 0 ≤ u < 1, are turned into."""
        return self.shift - self.mean * np.log1p(-u)


@dataclass(frozen=True, slots=True)
class Pareto(DelayLaw):
    r"""Pareto delays (of type I): heavy tails.

    Parameters
    ----------
    scale : float
        The least delay in seconds, positive.
    shape : float
        The tail exponent, positive; the smaller, the heavier the tail.
    nodes : collection of int, optional
        The nodes that are delayed; by default all.

    Notes
    -----
    :math:`P(X > t) = (x/t)^a` for :math:`t \ge x` with scale :math:`x` and shape :math:`a`; mean :math:`ax/(a - 1)` for
    :math:`a > 1`, else infinite; variance :math:`ax^2/((a - 1)^2(a - 2))` for :math:`a > 2`, else infinite.

    Examples
    --------
    >>> Pareto(scale=1, shape=3).mean_delay, Pareto(scale=1, shape=1).mean_delay
    (1.5, inf)
    """

    scale: float
    shape: float
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", checked_positive("scale", self.scale))
        object.__setattr__(self, "shape", checked_positive("shape", self.shape))
        _settle(self)

    @property
    def mean_delay(self) -> float:
        """The mean, in seconds; ``inf`` for shapes up to 1."""
        return self.shape / (self.shape - 1) * self.scale if self.shape > 1 else math.inf

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the delays that these numbers, 0 ≤ u < 1, are turned into."""
        # exp of a quotient that is at least 0 is at least 1, so that no delay falls below the scale
        return self.scale * np.exp(-np.log1p(-u) / self.shape)


@dataclass(frozen=True, slots=True)
class Weibull(DelayLaw):
    r"""Weibull delays: heavier tails than exponential ones for shapes below 1, lighter ones above.

    Parameters
    ----------
    scale : float
        In seconds, positive.
    shape : float
        Positive; 1 gives the exponential law with mean ``scale``.
    nodes : collection of int, optional
        The nodes that are delayed; by default all.

    Notes
    -----
    :math:`P(X > t) = e^{-(t/x)^a}` with scale :math:`x` and shape :math:`a`; mean :math:`x\Gamma(1 + 1/a)`, variance
    :math:`x^2(\Gamma(1 + 2/a) - \Gamma(1 + 1/a)^2)`.

    Examples
    --------
    >>> Weibull(scale=2, shape=0.5).mean_delay
    4.0
    """

    scale: float
    shape: float
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", checked_positive("scale", self.scale))
        object.__setattr__(self, "shape", checked_positive("shape", self.shape))
        _settle(self)

    @property
    def mean_delay(self) -> float:
        """The mean, in seconds; ``inf`` where doubles do not reach it."""
        try:
            return self.scale * math.gamma(1 + 1 / self.shape)
        except OverflowError:
            return math.inf

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the delays that these numbers, 0 ≤ u < 1, are turned into."""
        return self.scale * np.power(-np.log1p(-u), 1 / self.shape)


def _settle(law: Exponential | ShiftedExponential | Pareto | Weibull) -> None:
    if law.nodes is not None:
        object.__setattr__(law, "nodes", checked_nodes("nodes", law.nodes))
    with np.errstate(over="ignore"):
        largest = float(law.quantile(_LARGEST_UNIFORM)[0])
    if not math.isfinite(largest):
        remedy = (
            "a larger shape" if isinstance(law, Pareto | Weibull) and law.shape < 1 else "smaller numbers of seconds"
        )
        raise ValueError(f"{law!r} can draw delays beyond the largest double; choose {remedy}")
