"""The worst straggler sets of decoding: filter, brute force and exact arithmetic must agree."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Rational, approximate, ball, cyclotomic
from codedtheory.coding import BerrutCode, LagrangeCode
from codedtheory.coding import worst_berrut_norm as module


def row_sums(code, alive):
    """Lebesgue function at the data points, from doubles and the definition alone."""
    z = np.asarray(code.worker_points)[list(alive)]
    signs = (-1.0) ** np.arange(len(alive))
    found = []
    for j, alpha in enumerate(np.asarray(code.data_points)):
        if any(pair[0] == j and pair[1] in alive for pair in code.collisions()):
            found.append(1.0)
        else:
            terms = signs / (alpha - z)
            found.append(np.abs(terms).sum() / abs(terms.sum()))
    return max(found)


@pytest.mark.parametrize(("K", "W", "s"), [(2, 6, 1), (3, 7, 2), (4, 9, 3), (6, 13, 2), (5, 4, 2), (2, 5, 4)])
def test_against_brute_force(K, W, s):
    code = BerrutCode(K, W)
    values = {alive: row_sums(code, alive) for alive in combinations(range(W), W - s)}
    worst = code.worst_condition_number(s)
    assert worst.value == pytest.approx(max(values.values()), rel=1e-12)
    assert values[worst.survivors] == pytest.approx(worst.value, rel=1e-12)
    assert sorted(worst.survivors + worst.stragglers) == list(range(W))
    enclosed = code.worst_condition_number(s, arithmetic=ball(100))
    assert enclosed.value.rad < Rational("1e-25")
    assert approximate(enclosed.value) == pytest.approx(worst.value, rel=1e-12)


def test_two_survivors_in_closed_form():
    # the line through z_0 = 1 and z_1 = c = cos(pi/4), seen at x = -1: (|c - x| + |1 - x|)/(1 - c) = (3 + c)/(1 - c)
    code = BerrutCode(1, 5, data_points=[-1], arithmetic=cyclotomic(8))
    c = cyclotomic(8).cos_pi("1/4")
    worst = code.worst_condition_number(3)
    assert worst.value == (3 + c) / (1 - c)
    assert worst.survivors == (0, 1)
    assert worst.stragglers == (2, 3, 4)


@settings(max_examples=30)
@given(
    st.sets(st.fractions(-2, 2, max_denominator=6), min_size=1, max_size=3),
    st.sets(st.fractions(-2, 2, max_denominator=6), min_size=3, max_size=6),
    st.integers(0, 2),
)
def test_filtered_maximum_is_the_exact_one(data, workers, s):
    code = BerrutCode(
        len(data), len(workers), data_points=sorted(data), worker_points=sorted(workers), arithmetic=EXACT
    )
    values = [
        max(sum(abs(entry) for entry in row) for row in code.decoding_matrix(alive))
        for alive in combinations(range(len(workers)), len(workers) - s)
    ]
    worst = code.worst_condition_number(s)
    assert worst.value == max(values)
    assert code.condition_number(worst.survivors) == worst.value
    assert worst.value >= 1


def test_small_batches_change_nothing(monkeypatch):
    code = BerrutCode(3, 9)
    whole = [code.worst_condition_number(3, arithmetic=a) for a in (FLOAT, ball(64))]
    monkeypatch.setattr(module, "_TERMS_AT_ONCE", 3 * 9 * 7)
    parts = [code.worst_condition_number(3, arithmetic=a) for a in (FLOAT, ball(64))]
    assert [w.survivors for w in whole] == [w.survivors for w in parts]


def test_the_filter_discards_most_sets():
    code = BerrutCode(3, 12)
    kept = module._possible_worst(code, 3, code.collisions())
    assert 1 <= len(kept) <= 8


def test_ratio_of_singular_values():
    code = BerrutCode(2, 5)
    alive = [4, 0, 3]
    sigma = np.linalg.svd(code.decoding_matrix(alive), compute_uv=False)
    assert code.condition_number(alive, 2) == pytest.approx(sigma[0] / sigma[1], rel=1e-12)
    enclosed = code.condition_number(alive, 2, ball(128))
    assert approximate(enclosed) == pytest.approx(sigma[0] / sigma[1], rel=1e-12)
    worst = code.worst_condition_number(2, p=2)
    assert worst.value == max(code.condition_number(s, 2) for s in combinations(range(5), 3))


def test_blended_decoders_are_walked_too():
    code = BerrutCode(3, 7, blending=2)
    worst = code.worst_condition_number(2)
    sets = list(combinations(range(7), 5))
    assert worst.value == max(np.abs(code.decoding_matrix(s)).sum(axis=1).max() for s in sets)


def test_lagrange_codes_need_the_worst_first_answers():
    code = LagrangeCode(2, 5, arithmetic=EXACT)
    worst = code.worst_condition_number(degree=2)
    values = {s: code.condition_number(s, 2) for s in combinations(range(5), 3)}
    assert worst.value == max(values.values()) == values[worst.survivors]
    # workers at 4, 5, 6 and data at 0: |5*6/2| + |4*6/1| + |4*5/2| = 15 + 24 + 10
    assert worst.survivors == (2, 3, 4)
    assert worst.value == 49


def test_condition_number_is_attained():
    code = BerrutCode(2, 4, worker_points=[-3, -1, 1, 3], data_points=[-2, 2], arithmetic=EXACT)
    alive = [0, 1, 3]
    G = code.decoding_matrix(alive)
    row = max(G, key=lambda r: sum(abs(x) for x in r))
    noise = [Fraction(1, 1) if x > 0 else Fraction(-1, 1) for x in row]
    assert max(abs(x) for x in code.decode(noise, alive)) == code.condition_number(alive)
