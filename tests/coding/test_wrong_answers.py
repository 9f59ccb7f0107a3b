"""Wrong answers are found wherever they are, up to the number that the threshold pays for."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, modular
from codedtheory.coding import LagrangeCode
from codedtheory.coding.wrong_answers import wrong_workers


@pytest.mark.parametrize(("degree", "errors", "spare"), [(1, 1, 0), (2, 1, 0), (2, 1, 2), (1, 2, 0), (2, 2, 1)])
def test_every_set_of_liars_is_found(degree, errors, spare):
    p = 13
    threshold = degree + 1 + 2 * errors
    code = LagrangeCode(2, threshold + spare, arithmetic=modular(p))
    X = np.array([3, 8])
    honest = code.encode(X) ** degree % p
    for count in range(errors + 1):
        for liars in combinations(range(code.workers), count):
            answers = honest.copy()
            answers[list(liars)] += np.arange(1, count + 1)
            assert wrong_workers(code, answers, range(code.workers), degree, errors) == liars
            decoded = code.decode(answers, range(code.workers), degree, errors)
            assert decoded.tolist() == (X**degree % p).tolist()


@settings(max_examples=50)
@given(st.data())
def test_liars_and_stragglers_at_once(data):
    # (K+T-1) d + S + 2A + 1 <= N
    K, T, d, S, A = 2, 1, 2, 2, 2
    N = (K + T - 1) * d + S + 2 * A + 1
    code = LagrangeCode(K, N, privacy=T, arithmetic=modular(31))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    X = rng.integers(0, 31, size=(K, 2, 2))
    answers = code.encode(X, rng=rng) ** 2
    alive = data.draw(st.permutations(range(N)).map(lambda order: order[: N - S]))
    liars = data.draw(st.sets(st.sampled_from(alive), max_size=A))
    for liar in liars:
        # a liar is wrong in some coordinates only, another one in others
        where = tuple(rng.integers(0, 2, size=2))
        answers[liar][where] += int(rng.integers(1, 31))
    assert (code.decode(answers[alive], alive, d, A) == X**2 % 31).all()
    assert wrong_workers(code, answers[alive], alive, d, A) == tuple(sorted(liars))


def test_rational_answers_are_corrected():
    code = LagrangeCode(2, 6, arithmetic=EXACT)
    answers = code.encode([2, -5]) ** 3
    answers[0] = answers[0] + 1
    assert (code.decode(answers, range(6), degree=3, errors=1) == [8, -125]).all()


def test_more_liars_than_allowed_are_reported():
    code = LagrangeCode(2, 6, arithmetic=modular(13))
    answers = code.encode(np.array([3, 8]))
    answers[[0, 2]] += [1, 1]
    with pytest.raises(ValueError, match="more than errors = 1 are wrong"):
        code.decode(answers, range(6), degree=1, errors=1)
    assert code.decode(answers, range(6), degree=1, errors=2).tolist() == [3, 8]


def test_one_answer_fewer_can_not_correct():
    # three answers on a line with one error: two data sets explain them equally well
    code = LagrangeCode(2, 3, arithmetic=modular(7))
    first, second = code.encode(np.array([1, 1])), code.encode(np.array([1, 2]))
    explained = [first[0], second[1], first[2]]
    assert sum(a != b for a, b in zip(explained, first, strict=True)) == 1
    others = [
        X
        for X in np.ndindex(7, 7)
        if sum(a != b for a, b in zip(explained, code.encode(np.array(X)), strict=True)) <= 1
    ]
    assert len(others) > 1
    with pytest.raises(ValueError, match="workers must be at least 4"):
        code.decode(explained, range(3), degree=1, errors=1)
