"""Runs on a virtual clock: programs of thousands of nodes in one process, the same for the same seed."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simpy import Environment, Event
from simpy.core import EmptySchedule

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.errors import DeadlockError, ExecutorError, LostWorkersError, ReplayError
from codedtheory.executor.links import LinkClock
from codedtheory.executor.message import ACK, Message
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
        self.env = Environment(initial_time=0.0)
        self._soon: deque[tuple[Callable[[Any], None], Any]] = deque()
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
            step, soon = self.env.step, self._soon
            while self._unended and not self._failed:
                for _ in range(every):
                    if soon:
                        function, argument = soon.popleft()
                        function(argument)
                    else:
                        step()
                    if not self._unended or self._failed:
                        break
                if look is not None:
                    look(self.nodes[0].step or 0, len(self.lost))
        except EmptySchedule:
            raise self._stuck() from None
        finally:
            for trampoline in self.nodes:
                trampoline.close()
        for trampoline in (*self._failed, *self.nodes):
            # a daemon may fail when it is closed
            if trampoline.failure is not None:
                raise trampoline.failure
        workers = [t for t, program in zip(self.nodes, self.system.programs, strict=True) if not program.daemon]
        if all(trampoline.status == "lost" for trampoline in workers):
            listed = ", ".join(map(str, self.lost[:_LISTED]))
            raise LostWorkersError(f"every node that had to finish is lost: {listed}", self.lost)

    @property
    def lost(self) -> tuple[int, ...]:
        """The nodes that crashed."""
        return tuple(i for i, trampoline in enumerate(self.nodes) if trampoline.status == "lost")

    def later(self, delay: float, function: Callable[[Any], None], argument: Any) -> None:
        """Call ``function(argument)`` in ``delay`` seconds, after everything that was to happen at that time before."""
        env = self.env
        # what comes next anyway needs no place in the schedule
        if delay == 0.0 and (self._soon or env.peek() > env.now):
            self._soon.append((function, argument))
        else:
            _Call(env, delay, function, argument)

    def arrive(self, arrival: tuple[Sequence[int], Message]) -> None:
        """Let a message arrive at peers; it is theirs then."""
        peers, message = arrival
        message.arrived = self.env.now
        nodes = self.nodes
        last = len(peers) - 1
        for i, peer in enumerate(peers):
            if nodes[peer].deliver(message.copy() if i < last else message):
                self._advance(peer)

    def let_go(self, node: int) -> None:
        """Let a node look whether its held message has room now."""
        self.later(0.0, self._advance, node)

    def _advance(self, node: int, due: bool = False) -> None:
        trampoline = self.nodes[node]
        self._tokens[node] += 1
        wake = trampoline.advance(due)
        if wake < math.inf:
            self.later(max(0.0, wake - self.env.now), self._wake, (node, self._tokens[node]))
        elif trampoline.status != "running":
            self._announce(node)

    def _wake(self, call: tuple[int, int]) -> None:
        node, token = call
        if token == self._tokens[node]:
            self._advance(node, due=True)

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
            self.later(self.ports[node].arrival(peer, 0, None) - self.env.now, self._lose, (node, peer))

    def _lose(self, news: tuple[int, int]) -> None:
        node, peer = news
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


class _Call(Event):
    """A call at a time to come."""

    _ok = True

    def __init__(self, env: Environment, delay: float, function: Callable[[Any], None], argument: Any) -> None:
        self.env = env
        self.callbacks = [self._make]
        self._function = function
        self._value = argument
        env.schedule(self, delay=delay)

    def _make(self, event: Event) -> None:
        self._function(self._value)


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
        return self._env.now

    def has_room(self, peer: int) -> bool:
        assert self._limit is not None
        return self._queued[peer] < self._limit

    def send(self, peers: Sequence[int], message: Message) -> None:
        value = frozen(message.value)
        message.value = value
        if self._bounded and not message.slot and message.tag != ACK:
            for peer in peers:
                self._queued[peer] += 1
        run = self._run
        if not self._clocks and (len(peers) == 1 or is_shareable(value)):
            # a held message goes to others later
            run.later(0.0, run.arrive, (peers, message.copy() if self._bounded else message))
            return
        for peer in peers:
            own = message.copy()
            own.value = value if is_shareable(value) else frozen(value)
            delay = self.arrival(peer, message.bits, message.step) - self._env.now
            run.later(delay, run.arrive, ((peer,), own))

    def arrival(self, peer: int, bits: int, step: int | None) -> float:
        """Return when something sent now arrives."""
        clock = self._clocks.get(peer)
        return self._env.now if clock is None else clock.arrival(self._env.now, bits, step)

    def taken(self, message: Message) -> None:
        if self._bounded and not message.slot and message.tag != ACK:
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
