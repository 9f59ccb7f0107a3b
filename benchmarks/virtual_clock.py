"""Messages on the virtual clock against the aim, and against what one would write with SimPy alone."""

from __future__ import annotations

import time
from collections.abc import Iterator

from codedtheory.executor import Conditions, Exponential, VirtualExecutor

from .contest import Contest
from .executor_programs import averaging
from .virtual_peers import averaging_with_stores

WORKERS, K, SIZE, STEPS = 200, 150, 10, 100
MESSAGES_A_SECOND = 100_000
BATCHES = 7


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    ours, theirs, messages = [], [], 0
    for seed in range(BATCHES):
        start = time.process_time()
        record = VirtualExecutor().run(
            averaging(WORKERS, SIZE, K, STEPS), Conditions(seed=seed, stragglers=Exponential(1.0))
        )
        middle = time.process_time()
        averaging_with_stores(WORKERS, SIZE, K, STEPS, seed)
        end = time.process_time()
        messages = sum(record.messages.values())
        ours.append(middle - start)
        theirs.append(end - middle)
    mine = min(ours)
    job = f"{STEPS} steps with the first {K} of {WORKERS} workers on the virtual clock, every wait recorded"
    yield Contest(
        job,
        f"the aim: {MESSAGES_A_SECOND:,} messages a second",
        mine,
        messages / MESSAGES_A_SECOND,
        target=1,
        at_most=True,
        remark=f"{messages:,} messages, {messages / mine:,.0f} a second",
    )
    yield Contest(
        job,
        "SimPy alone: a store a node, nothing recorded",
        mine,
        min(theirs),
        target=2,
        at_most=True,
        remark="the record, copies of what is sent and the recognition of late answers are extra",
    )
