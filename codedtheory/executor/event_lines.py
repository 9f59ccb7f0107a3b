"""Events of a run as lines of strict JSON: numbers come back exact, and what is not finite as the float it was."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii
from typing import Any, Protocol

import numpy as np

from codedtheory.executor.events import Arrival, ClockLook, End, Event, LogEntry, Note, WaitEvent

__all__ = [
    "Arrived",
    "check_note",
    "end_line",
    "event_line",
    "log_line",
    "look_line",
    "note_line",
    "parsed",
    "plain",
    "restored",
    "wait_line",
]

_SPOKEN = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_KINDS = ("wait", "now", "log", "end")
_FIELDS = ("event", "node", "time")
_EMPTY = '""'
_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Arrived(Protocol):
    """What a record keeps of a message."""

    @property
    def source(self) -> int:
        """The node that sent it."""

    @property
    def step(self) -> int | None:
        """The step it belongs to."""

    @property
    def number(self) -> int:
        """How many messages its source had sent before."""

    @property
    def arrived(self) -> float:
        """When it arrived, in seconds since the run began."""


def wait_line(
    node: int,
    time: float,
    since: float,
    step: int | None,
    tag: str,
    taken: Sequence[Arrived],
    late: Sequence[Arrived],
    lost: Sequence[int],
    complete: bool,
) -> str:
    """Return the line of a wait that ended."""
    # a few times quicker than a JSON encoder, in the loop whose time counts
    line = (
        f'{{"event":"wait","node":{node},"time":{time},"since":{since},"step":{"null" if step is None else step},'
        f'"tag":{encode_basestring_ascii(tag) if tag else _EMPTY},"taken":[{_cells(taken) if taken else ""}],'
        f'"late":[{_cells(late) if late else ""}],"lost":[{",".join(map(str, lost)) if lost else ""}],'
        f'"complete":{"true" if complete else "false"}}}\n'
    )
    if "inf" in line or "nan" in line:
        event = {"event": "wait", "node": node, "time": time, "since": since, "step": step, "tag": tag}
        cells = [[[m.source, m.step, m.number, m.arrived] for m in messages] for messages in (taken, late)]
        return _line({**event, "taken": cells[0], "late": cells[1], "lost": list(lost), "complete": bool(complete)})
    return line


def look_line(node: int, time: float) -> str:
    """Return the line of a look at the clock."""
    return f'{{"event":"now","node":{node},"time":{_number(time)}}}\n'


def log_line(node: int, time: float, step: int | None, values: Mapping[str, Any], arrays: Mapping[str, str]) -> str:
    """Return the line of what a program logged; arrays are named by their pieces."""
    numbers = ",".join([f"{encode_basestring_ascii(name)}:{_number(value)}" for name, value in values.items()])
    pieces = ",".join([f"{encode_basestring_ascii(name)}:{_encode(piece)}" for name, piece in arrays.items()])
    return (
        f'{{"event":"log","node":{node},"time":{_number(time)},"step":{"null" if step is None else step},'
        f'"values":{{{numbers}}},"arrays":{{{pieces}}}}}\n'
    )


def note_line(node: int, kind: str, time: float, details: Mapping[str, Any]) -> str:
    """Return the line of something else that happened."""
    check_note(kind, details)
    return _line({"event": kind, "node": node, "time": time, **details})


def end_line(node: int, time: float, status: str, step: int | None, totals: Mapping[str, Any]) -> str:
    """Return the line of a program that ended."""
    return _line({"event": "end", "node": node, "time": time, "status": status, "step": step, "totals": totals})


def event_line(event: Event) -> str:
    """Return the line of an event; the arrays of a log must be named by pieces.

    Examples
    --------
    >>> event_line(ClockLook(2, 0.25)).rstrip()
    '{"event":"now","node":2,"time":0.25}'
    """
    if isinstance(event, WaitEvent):
        sequences = (event.taken, event.late, event.lost, event.complete)
        return wait_line(event.node, event.time, event.since, event.step, event.tag, *sequences)
    if isinstance(event, ClockLook):
        return look_line(event.node, event.time)
    if isinstance(event, LogEntry):
        return log_line(event.node, event.time, event.step, event.values, event.arrays)
    if isinstance(event, Note):
        return note_line(event.node, event.kind, event.time, event.details)
    return end_line(event.node, event.time, event.status, event.step, event.totals)


def parsed(line: bytes | str) -> Event:
    """Return the event of a line.

    Raises
    ------
    ValueError
        For what is not an event.

    Examples
    --------
    >>> parsed('{"event":"log","node":0,"time":1.5,"step":3,"values":{"loss":"NaN"},"arrays":{}}').values
    {'loss': nan}
    """
    fields = json.loads(line)
    try:
        kind, node, time = fields["event"], int(fields["node"]), float(fields["time"])
        step = fields.get("step")
        if kind == "wait":
            taken, late = (
                tuple([Arrival(source, of, number, float(arrived)) for source, of, number, arrived in fields[name]])
                for name in ("taken", "late")
            )
            since, lost = float(fields["since"]), tuple(fields["lost"])
            return WaitEvent(node, time, since, step, str(fields["tag"]), taken, late, lost, bool(fields["complete"]))
        if kind == "now":
            return ClockLook(node, time)
        if kind == "log":
            return LogEntry(node, time, step, restored(fields["values"]), dict(fields["arrays"]))
        if kind == "end":
            return End(node, time, str(fields["status"]), step, restored(fields["totals"]))
        return Note(node, time, str(kind), restored({k: v for k, v in fields.items() if k not in _FIELDS}))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not an event of a record: {str(fields)[:80]} ({type(error).__name__}: {error})") from None


def check_note(kind: str, details: Mapping[str, Any]) -> None:
    """Refuse a note that would be read as something else."""
    if kind in _KINDS:
        raise ValueError(f"kind {kind!r} is that of an event with a method of its own; choose another word")
    if not details.keys().isdisjoint(_FIELDS):
        raise ValueError(f"details cannot be named {', '.join(_FIELDS)}; received {sorted(details)}")


def plain(value: Any, name: str) -> Any:
    """Return a value in terms of strict JSON; ``name`` is what an error calls it.

    Examples
    --------
    >>> plain({"rate": np.float64(0.5), 3: (1, float("inf"))}, "parameters")
    {'rate': 0.5, '3': [1, 'Infinity']}
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _spoken(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item, f"{name}[{key!r}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, f"{name}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, str):
        return value
    known = "numbers, text, None, and lists and mappings of them"
    raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; a record holds {known}")


def restored(value: Any) -> Any:
    """Return a value read from JSON with the floats that are not finite.

    Examples
    --------
    >>> restored({"delay": "-Infinity", "nodes": [1, 2]})
    {'delay': -inf, 'nodes': [1, 2]}
    """
    if isinstance(value, str):
        return _SPOKEN.get(value, value)
    if isinstance(value, dict):
        return {key: restored(item) for key, item in value.items()}
    if isinstance(value, list):
        return [restored(item) for item in value]
    return value


def _cells(messages: Sequence[Arrived]) -> str:
    if len(messages) == 1:
        message = messages[0]
        step = message.step
        return f"[{message.source},{'null' if step is None else step},{message.number},{message.arrived}]"
    parts = []
    for message in messages:
        step = message.step
        parts.append(f"[{message.source},{'null' if step is None else step},{message.number},{message.arrived}]")
    return ",".join(parts)


def _number(value: Any) -> str:
    return str(value) if type(value) is float and math.isfinite(value) else _encode(plain(value, "value"))


def _spoken(value: float) -> str:
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def _line(fields: Mapping[str, Any]) -> str:
    kind = fields["event"]
    return _encode({name: plain(value, f"{kind}: {name}") for name, value in fields.items()}) + "\n"
