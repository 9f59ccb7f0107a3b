"""How long the whole catalogue takes at two efforts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from .contest import Contest, seconds


def _check(effort: str) -> float:
    command = [sys.executable, "-m", "codedtheory", "check", "--effort", effort]
    return seconds(lambda: subprocess.run(command, check=True, capture_output=True), repeats=1)


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    default = _check("default")
    yield Contest("codedtheory check --effort quick", "the default effort", _check("quick"), default, 1 / 6, True)
    yield Contest("codedtheory check", "one minute", default, 60.0, 1, True)
