"""Delays recorded elsewhere, as a straggler model: a CSV file with a column for each node and a row for each step."""

from __future__ import annotations

import hashlib
import math
import os
import re
from array import array
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.delay_parameters import checked_columns, checked_nodes, checked_number
from codedtheory.executor.delay_stream import DelayStream, Row, SteadyStream
from codedtheory.executor.straggler_model import StragglerModel, listed

__all__ = ["DelayTrace"]

_NODE_ID = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True, eq=False)
class DelayTrace(StragglerModel):
    """Recorded delays, the same in every run; see `from_csv`.

    Parameters
    ----------
    nodes : collection of int
        The node of each column.
    delays : array_like, shape (steps, len(nodes))
        Seconds; row t belongs to step t.
    repeat : bool
        Begin again after the last row instead of refusing later steps.
    undelayed : collection of int
        Nodes that may lack a column, and are never delayed then; by default node 0, the usual master.
    path : str, optional
        The file they were read from, named in errors.

    Notes
    -----
    `mean_delay` is the mean over all rows and columns; the seed plays no part. Where the recorded times are those of
    whole computations, give the computations no cost.

    Examples
    --------
    >>> trace = DelayTrace(nodes=(1, 2), delays=[[0.5, 0.0], [0.25, 3.0]])
    >>> trace.stream(node=2, seed=0).row(1), trace.mean_delay
    ((1.0, 3.0), 0.9375)
    >>> trace.stream(node=2, seed=0).row(2)
    Traceback (most recent call last):
    ValueError: the trace: no row for step 2, because it ends with step 1; record more steps, or pass repeat=True
    """

    nodes: Collection[int]
    delays: NDArray[np.float64] = field(repr=False)
    repeat: bool = False
    undelayed: Collection[int] = (0,)
    path: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", checked_columns("nodes", self.nodes))
        object.__setattr__(self, "undelayed", checked_nodes("undelayed", self.undelayed))
        if not isinstance(self.repeat, bool):
            raise TypeError(f"repeat must be True or False, received {self.repeat!r}")
        object.__setattr__(self, "delays", _checked_delays(self.delays, len(self.nodes)))

    @classmethod
    def from_csv(
        cls, path: str | os.PathLike[str], repeat: bool = False, undelayed: Collection[int] = (0,)
    ) -> DelayTrace:
        r"""Read a trace from a CSV file.

        The first line holds the node ids, every further line the delays of one step in seconds::

            1,2,3
            0.013,0.011,0.52
            0.012,0.012,0.49

        Parameters
        ----------
        path : str or path
            The file.
        repeat : bool
            Begin again after the last row instead of refusing later steps.
        undelayed : collection of int
            Nodes that may lack a column, and are never delayed then; by default node 0, the usual master.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it is no such table; the message names file, line and remedy.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "delays.csv"
        ...     _ = path.write_text("1,2\n0.5,0\n0.25,3\n")
        ...     DelayTrace.from_csv(path, repeat=True).stream(node=1, seed=0).row(3)
        (1.0, 0.25)
        """
        source = os.fspath(path)
        lines = _lines(source)
        nodes = _header(source, lines[0])
        rows = [_row(source, number, line, nodes) for number, line in enumerate(lines[1:], start=2)]
        return cls(nodes, np.array(rows), repeat, undelayed, source)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the trace so that `from_csv` reads the same doubles."""
        rows = [",".join(map(repr, row)) for row in self.delays.tolist()]
        text = "\n".join([",".join(map(str, self.nodes)), *rows, ""])
        Path(path).write_text(text, encoding="utf-8", newline="\n")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DelayTrace):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Any, ...]:
        # the default way would leave the unpickled array writeable
        return DelayTrace, (self.nodes, self.delays, self.repeat, self.undelayed, self.path)

    def _identity(self) -> tuple[Any, ...]:
        return self.nodes, self.repeat, self.undelayed, self.delays.tobytes()

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return len(self.delays)

    @property
    def mean_delay(self) -> float:
        """The mean of all recorded delays, in seconds."""
        return float(self.delays.mean())

    def check_nodes(self, nodes: Collection[int]) -> None:
        """Refuse a system with a node that has no column, unless it is among ``undelayed``; further columns are fine.

        Raises
        ------
        ValueError
            The message names file, nodes and remedy.
        """
        missing = [node for node in sorted(nodes) if node not in self.nodes and node not in self.undelayed]
        if missing:
            raise ValueError(
                f"{_header_place(self.path)}: no column for {listed(missing)}; "
                "add it, or name in undelayed the nodes that are never delayed"
            )

    def described(self) -> dict[str, Any]:
        """Return parameters of the trace as JSON-able values; the delays themselves by number and digest."""
        return {
            "model": "DelayTrace",
            "path": self.path,
            "nodes": list(self.nodes),
            "steps": self.steps,
            "sha256": hashlib.sha256(self.delays.astype("<f8").tobytes()).hexdigest(),
            "repeat": self.repeat,
            "undelayed": list(self.undelayed),
        }

    def _stream(self, node: int, seed: int) -> DelayStream:
        columns = tuple(self.nodes)
        if node in columns:
            return _TraceStream(self.delays[:, columns.index(node)], self.repeat, self.path)
        self.check_nodes((node,))
        return SteadyStream()


class _TraceStream:
    """One column of a trace."""

    __slots__ = ("_delays", "_path", "_repeat")

    def __init__(self, column: NDArray[np.float64], repeat: bool, path: str | None) -> None:
        self._delays = array("d", column.tobytes())
        self._repeat = repeat
        self._path = path

    def row(self, step: int) -> Row:
        """Return the row of this step."""
        if 0 <= step < len(self._delays):
            return 1.0, self._delays[step]
        return 1.0, self._delays[self._place_of(checked_number("step", step))]

    def _place_of(self, step: int) -> int:
        count = len(self._delays)
        if not self._repeat:
            place = "the trace" if self._path is None else f"{self._path}, line {count + 1}"
            raise ValueError(
                f"{place}: no row for step {step}, because it ends with step {count - 1}; "
                "record more steps, or pass repeat=True"
            )
        return step % count


def _checked_delays(delays: object, columns: int) -> NDArray[np.float64]:
    try:
        given = np.asarray(delays)
    except ValueError:
        raise ValueError("delays must have one row for each step, all of the same length") from None
    if given.dtype.kind not in "iuf":
        raise TypeError(f"delays must be an array of real numbers of seconds, received one of {given.dtype}")
    if given.ndim != 2 or given.shape[1] != columns or 0 in given.shape:
        raise ValueError(
            f"delays must have one row for each step and one column for each of {columns} nodes, "
            f"received an array of shape {given.shape}"
        )
    table = np.array(given, dtype=np.float64, order="C")
    wrong = np.argwhere(~(np.isfinite(table) & (table >= 0)))
    if len(wrong):
        step, column = wrong[0]
        raise ValueError(
            f"delays must be finite and at least 0, received {float(table[step, column])!r} "
            f"in row {step}, column {column}"
        )
    table.flags.writeable = False
    return table


def _header_place(path: str | None) -> str:
    return "the trace" if path is None else f"{path}, line 1"


def _lines(source: str) -> list[str]:
    try:
        lines = Path(source).read_text(encoding="utf-8-sig").rstrip().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{source}: not a text file ({error.reason} at byte {error.start}); a trace is a CSV file"
        ) from error
    if len(lines) < 2:
        what = "the file is empty" if not lines[0] else "the file ends after the header"
        raise ValueError(f"{source}, line 1: {what}; write a line of node ids such as 1,2,3 and a line for each step")
    return lines


def _header(source: str, line: str) -> tuple[int, ...]:
    nodes: list[int] = []
    for cell in map(str.strip, line.split(",")):
        if not _NODE_ID.fullmatch(cell):
            raise ValueError(
                f"{source}, line 1: {cell!r} is no node id; the first line names the node of each column, such as 1,2,3"
            )
        if int(cell) in nodes:
            raise ValueError(f"{source}, line 1: two columns for node {int(cell)}; leave one")
        nodes.append(int(cell))
    return tuple(nodes)


def _row(source: str, number: int, line: str, nodes: tuple[int, ...]) -> list[float]:
    cells = line.split(",")
    if len(cells) != len(nodes):
        raise ValueError(
            f"{source}, line {number}: {len(cells)} delays where line 1 names {len(nodes)} nodes; "
            "write one for each node, 0 for none"
        )
    return [_seconds(source, number, node, cell.strip()) for node, cell in zip(nodes, cells, strict=True)]


def _seconds(source: str, number: int, node: int, cell: str) -> float:
    try:
        seconds = float(cell)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(
            f"{source}, line {number}: the delay of node {node} is {cell!r}; write seconds, at least 0, such as 0.25"
        )
    return seconds
