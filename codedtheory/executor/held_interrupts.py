"""Ctrl-C, kept back except where a run waits, so that nothing is left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TypeVar

__all__ = ["HeldInterrupts"]

T = TypeVar("T")


class HeldInterrupts:
    """Keeps Ctrl-C back inside a ``with`` block, except in calls of `let_through`.

    What is still kept back at the end of the block is raised there, also in place of an error, but not of another
    `KeyboardInterrupt`: no Ctrl-C is lost. A handler of the caller's own stays, and so does everything outside the main
    thread.

    Attributes
    ----------
    pending : bool
        Whether an interrupt was kept back and not raised yet.

    Examples
    --------
    >>> from contextlib import suppress
    >>> with suppress(KeyboardInterrupt), HeldInterrupts() as interrupts:
    ...     signal.raise_signal(signal.SIGINT)
    ...     interrupts.pending
    True
    """

    def __init__(self) -> None:
        self.pending = False
        self._open = False
        self._installed = False

    def let_through(self, wait: Callable[[], T]) -> T:
        """Call a function that waits; an interrupt, also one that was kept back, is raised as `KeyboardInterrupt`."""
        try:
            self._open = True
            if self.pending:
                self.pending = False
                raise KeyboardInterrupt
            return wait()
        finally:
            self._open = False

    def __enter__(self) -> HeldInterrupts:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            signal.signal(signal.SIGINT, self._note)
            self._installed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._installed = False
            if self.pending and (error is None or isinstance(error, Exception)):
                self.pending = False
                raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._open:
            self._open = False
            raise KeyboardInterrupt
        self.pending = True
