"""Runs in unusual surroundings: beside each other, in threads, in processes of pools, in scripts of all kinds."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codedtheory.executor import (
    Conditions,
    Crash,
    LostWorkersError,
    ProcessExecutor,
    Program,
    ProgramError,
    System,
    complete,
)
from codedtheory.executor.process_limits import checked_limits
from tests.executor import reliability_programs as programs
from tests.executor.leftovers import vanish

ROOT = Path(__file__).parents[2]
LIMIT = 60


def counted(seed: int) -> list[tuple[int, ...]]:
    record = ProcessExecutor().run(programs.counting(2, 2, 20), Conditions(seed=seed))
    trace: list[tuple[int, ...]] = record.results[0]
    return trace


def run_script(text: str, directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path = directory / "script.py"
    path.write_text(text)
    return subprocess.run(
        [sys.executable, *options, str(path)],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_runs_in_threads_do_not_disturb_each_other(tidy: str) -> None:
    main, environment = sys.modules["__main__"], dict(os.environ)
    limit, mask = resource.getrlimit(resource.RLIMIT_NOFILE), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with ThreadPoolExecutor(3) as pool:
        traces = list(pool.map(counted, range(6)))
    assert traces == [[(1, 2)] * 20] * 6
    assert sys.modules["__main__"] is main
    assert dict(os.environ) == environment
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limit
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


def test_the_limit_stays_raised_as_long_as_a_run_needs_it() -> None:
    """Two runs that overlap: the one that ends first does not take from the other what it needs."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
    small = System([Program(programs.says_hello)] * 40, complete(40))
    large = System([Program(programs.says_hello)] * 50, complete(50))
    try:
        with contextlib.ExitStack() as stack:
            low = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            first = contextlib.ExitStack()
            first.enter_context(checked_limits(small))
            stack.enter_context(checked_limits(large))
            needed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            first.close()
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == needed > 1000
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == low
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_failure_in_one_thread_is_not_that_of_another(tidy: str) -> None:
    def fails(number: int) -> Any:
        system = programs.failing_system("error", "compute") if number % 2 else programs.counting(2, 2, 5)
        with pytest.raises((LostWorkersError, ProgramError)) as caught:
            ProcessExecutor().run(system, Conditions(faults=() if number % 2 else (Crash(2, 2),)))
        return type(caught.value)

    with ThreadPoolExecutor(3) as pool:
        kinds = list(pool.map(fails, range(4)))
    assert kinds == [LostWorkersError, ProgramError] * 2


def test_one_record_for_two_runs_is_refused(tidy: str, tmp_path: Path) -> None:
    ProcessExecutor().run(programs.counting(1, 1, 1), record=tmp_path / "run")
    with pytest.raises(ValueError, match="already holds a record"):
        ProcessExecutor().run(programs.counting(1, 1, 1), record=tmp_path / "run")


def test_runs_in_the_processes_of_a_pool(tidy: str) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(counted, range(2))) == [[(1, 2)] * 20] * 2


def refused(number: int) -> str:
    try:
        ProcessExecutor().run(programs.counting(1, 1, 1))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "not refused"


def test_daemonic_processes_may_have_no_children(tidy: str) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        told = pool.apply(refused, (0,))
        pool.close()
        pool.join()
    del pool
    gc.collect()
    assert "daemonic" in told
    assert "ProcessPoolExecutor" in told


UNGUARDED = """
from codedtheory.executor import ProcessExecutor, Program, System
def program(node):
    yield from ()
    return node.id
print(dict(ProcessExecutor(start_method={method!r}).run(System([Program(program)] * 2, [])).results))
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_script_without_its_guard(method: str, tidy: str, tmp_path: Path) -> None:
    done = run_script(UNGUARDED.format(method=method), tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    last = done.stderr.strip().splitlines()[-1]
    assert "if __name__ == '__main__':" in last
    assert done.stderr.count("Traceback (most recent call last)") == 1, done.stderr
    assert not vanish(tidy)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_script_with_its_guard(method: str, tidy: str, tmp_path: Path) -> None:
    text = UNGUARDED.format(method=method).replace("print(", "if __name__ == '__main__':\n    print(")
    done = run_script(text, tmp_path)
    assert (done.stdout, done.stderr) == ("{0: 0, 1: 1}\n", "")


def test_warnings_are_errors_and_descriptors_are_closed(tidy: str, tmp_path: Path) -> None:
    text = UNGUARDED.format(method="spawn").replace("print(", "if __name__ == '__main__':\n    print(")
    done = run_script(text, tmp_path, "-X", "dev", "-W", "error")
    assert (done.stdout, done.stderr) == ("{0: 0, 1: 1}\n", "")


IGNORES_CHILDREN = """
import signal
from codedtheory.executor import Conditions, Crash, ProcessExecutor
from tests.executor import reliability_programs as programs
if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    record = ProcessExecutor().run(programs.counting(1, 2, 4), Conditions(faults=(Crash(1, 1),)))
    print(len(record.results[0]))
"""


def test_a_script_that_ignores_its_children(tidy: str, tmp_path: Path) -> None:
    """As some supervisors make all that they start do; nobody is told how a process ended then."""
    done = run_script(IGNORES_CHILDREN, tmp_path)
    assert (done.stdout, done.stderr) == ("4\n", "")
    assert not vanish(tidy)


NOHUP = """
import os, signal
from codedtheory.executor import ProcessExecutor
from tests.executor import reliability_programs as programs
if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    import threading
    threading.Timer(0.7, os.killpg, (0, signal.SIGHUP)).start()
    conditions = programs.slow_conditions(0.1)
    print(len(ProcessExecutor().run(programs.counting(2, 2, 15), conditions).results[0]))
"""


def test_a_run_survives_the_terminal(tidy: str, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(NOHUP)
    done = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        start_new_session=True,
    )
    assert (done.stdout, done.stderr) == ("15\n", "")


def test_interrupts_outside_the_main_thread_are_left_alone(tidy: str) -> None:
    """A run in a thread neither takes Ctrl-C from the main thread nor is ended by it."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(counted(1)))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    thread.join()
    assert found == [[(1, 2)] * 20]
