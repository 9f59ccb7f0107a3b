from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codedtheory.claims import at_most, check, claim, derived, select, sweep
from codedtheory.claims import runner as runner_module
from codedtheory.claims.plan import plan
from codedtheory.claims.pool import open_pool
from codedtheory.claims.progress import Progress
from codedtheory.claims.runner import run
from codedtheory.claims.worker import walk_piece

MIXED = """
@claim("m.true", statement="x", source=derived("x"), over=sweep("2 <= N <= 14", "0 <= s < N", quick="N <= 9"),
       cost="comb(N + 1, s)")
def true(N, s):
    "True."
    yield at_most(Fraction(s, N), 1)
    yield at_most(ball(64).number(Fraction(s, N)), 1)

@claim("m.false", statement="x", source=derived("x"), over=sweep("0 <= n <= 60"), expected="fails")
def false(n):
    "False from 2 to 4."
    return at_most(n**2, 2**n)

@claim("m.random", statement="x", source=derived("x"), over=samples(60, "S in subsets(20, 5)"))
def random(S, rng):
    "Random."
    return at_most(float(rng.random()) + max(S), 21)

@claim("m.raises", statement="x", source=derived("x"), over=sweep("0 <= n <= 30"))
def raises(n):
    "Raises."
    return at_most(Fraction(1, n - 17), 1)

@claim("m.open", statement="x", source=derived("x"), over=sweep("0 <= n <= 30"))
def undecided(n):
    "Undecided."
    return at_most(ball(20).number("1/3") * 3 + n if n > 11 else n, 1 + n)
"""

SLOW = """
import time
@claim("slow.one", statement="x", source=derived("x"), over=sweep("0 <= n < 4000"))
def slow(n):
    "Slow."
    time.sleep(0.02)
    return at_most(n, 4000)
"""


def comparable(verdicts: Any) -> list[Any]:
    return [replace(verdict, seconds=0.0) for verdict in verdicts]


def test_every_number_of_processes_gives_the_same_verdicts(claims_file, monkeypatch) -> None:
    entries = select([claims_file(MIXED)])
    alone = run(entries, "default", 1)
    assert [v.verdict for v in alone] == ["holds", "fails", "holds", "error", "undecided"]
    assert alone[0].total == sum(range(2, 15))
    monkeypatch.setattr(runner_module, "_WARM_UP", 0.0)
    assert comparable(run(entries, "default", 2)) == comparable(alone)
    with open_pool(1) as pool:
        assert comparable(run(entries, "default", 1, executor=pool)) == comparable(alone)


def test_pieces_that_are_handed_back_give_the_same_verdicts(claims_file, monkeypatch) -> None:
    entries = select([claims_file(MIXED)])
    alone = run(entries, "quick", 1)
    monkeypatch.setattr(runner_module, "_WARM_UP", 0.0)
    monkeypatch.setattr(runner_module, "_HAND_BACK", 0.0)
    monkeypatch.setattr("codedtheory.claims.plan._PIECES_PER_JOB", 1)
    assert comparable(run(entries, "quick", 1)) == comparable(alone)
    assert comparable(run(entries, "quick", 2)) == comparable(alone)


def test_a_worker_hands_back_at_least_one_instance(claims_file) -> None:
    entry = select([claims_file(MIXED)])[1]
    assert walk_piece(entry.origin, entry.claim.id, "quick", 3, 9, 0.0).done == 1
    assert walk_piece(entry.origin, entry.claim.id, "quick", 3, 9).done == 6


@pytest.mark.parametrize("cost", ["", ', cost="n"'])
def test_a_huge_sweep_begins_at_once_and_keeps_what_it_did(claims_file, cost) -> None:
    body = f"""
@claim("huge.one", statement="x", source=derived("x"), over=sweep("1 <= n <= 10**12"){cost})
def huge(n):
    "Huge."
    if n == 1000:
        raise KeyboardInterrupt
    return at_most(n, 10**12)
"""
    entries = select([claims_file(body)])
    assert [piece.count for piece in plan(entries, "default", 2).pieces] == [10**12 // 16] * 16
    verdict = run(entries, "default", 1)[0]
    assert (verdict.verdict, verdict.instances, verdict.total) == ("undecided", 999, 10**12)


def test_a_pool_may_begin_in_the_middle_of_a_piece(claims_file, monkeypatch) -> None:
    entries = select([claims_file(SLOW.replace("4000", "30"))])
    monkeypatch.setattr(runner_module, "_WARM_UP", 0.1)
    verdict = run(entries, "default", 2)[0]
    assert (verdict.verdict, verdict.instances) == ("holds", 30)


def test_an_interrupt_keeps_what_is_done() -> None:
    def body(n):
        if n == 37:
            raise KeyboardInterrupt
        return at_most(n, 12 if n > 30 else 99)

    declared = claim("t.i", statement="x", source=derived("x"), over=sweep("0 <= n <= 60"), title="x")(body)
    verdict = check(declared)
    assert (verdict.verdict, verdict.instances, verdict.total) == ("fails", 37, 61)
    assert "37 of 61 instances done, so perhaps not the smallest" in verdict.detail

    def sound(n):
        if n == 37:
            raise KeyboardInterrupt
        return at_most(n, 99)

    verdicts = check([replace(declared, body=sound), replace(declared, id="t.j", body=lambda n: at_most(n, 99))])
    assert [verdict.verdict for verdict in verdicts] == ["undecided", "undecided"]
    assert verdicts[0].summary.startswith("undecided (37 of 61 done)")
    assert verdicts[0].instances + verdicts[1].instances < 122


def test_an_interrupted_pool_leaves_no_process(claims_file, monkeypatch) -> None:
    entries = select([claims_file(SLOW)])
    monkeypatch.setattr(runner_module, "_WARM_UP", 0.05)
    # Pieces of one instance, so that some are done when the interrupt comes.
    monkeypatch.setattr("codedtheory.claims.plan._PIECES_PER_JOB", 2000)
    before = set(multiprocessing.active_children())

    class Interrupting(Progress):
        def advance(self, claim: int, instances: int, work: int, seconds: float) -> None:
            super().advance(claim, instances, work, seconds)
            if set(multiprocessing.active_children()) - before:
                raise KeyboardInterrupt

    verdict = run(entries, "default", 2, progress=Interrupting())[0]
    assert verdict.verdict == "undecided"
    assert 0 < verdict.instances < 4000
    assert set(multiprocessing.active_children()) == before


def test_a_worker_that_dies_is_an_error_of_its_claim_only(claims_file, monkeypatch) -> None:
    body = (
        MIXED
        + """
import os
@claim("m.dies", statement="x", source=derived("x"), over=sweep("0 <= n <= 30"))
def dies(n):
    "Ends its process."
    if n == 21:
        os._exit(3)
    return at_most(n, 30)
"""
    )
    entries = select([claims_file(body)])
    monkeypatch.setattr(runner_module, "_WARM_UP", 0.0)
    verdicts = run([entries[-1], *entries[1:3]], "quick", 2)
    assert [verdict.verdict for verdict in verdicts] == ["error", "fails", "holds"]
    assert "a worker process died" in verdicts[0].detail


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")
def test_workers_do_not_outlive_a_killed_parent(claims_file, tmp_path) -> None:
    path = claims_file(
        SLOW.replace("import time", "import os, pathlib, time").replace(
            "    time.sleep", f"    pathlib.Path({str(tmp_path)!r}, f'pid{{os.getpid()}}').touch()\n    time.sleep"
        )
    )
    command = [sys.executable, "-m", "codedtheory", "check", path, "--jobs", "2"]
    parent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while len(pids := [int(file.name[3:]) for file in tmp_path.glob("pid*")]) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    while any(_runs(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Tell whether a process exists and is not only waiting to be reaped."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_threads_and_forks_are_refused(claims_file) -> None:
    entries = select([claims_file(MIXED)])
    with ThreadPoolExecutor(1) as threads, pytest.raises(TypeError, match="thread pool"):
        run(entries, "quick", executor=threads)
    with pytest.raises(TypeError, match="spawn"):
        run(entries, "quick", executor=ProcessPoolExecutor(1, multiprocessing.get_context("fork")))
    with pytest.raises(TypeError, match="submit"):
        run(entries, "quick", executor=object())

    class Disguised:
        """A thread pool that is not called so."""

        def __init__(self) -> None:
            self.pool = ThreadPoolExecutor(1)

        def submit(self, *task: Any) -> Future[Any]:
            return self.pool.submit(*task)

    disguised = Disguised()
    with disguised.pool, pytest.raises(TypeError, match="process pool"):
        run(entries, "quick", executor=disguised)


def test_workers_have_one_blas_thread_and_the_parent_keeps_its_own(monkeypatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    with open_pool(1) as pool:
        inside = [pool.submit(os.getenv, name).result() for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")]
    assert inside == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def test_claims_that_no_other_process_can_import_need_one_job() -> None:
    declared = claim("t.s", statement="x", source=derived("x"), title="x")(lambda: at_most(1, 2))
    assert check(declared).verdict == "holds"
    twin = replace(declared, body=lambda: at_most(2, 1))
    with pytest.raises(ValueError, match="jobs=1"):
        check(twin, jobs=2)
    assert check(twin).verdict == "fails"


def test_a_corrupted_twin_is_never_swapped_for_the_original(claims_file) -> None:
    entry = select([claims_file(MIXED)])[0]
    twin = replace(entry.claim, body=lambda N, s: at_most(s, 1))
    with pytest.raises(ValueError, match="jobs=1"):
        check(twin, "quick", jobs=2)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True, "2"])
def test_jobs_are_a_positive_integer(jobs: Any) -> None:
    with pytest.raises(ValueError, match="jobs must be"):
        run([], "quick", jobs)


def test_check_takes_claims() -> None:
    with pytest.raises(TypeError, match="@claim"):
        check([lambda: None])
    with pytest.raises(TypeError, match=r"use find\('bacc.leb'\)"):
        check("bacc.leb")
    with pytest.raises(TypeError, match="received 5"):
        check(5)
    with pytest.raises(ValueError, match="effort"):
        check([], effort="huge")
    assert list(check([])) == []


def test_long_runs_are_forecast(claims_file, monkeypatch, capsys) -> None:
    monkeypatch.setattr("codedtheory.claims.progress._FIRST_LOOK", 0.05)

    class Stopping(Progress):
        def advance(self, claim: int, instances: int, work: int, seconds: float) -> None:
            super().advance(claim, instances, work, seconds)
            if self._announced:
                raise KeyboardInterrupt

    monkeypatch.setattr("codedtheory.claims.plan._PIECES_PER_JOB", 2000)
    run(select([claims_file(SLOW)]), "default", 1, progress=Stopping(sys.stderr))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("4000 instances, about ")
    assert printed.err.count("\n") == 1


def test_a_forecast_waits_until_enough_claims_have_begun(claims_file, monkeypatch, capsys) -> None:
    body = "".join(
        f"""
@claim("many.c{k}", statement="x", source=derived("x"), over=sweep("0 <= n < 40"))
def claim_{k}(n):
    "One of many."
    return at_most(n, 40)
"""
        for k in range(8)
    )
    monkeypatch.setattr("codedtheory.claims.progress._FIRST_LOOK", 0.0)
    entries = select([claims_file(body)])
    progress = Progress(sys.stderr)
    progress.start(plan(entries, "default", 1), 1)
    progress.advance(0, 5, 5, 500.0)
    assert capsys.readouterr().err == ""
    progress.advance(1, 5, 5, 0.5)
    assert capsys.readouterr().err.endswith(" with 1 process\n")
