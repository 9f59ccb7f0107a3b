"""Catalogues: where claims are found, and how a worker process finds the same claim again."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Literal

from codedtheory.claims.claim import Claim, claims_declared_in
from codedtheory.claims.domain import Effort, Samples
from codedtheory.claims.tally import Finding

__all__ = [
    "GROUP",
    "ClaimsFileError",
    "Entry",
    "Origin",
    "claim_at",
    "distinct",
    "entry_of",
    "from_file",
    "from_module",
    "installed",
]

GROUP = "codedtheory.claims"


class ClaimsFileError(ValueError):
    """A module or file of claims that cannot be loaded; the message is one line."""


@dataclass(frozen=True)
class Origin:
    """Where a claim was declared: an importable module, a file, or neither (an interactive session)."""

    kind: Literal["module", "file", "session"]
    name: str


@dataclass(frozen=True)
class Entry:
    """A claim with its origin."""

    claim: Claim
    origin: Origin

    @property
    def module(self) -> str:
        """The module or file, as it is shown."""
        return self.claim.module if self.origin.kind == "module" else self.origin.name

    def reproduce(self, finding: Finding | None, effort: Effort) -> str:
        """Return one line of Python that shows the finding, or checks the claim again."""
        claim = self.claim
        session = self.origin.kind == "session"
        subject = claim.body.__name__ if session else f"find({claim.id!r}, {self.origin.name!r})"
        imports = [] if session else ["from codedtheory.claims import find"]
        if finding is None:
            call = f"print(check({subject}, effort={effort!r}))"
            imports = ["from codedtheory.claims import check" + ("" if session else ", find")]
        elif isinstance(claim.domain, Samples):
            call = f"print(*{subject}.compare(sample={finding.number}))"
        else:
            instance = claim.instance(effort, finding.number)
            call = f"print(*{subject}.compare({', '.join(f'{name}={value!r}' for name, value in instance.items())}))"
            if any(isinstance(value, Fraction) for value in instance.values()):
                imports.insert(0, "from fractions import Fraction")
        return "; ".join([*imports, call])


def entry_of(claim: Claim) -> Entry:
    """Return the entry of a claim object, whose origin is its module if a worker can import it from there."""
    module = sys.modules.get(claim.module)
    if module is None or claim.module == "__main__" or not _declares(module, claim):
        return Entry(claim, Origin("session", claim.module))
    file = getattr(module, "__codedtheory_file__", None)
    return Entry(claim, Origin("file", file) if file else Origin("module", claim.module))


def claim_at(origin: Origin, claim_id: str) -> Claim:
    """Return the claim with this id that was declared at ``origin``."""
    module = _load(origin.name) if origin.kind == "file" else _import(origin.name)
    for known in claims_declared_in(vars(module)):
        if known.id == claim_id:
            return known
    raise ClaimsFileError(f"{origin.name} declares no claim {claim_id!r}")


def from_module(name: str) -> list[Entry]:
    """Import a module, and of a package all modules in it, and return the claims they declare."""
    module = _import(name)
    entries = [Entry(claim, Origin("module", name)) for claim in claims_declared_in(vars(module))]
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if found.name != "__main__":
            entries += from_module(f"{name}.{found.name}")
    return entries


def from_file(path: str) -> list[Entry]:
    """Load a Python file under a module name of its own and return the claims it declares."""
    claims = claims_declared_in(vars(_load(path)))
    if not claims:
        raise ClaimsFileError(f"{path} declares no claim; decorate a function with @claim(...)")
    return [Entry(claim, Origin("file", path)) for claim in claims]


def installed() -> list[Entry]:
    """Return the claims of every installed catalogue, found by the entry-point group ``codedtheory.claims``."""
    from importlib.metadata import entry_points  # half as slow to import as all the rest of this room

    modules = dict.fromkeys(point.value for point in entry_points(group=GROUP))
    return distinct(entry for name in modules for entry in from_module(name))


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, or refuse two different claims with one id."""
    by_id: dict[str, Entry] = {}
    for entry in entries:
        known = by_id.setdefault(entry.claim.id, entry)
        if known.claim is not entry.claim:
            where = f"{known.module} and {entry.module}" if known.module != entry.module else entry.module
            raise ValueError(f"two claims have the id {entry.claim.id!r}, in {where}; rename one")
    return list(by_id.values())


def _declares(module: ModuleType, claim: Claim) -> bool:
    same = [known for known in claims_declared_in(vars(module)) if known.id == claim.id]
    return len(same) == 1 and same[0] is claim


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise ClaimsFileError(f"cannot import {name}: {_reason(error)}") from error


def _load(path: str) -> ModuleType:
    file = Path(path).resolve()
    digest = hashlib.sha256(str(file).encode()).hexdigest()[:8]
    name = f"codedtheory_claims_file_{digest}_{file.stem}"
    if name in sys.modules:
        return sys.modules[name]
    if file.is_dir():
        raise ClaimsFileError(f"{path} is a directory; name the files in it, or a package with dots")
    if not file.is_file():
        raise ClaimsFileError(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ClaimsFileError(f"{path} is not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__codedtheory_file__"] = path
    sys.modules[name] = module
    # A file may import what lies beside it, as it could when Python ran it.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ClaimsFileError(f"cannot load {path}: {_reason(error, file)}") from error
    return module


def _reason(error: BaseException, file: Path | None = None) -> str:
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
    # a syntax error names its line
    frames = [] if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if file is not None and frame.filename == str(file)]
    if lines:
        reason += f" (line {lines[-1]})"
    if "attempted relative import" in reason:
        reason += "; what lies beside the file is imported without the dot"
    return reason
