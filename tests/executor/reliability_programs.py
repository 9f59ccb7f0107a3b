"""Programs and systems that are killed, hang, fail or are large, where other processes can import them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np

from codedtheory.executor import Conditions, Node, Program, System, compute, log, send, star, wait

Run = Generator[Any, Any, Any]

# longer than any test may last
AGES = 1000.0


def tell_pid(node: Node, directory: str | None) -> None:
    """Write down which process a node is, in a file that is whole when it is there."""
    if directory is not None:
        part = Path(directory) / f".{node.id}"
        part.write_text(str(os.getpid()))
        part.rename(Path(directory) / f"{node.id}")


# -- k answers of n workers ------------------------------------------------------------------------------------------


def says_hello(node: Node) -> Run:
    yield send(node.targets)
    return len((yield wait()))


def answer_of(node: int, step: int) -> np.ndarray[Any, Any]:
    return np.full(3, 1000.0 * node + step)


def counting_master(node: Node, k: int, steps: int, directory: str | None = None) -> Run:
    """Returns, of each step, the workers whose answers counted, after it has checked what they answered."""
    tell_pid(node, directory)
    trace = []
    for step in range(steps):
        yield send(node.targets, step, step=step)
        answers = yield wait(step=step, count=k)
        for source in answers:
            np.testing.assert_array_equal(answers[source], answer_of(source, step))
        trace.append(answers.sources)
        yield log(step=step, answers=len(answers))
    return trace


def counting_worker(node: Node, directory: str | None = None) -> Run:
    tell_pid(node, directory)
    while True:
        task = (yield wait(0)).only
        answer = yield compute(answer_of, node.id, task.value, step=task.step)
        yield send(0, answer, step=task.step)


def counting(k: int, n: int, steps: int, directory: str | None = None) -> System:
    workers = [Program(counting_worker, directory, daemon=True)] * n
    return System([Program(counting_master, k, steps, directory), *workers], star(n))


def slow_conditions(seconds: float) -> Conditions:
    """Every computation takes so long."""
    return Conditions(unit=seconds)


def endless(workers: int) -> System:
    """A run that ends only if somebody ends it; arrays of a megabyte are on their way all the time."""
    programs = [Program(echo, daemon=True)] * workers
    return System([Program(endless_master), *programs], star(workers))


def endless_master(node: Node) -> Run:
    model = np.zeros(1 << 17)
    step = 0
    while True:
        yield send(node.targets, model, step=step)
        answers = yield wait(step=step)
        model = np.mean(answers.values(), axis=0)
        yield log(step=step, norm=float(model[0]))
        step += 1


def echo(node: Node) -> Run:
    while True:
        task = (yield wait(0)).only
        yield send(0, task.value, step=task.step)


# -- failures --------------------------------------------------------------------------------------------------------


class FailsToLoad:
    """Arrives nowhere."""

    def __init__(self, how: str) -> None:
        self.how = how

    def __reduce__(self) -> tuple[Any, ...]:
        return fail, (self.how,)


class FailsToPickle:
    """Leaves no process."""

    def __init__(self, how: str) -> None:
        self.how = how

    def __reduce__(self) -> tuple[Any, ...]:
        fail(self.how)
        return str, ()


def fail(how: str) -> Any:
    if how == "error":
        raise ZeroDivisionError("as it was asked to")
    if how == "exit":
        sys.exit(3)
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "die":
        os._exit(3)
    if how == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "close":
        # as careless daemons do
        os.closerange(3, 1024)
    if how == "stdin":
        sys.stdin.close()
        os.close(0)
    if how == "long":
        raise ValueError("x" * 3_000_000)
    if how == "sleep":
        time.sleep(AGES)
    if how == "deaf":
        # one call into C that lets no other thread run
        sum(range(10**13))
    return None


def failing(node: Node, how: str, where: str) -> Run:
    """Fails in the second step, at a place of one's choice."""
    steps = 0
    try:
        while True:
            task = (yield wait(0)).only
            if task.step == 1:
                if where == "compute":
                    yield compute(fail, how, step=1)
                elif where == "program":
                    yield log(step=1, about_to=1)
                    fail(how)
                elif where == "until":
                    yield log(step=1, about_to=1)
                    yield wait(until=lambda arrived: fail(how) or False)
            yield send(0, task.value, step=task.step)
            steps += 1
    finally:
        if where == "cleanup":
            fail(how)


def asking_master(node: Node, steps: int, count: int | None = None) -> Run:
    heard = []
    for step in range(steps):
        yield send(node.targets, step, step=step)
        answers = yield wait(step=step, count=count)
        heard.append(answers.sources)
    return heard


def failing_system(how: str, where: str, *, steps: int = 3, count: int | None = None, workers: int = 2) -> System:
    """Node 1 fails, node 2 does not."""
    programs = [Program(failing, how, where, daemon=True), *[Program(echo, daemon=True)] * (workers - 1)]
    return System([Program(asking_master, steps, count), *programs], star(workers))


def survivor(node: Node) -> Run:
    """Goes on when node 1 is lost."""
    yield send(1, step=1)
    answers = yield wait(1, timeout=AGES)
    return sorted(answers.lost)


def losing(how: str) -> System:
    return System([Program(survivor), Program(failing, how, "compute", daemon=True)], star(1))


def failing_master(node: Node, how: str) -> Run:
    yield send(node.targets, 0, step=0)
    yield wait(step=0)
    yield log(step=1, about_to=1)
    fail(how)


def failing_master_system(how: str) -> System:
    return System([Program(failing_master, how), Program(echo, daemon=True)], star(1))


def makes_what_fails(node: Node, kind: str, how: str) -> Run:
    yield from ()
    if kind == "lambda":
        return lambda: None
    return FailsToPickle(how) if kind == "pickle" else FailsToLoad(how)


def returning(kind: str, how: str) -> System:
    return System([Program(makes_what_fails, kind, how)], [])


def ignores(node: Node, value: Any) -> Run:
    yield from ()


def loading(how: str) -> System:
    return System([Program(ignores, None), Program(ignores, FailsToLoad(how))], [])


def stubborn(node: Node, how: str) -> Run:
    """Does not want to end."""
    while True:
        try:
            yield wait(0)
            yield send(0)
        except GeneratorExit:
            if how == "sleeps":
                time.sleep(AGES)
            if how == "raises":
                raise ValueError("not now") from None
            if how == "returns":
                return


def stubborn_system(how: str) -> System:
    return System([Program(asking_once), Program(stubborn, how, daemon=True)], star(1))


def asking_once(node: Node) -> Run:
    yield send(node.targets)
    yield wait()
    return "asked"


def starts_and_leaves(node: Node, how: str, directory: str) -> Run:
    """Waits until the workers are in the midst of something, and ends."""
    while len(list(Path(directory).glob("[1-9]"))) < len(node.targets):
        time.sleep(0.002)
    yield from ()
    return "left"


def busy(node: Node, how: str, directory: str) -> Run:
    tell_pid(node, directory)
    yield compute(fail, how, step=0)


def leaving(how: str, directory: str, workers: int = 2) -> System:
    programs = [Program(busy, how, directory, daemon=True)] * workers
    return System([Program(starts_and_leaves, how, directory), *programs], star(workers))


def deaf(directory: str) -> System:
    programs = [Program(busy, "deaf", directory, daemon=True)] * 2
    return System([Program(endless_master), *programs], star(2))


def printing(node: Node) -> Run:
    print(f"node {node.id} prints")  # noqa: T201
    print(f"node {node.id} complains", file=sys.stderr)  # noqa: T201
    yield from ()


# -- descriptors -----------------------------------------------------------------------------------------------------


def use_up_descriptors(left: int) -> list[int]:
    """Open files until only some more can be."""
    used = []
    try:
        while True:
            used.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        for descriptor in used[:left]:
            os.close(descriptor)
    return used[left:]


class UsesUpDescriptors:
    """Takes them when it is pickled, after everybody has counted them."""

    taken: tuple[int, ...] = ()

    def __init__(self, left: int) -> None:
        self.left = left

    def __reduce__(self) -> tuple[Any, ...]:
        UsesUpDescriptors.taken += tuple(use_up_descriptors(self.left))
        return int, (0,)

    @classmethod
    def give_back(cls) -> None:
        for descriptor in cls.taken:
            os.close(descriptor)
        cls.taken = ()


def greedy(node: Node, left: int) -> Run:
    """Answers with large arrays, of a new size each, when there are few descriptors for them."""
    kept = []
    used = use_up_descriptors(left)
    for step in range(6):
        task = yield wait(0, step=step)
        kept.append(task)
        yield send(0, np.zeros(100_000 << step, np.uint8), step=step)
    return len(used) > 0


def generous(node: Node) -> Run:
    for step in range(6):
        yield send(node.targets, np.zeros(150_000 << step, np.uint8), step=step)
        yield wait(step=step)
    return "done"


def greedy_system(left: int) -> System:
    return System([Program(generous), Program(greedy, left, daemon=True)], star(1))


# -- the record ------------------------------------------------------------------------------------------------------


def removes_record(node: Node, directory: str, step_of_removal: int) -> Run:
    import shutil

    for step in range(6):
        if step == step_of_removal:
            shutil.rmtree(directory)
        yield log(step=step, value=step, array=np.zeros(10))
    return "done"


def fills_disk(node: Node, steps: int) -> Run:
    for step in range(steps):
        yield log(step=step, value=float(step))
        yield wait(timeout=0)
    return "done"


# -- sizes -----------------------------------------------------------------------------------------------------------


def bounces(node: Node, data: np.ndarray[Any, Any], sizes: list[int]) -> Run:
    """Sends arrays of given sizes and gets them back; returns the data and what came last."""
    last = None
    for step, size in enumerate(sizes):
        array = np.arange(size, dtype=np.uint8)
        yield send(node.targets, array, step=step)
        answers = yield wait(step=step)
        for value in answers.values():
            assert value.dtype == np.uint8
            assert np.array_equal(value, array)
        last = np.array(answers.values()[0])
    return data, last


def bouncing(sizes: list[int], data: np.ndarray[Any, Any], workers: int) -> System:
    programs = [Program(echo_with_data, data, daemon=True)] * workers
    return System([Program(bounces, data, sizes), *programs], star(workers))


def echo_with_data(node: Node, data: np.ndarray[Any, Any]) -> Run:
    assert data.size == 0 or data[-1] == data.size % 251
    yield from echo(node)
