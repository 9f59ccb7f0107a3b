"""Process pools for sweeps: never threads, never forked, one BLAS thread a worker, nothing left behind."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

from codedtheory.blas_threads import one_blas_thread
from codedtheory.claims.worker import prepare

__all__ = ["check_executor", "open_pool"]


@contextmanager
def open_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of ``jobs`` spawned processes; when it closes early its workers are terminated."""
    others = set(multiprocessing.active_children())
    with one_blas_thread():
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=prepare)
        finished = False
        try:
            yield pool
            finished = True
        finally:
            if not finished:
                for process in set(multiprocessing.active_children()) - others:
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def check_executor(executor: object) -> int:
    """Return the number of workers; refuse executors that would run claims in threads or forked processes."""
    if isinstance(executor, ThreadPoolExecutor):
        raise TypeError(
            "a thread pool shares FLINT's working precision; pass ProcessPoolExecutor(mp_context=get_context('spawn'))"
        )
    if not isinstance(executor, Executor) and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor must have submit(), received {executor!r}; pass a ProcessPoolExecutor")
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise TypeError("a forked pool copies locks in any state; pass mp_context=get_context('spawn')")
    # MPIPoolExecutor tells its size publicly, ProcessPoolExecutor does not.
    count: int = getattr(executor, "num_workers", 0) or getattr(executor, "_max_workers", 1)
    return count
