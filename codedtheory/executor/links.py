"""Links: how long messages take from one node to another."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from codedtheory.executor.faults import SlowLink

__all__ = ["Link", "LinkClock"]


@dataclass(frozen=True, slots=True)
class Link:
    """A link that sends one message after the other.

    Parameters
    ----------
    latency : float, default 0
        Seconds that each message is on its way.
    bandwidth : float, default inf
        Bits a second; a message waits until those before it have been sent.

    Examples
    --------
    Two messages of 100 bits, sent at once:

    >>> clock = LinkClock(Link(latency=0.5, bandwidth=100.0), slow=[])
    >>> [clock.arrival(0.0, 100, step=None) for _ in range(2)]
    [1.5, 2.5]
    """

    latency: float = 0.0
    bandwidth: float = math.inf

    def __post_init__(self) -> None:
        for name, value in (("latency", self.latency), ("bandwidth", self.bandwidth)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number, received {value!r}")
        if not 0 <= self.latency < math.inf:
            raise ValueError(f"latency must be a finite number of seconds, at least 0, received {self.latency!r}")
        if not self.bandwidth > 0:
            raise ValueError(f"bandwidth must be a positive number of bits a second, received {self.bandwidth!r}")


class LinkClock:
    """When the messages of one edge arrive, in order.

    A message handed over at time t is on the link from max(t, end of the one before) for bits/bandwidth seconds, and
    arrives after the latency and the delays of faults; never before one that was handed over earlier.
    """

    __slots__ = ("_bandwidth", "_free", "_last", "_latency", "_slow")

    def __init__(self, link: Link, slow: Iterable[SlowLink]) -> None:
        self._latency = link.latency
        self._bandwidth = link.bandwidth
        self._slow = tuple(slow)
        self._free = 0.0
        self._last = 0.0

    def arrival(self, now: float, bits: int, step: int | None) -> float:
        """Return when a message that is handed over now arrives."""
        self._free = max(now, self._free) + bits / self._bandwidth
        delay = self._latency
        for slow in self._slow:
            if slow.first_step == 0 or (step is not None and step >= slow.first_step):
                delay += slow.delay
        self._last = max(self._last, self._free + delay)
        return self._last
