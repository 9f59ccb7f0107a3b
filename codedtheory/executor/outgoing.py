"""Messages on their way out of a node: checked, counted, dropped, held while a queue is full, handed to the port."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.effects import Acknowledge, Send
from codedtheory.executor.message import ACK, Message
from codedtheory.executor.port import Port
from codedtheory.executor.recorder import Recorder
from codedtheory.executor.system import Node, System
from codedtheory.executor.values import bits_of

__all__ = ["Outgoing", "number_of"]

# groups of nodes that a program sends to, which need not be checked again
_REMEMBERED = 256


class Outgoing:
    """What a node sends.

    Attributes
    ----------
    gone : frozenset of int
        The neighbours that are lost or have finished: what is sent to them is dropped.
    dirty : bool
        Whether something was recorded on which the next message depends.
    edges : dict of int to list of int
        By neighbour: messages, bits, and how many of the messages were dropped.
    """

    __slots__ = (
        "_bounded",
        "_checked",
        "_drops",
        "_held",
        "_node",
        "_port",
        "_recorder",
        "_sent",
        "dirty",
        "edges",
        "gone",
    )

    def __init__(
        self, node: Node, system: System, conditions: Conditions, port: Port, recorder: Recorder, replays: bool
    ) -> None:
        self._node = node
        self._port = port
        self._recorder = recorder
        self._bounded = system.capacity is not None and not replays
        drops = {} if replays else conditions.drops_of(node.id)
        self._drops = {target: (faults, _stream(conditions, node.id, target)) for target, faults in drops.items()}
        self._checked: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._held: tuple[list[int], Message] | None = None
        self._sent = 0
        self.gone: frozenset[int] = frozenset()
        self.dirty = False
        self.edges: dict[int, list[int]] = {peer: [0, 0, 0] for peer in system.neighbours(node.id)}

    @property
    def held(self) -> Message | None:
        """The message that waits for room in a queue."""
        return None if self._held is None else self._held[1]

    @property
    def held_for(self) -> tuple[int, ...]:
        """The nodes whose queues have no room for it."""
        return () if self._held is None else tuple(self._held[0])

    def send(self, effect: Send) -> bool:
        """Send a message; return whether it has set out to all of its targets, or is held."""
        targets = self._checked.get(effect.targets) or self._checked_targets(effect.targets)
        bits = bits_of(effect.value) if effect.bits is None else effect.bits
        message = Message(self._node.id, effect.tag, effect.step, self._sent, effect.value, bits, effect.slot)
        self._sent += 1
        peers = self._reached(targets, message)
        if self._bounded and not effect.slot:
            self._held = (peers, message)
            return self.push()
        if peers:
            self._hand_over(peers, message)
        return True

    def to_acknowledge(self, effect: Acknowledge) -> dict[int | None, list[dict[int, None]]]:
        """Return, by step, groups of nodes that get an acknowledgement, each node at most once in a group."""
        by_step: dict[int | None, list[dict[int, None]]] = {}
        for message in effect.messages:
            if message.source not in self._node.sources:
                raise ValueError(f"node {self._node.id} acknowledges {message!r}, which came over no edge to it")
            groups = by_step.setdefault(message.step, [{}])
            if message.source in groups[-1]:
                # a message goes to each node once, so that its number tells it apart there
                groups.append({})
            groups[-1][message.source] = None
        return by_step

    def acknowledge(self, step: int | None, sources: Sequence[int]) -> None:
        """Send an acknowledgement to some nodes."""
        message = Message(self._node.id, ACK, step, self._sent, None)
        self._sent += 1
        peers = self._reached(sources, message)
        if peers:
            self._hand_over(peers, message)

    def push(self) -> bool:
        """Hand the held message to those that have room for it; return whether all have it."""
        if self._held is None:
            return True
        peers, message = self._held
        peers = [peer for peer in peers if peer not in self.gone]
        free = [peer for peer in peers if self._port.has_room(peer)]
        if free:
            self._hand_over(free, message)
        self._held = ([peer for peer in peers if peer not in free], message) if len(free) < len(peers) else None
        return self._held is None

    def _checked_targets(self, targets: tuple[int, ...]) -> tuple[int, ...]:
        targets = tuple([number_of(target) for target in targets])
        reachable = frozenset(self._node.targets)
        if not reachable.issuperset(targets):
            raise ValueError(
                f"node {self._node.id} sends to {sorted(set(targets) - reachable)}, to which it has no edge; "
                f"its targets are {list(self._node.targets)}"
            )
        if len(set(targets)) < len(targets):
            raise ValueError(f"node {self._node.id} sends to {list(targets)}, which names a node twice")
        if len(self._checked) >= _REMEMBERED:
            self._checked.clear()
        self._checked[targets] = targets
        return targets

    def _reached(self, targets: Sequence[int], message: Message) -> list[int]:
        """Count a message on its edges; return those of its targets that it sets out for."""
        peers = []
        for target in targets:
            totals = self.edges[target]
            totals[0] += 1
            totals[1] += message.bits
            if target in self.gone or (self._drops and self._is_dropped(target, message)):
                totals[2] += 1
            else:
                peers.append(target)
        return peers

    def _is_dropped(self, target: int, message: Message) -> bool:
        if target not in self._drops:
            return False
        faults, stream = self._drops[target]
        # one draw a message and fault, so that what happens to one does not depend on another
        draws = stream.random(len(faults))
        return any(
            (fault.step is None or fault.step == message.step) and draw < fault.probability
            for fault, draw in zip(faults, draws, strict=True)
        )

    def _hand_over(self, peers: Sequence[int], message: Message) -> None:
        if self.dirty:
            # the record is written before what depends on it is sent
            self._recorder.flush()
            self.dirty = False
        self._port.send(peers, message)


def number_of(node: int) -> int:
    """Return the number of a node that a program has named."""
    try:
        return operator.index(node)
    except TypeError:
        raise TypeError(f"nodes must be given by their numbers, received {node!r}") from None


def _stream(conditions: Conditions, source: int, target: int) -> np.random.Generator:
    # four words, so that it is not one of the streams of nodes and straggler models
    return np.random.default_rng(np.random.SeedSequence(conditions.seed, spawn_key=(source, target, 0, 1)))
