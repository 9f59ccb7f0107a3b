"""Ports: what a backend gives to the program of one node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from codedtheory.executor.message import Message

__all__ = ["Port"]


class Port(Protocol):
    """The clock of a node and its way to the others.

    Attributes
    ----------
    retry : float
        Seconds after which a held message should be tried again; inf if the port says when there is room.
    """

    retry: float

    def now(self) -> float:
        """Return the seconds since the run began."""
        ...

    def has_room(self, peer: int) -> bool:
        """Whether the queue of the edge to ``peer`` takes another message."""
        ...

    def send(self, peers: Sequence[int], message: Message) -> None:
        """Hand over a message, with its value as it is now, to ``peers``; never waits."""
        ...

    def taken(self, message: Message) -> None:
        """Note that the program took a message, or that it was late: its place in the queue is free."""
        ...

    def crash(self) -> None:
        """Die, as the fault of that name asks; where this returns, the node sends nothing more."""
        ...
