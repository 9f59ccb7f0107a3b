import weakref

import numpy as np
import pytest

from codedtheory.executor import Conditions, Link, ProcessExecutor, Program, System, compute, send, star, wait

SIZE = 100_000


def sender(node):
    for step in range(3):
        yield send(node.targets, np.full(SIZE, float(step)), step=step)
        answers = yield wait(step=step)
        assert answers.values() == [float(step)] * len(node.targets)
    return True


def reader(node):
    gone = []
    for step in range(3):
        task = (yield wait(0, step=step)).only
        kept = weakref.ref(task.value)
        last = float(task.value[-1])
        del task
        gone.append((yield compute(is_gone, kept)))
        yield send(0, last, step=step)
    return gone


def is_gone(reference):
    return reference() is None


@pytest.mark.parametrize("links", [Link(), Link(latency=1e-4)])
def test_a_message_that_a_program_has_let_go_of_is_gone_before_its_answer_is_sent(links):
    system = System([Program(sender), Program(reader), Program(reader)], star(2))
    record = ProcessExecutor().run(system, Conditions(links=links))
    assert record.results[0]
    assert record.results[1] == record.results[2] == [True, True, True]
