"""A list of claims, without checking them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from codedtheory.claims.catalogue import Entry
from codedtheory.claims.report import WIDTH

__all__ = ["listed", "listing_text"]


def listed(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return one plain object a claim, with the number of its instances at default effort."""
    return [
        {
            "id": entry.claim.id,
            "module": entry.module,
            "title": entry.claim.title,
            "source": str(entry.claim.source),
            "wording": entry.claim.source.wording,
            "expected": entry.claim.expected,
            "instances": entry.claim.count("default"),
        }
        for entry in entries
    ]


def listing_text(records: Sequence[dict[str, Any]], *, width: int = WIDTH, color: bool = False) -> str:
    """Return the list as a table of at most 100 columns."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", overflow="fold", max_width=32)
    table.add_column("title", overflow="fold")
    table.add_column("expected", no_wrap=True)
    table.add_column("wording", no_wrap=True)
    table.add_column("instances", justify="right", no_wrap=True)
    for record in records:
        keys = ("id", "title", "expected", "wording", "instances")
        table.add_row(*(Text(str(record[key])) for key in keys))
    buffer = io.StringIO()
    Console(file=buffer, width=width, force_terminal=color, color_system="standard" if color else None).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())
