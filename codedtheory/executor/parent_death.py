"""Processes that end with the one that started them, whatever they are doing."""

from __future__ import annotations

import signal
import sys

__all__ = ["die_with_parent"]

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the system kill this process when its parent dies; where it cannot, do nothing.

    A thread that watches for that is not enough: it never runs while the program is in a call that keeps all others
    waiting.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
