"""Which claims a target names: an id, the beginning of ids, a module, or a file."""

from __future__ import annotations

import difflib
import importlib.util
import os
import sys
from collections.abc import Sequence

from codedtheory.claims.catalogue import Entry, distinct, from_file, from_module, installed
from codedtheory.claims.claim import Claim

__all__ = ["find", "look_in_working_directory", "select"]


def select(targets: Sequence[str] = ()) -> list[Entry]:
    """Return the entries that the targets name, in the order of the targets; without targets all installed claims.

    Parameters
    ----------
    targets : sequence of str
        Each an id (``bacc.lebesgue``), the beginning of ids up to a dot (``bacc``), a module (``bacc`` or
        ``proofs_check.bacc``) or a file (``my_theorem.py``).

    Raises
    ------
    ValueError
        For a target that names nothing, with the nearest id.
    """
    catalogue: list[Entry] | None = None
    chosen: list[Entry] = []
    for target in targets:
        if _is_file(target):
            chosen += from_file(target)
            continue
        if catalogue is None:
            catalogue = installed()
        chosen += _named(target, catalogue)
    if not targets:
        return installed()
    return distinct(chosen)


def find(id: str, where: str | None = None) -> Claim:
    """Return the claim with this id.

    Parameters
    ----------
    id : str
    where : str, optional
        The module or the file that declares it; by default any installed catalogue.

    Raises
    ------
    ValueError
        If there is none.
    """
    entries = installed() if where is None else _declared_at(where)
    for entry in entries:
        if entry.claim.id == id:
            return entry.claim
    raise ValueError(_unknown(id, entries))


def look_in_working_directory() -> None:
    """Let a script import what lies in the working directory, as ``python -m`` does, after all that is installed."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _declared_at(where: str) -> list[Entry]:
    return from_file(where) if _is_file(where) else from_module(where)


def _is_file(target: str) -> bool:
    return target.endswith(".py") or os.sep in target


def _named(target: str, catalogue: Sequence[Entry]) -> list[Entry]:
    exact = [entry for entry in catalogue if entry.claim.id == target]
    found = exact or [entry for entry in catalogue if _covers(target, entry)]
    if found:
        return found
    if not _importable(target):
        raise ValueError(_unknown(target, catalogue))
    found = from_module(target)
    if not found:
        raise ValueError(f"module {target} declares no claim; decorate a function with @claim(...)")
    return found


def _covers(target: str, entry: Entry) -> bool:
    module = entry.claim.module
    return (
        entry.claim.id.startswith(f"{target}.")
        or module == target
        or module.startswith(f"{target}.")
        or module.rpartition(".")[2] == target
    )


def _importable(target: str) -> bool:
    look_in_working_directory()
    try:
        return importlib.util.find_spec(target) is not None
    except (ImportError, ValueError):
        return False


def _unknown(target: str, catalogue: Sequence[Entry]) -> str:
    ids = [entry.claim.id for entry in catalogue]
    names = {*ids, *(id.rpartition(".")[0] for id in ids), *(entry.claim.module for entry in catalogue)} - {""}
    folded = {name.casefold(): name for name in sorted(names)}
    nearest = difflib.get_close_matches(target.casefold(), folded, n=1, cutoff=0.5)
    advice = f"did you mean {folded[nearest[0]]!r}?" if nearest else "see 'codedtheory list'"
    return f"no claim, module or file named {target!r}; {advice}"
