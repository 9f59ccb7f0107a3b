"""Jobs of MPI ranks, started by the mpiexec that lies beside the interpreter or on the path."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_BESIDE = Path(sys.executable).parent / "mpiexec"
MPIEXEC = str(_BESIDE) if _BESIDE.exists() else shutil.which("mpiexec")

needs_ranks = pytest.mark.skipif(
    MPIEXEC is None or importlib.util.find_spec("mpi4py") is None, reason="needs mpi4py and mpiexec: the extra mpi"
)


def python_on_ranks(count: int, *arguments: str, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
    """Run ``python *arguments`` on so many ranks to the end."""
    command = [str(MPIEXEC), "-n", str(count), sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
