from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from codedtheory.claims import ClaimsFileError, check, find, select
from codedtheory.claims import catalogue as catalogue_module
from codedtheory.claims.catalogue import Origin, claim_at, from_file

CLAIM = """
from codedtheory.claims import claim, derived, equal, sweep
@claim("{id}", statement="x", source=derived("x"), over=sweep("0 <= n <= 3"))
def body(n):
    "Title."
    return equal(n, n)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install a catalogue of three modules as a plugin would."""

    def write(**modules: str) -> str:
        name = f"catalogue_{abs(hash(tmp_path.name))}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "__main__.py").write_text("raise SystemExit('run only as a command')")
        for module, text in modules.items():
            (tmp_path / name / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        point = EntryPoint(name, name, catalogue_module.GROUP)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
        return name

    yield write
    for module in [module for module in sys.modules if module.startswith("catalogue_")]:
        del sys.modules[module]


@pytest.fixture
def three(package: Any) -> str:
    name: str = package(
        bacc=CLAIM.format(id="bacc.lebesgue") + CLAIM.format(id="cheb2.gap"),
        codes=CLAIM.format(id="bacc2.x") + CLAIM.format(id="gc.exact.frc") + CLAIM.format(id="gc.exact"),
    )
    return name


def ids(*targets: str) -> list[str]:
    return [entry.claim.id for entry in select(targets)]


def test_all_submodules_are_found(three: str) -> None:
    assert ids() == ["bacc.lebesgue", "cheb2.gap", "bacc2.x", "gc.exact.frc", "gc.exact"]


def test_targets(three: str) -> None:
    assert ids("cheb2.gap") == ["cheb2.gap"]
    assert ids("bacc.lebesgue", "bacc.lebesgue") == ["bacc.lebesgue"]
    assert ids("gc") == ["gc.exact.frc", "gc.exact"]
    assert ids("gc.exact") == ["gc.exact"], "an exact id is not a prefix"
    assert ids("bacc") == ["bacc.lebesgue", "cheb2.gap"], "ids that begin with bacc., and the module bacc"
    assert ids("codes") == ids(f"{three}.codes") == ["bacc2.x", "gc.exact.frc", "gc.exact"]
    assert ids(three) == ids()


@pytest.mark.parametrize(
    ("target", "advice"),
    [("bacc.lebesque", "did you mean 'bacc.lebesgue'?"), ("gc.exat", "'gc.exact'"), ("zzzz", "codedtheory list")],
)
def test_an_unknown_target_gets_the_nearest_id(three: str, target: str, advice: str) -> None:
    with pytest.raises(ValueError) as caught:
        select([target])
    assert repr(target) in str(caught.value)
    assert advice in str(caught.value)
    with pytest.raises(ValueError, match=r"did you mean|codedtheory list"):
        find(target)


def test_two_claims_with_one_id_are_refused(package: Any) -> None:
    package(one=CLAIM.format(id="same.id"), other=CLAIM.format(id="same.id"))
    with pytest.raises(ValueError, match=r"'same\.id'.*rename one"):
        select()


def test_the_same_id_twice_in_one_file_is_refused(claims_file: Any) -> None:
    with pytest.raises(ValueError, match="rename one"):
        select([claims_file(CLAIM.format(id="same.id") * 2)])


def test_a_module_that_is_no_installed_catalogue_can_be_named(three: str, tmp_path: Path) -> None:
    (tmp_path / "catalogue_loose.py").write_text(CLAIM.format(id="loose.one"))
    assert ids("catalogue_loose") == ["loose.one"]


def test_a_broken_module_is_one_line(package: Any) -> None:
    name = package(broken="def f(:\n")
    with pytest.raises(ClaimsFileError, match=f"cannot import {name}.broken: SyntaxError") as caught:
        select()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nowhere_to_be_found", "ModuleNotFoundError"),
        ("def f(:", "SyntaxError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("1 / 0", "ZeroDivisionError"),
        ("x = 1", "declares no claim"),
        ("claim('a b', statement='x', source=derived('x'))", "dotted words"),
    ],
)
def test_a_broken_file_is_one_line(claims_file: Any, text: str, message: str) -> None:
    with pytest.raises(ClaimsFileError, match=message) as caught:
        select([claims_file(text)])
    assert "my_theorem.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_says_so() -> None:
    with pytest.raises(ClaimsFileError, match=r"no such file: nowhere\.py"):
        select(["nowhere.py"])


def test_files_of_one_name_are_two_modules(tmp_path: Path) -> None:
    for part in ("a", "b"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "same.py").write_text(CLAIM.format(id=f"{part}.one"))
    assert ids(str(tmp_path / "a" / "same.py"), str(tmp_path / "b" / "same.py")) == ["a.one", "b.one"]


def test_a_file_may_import_what_lies_beside_it(claims_file: Any) -> None:
    claims_file("bound = 3", "beside_my_theorem.py")
    path = claims_file("from beside_my_theorem import bound\n" + CLAIM.format(id="with.neighbour"))
    assert check(select([path])[0].claim).verdict == "holds"


def test_workers_find_the_claim_by_name(claims_file: Any, three: str) -> None:
    entry = from_file(claims_file(CLAIM.format(id="by.name")))[0]
    assert claim_at(entry.origin, "by.name") is entry.claim
    assert claim_at(Origin("module", f"{three}.bacc"), "cheb2.gap").id == "cheb2.gap"
    with pytest.raises(ClaimsFileError, match="declares no claim"):
        claim_at(entry.origin, "by.another")


def test_the_line_that_reproduces_a_verdict_runs(claims_file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = claims_file(
        CLAIM.format(id="r.true")
        + """
@claim("r.false", statement="x", source=derived("x"), over=sweep("3 <= n <= 4", "S in subsets(n, 2)", rule=("a", "b")))
def false(n, S, rule):
    "Title."
    return at_most(n, 3 if rule == "b" else 2)
"""
    )
    true, false = (check(entry.claim) for entry in select([path]))
    assert false.counterexample == {"n": "3", "S": "(0, 1)", "rule": "a"}
    exec(false.reproduce, {})
    assert capsys.readouterr().out == "3 ≤ 2: fails · exact\n"
    exec(true.reproduce, {})
    assert capsys.readouterr().out.startswith("r.true: holds · exact · exhaustive 0≤n≤3 (4)")


def test_exact_fractions_are_reproduced(claims_file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = claims_file(
        """
@claim("r.fraction", statement="x", source=derived("x"), over=sweep(p=(Fraction(1, 2), 1)))
def half(p):
    "Title."
    return at_most(p, Fraction(1, 3))
"""
    )
    exec(check(select([path])[0].claim).reproduce, {})
    assert capsys.readouterr().out == "1/2 ≤ 1/3: fails · exact\n"
