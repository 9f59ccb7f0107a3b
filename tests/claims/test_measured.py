from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from codedtheory.claims import Measured, at_most


def run(**changes: Any) -> Any:
    manifest = {"clock": "wall", "seed": 7, "host": "ada", "cores": 4, "platform": "Linux-6.1", **changes}
    return SimpleNamespace(manifest=manifest)


def test_a_number_of_runs_tells_their_seeds_clock_and_machine() -> None:
    measured = Measured.of(0.5, run(), run(seed=8))
    assert measured == Measured(0.5, (7, 8), "wall", "ada (4 cores, Linux-6.1)")
    assert str(measured) == "0.5 (wall clock, 2 runs)"


@pytest.mark.parametrize("number", [np.int64(3), np.float32(0.25), np.float64(0.1), np.sum([1, 2])])
def test_numbers_of_numpy_are_measured_as_they_are(number: Any) -> None:
    measured = Measured.of(number, run())
    assert type(measured.value) in (int, float)
    assert measured.value == number


def test_a_measured_count_decides_a_bound() -> None:
    assert [str(at_most(Measured.of(count, run()), 0).outcome) for count in (0, 1)] == ["holds", "fails"]


@pytest.mark.parametrize(
    ("change", "message"),
    [({"clock": "virtual"}, "one clock"), ({"host": "bob"}, "one machine"), ({"cores": 2}, "one mac")],
)
def test_runs_that_do_not_belong_together_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Measured.of(1, run(), run(**change))


def test_no_run_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        Measured.of(1)


@pytest.mark.parametrize("value", [True, np.bool_(True), "1", None, np.array([1, 2])])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="must be a number"):
        Measured.of(value, run())
