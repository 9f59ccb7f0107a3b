import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from codedtheory.executor.events import LogEntry, WaitEvent
from codedtheory.executor.message import Message
from codedtheory.executor.shared_recorder import EventSegment, SharedRecorder

KILLED = """
import os, signal, sys
from codedtheory.executor.shared_recorder import SharedRecorder
recorder = SharedRecorder(int(sys.argv[1]))
for k in range(30_000):
    recorder.waited(3, k + 1.0, k, k, "", [], [], [], True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def test_what_was_recorded_outlives_its_process() -> None:
    with EventSegment() as segment:
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(segment.descriptor)], pass_fds=[segment.descriptor], timeout=60
        )
        assert done.returncode == -signal.SIGKILL
        # more than the segment held at first
        steps = [event.step for event in segment.events() if isinstance(event, WaitEvent)]
    assert steps == list(range(30_000))


def test_what_was_just_being_written_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with EventSegment() as segment:
        recorder = SharedRecorder(os.dup(segment.descriptor))
        recorder.looked(0, 1.0)
        monkeypatch.setattr("codedtheory.executor.shared_recorder._pack_used", lambda *of: None)
        recorder.looked(0, 2.0)
        recorder.close()
        assert [event.time for event in segment.events()] == [1.0]


def test_the_events_are_there_while_the_node_goes_on() -> None:
    with EventSegment() as segment:
        recorder = SharedRecorder(os.dup(segment.descriptor))
        message = Message(1, "x", 0, 0, None, arrived=0.5)
        for k in range(3):
            recorder.waited(0, 1.0, 0.0, k, "x", [message], [], [], True)
            assert len(segment.events()) == k + 1
        recorder.close()


def test_a_large_array_makes_the_segment_grow() -> None:
    array = np.random.default_rng(1).normal(size=(700, 500))
    with EventSegment() as segment:
        recorder = SharedRecorder(os.dup(segment.descriptor))
        recorder.logged(0, 1.0, 2, {"model": array, "norm": 0.5})
        array[:] = 0
        recorder.logged(0, 2.0, 3, {"model": array[:1], "order": np.asfortranarray(np.eye(2))})
        recorder.close()
        first, second = segment.events()
    assert isinstance(first, LogEntry)
    assert isinstance(second, LogEntry)
    assert first.values == {"norm": 0.5}
    assert (first.arrays["model"] == np.random.default_rng(1).normal(size=(700, 500))).all()
    assert not first.arrays["model"].flags.writeable
    assert second.arrays["model"].shape == (1, 500)
    assert (second.arrays["order"] == np.eye(2)).all()


def test_memory_that_does_not_suffice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(size: int, purpose: str) -> None:
        raise OSError(f"{purpose} needs {size} bytes")

    monkeypatch.setattr("codedtheory.executor.shared_recorder.check_space", refuse)
    with EventSegment() as segment:
        recorder = SharedRecorder(os.dup(segment.descriptor))
        recorder.looked(0, 1.0)
        with pytest.raises(OSError, match="the record of a node, which is kept in memory, needs"):
            recorder.logged(0, 1.0, 0, {"model": np.zeros(1 << 18)})
        # nothing that was recorded before is lost, and what fits still is
        recorder.looked(0, 2.0)
        recorder.close()
        assert [event.time for event in segment.events()] == [1.0, 2.0]


def test_without_memory_files_the_events_lie_in_a_file_without_a_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delattr(os, "memfd_create")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with EventSegment() as segment:
        recorder = SharedRecorder(os.dup(segment.descriptor))
        recorder.logged(0, 1.0, 0, {"model": np.arange(1 << 18)})
        recorder.close()
        assert os.listdir(str(tmp_path)) == []
        assert len(segment.events()) == 1


@pytest.mark.parametrize("fails", ["ftruncate", "pwrite"])
def test_a_segment_that_cannot_be_made_leaves_no_descriptor(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*of: object) -> None:
        raise OSError(12, "no memory")

    before = descriptors()
    with monkeypatch.context() as patch:
        patch.setattr(os, fails, fail)
        with pytest.raises(OSError, match="no memory"):
            EventSegment()
    assert descriptors() == before
