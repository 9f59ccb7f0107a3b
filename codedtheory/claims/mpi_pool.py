"""Sweeps on a cluster: the ranks that ``mpiexec`` started walk the pieces, and the first of them hands them out.

Ctrl-C on ``mpiexec`` reaches every rank: those that walk ignore it, the first ends the run and prints what was done,
and the job ends when the pieces under way are handed back; a second Ctrl-C kills it at once. A claim that kills its
rank ends the whole job, and what it had found is lost: MPI knows no pool that goes on without one of its ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import cast

from codedtheory.blas_threads import limited_blas_threads, one_blas_thread
from codedtheory.claims.selection import look_in_working_directory
from codedtheory.claims.worker import prepare
from codedtheory.mpi_world import open_world

__all__ = ["open_mpi_pool"]


@contextmanager
def open_mpi_pool() -> Iterator[Executor | None]:
    """Open a pool of all MPI ranks but the first, with one BLAS thread each.

    Every rank must call this. The first is given the executor. The others serve it until it is closed, and only then
    enter the block, with None: for them all is done.

    Raises
    ------
    ValueError
        If mpi4py cannot be imported, or if this is the only rank.
    """
    world = open_world()
    if world.Get_size() == 1:
        raise ValueError(
            "one MPI rank alone cannot check; start as many as there are cores, and one that hands out the work: "
            "mpiexec -n 4 codedtheory check --pool mpi (with the mpiexec of the MPI that mpi4py uses)"
        )
    from mpi4py.futures import MPICommExecutor

    if world.Get_rank() == 0:
        with MPICommExecutor(world) as executor:
            yield cast("Executor", executor)
        return
    prepare()
    look_in_working_directory()
    # the environment for the libraries that the claims load, the limit for those that are there
    with one_blas_thread(), limited_blas_threads(), MPICommExecutor(world):
        pass
    yield None
