"""Relaxed, inverse-multiplicity and one-step weights against counting."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.arithmetic import Rational
from codedtheory.coding.approximate_codes import bibd_code
from codedtheory.coding.coefficients import decoded_coefficients, squared_error
from codedtheory.coding.gradient_code import GradientCode
from codedtheory.coding.one_step import OneStepDecoder, design_weight, expected_one_step_error
from codedtheory.coding.relaxed_decoding import InverseMultiplicityDecoder, RelaxedDecoder
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic


def copies_received(n, s, survivors):
    return [sum((j - i) % n <= s for i in survivors) for j in range(n)]


@given(st.data())
def test_relaxed_coefficients_count_the_received_copies(data):
    n = data.draw(st.integers(1, 12))
    s = data.draw(st.integers(0, n - 1))
    survivors = data.draw(st.permutations(range(n)))[: n - s]
    mu = Fraction(n, (n - s) * (s + 1))
    alpha = decoded_coefficients(plain_cyclic(n, s), survivors, RelaxedDecoder())
    assert list(alpha) == [mu * m for m in copies_received(n, s, survivors)]
    assert sum(alpha) == n
    assert all(a < 2 for a in alpha)


@given(st.data())
def test_inverse_multiplicity_weights(data):
    n = data.draw(st.integers(1, 12))
    s = data.draw(st.integers(0, n - 1))
    survivors = data.draw(st.permutations(range(n)))[: n - s]
    copies = copies_received(n, s, survivors)
    weights = InverseMultiplicityDecoder().weights(plain_cyclic(n, s), survivors)
    expected = [sum(Fraction(1, copies[(i + k) % n]) for k in range(s + 1)) / (s + 1) for i in survivors]
    assert list(weights) == expected
    assert sum(weights) * (s + 1) == n


def test_losing_one_of_three():
    code = plain_cyclic(3, 1)
    found = [
        [str(a) for a in decoded_coefficients(code, [i for i in range(3) if i != lost], RelaxedDecoder())]
        for lost in range(3)
    ]
    assert found == [["3/4", "3/4", "3/2"], ["3/2", "3/4", "3/4"], ["3/4", "3/2", "3/4"]]


def test_more_answers_than_asked_for_lower_the_weight():
    assert list(RelaxedDecoder().weights(plain_cyclic(4, 1), range(4))) == [Fraction(1, 2)] * 4


@pytest.mark.parametrize(
    "code", [plain_cyclic(6, 1), fractional_repetition(6, 2), bibd_code(7, [0, 1, 3]), plain_cyclic(7, 3)]
)
def test_expected_error_is_the_same_for_all_balanced_placements(code):
    n, c = code.n, int(np.count_nonzero(code.matrix[:, 0]))
    for s in range(n):
        sets = list(combinations(range(n), n - s))
        errors = [squared_error(decoded_coefficients(code, r, OneStepDecoder())).fraction for r in sets]
        assert sum(errors, Fraction(0)) / len(sets) == expected_one_step_error(n, c, s)


def test_expected_error_in_the_notation_of_tasks_and_received_workers():
    for k in range(2, 9):
        for copies in range(1, k + 1):
            for r in range(1, k + 1):
                expected = Fraction(k * (k - copies) * (k - r), r * copies * (k - 1))
                assert expected_one_step_error(k, copies, k - r) == expected


def test_fixed_weights_and_rows_that_sum_to_one():
    adjacency = GradientCode([["1/2", 0, "1/2"], ["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    assert list(OneStepDecoder().weights(adjacency, [0, 2])) == [Fraction(3, 2)] * 2
    assert list(OneStepDecoder(Rational(2, 7)).weights(adjacency, [1])) == [Fraction(2, 7)]


def test_design_weight_is_the_best_common_weight():
    code = bibd_code(7, [0, 1, 3])
    for r in range(1, 8):
        best = design_weight(3, 1, r)
        for survivors in combinations(range(7), r):
            error = squared_error(decoded_coefficients(code, survivors, OneStepDecoder(best)))
            for other in (best + Rational(1, 100), best - Rational(1, 100)):
                assert error < squared_error(decoded_coefficients(code, survivors, OneStepDecoder(other)))


def test_codes_of_floats_get_float_weights():
    code = plain_cyclic(5, 1).approximate()
    assert RelaxedDecoder().weights(code, range(4)).tolist() == [0.625] * 4
    assert OneStepDecoder().weights(code, range(4)).tolist() == [0.625] * 4
    assert InverseMultiplicityDecoder().weights(code, [0, 1]).tolist() == [0.75, 0.75]


def test_bad_input():
    uneven = GradientCode([[1, 1], [1, 0]])
    with pytest.raises(ValueError, match="equally often"):
        RelaxedDecoder().weights(uneven, [0])
    with pytest.raises(ValueError, match="plain sums"):
        RelaxedDecoder().weights(GradientCode([[2, 1], [1, 1]]), [0])
    with pytest.raises(ValueError, match="distinct"):
        RelaxedDecoder().weights(plain_cyclic(3, 1), [0, 0])
    with pytest.raises(ValueError, match="do not sum to 0"):
        OneStepDecoder().weights(GradientCode([[1, -1], [1, -1]]), [0])
    with pytest.raises(ValueError, match="copies must be at most 3"):
        expected_one_step_error(3, 4, 1)
