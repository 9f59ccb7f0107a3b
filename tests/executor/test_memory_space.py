from __future__ import annotations

import pytest

from codedtheory.executor.memory_space import available_memory, check_space


@pytest.fixture
def tree(tmp_path):
    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return tmp_path

    return write


def test_what_the_machine_has(tree):
    root = tree("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    5000 kB\n")
    assert available_memory(root) == 5000 * 1024


def test_a_system_that_does_not_tell_allows_all(tmp_path):
    assert available_memory(tmp_path) is None
    check_space(1 << 60, root=tmp_path)


@pytest.mark.parametrize("top", ["sys/fs/cgroup", "sys/fs/cgroup/unified"])
def test_a_control_group_and_those_above_it(tree, top):
    tree("proc/meminfo", "MemAvailable: 5000 kB\n")
    tree("proc/self/cgroup", "0::/job/task\n")
    tree(f"{top}/job/task/memory.max", "max\n")
    tree(f"{top}/job/task/memory.current", "10\n")
    tree(f"{top}/job/memory.max", "1000\n")
    tree(f"{top}/job/memory.current", "900\n")
    assert available_memory(tree(f"{top}/job/memory.stat", "anon 3\ninactive_file 50\n")) == 150


def test_the_old_control_groups_seen_from_a_container(tree):
    tree("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/not/visible\n0::/\n")
    tree("sys/fs/cgroup/memory/memory.limit_in_bytes", "700")
    root = tree("sys/fs/cgroup/memory/memory.usage_in_bytes", "900")
    assert available_memory(root) == 0
    tree("sys/fs/cgroup/memory/memory.usage_in_bytes", "100")
    assert available_memory(root) == 600


def test_the_error_names_needed_and_available_bytes_and_a_remedy(tree):
    root = tree("proc/meminfo", "MemAvailable: 4 kB\n")
    check_space(4096, root=root)
    with pytest.raises(OSError, match=r"^worker data needs 4097 bytes of memory, 4096 are available; use smaller"):
        check_space(4097, "worker data", root=root)


def test_segments_in_files_must_fit_their_directory(tmp_path):
    (tmp_path / "dev" / "shm").mkdir(parents=True)
    check_space(1 << 60, root=tmp_path)
    check_space(1, in_files=True, root=tmp_path)
    with pytest.raises(OSError, match=r"needs \d+ bytes in /dev/shm, \d+ are free; enlarge it"):
        check_space(1 << 60, in_files=True, root=tmp_path)
