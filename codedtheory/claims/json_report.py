"""Verdicts as JSON: one array of objects with fixed keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from codedtheory.claims.verdict import Verdict

__all__ = ["KEYS", "json_text", "record"]

KEYS = (
    "id",
    "module",
    "title",
    "source",
    "wording",
    "verdict",
    "expected",
    "evidence",
    "coverage",
    "scope",
    "instances",
    "tightness",
    "worst",
    "counterexample",
    "seconds",
    "detail",
    "reproduce",
)


def record(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as a plain object; ``instances`` counts those that were walked."""
    return {key: getattr(verdict, key) for key in KEYS}


def json_text(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts as a JSON array."""
    return json.dumps([record(verdict) for verdict in verdicts], indent=2, ensure_ascii=False, allow_nan=False)
