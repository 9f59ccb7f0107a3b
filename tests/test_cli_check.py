from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import codedtheory
from codedtheory.cli import _terminal, main

KEYS = [
    *("id", "module", "title", "source", "wording", "verdict", "expected", "evidence", "coverage", "scope"),
    *("instances", "tightness", "worst", "counterexample", "seconds", "detail", "reproduce"),
]

THEOREMS = '''
from codedtheory.claims import at_most, claim, derived, published, sweep

@claim("my.true", statement=r"n \\le n^2", source=published("Peano 1889", wording="recalled"),
       over=sweep("2 <= N <= 14", "0 <= s < N", default="N <= 11", quick="N <= 5"), corrected_by="my.false",
       hypotheses="N is an integer", method="by counting", cost="N")
def true(N, s):
    """A straggler count stays below the number of workers."""
    return at_most(s, N)
'''

FALSE = '''
@claim("my.false", statement=r"n^2 \\le 2^n", source=derived("false"), over=sweep("0 <= n <= 9"))
def false(n):
    """Squares are at most powers of two."""
    return at_most(n**2, 2**n)
'''

RAISES = '''
@claim("my.raises", statement="x", source=derived("x"), over=sweep("0 <= n <= 9"))
def raises(n):
    """Raises."""
    return at_most(1 // (n - 4), 1)
'''


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def command(*arguments: str, claims: str = "") -> tuple[int, str, str]:
        path = tmp_path / "my_theorem.py"
        if claims:
            path.write_text(claims, encoding="utf-8")
        status = main([argument.replace("FILE", str(path)) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return command


def test_a_true_claim_exits_with_0(run: Any) -> None:
    status, out, err = run("check", "FILE", claims=THEOREMS)
    assert (status, err) == (0, "")
    assert "my.true       holds · exact · exhaustive 2≤N≤11, 0≤s<N (65)" in out
    assert out.splitlines()[-1].startswith("1 claim: 1 as expected hold; ")


def test_a_false_claim_exits_with_1_and_its_smallest_counterexample(run: Any) -> None:
    status, out, _ = run("check", "FILE", claims=THEOREMS + FALSE)
    assert status == 1
    assert "counterexample: n=3" in out
    assert "lhs = 9, rhs = 8" in out
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "\x1b" not in out


def test_json_is_one_array_of_the_agreed_keys(run: Any) -> None:
    status, out, err = run("check", "FILE", "--format", "json", "--effort", "quick", claims=THEOREMS + FALSE + RAISES)
    assert (status, err) == (1, "")
    records = json.loads(out)
    assert [list(record) for record in records] == [KEYS] * 3
    by_id = {record["id"]: record for record in records}
    assert {id: record["verdict"] for id, record in by_id.items()} == {
        "my.true": "holds",
        "my.false": "fails",
        "my.raises": "error",
    }
    assert by_id["my.true"]["scope"] == "2≤N≤5, 0≤s<N"
    assert by_id["my.true"]["instances"] == 14
    assert by_id["my.false"]["counterexample"] == {"n": "3"}
    assert by_id["my.raises"]["detail"].startswith("n=4: ZeroDivisionError")


def test_a_claim_that_is_expected_to_fail_exits_with_0(run: Any) -> None:
    known = FALSE.replace('"0 <= n <= 9")', '"0 <= n <= 9"), expected="fails"')
    status, out, _ = run("check", "FILE", claims=THEOREMS + known)
    assert status == 0
    assert "counterexample" not in out
    assert "1 as expected fail" in out


@pytest.mark.parametrize(
    ("arguments", "claims", "message"),
    [
        (("check", "nothing.like.it"), "", "no claim, module or file named 'nothing.like.it'"),
        (("explain", "nothing.like.it"), "", "no claim, module or file named"),
        (("list", "nothing.like.it"), "", "no claim, module or file named"),
        (("check", "FILE"), "1 / 0", "ZeroDivisionError: division by zero"),
        (("check", "FILE"), "x = 1", "declares no claim"),
        (("check", "nowhere.py"), "", "no such file: nowhere.py"),
        (("check", "FILE", "--jobs", "0"), THEOREMS, "--jobs"),
        (("check", "FILE", "--format", "csv"), THEOREMS, "--format"),
        (("check", "FILE", "--effort", "huge"), THEOREMS, "--effort"),
        (("check", "--nonsense"), "", "--nonsense"),
        (("explain",), "", "ID"),
        (("nonsense",), "", "nonsense"),
        (("check", "--jobs", "many"), "", "got 'many'; see 'codedtheory check --help'"),
        (("check", "--jobs=-1"), "", "got '-1'"),
        (("check", "json"), "", "module json declares no claim"),
        (("check", "/"), "", "/ is a directory"),
        (("check", "BERRUT.NOPOLE"), "", "did you mean 'berrut.nopole'?"),
        (("check", "FILE"), "from .near import LIMIT", "imported without the dot"),
        (("check", "FILE"), "x = 1\n\ny = z\n", "name 'z' is not defined (line 3)"),
        (("check", "FILE"), THEOREMS + THEOREMS, "two claims have the id 'my.true', in "),
    ],
)
def test_bad_usage_is_one_line_and_exits_with_2(
    run: Any, arguments: tuple[str, ...], claims: str, message: str
) -> None:
    status, out, err = run(*arguments, claims=claims)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("codedtheory: ")
    assert message in err


def test_list(run: Any) -> None:
    status, out, _ = run("list", "FILE", claims=THEOREMS + FALSE)
    assert status == 0
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "recalled" in out
    status, out, _ = run("list", "FILE", "--format", "json")
    assert json.loads(out)[0] == {
        "id": "my.true",
        "module": json.loads(out)[0]["module"],
        "title": "A straggler count stays below the number of workers.",
        "source": "Peano 1889",
        "wording": "recalled",
        "expected": "holds",
        "instances": 65,
    }


def test_explain(run: Any) -> None:
    status, out, _ = run("explain", "FILE", claims=THEOREMS)
    assert status == 0
    assert max(len(line) for line in out.splitlines()) <= 100
    for fact in (
        r"n \le n^2",
        "Peano 1889 (wording recalled)",
        "N is an integer",
        "by counting",
        "corrected by:   my.false",
        "quick:          2≤N≤5, 0≤s<N (14)",
        "full:           2≤N≤14, 0≤s<N (104)",
        "verdict:        holds · exact · exhaustive 2≤N≤5, 0≤s<N (14)",
        "tightness:      0.8 at N=5, s=4",
        "reproduce:      from codedtheory.claims import check, find;",
    ):
        assert fact in out
    status, out, _ = run("explain", "FILE", "--format", "json", "--effort", "full")
    record = json.loads(out)[0]
    assert record["domain"]["default"] == {"scope": "2≤N≤11, 0≤s<N", "instances": 65}
    assert record["instances"] == 104


def test_several_claims_are_explained_in_narrow_lines(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "second.py"
    second.write_text(
        (THEOREMS + FALSE).replace("my.", "second.").replace("n \\le n^2", "\\sum_k\\alpha" * 9), encoding="utf-8"
    )
    monkeypatch.setattr("codedtheory.cli._terminal", lambda: {"width": 60, "color": False})
    status, out, _ = run("explain", "FILE", str(second), claims=THEOREMS.replace("A straggler", "A very " * 12))
    assert status == 0
    assert max(len(line) for line in out.splitlines()) <= 60
    assert [line.partition(":")[0] for line in out.splitlines() if line[:1].strip()] == [
        *("my.true", "second.true", "second.false")
    ]
    stated = [line for line in out.splitlines() if "alpha" in line]
    assert len(stated) > 1
    assert all(line.count("\\alpha") == line.count("alpha") for line in stated)


def test_what_claims_print_is_kept_out_of_the_output(run: Any, tmp_path: Path) -> None:
    noisy = THEOREMS.replace("    return at_most", "    print('noise')\n    return at_most") + "print('loaded')\n"
    status, out, err = run("check", "FILE", "--format", "json", "--jobs", "1", claims=noisy)
    assert status == 0
    assert json.loads(out)[0]["verdict"] == "holds"
    assert "loaded" in err
    assert "noise" in err
    command = [sys.executable, "-m", "codedtheory", "check", str(tmp_path / "my_theorem.py"), "--format", "json"]
    slow = noisy.replace("print('noise')", "import time; time.sleep(0.05); print('noise')")
    (tmp_path / "my_theorem.py").write_text(slow, encoding="utf-8")
    pool = subprocess.run([*command, "--jobs", "2"], capture_output=True, text=True, check=False)
    assert json.loads(pool.stdout)[0]["instances"] == 65
    assert "noise" in pool.stderr


def test_modules_of_the_working_directory_are_found(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "package_of_a_test").mkdir()
    (tmp_path / "package_of_a_test" / "theorems.py").write_text(
        THEOREMS.replace("@claim", "from .limits import LIMIT\n@claim"), encoding="utf-8"
    )
    (tmp_path / "package_of_a_test" / "limits.py").write_text("LIMIT = 3\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    status, out, _ = run("check", "package_of_a_test.theorems", "--effort", "quick")
    assert (status, "my.true" in out) == (0, True)


def test_the_version_is_told(run: Any) -> None:
    assert run("--version") == (0, f"codedtheory {codedtheory.__version__}\n", "")


@pytest.mark.parametrize(("columns", "width"), [(0, 100), (17, 40), (80, 80), (200, 100)])
def test_the_table_has_the_width_of_the_terminal_if_that_makes_sense(
    monkeypatch: pytest.MonkeyPatch, columns: int, width: int
) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True, fileno=lambda: 1))
    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((columns, 24)))
    monkeypatch.setenv("NO_COLOR", "")
    assert _terminal() == {"width": width, "color": True}
    monkeypatch.setenv("NO_COLOR", "1")
    assert _terminal() == {"width": width, "color": False}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_no_traceback() -> None:
    command = f"{sys.executable} -m codedtheory interpolation --nodes chebyshev2 --count 4 > /dev/full"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("codedtheory: ")
    assert found.stderr.count("\n") == 1


def test_an_interrupt_before_the_first_claim_says_so(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("codedtheory.claims.selection.select", interrupted)
    assert run("check", "FILE", claims=THEOREMS) == (1, "", "codedtheory: interrupted\n")


def test_the_command_is_installed_and_starts_without_the_heavy_libraries(tmp_path: Path) -> None:
    path = tmp_path / "my_theorem.py"
    path.write_text(THEOREMS + FALSE, encoding="utf-8")
    code = (
        "import sys; from codedtheory.cli import main; status = main(sys.argv[1:]);"
        "assert not {'sympy', 'scipy', 'matplotlib', 'networkx'} & set(sys.modules); sys.exit(status)"
    )
    command = [sys.executable, "-c", code, "check", str(path), "--jobs", "1"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (1, "")
    module = subprocess.run([sys.executable, "-m", "codedtheory", "--help"], capture_output=True, text=True, check=True)
    for name in ("check", "list", "explain"):
        assert name in module.stdout


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "my_theorem.py"
    path.write_text(THEOREMS, encoding="utf-8")
    command = f"{sys.executable} -m codedtheory list {path} | true"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in found.stderr


def test_a_room_brings_its_own_command(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "room_of_a_test.py").write_text(
        """
import typer
app = typer.Typer(add_completion=False)

@app.callback()
def room() -> None:
    "Calculate."

@app.command()
def double(number: int) -> None:
    if number < 0:
        raise ValueError(f"number must be at least 0, received {number}")
    print(2 * number)
""",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("codedtheory.cli._ROOM_COMMANDS", {"room": "room_of_a_test", "absent": "no_such_module"})
    assert run("room", "double", "21") == (0, "42\n", "")
    assert run("room", "double", "--", "-1") == (2, "", "codedtheory: number must be at least 0, received -1\n")
    assert run("room", "nothing")[0] == 2
    assert run("absent")[0] == 2
    status, out, _ = run("--help")
    assert (status, "room" in out, "absent" in out) == (0, True, False)
    assert run("room")[0] == 2
    assert run() == (0, out, "")
