"""What a run on processes needs of the system, asked before anything starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from codedtheory.executor.memory_space import check_space
from codedtheory.executor.system import System

__all__ = ["checked_limits"]

# a process with NumPy, without what its program takes
_PROCESS_BYTES = 20_000_000
# of each child: its end of the control socket until it is started, ours, and two pipes of multiprocessing
_CHILD_DESCRIPTORS = 4
# files, streams, the segments of buffers that a node keeps
_SPARE_DESCRIPTORS = 64


@contextmanager
def checked_limits(system: System) -> Iterator[None]:
    """Raise the soft limit of file descriptors for a run, as far as it is needed and allowed.

    Raises
    ------
    OSError
        If descriptors or memory do not suffice, with numbers and remedy.
    """
    import resource

    check_space(_PROCESS_BYTES * len(system), f"a run of {len(system)} processes")
    pairs = len({frozenset(edge) for edge in system.edges})
    needed = _open_descriptors() + 2 * pairs + _CHILD_DESCRIPTORS * len(system) + _SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or needed <= soft:
        yield
        return
    if hard != resource.RLIM_INFINITY and needed > hard:
        raise OSError(
            f"a run of {len(system)} processes with {pairs} pairs of neighbours needs {needed} file descriptors, the "
            f"limit is {hard}; raise it (ulimit -Hn), declare fewer edges, or use VirtualExecutor"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _open_descriptors() -> int:
    for directory in ("/proc/self/fd", "/dev/fd"):
        if os.path.isdir(directory):
            return len(os.listdir(directory))
    return 0
