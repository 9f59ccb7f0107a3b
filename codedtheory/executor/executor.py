"""What all executors offer: to run a system, and to replay a record."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.record import RunRecord
from codedtheory.executor.replay import Script, scripts_of
from codedtheory.executor.system import System

__all__ = ["Executor"]


class Executor(ABC):
    """Runs the programs of a system, somewhere."""

    def run(
        self,
        system: System,
        conditions: Conditions | None = None,
        *,
        record: str | os.PathLike[str] | None = None,
        steps: int | None = None,
        watch: Collection[int] | None = None,
    ) -> RunRecord:
        """Run the programs of a system.

        Parameters
        ----------
        system : System
        conditions : Conditions, optional
            Seed, stragglers, links, faults.
        record : path, optional
            A directory for the record; by default it is kept in memory.
        steps : int, optional
            How many steps node 0 will do, to tell the time that remains.
        watch : collection of int, optional
            The nodes whose waits and logs are recorded; all by default.

        Returns
        -------
        RunRecord
            Its ``results`` are what the programs returned.

        Raises
        ------
        ExecutorError
            With the record so far: ``ProgramError`` if a program failed, ``LostWorkersError`` if the nodes that are
            left cannot go on, ``DeadlockError`` if everybody waits, or ``WaitTimeoutError``, where time is real, if a
            wait takes too long.
        Interrupted
            After Ctrl-C, with the record so far.
        ValueError, TypeError
            For conditions that do not fit the system, or a system that does not fit the executor: too many nodes, or
            programs that other processes cannot find.
        OSError
            If memory or file descriptors do not suffice.
        """
        return self._run(system, Conditions() if conditions is None else conditions, None, record, steps, watch)

    def replay(
        self,
        recorded: RunRecord,
        system: System,
        *,
        record: str | os.PathLike[str] | None = None,
        steps: int | None = None,
        watch: Collection[int] | None = None,
    ) -> RunRecord:
        """Run the programs again with the arrivals of a record, to the same results bit for bit.

        Waits end as they did, at the recorded times; what was dropped or overwritten is not told again. A node that a
        fault stopped goes as far as it did.

        Parameters
        ----------
        recorded : RunRecord
            Of a run of the same programs, in which all nodes were watched.
        system : System
        record, steps, watch
            See `run`.

        Raises
        ------
        ReplayError
            If the record does not fit the programs.
        """
        scripts = scripts_of(recorded, system)
        return self._run(system, Conditions(seed=recorded.manifest["seed"]), scripts, record, steps, watch, recorded)

    @abstractmethod
    def _run(
        self,
        system: System,
        conditions: Conditions,
        scripts: Mapping[int, Script] | None,
        target: str | os.PathLike[str] | None,
        steps: int | None,
        watch: Collection[int] | None,
        recorded: RunRecord | None = None,
    ) -> RunRecord:
        """Run a system, with the scripts of a record if it is a replay."""
