from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from codedtheory.claims import SampleMean

EXPONENTIAL = np.random.default_rng(3).exponential(size=(400, 200))
EXCESS = math.exp(-4)


def test_an_interval_of_tailed_samples_by_hand() -> None:
    mean = SampleMean.tailed([0, 1, 2, 9], low=0, high=3, excess=0.5, error_probability=4 / math.exp(2))
    # cut off at 3: mean 1.5, variance 5/3
    assert mean.mean == pytest.approx(1.5 + 0.25)
    assert mean.half_width == pytest.approx(math.sqrt(2 * 5 / 3 * 2 / 4) + 7 * 3 * 2 / 9 + 0.25)
    assert (mean.error_probability, mean.count) == (4 / math.exp(2), 4)


def test_intervals_of_tailed_samples_cover_the_mean() -> None:
    missed = 0
    for samples in EXPONENTIAL:
        mean = SampleMean.tailed(samples, low=0, high=4, excess=EXCESS, error_probability=0.2)
        missed += abs(mean.mean - 1) > mean.half_width
    assert missed <= 80


def test_what_was_cut_off_is_part_of_the_interval() -> None:
    """Without it the mean of a law with a heavy tail would be outside, however many samples there are."""
    samples = np.tile([1.0, 1.0, 1.0, 1000.0], 100_000)
    assert samples.mean() == 250.75
    forgotten = SampleMean.tailed(samples, low=0, high=2, excess=0)
    assert forgotten.mean + forgotten.half_width < 2
    mean = SampleMean.tailed(samples, low=0, high=2, excess=998 / 4)
    assert mean.mean - mean.half_width < 250.75 < mean.mean + mean.half_width


def test_a_smaller_error_probability_widens_the_interval() -> None:
    widths = [SampleMean.tailed(EXPONENTIAL[0], 0, 4, EXCESS, p).half_width for p in (0.1, 1e-3, 1e-9)]
    assert widths == sorted(widths)
    assert widths[0] < widths[2] / 2


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([1.0], {}, "at least two samples"),
        ([1.0, -0.5], {}, "at least low"),
        ([1.0, math.nan], {}, "finite"),
        ([1.0, math.inf], {}, "finite"),
        ([1.0, 2.0], {"high": 0.0}, "high must be larger than low"),
        ([1.0, 2.0], {"excess": -1.0}, "excess must be at least 0"),
        ([1.0, 2.0], {"excess": math.nan}, "excess must be at least 0"),
        ([1.0, 2.0], {"error_probability": 1.0}, "error_probability"),
    ],
)
def test_what_gives_no_interval_is_refused(values: list[float], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SampleMean.tailed(values, **{"low": 0.0, "high": 3.0, "excess": 0.1, **options})
