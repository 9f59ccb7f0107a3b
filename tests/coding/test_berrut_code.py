"""Berrut's code: published examples, exact identities, what arrival order and lost workers may not change."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, Rational, approximate, ball, cyclotomic, decimal
from codedtheory.coding import BerrutCode
from codedtheory.interpolation import chebyshev_second, equispaced, nodes_from


def berrut_value(nodes: list[Fraction], data: list[Fraction], x: Fraction) -> Fraction:
    """Evaluate Berrut's interpolant with nothing but fractions: signs by rank of the sorted nodes."""
    for node, value in zip(nodes, data, strict=True):
        if node == x:
            return value
    terms = [(-1) ** rank / (x - node) for rank, node in enumerate(sorted(nodes))]
    by_node = dict(zip(sorted(nodes), terms, strict=True))
    return sum(by_node[node] * value for node, value in zip(nodes, data, strict=True)) / sum(terms)


# -- values computed elsewhere ----------------------------------------------------------------------


def test_two_blocks_on_six_workers():
    code = BerrutCode(2, 6)
    shares = code.encode([1.0, -1.0])
    np.testing.assert_allclose(shares, np.sqrt(2) * np.cos(np.arange(6) * np.pi / 5), atol=1e-15)
    np.testing.assert_allclose(code.decode(shares**2, range(6)), [0.75, 0.75], atol=1e-15)
    alive = [0, 1, 3, 4, 5]
    np.testing.assert_allclose(code.decode(shares[alive] ** 2, alive), [0.891064, 0.770018], atol=5e-7)


def test_two_blocks_on_six_workers_exactly():
    code = BerrutCode(2, 6, arithmetic=cyclotomic(40))
    shares = code.encode([1, -1])
    assert (code.decode(shares**2, range(6)) == Rational(3, 4)).all()


def test_three_blocks_through_tanh_in_balls():
    code = BerrutCode(3, 6, arithmetic=ball(80))
    shares = code.encode([1, 2, -1])
    expected = [0.704029, 1.133665, 2.181276, 0.915188, -0.861708, -1.275458]
    np.testing.assert_allclose(approximate(shares), expected, atol=5e-7)
    alive = [5, 0, 3, 1, 4]
    answers = [shares[i].tanh() for i in alive]
    decoded = code.decode(answers, alive)
    np.testing.assert_allclose(approximate(decoded), [0.751780, 0.848314, -0.848772], atol=5e-7)
    assert all(value.rad < Rational("1e-20") for value in decoded)


def test_cardinal_functions_of_three_workers():
    # at x = sqrt(1/2) they are x(x+1)/(1+x^2), (1-x^2)/(1+x^2), x(x-1)/(1+x^2)
    code = BerrutCode(2, 3, arithmetic=cyclotomic(8))
    x = cyclotomic(8).cos_pi("1/4")
    row = code.decoding_matrix([0, 1, 2])[0]
    assert row.tolist() == [x * (x + 1) * 2 / 3, Rational(1, 3), x * (x - 1) * 2 / 3]


def test_high_precision_agrees_with_balls():
    code = BerrutCode(3, 7)
    digits = code.decoding_matrix([0, 2, 3, 6], decimal(40))
    enclosed = code.decoding_matrix([0, 2, 3, 6], ball(200))
    for a, b in zip(digits.ravel(), enclosed.ravel(), strict=True):
        assert abs(Rational(str(a)) - b) < Rational("1e-35")


@pytest.mark.parametrize("order", [1, -1])
def test_matrices_against_fractions(order):
    data_points = [Fraction(k, 7) for k in (-6, -1, 0, 5)][::order]
    worker_points = [Fraction(k, 5) for k in (-9, -4, -1, 0, 3, 6)]
    code = BerrutCode(4, 6, worker_points=worker_points, data_points=data_points, arithmetic=EXACT)
    unit = np.eye(4, dtype=int).tolist()
    E = [[berrut_value(data_points, unit[j], z) for j in range(4)] for z in worker_points]
    assert (code.encoding_matrix() == np.array(E, dtype=object)).all()
    alive = [5, 1, 0, 2]
    unit = np.eye(4, dtype=int).tolist()
    G = [[berrut_value([worker_points[i] for i in alive], unit[c], x) for c in range(4)] for x in data_points]
    assert (code.decoding_matrix(alive) == np.array(G, dtype=object)).all()


# -- exact identities -------------------------------------------------------------------------------

rational_codes = st.builds(
    lambda data, workers: BerrutCode(
        len(data), len(workers), data_points=sorted(data), worker_points=sorted(workers), arithmetic=EXACT
    ),
    st.sets(st.fractions(-2, 2, max_denominator=9), min_size=1, max_size=5),
    st.sets(st.fractions(-2, 2, max_denominator=9), min_size=2, max_size=7),
)


@settings(max_examples=40)
@given(rational_codes, st.data())
def test_rows_sum_to_one_and_constants_are_decoded(code, data):
    alive = data.draw(st.lists(st.sampled_from(range(code.workers)), min_size=1, unique=True))
    assert (code.encoding_matrix().sum(axis=1) == 1).all()
    assert (code.decoding_matrix(alive).sum(axis=1) == 1).all()
    assert code.gradient_weights(alive).sum() == 1
    assert (code.decode([Fraction(3, 7)] * len(alive), alive) == Rational(3, 7)).all()


@settings(max_examples=40)
@given(rational_codes, st.data())
def test_affine_maps_of_two_blocks_are_exact_for_odd_n(code, data):
    code = BerrutCode(2, code.workers, data_points=[-1, "1/3"], worker_points=code.worker_points, arithmetic=EXACT)
    alive = data.draw(st.lists(st.sampled_from(range(code.workers)), min_size=1, unique=True))
    identity = code.decoding_matrix(alive) @ code.encoding_matrix()[alive]
    recovery = code.recovery(alive)
    if recovery.parity == "odd":
        assert (identity == np.eye(2, dtype=int)).all()
        assert recovery.reproduced_degree == 1
    else:
        # only a block whose worker answered is free of the error (sum of weights) / D
        exact = {j for j, _ in recovery.direct}
        assert {j for j in range(2) if identity[j, j] == 1} == exact
        assert recovery.reproduced_degree == 0


def test_affine_maps_of_three_blocks_are_not_exact():
    code = BerrutCode(3, 4, data_points=[-1, 0, 2], worker_points=[-2, "-1/2", 1, 3], arithmetic=EXACT)
    assert not (code.decoding_matrix(range(4)) @ code.encoding_matrix() == np.eye(3, dtype=int)).all()


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("survivors", [[0, 1, 2, 3, 4, 5], [6, 4, 3, 1, 0], [2, 0, 5], [3]])
def test_blended_decoders_reproduce_their_degree(d, survivors):
    code = BerrutCode(2, 7, worker_points=equispaced(7), data_points=["-2/7", "1/5"], blending=d, arithmetic=EXACT)
    shares = code.encode([2, -3])[survivors]
    degree = code.recovery(survivors).reproduced_degree
    assert degree >= min(d, len(survivors) - 1)
    assert (code.decode(shares**degree, survivors) == [2**degree, (-3) ** degree]).all()
    if degree < len(survivors) - 1:
        assert not (code.decode(shares ** (degree + 1), survivors) == [2 ** (degree + 1), (-3) ** (degree + 1)]).any()


def test_half_ends_interpolate_polynomials_while_nobody_is_lost():
    code = BerrutCode(2, 4, blending="half-ends", arithmetic=cyclotomic(8))
    assert code.collisions() == []
    cubes = code.encode([1, -2]) ** 3
    assert (code.decode(cubes, range(4)) == [1, -8]).all()
    assert (code.decode(cubes[:3], range(3)) != [1, -8]).all()
    assert code.recovery([0, 1, 2]).reproduced_degree == 1
    plain = BerrutCode(2, 4, arithmetic=cyclotomic(8))
    assert (plain.decode(cubes, range(4)) != [1, -8]).any()


# -- collisions and hulls ---------------------------------------------------------------------------


def test_a_worker_at_a_data_point_is_encoded_and_decoded_directly():
    code = BerrutCode(6, 13)
    assert len(code.collisions()) == 6
    E = code.encoding_matrix()
    X = np.random.default_rng(1).normal(size=(6, 4))
    answers = np.tanh(code.encode(X))
    alive = [i for i in range(13) if i not in (0, 4)]
    decoded = code.decode(answers[alive], alive)
    for j, i in code.collisions():
        assert E[i].tolist() == np.eye(6)[j].tolist()
        assert (code.encode(X)[i] == X[j]).all()
        if i in alive:
            assert (decoded[j] == np.tanh(X[j])).all()
    assert code.recovery(alive).direct == tuple(pair for pair in code.collisions() if pair[1] in alive)


@pytest.mark.parametrize("workers", range(3, 12))
def test_hull_is_left_as_soon_as_enough_end_workers_are_lost(workers):
    # cos(pi/2K) is outside once m > N/(2K) workers of one end are lost
    N = workers - 1
    for K in range(1, 6):
        code = BerrutCode(K, workers)
        for m in range(workers):
            assert (0 in code.extrapolates(range(m, workers))) == (2 * K * m > N)


# -- order of arrival -------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(1, 6), st.integers(2, 12), st.sampled_from([None, 1, 3, "half-ends"]), st.data())
def test_arrival_order_changes_no_bit(K, W, blending, data):
    code = BerrutCode(K, W, blending=blending)
    alive = data.draw(st.lists(st.sampled_from(range(W)), min_size=1, unique=True))
    answers = np.random.default_rng(W).normal(size=(W, 3))
    in_order = sorted(alive)
    assert (code.decode(answers[alive], alive) == code.decode(answers[in_order], in_order)).all()
    matrix = code.decoding_matrix(in_order)
    assert (code.decoding_matrix(alive) == matrix[:, [in_order.index(i) for i in alive]]).all()
    weights = dict(zip(alive, code.gradient_weights(alive), strict=True))
    assert list(code.gradient_weights(in_order)) == [weights[i] for i in in_order]
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)


def test_signs_go_by_rank_and_not_by_worker():
    # worker 1 of three lost: two survivors make a line; with the signs of their indices there'd be a pole at 0
    code = BerrutCode(1, 3, arithmetic=EXACT, worker_points=[1, 0, -1], data_points=[0])
    assert code.decoding_matrix([0, 2]).tolist() == [[Rational(1, 2), Rational(1, 2)]]


def test_functional_weights():
    code = BerrutCode(3, 7, arithmetic=cyclotomic(12))
    alive = [6, 2, 0, 5]
    b = [2, Fraction(-1, 3), 0]
    assert (code.gradient_weights(alive, b) == code.decoding_matrix(alive).T @ cyclotomic(12).array(b)).all()


# -- shapes, looks and errors -----------------------------------------------------------------------


def test_blocks_of_any_shape():
    code = BerrutCode(3, 5)
    X = np.random.default_rng(2).normal(size=(3, 2, 4))
    shares = code.encode(X)
    assert shares.shape == (5, 2, 4)
    np.testing.assert_allclose(shares[:, 1, 3], code.encoding_matrix() @ X[:, 1, 3])
    assert code.decode(list(shares[[4, 2]]), [4, 2]).shape == (3, 2, 4)
    assert code.decode(shares[[3]], [3]).tolist() == [shares[3].tolist()] * 3


def test_codes_are_values():
    code = BerrutCode(3, 5, worker_points=chebyshev_second(5))
    assert code == BerrutCode(3, 5)
    assert hash(code) == hash(BerrutCode(3, 5))
    assert code != BerrutCode(3, 5, blending=1)
    assert repr(code) == "BerrutCode(3, 5)"
    assert repr(BerrutCode(2, 3, blending=2, arithmetic=EXACT, worker_points=[0, 1, 2], data_points=[0, 3])) == (
        "BerrutCode(2, 3, worker_points=Nodes(3 given nodes), data_points=Nodes(2 given nodes), "
        "blending=2, arithmetic=EXACT)"
    )
    with pytest.raises(AttributeError):
        code.workers = 6


@pytest.mark.parametrize("code", [BerrutCode(3, 5, blending=1), BerrutCode(2, 4, arithmetic=ball(80))])
def test_codes_travel_between_processes(code):
    code.encoding_matrix()
    arrived = pickle.loads(pickle.dumps(code))  # noqa: S301
    assert arrived == code
    assert arrived.arithmetic is code.arithmetic
    assert repr(arrived) == repr(code)


def test_matrices_can_be_changed_without_changing_the_code():
    code = BerrutCode(2, 4)
    code.encoding_matrix()[:] = 0
    assert (code.encoding_matrix().sum(axis=1) > 0.5).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BerrutCode(0, 5), "data_blocks must be at least 1, got 0"),
        (lambda: BerrutCode(2, 0), "workers must be at least 1, got 0"),
        (lambda: BerrutCode(2, 1), "'chebyshev2' needs at least 2 points"),
        (lambda: BerrutCode(2, 3, worker_points="chebyshev3"), "worker_points must be 'chebyshev1'"),
        (lambda: BerrutCode(2, 3, worker_points=[0.0, 0.5]), "worker_points must be 3 points, got 2"),
        (lambda: BerrutCode(2, 3, data_points=[0.5, 0.5]), "data_points: nodes must be distinct"),
        (lambda: BerrutCode(2, 3, worker_points=[0, 2, 1]), "worker_points: nodes must be strictly monotone"),
        (lambda: BerrutCode(2, 3, blending=-1), "blending must be at least 0"),
        (lambda: BerrutCode(2, 4).decode(np.ones(2), [0, 4]), r"survivors must lie in 0\.\.3, got 4"),
        (lambda: BerrutCode(2, 4).decode(np.ones(2), [1, 1]), "got 1 more than once"),
        (lambda: BerrutCode(2, 4).decode(np.ones(0), []), "survivors must not be empty"),
        (lambda: BerrutCode(2, 4).decode(np.ones(3), [0, 1]), "results must have 2 blocks"),
        (lambda: BerrutCode(2, 4).encode(np.ones((3, 2))), "X must have 2 blocks"),
        (lambda: BerrutCode(2, 4).encode([np.ones(2), np.ones(3)]), "X must be blocks of one shape"),
        (lambda: BerrutCode(2, 4).gradient_weights([0], [1, 2, 3]), "b must have 2 blocks"),
        (lambda: BerrutCode(2, 4).worst_condition_number(4), r"stragglers must be below the number of workers \(4\)"),
        (lambda: BerrutCode(2, 4).condition_number([0, 1], p=1), "p must be 'inf' or 2, got 1"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: BerrutCode(2.0, 5),
        lambda: BerrutCode(2, 5).decode(np.ones(1), [1.0]),
        lambda: BerrutCode(2, 5, arithmetic=ball(53)).encode([0.5, 1.0]),
        lambda: BerrutCode(2, 5).encode([Rational(1), Rational(2)]),
    ],
)
def test_wrong_types_are_refused(call):
    with pytest.raises(TypeError):
        call()


def test_exact_arithmetic_needs_rational_points():
    with pytest.raises(ValueError, match=r"use cyclotomic\(\d+\) or ball"):
        BerrutCode(2, 4).encoding_matrix(EXACT)


def test_doubles_are_taken_as_they_are():
    points = nodes_from(np.cos(np.arange(5) * np.pi / 4))
    code = BerrutCode(2, 5, worker_points=points)
    # the double next to cos(pi/4) isn't the cosine
    assert BerrutCode(2, 5).collisions() == [(0, 1), (1, 3)]
    assert code.collisions() == []
    np.testing.assert_allclose(code.decoding_matrix(range(5)), BerrutCode(2, 5).decoding_matrix(range(5)), atol=1e-14)
