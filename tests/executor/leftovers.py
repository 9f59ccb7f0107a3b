"""What a run may leave behind, looked for: processes, shared memory, temporary files, descriptors."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

import pytest

from codedtheory.blas_threads import one_blas_thread

__all__ = ["MARK", "marked_processes", "nothing_stays", "run_temporary", "vanish"]

# every process of a test inherits this variable, and so do those that lost their parent
MARK = "CODEDTHEORY_TEST_MARK"
# helpers of multiprocessing that stay until the process that started them ends
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
# segments of MPI jobs, and semaphores of pools, that other tests have
_FOREIGN = ("mpich", "vader", "psm2", "sem.mp-", "ucx_", "sm_segment")


def marked_processes(mark: str) -> dict[int, str]:
    """Return the command lines of all processes but this one with a mark in their environment, by process number."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for directory in Path("/proc").iterdir():
        if not directory.name.isdigit() or int(directory.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            environment = (directory / "environ").read_bytes().split(b"\0")
            command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            # one that is being removed has no command line any more
            if wanted in environment and command:
                found[int(directory.name)] = command
    return found


def children() -> dict[int, str]:
    """Return the command lines of the children of this process, also of those that ended and were not waited for."""
    found = {}
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (directory / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == os.getpid():
                    command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    found[int(directory.name)] = command.strip() or f"ended, state {fields[0]}"
    return found


def vanish(mark: str, seconds: float = 10.0) -> dict[int, str]:
    """Wait until no process with a mark is left; return those that do not go."""
    end = time.monotonic() + seconds
    while (left := marked_processes(mark)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def run_temporary(directory: Path) -> list[str]:
    """Return what runs left in a directory of temporary files."""
    return sorted(path.name for path in directory.iterdir() if not path.name.startswith("pymp-"))


@contextlib.contextmanager
def nothing_stays(directory: Path, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Assert that what is run inside leaves this machine as it was; gives the mark of its processes.

    Parameters
    ----------
    directory : Path
        Empty; temporary files go there.
    patch : pytest.MonkeyPatch
    """
    # the helpers of multiprocessing stay, with their descriptors
    resource_tracker.ensure_running()
    with one_blas_thread():
        multiprocessing.set_forkserver_preload(["codedtheory.executor.process_worker"])
        forkserver.ensure_running()
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    patch.setenv(MARK, mark)
    patch.setenv("TMPDIR", str(directory))
    patch.setattr(tempfile, "tempdir", str(directory))
    gc.collect()
    before = children(), _shared_memory(), _descriptors()
    # what a run leaves must not wait for the garbage collector
    gc.disable()
    try:
        yield mark
    finally:
        gc.enable()
    left = {pid: command for pid, command in children().items() if pid not in before[0]}
    assert not left, f"children are left: {left}"
    assert not vanish(mark), f"processes are left: {marked_processes(mark)}"
    assert not _shared_memory() - before[1], f"shared memory is left: {_shared_memory() - before[1]}"
    assert not run_temporary(directory), f"temporary files are left: {run_temporary(directory)}"
    opened, closed = set(_descriptors()) - set(before[2]), set(before[2]) - set(_descriptors())
    assert not opened, f"descriptors are left: {opened}"
    assert not closed, f"descriptors are closed: {closed}"


def _shared_memory() -> set[str]:
    names = os.listdir("/dev/shm") if os.path.isdir("/dev/shm") else []
    return {name for name in names if not name.startswith(_FOREIGN)}


def _descriptors() -> list[str]:
    found = []
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            target = os.readlink(f"/proc/self/fd/{number}")
            # the directory that is being listed
            if not target.startswith("/proc/"):
                found.append(f"{number}: {target}")
    return sorted(found)
