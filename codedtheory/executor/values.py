"""Values of messages: their size, and copies that nobody can change."""

from __future__ import annotations

import pickle
import reprlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.pickling import FAILURES, dump, load, plain, unpicklable

__all__ = ["bits_of", "frozen", "is_shareable", "read_only"]

_IMMUTABLE = frozenset(
    {type(None), bool, int, float, complex, str, bytes}
    | {kind for kind in np.sctypeDict.values() if not issubclass(kind, np.void | np.object_)}
)
# kinds of numbers, for which `plain` need not be asked
_NUMBERS = frozenset("fiucb")


def bits_of(value: Any) -> int:
    """Return the size of a value in bits: that of its arrays and numbers, and of what remains as it is pickled.

    Raises
    ------
    TypeError
        For what cannot be pickled.

    Examples
    --------
    >>> bits_of(np.zeros(3)), bits_of(1.5), bits_of(None), bits_of((1, np.zeros(2, np.int8)))
    (192, 64, 0, 80)
    """
    if type(value) is np.ndarray and value.dtype.kind in _NUMBERS:
        return 8 * value.nbytes
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return 8 * value.nbytes
    if value is None:
        return 0
    if isinstance(value, bool):
        return 1
    if isinstance(value, int):
        return max(64, value.bit_length())
    if isinstance(value, float):
        return 64
    if isinstance(value, str):
        return 8 * len(value.encode())
    if isinstance(value, bytes):
        return 8 * len(value)
    if isinstance(value, tuple | list):
        return sum(map(bits_of, value))
    if isinstance(value, dict):
        return sum(bits_of(key) + bits_of(item) for key, item in value.items())
    try:
        return 8 * len(pickle.dumps(value, 5))
    except FAILURES as error:
        raise unpicklable(f"message {reprlib.repr(value)}", error) from error


def frozen(value: Any) -> Any:
    """Return a copy of a value whose arrays are read-only, as if it had been sent to another process.

    Raises
    ------
    TypeError
        For what cannot be pickled, which could not be sent.

    Examples
    --------
    >>> sent = np.zeros(2)
    >>> copy = frozen(sent)
    >>> sent[0] = 1
    >>> copy.tolist(), copy.flags.writeable
    ([0.0, 0.0], False)
    """
    kind = type(value)
    if kind is np.ndarray and (value.dtype.kind in _NUMBERS or plain(value.dtype)):
        copy = value.copy()
        copy.flags.writeable = False
        return copy
    if kind in _IMMUTABLE:
        return value
    if kind is tuple:
        return tuple([_frozen_in_order(item) if type(item) is np.ndarray else frozen(item) for item in value])
    try:
        stream, buffers = dump(value)
    except FAILURES as error:
        raise unpicklable(f"message {reprlib.repr(value)}", error) from error
    return load(stream, [bytes(buffer) for buffer in buffers])


def _frozen_in_order(array: NDArray[Any]) -> Any:
    copy = frozen(array)
    if not array.flags.fnc or array.dtype.hasobject:
        return copy
    # an array that is sent alone arrives in C order, one in a tuple as it is pickled
    copy = np.asfortranarray(copy)
    copy.flags.writeable = False
    return copy


def is_shareable(value: Any) -> bool:
    """Whether several receivers can hold the same `frozen` value without that one sees what another does to it.

    Examples
    --------
    >>> is_shareable((1, np.zeros(2))), is_shareable((1, [2]))
    (True, False)
    """
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype.kind in _NUMBERS or plain(value.dtype)
    return kind in _IMMUTABLE or (kind is tuple and all(map(is_shareable, value)))


def read_only(value: Any) -> Any:
    """Return a value with read-only views in place of its arrays, also of those in tuples, lists and dictionaries.

    Arrays with gaps are copied, as they are on their way to another process: sums depend on how arrays lie in memory.

    Examples
    --------
    >>> data = {"block": np.zeros(2)}
    >>> read_only(data)["block"].flags.writeable, data["block"].flags.writeable
    (False, True)
    """
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype.hasobject:
            return value
        if not value.flags.forc:
            value = np.ascontiguousarray(value)
        if not value.flags.writeable:
            return value
        view = value.view()
        view.flags.writeable = False
        return view
    if kind is dict:
        items = {key: read_only(item) for key, item in value.items()}
        return items if any(items[key] is not item for key, item in value.items()) else value
    if kind is list or kind is tuple:
        parts = [read_only(item) for item in value]
        return kind(parts) if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    return value
