"""The supervisor of a run on MPI ranks: rank 0 starts it, follows it and ends it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any

from codedtheory.executor.errors import ExecutorError, LostWorkersError, ProgramError, WaitTimeoutError
from codedtheory.executor.mpi_channel import CLOSE, ENDED, FINAL, READY, START, RunChannel, unpack
from codedtheory.executor.mpi_rank import Assignment, Ended, NodeRun
from codedtheory.executor.mpi_transport import Frame, Transport
from codedtheory.executor.process_control import failure_of
from codedtheory.executor.recorder import MemoryRecorder

__all__ = ["Supervisor"]

_LISTED = 20


class Supervisor:
    """One run as rank 0 sees it; it runs node 0 too.

    Parameters
    ----------
    transport : Transport
    run : int
        The number of the run.
    assignments : sequence of Assignment
        By node.
    bodies : sequence of list of memoryview
        By node, of the assignments.
    daemons : sequence of bool
        By node.
    patience : float
    look : callable
        Called now and then with the step of node 0 and the number of lost nodes; it may interrupt the run.

    Attributes
    ----------
    results : dict of int to object
        What programs returned.
    recorded : list of MemoryRecorder
        What the nodes recorded in memory.
    seconds : float
        How long it took.
    clean : bool
        Whether it is over on all ranks.
    """

    def __init__(
        self,
        transport: Transport,
        run: int,
        assignments: Sequence[Assignment],
        bodies: Sequence[list[memoryview]],
        daemons: Sequence[bool],
        *,
        patience: float,
        look: Callable[[int, int], None],
    ) -> None:
        self.results: dict[int, Any] = {}
        self.recorded: list[MemoryRecorder] = []
        self.seconds = 0.0
        self.clean = False
        self._assignments = assignments
        self._bodies = bodies
        self._daemons = daemons
        self._patience = patience
        self._look_outside = look
        self._channel = RunChannel(transport, run, assignments[0].neighbours, self._hear)
        self._node: NodeRun | None = None
        self._started: list[int] = []
        self._ready: set[int] = set()
        self._statuses: dict[int, str] = {}
        self._hung: dict[int, tuple[float, int | None]] = {}
        self._final: set[int] = set()
        self._failure: ExecutorError | None = None

    @property
    def lost(self) -> list[int]:
        """The nodes that are lost."""
        return sorted(node for node, status in self._statuses.items() if status == "lost")

    def run(self) -> dict[int, Any]:
        """Run the nodes, and return what they returned.

        Raises
        ------
        ExecutorError
            If a program failed, or all that had to finish are lost.
        """
        try:
            self._start()
            self._follow()
        finally:
            stuck = self._stop()
        if self._failure is not None:
            raise self._failure
        if stuck:
            text = f"the nodes {stuck} did not come back from a computation within {self._patience:g} s"
            raise ExecutorError(f"{text}; no further run is possible")
        if all(self._statuses.get(node) == "lost" for node, daemon in enumerate(self._daemons) if not daemon):
            listed = ", ".join(map(str, self.lost[:_LISTED]))
            raise LostWorkersError(f"every node that had to finish is lost: {listed}", self.lost)
        return dict(sorted(self.results.items()))

    def _start(self) -> None:
        for assignment, bodies in list(zip(self._assignments, self._bodies, strict=True))[1:]:
            self._channel.send((assignment.node,), START, pickle.dumps(assignment, 5), bodies)
            self._started.append(assignment.node)
        try:
            self._node = NodeRun(self._assignments[0], self._bodies[0], self._channel)
        except Exception as error:
            self._failure = ProgramError(0, None, f"{type(error).__name__}: {error}")
        end = time.monotonic() + self._patience
        while self._failure is None and len(self._ready) < len(self._started):
            if not self._channel.receive():
                self._look(0.0)
                if time.monotonic() > end:
                    missing = sorted(set(self._started) - self._ready)
                    self._failure = WaitTimeoutError(f"ranks {missing} were not ready after {self._patience:g} s")
                self._channel.pause()

    def _follow(self) -> None:
        node = self._node
        if self._failure is not None or node is None:
            return
        self._channel.begin(self._started)
        node.port.watch = self._look
        failure = node.run()
        self._note(0, Ended("failed" if failure else node.trampoline.status, node.trampoline.step))
        self._failure = self._failure or failure
        if node.trampoline.status == "finished":
            self.results[0] = node.trampoline.result
        self._close_if_over()
        while not self._channel.closing:
            if not node.port.absorb():
                self._channel.pause()

    def _stop(self) -> list[int]:
        """End the run on all ranks; return those that have not come back when patience ends."""
        channel, node = self._channel, self._node
        self.seconds = 0.0 if channel.began is None else time.monotonic() - channel.began
        channel.send(self._started, CLOSE)
        self.clean = channel.leave(self._patience) and channel.wait(self._all_final, self._patience)
        if node is not None:
            node.close()
            if node.memory is not None:
                self.recorded.append(node.memory)
        return sorted(set(self._started) - self._final)

    def _all_final(self) -> bool:
        return len(self._final) == len(self._started)

    # -- news --------------------------------------------------------------------------------------------------

    def _hear(self, frame: Frame) -> None:
        node = frame.source
        if frame.kind == READY:
            self._ready.add(node)
            if len(frame.payload):
                self._failure = self._failure or failure_of(pickle.loads(frame.payload))  # noqa: S301 - from a rank
        elif frame.kind == ENDED:
            news: Ended = pickle.loads(frame.payload)  # noqa: S301 - from a rank
            if news.failure is not None:
                self._failure = self._failure or failure_of(news.failure)
            if news.result is not None:
                self._take_result(node, news, frame.bodies)
            self._note(node, news)
            self._close_if_over()
        elif frame.kind == FINAL:
            self._final.add(node)
            if len(frame.payload):
                self.recorded.append(unpack(frame.payload, frame.bodies))

    def _take_result(self, node: int, news: Ended, bodies: list[memoryview]) -> None:
        assert news.result is not None
        try:
            self.results[node] = unpack(news.result, bodies, writable=True)
        except Exception as error:
            name = self._assignments[node].name
            text = f"the result of {name} cannot be loaded: {type(error).__name__}: {error}"
            self._failure = self._failure or ProgramError(node, news.step, text)

    def _note(self, node: int, news: Ended) -> None:
        self._statuses[node] = news.status
        if news.status == "hung" and not self._daemons[node]:
            self._hung[node] = (time.monotonic(), news.step)

    def _close_if_over(self) -> None:
        needed = [node for node, daemon in enumerate(self._daemons) if not daemon]
        over = all(self._statuses.get(node, "hung") != "hung" for node in needed)
        if over or self._failure is not None:
            self._channel.closing = True

    def _look(self, now: float) -> None:
        step = None if self._node is None else self._node.trampoline.step
        self._look_outside(step or 0, len(self.lost))
        for node, (since, at) in self._hung.items():
            if time.monotonic() - since > self._patience and self._failure is None:
                text = f"node {node} hangs in step {at} for more than {self._patience:g} s"
                self._failure = WaitTimeoutError(text)
                self._channel.closing = True
