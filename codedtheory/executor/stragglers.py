"""Straggler models in which a node is either as fast as ever or slow: none, fixed, random, bursty, in groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from codedtheory.executor.delay_parameters import (
    checked_delay,
    checked_nodes,
    checked_probability,
    checked_slowdown,
)
from codedtheory.executor.delay_stream import ChainStream, DelayStream, SteadyStream, SwitchStream
from codedtheory.executor.straggler_model import StragglerModel

__all__ = ["BernoulliSlowdown", "GilbertElliott", "NoStragglers", "PersistentStragglers", "SlowSet"]

_OF_A_GROUP = 1


@dataclass(frozen=True, slots=True)
class NoStragglers(StragglerModel):
    """Every computation takes as long as its work.

    Examples
    --------
    >>> NoStragglers().stream(node=1, seed=0).row(5)
    (1.0, 0.0)
    """

    @property
    def mean_delay(self) -> float:
        """No seconds."""
        return 0.0

    def _stream(self, node: int, seed: int) -> DelayStream:
        return SteadyStream()


@dataclass(frozen=True, slots=True)
class SlowSet(StragglerModel):
    """The same nodes are slow at every step.

    Parameters
    ----------
    nodes : collection of int
        The slow nodes.
    slowdown : float
        Multiplies their work, at least 1.
    delay : float
        Seconds added to each of their computations.

    Notes
    -----
    Nothing is random: slowdown and delay have variance 0.

    Examples
    --------
    >>> model = SlowSet({2, 5}, slowdown=4, delay=0.1)
    >>> model.stream(node=2, seed=0).row(9), model.stream(node=3, seed=0).row(9)
    ((4.0, 0.1), (1.0, 0.0))
    """

    nodes: Collection[int]
    slowdown: float
    delay: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", checked_nodes("nodes", self.nodes))
        object.__setattr__(self, "slowdown", checked_slowdown("slowdown", self.slowdown))
        object.__setattr__(self, "delay", checked_delay("delay", self.delay))

    @property
    def mean_delay(self) -> float:
        """The delay of a slow node, in seconds."""
        return self.delay

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The slow nodes."""
        return tuple(self.nodes)

    def _stream(self, node: int, seed: int) -> DelayStream:
        return SteadyStream((self.slowdown, self.delay)) if node in self.nodes else SteadyStream()


@dataclass(frozen=True, slots=True)
class BernoulliSlowdown(StragglerModel):
    r"""A node is slow with a fixed probability, independently at every step and of every other node.

    Parameters
    ----------
    probability : float
        Of being slow at one step.
    slowdown : float
        Multiplies the work of a slow step, at least 1.
    delay : float
        Seconds added to a slow step.
    nodes : collection of int, optional
        The nodes that straggle; by default all.

    Notes
    -----
    With probability :math:`p`, slowdown :math:`c` and delay :math:`d`: the delay has mean :math:`pd` and variance
    :math:`p(1 - p)d^2`; the slowdown has mean :math:`1 + p(c - 1)` and variance :math:`p(1 - p)(c - 1)^2`.

    Examples
    --------
    >>> stream = BernoulliSlowdown(0.5, slowdown=10).stream(node=1, seed=0)
    >>> [stream.row(step)[0] for step in range(6)]
    [1.0, 10.0, 1.0, 1.0, 10.0, 1.0]
    """

    probability: float
    slowdown: float
    delay: float = 0.0
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "probability", checked_probability("probability", self.probability))
        object.__setattr__(self, "slowdown", checked_slowdown("slowdown", self.slowdown))
        object.__setattr__(self, "delay", checked_delay("delay", self.delay))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", checked_nodes("nodes", self.nodes))

    @property
    def mean_delay(self) -> float:
        """The mean of the delay, in seconds."""
        return self.probability * self.delay

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The nodes that straggle, if they are named."""
        return () if self.nodes is None else tuple(self.nodes)

    def _stream(self, node: int, seed: int) -> DelayStream:
        if self.nodes is not None and node not in self.nodes:
            return SteadyStream()
        return SwitchStream(self.probability, (self.slowdown, self.delay), seed, (node,))


@dataclass(frozen=True, slots=True)
class GilbertElliott(StragglerModel):
    r"""Bursts of slow steps: a Markov chain with the states fast and slow for each node, independent of the others.

    Parameters
    ----------
    to_slow : float
        Probability that a fast node is slow at the next step.
    to_fast : float
        Probability that a slow node is fast at the next step.
    slowdown : float
        Multiplies the work of a slow step, at least 1.
    delay : float
        Seconds added to a slow step.
    nodes : collection of int, optional
        The nodes that straggle; by default all.

    Notes
    -----
    The chain starts from its stationary law, so that at every step a node is slow with probability
    :math:`\pi = a/(a + b)` where :math:`a` is ``to_slow`` and :math:`b` is ``to_fast``. A slow spell lasts :math:`1/b`
    steps in the mean, a fast one :math:`1/a`; states :math:`k` steps apart have correlation :math:`(1 - a - b)^k`. With
    slowdown :math:`c` and delay :math:`d`: the delay has mean :math:`\pi d` and variance :math:`\pi(1 - \pi)d^2`; the
    slowdown has mean :math:`1 + \pi(c - 1)` and variance :math:`\pi(1 - \pi)(c - 1)^2`.

    The row of step t costs a walk over the steps before it, which is kept; ask for steps in increasing order.

    Examples
    --------
    >>> model = GilbertElliott(to_slow=0.1, to_fast=0.5, slowdown=8, delay=3)
    >>> stream = model.stream(node=1, seed=1)
    >>> [stream.row(step) for step in range(2, 4)], model.mean_delay
    ([(8.0, 3.0), (1.0, 0.0)], 0.5)
    """

    to_slow: float
    to_fast: float
    slowdown: float
    delay: float = 0.0
    nodes: Collection[int] | None = None

    def __post_init__(self) -> None:
        _settle_chain(self)
        if self.nodes is not None:
            object.__setattr__(self, "nodes", checked_nodes("nodes", self.nodes))

    @property
    def mean_delay(self) -> float:
        """The mean of the delay at any step, in seconds."""
        return self.to_slow / (self.to_slow + self.to_fast) * self.delay

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The nodes that straggle, if they are named."""
        return () if self.nodes is None else tuple(self.nodes)

    def _stream(self, node: int, seed: int) -> DelayStream:
        if self.nodes is not None and node not in self.nodes:
            return SteadyStream()
        return ChainStream(self.to_slow, self.to_fast, (self.slowdown, self.delay), seed, (node,))


@dataclass(frozen=True, slots=True)
class PersistentStragglers(StragglerModel):
    r"""Groups of nodes, such as racks, that become slow together and remain so for a while.

    Each group has one Markov chain with the states fast and slow, independent of the other groups; all its nodes are
    slow when it is. Nodes of no group never straggle.

    Parameters
    ----------
    groups : sequence of collections of int
        The nodes of each group; no node in two. A group of one node straggles persistently on its own.
    to_slow : float
        Probability that a fast group is slow at the next step.
    to_fast : float
        Probability that a slow group is fast at the next step; it stays slow for ``1 / to_fast`` steps in the mean.
    slowdown : float
        Multiplies the work of a slow step, at least 1.
    delay : float
        Seconds added to a slow step.

    Notes
    -----
    The law of one node is that of `GilbertElliott`, with the same mean and variance; the chain of group g depends on
    the seed and g only, whichever nodes are in it. Within a group the states have correlation 1, across groups 0.

    Examples
    --------
    >>> racks = [range(1, 5), range(5, 9)]
    >>> model = PersistentStragglers(racks, to_slow=0.02, to_fast=0.1, slowdown=5)
    >>> first, second = model.stream(node=1, seed=0), model.stream(node=4, seed=0)
    >>> all(first.row(step) == second.row(step) for step in range(100))
    True
    """

    groups: Sequence[Collection[int]]
    to_slow: float
    to_fast: float
    slowdown: float
    delay: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.groups, str | bytes) or not isinstance(self.groups, Sequence):
            raise TypeError(
                "groups must be a sequence of collections of node ids such as [(1, 2), (3, 4)], "
                f"received {self.groups!r}"
            )
        groups = tuple(checked_nodes(f"groups[{number}]", group) for number, group in enumerate(self.groups))
        checked_nodes("groups", [node for group in groups for node in group])
        object.__setattr__(self, "groups", groups)
        _settle_chain(self)

    @property
    def mean_delay(self) -> float:
        """The mean of the delay of a node in a group, at any step, in seconds."""
        return self.to_slow / (self.to_slow + self.to_fast) * self.delay

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The nodes of all groups."""
        return tuple(sorted(node for group in self.groups for node in group))

    def _stream(self, node: int, seed: int) -> DelayStream:
        for number, group in enumerate(self.groups):
            if node in group:
                slow = (self.slowdown, self.delay)
                # a longer key than that of a node keeps groups apart from nodes with the same number
                return ChainStream(self.to_slow, self.to_fast, slow, seed, (number, _OF_A_GROUP))
        return SteadyStream()


def _settle_chain(model: GilbertElliott | PersistentStragglers) -> None:
    object.__setattr__(model, "to_slow", checked_probability("to_slow", model.to_slow))
    object.__setattr__(model, "to_fast", checked_probability("to_fast", model.to_fast))
    if model.to_slow == model.to_fast == 0:
        raise ValueError(
            "to_slow and to_fast are both 0, so that no state is ever left and the stationary law is not unique; "
            "use SlowSet for nodes that are always slow"
        )
    object.__setattr__(model, "slowdown", checked_slowdown("slowdown", model.slowdown))
    object.__setattr__(model, "delay", checked_delay("delay", model.delay))
