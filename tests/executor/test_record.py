import copy
import json
import math
import os
import pickle
import shutil
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor.event_lines import event_line, parsed
from codedtheory.executor.event_table import EventTable, merged
from codedtheory.executor.events import Arrival, ClockLook, End, LogEntry, Note, WaitEvent
from codedtheory.executor.record import RunRecord
from codedtheory.executor.record_files import pack_record, replacing
from codedtheory.executor.recorder import FileRecorder, MemoryRecorder

MANIFEST = {"format": 1, "backend": "processes", "clock": "wall", "status": "finished", "seconds": 9.5}

nodes = st.integers(0, 5)
times = st.floats()
steps = st.none() | st.integers(-(2**63) + 1, 2**63 - 1)
arrivals = st.lists(st.builds(Arrival, nodes, steps, st.integers(0, 2**63 - 1), times), max_size=3).map(tuple)
# what is not finite is spoken in these words, so they are no text of a note
texts = st.text(max_size=5).filter(lambda text: text not in ("NaN", "Infinity", "-Infinity"))
numbers = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats()
details = st.recursive(st.none() | numbers | texts, lambda inner: st.lists(inner, max_size=2))
lost = st.lists(nodes, max_size=3).map(tuple)
waits = st.builds(WaitEvent, nodes, times, times, steps, st.text(max_size=3), arrivals, arrivals, lost, st.booleans())
plain_names = st.sampled_from(["a", "b c", "é", 'd"'])
logs = st.builds(LogEntry, nodes, times, steps, st.dictionaries(plain_names, numbers, max_size=2), st.just({}))
notes = st.builds(Note, nodes, times, st.just("fault"), st.dictionaries(plain_names, details, max_size=2))
ends = st.builds(End, nodes, times, st.just("finished"), steps, st.dictionaries(plain_names, details, max_size=2))
events = st.one_of(waits, logs, notes, ends, st.builds(ClockLook, nodes, times))


@pytest.fixture
def directory(tmp_path):
    """A record of two processes, as it lies there before it is packed."""
    path = tmp_path / "run"
    path.mkdir()
    (path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="ascii")
    for node in (0, 1):
        recorder = FileRecorder(path, f"{node}")
        fill(recorder, node)
        recorder.close()
    return path


def fill(recorder, node):
    for step in range(4):
        time = 2.0 * step + 1 + node
        taken = [Arrival(2, step, step, time - 0.5), Arrival(1, step, step, time - 0.25)]
        late = [Arrival(3, step - 2, step, time)] if step > 2 else []
        recorder.waited(node, time, time - 1, step, "", taken, late, [], True)
        recorder.looked(node, time)
        recorder.logged(node, time, step, {"loss": 1 / (step + 1), "model": np.arange(3) / (step + 1)})
    recorder.noted(3, "lost", 5.0)
    recorder.ended(node, 9.0, "finished", 3, {"edges": [[1 - node, 4, 256, node]], "overwrites": [[2, "x", 3]]})


def same(left, right):
    """Whether two records say the same; NaN equals NaN."""
    return repr(list(left._events)) == repr(list(right._events))


def said(record, node=0):
    return (
        record.waits(node),
        record.replayed(node),
        record.logged("loss", node)[1].tolist(),
        record.logged("model", node)[1].tolist(),
        record.manifest,
        record.status,
        record.seconds,
        record.truncated,
    )


def names(directory):
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())


# -- exact round trips ---------------------------------------------------------------------------------------------


@given(events)
def test_an_event_comes_back_from_its_line(event):
    line = event_line(event)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    json.loads(line, parse_constant=pytest.fail)
    assert repr(parsed(line)) == repr(event)


@given(st.lists(events, max_size=6))
def test_events_come_back_from_a_table(told):
    table = EventTable()
    for event in told:
        table.add(event)
    assert repr(list(table.events())) == repr(told)


@given(st.lists(st.lists(events, max_size=4), max_size=3))
def test_merged_tables_keep_the_order_of_what_one_of_them_tells_of_a_node(parts):
    tables = []
    for part in parts:
        table = EventTable()
        for event in part:
            table.add(event)
        tables.append(table.events())
    found = list(merged(tables))
    assert sorted(map(repr, found)) == sorted(repr(event) for part in parts for event in part)
    again = EventTable()
    for event in found:
        again.add(event)
    assert repr(list(merged([again.events()]))) == repr(found)
    if len(parts) == 1:
        for node in range(6):
            of_node = [repr(event) for event in parts[0] if event.node == node]
            assert [repr(event) for event in found if event.node == node] == of_node


@given(st.lists(st.tuples(nodes, st.floats(0, 9))))
def test_a_merged_record_is_sorted_by_time_then_node(looks):
    recorders = [MemoryRecorder() for _ in range(6)]
    for node, time in sorted(looks, key=lambda look: look[1]):
        recorders[node].looked(node, time)
    found = [(event.time, event.node) for recorder in [RunRecord.of(recorders, {})] for event in recorder._events]
    assert found == sorted((time, node) for node, time in looks)


def test_the_order_of_one_node_holds_even_if_its_clock_went_back():
    recorder = MemoryRecorder()
    for time in (1.0, 3.0, 2.0):
        recorder.looked(0, time)
    recorder.looked(1, 2.5)
    record = RunRecord.of([recorder], {})
    assert [event.time for event in record.replayed(0)] == [1, 3, 2]


# -- files ---------------------------------------------------------------------------------------------------------


def test_packing_changes_nothing_but_the_files(directory):
    before = RunRecord.load(directory)
    assert sum(name.startswith("arrays/") for name in names(directory)) == 8
    pack_record(directory)
    assert names(directory) == ["arrays.npz", "events.jsonl", "manifest.json"]
    assert not (directory / "arrays").exists()
    after = RunRecord.load(directory)
    assert same(before, after)
    for node in (0, 1):
        assert said(before, node) == said(after, node)
    # a record that was read before it was packed finds its arrays where they are now
    assert before.logged("model")[1].tolist() == after.logged("model")[1].tolist()
    pack_record(directory)
    assert same(RunRecord.load(directory), after)


def test_the_packed_arrays_are_those_of_numpy(directory):
    pack_record(directory)
    with np.load(directory / "arrays.npz", allow_pickle=False) as arrays:
        assert arrays["001-00003"].tolist() == (np.arange(3) / 4).tolist()
        assert len(arrays) == 8


def test_records_without_arrays_pack_to_one_file(tmp_path):
    (tmp_path / "manifest.json").write_text('{"format": 1}', encoding="ascii")
    recorder = FileRecorder(tmp_path, "0")
    recorder.looked(0, 1.0)
    recorder.close()
    pack_record(tmp_path)
    assert names(tmp_path) == ["events.jsonl", "manifest.json"]


@pytest.mark.parametrize("stage", ["arrays", "events", "parts"])
def test_a_crash_while_packing_loses_nothing(directory, tmp_path, stage):
    before = RunRecord.load(directory)
    expected = said(before)
    packed = tmp_path / "packed"
    shutil.copytree(directory, packed)
    pack_record(packed)
    shutil.copy(packed / "arrays.npz", directory)
    if stage != "arrays":
        shutil.copy(packed / "events.jsonl", directory)
    if stage == "parts":
        (directory / "events-0.jsonl").unlink()
        (directory / "arrays" / "000-00000.npy").unlink()
    assert said(RunRecord.load(directory)) == expected
    pack_record(directory)
    assert names(directory) == ["arrays.npz", "events.jsonl", "manifest.json"]
    assert said(RunRecord.load(directory)) == expected


def test_a_file_that_is_replaced_is_there_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"

    def broken():
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert list(tmp_path.iterdir()) == []
    with replacing(path) as file:
        file.write(b"whole")
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_in_memory_and_its_files_say_the_same(directory, tmp_path):
    recorders = [MemoryRecorder(), MemoryRecorder()]
    for node, recorder in enumerate(recorders):
        fill(recorder, node)
    record = RunRecord.of(recorders, {**MANIFEST, "parameters": {"delay": math.inf}}, {0: "result"})
    record.save(tmp_path / "saved")
    loaded = RunRecord.load(tmp_path / "saved")
    for node in (0, 1):
        assert said(record, node) == said(loaded, node)
    assert loaded.manifest["parameters"] == {"delay": math.inf}
    assert json.loads((tmp_path / "saved" / "manifest.json").read_bytes())["parameters"] == {"delay": "Infinity"}
    assert said(record)[:4] == said(RunRecord.load(directory))[:4]
    assert names(tmp_path / "saved") == ["arrays.npz", "events.jsonl", "manifest.json"]
    assert dict(record.results) == {0: "result"}
    assert dict(loaded.results) == {}
    pack_record(directory)
    assert (directory / "events.jsonl").read_bytes() == (tmp_path / "saved" / "events.jsonl").read_bytes()
    loaded.save(tmp_path / "again")
    assert said(RunRecord.load(tmp_path / "again")) == said(loaded)


def test_used_targets_are_refused_with_the_remedy(directory, tmp_path):
    record = RunRecord.load(directory)
    with pytest.raises(ValueError, match=r"run' already holds a record; give another directory"):
        record.save(directory)
    (tmp_path / "file").write_text("", encoding="ascii")
    with pytest.raises(ValueError, match=r"file' is a file; give the name of a directory"):
        record.save(tmp_path / "file")
    assert names(tmp_path / "run")[-2:] == ["events-1.jsonl", "manifest.json"]


# -- damage --------------------------------------------------------------------------------------------------------


def test_a_part_that_is_cut_at_any_byte_reads_what_is_whole(directory):
    part = directory / "events-1.jsonl"
    data = part.read_bytes()
    lines = data.splitlines(keepends=True)
    whole = [event_line(parsed(line)) for line in lines]
    assert b"".join(lines) == "".join(whole).encode("ascii")
    start = len(data) - sum(map(len, lines[-5:]))
    for size in range(start, len(data) + 1):
        part.write_bytes(data[:size])
        kept, left = 0, size
        # the newline alone may be missing
        while kept < len(lines) and left >= len(lines[kept]) - 1:
            left -= len(lines[kept])
            kept += 1
        record = RunRecord.load(directory)
        assert record.truncated == (left > 0), size
        assert len(record._events) == 14 + kept
        assert [event_line(event) for event in record._events if event.node == 0] == [
            line.decode()
            for line in (directory / "events-0.jsonl").read_bytes().splitlines(keepends=True)
            if parsed(line).node == 0
        ]


def test_a_packed_file_that_is_cut_reads_what_is_whole(directory):
    pack_record(directory)
    path = directory / "events.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    record = RunRecord.load(directory)
    assert record.truncated
    assert set(record.statuses) == {0}
    assert len(record.waits(1)) == 4


def test_an_unfinished_piece_is_left_out(directory):
    piece = directory / "arrays" / "000-00003.npy"
    data = piece.read_bytes()
    for size in range(len(data)):
        piece.write_bytes(data[:size])
        record = RunRecord.load(directory)
        assert record.truncated
        assert record.logged("model")[0].tolist() == [0, 1, 2]
        assert record.logged("loss")[0].tolist() == [0, 1, 2, 3]
    pack_record(directory)
    assert names(directory) == ["arrays.npz", "events.jsonl", "manifest.json"]
    packed = RunRecord.load(directory)
    assert packed.truncated
    assert said(packed) == said(record)


def test_what_was_cut_off_is_still_told_after_packing(directory):
    part = directory / "events-0.jsonl"
    part.write_bytes(part.read_bytes()[:-3])
    before = RunRecord.load(directory)
    pack_record(directory)
    after = RunRecord.load(directory)
    assert after.truncated
    assert "cut off" in str(after)
    assert said(after) == said(before)
    after.save(directory.parent / "copy")
    assert RunRecord.load(directory.parent / "copy").truncated


def test_damage_in_the_middle_is_an_error_with_file_and_line(directory):
    part = directory / "events-1.jsonl"
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join([lines[0], lines[1][:-9], *lines[2:]]))
    with pytest.raises(ValueError, match=r"events-1.jsonl', line 2, is damaged"):
        RunRecord.load(directory)


@pytest.mark.parametrize(
    "line", [b"[]", b"3", b"{}", b'{"event":"wait","node":0,"time":1}', b'{"event":"now","node":"x","time":1}']
)
def test_lines_that_are_no_events_are_refused(directory, line):
    (directory / "events-1.jsonl").write_bytes(line + b"\n")
    with pytest.raises(ValueError, match=r"events-1.jsonl', line 1, .*not an event"):
        RunRecord.load(directory)


class Trap:
    def __reduce__(self):
        return (os.abort, ())


def test_pickled_pieces_are_never_read(directory):
    piece = directory / "arrays" / "000-00001.npy"
    np.save(piece, np.array([Trap()], object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"000-00001.npy' holds pickled objects"):
        RunRecord.load(directory)
    with pytest.raises(ValueError, match=r"000-00001.npy' holds pickled objects"):
        pack_record(directory)
    piece.write_bytes(pickle.dumps(Trap()))
    record = RunRecord.load(directory)
    assert record.truncated
    assert record.logged("model")[0].tolist() == [0, 2, 3]


def test_pickled_pieces_in_an_archive_are_never_read(directory):
    pack_record(directory)
    np.savez(directory / "arrays.npz", **{"000-00000": np.array([Trap()], object)})
    record = RunRecord.load(directory)
    with pytest.raises(ValueError, match=r"arrays/000-00000.npy"):
        record.logged("model")


def test_a_piece_cannot_name_a_file_elsewhere(directory):
    np.save(directory.parent / "secret.npy", np.zeros(2))
    line = '{"event":"log","node":0,"time":1,"step":1,"values":{},"arrays":{"model":"arrays/../../secret.npy"}}\n'
    (directory / "events-0.jsonl").write_text(line, encoding="ascii")
    record = RunRecord.load(directory)
    assert record.truncated
    with pytest.raises(ValueError, match="it logged nothing"):
        record.logged("model")


def test_what_is_no_record_is_refused_by_name(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(ValueError, match=f"{path.name}' holds no record"):
            RunRecord.load(path)
    manifest = tmp_path / "manifest.json"
    for text in ("{", "[]"):
        manifest.write_text(text, encoding="ascii")
        with pytest.raises(ValueError, match=r"manifest.json' is damaged"):
            RunRecord.load(tmp_path)
    manifest.write_text('{"format": 2}', encoding="ascii")
    with pytest.raises(ValueError, match="has the format 2, not 1"):
        RunRecord.load(tmp_path)
    manifest.write_text('{"format": 1}', encoding="ascii")
    (tmp_path / "arrays.npz").write_bytes(b"no archive")
    with pytest.raises(ValueError, match=r"arrays.npz' is damaged"):
        RunRecord.load(tmp_path)


def test_a_damaged_member_of_the_archive_is_named(directory):
    pack_record(directory)
    data = bytearray((directory / "arrays.npz").read_bytes())
    with zipfile.ZipFile(directory / "arrays.npz") as archive:
        offset = archive.getinfo("000-00000.npy").header_offset
    data[offset + 150] ^= 255
    (directory / "arrays.npz").write_bytes(data)
    with pytest.raises(ValueError, match=r"arrays/000-00000.npy"):
        RunRecord.load(directory).logged("model")


# -- questions -----------------------------------------------------------------------------------------------------


@pytest.fixture
def record(directory):
    return RunRecord.load(directory)


def test_waits_and_steps(record):
    assert record.steps() == (0, 1, 2, 3)
    assert record.steps(5) == ()
    assert [wait.order for wait in record.waits(1)] == [(2, 1)] * 4
    (wait,) = record.waits(1, step=2)
    assert (wait.time, wait.since, wait.step) == (6.0, 5.0, 2)
    assert record.step_times().tolist() == [1, 2, 2, 2]
    assert record.step_times(1).tolist() == [2, 2, 2, 2]
    assert record.step_times(5).tolist() == []


def test_a_step_with_two_waits_ends_with_the_second():
    recorder = MemoryRecorder()
    for time, step in ((1.0, 1), (1.5, None), (2.0, 1), (5.0, 2)):
        recorder.waited(0, time, 0.0, step, "", [], [], [], True)
    record = RunRecord.of(recorder, {})
    assert record.steps() == (1, 2)
    assert record.step_times().tolist() == [2, 3]
    assert len(record.waits(step=1)) == 2


def test_late_and_stale_messages():
    recorder = MemoryRecorder()
    taken = [Arrival(1, 7, 0, 1.0), Arrival(2, 4, 0, 1.0), Arrival(3, None, 0, 1.0), Arrival(4, 9, 0, 1.0)]
    recorder.waited(0, 1.0, 0.0, 7, "", taken, [Arrival(1, 5, 1, 1.0), Arrival(2, 6, 1, 1.0)], [], True)
    recorder.waited(0, 2.0, 1.0, None, "", [Arrival(1, 1, 2, 1.5)], [], [], True)
    recorder.waited(1, 2.0, 1.0, 9, "", [Arrival(1, 1, 2, 1.5)], [], [], True)
    record = RunRecord.of(recorder, {})
    assert record.late() == ((1, 5, 1, 1.0), (2, 6, 1, 1.0))
    assert record.staleness().tolist() == [3, 2, 1]
    assert record.staleness(1).tolist() == [8]
    assert record.staleness(2).tolist() == []


def test_totals(record):
    assert record.messages == {(0, 1): 4, (1, 0): 4}
    assert record.bits == {(0, 1): 256, (1, 0): 256}
    assert record.dropped == {(0, 1): 0, (1, 0): 1}
    assert record.overwrites == {(2, 0, "x"): 3, (2, 1, "x"): 3}
    assert record.statuses == {0: "finished", 1: "finished"}
    assert record.status == "finished"
    assert record.seconds == 9.5


def test_lost_nodes_are_those_that_anybody_called_lost():
    recorder = MemoryRecorder()
    recorder.noted(3, "lost", 1.0)
    recorder.noted(0, "neighbour lost", 1.0, neighbour=2)
    recorder.noted(4, "fault", 1.0, kind="drop")
    recorder.ended(5, 1.0, "lost", 3, {})
    recorder.ended(6, 1.0, "hung", 3, {})
    assert RunRecord.of(recorder, {}).lost == (2, 3, 5)


def test_a_run_that_nobody_ended_is_unfinished():
    recorder = MemoryRecorder()
    recorder.looked(0, 2.5)
    record = RunRecord.of(recorder, {"format": 1})
    assert (record.status, record.seconds, record.path) == ("unfinished", 2.5, None)
    assert (RunRecord.of([], {}).seconds, RunRecord.of([], {}).steps()) == (0.0, ())


def test_replayed_gives_waits_looks_and_notes_in_their_order():
    recorder = MemoryRecorder()
    recorder.looked(1, 1.0)
    recorder.waited(1, 1.0, 0.0, 1, "", [], [], [], True)
    recorder.logged(1, 1.0, 1, {"loss": 0.5})
    recorder.noted(1, "unreachable", 1.0, lost=[2])
    recorder.looked(0, 1.0)
    recorder.looked(1, 1.0)
    found = RunRecord.of(recorder, {}).replayed(1)
    assert [type(event) for event in found] == [ClockLook, WaitEvent, Note, ClockLook]


def test_logged_values():
    recorder = MemoryRecorder()
    recorder.logged(0, 1.0, 1, {"loss": 0.5, "ragged": np.zeros(1)})
    recorder.logged(0, 1.0, None, {"ragged": np.zeros(2), "loss": 2})
    recorder.logged(0, 1.0, 3, {"other": 1})
    recorder.logged(1, 1.0, 4, {"loss": 7.0})
    record = RunRecord.of(recorder, {})
    steps, values = record.logged("loss")
    assert (steps.tolist(), values.tolist()) == ([1, -1], [0.5, 2.0])
    steps, values = record.logged("ragged")
    assert [value.shape for value in values] == [(1,), (2,)]
    with pytest.raises(ValueError, match="'gain' was not logged by node 0; it logged loss, other, ragged"):
        record.logged("gain")


@pytest.mark.parametrize("saved", [False, True])
def test_callers_cannot_change_a_record(directory, saved):
    recorders = [MemoryRecorder(), MemoryRecorder()]
    for node, recorder in enumerate(recorders):
        fill(recorder, node)
    record = RunRecord.load(directory) if saved else RunRecord.of(recorders, {"parameters": {"k": [1]}}, {0: 1})
    before = copy.deepcopy(said(record))
    record.manifest["status"] = "failed"
    record.manifest["parameters"]["k"] = 5
    record.logged("model")[1][:] = 7
    record.logged("loss")[1][:] = 7
    record.step_times()[:] = 7
    recorders[0].looked(0, 100.0)
    for mapping in (record.results, record.bits, record.messages, record.statuses, record.overwrites):
        with pytest.raises(TypeError):
            mapping[0] = 1
    for name in ("status", "manifest", "lost", "path"):
        with pytest.raises(AttributeError):
            setattr(record, name, None)
    with pytest.raises(AttributeError):
        record.waits()[0].time = 3.0
    assert said(record) == before


def test_a_record_can_be_sent_to_another_process(record):
    assert said(pickle.loads(pickle.dumps(record))) == said(record)  # noqa: S301


def test_the_summary_says_what_matters_in_a_hundred_columns(directory):
    record = RunRecord.load(directory)
    lines = str(record).splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        "backend",
        "clock",
        "status",
        "time",
        "steps",
        "mean step",
        "late answers",
        "lost nodes",
        "bits sent",
        "overwritten",
        "saved in",
    ]
    facts = dict(line.split("  ", 1) for line in lines)
    assert {name: text.strip() for name, text in facts.items() if name != "saved in"} == {
        "backend": "processes",
        "clock": "wall",
        "status": "finished",
        "time": "9.5 s",
        "steps": "4",
        "mean step": "1.75 s",
        "late answers": "1",
        "lost nodes": "3",
        "bits sent": "512",
        "overwritten": "6",
    }
    assert repr(record).startswith("RunRecord(backend='processes', status='finished', path=")


def test_computations_that_overran_the_pace():
    recorder = MemoryRecorder()
    for node, count in enumerate((0, 3, 2)):
        recorder.ended(node, 1.0, "finished", None, {"overruns": count})
    conditions = {"conditions": {"unit": 0.02}}
    record = RunRecord.of(recorder, {**MANIFEST, "parameters": conditions})
    assert record.overruns == {1: 3, 2: 2}
    assert "pace          0.02 s a unit of work, overrun by 5" in str(record).splitlines()
    virtual = RunRecord.of(recorder, {**MANIFEST, "clock": "virtual", "parameters": conditions})
    assert "pace" not in str(virtual)


def test_the_summary_stays_narrow(tmp_path):
    recorder = MemoryRecorder()
    for node in range(300):
        recorder.noted(node, "lost", 1.0)
    record = RunRecord.of(recorder, MANIFEST)
    path = tmp_path / ("long " * 30)
    record.save(path)
    record = RunRecord.load(path)
    assert max(map(len, str(record).splitlines())) <= 100
    assert "300: 0, 1, 2," in str(record)
    assert "memory only" in str(RunRecord.of(recorder, MANIFEST))
