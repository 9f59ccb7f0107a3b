"""The process executor against pipes, a copy in memory, a bare start, and the engines that others use."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from codedtheory.executor import ProcessExecutor

from .contest import Contest
from .executor_programs import answering, broadcasting, first_answer
from .process_peers import bare_start, pickled_epoch, raw_epoch
from .task_engines import ENGINES, installed

WORKERS = 4
SMALL, LARGE = 100, 1_000_000
BATCHES = 7
SMALL_EPOCHS = (200, 1000)
LARGE_EPOCHS = (5, 30)
ENGINE_EPOCHS = (20, 100)


def _small() -> float:
    seconds: float = ProcessExecutor().run(answering(WORKERS, SMALL, *SMALL_EPOCHS)).results[0]
    return seconds


def _large() -> tuple[float, float]:
    times: tuple[float, float] = ProcessExecutor().run(broadcasting(WORKERS, LARGE, *LARGE_EPOCHS)).results[0]
    return times


def _start() -> float:
    start = time.monotonic()
    end: float = ProcessExecutor().run(first_answer(WORKERS)).results[0]
    return end - start


def _pipes() -> Iterator[Contest]:
    ours, pickled, raw = [], [], []
    for _ in range(BATCHES):
        ours.append(_small())
        pickled.append(pickled_epoch(WORKERS, SMALL, *SMALL_EPOCHS))
        raw.append(raw_epoch(WORKERS, SMALL, *SMALL_EPOCHS))
    job = f"epoch of {WORKERS} processes: {SMALL} doubles to all and back, every wait recorded"
    mine = statistics.median(ours)
    remark = f"median of {BATCHES} batches in turn of the least disturbed of {SMALL_EPOCHS[1]} epochs"
    yield Contest(job, "vectors pickled through pipes", mine, statistics.median(pickled), 1, True, remark)
    yield Contest(job, "bytes of vectors through pipes by hand", mine, statistics.median(raw), 2, True, remark)


def _copies() -> Iterator[Contest]:
    batches = [_large() for _ in range(BATCHES)]
    ours, copies = (statistics.median(times) for times in zip(*batches, strict=True))
    job = f"epoch of {WORKERS} processes: {8 * LARGE // 10**6} MB to all, who answer with a number"
    remark = f"median of {BATCHES} batches of the least disturbed of {LARGE_EPOCHS[1]} epochs, each before a copy"
    yield Contest(job, "one copy of the array in memory", ours, copies, 3, True, remark)


def _starts() -> Iterator[Contest]:
    ours, bare = [], []
    for _ in range(BATCHES):
        ours.append(_start())
        bare.append(bare_start(WORKERS))
    job = f"start of {WORKERS} workers and a master to the first answers"
    mine, theirs = statistics.median(ours), statistics.median(bare)
    yield Contest(job, f"spawn of {WORKERS} processes that import NumPy and answer", mine, theirs, 2, True)


def _engines() -> Iterator[Contest | str]:
    for module, (name, engine) in ENGINES.items():
        if not installed(module):
            yield f"{name} is not installed: its contests are left out"
            continue
        with engine(WORKERS) as peer:
            small, large = [], []
            for _ in range(3):
                small.append((_small(), peer.answering(SMALL, *ENGINE_EPOCHS)))
                large.append((_large()[0], peer.broadcasting(LARGE, *LARGE_EPOCHS)))
        for job, times in (
            (f"epoch of {WORKERS} processes: {SMALL} doubles to all and back", small),
            (f"epoch of {WORKERS} processes: {8 * LARGE // 10**6} MB to all, who answer with a number", large),
        ):
            ours, theirs = (statistics.median(side) for side in zip(*times, strict=True))
            yield Contest(job, name, ours, theirs, 1)


def contests() -> Iterator[Contest | str]:
    """Yield the contests of this module."""
    yield from _pipes()
    yield from _copies()
    yield from _starts()
    yield from _engines()
