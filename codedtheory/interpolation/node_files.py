"""Interpolation nodes from a file of numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from ..arithmetic import Rational
from .nodes import Nodes, nodes_from

__all__ = ["read_nodes"]

_SEPARATORS = re.compile(r"[,;\s]+")


def read_nodes(path: str | Path, column: int | str | None = None) -> Nodes:
    r"""Read interpolation nodes from a file.

    Parameters
    ----------
    path : str or Path
        A NumPy file (``.npy``, whose doubles are taken as they are), or a text file with one node a line:
        numbers separated by commas, semicolons, tabs or spaces; ``#`` starts a comment; the first line may be
        a header. Decimals and fractions are read as written: ``0.1`` is 1/10, not its nearest double.
    column : int or str, optional
        Which column holds the nodes: its index from 0, or its name in the header. Needed if there are several.

    Returns
    -------
    Nodes

    Raises
    ------
    ValueError
        If the file is empty or holds something else than strictly monotone numbers; the message names file,
        line and column.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "nodes.csv"
    ...     _ = path.write_text("place,load\n0,3\n0.1,2\n1/3,5\n")
    ...     read_nodes(path, column="place").points
    (Rational(0, 1), Rational(1, 10), Rational(1, 3))
    """
    path = Path(path)
    values: Any = _array(path, column) if path.suffix == ".npy" else _text(path, column)
    try:
        return nodes_from(values)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _array(path: Path, column: int | str | None) -> Any:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        # the reader's own advice is to load objects without the safeguard
        reason = "objects are refused, since loading them runs code" if "pickle" in str(error) else str(error)
        raise ValueError(
            f"{path} is not a readable NumPy file of numbers ({reason}); write it with numpy.save, "
            "or name it .txt if it is text"
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf":
        raise ValueError(f"{path} must hold an array of real numbers, got {getattr(array, 'dtype', type(array))}")
    if array.ndim == 2:
        array = array[:, _index(path, column, None, array.shape[1])]
    elif column not in (None, 0):
        raise ValueError(f"column must be 0 or None for the one-dimensional array in {path}, got {column!r}")
    return array


def _text(path: Path, column: int | str | None) -> list[Rational]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not a text file of numbers ({error.reason} at byte {error.start}); "
            "nodes come from .txt, .csv or .npy files"
        ) from error
    rows = [(number, _cells(line)) for number, line in enumerate(lines, start=1)]
    rows = [(number, cells) for number, cells in rows if cells]
    header = None
    if rows and not any(_is_number(cell) for cell in rows[0][1]):
        header = rows.pop(0)[1]
    if not rows:
        raise ValueError(f"{path} holds no numbers; write one node a line")
    width = len(rows[0][1])
    index = _index(path, column, header, width)
    values = []
    for number, cells in rows:
        if len(cells) != width:
            raise ValueError(f"{path}, line {number}: {len(cells)} columns where line {rows[0][0]} has {width}")
        try:
            values.append(Rational(cells[index]))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}, column {index + 1}: {error}") from error
    return values


def _cells(line: str) -> list[str]:
    line = line.split("#", 1)[0].strip()
    return [cell.strip("\"'") for cell in _SEPARATORS.split(line)] if line else []


def _is_number(cell: str) -> bool:
    try:
        Rational(cell)
    except ValueError:
        return False
    return True


def _index(path: Path, column: int | str | None, header: list[str] | None, width: int) -> int:
    names = f"named {', '.join(header)}" if header else f"0 to {width - 1}"
    if column is None:
        if width > 1:
            raise ValueError(f"column must be given, because {path} has {width} of them ({names})")
        return 0
    if isinstance(column, str):
        if header is None or column not in header:
            raise ValueError(f"column {column!r} is not in {path}; its columns are {names}")
        return header.index(column)
    if not 0 <= column < width:
        raise ValueError(f"column must be from 0 to {width - 1} in {path}, got {column}")
    return column
