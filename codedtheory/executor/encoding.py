"""Values of messages as bytes and back: short ones whole, the memory of long ones in buffers that all readers share.

An encoded value is a few bytes, the same for all readers, that may follow anything else in a frame. A value of up to
16 KiB lies in these bytes as a whole: sending them again for each reader costs less than keeping account of a buffer,
and a program may keep any number of such values. A longer one lies in a block of the sender's `BufferPool`.

Plain arrays (numbers, records, dates, texts of fixed width) are described by type and shape and arrive in C order.
Anything else is pickled; the arrays in it are kept apart from the pickled text. All plain arrays arrive read-only, and
cannot be made writable; arrays of objects are private copies.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from codedtheory.executor.buffers import PLACE, BufferPool, BufferViews
from codedtheory.executor.pickling import FAILURES, dump, load, plain, unpicklable

__all__ = ["LONGEST_IN_FRAME", "decode", "encode", "lies_in_block", "withdraw"]

# up to here a copy for each reader is cheaper than a buffer with its flags and views
LONGEST_IN_FRAME = 1 << 14

_PICKLED, _ARRAY, _ARRAY_IN_BLOCK, _PARTS, _PARTS_IN_BLOCK = range(1, 6)
_HEAD = struct.Struct("<BI")  # what follows, and the length of its description
_SIMPLE = frozenset({type(None), bool, int, float, complex, str, np.float64, np.int64, np.bool})
_BYTE = np.dtype(np.uint8)
_ALIGNMENT = 64


def encode(value: Any, pool: BufferPool | None = None, readers: Sequence[int] = ()) -> bytes:
    """Encode a value once for all of some readers.

    Before the result is sent to a reader, the pool's notices for it must be.

    Parameters
    ----------
    value : object
        An array, or anything that can be pickled. It is copied, so it may change afterwards.
    pool : BufferPool, optional
        Where long values go; without one everything lies in the result.
    readers : sequence of int
        Indices of the readers in the pool.

    Raises
    ------
    TypeError
        For what cannot be pickled, named.
    OSError
        When there is no memory or no descriptor for a long value.

    Examples
    --------
    >>> value = {"step": 3, "model": np.linspace(0, 1, 5)[::2]}
    >>> decode(encode(value))
    {'step': 3, 'model': array([0. , 0.5, 1. ])}
    >>> decode(encode(np.zeros(3))).flags.writeable
    False
    """
    if type(value) is np.ndarray and plain(value.dtype):
        if value.nbytes <= LONGEST_IN_FRAME or pool is None:
            return _array_head(_ARRAY, value.dtype, value.shape) + value.tobytes()
        memory, offset, place = pool.take(value.nbytes, readers)
        np.copyto(np.ndarray(value.shape, value.dtype, memory, offset), value)
        return _array_head(_ARRAY_IN_BLOCK, value.dtype, value.shape) + place
    try:
        if type(value) in _SIMPLE:
            return _encode_parts([pickle.dumps(value, 5)], pool, readers)
        stream, buffers = dump(value)
    except FAILURES as error:
        raise unpicklable(f"message {_shortened(value)}", error) from error
    return _encode_parts([stream, *buffers], pool, readers)


def decode(frame: bytes, views: BufferViews | None = None, start: int = 0) -> Any:
    """Return the value that was encoded.

    Parameters
    ----------
    frame : bytes
        With the encoded value at its end.
    views : BufferViews, optional
        Of the sender's pool, if it had one.
    start : int
        Where the encoded value begins.
    """
    kind, length = _HEAD.unpack_from(frame, start)
    head = start + _HEAD.size
    body = head + length
    if kind == _PICKLED:
        return load(memoryview(frame)[body:], ())
    if kind == _ARRAY:
        dtype, shape = _array_description(frame[head:body])
        return np.ndarray(shape, dtype, frame[body:])
    if kind == _PARTS:
        sizes = _sizes(frame[head:body])
        return _decode_parts(frame, body, sizes, 1)
    if views is None:
        raise ValueError("views must be given for a value that lies in a buffer, received None")
    if kind == _ARRAY_IN_BLOCK:
        dtype, shape = _array_description(frame[head:body])
        return views.view(frame[body:], shape, dtype)
    sizes = _sizes(frame[head:body])
    block = views.view(frame[body:], (_aligned_size(sizes),), _BYTE)
    return _decode_parts(block.data, 0, sizes, _ALIGNMENT)


def lies_in_block(encoded: bytes) -> bool:
    """Tell whether an encoded value lies in a buffer, of which the bytes tell the place only."""
    return encoded[0] in (_ARRAY_IN_BLOCK, _PARTS_IN_BLOCK)


def withdraw(encoded: bytes, pool: BufferPool, readers: Sequence[int]) -> None:
    """Give back the buffer of an encoded value that some readers will never receive; without one, do nothing."""
    if lies_in_block(encoded):
        pool.withdraw(encoded[-PLACE.size :], readers)


def _encode_parts(parts: Sequence[bytes | memoryview], pool: BufferPool | None, readers: Sequence[int]) -> bytes:
    if len(parts) == 1 and (len(parts[0]) <= LONGEST_IN_FRAME or pool is None):
        return _HEAD.pack(_PICKLED, 0) + parts[0]
    sizes = [len(part) for part in parts]
    description = struct.pack(f"<{len(sizes)}Q", *sizes)
    if pool is None or sum(sizes) <= LONGEST_IN_FRAME:
        return b"".join([_HEAD.pack(_PARTS, len(description)), description, *parts])
    memory, offset, place = pool.take(_aligned_size(sizes), readers)
    for part, size in zip(parts, sizes, strict=True):
        memory[offset : offset + size] = part
        offset += _aligned(size)
    return _HEAD.pack(_PARTS_IN_BLOCK, len(description)) + description + place


def _decode_parts(data: bytes | memoryview, offset: int, sizes: Sequence[int], alignment: int) -> Any:
    parts = []
    for size in sizes:
        # a slice of bytes is a copy, aligned whatever came before it
        parts.append(data[offset : offset + size])
        offset += -(-size // alignment) * alignment
    return load(parts[0], parts[1:])


def _sizes(description: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(description) // 8}Q", description)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _aligned_size(sizes: Sequence[int]) -> int:
    return sum(map(_aligned, sizes))


# the arrays of a program are of few types and shapes
@lru_cache(maxsize=256)
def _array_head(kind: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    name = pickle.dumps(dtype, 5) if dtype.kind == "V" else dtype.str.encode()
    description = struct.pack(f"<B{len(shape)}Q", len(shape), *shape) + name
    return _HEAD.pack(kind, len(description)) + description


@lru_cache(maxsize=256)
def _array_description(description: bytes) -> tuple[np.dtype[Any], tuple[int, ...]]:
    count = description[0]
    name = description[1 + 8 * count :]
    shape = struct.unpack_from(f"<{count}Q", description, 1)
    dtype: np.dtype[Any] = load(name, ()) if name[:1] == b"\x80" else np.dtype(name.decode())
    return dtype, shape


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
