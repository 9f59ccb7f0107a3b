"""Encoding matrices from files: NumPy, comma-separated and Matrix Market."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Rational

from .code_entries import as_entries
from .gradient_code import GradientCode

__all__ = ["read_code", "read_matrix"]


def read_code(path: str | Path) -> GradientCode:
    """Return the gradient code whose encoding matrix is in a file.

    Parameters
    ----------
    path : str or Path
        See `read_matrix`. The matrix must be square: as many workers as partitions.

    Returns
    -------
    GradientCode
        Named after the file.

    Raises
    ------
    ValueError
        As `read_matrix`, and if the matrix is not square.
    """
    matrix = read_matrix(path)
    workers, partitions = matrix.shape
    if workers != partitions:
        raise ValueError(
            f"{path}: the encoding matrix must be square (workers x partitions), got {workers} x {partitions}; "
            "build other codes with GradientCode(read_matrix(path))"
        )
    return GradientCode(matrix, name=Path(path).name)


def read_matrix(path: str | Path) -> np.ndarray[Any, Any]:
    """Return a matrix from a file, of the kind that its suffix tells.

    Parameters
    ----------
    path : str or Path
        ``.npy``, or ``.npz`` with one array: doubles or integers. ``.csv``: one row per line, numbers or fractions
        such as ``3/7`` between commas; ``#`` starts a comment. ``.mtx``: Matrix Market, coordinate or array.

    Returns
    -------
    numpy.ndarray, shape (rows, columns)
        Decimals of a text file are those decimals, exactly; integers are exact; the doubles of a NumPy file are
        doubles.

    Raises
    ------
    ValueError
        If the file does not hold such a matrix; the message names the line and column.
    OSError
        If it can't be read.
    """
    source = Path(path)
    suffix = source.suffix.lower()
    if suffix in (".npy", ".npz"):
        matrix = _numpy(source)
    elif suffix == ".csv":
        matrix = _comma_separated(source)
    elif suffix == ".mtx":
        matrix = _matrix_market(source)
    else:
        raise ValueError(f"{source}: suffix must be .npy, .npz, .csv or .mtx, got {suffix or 'none'!r}")
    try:
        return as_entries(matrix)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{source}: {error}") from error


def _numpy(source: Path) -> np.ndarray[Any, Any]:
    try:
        # an open file, because the reader does not close a damaged archive that it opened itself
        with source.open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return loaded
            with loaded as archive:
                if len(archive.files) != 1:
                    sparse = "; of a scipy.sparse matrix save .toarray()" if "format" in archive.files else ""
                    raise ValueError(f"an archive must hold one array, got {', '.join(archive.files)}{sparse}")
                array: np.ndarray[Any, Any] = archive[archive.files[0]]
                return array
    except OSError:
        raise
    except Exception as error:  # the reader's exceptions for damaged files are of many kinds
        raise ValueError(f"{source}: {_damage(source, error)}") from error


def _damage(source: Path, error: Exception) -> str:
    reason = " ".join(str(error).split())
    if "pickle" not in reason.lower():
        return reason
    # the reader takes whatever does not begin like a NumPy file for a pickle
    with source.open("rb") as stream:
        begins = stream.read(6)
    if not begins.startswith((b"\x93NUMPY", b"PK", b"\x80")):
        return "this is not a NumPy file; write it with numpy.save, or name it .csv or .mtx if it is text"
    return "pickled objects are refused, since loading them runs code; save a numeric array"


def _lines(source: Path) -> list[tuple[int, str]]:
    try:
        text = source.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{source}: not a text file ({error.reason} at byte {error.start})") from error
    return list(enumerate(text.splitlines(), start=1))


def _comma_separated(source: Path) -> np.ndarray[Any, Any]:
    rows: list[list[Rational]] = []
    for number, line in _lines(source):
        content = line.split("#", 1)[0].strip()
        if not content:
            continue
        cells = content.split(",")
        if rows and len(cells) != len(rows[0]):
            raise ValueError(f"{source}, line {number}: expected {len(rows[0])} entries, got {len(cells)}")
        rows.append([_numeral(cell, source, number, column) for column, cell in enumerate(cells, start=1)])
    if not rows:
        raise ValueError(f"{source}: the file holds no matrix; write one row per line")
    return np.array(rows, dtype=object)


def _numeral(text: str, source: Path, line: int, column: int) -> Rational:
    cleaned = text.strip()
    # powers of ten are written out by Fraction, so that a short numeral could fill the memory
    exponent = cleaned.lower().partition("e")[2]
    if exponent.lstrip("+-").isdigit() and abs(int(exponent[:9])) > 5000:
        raise ValueError(f"{source}, line {line}, column {column}: exponent of {cleaned!r} is out of range")
    try:
        return Rational(Fraction(cleaned))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(
            f"{source}, line {line}, column {column}: {cleaned!r} is not a finite number; write 3/7, 0.25 or 1e-3"
        ) from error


def _matrix_market(source: Path) -> np.ndarray[Any, Any]:
    lines = _lines(source)
    header = lines[0][1].lower().split() if lines else []
    if len(header) != 5 or header[:2] != ["%%matrixmarket", "matrix"]:
        raise ValueError(f"{source}, line 1: expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'")
    form, field, symmetry = header[2:]
    if form not in ("coordinate", "array") or field not in ("real", "double", "integer", "complex", "pattern"):
        raise ValueError(f"{source}, line 1: unknown format {form!r} or field {field!r}")
    if symmetry not in ("general", "symmetric", "skew-symmetric", "hermitian") or (form, field) == ("array", "pattern"):
        raise ValueError(f"{source}, line 1: unknown symmetry {symmetry!r}, or an array of a pattern")
    body = [(number, line.split()) for number, line in lines[1:] if line.strip() and not line.lstrip().startswith("%")]
    if not body:
        raise ValueError(f"{source}: the size line is missing")
    sizes = _integers(body[0][1], source, body[0][0], 3 if form == "coordinate" else 2)
    rows, columns = sizes[0], sizes[1]
    if min(rows, columns) < 1 or rows * columns > 10**7:
        raise ValueError(f"{source}, line {body[0][0]}: size {rows} x {columns} is out of range")
    if symmetry != "general" and rows != columns:
        raise ValueError(f"{source}, line {body[0][0]}: a {symmetry} matrix must be square, got {rows} x {columns}")
    places = None if form == "coordinate" else _stored_places(rows, columns, symmetry)
    expected = sizes[2] if places is None else len(places)
    if len(body) - 1 != expected:
        raise ValueError(f"{source}: expected {expected} entries after the size line, got {len(body) - 1}")
    matrix = np.full((rows, columns), Rational(0), dtype=object)
    for k, (number, words) in enumerate(body[1:]):
        if places is None:
            i, j = (x - 1 for x in _integers(words[:2], source, number, 2))
            words = words[2:]
            if not (0 <= i < rows and 0 <= j < columns):
                raise ValueError(f"{source}, line {number}: entry ({i + 1}, {j + 1}) lies outside {rows} x {columns}")
        else:
            i, j = places[k]
        value = _market_value(words, field, source, number, 3 if places is None else 1)
        matrix[i, j] = matrix[i, j] + value
        if symmetry != "general" and i != j:
            mirrored = value.conjugate() if symmetry == "hermitian" else value
            matrix[j, i] = matrix[j, i] + (-mirrored if symmetry == "skew-symmetric" else mirrored)
    return matrix


def _stored_places(rows: int, columns: int, symmetry: str) -> list[tuple[int, int]]:
    above = {"general": columns, "skew-symmetric": -1}.get(symmetry, 0)
    return [(i, j) for j in range(columns) for i in range(rows) if j - i <= above]


def _integers(words: list[str], source: Path, line: int, count: int) -> list[int]:
    if len(words) != count or not all(word.lstrip("+-").isdecimal() for word in words):
        raise ValueError(f"{source}, line {line}: expected {count} integers, got {' '.join(words)!r}")
    return [int(word) for word in words]


def _market_value(words: list[str], field: str, source: Path, line: int, column: int) -> Any:
    expected = {"pattern": 0, "complex": 2}.get(field, 1)
    if len(words) != expected:
        raise ValueError(f"{source}, line {line}: expected {expected} numbers for field {field}, got {len(words)}")
    numbers = [_numeral(word, source, line, column + k) for k, word in enumerate(words)]
    if field == "pattern":
        return Rational(1)
    return Algebraic(4, numbers) if field == "complex" else numbers[0]
