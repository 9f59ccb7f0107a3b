"""The MPI ranks that ``mpiexec`` started: found, or refused in one line; killed ones leave no shared memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm

__all__ = ["open_world"]

_MAPS = Path("/proc/self/maps")


def open_world() -> Intracomm:
    """Return the communicator of all ranks; every rank must call this.

    Raises
    ------
    ValueError
        If mpi4py is not installed, or finds no MPI library.
    """
    try:
        from mpi4py import MPI
    # mpi4py raises RuntimeError if it finds no MPI library
    except (ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"no MPI here ({reason}); pip install 'codedtheory[mpi]' brings it") from error
    world = MPI.COMM_WORLD
    if world.Get_size() > 1:
        # Once every rank is here all have mapped what they share, and nobody needs its name.
        world.Barrier()
        _unlink_mpich_memory()
    return world


def _unlink_mpich_memory() -> None:
    # MPICH unlinks it in MPI_Finalize, which a killed job never reaches.
    if not _MAPS.exists():
        return
    mapped = {line.split()[-1] for line in _MAPS.read_text().splitlines()}
    for name in mapped:
        if name.startswith("/dev/shm/mpich_shm_"):
            Path(name).unlink(missing_ok=True)
