"""Decoding messages: values, residuals, order, low precision."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT
from codedtheory.coding import (
    MinNorm,
    cyclic_mds,
    cyclic_repetition,
    decode,
    plain_cyclic,
)


class EverythingOnce:
    name = "everything once"

    def weights(self, code, survivors):
        return code.arithmetic.ones(len(list(survivors)))


def test_exact_messages_are_decoded_exactly():
    code = cyclic_repetition(5, 2, np.random.default_rng(2), "rational")
    gradients = EXACT.array([[Fraction(k * k, 7), k] for k in range(5)])
    for survivors in combinations(range(5), 3):
        found = decode(code, (code.matrix @ gradients)[list(survivors)], survivors, MinNorm())
        assert bool(np.all(found.value == gradients.sum(axis=0)))
        assert found.residual == 0
        assert found.decoder == "min-norm"


def test_floating_messages_of_an_exact_code():
    code = plain_cyclic(6, 2)
    gradients = np.random.default_rng(0).standard_normal((6, 4, 3))
    messages = np.tensordot(code.approximate().matrix, gradients, axes=1)
    found = code.decode(messages[[4, 1]], [4, 1], MinNorm())
    assert found.value.shape == (4, 3)
    assert np.allclose(found.value, gradients.sum(axis=0))
    assert found.residual == 0
    assert found.weights.dtype == object


def test_the_order_of_arrival_changes_no_bit():
    code = cyclic_repetition(8, 2, np.random.default_rng(0))
    gradients = np.random.default_rng(1).standard_normal((8, 50))
    messages = code.matrix @ gradients
    first = decode(code, messages[[0, 1, 2, 4, 6, 7]], [0, 1, 2, 4, 6, 7], EverythingOnce())
    second = decode(code, messages[[6, 2, 7, 0, 4, 1]], [6, 2, 7, 0, 4, 1], EverythingOnce())
    assert first.value.tobytes() == second.value.tobytes()


def test_residuals_of_approximate_decoders_are_reported():
    found = decode(plain_cyclic(3, 1), np.zeros(2), [1, 2], EverythingOnce())
    assert [str(x) for x in found.coefficients] == ["1", "1", "2"]
    assert found.residual == 1
    floating = decode(plain_cyclic(3, 1).approximate(), np.zeros(2), [1, 2], EverythingOnce())
    assert floating.residual == 1.0
    assert isinstance(floating.residual, float)


def test_complex_codes():
    code = cyclic_mds(5, 1)
    gradients = np.arange(5.0)
    messages = code.approximate().matrix @ gradients
    found = decode(code, messages[:4], range(4), MinNorm())
    assert found.residual == 0
    assert not isinstance(found.residual, float)
    assert found.value == pytest.approx(10)
    rough = decode(code, messages[:4], range(4), EverythingOnce())
    assert isinstance(rough.residual, float)
    assert rough.residual > 0


@pytest.mark.parametrize(("messages", "count"), [(np.zeros(3), 3), (1.0, 0), ([], 0)])
def test_one_message_for_each_survivor(messages, count):
    with pytest.raises(ValueError, match=f"one for each of the 2 survivors, got {count}"):
        decode(plain_cyclic(4, 1), messages, [0, 2], MinNorm())
