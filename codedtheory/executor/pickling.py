"""Pickling with the memory of arrays kept apart, so that it can be placed where others read it."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FAILURES", "Copies", "dump", "load", "plain", "unpicklable"]

# contiguous copies of arrays that are not, by identity; they hold the array too, so that its identity stays its own
Copies = dict[int, tuple[NDArray[Any], NDArray[Any]]]

# what pickling raises for a value that cannot be pickled
FAILURES = (pickle.PicklingError, AttributeError, TypeError)

# numbers, texts, records and dates; others (objects, variable-width strings, foreign types) own memory or methods
_PLAIN_KINDS = frozenset("biufcSUVMm")
_FIRST_FOREIGN_TYPE = 256


def dump(value: Any, copies: Copies | None = None) -> tuple[bytes, list[memoryview]]:
    """Pickle a value; return the stream and the bytes of its arrays, in the order in which `load` needs them.

    Parameters
    ----------
    value : object
        Picklable.
    copies : dict, optional
        Kept between calls, it makes an array with gaps in several values the same memory in all of them.

    Raises
    ------
    pickle.PicklingError, AttributeError or TypeError
        For what cannot be pickled: `FAILURES`; `unpicklable` makes them readable.

    Examples
    --------
    >>> stream, buffers = dump({"block": np.eye(2)[:, 1]})
    >>> [len(buffer) for buffer in buffers]
    [16]
    >>> load(stream, [bytes(buffer) for buffer in buffers])
    {'block': array([0., 1.])}
    """
    buffers: list[memoryview] = []
    file = io.BytesIO()
    _Pickler(file, buffers, {} if copies is None else copies).dump(value)
    return file.getvalue(), buffers


def load(stream: bytes | memoryview, buffers: Iterable[bytes | memoryview]) -> Any:
    """Return the value that `dump` pickled; its arrays look at ``buffers`` and are read-only where those are."""
    return pickle.loads(stream, buffers=buffers)  # noqa: S301 - pickled by a process of the same run


def plain(dtype: np.dtype[Any]) -> bool:
    """Tell whether the bytes of an array of this type are its whole content.

    Examples
    --------
    >>> plain(np.dtype("f4, >i2")), plain(np.dtype("M8[ns]")), plain(np.dtype(object))
    (True, True, False)
    """
    return dtype.kind in _PLAIN_KINDS and not dtype.hasobject and dtype.num < _FIRST_FOREIGN_TYPE and dtype.itemsize > 0


def unpicklable(what: str, error: BaseException) -> TypeError:
    """Return the error for something that cannot leave its process, with the remedy.

    Parameters
    ----------
    what : str
        Names it, as in ``"program of node 3 (worker)"``.
    error : BaseException
        What pickling raised.
    """
    text = str(error)
    remedy = "pass plain data and functions that can be imported"
    if "<lambda>" in text or "<locals>" in text or "local object" in text:
        remedy = "define it at module level (use a named function instead of a lambda)"
    elif "not the same object" in text or "import" in text or "attribute lookup" in text:
        remedy = "define it at module level under its own name"
    elif "generator" in text:
        remedy = "pass the function that makes the generator"
    return TypeError(f"{what} cannot be pickled, so it cannot go to another process: {text}; {remedy}")


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, buffers: list[memoryview], copies: Copies) -> None:
        super().__init__(file, 5, buffer_callback=lambda buffer: buffers.append(buffer.raw()))
        self._copies = copies

    # NumPy's own reduction sends arrays with gaps, and those of dates, as private writable copies
    def reducer_override(self, value: Any) -> Any:
        if type(value) is not np.ndarray or not plain(value.dtype):
            return NotImplemented
        order = "C"
        if not value.flags.c_contiguous:
            if value.flags.f_contiguous:
                order = "F"
            else:
                value = self._contiguous(value)
        flat = value.reshape(-1, order=order).view(np.uint8)
        return _restore, (pickle.PickleBuffer(flat), value.dtype, value.shape, order)

    def _contiguous(self, value: NDArray[Any]) -> NDArray[Any]:
        if id(value) not in self._copies:
            self._copies[id(value)] = (value, np.ascontiguousarray(value))
        return self._copies[id(value)][1]


def _restore(buffer: Any, dtype: np.dtype[Any], shape: tuple[int, ...], order: Any) -> NDArray[Any]:
    return np.ndarray(shape, dtype, buffer, order=order)
