"""A record as text: a table of at most 100 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codedtheory.executor.record import RunRecord

__all__ = ["record_text"]

_WIDTH = 100
_NAMED = 12


def record_text(record: RunRecord) -> str:
    """Return what is worth knowing about a run at a glance, one fact a line."""
    manifest = record.manifest
    times = record.step_times()
    lost = record.lost
    parameters = manifest["parameters"]
    unit = parameters.get("conditions", {}).get("unit") if manifest.get("clock") == "wall" else None
    origin = parameters.get("replayed")
    rows = {
        "backend": str(manifest.get("backend", "?")),
        "replay of": f"a run on {origin['backend']}, from {origin['started']}; the times are its" if origin else "",
        "clock": str(manifest.get("clock", "?")),
        "status": record.status + (", and the end of the record was cut off" if record.truncated else ""),
        "time": f"{record.seconds:.6g} s",
        "steps": str(len(times)),
        "mean step": f"{times.mean():.4g} s" if len(times) else "",
        "pace": "" if unit is None else f"{unit:g} s a unit of work, overrun by {sum(record.overruns.values())}",
        "late answers": str(len(record.late())),
        "lost nodes": _nodes(lost),
        "bits sent": f"{sum(record.bits.values()):,}",
        "overwritten": str(sum(record.overwrites.values())),
        "saved in": record.path or "memory only",
    }
    width = max(map(len, rows))
    return "\n".join(_row(name, text, width) for name, text in rows.items() if text)


def _row(name: str, text: str, width: int) -> str:
    indent = " " * (width + 2)
    lines = textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return f"{name:<{width}}  {chr(10).join(lines)[len(indent) :]}"


def _nodes(lost: tuple[int, ...]) -> str:
    named = ", ".join(map(str, lost[:_NAMED]))
    return f"{len(lost)}: {named}, ..." if len(lost) > _NAMED else named or "none"
