from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codedtheory.executor.values import bits_of, frozen, is_shareable, read_only
from tests.executor.conformance_programs import arrays_in, described, sent_values


@pytest.mark.parametrize("value", sent_values(), ids=repr)
def test_copies(value: Any) -> None:
    copy = frozen(value)
    assert described(copy) == described(value)
    for array in arrays_in(copy):
        assert not array.flags.writeable
        assert not any(np.shares_memory(array, other) for other in arrays_in(value))


def test_later_changes_are_not_seen() -> None:
    array, mutable = np.zeros(2), [1]
    value = {"a": array, "b": mutable, "c": (array, mutable)}
    copy = frozen(value)
    array[:] = 1
    mutable.append(2)
    assert copy["a"].tolist() == copy["c"][0].tolist() == [0, 0]
    assert copy["b"] == copy["c"][1] == [1]


def test_plain_arrays_arrive_in_c_order() -> None:
    assert frozen(np.zeros((2, 3), order="F")).flags.c_contiguous
    assert frozen(np.arange(10)[::2]).flags.c_contiguous


def test_arrays_in_tuples_keep_their_order() -> None:
    array = np.arange(6.0).reshape(2, 3).T
    copy, other = frozen((array, array.T))
    assert copy.flags.fnc
    assert other.flags.c_contiguous
    assert copy.tolist() == array.tolist()
    for one in (copy, other):
        assert not one.flags.writeable
        assert not np.shares_memory(one, array)


def test_what_is_cheap_is_not_copied() -> None:
    for value in (None, 3, "text", b"bytes", np.float64(2.0)):
        assert frozen(value) is value


def test_one_record_is_copied() -> None:
    record = np.zeros(1, "i4, f8")[0]
    copy = frozen(record)
    record["f0"] = 3
    assert copy["f0"] == 0


@pytest.mark.parametrize("value", [lambda: 0, (i for i in ()), [lambda: 0], {"a": (lambda: 0,)}])
def test_what_cannot_be_sent(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        frozen(value)


def test_sizes_of_what_cannot_be_sent() -> None:
    with pytest.raises(TypeError, match=r"message <function .* cannot be pickled.*module level"):
        bits_of(lambda: 0)


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (None, 0),
        (True, 1),
        (3, 64),
        (2**100, 101),
        (1.5, 64),
        (np.float32(1), 32),
        ("Grüße", 56),
        (b"abc", 24),
        (np.zeros((2, 3), np.int16), 96),
        (np.zeros(0), 0),
        (np.arange(10)[::2], 320),
        (np.zeros(2, "i4, f8"), 192),
        ([1, 2.0, None], 128),
        ({"ab": np.zeros(1)}, 80),
        ((), 0),
    ],
)
def test_sizes(value: Any, bits: int) -> None:
    assert bits_of(value) == bits


def test_sizes_of_other_values() -> None:
    assert bits_of({1, 2}) > 0
    assert bits_of(np.array([1, None], dtype=object)) > 0


@pytest.mark.parametrize(
    ("value", "whether"),
    [
        (None, True),
        (np.zeros(2), True),
        (np.zeros(2, "i4, f8"), True),
        ((1, "a", np.zeros(1)), True),
        ([1], False),
        ({}, False),
        ((1, []), False),
        (np.array([[]], dtype=object), False),
        (np.zeros(1, "i4, f8")[0], False),
    ],
)
def test_what_receivers_may_share(value: Any, whether: bool) -> None:
    assert is_shareable(frozen(value)) is whether


def test_read_only_views() -> None:
    array = np.zeros(3)
    view = read_only(array)
    assert np.shares_memory(view, array)
    assert not view.flags.writeable
    assert array.flags.writeable
    assert read_only(view) is view
    for gaps in (np.arange(12.0).reshape(3, 4)[:, ::2], np.arange(3.0)[::-1]):
        (packed,) = read_only([gaps])
        assert packed.flags.c_contiguous
        assert not packed.flags.writeable
        assert packed.tolist() == gaps.tolist()
        assert gaps.flags.writeable
    for untouched in (5, "a", [1, 2], {"a": (1,)}, (), np.array([None]), None):
        assert read_only(untouched) is untouched
