"""The fixture ``backend``: each executor in turn; ``tidy``: nothing stays; and a limit for the time of a test."""

from __future__ import annotations

import faulthandler
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.executor.backends import BACKENDS, Backend, MPIBackend, ProcessBackend, VirtualBackend
from tests.executor.leftovers import nothing_stays

# seconds, for a test that hangs instead of failing
_LIMIT = 180
_SLOW_LIMIT = 1800


@pytest.fixture(scope="session", params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    if request.param == "mpi":
        found: Backend = MPIBackend(tmp_path_factory.mktemp("mpi"))
    else:
        found = VirtualBackend() if request.param == "virtual" else ProcessBackend()
    yield found
    found.close()


@pytest.fixture(scope="session")
def virtual() -> VirtualBackend:
    return VirtualBackend()


@pytest.fixture(autouse=True)
def watchdog(request: pytest.FixtureRequest) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    limit = _SLOW_LIMIT if request.node.get_closest_marker("slow") else _LIMIT

    def bark(number: int, frame: FrameType | None) -> None:
        faulthandler.dump_traceback()
        pytest.fail(f"the test takes more than {limit} s")

    before = signal.signal(signal.SIGALRM, bark)
    signal.alarm(limit)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def tidy(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let a test pass only if its runs leave nothing behind; gives the mark of their processes."""
    directory: Path = tmp_path_factory.mktemp("temporary")
    with nothing_stays(directory, monkeypatch) as mark:
        yield mark
