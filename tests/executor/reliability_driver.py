"""Scripts that tests kill and interrupt: ``python -m tests.executor.reliability_driver SCENARIO ARGUMENT...``."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
from multiprocessing import resource_tracker
from typing import Any

from codedtheory.executor import ProcessExecutor, Program, ProgramError, System
from tests.executor import reliability_programs as programs

__all__: list[str] = []


def say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def endless(record: str, start_method: str = "spawn") -> None:
    say("begin")
    ProcessExecutor(start_method=start_method, grace=0.2).run(programs.endless(2), record=record or None)


def deaf(record: str, directory: str) -> None:
    """The workers are in calls that let no thread of theirs run."""
    say("begin")
    system = programs.deaf(directory)
    ProcessExecutor(grace=0.2).run(system, record=record or None)


def terminated(record: str) -> None:
    """Ends in an orderly way when it is told to."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
    endless(record)


def prints() -> None:
    say("script prints")
    ProcessExecutor().run(System([Program(programs.printing)] * 2, []))


def _hold(limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def descriptors(limit: str, most: str) -> None:
    """Runs with ever more descriptors left, all but a few of which the pickling of a program has used up."""
    # it stays, with a descriptor
    resource_tracker.ensure_running()
    # Python would say that there is no place for temporary files
    tempfile.gettempdir()
    _hold(int(limit))
    outcomes = []
    for left in [*range(8), *range(8, int(most), 4)]:
        before = sorted(os.listdir("/proc/self/fd"))
        system = System([Program(programs.ignores, programs.UsesUpDescriptors(left))] * 2, [(0, 1)])
        try:
            ProcessExecutor(grace=0.2).run(system)
            outcome = "finished"
        except OSError as error:
            outcome = "refused" if "descriptors" in str(error) or error.errno == 24 else repr(error)
        except Exception as error:
            outcome = repr(error)
        programs.UsesUpDescriptors.give_back()
        after = sorted(os.listdir("/proc/self/fd"))
        outcomes.append((left, outcome, len(after) - len(before)))
    say(outcomes)


def greedy(limit: str, most: str) -> None:
    """Runs a node that keeps large arrays with ever more descriptors left."""
    _hold(int(limit))
    outcomes = []
    for left in range(0, int(most), 4):
        try:
            outcome: Any = ProcessExecutor(grace=0.2).run(programs.greedy_system(left)).results[0]
        except ProgramError as error:
            outcome = "refused" if "Too many open files" in str(error) else str(error)
        except Exception as error:
            outcome = repr(error)
        outcomes.append((left, outcome))
    say(outcomes)


def full_disk(record: str, limit: str) -> None:
    """Writes a longer record than there is room for."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    try:
        ProcessExecutor(grace=0.2).run(System([Program(programs.fills_disk, 2000)], []), record=record or None)
    except Exception as error:
        say(f"{type(error).__name__}: {error}")


def in_a_daemonic_thread(record: str) -> None:
    """Ends while a thread that nobody waits for is in the midst of a run."""
    import threading

    threading.Thread(target=endless, args=(record,), daemon=True).start()
    time.sleep(1.0)


if __name__ == "__main__":
    scenario, *arguments = sys.argv[1:]
    globals()[scenario](*arguments)
