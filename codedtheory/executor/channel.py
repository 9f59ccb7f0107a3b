"""Framed messages and file descriptors between two processes of one machine, without ever waiting.

A channel is one end of a stream socket pair. A frame is any bytes; on the wire it follows its length and the number of
descriptors that travel with it. Descriptors are sent with the first byte of their frame, so they never arrive later
than it.

What a killed peer leaves is handled here: the frames that it sent whole are delivered, half a frame is discarded, then
`Channel.closed` is true. No call raises because the peer is gone.
"""

from __future__ import annotations

import array
import errno
import os
import socket
import struct
from collections import deque
from collections.abc import Sequence

from codedtheory.executor.shared_memory import check_descriptor

__all__ = ["Channel", "Frame", "channel_pair", "socket_pair"]

# a frame and the descriptors that came with it
Frame = tuple[bytes, tuple[int, ...]]

_PREFIX = struct.Struct("<IB")
_LONGEST = 2**32 - 1
_CHUNK = 1 << 16
_MOST_DESCRIPTORS = 64
_ANCILLARY = socket.CMSG_SPACE(4 * _MOST_DESCRIPTORS) if hasattr(socket, "CMSG_SPACE") else 0
_CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
_NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)
# a plain number: the operators of enumerations are slow
_CUT_OFF = int(socket.MSG_CTRUNC)
# one call takes at most so many chunks, so that one busy peer does not starve the others
_MOST_CHUNKS = 64
# short frames that wait are sent with one system call
_JOINED = 1 << 16
# the peer has not taken what was sent, or (the second) too many descriptors are on their way
_LATER = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EINTR, errno.ENOBUFS, getattr(errno, "ETOOMANYREFS", errno.EAGAIN))


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Return the two connected sockets of an edge; `multiprocessing` hands sockets to processes that it starts.

    Raises
    ------
    OSError
        When descriptors do not suffice, or on Windows.
    """
    if not hasattr(socket, "AF_UNIX") or not hasattr(socket.socket, "recvmsg"):
        raise OSError(
            "this system has no sockets that pass descriptors (Linux and macOS have); "
            "use VirtualExecutor or MPIExecutor instead of ProcessExecutor"
        )
    try:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise check_descriptor(error) from error


def channel_pair() -> tuple[Channel, Channel]:
    """Return both ends of a channel.

    Examples
    --------
    >>> here, there = channel_pair()
    >>> here.send(b"first")
    >>> here.send(b"")
    >>> there.receive()
    [(b'first', ()), (b'', ())]
    >>> here.close()
    >>> there.receive(), there.closed
    ([], True)
    >>> there.close()
    """
    here, there = socket_pair()
    return Channel(here), Channel(there)


class Channel:
    """One end of a channel, which owns its socket.

    Parameters
    ----------
    connection : socket.socket
        A connected stream socket; it becomes non-blocking.

    Attributes
    ----------
    closed : bool
        The peer's end is gone and every whole frame that it sent has been returned by `receive`.
    broken : bool
        Nothing can be sent any more; there may still be frames to receive.
    """

    __slots__ = ("_chunk", "_descriptors", "_outbox", "_partial", "_socket", "_view", "broken", "closed")

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection
        self._outbox: deque[tuple[memoryview | bytes, tuple[int, ...]]] = deque()
        # received into again and again: a new chunk for each call costs more than the call
        self._chunk = [bytearray(_CHUNK)]
        self._view = memoryview(self._chunk[0])
        self._partial = bytearray()
        self._descriptors: deque[int] = deque()
        self.closed = False
        self.broken = False

    def fileno(self) -> int:
        """Return the descriptor to wait for: readable when `receive` has something, -1 after `close`."""
        return self._socket.fileno()

    @property
    def pending(self) -> bool:
        """Whether frames wait to be flushed: then wait until the descriptor is writable and call `flush`."""
        return bool(self._outbox)

    def send(self, frame: bytes, descriptors: Sequence[int] = ()) -> None:
        """Send a frame, or keep what does not fit for `flush`; to a peer that is gone, do nothing.

        Parameters
        ----------
        frame : bytes
            Shorter than 4 GiB.
        descriptors : sequence of int
            At most 64, which the caller keeps and may close at once.

        Raises
        ------
        ValueError
            For too long a frame or too many descriptors.
        """
        if len(frame) > _LONGEST or len(descriptors) > _MOST_DESCRIPTORS:
            raise ValueError(
                f"a frame has at most {_LONGEST} bytes and {_MOST_DESCRIPTORS} descriptors, received {len(frame)} and "
                f"{len(descriptors)}; send large values through a pool of buffers"
            )
        if self.broken:
            return
        data: memoryview | bytes = _PREFIX.pack(len(frame), len(descriptors)) + frame
        if self._outbox or descriptors:
            self._outbox.append((data, tuple([os.dup(descriptor) for descriptor in descriptors])))
            self.flush()
            return
        try:
            sent = self._socket.send(data, _NO_SIGNAL)
        except OSError as error:
            if not self._goes_on(error):
                return
            sent = 0
        if sent < len(data):
            self._outbox.append((memoryview(data)[sent:], ()))

    def flush(self) -> bool:
        """Send what waits as far as the peer takes it; return whether nothing waits any more."""
        outbox = self._outbox
        while outbox:
            data, descriptors = outbox[0]
            joined = 1
            if not descriptors and len(data) < _JOINED and len(outbox) > 1:
                data, joined = self._joined()
            try:
                if descriptors:
                    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
                    sent = self._socket.sendmsg([data], ancillary, _NO_SIGNAL)
                else:
                    sent = self._socket.send(data, _NO_SIGNAL)
            except OSError as error:
                if self._goes_on(error):
                    return False
                break
            for _ in range(joined):
                outbox.popleft()
            _close_all(descriptors)
            if sent < len(data):
                outbox.appendleft((memoryview(data)[sent:], ()))
        return True

    def receive(self) -> list[Frame]:
        """Return the whole frames that have arrived, each with its descriptors, which now belong to the caller.

        Raises
        ------
        OSError
            When descriptors arrived and this process may not open more.
        """
        frames: list[Frame] = []
        for _ in range(_MOST_CHUNKS):
            try:
                size, ancillary, flags, _ = self._socket.recvmsg_into(self._chunk, _ANCILLARY, _CLOSE_ON_EXEC)
            except OSError as error:
                if error.errno not in _LATER:
                    self._break()
                    self._end()
                break
            if ancillary or flags & _CUT_OFF:
                self._take_descriptors(ancillary, flags)
            if not size:
                self._break()
                self._end()
                break
            if size < _CHUNK and not ancillary and not frames and not self._partial and not self._descriptors:
                length, count = _PREFIX.unpack_from(self._view) if size >= _PREFIX.size else (size, 0)
                if size == _PREFIX.size + length and not count:
                    # what arrives most often: one frame as a whole
                    return [(bytes(self._view[_PREFIX.size : size]), ())]
            self._split(size, frames)
            # a call ends where descriptors came, whatever follows
            if size < _CHUNK and not ancillary:
                break
        return frames

    def close(self) -> None:
        """Close this end: the peer receives what was flushed, then sees it closed."""
        self._break()
        self._end()
        self._socket.close()

    def _split(self, size: int, frames: list[Frame]) -> None:
        data, end = self._view, size
        partial = self._partial
        if partial:
            partial += data[:size]
            end = len(partial)
            if end < _PREFIX.size or end < _PREFIX.size + _PREFIX.unpack_from(partial)[0]:
                return
            data = memoryview(bytes(partial))
            partial.clear()
        start = 0
        while end - start >= _PREFIX.size:
            length, count = _PREFIX.unpack_from(data, start)
            stop = start + _PREFIX.size + length
            if stop > end:
                break
            frame = bytes(data[start + _PREFIX.size : stop])
            frames.append((frame, tuple([self._descriptors.popleft() for _ in range(count)]) if count else ()))
            start = stop
        if start < end:
            partial += data[start:end]

    def _take_descriptors(self, ancillary: list[tuple[int, int, bytes]], flags: int) -> None:
        received = array.array("i")
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                received.frombytes(data[: len(data) - len(data) % received.itemsize])
        self._descriptors.extend(received)
        if flags & _CUT_OFF:
            # the system has already dropped the rest, and frames could no longer be told their own
            self._break()
            self._end()
            raise check_descriptor(OSError(errno.EMFILE, os.strerror(errno.EMFILE)))

    def _joined(self) -> tuple[bytes, int]:
        parts: list[memoryview | bytes] = []
        size = 0
        for data, descriptors in self._outbox:
            if descriptors or size > _JOINED:
                break
            parts.append(data)
            size += len(data)
        return b"".join(parts), len(parts)

    def _goes_on(self, error: OSError) -> bool:
        if error.errno in _LATER:
            return True
        self._break()
        return False

    def _break(self) -> None:
        self.broken = True
        for _, descriptors in self._outbox:
            _close_all(descriptors)
        self._outbox.clear()

    def _end(self) -> None:
        self.closed = True
        self._partial.clear()
        _close_all(self._descriptors)
        self._descriptors.clear()


def _close_all(descriptors: Sequence[int] | deque[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
