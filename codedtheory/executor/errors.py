"""What can go wrong in a run."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["DeadlockError", "ExecutorError", "LostWorkersError", "ProgramError", "ReplayError", "WaitTimeoutError"]


class ExecutorError(RuntimeError):
    """A run that did not come to its end; `record` holds what was recorded, `saved` says where, if anywhere."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.record: object = None
        self.saved: str | None = None

    def __str__(self) -> str:
        return f"{self.message}; the record is in {self.saved}" if self.saved else self.message


class LostWorkersError(ExecutorError):
    """A wait that the nodes that are left cannot satisfy.

    It is raised in the program that waits, which may catch it and go on.

    Attributes
    ----------
    lost : tuple of int
        The nodes that are gone.
    """

    def __init__(self, message: str, lost: Iterable[int] = ()) -> None:
        super().__init__(message)
        self.lost = tuple(sorted(lost))


class DeadlockError(ExecutorError):
    """Every node waits and nothing is under way; the message shows who waits for whom."""


class WaitTimeoutError(ExecutorError):
    """A wait without a deadline took longer than the executor's patience."""


class ReplayError(ExecutorError):
    """A record that does not fit the programs that are replayed with it."""


class ProgramError(ExecutorError):
    """An exception in a program, with the node, the step it was in, and its traceback.

    Attributes
    ----------
    node : int
        The node whose program failed.
    step : int or None
        The last step that the program named before it failed.
    details : str
        The traceback on the node.
    """

    def __init__(self, node: int, step: int | None, details: str) -> None:
        where = f"node {node}" + ("" if step is None else f", step {step}")
        super().__init__(f"{where}: {_headline(details)}\n{details}")
        self.node = node
        self.step = step
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.node, self.step, self.details), self.__dict__

    def __str__(self) -> str:
        text = self.message.rstrip()
        return f"{text}\nthe record is in {self.saved}" if self.saved else text


def _headline(details: str) -> str:
    """Return the line of a traceback that names the exception; more lines of its message, and notes, come after it."""
    lines = details.strip("\n").splitlines() or ["failed"]
    last = max((i for i, line in enumerate(lines) if line.startswith("  File ")), default=-1)
    heads = [line for line in lines[last + 1 :] if not line.startswith(" ")]
    # those of a group of exceptions are drawn as a tree
    heads += [line[4:] for line in lines if line.startswith("  | ") and not line.startswith("  |  ")]
    return (heads or lines)[0]
