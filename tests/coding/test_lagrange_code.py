"""Lagrange codes: exact round trips over every arithmetic, fields that are barely large enough, bad input."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Modular, Rational, ball, complex_ball, cyclotomic, modular
from codedtheory.coding import LagrangeCode
from codedtheory.coding.wrong_answers import surplus_residual
from codedtheory.interpolation import roots_of_unity

PRIMES = (11, 23, 97, 2**31 - 1, 2**61 - 1, 2**64 - 59)


def polynomial_map(degree, size, modulus, rng):
    """Return a random polynomial map of a total degree as a function of integer vectors."""
    terms = [
        (int(rng.integers(1, min(modulus, 50))), [int(v) for v in rng.integers(0, size, size=k)])
        for k in [degree, *rng.integers(0, degree + 1, size=3)]
    ]

    def f(x):
        total = 0
        for coefficient, factors in terms:
            product = coefficient
            for v in factors:
                product = product * int(x[v]) % modulus
            total += product
        return total % modulus

    return f


def lagrange_value(nodes, values, x, p):
    """Interpolate over GF(p) with nothing but integers."""
    total = 0
    for i, node in enumerate(nodes):
        numerator = denominator = 1
        for k, other in enumerate(nodes):
            if k != i:
                numerator = numerator * (x - other) % p
                denominator = denominator * (node - other) % p
        total += values[i] * numerator * pow(denominator, -1, p)
    return total % p


# -- round trips ------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.sampled_from(PRIMES), st.integers(1, 3), st.integers(0, 2), st.integers(1, 3), st.integers(0, 2), st.data())
def test_any_threshold_many_answers_give_all_values(p, K, T, degree, spare, data):
    threshold = degree * (K + T - 1) + 1
    N = max(threshold, K + T) + spare
    if p < K + N:
        p = 97
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    code = LagrangeCode(K, N, privacy=T, arithmetic=modular(p))
    X = rng.integers(0, p, size=(K, 3), dtype=np.uint64)
    f = polynomial_map(degree, 3, p, rng)
    shares = code.encode(X, rng=rng if T else None)
    answers = np.array([f(share) for share in shares], dtype=np.uint64)
    alive = data.draw(st.permutations(range(N)).map(lambda order: order[:threshold]))
    assert code.decode(answers[alive], alive, degree).tolist() == [f(x) for x in X]


def test_matrices_against_integers():
    p = 31
    code = LagrangeCode(2, 5, privacy=1, worker_points=[9, 30, 4, 12, 7], data_points=[5, 0, 11], arithmetic=modular(p))
    unit = np.eye(3, dtype=int).tolist()
    E = [[lagrange_value([5, 0, 11], unit[j], a, p) for j in range(3)] for a in (9, 30, 4, 12, 7)]
    assert [[x.value for x in row] for row in code.encoding_matrix()] == E
    alive = [3, 0, 4, 1]
    nodes = [12, 9, 7]
    G = [[lagrange_value(nodes, unit[i], beta, p) for i in range(3)] + [0] for beta in (5, 0)]
    assert [[x.value for x in row] for row in code.decoding_matrix(alive, degree=1)] == G
    assert code.gradient_weights(alive, 1, b=[2, 5]).tolist() == [
        Modular(2 * G[0][i] + 5 * G[1][i], p) for i in range(4)
    ]


def test_integers_and_field_elements_agree():
    code = LagrangeCode(3, 7, arithmetic=modular(2**31 - 1))
    X = np.random.default_rng(3).integers(-(10**12), 10**12, size=(3, 4, 2))
    integers = code.encode(X)
    elements = code.encode(modular(2**31 - 1).array(X))
    assert integers.dtype == np.int64
    assert (elements == integers).all()
    small = code.encode(X.astype(np.int8))
    assert (small == code.encode(X.astype(np.int8).astype(np.int64))).all()


def test_rationals_and_cyclotomic_numbers():
    code = LagrangeCode(2, 5, arithmetic=EXACT)
    shares = code.encode([[Fraction(1, 2), 3], [Fraction(-2, 3), 5]])
    products = shares[:, 0] ** 2 * shares[:, 1]
    assert code.decode(products[[4, 1, 3, 0]], [4, 1, 3, 0], degree=3).tolist() == [Rational(3, 4), Rational(20, 9)]
    cosines = LagrangeCode(2, 4, worker_points="chebyshev2", data_points=["-1/3", "1/3"], arithmetic=cyclotomic(12))
    answers = cosines.encode([2, -5]) ** 3
    assert (cosines.decode(answers, range(4), degree=3) == [8, -125]).all()


def test_roots_of_unity_over_complex_numbers():
    field = cyclotomic(20)
    half = roots_of_unity(20).take([1, 3])
    code = LagrangeCode(2, 5, worker_points=roots_of_unity(5), data_points=half, arithmetic=field)
    answers = code.encode([2, -5]) ** 2
    assert (code.decode(answers[[4, 0, 2]], [4, 0, 2], degree=2) == [4, 25]).all()
    floats = LagrangeCode(2, 5, worker_points=roots_of_unity(5), data_points=half)
    answers = floats.encode([2.0, -5.0]) ** 2
    np.testing.assert_allclose(floats.decode(answers[[4, 0, 2]], [4, 0, 2], degree=2), [4, 25], atol=1e-12)
    balls = LagrangeCode(2, 5, worker_points=roots_of_unity(5), data_points=half, arithmetic=complex_ball(80))
    answers = balls.encode([2, -5]) ** 2
    decoded = balls.decode(answers[[4, 0, 2]], [4, 0, 2], degree=2)
    assert decoded[1].real.contains(25)
    assert decoded[1].imag.contains(0)


def test_balls_enclose_and_floats_approximate():
    rigorous = LagrangeCode(3, 7, arithmetic=ball(128))
    answers = rigorous.encode([1, 2, -1]) ** 3
    for value, true in zip(rigorous.decode(answers, range(7), degree=3), (1, 8, -1), strict=True):
        assert value.contains(true)
        assert value.rad < Rational("1e-30")
    plain = LagrangeCode(3, 8)
    answers = plain.encode([1.0, 2.0, -1.0]) ** 3
    np.testing.assert_allclose(plain.decode(answers, range(8), degree=3), [1, 8, -1], atol=1e-12)
    assert surplus_residual(plain, answers, range(8), degree=3) < 1e-10
    answers[7] += 0.5
    assert surplus_residual(plain, answers, range(8), degree=3) == pytest.approx(0.5, abs=1e-10)


# -- surplus answers --------------------------------------------------------------------------------


@pytest.mark.parametrize("arithmetic", [modular(101), EXACT, ball(96)])
def test_surplus_answers_are_checked(arithmetic):
    points = {"worker_points": range(2, 9), "data_points": range(2)}
    code = LagrangeCode(2, 7, arithmetic=arithmetic, **points)
    answers = code.encode([7, 4]) ** 2
    for value, true in zip(code.decode(answers, range(7), degree=2), (49, 16), strict=True):
        assert arithmetic.number(true) == value if arithmetic is not ball(96) else value.contains(true)
    answers[5] = answers[5] + 1
    with pytest.raises(ValueError, match="results contradict each other"):
        code.decode(answers, range(7), degree=2)
    # a wrong answer among the first three is noticed as well
    with pytest.raises(ValueError, match="results contradict each other"):
        code.decode(answers[[5, 0, 1, 2]], [5, 0, 1, 2], degree=2)


def test_a_degree_that_is_too_small_is_noticed():
    code = LagrangeCode(2, 5, arithmetic=modular(11))
    answers = code.encode(np.array([3, 5])) ** 2
    with pytest.raises(ValueError, match="check the degree"):
        code.decode(answers, range(5), degree=1)


def test_surplus_of_field_elements_has_no_size():
    code = LagrangeCode(2, 4, arithmetic=modular(7))
    with pytest.raises(ValueError, match="have no size"):
        surplus_residual(code, [1, 2, 3], [0, 1, 2], degree=1)
    exact = LagrangeCode(2, 4, arithmetic=EXACT)
    assert surplus_residual(exact, [1, 2], [0, 1], degree=1) == 0


# -- size of the field ------------------------------------------------------------------------------


@pytest.mark.parametrize(("K", "N", "T"), [(1, 2, 0), (2, 5, 0), (3, 4, 0), (2, 3, 1), (2, 5, 1), (1, 4, 2), (3, 6, 3)])
def test_fields_of_the_least_size(K, N, T):
    least = K + N if T else N
    for p in (2, 3, 5, 7, 11, 13):
        if p < least:
            with pytest.raises(ValueError, match=f"arithmetic must have at least {least} elements"):
                LagrangeCode(K, N, privacy=T, arithmetic=modular(p))
            continue
        code = LagrangeCode(K, N, privacy=T, arithmetic=modular(p))
        X = np.arange(1, K + 1)
        shares = code.encode(X, masks=np.arange(T) if T else None)
        for alive in combinations(range(N), K + T):
            assert code.decode(shares[list(alive)], alive, degree=1).tolist() == (X % p).tolist()


def test_systematic_workers_of_a_small_field():
    code = LagrangeCode(3, 5, arithmetic=modular(5))
    assert code.collisions() == [(0, 0), (1, 1), (2, 2)]
    assert code.encode(np.array([4, 2, 1]))[:3].tolist() == [4, 2, 1]


# -- looks and errors -------------------------------------------------------------------------------


def test_codes_are_values():
    code = LagrangeCode(2, 5, privacy=1, arithmetic=modular(7))
    assert repr(code) == "LagrangeCode(2, 5, privacy=1, arithmetic=modular(7))"
    assert code == LagrangeCode(2, 5, privacy=1, arithmetic=modular(7))
    assert hash(code) == hash(LagrangeCode(2, 5, privacy=1, arithmetic=modular(7)))
    assert code != LagrangeCode(2, 5, privacy=1, arithmetic=modular(11))
    assert repr(LagrangeCode(2, 3)) == "LagrangeCode(2, 3)"


FIELD = modular(11)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LagrangeCode(3, 2), "workers must be at least data_blocks"),
        (lambda: LagrangeCode(2, 3, privacy=-1), "privacy must be at least 0"),
        (lambda: LagrangeCode(2, 5, arithmetic=modular(3)), "at least 5 elements"),
        (lambda: LagrangeCode(2, 3, worker_points="chebyshev2", arithmetic=FIELD), "has no meaning in modular"),
        (lambda: LagrangeCode(2, 3, worker_points=[1, 12, 3], arithmetic=FIELD), "worker_points: nodes must be dist"),
        (lambda: LagrangeCode(2, 3, worker_points=FIELD.array([1, 2, 3])), "elements of a finite field"),
        (
            lambda: LagrangeCode(2, 4, privacy=1, worker_points=[5, 6, 1, 7], data_points=[0, 1, 2], arithmetic=FIELD),
            "worker 2 would hold block 1 in the clear",
        ),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).recovery_threshold(4), "workers must be at least 5 for degree 4"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).recovery_threshold(0), "degree must be at least 1"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).decode([1, 2], [0, 1], 2), "survivors must be at least 3"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).decode([1, 2, 3, 4], range(4), 1, 2), "at least 6 for degree 1"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).decode([1, 2], [0, 0], 1), "got 0 more than once"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).decode([1, 2, 3], [0, 1], 1), "results must have 2 blocks"),
        (lambda: LagrangeCode(2, 4, privacy=1, arithmetic=FIELD).encode([1, 2]), "pass rng or masks"),
        (lambda: LagrangeCode(2, 4, arithmetic=FIELD).encode([1, 2], masks=[1]), "masks must not be given"),
        (
            lambda: LagrangeCode(2, 4, privacy=1, arithmetic=FIELD).encode(np.ones((2, 3), int), masks=[1]),
            r"masks must have blocks of shape \(3,\)",
        ),
        (
            lambda: LagrangeCode(2, 4, privacy=1, arithmetic=EXACT).encode([1, 2], rng=np.random.default_rng(1)),
            "over EXACT no random mask hides data",
        ),
        (lambda: LagrangeCode(2, 4).decode([1.0] * 4, range(4), 1, errors=1), "exact arithmetics only, not over FLOAT"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_floats_do_not_enter_a_field():
    with pytest.raises(TypeError):
        LagrangeCode(2, 4, arithmetic=FIELD).encode([0.5, 1.0])
    assert LagrangeCode(2, 4).arithmetic is FLOAT
