"""Values of messages: their size, and copies that nobody can change."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

__all__ = ["bits_of", "frozen"]

_IMMUTABLE = (int, float, bool, complex, str, bytes, type(None), np.generic)


def bits_of(value: Any) -> int:
    """Return the size of a value in bits: that of its arrays and numbers, and of what remains as it is pickled.

    Examples
    --------
    >>> bits_of(np.zeros(3)), bits_of(1.5), bits_of(None), bits_of((1, np.zeros(2, np.int8)))
    (192, 64, 0, 80)
    """
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
    return 8 * len(pickle.dumps(value, 5))


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
    if type(value) is np.ndarray and not value.dtype.hasobject:
        copy = value.copy()
        copy.flags.writeable = False
        return copy
    if isinstance(value, _IMMUTABLE):
        return value
    if type(value) is tuple:
        return tuple([frozen(item) for item in value])
    buffers: list[bytes] = []
    try:
        text = pickle.dumps(value, 5, buffer_callback=lambda buffer: buffers.append(bytes(buffer.raw())))
    except Exception as error:
        raise TypeError(f"cannot send {value!r}: {error}") from None
    return pickle.loads(text, buffers=buffers)  # noqa: S301 - it was pickled on the line above
