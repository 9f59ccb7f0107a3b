"""Runs claims over their domains, in this process and in a pool of others, to the same verdicts however many."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import overload

from codedtheory.claims.catalogue import Entry, entry_of
from codedtheory.claims.claim import Claim
from codedtheory.claims.domain import Effort, check_effort
from codedtheory.claims.instance import walk
from codedtheory.claims.judgement import judge
from codedtheory.claims.plan import Piece, Plan, plan
from codedtheory.claims.pool import check_executor, open_pool
from codedtheory.claims.progress import Progress
from codedtheory.claims.tally import Tally, merged
from codedtheory.claims.verdict import Verdict, Verdicts
from codedtheory.claims.worker import ThreadedExecutorError, walk_piece

__all__ = ["check", "run"]

_WARM_UP = 0.5
# after so many seconds a piece is handed back, with what is left of it
_HAND_BACK = 2.0
_IN_FLIGHT_PER_JOB = 3


@overload
def check(claims: Claim, effort: Effort = "default", jobs: int = 1, *, executor: Executor | None = None) -> Verdict: ...
@overload
def check(
    claims: Iterable[Claim], effort: Effort = "default", jobs: int = 1, *, executor: Executor | None = None
) -> Verdicts: ...
def check(
    claims: Claim | Iterable[Claim],
    effort: Effort = "default",
    jobs: int = 1,
    *,
    executor: Executor | None = None,
) -> Verdict | Verdicts:
    r"""Check one claim, or several.

    Parameters
    ----------
    claims : Claim or iterable of Claim
    effort : {"quick", "default", "full"}
        How much of each domain is walked.
    jobs : int, default 1
        Number of processes. With more than one, the claims must be importable from a module or a file.
    executor : concurrent.futures.Executor, optional
        A pool of spawned processes to use, such as ``mpi4py.futures.MPIPoolExecutor``; never a thread pool. Set
        ``OMP_NUM_THREADS=1`` for its workers, as the pool that ``jobs`` opens does.

    Returns
    -------
    Verdict or Verdicts
        One verdict for one claim, a list for several; both show themselves as a table in a notebook.

    Notes
    -----
    An interrupt (Ctrl-C) ends the run; the verdicts then cover what was done and say so.

    Examples
    --------
    >>> from codedtheory.claims import at_most, claim, derived, sweep
    >>> @claim("demo.square", statement="n^2 \\le 2^n", source=derived("false"), over=sweep("0 <= n <= 9"))
    ... def squares(n):
    ...     '''A square is at most a power of two.'''
    ...     return at_most(n**2, 2**n)
    >>> verdict = check(squares)
    >>> verdict.verdict, verdict.counterexample, verdict.sides
    ('fails', {'n': '3'}, ('9', '8'))
    """
    if isinstance(claims, Claim):
        return run([entry_of(claims)], effort, jobs, executor=executor)[0]
    if isinstance(claims, str) or not isinstance(claims, Iterable):
        remedy = f"; use find({claims!r})" if isinstance(claims, str) else ""
        raise TypeError(f"claims must be made by @claim, received {claims!r}{remedy}")
    listed = list(claims)
    for item in listed:
        if not isinstance(item, Claim):
            raise TypeError(f"claims must hold claims made by @claim, received {item!r}")
    return run([entry_of(item) for item in listed], effort, jobs, executor=executor)


def run(
    entries: Sequence[Entry],
    effort: Effort = "default",
    jobs: int = 1,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Check the claims of a catalogue; see `check`."""
    check_effort(effort)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs must be a positive integer, received {jobs!r}")
    if executor is not None:
        jobs = max(jobs, check_executor(executor))
    if jobs > 1 or executor is not None:
        for entry in entries:
            if entry.origin.kind == "session":
                raise ValueError(
                    f"{entry.claim.id}: other processes cannot import it from {entry.origin.name}; "
                    "declare it in a module or file, or use jobs=1"
                )
    walker = _Run(entries, effort, jobs, progress or Progress(None))
    walker.walk(executor)
    return walker.verdicts()


class _Run:
    """One run: the pieces that wait, the tallies that came back, and what went wrong."""

    def __init__(self, entries: Sequence[Entry], effort: Effort, jobs: int, progress: Progress) -> None:
        self.entries = entries
        self.effort = effort
        self.jobs = jobs
        self.progress = progress
        self.plan: Plan = plan(entries, effort, jobs)
        self.waiting = deque(self.plan.pieces)
        self.problems = dict(self.plan.problems)
        self.tallies: list[list[tuple[int, Tally]]] = [[] for _ in entries]

    def walk(self, executor: Executor | None) -> None:
        """Walk all pieces; an interrupt ends the walk and keeps what is done."""
        self.progress.start(self.plan, self.jobs)
        try:
            if executor is not None:
                for piece in self._submit_all(executor):
                    self._give_up(piece, "the executor broke")
                return
            # Starting a pool takes about as long as this: what ends sooner needs none.
            self._walk_here(None if self.jobs == 1 else _WARM_UP)
            while self.waiting:
                self._walk_in_pool()
        except KeyboardInterrupt:
            self.waiting.clear()
        finally:
            self.progress.stop()

    def verdicts(self) -> Verdicts:
        """Judge each claim by what was walked of it."""
        found = []
        for number, entry in enumerate(self.entries):
            ordered = sorted(self.tallies[number], key=lambda started: started[0])
            tally = merged([tally for _, tally in ordered])
            problem = self.problems.get(number, "")
            found.append(judge(entry, self.effort, tally, self.plan.totals[number], problem))
        return Verdicts(found)

    def _walk_here(self, budget: float | None) -> None:
        end = math.inf if budget is None else time.perf_counter() + budget
        while self.waiting and time.perf_counter() < end:
            piece = self.waiting.popleft()
            tally = Tally()
            claim = self.entries[piece.claim].claim
            lap = time.perf_counter()
            hand_back = min(end, lap + _HAND_BACK)
            try:
                for finding in walk(claim, self.effort, piece.start, piece.stop):
                    tally.add(finding)
                    if time.perf_counter() > hand_back:
                        break
            finally:
                tally.seconds = time.perf_counter() - lap
                self._keep(piece, tally, self.waiting)

    def _walk_in_pool(self) -> None:
        with open_pool(self.jobs) as pool:
            suspects = self._submit_all(pool)
        # A worker died and took the pool with it. Each piece that was under way gets a pool of its own, to
        # tell the one that kills from those that were only near.
        for piece in suspects:
            with open_pool(1) as pool:
                if self._submit_pieces(pool, deque([piece]), 1):
                    self._give_up(piece, "a worker process died")

    def _submit_all(self, pool: Executor) -> list[Piece]:
        return self._submit_pieces(pool, self.waiting, self.jobs * _IN_FLIGHT_PER_JOB)

    def _submit_pieces(self, pool: Executor, waiting: deque[Piece], window: int) -> list[Piece]:
        """Walk pieces in the pool; return those that were under way when it broke."""
        under_way: dict[Future[Tally], Piece] = {}
        try:
            while waiting or under_way:
                while waiting and len(under_way) < window:
                    piece = waiting[0]
                    if piece.claim not in self.problems:
                        entry = self.entries[piece.claim]
                        arguments = (entry.origin, entry.claim.id, self.effort, piece.start, piece.stop, _HAND_BACK)
                        under_way[pool.submit(walk_piece, *arguments)] = piece
                    waiting.popleft()
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    piece = under_way[future]
                    self._collect(piece, future, waiting)
                    del under_way[future]
        except BrokenExecutor:
            return list(under_way.values())
        finally:
            for future in under_way:
                future.cancel()
        return []

    def _collect(self, piece: Piece, future: Future[Tally], waiting: deque[Piece]) -> None:
        try:
            self._keep(piece, future.result(), waiting)
        except (BrokenExecutor, ThreadedExecutorError):
            raise
        except Exception as error:
            self._give_up(piece, f"{type(error).__name__}: {error}")

    def _keep(self, piece: Piece, tally: Tally, waiting: deque[Piece]) -> None:
        """Note what was walked of a piece; what is left of it waits again, in front."""
        work = piece.work * tally.done // piece.count
        if tally.done < piece.count:
            waiting.appendleft(Piece(piece.claim, piece.start + tally.done, piece.stop, piece.work - work))
        self.tallies[piece.claim].append((piece.start, tally))
        self.progress.advance(piece.claim, tally.done, work, tally.seconds)

    def _give_up(self, piece: Piece, reason: str) -> None:
        where = f" (instances {piece.start} to {piece.stop - 1})"
        self.problems.setdefault(piece.claim, f"{reason}{where}")
