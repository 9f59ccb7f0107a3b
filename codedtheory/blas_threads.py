"""How many threads the linear algebra libraries use: one, where processes share the cores or every bit counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

__all__ = ["limited_blas_threads", "new_blas_threads", "one_blas_thread"]

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


@contextmanager
def new_blas_threads(threads: int) -> Iterator[None]:
    """Give processes that are started inside, and libraries that are loaded inside, so many threads.

    The libraries read the environment when they are loaded, so those that this process has loaded already keep their
    threads; see `limited_blas_threads`.

    Parameters
    ----------
    threads : int

    Examples
    --------
    >>> import os
    >>> with new_blas_threads(2):
    ...     os.environ["OPENBLAS_NUM_THREADS"]
    '2'
    """
    before = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(threads)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def one_blas_thread() -> AbstractContextManager[None]:
    """Give processes that are started inside, and libraries that are loaded inside, one thread.

    See `new_blas_threads`.

    Examples
    --------
    >>> import os
    >>> with one_blas_thread():
    ...     os.environ["OPENBLAS_NUM_THREADS"]
    '1'
    """
    return new_blas_threads(1)


@contextmanager
def limited_blas_threads(limit: int = 1) -> Iterator[None]:
    """Give the libraries that this process has loaded at most ``limit`` threads.

    Those that are loaded inside are not limited: import what will be used before, or open `one_blas_thread` too.

    Parameters
    ----------
    limit : int, default 1

    Examples
    --------
    >>> with limited_blas_threads():
    ...     pass
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ValueError(f"limit must be a positive integer, received {limit!r}")
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limit):
        yield
