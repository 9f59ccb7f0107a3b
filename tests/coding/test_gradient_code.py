"""Gradient codes as values: which entries they take, what they say of themselves, how they are converted."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, FLOAT, Algebraic, Ball, Modular, Rational, decimal
from codedtheory.coding import GradientCode, MinNorm, cyclic_mds, cyclic_repetition, plain_cyclic

IMAGINARY = Algebraic(4, [0, 1])


def test_kinds_of_entries():
    assert GradientCode([[1, Fraction(1, 2)], ["3/7", "0.1"]]).matrix[1, 1] == Rational(1, 10)
    assert GradientCode(np.array([[1, 2]], dtype=np.uint8)).arithmetic is EXACT
    assert GradientCode(np.array([[1, 2]], dtype=np.float32)).matrix.dtype == np.float64
    assert GradientCode([[1, 0.5]]).arithmetic is FLOAT
    assert GradientCode([[1, 0.5j]]).matrix.dtype == np.complex128
    assert GradientCode([[IMAGINARY, 1]]).arithmetic.name == "cyclotomic(4)"
    assert GradientCode([[IMAGINARY * IMAGINARY, 1]]).arithmetic is EXACT
    assert not GradientCode([[IMAGINARY, 1]]).is_real
    assert GradientCode([[Algebraic.cos_pi(Fraction(1, 4), 8)]]).is_real


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        ([[1, 2], [3]], ValueError, "rows of equal length"),
        ([1, 2], ValueError, r"got shape \(2,\)"),
        (np.zeros((0, 0)), ValueError, r"got shape \(0, 0\)"),
        ([[]], ValueError, r"got shape \(1, 0\)"),
        ([[1.0, float("nan")]], ValueError, "nan in row 0, column 1"),
        ([[1.0], [float("inf")]], ValueError, "inf in row 1, column 0"),
        ([["x"]], ValueError, "not a rational number"),
        ([[1.5, Rational(1)]], TypeError, "would not be rigorous"),
        ([[1.5j, Rational(1)]], TypeError, "do not mix"),
        ([[Ball(1, 53)]], TypeError, "decide no rank"),
        ([[Modular(1, 7)]], TypeError, "decide no rank"),
        ([[decimal(30).number(1)]], TypeError, "neither floats nor exact"),
        ([[None]], TypeError, "not a number"),
        (np.array([["a"]]), TypeError, "are no numbers"),
        (np.array([[True]]), TypeError, "are no numbers"),
    ],
)
def test_what_is_no_matrix_is_refused(matrix, error, message):
    with pytest.raises(error, match=message) as caught:
        GradientCode(matrix)
    assert "\n" not in str(caught.value)


def test_the_matrix_cannot_be_changed():
    source = np.eye(2)
    code = GradientCode(source)
    source[0, 0] = 5
    assert code.matrix[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        code.matrix[0, 0] = 2


def test_repr_states_the_parameters():
    assert repr(plain_cyclic(6, 1)) == "GradientCode(plain_cyclic(6, 1), n=6, load=1/3, EXACT)"
    assert repr(GradientCode([[1.0, 1.0, 0.0]])) == "GradientCode(matrix, n=1, partitions=3, load=2/3, FLOAT)"
    assert plain_cyclic(6, 1).stragglers == 1


def test_load_and_replication():
    code = GradientCode([[1, 1, 1], [1, 1, 0], [0, 0, 1]])
    assert code.load == 1
    assert code.replication == 2
    assert code.partitions == code.n == 3


def test_equality_and_hash_follow_the_entries():
    code = plain_cyclic(4, 1)
    assert code == GradientCode(code.matrix, name="other")
    assert hash(code) == hash(GradientCode(code.matrix, name="other"))
    assert code != plain_cyclic(4, 2)
    assert code != code.approximate()
    assert code != "plain_cyclic(4, 1)"


@pytest.mark.parametrize("code", [plain_cyclic(5, 2), cyclic_mds(5, 1), cyclic_mds(4, 1).approximate()])
def test_codes_can_be_sent_to_other_processes(code):
    code.symmetry_group  # noqa: B018  cached values travel along
    copy = pickle.loads(pickle.dumps(code))  # noqa: S301
    assert copy == code
    assert copy.name == code.name


def test_doubles_as_they_are():
    code = GradientCode([[0.1, 1.0]]).exactly()
    assert code.matrix[0, 0] == Rational(3602879701896397, 2**55)
    assert code.exactly() is code
    turned = GradientCode([[0.5 + 0.25j, 1.0]]).exactly()
    assert turned.matrix[0, 0] == Rational(1, 2) + IMAGINARY / 4
    assert turned.approximate() == GradientCode([[0.5 + 0.25j, 1.0]])


def test_doubles_nearest_to_exact_entries():
    assert GradientCode([["1/3", 1]]).approximate().matrix[0, 0] == 1 / 3
    code = cyclic_mds(5, 1)
    n = 5
    expected = [-np.exp(2j * np.pi / n), 1]
    assert np.allclose(code.approximate().matrix[0, :2], expected, rtol=0, atol=1e-15)


def test_condition_numbers():
    rng = np.random.default_rng(3)
    code = cyclic_repetition(6, 2, rng)
    rows = [0, 1, 3, 5]
    expected = np.linalg.cond(code.matrix[rows])
    assert code.condition_number(rows) == pytest.approx(expected, rel=1e-9)
    enclosed = code.exactly().condition_number(rows, 2)
    assert float(enclosed.mid.fraction) == pytest.approx(expected, rel=1e-9)
    assert GradientCode([[1, 2], [3, 4]]).condition_number([0, 1], "inf") == 21
    cyclic = cyclic_mds(5, 1).approximate()
    assert cyclic.condition_number([0, 1, 2]) == pytest.approx(np.linalg.cond(cyclic.matrix[:3]))
    with pytest.raises(ValueError, match="square"):
        cyclic.condition_number([0, 1, 2], 1)


def test_only_exact_codes_have_an_exact_decoding_space():
    with pytest.raises(TypeError, match="exactly"):
        plain_cyclic(4, 1).approximate().decoding_space  # noqa: B018


def test_the_claimed_number_of_stragglers_is_checked_for_range():
    with pytest.raises(ValueError, match="below the number of workers"):
        GradientCode([[1]], stragglers=1)


def test_one_worker():
    code = GradientCode([[2]])
    assert code.tolerates(0).holds
    assert code.max_tolerated() == 0
    assert [str(w) for w in MinNorm().weights(code, [0])] == ["1/2"]
