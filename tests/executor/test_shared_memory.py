from __future__ import annotations

import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from codedtheory.executor import shared_memory
from codedtheory.executor.shared_memory import attach_segment, create_segment

SHM = Path("/dev/shm")


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


@contextmanager
def no_more_descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def use_names(monkeypatch):
    monkeypatch.delattr(os, "memfd_create", raising=False)


@pytest.fixture(params=["memory file", "unlinked name"])
def either_way(request, monkeypatch):
    if request.param == "unlinked name":
        use_names(monkeypatch)


@pytest.mark.usefixtures("either_way")
def test_what_one_side_writes_the_other_sees():
    segment = create_segment(10_000)
    assert len(segment) == 10_000
    assert not any(segment.memory[:])
    reader = attach_segment(os.dup(segment.descriptor), 10_000)
    segment.memory[9_999] = 7
    assert reader[9_999] == 7
    segment.close()
    segment.memory[0] = 3
    assert reader[0] == 3


@pytest.mark.usefixtures("either_way")
def test_nothing_remains_of_a_segment():
    names, before = sorted(SHM.iterdir()), descriptors()
    segment = create_segment(4096)
    assert sorted(SHM.iterdir()) == names
    reader = attach_segment(os.dup(segment.descriptor), 4096, writable=True)
    segment.close()
    del segment, reader
    assert descriptors() == before


def test_a_reader_cannot_write():
    segment = create_segment(64)
    reader = attach_segment(os.dup(segment.descriptor), 64)
    with pytest.raises(TypeError):
        reader[0] = 1
    array = np.frombuffer(reader, np.uint8)
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True
    segment.close()


def test_attaching_closes_the_descriptor_also_when_it_fails():
    segment = create_segment(64)
    before = descriptors()
    with pytest.raises(ValueError, match="mmap length"):
        attach_segment(os.dup(segment.descriptor), 1 << 20)
    assert descriptors() == before
    segment.close()


def test_another_process_reads_it_after_the_creator_has_closed_it():
    segment = create_segment(4096)
    segment.memory[:5] = b"hello"
    script = (
        "import sys, os; from codedtheory.executor.shared_memory import attach_segment\n"
        "memory = attach_segment(int(sys.argv[1]), 4096); sys.stdin.read(); print(memory[:5])"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(segment.descriptor)],
        pass_fds=[segment.descriptor],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    segment.close()
    del segment
    assert child.communicate()[0] == "b'hello'\n"


@pytest.mark.parametrize("size", [0, -1])
def test_a_segment_has_bytes(size):
    with pytest.raises(ValueError, match=f"size must be at least 1, received {size}"):
        create_segment(size)


def test_a_segment_beyond_the_memory_is_refused_before_it_is_made():
    before = descriptors()
    with pytest.raises(OSError, match=r"the model needs 1152921504606846976 bytes of memory, \d+ are available"):
        create_segment(1 << 60, "the model")
    assert descriptors() == before


def test_a_full_directory_is_noticed_when_the_segment_is_made(monkeypatch):
    use_names(monkeypatch)
    monkeypatch.setattr(shared_memory, "check_space", lambda *_, **__: None)
    before = descriptors()
    with pytest.raises(OSError, match="space"):
        create_segment(1 << 50)
    assert descriptors() == before


def test_running_out_of_descriptors_names_the_remedy():
    segment = create_segment(64)
    with no_more_descriptors(), pytest.raises(OSError, match="ulimit -n"):
        create_segment(64)
    segment.close()


def test_a_system_without_either_is_told_what_it_can_use(monkeypatch):
    use_names(monkeypatch)
    monkeypatch.setitem(sys.modules, "_posixshmem", None)
    with pytest.raises(OSError, match="use VirtualExecutor or MPIExecutor instead of ProcessExecutor"):
        create_segment(64)
