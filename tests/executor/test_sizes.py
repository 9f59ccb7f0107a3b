"""Runs that are large: many nodes, many steps, large arrays, many runs one after the other."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from codedtheory.executor import (
    Conditions,
    Exponential,
    ProcessExecutor,
    Program,
    RunRecord,
    System,
    VirtualExecutor,
    complete,
)
from tests.executor import reliability_programs as programs
from tests.executor.leftovers import nothing_stays


def resident() -> int:
    """The bytes of memory of this process."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


# -- many nodes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_200_workers_on_the_virtual_clock(steps: int, tmp_path: Path) -> None:
    k, n = 150, 200
    conditions = Conditions(seed=3, stragglers=Exponential(1.0))
    record = VirtualExecutor().run(programs.counting(k, n, steps), conditions, watch=[0], record=tmp_path / "run")
    assert [len(sources) for sources in record.results[0]] == [k] * steps
    assert record.steps() == tuple(range(steps))
    assert record.messages[0, n] == steps
    assert record.logged("answers")[1].sum() == k * steps
    assert {record.statuses[node] for node in range(1, n + 1)} == {"closed"}
    assert RunRecord.load(tmp_path / "run").seconds == record.seconds


def test_64_processes(tidy: str) -> None:
    record = ProcessExecutor(start_method="forkserver").run(programs.counting(63, 63, 2))
    assert record.results[0] == [tuple(range(1, 64))] * 2
    assert list(record.statuses.values()) == ["finished"] + ["closed"] * 63


def test_more_neighbours_than_descriptors_in_a_message() -> None:
    with pytest.raises(ValueError, match="start_method must be 'spawn' for a node with 249 neighbours"):
        ProcessExecutor(start_method="forkserver").run(programs.counting(1, 249, 1))


@pytest.mark.slow
@pytest.mark.parametrize("edges", ["star", "complete", "many"])
def test_even_more_processes(edges: str, tidy: str) -> None:
    if edges == "star":
        record = ProcessExecutor().run(programs.counting(63, 63, 2))
        assert record.results[0] == [tuple(range(1, 64))] * 2
    elif edges == "many":
        record = ProcessExecutor(start_method="forkserver", grace=10.0).run(programs.counting(248, 248, 2))
        assert record.results[0] == [tuple(range(1, 249))] * 2
    else:
        system = System([Program(programs.says_hello)] * 64, complete(64))
        record = ProcessExecutor().run(system)
        assert record.results == dict.fromkeys(range(64), 63)


# -- large arrays ---------------------------------------------------------------------------------------------------


def test_arrays_of_no_bytes_and_of_256_megabytes(tidy: str) -> None:
    large = 256 << 20
    data = np.zeros(large, np.uint8)
    data[-1] = data.size % 251
    record = ProcessExecutor(grace=5.0).run(programs.bouncing([0, large, 0, 1], data, workers=2))
    returned, last = record.results[0]
    assert returned.nbytes == large
    assert returned[-1] == data[-1]
    assert not returned[:-1].any()
    np.testing.assert_array_equal(last, [0])
    assert record.bits[0, 1] == record.bits[1, 0] == 8 * (large + 1)


def test_data_of_no_bytes(tidy: str) -> None:
    record = ProcessExecutor().run(programs.bouncing([0], np.zeros(0, np.uint8), workers=1))
    returned, last = record.results[0]
    assert returned.shape == last.shape == (0,)


# -- many runs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cycles", "allowed"), [(10, 8 << 20), pytest.param(200, 8 << 20, marks=pytest.mark.slow)])
def test_runs_one_after_the_other(
    cycles: int, allowed: int, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither descriptors nor memory grow; a few runs that come first fill what is kept once."""
    executor = ProcessExecutor(start_method="forkserver")
    data = np.ones(1 << 18)

    def once(number: int) -> None:
        record = None if number % 2 else tmp_path / str(number)
        kept = executor.run(programs.counting(1, 2, 3, None), record=record)
        assert len(kept.results[0]) == 3
        executor.run(programs.bouncing([1 << 20], data.view(np.uint8)[:0], workers=1))

    with nothing_stays(tmp_path_factory.mktemp("first"), monkeypatch):
        for number in range(3):
            once(number)
    sizes = [resident()]
    descriptors = len(os.listdir("/proc/self/fd"))
    with nothing_stays(tmp_path_factory.mktemp("second"), monkeypatch):
        for number in range(3, 3 + cycles):
            once(number)
            sizes.append(resident())
            assert len(os.listdir("/proc/self/fd")) == descriptors
    # the trend, which a single measurement that is off does not change
    growth = np.polyfit(np.arange(len(sizes)), sizes, 1)[0] * len(sizes)
    assert growth < allowed


def test_nothing_is_measured_in_vain() -> None:
    before = resident()
    # more than what the allocator may have kept of earlier blocks
    block = np.ones(1 << 24)
    assert resident() - before > block.nbytes // 2
