"""What an MPI rank does: it is a node of one run after the other, as rank 0 says."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from codedtheory.blas_threads import limited_blas_threads, one_blas_thread
from codedtheory.executor.drive import drive
from codedtheory.executor.errors import ExecutorError, ProgramError
from codedtheory.executor.mpi_channel import (
    ENDED,
    FINAL,
    LEAVE,
    READY,
    START,
    Packed,
    RunChannel,
    pack,
    unpack,
)
from codedtheory.executor.mpi_port import Closed, MPIPort
from codedtheory.executor.mpi_transport import Frame, Transport
from codedtheory.executor.pickling import unpicklable
from codedtheory.executor.process_control import packed_failure
from codedtheory.executor.recorder import FileRecorder, MemoryRecorder, Recorder
from codedtheory.executor.replay import Script
from codedtheory.executor.system import Program, System
from codedtheory.executor.trampoline import Trampoline
from codedtheory.executor.watched import Watched

__all__ = ["Assignment", "Ended", "NodeRun", "serve"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a rank needs to be a node; program and conditions follow as bodies of the frame.

    Attributes
    ----------
    node, nodes : int
        Which one, of how many.
    name : str
        The program, as errors call it.
    packed : bytes
        Program and conditions.
    pairs : tuple of (int, int)
        The edges of this node.
    capacity : int or None
    directory : str or None
        Of the record, if it is written as the run goes.
    watch : collection of int or None
    script : Script or None
        What is replayed.
    patience : float
    """

    node: int
    nodes: int
    name: str
    packed: bytes
    pairs: tuple[tuple[int, int], ...]
    capacity: int | None
    directory: str | None
    watch: Collection[int] | None
    script: Script | None
    patience: float

    @property
    def neighbours(self) -> tuple[int, ...]:
        """The nodes that share an edge with this one."""
        return tuple(sorted({node for pair in self.pairs for node in pair} - {self.node}))


@dataclass(frozen=True, slots=True)
class Ended:
    """How the program of a node ended; what it returned is packed."""

    status: str
    step: int | None
    failure: tuple[str, tuple[Any, ...]] | None = None
    result: bytes | None = None


class NodeRun:
    """One node with all that it needs.

    Parameters
    ----------
    assignment : Assignment
    bodies : list of memoryview
        That came with it.
    channel : RunChannel

    Attributes
    ----------
    memory : MemoryRecorder or None
        What was recorded, if it is not in files.
    """

    def __init__(self, assignment: Assignment, bodies: list[memoryview], channel: RunChannel) -> None:
        node, script = assignment.node, assignment.script
        program, conditions = _loaded(assignment, bodies)
        programs = [program if i == node else _PLACEHOLDER for i in range(assignment.nodes)]
        system = System(programs, assignment.pairs, capacity=assignment.capacity)
        self.assignment = assignment
        self.channel = channel
        self.port = MPIPort(
            channel, assignment.neighbours, assignment.capacity, script is not None, assignment.patience
        )
        self.memory: MemoryRecorder | None = None
        self._file: FileRecorder | None = None
        if assignment.directory is None:
            recorder: Recorder = (memory := MemoryRecorder())
            self.memory = memory
        else:
            recorder = self._file = _file_recorder(assignment.directory, node)
        self._recorder = recorder if assignment.watch is None else Watched(recorder, assignment.watch)
        self.trampoline = Trampoline(system, node, conditions, self.port, self._recorder, script)
        clocks = {
            peer: None if script is not None else conditions.link_clock(peer, node) for peer in assignment.neighbours
        }
        self._clocks = {peer: clock for peer, clock in clocks.items() if clock is not None}

    def run(self) -> ExecutorError | None:
        """Run the program to its end, and tell the neighbours; return why it failed, if it did."""
        trampoline, port = self.trampoline, self.port
        port.begin(trampoline)
        try:
            drive(trampoline, port, self._recorder, self._clocks)
            failure = trampoline.failure
        except Closed:
            failure = None
        except KeyboardInterrupt:
            trampoline.close()
            self._recorder.flush()
            raise
        except ExecutorError as error:
            failure = error
        except BaseException:
            failure = ProgramError(self.assignment.node, trampoline.step, traceback.format_exc())
        trampoline.close("closed" if failure is None else "failed")
        self._recorder.flush()
        # who fails says nothing: the run is over, and the others shall not fail for want of messages
        if trampoline.status in ("finished", "closed"):
            port.say_farewell()
        return failure or trampoline.failure

    def ended(self, failure: ExecutorError | None) -> tuple[Ended, list[memoryview]]:
        """Return how the program ended, with the memory of its result."""
        trampoline, result = self.trampoline, Packed(b"", [])
        if failure is None and trampoline.status == "finished":
            try:
                result = pack(trampoline.result)
            except Exception as error:
                text = str(unpicklable(f"result of node {self.assignment.node} ({self.assignment.name})", error))
                failure = ProgramError(self.assignment.node, None, f"TypeError: {text}")
        if failure is not None:
            return Ended("failed", trampoline.step, packed_failure(failure)), []
        finished = trampoline.status == "finished"
        return Ended(trampoline.status, trampoline.step, None, result.payload if finished else None), result.bodies

    def close(self) -> None:
        """Write what was recorded."""
        if self._file is not None:
            self._file.close()


def serve(transport: Transport) -> None:
    """Run the nodes that rank 0 assigns, until it needs this rank no more."""
    while True:
        for frame in transport.receive():
            if frame.kind == LEAVE:
                return
            if frame.kind == START:
                with one_blas_thread(), limited_blas_threads():
                    _serve_run(transport, frame)
                break
        else:
            transport.pause()


def _serve_run(transport: Transport, frame: Frame) -> None:
    assignment: Assignment = pickle.loads(frame.payload)  # noqa: S301 - pickled by rank 0
    channel = RunChannel(transport, frame.run, assignment.neighbours)
    node = None
    try:
        node = NodeRun(assignment, frame.bodies, channel)
    except BaseException:
        failure = packed_failure(ProgramError(assignment.node, None, traceback.format_exc()))
        channel.send((0,), READY, pickle.dumps(failure))
    else:
        channel.send((0,), READY)
        if channel.wait_for_begin():
            _run_node(node, channel)
    channel.wait(lambda: channel.closing)
    channel.leave()
    recorded = Packed(b"", [])
    if node is not None:
        node.close()
        if node.memory is not None:
            recorded = pack(node.memory)
    channel.send((0,), FINAL, recorded.payload, recorded.bodies)
    while not transport.quiet:
        transport.pause()


def _run_node(node: NodeRun, channel: RunChannel) -> None:
    news, bodies = node.ended(node.run())
    channel.send((0,), ENDED, pickle.dumps(news, 5), bodies)
    if news.status != "hung":
        while not channel.closing:
            if not node.port.absorb():
                channel.pause()


def _loaded(assignment: Assignment, bodies: list[memoryview]) -> Any:
    try:
        return unpack(assignment.packed, bodies)
    except Exception as error:
        raise TypeError(
            f"{assignment.name} cannot be loaded on its rank: {type(error).__name__}: {error}; every rank must run the "
            "same script, and define the program before it makes the executor"
        ) from error


def _file_recorder(directory: str, node: int) -> FileRecorder:
    try:
        return FileRecorder(directory, f"node-{node:03d}")
    except OSError as error:
        raise OSError(f"node {node} cannot write its record: {error}; all ranks must see its directory") from error


def _nothing(node: Any) -> Any:
    yield from ()


_PLACEHOLDER = Program(_nothing)
