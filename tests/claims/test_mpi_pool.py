from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codedtheory.cli import main
from tests.claims.test_runner import MIXED, SLOW
from tests.mpi_ranks import MPIEXEC, needs_ranks, python_on_ranks

CHECK = ("-m", "codedtheory", "check", "--pool", "mpi")

NOISY = """
import numpy as np
from mpi4py import MPI
from threadpoolctl import threadpool_info
@claim("noisy.one", statement="x", source=derived("x"), over=sweep("1 <= n <= 40"))
def noisy(n):
    "One BLAS thread on every rank."
    print(f"rank {MPI.COMM_WORLD.rank}\\n", end="", flush=True)
    import scipy.linalg
    libraries = threadpool_info()
    assert len(libraries) >= 1
    return at_most(max(library["num_threads"] for library in libraries), 1)
"""


def records(text: str) -> list[dict[str, Any]]:
    return [{**record, "seconds": 0} for record in json.loads(text)]


@needs_ranks
def test_ranks_give_the_verdicts_of_local_processes(claims_file, capsys) -> None:
    path = claims_file(MIXED)
    assert main(["check", path, "--format", "json", "--jobs", "1"]) == 1
    local = records(capsys.readouterr().out)
    job = python_on_ranks(3, *CHECK, path, "--format", "json")
    assert (job.returncode, job.stderr) == (1, "")
    assert records(job.stdout) == local
    assert [record["verdict"] for record in local] == ["holds", "fails", "holds", "error", "undecided"]


@needs_ranks
def test_claims_of_modules_are_found_on_every_rank_and_the_first_rank_walks_none(claims_file, monkeypatch) -> None:
    path = Path(claims_file(NOISY, "theorems_of_a_test.py"))
    monkeypatch.chdir(path.parent)
    command = "import sys; from codedtheory.cli import main; sys.path.remove(''); sys.exit(main(sys.argv[1:]))"
    job = python_on_ranks(3, "-c", command, *CHECK[2:], "theorems_of_a_test", "--format", "json")
    assert job.returncode == 0, job.stderr
    assert [(record["verdict"], record["instances"]) for record in json.loads(job.stdout)] == [("holds", 40)]
    assert set(job.stderr.splitlines()) == {"rank 1", "rank 2"}


@needs_ranks
def test_explain_takes_ranks(claims_file) -> None:
    job = python_on_ranks(2, "-m", "codedtheory", "explain", claims_file(MIXED), "--pool=mpi", "--format", "json")
    assert job.returncode == 0, job.stderr
    assert [record["id"] for record in json.loads(job.stdout)][:2] == ["m.true", "m.false"]


@needs_ranks
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.like.it",), "no claim, module or file named 'nothing.like.it'"),
        (("--jobs", "2"), "--jobs is for local processes, got 2; with --pool mpi, mpiexec -n says how many ranks"),
        (("--effort", "huge"), "'huge'"),
    ],
)
def test_bad_usage_is_told_by_one_rank(arguments, message) -> None:
    job = python_on_ranks(3, *CHECK, *arguments)
    assert (job.returncode, job.stdout) == (2, "")
    assert job.stderr.count("\n") == 1
    assert job.stderr.startswith("codedtheory: ")
    assert message in job.stderr


@needs_ranks
def test_one_rank_alone_is_told_how_to_start_more() -> None:
    job = subprocess.run([sys.executable, *CHECK, "bacc"], capture_output=True, text=True, check=False)
    assert (job.returncode, job.stdout, job.stderr.count("\n")) == (2, "", 1)
    assert "mpiexec -n 4 codedtheory check --pool mpi" in job.stderr


def test_without_mpi4py_the_extra_is_named(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    assert main(["check", "--pool", "mpi"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert "pip install 'codedtheory[mpi]'" in printed.err


@pytest.mark.parametrize("rank", ["0", "1"])
def test_ranks_say_nothing_only_if_they_are_a_pool(monkeypatch, capsys, rank) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", rank)
    assert main(["check", "--pool", "mpi", "--jobs", "2"]) == 2
    assert capsys.readouterr().err.count("\n") == (rank == "0")
    assert main(["check", "--jobs", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@needs_ranks
def test_an_interrupt_of_mpiexec_ends_the_job_and_tells_what_is_done(claims_file, tmp_path) -> None:
    path = claims_file(
        SLOW.replace("import time", "import os, pathlib, time").replace(
            "    time.sleep", f"    pathlib.Path({str(tmp_path)!r}, f'pid{{os.getpid()}}').touch()\n    time.sleep"
        )
    )
    command = [str(MPIEXEC), "-n", "3", sys.executable, *CHECK, path, "--format", "json"]
    # pieces come back after two seconds
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        deadline = time.monotonic() + 30
        while len(pids := [int(file.name[3:]) for file in tmp_path.glob("pid*")]) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(2.5)
        job.send_signal(signal.SIGINT)
        printed, told = job.communicate(timeout=30)
    finally:
        job.kill()
    assert job.returncode == 1, told
    assert "Traceback" not in told
    # mpiexec itself speaks too, on standard output or on standard error
    record = json.loads(printed[printed.index("[\n") :])[0]
    assert record["verdict"] == "undecided"
    assert 0 < record["instances"] < 4000
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@needs_ranks
def test_a_claim_that_kills_its_rank_ends_the_job_and_leaves_no_shared_memory(claims_file) -> None:
    maps = "open('/proc/self/maps') if os.path.exists('/proc/self/maps') else ()"
    shared = f"' '.join(line.split()[5] for line in [*({maps})] if '/dev/shm/' in line)"
    body = SLOW.replace("import time", "import os").replace(
        "time.sleep(0.02)", f"print('mapped ' + {shared} + '\\n', end='', flush=True), os._exit(3)"
    )
    job = python_on_ranks(3, *CHECK, claims_file(body))
    assert job.returncode != 0
    assert "slow.one" not in job.stdout
    words = job.stderr.split()
    assert "mapped" in words
    assert [word for word in words if word.startswith("/dev/shm/") and Path(word).exists()] == []
