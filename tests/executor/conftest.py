"""The fixture ``backend``: each executor in turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.executor.backends import BACKENDS, Backend, MPIBackend, ProcessBackend, VirtualBackend


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
