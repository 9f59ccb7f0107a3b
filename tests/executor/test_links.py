from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor import Link, SlowLink
from codedtheory.executor.links import LinkClock


def test_latency() -> None:
    clock = LinkClock(Link(latency=0.5), ())
    assert clock.arrival(1.0, 10**9, None) == 1.5
    assert clock.arrival(1.0, 0, 3) == 1.5


def test_a_message_waits_for_those_before_it() -> None:
    clock = LinkClock(Link(latency=1.0, bandwidth=10.0), ())
    assert clock.arrival(0.0, 20, None) == 3.0
    assert clock.arrival(0.5, 10, None) == 4.0
    # the link was idle meanwhile
    assert clock.arrival(9.0, 10, None) == 11.0


def test_nothing_overtakes_a_slow_message() -> None:
    clock = LinkClock(Link(), [SlowLink(0, 1, 2.0, first_step=3)])
    assert clock.arrival(0.0, 1, 2) == 0.0
    assert clock.arrival(1.0, 1, 3) == 3.0
    assert clock.arrival(1.5, 1, 2) == 3.0
    assert clock.arrival(2.0, 1, None) == 3.0
    assert clock.arrival(4.0, 1, None) == 4.0


def test_delays_add_up() -> None:
    clock = LinkClock(Link(latency=1.0), [SlowLink(0, 1, 2.0), SlowLink(0, 1, 4.0, first_step=1)])
    assert clock.arrival(0.0, 1, None) == 3.0
    assert clock.arrival(0.0, 1, 1) == 7.0


@given(
    st.floats(0, 2),
    st.floats(0.5, 100),
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 50), st.none() | st.integers(0, 5)), max_size=20),
)
def test_messages_arrive_in_order_and_not_before_they_can(
    latency: float, bandwidth: float, messages: list[tuple[float, int, int | None]]
) -> None:
    clock = LinkClock(Link(latency, bandwidth), [SlowLink(0, 1, 0.75, first_step=2)])
    now, last, on_the_link = 0.0, 0.0, 0.0
    for pause, bits, step in messages:
        now += pause
        on_the_link = max(on_the_link, now) + bits / bandwidth
        arrival = clock.arrival(now, bits, step)
        assert arrival >= last
        assert arrival >= on_the_link + latency
        last = arrival


@pytest.mark.parametrize("latency", [-1.0, math.inf, math.nan])
def test_latencies_that_are_none(latency: float) -> None:
    with pytest.raises(ValueError, match="latency"):
        Link(latency=latency)


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, math.nan])
def test_bandwidths_that_are_none(bandwidth: float) -> None:
    with pytest.raises(ValueError, match="bandwidth"):
        Link(bandwidth=bandwidth)


def test_types() -> None:
    with pytest.raises(TypeError, match="latency"):
        Link(latency="1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bandwidth"):
        Link(bandwidth=True)
