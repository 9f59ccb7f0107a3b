"""Importing a room stays cheap: heavy libraries are imported where they are used."""

import pkgutil
import subprocess
import sys

import pytest

import codedtheory

HEAVY = ("sympy", "networkx", "matplotlib", "sklearn", "simpy", "mpi4py", "cvxpy", "threadpoolctl")
ROOMS = [f"codedtheory.{module.name}" for module in pkgutil.iter_modules(codedtheory.__path__)]


def imported_with(module):
    script = f"import sys, {module}; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("module", ["codedtheory", *ROOMS])
def test_heavy_libraries_are_not_imported(module):
    assert sorted(imported_with(module) & set(HEAVY)) == []


def test_the_number_types_leave_the_slower_libraries_alone():
    loaded = imported_with("codedtheory.arithmetic")
    assert {"numpy", "flint"} <= loaded
    assert sorted(loaded & {"mpmath", "scipy", "hypothesis", "typer"}) == []
