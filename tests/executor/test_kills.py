"""Processes that are killed: the others go on if they can, an error names the lost ones if not, nothing stays."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from codedtheory.executor import Conditions, Crash, LostWorkersError, ProcessExecutor, RunRecord
from codedtheory.executor.channel import channel_pair
from codedtheory.executor.process_port import Edges, ProcessPort
from codedtheory.executor.process_status import SharedStatus
from tests.executor import reliability_programs as programs
from tests.executor.leftovers import children

SEED = 20240611
SCHEDULES = 50


class Killer(threading.Thread):
    """Kills nodes, each some seconds after its program has begun."""

    def __init__(self, directory: Path, delays: dict[int, float]) -> None:
        super().__init__()
        self._directory = directory
        self._delays = delays
        self._over = threading.Event()
        self.killed: set[int] = set()

    def run(self) -> None:
        begun: dict[int, float] = {}
        waiting = dict(self._delays)
        while waiting and not self._over.is_set():
            for node, delay in list(waiting.items()):
                path = self._directory / str(node)
                if path.exists() and time.monotonic() >= begun.setdefault(node, time.monotonic()) + delay:
                    del waiting[node]
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(path.read_text()), signal.SIGKILL)
                        self.killed.add(node)
            time.sleep(0.0005)

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self.join()

    def __enter__(self) -> Killer:
        self.start()
        return self


def check_failure(error: LostWorkersError, victims: set[int], record: Path, k: int, n: int) -> None:
    """The error and the record tell the same, and what they tell has happened."""
    assert error.saved == str(record)
    assert str(record) in str(error)
    lost = set(error.lost)
    assert lost <= victims
    assert 0 in lost or n - len(lost) < k
    for node in lost:
        assert str(node) in str(error)
    loaded = RunRecord.load(record)
    assert loaded.status == "failed"
    assert lost <= set(loaded.lost) <= victims
    check_steps(loaded, k)


def check_steps(record: RunRecord, k: int) -> None:
    waits = [wait for wait in record.waits() if wait.complete]
    assert [wait.step for wait in waits] == list(range(len(waits)))
    for wait in waits:
        assert len(set(wait.order)) == len(wait.order) == k
        assert all(arrival.step == wait.step for arrival in wait.taken)
    with contextlib.suppress(ValueError):
        steps, answers = record.logged("answers")
        # the last step may have been waited for and not yet logged
        assert len(waits) - 1 <= len(steps) <= len(waits)
        assert steps.tolist() == list(range(len(steps)))
        assert set(answers.tolist()) <= {k}


@pytest.mark.parametrize("schedule", range(SCHEDULES))
def test_any_workers_are_killed_at_any_time(schedule: int, tidy: str, tmp_path: Path) -> None:
    random = np.random.default_rng([SEED, schedule])
    n = int(random.integers(1, 5))
    k = int(random.integers(1, n + 1))
    steps = int(random.integers(1, 25))
    # the master is among the victims now and then
    nodes = np.arange(0 if random.random() < 0.1 else 1, n + 1)
    victims = {int(node) for node in random.choice(nodes, random.integers(0, len(nodes) + 1), replace=False)}
    from_outside = {node for node in victims if random.random() < 0.4}
    faults = tuple(Crash(node, int(random.integers(steps))) for node in sorted(victims - from_outside))
    delays = {node: float(random.exponential(0.01)) for node in sorted(from_outside)}
    conditions = Conditions(seed=schedule, unit=0.0005, faults=faults)
    executor = ProcessExecutor(start_method="spawn" if schedule % 5 == 0 else "forkserver", patience=60.0)
    pids = tmp_path / "pids"
    pids.mkdir()
    system = programs.counting(k, n, steps, str(pids))
    with Killer(pids, delays) as killer:
        try:
            record = executor.run(system, conditions, record=tmp_path / "run")
        except LostWorkersError as error:
            assert 0 in victims or n - len(victims) < k
            check_failure(error, victims, tmp_path / "run", k, n)
            return
    crashing = {fault.node for fault in faults}
    # those that crash answer no step after it, so it cannot have come to its end
    assert 0 not in crashing
    assert n - len(crashing) >= k
    trace = record.results[0]
    assert len(trace) == steps
    assert all(len(set(sources)) == len(sources) == k for sources in trace)
    for fault in faults:
        assert all(fault.node not in sources for sources in trace[fault.step :])
    assert set(record.lost) <= crashing | killer.killed
    loaded = RunRecord.load(tmp_path / "run")
    assert loaded.status == "finished"
    assert len(loaded.steps()) == steps
    check_steps(loaded, k)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_exactly_the_lost_workers_are_named(method: str, tidy: str, tmp_path: Path) -> None:
    faults = (Crash(4, 3), Crash(2, 3))
    with pytest.raises(LostWorkersError, match=r"lost: 2, 4; the record is in ") as caught:
        ProcessExecutor(start_method=method).run(
            programs.counting(4, 5, 9), Conditions(faults=faults), record=tmp_path / "run"
        )
    assert caught.value.lost == (2, 4)
    loaded = RunRecord.load(tmp_path / "run")
    assert loaded.lost == (2, 4)
    assert [wait.step for wait in loaded.waits() if wait.complete] == [0, 1, 2]
    assert {node for node, status in loaded.statuses.items() if status == "lost"} == {2, 4}


def test_a_node_that_only_waits_for_the_end_takes_leave_then() -> None:
    """Its neighbours, who may not have heard yet that the run is over, do not take it for lost."""
    status, segment = SharedStatus.create(2, 1)
    segment.close()
    ends = [channel_pair() for _ in range(3)]
    (parent, control), (_, other_control), (here, there) = ends
    waiting = ProcessPort(0, control, {1: here}, Edges({1: 0}, {}), status, None, False)
    neighbour = ProcessPort(1, other_control, {0: there}, Edges({}, {0: 0}), status, None, False)
    parent.send(b"close")
    waiting.stay(60.0)
    assert waiting.closing
    here.close()
    assert neighbour.pump(0.0) == ()
    for end in ends:
        for channel in end:
            channel.close()


def test_the_master_is_killed(tidy: str, tmp_path: Path) -> None:
    with pytest.raises(LostWorkersError, match="every node that had to finish is lost: 0; the record is in") as caught:
        ProcessExecutor().run(programs.counting(1, 2, 9), Conditions(faults=(Crash(0, 4),)), record=tmp_path / "run")
    assert caught.value.lost == (0,)
    loaded = RunRecord.load(tmp_path / "run")
    assert loaded.statuses[0] == "lost"
    check_steps(loaded, 1)
    assert [wait.step for wait in loaded.waits() if wait.complete] == [0, 1, 2, 3]


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.2])
def test_workers_are_killed_while_they_start(delay: float, tidy: str) -> None:
    """Before a process is ready it has no node to be told of, but it is lost like any other."""
    before = set(children())
    killed = []

    def kill() -> None:
        end = time.monotonic() + 30
        while len(started := sorted(set(children()) - before)) < 2 and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(delay)
        with contextlib.suppress(ProcessLookupError):
            os.kill(started[-1], signal.SIGKILL)
            killed.append(started[-1])

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        record = ProcessExecutor().run(programs.counting(1, 3, 3))
        lost, steps = record.lost, len(record.results[0])
    except LostWorkersError as error:
        # it was the master
        lost, steps = error.lost, 3
    finally:
        killer.join()
    assert steps == 3
    assert len(lost) <= len(killed) == 1


def test_a_worker_that_dies_tells_of_what(tidy: str) -> None:
    record = ProcessExecutor().run(programs.losing("segfault"))
    assert record.lost == (1,)
    assert record.notes("lost")[0].details["reason"] == "SIGSEGV"
    record = ProcessExecutor().run(programs.losing("die"))
    assert record.notes("lost")[0].details["reason"] == "exit code 3"
