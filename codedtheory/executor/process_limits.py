"""What a run on processes needs of the system, asked before anything starts."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from codedtheory.executor.memory_space import check_space
from codedtheory.executor.system import System

__all__ = ["checked_limits"]

# a process with NumPy, without what its program takes
_PROCESS_BYTES = 20_000_000
# of each child: its end of the control socket until it is started, ours, its record, two pipes of multiprocessing
_CHILD_DESCRIPTORS = 5
# files, streams, the segments of buffers that a node keeps
_SPARE_DESCRIPTORS = 64

# what the soft limit was when each of the runs that go on began
_soft_limits: list[int] = []
_lock = threading.Lock()


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
    with _lock:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        needed = _open_descriptors(soft) + 2 * pairs + _CHILD_DESCRIPTORS * len(system) + _SPARE_DESCRIPTORS
        enough = soft == resource.RLIM_INFINITY or needed <= soft
        if not enough and hard != resource.RLIM_INFINITY and needed > hard:
            raise OSError(
                f"a run of {len(system)} processes with {pairs} pairs of neighbours needs {needed} file descriptors, "
                f"the limit is {hard}; raise it (ulimit -Hn), declare fewer edges, or use VirtualExecutor"
            )
        _soft_limits.append(soft)
        if not enough:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    try:
        yield
    finally:
        with _lock:
            # the last of several runs at the same time leaves the limit that the first one found
            first = _soft_limits[0]
            _soft_limits.pop()
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            if not _soft_limits and soft != first:
                resource.setrlimit(resource.RLIMIT_NOFILE, (first, hard))


def _open_descriptors(limit: int) -> int:
    for directory in ("/proc/self/fd", "/dev/fd"):
        if os.path.isdir(directory):
            try:
                return len(os.listdir(directory))
            except OSError:
                # there is none left to look with
                return limit
    return 0
