"""Manifests: what a reader of a record needs to know to trust the run or to repeat it."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

import codedtheory
from codedtheory.executor.event_lines import plain
from codedtheory.executor.record_files import check_unused, read_manifest, write_manifest

__all__ = ["Clock", "RunStatus", "begin_manifest", "completed", "end_manifest", "new_manifest"]

Clock = Literal["virtual", "wall"]
RunStatus = Literal["finished", "interrupted", "failed"]


def new_manifest(
    *,
    backend: str,
    clock: Clock,
    seed: int | None,
    parameters: Mapping[str, Any],
    blas_threads: int | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run that begins now.

    Parameters
    ----------
    backend : str
        Where it runs.
    clock : "virtual" or "wall"
        What its times mean.
    seed : int or None
        What its random numbers follow from.
    parameters : mapping
        Conditions and system, in numbers, text, and lists and mappings of them.
    blas_threads : int, optional
        The threads of linear algebra on the nodes; by default those of this process.

    Examples
    --------
    >>> manifest = new_manifest(backend="virtual", clock="virtual", seed=1, parameters={"delay": float("inf")})
    >>> manifest["seed"], manifest["parameters"]
    (1, {'delay': 'Infinity'})
    """
    if clock not in get_args(Clock):
        raise ValueError(f"clock must be virtual or wall, received {clock!r}")
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "format": 1,
        "codedtheory": codedtheory.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "backend": backend,
        "clock": clock,
        "seed": seed,
        "parameters": plain(parameters, "parameters"),
        "host": platform.node(),
        "cores": len(affinity(0)) if affinity else os.cpu_count(),
        "platform": platform.platform(),
        "blas_threads": _blas_threads() if blas_threads is None else blas_threads,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def completed(manifest: Mapping[str, Any], *, status: RunStatus, seconds: float) -> dict[str, Any]:
    """Return the manifest of a run that has ended.

    Parameters
    ----------
    manifest : mapping
        What it began with.
    status : "finished", "interrupted" or "failed"
    seconds : float
        How long it took, on its clock.
    """
    if status not in get_args(RunStatus):
        raise ValueError(f"status must be finished, interrupted or failed, received {status!r}")
    return {**manifest, "status": status, "seconds": plain(seconds, "seconds")}


def begin_manifest(
    directory: str | os.PathLike[str],
    *,
    backend: str,
    clock: Clock,
    seed: int | None,
    parameters: Mapping[str, Any],
    blas_threads: int | None = None,
) -> dict[str, Any]:
    """Create a record directory with its manifest, which is also returned; see `new_manifest`.

    Raises
    ------
    ValueError
        If ``directory`` is a file or already holds a record.
    """
    path = check_unused(directory)
    manifest = new_manifest(backend=backend, clock=clock, seed=seed, parameters=parameters, blas_threads=blas_threads)
    path.mkdir(parents=True, exist_ok=True)
    write_manifest(path, manifest)
    return manifest


def end_manifest(directory: str | os.PathLike[str], *, status: RunStatus, seconds: float) -> dict[str, Any]:
    """Complete the manifest of a record directory; see `completed`."""
    path = Path(directory)
    manifest = completed(read_manifest(path), status=status, seconds=seconds)
    write_manifest(path, manifest)
    return manifest


def _blas_threads() -> int | None:
    from threadpoolctl import threadpool_info

    return max((pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"), default=None)
