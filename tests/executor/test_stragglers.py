import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor.delay_laws import Exponential, Pareto, ShiftedExponential, Weibull
from codedtheory.executor.delay_stream import BLOCK, SteadyStream
from codedtheory.executor.straggler_model import StragglerModel
from codedtheory.executor.stragglers import (
    BernoulliSlowdown,
    GilbertElliott,
    NoStragglers,
    PersistentStragglers,
    SlowSet,
)

LAWS = [Exponential(0.5), ShiftedExponential(1.0, 0.25), Pareto(0.1, 1.5), Weibull(2.0, 0.7)]
RANDOM = [
    *LAWS,
    BernoulliSlowdown(0.3, 4.0, 0.5),
    GilbertElliott(0.2, 0.3, 4.0, 0.5),
    PersistentStragglers([(0, 1), (2, 3, 4), (9,)], 0.2, 0.3, 4.0, 0.5),
]
MODELS = [NoStragglers(), SlowSet((1, 2), 3.0, 0.1), *RANDOM]
CHAINS = [GilbertElliott, lambda *chain: PersistentStragglers([(1,)], *chain)]
BORDERS = [0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2049, 5000]

# each check of a frequency or a distribution fails by chance with at most this probability, and its seed is fixed
ERROR = 1e-9

seeds = st.integers(0, 2**70)
steps = st.one_of(st.integers(0, 4000), st.sampled_from(BORDERS))


def named(model):
    return model if isinstance(model, str) else type(model).__name__


def rows(model, node, seed, count):
    stream = model.stream(node, seed)
    return [stream.row(step) for step in range(count)]


def hoeffding(count):
    """How far a mean of ``count`` numbers in [0, 1] may be from its expectation."""
    return math.sqrt(math.log(2 / ERROR) / (2 * count))


@pytest.mark.parametrize("model", MODELS, ids=named)
@given(seed=seeds, node=st.integers(0, 9), asked=st.lists(steps, min_size=1, max_size=8))
def test_a_row_depends_on_seed_node_and_step_only(model, seed, node, asked):
    stream = model.stream(node, seed)
    found = [stream.row(step) for step in asked]
    assert found == [model.stream(node, seed).row(step) for step in asked]
    assert found == [stream.row(step) for step in reversed(asked)][::-1]


@pytest.mark.parametrize("model", RANDOM, ids=named)
def test_rows_at_the_borders_of_blocks_are_those_of_a_stream_read_in_order(model):
    in_order = rows(model, 3, 7, 9 * BLOCK)
    assert len(set(in_order)) > 1
    stream = model.stream(3, 7)
    for step in (*BORDERS, *reversed(BORDERS), *range(5000, 9 * BLOCK)):
        assert stream.row(step) == in_order[step]
    assert [model.stream(3, 7).row(step) for step in BORDERS] == [in_order[step] for step in BORDERS]


@pytest.mark.parametrize("model", RANDOM, ids=named)
def test_no_stream_disturbs_another(model):
    alone = rows(model, 3, 7, 1100)
    others = [model.stream(node, 7) for node in range(6)]
    mixed = []
    for step in range(1100):
        found = [stream.row(step) for stream in others]
        mixed.append(found[3])
    assert mixed == alone


@pytest.mark.parametrize("model", RANDOM, ids=named)
def test_seeds_nodes_and_blocks_draw_differently(model):
    assert rows(model, 0, 1, 200) != rows(model, 0, 2, 200)
    assert rows(model, 0, 1, 200) != rows(model, 2, 1, 200)
    both = rows(model, 0, 1, 2 * BLOCK)
    assert both[:BLOCK] != both[BLOCK:]


def test_draws_are_those_of_the_documented_generators():
    for seed, node, step in ((0, 0, 0), (5, 3, 1023), (5, 3, 1024), (2**80, 12, 3000)):
        block, offset = divmod(step, 1024)
        sequence = np.random.SeedSequence(entropy=seed, spawn_key=(node, block))
        uniform = np.random.default_rng(sequence).random(1024)[offset]
        assert Exponential(2.0).stream(node, seed).row(step) == (1.0, pytest.approx(-2 * math.log1p(-uniform)))
        slow = BernoulliSlowdown(0.4, 3.0, 1.0).stream(node, seed).row(step)
        assert slow == ((3.0, 1.0) if uniform < 0.4 else (1.0, 0.0))


def exponential(t):
    return 1 - np.exp(-t / 0.5)


def shifted(t):
    return np.where(t < 1, 0, 1 - np.exp(-(t - 1) / 0.25))


def pareto(t):
    return np.where(t < 0.1, 0, 1 - (0.1 / t) ** 1.5)


def weibull(t):
    return 1 - np.exp(-((t / 2) ** 0.7))


@pytest.mark.parametrize(
    ("model", "distribution"), list(zip(LAWS, (exponential, shifted, pareto, weibull), strict=True))
)
def test_delays_have_the_law(model, distribution):
    found = [row for node in range(10) for row in rows(model, node, 11, 2000)]
    assert {slowdown for slowdown, _ in found} == {1.0}
    delays = np.sort([delay for _, delay in found])
    count = len(delays)
    expected = distribution(delays)
    above = np.max(np.arange(1, count + 1) / count - expected)
    below = np.max(expected - np.arange(count) / count)
    # Dvoretzky, Kiefer, Wolfowitz with Massart's constant: the same deviation as Hoeffding's
    assert max(above, below) <= hoeffding(count)


@pytest.mark.parametrize("model", LAWS, ids=named)
def test_nodes_and_neighbouring_steps_are_uncorrelated(model):
    median = model.quantile(np.array([0.5]))[0]
    high = np.array([[delay > median for _, delay in rows(model, node, 3, 4000)] for node in range(4)])
    pairs = [(high[0], high[1]), (high[0], high[3]), (high[2], high[3]), (high[0, 1::2], high[0, ::2])]
    for first, second in pairs:
        assert abs(np.mean(first == second) - 0.5) <= hoeffding(len(first))


@given(st.floats(1e-3, 1e3), st.floats(0.1, 50.0), seeds, steps)
def test_pareto_and_shifted_exponential_delays_never_fall_below_their_least_value(least, shape, seed, step):
    assert Pareto(least, shape).stream(1, seed).row(step)[1] >= least
    assert ShiftedExponential(least, shape).stream(1, seed).row(step)[1] >= least


@pytest.mark.parametrize("model", LAWS, ids=named)
def test_quantiles_at_both_ends_are_finite_and_increase(model):
    delays = model.quantile(np.array([0.0, 2.0**-53, 0.5, 1 - 2.0**-53]))
    assert np.all(np.isfinite(delays))
    assert np.all(np.diff(delays) >= 0)
    assert delays[0] == {"ShiftedExponential": 1.0, "Pareto": 0.1}.get(named(model), 0.0)


@pytest.mark.parametrize(
    ("model", "mean"),
    [
        (NoStragglers(), 0.0),
        (SlowSet((1,), 2.0, 0.75), 0.75),
        (Exponential(0.5), 0.5),
        (ShiftedExponential(1, 0.25), 1.25),
        (Pareto(2, 3), 3.0),
        (Pareto(2, 1), math.inf),
        (Pareto(2, 0.5), math.inf),
        (Weibull(3, 1), 3.0),
        (Weibull(3, 0.5), 6.0),
        (Weibull(1e-200, 0.0057), math.inf),
        (BernoulliSlowdown(0.25, 3.0, 2.0), 0.5),
        (GilbertElliott(0.1, 0.3, 1.0, 2.0), 0.5),
        (PersistentStragglers([(1,)], 0.1, 0.3, 1.0, 2.0), 0.5),
    ],
)
def test_mean_delay(model, mean):
    assert model.mean_delay == pytest.approx(mean)


@pytest.mark.parametrize("model", [Exponential(0.5), ShiftedExponential(1, 0.25), Pareto(2, 3), Weibull(3, 0.5)])
def test_the_mean_is_the_integral_of_the_quantile(model):
    # midpoints of a grid that becomes finer towards 1, where quantiles grow without bound
    edges = 1 - np.logspace(0, -15, 400_001)
    integral = np.sum(model.quantile((edges[:-1] + edges[1:]) / 2) * np.diff(edges))
    assert integral == pytest.approx(model.mean_delay, rel=1e-3)


def test_laws_at_the_same_seed_meet_the_same_luck():
    assert rows(Weibull(2.0, 1.0), 1, 5, 50) == rows(Exponential(2.0), 1, 5, 50)
    assert rows(Exponential(2.0), 1, 5, 50) == [(1.0, 2 * delay) for _, delay in rows(Exponential(1.0), 1, 5, 50)]


@pytest.mark.parametrize(
    "model",
    [
        Exponential(1, nodes=[4, 2]),
        ShiftedExponential(1, 1, nodes={2, 4}),
        Pareto(1, 1, nodes=range(2, 5, 2)),
        Weibull(1, 1, nodes=(2, 4)),
        BernoulliSlowdown(1, 2.0, 1.0, nodes=np.array([2, 4])),
        GilbertElliott(1, 0, 2.0, 1.0, nodes=frozenset({2, 4})),
        PersistentStragglers([[4], [2]], 1, 0, 2.0, 1.0),
        SlowSet((4, 2), 2.0, 1.0),
    ],
    ids=named,
)
def test_only_named_nodes_straggle(model):
    assert model.named_nodes == (2, 4)
    for node in range(6):
        undisturbed = [row == (1.0, 0.0) for row in rows(model, node, 1, 20)]
        assert not any(undisturbed) if node in (2, 4) else all(undisturbed)
    if not isinstance(model, PersistentStragglers | SlowSet):
        everyone = type(model)(**{name: value for name, value in vars_of(model).items() if name != "nodes"})
        assert rows(everyone, 4, 1, 20) == rows(model, 4, 1, 20)


def vars_of(model):
    return {name: getattr(model, name) for name in model.described() if name != "model"}


def test_slow_steps_multiply_the_work_and_add_the_delay():
    assert rows(NoStragglers(), 1, 0, 2) == [(1.0, 0.0)] * 2
    assert rows(SlowSet((1,), 3), 1, 0, 2) == [(3.0, 0.0)] * 2
    assert rows(BernoulliSlowdown(1, 3, 0.5), 1, 0, 2) == [(3.0, 0.5)] * 2
    assert rows(BernoulliSlowdown(0, 3, 0.5), 1, 0, 1030) == [(1.0, 0.0)] * 1030


def test_frequency_of_bernoulli_slowdowns():
    slow = [row == (4.0, 0.0) for node in range(10) for row in rows(BernoulliSlowdown(0.2, 4.0), node, 2, 3000)]
    assert abs(np.mean(slow) - 0.2) <= hoeffding(len(slow))


@pytest.mark.parametrize("chain", CHAINS)
def test_transition_frequencies(chain):
    slow = np.array([slowdown > 1 for slowdown, _ in rows(chain(0.1, 0.3, 2.0), 1, 4, 60_000)])
    before, after = slow[:-1], slow[1:]
    # each sum is a martingale with steps in an interval of length 1 (Azuma, Hoeffding)
    allowed = hoeffding(len(before)) * len(before)
    assert abs(np.sum(after[~before] - 0.1)) <= allowed
    assert abs(np.sum(~after[before] - 0.3)) <= allowed
    assert 0.1 < before.mean() < 0.4


def test_chains_start_from_their_stationary_law():
    model = GilbertElliott(0.02, 0.06, 2.0)
    streams = [model.stream(node, 9) for node in range(8000)]
    for step in (0, 1, 7):
        slow = np.mean([stream.row(step)[0] > 1 for stream in streams])
        assert abs(slow - 0.25) <= hoeffding(len(streams))


def test_chains_go_on_across_the_borders_of_blocks():
    alternating = [slowdown for slowdown, _ in rows(GilbertElliott(1, 1, 2.0), 1, 3, 3 * BLOCK)]
    assert alternating in ([1.0, 2.0] * (3 * BLOCK // 2), [2.0, 1.0] * (3 * BLOCK // 2))
    assert {rows(GilbertElliott(1, 1, 2.0), node, 3, 1)[0][0] for node in range(40)} == {1.0, 2.0}
    assert set(rows(GilbertElliott(0, 1, 2.0), 1, 3, 2 * BLOCK)) == {(1.0, 0.0)}
    assert set(rows(GilbertElliott(1, 0, 2.0), 1, 3, 2 * BLOCK)) == {(2.0, 0.0)}

    sticky = GilbertElliott(0.01, 0.01, 2.0)
    streams = [sticky.stream(node, 5) for node in range(400)]
    changed = np.mean([stream.row(BLOCK - 1) != stream.row(BLOCK) for stream in streams])
    assert changed <= 0.01 + hoeffding(len(streams))


def test_groups_are_slow_together_and_apart_from_one_another():
    model = PersistentStragglers([(1, 2, 3), (4, 5)], 0.5, 0.5, 2.0, 1.0)
    first, second = rows(model, 1, 0, 8000), rows(model, 4, 0, 8000)
    assert rows(model, 2, 0, 8000) == rows(model, 3, 0, 8000) == first
    assert rows(model, 5, 0, 8000) == second
    assert set(first) == set(second) == {(1.0, 0.0), (2.0, 1.0)}
    # with these probabilities the states are fair coins, independent over steps and groups
    assert abs(np.mean([a == b for a, b in zip(first, second, strict=True)]) - 0.5) <= hoeffding(8000)
    assert set(rows(model, 0, 0, 100)) == {(1.0, 0.0)}


def test_the_chain_of_a_group_depends_on_its_number_only():
    small = PersistentStragglers([(1,), (2,)], 0.3, 0.3, 2.0)
    large = PersistentStragglers([(1, 5, 6), (7, 2)], 0.3, 0.3, 2.0)
    assert rows(small, 2, 8, 1500) == rows(large, 7, 8, 1500)
    # and is not the chain of the node with the same number
    assert rows(small, 2, 8, 1500) != rows(GilbertElliott(0.3, 0.3, 2.0), 1, 8, 1500)


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_models_and_streams_survive_pickling(model):
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert copy == model
    assert hash(copy) == hash(model)
    stream = model.stream(3, 5)
    stream.row(1500)
    carried = pickle.loads(pickle.dumps(stream))  # noqa: S301
    assert [carried.row(step) for step in BORDERS] == [model.stream(3, 5).row(step) for step in BORDERS]


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_models_are_described_by_what_makes_them_again(model):
    described = model.described()
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    again = {name: value for name, value in described.items() if name != "model"}
    assert described["model"] == type(model).__name__
    assert type(model)(**again) == model


def test_described_names_every_parameter():
    assert SlowSet({5, 2}, 3).described() == {"model": "SlowSet", "nodes": [2, 5], "slowdown": 3.0, "delay": 0.0}
    assert Pareto(1, Fraction(3, 2)).described() == {"model": "Pareto", "scale": 1.0, "shape": 1.5, "nodes": None}
    groups = PersistentStragglers([range(1, 3), {3}], 0.1, 0.2, 2).described()["groups"]
    assert groups == [[1, 2], [3]]


def test_models_are_immutable():
    for model in MODELS[1:]:
        for name in vars_of(model):
            with pytest.raises(AttributeError):
                setattr(model, name, 1.0)


def test_models_of_ones_own():
    class EveryOther(StragglerModel):
        mean_delay = 0.5

        def _stream(self, node, seed):
            return SteadyStream((1.0, 1.0)) if node % 2 else SteadyStream()

    model = EveryOther()
    model.check_nodes(range(3))
    assert model.described() == {"model": "EveryOther"}
    assert model.stream(1, 0).row(0) == (1.0, 1.0)
    with pytest.raises(TypeError, match="abstract"):
        StragglerModel()


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_steps_before_the_first_are_refused(model):
    stream = model.stream(3, 0)
    for moved in (0, 1500):
        stream.row(moved)
        for step in (-1, -1024, -1025):
            with pytest.raises(ValueError, match=rf"step must be an integer, at least 0, received {step}$"):
                stream.row(step)


@pytest.mark.parametrize("model", RANDOM, ids=named)
def test_steps_that_are_no_integers_are_refused(model):
    stream = model.stream(3, 0)
    for step in (0.5, 3000.0, "1", None):
        with pytest.raises(TypeError):
            stream.row(step)


def test_steps_may_be_integers_of_numpy():
    for model in MODELS:
        assert model.stream(3, 0).row(np.int64(1500)) == model.stream(3, 0).row(1500)


@pytest.mark.parametrize("model", MODELS, ids=named)
@pytest.mark.parametrize(
    ("node", "seed", "error", "message"),
    [
        (-1, 0, ValueError, "node must be an integer, at least 0, received -1"),
        (1.0, 0, TypeError, "node must be an integer, at least 0, received 1.0"),
        (True, 0, TypeError, "node must be an integer, at least 0, received True"),
        (1, -3, ValueError, "seed must be an integer, at least 0, received -3"),
        (1, "7", TypeError, "seed must be an integer, at least 0, received '7'"),
        (1, None, TypeError, "seed must be an integer, at least 0, received None"),
    ],
)
def test_nodes_and_seeds_are_checked(model, node, seed, error, message):
    with pytest.raises(error) as caught:
        model.stream(node, seed)
    assert str(caught.value) == message


POSITIVE = {
    Exponential: ["mean"],
    ShiftedExponential: ["mean"],
    Pareto: ["scale", "shape"],
    Weibull: ["scale", "shape"],
}
GOOD = {
    SlowSet: {"nodes": (1,), "slowdown": 2.0, "delay": 0.0},
    Exponential: {"mean": 1.0},
    ShiftedExponential: {"shift": 0.0, "mean": 1.0},
    Pareto: {"scale": 1.0, "shape": 1.0},
    Weibull: {"scale": 1.0, "shape": 1.0},
    BernoulliSlowdown: {"probability": 0.5, "slowdown": 2.0, "delay": 0.0},
    GilbertElliott: {"to_slow": 0.5, "to_fast": 0.5, "slowdown": 2.0, "delay": 0.0},
    PersistentStragglers: {"groups": [(1,)], "to_slow": 0.5, "to_fast": 0.5, "slowdown": 2.0, "delay": 0.0},
}
WRONG = {
    "mean": [0, -1.0],
    "scale": [0.0, -1],
    "shape": [0, -0.5],
    "shift": [-0.1],
    "delay": [-1e-300, -2],
    "slowdown": [0.5, 0, -1],
    "probability": [-0.1, 1.1],
    "to_slow": [-0.1, 1.0001],
    "to_fast": [-0.1, 2],
}
SCALARS = [(model, name) for model, good in GOOD.items() for name in good if name in WRONG]


@pytest.mark.parametrize(("model", "name"), SCALARS)
def test_numbers_out_of_range_are_refused_by_name(model, name):
    model(**GOOD[model])
    for value in (*WRONG[name], math.nan, math.inf, -math.inf, 10**400):
        with pytest.raises(ValueError) as caught:
            model(**(GOOD[model] | {name: value}))
        message = str(caught.value)
        assert message.startswith(f"{name} must be a")
        assert f"received {value!r}" in message
        assert "\n" not in message


@pytest.mark.parametrize(("model", "name"), SCALARS)
@pytest.mark.parametrize("value", [True, False, "1", None, 1j, [1.0], np.array([1.0])])
def test_what_is_no_number_is_refused_by_name(model, name, value):
    with pytest.raises(TypeError, match=rf"^{name} must be a"):
        model(**(GOOD[model] | {name: value}))


@pytest.mark.parametrize("model", [model for model in GOOD if model is not PersistentStragglers])
@pytest.mark.parametrize(
    ("nodes", "error", "message"),
    [
        ("12", TypeError, "nodes must be a collection of node ids such as (1, 4), received '12'"),
        (3, TypeError, "nodes must be a collection of node ids such as (1, 4), received 3"),
        ((1, True), TypeError, "a node id in nodes must be an integer, at least 0, received True"),
        ((1.0,), TypeError, "a node id in nodes must be an integer, at least 0, received 1.0"),
        ((-2, 1), ValueError, "a node id in nodes must be an integer, at least 0, received -2"),
        ((4, 1, 4), ValueError, "nodes must name every node once, but names node 4 twice"),
    ],
)
def test_nodes_that_are_none_are_refused(model, nodes, error, message):
    with pytest.raises(error) as caught:
        model(**(GOOD[model] | {"nodes": nodes}))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        (5, TypeError, "groups must be a sequence of collections"),
        ("12", TypeError, "groups must be a sequence of collections"),
        ({(1, 2)}, TypeError, "groups must be a sequence of collections"),
        ((1, 2), TypeError, r"groups\[0\] must be a collection"),
        ([(1,), (2, -1)], ValueError, r"a node id in groups\[1\] must be an integer, at least 0, received -1"),
        ([(1, 2), (3, 1)], ValueError, "groups must name every node once, but names node 1 twice"),
        ([(1, 1)], ValueError, r"groups\[0\] must name every node once, but names node 1 twice"),
    ],
)
def test_groups_that_are_none_are_refused(groups, error, message):
    with pytest.raises(error, match=message):
        PersistentStragglers(groups, 0.5, 0.5, 2.0)


@pytest.mark.parametrize("chain", CHAINS)
def test_a_chain_that_never_moves_is_refused(chain):
    with pytest.raises(ValueError, match=r"to_slow and to_fast are both 0.*use SlowSet"):
        chain(0, 0, 2.0)


@pytest.mark.parametrize(
    ("model", "parameters", "remedy"),
    [
        (Pareto, (1.0, 0.01), "a larger shape"),
        (Pareto, (1.0, 1e-320), "a larger shape"),
        (Weibull, (1.0, 0.001), "a larger shape"),
        (Exponential, (1e308,), "smaller numbers of seconds"),
        (ShiftedExponential, (1e308, 1e307), "smaller numbers of seconds"),
        (Pareto, (1e308, 2), "smaller numbers of seconds"),
    ],
)
def test_laws_that_overflow_are_refused(model, parameters, remedy):
    with pytest.raises(ValueError, match=f"can draw delays beyond the largest double; choose {remedy}$"):
        model(*parameters)


def test_systems_that_lack_a_named_node_are_refused():
    for model in (NoStragglers(), Exponential(1.0), SlowSet((), 2.0)):
        model.check_nodes(range(2))
    for model in (
        SlowSet((1, 4), 2.0),
        PersistentStragglers([(4,), (1,)], 0.5, 0.5, 2.0),
        Exponential(1, nodes=(1, 4)),
    ):
        model.check_nodes(range(5))
        with pytest.raises(ValueError) as caught:
            model.check_nodes(range(4))
        name = type(model).__name__
        assert str(caught.value) == f"{name} names node 4, but the system has nodes 0 to 3; name nodes of the system"
    with pytest.raises(ValueError, match=r"names nodes 2, 4, but the system has nodes 1, 3; "):
        Exponential(1, nodes=(1, 2, 4)).check_nodes({3, 1})
    with pytest.raises(ValueError, match=r"names nodes 2, 4, 6, 8, 10, 12, 14, 16 and 12 more, "):
        Exponential(1, nodes=range(2, 42, 2)).check_nodes([1])
