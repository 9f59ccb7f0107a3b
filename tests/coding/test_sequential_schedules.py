"""Sequential schedules under bursty stragglers, against plain simulations and the definition of the model."""

from itertools import combinations, product

import pytest

from codedtheory.coding.bursty_stragglers import bursty_patterns, may_straggle
from codedtheory.coding.sequential_schedules import fewest_repeated_results, multiplexed_results


def all_subsets(n):
    return [frozenset(c) for size in range(n + 1) for c in combinations(range(n), size)]


def obeys(pattern, burst, window, limit):
    """The model as it is stated: over whole windows and pairs of rounds."""
    for t in range(len(pattern)):
        if len(frozenset().union(*pattern[t : t + window])) > limit:
            return False
        for distance in range(burst, window):
            if t + distance < len(pattern) and pattern[t] & pattern[t + distance]:
                return False
    return True


@pytest.mark.parametrize(
    ("n", "rounds", "burst", "window", "limit"), [(2, 4, 1, 3, 1), (3, 3, 1, 2, 2), (2, 5, 2, 3, 2), (2, 4, 2, 4, 2)]
)
def test_patterns_are_those_of_the_model(n, rounds, burst, window, limit):
    expected = {p for p in product(all_subsets(n), repeat=rounds) if obeys(p, burst, window, limit)}
    found = list(bursty_patterns(n, rounds, burst, window, limit))
    assert len(found) == len(expected)
    assert set(found) == expected


def test_only_recent_rounds_matter():
    long_ago = [frozenset({0}), frozenset(), frozenset()]
    assert may_straggle(frozenset({0}), long_ago, 1, 3, 1)
    assert not may_straggle(frozenset({0}), long_ago[:2], 1, 3, 1)


def test_failed_chunks_are_retried_before_coded_ones():
    nobody, zero = frozenset(), frozenset({0})
    assert multiplexed_results(3, 2, 3, [zero, zero, nobody, nobody]) == (0, (2, 2))
    assert multiplexed_results(3, 2, 3, [nobody, zero, nobody, nobody]) == (0, (2, 3))
    assert multiplexed_results(3, 2, 3, [zero, zero, zero, nobody]) == (1, (2, 2))
    with pytest.raises(ValueError, match="4 rounds"):
        multiplexed_results(3, 2, 3, [zero])


def simulated(n, s, burst, pattern, everyone):
    """Return the fewest results of a job whose deadline lies within the pattern, round by round."""
    results = [set() for _ in pattern]
    for t, lost in enumerate(pattern):
        lacking = n - s - len(results[t - burst]) if t >= burst else 0
        retrying = [w for w in range(n) if lacking > 0 and w not in results[t - burst]]
        if not everyone:
            retrying = retrying[: max(lacking, 0)]
        for w in range(n):
            if w not in lost:
                results[t - burst if w in retrying else t].add(w)
    return min(len(found) for found in results[: len(pattern) - burst])


@pytest.mark.parametrize("everyone", [False, True])
@pytest.mark.parametrize(("n", "s", "burst", "window", "limit"), [(2, 1, 1, 2, 2), (3, 1, 1, 2, 2), (3, 2, 1, 2, 3)])
def test_reachable_states_cover_simulated_runs(n, s, burst, window, limit, everyone):
    fewest = min(simulated(n, s, burst, pattern, everyone) for pattern in bursty_patterns(n, 5, burst, window, limit))
    assert fewest_repeated_results(n, s, burst, window, limit, everyone) == fewest
