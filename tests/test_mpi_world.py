from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codedtheory import mpi_world
from tests.mpi_ranks import needs_ranks, python_on_ranks

SHARED = """
import os
from codedtheory.mpi_world import open_world
world = open_world()
world.Barrier()
here = [line.split()[5] for line in open("/proc/self/maps") if "/dev/shm/" in line and "(deleted)" not in line]
value = world.bcast([world.Get_rank()] * 5000, 0)
print(f"{world.Get_size()} {value[-1]} {here}\\n", end="", flush=True)
"""


@needs_ranks
def test_ranks_share_memory_that_has_no_name() -> None:
    if not Path("/proc/self/maps").exists():
        pytest.skip("looks memory up in /proc")
    job = python_on_ranks(3, "-c", SHARED)
    assert (job.returncode, job.stderr) == (0, "")
    assert job.stdout.splitlines() == ["3 0 []"] * 3


@needs_ranks
def test_one_rank_is_a_world_too() -> None:
    job = python_on_ranks(1, "-c", "from codedtheory.mpi_world import open_world; print(open_world().Get_size())")
    assert (job.returncode, job.stdout, job.stderr) == (0, "1\n", "")


@pytest.mark.parametrize("missing", [ImportError("No module named 'mpi4py'"), RuntimeError("cannot load\nMPI library")])
def test_without_mpi_the_extra_is_named_in_one_line(monkeypatch, missing) -> None:
    class Missing:
        def __getattr__(self, name: str) -> None:
            raise missing

    monkeypatch.setitem(sys.modules, "mpi4py", Missing())
    with pytest.raises(ValueError, match=r"pip install 'codedtheory\[mpi\]'") as refused:
        mpi_world.open_world()
    assert "\n" not in str(refused.value)


def test_without_proc_nothing_is_unlinked(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(mpi_world, "_MAPS", tmp_path / "maps")
    mpi_world._unlink_mpich_memory()
