"""What the supervising process and the processes of the nodes tell each other."""

from __future__ import annotations

import pickle
import signal
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from codedtheory.executor.channel import Frame
from codedtheory.executor.errors import (
    DeadlockError,
    ExecutorError,
    LostWorkersError,
    ProgramError,
    ReplayError,
    WaitTimeoutError,
)
from codedtheory.executor.pickling import dump, load
from codedtheory.executor.process_port import Edges
from codedtheory.executor.replay import Script
from codedtheory.executor.shared_memory import attach_segment, create_segment

__all__ = [
    "CLOSE",
    "HELD_SIGNALS",
    "UNGUARDED",
    "Assignment",
    "Ended",
    "PackedResult",
    "began",
    "begin_frame",
    "failure_of",
    "frame_of",
    "news_in",
    "pack_result",
    "packed_failure",
    "unpack_result",
]

# kept from processes until they are prepared for them
HELD_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# tells a node to end
CLOSE = b"close"
# the exit code of a process that began a run while it was importing the script that began this one
UNGUARDED = 97

_BEGIN = struct.Struct("<d")
# longer results travel through shared memory
_LONGEST_IN_FRAME = 1 << 16
_FAILURES: tuple[type[ExecutorError], ...] = (LostWorkersError, DeadlockError, WaitTimeoutError, ReplayError)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a process needs to be a node.

    Attributes
    ----------
    node, nodes : int
        Which one, of how many.
    name : str
        The program, as errors call it.
    program, conditions : bytes
        From `place_programs`.
    data_size : int
        Bytes of the data of all programs; their segment follows that of the status.
    pairs : tuple of (int, int)
        The edges of this node.
    edges : Edges
        Their places in the shared status.
    all_edges : int
        How many there are in the system.
    capacity : int or None
    directory : str or None
        Of the record; without one the descriptor of a segment for it comes last.
    watch : collection of int or None
    script : Script or None
        What is replayed.
    blas_threads : int
    patience : float
    """

    node: int
    nodes: int
    name: str
    program: bytes
    conditions: bytes
    data_size: int
    pairs: tuple[tuple[int, int], ...]
    edges: Edges
    all_edges: int
    capacity: int | None
    directory: str | None
    watch: Collection[int] | None
    script: Script | None
    blas_threads: int
    patience: float


@dataclass(frozen=True, slots=True)
class PackedResult:
    """What a program returned, on its way; the memory of its arrays follows in one piece."""

    stream: bytes
    sizes: tuple[int, ...]
    inline: bytes | None


@dataclass(frozen=True, slots=True)
class Ended:
    """How the program of a node ended."""

    status: str
    step: int | None
    result: PackedResult | None = None
    failure: tuple[str, tuple[Any, ...]] | None = None


def begin_frame(time: float) -> bytes:
    """Return the frame that tells the nodes to begin; ``time`` is that of the system's monotonic clock."""
    return _BEGIN.pack(time)


def began(frame: bytes) -> float:
    """Return the time in a frame of `begin_frame`."""
    return float(_BEGIN.unpack(frame)[0])


def packed_failure(failure: ExecutorError) -> tuple[str, tuple[Any, ...]]:
    """Return a failure as plain data."""
    if isinstance(failure, ProgramError):
        return ProgramError.__name__, (failure.node, failure.step, failure.details)
    for kind in _FAILURES:
        if isinstance(failure, kind):
            lost = (failure.lost,) if isinstance(failure, LostWorkersError) else ()
            return kind.__name__, (failure.message, *lost)
    return ExecutorError.__name__, (failure.message,)


def failure_of(packed: tuple[str, tuple[Any, ...]]) -> ExecutorError:
    """Return the failure that was packed.

    Examples
    --------
    >>> failure_of(packed_failure(LostWorkersError("too few", [2]))).lost
    (2,)
    """
    name, arguments = packed
    kinds: dict[str, type[ExecutorError]] = {kind.__name__: kind for kind in (ProgramError, ExecutorError, *_FAILURES)}
    failure: Any = kinds[name]
    built: ExecutorError = failure(*arguments)
    return built


def pack_result(value: Any) -> tuple[PackedResult, int | None]:
    """Pack a result; the second is the descriptor of the memory of its arrays, which the caller closes.

    Raises
    ------
    Exception
        Whatever pickling raises.
    OSError
        When memory does not suffice.
    """
    stream, buffers = dump(value)
    sizes = tuple(len(buffer) for buffer in buffers)
    if sum(sizes) <= _LONGEST_IN_FRAME:
        return PackedResult(stream, sizes, b"".join(buffers)), None
    segment = create_segment(sum(sizes), "the result of a program")
    start = 0
    for buffer in buffers:
        segment.memory[start : start + len(buffer)] = buffer
        start += len(buffer)
    return PackedResult(stream, sizes, None), segment.descriptor


def unpack_result(packed: PackedResult, descriptors: Sequence[int]) -> Any:
    """Return a result, whose arrays are the caller's own; the descriptors are closed.

    Examples
    --------
    >>> import numpy as np
    >>> packed, descriptor = pack_result({"model": np.ones(3)})
    >>> unpack_result(packed, [])
    {'model': array([1., 1., 1.])}
    """
    memory: Any = packed.inline if packed.inline is not None else attach_segment(descriptors[0], sum(packed.sizes))
    buffers: list[Any] = []
    start = 0
    with memoryview(memory) as view:
        for size in packed.sizes:
            buffers.append(bytearray(view[start : start + size]))
            start += size
    return load(packed.stream, buffers)


def frame_of(news: int | Ended) -> bytes:
    """Return the frame with the news of a node: how many BLAS threads it has, once it is ready, or how it ended."""
    return pickle.dumps(news, 5)


def news_in(frame: Frame) -> int | Ended:
    """Return the news in a frame of `frame_of`."""
    news: int | Ended = pickle.loads(frame[0])  # noqa: S301 - pickled by a process of the same run
    return news
