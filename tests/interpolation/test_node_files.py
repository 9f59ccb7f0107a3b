"""Nodes from files: decimals as written, and errors that say where."""

import numpy as np
import pytest

from codedtheory.arithmetic import EXACT, Rational
from codedtheory.interpolation import read_nodes


def write(tmp_path, text, name="nodes.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("0\n0.1\n1/3\n", None),
        ("# a comment\n\nx\n0 # the first\n0.1\n1/3\n", None),
        ("x,y\n0,7\n0.1,8\n1/3,9\n", "x"),
        ("7;0\n8;0.1\n9;1/3", 1),
        ("7\t0e0\r\n8\t1e-1\r\n9\t1/3\r\n", 1),
        ('"name" "x"\n1 0\n2 0.10\n3 2/6\n', "x"),
    ],
)
def test_decimals_are_read_as_decimals(tmp_path, text, column):
    nodes = read_nodes(write(tmp_path, text), column)
    assert nodes.over(EXACT).tolist() == [Rational(0), Rational(1, 10), Rational(1, 3)]


def test_numpy_files_hold_doubles(tmp_path):
    path = tmp_path / "nodes.npy"
    np.save(path, np.array([0.0, 0.1]))
    assert read_nodes(path).over(EXACT)[1] == Rational(3602879701896397, 2**55)
    np.save(path, np.array([[1.0, 0.0], [2.0, 0.1]]))
    assert np.asarray(read_nodes(path, column=1)).tolist() == [0.0, 0.1]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("0\n1\ntwo\n", None, "line 3, column 1: 'two' is not a rational number"),
        ("a,b\n0,1\n1,x\n", "b", "line 3, column 2: 'x'"),
        ("0\nnan\n", None, "line 2, column 1: 'nan'"),
        ("", None, "holds no numbers"),
        ("x\n", None, "holds no numbers"),
        ("a,b\n1,2\n", None, r"column must be given.*2 of them \(named a, b\)"),
        ("1,2\n", None, r"column must be given.*\(0 to 1\)"),
        ("a,b\n1,2\n", "c", "column 'c' is not in .*named a, b"),
        ("1,2\n", "x", "column 'x' is not in"),
        ("1,2\n", 2, "column must be from 0 to 1"),
        ("1,2\n3\n", 0, "line 2: 1 columns where line 1 has 2"),
        ("0\n2\n1\n", None, r"nodes\[1\] and nodes\[2\] \(2, 1\) break the order"),
        ("0\n0.0\n", None, "are both 0; drop one"),
    ],
)
def test_errors_name_file_and_place(tmp_path, text, column, message):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=message) as caught:
        read_nodes(path, column)
    assert "nodes.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pickle_is_not_opened(tmp_path):
    path = tmp_path / "evil.npy"
    np.save(path, np.array([object()]), allow_pickle=True)
    with pytest.raises(ValueError, match=r"evil.npy is not a readable NumPy file"):
        read_nodes(path)


def test_binary_and_complex_files_are_refused(tmp_path):
    path = tmp_path / "noise.txt"
    path.write_bytes(bytes([0xFF, 0xFE, 0x80]))
    with pytest.raises(ValueError, match="not a text file of numbers"):
        read_nodes(path)
    np.save(tmp_path / "c.npy", np.array([1j]))
    with pytest.raises(ValueError, match="array of real numbers, got complex128"):
        read_nodes(tmp_path / "c.npy")
