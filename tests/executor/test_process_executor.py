from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from codedtheory.executor import (
    Conditions,
    Hang,
    Program,
    ProgramError,
    System,
    WaitTimeoutError,
    complete,
    compute,
    send,
    star,
    wait,
)
from codedtheory.executor.process_executor import ProcessExecutor
from codedtheory.executor.process_limits import checked_limits

EXECUTOR = ProcessExecutor()
THREAD_VARIABLE = "OPENBLAS_NUM_THREADS"


def idle(node):
    yield from ()


def returning(node, value):
    yield from ()
    return value


def making(node, size):
    yield from ()
    return {"large": np.arange(size), "small": np.arange(3), "empty": np.zeros((0, 2))}


def asking(node, count, step=0):
    yield send(node.targets, node.id, step=step)
    return (yield wait(step=step, count=count)).values()


def answering(node):
    while True:
        question = (yield wait(0)).only
        yield send(0, question.value + node.id, step=question.step)


def process_number(node):
    yield from ()
    return os.getpid()


def environment(node):
    yield from ()
    return os.environ[THREAD_VARIABLE]


def lister(node):
    yield from ()
    return sorted(sys.modules)


def waiting(node):
    yield wait(1)


def silent(node):
    yield wait(0)


def pushing(node):
    for _ in range(3):
        yield send(1)


def not_taking(node):
    yield wait(tag="other")


def napping(node):
    yield wait(0)
    yield compute(time.sleep, 60.0)


def writing_slot(node, count):
    for i in range(count):
        yield send(1, i, step=i, slot=True)
        yield compute(time.sleep, 0.0002)
    yield send(1, "over", tag="over")


def reading_slot(node):
    """Looks at the slot now and then, without looking at anything else meanwhile."""
    seen = []
    over = False
    while not over:
        yield compute(time.sleep, 0.005)
        over = len((yield wait(tag="over", timeout=0.0))) > 0
        found = yield wait(timeout=0.002)
        seen += [int(value) for value in found.values()]
    return seen


def sharing(node, shape):
    value = np.ones(shape)
    yield send(node.targets, value)
    return (yield wait()).values()


def looking(node):
    value = (yield wait()).only.value
    owner = value
    while isinstance(owner, np.ndarray):
        owner = owner.base
    yield send(0, (value.flags.writeable, value.flags.owndata, type(owner).__name__, float(value.sum())))


def script_output(tmp_path, script, *, code=0, stdin=None):
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(script))
    command = [sys.executable, "-"] if stdin else [sys.executable, str(path)]
    done = subprocess.run(
        command, input=path.read_text() if stdin else None, capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def open_descriptors():
    return sorted(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"start_method": "fork"}, "'spawn' or 'forkserver', received 'fork': a forked process can hang"),
        ({"start_method": "thread"}, "'spawn' or 'forkserver', received 'thread'"),
        ({"blas_threads": 0}, "blas_threads must be a positive integer, received 0"),
        ({"blas_threads": True}, "blas_threads"),
        ({"patience": 0}, "patience must be a positive number of seconds, received 0"),
        ({"patience": float("nan")}, "patience"),
        ({"grace": -1}, "grace must be a finite number"),
        ({"grace": float("inf")}, "grace"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, text):
    with pytest.raises(ValueError, match=text):
        ProcessExecutor(**options)


def test_every_node_is_a_process_of_its_own():
    record = EXECUTOR.run(System([Program(process_number)] * 3, []))
    assert list(record.results) == [0, 1, 2]
    assert len({os.getpid(), *record.results.values()}) == 4
    assert record.manifest["backend"] == "processes"
    assert record.manifest["clock"] == "wall"
    assert multiprocessing.active_children() == []


def test_nothing_stays_open():
    system = System([Program(asking, 3), *[Program(answering, daemon=True)] * 3], star(3))
    EXECUTOR.run(system)
    before = open_descriptors()
    for _ in range(2):
        assert EXECUTOR.run(system).results == {0: [1, 2, 3]}
    assert open_descriptors() == before


def test_results_belong_to_the_caller():
    before = open_descriptors()
    result = EXECUTOR.run(System([Program(making, 100_000)], [])).results[0]
    assert open_descriptors() == before
    np.testing.assert_array_equal(result["large"], np.arange(100_000))
    assert result["empty"].shape == (0, 2)
    for array in result.values():
        assert array.flags.writeable
        assert array.dtype == (np.float64 if array is result["empty"] else np.int64)


def test_a_result_that_cannot_travel_is_named():
    with pytest.raises(ProgramError, match=r"node 0: TypeError: result of node 0 .*program of node 0 \(opening\)"):
        EXECUTOR.run(System([Program(opening)], []))


def opening(node):
    yield from ()
    return open(os.devnull)


def test_a_program_that_cannot_travel_is_refused_before_anything_starts(tmp_path):
    with pytest.raises(TypeError, match=r"program of node 1 \(returning\) cannot be pickled.*named function"):
        EXECUTOR.run(System([Program(idle), Program(returning, lambda: 1)], []), record=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_long_arrays_are_read_where_they_lie():
    system = System([Program(sharing, (300, 400)), Program(looking), Program(looking)], star(2))
    told = EXECUTOR.run(system).results[0]
    assert told == [(False, False, "memoryview", 120_000.0)] * 2


def test_slots_hold_the_newest_and_count_the_others():
    count = 300
    record = EXECUTOR.run(System([Program(writing_slot, count), Program(reading_slot)], [(0, 1)]))
    seen = record.results[1]
    assert seen == sorted(set(seen))
    assert seen[-1] == count - 1
    assert record.overwrites == {(0, 1, ""): count - len(seen)}
    assert len(seen) < count / 2


@pytest.mark.parametrize(
    ("system", "conditions", "text"),
    [
        (System([Program(waiting), Program(silent, daemon=True)], star(1)), None, "node 0 waits for 1 messages from 1"),
        (System([Program(pushing), Program(not_taking, daemon=True)], [(0, 1)], capacity=1), None, "waits for room"),
        (
            System([Program(asking, 1, 3), Program(answering, daemon=True)], star(1)),
            Conditions(faults=(Hang(0, 2),)),
            "node 0 hangs in step 3",
        ),
    ],
)
def test_patience_ends(system, conditions, text):
    with pytest.raises(WaitTimeoutError, match=text) as caught:
        ProcessExecutor(patience=0.2).run(system, conditions)
    assert caught.value.record.status == "failed"


def test_daemons_that_compute_are_killed_after_the_grace():
    begin = time.monotonic()
    system = System(
        [Program(asking, 2), *[Program(answering, daemon=True)] * 2, Program(napping, daemon=True)], star(3)
    )
    record = ProcessExecutor(grace=0.1).run(system)
    assert record.statuses == {0: "finished", 1: "closed", 2: "closed", 3: "closed"}
    assert record.seconds < 30
    assert time.monotonic() - begin < 50


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
def test_linear_algebra_has_as_many_threads_as_told(start_method, monkeypatch):
    monkeypatch.setenv(THREAD_VARIABLE, "5")
    system = System([Program(blas_threads)] * 2, [])
    record = ProcessExecutor(start_method=start_method).run(system)
    assert record.results == {0: 1, 1: 1}
    assert record.manifest["blas_threads"] == 1
    assert os.environ[THREAD_VARIABLE] == "5"


def blas_threads(node):
    from threadpoolctl import threadpool_info

    yield from ()
    return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")


def test_processes_are_told_how_many_threads_before_they_load_anything():
    assert ProcessExecutor(blas_threads=2).run(System([Program(environment)], [])).results == {0: "2"}


HEAVY = ("scipy", "simpy", "rich", "typer", "sympy", "networkx", "mpi4py", "flint", "matplotlib", "sklearn", "pytest")


def test_processes_import_numpy_and_their_program(tmp_path):
    (tmp_path / "light.py").write_text(
        "import sys\n\ndef lister(node):\n    yield from ()\n    return sorted(sys.modules)\n"
    )
    script = """
        import rich, scipy.linalg
        from light import lister
        from codedtheory.executor import Program, System
        from codedtheory.executor.process_executor import ProcessExecutor
        if __name__ == "__main__":
            print(*ProcessExecutor().run(System([Program(lister)], [])).results[0])
    """
    loaded = script_output(tmp_path, script)[0].split()
    assert {"numpy", "light"} <= set(loaded)
    assert sorted(set(loaded) & set(HEAVY)) == []


SCRIPT = """
    import os
    os.environ["OPENBLAS_NUM_THREADS"] = "2"
    from codedtheory.executor import Program, System
    from codedtheory.executor.process_executor import ProcessExecutor
    class Value:
        def __init__(self, number):
            self.number = number
    def program(node, value):
        from threadpoolctl import threadpool_info
        yield from ()
        return Value(value.number + max(library["num_threads"] for library in threadpool_info()))
    {guard}
        print(ProcessExecutor().run(System([Program(program, Value(40))], [])).results[0].number)
"""


def test_programs_of_a_script_are_found(tmp_path):
    script = SCRIPT.format(guard='if __name__ == "__main__":')
    # the thread setting of the script does not count
    assert script_output(tmp_path, script) == ("41\n", "")


def test_a_missing_guard_is_explained_in_one_line(tmp_path):
    _, errors = script_output(tmp_path, SCRIPT.format(guard="if True:"), code=1)
    assert errors.count("Traceback") == 1
    assert "put that part under: if __name__ == '__main__':" in errors.splitlines()[-1]


def test_programs_that_are_in_no_file_are_explained(tmp_path):
    _, errors = script_output(tmp_path, SCRIPT.format(guard="if True:"), code=1, stdin=True)
    assert "cannot be loaded in its process" in errors
    assert "write it into a file, at the top level" in errors


def test_descriptors_are_counted_before_anything_starts(tmp_path):
    system = System([Program(idle)] * 24, complete(24))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = len(os.listdir("/proc/self/fd"))
    needed = 2 * 24 * 23 // 2 + opened
    try:
        # with some descriptors left, and with none to look how many there are
        for limit in (opened + 20, 5):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            with checked_limits(system):
                assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > needed - opened + min(opened, limit)
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (limit, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    script = """
        import resource
        from codedtheory.executor import Program, System, complete
        from codedtheory.executor.process_executor import ProcessExecutor
        def idle(node):
            yield from ()
        if __name__ == "__main__":
            resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))
            ProcessExecutor().run(System([Program(idle)] * 24, complete(24)))
    """
    _, errors = script_output(tmp_path, script, code=1)
    assert "a run of 24 processes with 276 pairs of neighbours needs" in errors
    assert "the limit is 200; raise it (ulimit -Hn)" in errors
