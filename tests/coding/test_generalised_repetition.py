"""Binary repetition codes for every number of workers, and the first message of each group."""

from fractions import Fraction
from itertools import combinations

import pytest

from codedtheory.coding.coefficients import decoded_coefficients, squared_error
from codedtheory.coding.first_of_group import (
    FirstOfGroupDecoder,
    expected_repetition_error,
    probability_of_presence,
)
from codedtheory.coding.generalised_repetition import CompleteClassDecoder, generalised_repetition
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.placement import supports
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic


@pytest.mark.parametrize(("n", "s"), [(n, s) for n in range(1, 9) for s in range(n)])
def test_any_s_stragglers_are_tolerated_with_weights_0_and_1(n, s):
    code = generalised_repetition(n, s)
    decoder = CompleteClassDecoder(classes=s + 1)
    for lost in combinations(range(n), s):
        survivors = [i for i in range(n) if i not in lost]
        assert set(decoder.weights(code, survivors).tolist()) <= {0, 1}
        assert all(alpha == 1 for alpha in decoded_coefficients(code, survivors, decoder))


@pytest.mark.parametrize(("n", "s"), [(n, s) for n in range(1, 13) for s in range(n)])
def test_loads_are_as_even_as_the_classes_allow(n, s):
    loads = [len(held) for held in supports(generalised_repetition(n, s))]
    assert sum(loads) == n * (s + 1)
    for first in range(s + 1):
        in_class = loads[first :: s + 1]
        assert sum(in_class) == n
        assert max(in_class) - min(in_class) <= 1
    if n % (s + 1) == 0:
        assert set(loads) == {s + 1}


def test_one_straggler_in_each_class_is_too_much():
    code = generalised_repetition(7, 2)
    with pytest.raises(ValueError, match="no complete class"):
        CompleteClassDecoder(classes=3).weights(code, [3, 4, 5, 6])
    with pytest.raises(ValueError, match="hold each partition once"):
        CompleteClassDecoder(classes=3).weights(plain_cyclic(7, 2), range(7))
    with pytest.raises(ValueError, match="below the number of workers"):
        generalised_repetition(4, 4)


@pytest.mark.parametrize(("n", "s"), [(2, 1), (4, 1), (6, 1), (6, 2), (8, 3), (5, 4)])
def test_first_of_group_is_exact_up_to_s_stragglers(n, s):
    code, decoder = fractional_repetition(n, s), FirstOfGroupDecoder()
    for lost in combinations(range(n), s):
        survivors = [i for i in range(n) if i not in lost]
        assert all(alpha == 1 for alpha in decoded_coefficients(code, survivors, decoder))


def test_the_first_to_arrive_is_taken():
    weights = FirstOfGroupDecoder().weights(fractional_repetition(6, 2), [5, 1, 3, 0])
    assert [str(w) for w in weights] == ["1", "1", "0", "0"]


@pytest.mark.parametrize(("k", "c"), [(4, 2), (6, 2), (6, 3)])
def test_sum_of_present_groups_is_optimal_and_biased_low(k, c):
    code = fractional_repetition(k, c - 1)
    for r in range(1, k + 1):
        sets = list(combinations(range(k), r))
        total, error = Fraction(0), Fraction(0)
        for survivors in sets:
            alpha = decoded_coefficients(code, survivors, FirstOfGroupDecoder())
            assert list(alpha) == list(decoded_coefficients(code, survivors, LeastSquaresDecoder()))
            total += alpha[0].fraction
            error += squared_error(alpha).fraction
        presence = probability_of_presence(k, c, received=r)
        assert total / len(sets) == presence
        assert error / len(sets) == expected_repetition_error(k, c, r)
        assert bool(presence < 1) is (r <= k - c)


def test_independent_losses():
    k, c, p = 3, 2, Fraction(1, 5)
    expected = sum(p ** (c - got) * (1 - p) ** got * len(list(combinations(range(c), got))) for got in range(1, c + 1))
    assert probability_of_presence(k, c, loss=p) == expected


def test_bad_input():
    with pytest.raises(ValueError, match="fractional repetition"):
        FirstOfGroupDecoder().weights(plain_cyclic(4, 1), [0])
    with pytest.raises(ValueError, match="exactly one"):
        probability_of_presence(4, 2)
    with pytest.raises(ValueError, match="exactly one"):
        probability_of_presence(4, 2, received=1, loss=0)
    with pytest.raises(ValueError, match="a probability"):
        probability_of_presence(4, 2, loss=2)
    with pytest.raises(ValueError, match="copies must divide"):
        expected_repetition_error(5, 2, 3)
