"""Messages, and what a wait returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["ACK", "Arrivals", "Message"]

# the tag of acknowledgements, which travel against the direction of an edge
ACK = "ack"


class Message:
    """A value on its way from one node to another.

    Attributes
    ----------
    source : int
        The node that sent it.
    tag : str
        What kind of message it is; ``ACK`` for acknowledgements.
    step : int or None
        The step it belongs to.
    number : int
        How many messages its source had sent before; with the source it tells messages apart.
    value : object
        What was sent; arrays are read-only.
    bits : int
        Its size as the scheme counts it.
    slot : bool
        Whether it lies in a single-slot mailbox, where a newer one of the same edge and tag overwrites it.
    replaced : int
        How many messages in the slot it has overwritten.
    arrived : float
        When it arrived, in seconds since the run began.

    Examples
    --------
    >>> Message(2, "", 7, 0, 0.5)
    Message(source=2, step=7, number=0)
    """

    __slots__ = ("arrived", "bits", "number", "replaced", "slot", "source", "step", "tag", "value")

    def __init__(
        self,
        source: int,
        tag: str,
        step: int | None,
        number: int,
        value: Any,
        bits: int = 0,
        slot: bool = False,
        replaced: int = 0,
        arrived: float = 0.0,
    ) -> None:
        self.source = source
        self.tag = tag
        self.step = step
        self.number = number
        self.value = value
        self.bits = bits
        self.slot = slot
        self.replaced = replaced
        self.arrived = arrived

    def copy(self) -> Message:
        """Return a message of its own with the same value."""
        return Message(
            self.source,
            self.tag,
            self.step,
            self.number,
            self.value,
            self.bits,
            self.slot,
            self.replaced,
            self.arrived,
        )

    def __repr__(self) -> str:
        kind = f", tag={self.tag!r}" if self.tag else ""
        return f"Message(source={self.source}{kind}, step={self.step}, number={self.number})"


class Arrivals:
    """What a wait returns: at most one message from each node, iterated in the order of the nodes.

    Attributes
    ----------
    order : tuple of int
        The sources in the order of arrival.
    late : tuple of Message
        Messages of earlier steps than the one waited for; they are recognised, handed over, and gone.
    lost : frozenset of int
        The sources of the wait that are lost.
    complete : bool
        Whether the condition was met; false if the deadline passed first.
    time : float
        When the wait ended, in seconds since the run began.

    Examples
    --------
    >>> arrivals = Arrivals([Message(3, "", 7, 0, "c"), Message(1, "", 7, 0, "a")])
    >>> arrivals.order, list(arrivals), arrivals.values(), arrivals[3]
    ((3, 1), [1, 3], ['a', 'c'], 'c')
    """

    __slots__ = ("_messages", "complete", "late", "lost", "order", "time")

    def __init__(
        self,
        taken: list[Message],
        late: tuple[Message, ...] = (),
        lost: frozenset[int] = frozenset(),
        complete: bool = True,
        time: float = 0.0,
    ) -> None:
        if len(taken) == 1:
            message = taken[0]
            self.order: tuple[int, ...] = (message.source,)
            self._messages = {message.source: message}
        else:
            self.order = tuple([message.source for message in taken])
            self._messages = {message.source: message for message in sorted(taken, key=_source)}
        self.late = late
        self.lost = lost
        self.complete = complete
        self.time = time

    @property
    def only(self) -> Message:
        """The message, of a wait that returns exactly one."""
        if len(self._messages) != 1:
            raise ValueError(f"only needs a wait that returned one message, this one returned {len(self._messages)}")
        return next(iter(self._messages.values()))

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages, in the order of the nodes."""
        return tuple(self._messages.values())

    @property
    def sources(self) -> tuple[int, ...]:
        """The nodes that a message came from, in increasing order."""
        return tuple(self._messages)

    def values(self) -> list[Any]:
        """Return the values in the order of the nodes, so that sums do not depend on the order of arrival."""
        return [message.value for message in self._messages.values()]

    def message(self, source: int) -> Message:
        """Return the message that came from a node."""
        try:
            return self._messages[source]
        except KeyError:
            raise KeyError(f"no message from node {source}; there are some from {list(self._messages)}") from None

    def __getitem__(self, source: int) -> Any:
        return self.message(source).value

    def __contains__(self, source: object) -> bool:
        return source in self._messages

    def __iter__(self) -> Iterator[int]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def __repr__(self) -> str:
        parts = [f"sources={list(self._messages)}", f"order={list(self.order)}"]
        parts += [f"late={len(self.late)}"] if self.late else []
        parts += [f"lost={sorted(self.lost)}"] if self.lost else []
        return f"Arrivals({', '.join(parts)}{'' if self.complete else ', complete=False'})"


def _source(message: Message) -> int:
    return message.source
