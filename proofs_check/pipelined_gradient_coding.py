"""Pipelined gradient coding: how old its gradients are, what it computes, and what its steps cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from codedtheory.arithmetic import Rational
from codedtheory.claims import (
    Comparison,
    at_least,
    claim,
    close,
    derived,
    equal,
    greater_than,
    less_than,
    published,
    sweep,
)
from codedtheory.claims.induction import induction
from codedtheory.claims.symbols import nonnegative, positive
from codedtheory.coding import (
    ResidueClassDecoder,
    averaged_ages,
    averaged_saving_ceiling,
    coding_is_slower,
    coding_threshold,
    copy_ages,
    decoded_coefficients,
    fresh_partitions,
    gradient_coding_step_time,
    harmonic_number,
    message_ages,
    plain_cyclic,
    scaled_delay_threshold,
    slot_age,
    step_saving,
)
from codedtheory.coding.pipelined_descent import pipelined_iterates
from codedtheory.coding.relaxed_decoding import RelaxedDecoder

SU_LI = published("Su & Li 2026", arxiv="2607.20739", wording="recalled")
CYCLIC, FRACTIONAL = r"\text{cyclic placement}:\ ", r"\text{fractional placement}, (s+1)\mid n:\ "


@claim(
    "pgc.ages",
    statement=CYCLIC + r"\text{at every step the } s+1 \text{ copies of each partition have the ages } 0,\dots,s, "
    r"\text{ each once, and all } n \text{ partitions are freshly evaluated}",
    source=derived("worker j - i holds partition j in slot i, of age (t - i) mod (s + 1)"),
    over=sweep("1 <= n <= 12", "0 <= s < n", "0 <= j < n", "0 <= t <= s", default="n <= 9", quick="n <= 6"),
    method="All partitions over one period of the slots.",
)
def pgc_ages(n: int, s: int, j: int, t: int) -> Iterator[Comparison]:
    """The copies of a partition are of all ages, each once, under cyclic placement."""
    ages = copy_ages(j, t, n, s, "cyclic")
    yield equal(len(ages), s + 1, "copies")
    yield equal(len(set(ages.values())), s + 1, "different ages")
    yield equal(max(ages.values()), s, "oldest")
    yield equal(len(fresh_partitions(t, n, s, "cyclic")), n, "fresh partitions")


@claim(
    "pgc.ages.fractional",
    statement=FRACTIONAL + r"\text{all copies of a partition have the same age, } \tfrac n{s+1} "
    r"\text{ partitions are freshly evaluated, and the messages of a group are identical}",
    source=derived("all workers of a group have the same partition in slot i"),
    over=sweep("1 <= n <= 12", "0 <= s < n", "0 <= j < n", "0 <= t <= s", where="n % (s + 1) == 0", quick="n <= 8"),
    method="All partitions over one period of the slots.",
)
def pgc_ages_fractional(n: int, s: int, j: int, t: int) -> Iterator[Comparison]:
    """The copies of a partition are of one age under fractional placement."""
    ages = copy_ages(j, t, n, s, "fractional")
    yield equal(len(ages), s + 1, "copies")
    yield equal(len(set(ages.values())), 1, "different ages")
    yield equal(len(fresh_partitions(t, n, s, "fractional")), n // (s + 1), "fresh partitions")
    messages = {tuple(sorted(message_ages(worker, t, n, s, "fractional").items())) for worker in ages}
    yield equal(len(messages), 1, "different messages of the holders")


@claim(
    "pgc.ages.slots",
    statement=r"\text{at step } t\ge s \text{ slot } i \text{ was last evaluated at step } t-\big((t-i)\bmod(s+1)\big)",
    source=derived("slot t mod (s + 1) is evaluated at step t"),
    over=sweep("0 <= s <= 12", "s <= t <= 3 * s", "0 <= i <= s", default="s <= 9", quick="s <= 5"),
    method="The schedule, step by step.",
)
def pgc_ages_slots(s: int, t: int, i: int) -> Comparison:
    """The age of what a slot holds."""
    return equal(slot_age(i, t, s + 1), t - max(u for u in range(t + 1) if u % (s + 1) == i))


@claim(
    "pgc.msgages",
    statement=r"\text{every message has exactly one gradient of each age } 0,\dots,s, \text{ with mean } \tfrac s2",
    source=derived("slot i has age (t - i) mod (s + 1), whatever the placement"),
    over=sweep("1 <= n <= 12", "0 <= s < n", "0 <= r < n", "0 <= t <= s", default="n <= 9", quick="n <= 6"),
    method="All workers over one period of the slots, cyclic placement and, where s + 1 divides n, fractional.",
)
def pgc_msgages(n: int, s: int, r: int, t: int) -> Iterator[Comparison]:
    """Every message of pipelined gradient coding has one gradient of each age."""
    for placement in ("cyclic", "fractional") if n % (s + 1) == 0 else ("cyclic",):
        ages = message_ages(r, t, n, s, placement).values()
        yield equal(len(set(ages)), s + 1, f"{placement}: different ages")
        yield equal(max(ages), s, f"{placement}: oldest")
        yield equal(Rational(sum(ages), len(ages)), Rational(s, 2), f"{placement}: mean")


@claim(
    "pgc.msgages.mean",
    statement=r"\text{equal message weights}: \text{ the mean age of the update is } \tfrac s2 \text{ for every set of "
    r"stragglers}",
    source=derived("every message has mean age s/2"),
    over=sweep("1 <= n <= 10", "0 <= s < n", "S in subsets(n, s)", default="n <= 7", quick="n <= 5"),
    method="All messages of the workers outside S, at steps 0, ..., s.",
)
def pgc_msgages_mean(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """The mean age of an update does not depend on who straggles."""
    for t in range(s + 1):
        ages = [age for r in range(n) if r not in S for age in message_ages(r, t, n, s).values()]
        yield equal(Rational(sum(ages), len(ages)), Rational(s, 2), f"step {t}")


@claim(
    "pgc.recursion",
    statement=r"\text{uniformly random stragglers, cyclic, relaxed}: \mathbb E[\hat G_t\mid\text{past}]="
    r"\tfrac1{s+1}\sum_{d=0}^s\sum_jg_j(x_{t-d}), \text{ whatever the gradients}",
    source=derived("every message has mean weight 1/(s + 1), and every partition each age once"),
    hypotheses="straggler sets uniformly random and independent of the data",
    over=sweep("1 <= n <= 7", "0 <= s < n", "0 <= t <= s", default="n <= 5", quick="n <= 3"),
    method="Mean over all straggler sets; the gradient of partition j of age d is the symbol g_j_d.",
)
def pgc_recursion(n: int, s: int, t: int) -> Comparison:
    """On average a pipelined update is the gradient averaged over ages 0, ..., s."""
    import sympy

    gradient = [sympy.symbols([f"g_{j}_{d}" for d in range(s + 1)]) for j in range(n)]
    messages = [sum(gradient[j][d] for j, d in message_ages(r, t, n, s).items()) for r in range(n)]
    mean = sum(weight * message for weight, message in zip(_mean_weights(n, s), messages, strict=True))
    return equal(mean, sum(g for ages in gradient for g in ages) / (s + 1))


@claim(
    "pgc.recursion.run",
    statement=r"\text{uniformly random stragglers}: \mathbb E[x_{t+1}\mid\text{past}]=x_t-\tfrac\eta{s+1}"
    r"\sum_{d=0}^s\nabla F(x_{t-d})",
    source=derived("every message has mean weight 1/(s + 1), and every partition each age once"),
    over=sweep("1 <= n <= 5", "0 <= s < n", "S in subsets(n, s)", "0 <= t <= 4", default="t <= 3", quick="n <= 3"),
    method="Slot by slot with the gradients x^2 + j x - j^2, in rationals: S straggles before step t, all sets at step "
    "t.",
)
def pgc_recursion_run(n: int, s: int, S: tuple[int, ...], t: int) -> Comparison:
    """The protocol's next iterate, averaged over all straggler sets, after any persistent past."""
    gradients, step = _quadratic_gradients(n), Fraction(1, 8)
    ends = [
        pipelined_iterates(gradients, s, [S] * t + [last], Fraction(1, 2), step) for last in combinations(range(n), s)
    ]
    past = ends[0][: t + 1]
    fresh = [sum(g(past[max(t - d, 0)]) for g in gradients) / n for d in range(s + 1)]
    return equal(sum(x[-1] for x in ends) / len(ends), past[-1] - step * sum(fresh) / (s + 1))


@claim(
    "pgc.recursion.fractional",
    statement=FRACTIONAL + r"f_j=F:\quad x_{t+1}=x_t-\tfrac\eta{s+1}\textstyle\sum_{d=0}^s\nabla F(x_{t-d}), "
    r"\text{ whoever straggles}",
    source=derived("every message has one gradient of each age"),
    over=sweep("1 <= n <= 6", "0 <= s < n", "S in subsets(n, s)", where="n % (s + 1) == 0", quick="n <= 4"),
    method="Slot by slot with the gradient x^2 + x - 1, in rationals, S and the last s workers straggling in turn.",
)
def pgc_recursion_fractional(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """With equal functions fractional placement averages ages 0, ..., s exactly."""
    gradient, step = _quadratic_gradients(2)[1], Fraction(1, 8)
    x = pipelined_iterates([gradient] * n, s, [S, range(n - s, n)] * 3, Fraction(1, 2), step, placement="fractional")
    for t in range(6):
        ages = sum(gradient(x[max(t - d, 0)]) for d in range(s + 1))
        yield equal(x[t + 1], x[t] - step * ages / (s + 1), f"step {t}")


@claim(
    "pgc.fr.iag",
    statement=r"\text{one group, } n=s+1: \text{ pipelined gradient coding is the cyclic incremental aggregated "
    r"gradient method}",
    source=derived("slot t mod n of every worker holds partition t mod n"),
    over=sweep("1 <= n <= 7", "S in subsets(n, n - 1)", default="n <= 6", quick="n <= 4"),
    method="Slot by slot with the gradients x^2 + j x - j^2, in rationals, against a table of one gradient per "
    "function.",
)
def pgc_fr_iag(n: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """A single group runs the cyclic incremental aggregated gradient method."""
    gradients, step, start = _quadratic_gradients(n), Fraction(1, 8), Fraction(1, 2)
    found = pipelined_iterates(gradients, n - 1, [S] * (n + 2), start, step, placement="fractional")
    expected = _incremental_aggregated(gradients, n + 2, start, step)
    for t, (x, y) in enumerate(zip(found, expected, strict=True)):
        yield equal(x, y, f"iterate {t}")


@claim(
    "pgc.fr.iag.anyone",
    statement=FRACTIONAL + r"\text{the iterates do not depend on who straggles}",
    source=derived("the messages of a group are identical"),
    over=sweep(
        "1 <= n <= 6",
        "0 <= s < n",
        "S in subsets(n, s)",
        "T in subsets(n, s)",
        where="n % (s + 1) == 0",
        quick="n <= 4",
    ),
    method="Slot by slot with the gradients x^2 + j x - j^2, in rationals, S and T straggling in turn, against 0, ..., "
    "s - 1.",
)
def pgc_fr_iag_anyone(n: int, s: int, S: tuple[int, ...], T: tuple[int, ...]) -> Comparison:
    """Under fractional placement stragglers add no noise."""
    gradients, step, start = _quadratic_gradients(n), Fraction(1, 8), Fraction(1, 2)
    found = pipelined_iterates(gradients, s, [S, T] * 2, start, step, placement="fractional")
    expected = pipelined_iterates(gradients, s, [range(s)] * 4, start, step, placement="fractional")
    return equal(found[-1], expected[-1])


@claim(
    "pgc.tile",
    statement=CYCLIC + r"(s+1)\mid n, \text{ one residue class of workers without straggler}: \alpha=\mathbf1, "
    r"\text{ amplification } 1",
    source=derived("s stragglers leave one of s + 1 residue classes free, and its windows tile the circle"),
    over=sweep(
        "1 <= n <= 12",
        "0 <= s < n",
        "S in subsets(n, s)",
        where="n % (s + 1) == 0",
        default="n * s <= 36",
        quick="n <= 6",
    ),
    method="All straggler sets, in rationals.",
)
def pgc_tile(n: int, s: int, S: tuple[int, ...]) -> Iterator[Comparison]:
    """Where s + 1 divides n, the residue-class decoder makes cyclic pipelining exact."""
    code, survivors = plain_cyclic(n, s), [worker for worker in range(n) if worker not in S]
    coefficients = decoded_coefficients(code, survivors, ResidueClassDecoder())
    absolute = abs(ResidueClassDecoder().weights(code, survivors)) @ abs(code.matrix[survivors])
    yield equal(min(coefficients), 1, "smallest coefficient")
    yield equal(max(coefficients), 1, "largest coefficient")
    yield equal(max(absolute), 1, "amplification")


@claim(
    "pgc.steptime",
    statement=r"\text{exponential delays}: T_{\rm PGC}=T_{\rm IS-SGD}=t_c+\vartheta(H_n-H_s), \quad T_{\rm DGD}-T_{\rm "
    r"PGC}=\vartheta H_s",
    source=derived("expected order statistics; Su & Li 2026 find the step times nearly identical to DGD's"),
    hypotheses="independent exponential delays, drawn afresh in each step",
    over=sweep(
        "1 <= n <= 20", "0 <= s < n", default="n <= 14", quick="n <= 8", tc=("0", "1", "7/3"), mean=("1", "2/5")
    ),
    method="Order statistics as exact integrals of the distribution function.",
)
def pgc_steptime(n: int, s: int, tc: str, mean: str) -> Iterator[Comparison]:
    """A step of pipelined gradient coding takes as long as one that ignores stragglers."""
    expected = Fraction(tc) + Fraction(mean) * _mean_arrival(n, n - s)
    for scheme in ("pgc-fr", "pgc-cr", "is-sgd"):
        yield equal(gradient_coding_step_time(scheme, n, s, tc, mean), expected, scheme)
    saved = gradient_coding_step_time("dgd", n, s, tc, mean) - expected
    yield equal(saved, Fraction(mean) * harmonic_number(s), "saved against waiting for all")


@claim(
    "gc.paradox",
    statement=r"\text{exponential delays of mean } \vartheta: \text{ gradient coding is slower per step than DGD iff } "
    r"s\,t_c>\vartheta H_s, \text{ i.e. } \tfrac{t_c}\vartheta>1,\ .75,\ .6111\ (s=1,2,3)",
    source=derived("expected order statistics; that coding can be slower is observed by Su & Li 2026"),
    hypotheses="independent exponential delays, drawn afresh in each step",
    over=sweep("2 <= n <= 12", "1 <= s < n", "0 <= k <= 48", default="n <= 6", quick="k % 6 == 0"),
    method="Exact times at t_c = k/24, mean delay 1; 1 stands for slower.",
)
def gc_paradox(n: int, s: int, k: int) -> Iterator[Comparison]:
    """When gradient coding is slower per step than waiting for everyone."""
    tc = Fraction(k, 24)
    coded = (s + 1) * tc + _mean_arrival(n, n - s)
    yield equal(gradient_coding_step_time("gc-cr", n, s, tc, 1), coded, "time of a coded step")
    yield equal(int(coding_is_slower(n, s, tc, 1)), int(coded > tc + _mean_arrival(n, n)), "slower than waiting")
    yield equal(int(coding_is_slower(n, s, tc, 1)), int(tc > coding_threshold(s)), "beyond the threshold")
    if s <= 3:
        yield close(coding_threshold(s), Rational({1: "1", 2: "0.75", 3: "0.6111"}[s]), "5e-5", "threshold")


@claim(
    "gc.paradox.scaled",
    statement=r"\text{delays that scale with the load } c=s+1: \text{ slower iff } (c-1)t_c>\vartheta[H_n-c(H_n-H_s)]",
    source=derived("expected order statistics"),
    hypotheses="a worker with load c takes c(t_c + X), X exponential, drawn afresh in each step",
    over=sweep("2 <= n <= 12", "1 <= s < n", "0 <= k <= 48", default="n <= 6", quick="k % 6 == 0"),
    method="Exact times at t_c = k/24, mean delay 1; 1 stands for slower.",
)
def gc_paradox_scaled(n: int, s: int, k: int) -> Iterator[Comparison]:
    """When gradient coding is slower per step, if delays scale with the load."""
    tc = Fraction(k, 24)
    coded = (s + 1) * (tc + _mean_arrival(n, n - s))
    slower = coding_is_slower(n, s, tc, 1, delays_scale=True)
    yield equal(int(slower), int(coded > tc + _mean_arrival(n, n)), "slower than waiting")
    yield equal(int(slower), int(tc > scaled_delay_threshold(n, s)), "beyond the threshold")


@claim(
    "gc.paradox.difference",
    statement=r"T_{\rm GC}-T_{\rm DGD}=s\,t_c-\vartheta H_s, \text{ and } (c-1)t_c-\vartheta[H_n-c(H_n-H_s)],\ c=s+1, "
    r"\text{ if delays scale with the load; for all } n, s, t_c, \vartheta",
    source=derived("expected order statistics"),
    hypotheses="independent exponential delays, drawn afresh in each step",
    method="The first of m arrivals comes after theta/m on average, and the others start afresh then: induction on the "
    "arrivals. Symbols h, k for the harmonic numbers of n and of the workers that are not awaited.",
)
def gc_paradox_difference() -> Iterator[Comparison]:
    """By how much a coded step is slower than waiting for everyone, for all sizes and delays."""
    (t, theta, m), (s, h, k) = positive("t theta m"), nonnegative("s h k")
    yield from induction(
        base=equal(_awaited(theta, h, h), 0, "nobody is awaited"),
        step=equal(_awaited(theta, h, k) + theta / m, _awaited(theta, h, k - 1 / m), "one of m more"),
    )
    waiting = t + _awaited(theta, h, 0)
    yield equal((s + 1) * t + _awaited(theta, h, k) - waiting, s * t - theta * k, "delays per step")
    scaled = (s + 1) * (t + _awaited(theta, h, k))
    yield equal(scaled - waiting, s * t - theta * (h - (s + 1) * (h - k)), "delays per partition")


@claim(
    "gc.paradox.always",
    statement=r"T_{\rm GC}>T_{\rm DGD} \text{ for all } t_c>0 \text{ and } \vartheta\ge0",
    source=derived("what one might read into measurements where computing dominates"),
    over=sweep("2 <= n <= 6", "1 <= s < n", "1 <= k <= 24"),
    expected="fails",
    corrected_by="gc.paradox",
    method="Exact times at t_c = k/12, mean delay 1.",
)
def gc_paradox_always(n: int, s: int, k: int) -> Comparison:
    """Gradient coding would be slower per step than waiting for everyone, whatever the delays."""
    times = [gradient_coding_step_time(scheme, n, s, Fraction(k, 12), 1) for scheme in ("gc-cr", "dgd")]
    return greater_than(times[0], times[1])


@claim(
    "pgc.steps",
    statement=r"\text{single-mode ceilings } 52.31,\ 54.86,\ 56.03\,\%\ (s=1,2,3): \text{ a saving of } 54.85\,\% "
    r"\text{ of the steps is within reach of staleness alone for } s=2,3, \text{ not for } s=1",
    source=derived("the ceilings are attained at double roots; Su & Li 2026 report up to 54.85 %", arxiv="2607.20739"),
    over=sweep(s=(1, 2, 3)),
    method="The ceilings in 128-bit balls, which no step exceeds by delay.ceiling.largest; nothing was trained.",
)
def pgc_steps(s: int) -> Iterator[Comparison]:
    """The largest reported saving of steps is what staleness can save on a single mode."""
    saving = averaged_saving_ceiling(s).saving * 100
    yield close(saving, Rational({1: "52.31", 2: "54.86", 3: "56.03"}[s]), "5e-3", "ceiling in per cent")
    yield (less_than if s == 1 else at_least)(saving, Rational("54.85"), "the reported saving")


@claim(
    "pgc.steps.conditioned",
    statement=r"\kappa=50,\ \eta L=\tfrac1{10}: \text{ on the slowest mode staleness saves } .1,\ .2,\ .3\,\% \text{ "
    r"of the steps } (s=1,2,3)",
    source=derived("to first order the saving is a s/2, and a = 1/500"),
    over=sweep(s=(1, 2, 3)),
    method="128-bit balls.",
)
def pgc_steps_conditioned(s: int) -> Comparison:
    """On an ill-conditioned quadratic staleness saves next to nothing."""
    return close(step_saving(averaged_ages(s), Rational(1, 500)) * 100, Rational(s, 10), "5e-3")


def _mean_weights(n: int, s: int) -> list[Fraction]:
    """Return each worker's mean weight in relaxed decoding over all straggler sets, 0 counted where it is lost."""
    totals = [Fraction(0)] * n
    for survivors in combinations(range(n), n - s):
        for worker, weight in zip(survivors, RelaxedDecoder().weights(plain_cyclic(n, s), survivors), strict=True):
            totals[worker] += weight.fraction
    return [total / comb(n, s) for total in totals]


def _quadratic_gradients(n: int) -> list[Callable[[Any], Any]]:
    return [lambda x, j=j: x * x + j * x - j * j for j in range(n)]  # type: ignore[misc]


def _incremental_aggregated(gradients: Sequence[Callable[[Any], Any]], steps: int, start: Any, step: Any) -> list[Any]:
    """Return the iterates of the method that refreshes one gradient in turn and steps along the mean of all."""
    iterates, table = [start], [gradient(start) for gradient in gradients]
    for t in range(steps):
        j = t % len(gradients)
        table[j] = gradients[j](iterates[-1])
        iterates.append(iterates[-1] - step * sum(table) / len(table))
    return iterates


def _awaited(theta: Any, everyone: Any, others: Any) -> Any:
    """Return the mean delay of the last worker that is awaited, from two harmonic numbers."""
    return theta * (everyone - others)


def _mean_arrival(n: int, m: int) -> Fraction:
    """Return the mean of the m-th smallest of n exponential delays: the integral of P(fewer than m have arrived)."""
    return sum(
        (Fraction(comb(n, j) * comb(j, i) * (-1) ** i, n - j + i) for j in range(m) for i in range(j + 1)), Fraction(0)
    )
