"""Waits: what a node has not taken yet, and the condition under which it goes on."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from codedtheory.executor.message import Message

__all__ = ["Inbox", "Waiting"]


class Inbox:
    """Messages that have arrived and were not taken, in the order of arrival, by tag.

    A slot message overwrites the one of the same edge and tag that was not taken.
    """

    __slots__ = ("_stored", "overwrites")

    def __init__(self) -> None:
        self._stored: dict[str, list[Message]] = {}
        self.overwrites: dict[tuple[int, str], int] = {}

    def add(self, message: Message) -> None:
        """Store a message."""
        stored = self._stored.setdefault(message.tag, [])
        if message.slot:
            for i, old in enumerate(stored):
                if old.slot and old.source == message.source:
                    del stored[i]
                    message.replaced += 1 + old.replaced
                    self.note_overwrites(message, 1)
                    break
        stored.append(message)

    def note_overwrites(self, message: Message, count: int) -> None:
        """Count messages that were overwritten in the slot of ``message``."""
        key = (message.source, message.tag)
        self.overwrites[key] = self.overwrites.get(key, 0) + count

    def put_back(self, tag: str, messages: Iterable[Message]) -> None:
        """Store messages of a tag again that a wait took which then failed, where they were in the order of arrival."""
        stored = self.of(tag)
        newer = {message.source: message for message in stored if message.slot}
        kept = []
        for message in messages:
            if message.slot and message.source in newer:
                newer[message.source].replaced += 1 + message.replaced
                self.note_overwrites(message, 1)
            else:
                kept.append(message)
        stored[:] = heapq.merge(kept, stored, key=_arrived)

    def of(self, tag: str) -> list[Message]:
        """Return the stored messages of a tag, in the order of arrival; the list is the inbox's own."""
        return self._stored.setdefault(tag, [])


class Waiting:
    """A wait that has begun.

    Attributes
    ----------
    taken : dict of int to Message
        The messages that count, in the order of arrival.
    late : list of Message
        Messages of earlier steps, which are gone with this wait.
    """

    __slots__ = ("count", "late", "sources", "step", "tag", "taken", "until")

    def __init__(
        self,
        sources: frozenset[int],
        step: int | None,
        tag: str,
        count: int,
        until: Callable[[frozenset[int]], bool] | None,
    ) -> None:
        self.sources = sources
        self.step = step
        self.tag = tag
        self.count = count
        self.until = until
        self.taken: dict[int, Message] = {}
        self.late: list[Message] = []

    def met(self, arrived: frozenset[int]) -> bool:
        """Whether messages from the nodes ``arrived`` meet the condition."""
        return len(arrived) >= self.count and (self.until is None or bool(self.until(arrived)))

    def offer(self, message: Message) -> bool | None:
        """Take a message that belongs to this wait: true if it counts, false if it is late, None if it is not taken."""
        if message.source not in self.sources:
            return None
        step = self.step
        if step is None or message.step == step:
            if message.source in self.taken:
                return None
            self.taken[message.source] = message
            return True
        if message.step is not None and message.step < step:
            self.late.append(message)
            return False
        return None

    def missing(self, gone: frozenset[int]) -> frozenset[int]:
        """Return the sources that may still send."""
        return self.sources.difference(self.taken, gone)

    def reachable(self, gone: frozenset[int]) -> frozenset[int]:
        """Return the sources that have sent a message or still may."""
        return self.sources.difference(gone.difference(self.taken))


def _arrived(message: Message) -> float:
    return message.arrived
