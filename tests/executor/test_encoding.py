from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from codedtheory.executor.buffers import BufferPool, BufferViews
from codedtheory.executor.encoding import LONGEST_IN_FRAME, decode, encode, withdraw

DTYPES = st.one_of(
    hnp.scalar_dtypes(),
    hnp.byte_string_dtypes(min_len=1, max_len=5),
    hnp.unicode_string_dtypes(min_len=1, max_len=5),
    hnp.array_dtypes(hnp.scalar_dtypes()),
)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


def strided(array, choice):
    if array.ndim == 0:
        return array
    return [array, array.T, array[::-1], array[..., ::2], np.asfortranarray(array), array[:0]][choice]


ARRAYS = st.builds(strided, hnp.arrays(DTYPES, SHAPES), st.integers(0, 5))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
NESTED = st.recursive(
    SCALARS | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


class Link:
    """A sender and one reader of it."""

    def __init__(self, readers=1):
        self.pool, self.views = BufferPool(readers), BufferViews()

    def receive(self, encoded, start=0):
        for frame, descriptors in self.pool.notices(0):
            self.views.notice(frame, [os.dup(descriptor) for descriptor in descriptors])
        return decode(encoded, self.views, start)

    def carry(self, value):
        return self.receive(encode(value, self.pool, [0]))


def assert_same(received: Any, sent: Any) -> None:
    assert type(received) is type(sent)
    if isinstance(sent, np.ndarray):
        assert received.dtype == sent.dtype
        assert received.shape == sent.shape
        assert received.tobytes() == sent.tobytes()
        assert not received.flags.writeable
    elif isinstance(sent, list | tuple):
        assert len(received) == len(sent)
        for one, other in zip(received, sent, strict=True):
            assert_same(one, other)
    elif isinstance(sent, dict):
        assert list(received) == list(sent)
        for key in sent:
            assert_same(received[key], sent[key])
    else:
        assert received == sent or (received != received and sent != sent)


@pytest.fixture(params=[True, False], ids=["long", "short"])
def everything_is_long(request, monkeypatch):
    if request.param:
        monkeypatch.setattr("codedtheory.executor.encoding.LONGEST_IN_FRAME", 0)


@given(ARRAYS)
def test_arrays_arrive_as_they_were(array):
    received = decode(encode(array))
    assert_same(received, array)
    assert received.flags.c_contiguous
    assert received.flags.aligned


@given(NESTED)
def test_values_arrive_as_they_were(value):
    assert_same(decode(encode(value)), value)


@given(NESTED)
def test_values_arrive_through_buffers_as_they_were(value):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("codedtheory.executor.encoding.LONGEST_IN_FRAME", -1 if not_empty(value) else 0)
        link = Link()
        assert_same(link.carry(value), value)


def not_empty(value):
    return not isinstance(value, np.ndarray) or value.nbytes > 0


@given(st.sampled_from([0, 1, 7, 2047, 2048, 2049, 100_000]), st.integers(1, 3), st.booleans())
def test_short_arrays_lie_in_the_frame_and_long_ones_in_a_buffer(count, copies, alone):
    link = Link()
    array = np.arange(float(count))
    value = array if alone else {"a": [array] * copies, "b": array[::-1]}
    encoded = encode(value, link.pool, [0])
    nbytes = array.nbytes if alone else 2 * array.nbytes  # the same array is sent once
    if nbytes > LONGEST_IN_FRAME:
        assert len(encoded) < 1000
        assert link.pool.in_use == 1
    elif nbytes < LONGEST_IN_FRAME - 1000:
        assert link.pool.in_use == 0
    assert_same(link.receive(encoded), value)


def test_frames_carry_something_in_front_of_the_value():
    link = Link()
    for value in (None, 3, np.arange(5.0), np.arange(5000.0), [np.arange(5000.0), "x"], "y" * 50_000):
        assert_same(link.receive(b"front" + encode(value, link.pool, [0]), 5), value)


@pytest.mark.usefixtures("everything_is_long")
def test_a_value_is_copied_when_it_is_sent():
    link = Link()
    array = np.zeros(7)
    encoded = [encode(array, link.pool, [0]), encode([array], link.pool, [0])]
    array[:] = 1
    assert not link.receive(encoded[0]).any()
    assert not link.receive(encoded[1])[0].any()


@pytest.mark.usefixtures("everything_is_long")
def test_arrays_cannot_be_made_writable():
    link = Link()
    for array in (link.carry(np.zeros(7)), link.carry([np.zeros(7)])[0], link.carry((np.zeros((4, 4))[:, 1], 1))[0]):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_what_was_received_can_be_sent_on():
    first, second = Link(), Link()
    array = np.arange(5000.0)
    received = second.carry(first.carry(array))
    assert_same(received, array)
    assert first.pool.in_use == 0
    assert second.pool.in_use == 1


def test_any_array_of_a_value_keeps_its_buffer():
    link = Link()
    value = link.carry({"a": np.arange(5000.0), "b": np.arange(3)})
    kept = value["b"][1:]
    del value
    assert link.pool.in_use == 1
    assert kept.tolist() == [1, 2]
    del kept
    assert link.pool.in_use == 0


def test_long_values_without_arrays_hold_no_buffer_once_received():
    link = Link()
    text = link.carry("x" * 100_000)
    assert len(text) == 100_000
    assert link.pool.in_use == 0


def test_withdrawn_values_hold_no_buffer():
    link = Link(readers=2)
    for value in (np.arange(5000.0), [np.arange(5000.0)], 3, np.zeros(3)):
        withdraw(encode(value, link.pool, [0, 1]), link.pool, [0, 1])
    assert link.pool.in_use == 0


def test_the_same_array_twice_in_a_value_is_one_array():
    array = np.arange(6.0)[::2]
    one, other = decode(encode([array, array]))
    assert one is other


def test_arrays_of_objects_and_subclasses_are_pickled():
    objects = decode(encode(np.array([Fraction(1, 3), None])))
    assert objects.tolist() == [Fraction(1, 3), None]
    masked = decode(encode(np.ma.masked_array([1.0, 2.0], mask=[False, True])))
    assert masked.mask.tolist() == [False, True]
    texts = np.array(["a", "bc"], np.dtypes.StringDType())
    assert decode(encode(texts)).tolist() == ["a", "bc"]
    assert decode(encode(np.zeros(2, "S0"))).tolist() == [b"", b""]


def test_records_with_names_padding_and_other_byte_order():
    dtype = np.dtype({"names": ["x", "step"], "formats": [">f8", "<i2"], "offsets": [8, 2], "itemsize": 24})
    array = np.zeros(3, dtype)
    array["x"], array["step"] = [1.5, 2.5, 3.5], [1, 2, 3]
    received = decode(encode(array))
    assert received.dtype == dtype
    assert received["x"].tolist() == [1.5, 2.5, 3.5]
    assert received["step"].tolist() == [1, 2, 3]


def test_numbers_keep_their_type():
    for number in (np.float64(0.1), np.float32(0.1), np.int64(3), np.bool(True), 3, 0.1, 10**30, Fraction(1, 3)):
        assert_same(decode(encode(number)), number)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (lambda x: x, r"message <function .*<lambda> at .*> cannot be pickled.*define it at module level"),
        ([1, open], None),
        ((number for number in [1]), r"message <generator .*> cannot be pickled.*pass the function"),
        ({"lock": __import__("threading").Lock()}, r"message \{'lock': .*pass plain data"),
        (["x" * 1000, lambda: 0], r"message \['x+\.\.\. cannot"),
    ],
)
def test_what_cannot_be_pickled_is_named(value, told):
    if told is None:
        assert decode(encode(value)) == value
    else:
        with pytest.raises(TypeError, match=told):
            encode(value)


def test_an_error_of_the_sender_takes_no_buffer():
    link = Link()
    with pytest.raises(TypeError):
        encode([np.zeros(5000), lambda: 0], link.pool, [0])
    assert link.pool.in_use == 0


def test_a_value_in_a_buffer_needs_the_views_of_its_sender():
    link = Link()
    with pytest.raises(ValueError, match="views must be given"):
        decode(encode(np.zeros(5000), link.pool, [0]))
