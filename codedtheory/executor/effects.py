"""Effects: what a program may yield, made by the functions of this module."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, SupportsIndex

from codedtheory.executor.message import ACK, Arrivals, Message

__all__ = [
    "Acknowledge",
    "Compute",
    "Effect",
    "Log",
    "Now",
    "Send",
    "Wait",
    "acknowledge",
    "compute",
    "log",
    "now",
    "send",
    "wait",
]


# steps are recorded in 64 bits
_STEPS = 2**63


@dataclass(slots=True, eq=False)
class Compute:
    """Call a function; see `compute`."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    cost: float
    step: int | None


@dataclass(slots=True, eq=False)
class Send:
    """Send a value; see `send`."""

    targets: tuple[int, ...]
    value: Any
    step: int | None
    tag: str
    slot: bool
    bits: int | None


@dataclass(slots=True, eq=False)
class Wait:
    """Wait for messages; see `wait`."""

    sources: tuple[int, ...] | None
    step: int | None
    tag: str
    count: int | None
    until: Callable[[frozenset[int]], bool] | None
    timeout: float | None
    deadline: float | None


@dataclass(slots=True, eq=False)
class Acknowledge:
    """Tell senders that their messages were used; see `acknowledge`."""

    messages: tuple[Message, ...]


@dataclass(slots=True, eq=False)
class Now:
    """Ask what time it is; see `now`."""


@dataclass(slots=True, eq=False)
class Log:
    """Write to the record; see `log`."""

    step: int | None
    values: Mapping[str, Any]


Effect = Compute | Send | Wait | Acknowledge | Now | Log


def compute(function: Callable[..., Any], *args: Any, cost: float = 1.0, step: int | None = None) -> Compute:
    """Call ``function(*args)``; the program gets what it returns.

    Parameters
    ----------
    function : callable
        Must not wait for anything; what it costs is told by ``cost``.
    *args : object
        Its arguments.
    cost : float, default 1
        Its work in units; the conditions of the run say how long a unit takes on which node.
    step : int, optional
        The step it belongs to. The straggler model slows computations that name their step, with its row for that
        step; a computation without a step is never slowed.

    Examples
    --------
    >>> compute(max, 3, 4, cost=2.0, step=7).step
    7
    """
    if not callable(function):
        raise TypeError(f"function must be callable, received {function!r}")
    if not _checked_number("cost", cost) >= 0 or cost == math.inf:
        raise ValueError(f"cost must be a finite number of work units, at least 0, received {cost!r}")
    return Compute(function, args, cost, step if step is None else _checked_step(step))


def send(
    to: int | Iterable[int],
    value: Any = None,
    *,
    step: int | None = None,
    tag: str = "",
    slot: bool = False,
    bits: int | None = None,
) -> Send:
    """Send a value to one node or to several; the program goes on at once unless a bounded queue is full.

    Parameters
    ----------
    to : int or iterable of int
        Targets of edges that start at this node.
    value : object
        An array, which the receivers see read-only and as it was when it was sent, or a small picklable object.
    step : int, optional
        The step it belongs to, by which late answers are recognised.
    tag : str, default ""
        The kind of message, for programs that send several kinds.
    slot : bool, default False
        Put it into the single-slot mailbox of this edge and tag, where it overwrites a message that was not taken, as
        a remote write does; otherwise into the edge's queue.
    bits : int, optional
        Its size as the scheme counts it, for messages that stand for a compressed form; by default that of the value.

    Examples
    --------
    >>> send([2, 1], 0.5, step=3).targets
    (2, 1)
    """
    if bits is not None:
        bits = _checked_integer("bits", bits)
        if bits < 0:
            raise ValueError(f"bits must be at least 0, received {bits!r}")
    _check_tag(tag)
    if tag == ACK:
        raise ValueError(f"the tag {ACK!r} is that of acknowledgements; yield acknowledge(message)")
    return Send(_nodes("to", to), value, step if step is None else _checked_step(step), tag, slot, bits)


def wait(
    sources: int | Iterable[int] | None = None,
    *,
    step: int | None = None,
    tag: str = "",
    count: int | None = None,
    until: Callable[[frozenset[int]], bool] | None = None,
    timeout: float | None = None,
    deadline: float | None = None,
) -> Wait:
    """Wait for messages; the program gets the `Arrivals`: at most one message from each source.

    The wait ends with the first message, in the order of arrival, at which the condition is met; what arrived after
    it stays for later waits. If the time is up first, it returns all that has arrived.

    Parameters
    ----------
    sources : int or iterable of int, optional
        From which nodes; by default from all that have an edge to this one (for ``tag=ACK``, all that it has edges to).
    step : int, optional
        Take messages of this step only. Those of an earlier step come in ``arrivals.late``, those of a later one stay.
        Without a step the oldest message of each source is taken.
    tag : str, default ""
        Take messages of this kind only; ``ACK`` for acknowledgements.
    count : int, optional
        How many sources must have sent one; all of them if neither ``count`` nor ``until`` is given.
    until : callable, optional
        A monotone predicate of the set of sources that a message came from, such as "decodable"; with ``count`` both
        must be met.
    timeout : float, optional
        Seconds, from now, after which the wait ends anyway; 0 looks at what is there.
    deadline : float, optional
        The same as a time since the beginning of the run, as `now` gives it.

    Raises
    ------
    LostWorkersError
        In the program, if lost nodes make the condition impossible and there is no time limit; with one the wait
        returns as soon as nothing more can come.

    Examples
    --------
    >>> wait([1, 2, 3], step=5, count=2).count
    2
    """
    if count is not None:
        count = _checked_integer("count", count)
    if until is not None and not callable(until):
        raise TypeError(f"until must be a predicate of a set of nodes, received {until!r}")
    _check_tag(tag)
    if timeout is not None and not _checked_number("timeout", timeout) >= 0:
        raise ValueError(f"timeout must be at least 0 seconds, received {timeout!r}")
    if deadline is not None and math.isnan(_checked_number("deadline", deadline)):
        raise ValueError(f"deadline must be a time, received {deadline!r}")
    nodes = None if sources is None else _nodes("sources", sources)
    return Wait(nodes, step if step is None else _checked_step(step), tag, count, until, timeout, deadline)


def acknowledge(messages: Message | Arrivals | Iterable[Message]) -> Acknowledge:
    """Tell the senders of messages that they were used; each gets an acknowledgement with the message's step.

    It travels against the direction of the edge and is waited for with ``wait(tag=ACK, step=...)``.

    Examples
    --------
    >>> len(acknowledge([Message(1, "", 4, 0, None), Message(2, "", 4, 0, None)]).messages)
    2
    """
    if isinstance(messages, Message):
        return Acknowledge((messages,))
    if not isinstance(messages, Iterable):
        raise TypeError(f"messages must be what a wait returned, or messages of it, received {messages!r}")
    several = messages.messages if isinstance(messages, Arrivals) else tuple(messages)
    for message in several:
        if not isinstance(message, Message):
            raise TypeError(f"messages must hold what a wait returned, received {message!r}")
    return Acknowledge(several)


def now() -> Now:
    """Ask for the time in seconds since the run began.

    Examples
    --------
    >>> now()
    Now()
    """
    return Now()


def log(*, step: int | None = None, **values: Any) -> Log:
    """Write numbers and arrays to the record, under their names.

    Examples
    --------
    >>> log(step=3, loss=0.25).values
    {'loss': 0.25}
    """
    return Log(step if step is None else _checked_step(step), values)


def _nodes(name: str, nodes: int | Iterable[int]) -> tuple[int, ...]:
    if isinstance(nodes, tuple):
        # most are those of the node, whose check would take time at every step; others are checked when they are used
        return nodes
    if isinstance(nodes, int):
        return (nodes,)
    try:
        # arrays have an index too, if they are of one element
        return tuple(map(operator.index, nodes)) if isinstance(nodes, Iterable) else (operator.index(nodes),)
    except TypeError:
        raise TypeError(f"{name} must be a node or several, by their numbers, received {nodes!r}") from None


def _check_tag(tag: str) -> None:
    if not isinstance(tag, str):
        raise TypeError(f"tag must be a string, received {tag!r}")


def _checked_integer(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"{name} must be an integer, received {value!r}")
    return operator.index(value)


def _checked_number(name: str, value: float) -> float:
    # the first test is quick, and enough for nearly all
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, Real)):
        raise TypeError(f"{name} must be a number, received {value!r}")
    return value


def _checked_step(step: int) -> int:
    if type(step) is not int:
        if isinstance(step, bool) or not isinstance(step, SupportsIndex):
            raise TypeError(f"step must be an integer or None, received {step!r}")
        step = operator.index(step)
    if not 0 <= step < _STEPS:
        raise ValueError(f"step must lie between 0 and 2**63 - 1, received {step!r}")
    return step
