from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.executor.shared_arguments import attach_data, load_program, place_programs

BLOCK = 4096  # bytes from which arrays are shared


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def placed_and_loaded(*programs):
    placed = place_programs(programs, [f"program {number}" for number in range(len(programs))])
    data = attach_data(os.dup(placed.descriptor), placed.size) if placed.descriptor is not None else None
    placed.close()
    return placed, [load_program(pickled, data) for pickled in placed.pickled]


def test_programs_arrive_as_they_were():
    rng = np.random.default_rng(3)
    table, small = rng.random((100, 30)), rng.random(5)
    programs = [(np.dot, table, {"small": small, "step": 0.1}), partial(np.sum, table[:, ::2], axis=0), (print, None)]
    placed, loaded = placed_and_loaded(*programs)
    assert np.array_equal(loaded[0][1], table)
    assert np.array_equal(loaded[0][2]["small"], small)
    assert np.array_equal(loaded[1](), table[:, ::2].sum(0))
    assert loaded[2] == (print, None)
    assert placed.size >= table.nbytes * 1.5


def test_arrays_are_read_only_whatever_their_size():
    _, [[large, small, gaps]] = placed_and_loaded([np.zeros(1000), np.zeros(3), np.zeros((50, 50))[:, 1]])
    for array in (large, small, gaps):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_large_arrays_are_aligned():
    _, [arrays] = placed_and_loaded([np.zeros(BLOCK + 1, np.uint8), np.zeros(BLOCK + 3, np.uint8), np.zeros(BLOCK)])
    assert [array.__array_interface__["data"][0] % 64 for array in arrays] == [0, 0, 0]


def test_an_array_of_many_programs_is_stored_once():
    data = np.ones((1000, 10))
    placed, loaded = placed_and_loaded(*[(np.sum, data, worker) for worker in range(12)])
    assert placed.size == data.nbytes
    assert max(map(len, placed.pickled)) < 1000
    assert all(np.array_equal(program[1], data) for program in loaded)


def test_an_array_with_gaps_of_many_programs_is_stored_once():
    data = np.arange(40_000.0).reshape(2000, 20)[:, ::2]
    placed, loaded = placed_and_loaded(*[(data, worker) for worker in range(5)])
    assert placed.size == data.nbytes
    assert all(np.array_equal(program[0], data) for program in loaded)


def test_parts_of_an_array_are_stored_with_it():
    data = np.arange(80_000.0).reshape(8000, 10)
    parts = [data[number * 1000 : (number + 2) * 1000] for number in range(7)]
    placed, loaded = placed_and_loaded(*parts[::-1], data)
    assert placed.size == data.nbytes
    assert all(np.array_equal(one, other) for one, other in zip(loaded, [*parts[::-1], data], strict=True))
    placed, loaded = placed_and_loaded(*parts)  # they overlap and make up the whole
    assert placed.size == data.nbytes
    assert all(np.array_equal(one, other) for one, other in zip(loaded, parts, strict=True))


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 20_000)), max_size=8))
def test_any_overlap_of_arrays(extents):
    data = np.random.default_rng(1).integers(0, 256, 60_000, np.uint8)
    arrays = [data[start : start + size] for start, size in extents]
    placed, loaded = placed_and_loaded(*arrays, arrays)
    assert all(np.array_equal(one, other) for one, other in zip(loaded[:-1], arrays, strict=True))
    assert all(np.array_equal(one, other) for one, other in zip(loaded[-1], arrays, strict=True))
    assert placed.size <= 60_000 + 64 * len(arrays)


def test_column_order_is_kept():
    _, [array] = placed_and_loaded(np.asfortranarray(np.arange(6000.0).reshape(60, 100)))
    assert array.flags.f_contiguous
    assert array[3, 4] == 304


def test_programs_without_large_arrays_need_no_segment():
    placed, loaded = placed_and_loaded((max, [1, 2]), np.zeros(10))
    assert (placed.descriptor, placed.size) == (None, 0)
    assert loaded[0] == (max, [1, 2])


def test_nothing_remains():
    names, before = sorted(Path("/dev/shm").iterdir()), descriptors()
    placed, loaded = placed_and_loaded(np.zeros(100_000))
    assert sorted(Path("/dev/shm").iterdir()) == names
    del placed, loaded
    assert descriptors() == before


def local_function():
    def inner():
        pass

    return inner


class Unwilling:
    def __reduce__(self):
        raise TypeError("holds a connection")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ((lambda: 0, 1), r"program of node 1 \(worker\) cannot be pickled.*lambda.*; define it at module level"),
        ((local_function(), 1), r"program of node 1 \(worker\).*local_function.<locals>.inner.*at module level"),
        ((max, (x for x in [])), r"program of node 1 \(worker\).*generator.*pass the function that makes"),
        ((max, Unwilling()), r"program of node 1 \(worker\).*holds a connection; pass plain data"),
    ],
)
def test_what_cannot_be_pickled_is_named_with_a_remedy(program, told):
    before = descriptors()
    with pytest.raises(TypeError, match=told):
        place_programs([(max, np.zeros(1000)), program], ["program of node 0 (master)", "program of node 1 (worker)"])
    assert descriptors() == before


def test_data_beyond_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("codedtheory.executor.memory_space.available_memory", lambda root: 2_000_000)
    before = descriptors()
    with pytest.raises(OSError, match=r"the data of the programs needs 8000000 bytes of memory, 2000000 are available"):
        place_programs([np.zeros(1_000_000)], ["large"])
    assert descriptors() == before


def test_a_program_with_large_arrays_needs_its_data():
    placed = place_programs([np.zeros(1000)], ["one"])
    with pytest.raises(ValueError, match="data must be given"):
        load_program(placed.pickled[0])
    placed.close()


CHILD = """
import os, sys
from codedtheory.executor.shared_arguments import attach_data, load_program
function, array = load_program(bytes.fromhex(sys.argv[3]), attach_data(int(sys.argv[1]), int(sys.argv[2])))
print(float(function(array)), array.flags.writeable, flush=True)
if sys.stdin.readline():
    array.ctypes.data_as(__import__("ctypes").POINTER(__import__("ctypes").c_double))[0] = 1.0
"""


def test_another_process_reads_the_data_and_cannot_change_it():
    data = np.full(5000, 2.0)
    placed = place_programs([(np.sum, data)], ["sum"])
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(placed.descriptor), str(placed.size), placed.pickled[0].hex()],
        pass_fds=[placed.descriptor],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    placed.close()
    output, _ = child.communicate("write\n")
    assert output == "10000.0 False\n"
    assert child.returncode == -11
