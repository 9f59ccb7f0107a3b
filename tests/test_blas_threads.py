from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from codedtheory.blas_threads import limited_blas_threads, one_blas_thread


def threads() -> list[int]:
    np.linalg.norm(np.eye(2))
    return [library["num_threads"] for library in threadpool_info()]


def test_the_environment_is_as_before(monkeypatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)

    @one_blas_thread()
    def fail_inside() -> None:
        assert (os.environ["OMP_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "1")
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        fail_inside()
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def test_loaded_libraries_have_at_most_so_many_threads_inside() -> None:
    @limited_blas_threads()
    def fail_inside() -> None:
        assert set(threads()) == {1}
        raise KeyError("inside")

    with threadpool_limits(2):
        before = threads()
        with pytest.raises(KeyError, match="inside"):
            fail_inside()
        assert threads() == before


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "2"])
def test_the_limit_is_a_positive_integer(limit: Any) -> None:
    with pytest.raises(ValueError, match="limit must be"), limited_blas_threads(limit):
        pass
