"""Twins and pins of the claims about the k-th of n workers, exact, simulated and measured."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import beta

from codedtheory.claims import Claim, Comparison, Measured, close
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.executor import (
    Conditions,
    DelayLaw,
    Exponential,
    Pareto,
    RunRecord,
    ShiftedExponential,
    VirtualExecutor,
)
from proofs_check import order_statistics as catalogue
from proofs_check.straggler_programs import InTurn, gathering
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.order_statistics"
teeth = Teeth(MODULE)
mean_from_minima, pareto_mean = catalogue.mean_from_minima, catalogue.pareto_mean
answers_on_virtual_clock = catalogue.answers_on_virtual_clock
expected_step_time, batches, neighbourly = catalogue.expected_step_time, catalogue.batches, catalogue.neighbourly


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("os.exp")
def one_arrival_too_many_by_parts(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._next_gap", lambda k, s: (s + 1) / (k + 1) * ((k + 2) / s))
    return claim


@teeth.twin("os.exp.values")
@teeth.twin("os.exp.saved")
@teeth.twin("os.uniform")
def largest_for_smallest(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.mean_from_minima", lambda n, k, minimum: mean_from_minima(n, n - k + 1, minimum))
    return claim


@teeth.twin("os.pareto")
def one_worker_more(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.pareto_mean", lambda n, k, a: pareto_mean(n + 1, k, a))
    return claim


@teeth.twin("os.pareto.finite")
def all_delays_from_zero(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.nonnegative", lambda names: tuple(x - 2 for x in nonnegative(names)))
    return claim


@teeth.twin("os.ksync.log")
def waits_for_one_more(claim: Claim, patch: Any) -> Claim:
    def corrupt(scheme: str, workers: int, stragglers: int, *times: Any) -> Any:
        return expected_step_time(scheme, workers, stragglers - 1, *times)

    patch.setattr(f"{MODULE}.expected_step_time", corrupt)
    return claim


@teeth.twin("os.ksync.async")
def waits_for_all_but_one(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.mean_from_minima", lambda P, k, minimum: mean_from_minima(P, max(1, k - 1), minimum))
    return claim


@teeth.twin("os.exp.simulated")
def answers_in_the_order_of_the_workers(claim: Claim, patch: Any) -> Claim:
    def by_worker(record: RunRecord) -> Any:
        waits = record.waits()
        ends = [0.0, *(wait.time for wait in waits[:-1])]
        return np.array([[a.arrived - end for a in sorted(w.taken)] for w, end in zip(waits, ends, strict=True)])

    patch.setattr(f"{MODULE}.answer_times", by_worker)
    return claim


@teeth.twin("os.exp.shifted.simulated")
def shift_of_the_way_back(claim: Claim, patch: Any) -> Claim:
    def slow(workers: int, steps: int, law: ShiftedExponential, rng: np.random.Generator) -> Any:
        return answers_on_virtual_clock(workers, steps, replace(law, shift=2 * law.shift), rng)

    patch.setattr(f"{MODULE}.answers_on_virtual_clock", slow)
    return claim


@teeth.twin("os.pareto.simulated")
def twice_the_shape(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.Pareto", lambda scale, shape: Pareto(scale, 2 * shape))
    patch.setattr(f"{MODULE}.order_excess", lambda n, k, law, high: 0.0)
    return claim


@teeth.twin("os.ksync.batches.simulated")
def every_result_waits_for_another(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.batches", lambda P, updates, K: batches(P, updates, 2 * K))
    return claim


@teeth.twin("os.ksync.uncancelled")
def every_step_starts_afresh(claim: Claim, patch: Any) -> Claim:
    def body(rng: np.random.Generator) -> Comparison:
        record = VirtualExecutor().run(gathering(4, 1000), Conditions(seed_of(rng), stragglers=Exponential(1.0)))
        mean = catalogue.answer_times(record)[:, 1].mean()
        return close(Measured.of(mean, record), Fraction(7, 12), Fraction(7, 48))

    return replace(claim, body=body)


@teeth.twin("os.neighbourhood")
def half_of_the_nodes_wait_for_nobody(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.neighbourly", lambda edges, rounds: neighbourly([(0, 1), (2, 3), (4, 5)], rounds))
    return claim


@teeth.twin("os.measured")
def delays_of_another_seed(claim: Claim, patch: Any) -> Claim:
    class Another:
        def run(self, system: Any, conditions: Conditions) -> RunRecord:
            return VirtualExecutor().run(system, replace(conditions, seed=conditions.seed + 1))

    patch.setattr(f"{MODULE}.ProcessExecutor", Another)
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


def seed_of(rng: np.random.Generator) -> int:
    return int(rng.integers(2**63))


def draws(law: DelayLaw | InTurn, nodes: Any, steps: int, seed: int) -> Any:
    """Return the delays that nodes draw in a run: a row for every step."""
    streams = [law.stream(node, seed) for node in nodes]
    return np.array([[stream.row(step)[1] for stream in streams] for step in range(steps)])


def order_mean(law: DelayLaw, workers: int, steps: int, k: int, high: float) -> float:
    delays = draws(law, range(1, workers + 1), steps, seed_of(np.random.default_rng(5)))
    return float(np.minimum(np.sort(delays, axis=1)[:, k - 1], high).mean())


@teeth.pin("os.exp", comparison=0)
def least_of_n() -> Any:
    n, rate = positive("n mu")
    return 1 / (n * rate)


@teeth.pin("os.exp", comparison=1)
def gap_with_gamma_functions() -> Any:
    k, s, rate = positive("k s mu")
    n = k + s + 1
    coefficient = sympy.gamma(n + 1) / (sympy.gamma(k + 2) * sympy.gamma(s))
    return sympy.gammasimp(coefficient * sympy.gamma(k + 2) * sympy.gamma(s + 1) / sympy.gamma(n + 1) / s / s / rate)


@teeth.pin("os.exp.values", n=3, k=2, mu=Fraction(1), Delta=Fraction(2, 3))
def third_and_half() -> Fraction:
    return Fraction(2, 3) + Fraction(1, 3) + Fraction(1, 2)


@teeth.pin("os.exp.saved", n=10, b=1, mu=Fraction(1), Delta=Fraction(0))
def first_over_tenth_harmonic_number() -> Fraction:
    return Fraction(2520, 7381)


@teeth.pin("os.uniform", within=1e-9, n=5, k=2)
def mean_of_a_beta_law() -> float:
    return float(beta(2, 4).mean())


@teeth.pin("os.pareto", within=1e-9, n=4, k=3, p=3, q=2)
def quantile_under_a_beta_law() -> float:
    return float(quad(lambda u: (1 - u) ** (-2 / 3) * beta(3, 2).pdf(u), 0, 1, epsabs=1e-12)[0])


@teeth.pin("os.pareto.finite", n=3, k=2)
def none_or_one_of_three_has_arrived() -> Any:
    (x,) = nonnegative("x")
    return 2 * (1 + 3 * (1 + x))


@teeth.pin("os.ksync.log", P=4, K=2)
def quarter_and_third() -> Fraction:
    return Fraction(7, 12)


@teeth.pin("os.ksync.async", P=3)
def three_eleven_sixths() -> Fraction:
    return Fraction(11, 2)


@teeth.pin("os.exp.simulated", comparison=1, within=1e-3, rng=np.random.default_rng(5))
def sorted_exponential_draws() -> float:
    return order_mean(Exponential(1.0), 4, 4000, 2, 7 / 3)


@teeth.pin("os.exp.shifted.simulated", comparison=3, within=0.03, rng=np.random.default_rng(5))
def sorted_shifted_draws() -> float:
    return order_mean(ShiftedExponential(1.0, 0.5), 4, 3000, 4, 5.5)


@teeth.pin("os.pareto.simulated", comparison=2, within=1e-2, rng=np.random.default_rng(5))
def sorted_pareto_draws() -> float:
    return order_mean(Pareto(1.0, 1.5), 5, 4000, 3, 12.0)


@teeth.pin("os.ksync.batches.simulated", within=1e-2, K=2, rng=np.random.default_rng(5))
def merged_streams_of_results() -> float:
    delays = draws(Exponential(1.0), range(1, 5), 3000, seed_of(np.random.default_rng(5)))
    times = np.sort(np.cumsum(delays, axis=0).ravel())[1:8000:2]
    return float(np.diff(times, prepend=0.0).mean())


@teeth.pin("os.ksync.uncancelled", rng=np.random.default_rng(5))
def queues_of_unfinished_work() -> float:
    start, free = 0.0, np.zeros(4)
    for delays in draws(Exponential(1.0), range(1, 5), 1000, seed_of(np.random.default_rng(5))):
        free = np.maximum(free, start) + delays
        start = np.sort(free)[1]
    return float(start / 1000)


@teeth.pin("os.neighbourhood", rng=np.random.default_rng(5))
def longest_paths() -> float:
    times = np.zeros(6)
    for delays in draws(Exponential(1.0), range(6), 10_000, seed_of(np.random.default_rng(5))):
        times = times + delays
        times = np.maximum(times, np.maximum(np.roll(times, 1), np.roll(times, -1)))
    return float(times[0] / 10_000)


@teeth.pin("os.measured", comparison=0, rng=np.random.default_rng(5))
def no_answer_is_early() -> int:
    return 0


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


# -- intervals and helpers ------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [Exponential(0.5), ShiftedExponential(1.0, 0.5), Pareto(2.0, 1.5)], ids=str)
@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 2), (5, 4)])
def test_the_excess_over_a_bound_is_at_least_its_integral(law: DelayLaw, n: int, k: int) -> None:
    high, levels = 4.0, (np.arange(200_000) + 0.5) / 200_000
    exact = np.mean(np.maximum(law.quantile(beta(k, n - k + 1).ppf(levels)) - high, 0))
    assert 0.9 * exact <= catalogue.order_excess(n, k, law, high) <= 20 * exact + 1e-4


def test_the_excess_of_a_sum_is_at_least_its_integral() -> None:
    sums = np.random.default_rng(1).gamma(3, 1 / 4, size=100_000)
    exact = np.mean(np.maximum(sums - 2.0, 0))
    assert exact <= catalogue.gamma_excess(3, 4, 2.0) <= 30 * exact


def test_the_interval_of_a_growth_rate_shrinks_with_the_square_root_of_the_rounds() -> None:
    short, long = (catalogue.growth_rate(2.0 * rounds, rounds, nodes=6) for rounds in (10**5, 10**7))
    assert short.mean == long.mean == 2.0
    assert 9 < short.half_width / long.half_width < 11
    # the variance of the maximum of six alone, with the quantile of a normal law
    assert long.half_width > 6 * np.sqrt(1.49 / 10**7)


def test_laws_in_turn_draw_what_the_laws_draw() -> None:
    laws = (Exponential(1.0), Pareto(1.0, 3.0))
    found = draws(InTurn(laws), [2], 6, seed=7)[:, 0]
    one, other = (draws(law, [2], 6, seed=7)[:, 0] for law in laws)
    assert list(found) == [one[0], other[1], one[2], other[3], one[4], other[5]]
    assert InTurn(laws).mean_delay == 1.25
    assert InTurn(laws).described()["laws"][1]["model"] == "Pareto"
