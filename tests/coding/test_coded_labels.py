"""Coded targets and the loss that reads them: sums of 1, entries outside [0, 1], gradients by differences."""

from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, cyclotomic
from codedtheory.coding import BerrutCode, LagrangeCode
from codedtheory.coding.coded_labels import coded_labels, decided_classes, one_hot, sigmoid_cross_entropy


def test_exact_rows_sum_to_one_and_leave_the_unit_interval():
    code = BerrutCode(3, 6, arithmetic=cyclotomic(60))
    Y = one_hot([[0, 1], [2, 2], [1, 0]], classes=3)
    targets = coded_labels(code, Y)
    assert targets.shape == (6, 2, 3)
    assert (targets.sum(axis=-1) == 1).all()
    assert any(t < 0 for t in targets.ravel())
    assert any(t > 1 for t in targets.ravel())
    assert (targets == np.tensordot(code.encoding_matrix(), Y.astype(object), axes=(1, 0))).all()


def test_worker_at_a_data_point_gets_plain_labels():
    Y = one_hot([[0], [1], [0]], classes=2)
    assert coded_labels(BerrutCode(3, 5), Y)[2].tolist() == Y[1].tolist()


def test_lagrange_codes_combine_labels_too():
    code = LagrangeCode(2, 3, arithmetic=EXACT)
    assert (coded_labels(code, one_hot([[0], [1]], 2)).sum(axis=-1) == 1).all()


@pytest.mark.parametrize("scale", [1.0, 30.0, 800.0])
def test_loss_and_gradient_for_targets_outside_the_unit_interval(scale):
    rng = np.random.default_rng(4)
    v, t = scale * rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    loss, gradient = sigmoid_cross_entropy(v, t)
    # log(1 + e^v) - t v = (1 - t) v + log(1 + e^-v) where e^v would overflow
    reference = np.where(v > 30, (1 - t) * v, np.log1p(np.exp(np.minimum(v, 30.0))) - t * v).sum() / 5
    assert loss == pytest.approx(reference, rel=1e-12)
    sigmoid = 1 / (1 + np.exp(-np.clip(v, -700, 700)))
    np.testing.assert_allclose(gradient, (sigmoid - t) / 5, atol=1e-15)


def test_gradient_is_the_derivative():
    v, t = np.array([[0.3, -1.2]]), np.array([[-0.4, 1.4]])
    _, gradient = sigmoid_cross_entropy(v, t)
    for c in range(2):
        step = np.zeros((1, 2))
        step[0, c] = 1e-5
        slope = (sigmoid_cross_entropy(v + step, t)[0] - sigmoid_cross_entropy(v - step, t)[0]) / 2e-5
        # the third derivative of softplus is below 1/8, and rounding adds 1e-11
        assert gradient[0, c] == pytest.approx(slope, abs=3e-11)


def test_gradient_is_affine_in_the_target():
    # so that decoding gradients of coded targets mixes targets linearly, which softmax would not
    v = np.array([[0.3, -1.2]])
    a, b = (sigmoid_cross_entropy(v, t)[1] for t in (np.array([[-2.0, 3.0]]), np.array([[1.0, 0.0]])))
    mixed = sigmoid_cross_entropy(v, 0.25 * np.array([[-2.0, 3.0]]) + 0.75 * np.array([[1.0, 0.0]]))[1]
    np.testing.assert_allclose(mixed, 0.25 * a + 0.75 * b, atol=1e-15)


def test_loss_is_unbounded_below_for_negative_targets():
    assert sigmoid_cross_entropy([[-1000.0]], [[-1.0]])[0] == -1000.0


def test_decisions():
    assert decided_classes([[[0.5, 0.5]], [[-3.0, -2.0]]]).tolist() == [[0], [1]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: one_hot([0, 3], 3), ValueError, r"labels must lie in 0\.\.2, got 0\.\.3"),
        (lambda: one_hot([0.0], 3), TypeError, "labels must be integers, got an array of float64"),
        (lambda: coded_labels(BerrutCode(2, 3), np.eye(3)), ValueError, r"Y must have shape \(2, ..., classes\)"),
        (lambda: coded_labels(BerrutCode(2, 3), [[1, 1], [1, 0]]), ValueError, "rows of Y must sum to 1, got 2"),
        (lambda: coded_labels(BerrutCode(2, 3), [[0.5, 0.4], [1, 0]]), ValueError, "rows of Y must sum to 1, got 0.9"),
        (
            lambda: coded_labels(BerrutCode(2, 3), np.array([[Fraction(1, 2)] * 3, [1, 0, 0]])),
            ValueError,
            "rows of Y must sum to 1, got 3/2",
        ),
        (lambda: sigmoid_cross_entropy([[1.0]], [[1.0, 2.0]]), ValueError, "must have one non-empty shape"),
        (lambda: decided_classes([np.nan, 1.0]), ValueError, "outputs must not contain NaN"),
    ],
)
def test_bad_values_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
