from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from codedtheory.executor import Conditions, Message, RunRecord, VirtualExecutor, selftest
from codedtheory.executor.mpi_channel import BEGIN, CREDIT, FINISHED, LOST, MESSAGE, SLOTS_READ, RunChannel, pack
from codedtheory.executor.mpi_executor import MPIExecutor
from codedtheory.executor.mpi_port import Closed, MPIPort
from codedtheory.executor.mpi_transport import Frame
from tests.mpi_ranks import MPIEXEC, needs_ranks, python_on_ranks

PROGRAMS = """
import json, os, sys, time
import numpy as np
from codedtheory.executor import *
from codedtheory.executor.mpi_executor import MPIExecutor


def master(node, steps, count=None):
    total = np.zeros(3)
    for step in range(steps):
        yield send(node.targets, total, step=step)
        answers = yield wait(step=step, count=count)
        total = total + sum(answers.values())
        yield log(step=step, total=total)
    return total


def worker(node, block, pause=0.0):
    while True:
        task = (yield wait(0)).only
        yield compute(time.sleep, pause, step=task.step)
        yield send(0, block + 0.25 * task.value, step=task.step)


def star_of(workers, steps, pause=0.0, count=None):
    blocks = np.arange(3.0 * workers).reshape(workers, 3)
    return System(
        [Program(master, steps, count), *(Program(worker, block, pause, daemon=True) for block in blocks)],
        star(workers),
    )
"""

SCENARIOS = (
    PROGRAMS
    + """
def whole(node, returned):
    yield from ()
    return returned


def makes_numbers(node):
    yield from ()
    return np.arange(1e6)


def leaves_much(node, value):
    # what is under way when the run ends must not be seen by the next
    for number in range(300):
        yield send(0, value, step=number)
        yield send(0, np.full(3000, value), tag="long")


def takes_some(node):
    seen = set()
    for _ in range(5):
        seen.update((yield wait(count=1)).values())
        seen.update(float(v[0]) for v in (yield wait(tag="long", count=1)).values())
    return sorted(seen)


def floods_a_slot(node, messages, size):
    for number in range(messages):
        yield send(0, np.full(size, number), step=number, slot=True)


def slow_reader(node, messages):
    seen = []
    while not seen or seen[-1] < messages - 1:
        yield compute(time.sleep, 0.05)
        message = (yield wait(1)).only
        seen.append(int(message.value[0]))
    return seen


def busy(node):
    number = 0
    while True:
        number = yield compute(max, number, number + 1)
        yield log(step=number, number=number)


def threads(node):
    from threadpoolctl import threadpool_info

    yield from ()
    return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")


def opens(node):
    yield from ()
    return len(os.listdir("/proc/self/fd"))


def unpicklable_result(node):
    yield from ()
    return lambda: 0


def told(error):
    return f"{type(error).__name__}: {error}"


def refused(call):
    try:
        call()
    except Exception as error:
        return told(error)


executor = MPIExecutor(patience=20)
out = {}
system = star_of(2, 4)
first = executor.run(system, Conditions(seed=1))
out["run"] = [first.results[0].tolist(), first.manifest["backend"], first.manifest["blas_threads"]]
out["virtual"] = VirtualExecutor().run(system, Conditions(seed=1)).results[0].tolist()
out["replay"] = executor.replay(first, system).results[0].tolist()
out["one node"] = executor.run(System([Program(whole, {"a": (1, None)})], [])).results[0] == {"a": (1, None)}
out["too many"] = refused(lambda: executor.run(star_of(3, 1)))
out["unpicklable"] = refused(
    lambda: executor.run(System([Program(whole, 1), Program(whole, lambda: 0)], [(0, 1)]))
)
out["unpicklable result"] = refused(
    lambda: executor.run(System([Program(whole, 1), Program(unpicklable_result)], [(0, 1)]))
)
results = executor.run(System([Program(whole, None), Program(makes_numbers)], [(0, 1)])).results
array = results[1]
array += 1
out["large result"] = float(array.sum())
seen = []
for run in range(6):
    programs = [Program(takes_some), *(Program(leaves_much, float(run), daemon=True) for _ in range(2))]
    seen.append(executor.run(System(programs, star(2))).results[0])
out["separate"] = seen
for size in (10, 10_000):
    programs = [Program(slow_reader, 400), Program(floods_a_slot, 400, size)]
    record = executor.run(System(programs, [(1, 0)]))
    read = record.results[0]
    out[f"slot {size}"] = [read == sorted(set(read)), len(read), len(read) + sum(record.overwrites.values())]
record = executor.run(System([Program(whole, 1), Program(busy, daemon=True)], [(0, 1)]))
out["never waits"] = record.statuses[1]
out["threads"] = dict(executor.run(System([Program(threads)] * 3, [])).results)
opened = dict(executor.run(System([Program(opens)] * 3, [])).results)
for number in range(10):
    executor.run(star_of(2, 1), record=f"{sys.argv[1]}/run{number}")
out["opened"] = [opened, dict(executor.run(System([Program(opens)] * 3, [])).results)]
out["other executor"] = MPIExecutor().run(system).results[0].tolist()
executor.close()
out["closed"] = refused(lambda: executor.run(system))
print(json.dumps(out))
"""
)


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    directory = tmp_path_factory.mktemp("scenarios")
    job = script_on_ranks(3, SCENARIOS, directory, str(directory))
    assert (job.returncode, job.stderr) == (0, ""), job.stderr
    found: dict[str, Any] = json.loads(job.stdout)
    return found


def script_on_ranks(ranks: int, text: str, directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = directory / "script.py"
    script.write_text(text)
    return python_on_ranks(ranks, str(script), *arguments, timeout=40)


# -- a script on ranks ------------------------------------------------------------------------------------------------


@needs_ranks
def test_a_script_runs_as_on_the_virtual_clock(scenarios: dict[str, Any]) -> None:
    result, backend, threads = scenarios["run"]
    assert (backend, threads) == ("mpi", 1)
    assert result == scenarios["virtual"] == scenarios["replay"] == scenarios["other executor"]


@needs_ranks
def test_fewer_nodes_than_ranks(scenarios: dict[str, Any]) -> None:
    assert scenarios["one node"] is True


@needs_ranks
def test_more_nodes_than_ranks_are_refused(scenarios: dict[str, Any]) -> None:
    assert scenarios["too many"] == (
        "ValueError: the system has 4 nodes, mpiexec started 3 ranks; start it with mpiexec -n 4"
    )


@needs_ranks
def test_unpicklable_programs_are_named_with_the_remedy(scenarios: dict[str, Any]) -> None:
    assert scenarios["unpicklable"].startswith("TypeError: program of node 1 (whole) cannot be pickled")
    assert "named function instead of a lambda" in scenarios["unpicklable"]


@needs_ranks
def test_unpicklable_results_are_named(scenarios: dict[str, Any]) -> None:
    assert scenarios["unpicklable result"].startswith("ProgramError: node 1: TypeError: result of node 1")


@needs_ranks
def test_long_results_are_the_callers_own(scenarios: dict[str, Any]) -> None:
    assert scenarios["large result"] == float(np.arange(1e6).sum() + 1e6)


@needs_ranks
def test_no_message_of_a_run_is_seen_by_the_next(scenarios: dict[str, Any]) -> None:
    assert scenarios["separate"] == [[float(run)] for run in range(6)]


@needs_ranks
@pytest.mark.parametrize("size", [10, 10_000])
def test_slots_overwrite_at_a_slow_reader(scenarios: dict[str, Any], size: int) -> None:
    increasing, read, all_messages = scenarios[f"slot {size}"]
    assert increasing
    assert read < 100
    assert all_messages == 400


@needs_ranks
def test_a_daemon_that_never_waits_is_closed(scenarios: dict[str, Any]) -> None:
    assert scenarios["never waits"] == "closed"


@needs_ranks
def test_every_rank_has_one_thread_of_linear_algebra(scenarios: dict[str, Any]) -> None:
    assert scenarios["threads"] == {"0": 1, "1": 1, "2": 1}


@needs_ranks
def test_records_leave_no_file_open(scenarios: dict[str, Any]) -> None:
    before, after = scenarios["opened"]
    assert before == after


@needs_ranks
def test_a_closed_executor_runs_nothing(scenarios: dict[str, Any]) -> None:
    assert scenarios["closed"].startswith("ValueError: the executor was closed")


@needs_ranks
def test_one_rank_alone(tmp_path: Path) -> None:
    text = PROGRAMS + "print(MPIExecutor().run(star_of(1, 1)))"
    job = script_on_ranks(1, text, tmp_path)
    assert job.returncode == 1
    assert "the system has 2 nodes, mpiexec started 1 rank; start it with mpiexec -n 2" in job.stderr


# -- ends -------------------------------------------------------------------------------------------------------------


@needs_ranks
@pytest.mark.parametrize(("end", "status"), [("raise RuntimeError('boom')", 1), ("sys.exit(3)", 3), ("", 0)])
def test_the_job_ends_as_rank_0_does(tmp_path: Path, end: str, status: int) -> None:
    text = PROGRAMS + f"print(MPIExecutor().run(star_of(2, 1)).status)\n{end}\n"
    job = script_on_ranks(3, text, tmp_path)
    assert job.returncode == status
    assert job.stdout == "finished\n"
    assert job.stderr.count("boom") == (2 if "boom" in end else 0)  # the line and the message


@needs_ranks
def test_other_ranks_run_no_more_of_the_script_than_they_need(tmp_path: Path) -> None:
    text = PROGRAMS + "executor = MPIExecutor()\nprint('only rank 0', executor.run(star_of(2, 1)).status)\n"
    assert script_on_ranks(3, text, tmp_path).stdout == "only rank 0 finished\n"


@needs_ranks
def test_communicators_run_side_by_side(tmp_path: Path) -> None:
    text = (
        PROGRAMS
        + """
from mpi4py import MPI
world = MPI.COMM_WORLD
group = world.Get_rank() // 2
with MPIExecutor(comm=world.Split(group)) as executor:
    total = executor.run(star_of(1, 3 + group)).results[0].sum()
    sys.stdout.write(f"{group} {total == VirtualExecutor().run(star_of(1, 3 + group)).results[0].sum()}\\n")
"""
    )
    job = script_on_ranks(4, text, tmp_path)
    assert sorted(job.stdout.splitlines()) == ["0 True", "1 True"]
    assert job.returncode == 0


@needs_ranks
def test_a_program_that_a_rank_cannot_load(tmp_path: Path) -> None:
    text = (
        PROGRAMS
        + """
from mpi4py import MPI
if MPI.COMM_WORLD.Get_rank() == 0:
    def late(node):
        yield from ()
executor = MPIExecutor()
try:
    executor.run(System([Program(late), Program(late)], [(0, 1)]))
except ProgramError as error:
    print(error)
print(executor.run(star_of(1, 1)).status)
"""
    )
    job = script_on_ranks(2, text, tmp_path)
    assert job.returncode == 0
    assert "node 1: TypeError: program of node 1 (late) cannot be loaded on its rank" in job.stdout
    assert job.stdout.endswith("finished\n")


@needs_ranks
def test_a_rank_that_computes_for_ever(tmp_path: Path) -> None:
    text = (
        PROGRAMS
        + """
executor = MPIExecutor(patience=1.0)
for _ in range(2):
    try:
        executor.run(star_of(2, 1, pause=300.0, count=0))
    except Exception as error:
        print(type(error).__name__, error)
"""
    )
    begin = time.monotonic()
    job = script_on_ranks(3, text, tmp_path)
    assert time.monotonic() - begin < 30
    assert job.returncode != 0
    first, second = job.stdout.splitlines()[:2]
    assert first.startswith("ExecutorError the nodes [1, 2] did not come back from a computation within 1 s")
    assert second.startswith("ValueError no further run is possible")
    assert gone(tmp_path / "script.py")


@needs_ranks
def test_a_directory_that_a_rank_does_not_see(tmp_path: Path) -> None:
    text = (
        PROGRAMS
        + """
if int(os.environ["PMI_RANK"]) == 1:
    from codedtheory.executor import mpi_rank

    def refuse(directory, name):
        raise FileNotFoundError(f"no {directory}")

    mpi_rank.FileRecorder = refuse
try:
    MPIExecutor().run(star_of(1, 1), record=sys.argv[1])
except ProgramError as error:
    print(error)
"""
    )
    job = script_on_ranks(2, text, tmp_path, str(tmp_path / "record"))
    assert job.returncode == 0
    assert f"node 1 cannot write its record: no {tmp_path}/record; all ranks must see its directory" in job.stdout
    assert RunRecord.load(tmp_path / "record").status == "failed"


LONG_RUN = (
    PROGRAMS
    + """
executor = MPIExecutor()
try:
    executor.run(star_of(2, 10_000, 0.005), record=sys.argv[1], steps=10_000)
except Interrupted as interrupted:
    print(interrupted.record.status, interrupted.saved)
    sys.exit(7)
"""
)


def started(directory: Path) -> subprocess.Popen[str]:
    """Start a long run and wait until its record has some steps."""
    script = directory / "script.py"
    script.write_text(LONG_RUN)
    job = subprocess.Popen(
        [str(MPIEXEC), "-n", "3", sys.executable, str(script), str(directory / "record")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    events = directory / "record" / "events-node-000.jsonl"
    end = time.monotonic() + 30
    while not (events.exists() and events.stat().st_size > 2000):
        assert job.poll() is None, job.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    return job


def ranks_of(script: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if os.fsencode(script) in words and b"mpiexec" not in words[0] and b"hydra" not in words[0]:
            found.append(int(process.name))
    return sorted(found)


def gone(script: Path) -> bool:
    end = time.monotonic() + 10
    while ranks_of(script) and time.monotonic() < end:
        time.sleep(0.02)
    return not ranks_of(script)


@needs_ranks
def test_interrupts_save_the_record(tmp_path: Path) -> None:
    job = started(tmp_path)
    job.send_signal(signal.SIGINT)
    output, errors = job.communicate(timeout=30)
    # mpiexec says something, too
    assert output.endswith(f"interrupted {tmp_path / 'record'}\n")
    assert "Traceback" not in errors
    assert job.returncode == 7
    record = RunRecord.load(tmp_path / "record")
    assert record.status == "interrupted"
    assert len(record.steps()) > 0
    assert set(record.statuses.values()) == {"closed"}
    assert gone(tmp_path / "script.py")


@needs_ranks
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds the ranks in /proc")
def test_the_record_outlives_a_rank_that_dies(tmp_path: Path) -> None:
    job = started(tmp_path)
    os.kill(ranks_of(tmp_path / "script.py")[-1], signal.SIGKILL)
    job.communicate(timeout=30)
    assert job.returncode != 0
    record = RunRecord.load(tmp_path / "record")
    assert record.status == "unfinished"
    steps = record.steps()
    assert len(steps) > 5
    totals = record.logged("total")[1]
    assert len(totals) in (len(steps), len(steps) - 1)
    assert gone(tmp_path / "script.py")


@needs_ranks
def test_the_self_test_passes(tmp_path: Path) -> None:
    job = python_on_ranks(3, "-m", "codedtheory.executor.selftest", timeout=40)
    assert job.returncode == 0, job.stdout
    lines = job.stdout.splitlines()
    assert [line.partition(": ok")[0] for line in lines[:-1]] == [
        f"3 MPI ranks: {check.__name__.replace('_', ' ')}" for check in selftest.CHECKS
    ]
    assert lines[-1].startswith(f"{len(selftest.CHECKS)} checks passed in ")


def test_the_self_test_passes_without_ranks() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PMI", "OMPI"))}
    job = subprocess.run(
        [sys.executable, "-m", "codedtheory.executor.selftest"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=120,
    )
    assert (job.returncode, job.stderr) == (0, ""), job.stdout
    lines = job.stdout.splitlines()
    count = len(selftest.CHECKS)
    assert [line.partition(":")[0] for line in lines[:-1]] == ["virtual clock"] * count + ["4 processes"] * count
    assert lines[-1].startswith(f"{2 * count} checks passed in ")


# -- without ranks ----------------------------------------------------------------------------------------------------


class Spoiled:
    """An executor without faults, whose results differ by a little."""

    def run(self, system: Any, conditions: Conditions | None = None) -> Any:
        return self._spoiled(VirtualExecutor().run(system, replace(conditions or Conditions(), faults=())))

    def replay(self, recorded: RunRecord, system: Any) -> Any:
        return self._spoiled(VirtualExecutor().replay(recorded, system))

    def _spoiled(self, record: RunRecord) -> Any:
        results = {}
        for node, value in record.results.items():
            if isinstance(value, np.ndarray):
                results[node] = np.nextafter(value, np.inf)
            elif isinstance(value, list | tuple):
                results[node] = value[::-1]
        return SimpleNamespace(results=results, statuses=record.statuses, lost=record.lost)


def test_the_self_test_can_fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(selftest, "_executors", lambda: [("spoiled", Spoiled(), 4)])
    assert selftest.main() == 1
    lines = capsys.readouterr().out.splitlines()
    count = len(selftest.CHECKS)
    assert ["FAILED: ValueError: " in line for line in lines] == [True] * count + [False]
    assert lines[-1].startswith(f"{count} of {count} checks failed in ")


def test_the_self_test_passes_on_the_virtual_clock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selftest, "_executors", lambda: [("virtual clock", VirtualExecutor(), 4)])
    assert selftest.main() == 0
    assert capsys.readouterr().out.count(": ok (") == len(selftest.CHECKS)


def test_without_mpi4py_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(ImportError, match=r"pip install 'codedtheory\[mpi\]'"):
        MPIExecutor()


def test_mpi_is_imported_by_executors_only() -> None:
    text = "import codedtheory.executor.mpi_executor, sys; sys.exit('mpi4py' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


@pytest.mark.parametrize("patience", [0, -1.0, float("nan")])
def test_patience_must_be_positive(patience: float) -> None:
    with pytest.raises(ValueError, match="patience"):
        MPIExecutor(patience=patience)


def test_what_is_packed_is_read_only_unless_it_is_a_result() -> None:
    from codedtheory.executor.mpi_channel import unpack

    packed = pack([np.arange(5000.0), np.arange(3)])
    for value in unpack(packed.payload, packed.bodies):
        with pytest.raises(ValueError, match="read-only"):
            value[0] = 1
    for value in unpack(packed.payload, packed.bodies, writable=True):
        value[0] = 1


class Line:
    """A transport whose frames wait until they are carried to the other end."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, bytes, list[memoryview]]] = []
        self.arrived: list[Frame] = []
        self.batches: list[list[Frame]] = []
        self.quiet = True
        self.beside_rank_0 = True

    def send(self, targets: Any, kind: int, run: int, payload: bytes = b"", bodies: Any = ()) -> None:
        self.sent += [(kind, payload, list(bodies)) for _ in targets]

    def receive(self) -> list[Frame]:
        arrived, self.arrived = self.arrived, []
        return self.batches.pop(0) if self.batches else arrived

    def pause(self, longest: float = 0) -> None:
        raise AssertionError("it should not wait")


class Idle:
    """A trampoline that waits without a deadline."""

    daemon = True
    held = False


def two_ports(**options: Any) -> tuple[MPIPort, Line, MPIPort, Line]:
    ends: list[Any] = []
    for other in (1, 0):
        line = Line()
        channel = RunChannel(line, 1, [other])  # type: ignore[arg-type]
        channel.began = time.monotonic()
        settings = {"capacity": None, "replays": False, "patience": 10.0, **options}
        port = MPIPort(channel, [other], **settings)
        port.begin(Idle())  # type: ignore[arg-type]
        ends += [port, line]
    return tuple(ends)


def carry(line: Line, to: Line, source: int) -> None:
    for kind, payload, bodies in line.sent:
        sizes = struct.pack(f"<{len(bodies)}Q", *map(len, bodies))
        frame = Frame(source, struct.pack("<BBI", kind, len(bodies), 1) + sizes + payload)
        frame.bodies = bodies
        to.arrived.append(frame)
    line.sent = []


def message(number: int, value: Any = None, **options: Any) -> Message:
    return Message(0, "", number, number, value, **options)


def taken(port: MPIPort) -> list[tuple[int, int]]:
    return [(event.number, event.replaced) for event in port.pump(0.0) if isinstance(event, Message)]


@pytest.mark.parametrize(("size", "ahead"), [(1, 16), (10_000, 2)])
def test_few_slot_messages_are_ahead_of_their_reader(size: int, ahead: int) -> None:
    sender, out, receiver, back = two_ports()
    for number in range(50):
        sender.send([1], message(number, np.zeros(size), slot=True))
    assert [kind for kind, *_ in out.sent] == [MESSAGE] * ahead
    carry(out, back, 0)
    # the newest of those that have come, which has overwritten the others
    assert taken(receiver) == [(ahead - 1, ahead - 1)]
    carry(back, out, 1)
    sender.pump(0.0)
    carry(out, back, 0)
    assert taken(receiver) == [(49, 49 - ahead)]


@pytest.mark.parametrize("sizes", [(1,), (10_000,), (1, 10_000), (10_000, 1, 1, 1)])
def test_a_reader_that_reads_gets_every_slot_message(sizes: tuple[int, ...]) -> None:
    sender, out, receiver, back = two_ports()
    for number in range(100):
        sender.send([1], message(number, np.zeros(sizes[number % len(sizes)]), slot=True))
        carry(out, back, 0)
        assert taken(receiver) == [(number, 0)]
        carry(back, out, 1)
        sender.pump(0.0)


def test_slots_that_wait_leave_before_the_farewell() -> None:
    sender, out, receiver, back = two_ports()
    for number in range(20):
        sender.send([1], message(number, slot=True))
    sender.say_farewell()
    assert [kind for kind, *_ in out.sent] == [MESSAGE] * 17 + [FINISHED]
    carry(out, back, 0)
    events = receiver.pump(0.0)
    assert [(event.number, event.replaced) for event in events[:-1]] == [(19, 19)]
    assert events[-1].finished


def test_in_a_replay_every_slot_message_comes() -> None:
    sender, out, receiver, back = two_ports(replays=True)
    for number in range(16):
        sender.send([1], message(number, slot=True))
    carry(out, back, 0)
    assert taken(receiver) == [(number, 0) for number in range(16)]


def test_queues_are_full_until_a_message_is_taken() -> None:
    sender, out, receiver, back = two_ports(capacity=2)
    for number in range(2):
        assert sender.has_room(1)
        sender.send([1], message(number, number))
    assert not sender.has_room(1)
    carry(out, back, 0)
    first, _ = receiver.pump(0.0)
    carry(back, out, 1)
    assert not sender.has_room(1)
    receiver.taken(first)
    assert [kind for kind, *_ in back.sent] == [CREDIT]
    carry(back, out, 1)
    assert sender.has_room(1)
    # neither slots nor acknowledgements take places
    sender.send([1], message(2, slot=True))
    sender.send([1], Message(0, "ack", 0, 3, None))
    assert sender.has_room(1)


def test_a_crash_is_told_after_the_last_message() -> None:
    sender, out, receiver, back = two_ports()
    sender.send([1], message(0, "last words"))
    sender.crash()
    assert [kind for kind, *_ in out.sent] == [MESSAGE, LOST]
    carry(out, back, 0)
    words, news = receiver.pump(0.0)
    assert words.value == "last words"
    assert (news.source, news.finished) == (0, False)


def test_frames_of_another_run_are_dropped() -> None:
    sender, out, receiver, back = two_ports()
    sender.send([1], message(0))
    carry(out, back, 0)
    back.arrived[0].run = 2
    assert receiver.pump(0.0) == ()


@pytest.mark.parametrize("batches", [[3], [1, 2], [2, 1], [1, 1, 1]])
def test_messages_of_neighbours_that_begin_earlier_are_kept(batches: list[int]) -> None:
    sender, out, _, _ = two_ports()
    sender.send([1], message(0))
    sender.send([1], message(1))
    here = Line()
    carry(out, here, 0)
    begin = Frame(0, struct.pack("<BBId", BEGIN, 0, 1, time.monotonic()))
    frames = [here.arrived[0], begin, here.arrived[1]]
    here.arrived = []
    channel = RunChannel(here, 1, [0])  # type: ignore[arg-type]
    here.batches = [[frames.pop(0) for _ in range(size)] for size in batches]
    assert channel.wait_for_begin()
    assert [frame.kind for _ in range(3) for frame in channel.receive()] == [MESSAGE] * 2


def test_reading_is_told_in_parts() -> None:
    sender, out, receiver, back = two_ports()
    for number in range(16):
        sender.send([1], message(number, slot=True))
    carry(out, back, 0)
    receiver.pump(0.0)
    assert [(kind, payload) for kind, payload, _ in back.sent] == [(SLOTS_READ, b"\x08"), (SLOTS_READ, b"\x08")]


def asks_for_the_time(port: MPIPort, end: float) -> None:
    while time.monotonic() < end:
        port.now()


def test_a_program_that_never_waits_notices_the_end() -> None:
    sender, *_ = two_ports()
    sender.closing = True
    with pytest.raises(Closed):
        asks_for_the_time(sender, time.monotonic() + 5)
    # once: what is left to do can still ask for the time
    time.sleep(0.02)
    assert sender.now() > 0
