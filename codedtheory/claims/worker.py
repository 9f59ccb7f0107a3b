"""What a worker process does: find the claim again by name, walk a piece of its domain, send back a tally."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from multiprocessing import parent_process

from codedtheory.claims.catalogue import Origin, claim_at
from codedtheory.claims.domain import Effort
from codedtheory.claims.instance import walk
from codedtheory.claims.tally import Tally

__all__ = ["ThreadedExecutorError", "prepare", "walk_piece"]


class ThreadedExecutorError(TypeError):
    """A claim was sent to a thread, which would share FLINT's working precision with its neighbours."""


def prepare() -> None:
    """Set up a worker: Ctrl-C and standard output are the parent's business, and it does not outlive its parent."""
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def walk_piece(
    origin: Origin, claim_id: str, effort: Effort, start: int, stop: int, seconds: float = math.inf
) -> Tally:
    """Walk the instances numbered ``start`` to ``stop - 1`` of a claim, or as many as ``seconds`` allow, at least one.

    What is left is for another call: so an interrupt loses seconds only, whatever the instances cost.
    """
    if threading.current_thread() is not threading.main_thread():
        raise ThreadedExecutorError("a claim was sent to a thread; use a process pool with the spawn start method")
    claim = claim_at(origin, claim_id)
    tally = Tally()
    began = time.perf_counter()
    for finding in walk(claim, effort, start, stop):
        tally.add(finding)
        if time.perf_counter() - began > seconds:
            break
    tally.seconds = time.perf_counter() - began
    return tally


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
