"""The residue-class decoder against solvability of the linear system, over every straggler set of small codes."""

from fractions import Fraction
from itertools import combinations
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import rank
from codedtheory.coding.coefficients import decoded_coefficients
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic
from codedtheory.coding.residue_class import ResidueClassDecoder, free_residue_class, residue_class_tolerance


def spans_ones(code, survivors):
    received = code.matrix[list(survivors)]
    with_ones = np.vstack([received, np.full((1, code.matrix.shape[1]), received[0, 0] * 0 + 1)])
    return rank(received) == rank(with_ones)


@pytest.mark.parametrize(("n", "c"), [(n, c) for n in range(1, 8) for c in range(1, n + 1)])
def test_decodes_exactly_whatever_can_be_decoded(n, c):
    code, decoder, g = plain_cyclic(n, c - 1), ResidueClassDecoder(), gcd(n, c)
    for size in range(1, n + 1):
        for survivors in combinations(range(n), size):
            if free_residue_class(n, c, survivors) is None:
                assert not spans_ones(code, survivors)
                with pytest.raises(ValueError, match="residue classes"):
                    decoder.weights(code, survivors)
                continue
            weights = decoder.weights(code, survivors)
            assert set(weights.tolist()) <= {0, Fraction(g, c)}
            assert all(alpha == 1 for alpha in decoded_coefficients(code, survivors, decoder))


@given(st.data())
def test_guaranteed_tolerance_is_sharp(data):
    n = data.draw(st.integers(1, 30))
    c = data.draw(st.integers(1, n))
    tolerance = residue_class_tolerance(n, c)
    lost = data.draw(st.sets(st.integers(0, n - 1), max_size=tolerance))
    assert free_residue_class(n, c, [i for i in range(n) if i not in lost]) is not None
    one_of_each_class = range(tolerance + 1)
    assert free_residue_class(n, c, [i for i in range(n) if i not in one_of_each_class]) is None


def test_any_s_stragglers_when_the_windows_tile():
    for n, s in ((4, 1), (6, 1), (6, 2), (12, 1), (12, 2), (12, 3)):
        assert residue_class_tolerance(n, s + 1) == s


def test_order_of_survivors_is_kept():
    weights = ResidueClassDecoder().weights(plain_cyclic(4, 1), [3, 0, 1])
    assert [str(w) for w in weights] == ["1", "0", "1"]


def test_other_placements_are_refused():
    with pytest.raises(ValueError, match="plain cyclic"):
        ResidueClassDecoder().weights(fractional_repetition(4, 1), [0, 1, 2, 3])
    with pytest.raises(ValueError, match="plain sums"):
        ResidueClassDecoder().weights(GradientCode([[1, 2], [1, 1]]), [0, 1])
    with pytest.raises(ValueError, match="c must be at most 4"):
        residue_class_tolerance(4, 5)
