import json
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

from codedtheory.executor.events import Arrival, ClockLook, End, LogEntry, Note, WaitEvent
from codedtheory.executor.message import Message
from codedtheory.executor.record import RunRecord
from codedtheory.executor.recorder import FileRecorder, MemoryRecorder
from codedtheory.executor.shared_recorder import EventSegment, SharedRecorder

INF, NAN = float("inf"), float("nan")


def message(source, step=3, number=0, arrived=1.0):
    return Message(source, "", step, number, None, arrived=arrived)


def tell(recorder):
    recorder.waited(0, 1.5, 0.5, 3, "", [message(2), message(1, None, 7, 1.25)], [message(3, 2)], [4, 5], False)
    recorder.looked(0, 1.5)
    recorder.logged(0, 1.5, None, {"loss": 0.1, "count": 3, "good": True})
    recorder.noted(4, "fault", 1.5, kind="crash", step=np.int64(2), delay=INF)
    recorder.ended(0, 2.0, "finished", 3, {"edges": [[1, 2, np.int64(128), 0]], "overwrites": [], "late": 1})
    recorder.flush()


TOLD = [
    WaitEvent(
        0, 1.5, 0.5, 3, "", (Arrival(2, 3, 0, 1.0), Arrival(1, None, 7, 1.25)), (Arrival(3, 2, 0, 1.0),), (4, 5), False
    ),
    ClockLook(0, 1.5),
    LogEntry(0, 1.5, None, {"loss": 0.1, "count": 3, "good": True}, {}),
    Note(4, 1.5, "fault", {"kind": "crash", "step": 2, "delay": INF}),
    End(0, 2.0, "finished", 3, {"edges": [[1, 2, 128, 0]], "overwrites": [], "late": 1}),
]


def written(directory):
    (directory / "manifest.json").write_text('{"format": 1}', encoding="ascii")
    return RunRecord.load(directory)


def recorded(kind, directory, fill):
    if kind == "memory":
        recorder = MemoryRecorder()
        fill(recorder)
        return RunRecord.of(recorder, {})
    if kind == "shared":
        with EventSegment() as segment:
            recorder = SharedRecorder(os.dup(segment.descriptor))
            try:
                fill(recorder)
            finally:
                recorder.close()
            return RunRecord.of([segment], {})
    recorder = FileRecorder(directory, "0")
    fill(recorder)
    recorder.close()
    return written(directory)


every = pytest.mark.parametrize("kind", ["memory", "file", "shared"])


@every
def test_events_come_back_as_they_were_told(kind, tmp_path):
    assert list(recorded(kind, tmp_path, tell)._events) == TOLD


def test_lines_are_strict_json_in_the_documented_form(tmp_path):
    def fill(recorder):
        recorder.waited(0, 1.5, 0.5, 3, 'a"b', [message(2, arrived=INF)], [], [1], True)
        recorder.logged(0, 1.5, 3, {"loss": -INF, "model": np.zeros(2)})
        recorder.looked(0, NAN)

    recorded("file", tmp_path, fill)
    text = (tmp_path / "events-0.jsonl").read_text(encoding="ascii")
    assert [json.loads(line, parse_constant=pytest.fail) for line in text.splitlines()] == [
        {
            "event": "wait",
            "node": 0,
            "time": 1.5,
            "since": 0.5,
            "step": 3,
            "tag": 'a"b',
            "taken": [[2, 3, 0, "Infinity"]],
            "late": [],
            "lost": [1],
            "complete": True,
        },
        {
            "event": "log",
            "node": 0,
            "time": 1.5,
            "step": 3,
            "values": {"loss": "-Infinity"},
            "arrays": {"model": "arrays/000-00000.npy"},
        },
        {"event": "now", "node": 0, "time": "NaN"},
    ]


@every
@pytest.mark.parametrize("tag", ["", "inf", "nan", 'quote " and \\', "line\nbreak", "é\ud800"])
def test_any_tag_comes_back(kind, tag, tmp_path):
    def fill(recorder):
        recorder.waited(0, INF, 0.1, None, tag, [message(1, arrived=0.1)], [], [], True)

    (event,) = recorded(kind, tmp_path, fill).waits()
    assert (event.tag, event.time, event.since, event.step) == (tag, INF, 0.1, None)
    assert event.taken == ((1, 3, 0, 0.1),)


@every
def test_numpy_scalars_are_numbers(kind, tmp_path):
    def fill(recorder):
        third = np.float64(1) / 3
        recorder.waited(
            np.int64(0),
            third,
            third,
            np.int32(5),
            "",
            [message(np.int64(1), np.int64(5), 2, third)],
            [],
            [],
            np.bool_(1),
        )
        values = {"a": np.float32(0.1), "b": np.int8(-3), "c": np.float64(NAN), "d": np.bool_(True), "e": third}
        recorder.logged(np.int64(0), third, np.int64(5), values)

    record = recorded(kind, tmp_path, fill)
    (event,) = record.waits()
    assert event == WaitEvent(0, 1 / 3, 1 / 3, 5, "", (Arrival(1, 5, 2, 1 / 3),), (), (), True)
    values = {name: record.logged(name)[1].tolist() for name in "abcde"}
    assert values.pop("c") != [NAN]
    assert values == {"a": [float(np.float32(0.1))], "b": [-3], "d": [True], "e": [1 / 3]}
    assert np.isnan(record.logged("c")[1]).all()


@every
def test_arrays_and_other_numbers_come_back_exactly(kind, tmp_path):
    values = {
        "empty": np.zeros((0, 3)),
        "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "strided": np.arange(10)[::-2],
        "small": np.array(1 / 3, np.float16),
        "complex": 0.1 + 2j,
        "long": np.longdouble(1) / 3,
        "special": np.array([NAN, -0.0, INF]),
    }
    record = recorded(kind, tmp_path, lambda recorder: recorder.logged(0, 1.0, 1, values))
    for name, value in values.items():
        steps, (found,) = record.logged(name)
        assert steps.tolist() == [1]
        np.testing.assert_array_equal(found, value)
        assert np.asarray(found).dtype == np.asarray(value).dtype
    assert np.signbit(record.logged("special")[1][0, 1])


@every
def test_what_is_logged_may_change_afterwards(kind, tmp_path):
    def fill(recorder):
        model = np.zeros(2)
        for step in range(3):
            model += 1
            recorder.logged(0, step, step, {"model": model})

    assert recorded(kind, tmp_path, fill).logged("model")[1].tolist() == [[1, 1], [2, 2], [3, 3]]


@every
@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (np.array([None]), TypeError, "array of Python objects"),
        (np.ma.masked_array([1.0], [True]), TypeError, "masked"),
        ([1.0], TypeError, "is a list"),
        ("text", TypeError, "is a str"),
        (None, TypeError, "is a NoneType"),
        (2**63, ValueError, "more than 64 bits"),
    ],
)
def test_what_is_no_number_is_refused_by_name(kind, value, error, words, tmp_path):
    recorder = MemoryRecorder() if kind == "memory" else FileRecorder(tmp_path, "0")
    with pytest.raises(error, match=rf"values\['wrong'\].*{words}"):
        recorder.logged(0, 1.0, 1, {"right": 1.0, "wrong": value})


@every
def test_notes_that_would_be_read_as_something_else_are_refused(kind, tmp_path):
    recorder = MemoryRecorder() if kind == "memory" else FileRecorder(tmp_path, "0")
    with pytest.raises(ValueError, match="'wait'"):
        recorder.noted(0, "wait", 1.0)
    with pytest.raises(ValueError, match="node"):
        recorder.noted(0, "fault", 1.0, node=3)
    with pytest.raises(TypeError, match="fault"):
        recorder.noted(0, "fault", 1.0, of=object())


def test_nothing_is_written_before_a_flush_and_all_after_it(tmp_path):
    recorder = FileRecorder(tmp_path, "0")
    recorder.looked(0, 1.0)
    path = tmp_path / "events-0.jsonl"
    assert path.read_bytes() == b""
    recorder.flush()
    recorder.looked(0, 2.0)
    assert path.read_bytes().count(b"\n") == 1
    recorder.close()
    recorder.close()
    assert path.read_bytes().count(b"\n") == 2


def test_a_program_that_never_waits_does_not_fill_the_memory(tmp_path):
    recorder = FileRecorder(tmp_path, "0")
    for _ in range(1000):
        recorder.looked(0, 1.0)
    assert (tmp_path / "events-0.jsonl").read_bytes().count(b"\n") >= 700


@pytest.mark.parametrize("written_first", [0, 5, None])
def test_a_flush_that_is_interrupted_neither_loses_nor_doubles_a_line(written_first, tmp_path, monkeypatch):
    recorder = FileRecorder(tmp_path, "0")
    write = os.pwrite

    def interrupted(descriptor, data, offset):
        write(descriptor, data[:written_first], offset)
        raise KeyboardInterrupt

    recorder.looked(0, 1.0)
    recorder.flush()
    recorder.looked(0, 2.0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", interrupted)
        with pytest.raises(KeyboardInterrupt):
            recorder.flush()
    recorder.looked(0, 3.0)
    recorder.close()
    assert list(written(tmp_path)._events) == [ClockLook(0, 1.0), ClockLook(0, 2.0), ClockLook(0, 3.0)]


def test_short_writes_are_continued(tmp_path, monkeypatch):
    recorder = FileRecorder(tmp_path, "0")
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, offset: write(descriptor, data[:7], offset))
    tell(recorder)
    assert list(written(tmp_path)._events) == TOLD


def test_an_interrupt_between_the_cells_and_the_row_leaves_the_table_as_it_was():
    recorder = MemoryRecorder()
    with pytest.raises(AttributeError):
        recorder.waited(0, 1.0, 0.5, 3, "", [message(1), object()], [], [7], True)
    tell(recorder)
    assert list(recorder.events()) == TOLD


def test_two_processes_never_share_a_file(tmp_path):
    FileRecorder(tmp_path, "0").close()
    with pytest.raises(ValueError, match="already holds the events of '0'; give another directory"):
        FileRecorder(tmp_path, "0")
    with pytest.raises(ValueError, match=r"'\.\./0'"):
        FileRecorder(tmp_path, "../0")


def test_arrays_for_a_directory_that_is_gone_are_an_error(tmp_path):
    directory = tmp_path / "gone"
    directory.mkdir()
    recorder = FileRecorder(directory, "0")
    (directory / "events-0.jsonl").unlink()
    directory.rmdir()
    with pytest.raises(FileNotFoundError):
        recorder.logged(0, 1.0, 1, {"model": np.zeros(2)})
    assert not directory.exists()


def test_a_killed_process_loses_only_what_it_did_not_flush(tmp_path):
    script = f"""
import os, signal, numpy as np
from codedtheory.executor.recorder import FileRecorder
recorder = FileRecorder({os.fspath(tmp_path)!r}, "7")
for step in range(3):
    recorder.looked(7, float(step))
    recorder.logged(7, float(step), step, {{"model": np.full(2, step)}})
recorder.flush()
recorder.looked(7, 9.0)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    record = written(tmp_path)
    assert [event.time for event in record.replayed(7)] == [0, 1, 2]
    assert record.logged("model", 7)[1].tolist() == [[0, 0], [1, 1], [2, 2]]
    assert not record.truncated


def test_a_recorder_can_be_sent_to_another_process():
    recorder = MemoryRecorder()
    tell(recorder)
    copy = pickle.loads(pickle.dumps(recorder))  # noqa: S301
    assert list(copy.events()) == TOLD
    copy.looked(0, 3.0)
    assert len(copy.events()) == len(TOLD) + 1
    assert len(recorder.events()) == len(TOLD)


def test_memory_holds_waits_in_few_bytes():
    recorder = MemoryRecorder()
    messages = [message(source) for source in range(200)]
    for step in range(100):
        recorder.waited(0, step, step, step, "", messages, [], [], True)
    # of a message 32, where tuples of Python numbers would take some 150
    assert len(pickle.dumps(recorder)) < 100 * (200 * 32 + 100)


def test_a_worker_that_records_imports_numpy_and_the_standard_library():
    script = "import sys, codedtheory.executor.recorder; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    rooms = {name.partition(".")[0] for name in done.stdout.split()}
    assert {"numpy", "codedtheory"} <= rooms
    foreign = {"rich", "scipy", "simpy", "mpi4py", "sympy", "flint", "networkx", "threadpoolctl", "typer"}
    assert rooms.isdisjoint(foreign)
