from __future__ import annotations

import pickle
from typing import Any

import pytest

from codedtheory.executor import Crash, Drop, Hang, SlowLink


@pytest.mark.parametrize("kind", [Crash, Hang])
def test_nodes_and_steps(kind: Any) -> None:
    assert kind(3) == kind(3, 0)
    for arguments in ((1.5,), (True,), (1, None), ("a",)):
        with pytest.raises(TypeError, match="must be an integer"):
            kind(*arguments)
    for arguments in ((-1,), (0, -1)):
        with pytest.raises(ValueError, match="at least 0"):
            kind(*arguments)


def test_slow_links() -> None:
    assert SlowLink(1, 0, 2).first_step == 0
    for delay in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="delay must be a finite number of seconds"):
            SlowLink(1, 0, delay)
    for delay in ("1", True, None):
        with pytest.raises(TypeError, match="delay"):
            SlowLink(1, 0, delay)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="first_step"):
        SlowLink(1, 0, 1.0, -1)


def test_drops() -> None:
    assert Drop(1, 0).probability == 1
    for probability in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            Drop(1, 0, probability=probability)
    with pytest.raises(TypeError, match="probability"):
        Drop(1, 0, probability="1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="step"):
        Drop(1, 0, step=-1)
    with pytest.raises(ValueError, match="source"):
        Drop(-1, 0)


@pytest.mark.parametrize("fault", [Crash(1, 2), Hang(1), SlowLink(0, 1, 0.5), Drop(0, 1, 3, 0.5)])
def test_faults_can_be_pickled(fault: Any) -> None:
    assert pickle.loads(pickle.dumps(fault)) == fault  # noqa: S301
