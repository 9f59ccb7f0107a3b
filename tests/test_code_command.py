"""The command ``codedtheory code`` on built-in codes and on matrices from files."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

from codedtheory.cli import main

THREE_WORKERS = "# three workers\n1/2,1,0\n0,1,-1\n1/2,0,1\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["code", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def by_name(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {decoder["name"]: decoder for decoder in record["decoders"]}


def test_exact_decoding_amplifies_where_relaxed_and_residue_class_decoding_do_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = run(capsys, "--construction", "cyclic-repetition", "--workers", "12", "--stragglers", "3", "--seed", "1")
    decoders = by_name(record)
    assert decoders["min-norm"]["worst_amplification"] >= 100
    assert decoders["relaxed"]["worst_amplification"] == "4/3"
    assert decoders["residue class"]["worst_amplification"] == "1"
    assert len(record["amplification_over_seeds"]) == 20
    assert record["amplification_over_seeds"][10] >= 100
    assert record["tolerance"]["holds"] is None
    assert record["tolerance"]["evidence"] == "numeric"
    assert record["recommended"].startswith("residue class")


def test_a_rational_matrix_gets_a_proof(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text(THREE_WORKERS)
    record = run(capsys, str(path), "--stragglers", "1")
    assert record["tolerance"]["holds"] is True
    assert record["tolerance"]["sets"] == 3
    # the weights are (2, -1), (1, 1) and (1, 2): worker 0 and 1 send 2(g0/2 + g1) - (g1 - g2)
    assert Fraction(by_name(record)["min-norm"]["worst_amplification"]) == 3
    assert record["worst_decoding_error"] is None


def test_a_rational_matrix_gets_a_violating_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text(THREE_WORKERS)
    record = run(capsys, str(path), "--stragglers", "2")
    assert record["tolerance"]["holds"] is False
    assert record["tolerance"]["violating"] == [0, 1]
    assert by_name(record)["min-norm"]["refusal"]
    assert Fraction(record["worst_decoding_error"]["value"]) == 3


def test_doubles_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]]))
    assert run(capsys, str(path), "--stragglers", "1")["tolerance"]["holds"] is None
    assert run(capsys, str(path), "--stragglers", "1", "--exactly")["tolerance"]["holds"] is True


def test_beyond_the_limit_there_is_a_forecast_and_a_lower_bound(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--construction", "plain-cyclic", "--workers", "10", "--stragglers", "4", "--limit", "100")
    assert main(["code", *arguments, "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert "210 straggler sets are more than --limit 100" in printed.err
    record = json.loads(printed.out)
    assert record["tolerance"] is None
    assert record["worst_decoding_error"]["lower_bound_only"] is True


@pytest.mark.parametrize(
    "arguments",
    [
        ("--construction", "cyclic-repetition", "--workers", "8", "--stragglers", "2"),
        ("--construction", "cyclic-repetition", "--workers", "12", "--stragglers", "3"),
        ("--construction", "cyclic-mds-best", "--workers", "7", "--stragglers", "2"),
        ("--construction", "polynomial-cyclic", "--workers", "6", "--stragglers", "2"),
        ("--construction", "generalised-repetition", "--workers", "7", "--stragglers", "2"),
        ("--construction", "expander", "--workers", "8", "--stragglers", "2"),
        ("--construction", "bernoulli", "--workers", "8", "--stragglers", "2"),
    ],
)
def test_tables_fit_the_page(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert main(["code", *arguments, "--redraws", "2"]) == 0
    table = capsys.readouterr().out
    assert "recommended:" in table
    assert max(map(len, table.splitlines())) <= 100


def matrix_file(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.npy"
    arrays = {
        "pickled": np.array([1, "a", None], dtype=object),
        "empty": np.zeros((0, 0)),
        "nan": np.array([[1, np.nan], [0, 1]]),
        "oblong": np.ones((2, 3)),
    }
    np.save(path, arrays[kind], allow_pickle=True)
    return path


@pytest.mark.parametrize(
    ("kind", "fragment"), [("pickled", "pickle"), ("empty", "(0, 0)"), ("nan", "nan"), ("oblong", "square")]
)
def test_bad_matrices_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, fragment: str) -> None:
    assert main(["code", str(matrix_file(tmp_path, kind)), "--stragglers", "1"]) == 2
    error = capsys.readouterr().err
    assert fragment in error
    assert error.count("\n") == 1


def test_a_file_that_only_looks_like_numpy_is_not_called_pickled(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("matrix.npy", "matrix.npz"):
        (tmp_path / name).write_text(THREE_WORKERS)
        assert main(["code", str(tmp_path / name), "--stragglers", "1"]) == 2
        error = capsys.readouterr().err
        assert "not a NumPy file" in error
        assert error.count("\n") == 1


def test_a_sparse_archive_is_told_how_to_be_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save_npz(tmp_path / "sparse.npz", csr_array(np.eye(3)))
    assert main(["code", str(tmp_path / "sparse.npz"), "--stragglers", "1"]) == 2
    assert "save .toarray()" in capsys.readouterr().err


@pytest.mark.parametrize("exactly", [(), ("--exactly",)])
def test_a_matrix_of_zeros_is_no_crash(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, exactly: tuple[str, ...]
) -> None:
    np.save(tmp_path / "zeros.npy", np.zeros((3, 3)))
    record = run(capsys, str(tmp_path / "zeros.npy"), "--stragglers", "1", *exactly)
    assert "zeros" in by_name(record)["relaxed"]["refusal"]
    assert float(record["worst_decoding_error"]["value"]) == 3
    assert record["recommended"].startswith("none")


def test_least_squares_is_recommended_where_relaxed_decoding_does_not_apply(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = run(capsys, "--construction", "bernoulli", "--workers", "12", "--stragglers", "3", "--redraws", "1")
    assert by_name(record)["relaxed"]["refusal"]
    assert record["recommended"].startswith("least squares on plain sums: no decoder is exact, amplification")


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("--construction", "plain-cyclic", "--workers", "12"), "--stragglers is missing"),
        (("--construction", "plain-cyclic", "--workers", "12", "--stragglers", "12"), "s must be below n"),
        (("--construction", "fractional-repetition", "--workers", "10", "--stragglers", "2"), "cyclic_repetition"),
        (("--construction", "cyclic", "--workers", "10", "--stragglers", "2"), "--construction must be one of"),
        (("--construction", "cyclic-repetition", "--stragglers", "2"), "--workers is missing"),
        (("no-such-file.csv", "--stragglers", "2"), "no such file"),
        (("x.csv", "--workers", "3", "--stragglers", "2"), "one or the other"),
        (("--construction", "expander", "--workers", "5", "--stragglers", "2"), "3-regular graph on 5"),
        (("--construction", "plain-cyclic", "--workers", "4", "--stragglers", "1", "--variant", "dyadic"), "--variant"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], fragment: str
) -> None:
    assert main(["code", *arguments]) == 2
    error = capsys.readouterr().err
    assert fragment in error
    assert error.count("\n") == 1


def test_a_numeral_that_is_none_is_named_with_line_and_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("1,2\n3/x,4\n")
    assert main(["code", str(path), "--stragglers", "1"]) == 2
    assert "line 2, column 1" in capsys.readouterr().err
