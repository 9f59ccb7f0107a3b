"""Runs on a virtual clock: programs of thousands of nodes in one process, the same for the same seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.errors import DeadlockError, ExecutorError, LostWorkersError, ReplayError
from codedtheory.executor.links import LinkClock
from codedtheory.executor.message import Message
from codedtheory.executor.recorder import Recorder
from codedtheory.executor.replay import Script
from codedtheory.executor.system import System
from codedtheory.executor.trampoline import Trampoline
from codedtheory.executor.values import frozen, is_shareable

__all__ = ["VirtualRun"]

# nodes that an error message lists
_LISTED = 20


class VirtualRun:
    """One run on a simulated clock.

    Parameters
    ----------
    system : System
    conditions : Conditions
        With a unit, as there is no other measure of how long a computation takes.
    recorder : Recorder
    scripts : mapping of int to Script, optional
        The recorded waits of each node, to replay them.
    """

    def __init__(
        self,
        system: System,
        conditions: Conditions,
        recorder: Recorder,
        scripts: Mapping[int, Script] | None = None,
    ) -> None:
        import simpy

        self.env = simpy.Environment()
        self._no_events = simpy.core.EmptySchedule
        self.system = system
        self._replays = scripts is not None
        self.bounded = system.capacity is not None
        self.ports = [_VirtualPort(self, node, conditions, scripts is not None) for node in range(len(system))]
        self.nodes = [
            Trampoline(system, node, conditions, port, recorder, scripts[node] if scripts is not None else None)
            for node, port in enumerate(self.ports)
        ]
        self._tokens = [0] * len(system)
        self._announced = [False] * len(system)
        self._unended = sum(not program.daemon for program in system.programs)
        self._failed: list[Trampoline] = []

    def run(self, look: Callable[[int, int], None] | None = None, every: int = 2048) -> None:
        """Run until all programs have ended that are not daemons, and close the others.

        Parameters
        ----------
        look : callable, optional
            Called once in ``every`` events with the step of node 0 and the number of lost nodes.

        Raises
        ------
        ExecutorError
            If a program failed, if nobody can go on, or if only lost nodes could have finished.
        """
        try:
            for node in range(len(self.nodes)):
                self._advance(node)
            step = self.env.step
            while self._unended and not self._failed:
                for _ in range(every):
                    step()
                    if not self._unended or self._failed:
                        break
                if look is not None:
                    look(self.nodes[0].step or 0, len(self.lost))
        except self._no_events:
            raise self._stuck() from None
        finally:
            for trampoline in self.nodes:
                trampoline.close()
        if self._failed:
            assert self._failed[0].failure is not None
            raise self._failed[0].failure
        workers = [t for t, program in zip(self.nodes, self.system.programs, strict=True) if not program.daemon]
        if all(trampoline.status == "lost" for trampoline in workers):
            listed = ", ".join(map(str, self.lost[:_LISTED]))
            raise LostWorkersError(f"every node that had to finish is lost: {listed}", self.lost)

    @property
    def lost(self) -> tuple[int, ...]:
        """The nodes that crashed."""
        return tuple(i for i, trampoline in enumerate(self.nodes) if trampoline.status == "lost")

    def arrive_later(self, arrivals: Mapping[float, list[int]], message: Message) -> None:
        """Let a message arrive at peers at given times."""
        now = self.env.now
        for time, peers in arrivals.items():
            self.env.timeout(time - now, (peers, message)).callbacks.append(self._arrive)

    def let_go(self, node: int) -> None:
        """Let a node look whether its held message has room now."""
        self.env.timeout(0, node).callbacks.append(self._push)

    def _advance(self, node: int, due: bool = False) -> None:
        trampoline = self.nodes[node]
        self._tokens[node] += 1
        wake = trampoline.advance(due)
        if wake < math.inf:
            delay = max(0.0, wake - self.env.now)
            self.env.timeout(delay, (node, self._tokens[node])).callbacks.append(self._time_is_up)
        elif trampoline.status != "running":
            self._announce(node)

    def _arrive(self, event: Any) -> None:
        peers, message = event.value
        now = self.env.now
        nodes = self.nodes
        for peer in peers:
            own = message.copy()
            own.arrived = now
            if nodes[peer].deliver(own):
                self._advance(peer)

    def _time_is_up(self, event: Any) -> None:
        node, token = event.value
        if token == self._tokens[node]:
            self._advance(node, due=True)

    def _push(self, event: Any) -> None:
        self._advance(event.value)

    def _announce(self, node: int) -> None:
        """Tell the neighbours that a node has ended; a node that hangs says nothing."""
        trampoline = self.nodes[node]
        if self._announced[node] or trampoline.status == "hung":
            return
        self._announced[node] = True
        self._unended -= not trampoline.daemon
        if trampoline.failure is not None:
            self._failed.append(trampoline)
        if trampoline.status == "replayed":
            return
        for peer in self.system.neighbours(node):
            delay = self.ports[node].arrival(peer, 0, None) - self.env.now
            self.env.timeout(delay, (node, peer)).callbacks.append(self._lose)

    def _lose(self, event: Any) -> None:
        node, peer = event.value
        if self.nodes[peer].lose(node, finished=self.nodes[node].status != "lost"):
            self._advance(peer)

    def _stuck(self) -> ExecutorError:
        waiting = [trampoline for trampoline in self.nodes if not trampoline.daemon and not _is_done(trampoline)]
        waiting += [trampoline for trampoline in self.nodes if trampoline.daemon and trampoline.status == "hung"]
        lines = [f"  {trampoline.state}" for trampoline in waiting[:_LISTED]]
        if len(waiting) > _LISTED:
            lines.append(f"  and {len(waiting) - _LISTED} more")
        cycle = _cycle({trampoline.node.id: trampoline.waits_for() for trampoline in self.nodes})
        if cycle:
            lines.append(f"  in a circle: {' waits for '.join(map(str, [*cycle, cycle[0]]))}")
        state = "nothing is under way, and\n" + "\n".join(lines)
        if self._replays:
            # the record of a deadlock ends, and with it the programs do
            return ReplayError(f"the record does not fit the programs: {state}")
        return DeadlockError(f"deadlock: {state}")


class _VirtualPort:
    """The port of one node."""

    def __init__(self, run: VirtualRun, node: int, conditions: Conditions, replays: bool) -> None:
        self.retry = math.inf
        self._run = run
        self._env = run.env
        self._node = node
        self._bounded = run.bounded and not replays
        self._limit = run.system.capacity
        self._queued: dict[int, int] = dict.fromkeys(run.system.targets[node], 0)
        clocks = {peer: None if replays else conditions.link_clock(node, peer) for peer in run.system.neighbours(node)}
        self._clocks: dict[int, LinkClock] = {peer: clock for peer, clock in clocks.items() if clock is not None}

    def now(self) -> float:
        return float(self._env.now)

    def has_room(self, peer: int) -> bool:
        assert self._limit is not None
        return self._queued[peer] < self._limit

    def send(self, peers: Sequence[int], message: Message) -> None:
        message.value = frozen(message.value)
        if len(peers) > 1 and not is_shareable(message.value):
            for peer in peers:
                own = message.copy()
                own.value = frozen(message.value)
                self.send((peer,), own)
            return
        if self._bounded and not message.slot and message.tag != "ack":
            for peer in peers:
                self._queued[peer] += 1
        now = self._env.now
        if not self._clocks:
            self._run.arrive_later({now: list(peers)}, message)
            return
        arrivals: dict[float, list[int]] = {}
        for peer in peers:
            arrivals.setdefault(self.arrival(peer, message.bits, message.step), []).append(peer)
        self._run.arrive_later(arrivals, message)

    def arrival(self, peer: int, bits: int, step: int | None) -> float:
        """Return when something sent now arrives."""
        clock = self._clocks.get(peer)
        return self._env.now if clock is None else clock.arrival(self._env.now, bits, step)

    def taken(self, message: Message) -> None:
        if self._bounded and not message.slot and message.tag != "ack":
            source = self._run.ports[message.source]
            source._queued[self._node] -= 1
            if self._run.nodes[message.source].held:
                self._run.let_go(message.source)

    def crash(self) -> None:
        pass


def _is_done(trampoline: Trampoline) -> bool:
    return trampoline.ended and trampoline.status != "hung"


def _cycle(waits_for: Mapping[int, Sequence[int]]) -> list[int]:
    """Return nodes that wait for each other in a circle, if there are any."""
    import networkx

    graph = networkx.DiGraph([(node, other) for node, others in waits_for.items() for other in others])
    try:
        return [edge[0] for edge in networkx.find_cycle(graph)]
    except networkx.NetworkXNoCycle:
        return []
