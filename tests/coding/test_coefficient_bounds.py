"""Exact coefficient statistics against a table and against plain enumeration with fractions."""

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from codedtheory.arithmetic import Algebraic
from codedtheory.coding.coefficient_bounds import (
    DECODERS,
    closed_form_coefficients,
    coefficient_bounds,
    worst_relaxed_error,
)
from codedtheory.coding.coefficient_statistics import coefficient_statistics
from codedtheory.coding.disjoint_sets import DisjointSetDecoder
from codedtheory.coding.first_of_group import FirstOfGroupDecoder
from codedtheory.coding.generalised_repetition import CompleteClassDecoder, generalised_repetition
from codedtheory.coding.least_squares_decoding import LeastSquaresDecoder
from codedtheory.coding.one_step import OneStepDecoder
from codedtheory.coding.relaxed_decoding import InverseMultiplicityDecoder, RelaxedDecoder
from codedtheory.coding.repetition_codes import fractional_repetition, plain_cyclic
from codedtheory.coding.residue_class import ResidueClassDecoder

# n,s | mu, D1 max, D1 Var, D1 worst | D2 max, D2 Var | LS r, LS max | D3 max, D3 Var | exact sets
TABLE = """
3,1  | 3/4 3/2 1/8 3/8      | 3/2 1/8           | 8/9 4/3         | 3/2 1/8             | 0/3
4,1  | 2/3 4/3 1/9 4/9      | 5/4 1/16          | 1 1             | 1 0                 | 4/4
4,2  | 2/3 4/3 1/9 4/9      | 4/3 1/9           | 9/10 6/5        | 4/3 1/9             | 0/6
5,1  | 5/8 5/4 3/32 15/32   | 5/4 1/20          | 24/25 6/5       | 5/4 1/24            | 0/5
5,2  | 5/9 5/3 1/9 70/81    | 5/3 149/1620      | 243/260 3/2     | 130/81 17/243       | 0/10
6,1  | 3/5 6/5 2/25 12/25   | 5/4 1/24          | 1 1             | 1 0                 | 6/6
6,2  | 1/2 3/2 1/10 1       | 25/18 71/1215     | 1 1             | 1 0                 | 15/15
6,3  | 1/2 3/2 1/10 1       | 3/2 13/144        | 139/150 7/5     | 210/139 11/139      | 2/20
8,2  | 4/9 4/3 5/63 88/81   | 4/3 89/2268       | 38313/39200 9/7 | 5600/4257 887/38313 | 0/28
8,3  | 2/5 8/5 3/35 8/5     | 71/48 11/224      | 1 1             | 1 0                 | 56/56
8,5  | 4/9 4/3 5/63 88/81   | 4/3 1375/18144    | 3888/4165 9/7   | 595/432 277/3888    | 0/56
12,1 | 6/11 12/11 5/121 60/121 | 5/4 1/48       | 1 1             | 1 0                 | 12/12
12,2 | 2/5 6/5 3/55 28/25   | 4/3 131/5346      | 1 1             | 1 0                 | 66/66
12,3 | 1/3 4/3 2/33 16/9    | 11/8 853/31680    | 1 1             | 1 0                 | 220/220
"""
ROWS = [[part.split() for part in line.split("|")] for line in TABLE.strip().splitlines()]
SMALL = [(n, s) for n in range(1, 8) for s in range(n)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][0])
def test_table_of_decoders_on_plain_cyclic_sums(row):
    n, s = map(int, row[0][0].split(","))
    relaxed = coefficient_bounds(n, s, "relaxed")
    inverse = coefficient_bounds(n, s, "inverse multiplicity")
    best = coefficient_bounds(n, s, "least squares")
    debiased = coefficient_bounds(n, s, "debiased least squares")
    found = [
        [relaxed.minimum, relaxed.maximum, relaxed.variance, relaxed.worst_squared_error],
        [inverse.maximum, inverse.variance],
        [best.mean, best.maximum],
        [debiased.maximum, debiased.variance],
        [f"{best.exact_sets}/{best.straggler_sets}"],
    ]
    assert [[str(x) for x in part] for part in found] == row[1:]
    assert all(result.closed_forms_agree for result in (relaxed, inverse, best, debiased))


def by_plain_enumeration(n, s, weights_of):
    """Statistics with nothing but fractions: every straggler set, every window counted."""
    sets, alphas = list(combinations(range(n), s)), []
    for lost in sets:
        received = [i for i in range(n) if i not in lost]
        weights = weights_of(received)
        alphas.append([sum((weights[i] for i in received if (j - i) % n <= s), Fraction(0)) for j in range(n)])
    flat = [a for alpha in alphas for a in alpha]
    mean = Fraction(sum(flat), len(flat))
    errors = [sum((a - 1) ** 2 for a in alpha) for alpha in alphas]
    return {
        "minimum": min(flat),
        "maximum": max(flat),
        "mean": mean,
        "variance": sum((a - mean) ** 2 for a in flat) / len(flat),
        "worst_squared_error": max(errors),
        "worst_stragglers": sets[errors.index(max(errors))],
        "minimum_stragglers": sets[[min(alpha) for alpha in alphas].index(min(flat))],
        "maximum_stragglers": sets[[max(alpha) for alpha in alphas].index(max(flat))],
        "exact_sets": errors.count(0),
        "straggler_sets": len(sets),
    }


@pytest.mark.parametrize(("n", "s"), SMALL)
def test_relaxed_and_inverse_multiplicity_against_plain_enumeration(n, s):
    def relaxed(received):
        return dict.fromkeys(received, Fraction(n, len(received) * (s + 1)))

    def inverse(received):
        copies = [sum((j - i) % n <= s for i in received) for j in range(n)]
        return {i: sum(Fraction(1, copies[(i + k) % n]) for k in range(s + 1)) / (s + 1) for i in received}

    for name, weights_of in (("relaxed", relaxed), ("inverse multiplicity", inverse)):
        found = coefficient_bounds(n, s, name)
        expected = by_plain_enumeration(n, s, weights_of)
        assert {field: getattr(found, field) for field in expected} == expected
        assert found.closed_forms_agree


@pytest.mark.parametrize(("n", "s"), SMALL)
def test_all_three_unbiased_decoders_stay_below_two_and_are_ordered(n, s):
    relaxed, inverse, best = (
        coefficient_bounds(n, s, name) for name in ("relaxed", "inverse multiplicity", "debiased least squares")
    )
    assert all(found.is_unbiased and found.maximum < 2 for found in (relaxed, inverse, best))
    assert best.variance <= inverse.variance <= relaxed.variance
    all_equal = best.variance == inverse.variance == relaxed.variance
    assert all_equal is (s in (0, n - 1, n - 2))
    assert relaxed.worst_stragglers == tuple(range(s))


def test_largest_coefficients_up_to_eleven_workers():
    found = [coefficient_bounds(11, 5, name).maximum for name in ("relaxed", "inverse multiplicity")]
    assert found == [Fraction(11, 6), Fraction(11, 6)]
    best = coefficient_bounds(11, 5, "debiased least squares").maximum
    assert abs(best - Fraction("1.7455")) < Fraction("0.00005")


@pytest.mark.parametrize(("n", "s"), [(n, s) for n, s in SMALL if n % (s + 1) == 0])
def test_fractional_placement_and_exact_decoders(n, s):
    relaxed = coefficient_bounds(n, s, "relaxed", "fractional")
    assert relaxed.closed_forms_agree
    assert len(relaxed.closed_forms) == 6
    cyclic = [("residue class", "cyclic"), ("disjoint set", "cyclic"), ("least squares", "cyclic")]
    fractional = [(name, "fractional") for name in ("first of group", "disjoint set", "least squares", "one-step")]
    for name, placement in cyclic + fractional:
        found = coefficient_bounds(n, s, name, placement)
        assert found.closed_forms_agree
        assert len(found.closed_forms) == 6
        if name != "one-step":
            assert found.exact_sets == found.straggler_sets


@pytest.mark.parametrize(("n", "s"), SMALL)
def test_variance_and_norm_of_relaxed_decoding_are_exact(n, s):
    found = coefficient_bounds(n, s)
    assert found.covariance_norm == found.closed_forms["covariance_norm"]
    assert isinstance(found.covariance_norm, Fraction | Algebraic)
    assert found.covariance_norm >= found.variance


def test_persistent_stragglers_shift_the_weights():
    found = coefficient_bounds(3, 1)
    assert (found.maximum_stragglers, found.minimum, found.maximum) == ((0,), Fraction(3, 4), Fraction(3, 2))
    assert worst_relaxed_error(3, 1) == Fraction(3, 8)


def test_biased_decoders_say_so():
    assert not coefficient_bounds(5, 1, "least squares").is_unbiased
    ignoring = coefficient_statistics(plain_cyclic(5, 1), 2, DisjointSetDecoder())
    assert ignoring.mean == 1
    assert not ignoring.is_unbiased  # ties are broken by the order of the workers
    dropped = coefficient_statistics(fractional_repetition(4, 1), 2, FirstOfGroupDecoder())
    assert dropped.mean == Fraction(5, 6)


def test_uneven_codes_are_enumerated_too():
    found = coefficient_statistics(generalised_repetition(7, 2), 2, CompleteClassDecoder(classes=3))
    assert (found.minimum, found.maximum, found.variance, found.exact_sets) == (1, 1, 0, 21)


def test_decoders_by_object_have_closed_forms_if_they_are_the_named_ones():
    assert coefficient_bounds(5, 2, RelaxedDecoder()).closed_forms["maximum"] == Fraction(5, 3)
    assert coefficient_bounds(5, 2, OneStepDecoder(Fraction(1, 2))).closed_forms == {}
    assert coefficient_bounds(6, 2, LeastSquaresDecoder(2)).closed_forms == {}
    assert coefficient_bounds(6, 2, InverseMultiplicityDecoder()).closed_forms == {"mean": 1}


def test_closed_forms_for_sizes_beyond_enumeration():
    forms = closed_form_coefficients(101, 50)
    assert forms["maximum"] == Fraction(101, 51)
    assert all(closed_form_coefficients(n, (n - 1) // 2)["maximum"] < 2 for n in range(2, 200))
    with pytest.raises(ValueError, match="too many to enumerate"):
        coefficient_bounds(40, 20)


def test_results_cross_process_borders_exactly():
    for decoder in ("relaxed", "debiased least squares"):
        found = coefficient_bounds(5, 2, decoder)
        assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


def test_a_false_closed_form_is_noticed():
    found = coefficient_bounds(4, 3)
    wrong = replace(found, closed_forms={"maximum": Fraction(4, 4 - 3)})  # n / (n - s), right for n >= 2 s + 1 only
    assert found.maximum == 1
    assert not wrong.closed_forms_agree


def test_bad_input():
    with pytest.raises(ValueError, match="residue classes"):
        coefficient_bounds(5, 1, ResidueClassDecoder())
    with pytest.raises(ValueError, match="decoder must be one of"):
        coefficient_bounds(4, 1, "best")
    with pytest.raises(ValueError, match="decoder must be one of"):
        closed_form_coefficients(4, 1, "best")
    with pytest.raises(ValueError, match="placement"):
        coefficient_bounds(4, 1, "relaxed", "random")
    with pytest.raises(ValueError, match="s \\+ 1 to divide n"):
        coefficient_bounds(5, 1, "relaxed", "fractional")
    with pytest.raises(ValueError, match="below the number of workers"):
        coefficient_bounds(4, 4)
    with pytest.raises(TypeError, match="rational entries"):
        coefficient_statistics(plain_cyclic(4, 1).approximate(), 1, RelaxedDecoder())
    assert len(DECODERS) == 8
