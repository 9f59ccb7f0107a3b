"""Patience: how long a program may wait without a deadline."""

from __future__ import annotations

import math
from typing import NoReturn

from codedtheory.executor.errors import WaitTimeoutError
from codedtheory.executor.trampoline import Trampoline

__all__ = ["Patience"]


class Patience:
    """Ends the waits of a program that take too long; those of daemons may take any time.

    Parameters
    ----------
    trampoline : Trampoline
    seconds : float
    """

    __slots__ = ("_held", "_held_since", "_seconds", "_trampoline")

    def __init__(self, trampoline: Trampoline, seconds: float) -> None:
        self._trampoline = trampoline
        self._seconds = seconds
        self._held: object = None
        self._held_since = 0.0

    def check(self, now: float, until: float) -> None:
        """Raise an error if the program waits for too long; it waits until ``until``, or for messages only.

        Raises
        ------
        WaitTimeoutError
        """
        trampoline = self._trampoline
        if trampoline.daemon:
            return
        message = trampoline.held
        if message is not None:
            if message is not self._held:
                # one that was held before has gone, so the program is slow but not stuck
                self._held, self._held_since = message, now
            elif now - self._held_since > self._seconds:
                self._give_up()
        elif until == math.inf and now - trampoline.since > self._seconds:
            self._give_up()

    def _give_up(self) -> NoReturn:
        raise WaitTimeoutError(
            f"{self._trampoline.state}; it waits for more than {self._seconds:g} s, the patience of the executor"
        )
