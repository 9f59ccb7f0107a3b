"""What a process of a run does: it is one node, from its assignment to its end."""

from __future__ import annotations

import atexit
import contextlib
import gc
import math
import os
import pickle
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing import parent_process
from types import FrameType
from typing import Any, NoReturn

from codedtheory.executor.channel import Channel, Frame
from codedtheory.executor.conditions import Conditions
from codedtheory.executor.drive import drive
from codedtheory.executor.errors import ExecutorError, ProgramError, WaitTimeoutError
from codedtheory.executor.parent_death import die_with_parent
from codedtheory.executor.pickling import unpicklable
from codedtheory.executor.process_control import (
    CLOSE,
    HELD_SIGNALS,
    Assignment,
    Ended,
    PackedResult,
    began,
    frame_of,
    pack_result,
    packed_failure,
)
from codedtheory.executor.process_port import ProcessPort
from codedtheory.executor.process_status import SharedStatus
from codedtheory.executor.recorder import FileRecorder, Recorder
from codedtheory.executor.shared_arguments import attach_data, load_program
from codedtheory.executor.shared_recorder import SharedRecorder
from codedtheory.executor.system import Program, System
from codedtheory.executor.trampoline import Trampoline
from codedtheory.executor.watched import Watched

__all__ = ["work"]

# seconds that a parent may take to end by a signal
_AFTER_PARENT = 1.0


def work(control: socket.socket, sockets: Mapping[int, socket.socket]) -> None:
    """Be a node.

    Parameters
    ----------
    control : socket.socket
        To the supervising process, which sends an assignment.
    sockets : mapping of int to socket.socket
        To the neighbours.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup has them ignored
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end_after_parent)
    threading.Thread(target=_follow_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_SIGNALS)
    channel = Channel(control)
    (frame, descriptors), *others = _next_frames(channel)
    if frame == CLOSE or others:
        _leave(0)
    assignment: Assignment = pickle.loads(frame)  # noqa: S301 - pickled by the parent
    links = {peer: Channel(connection) for peer, connection in sockets.items()}
    try:
        worker = _Worker(assignment, channel, links, descriptors)
    except BaseException:
        _tell(channel, Ended("failed", None, failure=_program_failure(assignment.node, None)))
        _flush(channel)
        _leave(0)
    die_with_parent()
    # what is loaded stays: the collector need not look at it again and again
    gc.freeze()
    channel.send(frame_of(worker.blas_threads))
    (frame, _), *others = _next_frames(channel)
    if frame != CLOSE:
        worker.run(began(frame), closing=bool(others))
        if worker.orphaned:
            os._exit(1)
    _leave(0)


class _Worker:
    """One node with all that it needs."""

    def __init__(
        self, assignment: Assignment, control: Channel, links: Mapping[int, Channel], descriptors: Sequence[int]
    ) -> None:
        self.blas_threads = _limit_blas_threads(assignment.blas_threads)
        self._assignment = assignment
        self._control = control
        node = assignment.node
        status = SharedStatus.attach(descriptors[0], assignment.nodes, assignment.all_edges)
        data = attach_data(descriptors[1], assignment.data_size) if assignment.data_size else None
        program, conditions = _loaded(assignment, data)
        programs = [program if i == node else _PLACEHOLDER for i in range(assignment.nodes)]
        system = System(programs, assignment.pairs, capacity=assignment.capacity)
        replays = assignment.script is not None
        capacity = None if replays else assignment.capacity
        self._port = ProcessPort(node, control, links, assignment.edges, status, capacity, replays)
        recorder: Recorder
        if assignment.directory is None:
            recorder = SharedRecorder(descriptors[-1])
        else:
            recorder = FileRecorder(assignment.directory, f"node-{node:03d}")
        self._recorder = recorder if assignment.watch is None else Watched(recorder, assignment.watch)
        self._trampoline = Trampoline(system, node, conditions, self._port, self._recorder, assignment.script)
        self._port.serve(self._trampoline, assignment.patience)
        clocks = {peer: None if replays else conditions.link_clock(peer, node) for peer in system.neighbours(node)}
        self._clocks = {peer: clock for peer, clock in clocks.items() if clock is not None}

    @property
    def orphaned(self) -> bool:
        """Whether the supervising process is gone."""
        return self._port.orphaned

    def run(self, time: float, closing: bool) -> None:
        """Run the program to its end and tell the others."""
        trampoline, port, node = self._trampoline, self._port, self._assignment.node
        port.begin(time)
        port.closing = closing
        try:
            drive(trampoline, port, self._recorder, self._clocks)
            failure = trampoline.failure
        except ExecutorError as error:
            failure = error
        except BaseException:
            failure = ProgramError(node, trampoline.step, traceback.format_exc())
        try:
            trampoline.close("closed" if failure is None else "failed")
            self._recorder.flush()
        except Exception:
            failure = failure or ProgramError(node, trampoline.step, traceback.format_exc())
        failure = failure or trampoline.failure
        if trampoline.status == "hung":
            self._hang()
            return
        result, descriptor = None, None
        if failure is None and trampoline.status == "finished":
            try:
                result, descriptor = _packed(trampoline.result, self._assignment)
            except ExecutorError as error:
                failure = error
        self._tell_end(failure, result, descriptor)
        if failure is not None:
            # the run ends now; neighbours that knew would fail too, and one of them perhaps be named for it
            port.stay(math.inf)
            return
        port.settle(finished=trampoline.status != "replayed")

    def _tell_end(self, failure: ExecutorError | None, result: PackedResult | None, descriptor: int | None) -> None:
        trampoline = self._trampoline
        packed = None if failure is None else packed_failure(failure)
        status = trampoline.status if failure is None else "failed"
        _tell(self._control, Ended(status, trampoline.step, result, packed), descriptor)

    def _hang(self) -> None:
        """Stay as a process that does nothing; without patience if nobody needs its end."""
        trampoline, patience = self._trampoline, self._assignment.patience
        _tell(self._control, Ended("hung", trampoline.step))
        self._port.stay(math.inf if trampoline.daemon else patience)
        if not trampoline.daemon and not self._port.closing:
            text = f"node {trampoline.node.id} hangs in step {trampoline.step} for more than {patience:g} s"
            _tell(self._control, Ended("failed", trampoline.step, failure=packed_failure(WaitTimeoutError(text))))
            self._port.stay(math.inf)


def _tell(control: Channel, news: Ended, descriptor: int | None = None) -> None:
    control.send(frame_of(news), () if descriptor is None else (descriptor,))


def _packed(result: Any, assignment: Assignment) -> tuple[PackedResult, int | None]:
    try:
        return pack_result(result)
    except (Exception, SystemExit) as error:
        text = str(unpicklable(f"result of node {assignment.node} ({assignment.name})", error))
        raise ProgramError(assignment.node, None, f"TypeError: {text}") from error


def _loaded(assignment: Assignment, data: memoryview | None) -> tuple[Program, Conditions]:
    try:
        return load_program(assignment.program, data), load_program(assignment.conditions, data)
    except (Exception, SystemExit) as error:
        text = f"{assignment.name} cannot be loaded in its process: {type(error).__name__}: {error}"
        if "__main__" in text or "__mp_main__" in text:
            text += "; write it into a file, at the top level"
        raise TypeError(text) from error


def _program_failure(node: int, step: int | None) -> tuple[str, tuple[Any, ...]]:
    return packed_failure(ProgramError(node, step, traceback.format_exc()))


def _limit_blas_threads(threads: int) -> int:
    """Return how many threads linear algebra has in this process, after the script's own settings were overruled."""
    from threadpoolctl import ThreadpoolController

    controller = ThreadpoolController().select(user_api="blas")
    if any(library["num_threads"] > threads for library in controller.info()):
        controller.limit(limits=threads)
    return max((library["num_threads"] for library in controller.info()), default=1)


def _next_frames(channel: Channel) -> list[Frame]:
    poller = select.poll()
    poller.register(channel.fileno(), select.POLLIN)
    while True:
        poller.poll()
        frames = channel.receive()
        if frames:
            return frames
        if channel.closed:
            os._exit(1)


def _flush(channel: Channel) -> None:
    poller = select.poll()
    poller.register(channel.fileno(), select.POLLOUT)
    while channel.pending:
        poller.poll()
        channel.flush()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is None:
        return
    # its own join would import much
    poller = select.poll()
    poller.register(parent.sentinel, select.POLLIN)
    # a program that closes all files closes this one too
    if any(not mask & select.POLLNVAL for _, mask in poller.poll()):
        os._exit(1)


def _end_after_parent(number: int, frame: FrameType | None) -> None:
    """End by a signal, but not before a parent that was sent it too, and may want to save what there is."""
    time.sleep(_AFTER_PARENT)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _leave(code: int) -> NoReturn:
    # taking the interpreter apart takes longer than many a run
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code)


def _nothing(node: Any) -> Any:
    yield from ()


_PLACEHOLDER = Program(_nothing)
