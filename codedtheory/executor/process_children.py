"""The processes of a run as their parent sees them: it starts, follows and ends them."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pickle
import select
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from codedtheory.blas_threads import new_blas_threads
from codedtheory.executor.channel import Channel, Frame, socket_pair
from codedtheory.executor.errors import ExecutorError, LostWorkersError, ProgramError, WaitTimeoutError
from codedtheory.executor.held_interrupts import HeldInterrupts
from codedtheory.executor.process_control import (
    CLOSE,
    HELD_SIGNALS,
    UNGUARDED,
    Assignment,
    Ended,
    begin_frame,
    failure_of,
    news_in,
    unpack_result,
)
from codedtheory.executor.process_worker import work
from codedtheory.executor.recorder import Recorder

__all__ = ["Children"]

_TOTALS: dict[str, Any] = {"edges": [], "overwrites": [], "late": 0, "overruns": 0}
# how often a progress display is told, in seconds
_LOOK = 0.1
# an exit takes no longer once the process has closed its socket
_EXIT = 5.0
# even an impatient executor leaves processes so many seconds to start
_START = 60.0
# what the processes are to inherit is changed in this one: by one run at a time
_starting = threading.Lock()
_HINT = (
    "the script begins a run when it is imported, as every process of the run must do; "
    "put that part under: if __name__ == '__main__':"
)


class _Child:
    """A process that is or was a node."""

    def __init__(self, assignment: Assignment, daemon: bool) -> None:
        self.node = assignment.node
        self.assignment = assignment
        self.daemon = daemon
        self.process: Any = None
        self.channel: Channel | None = None
        self.ready = False
        # running, hung, or what ended it
        self.status = "running"
        self.writing = False
        self.killed = False

    @property
    def alive(self) -> bool:
        """Whether the process runs, as far as is known."""
        return self.channel is not None

    def kill(self) -> None:
        """Kill the process."""
        self.killed = True
        self.process.kill()


class Children:
    """The processes of one run.

    Parameters
    ----------
    assignments : sequence of Assignment
        By node.
    daemons : sequence of bool
        By node.
    interrupts : HeldInterrupts
    recorder : Recorder
        For what happens to nodes that can no longer tell it.
    patience, grace : float
        Seconds to wait for the start, and for processes that should end before they are killed.

    Attributes
    ----------
    results : dict of int to object
        What programs returned.
    lost : list of int
        The nodes whose processes died.
    began : float
        When the run began, on the system's monotonic clock; inf before.
    """

    def __init__(
        self,
        assignments: Sequence[Assignment],
        daemons: Sequence[bool],
        interrupts: HeldInterrupts,
        recorder: Recorder,
        *,
        patience: float,
        grace: float,
    ) -> None:
        self.results: dict[int, Any] = {}
        self.lost: list[int] = []
        self.began = math.inf
        self._children = [_Child(a, daemon) for a, daemon in zip(assignments, daemons, strict=True)]
        self._by_descriptor: dict[int, _Child] = {}
        self._interrupts = interrupts
        self._recorder = recorder
        self._patience = patience
        self._grace = grace
        self._failure: ExecutorError | None = None
        self._poller = select.poll()

    def now(self) -> float:
        """Return the seconds since the run began, 0 before."""
        return max(0.0, time.monotonic() - self.began)

    def start(self, start_method: str, blas_threads: int, descriptors: Sequence[Sequence[int]], main: bool) -> None:
        """Start all processes and wait until they are ready.

        Parameters
        ----------
        start_method : str
        blas_threads : int
        descriptors : sequence of sequence of int
            What accompanies the assignments, by node; they stay open.
        main : bool
            Whether the processes need the script that began the run.
        """
        context: Any = multiprocessing.get_context(start_method)
        ends = self._connected()
        try:
            with _starting, new_blas_threads(blas_threads), _main_module(main), _held_signals():
                if start_method == "forkserver":
                    _start_server()
                for child in self._children:
                    self._launch(context, child, ends[child.node])
        finally:
            _close_all(ends)
        for child in self._children:
            if child.channel is not None:
                child.channel.send(pickle.dumps(child.assignment, 5), descriptors[child.node])
                self._write_later(child)
        patience = max(self._patience, _START)
        end = time.monotonic() + patience
        while waiting := [child.node for child in self._children if child.alive and not child.ready]:
            left = end - time.monotonic()
            if left <= 0:
                raise WaitTimeoutError(f"nodes {waiting} were not ready after {patience:g} s")
            self._turn(left)
            self.raise_failure()

    def run(self, look: Callable[[int], None] | None) -> None:
        """Let the nodes begin, and follow them until all have ended that are not daemons.

        Parameters
        ----------
        look : callable or None
            Called now and then with the number of lost nodes.

        Raises
        ------
        ExecutorError
            If a program failed, or all that had to finish are lost.
        """
        self.began = time.monotonic()
        frame = begin_frame(self.began)
        for child in self._children:
            if child.channel is not None:
                child.channel.send(frame)
                self._write_later(child)
        while any(child.status in ("running", "hung") for child in self._children if not child.daemon):
            self._turn(math.inf if look is None else _LOOK)
            self.raise_failure()
            if look is not None:
                look(len(self.lost))
        if all(child.status == "lost" for child in self._children if not child.daemon):
            listed = ", ".join(map(str, self.lost[:20]))
            raise LostWorkersError(f"every node that had to finish is lost: {listed}", self.lost)

    def stop(self, step: Callable[[int], int | None]) -> None:
        """End all processes: those that wait end themselves, those that do not in time are killed."""
        ended = self.now()
        for child in self._children:
            if child.channel is not None:
                child.channel.send(CLOSE)
                self._write_later(child)
        end = time.monotonic() + self._grace
        while any(child.alive for child in self._children) and (left := end - time.monotonic()) > 0:
            self._turn(left, held=True, closing=True)
        for child in self._children:
            if child.alive:
                child.kill()
        for child in self._children:
            if child.channel is not None:
                self._depart(child, closing=True)
            if child.process is not None:
                child.process.join()
                child.process.close()
                child.process = None
            if child.status == "running":
                child.status = "closed"
                self._recorder.ended(child.node, ended, "closed", step(child.node), _TOTALS)

    def raise_failure(self) -> None:
        """Raise what went wrong first, if anything did: a program may fail when it is closed, too."""
        if self._failure is not None:
            raise self._failure

    # -- start -------------------------------------------------------------------------------------------------

    def _connected(self) -> list[dict[int, socket.socket]]:
        """Return the sockets of each node to its neighbours."""
        ends: list[dict[int, socket.socket]] = [{} for _ in self._children]
        try:
            for source, target in sorted({(min(e), max(e)) for c in self._children for e in c.assignment.pairs}):
                ends[source][target], ends[target][source] = socket_pair()
        except BaseException:
            _close_all(ends)
            raise
        return ends

    def _launch(self, context: Any, child: _Child, sockets: dict[int, socket.socket]) -> None:
        here, there = socket_pair()
        process = context.Process(target=work, args=(there, sockets), name=f"node {child.node}", daemon=True)
        try:
            process.start()
        except BaseException:
            here.close()
            raise
        finally:
            there.close()
            _close_all([sockets])
        child.process = process
        child.channel = Channel(here)
        self._by_descriptor[here.fileno()] = child
        self._poller.register(here.fileno(), select.POLLIN)

    # -- news --------------------------------------------------------------------------------------------------

    def _turn(self, seconds: float, held: bool = False, closing: bool = False) -> None:
        """Wait for news, at most for some seconds, and take them."""
        timeout = None if seconds == math.inf else max(0, math.ceil(1000 * seconds))
        if held:
            ready: list[tuple[int, int]] = self._poller.poll(timeout)
        else:
            ready = self._interrupts.let_through(lambda: self._poller.poll(timeout))
        for descriptor, mask in ready:
            child = self._by_descriptor[descriptor]
            channel = child.channel
            assert channel is not None
            if mask & select.POLLOUT and channel.flush() and child.writing:
                child.writing = False
                self._poller.modify(descriptor, select.POLLIN)
            if mask != select.POLLOUT:
                for frame in self._received(child, channel, closing):
                    self._hear(child, frame)
                if channel.closed:
                    self._depart(child, closing)

    def _received(self, child: _Child, channel: Channel, closing: bool) -> list[Frame]:
        try:
            return channel.receive()
        except OSError:
            # what it has to tell cannot be heard
            child.kill()
            if not closing:
                raise
            return []

    def _write_later(self, child: _Child) -> None:
        if child.channel is not None and child.channel.pending and not child.writing:
            child.writing = True
            self._poller.modify(child.channel.fileno(), select.POLLIN | select.POLLOUT)

    def _hear(self, child: _Child, frame: Frame) -> None:
        news = news_in(frame)
        if not isinstance(news, Ended):
            child.ready = True
            return
        child.status = news.status
        if news.failure is not None and self._failure is None:
            self._failure = failure_of(news.failure)
        if news.result is not None:
            try:
                self.results[child.node] = unpack_result(news.result, frame[1])
            except (Exception, SystemExit) as error:
                text = f"the result of {child.assignment.name} cannot be loaded: {type(error).__name__}: {error}"
                self._failure = self._failure or ProgramError(child.node, news.step, text)

    def _depart(self, child: _Child, closing: bool) -> None:
        """Note that a process has closed its socket: it has ended, one way or another."""
        assert child.channel is not None
        descriptor = child.channel.fileno()
        self._poller.unregister(descriptor)
        del self._by_descriptor[descriptor]
        child.channel.close()
        child.channel = None
        process = child.process
        process.join(_EXIT)
        if process.exitcode is None:
            process.kill()
            process.join()
        code = process.exitcode
        # one that dies while the others are told to end is lost too
        if child.status in ("running", "hung") and not (closing and (child.killed or code == 0)):
            self._lose(child, code)
        # where the script ignores SIGCHLD the system tells nobody that a process has ended
        with contextlib.suppress(ValueError):
            process.close()
        child.process = None

    def _lose(self, child: _Child, code: int | None) -> None:
        reason = "exit code unknown" if code is None else f"exit code {code}"
        if code is not None and code < 0:
            reason = signal.Signals(-code).name
        elif not child.ready and self._failure is None:
            self._failure = ExecutorError(
                _HINT if code == UNGUARDED else f"the process of node {child.node} ended before it was ready, {reason}"
            )
        child.status = "lost"
        self.lost.append(child.node)
        self._recorder.noted(child.node, "lost", self.now(), reason=reason)
        self._recorder.ended(child.node, self.now(), "lost", None, _TOTALS)
        self._recorder.flush()


def _close_all(ends: Sequence[dict[int, socket.socket]]) -> None:
    for sockets in ends:
        for end in sockets.values():
            end.close()


@contextlib.contextmanager
def _main_module(needed: bool) -> Iterator[None]:
    """Start processes without the script that began this one, which may import much, unless they need it."""
    main = sys.modules.get("__main__")
    file = getattr(main, "__file__", None)
    # what was read from standard input cannot be read again
    if main is None or (needed and (file is None or os.path.exists(file))):
        yield
        return
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _start_server() -> None:
    """Start the process that others are forked from, without the script: one that has no guard would end it."""
    from multiprocessing import forkserver

    with _main_module(needed=False):
        forkserver.ensure_running()


@contextlib.contextmanager
def _held_signals() -> Iterator[None]:
    """Start processes that no signal reaches before they are prepared for it."""
    from multiprocessing import resource_tracker

    # it would let them through again when it is started
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
