"""Matrices from files: what is read exactly, and errors that name the place."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from codedtheory.arithmetic import Algebraic, Rational
from codedtheory.coding import plain_cyclic, read_code, read_matrix


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_numpy_files(tmp_path, suffix):
    path = tmp_path / f"code{suffix}"
    matrix = np.array([[0.1, 1.0], [2.0, 3.0]])
    if suffix == ".npy":
        np.save(path, matrix)
    else:
        np.savez(path, B=matrix)
    code = read_code(path)
    assert np.array_equal(code.matrix, matrix)
    assert code.name == f"code{suffix}"


def test_integer_arrays_are_exact(tmp_path):
    np.save(tmp_path / "code.npy", np.eye(3, dtype=np.int8))
    assert read_code(tmp_path / "code.npy").is_exact


def test_pickles_are_refused_and_never_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    np.save(tmp_path / "objects.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    (tmp_path / "raw.npy").write_bytes(pickle.dumps(Trap()))
    np.savez(tmp_path / "objects.npz", B=np.array([[Fraction(1, 2)]], dtype=object))
    for name in ("objects.npy", "raw.npy", "objects.npz"):
        with pytest.raises(ValueError, match="pickled objects are refused") as caught:
            read_matrix(tmp_path / name)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)
    assert not (tmp_path / "sprung").exists()


def test_damaged_numpy_files(tmp_path):
    (tmp_path / "empty.npy").write_bytes(b"")
    np.save(tmp_path / "whole.npy", np.eye(9))
    (tmp_path / "half.npy").write_bytes((tmp_path / "whole.npy").read_bytes()[:200])
    (tmp_path / "zip.npz").write_bytes(b"PK\x03\x04 nothing")
    np.savez(tmp_path / "two.npz", A=np.eye(2), B=np.eye(2))
    np.save(tmp_path / "text.npy", np.array([["a"]]))
    for name in ("empty.npy", "half.npy", "zip.npz", "two.npz", "text.npy"):
        with pytest.raises(ValueError, match=name) as caught:
            read_matrix(tmp_path / name)
        assert "\n" not in str(caught.value)


def test_numbers_between_commas_are_exact(tmp_path):
    path = written(tmp_path, "code.csv", "# three workers\n1/2, 1,0\n\n0, 0.1, -1 # decimals are decimals\n5e-1,0,1\n")
    matrix = read_code(path).matrix
    assert matrix[0, 0] == Rational(1, 2)
    assert matrix[1, 1] == Rational(1, 10)
    assert matrix[2, 0] == Rational(1, 2)


def test_a_code_comes_back_as_it_was(tmp_path):
    code = plain_cyclic(5, 2)
    text = "\n".join(",".join(str(x) for x in row) for row in code.matrix)
    assert read_code(written(tmp_path, "code.csv", "\ufeff" + text)) == code


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3,x\n", "line 2, column 2: 'x' is not a finite number"),
        ("1,\n", "line 1, column 2: ''"),
        ("1,1/0\n", "line 1, column 2: '1/0'"),
        ("nan,1\n", "line 1, column 1: 'nan'"),
        ("1,inf\n", "line 1, column 2: 'inf'"),
        ("1,2\n# note\n3\n", "line 3: expected 2 entries, got 1"),
        ("1,1e999999999\n", "column 2: exponent"),
        ("", "holds no matrix"),
        ("1,2\n", "must be square .*1 x 2"),
    ],
)
def test_bad_lines_are_named(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_code(written(tmp_path, "code.csv", text))


def test_binary_text_files(tmp_path):
    (tmp_path / "code.csv").write_bytes(b"1,\xff\xfe")
    with pytest.raises(ValueError, match="not a text file"):
        read_matrix(tmp_path / "code.csv")


def test_floats_that_are_not_finite(tmp_path):
    np.save(tmp_path / "code.npy", np.array([[1.0, np.nan], [0.0, 1.0]]))
    with pytest.raises(ValueError, match=r"code\.npy: matrix must be finite, got nan in row 0, column 1"):
        read_code(tmp_path / "code.npy")
    np.save(tmp_path / "none.npy", np.zeros((0, 3)))
    with pytest.raises(ValueError, match=r"got shape \(0, 3\)"):
        read_code(tmp_path / "none.npy")


def test_unknown_and_missing_files(tmp_path):
    with pytest.raises(ValueError, match="suffix must be"):
        read_matrix(tmp_path / "code.txt")
    for name in ("code.npy", "code.csv", "code.mtx"):
        with pytest.raises(FileNotFoundError):
            read_matrix(tmp_path / name)


rng = np.random.default_rng(0)
symmetric = rng.integers(-3, 4, (4, 4))
symmetric = symmetric + symmetric.T
MATRICES = {
    "real": rng.integers(-8, 9, (4, 4)) / 4,
    "integer": rng.integers(-8, 9, (3, 5)),
    "symmetric": symmetric,
    "skew": np.triu(symmetric, 1) - np.triu(symmetric, 1).T,
    "sparse": scipy.sparse.csr_matrix(np.triu(symmetric) * 0.5),
    "complex": rng.integers(-4, 5, (3, 3)) / 2 + 0.5j * rng.integers(-4, 5, (3, 3)),
    "sparse symmetric": scipy.sparse.coo_matrix(symmetric),
}


@pytest.mark.parametrize("kind", MATRICES)
def test_matrix_market_files_of_scipy(tmp_path, kind):
    path = tmp_path / "code.mtx"
    scipy.io.mmwrite(path, MATRICES[kind])
    expected = scipy.io.mmread(path)
    expected = expected.toarray() if scipy.sparse.issparse(expected) else expected
    matrix = read_matrix(path)
    assert matrix.dtype == object
    for index, value in np.ndenumerate(expected):
        parts = [Fraction(float(np.real(value))), Fraction(float(np.imag(value)))]
        assert matrix[index] == Algebraic(4, parts)


def test_matrix_market_by_hand(tmp_path):
    text = "%%MatrixMarket matrix coordinate pattern symmetric\n% comment\n3 3 3\n1 1\n2 1\n3 2\n"
    matrix = read_code(written(tmp_path, "graph.mtx", text)).matrix
    assert matrix.astype(str).tolist() == [["1", "1", "0"], ["1", "0", "1"], ["0", "1", "0"]]
    text = "%%MatrixMarket matrix array real general\n1 1\n0.1\n"
    assert read_matrix(written(tmp_path, "tenth.mtx", text))[0, 0] == Rational(1, 10)
    text = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 0 1\n"
    matrix = read_matrix(written(tmp_path, "hermitian.mtx", text))
    assert matrix[0, 1] == matrix[1, 0].conjugate()


HEADER = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected '%%MatrixMarket"),
        ("1 1\n", "line 1: expected"),
        ("%%MatrixMarket matrix coordinate quaternion general\n", "unknown format 'coordinate' or field 'quaternion'"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", "array of a pattern"),
        ("%%MatrixMarket matrix array real lower\n1 1\n", "unknown symmetry 'lower'"),
        (HEADER, "size line is missing"),
        (HEADER + "2 2\n", "line 2: expected 3 integers, got '2 2'"),
        (HEADER + "0 2 0\n", "line 2: size 0 x 2"),
        (HEADER + "999999999 999999999 0\n", "out of range"),
        (HEADER + "2 2 2\n1 1 5\n", "expected 2 entries after the size line, got 1"),
        (HEADER + "2 2 1\n3 1 5\n", r"line 3: entry \(3, 1\) lies outside 2 x 2"),
        (HEADER + "2 2 1\n1 1 x\n", "line 3, column 3: 'x'"),
        (HEADER + "2 2 1\n1 1\n", "line 3: expected 1 numbers for field real, got 0"),
        (HEADER + "2 2 1\n1 y 2\n", "line 3: expected 2 integers"),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "must be square, got 2 x 3"),
    ],
)
def test_bad_matrix_market_lines_are_named(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_matrix(written(tmp_path, "code.mtx", text))
