"""Run the benchmarks and print their ratios."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

MODULES = (
    "imports",
    "linear_algebra",
    "lebesgue",
    "gradient_coding",
    "checking",
    "virtual_clock",
    "processes",
    "mpi",
)


def main() -> int:
    """Print a line a contest; the exit status tells whether every target was met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[[], *MODULES], metavar="MODULE", help=", ".join(MODULES))
    chosen = parser.parse_args().modules or MODULES
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, one BLAS thread")
    missed = 0
    for name in chosen:
        print(f"\n{name}")
        for contest in importlib.import_module(f"benchmarks.{name}").contests():
            if isinstance(contest, str):
                # why there is none
                print(f"  {contest}")
                continue
            aim = f"{'at most' if contest.at_most else 'at least'} {contest.target:g}"
            print(f"  {contest.job}\n    against {contest.peer}")
            ratio = f"{contest.ratio:.3g}x" + (" of the peer's time" if contest.at_most else " faster")
            verdict = "" if contest.met else "  MISSED"
            print(f"    {contest.ours:.4g} s / {contest.theirs:.4g} s: {ratio} (aim: {aim}){verdict}")
            if contest.remark:
                print(f"    {contest.remark}")
            sys.stdout.flush()
            missed += not contest.met
    print(f"\n{missed} target(s) missed" if missed else "\nevery target met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
