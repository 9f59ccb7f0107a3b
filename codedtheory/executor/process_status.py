"""Numbers that all processes of a run see: each is written by one process only, so no lock is needed."""

from __future__ import annotations

import mmap

from codedtheory.executor.shared_memory import Segment, attach_segment, create_segment

__all__ = ["SharedStatus"]

_WORD = 8
_NO_STEP = -(2**63)
_STEPS = range(_NO_STEP + 1, 2**63)


class SharedStatus:
    """Steps of the nodes, and of every edge how many messages its target has taken and read.

    Parameters
    ----------
    memory : mmap.mmap
        Zero at first.
    nodes, edges : int
        How many there are.

    Attributes
    ----------
    taken : memoryview of int
        By edge, how many messages of its queue the target has taken.
    slots_read : memoryview of int
        By edge, how many slot messages the target has read off its socket.

    Examples
    --------
    >>> import os
    >>> status, segment = SharedStatus.create(2, 1)
    >>> status.set_step(1, 7)
    >>> status.taken[0] += 1
    >>> other = SharedStatus.attach(os.dup(segment.descriptor), 2, 1)
    >>> other.step(0), other.step(1), other.taken[0]
    (None, 7, 1)
    >>> segment.close()
    """

    __slots__ = ("_steps", "slots_read", "taken")

    def __init__(self, memory: mmap.mmap, nodes: int, edges: int) -> None:
        words = memoryview(memory).cast("q")
        self._steps = words[:nodes]
        self.taken = words[nodes : nodes + edges]
        self.slots_read = words[nodes + edges : nodes + 2 * edges]

    @classmethod
    def create(cls, nodes: int, edges: int) -> tuple[SharedStatus, Segment]:
        """Return the status of a run that begins, and the segment that it lies in."""
        segment = create_segment(_size(nodes, edges), "the status of the nodes")
        status = cls(segment.memory, nodes, edges)
        for node in range(nodes):
            status.set_step(node, None)
        return status, segment

    def release(self) -> None:
        """Let go of the memory; an error that is kept keeps what it passed through, and that must not be a mapping."""
        for part in (self._steps, self.taken, self.slots_read):
            part.release()

    @classmethod
    def attach(cls, descriptor: int, nodes: int, edges: int) -> SharedStatus:
        """Return the status that another process created, and close the descriptor."""
        return cls(attach_segment(descriptor, _size(nodes, edges), writable=True), nodes, edges)

    def set_step(self, node: int, step: int | None) -> None:
        """Note the step that a node is in."""
        self._steps[node] = _NO_STEP if step is None or step not in _STEPS else step

    def step(self, node: int) -> int | None:
        """Return the step that a node is in, as far as it has told."""
        step = self._steps[node]
        return None if step == _NO_STEP else step


def _size(nodes: int, edges: int) -> int:
    return _WORD * (nodes + 2 * edges)
