"""However a run ends, from inside or from outside: it says why, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from codedtheory.executor import (
    Conditions,
    ExecutorError,
    Hang,
    LostWorkersError,
    ProcessExecutor,
    Program,
    ProgramError,
    RunRecord,
    System,
    VirtualExecutor,
)
from tests.executor import reliability_programs as programs
from tests.executor.leftovers import marked_processes, vanish

ROOT = Path(__file__).parents[2]
# far more than a run that ends takes to do so
LIMIT = 60


@contextmanager
def script(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a scenario in a session of its own, and kill it if it is still there at the end."""
    command = [sys.executable, "-m", "tests.executor.reliability_driver", *arguments]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def output_of(*arguments: str) -> str:
    with script(*arguments) as process:
        output, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, errors
    assert errors == ""
    return output


def begun(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "begin\n"


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def check_record(path: Path, status: str) -> None:
    record = RunRecord.load(path)
    assert record.status == status
    waits = record.waits()
    assert [wait.step for wait in waits] == list(range(len(waits)))


# -- from outside ---------------------------------------------------------------------------------------------------

# seconds after the script says that it begins: while processes start, and while they run
MOMENTS = [float(moment) for moment in np.random.default_rng(7).uniform(0.0, 1.0, 6)]


@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_at_any_time(moment: float, whole_group: bool, tidy: str, tmp_path: Path) -> None:
    with script("endless", str(tmp_path / "run"), "forkserver" if moment > 0.7 else "spawn") as process:
        begun(process)
        time.sleep(moment)
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=LIMIT)
        assert process.returncode != 0
        assert not vanish(tidy)
    # children say nothing
    assert errors.count("Traceback (most recent call last)") == 1, errors
    last = errors.strip().splitlines()[-1]
    if (tmp_path / "run").exists():
        assert last == f"codedtheory.executor.recording.Interrupted: interrupted; the record is in {tmp_path / 'run'}"
        check_record(tmp_path / "run", "interrupted")
    else:
        assert last == "KeyboardInterrupt"


def test_impatient_interrupts(tidy: str, tmp_path: Path) -> None:
    """Those that follow the first one do not stop the run from cleaning up."""
    with script("endless", str(tmp_path / "run")) as process:
        begun(process)
        until((tmp_path / "run").exists)
        for _ in range(200):
            if process.poll() is not None:
                break
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.002)
        process.communicate(timeout=LIMIT)
        assert process.returncode != 0
        assert not vanish(tidy)
    check_record(tmp_path / "run", "interrupted")


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("moment", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_the_parent_is_killed(method: str, moment: float, saved: bool, tidy: str, tmp_path: Path) -> None:
    with script("endless", str(tmp_path / "run") if saved else "", method) as process:
        begun(process)
        time.sleep(moment)
        process.kill()
        process.communicate(timeout=LIMIT)
        assert not vanish(tidy)
    if (tmp_path / "run" / "manifest.json").exists():
        check_record(tmp_path / "run", "unfinished")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("moment", [0.0, 0.6])
def test_the_parent_is_told_to_end(number: signal.Signals, whole_group: bool, moment: float, tidy: str) -> None:
    """As by a batch system, or by a terminal that is closed, to the script or to all its processes."""
    with script("endless", "") as process:
        begun(process)
        # processes have started, and are or are not yet at work
        until(lambda: len(marked_processes(tidy)) >= 4)
        time.sleep(moment)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        _, errors = process.communicate(timeout=LIMIT)
        assert process.returncode == -number
        # a process that was just being started tells that it was told only half of what it is to do
        assert moment == 0.0 or "Traceback" not in errors
        assert not vanish(tidy)


@pytest.mark.parametrize("whole_group", [False, True])
def test_a_script_that_handles_sigterm(whole_group: bool, tidy: str, tmp_path: Path) -> None:
    with script("terminated", str(tmp_path / "run")) as process:
        begun(process)
        until(lambda: (tmp_path / "run").exists() and len(RunRecord.load(tmp_path / "run").waits()) > 3)
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        assert process.returncode == 7
        assert not vanish(tidy)
    check_record(tmp_path / "run", "failed")


@pytest.mark.parametrize("saved", [False, True])
def test_the_parent_of_deaf_workers_is_killed(saved: bool, tidy: str, tmp_path: Path) -> None:
    """They are in one call into C for hours, and no other thread of theirs can look after them."""
    pids = tmp_path / "pids"
    pids.mkdir()
    with script("deaf", str(tmp_path / "run") if saved else "", str(pids)) as process:
        begun(process)
        until(lambda: len(list(pids.glob("[12]"))) == 2)
        time.sleep(0.2)
        process.kill()
        process.communicate(timeout=LIMIT)
        try:
            assert not vanish(tidy)
        finally:
            for pid in marked_processes(tidy):
                os.kill(pid, signal.SIGKILL)
            assert not vanish(tidy)


def test_a_script_that_ends_without_waiting_for_its_thread(tidy: str, tmp_path: Path) -> None:
    with script("in_a_daemonic_thread", str(tmp_path / "run")) as process:
        begun(process)
        process.communicate(timeout=LIMIT)
        assert not vanish(tidy)


# -- from inside ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "where", "told"),
    [
        ("error", "compute", ("ZeroDivisionError: as it was asked to", "in failing", "in fail")),
        ("error", "program", ("ZeroDivisionError: as it was asked to", "in failing", "in fail")),
        ("error", "until", ("until failed for", "ZeroDivisionError: as it was asked to")),
        ("exit", "compute", ("SystemExit",)),
        ("exit", "program", ("SystemExit: 3",)),
        ("long", "program", ("ValueError: xxx",)),
        ("interrupt", "compute", ("KeyboardInterrupt",)),
        ("interrupt", "program", ("KeyboardInterrupt",)),
    ],
)
def test_a_failing_worker(how: str, where: str, told: tuple[str, ...], tidy: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError) as caught:
        ProcessExecutor().run(programs.failing_system(how, where), record=tmp_path / "run")
    error = caught.value
    assert (error.node, error.step) == (1, 1)
    for words in (*told, "node 1, step 1: ", f"the record is in {tmp_path / 'run'}"):
        assert words in str(error)
    record = RunRecord.load(tmp_path / "run")
    assert record.status == record.statuses[1] == "failed"
    assert record.steps() == (0,)


def test_a_failing_master(tidy: str) -> None:
    with pytest.raises(ProgramError, match="node 0, step 1: ZeroDivisionError: as it was asked to"):
        ProcessExecutor().run(programs.failing_master_system("error"))


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("error", r"node 1: .*program of node 1 \(ignores\) cannot be loaded in its process: ZeroDivisionError: as it"),
        ("exit", r"node 1: .*program of node 1 \(ignores\) cannot be loaded in its process: SystemExit: 3"),
        ("interrupt", "node 1: KeyboardInterrupt"),
        ("die", "the process of node 1 ended before it was ready, exit code 3"),
    ],
)
def test_a_program_that_cannot_be_loaded(how: str, told: str, tidy: str) -> None:
    with pytest.raises(ExecutorError, match=told):
        ProcessExecutor().run(programs.loading(how))


@pytest.mark.parametrize(
    ("kind", "how", "told"),
    [
        ("lambda", "", r"result of node 0 \(program of node 0 \(makes_what_fails\)\) cannot be pickled, .*lambda"),
        ("pickle", "error", "cannot be pickled, .*as it was asked to"),
        ("pickle", "exit", "cannot be pickled, .*3"),
        ("load", "error", "result of program of node 0 .* cannot be loaded: ZeroDivisionError: as it was asked to"),
        ("load", "exit", "result of program of node 0 .* cannot be loaded: SystemExit: 3"),
    ],
)
def test_a_result_that_cannot_travel(kind: str, how: str, told: str, tidy: str) -> None:
    with pytest.raises(ProgramError, match=told) as caught:
        ProcessExecutor().run(programs.returning(kind, how))
    assert caught.value.node == 0


def test_programs_print(tidy: str) -> None:
    with script("prints") as process:
        output, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    complaints = ["node 0 complains", "node 1 complains"]
    for written, texts in ((output, ["node 0 prints", "node 1 prints", "script prints"]), (errors, complaints)):
        # unbuffered, the end of a line is written by itself, and another process may come between
        assert all(written.count(text) == 1 for text in texts)
        assert sorted(written) == sorted("".join(f"{text}\n" for text in texts))


def test_a_worker_closes_standard_input(tidy: str) -> None:
    record = ProcessExecutor().run(programs.failing_system("stdin", "compute"))
    assert record.results[0] == [(1, 2)] * 3


def test_a_worker_closes_all_its_files(tidy: str) -> None:
    """To the others it is lost: they cannot reach it any more."""
    record = ProcessExecutor().run(programs.losing("close"))
    assert record.results[0] == [1]
    assert record.lost == (1,)


@pytest.mark.parametrize("how", ["sleep", "deaf"])
def test_busy_workers_are_killed_at_the_end(how: str, tidy: str, tmp_path: Path) -> None:
    before = time.monotonic()
    record = ProcessExecutor(grace=0.3).run(programs.leaving(how, str(tmp_path)))
    assert time.monotonic() - before < LIMIT
    assert record.results == {0: "left"}
    assert record.statuses == {0: "finished", 1: "closed", 2: "closed"}


def test_hung_workers_are_ended(tidy: str) -> None:
    record = ProcessExecutor().run(
        programs.failing_system("", "", steps=5, count=1), Conditions(faults=(Hang(1, 2), Hang(2, 9)))
    )
    assert len(record.results[0]) == 5
    assert record.statuses[1] == "hung"
    assert record.lost == ()


@pytest.mark.parametrize("how", ["returns", "sleeps"])
def test_workers_that_do_not_want_to_end(how: str, tidy: str) -> None:
    record = ProcessExecutor(grace=0.3).run(programs.stubborn_system(how))
    assert record.results[0] == "asked"
    assert record.statuses[1] == "closed"


# Python tells once more that a generator does not end
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("how", ["yields", "raises"])
def test_workers_that_fail_at_their_end(how: str, tidy: str) -> None:
    told = "generator ignored GeneratorExit" if how == "yields" else "ValueError: not now"
    for executor in (ProcessExecutor(), VirtualExecutor()):
        with pytest.raises(ProgramError, match=told) as caught:
            executor.run(programs.stubborn_system(how))
        assert caught.value.node == 1


def test_a_worker_that_leaves_while_others_are_lost(tidy: str) -> None:
    with pytest.raises(LostWorkersError, match="lost: 1"):
        ProcessExecutor().run(programs.failing_system("die", "compute"))


# -- what runs out --------------------------------------------------------------------------------------------------


def test_descriptors_run_out_in_the_parent(tidy: str) -> None:
    """Whatever it is that can no longer be opened, the run is refused or ends well, and gives back what it had."""
    outcomes = eval(output_of("descriptors", "256", "40"))
    assert [leaked for _, _, leaked in outcomes] == [0] * len(outcomes)
    assert [outcome for _, outcome, _ in outcomes if outcome not in ("refused", "finished")] == []
    assert outcomes[0][1] == "refused"
    assert outcomes[-1][1] == "finished"


def test_descriptors_run_out_in_a_worker(tidy: str) -> None:
    outcomes = eval(output_of("greedy", "256", "24"))
    assert [outcome for _, outcome in outcomes if outcome not in ("refused", "done")] == []
    assert outcomes[0][1] == "refused"
    assert outcomes[-1][1] == "done"


def test_too_many_nodes_for_the_limit(tidy: str) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    nodes = 64
    edges = [(i, j) for i in range(nodes) for j in range(nodes) if i != j]
    if hard != resource.RLIM_INFINITY and hard < 2 * len(edges):
        with pytest.raises(OSError, match="descriptors"):
            ProcessExecutor().run(System([Program(programs.ignores, None)] * nodes, edges))
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


@pytest.mark.parametrize("step", [0, 3])
def test_the_record_is_removed_during_the_run(step: int, tidy: str, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    with pytest.raises((ProgramError, ValueError, OSError), match=r"run"):
        ProcessExecutor().run(System([Program(programs.removes_record, str(directory), step)], []), record=directory)


def test_the_disk_is_full(tidy: str, tmp_path: Path) -> None:
    output = output_of("full_disk", str(tmp_path / "run"), "20000")
    assert output.startswith("ProgramError: node 0, step "), output
    assert "File too large" in output
    # what was written before is there
    record = RunRecord.load(tmp_path / "run")
    assert len(record.waits()) > 10
