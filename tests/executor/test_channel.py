from __future__ import annotations

import os
import resource
import signal
import socket
import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor.channel import Channel, channel_pair, socket_pair


@pytest.fixture
def ends():
    pair = channel_pair()
    yield pair
    for end in pair:
        end.close()


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def moved(here, there):
    frames = []
    while True:
        done = here.flush()
        arrived = there.receive()
        frames += arrived
        if done and not arrived:
            return frames


def wire(frame):
    return struct.pack("<IB", len(frame), 0) + frame


def same_file(one, other):
    return os.path.sameopenfile(one, other)


def test_frames_arrive_whole_and_in_order(ends):
    here, there = ends
    sent = [bytes([number % 256]) * (number * 37 % 5000) for number in range(200)]
    for frame in sent:
        here.send(frame)
    assert [frame for frame, _ in moved(here, there)] == sent


def test_both_directions_are_independent(ends):
    here, there = ends
    here.send(b"ping")
    there.send(b"pong")
    assert (here.receive(), there.receive()) == ([(b"pong", ())], [(b"ping", ())])


def test_many_frames_take_one_call(ends):
    here, there = ends
    for _ in range(50):
        here.send(b"x" * 100)
    assert len(there.receive()) == 50


def test_sending_never_waits_and_keeps_what_does_not_fit(ends):
    here, there = ends
    large = os.urandom(5_000_000)
    here.send(large)
    here.send(b"after")
    assert here.pending
    assert not here.flush()
    assert moved(here, there) == [(large, ()), (b"after", ())]
    assert not here.pending


def test_frames_that_wait_are_sent_together(ends):
    here, there = ends
    here.send(bytes(1 << 20))
    for number in range(1000):
        here.send(b"%d" % number)
    frames = moved(here, there)
    assert [frame for frame, _ in frames[1:]] == [b"%d" % number for number in range(1000)]


def test_frames_may_arrive_byte_by_byte():
    raw, other = socket_pair()
    channel = Channel(other)
    received = []
    for byte in wire(b"hello") + wire(b"") + wire(b"!"):
        raw.send(bytes([byte]))
        received += channel.receive()
    assert received == [(b"hello", ()), (b"", ()), (b"!", ())]
    raw.close()
    channel.close()


def test_descriptors_come_with_their_frame(ends, tmp_path):
    here, there = ends
    files = [os.open(tmp_path / str(number), os.O_RDWR | os.O_CREAT) for number in range(3)]
    here.send(b"plain")
    here.send(b"one", files[:1])
    here.send(b"none")
    here.send(b"two", files[1:])
    frames = moved(here, there)
    assert [frame for frame, _ in frames] == [b"plain", b"one", b"none", b"two"]
    received = [descriptor for _, some in frames for descriptor in some]
    assert [len(some) for _, some in frames] == [0, 1, 0, 2]
    assert all(map(same_file, files, received))
    assert not any(map(os.get_inheritable, received))
    for descriptor in files + received:
        os.close(descriptor)


def test_the_caller_may_close_descriptors_that_have_not_left_yet(ends):
    here, there = ends
    here.send(bytes(2_000_000))
    before = descriptors()
    reading, writing = os.pipe()
    here.send(b"pipe", [writing])
    os.close(writing)
    _, (_, [received]) = moved(here, there)
    os.write(received, b"still open")
    os.close(received)
    assert os.read(reading, 100) == b"still open"
    assert os.read(reading, 100) == b""  # no copy of the writing end is left
    os.close(reading)
    assert descriptors() == before


@given(
    st.lists(st.tuples(st.integers(0, 150_000), st.integers(0, 3), st.booleans()), max_size=12),
)
def test_any_mixture_of_sizes_and_descriptors(plan):
    before = descriptors()
    here, there = channel_pair()
    null = os.open(os.devnull, os.O_RDONLY)
    received = []
    for number, (size, count, read) in enumerate(plan):
        here.send(bytes([number]) * size, [null] * count)
        if read:
            received += there.receive()
    received += moved(here, there)
    assert [(frame, len(some)) for frame, some in received] == [
        (bytes([number]) * size, count) for number, (size, count, _) in enumerate(plan)
    ]
    for descriptor in [null, *(descriptor for _, some in received for descriptor in some)]:
        os.close(descriptor)
    here.close()
    there.close()
    assert descriptors() == before


def test_whole_frames_of_a_closed_peer_are_delivered_before_it_counts_as_closed(ends):
    here, there = ends
    here.send(b"last")
    there.send(b"never read")
    here.close()
    assert not there.closed
    assert there.receive() == [(b"last", ())]
    assert there.receive() == []
    assert there.closed


def test_what_arrived_is_received_although_nothing_can_be_sent(ends):
    here, there = ends
    here.send(b"last")
    here.close()
    there.send(b"lost")
    there.send(b"lost too")
    assert there.broken
    assert not there.closed
    assert there.flush()
    assert there.receive() == [(b"last", ())]
    there.receive()
    assert there.closed


def test_half_a_frame_is_discarded_with_its_descriptors():
    before = descriptors()
    raw, other = socket_pair()
    channel = Channel(other)
    null = os.open(os.devnull, os.O_RDONLY)
    socket.send_fds(raw, [wire(b"whole") + struct.pack("<IB", 100, 1) + b"half"], [null])
    os.close(null)
    raw.close()
    assert channel.receive() == [(b"whole", ())]
    assert channel.receive() == []
    assert channel.closed
    channel.close()
    assert descriptors() == before


def test_a_default_action_of_the_broken_pipe_signal_does_not_end_the_process(ends):
    here, there = ends
    old = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        there.close()
        here.send(b"nobody reads this")
        assert here.broken
    finally:
        signal.signal(signal.SIGPIPE, old)


def test_descriptors_that_cannot_be_opened_are_an_error_with_a_remedy(ends):
    here, there = ends
    null = os.open(os.devnull, os.O_RDONLY)
    here.send(b"files", [null] * 5)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        with pytest.raises(OSError, match="ulimit -n"):
            there.receive()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        os.close(null)
    assert there.closed


def test_too_many_descriptors_are_refused(ends):
    with pytest.raises(ValueError, match=r"at most .* 64 descriptors, received 4 and 65"):
        ends[0].send(b"many", [0] * 65)


def test_closing_twice_and_sending_afterwards_do_nothing(ends):
    here, _ = ends
    here.close()
    here.close()
    here.send(b"late")
    assert here.flush()
    assert here.fileno() == -1


CHILD = """
import os, socket, sys, time
from codedtheory.executor.channel import Channel
channel = Channel(socket.socket(fileno=int(sys.argv[1])))
for number in range(3):
    channel.send(b"frame %d" % number)
channel.send(bytes(10_000_000))
print("sent", flush=True)
time.sleep(60)
"""


def test_a_killed_sender_leaves_its_whole_frames():
    ours, theirs = socket_pair()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(theirs.fileno())], pass_fds=[theirs.fileno()], stdout=subprocess.PIPE
    )
    theirs.close()
    assert child.stdout is not None
    child.stdout.readline()
    child.kill()
    child.communicate()
    channel = Channel(ours)
    frames = []
    while not channel.closed:
        frames += channel.receive()
    assert frames == [(b"frame 0", ()), (b"frame 1", ()), (b"frame 2", ())]
    channel.close()
