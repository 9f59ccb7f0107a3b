"""A table of events that takes some ten bytes a number: runs of thousands of nodes stay in memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.event_lines import Arrived
from codedtheory.executor.events import Arrival, ClockLook, Event, WaitEvent

__all__ = ["EventTable", "Events", "merged", "packed_look", "packed_wait", "record_order"]

_NO_STEP = -(2**63)
_LOOK, _WAIT, _COMPLETE, _OTHER = range(4)
# rows that are made into objects together
_AT_ONCE = 4096
_ROW = np.dtype(
    [
        ("kind", "u1"),
        ("node", "<i4"),
        ("time", "<f8"),
        ("since", "<f8"),
        ("step", "<i8"),
        ("first_cell", "<i8"),
        ("first_lost", "<i8"),
        ("tag", "<i4"),
        ("taken", "<i4"),
        ("late", "<i4"),
        ("lost", "<i4"),
    ]
)
_CELL = np.dtype([("source", "<i8"), ("step", "<i8"), ("number", "<i8"), ("arrived", "<f8")])
_ROW_BYTES = struct.Struct("<Biddqqqiiii")
_pack_row = _ROW_BYTES.pack
_pack_cell = struct.Struct("<qqqd").pack
_pack_node = struct.Struct("<q").pack


def packed_wait(
    node: int,
    time: float,
    since: float,
    step: int | None,
    tag: int,
    taken: Sequence[Arrived],
    late: Sequence[Arrived],
    lost: Sequence[int],
    complete: bool,
) -> bytes:
    """Return a wait, whose tag is a number, in the form that `EventTable.add_packed` takes."""
    row = _pack_row(
        _COMPLETE if complete else _WAIT,
        node,
        time,
        since,
        _NO_STEP if step is None else step,
        0,
        0,
        tag,
        len(taken),
        len(late),
        len(lost),
    )
    for messages in (taken, late):
        for message in messages:
            of = message.step
            row += _pack_cell(message.source, _NO_STEP if of is None else of, message.number, message.arrived)
    for peer in lost:
        row += _pack_node(peer)
    return row


def packed_look(node: int, time: float) -> bytes:
    """Return a look at the clock in the form that `EventTable.add_packed` takes."""
    return _pack_row(_LOOK, node, time, time, _NO_STEP, 0, 0, 0, 0, 0, 0)


class EventTable:
    """Events in the order in which they were added."""

    __slots__ = ("_cells", "_lost", "_others", "_rows", "_tags")

    def __init__(self) -> None:
        self._rows = bytearray()
        self._cells = bytearray()
        self._lost = bytearray()
        self._tags: dict[str, int] = {}
        self._others: list[Event] = []

    def add_wait(
        self,
        node: int,
        time: float,
        since: float,
        step: int | None,
        tag: str,
        taken: Sequence[Arrived],
        late: Sequence[Arrived],
        lost: Sequence[int],
        complete: bool,
    ) -> None:
        """Add a wait that ended."""
        # the row comes last and says where its cells begin: an interrupt in between leaves the table as it was
        cells = self._cells
        first_cell, first_lost = len(cells) // 32, len(self._lost) // 8
        for message in taken:
            of = message.step
            cells += _pack_cell(message.source, _NO_STEP if of is None else of, message.number, message.arrived)
        for message in late:
            of = message.step
            cells += _pack_cell(message.source, _NO_STEP if of is None else of, message.number, message.arrived)
        for peer in lost:
            self._lost += _pack_node(peer)
        self._rows += _pack_row(
            _COMPLETE if complete else _WAIT,
            node,
            time,
            since,
            _NO_STEP if step is None else step,
            first_cell,
            first_lost,
            self._tags.setdefault(tag, len(self._tags)),
            len(taken),
            len(late),
            len(lost),
        )

    def add_look(self, node: int, time: float) -> None:
        """Add a look at the clock."""
        self._rows += _pack_row(_LOOK, node, time, time, _NO_STEP, 0, 0, 0, 0, 0, 0)

    def add_packed(self, packed: bytes, tags: Sequence[str]) -> None:
        """Add what `packed_wait` or `packed_look` returned; ``tags`` tells what its numbers of tags stand for."""
        kind, node, time, since, step, _, _, tag, taken, late, lost = _ROW_BYTES.unpack_from(packed)
        first_cell, first_lost = len(self._cells) // 32, len(self._lost) // 8
        cells = _ROW_BYTES.size + 32 * (taken + late)
        self._cells += packed[_ROW_BYTES.size : cells]
        self._lost += packed[cells:]
        number = 0 if kind == _LOOK else self._tags.setdefault(tags[tag], len(self._tags))
        self._rows += _pack_row(kind, node, time, since, step, first_cell, first_lost, number, taken, late, lost)

    def add(self, event: Event) -> None:
        """Add any event."""
        if isinstance(event, WaitEvent):
            sequences = (event.taken, event.late, event.lost, event.complete)
            self.add_wait(event.node, event.time, event.since, event.step, event.tag, *sequences)
        elif isinstance(event, ClockLook):
            self.add_look(event.node, event.time)
        else:
            self._others.append(event)
            self._rows += _pack_row(
                _OTHER, event.node, event.time, event.time, _NO_STEP, len(self._others) - 1, 0, 0, 0, 0, 0
            )

    def events(self) -> Events:
        """Return what has been added so far; it does not change with the table."""
        rows = np.frombuffer(bytes(self._rows), _ROW)
        cells = np.frombuffer(bytes(self._cells), _CELL)
        lost = np.frombuffer(bytes(self._lost), "<i8")
        return Events(rows, cells, lost, tuple(self._tags), tuple(self._others))


class Events:
    """Events of a run, in their order, as columns.

    Attributes
    ----------
    rows : structured array
        One row an event.
    cells : structured array
        The messages that waits took or found late.
    lost : ndarray of int
        The nodes that waits found lost.
    tags : tuple of str
        What the tags of the rows are called.
    others : tuple of Event
        The events that are neither waits nor looks at the clock.
    """

    __slots__ = ("cells", "lost", "others", "rows", "tags")

    def __init__(
        self,
        rows: NDArray[np.void],
        cells: NDArray[np.void],
        lost: NDArray[np.int64],
        tags: tuple[str, ...],
        others: tuple[Event, ...],
    ) -> None:
        self.rows = rows
        self.cells = cells
        self.lost = lost
        self.tags = tags
        self.others = others

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Event]:
        return self._made(np.arange(len(self.rows)))

    def end_time(self) -> float:
        """Return the time of the last event, 0 if there is none."""
        return float(max(self.rows["time"], default=0.0))

    def waits(self, node: int, step: int | None = None) -> tuple[WaitEvent, ...]:
        """Return the waits of a node, of one step or of all."""
        return tuple(event for event in self._made(self._wait_rows(node, step)) if isinstance(event, WaitEvent))

    def of(self, node: int) -> tuple[Event, ...]:
        """Return the events of a node."""
        return tuple(self._made(np.flatnonzero(self.rows["node"] == node)))

    def wait_steps(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return step and time of those waits of a node that have a step."""
        rows = self._stepped(node)
        return rows["step"].astype(np.int64), rows["time"].astype(np.float64)

    def late(self, node: int) -> tuple[Arrival, ...]:
        """Return the messages of earlier steps that the waits of a node found."""
        rows = self.rows[self._wait_rows(node)]
        return tuple(_arrivals(self.cells[_spread(rows["first_cell"] + rows["taken"], rows["late"])]))

    def staleness(self, node: int) -> NDArray[np.int64]:
        """Return by how many steps each message is older than the wait of a node that took it or found it late."""
        rows = self._stepped(node)
        counts = rows["taken"] + rows["late"]
        found = self.cells["step"][_spread(rows["first_cell"], counts)]
        age = np.where(found == _NO_STEP, 0, np.repeat(rows["step"], counts) - found)
        return age[age > 0].astype(np.int64)

    def in_record_order(self) -> Events:
        """Return the same events in the order of a record."""
        order = record_order(self.rows["node"], self.rows["time"])
        if np.array_equal(order, np.arange(len(order))):
            return self
        return Events(self.rows[order], self.cells, self.lost, self.tags, self.others)

    def _stepped(self, node: int) -> NDArray[np.void]:
        rows = self._wait_rows(node)
        stepped: NDArray[np.void] = self.rows[rows[self.rows["step"][rows] != _NO_STEP]]
        return stepped

    def _wait_rows(self, node: int, step: int | None = None) -> NDArray[np.int64]:
        rows = self.rows
        mask = (rows["node"] == node) & ((rows["kind"] == _WAIT) | (rows["kind"] == _COMPLETE))
        if step is not None:
            mask &= rows["step"] == step
        return np.flatnonzero(mask)

    def _made(self, indices: NDArray[np.int64]) -> Iterator[Event]:
        for start in range(0, len(indices), _AT_ONCE):
            for row in self.rows[indices[start : start + _AT_ONCE]].tolist():
                yield self._event(row)

    def _event(self, row: tuple[Any, ...]) -> Event:
        kind, node, time, since, step, first_cell, first_lost, tag, taken, late, lost = row
        if kind == _OTHER:
            other: Event = self.others[first_cell]
            return other
        if kind == _LOOK:
            return ClockLook(node, time)
        arrivals = _arrivals(self.cells[first_cell : first_cell + taken + late])
        return WaitEvent(
            node,
            time,
            since,
            None if step == _NO_STEP else step,
            self.tags[tag],
            tuple(arrivals[:taken]),
            tuple(arrivals[taken:]),
            tuple(self.lost[first_lost : first_lost + lost].tolist()),
            kind == _COMPLETE,
        )


def record_order(
    nodes: NDArray[np.int64], times: NDArray[np.float64], parts: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the order of a record: by time, then by node; what one part tells of a node keeps its order.

    Examples
    --------
    >>> record_order(np.array([1, 0, 0]), np.array([2.0, 2.0, 1.0])).tolist()
    [1, 2, 0]
    """
    count = len(nodes)
    parts = np.zeros(count, np.int64) if parts is None else parts
    by_group = np.lexsort((np.arange(count), nodes, parts))
    keys = np.array(times, np.float64)
    starts = np.flatnonzero(np.diff(nodes[by_group]) | np.diff(parts[by_group])) + 1
    for group in np.split(by_group, starts):
        keys[group] = np.maximum.accumulate(keys[group])
    order: NDArray[np.int64] = np.lexsort((np.arange(count), nodes, keys))
    return order


def _arrivals(cells: NDArray[np.void]) -> list[Arrival]:
    return [Arrival(s, None if of == _NO_STEP else of, number, at) for s, of, number, at in cells.tolist()]


def _spread(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places: NDArray[np.int64] = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return places


def merged(tables: Sequence[Events]) -> Events:
    """Return the events of several tables as one, in the order of a record."""
    if len(tables) == 1:
        return tables[0].in_record_order()
    parts = np.repeat(np.arange(len(tables)), [len(events) for events in tables])
    tags: dict[str, int] = {}
    pieces = [np.zeros(0, _ROW)]
    cells = lost = others = 0
    for events in tables:
        rows = events.rows.copy()
        other = rows["kind"] == _OTHER
        rows["first_cell"] += np.where(other, others, cells)
        rows["first_lost"] += lost
        rows["tag"] = np.array([*(tags.setdefault(tag, len(tags)) for tag in events.tags), 0])[rows["tag"]]
        pieces.append(rows)
        cells, lost, others = cells + len(events.cells), lost + len(events.lost), others + len(events.others)
    rows = np.concatenate(pieces)
    return Events(
        rows[record_order(rows["node"], rows["time"], parts)],
        np.concatenate([np.zeros(0, _CELL), *(events.cells for events in tables)]),
        np.concatenate([np.zeros(0, np.int64), *(events.lost for events in tables)]),
        tuple(tags),
        tuple(event for events in tables for event in events.others),
    )
