"""The command ``codedtheory interpolation`` against 60-digit references computed by other means."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import mpmath
import numpy as np
import pytest

from codedtheory.cli import main

DIGITS = 60


def reference_constant(nodes: list[mpmath.mpf]) -> mpmath.mpf:
    """Berrut's Lebesgue constant by golden sections from every rise of a grid, in 60 digits."""
    nodes = sorted(nodes)

    def value(x: mpmath.mpf) -> mpmath.mpf:
        terms = [1 / (x - t) for t in nodes]
        return sum(map(abs, terms)) / abs(sum((-1) ** i * t for i, t in enumerate(terms)))

    best = mpmath.mpf(1)
    for left, right in pairwise(nodes):
        grid = [left + (right - left) * k / 12 for k in range(1, 12)]
        heights = [value(x) for x in grid]
        k = max(range(len(grid)), key=heights.__getitem__)
        low, high = grid[k] - (right - left) / 12, grid[k] + (right - left) / 12
        shrink = (mpmath.sqrt(5) - 1) / 2
        a, b = high - shrink * (high - low), low + shrink * (high - low)
        fa, fb = value(a), value(b)
        # a maximum is flat: half the digits in x give all digits in the value
        while high - low > mpmath.mpf(10) ** -32:
            if fa > fb:
                high, b, fb = b, a, fa
                a = high - shrink * (high - low)
                fa = value(a)
            else:
                low, a, fa = a, b, fb
                b = low + shrink * (high - low)
                fb = value(b)
        best = max(best, fa, fb)
    return best


def enclosed(record: dict, reference: mpmath.mpf, slack: float = 1e-55) -> bool:
    """Whether an enclosure holds the reference, which is known to its last digits only."""
    with mpmath.workdps(DIGITS):
        low, high = mpmath.mpf(record["lower"]), mpmath.mpf(record["upper"])
        return bool(low - slack * abs(low) <= reference <= high + slack * abs(high))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["interpolation", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def chebyshev() -> dict[tuple[int, ...], mpmath.mpf]:
    """The Lebesgue constant of every survivor set of 11 Chebyshev points with 0 or 2 losses."""
    with mpmath.workdps(DIGITS):
        points = [mpmath.cospi(mpmath.mpf(i) / 10) for i in range(11)]
        rough = {s: reference_float(points, s) for s in combinations(range(11), 2)}
        near = [s for s, value in rough.items() if value > 0.999 * max(rough.values())]
        return {s: reference_constant([p for i, p in enumerate(points) if i not in s]) for s in [(), *near]}


def reference_float(points: list[mpmath.mpf], lost: tuple[int, ...]) -> float:
    """A grid maximum in doubles, enough to tell which sets are not the worst."""
    x = np.sort([float(p) for i, p in enumerate(points) if i not in lost])
    grid = (x[:-1, None] + np.diff(x)[:, None] * np.linspace(0.01, 0.99, 99)).ravel()
    terms = 1 / (grid[:, None] - x)
    return float((np.abs(terms).sum(1) / np.abs((terms * (-1.0) ** np.arange(len(x))).sum(1))).max())


ELEVEN = ("--nodes", "chebyshev2", "--count", "11", "--weights", "berrut", "--stragglers", "2", "--certified")


def test_lebesgue_constants_of_eleven_workers(capsys: pytest.CaptureFixture[str], chebyshev: dict) -> None:
    record = run(capsys, *ELEVEN)
    everyone, worst = record["lebesgue_constant"], record["worst"]["lebesgue_constant"]
    reference = max(value for lost, value in chebyshev.items() if lost)
    assert enclosed(everyone, chebyshev[()])
    assert enclosed(worst, reference)
    assert everyone["value"] == pytest.approx(float(chebyshev[()]), rel=1e-12)
    assert worst["value"] == pytest.approx(float(reference), rel=1e-12)
    assert chebyshev[tuple(record["worst"]["stragglers"])] == pytest.approx(reference, rel=1e-50)


def test_all_enclosures_hold_the_float_values(capsys: pytest.CaptureFixture[str]) -> None:
    record = run(capsys, *ELEVEN)
    numbers = [*record["geometry"].values(), *record["condition_numbers"].values(), *record["bounds"]]
    numbers += [bound["slack"] for bound in record["bounds"]]
    assert len(numbers) == 4 + 3 + 2 * len(record["bounds"])
    for number in numbers:
        middle = (Fraction(number["lower"]) + Fraction(number["upper"])) / 2
        assert abs(Fraction(number["value"]) / middle - 1) <= Fraction(1, 10**12)


def test_geometry_and_conditioning_of_the_worst_survivors(capsys: pytest.CaptureFixture[str]) -> None:
    record = run(capsys, *ELEVEN)
    with mpmath.workdps(DIGITS):
        x = sorted(mpmath.cospi(mpmath.mpf(i) / 10) for i in record["worst"]["survivors"])
        gaps = [b - a for a, b in pairwise(x)]
        ratios = [b / a for a, b in pairwise(gaps)]
        adjacent = max(max(r, 1 / r) for r in ratios)
        mesh = max(min(gaps[i] / gaps[i - 1], gaps[i] / gaps[i + 1]) for i in range(1, len(gaps) - 1))
        matrix = mpmath.matrix([[t**j for j in range(len(x))] for t in x])
        values = mpmath.svd_r(matrix, compute_uv=False)
        spectral = values[0] / values[len(values) - 1]
        assert enclosed(record["geometry"]["adjacent_gap_ratio"], adjacent)
        assert enclosed(record["geometry"]["mesh_ratio"], mesh)
        assert enclosed(record["geometry"]["quasi_uniformity"], max(gaps) / min(gaps))
        # the singular values are known to the digits of their computation, less the condition number
        assert enclosed(record["condition_numbers"]["vandermonde_condition_2"], spectral, 1e-50)
        inverse = matrix**-1
        for p in (1, "inf"):
            order = mpmath.inf if p == "inf" else 1
            product = mpmath.mnorm(matrix, order) * mpmath.mnorm(inverse, order)
            assert enclosed(record["condition_numbers"][f"vandermonde_condition_{p}"], product, 1e-50)


def test_nodes_file_is_read_as_decimals(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wafer.csv"
    decimals = ["-0.93", "-0.61", "-0.2", "0.05", "0.1", "0.55", "0.98"]
    path.write_text("# measured positions\nposition,reading\n" + "".join(f"{d},1\n" for d in decimals))
    record = run(capsys, "--nodes-file", str(path), "--column", "position", "--stragglers", "1", "--certified")
    with mpmath.workdps(DIGITS):
        points = [mpmath.mpf(d) for d in decimals]
        everyone = reference_constant(points)
        worst = max(reference_constant(points[:i] + points[i + 1 :]) for i in range(len(points)))
    assert enclosed(record["lebesgue_constant"], everyone)
    assert enclosed(record["worst"]["lebesgue_constant"], worst)
    assert record["lebesgue_constant"]["value"] == pytest.approx(float(everyone), rel=1e-12)


def test_table_fits_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interpolation", *ELEVEN]) == 0
    table = capsys.readouterr().out
    assert "worst stragglers: 2, 3" in table
    assert "Jahani-Nezhad" in table
    assert "Bos et al. 2013" in table
    assert max(map(len, table.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("--nodes", "chebyshev2"), "--count is missing"),
        (("--nodes", "chebychev", "--count", "5"), "--nodes must be one of"),
        (("--nodes", "chebyshev2", "--count", "5", "--stragglers", "5"), "stragglers"),
        (("--nodes", "chebyshev2", "--count", "5", "--stragglers", "-1"), "stragglers"),
        (("--nodes", "chebyshev2", "--count", "5", "--weights", "berut"), "--weights must be"),
        (("--nodes", "chebyshev2", "--count", "5", "--weights", "9"), "--weights must be at most 4"),
        (("--nodes", "chebyshev2", "--count", "0"), "0"),
        (("--nodes-file", "no-such-file.csv"), "no such file"),
        (("--nodes-file", "x.csv", "--nodes", "chebyshev1"), "one or the other"),
        (("--count", "five"), "--count"),
        (("--nodes", "chebyshev2", "--count", "60", "--stragglers", "12"), "1399358844975 survivor sets"),
        (
            ("--nodes", "chebyshev2", "--count", "5", "--stragglers", "4"),
            "--stragglers must be from 0 to 3 for 5 nodes",
        ),
        (("--nodes", "chebyshev2", "--count", "-3"), "--count must be at least 2, got -3"),
        (("--nodes", "chebyshev2", "--count", "5", "--column", "x"), "--column x is for --nodes-file"),
        (("--nodes", "chebyshev2", "--count", "5", "--bits", "99"), "add --certified"),
        (("--nodes", "chebyshev2", "--count", "5", "--bits", "20"), "got '20'"),
        (
            ("--nodes", "chebyshev2", "--count", "5", "--weights", "3", "--stragglers", "2"),
            "--weights must be at most 2",
        ),
        (
            ("--nodes", "equispaced", "--count", "1200", "--weights", "lagrange"),
            "too large for a double; add --certified",
        ),
        ((), "--nodes is missing"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], fragment: str
) -> None:
    assert main(["interpolation", *arguments]) == 2
    error = capsys.readouterr().err
    assert fragment in error
    assert error.count("\n") == 1


def test_a_constant_beyond_doubles_is_enclosed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "close.txt"
    path.write_text("0\n1e-200\n2e-200\n1\n")
    arguments = ("--nodes-file", str(path), "--weights", "lagrange", "--certified")
    record = run(capsys, *arguments)
    assert record["lebesgue_constant"]["value"] is None
    assert record["condition_numbers"]["vandermonde_condition_1"]["value"] is None
    # |x (x - e) (x - 2e)| / 2e^2 and its like are largest near 2/3, where they add up to 4/27 * 2/e^2
    low, high = (Fraction(record["lebesgue_constant"][end]) for end in ("lower", "upper"))
    assert low < Fraction(8, 27) * 10**400 * (1 + Fraction(1, 10**100)) < high * (1 + Fraction(1, 10**30))
    assert main(["interpolation", *arguments]) == 0
    table = capsys.readouterr().out
    assert "beyond doubles  in [2.96296296296296" in table
    assert "nan" not in table
    assert "inf " not in table.replace("condition inf ", "")


def test_nodes_that_almost_coincide_are_enclosed_as_well_as_it_goes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "close.txt"
    path.write_text("0\n1e-14\n2e-14\n1\n")
    record = run(capsys, "--nodes-file", str(path), "--certified")["lebesgue_constant"]
    assert Fraction(record["lower"]) < Fraction(record["value"]) + Fraction(1, 10**12)
    assert Fraction(2) < Fraction(record["lower"]) <= Fraction(record["upper"]) <= 3


def test_one_node_is_told_to_be_too_few(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("0.5\n")
    assert main(["interpolation", "--nodes-file", str(path)]) == 2
    assert "nodes must be at least 2, got 1" in capsys.readouterr().err


def test_a_numpy_file_of_objects_gets_no_advice_to_load_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    np.save(tmp_path / "objects.npy", np.array([1, None]), allow_pickle=True)
    (tmp_path / "text.npy").write_text("0.1\n0.2\n")
    for name in ("objects.npy", "text.npy"):
        assert main(["interpolation", "--nodes-file", str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert "allow_pickle" not in error
        assert "unsafe" not in error
        assert error.count("\n") == 1


def test_few_sets_of_many_nodes_are_forecast(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codedtheory.interpolation_command._WORTH_A_FORECAST", 0.0)
    monkeypatch.setattr("codedtheory.interpolation_command._LONG", 10)
    assert main(["interpolation", "--nodes", "chebyshev2", "--count", "8", "--stragglers", "1"]) == 0
    assert capsys.readouterr().err.startswith("8 survivor sets to search, about ")


def test_text_in_a_nodes_file_names_line_and_column(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "nodes.txt"
    path.write_text("0.1\n0.2\nabout three\n")
    assert main(["interpolation", "--nodes-file", str(path)]) == 2
    assert "line 3" in capsys.readouterr().err


@pytest.mark.parametrize("lines", ["0\n1\n1\n2\n", "0\n2\n1\n"])
def test_repeated_and_unsorted_nodes_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lines: str
) -> None:
    path = tmp_path / "nodes.txt"
    path.write_text(lines)
    assert main(["interpolation", "--nodes-file", str(path)]) == 2
    assert "nodes" in capsys.readouterr().err
