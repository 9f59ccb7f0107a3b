"""The example of the documentation is short, and prints the same on the three backends."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mpi_ranks import MPIEXEC, needs_ranks

SCRIPT = Path(__file__).parents[2] / "docs" / "averaging.py"
# from the definition: ten averages of four workers' block means, in the order of the nodes
EXPECTED = "0x1.50c20c8e49f25p-1 0x1.ef5daa7d67596p+0 0x1.6145c326f9c4ap+1\n"


def printed(*command: str) -> str:
    done = subprocess.run([*command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("backend", ["virtual", "processes"])
def test_the_example_prints_the_same(backend: str) -> None:
    assert printed(sys.executable, str(SCRIPT), backend) == EXPECTED


@needs_ranks
def test_the_example_prints_the_same_on_ranks() -> None:
    assert printed(str(MPIEXEC), "-n", "7", sys.executable, str(SCRIPT), "mpi") == EXPECTED


def test_the_example_is_what_it_says() -> None:
    import numpy as np

    blocks = np.random.default_rng(7).normal(loc=[1, 2, 3], size=(6, 30, 3))
    estimate = np.zeros(3)
    for step in range(10):
        answers = [block[step % 3 :: 3].mean(axis=0) - estimate for i, block in enumerate(blocks, 1) if i not in (2, 5)]
        estimate = estimate + sum(answers) / 4
    assert " ".join(float(x).hex() for x in estimate) + "\n" == EXPECTED


def test_the_example_is_short() -> None:
    code = [line for line in SCRIPT.read_text().splitlines() if line.strip() and not line.strip().startswith('"""')]
    assert len(code) <= 40
