"""Attempts to get an answer out of overlapping balls and one-sided bounds: every one has to be refused."""

import bisect
import functools
import heapq
import math
import pickle
import statistics

import numpy as np
import pytest

from codedtheory.arithmetic import (
    Ball,
    LowerBound,
    PrecisionError,
    Undecided,
    UpperBound,
    ball,
    eigenvalues,
    maximum,
    rank,
    solve,
    working_precision,
)

WIDE, WIDER, FAR = Ball.between(0, 2, 53), Ball.between(1, 3, 53), Ball.between(5, 6, 53)


def objects(*values):
    return np.array(values, dtype=object)


def pickled(x):
    return pickle.loads(pickle.dumps(x))  # noqa: S301 - written by ourselves just now


QUESTIONS = {
    "if": lambda: 1 if WIDE < 1 else 0,
    "not": lambda: not (WIDE < 1),
    "and": lambda: (WIDE < 1) and True,
    "or": lambda: (WIDE < 1) or True,
    "chain": lambda: 0 < WIDE < 1,
    "any": lambda: any([WIDE < 1]),
    "all": lambda: all([WIDE < 1]),
    "equals True": lambda: bool((WIDE < 1) == True),  # noqa: E712
    "differs from True": lambda: bool((WIDE < 1) != True),  # noqa: E712
    "equals False": lambda: bool((WIDE < 1) == False),  # noqa: E712
    "array equals True": lambda: objects(WIDE < 1) == True,  # noqa: E712
    "equality of overlapping balls": lambda: bool(WIDE == WIDER),
    "equality with oneself": lambda: bool(WIDE == WIDE),
    "truth of a ball around 0": lambda: bool(WIDE - 1),
    "sorted": lambda: sorted([WIDE, WIDER]),
    "max": lambda: max(WIDE, WIDER),
    "min": lambda: min([FAR, WIDE, WIDER]),
    "heapq": lambda: heapq.nlargest(1, [WIDE, WIDER]),
    "bisect": lambda: bisect.bisect([WIDE], WIDER),
    "median": lambda: statistics.median([WIDE, WIDER]),
    "tuples": lambda: (WIDE,) < (WIDER,),
    "lists": lambda: [WIDE] == [WIDER],
    "membership": lambda: WIDE in [WIDER],
    "index": lambda: [FAR, WIDE].index(WIDER),
    "count": lambda: [WIDER].count(WIDE),
    "np.max": lambda: np.max(objects(WIDE, WIDER)),
    "np.argmax": lambda: np.argmax(objects(WIDE, WIDER)),
    "np.sort": lambda: np.sort(objects(WIDE, WIDER)),
    "np.argsort": lambda: np.argsort(objects(WIDE, WIDER)),
    "np.partition": lambda: np.partition(objects(WIDE, WIDER, FAR), 1),
    "np.maximum": lambda: np.maximum(WIDE, WIDER),
    "np.fmax": lambda: np.fmax(objects(WIDE), objects(WIDER)),
    "np.maximum.accumulate": lambda: np.maximum.accumulate(objects(WIDE, WIDER)),
    "np.clip": lambda: np.clip(objects(WIDE), 1, 2),
    "np.ptp": lambda: np.ptp(objects(WIDE, WIDER)),
    "np.unique": lambda: np.unique(objects(WIDE, WIDER)),
    "np.median": lambda: np.median(objects(WIDE, WIDER)),
    "np.searchsorted": lambda: np.searchsorted(objects(WIDE, FAR), WIDER),
    "np.isin": lambda: np.isin(objects(WIDE), objects(WIDER)),
    "np.where": lambda: np.where(objects(WIDE) > 1, 1, 0),
    "np.where of answers": lambda: np.where(objects(WIDE < 1), 1, 0),
    "mask": lambda: objects(WIDE, FAR)[objects(WIDE, FAR) > 1],
    "np.any of answers": lambda: bool(np.any(objects(WIDE < 1))),
    "np.all of answers": lambda: np.all(objects(WIDE < 1, True)),
    "np.count_nonzero": lambda: np.count_nonzero(objects(WIDE - 1)),
    "np.array of bool": lambda: np.array([WIDE < 1], dtype=bool),
    "np.logical_not": lambda: np.logical_not(objects(WIDE < 1)),
    "np.array_equal": lambda: np.array_equal(objects(WIDE), objects(WIDER)),
    "np.sign": lambda: np.sign(objects(WIDE - 1)),
    "sum of answers": lambda: sum([WIDE < 1]),
    "answer as a number": lambda: int(WIDE < 1),
    "hash of a ball": lambda: hash(WIDE),
    "set": lambda: {WIDE},
    "dictionary": lambda: {WIDE: 1},
    "hash of an answer": lambda: hash(WIDE < 1),
    "cache": lambda: functools.lru_cache(lambda x: x)(WIDE),
    "cache of a bound": lambda: functools.lru_cache(lambda x: x)(LowerBound(1)),
    "lower bound confirming": lambda: bool(LowerBound(3) <= 5),
    "lower bound equal": lambda: bool(LowerBound(3) == 3),
    "lower bound unequal": lambda: bool(LowerBound(3) != 4),
    "lower bounds against each other": lambda: bool(LowerBound(3) <= LowerBound(5)),
    "upper bound refuting": lambda: bool(UpperBound(3) > 2),
    "maximum of a bound by Python": lambda: max(LowerBound(3), 5),
    "sorted bounds": lambda: sorted([LowerBound(1), LowerBound(2)]),
    "truth of a bound": lambda: bool(LowerBound(3)),
    "float of a bound": lambda: float(LowerBound(3)),
    "float array of bounds": lambda: np.array([LowerBound(3)], float),
    "difference of lower bounds": lambda: LowerBound(3) - LowerBound(1),
    "product of bounds": lambda: LowerBound(3) * LowerBound(2),
    "product with an open sign": lambda: LowerBound(3) * (WIDE - 1),
    "product with nan": lambda: LowerBound(3) * math.nan,
    "quotient by nan": lambda: LowerBound(3) / math.nan,
    "reciprocal of a bound": lambda: 1 / LowerBound(3),
    "bound of a bound": lambda: LowerBound(UpperBound(3)),
    "lower and upper in one maximum": lambda: maximum([LowerBound(3), UpperBound(5)]),
    "nan as a bound": lambda: bool(LowerBound(math.nan) >= 1),
    "rank of balls": lambda: rank(ball(53).array([[1, 1], [1, 1]])),
    "multiplicity of balls": lambda: eigenvalues(ball(53).array([[2, 0], [0, 2]])),
    "singular balls": lambda: solve(ball(53).array([[1, 1], [1, 1]]), [1, 1]),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_open_questions_are_not_answered(ask):
    with pytest.raises((TypeError, ValueError)):
        ask()


def test_division_of_a_bound_by_zero():
    with pytest.raises(ZeroDivisionError):
        LowerBound(3) / 0


def test_open_answers_and_errors_survive_pickling():
    answer = pickled(WIDE < 1)
    assert isinstance(answer, Undecided)
    with pytest.raises(PrecisionError):
        bool(answer)
    error = pickled(PrecisionError("open", enclosure=WIDE))
    assert error.enclosure.rad == WIDE.rad
    bound = pickled(LowerBound(WIDE))
    assert isinstance(bound, LowerBound)
    assert bound.value.rad == WIDE.rad


def test_settled_questions_are_answered():
    assert (WIDE < FAR) is True
    assert (WIDE > FAR) is False
    assert (WIDE == FAR) is False
    assert max(WIDE, FAR) is FAR
    assert np.max(objects(WIDE, FAR)) is FAR
    assert (LowerBound(3) <= 2) is False
    assert (LowerBound(3) > 2) is True
    assert (UpperBound(3) <= 3) is True
    assert (UpperBound(3) == 4) is False


def test_no_question_changed_the_precision_of_the_process():
    before = working_precision()
    for ask in QUESTIONS.values():
        with pytest.raises((TypeError, ValueError)):
            ask()
    assert working_precision() == before
