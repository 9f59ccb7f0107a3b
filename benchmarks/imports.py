"""What importing the library costs beside its foundations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from .contest import Contest, seconds

FOUNDATIONS = "import numpy, flint, scipy.linalg"
ROOMS = "import codedtheory, codedtheory.arithmetic, codedtheory.interpolation, codedtheory.coding, codedtheory.claims"


def _start(statement: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", statement], check=True), repeats=9)


def contests() -> Iterator[Contest]:
    """Yield the contests of this module."""
    bare = _start("pass")
    foundations = _start(FOUNDATIONS) - bare
    for label, statement in (("codedtheory", "import codedtheory"), ("codedtheory with every room", ROOMS)):
        ours = _start(statement) - bare
        yield Contest(f"import {label}", f"`{FOUNDATIONS}`", ours, foundations, target=1.5, at_most=True)
