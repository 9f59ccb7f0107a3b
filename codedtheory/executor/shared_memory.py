"""Anonymous segments of shared memory: nothing has a name, so nothing is left behind whoever dies.

A segment is a file descriptor and a mapping of it. It exists as long as any process holds its descriptor or a mapping,
and ends with the last of them; no resource tracker takes part. The descriptor reaches another process by inheritance
or through a `Channel`.

Mappings are never closed explicitly: a mapping ends when the last array or memoryview that looks at it dies.
"""

from __future__ import annotations

import errno
import mmap
import os
from dataclasses import dataclass

from codedtheory.executor.memory_space import check_space

__all__ = ["Segment", "attach_segment", "check_descriptor", "create_segment", "segments_lie_in_files"]

# asking for the space costs some 50 us, as much as writing so many bytes
_CHECKED = 1 << 20


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as its creator sees it.

    Attributes
    ----------
    descriptor : int
        The file descriptor to hand to readers; it belongs to the segment until `close`.
    memory : mmap.mmap
        The bytes, writable and at first zero.
    """

    descriptor: int
    memory: mmap.mmap

    def __len__(self) -> int:
        return len(self.memory)

    def close(self) -> None:
        """Close the descriptor; the mapping stays while something looks at it."""
        os.close(self.descriptor)


def segments_lie_in_files() -> bool:
    """Tell whether segments count against ``/dev/shm``, because the system has no ``memfd_create``."""
    return not hasattr(os, "memfd_create")


def create_segment(size: int, purpose: str = "shared memory") -> Segment:
    r"""Create a segment of ``size`` bytes.

    Parameters
    ----------
    size : int
        At least 1.
    purpose : str
        What it is for, named when the space does not suffice.

    Raises
    ------
    OSError
        When memory or descriptors do not suffice, or on a system without shared memory of this kind.

    Examples
    --------
    >>> segment = create_segment(4096)
    >>> segment.memory[:2] = b"ab"
    >>> attach_segment(os.dup(segment.descriptor), 4096)[:3]
    b'ab\x00'
    >>> segment.close()
    """
    if size < 1:
        raise ValueError(f"size must be at least 1, received {size}")
    if size >= _CHECKED:
        check_space(size, purpose, in_files=segments_lie_in_files())
    try:
        descriptor = _anonymous_file()
    except OSError as error:
        raise check_descriptor(error) from error
    try:
        os.ftruncate(descriptor, size)
        if segments_lie_in_files() and hasattr(os, "posix_fallocate"):
            # a full /dev/shm would otherwise end the process with SIGBUS at the first write
            os.posix_fallocate(descriptor, 0, size)
        memory = mmap.mmap(descriptor, size)
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, OSError):
            raise check_descriptor(error) from error
        raise
    return Segment(descriptor, memory)


def attach_segment(descriptor: int, size: int, *, writable: bool = False) -> mmap.mmap:
    """Map a segment that another process created, and close the descriptor.

    Parameters
    ----------
    descriptor : int
        As it was received; it is closed here, also when mapping fails.
    size : int
        Bytes to map.
    writable : bool
        Otherwise the memory itself is read-only: writing to it by any means ends the process.

    Raises
    ------
    OSError
        When descriptors do not suffice.
    """
    access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
    try:
        return mmap.mmap(descriptor, size, access=access)
    except OSError as error:
        raise check_descriptor(error) from error
    finally:
        os.close(descriptor)


def check_descriptor(error: OSError) -> OSError:
    """Return the error, with the remedy added when it says that descriptors have run out."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return OSError(
            error.errno,
            f"{error.strerror}: every edge and every large array that is kept takes file descriptors; raise the limit "
            "(ulimit -n), declare fewer edges, or copy arrays that are kept",
        )
    return error


def _anonymous_file() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("codedtheory", os.MFD_CLOEXEC)
    try:
        import _posixshmem  # type: ignore[import-not-found]
    except ImportError:
        raise OSError(
            "this system has no shared memory without names (Linux and macOS have); "
            "use VirtualExecutor or MPIExecutor instead of ProcessExecutor"
        ) from None
    import secrets

    while True:
        name = f"/codedtheory-{secrets.token_hex(6)}"
        try:
            descriptor: int = _posixshmem.shm_open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode=0o600)
        except FileExistsError:
            continue
        _posixshmem.shm_unlink(name)
        return descriptor
