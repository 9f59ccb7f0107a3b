"""Envelopes: all of a message but its value, as bytes."""

from __future__ import annotations

import struct

from codedtheory.executor.message import Message

__all__ = ["open_envelope", "pack_envelope"]

# flags, bytes of the tag, messages replaced, step, number, bits; then the tag
_ENVELOPE = struct.Struct("<BHIqQQ")
_SLOT, _STEP = 1, 2


def pack_envelope(message: Message, replaced: int = 0) -> bytes:
    """Return the envelope of a message; ``replaced`` counts what it has overwritten at its sender.

    Raises
    ------
    ValueError
        If the step does not fit into 64 bits, or the tag is too long.

    Examples
    --------
    >>> envelope = pack_envelope(Message(1, "gradient", 7, 20, None, bits=64))
    >>> message, end = open_envelope(1, envelope, 0)
    >>> message, message.bits, end == len(envelope)
    (Message(source=1, tag='gradient', step=7, number=20), 64, True)
    """
    step, tag = message.step, message.tag.encode() if message.tag else b""
    flags = _SLOT if message.slot else 0
    if step is None:
        step = 0
    else:
        flags |= _STEP
    try:
        return _ENVELOPE.pack(flags, len(tag), replaced, step, message.number, message.bits) + tag
    except struct.error as error:
        raise ValueError(
            f"step must be an integer of 64 bits and tag a short text, received {message.step!r} and "
            f"{message.tag[:40]!r}: {error}"
        ) from None


def open_envelope(source: int, data: bytes, start: int) -> tuple[Message, int]:
    """Return the message, without its value, whose envelope begins at ``start``, and where the envelope ends."""
    flags, length, replaced, step, number, bits = _ENVELOPE.unpack_from(data, start)
    end = start + _ENVELOPE.size + length
    tag = data[end - length : end].decode() if length else ""
    message = Message(source, tag, step if flags & _STEP else None, number, None, bits, bool(flags & _SLOT), replaced)
    return message, end
