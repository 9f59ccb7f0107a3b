from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor import buffers
from codedtheory.executor.buffers import NOTICE, BufferPool, BufferViews
from codedtheory.executor.channel import Channel, socket_pair

FLOAT = np.dtype(float)


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def put(pool, array, readers):
    memory, offset, place = pool.take(array.nbytes, readers)
    np.copyto(np.ndarray(array.shape, array.dtype, memory, offset), array)
    return place


class Reader:
    """A reader in this process: it maps the segments a second time."""

    def __init__(self, pool, index):
        self.pool, self.index, self.views = pool, index, BufferViews()

    def update(self):
        for frame, descriptors in self.pool.notices(self.index):
            assert frame[0] == NOTICE
            self.views.notice(frame, [os.dup(descriptor) for descriptor in descriptors])

    def see(self, place, count):
        self.update()
        return self.views.view(place, (count,), FLOAT)


def test_all_readers_look_at_one_copy():
    pool = BufferPool(3)
    readers = [Reader(pool, index) for index in range(3)]
    sent = np.arange(5000.0)
    place = put(pool, sent, [0, 2])
    views = [readers[index].see(place, 5000) for index in (0, 2)]
    assert all(np.array_equal(view, sent) for view in views)
    assert pool.notices(1) == ()
    assert pool.in_use == 1


def test_views_cannot_be_written():
    pool = BufferPool(1)
    view = Reader(pool, 0).see(put(pool, np.arange(5000.0), [0]), 5000)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        view.flags.writeable = True
    assert memoryview(view).readonly
    assert type(view) is np.ndarray
    assert view.flags.aligned


DERIVED = {
    "slice": lambda view: view[10:20],
    "slice of a slice": lambda view: view[10:][::2],
    "reshaped": lambda view: view.reshape(50, 100).T,
    "other type": lambda view: view.view(np.int64),
    "its base": lambda view: view.base,
    "slice of its base": lambda view: view.base[5:],
    "memoryview": memoryview,
    "array of a memoryview": lambda view: np.frombuffer(memoryview(view)[5:9]),
    "broadcast": lambda view: np.broadcast_to(view, (3, 5000)),
    "in a container": lambda view: {"model": [view[1:]]},
    "iterator": lambda view: iter(view.flat),
    "field of a subclass": lambda view: view.view(np.matrix)[0],
}


@pytest.mark.parametrize("derive", DERIVED.values(), ids=DERIVED.keys())
def test_what_is_derived_keeps_the_block(derive):
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    view = reader.see(put(pool, np.arange(5000.0), [0]), 5000)
    derived = derive(view)
    del view
    gc.collect()
    assert pool.in_use == 1
    del derived
    gc.collect()
    assert pool.in_use == 0


def test_copies_do_not_keep_the_block():
    pool = BufferPool(1)
    view = Reader(pool, 0).see(put(pool, np.arange(5000.0), [0]), 5000)
    copies = view.copy(), view + 1, view[view > 3], view.sum()
    del view
    assert pool.in_use == 0
    assert copies[0][7] == 7


def test_a_view_keeps_its_content_while_the_pool_goes_on():
    pool = BufferPool(2)
    one, other = Reader(pool, 0), Reader(pool, 1)
    kept = one.see(put(pool, np.full(5000, 1.0), [0, 1]), 5000)
    for number in range(200):
        place = put(pool, np.full(5000, float(number)), [0, 1])
        assert (one.see(place, 5000) == number).all()
        other.see(place, 5000)
    assert (kept == 1.0).all()


def test_released_blocks_are_used_again():
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    for _ in range(1000):
        reader.see(put(pool, np.zeros(5000), [0]), 5000)
    assert pool.reserved < 1 << 20
    assert pool.in_use == 0


def test_kept_messages_take_few_descriptors():
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    before = len(descriptors())
    kept = [reader.see(put(pool, np.full(5000, float(number)), [0]), 5000) for number in range(1000)]
    assert len(descriptors()) - before < 40
    assert [view[4999] for view in kept] == list(range(1000))
    assert pool.in_use == 1000


def test_a_lost_reader_gives_back_what_it_held_and_is_not_waited_for_again():
    pool = BufferPool(2)
    reader = Reader(pool, 0)
    views = [reader.see(put(pool, np.zeros(5000), [0, 1]), 5000) for _ in range(20)]
    del views
    assert pool.in_use == 20
    pool.reader_gone(1)
    assert pool.in_use == 0
    put(pool, np.zeros(5000), [1])
    assert pool.in_use == 0
    assert pool.notices(1) == ()


def test_what_will_not_be_sent_is_withdrawn():
    pool = BufferPool(2)
    reader = Reader(pool, 0)
    place = put(pool, np.zeros(5000), [0, 1])
    view = reader.see(place, 5000)
    pool.withdraw(place, [1])
    assert pool.in_use == 1
    del view
    assert pool.in_use == 0


def test_unused_segments_are_dropped_on_both_sides():
    before = descriptors()
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    view = reader.see(put(pool, np.full(300_000, 2.0), [0]), 300_000)
    pool.trim()
    assert pool.reserved > 0
    del view
    pool.trim()
    assert pool.reserved == 0
    reader.update()
    assert descriptors() == before


def test_a_segment_that_no_reader_has_heard_of_is_dropped_without_a_word():
    pool = BufferPool(1)
    place = put(pool, np.zeros(5000), [0])
    pool.withdraw(place, [0])
    pool.trim()
    assert pool.notices(0) == ()


def test_large_buffers_that_stay_unused_are_dropped_as_others_are_sent():
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    reader.see(put(pool, np.zeros(4_000_000), [0]), 4_000_000)
    for _ in range(100):
        reader.see(put(pool, np.zeros(200_000), [0]), 200_000)
    assert pool.reserved < 8_000_000


def test_what_a_reader_looks_at_outlives_the_pool():
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    view = reader.see(put(pool, np.full(5000, 3.0), [0]), 5000)
    pool.close()
    del pool, reader
    gc.collect()
    assert (view == 3.0).all()


def test_nothing_remains_of_pools():
    names, before = sorted(Path("/dev/shm").iterdir()), descriptors()
    for _ in range(20):
        pool = BufferPool(1)
        reader = Reader(pool, 0)
        reader.see(put(pool, np.zeros(5000), [0]), 5000)
        assert sorted(Path("/dev/shm").iterdir()) == names
        pool.close()
        del pool, reader
    gc.collect()
    assert descriptors() == before


def test_a_message_of_256_megabytes():
    pool = BufferPool(1)
    reader = Reader(pool, 0)
    memory, offset, place = pool.take(1 << 28, [0])
    memory[offset + (1 << 28) - 1] = 9
    view = reader.see(place, 1 << 25)
    assert view.nbytes == 1 << 28
    assert view.view(np.uint8)[-1] == 9
    assert pool.reserved < (1 << 28) + (1 << 20)
    del memory, view
    pool.trim()
    reader.update()
    assert pool.reserved == 0


def test_a_message_beyond_the_memory_is_refused():
    pool = BufferPool(1)
    with pytest.raises(OSError, match=r"a message of 1152921504606846976 bytes .* needs \d+ bytes of memory"):
        pool.take(1 << 60, [0])
    put(pool, np.zeros(5000), [0])


def test_where_memory_is_short_a_segment_has_one_block(monkeypatch):
    made = []
    create = buffers.create_segment

    def scarce(size, purpose):
        made.append(size)
        if size > 100_000:
            raise OSError("no space")
        return create(size, purpose)

    monkeypatch.setattr(buffers, "create_segment", scarce)
    pool = BufferPool(1)
    put(pool, np.zeros(5000), [0])
    assert len(made) == 2
    assert pool.reserved < 100_000


@given(st.integers(1, 1 << 30))
def test_blocks_fit_their_message_and_waste_little(size):
    block = buffers._block_size(size)
    assert block >= size
    assert block % 4096 == 0
    assert block <= max(1.25 * size + 4096, buffers._SMALLEST)


@given(
    st.lists(
        st.tuples(st.integers(2049, 20_000), st.sets(st.integers(0, 2)), st.integers(0, 5), st.booleans()), max_size=40
    )
)
def test_no_message_is_overwritten_while_a_reader_keeps_it(plan):
    pool = BufferPool(3)
    readers = [Reader(pool, index) for index in range(3)]
    kept = []
    for number, (count, targets, released, trimmed) in enumerate(plan):
        place = put(pool, np.full(count, float(number)), sorted(targets))
        kept += [(number, readers[index].see(place, count)) for index in targets]
        del kept[:released]
        if trimmed:
            pool.trim()
        assert all((view == expected).all() for expected, view in kept)
        assert pool.in_use == len({expected for expected, _ in kept})


CHILD = """
import sys, socket, time
import numpy as np
from codedtheory.executor.buffers import NOTICE, BufferViews
from codedtheory.executor.channel import Channel
channel, views, kept = Channel(socket.socket(fileno=int(sys.argv[1]))), BufferViews(), []
while len(kept) < 3:
    for frame, descriptors in channel.receive():
        if frame[0] == NOTICE:
            views.notice(frame, descriptors)
        else:
            kept.append(views.view(frame[1:], (5000,), np.dtype(float)))
print(*[int(view[17]) for view in kept], flush=True)
if sys.stdin.readline() == "release\\n":
    del kept
    print("released", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("released", [True, False])
def test_a_killed_reader_holds_nothing(released):
    ours, theirs = socket_pair()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    theirs.close()
    channel, pool = Channel(ours), BufferPool(1)
    for number in range(3):
        place = put(pool, np.full(5000, float(number)), [0])
        for frame, some in pool.notices(0):
            channel.send(frame, some)
        channel.send(b"\1" + place)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "0 1 2\n"
    assert pool.in_use == 3
    if released:
        child.stdin.write("release\n")
        child.stdin.flush()
        assert child.stdout.readline() == "released\n"
        assert pool.in_use == 0
    child.kill()
    child.communicate()
    pool.reader_gone(0)
    assert pool.in_use == 0
    channel.close()
