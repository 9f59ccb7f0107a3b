"""A user's file of claims, loaded from disk as the command loads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HEADER = "from fractions import Fraction\nfrom codedtheory.claims import *\nfrom codedtheory.arithmetic import *\n"


@pytest.fixture
def claims_file(tmp_path: Path) -> Callable[..., str]:
    def write(body: str, name: str = "my_theorem.py") -> str:
        path = tmp_path / name
        path.write_text(HEADER + body, encoding="utf-8")
        return str(path)

    return write
