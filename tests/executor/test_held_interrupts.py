from __future__ import annotations

import signal
import threading

import pytest

from codedtheory.executor.held_interrupts import HeldInterrupts


def interrupt():
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_is_kept_until_the_next_wait():
    with HeldInterrupts() as interrupts:
        interrupt()
        assert interrupts.pending
        with pytest.raises(KeyboardInterrupt):
            interrupts.let_through(lambda: None)
        assert not interrupts.pending


def test_an_interrupt_ends_a_wait():
    with HeldInterrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            interrupts.let_through(interrupt)
        assert not interrupts.pending


def interrupted_while(error: BaseException | None) -> None:
    with HeldInterrupts():
        interrupt()
        if error is not None:
            raise error


@pytest.mark.parametrize("error", [None, ValueError("something else")])
def test_no_interrupt_is_lost(error):
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted_while(error)
    assert caught.value.__context__ is error


def test_an_interrupt_is_raised_once():
    told = KeyboardInterrupt("with more to tell")
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted_while(told)
    assert caught.value is told


def test_a_wait_returns_what_its_function_does():
    with HeldInterrupts() as interrupts:
        assert interrupts.let_through(lambda: 7) == 7


def test_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    with HeldInterrupts():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before is signal.default_int_handler


def test_handlers_of_the_caller_stay():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        with HeldInterrupts() as interrupts:
            interrupt()
            assert not interrupts.pending
        assert heard == [True]
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_are_left_alone():
    seen = []

    def enter():
        with HeldInterrupts() as interrupts:
            seen.append(interrupts.let_through(lambda: signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
