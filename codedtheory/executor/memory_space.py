"""How much memory shared segments may take, asked before they are made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["available_memory", "check_space"]


def check_space(size: int, purpose: str = "shared memory", *, in_files: bool = False, root: Path = Path("/")) -> None:
    """Raise unless ``size`` bytes of shared memory are available.

    Pages of a segment are taken when they are first written; a process that finds none left then is killed without
    a word, so the question is asked beforehand.

    Parameters
    ----------
    size : int
        Needed bytes.
    purpose : str
        What they are for, named by the error.
    in_files : bool
        Whether segments lie in ``/dev/shm`` (where ``memfd_create`` is missing), which has a limit of its own.
    root : Path
        Where ``proc``, ``sys`` and ``dev`` are found.

    Raises
    ------
    OSError
        With needed and available bytes and a remedy.

    Examples
    --------
    >>> check_space(4096)
    >>> check_space(1 << 60, "the data of the programs")
    Traceback (most recent call last):
    OSError: the data of the programs needs 1152921504606846976 bytes of memory, ... are available; ...
    """
    available = available_memory(root)
    if available is not None and size > available:
        raise OSError(
            f"{purpose} needs {size} bytes of memory, {available} are available; use smaller arrays or fewer nodes, "
            "free memory, or raise the memory limit of the container or job"
        )
    directory = root / "dev" / "shm"
    if in_files and directory.is_dir():
        place = os.statvfs(directory)
        free = place.f_bavail * place.f_frsize
        if size > free:
            raise OSError(
                f"{purpose} needs {size} bytes in /dev/shm, {free} are free; enlarge it "
                "(mount -o remount,size=..., or --shm-size of the container) or use smaller arrays"
            )


def available_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes that this process may still use: what the machine has and what its control groups allow.

    Returns
    -------
    int or None
        None where the system does not tell (it is not Linux).

    Examples
    --------
    >>> available = available_memory()
    >>> available is None or available > 0
    True
    """
    known = [*_machine(root / "proc" / "meminfo"), *_control_groups(root)]
    return max(0, min(known)) if known else None


def _machine(path: Path) -> Iterator[int]:
    try:
        text = path.read_text()
    except OSError:
        return
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _control_groups(root: Path) -> Iterator[int]:
    try:
        lines = (root / "proc" / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return
    mount = root / "sys" / "fs" / "cgroup"
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0" and not controllers:
            tops = [mount, mount / "unified"]
            names = ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            tops = [mount / "memory"]
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        for top in tops:
            group = top / path.strip("/")
            # a container often does not see the directories that its path names, but always its top
            for directory in (group, *group.parents):
                yield from _left_in(directory, *names)
                if directory == top:
                    break


def _left_in(directory: Path, limit_name: str, usage_name: str, cache_name: str) -> Iterator[int]:
    try:
        limit = int((directory / limit_name).read_text())  # "max" is no number and no limit
        usage = int((directory / usage_name).read_text())
    except (OSError, ValueError):
        return
    yield limit - usage + _cached(directory / "memory.stat", cache_name)


def _cached(path: Path, name: str) -> int:
    # the cache of files counts as usage and is given up when memory is needed
    try:
        for line in path.read_text().splitlines():
            key, value = line.split()
            if key == name:
                return int(value)
    except (OSError, ValueError):
        pass
    return 0
